//! Two pictures of one heap, before a call and after it, in which every object has the same place.
//!
//! The picture before is laid out by its shape, with boxes that have room for what is in them
//! afterwards, too. The picture after takes over the boxes, and the references that are still
//! there; what is new gets a place of its own, and the references that are new are led around the
//! boxes. Who compares the two sees nothing but what the call has changed.

use std::collections::{BTreeMap, BTreeSet};

use super::{GAP, LABEL, Layout, PAGE, PART_GAP, Placed, STEM, Wire, layout, list, route};
use crate::frame::{Frame, Placement};
use crate::geometry::{Rect, point};
use crate::picture::{Object, Picture, Row};

/// Lays out both pictures. Returns `None` where objects of the first one are not in the second or
/// show other fields there, and where labels would cover boxes.
pub(super) fn pair(mut before: Picture, after: &Picture) -> Option<(Layout, Layout)> {
    if before.objects.is_empty() {
        return None;
    }
    let partners = partners(&before, after)?;
    let first = layout(&before);
    for (object, (frame, &partner)) in before
        .objects
        .iter_mut()
        .zip(first.frames.iter().zip(&partners))
    {
        let frame = Frame::new(&after.objects[partner], &places(frame), 0.0);
        object.least = frame.rect.width;
    }
    let earlier = layout(&before);
    let later = continued(&before, &earlier, after, &partners);
    let is_kept = |(frame, &partner): (&Frame, &usize)| frame.rect == later.frames[partner].rect;
    let keeps = earlier.frames.iter().zip(&partners).all(is_kept);
    (keeps && nothing_overlaps(&later)).then_some((earlier, later))
}

fn nothing_overlaps(layout: &Layout) -> bool {
    let boxes = layout.frames.iter().map(|frame| frame.rect);
    let all: Vec<Rect> = boxes
        .chain(layout.tags.iter().map(|tag| tag.rect))
        .collect();
    let mut pairs = (all.iter().enumerate()).flat_map(|(at, one)| {
        let others = all[at + 1..].iter();
        others.map(move |other| (*one, *other))
    });
    !pairs.any(|(one, other)| overlap(one, other))
}

/// For each object of the first picture the one with its number in the second.
fn partners(before: &Picture, after: &Picture) -> Option<Vec<usize>> {
    let numbers = after.objects.iter().enumerate();
    let numbers: BTreeMap<usize, usize> = numbers
        .map(|(index, object)| (object.number, index))
        .collect();
    let partner = |object: &Object| {
        let index = *numbers.get(&object.number)?;
        let other = &after.objects[index];
        let fields = |rows: &[Row]| -> Vec<usize> { rows.iter().map(|row| row.field).collect() };
        let is_same = fields(&object.rows) == fields(&other.rows)
            && object.omitted == other.omitted
            && object.class_id == other.class_id;
        is_same.then_some(index)
    };
    before.objects.iter().map(partner).collect()
}

fn places(frame: &Frame) -> Vec<Placement> {
    frame.cells.iter().map(|(_, place)| *place).collect()
}

/// The second picture, with the objects of the first one where they are.
fn continued(before: &Picture, earlier: &Layout, after: &Picture, partners: &[usize]) -> Layout {
    let mut placed = Placed::default();
    for (frame, &partner) in earlier.frames.iter().zip(partners) {
        let corner = frame.rect;
        let frame = Frame::new(&after.objects[partner], &places(frame), corner.width);
        placed.frames.insert(partner, frame.at(corner.x, corner.y));
    }
    wires_that_stay(before, earlier, after, partners, &mut placed);
    new_objects(after, &mut placed, earlier.bounds);
    tags(before, earlier, after, partners, &mut placed);
    let drawn: BTreeSet<usize> = placed.wires.iter().map(|wire| wire.edge).collect();
    for &object in partners {
        placed.loops_at(after, object);
    }
    // Loops are drawn for whole objects; those that were there are drawn already.
    let mut seen = drawn;
    let first_new = seen.len();
    let mut position = 0;
    placed.wires.retain(|wire| {
        position += 1;
        position <= first_new || seen.insert(wire.edge)
    });
    route::remaining(after, &mut placed);
    let bounds = placed.bounds();
    Layout {
        frames: placed.frames.into_values().collect(),
        tags: placed.tags,
        wires: placed.wires,
        bounds,
    }
}

/// References that lead to the same object as before, or that did.
fn wires_that_stay(
    before: &Picture,
    earlier: &Layout,
    after: &Picture,
    partners: &[usize],
    placed: &mut Placed,
) {
    let known: BTreeMap<(usize, usize, usize), &Wire> = (earlier.wires.iter())
        .map(|wire| {
            let edge = &before.edges[wire.edge];
            let key = (partners[edge.from], edge.row, partners[edge.to]);
            (key, wire)
        })
        .collect();
    for (index, edge) in after.edges.iter().enumerate() {
        if let Some(wire) = known.get(&(edge.from, edge.row, edge.to)) {
            placed.wires.push(Wire {
                edge: index,
                path: wire.path.clone(),
                back: wire.back,
            });
        }
    }
}

/// Objects that the first picture does not have: beside it if that is a row, otherwise below it.
fn new_objects(after: &Picture, placed: &mut Placed, bounds: Rect) {
    let known: BTreeSet<usize> = placed.frames.keys().copied().collect();
    let new: Vec<usize> = (0..after.objects.len())
        .filter(|index| !known.contains(index))
        .collect();
    if new.is_empty() {
        return;
    }
    let part = list::lay_out(after, &new);
    let own = part.bounds();
    let is_row = bounds.height < bounds.width.max(160.0);
    let width = bounds.width + PART_GAP + own.width;
    // Below there is room for a label above each of them.
    let corner = match is_row && width <= PAGE {
        true => {
            let top = placed.frames.values().map(|frame| frame.rect.y);
            let own_top = part.frames.values().map(|frame| frame.rect.y);
            let least = |tops: &mut dyn Iterator<Item = f64>| tops.fold(f64::INFINITY, f64::min);
            let (top, own_top) = (least(&mut top.into_iter()), least(&mut own_top.into_iter()));
            point(bounds.right() + PART_GAP - own.x, top - own_top)
        }
        false => point(
            bounds.x - own.x,
            bounds.bottom() + LABEL + STEM + GAP - own.y,
        ),
    };
    let mut part = part;
    // Labels are put where there is room, when all boxes have their places.
    part.tags.clear();
    placed.add(part, corner);
}

/// The labels of roots: where they were if the object had one, otherwise where there is room.
fn tags(
    before: &Picture,
    earlier: &Layout,
    after: &Picture,
    partners: &[usize],
    placed: &mut Placed,
) {
    let was_beside: BTreeMap<usize, bool> = (earlier.tags.iter())
        .map(|tag| {
            let target = before.roots[tag.root].target;
            let frame = &earlier.frames[target];
            (partners[target], tag.rect.bottom() > frame.rect.y)
        })
        .collect();
    for (root, label) in after.roots.iter().enumerate() {
        let count = placed.tags.len();
        match was_beside.get(&label.target) {
            Some(true) => placed.tag_beside(root, label),
            Some(false) => placed.tag_above(root, label),
            None => {
                placed.tag_above(root, label);
                if placed
                    .tags
                    .last()
                    .is_some_and(|tag| is_hidden(placed, tag.rect))
                {
                    placed.tags.truncate(count);
                    placed.tag_beside(root, label);
                }
            }
        }
    }
}

fn is_hidden(placed: &Placed, rect: Rect) -> bool {
    let tags = placed.tags.split_last().map_or(&[][..], |(_, tags)| tags);
    let boxes = placed.frames.values().map(|frame| frame.rect);
    (boxes.chain(tags.iter().map(|tag| tag.rect))).any(|other| overlap(rect, other))
}

fn overlap(one: Rect, other: Rect) -> bool {
    one.x < other.right()
        && other.x < one.right()
        && one.y < other.bottom()
        && other.y < one.bottom()
}

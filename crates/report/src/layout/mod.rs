//! Gives every box a place and every reference a path.
//!
//! Each connected part is laid out by its shape; the parts are then put side by side like words
//! on a page. References between parts, which only objects out of reach have, are drawn last.

mod layered;
mod list;
mod rank;
mod route;
mod stable;
mod tree;

use std::collections::BTreeMap;

use crate::frame::{COLUMN, Frame, Placement};
use crate::geometry::{Path, Point, Rect, point};
use crate::picture::{Content, Picture, Root, picture};
use crate::scene::Scene;
use crate::shape::{Shape, components, recognise};
use crate::text::width;

/// Space between neighbouring boxes.
const GAP: f64 = 22.0;
/// Space between the parts of a picture.
const PART_GAP: f64 = 44.0;
/// Parts go on in a new line, and lists in a new row, beyond this width.
const PAGE: f64 = 1100.0;
/// Height of the label of a root, and of the arrow below it.
const LABEL: f64 = 18.0;
const STEM: f64 = 18.0;
/// How far a reference of an object to itself reaches out of its box, and every further one.
const LOOP: f64 = 16.0;
const LOOP_STEP: f64 = 7.0;

/// A picture with all places decided.
pub(crate) struct Layout {
    /// One for every object.
    pub frames: Vec<Frame>,
    pub tags: Vec<Tag>,
    pub wires: Vec<Wire>,
    /// A rectangle around all of it.
    pub bounds: Rect,
}

impl Layout {
    /// The same picture elsewhere.
    pub fn moved(self, by: Point) -> Layout {
        let mut whole = Placed::default();
        let part = Placed {
            frames: self.frames.into_iter().enumerate().collect(),
            tags: self.tags,
            wires: self.wires,
        };
        whole.add(part, by);
        Layout {
            frames: whole.frames.into_values().collect(),
            tags: whole.tags,
            wires: whole.wires,
            bounds: self.bounds.moved(by),
        }
    }
}

/// The label of a root with its arrow.
pub(crate) struct Tag {
    /// Index into the picture's roots.
    pub root: usize,
    pub rect: Rect,
    pub stem: Path,
}

/// The path of a reference.
pub(crate) struct Wire {
    /// Index into the picture's edges.
    pub edge: usize,
    pub path: Path,
    /// Whether it runs against the direction of the layout.
    pub back: bool,
}

/// One part, laid out on its own.
#[derive(Default)]
struct Placed {
    frames: BTreeMap<usize, Frame>,
    tags: Vec<Tag>,
    wires: Vec<Wire>,
}

/// Lays out the picture of a scene. Where the scene has a state before it or after it, the picture of
/// that has the objects of both in the same places.
pub(crate) fn layout_of(scene: &Scene<'_>, drawn: &Picture) -> Layout {
    let both = match (scene.before, scene.after) {
        (Some(state), _) => {
            let before = picture(&Scene {
                state,
                before: None,
                after: None,
                ..scene.clone()
            });
            stable::pair(before, drawn).map(|(_, after)| after)
        }
        (None, Some(state)) => {
            let after = picture(&Scene {
                state,
                before: Some(scene.state),
                after: None,
                ..scene.clone()
            });
            stable::pair(picture(scene), &after).map(|(before, _)| before)
        }
        (None, None) => None,
    };
    both.unwrap_or_else(|| layout(drawn))
}

/// Lays a picture out.
fn layout(picture: &Picture) -> Layout {
    let mut whole = Placed::default();
    let mut corner = point(0.0, 0.0);
    let mut line = 0.0f64;
    let mut live = true;
    for members in components(picture) {
        let part = match recognise(picture, &members) {
            Shape::List(order) => list::lay_out(picture, &order),
            Shape::Tree { root, fields } => tree::lay_out(picture, &members, root, &fields),
            Shape::Graph => layered::lay_out(picture, &members),
        };
        let bounds = part.bounds();
        let still_live = picture.objects[members[0]].status.is_live();
        if corner.x > 0.0 && (corner.x + bounds.width > PAGE || still_live != live) {
            corner = point(0.0, corner.y + line + PART_GAP);
            line = 0.0;
        }
        live = still_live;
        whole.add(part, point(corner.x - bounds.x, corner.y - bounds.y));
        corner.x += bounds.width + PART_GAP;
        line = line.max(bounds.height);
    }
    route::remaining(picture, &mut whole);
    let bounds = whole.bounds();
    Layout {
        frames: whole.frames.into_values().collect(),
        tags: whole.tags,
        wires: whole.wires,
        bounds,
    }
}

impl Placed {
    fn bounds(&self) -> Rect {
        let frames = self.frames.values().map(|frame| frame.rect);
        let tags = self.tags.iter().map(|tag| tag.rect);
        let wires = (self.wires.iter())
            .flat_map(|wire| wire.path.samples(8))
            .map(|p| Rect {
                x: p.x,
                y: p.y,
                width: 0.0,
                height: 0.0,
            });
        let all = frames.chain(tags).chain(wires);
        all.reduce(Rect::union).unwrap_or_default()
    }

    fn add(&mut self, part: Placed, by: Point) {
        for (index, frame) in part.frames {
            self.frames.insert(index, frame.moved(by));
        }
        self.tags.extend(part.tags.into_iter().map(|tag| Tag {
            rect: tag.rect.moved(by),
            stem: tag.stem.moved(by),
            ..tag
        }));
        self.wires.extend(part.wires.into_iter().map(|wire| Wire {
            path: wire.path.moved(by),
            ..wire
        }));
    }

    /// Puts the label of a root above a box that is already in place.
    fn tag_above(&mut self, root: usize, label: &Root) {
        let Some(frame) = self.frames.get(&label.target) else {
            return;
        };
        let rect = Rect {
            x: frame.rect.x,
            y: frame.rect.y - STEM - LABEL,
            width: tag_width(label),
            height: LABEL,
        };
        let x = rect.x + (rect.width / 2.0).min(18.0);
        let stem = Path::from(point(x, rect.bottom())).line(point(x, frame.rect.y));
        self.tags.push(Tag { root, rect, stem });
    }

    /// Puts the label of a root to the left of a box that is already in place.
    fn tag_beside(&mut self, root: usize, label: &Root) {
        let Some(frame) = self.frames.get(&label.target) else {
            return;
        };
        let y = frame.header.center().y;
        let width = tag_width(label);
        let rect = Rect {
            x: frame.rect.x - STEM - width,
            y: y - LABEL / 2.0,
            width,
            height: LABEL,
        };
        let stem = Path::from(point(rect.right(), y)).line(point(frame.rect.x, y));
        self.tags.push(Tag { root, rect, stem });
    }

    /// The references of an object to itself: around the right side of its box, the ones with
    /// the longer way outside.
    fn loops_at(&mut self, picture: &Picture, object: usize) {
        let Some(frame) = self.frames.get(&object) else {
            return;
        };
        let (rect, header) = (frame.rect, frame.header);
        let mut loops = loops(picture, object);
        let place = |edge: &usize| frame.cells[picture.edges[*edge].row].1;
        loops.sort_by_key(|edge| match place(edge) {
            Placement::Row => *edge as i64,
            Placement::Top | Placement::Bottom => -(*edge as i64),
        });
        for (count, edge) in loops.into_iter().enumerate() {
            let (cell, place) = frame.cells[picture.edges[edge].row];
            let out = LOOP + LOOP_STEP * count as f64;
            let turn = rect.right() + out;
            let end_y = (header.bottom() - 7.0 - 8.0 * count as f64).max(rect.y + 4.0);
            let middle = cell.center();
            let mut points = match place {
                Placement::Row => vec![point(rect.right(), middle.y), point(turn, middle.y)],
                Placement::Top => {
                    let y = cell.y - out + 4.0;
                    vec![point(middle.x, cell.y), point(middle.x, y), point(turn, y)]
                }
                Placement::Bottom => {
                    let y = cell.bottom() + out - 4.0;
                    vec![
                        point(middle.x, cell.bottom()),
                        point(middle.x, y),
                        point(turn, y),
                    ]
                }
            };
            points.extend([point(turn, end_y), point(rect.right(), end_y)]);
            self.wires.push(Wire {
                edge,
                path: Path::rounded(&points, 7.0),
                back: false,
            });
        }
    }
}

/// The references of an object to itself.
fn loops(picture: &Picture, object: usize) -> Vec<usize> {
    (0..picture.edges.len())
        .filter(|&edge| {
            let edge = &picture.edges[edge];
            edge.from == object && edge.to == object
        })
        .collect()
}

/// How much room they take to the right of the box.
fn loop_room(picture: &Picture, object: usize) -> f64 {
    match loops(picture, object).len() {
        0 => 0.0,
        count => LOOP + LOOP_STEP * count as f64,
    }
}

fn tag_width(root: &Root) -> f64 {
    (width(&root.label.shown) as f64 * COLUMN + 14.0).ceil()
}

/// The root that points at an object; they are grouped, so there is one at most.
fn root_of(picture: &Picture, object: usize) -> Option<(usize, &Root)> {
    (picture.roots.iter().enumerate()).find(|(_, root)| root.target == object)
}

/// Where the fields of an object go when references leave downwards, except those that `up` says
/// lead upwards. What the roots no longer reach stands below the rest of the picture, so its
/// references to the rest lead upwards as well.
fn strips(picture: &Picture, object: usize, up: impl Fn(usize) -> bool) -> Vec<Placement> {
    let live = |index: usize| picture.objects[index].status.is_live();
    let rows = picture.objects[object].rows.iter().enumerate();
    rows.map(|(index, row)| match row.content {
        Content::Scalar(_) => Placement::Row,
        Content::Object(to) if !live(object) && live(to) => Placement::Top,
        _ if up(index) => Placement::Top,
        _ => Placement::Bottom,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scene;
    use crate::picture::picture;
    use heapwright_logic::{Cell, ClassId, Definitions, Heap, Loc, Value};
    use proptest::prelude::*;

    /// Objects with any number of numbers and references, so that heights differ.
    fn heaps() -> impl Strategy<Value = Heap> {
        let references = prop::collection::vec(0u32..14, 0..3);
        let cell = (references, 0usize..5).prop_map(|(references, numbers)| {
            let references = references.into_iter().map(|to| Value::Ref(Loc(to)));
            let numbers = std::iter::repeat_n(Value::Int(7), numbers);
            Cell {
                class: ClassId::ANY,
                fields: references.chain(numbers).collect(),
            }
        });
        prop::collection::vec(cell, 1..12).prop_map(|cells| Heap {
            cells: (0u32..).map(Loc).zip(cells).collect(),
        })
    }

    proptest! {
        #[test]
        fn references_run_around_the_boxes_of_their_part(heap in heaps()) {
            let definitions = Definitions::new();
            let picture = picture(&Scene::new(&definitions, &[], &heap));
            for members in components(&picture) {
                let part = match recognise(&picture, &members) {
                    Shape::List(order) => list::lay_out(&picture, &order),
                    Shape::Tree { root, fields } => {
                        tree::lay_out(&picture, &members, root, &fields)
                    }
                    Shape::Graph => layered::lay_out(&picture, &members),
                };
                for wire in &part.wires {
                    for sample in wire.path.samples(24) {
                        for frame in part.frames.values() {
                            let inside = frame.rect.grown(-0.5).contains(sample);
                            prop_assert!(!inside, "{:?} in {:?}", wire.path, frame.rect);
                        }
                    }
                }
            }
        }
    }
}

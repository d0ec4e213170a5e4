//! Trees: tidy drawings after Reingold and Tilford (1981).
//!
//! Subtrees are laid out from the leaves up and pushed together until their contours touch; a
//! parent stands above the middle of its children. Where a child is missing beside others, a
//! narrow space stands in for it, so that left and right children can be told apart.

use std::collections::{BTreeMap, BTreeSet};

use super::{GAP, LABEL, Placed, STEM, Wire, loop_room, root_of, strips, tag_width};
use crate::frame::{Frame, Placement};
use crate::geometry::{Path, Rect, point};
use crate::picture::{Content, Picture};
use crate::shape::{Key, key_of, shapes};

/// Space between the levels.
const LEVEL_GAP: f64 = 40.0;
/// Half the width of the space for a missing child.
const MISSING: f64 = 12.0;
/// Distance between a reference and the parent pointer beside it.
const BESIDE: f64 = 14.0;

/// How far a subtree reaches to the left and right of the middle of its root, level by level.
type Contour = Vec<(f64, f64)>;

struct Node {
    frame: Frame,
    /// Room needed to the left and right of the middle.
    extent: (f64, f64),
    slots: Vec<Slot>,
}

/// A child of a node, or the space for one.
struct Slot {
    child: Option<usize>,
    /// Distance of its middle from that of its parent.
    offset: f64,
}

/// Lays out a tree.
pub(super) fn lay_out(picture: &Picture, members: &[usize], root: usize, fields: &[Key]) -> Placed {
    let tree = Tree::new(picture, members, root, fields);
    let mut nodes: BTreeMap<usize, Node> = (members.iter())
        .map(|&object| (object, tree.node(object)))
        .collect();
    let order = preorder(&nodes, root);
    let mut contours: BTreeMap<usize, Contour> = BTreeMap::new();
    for &(object, _) in order.iter().rev() {
        if let Some(node) = nodes.get_mut(&object) {
            let contour = arrange(node, &mut contours);
            contours.insert(object, contour);
        }
    }
    let mut placed = Placed::default();
    tree.place(&nodes, &order, &mut placed);
    tree.connect(&mut placed);
    placed
}

struct Tree<'a> {
    picture: &'a Picture,
    members: BTreeSet<usize>,
    root: usize,
    fields: &'a [Key],
    parents: BTreeMap<usize, usize>,
    /// Fields that lead from children to parents wherever they lead anywhere.
    upward: BTreeSet<Key>,
}

impl<'a> Tree<'a> {
    fn new(picture: &'a Picture, members: &[usize], root: usize, fields: &'a [Key]) -> Self {
        let members: BTreeSet<usize> = members.iter().copied().collect();
        let inside = (picture.edges.iter())
            .filter(|edge| edge.from != edge.to && shapes(picture, edge))
            .filter(|edge| members.contains(&edge.from));
        let mut parents = BTreeMap::new();
        for edge in inside.clone() {
            if fields.contains(&key_of(picture, edge)) {
                parents.insert(edge.to, edge.from);
            }
        }
        let mut upward = BTreeSet::new();
        let mut elsewhere = BTreeSet::new();
        for edge in inside {
            let to_parent = parents.get(&edge.from) == Some(&edge.to);
            let set = if to_parent {
                &mut upward
            } else {
                &mut elsewhere
            };
            set.insert(key_of(picture, edge));
        }
        upward.retain(|key| !elsewhere.contains(key));
        Tree {
            picture,
            members,
            root,
            fields,
            parents,
            upward,
        }
    }

    fn node(&self, object: usize) -> Node {
        let drawn = &self.picture.objects[object];
        let key = |row: usize| (drawn.class_id, drawn.rows[row].field);
        let places = strips(self.picture, object, |row| match drawn.rows[row].content {
            Content::Object(to) if to != object => {
                !self.fields.contains(&key(row)) && self.parents.get(&object) == Some(&to)
            }
            _ => self.upward.contains(&key(row)),
        });
        let tag = root_of(self.picture, object).map_or(0.0, |(_, label)| tag_width(label));
        let is_root = object == self.root;
        let frame = Frame::new(drawn, &places, if is_root { tag } else { 0.0 });
        let half = frame.rect.width / 2.0;
        let beside = if is_root || tag == 0.0 {
            0.0
        } else {
            tag + STEM
        };
        let around = loop_room(self.picture, object);
        let mut slots: Vec<Slot> = (0..drawn.rows.len())
            .filter(|&row| self.fields.contains(&key(row)))
            .map(|row| Slot {
                child: match drawn.rows[row].content {
                    Content::Object(to) if self.parents.get(&to) == Some(&object) => Some(to),
                    _ => None,
                },
                offset: 0.0,
            })
            .collect();
        if slots.iter().all(|slot| slot.child.is_none()) {
            slots.clear();
        }
        Node {
            frame,
            extent: (half + beside, half + around),
            slots,
        }
    }

    /// Turns the distances between parents and children into places.
    fn place(&self, nodes: &BTreeMap<usize, Node>, order: &[(usize, usize)], placed: &mut Placed) {
        let depth = order.iter().map(|(_, level)| level + 1).max().unwrap_or(0);
        let mut heights = vec![0.0f64; depth];
        for (object, level) in order {
            heights[*level] = heights[*level].max(nodes[object].frame.rect.height);
        }
        let mut tops = Vec::with_capacity(depth);
        let mut y = LABEL + STEM;
        for height in heights {
            tops.push(y);
            y += height + LEVEL_GAP;
        }
        let mut middle = BTreeMap::from([(self.root, 0.0f64)]);
        for (object, level) in order {
            let node = &nodes[object];
            let x = middle[object];
            for slot in &node.slots {
                if let Some(child) = slot.child {
                    middle.insert(child, x + slot.offset);
                }
            }
            let frame = node.frame.clone();
            let left = x - frame.rect.width / 2.0;
            placed.frames.insert(*object, frame.at(left, tops[*level]));
            if let Some((root, label)) = root_of(self.picture, *object) {
                if *object == self.root {
                    placed.tag_above(root, label);
                } else {
                    placed.tag_beside(root, label);
                }
            }
            placed.loops_at(self.picture, *object);
        }
    }

    /// The references from parents to children and back, which run side by side. The rest is
    /// left to the router, which sees all boxes.
    fn connect(&self, placed: &mut Placed) {
        for (index, edge) in self.picture.edges.iter().enumerate() {
            if edge.from == edge.to || !shapes(self.picture, edge) {
                continue;
            }
            if !self.members.contains(&edge.from) {
                continue;
            }
            let key = key_of(self.picture, edge);
            let downward = self.fields.contains(&key);
            let upward = !downward && self.parents.get(&edge.from) == Some(&edge.to);
            let (Some(source), Some(target)) =
                (placed.frames.get(&edge.from), placed.frames.get(&edge.to))
            else {
                continue;
            };
            let path = if downward {
                let shift = if self.upward.is_empty() {
                    0.0
                } else {
                    -BESIDE / 2.0
                };
                let cell = source.cells[edge.row].0;
                let x = cell.center().x + shift;
                Path::from(point(x, cell.bottom()))
                    .line(point(x, floor(placed, source)))
                    .vertical_curve(point(target.rect.center().x + shift, target.rect.y))
            } else if upward {
                let cell = source.cells[edge.row].0;
                let x =
                    (source.rect.center().x + BESIDE / 2.0).clamp(cell.x + 3.0, cell.right() - 3.0);
                let slot = self.slot(edge.to, edge.from, target);
                let end = slot.center().x + BESIDE / 2.0;
                Path::from(point(x, source.rect.y))
                    .vertical_curve(point(end, floor(placed, target)))
                    .line(point(end, target.rect.bottom()))
            } else {
                continue;
            };
            placed.wires.push(Wire {
                edge: index,
                path,
                back: upward,
            });
        }
    }

    /// The cell of `parent` that leads to `child`.
    fn slot(&self, parent: usize, child: usize, frame: &Frame) -> Rect {
        let edge = self.picture.edges.iter().find(|edge| {
            edge.from == parent
                && edge.to == child
                && self.fields.contains(&key_of(self.picture, edge))
        });
        let cell = edge.and_then(|edge| frame.cells.get(edge.row));
        match cell {
            Some((rect, Placement::Bottom)) => *rect,
            _ => frame.rect,
        }
    }
}

/// The lower end of the highest box on a level: below it, references may run sideways.
fn floor(placed: &Placed, frame: &Frame) -> f64 {
    let level = placed.frames.values().map(|other| other.rect);
    let level = level.filter(|rect| rect.y == frame.rect.y);
    level
        .map(|rect| rect.bottom())
        .fold(frame.rect.bottom(), f64::max)
}

/// All objects with their levels, parents first.
fn preorder(nodes: &BTreeMap<usize, Node>, root: usize) -> Vec<(usize, usize)> {
    let mut order = Vec::new();
    let mut stack = vec![(root, 0)];
    while let Some((object, level)) = stack.pop() {
        order.push((object, level));
        if let Some(node) = nodes.get(&object) {
            let children = node.slots.iter().rev().filter_map(|slot| slot.child);
            stack.extend(children.map(|child| (child, level + 1)));
        }
    }
    order
}

/// Pushes the subtrees of a node together and returns the contour of the whole.
fn arrange(node: &mut Node, contours: &mut BTreeMap<usize, Contour>) -> Contour {
    let mut together: Contour = Vec::new();
    for slot in &mut node.slots {
        let contour = match slot.child {
            Some(child) => contours.remove(&child).unwrap_or_default(),
            None => vec![(-MISSING, MISSING)],
        };
        // As far left as the subtrees so far allow on every level.
        slot.offset = (together.iter().zip(&contour))
            .map(|(left, right)| left.1 + GAP - right.0)
            .fold(0.0, f64::max);
        for (level, (low, high)) in contour.iter().enumerate() {
            let (low, high) = (low + slot.offset, high + slot.offset);
            match together.get_mut(level) {
                // A subtree may reach further left than its neighbours further down.
                Some(so_far) => *so_far = (so_far.0.min(low), so_far.1.max(high)),
                None => together.push((low, high)),
            }
        }
    }
    let ends = node.slots.first().zip(node.slots.last());
    let middle = ends.map_or(0.0, |(first, last)| (first.offset + last.offset) / 2.0);
    for slot in &mut node.slots {
        slot.offset -= middle;
    }
    let mut contour = vec![(-node.extent.0, node.extent.1)];
    contour.extend(
        together
            .iter()
            .map(|(low, high)| (low - middle, high - middle)),
    );
    contour
}

//! Everything that is neither list nor tree: layers from top to bottom, after Sugiyama, Tagawa
//! and Toda (1981).
//!
//! Cycles are broken by turning the back edges of a depth-first search around; an object stands
//! one layer below the lowest object that refers to it; long references get a waypoint in every
//! layer that they pass, so that they never run through a box; neighbours are ordered by
//! barycentres; and places within a layer are the least-squares fit to the places of the
//! neighbours that keeps the order (pool adjacent violators).

use std::collections::{BTreeMap, BTreeSet};

use super::rank::{longest_paths, turned_edges, upward_fields};
use super::{GAP, LABEL, Placed, STEM, Wire, loop_room, root_of, strips, tag_width};
use crate::frame::{Frame, Placement};
use crate::geometry::{Path, Point, point};
use crate::picture::{Content, Picture};
use crate::shape::{Key, shapes};

/// Sweeps of the ordering and of the placing.
const SWEEPS: usize = 12;
/// References that would need more waypoints than are left run freely.
const MOST_WAYPOINTS: usize = 3000;
/// Width that a waypoint keeps free.
const WAYPOINT: f64 = 12.0;

/// Distance between the places at which references end on a border.
const ENTRY_STEP: f64 = 9.0;

/// Lays out any connected part.
pub(super) fn lay_out(picture: &Picture, members: &[usize]) -> Placed {
    let mut layers = Layers::new(picture, members);
    layers.order();
    let places = layers.place();
    layers.draw(&places)
}

/// A box or a waypoint.
struct Item {
    layer: usize,
    frame: Option<Frame>,
    /// Room needed to the left and right of the middle.
    extent: (f64, f64),
    above: Vec<usize>,
    below: Vec<usize>,
}

/// A reference with the items that it passes, from top to bottom.
struct Chain {
    edge: usize,
    items: Vec<usize>,
    upward: bool,
}

struct Layers<'a> {
    picture: &'a Picture,
    members: Vec<usize>,
    items: Vec<Item>,
    /// The items of every layer from left to right.
    layers: Vec<Vec<usize>>,
    chains: Vec<Chain>,
}

impl<'a> Layers<'a> {
    fn new(picture: &'a Picture, members: &[usize]) -> Self {
        let inside: BTreeSet<usize> = members.iter().copied().collect();
        let edges: Vec<usize> = (0..picture.edges.len())
            .filter(|&index| {
                let edge = &picture.edges[index];
                edge.from != edge.to && shapes(picture, edge) && inside.contains(&edge.from)
            })
            .collect();
        let turned = turned_edges(picture, members, &edges);
        let layer_of = longest_paths(picture, members, &edges, &turned);
        let upward = upward_fields(picture, &edges, &turned);

        let mut items = Vec::new();
        let mut item_of = BTreeMap::new();
        for &object in members {
            let layer = layer_of.get(&object).copied().unwrap_or(0);
            item_of.insert(object, items.len());
            items.push(box_item(picture, object, layer, &edges, &turned, &upward));
        }
        let depth = items.iter().map(|item| item.layer + 1).max().unwrap_or(0);
        let mut layers = vec![Vec::new(); depth];
        for (index, item) in items.iter().enumerate() {
            layers[item.layer].push(index);
        }
        let mut chains = Vec::new();
        let mut waypoints = 0;
        for edge in edges {
            let reference = &picture.edges[edge];
            let upward = turned.contains(&edge);
            let (mut top, mut bottom) = (item_of[&reference.from], item_of[&reference.to]);
            if upward {
                (top, bottom) = (bottom, top);
            }
            let between = items[top].layer + 1..items[bottom].layer;
            waypoints += between.len();
            if waypoints > MOST_WAYPOINTS {
                waypoints -= between.len();
                continue;
            }
            let mut passed = vec![top];
            for layer in between {
                passed.push(items.len());
                layers[layer].push(items.len());
                items.push(Item {
                    layer,
                    frame: None,
                    extent: (WAYPOINT / 2.0, WAYPOINT / 2.0),
                    above: Vec::new(),
                    below: Vec::new(),
                });
            }
            passed.push(bottom);
            for pair in passed.windows(2) {
                items[pair[0]].below.push(pair[1]);
                items[pair[1]].above.push(pair[0]);
            }
            chains.push(Chain {
                edge,
                items: passed,
                upward,
            });
        }
        Layers {
            picture,
            members: members.to_vec(),
            items,
            layers,
            chains,
        }
    }

    /// Orders every layer by the barycentres of its neighbours, and keeps the order with the
    /// fewest crossings.
    fn order(&mut self) {
        let mut best = (self.crossings(), self.layers.clone());
        for sweep in 0..SWEEPS {
            let downward = sweep % 2 == 0;
            let sequence: Vec<usize> = if downward {
                (1..self.layers.len()).collect()
            } else {
                (0..self.layers.len().saturating_sub(1)).rev().collect()
            };
            for layer in sequence {
                let position = self.positions();
                let mut keyed: Vec<(f64, usize)> = (self.layers[layer].iter())
                    .map(|&item| {
                        let neighbours = self.neighbours(item, downward);
                        let here = position[item] as f64;
                        (
                            mean(neighbours.iter().map(|n| position[*n] as f64), here),
                            item,
                        )
                    })
                    .collect();
                keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
                self.layers[layer] = keyed.into_iter().map(|(_, item)| item).collect();
            }
            let crossings = self.crossings();
            if crossings < best.0 {
                best = (crossings, self.layers.clone());
            }
        }
        self.layers = best.1;
    }

    fn neighbours(&self, item: usize, above: bool) -> &[usize] {
        if above {
            &self.items[item].above
        } else {
            &self.items[item].below
        }
    }

    fn positions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.items.len()];
        for layer in &self.layers {
            for (position, &item) in layer.iter().enumerate() {
                positions[item] = position;
            }
        }
        positions
    }

    /// The number of pairs of references that cross between neighbouring layers.
    fn crossings(&self) -> usize {
        let positions = self.positions();
        let mut crossings = 0;
        for (layer, items) in self.layers.iter().enumerate() {
            let size = self.layers.get(layer + 1).map_or(0, Vec::len);
            // How many references so far end at each place of the layer below.
            let mut ends = vec![0usize; size];
            for &item in items {
                let mut targets: Vec<usize> = (self.items[item].below.iter())
                    .map(|below| positions[*below])
                    .collect();
                targets.sort_unstable();
                for &target in &targets {
                    crossings += ends[target + 1..].iter().sum::<usize>();
                }
                for target in targets {
                    ends[target] += 1;
                }
            }
        }
        crossings
    }

    /// The middle of every item.
    fn place(&self) -> Vec<f64> {
        let mut places = vec![0.0; self.items.len()];
        for layer in &self.layers {
            let wishes = vec![0.0; layer.len()];
            self.settle(layer, &wishes, &mut places);
        }
        for sweep in 0..2 * SWEEPS {
            let downward = sweep % 2 == 0;
            let last = sweep + 1 == 2 * SWEEPS;
            let count = self.layers.len();
            for step in 0..count {
                let layer = &self.layers[if downward { step } else { count - 1 - step }];
                let wishes: Vec<f64> = (layer.iter())
                    .map(|&item| {
                        let mut near = self.neighbours(item, downward).to_vec();
                        if near.is_empty() || last {
                            near.extend(self.neighbours(item, !downward));
                        }
                        mean(near.iter().map(|n| places[*n]), places[item])
                    })
                    .collect();
                self.settle(layer, &wishes, &mut places);
            }
        }
        places
    }

    /// Puts the items of a layer as near to their wishes as their order and widths allow.
    fn settle(&self, layer: &[usize], wishes: &[f64], places: &mut [f64]) {
        // Distances of the middles from the first one when all stand as close as they may.
        let mut close = Vec::with_capacity(layer.len());
        let mut x = 0.0;
        for (position, &item) in layer.iter().enumerate() {
            if let Some(before) = position.checked_sub(1) {
                let gap = self.gap(layer[before], item);
                x += self.items[layer[before]].extent.1 + gap + self.items[item].extent.0;
            }
            close.push(x);
        }
        // What remains is to find non-decreasing shifts nearest to the wished ones.
        let mut blocks: Vec<(f64, f64)> = Vec::new();
        for (wish, close) in wishes.iter().zip(&close) {
            blocks.push((wish - close, 1.0));
            while let [.., (before, weight), (value, count)] = blocks[..]
                && before > value
            {
                let merged = (before * weight + value * count) / (weight + count);
                blocks.truncate(blocks.len() - 2);
                blocks.push((merged, weight + count));
            }
        }
        let mut shifts = blocks
            .into_iter()
            .flat_map(|(value, count)| std::iter::repeat_n(value, count as usize));
        for (&item, close) in layer.iter().zip(&close) {
            places[item] = close + shifts.next().unwrap_or(0.0);
        }
    }

    fn gap(&self, left: usize, right: usize) -> f64 {
        let boxes = [left, right].map(|item| self.items[item].frame.is_some());
        match boxes {
            [true, true] => GAP + 6.0,
            [false, false] => 2.0,
            _ => GAP / 2.0,
        }
    }

    fn draw(&self, places: &[f64]) -> Placed {
        let mut placed = Placed::default();
        let mut bands = Vec::with_capacity(self.layers.len());
        let mut y = LABEL + STEM;
        for layer in &self.layers {
            let heights = layer
                .iter()
                .filter_map(|item| self.items[*item].frame.as_ref());
            let height = heights.map(|frame| frame.rect.height).fold(0.0, f64::max);
            bands.push((y, y + height));
            let leaving: usize = layer.iter().map(|item| self.items[*item].below.len()).sum();
            y += height + 42.0 + (2.0 * leaving as f64).min(60.0);
        }
        for (item, &object) in self.members.iter().enumerate() {
            let Item { layer, frame, .. } = &self.items[item];
            let Some(frame) = frame.clone() else { continue };
            let left = places[item] - frame.rect.width / 2.0;
            placed
                .frames
                .insert(object, frame.at(left, bands[*layer].0));
            if let Some((root, label)) = root_of(self.picture, object) {
                if *layer == 0 {
                    placed.tag_above(root, label);
                } else {
                    placed.tag_beside(root, label);
                }
            }
            placed.loops_at(self.picture, object);
        }
        let ends = self.ends(places, &placed);
        for (chain, end) in self.chains.iter().zip(ends) {
            placed
                .wires
                .extend(self.wire(chain, end, places, &bands, &placed));
        }
        placed
    }

    /// Where on the side of its target each reference ends: from left to right in the order of
    /// where they come from, so that they do not cross at the end.
    fn ends(&self, places: &[f64], placed: &Placed) -> Vec<f64> {
        let mut arriving: BTreeMap<(usize, bool), Vec<(f64, usize)>> = BTreeMap::new();
        for (index, chain) in self.chains.iter().enumerate() {
            let items = &chain.items;
            let last = if chain.upward {
                items[1]
            } else {
                items[items.len() - 2]
            };
            let target = self.picture.edges[chain.edge].to;
            let list = arriving.entry((target, chain.upward)).or_default();
            list.push((places[last], index));
        }
        let mut ends = vec![0.0; self.chains.len()];
        for ((target, from_below), mut list) in arriving {
            list.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let Some(frame) = placed.frames.get(&target) else {
                continue;
            };
            let side = if from_below {
                Placement::Bottom
            } else {
                Placement::Top
            };
            let entries = entries(frame, side, list.len());
            for ((_, chain), entry) in list.into_iter().zip(entries) {
                ends[chain] = entry;
            }
        }
        ends
    }

    fn wire(
        &self,
        chain: &Chain,
        end: f64,
        places: &[f64],
        bands: &[(f64, f64)],
        placed: &Placed,
    ) -> Option<Wire> {
        let reference = &self.picture.edges[chain.edge];
        let source = placed.frames.get(&reference.from)?;
        let target = placed.frames.get(&reference.to)?;
        let cell = source.cells.get(reference.row)?.0;
        // The points from top to bottom; pairs of equal x are the straight ways past a layer.
        let (top, bottom) = if chain.upward {
            (
                point(end, target.rect.bottom()),
                point(cell.center().x, cell.y),
            )
        } else {
            (
                point(cell.center().x, cell.bottom()),
                point(end, target.rect.y),
            )
        };
        let mut points = vec![top, point(top.x, bands[self.items[chain.items[0]].layer].1)];
        for &item in &chain.items[1..chain.items.len() - 1] {
            let (from, to) = bands[self.items[item].layer];
            points.extend([point(places[item], from), point(places[item], to)]);
        }
        points.push(bottom);
        if chain.upward {
            points.reverse();
        }
        Some(Wire {
            edge: chain.edge,
            path: smooth(&points),
            back: chain.upward,
        })
    }
}

/// Evenly spread places for arrows on one side of a box, away from where the cells on that side
/// let references out, as far as there is room for that.
fn entries(frame: &Frame, side: Placement, count: usize) -> Vec<f64> {
    let on_side = frame.cells.iter().filter(|(_, place)| *place == side);
    let exits: Vec<f64> = on_side.map(|(cell, _)| cell.center().x).collect();
    let even = |index: usize| {
        frame.rect.x + frame.rect.width * (index as f64 + 1.0) / (count as f64 + 1.0)
    };
    let steps = (frame.rect.width / ENTRY_STEP) as usize;
    let free: Vec<f64> = (1..steps)
        .map(|step| frame.rect.x + frame.rect.width * step as f64 / steps as f64)
        .filter(|x| exits.iter().all(|exit| (exit - x).abs() >= ENTRY_STEP))
        .collect();
    if free.len() < count {
        return (0..count).map(even).collect();
    }
    let mut entries = Vec::with_capacity(count);
    let mut first = 0;
    for index in 0..count {
        // Those still to come need a place too.
        let last = free.len() - (count - index - 1);
        let wish = even(index);
        let nearest = (first..last)
            .min_by(|a, b| (free[*a] - wish).abs().total_cmp(&(free[*b] - wish).abs()))
            .unwrap_or(first);
        entries.push(free[nearest]);
        first = nearest + 1;
    }
    entries
}

fn smooth(points: &[Point]) -> Path {
    let mut path = Path::from(points.first().copied().unwrap_or_default());
    for pair in points.windows(2) {
        let (from, to) = (pair[0], pair[1]);
        if from == to {
            continue;
        }
        path = if from.x == to.x {
            path.line(to)
        } else {
            path.vertical_curve(to)
        };
    }
    path
}

fn mean(values: impl Iterator<Item = f64>, otherwise: f64) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { otherwise }
}

fn box_item(
    picture: &Picture,
    object: usize,
    layer: usize,
    edges: &[usize],
    turned: &BTreeSet<usize>,
    upward: &BTreeSet<Key>,
) -> Item {
    let drawn = &picture.objects[object];
    let places = strips(picture, object, |row| {
        let is_here = |edge: &&usize| {
            let reference = &picture.edges[**edge];
            reference.from == object && reference.row == row
        };
        match drawn.rows[row].content {
            Content::Object(to) if to != object => edges
                .iter()
                .find(is_here)
                .is_some_and(|e| turned.contains(e)),
            _ => upward.contains(&(drawn.class_id, drawn.rows[row].field)),
        }
    });
    let tag = root_of(picture, object).map_or(0.0, |(_, label)| tag_width(label));
    let is_top = layer == 0;
    let frame = Frame::new(drawn, &places, if is_top { tag } else { 0.0 });
    let half = frame.rect.width / 2.0;
    let beside = if is_top || tag == 0.0 {
        0.0
    } else {
        tag + STEM
    };
    let around = loop_room(picture, object);
    Item {
        layer,
        frame: Some(frame),
        extent: (half + beside, half + around),
        above: Vec::new(),
        below: Vec::new(),
    }
}

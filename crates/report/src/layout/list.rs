//! Lists: boxes in rows from left to right, as text is written.
//!
//! References between neighbours are straight, forward and backward ones at the height of their
//! fields. All others (the way back in a ring, a tail pointer, the step to the next row) run
//! through the channels between the rows, each in a lane of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::{GAP, LABEL, PAGE, Placed, STEM, Wire, root_of, tag_width};
use crate::frame::Frame;
use crate::geometry::{Path, Point, Rect, point};
use crate::picture::Picture;
use crate::shape::{Key, key_of, shapes};

/// Space for an arrow between neighbours.
const ARROW: f64 = 42.0;
/// Distance of neighbouring lanes.
const LANE: f64 = 9.0;

/// Lays out a list in the given order.
pub(super) fn lay_out(picture: &Picture, order: &[usize]) -> Placed {
    let grid = Grid::new(picture, order);
    let mut placed = Placed::default();
    for (position, &object) in order.iter().enumerate() {
        let corner = grid.corner(position);
        let frame = grid.frame(position).at(corner.x, corner.y);
        placed.frames.insert(object, frame);
    }
    for &object in order {
        if let Some((root, label)) = root_of(picture, object) {
            placed.tag_above(root, label);
        }
        placed.loops_at(picture, object);
    }
    for route in &grid.routes {
        let wire = match route.way {
            Way::Straight => straight(picture, route, &placed),
            Way::Channel(way) => grid.channel(route, way),
        };
        placed.wires.extend(wire);
    }
    placed
}

struct Route {
    edge: usize,
    row: usize,
    /// Positions in the list.
    from: usize,
    to: usize,
    /// Whether it leads back, or its field usually does.
    back: bool,
    way: Way,
}

#[derive(Clone, Copy)]
enum Way {
    Straight,
    Channel(Lanes),
}

/// How a reference runs that is not straight: out of its box to the side, up or down between two
/// columns, along a channel, and into the target from above or below.
#[derive(Clone, Copy)]
struct Lanes {
    /// Whether it leaves to the right.
    right: bool,
    /// Lane in the gap between the columns.
    upright: usize,
    /// The channel above this row of the grid.
    channel: usize,
    /// Lane in the channel.
    level: usize,
    /// Which of the target's places for arrows on that side.
    entry: usize,
}

struct Grid {
    frames: Vec<Frame>,
    columns: usize,
    column_width: f64,
    gap: f64,
    /// Upper ends of the rows' boxes, and of the channels above the rows.
    row_top: Vec<f64>,
    channel_top: Vec<f64>,
    routes: Vec<Route>,
}

/// Intervals that are given lanes so that those in the same lane do not touch.
#[derive(Default)]
struct Track(Vec<Vec<(i64, i64)>>);

impl Track {
    fn place(&mut self, from: i64, to: i64) -> usize {
        let (low, high) = (from.min(to), from.max(to));
        let free = |lane: &Vec<(i64, i64)>| lane.iter().all(|&(l, h)| high < l || h < low);
        let lane = self.0.iter().position(free).unwrap_or_else(|| {
            self.0.push(Vec::new());
            self.0.len() - 1
        });
        self.0[lane].push((low, high));
        lane
    }
}

impl Grid {
    fn new(picture: &Picture, order: &[usize]) -> Grid {
        let at: BTreeMap<usize, usize> = order.iter().enumerate().map(|(i, o)| (*o, i)).collect();
        let mut routes = Vec::new();
        for (edge, reference) in picture.edges.iter().enumerate() {
            if let (Some(&from), Some(&to)) = (at.get(&reference.from), at.get(&reference.to))
                && from != to
                && shapes(picture, reference)
            {
                routes.push(Route {
                    edge,
                    row: reference.row,
                    from,
                    to,
                    back: from > to,
                    way: Way::Straight,
                });
            }
        }
        // The one reference of a ring's backward links that leads forward looks like the others.
        let mut balance: BTreeMap<Key, i64> = BTreeMap::new();
        let key = |route: &Route| key_of(picture, &picture.edges[route.edge]);
        for route in &routes {
            *balance.entry(key(route)).or_default() += if route.back { 1 } else { -1 };
        }
        for route in &mut routes {
            route.back |= balance[&key(route)] > 0;
        }
        let mut frames: Vec<Frame> = (order.iter())
            .map(|&object| {
                let tag = root_of(picture, object).map_or(0.0, |(_, root)| tag_width(root) + 34.0);
                Frame::new(&picture.objects[object], &[], tag)
            })
            .collect();
        let column_width = frames
            .iter()
            .map(|frame| frame.rect.width)
            .fold(0.0, f64::max);
        let columns = ((PAGE / (column_width + ARROW)) as usize).clamp(3, 12);
        let (channels, gaps) = assign_lanes(&mut routes, &frames, columns);
        let uprights = gaps.values().map(|track| track.0.len()).max().unwrap_or(0);
        let gap = ARROW + LANE * uprights.saturating_sub(1) as f64;

        let mut row_top = Vec::new();
        let mut channel_top = Vec::new();
        let mut y = 0.0;
        for (row, channel) in channels.iter().enumerate() {
            channel_top.push(y);
            y += LANE * channel.0.len() as f64 + GAP / 2.0;
            let members = row * columns..((row + 1) * columns).min(order.len());
            if members
                .clone()
                .any(|position| root_of(picture, order[position]).is_some())
            {
                y += LABEL + STEM;
            }
            row_top.push(y);
            let heights = members.map(|position| frames[position].rect.height);
            y += heights.fold(0.0, f64::max) + GAP / 2.0;
        }
        // All boxes of a column are equally wide, so that the gaps between columns are straight.
        for (frame, &object) in frames.iter_mut().zip(order) {
            *frame = Frame::new(&picture.objects[object], &[], column_width);
        }
        Grid {
            frames,
            columns,
            column_width,
            gap,
            row_top,
            channel_top,
            routes,
        }
    }

    fn frame(&self, position: usize) -> Frame {
        self.frames[position].clone()
    }

    fn corner(&self, position: usize) -> Point {
        let column = (position % self.columns) as f64;
        point(
            column * (self.column_width + self.gap),
            self.row_top[position / self.columns],
        )
    }

    fn rect(&self, position: usize) -> Rect {
        let corner = self.corner(position);
        self.frames[position].rect.moved(corner)
    }

    fn channel(&self, route: &Route, lanes: Lanes) -> Option<Wire> {
        let source = self.rect(route.from);
        let target = self.rect(route.to);
        let (cell, _) = self.frames[route.from].cells.get(route.row)?;
        let y = source.y + cell.center().y;
        let out = 12.0 + LANE * lanes.upright as f64;
        let (x, upright) = if lanes.right {
            (source.right(), source.right() + out)
        } else {
            (source.x, source.x - out)
        };
        let level = self.channel_top[lanes.channel] + LANE * (lanes.level as f64 + 0.5);
        let entry = (target.right() - 12.0 - LANE * lanes.entry as f64).max(target.x + 6.0);
        let end = if target.y > level {
            target.y
        } else {
            target.bottom()
        };
        let points = [
            point(x, y),
            point(upright, y),
            point(upright, level),
            point(entry, level),
            point(entry, end),
        ];
        Some(Wire {
            edge: route.edge,
            path: Path::rounded(&points, 8.0),
            back: route.back,
        })
    }
}

/// Decides which references are straight, and gives the others their lanes. Returns the channels
/// above the rows (and the one below the last), and the gaps between the columns.
fn assign_lanes(
    routes: &mut [Route],
    frames: &[Frame],
    columns: usize,
) -> (Vec<Track>, BTreeMap<usize, Track>) {
    let rows = frames.len().div_ceil(columns);
    let mut channels: Vec<Track> = (0..=rows).map(|_| Track::default()).collect();
    let mut gaps: BTreeMap<usize, Track> = BTreeMap::new();
    let mut entries: BTreeMap<(usize, bool), usize> = BTreeMap::new();
    // Heights at which a straight reference runs already, by the position before the gap.
    // Forward references go first, so the way back in a ring of two takes the channel.
    let mut taken = BTreeSet::new();
    routes.sort_by_key(|route| route.from > route.to);
    for route in routes.iter_mut() {
        let (from_row, to_row) = (route.from / columns, route.to / columns);
        let (from_column, to_column) = (route.from % columns, route.to % columns);
        let is_neighbour = from_row == to_row && from_column.abs_diff(to_column) == 1;
        let height = frames[route.from].cells[route.row].0.y as i64;
        if is_neighbour && taken.insert((route.from.min(route.to), height)) {
            continue;
        }
        // Into the next rows from above, back to earlier ones from below; within one row,
        // forward above it and backward below it.
        let above = from_row < to_row || (from_row == to_row && route.from < route.to);
        let in_front = from_column == 0 && from_row == to_row;
        let at_end = from_column + 1 == columns || route.from + 1 == frames.len();
        // Rings leave at their ends, everything else in the direction of its target.
        let right = if route.from < route.to {
            !in_front
        } else {
            at_end
        };
        let channel = if above { to_row } else { to_row + 1 };
        let gap = if right { from_column + 1 } else { from_column };
        let upright = gaps
            .entry(gap)
            .or_default()
            .place(2 * from_row as i64, 2 * channel as i64 - 1);
        let level = channels[channel].place(2 * gap as i64, 2 * to_column as i64 + 1);
        let entry = entries.entry((route.to, above)).or_default();
        route.way = Way::Channel(Lanes {
            right,
            upright,
            channel,
            level,
            entry: *entry,
        });
        *entry += 1;
    }
    (channels, gaps)
}

/// The reference between two neighbours: level if the target is high enough for that.
fn straight(picture: &Picture, route: &Route, placed: &Placed) -> Option<Wire> {
    let reference = &picture.edges[route.edge];
    let source = placed.frames.get(&reference.from)?;
    let target = placed.frames.get(&reference.to)?;
    let (cell, _) = source.cells.get(route.row)?;
    let y = cell.center().y;
    let forward = route.from < route.to;
    let (start, end) = if forward {
        (source.rect.right(), target.rect.x)
    } else {
        (source.rect.x, target.rect.right())
    };
    let start = point(start, y);
    let path = if y < target.rect.bottom() - 4.0 {
        Path::from(start).line(point(end, y))
    } else {
        let end = point(end, target.rect.bottom() - 8.0);
        let middle = (start.x + end.x) / 2.0;
        Path::from(start).cubic(point(middle, start.y), point(middle, end.y), end)
    };
    Some(Wire {
        edge: route.edge,
        path,
        back: route.back,
    })
}

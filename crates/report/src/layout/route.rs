//! Paths for the references that no layout has drawn: linked leaves, references between parts,
//! references that are no longer there.
//!
//! Of a handful of curves that leave and enter the two boxes at different sides, the one that
//! runs through the fewest boxes is taken, and of these the shortest.

use std::collections::BTreeSet;

use super::{Placed, Wire};
use crate::frame::{Frame, Placement};
use crate::geometry::{Path, Point, Rect, distance, point};
use crate::picture::Picture;

/// What running through a box costs, in pixels of detour.
const THROUGH: f64 = 2000.0;

/// A point on a border, and the direction away from the box.
type Port = (Point, Point);

/// Adds a wire for every reference that has none.
pub(super) fn remaining(picture: &Picture, placed: &mut Placed) {
    let drawn: BTreeSet<usize> = placed.wires.iter().map(|wire| wire.edge).collect();
    let obstacles: Vec<Rect> = (placed.frames.values().map(|frame| frame.rect))
        .chain(placed.tags.iter().map(|tag| tag.rect))
        .map(|rect| rect.grown(-1.0))
        .collect();
    for (index, edge) in picture.edges.iter().enumerate() {
        if drawn.contains(&index) {
            continue;
        }
        let (Some(source), Some(target)) =
            (placed.frames.get(&edge.from), placed.frames.get(&edge.to))
        else {
            continue;
        };
        let mut best: Option<(f64, Path)> = None;
        for leave in leaving(source, edge.row) {
            for arrive in arriving(target) {
                for reach in [24.0, 48.0, 90.0, 150.0] {
                    let path = curve(leave, arrive, reach);
                    let cost = cost(&path, &obstacles) + reach / 10.0;
                    if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                        best = Some((cost, path));
                    }
                }
            }
        }
        if let Some((_, path)) = best {
            let back = path.end().x < path.start.x;
            placed.wires.push(Wire {
                edge: index,
                path,
                back,
            });
        }
    }
}

fn curve((from, out): Port, (to, away): Port, reach: f64) -> Path {
    Path::from(from).cubic(
        point(from.x + out.x * reach, from.y + out.y * reach),
        point(to.x + away.x * reach, to.y + away.y * reach),
        to,
    )
}

fn cost(path: &Path, obstacles: &[Rect]) -> f64 {
    let samples = path.samples(28);
    let length: f64 = samples
        .windows(2)
        .map(|pair| distance(pair[0], pair[1]))
        .sum();
    let hit = |rect: &&Rect| samples.iter().any(|sample| rect.contains(*sample));
    length + THROUGH * obstacles.iter().filter(hit).count() as f64
}

/// Where a reference may leave its cell: where the cell touches the border of the box.
fn leaving(frame: &Frame, row: usize) -> Vec<Port> {
    let Some((cell, place)) = frame.cells.get(row).copied() else {
        return Vec::new();
    };
    let mut ports = Vec::new();
    let middle = cell.center();
    if cell.right() > frame.rect.right() - 1.0 {
        ports.push((point(frame.rect.right(), middle.y), point(1.0, 0.0)));
    }
    if cell.x < frame.rect.x + 1.0 {
        ports.push((point(frame.rect.x, middle.y), point(-1.0, 0.0)));
    }
    match place {
        Placement::Bottom => ports.push((point(middle.x, cell.bottom()), point(0.0, 1.0))),
        Placement::Top => ports.push((point(middle.x, cell.y), point(0.0, -1.0))),
        Placement::Row => {}
    }
    ports
}

fn arriving(frame: &Frame) -> [Port; 4] {
    let (rect, y) = (frame.rect, frame.header.center().y);
    let quarter = rect.width / 4.0;
    [
        (point(rect.x, y), point(-1.0, 0.0)),
        (point(rect.right(), y), point(1.0, 0.0)),
        (point(rect.right() - quarter, rect.y), point(0.0, -1.0)),
        (point(rect.x + quarter, rect.bottom()), point(0.0, 1.0)),
    ]
}

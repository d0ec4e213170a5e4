//! What both kinds of SVG pictures have in common: texts around them, the order in which references
//! are drawn, and the tips of arrows.

use std::fmt::Write;

use crate::frame::COLUMN;
use crate::geometry::{Path, Point, distance, point, toward};
use crate::layout::Wire;
use crate::picture::{EdgeKind, Picture, Scalar, Status};
use crate::text::width;

/// Space around the picture.
pub(crate) const MARGIN: f64 = 14.0;
/// The narrowest page on which values of roots are put side by side.
const LEAST_PAGE: f64 = 320.0;
/// Length and half the width of the tip of an arrow.
const TIP: (f64, f64) = (8.0, 3.6);

/// What is said in words below the picture.
pub(crate) fn notes(picture: &Picture) -> Vec<String> {
    let mut notes = Vec::new();
    if picture.objects.is_empty() {
        notes.push("the empty heap".to_owned());
    }
    if picture.omitted > 0 {
        notes.push(format!("and {}", count(picture.omitted, "more object")));
    }
    if picture.omitted_roots > 0 {
        notes.push(format!("and {}", count(picture.omitted_roots, "more root")));
    }
    notes
}

pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

pub(crate) fn columns(text: &str) -> f64 {
    width(text) as f64 * COLUMN
}

/// What became of objects and fields.
pub(crate) fn differences(picture: &Picture) -> Vec<String> {
    let mut differences = Vec::new();
    for status in [Status::New, Status::Freed, Status::Unreachable] {
        let matching = picture.objects.iter().filter(|o| o.status == status);
        let matching = matching.count();
        if matching > 0 {
            differences.push(format!("{matching} {}", status.word().unwrap_or_default()));
        }
    }
    let others = picture.objects.iter();
    let others = others.filter(|object| object.has_other_text).count();
    if others > 0 {
        differences.push(format!("{} changed", count(others, "object")));
    }
    let changed = picture.objects.iter().flat_map(|object| &object.rows);
    let changed = changed.filter(|row| row.was.is_some()).count();
    if changed > 0 {
        differences.push(format!("{} changed", count(changed, "field")));
    }
    differences
}

/// The picture in a sentence, for those who cannot see it.
pub(crate) fn description(picture: &Picture) -> String {
    let mut text = count(picture.objects.len() + picture.omitted, "object");
    for difference in differences(picture) {
        let _ = write!(text, ", {difference}");
    }
    for root in &picture.roots {
        let number = picture.objects[root.target].number;
        let _ = write!(text, "; {} points to #{number}", root.label.whole());
    }
    for scalar in &picture.scalars {
        let _ = write!(text, "; {}", scalar.label.whole());
    }
    text
}

/// Where the values of roots go (`lo = 0` and the like): side by side at the top. Also the width
/// and height that they take.
pub(crate) fn place_scalars(picture: &Picture, page: f64) -> (Vec<(Point, &Scalar)>, f64, f64) {
    let mut places = Vec::new();
    let (mut x, mut y, mut widest) = (0.0, 0.0, 0.0f64);
    for scalar in &picture.scalars {
        let advance = columns(&scalar.label.shown) + 22.0;
        if x > 0.0 && x + advance > page.max(LEAST_PAGE) {
            (x, y) = (0.0, y + 20.0);
        }
        places.push((point(MARGIN + x, MARGIN + y + 12.0), scalar));
        x += advance;
        widest = widest.max(x);
    }
    let height = match picture.scalars.is_empty() {
        true => 0.0,
        false => y + 30.0,
    };
    (places, widest, height)
}

/// The references that lie behind the boxes, and the others, in the order in which they are drawn:
/// what is gone first, then back pointers, then what matters more.
pub(crate) fn in_order<'l>(picture: &Picture, wires: &'l [Wire]) -> (Vec<&'l Wire>, Vec<&'l Wire>) {
    let rank = |wire: &&Wire| match (picture.edges[wire.edge].kind, wire.back) {
        (EdgeKind::Removed | EdgeKind::Stale, _) => 0,
        (EdgeKind::Kept, _) if !source_is_live(picture, wire) => 0,
        (EdgeKind::Kept, true) => 1,
        (EdgeKind::Kept, false) => 2,
        (EdgeKind::Changed | EdgeKind::Dangling, _) => 3,
    };
    let mut wires: Vec<&Wire> = wires.iter().collect();
    wires.sort_by_key(rank);
    let behind = wires.partition_point(|wire| rank(wire) == 0);
    let front = wires.split_off(behind);
    (wires, front)
}

/// Whether the object that holds a reference can still be reached.
pub(crate) fn source_is_live(picture: &Picture, wire: &Wire) -> bool {
    let source = picture.edges[wire.edge].from;
    picture.objects[source].status.is_live()
}

/// The tip of an arrow along a path.
pub(crate) fn tip(path: &Path) -> Path {
    let end = path.end();
    let back = toward(end, path.before_end(), TIP.0);
    let length = distance(end, back).max(1e-9);
    let across = point(
        -(end.y - back.y) / length * TIP.1,
        (end.x - back.x) / length * TIP.1,
    );
    Path::from(end)
        .line(point(back.x + across.x, back.y + across.y))
        .line(point(back.x - across.x, back.y - across.y))
}

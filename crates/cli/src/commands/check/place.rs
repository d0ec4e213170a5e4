//! A heap that does not satisfy a formula, drawn, with the place marked where it stops.

use std::io::Write;

use heapwright_logic::{Definitions, Heap, Loc, Value};

use crate::failure::Failure;
use crate::frontends::LABELS;
use heapwright_explain::picture::{self, Marks};

/// Draws a heap below a reason. Objects have the numbers that the reason calls them by, and the
/// first one that it names is marked.
pub fn draw(
    definitions: &Definitions,
    roots: &[(String, Value)],
    heap: &Heap,
    reason: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let marks = marks(heap, reason);
    for line in picture::draw_marked(LABELS, definitions, roots, heap, &marks).lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// The place that a reason names first.
pub fn marks(heap: &Heap, reason: &str) -> Marks {
    let mut marks = Marks {
        addresses: true,
        ..Marks::default()
    };
    let known = |loc: &Loc| heap.cells.contains_key(loc);
    if let Some(loc) = named(reason).into_iter().find(known) {
        marks.objects.insert(loc, "here".to_owned());
    }
    marks
}

/// The objects that a reason names, in order: `#2`.
fn named(reason: &str) -> Vec<Loc> {
    let pieces = reason.split('#').skip(1);
    let number = |piece: &str| {
        let end = piece.find(|c: char| !c.is_ascii_digit());
        let digits = piece.get(..end.unwrap_or(piece.len()))?;
        digits.parse().ok().map(Loc)
    };
    pieces.filter_map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_found_in_reasons() {
        let reason = "in bst(#2, lo, 5): next = null in #13, where it is #4";
        assert_eq!(named(reason), [Loc(2), Loc(13), Loc(4)]);
        assert_eq!(named("# and #x and #99999999999"), []);
    }
}

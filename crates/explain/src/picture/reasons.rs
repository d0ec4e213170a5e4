//! Places that reasons speak of: a heap that does not satisfy a formula is drawn with the place marked
//! where it stops.

use heapwright_logic::{Heap, Loc};

use super::Marks;

/// A mark at the object that a reason names first. Objects have the numbers that the reason calls them
/// by.
pub fn marks_of(heap: &Heap, reason: &str) -> Marks {
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

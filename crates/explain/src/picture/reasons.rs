//! Places that reasons speak of: a heap that does not satisfy a formula is drawn with the place marked
//! where it stops.

use heapwright_logic::{Heap, Loc};

use super::Marks;

/// A mark at the first object of the heap that a reason speaks of. Objects have the numbers that the
/// reason calls them by.
pub fn marks_of(heap: &Heap, spoken_of: &[Loc]) -> Marks {
    let mut marks = Marks {
        addresses: true,
        ..Marks::default()
    };
    let known = |loc: &&Loc| heap.cells.contains_key(*loc);
    if let Some(loc) = spoken_of.iter().find(known) {
        marks.objects.insert(*loc, "here".to_owned());
    }
    marks
}

//! The languages that the command line knows.

use std::collections::BTreeMap;

use heapwright_explain::Labels;
use heapwright_logic::{Definitions, Heap, Loc};

/// How objects are shown where the language is not known: as Java does it, whose classes no other
/// language has.
pub const LABELS: &dyn Labels = &JavaLabels;

/// Strings, boxed numbers and constants of enums as texts.
struct JavaLabels;

impl Labels for JavaLabels {
    fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
        heapwright_java::display::labels(definitions, heap)
    }
}

//! How a language shows its objects.

use std::collections::BTreeMap;

use heapwright_logic::{Definitions, Heap, Loc};

/// A text is cut here, so that it fits into a line.
const LONGEST: usize = 60;

/// What a language shows as a text instead of as an object with fields: strings, boxed numbers,
/// constants of enums.
pub trait Labels: Sync {
    /// The texts of all objects of a heap that have one.
    fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String>;
}

/// Every object is shown with its fields.
#[derive(Clone, Copy, Debug)]
pub struct PlainLabels;

impl Labels for PlainLabels {
    fn texts(&self, _: &Definitions, _: &Heap) -> BTreeMap<Loc, String> {
        BTreeMap::new()
    }
}

/// The texts of objects, each made fit for a line.
pub fn short_texts(
    labels: &dyn Labels,
    definitions: &Definitions,
    heap: &Heap,
) -> BTreeMap<Loc, String> {
    let fit = |text: String| {
        let is_cut = text.chars().count() > LONGEST;
        let mut short: String = text.chars().take(LONGEST).collect();
        if is_cut {
            short.push('…');
        }
        short
    };
    let texts = labels.texts(definitions, heap).into_iter();
    texts.map(|(loc, text)| (loc, fit(text))).collect()
}

/// Java's labels, for tests: strings and boxed numbers are what most heaps have.
#[cfg(test)]
pub mod java {
    use super::*;

    /// As the front end for Java has it.
    pub struct JavaTexts;

    impl Labels for JavaTexts {
        fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
            heapwright_java::display::labels(definitions, heap)
        }
    }
}

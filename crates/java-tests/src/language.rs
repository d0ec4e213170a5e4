//! What tests of Java have in common.

use std::collections::BTreeMap;

use heapwright_explain::Labels;
use heapwright_logic::{Definitions, Heap, Loc};
use heapwright_testgen::{Language, Noun};

const STACK_OVERFLOW: &str = "java.lang.StackOverflowError";

/// Java.
#[derive(Clone, Copy, Debug)]
pub struct JavaLanguage;

impl Labels for JavaLanguage {
    /// Strings, boxed numbers and constants of enums.
    fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
        heapwright_java::display::labels(definitions, heap)
    }
}

impl Language for JavaLanguage {
    fn noun(&self) -> Noun {
        Noun::Method
    }

    fn is_failure(&self, class: &str) -> bool {
        class == "java.lang.AssertionError" || self.is_stack_overflow(class)
    }

    fn is_stack_overflow(&self, class: &str) -> bool {
        class == STACK_OVERFLOW
    }
}

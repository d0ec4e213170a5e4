//! What tests of C have in common.

use std::collections::BTreeMap;

use heapwright_explain::{Labels, PlainLabels};
use heapwright_logic::{Definitions, Heap, Loc};
use heapwright_testgen::{Language, Noun};

/// Functions without exceptions, whose parameters may be anything where nobody says more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CLanguage;

impl Labels for CLanguage {
    fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
        PlainLabels.texts(definitions, heap)
    }
}

impl Language for CLanguage {
    fn noun(&self) -> Noun {
        Noun::Function
    }

    fn is_failure(&self, _: &str) -> bool {
        false
    }

    fn is_stack_overflow(&self, _: &str) -> bool {
        false
    }

    fn sets_faults_apart(&self) -> bool {
        true
    }
}

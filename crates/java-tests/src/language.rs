//! What tests of Java have in common.

use std::collections::BTreeMap;

use heapwright_explain::{Collection, Labels};
use heapwright_ir::{Function, Program};
use heapwright_java::display::{self, Contents};
use heapwright_logic::{Definitions, Heap, Loc};
use heapwright_testgen::{Language, Noun};

/// What the names of functions that initialise classes end with.
const INITIALISER: &str = "#<clinit>()";

const STACK_OVERFLOW: &str = "java.lang.StackOverflowError";

/// Java, every collection of the JDK shown with its fields: where these are under test.
#[derive(Clone, Copy, Debug)]
pub struct JavaLanguage;

/// Java, collections of the JDK shown as what they hold: where they are only used.
#[derive(Clone, Copy, Debug)]
pub struct JavaWithCollections;

impl Labels for JavaLanguage {
    /// Strings, boxed numbers and constants of enums.
    fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
        display::labels(definitions, heap)
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

    /// The static initialiser of an enum makes its constants, and that of a class with a number for a
    /// name the table behind a `switch`.
    fn is_written(&self, program: &Program, function: &Function) -> bool {
        let Some(class) = function.name.strip_suffix(INITIALISER) else {
            return !function.synthetic;
        };
        let definitions = &program.definitions;
        let enumeration = definitions.class_named("java.lang.Enum");
        let known = definitions.class_named(class);
        let is_enum = (known.zip(enumeration))
            .is_some_and(|(class, enumeration)| definitions.is_subclass(class, enumeration));
        let (_, last) = class.rsplit_once('$').unwrap_or(("", class));
        let is_table = last.chars().all(|digit| digit.is_ascii_digit());
        !function.synthetic && !is_enum && !is_table
    }
}

impl Labels for JavaWithCollections {
    fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
        JavaLanguage.texts(definitions, heap)
    }

    fn collections(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, Collection> {
        let cells = heap.cells.iter();
        let found = cells.filter_map(|(&loc, cell)| {
            let shown = match display::contents(definitions, heap, cell)? {
                Contents::Elements(elements) => Collection::Elements(elements),
                Contents::Entries(entries) => Collection::Entries(entries),
            };
            Some((loc, shown))
        });
        found.collect()
    }
}

impl Language for JavaWithCollections {
    fn noun(&self) -> Noun {
        JavaLanguage.noun()
    }

    fn is_failure(&self, class: &str) -> bool {
        JavaLanguage.is_failure(class)
    }

    fn is_stack_overflow(&self, class: &str) -> bool {
        JavaLanguage.is_stack_overflow(class)
    }

    fn is_written(&self, program: &Program, function: &Function) -> bool {
        JavaLanguage.is_written(program, function)
    }
}

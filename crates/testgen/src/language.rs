//! What the tests of a language have in common, whatever program they are for.

use heapwright_explain::{Labels, PlainLabels, words};
use heapwright_ir::{Function, Program};
use heapwright_logic::{Definitions, Heap, Loc};
use std::collections::BTreeMap;

/// Facts about a language that choosing, naming and describing tests depend on.
pub trait Language: Labels {
    /// What its tests are for: methods, procedures, functions.
    fn noun(&self) -> Noun;

    /// Whether an exception of this class says by itself that something is wrong. Others may be what
    /// a caller is promised.
    fn is_failure(&self, class: &str) -> bool;

    /// Whether this is the class of the exception for a stack that is full.
    fn is_stack_overflow(&self, class: &str) -> bool;

    /// Whether somebody wrote a function, rather than a compiler for a declaration.
    fn is_written(&self, program: &Program, function: &Function) -> bool {
        let _ = program;
        !function.synthetic
    }

    /// Whether faults that come from the input alone are listed apart and are no findings, where
    /// nothing says which inputs are valid.
    fn sets_faults_apart(&self) -> bool {
        false
    }
}

/// What is tested, one of them and several.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noun {
    /// Of classes.
    Method,
    /// Of programs without classes.
    Procedure,
    /// Of C.
    Function,
}

impl Noun {
    /// `1 other method`, `2 other methods`.
    pub fn others(self, count: u64) -> String {
        match self {
            Noun::Method => words::count(count, "other method", "other methods"),
            Noun::Procedure => words::count(count, "other procedure", "other procedures"),
            Noun::Function => words::count(count, "other function", "other functions"),
        }
    }

    /// `1 method`, `2 methods`.
    pub fn count(self, count: u64) -> String {
        match self {
            Noun::Method => words::count(count, "method", "methods"),
            Noun::Procedure => words::count(count, "procedure", "procedures"),
            Noun::Function => words::count(count, "function", "functions"),
        }
    }

    /// One of them.
    pub fn word(self) -> &'static str {
        match self {
            Noun::Method => "method",
            Noun::Procedure => "procedure",
            Noun::Function => "function",
        }
    }
}

/// A language of procedures without exceptions, in which every object is shown with its fields.
#[derive(Clone, Copy, Debug)]
pub struct Procedural;

impl Labels for Procedural {
    fn texts(&self, definitions: &Definitions, heap: &Heap) -> BTreeMap<Loc, String> {
        PlainLabels.texts(definitions, heap)
    }
}

impl Language for Procedural {
    fn noun(&self) -> Noun {
        Noun::Procedure
    }

    fn is_failure(&self, _: &str) -> bool {
        false
    }

    fn is_stack_overflow(&self, _: &str) -> bool {
        false
    }
}

//! What can be wrong with a script.

use thiserror::Error;

use crate::diagnostic::{Diagnostic, Span};

/// Past this many, further problems are most likely consequences of the first ones.
const MAX_PROBLEMS: usize = 50;

/// A problem and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Problem {
    pub span: Span,
    pub kind: ProblemKind,
}

/// The ways in which a script can be outside of what we read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(super) enum ProblemKind {
    #[error("this parenthesis is never closed")]
    Unclosed,
    #[error("there is nothing open that this parenthesis could close")]
    UnexpectedClose,
    #[error("parentheses nest deeper than {limit} levels")]
    TooDeep { limit: usize },
    #[error("the closing `{sign}` is missing")]
    Unterminated { sign: char },
    #[error("expected {expected}, found {found}")]
    Expected {
        expected: &'static str,
        found: String,
    },
    #[error("unknown {what} `{name}`")]
    Unknown {
        what: &'static str,
        name: String,
        nearest: Option<String>,
    },
    #[error("`{name}` is declared already")]
    Redeclared { name: String },
    #[error("`{name}` takes {expected}, found {found}")]
    Arity {
        name: String,
        expected: String,
        found: usize,
    },
    #[error("expected {expected}, found {found}")]
    WrongSort { expected: String, found: String },
    #[error("{left} cannot be compared with {right}")]
    Incomparable { left: String, right: String },
    #[error("{what} is not supported")]
    Unsupported {
        what: String,
        help: Option<&'static str>,
    },
    #[error("{what} is outside the symbolic-heap fragment")]
    OutsideFragment {
        what: &'static str,
        help: &'static str,
    },
    #[error("the definition of `{predicate}` mentions the constant `{constant}`")]
    NotClosed { predicate: String, constant: String },
    #[error("the number does not fit into 128 bits")]
    HugeNumber,
    #[error("there is nothing to pop: {found} levels were asked for, {open} are open")]
    PopTooFar { found: usize, open: usize },
    #[error("more than {limit} levels are open")]
    TooManyLevels { limit: usize },
    #[error("the formula has more than {limit} disjuncts once `or` is brought to the outside")]
    TooManyDisjuncts { limit: usize },
    #[error("the script is too large once `let`, `or` and function definitions are written out")]
    TooLarge,
}

impl ProblemKind {
    /// What to do about it, where there is something to say.
    fn help(&self) -> Option<String> {
        match self {
            ProblemKind::Unknown { nearest, .. } => {
                (nearest.as_ref()).map(|name| format!("did you mean `{name}`?"))
            }
            ProblemKind::Unsupported { help, .. } => help.map(str::to_owned),
            ProblemKind::OutsideFragment { help, .. } => Some((*help).to_owned()),
            ProblemKind::NotClosed { .. } => {
                Some("hand the constant over as one more parameter".to_owned())
            }
            _ => None,
        }
    }
}

/// The problems found so far.
#[derive(Default, Debug)]
pub(super) struct Problems {
    list: Vec<Problem>,
}

impl Problems {
    pub fn add(&mut self, span: Span, kind: ProblemKind) {
        let problem = Problem { span, kind };
        if !self.is_full() && !self.list.contains(&problem) {
            self.list.push(problem);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether reading on would report nothing more.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_PROBLEMS
    }

    /// The problems in the order of the source.
    pub fn into_diagnostics(mut self) -> Vec<Diagnostic> {
        self.list.sort_by_key(|problem| problem.span);
        (self.list.into_iter())
            .map(|Problem { span, kind }| {
                Diagnostic::error(span, kind.to_string()).with_optional_help(kind.help())
            })
            .collect()
    }
}

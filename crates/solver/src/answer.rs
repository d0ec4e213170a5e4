//! What the solver answers.

use std::fmt;

use heapwright_logic::Model;

/// The answer to a question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// There is a heap, and here it is.
    Sat(Box<Model>),
    /// There is none.
    Unsat,
    /// The question was not decided.
    Unknown(Reason),
}

/// The answer without the heap.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is a heap.
    Sat,
    /// There is none.
    Unsat,
    /// The question was not decided.
    Unknown(Reason),
}

/// Why a question was not decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    /// A predicate has too many base pairs or parameters.
    TooManyBasePairs,
    /// A formula has more references than the solver handles.
    TooManyReferences,
    /// A pure part has too many cases, and the model found for the ones looked at is none.
    TooManyCases,
    /// A model was found only with references that their declared classes do not allow.
    Classes,
    /// The table of small derivations grew too large.
    TooManyFacts,
    /// No model was found among the heaps tried, and no proof that there is none.
    Exhausted {
        /// The largest number of cells for which every heap was tried.
        cells: u32,
    },
    /// The model exists but is too large to be written down.
    ModelTooLarge,
    /// The time is over.
    OutOfTime,
    /// The arithmetic was not decided.
    Arithmetic(String),
    /// A model was found that the satisfaction checker rejects: a defect of the solver.
    InvalidModel(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::TooManyBasePairs => f.write_str("a predicate has too many base pairs"),
            Reason::TooManyReferences => f.write_str("the formula has too many references"),
            Reason::TooManyCases => f.write_str("the pure part has too many cases"),
            Reason::Classes => {
                f.write_str("a model was found only with references of classes that do not fit")
            }
            Reason::TooManyFacts => {
                f.write_str("there are too many small derivations, or some use no cells")
            }
            Reason::Exhausted { cells } => {
                write!(
                    f,
                    "no model with up to {cells} cells, and no proof that there is none"
                )
            }
            Reason::ModelTooLarge => f.write_str("the model is too large to be built"),
            Reason::OutOfTime => f.write_str("the time is over"),
            Reason::Arithmetic(reason) => write!(f, "arithmetic: {reason}"),
            Reason::InvalidModel(reason) => {
                write!(
                    f,
                    "the model found was rejected ({reason}); please report this"
                )
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Sat => "sat",
            Verdict::Unsat => "unsat",
            Verdict::Unknown(_) => "unknown",
        })
    }
}

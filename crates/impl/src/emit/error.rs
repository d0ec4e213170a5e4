//! Why no test could be written.

use heapwright_logic::Loc;

use crate::error::ImplError;

/// A case that does not fit its program, or a test that does not fit a changed one.
#[derive(Debug, Clone, thiserror::Error)]
pub enum EmitError {
    /// The program has no procedure of this name.
    #[error("the program has no procedure `{0}`")]
    NoProcedure(String),
    /// A test of the statements of a program that has none.
    #[error("the program has no statements outside of procedures")]
    NoStatements,
    /// The text of the program is not known.
    #[error("the program has no text")]
    NoText,
    /// Too few or too many values.
    #[error("{what}: {expected} values expected, {given} given")]
    WrongCount {
        /// What the values are for.
        what: &'static str,
        /// How many there should be.
        expected: usize,
        /// How many there are.
        given: usize,
    },
    /// A variable, or the result, has a value of another type.
    #[error("`{0}` has a value of another type")]
    WrongValue(String),
    /// A cell is not an object of its struct.
    #[error("the cell {0} does not have the fields of its struct")]
    WrongCell(Loc),
    /// The input refers to an object that is not there.
    #[error("the input refers to {0}, where there is no object")]
    Dangling(Loc),
    /// A suite of tests of the program's own statements, of several programs, or of runs that
    /// did not return.
    #[error("the test `{0}` cannot be part of a suite: {1}")]
    NotForSuites(String, &'static str),
    /// A text that is not a test as [`emit`](super::emit) writes it.
    #[error("this is not a generated test: {0} is missing")]
    NotATest(&'static str),
    /// `return` occurs too often for the statements behind it to be made conditional.
    #[error("the program has too many `return`s outside of procedures to be made part of a test")]
    TooManyReturns,
    /// The program reads variables that the test gives no value, or lacks some that it checks.
    #[error("the test has no value for `{}`", .0.join("`, `"))]
    NoValue(Vec<String>),
    /// The program under test, or the test with it, is not a correct program.
    #[error(transparent)]
    Rejected(#[from] ImplError),
}

//! Regression tests in ImpL itself: `Setup; P; Check`, as in section 5 of the paper.
//!
//! A [`TestCase`] says what was run, on which input, and what came of it. [`emit`] makes a program
//! of it that builds the input, runs the program under test, and asserts what was seen. Names and
//! texts are kept apart from the program under test in [`TestParts`], so that the same test can be
//! put around a changed program; it then fails if the program behaves differently.
//!
//! What ImpL cannot assert stands in the first lines of the test: that a run ends in a fault, as an
//! [`Expectation`], which whoever runs the test compares with what happened, and a postcondition, as
//! a [`Property`].

mod bisimulation;
mod case;
mod check;
mod drawing;
mod error;
mod expectation;
mod layout;
mod names;
mod parts;
mod property;
mod returns;
mod setup;
mod suite;
mod text;
mod under_test;

pub use case::{Ending, Target, TestCase};
pub use error::EmitError;
pub use expectation::{Expectation, ExpectationError};
pub use parts::TestParts;
pub use property::Property;
pub use suite::emit_suite;

/// The text of a test: a program without inputs that can be run by itself.
///
/// ```
/// use heapwright_impl::emit::{Ending, Target, TestCase, emit};
/// use heapwright_impl::read_program;
/// use heapwright_logic::{Heap, Value};
///
/// let program = read_program("next.impl", "proc next(int n) returns int { return n + 1; }")?;
/// let test = emit(&TestCase {
///     program: &program,
///     target: Target::Procedure("next".to_owned()),
///     name: "next_1".to_owned(),
///     comments: vec![],
///     inputs: vec![Value::Int(4)],
///     before: Heap::default(),
///     ending: Ending::Returned {
///         result: Some(Value::Int(5)),
///         outputs: vec![],
///         heap: Heap::default(),
///     },
/// })?;
/// assert!(test.contains("int result := next(4);"));
/// assert!(test.contains("assert result == 5;"));
/// # Ok::<(), heapwright_impl::emit::EmitError>(())
/// ```
pub fn emit(case: &TestCase<'_>) -> Result<String, EmitError> {
    let (_, text) = case.source()?;
    TestParts::of(case)?.around(case.program, text, case.fault_position())
}

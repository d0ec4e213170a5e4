//! Why no test could be written.

use heapwright_logic::{ClassId, Loc};
use thiserror::Error;

use crate::descriptor::Name;
use crate::hierarchy::LinkError;

/// A case that does not fit its classes, or that Java cannot express.
#[derive(Debug, Clone, Error)]
pub enum EmitError {
    /// The run did not end, so there is nothing to assert.
    #[error("the test `{0}` ran out of its budget, so there is nothing to assert")]
    OutOfBudget(String),
    /// A class id that stands for no class of Java.
    #[error("class {} of the program is no class of Java", .0.index())]
    UnknownClass(ClassId),
    /// A cell is not an object of its class.
    #[error("the cell {0} does not have the fields of its class")]
    WrongCell(Loc),
    /// The same location has objects of two classes.
    #[error("the cell {0} changes its class")]
    ChangedClass(Loc),
    /// A reference to nothing.
    #[error("there is a reference to {0}, where there is no object")]
    Dangling(Loc),
    /// Too few or too many arguments.
    #[error("the method has {expected} parameters with its receiver, but {given} values are given")]
    WrongCount {
        /// How many there should be.
        expected: usize,
        /// How many there are.
        given: usize,
    },
    /// A parameter, a result or a static field has a value that does not fit its type.
    #[error("{0} has a value of another type")]
    WrongValue(String),
    /// An object that no test can make.
    #[error("an object of {class} cannot be made in a test: {reason}")]
    CannotMake {
        /// The class.
        class: Name,
        /// Why not.
        reason: &'static str,
    },
    /// A static field that no test can set.
    #[error("the static field {0} is final and cannot be set")]
    FinalStatic(String),
    /// A call changes something for good.
    #[error("the call changes what is behind the static field {0}, and no test can restore it")]
    CannotRestore(String),
    /// There is no such static field.
    #[error("there is no static field {0}")]
    NoStaticField(String),
    /// A method that no test can call.
    #[error("{method} cannot be called by a test: {reason}")]
    CannotCall {
        /// The method.
        method: String,
        /// Why not.
        reason: &'static str,
    },
    /// A class or one of its supertypes cannot be loaded.
    #[error(transparent)]
    Link(#[from] LinkError),
}

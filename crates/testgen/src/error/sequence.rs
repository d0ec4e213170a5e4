//! Classes for which no sequences of calls can be searched.

/// Why there are no sequences.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SequenceError {
    /// Objects of the class cannot be made.
    #[error("{class} has no constructor that a test could call, so there are no sequences")]
    NoConstructor {
        /// The class.
        class: String,
    },
    /// Nothing that was named can be the last call.
    #[error(
        "there is no method of objects that a test could call; sequences have no calls of \
         constructors, static and private methods as their last"
    )]
    NoLastCall,
    /// A function works on no object.
    #[error("it takes no pointer to a struct first, so there are no sequences of calls for it")]
    NoStruct,
    /// `--calls` names a method that there is not.
    #[error("--calls {name}: {class} has no such method that a test could call")]
    NoSuchCall {
        /// The name.
        name: String,
        /// The class.
        class: String,
    },
    /// `--domain` has a value of another type.
    #[error(
        "--domain: parameter {number} of `{method}` has type {ty}, which a value of its domain does \
         not fit"
    )]
    Domain {
        /// The parameter, counted from 1.
        number: usize,
        /// The method.
        method: String,
        /// The type of the parameter.
        ty: String,
    },
    /// No scope was searched.
    #[error("there is nothing to be explored")]
    NoScope,
}

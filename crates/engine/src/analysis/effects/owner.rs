//! Whose code a function is, which decides what it can do that nobody has looked at.

use heapwright_ir::{FunctionId, Library};

/// Whose code a function is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Owner {
    /// The user's, as far as anybody knows.
    User,
    /// The front end's, and without effects.
    Nobody,
    /// The library's, and encapsulated.
    Encapsulated,
    /// The library's, and able to write to whatever it is asked to.
    Reflective,
}

impl Owner {
    pub(super) fn of(library: &Library, function: FunctionId) -> Owner {
        if library.pure.contains(&function) {
            Owner::Nobody
        } else if library.encapsulated.contains(&function) {
            Owner::Encapsulated
        } else if library.functions.contains(&function) {
            Owner::Reflective
        } else {
            Owner::User
        }
    }
}

//! What is known at the beginning of a block.

use heapwright_ir::{Operand, Reg};

use crate::classfile::Kind;
use crate::descriptor::Type;
use crate::world::Trouble;

/// What is known about a reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Reference {
    /// It is null.
    Null,
    /// It is null or of this type.
    Of(Type),
    /// It is the reflective object for the field at this position, which only `Unsafe` will see.
    Field(u32),
    /// Nothing.
    Unknown,
}

impl Reference {
    /// What is known where paths meet.
    fn join(&self, other: &Reference) -> Reference {
        match (self, other) {
            (Reference::Null, known) | (known, Reference::Null) => known.clone(),
            (a, b) if a == b => a.clone(),
            _ => Reference::Unknown,
        }
    }
}

/// Kinds and types of the operand stack and of the local variables that are references.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct State {
    pub(super) stack: Vec<(Kind, Reference)>,
    pub(super) locals: Vec<Reference>,
}

impl State {
    /// Forgets what does not hold on another path; whether there was any such thing.
    pub(super) fn merge(&mut self, other: &State) -> Result<bool, Trouble> {
        if self.stack.len() != other.stack.len() {
            return Err(Trouble::StackMismatch);
        }
        let before = self.clone();
        for ((kind, known), (other_kind, other)) in self.stack.iter_mut().zip(&other.stack) {
            if kind != other_kind {
                return Err(Trouble::StackMismatch);
            }
            *known = known.join(other);
        }
        for (known, other) in self.locals.iter_mut().zip(&other.locals) {
            *known = known.join(other);
        }
        Ok(*self != before)
    }
}

/// An entry of the operand stack while a block is translated.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    /// The value.
    pub(super) operand: Operand,
    /// Its kind.
    pub(super) kind: Kind,
    /// What is known about it if it is a reference.
    pub(super) reference: Reference,
    /// The truth value that an int was made of: a register that is written only once.
    pub(super) truth: Option<Reg>,
    /// Whether it is surely not null.
    pub(super) not_null: bool,
}

//! Values of runs on partial structures.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_logic::{TermId, Terms};

use super::structure::SlotId;
use crate::value::Value as Known;

/// A value during execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Known.
    Concrete(Concrete),
    /// A number or truth value that depends on the structure's numbers.
    Term(TermId),
    /// What a reference of the structure is. What is decided later is looked up when the value is
    /// used, so values never have to be rewritten.
    Open(SlotId),
    /// Nothing is known, since something was left out.
    Unknown,
}

impl Value {
    /// The value of a term: known if the term is a constant.
    pub fn of(terms: &Terms, term: TermId) -> Value {
        match Known::of(terms, term) {
            Known::Concrete(value) => Value::Concrete(value),
            Known::Symbolic(term) => Value::Term(term),
        }
    }

    /// The term for a number or truth value; nothing for references, and where nothing is known.
    pub fn term(self, terms: &mut Terms) -> Option<TermId> {
        match self {
            Value::Concrete(value) => Known::Concrete(value).term(terms),
            Value::Term(term) => Some(term),
            Value::Open(_) | Value::Unknown => None,
        }
    }

    /// Whether it is a reference.
    pub fn is_reference(self) -> bool {
        match self {
            Value::Concrete(value) => matches!(value, Concrete::Null | Concrete::Pointer(_)),
            Value::Open(_) => true,
            Value::Term(_) | Value::Unknown => false,
        }
    }
}

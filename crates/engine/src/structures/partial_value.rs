//! Values of runs on partial structures.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::leaves::SlotValue;
use heapwright_logic::{TermId, Terms};

use super::structure::SlotId;
use crate::path::symbolic_value::SymbolicValue;

/// A value during execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PartialValue {
    /// Value.
    Concrete(Concrete),
    /// A number or truth value that depends on the structure's numbers.
    Term(TermId),
    /// What a reference of the structure is. What is decided later is looked up when the value is
    /// used, so values never have to be rewritten.
    Open(SlotId),
    /// Nothing is known, since something was left out.
    Unknown,
}

impl SlotValue for PartialValue {
    fn known(self) -> Option<Concrete> {
        match self {
            PartialValue::Concrete(value) => Some(value),
            _ => None,
        }
    }

    fn of(value: Concrete) -> Self {
        PartialValue::Concrete(value)
    }
}

impl PartialValue {
    /// The value of a term: known if the term is a constant.
    pub fn of(terms: &Terms, term: TermId) -> PartialValue {
        match SymbolicValue::of(terms, term) {
            SymbolicValue::Concrete(value) => PartialValue::Concrete(value),
            SymbolicValue::Symbolic(term) => PartialValue::Term(term),
        }
    }

    /// The term for a number or truth value; nothing for references, and where nothing is known.
    pub fn term(self, terms: &mut Terms) -> Option<TermId> {
        match self {
            PartialValue::Concrete(value) => SymbolicValue::Concrete(value).term(terms),
            PartialValue::Term(term) => Some(term),
            PartialValue::Open(_) | PartialValue::Unknown => None,
        }
    }

    /// Whether it is a reference.
    pub fn is_reference(self) -> bool {
        match self {
            PartialValue::Concrete(value) => matches!(value, Concrete::Null | Concrete::Pointer(_)),
            PartialValue::Open(_) => true,
            PartialValue::Term(_) | PartialValue::Unknown => false,
        }
    }
}

//! Values of runs: concrete, or terms over the symbols of the input.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::leaves::SlotValue;
use heapwright_logic::{Term, TermId, Terms};

/// A value during execution.
///
/// A reference is concrete as soon as its object is materialised; before that it is the symbol
/// of the input that it came from. What the input determines later is looked up when the value
/// is used, so values never have to be rewritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolicValue {
    /// Known.
    Concrete(Concrete),
    /// Depends on the input.
    Symbolic(TermId),
}

impl SymbolicValue {
    /// The value of a term: known if the term is a constant.
    pub fn of(terms: &Terms, term: TermId) -> SymbolicValue {
        match terms.get(term) {
            Term::Bool(value) => SymbolicValue::Concrete(Concrete::Bool(*value)),
            Term::Null => SymbolicValue::Concrete(Concrete::Null),
            Term::Single(bits) => SymbolicValue::Concrete(Concrete::Single(*bits)),
            Term::Double(bits) => SymbolicValue::Concrete(Concrete::Double(*bits)),
            _ => match terms.as_int(term) {
                Some(value) => SymbolicValue::Concrete(Concrete::Int(value)),
                None => SymbolicValue::Symbolic(term),
            },
        }
    }

    /// The term for a value; nothing for references to objects.
    pub fn term(self, terms: &mut Terms) -> Option<TermId> {
        Some(match self {
            SymbolicValue::Symbolic(term) => term,
            SymbolicValue::Concrete(Concrete::Null) => Terms::NULL,
            SymbolicValue::Concrete(Concrete::Bool(value)) => terms.bool(value),
            SymbolicValue::Concrete(Concrete::Int(value)) => terms.int(value),
            SymbolicValue::Concrete(Concrete::Single(bits)) => terms.single(f32::from_bits(bits)),
            SymbolicValue::Concrete(Concrete::Double(bits)) => terms.double(f64::from_bits(bits)),
            SymbolicValue::Concrete(
                Concrete::Pointer(_)
                | Concrete::Undefined
                | Concrete::Tail
                | Concrete::Fragment(..)
                | Concrete::Wild(_),
            ) => return None,
        })
    }
}

impl SlotValue for SymbolicValue {
    fn known(self) -> Option<Concrete> {
        match self {
            SymbolicValue::Concrete(value) => Some(value),
            SymbolicValue::Symbolic(_) => None,
        }
    }

    fn of(value: Concrete) -> Self {
        SymbolicValue::Concrete(value)
    }
}

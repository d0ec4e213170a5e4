//! Values of runs: concrete, or terms over the symbols of the input.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_logic::{Term, TermId, Terms};

/// A value during execution.
///
/// A reference is concrete as soon as its object is materialised; before that it is the symbol
/// of the input that it came from. What the input determines later is looked up when the value
/// is used, so values never have to be rewritten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Known.
    Concrete(Concrete),
    /// Depends on the input.
    Symbolic(TermId),
}

impl Value {
    /// The value of a term: known if the term is a constant.
    pub fn of(terms: &Terms, term: TermId) -> Value {
        match terms.get(term) {
            Term::Bool(value) => Value::Concrete(Concrete::Bool(*value)),
            Term::Null => Value::Concrete(Concrete::Null),
            Term::Single(bits) => Value::Concrete(Concrete::Single(*bits)),
            Term::Double(bits) => Value::Concrete(Concrete::Double(*bits)),
            _ => match terms.as_int(term) {
                Some(value) => Value::Concrete(Concrete::Int(value)),
                None => Value::Symbolic(term),
            },
        }
    }

    /// The term for a value; nothing for references to objects.
    pub fn term(self, terms: &mut Terms) -> Option<TermId> {
        Some(match self {
            Value::Symbolic(term) => term,
            Value::Concrete(Concrete::Null) => Terms::NULL,
            Value::Concrete(Concrete::Bool(value)) => terms.bool(value),
            Value::Concrete(Concrete::Int(value)) => terms.int(value),
            Value::Concrete(Concrete::Single(bits)) => terms.single(f32::from_bits(bits)),
            Value::Concrete(Concrete::Double(bits)) => terms.double(f64::from_bits(bits)),
            Value::Concrete(Concrete::Pointer(_)) => return None,
        })
    }
}

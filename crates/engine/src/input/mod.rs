//! Inputs: concrete heaps with the values of the parameters, and how they come about.
//!
//! | module | what |
//! | --- | --- |
//! | `completion`, `frame` | from a model of what a path knows to a complete input |
//! | `candidates` | which classes the objects behind a reference can have |
//! | `acceptance` | completions that the class's own predicate accepts |
//! | `narrow` | fields of a few bits, and what fits into them |
//! | `specification` | inputs straight from the precondition |
//! | `reachability` | which objects of a concrete heap can be reached |

pub mod acceptance;
pub mod candidates;
pub mod completion;
pub mod frame;
pub mod narrow;
pub mod reachability;
pub mod specification;

use std::collections::BTreeSet;

use heapwright_logic::{CanonicalKey, Derivation, Heap, Loc, Stack, Value, canonical_key};

/// What a run starts from. Complete: every field of every object has a value, and no reference
/// dangles.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Input {
    /// The values of the parameters, in order.
    pub arguments: Vec<Value>,
    /// All objects.
    pub heap: Heap,
    /// Why the precondition holds; none if there is no precondition, or if it does not hold.
    pub witness: Option<Footprint>,
}

/// The part of a heap that a precondition describes, and the reason why it does.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Footprint {
    /// The values of the free variables.
    pub stack: Stack,
    /// The derivation; the satisfaction checker has verified it.
    pub derivation: Derivation,
    /// The objects of the heap that the precondition does not speak of.
    pub frame: BTreeSet<Loc>,
}

impl Input {
    /// Equal for inputs that are the same up to the names of objects.
    pub fn key(&self) -> CanonicalKey {
        canonical_key(&self.arguments, &self.heap)
    }
}

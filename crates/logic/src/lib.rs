//! The vocabulary of Heapwright: sorts, hash-consed terms, symbolic heaps, inductive
//! predicates, unfolding, and concrete heaps.
//!
//! Nothing here solves anything. The satisfaction relation decides whether a *given* heap
//! satisfies a formula, and shares no code with the solver, which looks for one.

mod deadline;
mod definitions;
mod embedding;
mod eval;
mod heap;
mod isomorphism;
mod json;
mod least_fixed_point;
mod math;
mod numbering;
mod print;
mod satisfaction;
mod sort;
mod symbolic_heap;
mod term;
#[cfg(test)]
mod test_support;
mod unfold;

pub use deadline::Deadline;
pub use definitions::{Class, Definitions, Field, PredId, Predicate};
pub use embedding::{Embedded, Embedding, extend_path};
pub use eval::{EvalError, Evaluator, apply_fp, evaluate, same_value};
pub use heap::{Cell, Derivation, Heap, Loc, Model, Stack, Step, StepId, Value};
pub use isomorphism::{CanonicalKey, canonical_key, canonical_key_ranked, canonical_order};
pub use json::{JsonError, JsonFault, heap_from_json, heap_to_json, read_heap};
pub use least_fixed_point::{Contexts, LeastFixedPoint, LfpBudget, LfpOutcome, least_fixed_point};
pub use math::MathFunction;
pub use numbering::{DenseTable, KeyWriter, NumberTable, Numbering};
pub use print::{Printer, display_class, display_sort};
pub use satisfaction::{
    Budget, Failure, Fault, Mismatch, Need, Part, Unmet, Violation, Way, Witness, find_derivation,
    find_framed_derivation, verify,
};
pub use sort::{ClassId, FloatType, IntType, Sort};
pub use symbolic_heap::{Formula, Instance, PointsTo, Substitution, SymbolicHeap};
pub use term::{FpOp, IntOp, Linear, Subterms, Term, TermId, Terms, VarId, Variable};
pub use unfold::{unfold_all, unfold_at, unfold_each, unfold_instance, unfold_with};

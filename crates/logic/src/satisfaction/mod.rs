//! The satisfaction relation: does a stack and heap satisfy a formula, and if not, why.
//!
//! [`verify`] checks a derivation that somebody hands over: a few comparisons per step, nothing
//! is searched. [`find_derivation`] finds the derivation of a heap from elsewhere: it parses the
//! heap along the definitions of the predicates, with the choice of disjunct driven by the
//! shape, and solves the arithmetic that the heap leaves open (bounds, heights, other ghosts).
//! Whatever it finds is verified before anybody sees it.
//!
//! The meaning of parameters is that of unfolding: an argument is put in for the parameter as it
//! is. Existential and free variables range over their sort: machine integers over the range of
//! their type, references of a class over null, dangling references and the cells of that class
//! or its subclasses.

mod constraint;
mod difference;
mod intervals;
mod linear;
mod mismatch;
mod reason;
mod search;
mod shapes;
mod store;
mod translate;
mod values;
mod verify;

pub use mismatch::{Mismatch, Need, Part, Unmet, Way};
pub use search::{Budget, Failure, Witness, find_derivation, find_framed_derivation};
pub use verify::{Fault, Violation, verify};

#[cfg(test)]
mod brute_force;
#[cfg(test)]
mod tests;

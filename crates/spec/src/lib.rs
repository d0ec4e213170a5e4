//! The specification language: from text to the formulas of `heapwright-logic`.
//!
//! [`read_specification`] reads a `.sl` file with its imports, [`read_formula`] a single
//! formula. The way of a text: [`syntax`] makes a tree of it, `resolve` finds out what the
//! names mean, infers sorts and builds terms. [`printer`] turns a tree back into text. All
//! readers report through [`diagnostic`].

pub mod diagnostic;
mod error;
pub mod library;
mod load;
pub mod printer;
pub mod questions;
mod resolve;
pub mod smtlib;
mod specification;
pub mod starfinder;
pub mod syntax;

pub use error::{Rejected, SpecError};
pub use load::{ImportRequest, Loader, Source, no_imports, read_formula, read_specification};
pub use specification::{
    ConstantValue, Contract, ContractKind, Environment, OldValue, Query, Signature, Specification,
    StaticAccess, StaticField, StaticValue,
};

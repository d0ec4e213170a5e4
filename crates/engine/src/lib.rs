//! Test generation: execution with symbols, the constraint tree, and the search through it.

mod acceptance;
mod aliases;
mod arithmetic;
mod assignment;
mod call_graph;
mod candidates;
mod completion;
pub mod coverage;
mod decision;
mod demands;
mod effects;
mod explore;
mod faults;
mod frame;
mod frontier;
mod initial;
mod input;
mod interrupt;
mod job;
mod knowledge;
mod memory;
pub mod nullness;
mod options;
pub mod oracle;
mod predicate;
mod questions;
mod reachability;
mod replay;
mod repok;
mod report;
pub mod sequences;
pub mod specification;
mod steadiness;
pub mod strategy;
mod subject;
mod suite;
mod supply;
mod symbolic;
mod termination;
mod tree;
mod value;
mod values;
mod verdict;
mod workers;

pub use call_graph::Callees;
pub use decision::{Choice, Decision};
pub use demands::{Demand, demanded_fields, demanded_result};
pub use explore::{ExploreError, Progress, explore, explore_growing};
pub use input::{Footprint, Input};
pub use interrupt::Interrupt;
pub use options::{
    Bound, Bounds, Extent, Mode, Options, Place, StrategyKind, StructureBounds, ValueChoice,
};
pub use predicate::PredicateError;
pub use replay::{Conditions, RECORDED, replay, replay_under};
pub use repok::{Enumeration, NumberDomain, enumerate};
pub use report::{
    Alternative, Alternatives, Branch, Checked, Fate, Limit, Origin, Outcome, Proof, Report, Run,
    Statistics, Status, StopReason, Test, Verification, exception_name, result_name,
};
pub use steadiness::{ENVIRONMENTS, takes_same_path};
pub use subject::{
    Contracts, GlobalField, Old, Output, Parameter, Postcondition, Scope, Subject, SubjectError,
};
pub use suite::{Keep, causes, clause, keep};
pub use supply::{NothingMore, Supplier};
pub use termination::{Termination, termination};

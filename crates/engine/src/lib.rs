//! Test generation: execution with symbols, the constraint tree, and the search through it.
//!
//! | module | what |
//! | --- | --- |
//! | `subject`, `options`, `report` | what is tested, what a user can choose, what comes out |
//! | `search` | which nodes of the constraint tree are explored, and by whom |
//! | `path` | one run with symbols: decisions, the initial heap, questions |
//! | `input` | complete inputs, from models and straight from specifications |
//! | `analysis` | what is known about a program without running it |
//! | `check` | concrete runs, and what is said about them and about branches |
//! | `structures` | a predicate of the program as the specification |
//! | `scripts` | straight programs of calls |
//! | `sequences` | sequences of calls |
//! | `mutation` | which tests notice changes of the code |
//! | `suite` | which tests are kept |

mod analysis;
mod check;
mod input;
mod mutation;
mod options;
mod path;
mod report;
pub mod scripts;
mod search;
pub mod sequences;
mod structures;
mod subject;
mod suite;

pub use analysis::call_graph::Callees;
pub use analysis::{coverage, nullness};
pub use check::blame::{is_fault_of_input, is_loop_of_input, is_loss_of_input};
pub use check::demanded_result::{Demand, demanded_fields, demanded_result};
pub use check::oracle;
pub use check::replay::{Conditions, RECORDED, replay, replay_under};
pub use check::steadiness::{ENVIRONMENTS, takes_same_path};
pub use check::termination::{Termination, termination};
pub use input::{Footprint, Input, specification};
pub use mutation::{Change, Mutant, Mutation, MutationBounds, strengthen};
pub use options::{
    Bound, Bounds, Extent, Mode, Options, SourceLine, StrategyKind, StructureBounds, ValueChoice,
};
pub use path::decision::{About, Choice, Decision};
pub use report::{
    Alternative, Alternatives, Branch, Checked, Fate, Limit, Origin, Outcome, Proof, Refusal,
    Report, Run, Statistics, Status, StopReason, Test, Verification, Violation, exception_name,
    result_name,
};
pub use search::explore::{ExploreError, Progress, explore, explore_growing};
pub use search::interrupt::Interrupt;
pub use search::strategy;
pub use search::supply::{NothingMore, Supplier};
pub use structures::predicate::PredicateError;
pub use structures::{Enumeration, NumberDomain, enumerate};
pub use subject::{
    BoundGlobal, CodeUnderTest, Contracts, GlobalField, Old, Output, Parameter, Postcondition,
    Subject, SubjectError,
};
pub use suite::{Keep, MinimalCover, causes, clause, keep, keep_killing, minimal_cover};

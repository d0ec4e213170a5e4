//! The search through the constraint tree: what waits, what comes next, who explores it, and when
//! it ends.
//!
//! | module | what |
//! | --- | --- |
//! | `explore` | the loop: batches of jobs, merged in order; bounds and programs that grow |
//! | `job` | exploring one node of the tree |
//! | `workers` | threads that do jobs |
//! | `constraint_tree` | what was decided on the paths so far, and what is left |
//! | `frontier`, `strategy`, `fault_goals` | which node comes next |
//! | `supply` | programs that grow while they are explored |
//! | `interrupt` | ending a search from outside |

pub mod constraint_tree;
pub mod explore;
pub mod fault_goals;
pub mod frontier;
pub mod interrupt;
pub mod job;
pub mod strategy;
pub mod supply;
pub mod workers;

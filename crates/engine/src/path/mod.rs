//! One path: a run with symbols, and all that it knows about its input.
//!
//! | module | what |
//! | --- | --- |
//! | `symbolic` | the domain that lets the one interpreter run over open inputs |
//! | `decision` | the answers that a run got where its input was open |
//! | `initial_heap`, `aliases` | what the path knows about its input |
//! | `symbolic_value`, `arithmetic` | what the program has made of it |
//! | `assignment` | a concrete input beside the path |
//! | `knowledge` | what is known about predicates before anything is executed |
//! | `questions` | questions to the solver |

pub mod aliases;
pub mod arithmetic;
pub mod assignment;
pub mod decision;
pub mod initial_heap;
pub mod knowledge;
pub mod questions;
pub mod symbolic;
pub mod symbolic_value;

//! Invariants of classes, learned from states that their code reaches.
//!
//! Heaps go in, the text of a specification comes out; nothing here knows a language or runs a program.
//!
//! | module | what it does |
//! | --- | --- |
//! | `observed` | states, and how they are compared |
//! | `shape` | owning fields: a spanning tree of every state; the kinds of places in it |
//! | `references` | what every other reference is: null, the object itself, its parent, ... |
//! | `attributes` | numbers of subtrees: sizes, heights, levels, marked nodes on a path |
//! | `constraints`, `templates` | what can hold at a node, and what does in all states |
//! | `candidate` | all of it together: which heaps it accepts |
//! | `negatives`, `learn` | heaps that no state was seen to be, and constraints that keep them out |
//! | `text` | the specification |
//! | `session` | from a class to a specification |
//! | `difference` | where a written specification and the code differ |
//! | `preconditions` | what has to hold so that calls of a method do not fail |
//! | `models` | the models of a specification, and whether it accepts a heap |

mod attributes;
mod candidate;
mod constraints;
pub mod difference;
mod learn;
pub mod models;
mod negatives;
mod observed;
pub mod preconditions;
mod references;
pub mod session;
mod shape;
mod templates;
mod text;

pub use learn::{Learned, Settings, learn};
pub use observed::{KEYS_FROM, Observed, State};
pub use text::within;

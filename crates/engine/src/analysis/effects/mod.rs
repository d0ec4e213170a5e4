//! What a call may write: the one analysis that everybody asks who leaves a call out, or keeps what
//! was known before it.
//!
//! For every function there is a summary: the fields and the elements of objects that existed
//! before the call which it, or anything that it calls, may write. What is not known may write
//! anything: an intrinsic function that is not known to be pure, and a function that is not
//! translated yet. Code of the language's library is encapsulated: it writes to objects of other
//! classes only by calling their methods (see [`Library`](heapwright_ir::Library)).
//!
//! | module | what |
//! | --- | --- |
//! | `written` | summaries |
//! | `summaries` | their least fixed point over the calls |
//! | `instantiated` | who is called where all objects are known: rapid type analysis |
//! | `owner` | whose code a function is |
//! | `guard` | functions that do something at most once |

mod guard;
mod instantiated;
mod owner;
mod summaries;
mod written;

#[cfg(test)]
mod tests;

pub use guard::returns_at_once;
pub use instantiated::{Calls, closed_effects};
pub use summaries::{Called, Effects, has_layouts};
pub use written::{Touched, Written};

//! What holds: concrete runs of inputs, by a domain that shares nothing with the symbolic one, what
//! contracts say about them, and what a search may say about branches.
//!
//! | module | what |
//! | --- | --- |
//! | `replay` | the concrete run of an input |
//! | `blame` | whether a fault is that of the program or of its input |
//! | `oracle` | preconditions, postconditions and predicates of concrete heaps |
//! | `demanded_result` | the result that a postcondition asks for |
//! | `steadiness` | whether a run is the same in every environment |
//! | `termination` | whether a run that used up its steps would have ended |
//! | `verdict` | what is said about branches that no test takes |

pub mod blame;
pub mod demanded_result;
pub mod oracle;
pub mod replay;
pub mod steadiness;
pub mod termination;
pub mod verdict;

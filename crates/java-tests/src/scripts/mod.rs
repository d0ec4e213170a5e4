//! Classes without a specification: tests that are straight lists of calls, as programs make them.
//!
//! | module | what it does |
//! | --- | --- |
//! | `types` | types with their arguments |
//! | `library` | how objects of the JDK are made |
//! | `literals` | values that calls are given |
//! | `catalogue` | the calls that scripts consist of |
//! | `symbolic` | values that branches need, found by exploring scripts with open values |
//! | `texts` | texts that lead further than those that are known |
//! | `contract` | what inputs are that were inferred |
//! | `inferred` | objects as inferred from the code, where no call leads |
//! | `fields` | objects whose fields code of the package sets, where nothing else leads |
//! | `generate` | the search for a class, and what it found for each method |

mod catalogue;
mod contract;
mod fields;
mod generate;
mod inferred;
mod library;
mod literals;
mod symbolic;
mod texts;
mod types;

pub use generate::Scripted;

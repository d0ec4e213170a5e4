//! What a test of a finding is about, where no statement of ImpL can assert it.
//!
//! A postcondition may speak of whole structures, of sizes and of the heap before the call. So the
//! test names the specification, and whoever runs it checks the contract of the target on the input:
//!
//! ```text
//! //! postcondition: examples/impl/list.sl
//! //! input: {"stack":{"x":null},"objects":{}}
//! ```

use std::fmt;

/// A postcondition that a run has to establish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The file of the specification.
    pub specification: String,
    /// The input, as JSON in one line.
    pub input: String,
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Property {
            specification,
            input,
        } = self;
        write!(
            f,
            "//! postcondition: {specification}\n//! input: {input}\n"
        )
    }
}

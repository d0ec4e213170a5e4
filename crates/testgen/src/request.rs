//! What is asked of a session.

use std::collections::BTreeSet;

use heapwright_engine::sequences::SequenceBounds;
use heapwright_engine::{Keep, Mode, Options};
use heapwright_ir::machine::Budgets;
use serde::{Deserialize, Serialize};

use crate::domain::Domain;

/// Tests that are wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Request {
    /// What is tested, as the front end reads it.
    pub targets: Vec<String>,
    /// How tests are searched for.
    pub options: Options,
    /// Which of those that are found are kept.
    pub keep: Keep,
    /// The line that is to be reached, `LINE` or `FILE:LINE`, if only that matters.
    pub reach: Option<String>,
    /// How sequences of calls are made, in the mode `sequences` and for inputs built by calls.
    pub sequences: SequenceRequest,
    /// Whether every heap that the types allow is an input where nothing says which ones are valid,
    /// and not only those that calls make.
    pub any_heap: bool,
    /// Whether models of what is inferred about a class are inputs where calls made none.
    pub infers: bool,
    /// Whether the tests will be verified.
    pub verify: bool,
}

impl Request {
    /// Tests for some targets, with usual options.
    pub fn new(targets: impl IntoIterator<Item = impl Into<String>>) -> Request {
        Request {
            targets: targets.into_iter().map(Into::into).collect(),
            options: Options::default(),
            keep: Keep::Mutants,
            reach: None,
            sequences: SequenceRequest::default(),
            any_heap: false,
            infers: true,
            verify: false,
        }
    }

    /// What is tested, in one line.
    pub fn title(&self) -> String {
        self.targets.join(" ")
    }

    /// Whether a predicate of the program says which inputs are valid.
    pub fn is_by_predicate(&self) -> bool {
        matches!(self.options.mode, Mode::Blackbox | Mode::Whitebox)
    }
}

/// The memory that is set aside for each element of an array that a run may allocate: it has one in
/// the symbolic run, one in the concrete run, and may be copied.
const BYTES_PER_ELEMENT: u64 = 192;

/// The same for objects, whose fields count.
const BYTES_PER_OBJECT: u64 = 2048;

/// What bounds a run of so many steps: a part of the memory at most.
pub fn budgets(steps: u64, memory: u64) -> Budgets {
    let usual = Options::default().budgets;
    let elements = usual.elements.min(memory / BYTES_PER_ELEMENT);
    let small = |number| u32::try_from(number).unwrap_or(u32::MAX);
    Budgets {
        steps,
        objects: usual.objects.min(small(memory / BYTES_PER_OBJECT)),
        elements,
        array_length: usual.array_length.min(small(elements)),
        ..usual
    }
}

/// How sequences of calls are made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SequenceRequest {
    /// How many values each parameter gets, and how many calls come before the last one; larger and
    /// larger if nobody says.
    pub scope: Option<u32>,
    /// Calls before the last one; as many as the scope if nobody says.
    pub length: Option<u32>,
    /// The operations that sequences consist of, up to the last call; all if there are none.
    pub calls: Vec<String>,
    /// The values of parameters.
    pub domains: Vec<Domain>,
    /// The fields that do not count when states are matched.
    pub ignored: BTreeSet<String>,
    /// Whether inputs of other modes are built by calls where a sequence for them is found.
    pub via_api: bool,
    /// States that are explored for each class.
    pub states: u64,
}

impl Default for SequenceRequest {
    fn default() -> SequenceRequest {
        SequenceRequest {
            scope: None,
            length: None,
            calls: Vec::new(),
            domains: Vec::new(),
            ignored: BTreeSet::new(),
            via_api: false,
            states: SequenceBounds::default().states,
        }
    }
}

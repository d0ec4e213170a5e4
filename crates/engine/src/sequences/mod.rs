//! Model checking as testing: sequences of calls from a constructor, states matched up to
//! isomorphism.
//!
//! The search executes operations of a data type with arguments from small domains, breadth first
//! (Visser, Păsăreanu, Khurshid: Test input generation with Java PathFinder, ISSTA 2004, section
//! 4.1). A *state* is what the receiver reaches, and whatever else the calls have changed; two
//! states that differ in the identities of objects only are one, and are explored once. So every
//! state is reached by a shortest sequence, and a test is such a sequence with one more call.
//!
//! | module | what it does |
//! | --- | --- |
//! | `state` | states: taken from memory, put back, matched |
//! | `environment` | what no call changes: classes that are initialised, literals, caches |
//! | `search`, `combinations` | the search, and what it counts; the arguments that it tries |
//! | `play` | a sequence as a test: its input and its run |
//! | `operation_report` | the report on one operation |
//! | `construction`, `look` | a sequence that builds a given heap, and how far a state is from it |
//! | `observe` | the states that calls reach, small ones first, keys compared by their order |

mod combinations;
mod construction;
mod environment;
mod look;
mod observe;
mod operation_report;
mod play;
mod search;
mod state;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use heapwright_ir::machine::Budgets;
use heapwright_ir::machine::concrete::Value;
use heapwright_ir::{FunctionId, GlobalId, Program};
use heapwright_logic::ClassId;

use crate::search::interrupt::Interrupt;

pub(crate) use environment::{Environment, Stuck};
pub(crate) use play::name;
pub(crate) use state::{Ignored, State};

pub use construction::{Goal, construct};
pub use observe::{Observation as ObservedStates, ObservationBounds, ObservedState, observe};
pub use operation_report::{SequenceTest, report};
pub use play::{Observation, Played, play};
pub use search::{Exploration, explore};

/// A data type: its objects, and what can be done with them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataType {
    /// The class of the receivers.
    pub class: ClassId,
    /// Functions to be run before anything else: those that initialise the classes involved.
    pub initialisers: Vec<FunctionId>,
    /// Globals that belong to the data type, so that every change of them is a change of state.
    pub own: BTreeSet<GlobalId>,
    /// What makes an object. Each is called with a new object first, unless it gives one.
    pub constructors: Vec<Operation>,
    /// What is done with an object. Each is called with the object first.
    pub operations: Vec<Operation>,
    /// The names of fields that do not count when states are matched.
    pub ignored: BTreeSet<String>,
    /// Says of an object, its only parameter, whether it is valid.
    pub invariant: Option<FunctionId>,
}

/// An operation with the arguments that are tried, one list for each parameter behind the
/// receiver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The function.
    pub function: FunctionId,
    /// The values of the parameters: all combinations are tried.
    pub domains: Vec<Vec<Argument>>,
    /// Further values, tried in last calls only: each with the first values of the other domains.
    pub probes: Vec<Vec<Argument>>,
    /// Whether sequences go on behind a call of it.
    pub builds: bool,
    /// Whether its calls become tests.
    pub tested: bool,
    /// Whether a constructor gives the object as its result, instead of being given it.
    pub gives: bool,
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Argument {
    /// Null or a scalar.
    Value(Value),
    /// What a function gives: a boxed number or a literal, for example.
    Made(FunctionId, Vec<Value>),
    /// A new object, made by a constructor without further parameters.
    New(ClassId, FunctionId),
}

/// A call of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// Index into the operations, or the constructors, of the data type.
    pub operation: usize,
    /// The arguments behind the receiver.
    pub arguments: Vec<Argument>,
}

/// A call of a constructor, and calls of operations of what it made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// The call of the constructor.
    pub start: Call,
    /// The other calls, in order.
    pub calls: Vec<Call>,
}

impl Sequence {
    /// The sequence of some calls, of which the last one comes first.
    fn from_last(mut calls: Vec<Call>) -> Sequence {
        let start = calls.pop().unwrap_or(Call {
            operation: 0,
            arguments: Vec::new(),
        });
        calls.reverse();
        Sequence { start, calls }
    }
}

/// What bounds a search through sequences.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SequenceBounds {
    /// Calls before the last one, the constructor not counted; none: until there is no new state.
    /// Default: none.
    pub length: Option<u32>,
    /// States. Default: 1,000,000.
    pub states: u64,
    /// Calls, where one state is looked for. Default: as many as it takes.
    pub calls: u64,
    /// Wall-clock time. Default: 60 s.
    pub time: Option<Duration>,
    /// Bytes that states and tests may take, estimated. Default: 2 GiB.
    pub memory: u64,
    /// What bounds each call.
    pub budgets: Budgets,
    /// Which calls are kept as tests. Default: one for each path.
    pub record: Record,
    /// Ends the search when it is set. Default: nobody sets it.
    pub interrupt: Interrupt,
}

/// Which calls a search keeps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Record {
    /// None: only the branches that were taken.
    Nothing,
    /// The first one of each path through an operation, with its outcome; and the first one of
    /// each path that leaves an object behind that is not valid any more.
    #[default]
    Paths,
    /// All.
    Everything,
}

impl Default for SequenceBounds {
    fn default() -> Self {
        SequenceBounds {
            length: None,
            states: 1_000_000,
            calls: u64::MAX,
            time: Some(Duration::from_secs(60)),
            memory: 2 << 30,
            budgets: Budgets {
                steps: 100_000,
                ..Budgets::default()
            },
            record: Record::default(),
            interrupt: Interrupt::default(),
        }
    }
}

/// Gives a search what its calls turn out to need; the counterpart of
/// [`Supplier`](crate::Supplier).
pub trait Growth {
    /// Calls have met functions whose code is not there. Returns the program with the code of more
    /// functions, or `None` if there is nothing to add. Ids never change.
    fn grow(&mut self, functions: &BTreeSet<FunctionId>) -> Option<Arc<Program>>;
}

impl Growth for crate::NothingMore {
    fn grow(&mut self, _: &BTreeSet<FunctionId>) -> Option<Arc<Program>> {
        None
    }
}

//! Scripts: straight programs of calls, as tests are that people write.
//!
//! A [`Script`] is a list of calls, each of which may use what earlier ones gave: constructors,
//! factories, methods, iterators that a list gave out. Nothing in it looks into an object, so every
//! state that it makes is one that programs can be in. The search is feedback-directed (Pacheco,
//! Lahiri, Ernst, Ball: Feedback-directed random test generation, ICSE 2007): scripts that take new
//! branches, or leave new states behind, are extended by further calls, and what no branch needs is
//! taken out again. Choices come from a generator with a fixed seed, and budgets are counted, so the
//! same program gives the same scripts.
//!
//! | module | what it does |
//! | --- | --- |
//! | `arguments` | what calls are given: earlier results, literals, objects from recipes |
//! | `execution` | runs of scripts in the interpreter |
//! | `goals` | the branches under test, and which operations lead to them |
//! | `search` | the search |
//! | `reduction` | scripts without the calls that a branch does not need |
//! | `replay` | a script as a test: its input, its run, what can be observed afterwards |
//! | `report` | the report on one function |

mod arguments;
mod execution;
mod goals;
mod reduction;
mod replay;
mod report;
mod search;

use std::collections::BTreeSet;
use std::time::Duration;

use heapwright_ir::machine::{Budgets, Edge};
use heapwright_ir::{FunctionId, GlobalId};
use heapwright_logic::ClassId;
use rustc_hash::FxHashSet;

use crate::search::interrupt::Interrupt;
use crate::sequences::Argument;

pub use replay::{Observation, Observer, Questions, Replayed, replay};
pub use report::{Reported, ScriptTest, report};
pub use search::{Found, Scripts, explore};

/// A type of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TypeId(pub u32);

/// An operation of the catalogue.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct OperationId(pub u32);

/// What scripts are made of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Catalogue {
    /// The types of parameters and results.
    pub types: Vec<TypeInfo>,
    /// The calls that can be made.
    pub operations: Vec<Operation>,
    /// Functions to be run before anything else: those that initialise the classes involved.
    pub initialisers: Vec<FunctionId>,
    /// Globals that belong to the code under test, so that every change of them is one of state.
    pub own: BTreeSet<GlobalId>,
    /// The functions under test.
    pub tested: FxHashSet<FunctionId>,
    /// The classes under test.
    pub family: FxHashSet<ClassId>,
    /// Branches that do not count.
    pub ignored: FxHashSet<Edge>,
    /// Types of results that are not given where the other type is expected, though the classes of
    /// their objects would fit: a list of orders where one of names is wanted.
    pub unfit: FxHashSet<(TypeId, TypeId)>,
}

/// What is known about a type.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TypeInfo {
    /// The class that its objects belong to; none for scalars.
    pub class: Option<ClassId>,
    /// Values that are written down: scalars, boxes, strings, constants; those that are most usual
    /// first.
    pub literals: Vec<Argument>,
    /// How its objects are made.
    pub recipes: Vec<Recipe>,
    /// Whether null is a value that calls may be given.
    pub nullable: bool,
}

/// How an object is made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recipe {
    /// By one call.
    Call(OperationId),
    /// By one call, and some more of another operation on what it gave.
    Filled {
        /// What makes it.
        start: OperationId,
        /// What fills it; its first operand is the object.
        fill: OperationId,
        /// Calls that fill it, at most.
        most: u32,
    },
}

/// A call that can be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// What is called.
    pub callee: Callee,
    /// The types of what it is given, the receiver first.
    pub parameters: Vec<TypeId>,
    /// The type of what it gives.
    pub result: Option<TypeId>,
    /// Whether scripts are extended by it, rather than only using it in recipes.
    pub extends: bool,
}

/// What an operation calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A constructor, with a new object of a class.
    New(ClassId, FunctionId),
    /// A function.
    Static(FunctionId),
    /// The method that the class of the first operand has for a name.
    Virtual(String),
    /// A new array of a class with the operands as its elements; how many there are is open.
    Array(ClassId),
    /// A new object of a class with the operands as its fields.
    Object(ClassId),
}

/// A call of a script.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Statement {
    /// The operation.
    pub operation: OperationId,
    /// What it is given.
    pub operands: Vec<Operand>,
}

/// What a call is given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// What an earlier statement gave.
    Variable(u32),
    /// A value that is written down.
    Literal(Argument),
}

/// A straight program of calls.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Script {
    /// The calls, in order.
    pub statements: Vec<Statement>,
}

/// What bounds a search for scripts.
#[derive(Clone, Debug)]
pub struct ScriptBounds {
    /// Scripts that are run without a new branch. Default: 6,000.
    pub patience: u64,
    /// Scripts that are run in all. Default: 60,000.
    pub scripts: u64,
    /// Statements of a script. Default: 30.
    pub length: usize,
    /// Scripts that are kept for each function besides those that take new branches, each on a path
    /// of its own. Default: 8.
    pub paths: usize,
    /// Wall-clock time. Default: 60 s.
    pub time: Option<Duration>,
    /// What bounds each call.
    pub budgets: Budgets,
    /// Ends the search when it is set. Default: nobody sets it.
    pub interrupt: Interrupt,
}

impl Default for ScriptBounds {
    fn default() -> Self {
        ScriptBounds {
            patience: 6_000,
            scripts: 60_000,
            length: 30,
            paths: 8,
            time: Some(Duration::from_secs(60)),
            budgets: Budgets {
                steps: 100_000,
                ..Budgets::default()
            },
            interrupt: Interrupt::default(),
        }
    }
}

impl Catalogue {
    /// An operation, if there is one of this id.
    pub fn operation(&self, id: OperationId) -> Option<&Operation> {
        self.operations.get(id.0 as usize)
    }

    /// A type, if there is one of this id.
    pub fn ty(&self, id: TypeId) -> Option<&TypeInfo> {
        self.types.get(id.0 as usize)
    }
}

impl Script {
    /// The script up to a statement, without that.
    fn before(&self, statement: usize) -> Script {
        Script {
            statements: self.statements.iter().take(statement).cloned().collect(),
        }
    }
}

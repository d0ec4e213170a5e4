//! How runs end, and what bounds them.
//!
//! Three things are kept apart: what the program did is an [`MachineOutcome`], a value; why a domain
//! gave up a run is its own `Stop`; and a program that the verifier would have rejected, or that
//! asks for something the tool does not have, is a [`MachineError`].

use heapwright_logic::{ClassId, Loc};
use thiserror::Error;

use crate::function::{BlockId, FunctionId, Position, Reg};
use crate::global::GlobalId;
use crate::machine::domain::ObjectId;
use crate::machine::site::ProgramPoint;
use crate::program::{FaultKind, Program};

/// What the program did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MachineOutcome<V> {
    /// The function returned.
    Returned(Option<V>),
    /// An exception left the function.
    Threw {
        /// The exception object.
        exception: V,
        /// Its class.
        class: ClassId,
        /// The fault that raised it, if the program did not make it itself.
        fault: Option<FaultKind>,
        /// The instruction that raised it, or that threw it last.
        point: ProgramPoint,
        /// Its place in the source.
        position: Position,
    },
    /// A fault that no exception stands for ended the program.
    Fault {
        /// Which one.
        kind: FaultKind,
        /// The instruction.
        point: ProgramPoint,
        /// Its place in the source.
        position: Position,
    },
    /// The run is of no interest.
    AssumptionFailed {
        /// The assumption.
        point: ProgramPoint,
        /// Its place in the source.
        position: Position,
    },
    /// A bound was reached.
    OutOfBudget {
        /// Which one.
        budget: Budget,
        /// The instruction that would have exceeded it.
        point: ProgramPoint,
        /// Its place in the source.
        position: Position,
    },
}

impl<V> MachineOutcome<V> {
    /// The instruction at which the run ended, unless it returned.
    pub fn point(&self) -> Option<ProgramPoint> {
        match self {
            MachineOutcome::Returned(_) => None,
            MachineOutcome::Threw { point, .. }
            | MachineOutcome::Fault { point, .. }
            | MachineOutcome::AssumptionFailed { point, .. }
            | MachineOutcome::OutOfBudget { point, .. } => Some(*point),
        }
    }
}

/// The bounds of a run.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Budget {
    /// Instructions and jumps.
    Steps,
    /// Nested calls.
    Depth,
    /// Objects and arrays that the program allocates.
    Objects,
    /// Elements of one array.
    ArrayLength,
    /// Elements of all arrays together.
    Elements,
}

impl Budget {
    /// A bound in one word.
    pub fn name(self) -> &'static str {
        match self {
            Budget::Steps => "steps",
            Budget::Depth => "depth",
            Budget::Objects => "objects",
            Budget::ArrayLength => "array length",
            Budget::Elements => "elements",
        }
    }
}

/// How much a run may use. All bounds are inclusive and count only what the program itself
/// does, never time, so that a run is the same on every machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Budgets {
    /// Instructions and jumps. Default: 1,000,000.
    pub steps: u64,
    /// Calls that are active at the same time, the first one included. Exceeding it is the fault
    /// [`FaultKind::StackOverflow`] where the program maps that to an exception. Default: 4,096.
    pub depth: u32,
    /// Objects and arrays that the program allocates; those of the input and globals do not
    /// count. Default: 100,000.
    pub objects: u32,
    /// Elements of one new array, or of the array of a global. Default: 1,000,000.
    pub array_length: u32,
    /// Elements of all new arrays together. Default: 10,000,000.
    pub elements: u64,
}

impl Default for Budgets {
    fn default() -> Self {
        Budgets {
            steps: 1_000_000,
            depth: 4_096,
            objects: 100_000,
            array_length: 1_000_000,
            elements: 10_000_000,
        }
    }
}

/// What a run calls and is not there. It can be repeated when somebody has supplied it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Error)]
pub enum Missing {
    /// The code of a function: [`Terminator::Absent`](crate::Terminator::Absent).
    #[error("the code of function {} is not there", .0.0)]
    Function(FunctionId),
    /// A function that the language should provide, and the domain does not know.
    #[error("the intrinsic function `{0}` is not provided")]
    Intrinsic(String),
}

impl Missing {
    /// The function whose code is missing, if that is what is missing.
    pub fn function(&self) -> Option<FunctionId> {
        match self {
            Missing::Function(id) => Some(*id),
            Missing::Intrinsic(_) => None,
        }
    }

    /// How a program calls it.
    pub fn name<'a>(&'a self, program: &'a Program) -> &'a str {
        match self {
            Missing::Function(id) => {
                let function = program.functions.get(id.index());
                function.map_or("", |function| &function.name)
            }
            Missing::Intrinsic(name) => name,
        }
    }
}

/// The program is not well-formed, or asks for something that the tool does not have.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MachineError {
    /// There is no such function.
    #[error("there is no function {}", .0.0)]
    NoFunction(FunctionId),
    /// A function has no such block.
    #[error("function {} has no block {}", .0.0, .1.0)]
    NoBlock(FunctionId, BlockId),
    /// A function has no such register.
    #[error("function {} has no register {}", .0.0, .1.0)]
    NoRegister(FunctionId, Reg),
    /// There is no such class.
    #[error("there is no class {}", .0.0)]
    NoClass(ClassId),
    /// There is no such global.
    #[error("there is no global {}", .0.0)]
    NoGlobal(GlobalId),
    /// A class has no such field.
    #[error("class {} has no field {field}", .class.0)]
    NoField {
        /// The class.
        class: ClassId,
        /// The field.
        field: u32,
    },
    /// There is no such object.
    #[error("there is no object {}", .0.0)]
    NoObject(ObjectId),
    /// A register is read before it was written.
    #[error("register {} of function {} has no value", .register.0, .point.function.0)]
    Unassigned {
        /// The register.
        register: Reg,
        /// The instruction that reads it.
        point: ProgramPoint,
    },
    /// A function is called with too few or too many arguments.
    #[error("function {} takes {expected} arguments but gets {found}", .function.0)]
    ArgumentCount {
        /// The function.
        function: FunctionId,
        /// How many it has.
        expected: u32,
        /// How many it gets.
        found: usize,
    },
    /// The result of something that has none is used.
    #[error("a result is used that the callee does not have")]
    NoResult(ProgramPoint),
    /// An operation is applied to values of the wrong sort.
    #[error("an operation is applied to values of the wrong sort")]
    IllSorted,
    /// An array is made of a class that is none, or an object of a class of arrays.
    #[error("class {} is of the wrong kind", .0.0)]
    WrongKind(ClassId),
    /// Execution reached what the front end called unreachable.
    #[error("unreachable code was reached")]
    Unreachable(ProgramPoint),
    /// Something that is called is not there.
    #[error(transparent)]
    Missing(#[from] Missing),
    /// A reference into an object is used, but the classes involved have no layout.
    #[error("class {} has no layout", .0.0)]
    NoLayout(ClassId),
    /// A reference is read as a number, or in pieces, or the other way round.
    #[error("a reference in object {} is accessed as a number, or a number as a reference", .0.0)]
    MixedAccess(ObjectId),
    /// A cell of a heap does not fit its class.
    #[error("the cell at {0} does not fit its class")]
    BadCell(Loc),
    /// A cell of a heap cannot be the object of a global.
    #[error("the object of global {} cannot be the cell at {loc}", .global.0)]
    BadGlobal {
        /// The global.
        global: GlobalId,
        /// The cell.
        loc: Loc,
    },
    /// A reference into the middle of an object has no counterpart in heaps of the logic.
    #[error("a reference into the middle of object {} cannot be shown", .0.0)]
    InteriorReference(ObjectId),
    /// The deadline has passed. That is nothing that the program did: on another machine it might
    /// have gone on.
    #[error("there was no more time")]
    Interrupted,
    /// More objects than there are names for them.
    #[error("there are too many objects")]
    TooManyObjects,
}

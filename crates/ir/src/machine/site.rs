//! Places in a program, as runs, decisions and coverage name them.

use crate::function::{BlockId, FunctionId, Position};
use crate::program::Program;

/// One instruction, or the terminator of a block.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct ProgramPoint {
    /// The function.
    pub function: FunctionId,
    /// The block in it.
    pub block: BlockId,
    /// Index of the instruction; the terminator comes after the last one.
    pub instruction: u32,
}

/// What a domain is asked. One execution of one instruction asks each question at most once, so
/// the sequence of sites of a run says exactly which decisions it took.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Question {
    /// Which way a conditional jump goes.
    Branch,
    /// Which case a switch takes.
    Switch,
    /// Whether an assertion holds.
    Assertion,
    /// Whether an assumption holds.
    Assumption,
    /// Whether a divisor is zero.
    Divisor,
    /// Which object a reference that is dereferenced, tested or freed stands for.
    Object,
    /// Which element an index selects, if any.
    Index,
    /// Which field a reference into an object selects, if any.
    Field,
    /// Whether the length of a new array is negative.
    NegativeLength,
    /// How long an array is.
    ArrayLength,
    /// Whether an object is of a class.
    Instance,
    /// Which class the receiver of a virtual call has.
    Receiver,
    /// Which class an array has into which a reference is stored.
    ArrayClass,
    /// Which object a reference that is stored into an array stands for.
    StoredObject,
    /// Whether the object that is stored into an array fits its elements.
    StoredInstance,
    /// Which object the program throws.
    Thrown,
    /// Which object a fault has just made; never open.
    Raised,
    /// Which class a thrown object has.
    ThrownClass,
    /// Whatever a function provided by the language asks.
    Intrinsic,
}

/// A question at a point.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct Site {
    /// Where.
    pub point: ProgramPoint,
    /// What.
    pub question: Question,
}

/// How control leaves a block.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Successor {
    /// By its conditional jump (0: then, 1: otherwise) or switch (the case; the default has the
    /// number of cases). These are the edges of branch coverage.
    Jump(u32),
    /// By an exception, to the handler of this index. Reported apart from branches.
    Handler(u32),
}

/// An edge that counts for coverage.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct Edge {
    /// The function.
    pub function: FunctionId,
    /// The block that is left.
    pub block: BlockId,
    /// How it is left.
    pub successor: Successor,
}

impl ProgramPoint {
    /// The site of a question asked here.
    pub fn ask(self, question: Question) -> Site {
        Site {
            point: self,
            question,
        }
    }

    /// The place in the source text; the default one if the program has no such point.
    pub fn position(self, program: &Program) -> Position {
        let function = program.functions.get(self.function.index());
        let Some(block) = function.and_then(|function| function.blocks.get(self.block.index()))
        else {
            return Position::default();
        };
        let instruction = block.instructions.get(self.instruction as usize);
        instruction.map_or(block.position, |instruction| instruction.position)
    }
}

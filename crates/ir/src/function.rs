//! Functions, blocks and registers.

use heapwright_logic::{ClassId, Sort};

use crate::instruction::{Operation, Terminator};

/// Identifies a function in its program.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct FunctionId(pub u32);

/// Identifies a block in its function. Execution starts with block 0.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct BlockId(pub u32);

/// A register of a function. The parameters come first.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct Reg(pub u32);

impl FunctionId {
    /// Position in the table of functions.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl BlockId {
    /// Position in the list of blocks.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Reg {
    /// Position in the list of registers.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place in the source text. Line 0 means that there is none.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Debug,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct Position {
    /// Index into the program's source files.
    pub file: u32,
    /// Line from 1.
    pub line: u32,
    /// Column from 1, in characters; 0 where only the line is known (Java class files).
    pub column: u32,
}

/// What is known about a register.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Register {
    /// The source variable, if it stands for one.
    pub name: Option<String>,
    /// Its sort: never the mathematical integers, which are for specifications only.
    pub sort: Sort,
}

/// One operation with its place in the source.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// What it does.
    pub operation: Operation,
    /// Where it comes from.
    pub position: Position,
}

/// What catches exceptions thrown inside a block: the first entry that fits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Handler {
    /// Exceptions of this class and its subclasses; all of them if there is none.
    pub class: Option<ClassId>,
    /// The register that receives the exception object.
    pub exception: Reg,
    /// Where execution goes on.
    pub block: BlockId,
}

/// A straight line of operations that ends with a jump of some kind.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// The operations.
    pub instructions: Vec<Instruction>,
    /// How the block ends.
    pub terminator: Terminator,
    /// Where the terminator comes from.
    pub position: Position,
    /// What catches exceptions thrown in this block, in order.
    pub handlers: Vec<Handler>,
}

/// A function or method.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Its name, unique in the program: `insert`, `Tree#insert(int)`.
    pub name: String,
    /// Number of parameters; they are the first registers. A method's receiver is the first.
    pub params: u32,
    /// All registers.
    pub registers: Vec<Register>,
    /// The sort of the result; none for procedures.
    pub result: Option<Sort>,
    /// The blocks; the first one is the entry.
    pub blocks: Vec<Block>,
    /// Where the function begins in the source.
    pub position: Position,
    /// Whether the front end made it up: guards of class initialisation, tables of literals. It
    /// runs like any other, but nobody wants to see its branches covered.
    pub synthetic: bool,
}

impl Function {
    /// Whether the code of the function is not there (yet).
    pub fn is_absent(&self) -> bool {
        let entry = self.blocks.first();
        entry.is_some_and(|block| matches!(block.terminator, Terminator::Absent))
    }

    /// The block behind an id.
    pub fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.index()]
    }

    /// The sort of a register.
    pub fn sort(&self, register: Reg) -> Sort {
        self.registers[register.index()].sort
    }
}

//! The core language: what all front ends translate to, and the only thing the engine executes.
//!
//! A typed, block-structured register language with the statements of CSF and JSF (assign, load,
//! store, new, free, assert, assume, jumps) and what real programs need beyond them: calls,
//! arrays, exceptions, switches, type tests, machine integers, floats, pointers with offsets.
//!
//! Nothing here knows about Java, C or ImpL. What the languages do differently (does a null
//! dereference throw an exception or end the program?) is data of the [`Program`].

mod draft;
mod function;
mod global;
mod inputs;
mod instruction;
mod library;
mod liveness;
pub mod machine;
mod program;
mod shared;
mod shared_vec;
mod text;
mod verify;

pub use draft::{BlockDraft, reachable_blocks};
pub use function::{
    Block, BlockId, Function, FunctionId, Handler, Instruction, Position, Reg, Register,
};
pub use global::{Global, GlobalId};
pub use inputs::{Candidates, Content, FieldRule, InputRules, Literal};
pub use instruction::{
    Arithmetic, BinaryOp, Callee, Comparison, Constant, Operand, Operation, Terminator, UnaryOp,
};
pub use library::Library;
pub use liveness::Liveness;
pub use program::{
    ClassInfo, ClassKind, FaultKind, FaultObject, FieldLayout, Inside, Program, SourceFile,
};
pub use shared::{SharedPlace, SharedState, SharedVariable, Stability};
pub use shared_vec::SharedVec;
pub use text::{ParseError, SyntaxError, parse, print, print_functions};
pub use verify::{ProgramPart, VerifyError, Violation, verify, verify_function};

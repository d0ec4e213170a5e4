//! Class files (JVMS chapter 4), read into a plain model with all references resolved.
//!
//! The reader is our own. The format is small; the published readers each have quirks that the
//! translation would have to work around (a bootstrap argument that fails the whole class, an
//! exception range that loses its last instruction, switch targets in another unit than other
//! jumps), and none reports where a broken file is broken. Here every error names the class, the
//! byte, and what was expected.
//!
//! What a read class guarantees:
//!
//! - jumps and handlers name the beginnings of instructions of the method;
//! - every local variable that an instruction names exists;
//! - control cannot run over the end of the code;
//! - every reference into the constant pool had the kind that its place needs, and every
//!   descriptor and class name was well-formed;
//! - methods have code exactly when they are neither abstract nor native.
//!
//! What it does not: types and heights of the operand stack are for the translation to check. Stack
//! map frames are skipped, since the translation computes what they say.

mod access;
mod annotation;
mod attributes;
mod class;
mod code;
mod constant;
mod cursor;
mod decode;
mod error;
mod instruction;
mod listing;
mod modified_utf8;
mod opcode;
mod parse;
mod pool;

pub use access::Access;
pub use annotation::{Annotation, ElementValue};
pub use class::{
    CONSTRUCTOR, Class, Code, EnclosingMethod, Field, Handler, InnerClass, Method, NoBody,
    RecordComponent, STATIC_INITIALISER, Variable,
};
pub use constant::{
    Bootstrap, Constant, DynamicCall, DynamicConstant, FieldReference, MethodHandle,
    MethodReference,
};
pub use error::{ClassFileError, Problem};
pub use instruction::{
    Binary, Comparison, Condition, Conversion, Element, Instruction, Invocation, Kind, Local, Pc,
    StackOperation, Switch, Unordered,
};
pub use modified_utf8::JavaString;
pub use parse::parse;

/// The newest class file version that is read: Java 25.
pub const NEWEST_VERSION: u16 = 69;

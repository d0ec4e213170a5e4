//! What can go wrong between class files and the core language.

use std::fmt;

use thiserror::Error;

use crate::classfile::{Kind, NoBody, Pc};
use crate::descriptor::Name;
use crate::hierarchy::LinkError;

/// Why a method could not be translated, and where.
#[derive(Debug, Clone, Error)]
#[error("{place}: {problem}")]
pub struct TranslateError {
    /// The method, and the instruction if it is the fault of one.
    pub place: MethodPlace,
    /// What is wrong.
    pub problem: Box<Trouble>,
}

/// A place in a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodPlace {
    /// The class.
    pub class: Name,
    /// The method with its parameters.
    pub method: String,
    /// The instruction.
    pub pc: Option<Pc>,
}

/// What is wrong with an instruction or a method.
#[derive(Debug, Clone, Error)]
pub enum Trouble {
    /// Classes do not fit together.
    #[error(transparent)]
    Link(#[from] LinkError),
    /// There is no body.
    #[error(transparent)]
    Body(#[from] NoBody),
    /// More is taken from the operand stack than is there.
    #[error("the operand stack is empty")]
    StackUnderflow,
    /// A value on the stack is of another kind than the instruction takes.
    #[error("the operand is {found:?} where {expected:?} is needed")]
    WrongKind {
        /// What the instruction takes.
        expected: Kind,
        /// What is on the stack.
        found: Kind,
    },
    /// Paths with different stacks meet.
    #[error("paths with different operand stacks meet")]
    StackMismatch,
    /// Control runs off the end of the code.
    #[error("control runs off the end of the code")]
    EndOfCode,
    /// Something that is not translated yet.
    #[error("not supported: {0}")]
    Unsupported(String),
    /// A virtual machine would refuse to load the class.
    #[error("the code is not one that a virtual machine accepts: {0}")]
    Unverifiable(String),
    /// An instruction does not make sense.
    #[error("{0}")]
    Malformed(&'static str),
}

impl fmt::Display for MethodPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}#{}", self.class, self.method)?;
        match self.pc {
            Some(pc) => write!(f, " at {pc}"),
            None => Ok(()),
        }
    }
}

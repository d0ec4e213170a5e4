//! What is wrong with a class file, and where.

use crate::descriptor::Name;
use thiserror::Error;

/// A class file that cannot be read: the class as far as its name was known, the byte, the problem.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("class file of {}, byte {offset}: {problem}", class.as_deref().unwrap_or("an unnamed class"))]
pub struct ClassFileError {
    /// The name that the class file gives itself, once that much could be read.
    pub class: Option<Name>,
    /// The offset in bytes of the item that is wrong, from the beginning of the file.
    pub offset: usize,
    /// What is wrong there.
    pub problem: Problem,
}

/// The ways in which a class file can be wrong.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Problem {
    /// The file ends inside of an item.
    #[error("expected {expected}, but {container} ends here")]
    Truncated {
        /// What should have been read.
        expected: &'static str,
        /// What ended: the file, an attribute, the code.
        container: &'static str,
    },
    /// The first four bytes are not those of a class file.
    #[error("expected the magic number 0xCAFEBABE, found {0:#010X}: this is no class file")]
    Magic(u32),
    /// The version is one that this reader does not know.
    #[error(
        "class file version {0} is not supported (45 to {newest}, Java 1.1 to {java})",
        newest = super::NEWEST_VERSION,
        java = super::NEWEST_VERSION - 44
    )]
    Version(u16),
    /// A constant-pool entry of unknown kind.
    #[error("there is no constant-pool entry with tag {0}")]
    ConstantTag(u8),
    /// An index into the constant pool that names no entry, or one of another kind.
    #[error("expected constant-pool entry {index} to be {expected}, but it is {found}")]
    ConstantKind {
        /// The index as written.
        index: u16,
        /// The kind that is needed at this place.
        expected: &'static str,
        /// What is there instead.
        found: &'static str,
    },
    /// Dynamic constants whose bootstrap arguments lead back to themselves or nest too deeply.
    #[error("the bootstrap arguments of constant-pool entry {0} nest without end or too deeply")]
    ConstantNesting(u16),
    /// An index that names no bootstrap method.
    #[error("there is no bootstrap method {0}")]
    BootstrapMethod(u16),
    /// Text that is not modified UTF-8.
    #[error("this is not modified UTF-8")]
    ModifiedUtf8,
    /// A class name that the format does not allow.
    #[error("`{0}` is not the name of a class")]
    ClassName(String),
    /// A descriptor that does not follow the grammar.
    #[error("`{0}` is not {1}")]
    Descriptor(String, &'static str),
    /// An attribute that was not read to its end, or beyond it.
    #[error("attribute {0} has bytes left over at its end")]
    AttributeLength(&'static str),
    /// A field with a value of another type.
    #[error("the value of field {0} is not of its type")]
    ConstantValue(Name),
    /// A constructor without an object to construct.
    #[error("a constructor is static")]
    StaticConstructor,
    /// An attribute that must occur once at most.
    #[error("attribute {0} occurs more than once")]
    DuplicateAttribute(&'static str),
    /// Code where none may be, or none where some must be.
    #[error("method {method} {problem}")]
    CodePresence {
        /// The method's name.
        method: Name,
        /// What is wrong about its code.
        problem: &'static str,
    },
    /// The length of code is zero or too large.
    #[error("code must have 1 to 65535 bytes, not {0}")]
    CodeLength(u32),
    /// A byte that is no instruction.
    #[error("there is no instruction with opcode {0:#04x}")]
    Opcode(u8),
    /// An opcode that `wide` cannot be put in front of.
    #[error("opcode {0:#04x} cannot follow `wide`")]
    WideOpcode(u8),
    /// A code position that is not the beginning of an instruction.
    #[error("{what} is {target}, which is not the beginning of an instruction")]
    NotAnInstruction {
        /// What names the position: a jump, an exception handler.
        what: &'static str,
        /// The position as it was computed from the file.
        target: i64,
    },
    /// A range of code that is empty or ends outside of the code.
    #[error("the range {start} to {end} of {what} is empty or leaves the code")]
    CodeRange {
        /// What has the range.
        what: &'static str,
        /// The first position.
        start: u32,
        /// The position after the last.
        end: u32,
    },
    /// A number that is outside of what its place allows.
    #[error("{value} is no valid {what}")]
    Value {
        /// What the number is.
        what: &'static str,
        /// The number as written.
        value: i64,
    },
    /// Annotations nested more deeply than any compiler writes.
    #[error("annotations nest too deeply")]
    AnnotationNesting,
    /// Bytes after the end of the class.
    #[error("the class ends here, but the file goes on")]
    TrailingBytes,
    /// The class has no superclass although it is not `java.lang.Object`, or the other way round.
    #[error("only java.lang.Object and modules have no superclass")]
    Superclass,
    /// Two members with the same name and type.
    #[error("{0} is declared twice")]
    DuplicateMember(String),
}

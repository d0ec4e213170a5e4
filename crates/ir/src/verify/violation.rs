//! What the verifier can find, and where.

use std::fmt;

use heapwright_logic::{ClassId, IntType};

use crate::function::{BlockId, FunctionId, Reg};
use crate::global::GlobalId;

/// Something in a program that must not be there.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}: {violation}")]
pub struct VerifyError {
    /// Where it is.
    pub place: ProgramPart,
    /// What it is.
    pub violation: Violation,
}

/// A place in a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProgramPart {
    /// The program as a whole.
    Program,
    /// A class.
    Class {
        /// The class.
        class: ClassId,
        /// Its name.
        name: String,
    },
    /// A global.
    Global {
        /// The global.
        global: GlobalId,
        /// Its name.
        name: String,
    },
    /// A function, or a place in it.
    Function {
        /// The function.
        function: FunctionId,
        /// Its name.
        name: String,
        /// The block, if it is in one.
        block: Option<BlockId>,
        /// The operation in the block.
        /// In a block but without operation, the error is in the handlers or in the jump.
        instruction: Option<usize>,
    },
}

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Violation {
    /// The tables of classes have different lengths.
    #[error("there are {classes} classes, but information about {known}")]
    ClassCount {
        /// Classes in the definitions.
        classes: usize,
        /// Entries in the program.
        known: usize,
    },
    /// Two classes have one name.
    #[error("another class has the same name")]
    DuplicateClass,
    /// Two functions have one name.
    #[error("another function has the same name")]
    DuplicateFunction,
    /// Two globals have one name.
    #[error("another global has the same name")]
    DuplicateGlobal,
    /// There is no such class.
    #[error("there is no class #{}", .0.0)]
    NoSuchClass(ClassId),
    /// There is no such function.
    #[error("there is no function #{}", .0.0)]
    NoSuchFunction(FunctionId),
    /// There is no such global.
    #[error("there is no global @#{}", .0.0)]
    NoSuchGlobal(GlobalId),
    /// There is no such register.
    #[error("there is no register %{}", .0.0)]
    NoSuchRegister(Reg),
    /// There is no such block.
    #[error("there is no block b{}", .0.0)]
    NoSuchBlock(BlockId),
    /// There is no such field.
    #[error("class `{class}` has no field #{field}")]
    NoSuchField {
        /// The class.
        class: String,
        /// The field.
        field: u32,
    },
    /// There is no such source file.
    #[error("there is no file {0}")]
    NoSuchFile(u32),
    /// A class is its own ancestor.
    #[error("the class is its own ancestor")]
    CyclicHierarchy,
    /// [`ClassId::ANY`] has fields, a superclass or interfaces.
    #[error("the class of all references has fields, a superclass or interfaces")]
    RootClass,
    /// The fields of the superclass are not the first ones.
    #[error("the class does not begin with the fields of its superclass")]
    InheritedFields,
    /// The layout does not go with the fields.
    #[error("the layout has {entries} entries for {fields} fields")]
    LayoutCount {
        /// Fields of the class.
        fields: usize,
        /// Entries of its layout.
        entries: usize,
    },
    /// A field reaches beyond its object.
    #[error("field `{0}` reaches beyond the size of the object")]
    LayoutBounds(String),
    /// An array class has fields.
    #[error("an array class has no fields")]
    ArrayFields,
    /// A method cannot be called on objects of its class.
    #[error("method `{0}` has no first parameter that objects of the class fit")]
    MethodReceiver(String),
    /// There are no objects of exactly this class.
    #[error("there are no objects of exactly class `{0}`")]
    NotInstantiable(String),
    /// A class is an array class where none can be.
    #[error("`{0}` is an array class")]
    ArrayClass(String),
    /// A class is no array class where one has to be.
    #[error("`{0}` is not an array class")]
    NotAnArray(String),
    /// A global array does not say how long it is.
    #[error("the global is an array, but has no length")]
    NoLength,
    /// Mathematical integers are for specifications.
    #[error("programs do not work with mathematical integers")]
    MathematicalInteger,
    /// A function without blocks.
    #[error("the function has no blocks")]
    NoBlocks,
    /// More parameters than registers.
    #[error("there are {params} parameters but {registers} registers")]
    ParameterCount {
        /// Parameters.
        params: u32,
        /// Registers.
        registers: usize,
    },
    /// Something has the wrong sort.
    #[error("{what} is `{found}`, not {expected}")]
    Sort {
        /// What has it.
        what: String,
        /// The sort that it has.
        found: String,
        /// What would be right.
        expected: String,
    },
    /// Operands do not go together.
    #[error("`{0}` and `{1}` cannot be compared")]
    Incomparable(String, String),
    /// Values of the sort have no order.
    #[error("values of `{0}` have no order")]
    NoOrder(String),
    /// The sort does not have the operation.
    #[error("`{0}` has no such operation")]
    NoOperation(String),
    /// A constant outside its type.
    #[error("{value} is not in the range of `{ty}`")]
    Range {
        /// The type.
        ty: IntType,
        /// The value.
        value: i128,
    },
    /// Wrong number of arguments.
    #[error("{found} arguments for {expected} parameters")]
    ArgumentCount {
        /// Parameters of the function.
        expected: usize,
        /// Arguments of the call.
        found: usize,
    },
    /// The result of a procedure is used.
    #[error("the function that is called has no result")]
    NoResult,
    /// A virtual call without arguments.
    #[error("a virtual call needs a receiver")]
    NoReceiver,
    /// Two cases of a switch are the same.
    #[error("there is a second case for {0}")]
    DuplicateCase(i128),
    /// A procedure returns a value.
    #[error("the function has no result to return")]
    ReturnsValue,
    /// A function does not return a value.
    #[error("the function has to return a result")]
    ReturnsNothing,
    /// A register is read that may not have been written.
    #[error("register {0} is read, but not written on every path to here")]
    Unassigned(String),
}

impl fmt::Display for ProgramPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProgramPart::Program => f.write_str("program"),
            ProgramPart::Class { name, .. } => write!(f, "class `{name}`"),
            ProgramPart::Global { name, .. } => write!(f, "global `{name}`"),
            ProgramPart::Function {
                name,
                block,
                instruction,
                ..
            } => {
                write!(f, "function `{name}`")?;
                if let Some(block) = block {
                    write!(f, ", block b{}", block.0)?;
                }
                if let Some(instruction) = instruction {
                    write!(f, ", instruction {instruction}")?;
                }
                Ok(())
            }
        }
    }
}

//! The instructions of the Java virtual machine (JVMS chapter 6), with their operands resolved.
//!
//! The two hundred opcodes are many spellings of few operations: `iload_1`, `iload 1` and
//! `wide iload 1` are one [`Instruction::Load`] here, and everything that pushes a constant is
//! one [`Instruction::Constant`]. Jump targets are absolute positions that are known to be the
//! beginning of an instruction.

use super::constant::{Constant, DynamicCall, FieldReference, MethodReference};
use crate::descriptor::{Primitive, Type};
use std::fmt;
use std::sync::Arc;

/// The position of an instruction: its offset in bytes from the beginning of the method's code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pc(pub u16);

/// A local variable, by its slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Local(pub u16);

/// The kinds of values that the machine computes with; smaller integers are ints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Kind {
    Int,
    Long,
    Float,
    Double,
    Reference,
}

/// What an array access reads or writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Element {
    Int,
    Long,
    Float,
    Double,
    Reference,
    /// Bytes and booleans share their instructions.
    ByteOrBoolean,
    Char,
    Short,
}

/// Operations on the operand stack alone, counted in slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum StackOperation {
    Pop,
    Pop2,
    Dup,
    DupX1,
    DupX2,
    Dup2,
    Dup2X1,
    Dup2X2,
    Swap,
}

/// Arithmetic on two operands of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    /// Division; of integers it throws when the divisor is zero.
    Divide,
    /// Remainder, with the sign of the dividend.
    Remainder,
    /// Shifts take an int as their second operand, whatever the kind of the first.
    ShiftLeft,
    ShiftRight,
    ShiftRightUnsigned,
    And,
    Or,
    Xor,
}

/// Conversions between numeric kinds, and of ints to what fits in fewer bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Conversion {
    /// The kind of the operand.
    pub from: Kind,
    /// The type of the result; `byte`, `char` and `short` only from int.
    pub to: Primitive,
}

/// What a comparison of floating-point numbers gives when one of them is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unordered {
    /// -1 (`fcmpl`, `dcmpl`).
    Less,
    /// 1 (`fcmpg`, `dcmpg`).
    Greater,
}

/// Comparisons of integers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
}

/// What a conditional jump tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Condition {
    /// An int against zero.
    Zero(Comparison),
    /// Two ints.
    Ints(Comparison),
    /// Two references are the same object (`true`) or not.
    SameReference(bool),
    /// A reference is null (`true`) or not.
    Null(bool),
}

/// How the method of an `invoke` instruction is found from the one that was resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Invocation {
    /// Selected by the class of the receiver.
    Virtual,
    /// Selected by the class of the receiver; the reference names an interface.
    Interface,
    /// Constructors, calls with `super`, in old class files private methods.
    Special,
    /// No receiver.
    Static,
}

/// One instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Instruction {
    /// Does nothing.
    Nop,
    /// Pushes a constant.
    Constant(Constant),
    /// Pushes a local variable.
    Load(Kind, Local),
    /// Pops into a local variable. A return address (of `jsr`) counts as a reference.
    Store(Kind, Local),
    /// Adds a constant to a local variable.
    Increment(Local, i16),
    /// Pops array and index, pushes the element.
    ArrayLoad(Element),
    /// Pops array, index and value.
    ArrayStore(Element),
    /// Rearranges the stack.
    Stack(StackOperation),
    /// Arithmetic; the kind is that of the first operand and of the result.
    Binary(Binary, Kind),
    /// The negative of a number.
    Negate(Kind),
    /// Converts a number.
    Convert(Conversion),
    /// Compares two longs: -1, 0 or 1.
    CompareLongs,
    /// Compares two floats or doubles: -1, 0 or 1.
    CompareFloating(Kind, Unordered),
    /// Jumps when a condition holds.
    If(Condition, Pc),
    /// Jumps.
    Goto(Pc),
    /// Jumps by the value of an int: keys in ascending order with their targets, and the default.
    /// Both `tableswitch` and `lookupswitch` are this.
    Switch(Arc<Switch>),
    /// Leaves the method with a value, or with none.
    Return(Option<Kind>),
    /// Reads a static field.
    GetStatic(Arc<FieldReference>),
    /// Writes a static field.
    PutStatic(Arc<FieldReference>),
    /// Reads a field of an object.
    GetField(Arc<FieldReference>),
    /// Writes a field of an object.
    PutField(Arc<FieldReference>),
    /// Calls a method.
    Invoke(Invocation, Arc<MethodReference>),
    /// Calls what a bootstrap method linked.
    InvokeDynamic(Arc<DynamicCall>),
    /// Creates an object of a class, its constructor not yet called.
    New(Type),
    /// Creates an array with elements of a type; its length is on the stack.
    NewArray(Type),
    /// Creates an array of the given type with arrays inside, for as many dimensions as counted.
    MultiNewArray(Type, u8),
    /// The length of an array.
    ArrayLength,
    /// Throws an exception.
    Throw,
    /// Throws an exception unless a reference is null or of this type.
    CheckCast(Type),
    /// Whether a reference is not null and of this type.
    InstanceOf(Type),
    /// Enters an object's monitor.
    MonitorEnter,
    /// Leaves an object's monitor.
    MonitorExit,
    /// Calls a subroutine inside of the method; no compiler has written it since Java 6.
    JumpSubroutine(Pc),
    /// Returns from a subroutine.
    ReturnFromSubroutine(Local),
}

/// The cases of a switch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Switch {
    /// Keys in strictly ascending order, with where they lead.
    pub cases: Vec<(i32, Pc)>,
    /// Where all other values lead.
    pub default: Pc,
    /// Whether it was a `tableswitch`.
    pub is_table: bool,
}

impl Instruction {
    /// Whether control can go on to the next instruction.
    pub fn falls_through(&self) -> bool {
        !matches!(
            self,
            Instruction::Goto(_)
                | Instruction::Switch(_)
                | Instruction::Return(_)
                | Instruction::Throw
                | Instruction::JumpSubroutine(_)
                | Instruction::ReturnFromSubroutine(_)
        )
    }

    /// Where the instruction may jump to, the next instruction apart.
    pub fn targets(&self) -> Vec<Pc> {
        match self {
            Instruction::If(_, target)
            | Instruction::Goto(target)
            | Instruction::JumpSubroutine(target) => vec![*target],
            Instruction::Switch(switch) => {
                let cases = switch.cases.iter().map(|&(_, target)| target);
                cases.chain([switch.default]).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl fmt::Display for Pc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

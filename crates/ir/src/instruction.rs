//! Operations and terminators.

use heapwright_logic::{ClassId, FloatType, IntType, Sort};

use crate::function::{BlockId, FunctionId, Reg};
use crate::global::GlobalId;
use crate::program::FaultKind;

/// A literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Constant {
    /// A truth value.
    Bool(bool),
    /// An integer of a machine type; the value lies in its range.
    Int(IntType, i128),
    /// binary32, as bits.
    Single(u32),
    /// binary64, as bits.
    Double(u64),
    /// The null reference.
    Null,
}

/// Something that has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand {
    /// The value of a register.
    Register(Reg),
    /// A literal.
    Constant(Constant),
    /// A reference to a global; never null. Not a literal, because it means something only
    /// together with a memory.
    Global(GlobalId),
}

/// Integer operations; results wrap around to the type.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Arithmetic {
    /// Addition.
    Add,
    /// Subtraction.
    Sub,
    /// Multiplication.
    Mul,
    /// Division towards zero; a divisor of zero is a fault.
    Div,
    /// Remainder with the sign of the dividend; a divisor of zero is a fault.
    Rem,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// Shift to the left; only the low bits of the amount count, as many as the type has.
    Shl,
    /// Shift to the right, keeping the sign of a signed type.
    Shr,
    /// Shift to the right, filling with zeros.
    UShr,
}

/// Operations with two operands.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum BinaryOp {
    /// Integer arithmetic. The shift amount may be of any integer type.
    Int(IntType, Arithmetic),
    /// Floating point: `Add`, `Sub`, `Mul`, `Div` or `Rem` (as C's fmod).
    Float(FloatType, Arithmetic),
    /// Truth values: `And`, `Or` or `Xor`. Both operands are evaluated.
    Bool(Arithmetic),
    /// A comparison of two integers of one type, floats, booleans or references.
    /// Only `Eq` and `Ne` for booleans and references. The result is a truth value.
    Compare(Comparison),
}

/// Comparisons; those of floats are false if an operand is not a number, but for `Ne`.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Comparison {
    /// Equal.
    Eq,
    /// Different.
    Ne,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
}

/// Operations with one operand.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum UnaryOp {
    /// Negation of a truth value.
    Not,
    /// Arithmetic negation, wrapping for integers.
    Neg,
    /// Bitwise complement.
    Complement,
    /// Conversion to another scalar sort: integers wrap, floats round to nearest, floats to
    /// integers truncate and saturate, booleans are 0 and 1. Where memory is managed by the
    /// program, also from pointers to integers and back.
    Convert(Sort),
}

/// Who is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Callee {
    /// This function.
    Static(FunctionId),
    /// The method that the class of the first argument has for this name (with signature).
    Virtual(String),
    /// A function that the language of the program provides.
    Intrinsic(String),
}

/// What an instruction does.
#[allow(missing_docs)] // The comments on the variants say what the fields are.
#[derive(Clone, PartialEq, Debug)]
pub enum Operation {
    /// `to := from`
    Move { to: Reg, from: Operand },
    /// `to := op a`
    Unary { to: Reg, op: UnaryOp, a: Operand },
    /// `to := a op b`
    Binary {
        to: Reg,
        op: BinaryOp,
        a: Operand,
        b: Operand,
    },
    /// A new object, its fields zero, false and null.
    New { to: Reg, class: ClassId },
    /// A new array of an array class; a negative length is a fault.
    NewArray {
        to: Reg,
        class: ClassId,
        length: Operand,
    },
    /// Gives an object back; using it later is a fault.
    Free { object: Operand },
    /// `to := object.field`, of an object of `class` or a subclass.
    Load {
        to: Reg,
        object: Operand,
        class: ClassId,
        field: u32,
    },
    /// `object.field := value`
    Store {
        object: Operand,
        class: ClassId,
        field: u32,
        value: Operand,
    },
    /// `to := array[index]`
    LoadElement {
        to: Reg,
        array: Operand,
        index: Operand,
    },
    /// `array[index] := value`
    StoreElement {
        array: Operand,
        index: Operand,
        value: Operand,
    },
    /// `to := length of array`
    Length { to: Reg, array: Operand },
    /// `to := &object.field`: a reference into the object, for languages that have them.
    FieldAddress {
        to: Reg,
        object: Operand,
        class: ClassId,
        field: u32,
    },
    /// `to := &array[index]`
    ElementAddress {
        to: Reg,
        array: Operand,
        index: Operand,
    },
    /// Whether an object is not null and of a class or a subclass.
    InstanceOf {
        to: Reg,
        object: Operand,
        class: ClassId,
    },
    /// A fault unless the object is null or of a class or a subclass.
    CheckCast { object: Operand, class: ClassId },
    /// `to := callee(args)`
    Call {
        to: Option<Reg>,
        callee: Callee,
        args: Vec<Operand>,
    },
    /// `to :=` something that nothing may depend on.
    Undefine { to: Reg },
    /// `to := from`, a pointer as one to what the register is declared to lead to. Memory without a
    /// type gets one by this.
    Cast { to: Reg, from: Operand },
    /// Copies bytes. Unless they may overlap, it is a fault if they do.
    CopyBytes {
        to: Operand,
        from: Operand,
        count: Operand,
        may_overlap: bool,
    },
    /// Sets bytes to a value, or takes their values away.
    FillBytes {
        to: Operand,
        value: Option<Operand>,
        count: Operand,
    },
    /// `to := bytes from here to the end of the object`
    Extent { to: Reg, object: Operand },
    /// A fault of a kind unless the condition holds.
    Check {
        condition: Operand,
        fault: FaultKind,
    },
    /// A fault unless the condition holds.
    Assert { condition: Operand, message: String },
    /// Runs on which the condition does not hold are of no interest.
    Assume { condition: Operand },
}

/// How a block ends.
#[allow(missing_docs)] // The comments on the variants say what the fields are.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    /// Goes on with another block.
    Goto(BlockId),
    /// Goes one way or the other. The two edges count for branch coverage.
    Branch {
        condition: Operand,
        then: BlockId,
        otherwise: BlockId,
    },
    /// Goes on with the block of the value, or the default. All edges count for coverage.
    Switch {
        value: Operand,
        cases: Vec<(i128, BlockId)>,
        default: BlockId,
    },
    /// Ends the function.
    Return(Option<Operand>),
    /// Throws an exception object.
    Throw(Operand),
    /// Never reached.
    Unreachable,
    /// The code of the function is not there (yet): whoever needs it asks the front end for it.
    Absent,
}

impl Terminator {
    /// The number of the branch that an edge belongs to: cases of a switch that lead to the same
    /// block are one branch, with the number of the first one.
    pub fn branch_of(&self, successor: u32) -> u32 {
        let Terminator::Switch { cases, default, .. } = self else {
            return successor;
        };
        let targets = || cases.iter().map(|(_, block)| block).chain([default]);
        let target = targets().nth(successor as usize);
        let first = targets().position(|block| Some(block) == target);
        first.map_or(successor, |first| first as u32)
    }
}

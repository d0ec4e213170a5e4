//! Opcodes: what each number means, as far as the number alone says it.

use super::constant::Constant;
use super::instruction::{
    Binary, Comparison, Condition, Conversion, Element, Instruction, Kind, Local, StackOperation,
    Unordered,
};
use crate::descriptor::Primitive;

/// The instruction of an opcode that is the whole instruction.
pub(super) fn without_operands(opcode: u8) -> Option<Instruction> {
    use Instruction as I;
    Some(match opcode {
        0x00 => I::Nop,
        0x01 => I::Constant(Constant::Null),
        0x02..=0x08 => int(i32::from(opcode) - 3),
        0x09 | 0x0a => I::Constant(Constant::Long(i64::from(opcode - 0x09))),
        0x0b..=0x0d => I::Constant(Constant::Float(f32::from(opcode - 0x0b).to_bits())),
        0x0e | 0x0f => I::Constant(Constant::Double(f64::from(opcode - 0x0e).to_bits())),
        0x1a..=0x2d => I::Load(
            kind((opcode - 0x1a) / 4),
            Local(((opcode - 0x1a) % 4).into()),
        ),
        0x2e..=0x35 => I::ArrayLoad(element(opcode - 0x2e)),
        0x3b..=0x4e => I::Store(
            kind((opcode - 0x3b) / 4),
            Local(((opcode - 0x3b) % 4).into()),
        ),
        0x4f..=0x56 => I::ArrayStore(element(opcode - 0x4f)),
        0x57 => I::Stack(StackOperation::Pop),
        0x58 => I::Stack(StackOperation::Pop2),
        0x59 => I::Stack(StackOperation::Dup),
        0x5a => I::Stack(StackOperation::DupX1),
        0x5b => I::Stack(StackOperation::DupX2),
        0x5c => I::Stack(StackOperation::Dup2),
        0x5d => I::Stack(StackOperation::Dup2X1),
        0x5e => I::Stack(StackOperation::Dup2X2),
        0x5f => I::Stack(StackOperation::Swap),
        0x60..=0x73 => {
            let operator = match (opcode - 0x60) / 4 {
                0 => Binary::Add,
                1 => Binary::Subtract,
                2 => Binary::Multiply,
                3 => Binary::Divide,
                _ => Binary::Remainder,
            };
            I::Binary(operator, kind((opcode - 0x60) % 4))
        }
        0x74..=0x77 => I::Negate(kind(opcode - 0x74)),
        0x78..=0x83 => {
            let operator = match (opcode - 0x78) / 2 {
                0 => Binary::ShiftLeft,
                1 => Binary::ShiftRight,
                2 => Binary::ShiftRightUnsigned,
                3 => Binary::And,
                4 => Binary::Or,
                _ => Binary::Xor,
            };
            I::Binary(operator, kind(opcode % 2))
        }
        0x85..=0x93 => I::Convert(conversion(opcode)),
        0x94 => I::CompareLongs,
        0x95 => I::CompareFloating(Kind::Float, Unordered::Less),
        0x96 => I::CompareFloating(Kind::Float, Unordered::Greater),
        0x97 => I::CompareFloating(Kind::Double, Unordered::Less),
        0x98 => I::CompareFloating(Kind::Double, Unordered::Greater),
        0xac..=0xb0 => I::Return(Some(kind(opcode - 0xac))),
        0xb1 => I::Return(None),
        0xbe => I::ArrayLength,
        0xbf => I::Throw,
        0xc2 => I::MonitorEnter,
        0xc3 => I::MonitorExit,
        _ => return None,
    })
}

/// The instruction that pushes an int.
pub(super) fn int(value: i32) -> Instruction {
    Instruction::Constant(Constant::Int(value))
}

/// The kinds in the order in which the opcodes of a family go through them.
pub(super) fn kind(index: u8) -> Kind {
    match index {
        0 => Kind::Int,
        1 => Kind::Long,
        2 => Kind::Float,
        3 => Kind::Double,
        _ => Kind::Reference,
    }
}

/// The elements in the order in which the opcodes of array accesses go through them.
fn element(index: u8) -> Element {
    match index {
        0 => Element::Int,
        1 => Element::Long,
        2 => Element::Float,
        3 => Element::Double,
        4 => Element::Reference,
        5 => Element::ByteOrBoolean,
        6 => Element::Char,
        _ => Element::Short,
    }
}

fn comparison(index: u8) -> Comparison {
    match index {
        0 => Comparison::Equal,
        1 => Comparison::NotEqual,
        2 => Comparison::Less,
        3 => Comparison::GreaterOrEqual,
        4 => Comparison::Greater,
        _ => Comparison::LessOrEqual,
    }
}

/// What the conditional jump with this opcode tests.
pub(super) fn condition(opcode: u8) -> Condition {
    match opcode {
        0x99..=0x9e => Condition::Zero(comparison(opcode - 0x99)),
        0x9f..=0xa4 => Condition::Ints(comparison(opcode - 0x9f)),
        0xa5 | 0xa6 => Condition::SameReference(opcode == 0xa5),
        _ => Condition::Null(opcode == 0xc6),
    }
}

fn conversion(opcode: u8) -> Conversion {
    let (from, to) = match opcode {
        0x85 => (Kind::Int, Primitive::Long),
        0x86 => (Kind::Int, Primitive::Float),
        0x87 => (Kind::Int, Primitive::Double),
        0x88 => (Kind::Long, Primitive::Int),
        0x89 => (Kind::Long, Primitive::Float),
        0x8a => (Kind::Long, Primitive::Double),
        0x8b => (Kind::Float, Primitive::Int),
        0x8c => (Kind::Float, Primitive::Long),
        0x8d => (Kind::Float, Primitive::Double),
        0x8e => (Kind::Double, Primitive::Int),
        0x8f => (Kind::Double, Primitive::Long),
        0x90 => (Kind::Double, Primitive::Float),
        0x91 => (Kind::Int, Primitive::Byte),
        0x92 => (Kind::Int, Primitive::Char),
        _ => (Kind::Int, Primitive::Short),
    };
    Conversion { from, to }
}

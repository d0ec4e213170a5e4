//! Arithmetic, conversions, and the comparisons that give -1, 0 or 1.

use heapwright_ir::{Arithmetic, BinaryOp, Comparison, Operand, Operation, UnaryOp};
use heapwright_logic::{FloatType, IntType, Sort};

use super::emitter::Emitter;
use super::state::Reference;
use crate::classfile::{Binary, Condition, Conversion, Instruction, Kind, Unordered};
use crate::descriptor::{Primitive, Type};
use crate::world::{Trouble, kind_of, kind_sort};

/// A three-way comparison that the jump behind it decides.
#[derive(Debug, Clone, Copy)]
pub(super) struct ThreeWay {
    pub(super) a: Operand,
    pub(super) b: Operand,
    pub(super) unordered: Option<Unordered>,
}

impl Emitter<'_> {
    pub(super) fn binary(&mut self, operation: Binary, kind: Kind) -> Result<(), Trouble> {
        let is_shift = matches!(
            operation,
            Binary::ShiftLeft | Binary::ShiftRight | Binary::ShiftRightUnsigned
        );
        let b = self.pop(if is_shift { Kind::Int } else { kind })?;
        let a = self.pop(kind)?;
        let arithmetic = match operation {
            Binary::Add => Arithmetic::Add,
            Binary::Subtract => Arithmetic::Sub,
            Binary::Multiply => Arithmetic::Mul,
            Binary::Divide => Arithmetic::Div,
            Binary::Remainder => Arithmetic::Rem,
            Binary::ShiftLeft => Arithmetic::Shl,
            Binary::ShiftRight => Arithmetic::Shr,
            Binary::ShiftRightUnsigned => Arithmetic::UShr,
            Binary::And => Arithmetic::And,
            Binary::Or => Arithmetic::Or,
            Binary::Xor => Arithmetic::Xor,
        };
        let op = match kind_sort(kind) {
            Sort::Machine(ty) => BinaryOp::Int(ty, arithmetic),
            Sort::Float(ty) => BinaryOp::Float(ty, arithmetic),
            _ => return Err(Trouble::Malformed("arithmetic on references")),
        };
        let to = self.temporary(kind_sort(kind));
        let (a, b) = (a.operand, b.operand);
        self.emit(Operation::Binary { to, op, a, b });
        self.push(Operand::Register(to), kind, Reference::Unknown);
        Ok(())
    }

    pub(super) fn negate(&mut self, kind: Kind) -> Result<(), Trouble> {
        let a = self.pop(kind)?.operand;
        if kind == Kind::Reference {
            return Err(Trouble::Malformed("arithmetic on references"));
        }
        let to = self.temporary(kind_sort(kind));
        let op = UnaryOp::Neg;
        self.emit(Operation::Unary { to, op, a });
        self.push(Operand::Register(to), kind, Reference::Unknown);
        Ok(())
    }

    pub(super) fn conversion(&mut self, conversion: Conversion) -> Result<(), Trouble> {
        let value = self.pop(conversion.from)?.operand;
        if conversion.from == Kind::Reference {
            return Err(Trouble::Malformed("a conversion of a reference"));
        }
        let sort = match conversion.to {
            Primitive::Boolean => Sort::Bool,
            Primitive::Byte => Sort::Machine(IntType::I8),
            Primitive::Short => Sort::Machine(IntType::I16),
            Primitive::Char => Sort::Machine(IntType::Char),
            Primitive::Int => Sort::Machine(IntType::I32),
            Primitive::Long => Sort::Machine(IntType::I64),
            Primitive::Float => Sort::Float(FloatType::Single),
            Primitive::Double => Sort::Float(FloatType::Double),
        };
        let kind = kind_of(&Type::Primitive(conversion.to));
        let mut value = self.convert(value, sort);
        if sort != kind_sort(kind) {
            value = self.convert(value, kind_sort(kind));
        }
        self.push(value, kind, Reference::Unknown);
        Ok(())
    }

    /// `lcmp`, `fcmpl` and their like. Before a conditional jump nothing is computed: the jump
    /// compares the operands itself. Otherwise the number is a difference of truth values.
    pub(super) fn three_way(
        &mut self,
        kind: Kind,
        unordered: Option<Unordered>,
        next: Option<&Instruction>,
    ) -> Result<(), Trouble> {
        let b = self.pop(kind)?.operand;
        let a = self.pop(kind)?.operand;
        if kind == Kind::Reference || kind == Kind::Int {
            return Err(Trouble::Malformed("a comparison of the wrong kind"));
        }
        if let Some(Instruction::If(Condition::Zero(_), _)) = next {
            self.three_way = Some(ThreeWay { a, b, unordered });
            return Ok(());
        }
        // Operands without an order are counted on the side that the instruction says, by
        // negating the opposite comparison.
        let greater = match unordered {
            Some(Unordered::Greater) => self.negated(Comparison::Le, a, b),
            _ => Operand::Register(self.compare(Comparison::Gt, a, b)),
        };
        let less = match unordered {
            Some(Unordered::Less) => self.negated(Comparison::Ge, a, b),
            _ => Operand::Register(self.compare(Comparison::Lt, a, b)),
        };
        let int = kind_sort(Kind::Int);
        let (greater, less) = (self.convert(greater, int), self.convert(less, int));
        let to = self.temporary(int);
        self.emit(Operation::Binary {
            to,
            op: BinaryOp::Int(IntType::I32, Arithmetic::Sub),
            a: greater,
            b: less,
        });
        self.push(Operand::Register(to), Kind::Int, Reference::Unknown);
        Ok(())
    }

    /// The negation of a comparison, which differs from the opposite one for what is no number.
    pub(super) fn negated(&mut self, comparison: Comparison, a: Operand, b: Operand) -> Operand {
        let holds = self.compare(comparison, a, b);
        let to = self.temporary(Sort::Bool);
        self.emit(Operation::Unary {
            to,
            op: UnaryOp::Not,
            a: Operand::Register(holds),
        });
        Operand::Register(to)
    }
}

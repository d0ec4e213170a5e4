//! Operators, with what C forbids as checks.

use heapwright_ir::{
    Arithmetic, BinaryOp, Comparison, Constant, FaultKind, Operand, Operation, UnaryOp,
};
use heapwright_logic::{IntType, Sort};

use super::builder::int;
use super::classes::size_of;
use super::expression::comparison;
use super::function::Body;
use crate::ast::{BinaryOperator, CType, Expr, UnaryOperator};
use crate::error::CError;

impl Body<'_, '_> {
    pub(super) fn arithmetic(
        &mut self,
        ty: IntType,
        op: Arithmetic,
        a: Operand,
        b: Operand,
    ) -> Operand {
        let op = BinaryOp::Int(ty, op);
        self.builder
            .value(Sort::Machine(ty), |to| Operation::Binary { to, op, a, b })
    }

    pub(super) fn compared(&mut self, comparison: Comparison, a: Operand, b: Operand) -> Operand {
        let op = BinaryOp::Compare(comparison);
        self.builder
            .value(Sort::Bool, |to| Operation::Binary { to, op, a, b })
    }

    fn both(&mut self, op: Arithmetic, a: Operand, b: Operand) -> Operand {
        let op = BinaryOp::Bool(op);
        self.builder
            .value(Sort::Bool, |to| Operation::Binary { to, op, a, b })
    }

    pub(super) fn convert(&mut self, a: Operand, sort: Sort) -> Operand {
        let op = UnaryOp::Convert(sort);
        self.builder
            .value(sort, |to| Operation::Unary { to, op, a })
    }

    fn check(&mut self, condition: Operand, fault: FaultKind) {
        self.builder.emit(Operation::Check { condition, fault });
    }

    /// An index has to be that of an element.
    pub(super) fn check_index(&mut self, index: Operand, length: u64) {
        if let Operand::Constant(heapwright_ir::Constant::Int(_, known)) = index
            && (0..i128::from(length)).contains(&known)
        {
            return;
        }
        let above = self.compared(Comparison::Le, int(IntType::I64, 0), index);
        let below = self.compared(Comparison::Lt, index, int(IntType::I64, i128::from(length)));
        let fits = self.both(Arithmetic::And, above, below);
        self.check(fits, FaultKind::OutOfBounds);
    }

    pub(super) fn unary(
        &mut self,
        expr: &Expr,
        op: UnaryOperator,
        inner: &Expr,
    ) -> Result<Operand, CError> {
        let sort = self.lowering.sort(expr.place, &expr.ty)?;
        match (op, &expr.ty) {
            (UnaryOperator::Not, _) => {
                let a = self.truth(inner)?;
                let truth = self.builder.value(Sort::Bool, |to| Operation::Unary {
                    to,
                    op: UnaryOp::Not,
                    a,
                });
                self.of_truth(expr, truth)
            }
            (UnaryOperator::Neg, CType::Int(ty)) => {
                let value = self.rvalue(inner)?;
                self.builder.position = self.lowering.position(expr.place);
                if let Operand::Constant(Constant::Int(_, number)) = value
                    && ty.contains(-number)
                {
                    return Ok(int(*ty, -number));
                }
                let zero = int(*ty, 0);
                self.computed(expr, BinaryOperator::Sub, &expr.ty, zero, value)
            }
            _ => {
                let a = self.rvalue(inner)?;
                let op = match op {
                    UnaryOperator::Neg => UnaryOp::Neg,
                    _ => UnaryOp::Complement,
                };
                Ok(self
                    .builder
                    .value(sort, |to| Operation::Unary { to, op, a }))
            }
        }
    }

    pub(super) fn compare(
        &mut self,
        op: BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Result<Operand, CError> {
        let (a, b) = (self.rvalue(left)?, self.rvalue(right)?);
        let place = left.place;
        self.builder.position = self.lowering.position(place);
        let comparison =
            comparison(op).ok_or_else(|| self.lowering.unsupported(place, "this operator"))?;
        // A pointer and a number: the number is a null pointer, or somebody is careless.
        let (a, b) = match (&left.ty, &right.ty) {
            (CType::Pointer(_), CType::Int(_)) => {
                let sort = self.lowering.sort(place, &left.ty)?;
                let b = self.convert(b, Sort::Machine(IntType::U64));
                (a, self.convert(b, sort))
            }
            (CType::Int(_), CType::Pointer(_)) => {
                let sort = self.lowering.sort(place, &right.ty)?;
                let a = self.convert(a, Sort::Machine(IntType::U64));
                (self.convert(a, sort), b)
            }
            _ => (a, b),
        };
        Ok(self.compared(comparison, a, b))
    }

    pub(super) fn binary(
        &mut self,
        expr: &Expr,
        op: BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Result<Operand, CError> {
        if comparison(op).is_some() {
            let truth = self.compare(op, left, right)?;
            return self.of_truth(expr, truth);
        }
        match (&left.ty, &right.ty) {
            (CType::Pointer(element), CType::Pointer(_)) => {
                let (a, b) = (self.rvalue(left)?, self.rvalue(right)?);
                self.builder.position = self.lowering.position(expr.place);
                let wide = Sort::Machine(IntType::I64);
                let (a, b) = (self.convert(a, wide), self.convert(b, wide));
                let bytes = self.arithmetic(IntType::I64, Arithmetic::Sub, a, b);
                let size = size_of(self.lowering.unit, element).unwrap_or(1).max(1);
                Ok(match size {
                    1 => bytes,
                    _ => {
                        let size = int(IntType::I64, i128::from(size));
                        self.arithmetic(IntType::I64, Arithmetic::Div, bytes, size)
                    }
                })
            }
            (CType::Pointer(element), _) => {
                let pointer = self.rvalue(left)?;
                let index = self.index(right)?;
                self.builder.position = self.lowering.position(expr.place);
                let index = self.signed_index(op, index);
                self.displaced(expr.place, pointer, element, index)
            }
            _ => {
                let (a, b) = (self.rvalue(left)?, self.rvalue(right)?);
                self.builder.position = self.lowering.position(expr.place);
                self.computed(expr, op, &expr.ty, a, b)
            }
        }
    }

    /// How far an operator moves a pointer.
    pub(super) fn signed_index(&mut self, op: BinaryOperator, index: Operand) -> Operand {
        match (op, index) {
            (BinaryOperator::Sub, Operand::Constant(Constant::Int(ty, number))) => int(ty, -number),
            (BinaryOperator::Sub, index) => {
                let zero = int(IntType::I64, 0);
                self.arithmetic(IntType::I64, Arithmetic::Sub, zero, index)
            }
            (_, index) => index,
        }
    }

    /// Arithmetic in a type.
    pub(super) fn computed(
        &mut self,
        expr: &Expr,
        op: BinaryOperator,
        ty: &CType,
        a: Operand,
        b: Operand,
    ) -> Result<Operand, CError> {
        let op = match op {
            BinaryOperator::Add => Arithmetic::Add,
            BinaryOperator::Sub => Arithmetic::Sub,
            BinaryOperator::Mul => Arithmetic::Mul,
            BinaryOperator::Div => Arithmetic::Div,
            BinaryOperator::Rem => Arithmetic::Rem,
            BinaryOperator::And => Arithmetic::And,
            BinaryOperator::Or => Arithmetic::Or,
            BinaryOperator::Xor => Arithmetic::Xor,
            BinaryOperator::Shl => Arithmetic::Shl,
            BinaryOperator::Shr => Arithmetic::Shr,
            _ => return Err(self.lowering.unsupported(expr.place, "this operator")),
        };
        match ty {
            CType::Int(ty) => Ok(self.checked(*ty, op, a, b)),
            CType::Float(ty) => {
                let op = BinaryOp::Float(*ty, op);
                Ok(self
                    .builder
                    .value(Sort::Float(*ty), |to| Operation::Binary { to, op, a, b }))
            }
            _ => Err(self.lowering.unsupported(expr.place, "this operator")),
        }
    }

    /// Integer arithmetic: signed numbers must not overflow, and shifts must stay within the type.
    fn checked(&mut self, ty: IntType, op: Arithmetic, a: Operand, b: Operand) -> Operand {
        match op {
            Arithmetic::Add | Arithmetic::Sub | Arithmetic::Mul if ty == IntType::I32 => {
                let wide = Sort::Machine(IntType::I64);
                let (a, b) = (
                    self.converted(a, Sort::Machine(ty), wide),
                    self.converted(b, Sort::Machine(ty), wide),
                );
                let exact = self.arithmetic(IntType::I64, op, a, b);
                let least = int(IntType::I64, i128::from(i32::MIN));
                let most = int(IntType::I64, i128::from(i32::MAX));
                let above = self.compared(Comparison::Le, least, exact);
                let below = self.compared(Comparison::Le, exact, most);
                let fits = self.both(Arithmetic::And, above, below);
                self.check(fits, FaultKind::Overflow);
                self.convert(exact, Sort::Machine(ty))
            }
            Arithmetic::Add | Arithmetic::Sub if ty == IntType::I64 => {
                let sum = self.arithmetic(ty, op, a, b);
                // Without overflow the sum is greater exactly if what is added is positive.
                let zero = int(ty, 0);
                let (grows, falls) = match op {
                    Arithmetic::Add => (Comparison::Ge, Comparison::Lt),
                    _ => (Comparison::Le, Comparison::Gt),
                };
                let is_up = self.compared(grows, b, zero);
                let up = self.compared(Comparison::Ge, sum, a);
                let up = self.both(Arithmetic::And, is_up, up);
                let is_down = self.compared(falls, b, zero);
                let down = self.compared(Comparison::Lt, sum, a);
                let down = self.both(Arithmetic::And, is_down, down);
                let fits = self.both(Arithmetic::Or, up, down);
                self.check(fits, FaultKind::Overflow);
                sum
            }
            Arithmetic::Div | Arithmetic::Rem if ty.signed() => {
                let is_constant = |operand| matches!(operand, Operand::Constant(_));
                if !is_constant(a) && b != int(ty, -1) && is_constant(b) {
                    return self.arithmetic(ty, op, a, b);
                }
                let least = int(ty, -(1i128 << (ty.bits() - 1)));
                let a_fits = self.compared(Comparison::Ne, a, least);
                let b_fits = self.compared(Comparison::Ne, b, int(ty, -1));
                let fits = self.both(Arithmetic::Or, a_fits, b_fits);
                self.check(fits, FaultKind::Overflow);
                self.arithmetic(ty, op, a, b)
            }
            Arithmetic::Shl | Arithmetic::Shr => {
                if let Operand::Constant(Constant::Int(_, by)) = b
                    && (0..i128::from(ty.bits())).contains(&by)
                {
                    return self.shifted(ty, op, a, b);
                }
                let by = match b {
                    Operand::Register(register) => self.builder.registers[register.index()].sort,
                    _ => Sort::Machine(ty),
                };
                if let Sort::Machine(by) = by {
                    let above = self.compared(Comparison::Ge, b, int(by, 0));
                    let below = self.compared(Comparison::Lt, b, int(by, i128::from(ty.bits())));
                    let fits = self.both(Arithmetic::And, above, below);
                    self.check(fits, FaultKind::BadShift);
                }
                self.shifted(ty, op, a, b)
            }
            _ => self.arithmetic(ty, op, a, b),
        }
    }

    fn shifted(&mut self, ty: IntType, op: Arithmetic, a: Operand, b: Operand) -> Operand {
        match (op, ty.signed()) {
            (Arithmetic::Shr, false) => self.arithmetic(ty, Arithmetic::UShr, a, b),
            _ => self.arithmetic(ty, op, a, b),
        }
    }
}

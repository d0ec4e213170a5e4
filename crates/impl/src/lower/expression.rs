//! Expressions.

use heapwright_ir::{
    Arithmetic, BinaryOp, Callee, Constant, FunctionId, Operand, Operation, Reg, UnaryOp,
};
use heapwright_logic::{ClassId, IntType, Sort};
use heapwright_spec::diagnostic::Span;

use super::builder::Builder;
use crate::check::hir::{Expr, ExprKind, FieldUse};
use crate::syntax::ast;

impl Builder<'_> {
    pub(super) fn field(&self, field: FieldUse) -> (ClassId, u32) {
        self.lowering.checked.fields[field.0 as usize]
    }

    /// Computes a value into a register, without a detour where the last operation can write
    /// there directly.
    pub(super) fn assign(&mut self, to: Reg, value: &Expr, span: Span) {
        match &value.kind {
            ExprKind::Field(object, field) => {
                let object = self.value(object);
                self.load(to, object, *field, value.span);
            }
            ExprKind::Call(procedure, arguments) => {
                let args = self.values(arguments);
                self.call(to, procedure.0, args, value.span);
            }
            ExprKind::Binary(op, left, right) if !is_logical(*op) => {
                let (a, b) = self.operands(left, right);
                let ty = integer(self.lowering.sort(value));
                let op = BinaryOp::Int(ty, arithmetic(*op));
                self.emit(Operation::Binary { to, op, a, b }, value.span);
            }
            _ => {
                let from = self.value(value);
                self.emit(Operation::Move { to, from }, span);
            }
        }
    }

    /// The value of an expression, in the sort of its type.
    pub(super) fn value(&mut self, expr: &Expr) -> Operand {
        let span = expr.span;
        let sort = self.lowering.sort(expr);
        if let Some(truth) = self.logical(expr) {
            return match sort {
                Sort::Machine(ty) => self.convert(truth, Sort::Machine(ty), span),
                _ => truth,
            };
        }
        match &expr.kind {
            ExprKind::Local(local) => Operand::Register(self.variable(*local)),
            ExprKind::Number(number) => {
                let ty = integer(sort);
                Operand::Constant(Constant::Int(ty, ty.wrap(*number)))
            }
            ExprKind::Nil => Operand::Constant(Constant::Null),
            ExprKind::Field(object, field) => {
                let object = self.value(object);
                let to = self.temporary(sort);
                self.load(to, object, *field, span);
                Operand::Register(to)
            }
            ExprKind::New(class, arguments) => self.new_object(*class, arguments, span),
            ExprKind::Call(procedure, arguments) => {
                let args = self.values(arguments);
                let to = self.temporary(sort);
                self.call(to, procedure.0, args, span);
                Operand::Register(to)
            }
            ExprKind::Convert(operand) if sort == Sort::Bool => self.truth(operand),
            ExprKind::Convert(operand) => {
                let from = self.lowering.sort(operand);
                let value = self.value(operand);
                if from == sort {
                    return value;
                }
                self.convert(value, sort, span)
            }
            ExprKind::Unary(_, operand) => {
                let a = self.value(operand);
                let op = UnaryOp::Neg;
                self.emit_value(sort, span, |to| Operation::Unary { to, op, a })
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = self.operands(left, right);
                let op = BinaryOp::Int(integer(sort), arithmetic(*op));
                self.emit_value(sort, span, |to| Operation::Binary { to, op, a, b })
            }
            // Programs with errors are not translated, and truth values were handled above.
            ExprKind::Bool(_) | ExprKind::Error => Operand::Constant(Constant::Null),
        }
    }

    /// Values from left to right.
    pub(super) fn values(&mut self, exprs: &[Expr]) -> Vec<Operand> {
        exprs.iter().map(|expr| self.value(expr)).collect()
    }

    fn operands(&mut self, left: &Expr, right: &Expr) -> (Operand, Operand) {
        let a = self.value(left);
        let b = self.value(right);
        (a, b)
    }

    fn load(&mut self, to: Reg, object: Operand, field: FieldUse, span: Span) {
        let (class, field) = self.field(field);
        let load = Operation::Load {
            to,
            object,
            class,
            field,
        };
        self.emit(load, span);
    }

    fn call(&mut self, to: Reg, procedure: u32, args: Vec<Operand>, span: Span) {
        let call = Operation::Call {
            to: Some(to),
            callee: Callee::Static(FunctionId(procedure)),
            args,
        };
        self.emit(call, span);
    }

    /// The arguments come first, then the object, then its fields.
    fn new_object(&mut self, class: ClassId, arguments: &[Expr], span: Span) -> Operand {
        let values = self.values(arguments);
        let object = self.emit_value(Sort::Ref(class), span, |to| Operation::New { to, class });
        for (field, value) in (0u32..).zip(values) {
            let store = Operation::Store {
                object,
                class,
                field,
                value,
            };
            self.emit(store, span);
        }
        object
    }

    fn convert(&mut self, a: Operand, sort: Sort, span: Span) -> Operand {
        let op = UnaryOp::Convert(sort);
        self.emit_value(sort, span, |to| Operation::Unary { to, op, a })
    }
}

fn integer(sort: Sort) -> IntType {
    match sort {
        Sort::Machine(ty) => ty,
        _ => IntType::I32,
    }
}

/// Whether the result is a truth value, which `condition` computes.
fn is_logical(op: ast::BinaryOp) -> bool {
    op.precedence() < ast::BinaryOp::Add.precedence()
}

/// The operation of an operator that is not logical.
fn arithmetic(op: ast::BinaryOp) -> Arithmetic {
    match op {
        ast::BinaryOp::Subtract => Arithmetic::Sub,
        ast::BinaryOp::Multiply => Arithmetic::Mul,
        ast::BinaryOp::Divide => Arithmetic::Div,
        ast::BinaryOp::Remainder => Arithmetic::Rem,
        _ => Arithmetic::Add,
    }
}

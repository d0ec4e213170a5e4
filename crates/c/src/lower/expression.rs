//! Values of expressions.

use heapwright_ir::{Constant, Operand, Operation, Terminator};
use heapwright_logic::{FloatType, IntType, Sort};

use super::builder::int;
use super::function::{Body, default};
use super::place::{Lvalue, is_scalar};
use super::{NULL, builder};
use crate::ast::{BinaryOperator, CType, Expr, ExprKind, Stmt, StmtKind, UnaryOperator};
use crate::error::CError;

impl Body<'_, '_> {
    /// Evaluates an expression for what it does.
    pub(super) fn effect(&mut self, expr: &Expr) -> Result<(), CError> {
        match &expr.kind {
            ExprKind::Cast(inner) if expr.ty == CType::Void => self.effect(inner),
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Zero => Ok(()),
            ExprKind::Call(callee, args) => {
                // What only shows something changes nothing that a test could see.
                if let Some(name) = super::call::named(callee)
                    .map(|id| self.lowering.unit.functions[id.0 as usize].name.as_str())
                    && Self::is_output(name)
                {
                    return self.output(name, args);
                }
                self.call(expr).map(drop)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.effect(second)
            }
            ExprKind::Assign(to, from) if !is_scalar(&expr.ty) => self.assign_object(to, from),
            ExprKind::Conditional(condition, then, otherwise) if !is_scalar(&expr.ty) => {
                let blocks = [(); 3].map(|()| self.builder.block());
                self.branch(condition, blocks[0], blocks[1])?;
                for (part, block) in [then.as_ref(), Some(otherwise)].into_iter().zip(blocks) {
                    self.builder.go_on(block);
                    if let Some(part) = part {
                        self.effect(part)?;
                    }
                    self.builder.goto(blocks[2]);
                }
                self.builder.go_on(blocks[2]);
                Ok(())
            }
            ExprKind::Statements(stmts) => {
                for stmt in stmts {
                    self.statement(stmt)?;
                }
                Ok(())
            }
            ExprKind::Load(inner) if !is_scalar(&expr.ty) => self.lvalue(inner).map(drop),
            ExprKind::Variable(_) | ExprKind::Deref(_) | ExprKind::Member(..) => {
                self.lvalue(expr).map(drop)
            }
            _ => self.rvalue(expr).map(drop),
        }
    }

    /// Copies a struct or union.
    pub(super) fn assign_object(&mut self, to: &Expr, from: &Expr) -> Result<(), CError> {
        let source = self.object_of(from)?;
        let Lvalue::Object(object, ty) = self.lvalue(to)? else {
            return Err(self.lowering.unsupported(to.place, "this copy"));
        };
        self.builder.position = self.lowering.position(to.place);
        self.copy(object, source, &ty);
        Ok(())
    }

    /// Executes all statements of `({ … })` but the last one, whose expression is the value.
    pub(super) fn all_but_last<'e>(
        &mut self,
        expr: &Expr,
        stmts: &'e [Stmt],
    ) -> Result<&'e Expr, CError> {
        let Some((last, before)) = stmts.split_last() else {
            return Err(self.lowering.unsupported(expr.place, "an empty expression"));
        };
        for stmt in before {
            self.statement(stmt)?;
        }
        match &last.kind {
            StmtKind::Expr(value) => Ok(value),
            _ => Err(self.lowering.unsupported(expr.place, "this expression")),
        }
    }

    /// The value of an expression of scalar type.
    pub(super) fn rvalue(&mut self, expr: &Expr) -> Result<Operand, CError> {
        self.builder.position = self.lowering.position(expr.place);
        match &expr.kind {
            ExprKind::Int(value) => Ok(match &expr.ty {
                CType::Int(ty) => int(*ty, *value),
                CType::Bool => Operand::Constant(Constant::Bool(*value != 0)),
                CType::Pointer(_) if *value == 0 => NULL,
                _ => return Err(self.lowering.unsupported(expr.place, "this number")),
            }),
            ExprKind::Float(bits) => Ok(Operand::Constant(match expr.ty {
                CType::Float(FloatType::Single) => {
                    Constant::Single((f64::from_bits(*bits) as f32).to_bits())
                }
                _ => Constant::Double(*bits),
            })),
            ExprKind::Zero => {
                let sort = self.lowering.sort(expr.place, &expr.ty)?;
                Ok(default(sort))
            }
            ExprKind::Load(inner) => {
                let from = self.lvalue(inner)?;
                self.builder.position = self.lowering.position(expr.place);
                self.load(expr.place, &from)
            }
            ExprKind::Decay(inner) => match &inner.kind {
                ExprKind::Function(id) => {
                    let global = self.lowering.function_object(*id);
                    Ok(Operand::Global(global))
                }
                _ => match self.lvalue_of_array(inner)? {
                    Lvalue::Object(object, _) => Ok(object),
                    _ => Err(self.lowering.unsupported(expr.place, "this array")),
                },
            },
            ExprKind::Address(inner) => match &inner.kind {
                ExprKind::Function(id) => {
                    let global = self.lowering.function_object(*id);
                    Ok(Operand::Global(global))
                }
                _ => {
                    self.is_address = true;
                    let place = self.lvalue(inner)?;
                    self.builder.position = self.lowering.position(expr.place);
                    self.address_of(expr.place, place)
                }
            },
            ExprKind::Unary(op, inner) => self.unary(expr, *op, inner),
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, left, right),
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => {
                let truth = self.by_branches(expr)?;
                self.of_truth(expr, truth)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.conditional(expr, condition, then.as_deref(), otherwise)
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                self.rvalue(second)
            }
            ExprKind::Assign(to, from) => {
                // The right side first: either order is right in C.
                let value = self.rvalue(from)?;
                let place = self.lvalue(to)?;
                self.builder.position = self.lowering.position(expr.place);
                let bits = bits_of(&place);
                self.store(expr.place, place, value)?;
                Ok(match bits {
                    Some(bits) => self.narrowed(value, &expr.ty, bits),
                    None => value,
                })
            }
            ExprKind::AssignOp(op, to, by, computed) => {
                self.assign_with(expr, *op, to, by, computed)
            }
            ExprKind::Step {
                target,
                by,
                is_postfix,
            } => self.step(expr, target, *by, *is_postfix),
            ExprKind::Cast(inner) => self.cast(expr, inner),
            ExprKind::Call(..) => {
                let value = self.call(expr)?;
                value.ok_or_else(|| {
                    self.lowering
                        .unsupported(expr.place, "the value of this call")
                })
            }
            ExprKind::Statements(stmts) => {
                let last = self.all_but_last(expr, stmts)?;
                self.rvalue(last)
            }
            ExprKind::VaArg(list) => self.next_argument(expr, list),
            ExprKind::Member(base, record, field) => {
                let object = self.object_of(base)?;
                let place = self.field_of(object, *record, *field);
                self.load(expr.place, &place)
            }
            ExprKind::Unsupported(what) => Err(self.lowering.unsupported(expr.place, what.clone())),
            _ => Err(self.lowering.unsupported(expr.place, "this expression")),
        }
    }

    fn lvalue_of_array(&mut self, expr: &Expr) -> Result<Lvalue, CError> {
        match &expr.kind {
            // An array in the result of a call.
            ExprKind::Member(base, record, field)
                if matches!(base.kind, ExprKind::Call(..) | ExprKind::Load(_)) =>
            {
                let object = self.object_of(base)?;
                Ok(self.field_of(object, *record, *field))
            }
            _ => self.lvalue(expr),
        }
    }

    fn conditional(
        &mut self,
        expr: &Expr,
        condition: &Expr,
        then: Option<&Expr>,
        otherwise: &Expr,
    ) -> Result<Operand, CError> {
        let sort = self.lowering.sort(expr.place, &expr.ty)?;
        let to = self.builder.register(None, sort);
        let blocks = [(); 3].map(|()| self.builder.block());
        match then {
            Some(then) => {
                self.branch(condition, blocks[0], blocks[1])?;
                self.builder.go_on(blocks[0]);
                let from = self.rvalue(then)?;
                self.builder.emit(Operation::Move { to, from });
            }
            None => {
                let value = self.rvalue(condition)?;
                let truth = self.not_zero(condition, value)?;
                self.builder.position = self.lowering.position(condition.place);
                self.builder.end(Terminator::Branch {
                    condition: truth,
                    then: blocks[0],
                    otherwise: blocks[1],
                });
                self.builder.go_on(blocks[0]);
                let own = self.lowering.sort(condition.place, &condition.ty)?;
                let from = match own == sort || own.is_ref() {
                    true => value,
                    false => self.convert(value, sort),
                };
                self.builder.emit(Operation::Move { to, from });
            }
        }
        self.builder.goto(blocks[2]);
        self.builder.go_on(blocks[1]);
        let from = self.rvalue(otherwise)?;
        self.builder.emit(Operation::Move { to, from });
        self.builder.goto(blocks[2]);
        self.builder.go_on(blocks[2]);
        Ok(Operand::Register(to))
    }

    fn step(
        &mut self,
        expr: &Expr,
        target: &Expr,
        by: i8,
        is_postfix: bool,
    ) -> Result<Operand, CError> {
        let place = self.lvalue(target)?;
        let before = self.load(expr.place, &place)?;
        let op = match by > 0 {
            true => BinaryOperator::Add,
            false => BinaryOperator::Sub,
        };
        let after = match &expr.ty {
            CType::Pointer(to) => {
                let index = int(IntType::I64, i128::from(by));
                self.displaced(expr.place, before, to, index)?
            }
            CType::Int(ty) if ty.bits() < 32 => {
                let wide = Sort::Machine(IntType::I32);
                let value = self.convert(before, wide);
                let one = int(IntType::I32, 1);
                let value = self.computed(expr, op, &CType::Int(IntType::I32), value, one)?;
                self.convert(value, Sort::Machine(*ty))
            }
            CType::Int(ty) => self.computed(expr, op, &expr.ty, before, int(*ty, 1))?,
            CType::Float(ty) => {
                let one = Operand::Constant(match ty {
                    FloatType::Single => Constant::Single(1f32.to_bits()),
                    FloatType::Double => Constant::Double(1f64.to_bits()),
                });
                self.computed(expr, op, &expr.ty, before, one)?
            }
            CType::Bool => match by > 0 {
                true => Operand::Constant(Constant::Bool(true)),
                false => self.builder.value(Sort::Bool, |to| Operation::Unary {
                    to,
                    op: heapwright_ir::UnaryOp::Not,
                    a: before,
                }),
            },
            _ => return Err(self.lowering.unsupported(expr.place, "this operator")),
        };
        let bits = bits_of(&place);
        self.store(expr.place, place, after)?;
        Ok(match (is_postfix, bits) {
            (true, _) => before,
            (false, Some(bits)) => self.narrowed(after, &expr.ty, bits),
            (false, None) => after,
        })
    }

    fn assign_with(
        &mut self,
        expr: &Expr,
        op: BinaryOperator,
        to: &Expr,
        by: &Expr,
        computed: &CType,
    ) -> Result<Operand, CError> {
        if let CType::Pointer(element) = &expr.ty {
            let index = self.index(by)?;
            let place = self.lvalue(to)?;
            let before = self.load(expr.place, &place)?;
            let index = self.signed_index(op, index);
            let after = self.displaced(expr.place, before, element, index)?;
            self.store(expr.place, place, after)?;
            return Ok(after);
        }
        let value = self.rvalue(by)?;
        let place = self.lvalue(to)?;
        let before = self.load(expr.place, &place)?;
        let wide = self.lowering.sort(expr.place, computed)?;
        let own = self.lowering.sort(to.place, &to.ty)?;
        let before = self.converted(before, own, wide);
        let after = self.computed(expr, op, computed, before, value)?;
        let after = self.converted(after, wide, own);
        let bits = bits_of(&place);
        self.store(expr.place, place, after)?;
        Ok(match bits {
            Some(bits) => self.narrowed(after, &expr.ty, bits),
            None => after,
        })
    }

    /// Whether a value is not zero, of an expression that may be a condition.
    pub(super) fn truth(&mut self, expr: &Expr) -> Result<Operand, CError> {
        match &expr.kind {
            ExprKind::LogicalAnd(..) | ExprKind::LogicalOr(..) => return self.by_branches(expr),
            ExprKind::Unary(UnaryOperator::Not, inner) => {
                let a = self.truth(inner)?;
                return Ok(self.builder.value(Sort::Bool, |to| Operation::Unary {
                    to,
                    op: heapwright_ir::UnaryOp::Not,
                    a,
                }));
            }
            ExprKind::Binary(op, left, right) if comparison(*op).is_some() => {
                return self.compare(*op, left, right);
            }
            ExprKind::Cast(inner) if expr.ty == CType::Bool => return self.truth(inner),
            // Widening keeps what is zero and what is not.
            ExprKind::Cast(inner) if is_widening(&inner.ty, &expr.ty) => return self.truth(inner),
            _ => {}
        }
        let value = self.rvalue(expr)?;
        self.not_zero(expr, value)
    }

    pub(super) fn not_zero(&mut self, expr: &Expr, value: Operand) -> Result<Operand, CError> {
        let sort = self.lowering.sort(expr.place, &expr.ty)?;
        self.builder.position = self.lowering.position(expr.place);
        Ok(match sort {
            Sort::Bool => value,
            other => self.compared(heapwright_ir::Comparison::Ne, value, default(other)),
        })
    }

    /// The truth of `&&` and `||`, whose right sides are evaluated only if need be.
    pub(super) fn by_branches(&mut self, expr: &Expr) -> Result<Operand, CError> {
        let to = self.builder.register(None, Sort::Bool);
        let blocks = [(); 3].map(|()| self.builder.block());
        self.branch(expr, blocks[0], blocks[1])?;
        for (block, value) in blocks.into_iter().zip([true, false]) {
            self.builder.go_on(block);
            let from = Operand::Constant(Constant::Bool(value));
            self.builder.emit(Operation::Move { to, from });
            self.builder.goto(blocks[2]);
        }
        self.builder.go_on(blocks[2]);
        Ok(Operand::Register(to))
    }

    /// A truth value as C has it.
    pub(super) fn of_truth(&mut self, expr: &Expr, truth: Operand) -> Result<Operand, CError> {
        match &expr.ty {
            CType::Bool => Ok(truth),
            CType::Int(ty) => Ok(self.convert(truth, Sort::Machine(*ty))),
            _ => Err(self.lowering.unsupported(expr.place, "this condition")),
        }
    }

    fn cast(&mut self, expr: &Expr, inner: &Expr) -> Result<Operand, CError> {
        let place = expr.place;
        match (&inner.ty, &expr.ty) {
            (CType::Pointer(_) | CType::Array(..), CType::Pointer(to)) => {
                let value = self.rvalue(inner)?;
                let sort = self.lowering.sort(place, &expr.ty)?;
                self.builder.position = self.lowering.position(place);
                if value == NULL {
                    return Ok(NULL);
                }
                let own = self.lowering.sort(place, &inner.ty).ok();
                if own == Some(sort) {
                    return Ok(value);
                }
                // A pointer to nothing in particular stays what it is.
                Ok(match **to {
                    CType::Void | CType::Other(_) => self
                        .builder
                        .value(sort, |to| Operation::Move { to, from: value }),
                    _ => self
                        .builder
                        .value(sort, |to| Operation::Cast { to, from: value }),
                })
            }
            (CType::Int(_) | CType::Bool, CType::Pointer(_)) => {
                if let ExprKind::Int(0) = inner.kind {
                    return Ok(NULL);
                }
                let value = self.rvalue(inner)?;
                let sort = self.lowering.sort(place, &expr.ty)?;
                let from = self.lowering.sort(place, &inner.ty)?;
                let wide = self.converted(value, from, Sort::Machine(IntType::U64));
                let pointer = self.convert(wide, sort);
                Ok(self
                    .builder
                    .value(sort, |to| Operation::Cast { to, from: pointer }))
            }
            (CType::Pointer(_), CType::Int(ty)) => {
                let value = self.rvalue(inner)?;
                let wide = self.convert(value, Sort::Machine(IntType::U64));
                Ok(match ty {
                    IntType::U64 => wide,
                    _ => self.convert(wide, Sort::Machine(*ty)),
                })
            }
            (_, CType::Bool) => self.truth(inner),
            (from, _) if is_scalar(from) && is_scalar(&expr.ty) => {
                let from = self.lowering.sort(place, from)?;
                let to = self.lowering.sort(place, &expr.ty)?;
                let value = self.rvalue(inner)?;
                self.builder.position = self.lowering.position(place);
                Ok(self.converted(value, from, to))
            }
            _ => Err(self.lowering.unsupported(place, "this conversion")),
        }
    }

    pub(super) fn converted(&mut self, value: Operand, from: Sort, to: Sort) -> Operand {
        match (from == to, value, to) {
            (true, ..) => value,
            (_, Operand::Constant(Constant::Int(_, number)), Sort::Machine(ty)) => {
                builder::int(ty, number)
            }
            _ => self.convert(value, to),
        }
    }
}

fn bits_of(place: &Lvalue) -> Option<u32> {
    match place {
        Lvalue::Field(_, _, _, bits) => *bits,
        Lvalue::UnalignedBits(_, _, (_, _, bits)) => Some(*bits),
        Lvalue::Bits(_, bits, _) => Some(*bits),
        _ => None,
    }
}

fn is_widening(from: &CType, to: &CType) -> bool {
    match (from, to) {
        (CType::Bool, CType::Int(_)) => true,
        (CType::Int(from), CType::Int(to)) => to.bits() >= from.bits(),
        _ => false,
    }
}

/// The comparison of an operator.
pub(super) fn comparison(op: BinaryOperator) -> Option<heapwright_ir::Comparison> {
    use heapwright_ir::Comparison;
    Some(match op {
        BinaryOperator::Lt => Comparison::Lt,
        BinaryOperator::Le => Comparison::Le,
        BinaryOperator::Gt => Comparison::Gt,
        BinaryOperator::Ge => Comparison::Ge,
        BinaryOperator::Eq => Comparison::Eq,
        BinaryOperator::Ne => Comparison::Ne,
        _ => return None,
    })
}

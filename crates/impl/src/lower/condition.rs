//! Conditions: `&&` and `||` become branches, one for each primitive condition, as in bytecode.

use heapwright_ir::{
    BinaryOp, BlockId, Comparison, Constant, Operand, Operation, Terminator, UnaryOp,
};
use heapwright_logic::Sort;
use heapwright_spec::diagnostic::Span;

use super::builder::Builder;
use crate::check::hir::{Expr, ExprKind};
use crate::syntax::ast;

impl Builder<'_> {
    /// Ends the current block: execution goes on in one of two blocks.
    pub(super) fn branch(&mut self, condition: &Expr, then: BlockId, otherwise: BlockId) {
        if let Some(truth) = condition.literal_truth() {
            // No choice, hence nothing to be covered.
            let next = if truth { then } else { otherwise };
            return self.end(Terminator::Goto(next), condition.span);
        }
        match &condition.kind {
            ExprKind::Binary(ast::BinaryOp::And, left, right) => {
                let second = self.new_block();
                self.branch(left, second, otherwise);
                self.continue_in(second);
                self.branch(right, then, otherwise);
            }
            ExprKind::Binary(ast::BinaryOp::Or, left, right) => {
                let second = self.new_block();
                self.branch(left, then, second);
                self.continue_in(second);
                self.branch(right, then, otherwise);
            }
            ExprKind::Unary(ast::UnaryOp::Not, inner) => self.branch(inner, otherwise, then),
            _ => {
                let span = condition.span;
                let condition = self.truth(condition);
                let branch = Terminator::Branch {
                    condition,
                    then,
                    otherwise,
                };
                self.end(branch, span);
            }
        }
    }

    /// The truth value of a condition, integers being true unless they are zero.
    pub(super) fn truth(&mut self, condition: &Expr) -> Operand {
        let span = condition.span;
        // A comparison is a truth value here, even where its type is an integer's.
        if let Some(truth) = self.logical(condition) {
            return truth;
        }
        let value = self.value(condition);
        match self.lowering.sort(condition) {
            Sort::Machine(ty) => {
                let zero = Operand::Constant(Constant::Int(ty, 0));
                self.compare(Comparison::Ne, value, zero, span)
            }
            _ => value,
        }
    }

    /// The value of a comparison, negation, conjunction or disjunction as a truth value; nothing
    /// for other expressions.
    pub(super) fn logical(&mut self, expr: &Expr) -> Option<Operand> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Bool(value) => Some(Operand::Constant(Constant::Bool(*value))),
            ExprKind::Unary(ast::UnaryOp::Not, inner) => {
                let a = self.truth(inner);
                let op = UnaryOp::Not;
                Some(self.emit_value(Sort::Bool, span, |to| Operation::Unary { to, op, a }))
            }
            ExprKind::Binary(ast::BinaryOp::And | ast::BinaryOp::Or, ..) => {
                Some(self.short_circuit(expr))
            }
            ExprKind::Binary(op, left, right) => {
                let comparison = comparison(*op)?;
                let a = self.value(left);
                let b = self.value(right);
                Some(self.compare(comparison, a, b, span))
            }
            _ => None,
        }
    }

    pub(super) fn compare(
        &mut self,
        comparison: Comparison,
        a: Operand,
        b: Operand,
        span: Span,
    ) -> Operand {
        let op = BinaryOp::Compare(comparison);
        self.emit_value(Sort::Bool, span, |to| Operation::Binary { to, op, a, b })
    }

    /// The value of `a && b` or `a || b`, by branches.
    fn short_circuit(&mut self, expr: &Expr) -> Operand {
        let span = expr.span;
        let to = self.temporary(Sort::Bool);
        let holds = self.new_block();
        let fails = self.new_block();
        let after = self.new_block();
        self.branch(expr, holds, fails);
        for (block, value) in [(holds, true), (fails, false)] {
            self.continue_in(block);
            let from = Operand::Constant(Constant::Bool(value));
            self.emit(Operation::Move { to, from }, span);
            self.end(Terminator::Goto(after), span);
        }
        self.continue_in(after);
        Operand::Register(to)
    }
}

fn comparison(op: ast::BinaryOp) -> Option<Comparison> {
    Some(match op {
        ast::BinaryOp::Equal => Comparison::Eq,
        ast::BinaryOp::NotEqual => Comparison::Ne,
        ast::BinaryOp::Less => Comparison::Lt,
        ast::BinaryOp::LessEqual => Comparison::Le,
        ast::BinaryOp::Greater => Comparison::Gt,
        ast::BinaryOp::GreaterEqual => Comparison::Ge,
        _ => return None,
    })
}

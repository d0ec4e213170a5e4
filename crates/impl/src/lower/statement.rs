//! Statements.

use heapwright_ir::{Callee, FunctionId, Operation, Terminator};

use super::builder::Builder;
use crate::check::hir::{Expr, ExprKind, Statement, StatementKind};
use crate::syntax::ast::BinaryOp;

impl Builder<'_> {
    pub(super) fn sequence(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Assign(local, value) => {
                let to = self.variable(*local);
                self.assign(to, value, span);
            }
            StatementKind::Store(object, field, value) => {
                let value = self.value(value);
                let object = self.value(object);
                let (class, field) = self.field(*field);
                let store = Operation::Store {
                    object,
                    class,
                    field,
                    value,
                };
                self.emit(store, span);
            }
            StatementKind::If(condition, then, otherwise) => {
                self.conditional(condition, then, otherwise);
            }
            StatementKind::While(condition, body) => self.repeat(condition, body),
            StatementKind::Block(statements) => self.sequence(statements),
            StatementKind::Return(value) => {
                let value = value.as_ref().map(|value| self.value(value));
                self.end(Terminator::Return(value), span);
            }
            StatementKind::Assert(condition) => {
                self.each_conjunct(condition, |builder, conjunct| {
                    let message = builder.lowering.sources.snippet(conjunct.span).to_owned();
                    let condition = builder.truth(conjunct);
                    let assert = Operation::Assert { condition, message };
                    builder.emit(assert, span);
                });
            }
            StatementKind::Assume(condition) => {
                self.each_conjunct(condition, |builder, conjunct| {
                    let condition = builder.truth(conjunct);
                    builder.emit(Operation::Assume { condition }, span);
                });
            }
            StatementKind::Free(object) => {
                let object = self.value(object);
                self.emit(Operation::Free { object }, span);
            }
            StatementKind::Call(procedure, arguments) => {
                let args = self.values(arguments);
                let callee = Callee::Static(FunctionId(procedure.0));
                let call = Operation::Call {
                    to: None,
                    callee,
                    args,
                };
                self.emit(call, span);
            }
        }
    }

    fn conditional(&mut self, condition: &Expr, then: &[Statement], otherwise: &[Statement]) {
        let span = condition.span;
        let holds = self.new_block();
        let fails = self.new_block();
        let after = if otherwise.is_empty() {
            fails
        } else {
            self.new_block()
        };
        self.branch(condition, holds, fails);
        self.continue_in(holds);
        self.sequence(then);
        self.end(Terminator::Goto(after), span);
        if !otherwise.is_empty() {
            self.continue_in(fails);
            self.sequence(otherwise);
            self.end(Terminator::Goto(after), span);
        }
        self.continue_in(after);
    }

    fn repeat(&mut self, condition: &Expr, body: &[Statement]) {
        let span = condition.span;
        let head = self.new_block();
        let round = self.new_block();
        let after = self.new_block();
        self.end(Terminator::Goto(head), span);
        self.continue_in(head);
        self.branch(condition, round, after);
        self.continue_in(round);
        self.sequence(body);
        self.end(Terminator::Goto(head), span);
        self.continue_in(after);
    }

    /// `assert a && b` is `assert a; assert b`, which needs no branches.
    fn each_conjunct(&mut self, condition: &Expr, mut act: impl FnMut(&mut Self, &Expr)) {
        let mut pending = vec![condition];
        while let Some(next) = pending.pop() {
            match &next.kind {
                ExprKind::Binary(BinaryOp::And, left, right) => {
                    pending.push(right);
                    pending.push(left);
                }
                _ => act(self, next),
            }
        }
    }
}

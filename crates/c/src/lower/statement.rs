//! Statements: control flow.

use heapwright_ir::{BlockId, Operand, Operation, Terminator};
use heapwright_logic::Sort;

use super::function::Body;
use crate::ast::{BinaryOperator, CType, Expr, ExprKind, Place, Stmt, StmtKind, UnaryOperator};
use crate::error::CError;

/// Cases that a range of a switch may stand for.
const WIDEST_RANGE: i128 = 1024;

impl Body<'_, '_> {
    pub(super) fn statement(&mut self, stmt: &Stmt) -> Result<(), CError> {
        self.builder.position = self.lowering.position(stmt.place);
        match &stmt.kind {
            StmtKind::Empty => Ok(()),
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::Declare(ids) => {
                for &id in ids {
                    self.initialise(id)?;
                }
                Ok(())
            }
            StmtKind::Block(stmts) => {
                for stmt in stmts {
                    self.statement(stmt)?;
                }
                Ok(())
            }
            StmtKind::If(condition, then, otherwise) => {
                let blocks = [(); 3].map(|()| self.builder.block());
                self.branch(condition, blocks[0], blocks[1])?;
                self.builder.go_on(blocks[0]);
                self.statement(then)?;
                self.builder.goto(blocks[2]);
                self.builder.go_on(blocks[1]);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise)?;
                }
                self.builder.goto(blocks[2]);
                self.builder.go_on(blocks[2]);
                Ok(())
            }
            StmtKind::While(condition, body) => {
                let [test, inside, done] = [(); 3].map(|()| self.builder.block());
                self.builder.goto(test);
                self.builder.go_on(test);
                self.branch(condition, inside, done)?;
                self.builder.go_on(inside);
                self.round(body, done, test)?;
                self.builder.goto(test);
                self.builder.go_on(done);
                Ok(())
            }
            StmtKind::DoWhile(body, condition) => {
                let [inside, test, done] = [(); 3].map(|()| self.builder.block());
                self.builder.goto(inside);
                self.builder.go_on(inside);
                self.round(body, done, test)?;
                self.builder.goto(test);
                self.builder.go_on(test);
                self.branch(condition, inside, done)?;
                self.builder.go_on(done);
                Ok(())
            }
            StmtKind::For {
                init,
                condition,
                step,
                body,
            } => {
                if let Some(init) = init {
                    self.statement(init)?;
                }
                let [test, inside, next, done] = [(); 4].map(|()| self.builder.block());
                self.builder.goto(test);
                self.builder.go_on(test);
                match condition {
                    Some(condition) => self.branch(condition, inside, done)?,
                    None => self.builder.goto(inside),
                }
                self.builder.go_on(inside);
                self.round(body, done, next)?;
                self.builder.goto(next);
                self.builder.go_on(next);
                if let Some(step) = step {
                    self.effect(step)?;
                }
                self.builder.goto(test);
                self.builder.go_on(done);
                Ok(())
            }
            StmtKind::Switch(value, body) => self.switch(stmt, value, body),
            StmtKind::Case(first, last, body) => self.case(stmt, Some((*first, *last)), body),
            StmtKind::Default(body) => self.case(stmt, None, body),
            StmtKind::Break => self.jump(stmt, self.exits.last().copied()),
            StmtKind::Continue => self.jump(stmt, self.continues.last().copied()),
            StmtKind::Return(value) => self.give(value.as_ref()),
            StmtKind::Goto(label) => {
                let block = self.label(*label);
                self.builder.goto(block);
                Ok(())
            }
            StmtKind::Label(label, body) => {
                let block = self.label(*label);
                self.builder.goto(block);
                self.builder.go_on(block);
                self.statement(body)
            }
            StmtKind::Unsupported(what) => Err(self.lowering.unsupported(stmt.place, what.clone())),
        }
    }

    fn give(&mut self, value: Option<&Expr>) -> Result<(), CError> {
        match (value, self.result.clone()) {
            (None, CType::Void) => self.leave(None),
            (None, ty) => {
                let sort = match &ty {
                    CType::Record(_) => self.pointer_sort(&ty),
                    other => self.lowering.sort(crate::ast::Place::default(), other)?,
                };
                let value = self.builder.value(sort, |to| Operation::Undefine { to });
                self.leave(Some(value));
            }
            (Some(value), CType::Void) => {
                self.effect(value)?;
                self.leave(None);
            }
            (Some(value), ty @ CType::Record(_)) => {
                let from = self.object_of(value)?;
                let object = self.new_object(value.place, &ty)?;
                self.copy(object, from, &ty);
                self.leave(Some(object));
            }
            (Some(value), ty) => {
                let place = self.builder.position;
                let from = self.rvalue(value)?;
                let sort = self.lowering.sort(value.place, &ty)?;
                // The class of the result may be another one.
                let from = match sort {
                    Sort::Ref(_) => self.builder.value(sort, |to| Operation::Move { to, from }),
                    _ => from,
                };
                self.builder.position = place;
                self.leave(Some(from));
            }
        }
        Ok(())
    }

    fn label(&mut self, label: crate::ast::LabelId) -> BlockId {
        if let Some(&known) = self.labels.get(&label) {
            return known;
        }
        let block = self.builder.block();
        self.labels.insert(label, block);
        block
    }

    fn jump(&mut self, stmt: &Stmt, to: Option<BlockId>) -> Result<(), CError> {
        match to {
            Some(block) => {
                self.builder.goto(block);
                Ok(())
            }
            None => Err(self.lowering.unsupported(stmt.place, "this jump")),
        }
    }

    /// The body of a loop.
    fn round(&mut self, body: &Stmt, exit: BlockId, next: BlockId) -> Result<(), CError> {
        self.exits.push(exit);
        self.continues.push(next);
        let done = self.statement(body);
        self.exits.pop();
        self.continues.pop();
        done
    }

    fn switch(&mut self, stmt: &Stmt, value: &Expr, body: &Stmt) -> Result<(), CError> {
        let place = self.lowering.position(stmt.place);
        let value = self.rvalue(value)?;
        let [start, done] = [(); 2].map(|()| self.builder.block());
        let before = self.builder.position;
        self.builder.goto(start);
        // Nobody reaches what stands before the first case.
        self.switches.push(Vec::new());
        self.exits.push(done);
        let inside = self.statement(body);
        self.exits.pop();
        let labels = self.switches.pop().unwrap_or_default();
        inside?;
        self.builder.goto(done);
        self.builder.go_on(start);
        self.builder.position = before;
        let default = labels.iter().find(|(value, _)| value.is_none());
        let default = default.map_or(done, |(_, block)| *block);
        let mut cases = Vec::new();
        for (range, block) in &labels {
            let Some((first, last)) = *range else {
                continue;
            };
            if last - first > WIDEST_RANGE {
                return Err(self
                    .lowering
                    .unsupported(stmt.place, "so wide a range of cases"));
            }
            cases.extend((first..=last).map(|case| (case, *block)));
        }
        self.builder.position = place;
        self.builder.end(Terminator::Switch {
            value,
            cases,
            default,
        });
        self.builder.go_on(done);
        Ok(())
    }

    fn case(
        &mut self,
        stmt: &Stmt,
        value: Option<(i128, i128)>,
        body: &Stmt,
    ) -> Result<(), CError> {
        let block = self.builder.block();
        self.builder.goto(block);
        self.builder.go_on(block);
        match self.switches.last_mut() {
            Some(labels) => labels.push((value, block)),
            None => return Err(self.lowering.unsupported(stmt.place, "this case")),
        }
        self.statement(body)
    }

    /// Goes one way or the other. Every condition that is not constant is a branch of its own.
    pub(super) fn branch(
        &mut self,
        expr: &Expr,
        then: BlockId,
        otherwise: BlockId,
    ) -> Result<(), CError> {
        match &expr.kind {
            ExprKind::LogicalAnd(left, right) => {
                let middle = self.builder.block();
                self.branch(left, middle, otherwise)?;
                self.builder.go_on(middle);
                return self.branch(right, then, otherwise);
            }
            ExprKind::LogicalOr(left, right) => {
                let middle = self.builder.block();
                self.branch(left, then, middle)?;
                self.builder.go_on(middle);
                return self.branch(right, then, otherwise);
            }
            ExprKind::Unary(UnaryOperator::Not, inner) => {
                return self.branch(inner, otherwise, then);
            }
            ExprKind::Cast(inner) if matches!(expr.ty, CType::Bool | CType::Int(_)) => {
                let is_logical = matches!(
                    inner.kind,
                    ExprKind::LogicalAnd(..)
                        | ExprKind::LogicalOr(..)
                        | ExprKind::Unary(UnaryOperator::Not, _)
                        | ExprKind::Int(_)
                );
                if is_logical {
                    return self.branch(inner, then, otherwise);
                }
            }
            ExprKind::Int(value) => {
                self.builder
                    .goto(if *value != 0 { then } else { otherwise });
                return Ok(());
            }
            ExprKind::Comma(first, second) => {
                self.effect(first)?;
                return self.branch(second, then, otherwise);
            }
            _ => {}
        }
        if let Some(value) = constant(expr) {
            self.builder.goto(if value != 0 { then } else { otherwise });
            return Ok(());
        }
        let condition: Operand = self.truth(expr)?;
        self.builder.position = self.lowering.position(beginning(expr));
        self.builder.end(Terminator::Branch {
            condition,
            then,
            otherwise,
        });
        Ok(())
    }
}

/// Where the text of an expression begins: operators have the place of their sign.
fn beginning(expr: &Expr) -> Place {
    let first = match &expr.kind {
        ExprKind::Binary(_, first, _)
        | ExprKind::Assign(first, _)
        | ExprKind::AssignOp(_, first, ..)
        | ExprKind::Comma(first, _)
        | ExprKind::Member(first, ..)
        | ExprKind::Load(first)
        | ExprKind::Decay(first)
        | ExprKind::Cast(first)
        | ExprKind::Deref(first)
        | ExprKind::Call(first, _)
        | ExprKind::Conditional(first, ..)
        | ExprKind::Step { target: first, .. } => beginning(first),
        _ => return expr.place,
    };
    let is_before = first.file == expr.place.file
        && (first.line, first.column) < (expr.place.line, expr.place.column)
        && first.line > 0;
    if is_before { first } else { expr.place }
}

/// The value of a condition that is no branch, because it is the same in every run.
fn constant(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Cast(inner) => match (&inner.ty, &expr.ty) {
            (CType::Int(_) | CType::Bool, CType::Int(ty)) => Some(ty.wrap(constant(inner)?)),
            (CType::Int(_), CType::Bool) => Some(i128::from(constant(inner)? != 0)),
            _ => None,
        },
        ExprKind::Unary(UnaryOperator::Not, inner) => Some(i128::from(constant(inner)? == 0)),
        ExprKind::Binary(op, left, right) => {
            let (a, b) = (constant(left)?, constant(right)?);
            let holds = match op {
                BinaryOperator::Lt => a < b,
                BinaryOperator::Le => a <= b,
                BinaryOperator::Gt => a > b,
                BinaryOperator::Ge => a >= b,
                BinaryOperator::Eq => a == b,
                BinaryOperator::Ne => a != b,
                _ => return None,
            };
            Some(i128::from(holds))
        }
        _ => None,
    }
}

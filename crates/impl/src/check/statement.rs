//! Procedures and statements.

use heapwright_spec::diagnostic::{Diagnostic, Span};

use super::hir::{Body, Expr, Statement, StatementKind};
use super::kind::Kind;
use super::scope::Frame;
use super::{Checker, MAIN};
use crate::syntax::ast::{self, ExprKind, Location, Name};

impl Checker {
    pub(super) fn procedure(&mut self, index: usize, procedure: &ast::Procedure) -> Body {
        let signature = self.signatures[index].clone();
        self.frame = Frame::new(false, signature.result);
        for (parameter, sort) in procedure.params.iter().zip(signature.params) {
            let kind = self.declared(sort);
            self.frame.add_parameter(&parameter.name, kind);
        }
        let statements = self.sequence(&procedure.body);
        self.body(
            &procedure.name.text,
            statements,
            procedure.name.span(),
            procedure.end.0,
        )
    }

    pub(super) fn program(&mut self, statements: &[ast::Statement], whole: Span) -> Body {
        self.frame = Frame::new(true, None);
        let span = statements.first().map_or(whole, ast::Statement::span);
        let end = statements.last().map_or(whole, ast::Statement::span);
        let statements = self.sequence(statements);
        self.body(MAIN, statements, span, end.after())
    }

    fn body(&mut self, name: &str, statements: Vec<Statement>, span: Span, end: Span) -> Body {
        let frame = std::mem::take(&mut self.frame);
        Body {
            name: name.to_owned(),
            locals: frame.locals,
            result: frame.result.flatten(),
            statements,
            span,
            end,
        }
    }

    fn sequence(&mut self, statements: &[ast::Statement]) -> Vec<Statement> {
        (statements.iter())
            .filter_map(|statement| self.statement(statement))
            .collect()
    }

    fn block(&mut self, statements: &[ast::Statement]) -> Vec<Statement> {
        self.frame.open();
        let statements = self.sequence(statements);
        self.frame.close();
        statements
    }

    /// A branch of a conditional: its variables are its own, whether it has braces or not.
    fn branch(&mut self, statement: &ast::Statement) -> Vec<Statement> {
        match &statement.kind {
            ast::StatementKind::Block(statements) => self.block(statements),
            _ => self.block(std::slice::from_ref(statement)),
        }
    }

    /// Checks a statement; there is none where nothing is done.
    fn statement(&mut self, statement: &ast::Statement) -> Option<Statement> {
        let span = statement.span();
        let kind = match &statement.kind {
            ast::StatementKind::Skip => return None,
            ast::StatementKind::Assign(place, value) => self.assign(place, value)?,
            ast::StatementKind::Declare { ty, name, value } => {
                self.declare(ty.as_ref(), name, value.as_ref())?
            }
            ast::StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(condition);
                let then = self.branch(then);
                let otherwise = otherwise.as_deref().map(|statement| self.branch(statement));
                StatementKind::If(condition, then, otherwise.unwrap_or_default())
            }
            ast::StatementKind::While(condition, body) => {
                let condition = self.condition(condition);
                StatementKind::While(condition, self.block(body))
            }
            ast::StatementKind::Block(statements) => StatementKind::Block(self.block(statements)),
            ast::StatementKind::Return(value) => self.returned(value.as_ref(), span),
            ast::StatementKind::Assert(condition) => {
                StatementKind::Assert(self.condition(condition))
            }
            ast::StatementKind::Assume(condition) => {
                StatementKind::Assume(self.condition(condition))
            }
            ast::StatementKind::Free(object) => {
                self.frees = true;
                let object = self.expression(object);
                self.demand_kind(object.span, object.ty, Kind::Reference);
                StatementKind::Free(object)
            }
            ast::StatementKind::Call(call) => self.call_statement(call)?,
        };
        Some(Statement { kind, span })
    }

    fn condition(&mut self, condition: &ast::Expr) -> Expr {
        let condition = self.expression(condition);
        self.demand_kind(condition.span, condition.ty, Kind::Condition);
        condition
    }

    /// The variable of the left side is known from here on, also to the right side: `x := x.tail`
    /// reads the variable that it assigns.
    fn assign(&mut self, place: &ast::Expr, value: &ast::Expr) -> Option<StatementKind> {
        match &place.kind {
            ExprKind::Variable(name) => {
                let name = Name {
                    text: name.clone(),
                    location: Location(place.span()),
                };
                let local = self.variable(&name);
                let value = self.expression(value);
                let kind = self.frame.local(local).kind;
                self.demand(value.span, value.ty, kind);
                Some(StatementKind::Assign(local, value))
            }
            ExprKind::Field(object, field) => {
                let object = self.expression(object);
                let (field, ty) = self.field(&object, field);
                let value = self.expression(value);
                self.demand(value.span, value.ty, ty);
                Some(StatementKind::Store(object, field, value))
            }
            // The parser has reported it.
            _ => None,
        }
    }

    fn declare(
        &mut self,
        ty: Option<&Name>,
        name: &Name,
        value: Option<&ast::Expr>,
    ) -> Option<StatementKind> {
        let kind = match ty {
            Some(ty) => {
                let sort = self.resolve_type(ty);
                self.declared(sort)
            }
            None => self.kinds.fresh(Kind::Unknown),
        };
        // The first value is computed before the variable exists.
        let value = value.map(|value| self.expression(value));
        let local = self.declare_variable(name, kind);
        let value = value?;
        self.demand(value.span, value.ty, kind);
        Some(StatementKind::Assign(local, value))
    }

    fn returned(&mut self, value: Option<&ast::Expr>, span: Span) -> StatementKind {
        let expected = self.frame.result;
        let value = value.map(|value| self.expression(value));
        match (&value, expected) {
            (Some(value), Some(sort)) => {
                let expected = self.declared(sort);
                self.demand(value.span, value.ty, expected);
            }
            (Some(value), None) => {
                let what = if self.frame.is_program {
                    "the program itself"
                } else {
                    "this procedure"
                };
                let message = format!("{what} has no result");
                let diagnostic = Diagnostic::error(value.span, message)
                    .with_help("say `returns` and a type behind the parameters of a procedure");
                self.report(diagnostic);
            }
            (None, Some(sort)) => {
                let ty = self.declared(sort);
                let ty = self.kinds.kind(ty).describe(&self.definitions);
                let diagnostic = Diagnostic::error(span, "a result is missing")
                    .with_expected(format!("`return` with {ty}"));
                self.report(diagnostic);
            }
            (None, None) => {}
        }
        StatementKind::Return(value)
    }

    fn call_statement(&mut self, call: &ast::Expr) -> Option<StatementKind> {
        let ExprKind::Call(name, arguments) = &call.kind else {
            return None;
        };
        let (procedure, arguments) = self.call(name, arguments)?;
        Some(StatementKind::Call(procedure, arguments))
    }
}

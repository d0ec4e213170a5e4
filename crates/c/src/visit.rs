//! Going through all expressions of a typed tree.

use crate::ast::{Expr, ExprKind, Init, Stmt, StmtKind, Unit, VariableId};

/// Calls a function for every expression of a statement, inner ones and those of initialisers
/// included.
pub fn visit_statement<'n>(unit: &'n Unit, stmt: &'n Stmt, act: &mut dyn FnMut(&'n Expr)) {
    match &stmt.kind {
        StmtKind::Expr(expr) => visit(unit, expr, act),
        StmtKind::Declare(ids) => {
            for id in ids {
                visit_first_value(unit, *id, act);
            }
        }
        StmtKind::Block(stmts) => {
            for stmt in stmts {
                visit_statement(unit, stmt, act);
            }
        }
        StmtKind::If(condition, then, otherwise) => {
            visit(unit, condition, act);
            visit_statement(unit, then, act);
            if let Some(otherwise) = otherwise {
                visit_statement(unit, otherwise, act);
            }
        }
        StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
            visit(unit, condition, act);
            visit_statement(unit, body, act);
        }
        StmtKind::For {
            init,
            condition,
            step,
            body,
        } => {
            if let Some(init) = init {
                visit_statement(unit, init, act);
            }
            for expr in condition.iter().chain(step) {
                visit(unit, expr, act);
            }
            visit_statement(unit, body, act);
        }
        StmtKind::Switch(value, body) => {
            visit(unit, value, act);
            visit_statement(unit, body, act);
        }
        StmtKind::Case(_, _, body) | StmtKind::Default(body) | StmtKind::Label(_, body) => {
            visit_statement(unit, body, act);
        }
        StmtKind::Return(Some(value)) => visit(unit, value, act),
        _ => {}
    }
}

/// Calls a function for every expression that a variable begins with.
pub fn visit_first_value<'n>(unit: &'n Unit, id: VariableId, act: &mut dyn FnMut(&'n Expr)) {
    let variable = unit.variables.get(id.0 as usize);
    if let Some(init) = variable.and_then(|variable| variable.init.as_ref()) {
        visit_init(unit, init, act);
    }
}

/// Calls a function for every expression of an initialiser.
pub fn visit_init<'n>(unit: &'n Unit, init: &'n Init, act: &mut dyn FnMut(&'n Expr)) {
    match init {
        Init::Value(value) => visit(unit, value, act),
        Init::List(list) => {
            for (_, init) in list {
                visit_init(unit, init, act);
            }
        }
    }
}

/// Calls a function for an expression and all inside of it.
pub fn visit<'n>(unit: &'n Unit, expr: &'n Expr, act: &mut dyn FnMut(&'n Expr)) {
    act(expr);
    match &expr.kind {
        ExprKind::Deref(a)
        | ExprKind::Member(a, ..)
        | ExprKind::Load(a)
        | ExprKind::Decay(a)
        | ExprKind::Address(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Step { target: a, .. }
        | ExprKind::Cast(a)
        | ExprKind::VaArg(a) => visit(unit, a, act),
        ExprKind::Binary(_, a, b)
        | ExprKind::LogicalAnd(a, b)
        | ExprKind::LogicalOr(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::AssignOp(_, a, b, _) => {
            visit(unit, a, act);
            visit(unit, b, act);
        }
        ExprKind::Conditional(a, b, c) => {
            visit(unit, a, act);
            if let Some(b) = b {
                visit(unit, b, act);
            }
            visit(unit, c, act);
        }
        ExprKind::Call(callee, args) => {
            visit(unit, callee, act);
            for arg in args {
                visit(unit, arg, act);
            }
        }
        ExprKind::CompoundLiteral(id) => visit_first_value(unit, *id, act),
        ExprKind::Statements(stmts) => {
            for stmt in stmts {
                visit_statement(unit, stmt, act);
            }
        }
        _ => {}
    }
}

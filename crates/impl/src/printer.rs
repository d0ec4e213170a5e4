//! Trees as text that is read back as the same tree.

use std::fmt::Write;

use crate::syntax::ast::{
    Expr, ExprKind, File, Name, Parameter, Procedure, Statement, StatementKind, Struct, UnaryOp,
};

/// One level of indentation.
const INDENT: &str = "    ";
/// Binds more tightly than every operator with two operands.
const UNARY: u8 = 7;

/// A whole file, ending in a newline unless it is empty.
pub fn print_file(file: &File) -> String {
    let mut parts = Vec::new();
    parts.extend(file.structs.iter().map(print_struct));
    parts.extend(file.procedures.iter().map(print_procedure));
    if !file.statements.is_empty() {
        parts.push(print_statements(&file.statements));
    }
    parts.join("\n")
}

/// A struct, ending in a newline.
pub fn print_struct(structure: &Struct) -> String {
    let fields: Vec<_> = (structure.fields.iter())
        .map(|field| format!(" {};", parameter(field)))
        .collect();
    format!("struct {} {{{} }}\n", structure.name.text, fields.concat())
}

/// A procedure, ending in a newline.
pub fn print_procedure(procedure: &Procedure) -> String {
    let params: Vec<_> = procedure.params.iter().map(parameter).collect();
    let mut out = format!("proc {}({})", procedure.name.text, params.join(", "));
    if let Some(result) = &procedure.result {
        let _ = write!(out, " returns {}", result.text);
    }
    out.push(' ');
    block(&mut out, &procedure.body, 0);
    out.push('\n');
    out
}

/// Statements, one per line.
pub fn print_statements(statements: &[Statement]) -> String {
    let mut out = String::new();
    sequence(&mut out, statements, 0);
    out
}

/// An expression.
pub fn print_expr(expr: &Expr) -> String {
    let mut out = String::new();
    expression(&mut out, expr, 0);
    out
}

fn parameter(parameter: &Parameter) -> String {
    format!("{} {}", parameter.ty.text, parameter.name.text)
}

fn sequence(out: &mut String, statements: &[Statement], level: usize) {
    for next in statements {
        out.push_str(&INDENT.repeat(level));
        statement(out, next, level);
        if !out.ends_with('}') {
            out.push(';');
        }
        out.push('\n');
    }
}

fn block(out: &mut String, statements: &[Statement], level: usize) {
    if statements.is_empty() {
        out.push_str("{}");
        return;
    }
    out.push_str("{\n");
    sequence(out, statements, level + 1);
    out.push_str(&INDENT.repeat(level));
    out.push('}');
}

fn statement(out: &mut String, statement: &Statement, level: usize) {
    match &statement.kind {
        StatementKind::Skip => out.push_str("skip"),
        StatementKind::Assign(place, value) => {
            expression(out, place, 0);
            out.push_str(" := ");
            expression(out, value, 0);
        }
        StatementKind::Declare { ty, name, value } => {
            let ty = ty.as_ref().map_or("var", |ty| &ty.text);
            let _ = write!(out, "{ty} {}", name.text);
            if let Some(value) = value {
                out.push_str(" := ");
                expression(out, value, 0);
            }
        }
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => conditional(out, condition, then, otherwise.as_deref(), level),
        StatementKind::While(condition, body) => {
            out.push_str("while (");
            expression(out, condition, 0);
            out.push_str(") ");
            block(out, body, level);
        }
        StatementKind::Block(statements) => block(out, statements, level),
        StatementKind::Return(None) => out.push_str("return"),
        StatementKind::Return(Some(value)) => keyword(out, "return ", value),
        StatementKind::Assert(value) => keyword(out, "assert ", value),
        StatementKind::Assume(value) => keyword(out, "assume ", value),
        StatementKind::Free(value) => keyword(out, "free ", value),
        StatementKind::Call(call) => expression(out, call, 0),
    }
}

fn keyword(out: &mut String, word: &str, value: &Expr) {
    out.push_str(word);
    expression(out, value, 0);
}

fn conditional(
    out: &mut String,
    condition: &Expr,
    then: &Statement,
    otherwise: Option<&Statement>,
    level: usize,
) {
    out.push_str("if (");
    expression(out, condition, 0);
    out.push_str(") then ");
    if otherwise.is_some() && takes_else(then) {
        block(out, std::slice::from_ref(then), level);
    } else {
        statement(out, then, level);
    }
    if let Some(otherwise) = otherwise {
        out.push_str(" else ");
        statement(out, otherwise, level);
    }
}

/// Whether an `else` behind this statement would belong to it.
fn takes_else(mut statement: &Statement) -> bool {
    while let StatementKind::If { otherwise, .. } = &statement.kind {
        match otherwise {
            None => return true,
            Some(otherwise) => statement = otherwise,
        }
    }
    false
}

fn expression(out: &mut String, expr: &Expr, above: u8) {
    match &expr.kind {
        ExprKind::Variable(name) => out.push_str(name),
        ExprKind::Number(number) => {
            let _ = write!(out, "{number}");
        }
        ExprKind::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Nil => out.push_str("nil"),
        ExprKind::Field(object, field) => {
            let simple = matches!(
                object.kind,
                ExprKind::Variable(_) | ExprKind::Field(..) | ExprKind::Call(..)
            );
            if simple {
                expression(out, object, 0);
            } else {
                parenthesised(out, object);
            }
            let _ = write!(out, ".{}", field.text);
        }
        ExprKind::New(class, None) => {
            let _ = write!(out, "new {}", class.text);
        }
        ExprKind::New(class, Some(arguments)) => {
            out.push_str("new ");
            call(out, class, arguments);
        }
        ExprKind::Call(name, arguments) => call(out, name, arguments),
        ExprKind::Unary(op, operand) => {
            out.push(match op {
                UnaryOp::Negate => '-',
                UnaryOp::Not => '!',
            });
            // `-5` is a number and not the negation of one.
            let number = matches!(operand.kind, ExprKind::Number(number) if number >= 0);
            if *op == UnaryOp::Negate && number {
                parenthesised(out, operand);
            } else {
                expression(out, operand, UNARY);
            }
        }
        ExprKind::Binary(op, left, right) => {
            let precedence = op.precedence();
            if precedence < above {
                return parenthesised(out, expr);
            }
            expression(out, left, precedence);
            let _ = write!(out, " {} ", op.text());
            expression(out, right, precedence + 1);
        }
    }
}

fn parenthesised(out: &mut String, expr: &Expr) {
    out.push('(');
    expression(out, expr, 0);
    out.push(')');
}

fn call(out: &mut String, name: &Name, arguments: &[Expr]) {
    out.push_str(&name.text);
    out.push('(');
    for (index, argument) in arguments.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        expression(out, argument, 0);
    }
    out.push(')');
}

//! Statements without `return`, for programs that become part of a test: `return` would end the
//! test before its check.
//!
//! A flag says that the program has ended. What follows a statement that may set it is done only
//! if it did not, and loops go on only then.

use std::collections::BTreeSet;

use super::error::EmitError;
use super::names::Names;
use super::text::{default_literal, type_name};
use crate::check::built_in_type;
use crate::printer::print_statements;
use crate::program::ImplProgram;
use crate::syntax::ast::{BinaryOp, Expr, ExprKind, Name, Statement, StatementKind, UnaryOp};

/// More than this would nest too deeply.
const MAX_RETURNS: usize = 100;

/// Whether one of the statements may end the program.
pub(super) fn may_return(statements: &[Statement]) -> bool {
    statements.iter().any(returning)
}

/// The statements of a program without `return`. Variables that the test has not `set` get a
/// value first, because it is harder to see now that they are assigned before they are read.
pub(super) fn without_returns(
    program: &ImplProgram,
    statements: &[Statement],
    set: &BTreeSet<String>,
    names: &mut Names,
) -> Result<String, EmitError> {
    if count(statements) > MAX_RETURNS {
        return Err(EmitError::TooManyReturns);
    }
    let flag = names.plain("ended");
    let mut text = format!("bool {flag} := false;\n");
    let definitions = &program.program.definitions;
    let outputs = program.entry.iter().flat_map(|entry| &entry.outputs);
    for output in outputs.filter(|output| !set.contains(&output.name)) {
        let ty = type_name(definitions, output.sort);
        let value = default_literal(output.sort);
        text.push_str(&format!("{ty} {} := {value};\n", output.name));
    }
    let top: Vec<Statement> = statements.iter().filter_map(assigned).collect();
    text.push_str(&print_statements(&sequence(&top, &flag)));
    Ok(text)
}

fn returning(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Return(_) => true,
        StatementKind::If {
            then, otherwise, ..
        } => returning(then) || otherwise.as_deref().is_some_and(returning),
        StatementKind::While(_, body) | StatementKind::Block(body) => may_return(body),
        _ => false,
    }
}

/// How many statements may end the program.
fn count(statements: &[Statement]) -> usize {
    let counts = statements.iter().map(|statement| match &statement.kind {
        StatementKind::If {
            then, otherwise, ..
        } => {
            let inner = count(std::slice::from_ref(then));
            let other = otherwise
                .as_deref()
                .map_or(0, |other| count(std::slice::from_ref(other)));
            inner + other + usize::from(inner + other > 0)
        }
        StatementKind::While(_, body) | StatementKind::Block(body) => {
            let inner = count(body);
            inner + usize::from(inner > 0)
        }
        other => usize::from(matches!(other, StatementKind::Return(_))),
    });
    counts.sum()
}

/// Declarations outside of blocks are assignments here: the variables exist already.
fn assigned(statement: &Statement) -> Option<Statement> {
    match &statement.kind {
        StatementKind::Declare { name, value, .. } => {
            let place = Expr::variable(&name.text);
            let value = value.clone()?;
            Some(Statement::new(StatementKind::Assign(place, value)))
        }
        _ => Some(statement.clone()),
    }
}

/// The same without `return`, from the end to the beginning.
fn sequence(statements: &[Statement], flag: &str) -> Vec<Statement> {
    let mut rest: Vec<Statement> = Vec::new();
    for statement in statements.iter().rev() {
        let next = without_return(statement, flag);
        if returning(statement) && !rest.is_empty() {
            rest.reverse();
            rest = vec![Statement::new(StatementKind::If {
                condition: not(flag),
                then: Box::new(Statement::new(StatementKind::Block(rest))),
                otherwise: None,
            })];
        }
        rest.push(next);
    }
    rest.reverse();
    rest
}

fn without_return(statement: &Statement, flag: &str) -> Statement {
    let kind = match &statement.kind {
        StatementKind::Return(_) => {
            let value = Expr::new(ExprKind::Bool(true));
            StatementKind::Assign(Expr::variable(flag), value)
        }
        StatementKind::If {
            condition,
            then,
            otherwise,
        } => StatementKind::If {
            condition: condition.clone(),
            then: Box::new(without_return(then, flag)),
            otherwise: (otherwise.as_deref())
                .map(|otherwise| Box::new(without_return(otherwise, flag))),
        },
        StatementKind::While(condition, body) if may_return(body) => {
            let condition = Expr::binary(BinaryOp::And, not(flag), condition.clone());
            StatementKind::While(condition, sequence(body, flag))
        }
        StatementKind::While(condition, body) => {
            StatementKind::While(condition.clone(), sequence(body, flag))
        }
        StatementKind::Block(body) => StatementKind::Block(sequence(body, flag)),
        StatementKind::Declare {
            ty: Some(ty),
            name,
            value: None,
        } => StatementKind::Declare {
            ty: Some(ty.clone()),
            name: name.clone(),
            value: Some(first_value(ty)),
        },
        other => other.clone(),
    };
    Statement::new(kind)
}

fn not(flag: &str) -> Expr {
    let flag = Box::new(Expr::variable(flag));
    Expr::new(ExprKind::Unary(UnaryOp::Not, flag))
}

fn first_value(ty: &Name) -> Expr {
    Expr::new(match built_in_type(&ty.text).map(default_literal) {
        Some("false") => ExprKind::Bool(false),
        Some(_) => ExprKind::Number(0),
        None => ExprKind::Nil,
    })
}

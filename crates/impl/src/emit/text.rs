//! Pieces of ImpL text: literals, types, tokens, lines that are not too long.

use heapwright_logic::{Definitions, Sort, Value};
use heapwright_spec::diagnostic::FileId;

use crate::syntax::{Token, TokenKind, tokenize};

/// How long lines get, unless a single piece is longer.
pub(super) const WIDTH: usize = 96;

/// The tokens of a text without the end; what cannot be read is left out.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let (mut tokens, _) = tokenize(FileId(0), text);
    tokens.retain(|token| token.kind != TokenKind::End);
    tokens
}

/// A scalar or nil as it is written; nothing for a reference, and for what ImpL does not have.
pub(super) fn literal(value: Value) -> Option<String> {
    match value {
        Value::Null => Some("nil".to_owned()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Int(value) => Some(value.to_string()),
        Value::Ref(_) | Value::Single(_) | Value::Double(_) => None,
    }
}

/// A type as it is written.
pub(super) fn type_name(definitions: &Definitions, sort: Sort) -> &str {
    match sort {
        Sort::Bool => "bool",
        Sort::Machine(ty) => ty.name(),
        Sort::Ref(class) => &definitions.class(class).name,
        // No variable of ImpL has these sorts.
        Sort::Int | Sort::Float(_) => "int",
    }
}

/// The value of a variable to which nothing was assigned.
pub(super) fn default_literal(sort: Sort) -> &'static str {
    match sort {
        Sort::Bool => "false",
        Sort::Ref(_) => "nil",
        Sort::Int | Sort::Machine(_) | Sort::Float(_) => "0",
    }
}

/// The condition that something has a scalar value or is nil.
pub(super) fn has_value(place: &str, value: Value) -> Option<String> {
    match value {
        Value::Bool(true) => Some(place.to_owned()),
        Value::Bool(false) => Some(format!("!{place}")),
        _ => literal(value).map(|literal| format!("{place} == {literal}")),
    }
}

/// Assertions of all conditions, several on a line.
pub(super) fn assertions(conditions: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for condition in conditions {
        match lines.last_mut() {
            Some(line) if line.len() + condition.len() + 5 <= WIDTH => {
                line.push_str(" && ");
                line.push_str(condition);
            }
            _ => lines.push(format!("assert {condition}")),
        }
    }
    for line in &mut lines {
        line.push(';');
    }
    lines
}

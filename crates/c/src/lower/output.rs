//! Functions of the library that only show something.
//!
//! Nobody sees what they show, so a call whose result is not used is its arguments. But what is shown
//! as a string is read to its end, and has to be one.

use heapwright_ir::{Callee, Operation};
use heapwright_logic::{IntType, Sort};

use super::function::Body;
use crate::ast::{CType, Expr, ExprKind};
use crate::error::CError;

/// Functions that only show something.
const OUTPUT: [&str; 9] = [
    "printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc", "perror", "fflush",
];

/// The function of the library that reads the strings which another one shows.
pub fn reader(name: &str) -> Option<&'static str> {
    match name {
        "printf" | "fprintf" => Some("shown"),
        "puts" | "fputs" | "perror" => Some("strlen"),
        _ => None,
    }
}

impl Body<'_, '_> {
    /// Whether a function only shows something, so that only its result is unknown.
    pub(super) fn is_output(name: &str) -> bool {
        OUTPUT.contains(&name)
    }

    /// A call that only shows something: its arguments are evaluated, and strings among them have to
    /// be strings.
    pub(super) fn output(&mut self, name: &str, args: &[Expr]) -> Result<(), CError> {
        let shown: Vec<usize> = match (name, args) {
            ("puts" | "fputs" | "perror", _) => vec![0],
            ("printf", [format, ..]) => strings_shown(format, 1),
            ("fprintf", [_, format, ..]) => strings_shown(format, 2),
            _ => Vec::new(),
        };
        for (index, arg) in args.iter().enumerate() {
            let is_text = shown.contains(&index) && matches!(arg.ty, CType::Pointer(_));
            let reader = reader(name).unwrap_or_default();
            match (is_text, self.prelude(reader)) {
                (true, Some((length, known))) => {
                    let value = self.rvalue(arg)?;
                    let Some(ty) = known.signature.params.first() else {
                        continue;
                    };
                    let sort = self.lowering.sort(arg.place, ty)?;
                    let text = self
                        .builder
                        .value(sort, |to| Operation::Move { to, from: value });
                    self.builder.position = self.lowering.position(arg.place);
                    let to = Some(self.builder.register(None, Sort::Machine(IntType::U64)));
                    self.builder.emit(Operation::Call {
                        to,
                        callee: Callee::Static(length),
                        args: vec![text],
                    });
                }
                _ => self.effect(arg)?,
            }
        }
        Ok(())
    }
}

/// Which arguments a format shows to their ends: those of `%s` without a precision. The first one that
/// a conversion is about has the number `first`.
fn strings_shown(format: &Expr, first: usize) -> Vec<usize> {
    let mut text = format;
    while let ExprKind::Load(inner) | ExprKind::Decay(inner) | ExprKind::Cast(inner) = &text.kind {
        text = inner;
    }
    let ExprKind::String(units) = &text.kind else {
        return Vec::new();
    };
    let mut units = units.iter().filter_map(|&unit| char::from_u32(unit));
    let mut shown = Vec::new();
    let mut next = first;
    while units.by_ref().any(|unit| unit == '%') {
        let mut is_cut = false;
        let conversion = loop {
            match units.next() {
                Some('*') => next += 1,
                Some('.') => is_cut = true,
                Some('-' | '+' | ' ' | '#' | '0'..='9' | 'h' | 'l' | 'j' | 'z' | 't' | 'L') => {}
                other => break other,
            }
        };
        match conversion {
            Some('%') => {}
            Some('s') if !is_cut => {
                shown.push(next);
                next += 1;
            }
            _ => next += 1,
        }
    }
    shown
}

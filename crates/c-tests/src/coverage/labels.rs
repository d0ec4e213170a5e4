//! The labels of switches, by the numbers that the core language gives them.

use heapwright_c::CUnit;
use heapwright_c::ast::{Place, Stmt, StmtKind};
use heapwright_ir::{FunctionId, Position};

use super::llvm::Spot;

/// The place of a case of the switch at a place: its label, or the value of the switch for the
/// default that is not written. `None` if there is no such switch among the statements of the
/// function.
pub(super) fn of_case(
    unit: &CUnit,
    function: FunctionId,
    switch: Position,
    number: usize,
) -> Option<Spot> {
    let body = unit.function(function)?.body.as_ref()?;
    let mut found = None;
    visit(body, &mut |stmt| {
        let at = (stmt.place.line, stmt.place.column);
        if matches!(stmt.kind, StmtKind::Switch(..)) && at == (switch.line, switch.column) {
            found = Some(stmt);
        }
        true
    });
    let StmtKind::Switch(value, body) = &found?.kind else {
        return None;
    };
    let mut cases = Vec::new();
    let mut default = value.place;
    visit(body, &mut |stmt| {
        match stmt.kind {
            // A range stands for all of its values.
            StmtKind::Case(first, last, _) => {
                cases.extend((first..=last).map(|_| stmt.place));
            }
            StmtKind::Default(_) => default = stmt.place,
            StmtKind::Switch(..) => return false,
            _ => {}
        }
        true
    });
    let Place { line, column, .. } = cases.get(number).copied().unwrap_or(default);
    Some((line, column))
}

/// Visits a statement and those in it, in the order of the text, as long as it is wanted.
fn visit<'s>(stmt: &'s Stmt, act: &mut dyn FnMut(&'s Stmt) -> bool) {
    if !act(stmt) {
        return;
    }
    match &stmt.kind {
        StmtKind::Block(stmts) => stmts.iter().for_each(|stmt| visit(stmt, act)),
        StmtKind::If(_, then, otherwise) => {
            visit(then, act);
            if let Some(otherwise) = otherwise {
                visit(otherwise, act);
            }
        }
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::Switch(_, body)
        | StmtKind::Case(_, _, body)
        | StmtKind::Default(body)
        | StmtKind::Label(_, body)
        | StmtKind::For { body, .. } => visit(body, act),
        _ => {}
    }
}

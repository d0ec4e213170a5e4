//! Scripts without the calls that a branch does not need.

use super::{Operand, Script};

/// Takes statements out, the last ones first, as long as what is left still does what it should. The
/// last statement stays.
pub(super) fn reduced(script: Script, mut is_enough: impl FnMut(&Script) -> bool) -> Script {
    let mut best = script;
    let mut index = best.statements.len().saturating_sub(1);
    while index > 0 {
        index -= 1;
        let Some(shorter) = without(&best, index) else {
            continue;
        };
        if is_enough(&shorter) {
            best = shorter;
        }
    }
    best
}

/// A script without a statement and those that use what it gave. `None` if that takes the last one.
fn without(script: &Script, index: usize) -> Option<Script> {
    let mut numbers: Vec<Option<u32>> = Vec::new();
    let mut left = Script::default();
    for (position, statement) in script.statements.iter().enumerate() {
        let mut statement = statement.clone();
        let mut is_left = position != index;
        for operand in &mut statement.operands {
            if let Operand::Variable(variable) = operand {
                match numbers.get(*variable as usize).copied().flatten() {
                    Some(number) => *variable = number,
                    None => is_left = false,
                }
            }
        }
        numbers.push(is_left.then_some(left.statements.len() as u32));
        if is_left {
            left.statements.push(statement);
        } else if position + 1 == script.statements.len() {
            return None;
        }
    }
    Some(left)
}

//! A function with one of its instructions changed.

use heapwright_ir::{Function, Operand, Operation, Terminator};

use super::mutant::{Change, Mutant};

/// Changes a function. `None` if the mutant is none of this function.
pub(super) fn apply(function: &Function, mutant: &Mutant) -> Option<Function> {
    let mut changed = function.clone();
    let block = changed.blocks.get_mut(mutant.point.block.index())?;
    let index = mutant.point.instruction as usize;
    if index == block.instructions.len() {
        match (&mut block.terminator, mutant.change) {
            (
                Terminator::Branch {
                    then, otherwise, ..
                },
                Change::Negated,
            ) => std::mem::swap(then, otherwise),
            (Terminator::Return(value), Change::Returns(constant)) => {
                *value = Some(Operand::Constant(constant));
            }
            _ => return None,
        }
        return Some(changed);
    }
    let operation = &mut block.instructions.get_mut(index)?.operation;
    match mutant.change {
        Change::Operator { to, .. } => match operation {
            Operation::Binary { op, .. } => *op = to,
            _ => return None,
        },
        Change::SwappedOperands => match operation {
            Operation::Binary { a, b, .. } => std::mem::swap(a, b),
            _ => return None,
        },
        Change::WithoutOperator => match *operation {
            Operation::Unary { to, a, .. } => *operation = Operation::Move { to, from: a },
            _ => return None,
        },
        Change::Constant { operand, to, .. } => {
            *constant(operation, operand)? = Operand::Constant(to);
        }
        Change::OtherField { field: other } => match operation {
            Operation::Load { field, .. } | Operation::Store { field, .. } => *field = other,
            _ => return None,
        },
        Change::SwappedArguments { first } => match operation {
            Operation::Call { args, .. } if first + 1 < args.len() => args.swap(first, first + 1),
            _ => return None,
        },
        Change::LeftOut(result) => match (&*operation, result) {
            (Operation::Call { to: Some(to), .. }, Some(value)) => {
                *operation = Operation::Move {
                    to: *to,
                    from: Operand::Constant(value),
                };
            }
            _ => {
                block.instructions.remove(index);
            }
        },
        Change::Negated | Change::Returns(_) => return None,
    }
    Some(changed)
}

/// An operand that is changed, counted as the mutants count them.
fn constant(operation: &mut Operation, operand: usize) -> Option<&mut Operand> {
    match operation {
        Operation::Move { from, .. } => (operand == 0).then_some(from),
        Operation::Binary { a, b, .. } => match operand {
            0 => Some(a),
            1 => Some(b),
            _ => None,
        },
        Operation::Store { value, .. } => (operand == 1).then_some(value),
        Operation::LoadElement { index, .. } => (operand == 1).then_some(index),
        Operation::StoreElement { index, value, .. } => match operand {
            1 => Some(index),
            2 => Some(value),
            _ => None,
        },
        Operation::Call { args, .. } => args.get_mut(operand),
        _ => None,
    }
}

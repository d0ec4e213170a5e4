//! What operations and jumps do to what is known.

use heapwright_ir::{
    BinaryOp, BlockId, Comparison, Constant, Operand, Operation, Program, Reg, Terminator, UnaryOp,
};

use super::state::{Fact, State, Test};
use crate::analysis::effects::has_layouts;

/// What is known about an operand.
pub fn fact(state: &State, operand: Operand) -> Fact {
    match operand {
        Operand::Register(register) => state.fact(register),
        Operand::Constant(Constant::Null) => Fact::Null,
        Operand::Global(_) => Fact::NotNull,
        Operand::Constant(_) => Fact::Any,
    }
}

/// The register of an operand.
pub fn register(operand: Operand) -> Option<Reg> {
    match operand {
        Operand::Register(register) => Some(register),
        Operand::Constant(_) | Operand::Global(_) => None,
    }
}

/// An operation other than a call is executed. False if execution never gets past it.
#[must_use]
pub fn apply(program: &Program, operation: &Operation, state: &mut State) -> bool {
    match *operation {
        Operation::Move { to, from } => match register(from) {
            Some(from) => state.copy(to, from),
            None => state.assign(to, fact(state, from)),
        },
        Operation::Unary {
            to,
            op: UnaryOp::Not,
            a,
        } => {
            let test = register(a).and_then(|a| state.test(a));
            let negated = test.map(|test| Test {
                null_if: !test.null_if,
                ..test
            });
            state.set_test(to, negated);
        }
        Operation::Binary {
            to,
            op: BinaryOp::Compare(comparison @ (Comparison::Eq | Comparison::Ne)),
            a,
            b,
        } => {
            let compared = match (fact(state, a), fact(state, b)) {
                (_, Fact::Null) => register(a),
                (Fact::Null, _) => register(b),
                _ => None,
            };
            let test = compared.map(|register| Test {
                register,
                null_if: comparison == Comparison::Eq,
            });
            state.set_test(to, test);
        }
        Operation::New { to, .. }
        | Operation::NewArray { to, .. }
        | Operation::ElementAddress { to, .. } => state.assign(to, Fact::NotNull),
        Operation::FieldAddress { to, object, .. } => {
            if !dereference(state, object) {
                return false;
            }
            state.assign(to, Fact::NotNull);
        }
        Operation::Load {
            to, object, field, ..
        } => {
            if !dereference(state, object) {
                return false;
            }
            match register(object) {
                Some(base) => state.load(to, (base, field)),
                None => state.assign(to, Fact::Any),
            }
        }
        Operation::Store {
            object,
            field,
            value,
            ..
        } => {
            if !dereference(state, object) {
                return false;
            }
            let value = fact(state, value);
            if has_layouts(program) {
                state.forget(|_| true);
            }
            match register(object) {
                Some(base) => state.store((base, field), value),
                None => state.forget(|_| true),
            }
        }
        Operation::StoreElement { array, .. } => {
            if !dereference(state, array) {
                return false;
            }
            if has_layouts(program) {
                state.forget(|_| true);
            }
        }
        Operation::LoadElement { to, array, .. } | Operation::Length { to, array } => {
            if !dereference(state, array) {
                return false;
            }
            state.assign(to, Fact::Any);
        }
        Operation::CopyBytes { .. } | Operation::FillBytes { .. } => state.forget(|_| true),
        Operation::Cast { to, .. } | Operation::Undefine { to } => state.assign(to, Fact::Any),
        Operation::Extent { to, .. } => state.assign(to, Fact::Any),
        Operation::Assert { condition, .. }
        | Operation::Check { condition, .. }
        | Operation::Assume { condition } => {
            return decided(state, condition, true);
        }
        Operation::Unary { to, .. }
        | Operation::Binary { to, .. }
        | Operation::InstanceOf { to, .. } => state.assign(to, Fact::Any),
        Operation::Free { .. } | Operation::CheckCast { .. } => {}
        Operation::Call { to, .. } => {
            state.forget(|_| true);
            if let Some(to) = to {
                state.assign(to, Fact::Any);
            }
        }
    }
    true
}

/// The ways out of a block that are possible: the number of the edge if it counts, the block,
/// and what is known there.
pub fn successors(terminator: &Terminator, state: &State) -> Vec<(Option<u32>, BlockId, State)> {
    match terminator {
        Terminator::Goto(block) => vec![(None, *block, state.clone())],
        Terminator::Branch {
            condition,
            then,
            otherwise,
        } => {
            let ways = [(0, *then, true), (1, *otherwise, false)];
            (ways.into_iter())
                .filter_map(|(edge, block, truth)| {
                    let mut state = state.clone();
                    decided(&mut state, *condition, truth).then_some((Some(edge), block, state))
                })
                .collect()
        }
        Terminator::Switch { cases, default, .. } => {
            let targets = cases.iter().map(|(_, block)| *block).chain([*default]);
            let numbered = (0u32..).zip(targets);
            numbered
                .map(|(edge, block)| (Some(edge), block, state.clone()))
                .collect()
        }
        Terminator::Return(_)
        | Terminator::Throw(_)
        | Terminator::Unreachable
        | Terminator::Absent => Vec::new(),
    }
}

/// How many edges of branch coverage a terminator has.
pub fn jumps(terminator: &Terminator) -> u32 {
    match terminator {
        Terminator::Branch { .. } => 2,
        Terminator::Switch { cases, .. } => cases.len() as u32 + 1,
        _ => 0,
    }
}

/// A reference is dereferenced, and execution goes on: it was not null.
fn dereference(state: &mut State, object: Operand) -> bool {
    match object {
        Operand::Register(register) => state.refine(register, Fact::NotNull),
        Operand::Constant(_) => false,
        Operand::Global(_) => true,
    }
}

/// A condition turned out to be true or false. False if that cannot be.
fn decided(state: &mut State, condition: Operand, truth: bool) -> bool {
    match condition {
        Operand::Constant(Constant::Bool(value)) => value == truth,
        Operand::Constant(_) | Operand::Global(_) => true,
        Operand::Register(register) => match state.test(register) {
            None => true,
            Some(test) => {
                let fact = match test.null_if == truth {
                    true => Fact::Null,
                    false => Fact::NotNull,
                };
                state.refine(test.register, fact)
            }
        },
    }
}

//! Which registers operations and jumps read and write.

use crate::function::{BlockId, Reg};
use crate::instruction::{Arithmetic, BinaryOp, Operand, Operation, Terminator};

impl Operation {
    /// The register that the operation writes.
    pub fn target(&self) -> Option<Reg> {
        match self {
            Operation::Move { to, .. }
            | Operation::Unary { to, .. }
            | Operation::Binary { to, .. }
            | Operation::New { to, .. }
            | Operation::NewArray { to, .. }
            | Operation::Load { to, .. }
            | Operation::LoadElement { to, .. }
            | Operation::Length { to, .. }
            | Operation::FieldAddress { to, .. }
            | Operation::ElementAddress { to, .. }
            | Operation::Cast { to, .. }
            | Operation::Undefine { to }
            | Operation::Extent { to, .. }
            | Operation::InstanceOf { to, .. } => Some(*to),
            Operation::Call { to, .. } => *to,
            Operation::Free { .. }
            | Operation::Store { .. }
            | Operation::StoreElement { .. }
            | Operation::CheckCast { .. }
            | Operation::CopyBytes { .. }
            | Operation::FillBytes { .. }
            | Operation::Check { .. }
            | Operation::Assert { .. }
            | Operation::Assume { .. } => None,
        }
    }

    /// The values that the operation reads, in order.
    pub fn operands(&self) -> Vec<Operand> {
        match self {
            Operation::Move { from: a, .. }
            | Operation::Unary { a, .. }
            | Operation::NewArray { length: a, .. }
            | Operation::Free { object: a }
            | Operation::Load { object: a, .. }
            | Operation::Length { array: a, .. }
            | Operation::FieldAddress { object: a, .. }
            | Operation::InstanceOf { object: a, .. }
            | Operation::CheckCast { object: a, .. }
            | Operation::Cast { from: a, .. }
            | Operation::Extent { object: a, .. }
            | Operation::Check { condition: a, .. }
            | Operation::Assert { condition: a, .. }
            | Operation::Assume { condition: a } => vec![*a],
            Operation::Binary { a, b, .. }
            | Operation::Store {
                object: a,
                value: b,
                ..
            }
            | Operation::LoadElement {
                array: a, index: b, ..
            }
            | Operation::ElementAddress {
                array: a, index: b, ..
            } => vec![*a, *b],
            Operation::StoreElement {
                array,
                index,
                value,
            } => vec![*array, *index, *value],
            Operation::CopyBytes {
                to, from, count, ..
            } => vec![*to, *from, *count],
            Operation::FillBytes { to, value, count } => [Some(*to), *value, Some(*count)]
                .into_iter()
                .flatten()
                .collect(),
            Operation::New { .. } | Operation::Undefine { .. } => Vec::new(),
            Operation::Call { args, .. } => args.clone(),
        }
    }

    /// Whether the operation may end in a fault or an exception, and so in a handler.
    pub fn may_throw(&self) -> bool {
        match self {
            Operation::Binary {
                op: BinaryOp::Int(_, arithmetic),
                ..
            } => matches!(arithmetic, Arithmetic::Div | Arithmetic::Rem),
            Operation::Move { .. }
            | Operation::Unary { .. }
            | Operation::Binary { .. }
            | Operation::New { .. }
            | Operation::Cast { .. }
            | Operation::Undefine { .. }
            | Operation::Assume { .. } => false,
            Operation::NewArray { .. }
            | Operation::Free { .. }
            | Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::LoadElement { .. }
            | Operation::StoreElement { .. }
            | Operation::Length { .. }
            | Operation::FieldAddress { .. }
            | Operation::ElementAddress { .. }
            | Operation::InstanceOf { .. }
            | Operation::CheckCast { .. }
            | Operation::Call { .. }
            | Operation::Extent { .. }
            | Operation::CopyBytes { .. }
            | Operation::FillBytes { .. }
            | Operation::Check { .. }
            | Operation::Assert { .. } => true,
        }
    }
}

impl Terminator {
    /// The value that the jump reads.
    pub(crate) fn operand(&self) -> Option<Operand> {
        match self {
            Terminator::Branch { condition, .. } => Some(*condition),
            Terminator::Switch { value, .. } | Terminator::Throw(value) => Some(*value),
            Terminator::Return(value) => *value,
            Terminator::Goto(_) | Terminator::Unreachable | Terminator::Absent => None,
        }
    }

    /// Where execution may go on, but for handlers.
    pub fn successors(&self) -> Vec<BlockId> {
        match self {
            Terminator::Goto(target) => vec![*target],
            Terminator::Branch {
                then, otherwise, ..
            } => vec![*then, *otherwise],
            Terminator::Switch { cases, default, .. } => {
                let cases = cases.iter().map(|(_, target)| *target);
                cases.chain([*default]).collect()
            }
            Terminator::Return(_)
            | Terminator::Throw(_)
            | Terminator::Unreachable
            | Terminator::Absent => Vec::new(),
        }
    }
}

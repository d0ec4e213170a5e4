//! Functions that do something at most once: they initialise a class, or fill a literal.
//!
//! Such a *guard* begins by looking into a global, and returns at once if it was called before. A
//! memory says whether it would.

use heapwright_ir::machine::concrete::{Value as Concrete, arithmetic};
use heapwright_ir::{BlockId, Function, GlobalId, Operand, Operation, Reg, Terminator};
use rustc_hash::FxHashMap;

/// How many instructions and jumps a guard may take to return.
const STEPS: usize = 16;

/// Whether a function is a guard: it has no parameters, and begins with a look into a global.
pub(super) fn is_guard(function: &Function) -> bool {
    let entry = function.blocks.first();
    let first = entry.and_then(|block| block.instructions.first());
    let looks = first.is_some_and(|first| {
        matches!(
            first.operation,
            Operation::Load {
                object: Operand::Global(_),
                ..
            }
        )
    });
    function.synthetic && function.params == 0 && looks
}

/// Whether a function returns without doing anything, where a field of a global has a value as
/// told; `None` where that is not known.
pub fn returns_at_once(
    function: &Function,
    read: impl Fn(GlobalId, u32) -> Option<Concrete>,
) -> bool {
    let mut known: FxHashMap<Reg, Concrete> = FxHashMap::default();
    let mut block = BlockId(0);
    let mut steps = 0;
    while let Some(code) = function.blocks.get(block.index()) {
        for instruction in &code.instructions {
            steps += 1;
            let value = |operand: Operand| match operand {
                Operand::Constant(constant) => Some(constant.into()),
                Operand::Register(register) => known.get(&register).copied(),
                Operand::Global(_) => None,
            };
            let found = match instruction.operation {
                Operation::Load {
                    object: Operand::Global(global),
                    field,
                    ..
                } => read(global, field),
                Operation::Move { from, .. } => value(from),
                Operation::Binary { op, a, b, .. } => match (value(a), value(b)) {
                    (Some(a), Some(b)) => arithmetic::binary(op, a, b),
                    _ => None,
                },
                _ => None,
            };
            match (instruction.operation.target(), found) {
                (Some(target), Some(found)) => known.insert(target, found),
                _ => return false,
            };
        }
        let value = |operand: &Operand| match operand {
            Operand::Register(register) => known.get(register).copied(),
            _ => None,
        };
        steps += 1;
        block = match &code.terminator {
            _ if steps > STEPS => return false,
            Terminator::Return(_) => return true,
            Terminator::Goto(next) => *next,
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => match value(condition) {
                Some(Concrete::Bool(true)) => *then,
                Some(Concrete::Bool(false)) => *otherwise,
                _ => return false,
            },
            Terminator::Switch {
                value: number,
                cases,
                default,
            } => match value(number) {
                Some(Concrete::Int(number)) => {
                    let case = cases.iter().find(|(case, _)| *case == number);
                    case.map_or(*default, |(_, block)| *block)
                }
                _ => return false,
            },
            Terminator::Throw(_) | Terminator::Unreachable | Terminator::Absent => return false,
        };
    }
    false
}

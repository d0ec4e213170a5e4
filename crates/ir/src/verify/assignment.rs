//! Definite assignment: every register that is read was written before, on every path.
//!
//! A forward analysis over the blocks. The state is the set of registers that are surely written;
//! where paths meet, the sets are intersected. Sets only shrink, so it ends.

use super::Violation;
use super::functions::Body;
use crate::function::{Block, BlockId, Function, Reg};
use crate::instruction::{Operand, Terminator};

/// A set of registers.
#[derive(Clone, PartialEq, Eq)]
struct Registers {
    count: usize,
    words: Vec<u64>,
}

impl Registers {
    fn empty(count: usize) -> Self {
        Registers {
            count,
            words: vec![0; count.div_ceil(64)],
        }
    }

    /// Registers that do not exist are reported elsewhere; here they are always written.
    fn contains(&self, register: Reg) -> bool {
        let word = self.words.get(register.index() / 64);
        let written = word.is_some_and(|word| word & (1 << (register.index() % 64)) != 0);
        written || register.index() >= self.count
    }

    fn insert(&mut self, register: Reg) {
        if let Some(word) = self.words.get_mut(register.index() / 64) {
            *word |= 1 << (register.index() % 64);
        }
    }

    /// Keeps what is in the other set too; whether that changed anything.
    fn intersect(&mut self, other: &Registers) -> bool {
        let mut changed = false;
        for (word, other) in self.words.iter_mut().zip(&other.words) {
            changed |= *word & !other != 0;
            *word &= other;
        }
        changed
    }
}

impl Body<'_, '_> {
    /// Reports every read of a register that may not have been written.
    pub(super) fn check_assignment(&mut self) {
        let function = self.function;
        let states = surely_written(function);
        for ((id, block), state) in (0u32..).map(BlockId).zip(&function.blocks).zip(states) {
            let Some(mut written) = state else {
                continue;
            };
            self.block = Some(id);
            for (index, instruction) in block.instructions.iter().enumerate() {
                self.instruction = Some(index);
                for operand in instruction.operation.operands() {
                    self.check_read(operand, &mut written);
                }
                if let Some(register) = instruction.operation.target() {
                    written.insert(register);
                }
            }
            self.instruction = None;
            if let Some(operand) = block.terminator.operand() {
                self.check_read(operand, &mut written);
            }
        }
    }

    fn check_read(&mut self, operand: Operand, written: &mut Registers) {
        let Operand::Register(register) = operand else {
            return;
        };
        if !written.contains(register) {
            let known = self.function.registers.get(register.index());
            let name = known.and_then(|register| register.name.as_ref());
            let shown = match name {
                Some(name) => format!("%{} (`{name}`)", register.0),
                None => format!("%{}", register.0),
            };
            self.report(Violation::Unassigned(shown));
            // Once per block is enough.
            written.insert(register);
        }
    }
}

/// The registers that are surely written at the beginning of each block; none for blocks that
/// cannot be reached.
fn surely_written(function: &Function) -> Vec<Option<Registers>> {
    let mut states: Vec<Option<Registers>> = vec![None; function.blocks.len()];
    let mut pending = Vec::new();
    if let Some(entry) = states.first_mut() {
        let mut params = Registers::empty(function.registers.len());
        let count = function.registers.len().min(function.params as usize);
        for index in 0..count {
            params.insert(Reg(index as u32));
        }
        *entry = Some(params);
        pending.push(BlockId(0));
    }
    while let Some(id) = pending.pop() {
        let (Some(block), Some(Some(state))) =
            (function.blocks.get(id.index()), states.get(id.index()))
        else {
            continue;
        };
        for (target, written) in leave(block, state.clone()) {
            let changed = match states.get_mut(target.index()) {
                None => false,
                Some(Some(before)) => before.intersect(&written),
                Some(unreached) => {
                    *unreached = Some(written);
                    true
                }
            };
            if changed {
                pending.push(target);
            }
        }
    }
    states
}

/// The edges out of a block, with what is surely written on them.
fn leave(block: &Block, mut written: Registers) -> Vec<(BlockId, Registers)> {
    // The state where the first exception may be thrown; later ones know more registers.
    let mut thrown = None;
    for instruction in &block.instructions {
        if thrown.is_none() && instruction.operation.may_throw() {
            thrown = Some(written.clone());
        }
        if let Some(register) = instruction.operation.target() {
            written.insert(register);
        }
    }
    if thrown.is_none() && matches!(block.terminator, Terminator::Throw(_)) {
        thrown = Some(written.clone());
    }
    let mut edges = Vec::new();
    if let Some(thrown) = thrown {
        for handler in &block.handlers {
            let mut caught = thrown.clone();
            caught.insert(handler.exception);
            edges.push((handler.block, caught));
        }
    }
    let successors = block.terminator.successors();
    edges.extend(
        successors
            .into_iter()
            .map(|target| (target, written.clone())),
    );
    edges
}

//! Leading a run around something that cannot be executed.
//!
//! A domain may stop a run because an answer is not known, and whoever drives the machine may
//! still know how the run can go on: behind the instruction with some result, in a later block,
//! or in the caller. What is skipped is not executed, so whoever skips it has to say which
//! registers it would have written.

use super::{Domain, Machine, ProgramPoint};
use crate::function::{BlockId, Reg};

impl<D: Domain> Machine<'_, D> {
    /// The points that the active calls have reached, outermost first.
    pub fn calls(
        &self,
    ) -> impl DoubleEndedIterator<Item = ProgramPoint> + ExactSizeIterator + Clone {
        self.frames.iter().map(|frame| ProgramPoint {
            function: frame.function,
            block: frame.block,
            instruction: frame.next,
        })
    }

    /// The value of a register of the innermost call, if it has one.
    pub fn register(&self, register: Reg) -> Option<&D::Value> {
        let registers = &self.frames.last()?.registers;
        registers.get(register.index())?.as_ref()
    }

    /// Sets a register of the innermost call.
    pub fn assign(&mut self, register: Reg, value: D::Value) {
        let frame = self.frames.last_mut();
        if let Some(slot) = frame.and_then(|frame| frame.registers.get_mut(register.index())) {
            *slot = Some(value);
        }
    }

    /// Leaves the next instruction of the innermost call out.
    pub fn skip(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next += 1;
        }
    }

    /// Lets the innermost call go on with the beginning of a block.
    pub fn go_to(&mut self, block: BlockId) {
        if let Some(frame) = self.frames.last_mut() {
            frame.block = block;
            frame.next = 0;
        }
    }

    /// Ends the innermost call with a result, which is ignored if its caller wants none. Returns
    /// whether there is a caller to go on with.
    pub fn leave_with(&mut self, value: D::Value) -> bool {
        let Some(frame) = self.frames.pop() else {
            return false;
        };
        self.domain.on_leave();
        if self.frames.is_empty() {
            return false;
        }
        if let Some(register) = frame.result {
            self.assign(register, value);
        }
        self.skip();
        true
    }
}

//! Leading a run around something that cannot be executed.
//!
//! A domain may stop a run because an answer is not known, and whoever drives the machine may
//! still know how the run can go on: behind the instruction with some result, in a later block,
//! or in the caller. What is skipped is not executed, so whoever skips it has to say which
//! registers it would have written.

use super::{Domain, Interrupt, Machine, MachineError, MachineOutcome, ProgramPoint};
use crate::function::{BlockId, Reg};
use crate::instruction::Terminator;

/// How far a run came that was to stop in a block.
#[derive(Clone, PartialEq, Debug)]
pub enum Reached<V> {
    /// To the beginning of the block.
    Block,
    /// To the end of the call, which is about to return this.
    Return(Option<V>),
    /// To the end.
    End(MachineOutcome<V>),
    /// Out of the call by an exception, or as far as the steps allowed.
    Elsewhere,
}

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

    /// Goes on with a run that its domain stopped, as [`resume`](Machine::resume) does, but only
    /// until the call that is this number of calls deep comes to the beginning of a block, if one
    /// is given, or is about to return.
    pub fn resume_to(
        &mut self,
        block: Option<BlockId>,
        height: usize,
        steps: u64,
    ) -> Result<Reached<D::Value>, D::Stop> {
        let is_there = |point: ProgramPoint, calls| {
            calls == height && Some(point.block) == block && point.instruction == 0
        };
        self.go_on(height, steps, is_there)
    }

    /// The same until the innermost call comes to a place, which may be deeper.
    pub fn resume_until(
        &mut self,
        height: usize,
        steps: u64,
        is_there: impl Fn(ProgramPoint) -> bool,
    ) -> Result<Reached<D::Value>, D::Stop> {
        self.go_on(height, steps, |point, _| is_there(point))
    }

    fn go_on(
        &mut self,
        height: usize,
        steps: u64,
        is_there: impl Fn(ProgramPoint, usize) -> bool,
    ) -> Result<Reached<D::Value>, D::Stop> {
        for _ in 0..steps {
            if self.frames.len() == height
                && let Some(value) = self.about_to_return()?
            {
                return Ok(Reached::Return(value));
            }
            let start = self.point().ok_or(MachineError::IllSorted)?;
            let flow = self.step();
            if let Some(outcome) = self.settle(start, flow)? {
                return Ok(Reached::End(outcome));
            }
            let calls = self.frames.len();
            if calls < height {
                return Ok(Reached::Elsewhere);
            }
            if self.point().is_some_and(|point| is_there(point, calls)) {
                return Ok(Reached::Block);
            }
        }
        Ok(Reached::Elsewhere)
    }

    /// What the innermost call returns next, if it does.
    fn about_to_return(&mut self) -> Result<Option<Option<D::Value>>, D::Stop> {
        let (point, block) = unstopped(self.next())?;
        if (point.instruction as usize) < block.instructions.len() {
            return Ok(None);
        }
        match &block.terminator {
            Terminator::Return(None) => Ok(Some(None)),
            Terminator::Return(Some(value)) => {
                let value = unstopped(self.value(point, *value))?;
                Ok(Some(Some(value)))
            }
            _ => Ok(None),
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

/// The result of a part of an instruction that can only stop.
fn unstopped<T, V, S: From<MachineError>>(flow: Result<T, Interrupt<V, S>>) -> Result<T, S> {
    flow.map_err(|interrupt| match interrupt {
        Interrupt::Stop(stop) => stop,
        _ => MachineError::IllSorted.into(),
    })
}

//! How blocks end.

use super::{
    Domain, Edge, Flow, Interrupt, Machine, MachineError, MachineOutcome, Missing, ProgramPoint,
    Question, Successor,
};
use crate::function::BlockId;
use crate::instruction::Terminator;

impl<'p, D: Domain> Machine<'p, D> {
    pub(super) fn terminate(&mut self, point: ProgramPoint, terminator: &'p Terminator) -> Flow<D> {
        match terminator {
            Terminator::Goto(block) => self.jump(*block),
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.value(point, *condition)?;
                let (successor, block) = match self.decide(point, Question::Branch, &condition)? {
                    true => (0, *then),
                    false => (1, *otherwise),
                };
                self.take(point, successor);
                self.jump(block)
            }
            Terminator::Switch {
                value,
                cases,
                default,
            } => {
                let value = self.value(point, *value)?;
                let site = point.ask(Question::Switch);
                let case = self.domain.switch(site, &value, cases);
                let case = case.map_err(Interrupt::Stop)?;
                let chosen = case.and_then(|index| Some((index, cases.get(index)?.1)));
                let (successor, block) = chosen.unwrap_or((cases.len(), *default));
                self.take(point, terminator.branch_of(successor as u32));
                self.jump(block)
            }
            Terminator::Return(value) => {
                let value = match value {
                    Some(operand) => {
                        let value = self.value(point, *operand)?;
                        self.demand_result(point, &value)?;
                        Some(value)
                    }
                    None => None,
                };
                self.remember_return(point);
                self.leave(value)
            }
            Terminator::Throw(exception) => {
                let exception = self.value(point, *exception)?;
                Err(Interrupt::Throw(exception))
            }
            Terminator::Unreachable => Err(MachineError::Unreachable(point).into()),
            Terminator::Absent => {
                Err(MachineError::Missing(Missing::Function(point.function)).into())
            }
        }
    }

    /// Goes on with the first instruction of a block.
    pub(super) fn jump(&mut self, block: BlockId) -> Flow<D> {
        if let Some(frame) = self.frames.last_mut() {
            frame.block = block;
            frame.next = 0;
        }
        Ok(())
    }

    fn take(&mut self, point: ProgramPoint, successor: u32) {
        self.domain.on_edge(Edge {
            function: point.function,
            block: point.block,
            successor: Successor::Jump(successor),
        });
    }

    /// Takes down where a call returns that nothing is around but code without lines.
    fn remember_return(&mut self, point: ProgramPoint) {
        if self.frames.len() <= 2 {
            let position = point.position(self.program);
            if position.line > 0 {
                self.last_return = position;
            }
        }
    }

    /// Ends the innermost function, and the run if it was the outermost.
    fn leave(&mut self, value: Option<D::Value>) -> Flow<D> {
        let frame = self.frames.pop();
        let result = frame.as_ref().and_then(|frame| frame.result);
        self.domain.on_leave();
        let Some(call) = self.point() else {
            self.last_registers = frame.map(|frame| frame.registers).unwrap_or_default();
            return Err(Interrupt::Finish(MachineOutcome::Returned(value)));
        };
        if let Some(register) = result {
            let value = value.ok_or(MachineError::NoResult(call))?;
            self.set(register, value)?;
        }
        self.advance()
    }
}

//! Calls of functions and methods; `intrinsic` has those of intrinsic functions.

use super::{
    Budget, Domain, Flow, Frame, Interrupt, Machine, MachineError, ProgramPoint, Question,
};
use crate::function::{BlockId, FunctionId, Reg};
use crate::instruction::{Callee, Operand};
use crate::program::FaultKind;

impl<'p, D: Domain> Machine<'p, D> {
    pub(super) fn call(
        &mut self,
        point: ProgramPoint,
        to: Option<Reg>,
        callee: &'p Callee,
        operands: &'p [Operand],
    ) -> Flow<D> {
        let mut args = Vec::with_capacity(operands.len());
        for &operand in operands {
            args.push(self.value(point, operand)?);
        }
        match callee {
            Callee::Static(function) => self.enter(point, *function, args, to),
            Callee::Virtual(method) => {
                let receiver = *operands.first().ok_or(MachineError::IllSorted)?;
                let function = self.dispatch(point, receiver, method)?;
                self.enter(point, function, args, to)
            }
            Callee::Intrinsic(name) => self.call_intrinsic(point, to, name, operands, &args),
        }
    }

    /// Starts a function. `point` is the call.
    pub(super) fn enter(
        &mut self,
        point: ProgramPoint,
        id: FunctionId,
        args: Vec<D::Value>,
        result: Option<Reg>,
    ) -> Flow<D> {
        let function = self.function(id)?;
        if function.params as usize != args.len() {
            return Err(MachineError::ArgumentCount {
                function: id,
                expected: function.params,
                found: args.len(),
            }
            .into());
        }
        if self.frames.len() >= self.budgets.depth as usize {
            // A program that can catch the overflow sees one; for the others it is our bound.
            let mapped = self
                .program
                .exceptions
                .contains_key(&FaultKind::StackOverflow);
            return Err(match mapped && !self.frames.is_empty() {
                true => Interrupt::Fault(FaultKind::StackOverflow),
                false => self.exhausted(point, Budget::Depth),
            });
        }
        let mut registers: Vec<_> = args.into_iter().map(Some).collect();
        let count = function.registers.len().max(registers.len());
        registers.resize_with(count, || None);
        self.frames.push(Frame {
            function: id,
            block: BlockId(0),
            next: 0,
            registers,
            result,
        });
        self.used.depth = self.used.depth.max(self.frames.len() as u32);
        self.domain.on_enter(id);
        Ok(())
    }

    /// The method that the class of the receiver has for a name.
    fn dispatch(
        &mut self,
        point: ProgramPoint,
        receiver: Operand,
        method: &str,
    ) -> Flow<D, FunctionId> {
        let class = self.class(point, receiver)?;
        let receiver = self.value(point, receiver)?;
        let address = self.dereference(point, &receiver, class)?;
        let site = point.ask(Question::Receiver);
        let class = self.domain.class_of(site, address.object);
        let class = class.map_err(Interrupt::Stop)?;
        let info = self.program.classes.get(class.index());
        let info = info.ok_or(MachineError::NoClass(class))?;
        let function = info.methods.get(method).copied();
        function.ok_or(Interrupt::Fault(FaultKind::NoSuchMethod))
    }
}

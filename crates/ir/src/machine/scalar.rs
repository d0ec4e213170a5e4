//! Moves, arithmetic, assertions and assumptions.

use heapwright_logic::IntType;

use super::{
    Domain, Flow, Interrupt, Machine, MachineError, MachineOutcome, ProgramPoint, Question,
};
use crate::instruction::{Arithmetic, BinaryOp, Comparison, Constant, Operation};
use crate::program::FaultKind;

impl<'p, D: Domain> Machine<'p, D> {
    pub(super) fn execute_scalar(
        &mut self,
        point: ProgramPoint,
        operation: &'p Operation,
    ) -> Flow<D> {
        match *operation {
            Operation::Move { to, from } => {
                let value = self.value(point, from)?;
                self.set(to, value)
            }
            Operation::Unary { to, op, a } => {
                let sort = self.sort(point, a)?;
                let a = self.value(point, a)?;
                let value = self.domain.unary(op, sort, &a).map_err(Interrupt::Stop)?;
                self.set(to, value)
            }
            Operation::Binary { to, op, a, b } => {
                let (a, b) = (self.value(point, a)?, self.value(point, b)?);
                if let BinaryOp::Int(ty, Arithmetic::Div | Arithmetic::Rem) = op {
                    self.check_divisor(point, ty, &b)?;
                }
                let value = self.domain.binary(op, &a, &b).map_err(Interrupt::Stop)?;
                self.set(to, value)
            }
            Operation::Assert { condition, .. } => {
                let condition = self.value(point, condition)?;
                match self.decide(point, Question::Assertion, &condition)? {
                    true => Ok(()),
                    false => Err(Interrupt::Fault(FaultKind::AssertionFailed)),
                }
            }
            Operation::Check { condition, fault } => {
                let condition = self.value(point, condition)?;
                match self.decide(point, Question::Assertion, &condition)? {
                    true => Ok(()),
                    false => Err(Interrupt::Fault(fault)),
                }
            }
            Operation::Assume { condition } => {
                let condition = self.value(point, condition)?;
                match self.decide(point, Question::Assumption, &condition)? {
                    true => Ok(()),
                    false => Err(Interrupt::Finish(MachineOutcome::AssumptionFailed {
                        point,
                        position: point.position(self.program),
                    })),
                }
            }
            _ => Err(MachineError::IllSorted.into()),
        }
    }

    pub(super) fn decide(
        &mut self,
        point: ProgramPoint,
        question: Question,
        condition: &D::Value,
    ) -> Flow<D, bool> {
        if self.domain.is_undefined(condition) {
            return Err(Interrupt::Fault(FaultKind::Uninitialised));
        }
        let answer = self.domain.decide(point.ask(question), condition);
        answer.map_err(Interrupt::Stop)
    }

    fn check_divisor(&mut self, point: ProgramPoint, ty: IntType, divisor: &D::Value) -> Flow<D> {
        let zero = self.domain.constant(Constant::Int(ty, 0));
        let equal = BinaryOp::Compare(Comparison::Eq);
        let condition = (self.domain.binary(equal, divisor, &zero)).map_err(Interrupt::Stop)?;
        match self.decide(point, Question::Divisor, &condition)? {
            true => Err(Interrupt::Fault(FaultKind::DivisionByZero)),
            false => Ok(()),
        }
    }
}

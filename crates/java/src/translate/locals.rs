//! Local variables, and operations on the stack alone.

use heapwright_ir::{Arithmetic, BinaryOp, Constant, Operand, Operation};
use heapwright_logic::IntType;

use super::emitter::{Emitter, FrameSlot};
use super::state::{Entry, Reference};
use crate::classfile::{Kind, Local, StackOperation};
use crate::world::Trouble;

impl Emitter<'_> {
    pub(super) fn load_local(&mut self, kind: Kind, local: Local) {
        let register = self.register(FrameSlot::Local(local.0), kind);
        let known = self.locals.get(usize::from(local.0));
        let reference = known.cloned().unwrap_or(Reference::Unknown);
        self.push(Operand::Register(register), kind, reference);
    }

    pub(super) fn store_local(&mut self, kind: Kind, local: Local) -> Result<(), Trouble> {
        let value = self.pop(kind)?;
        let to = self.register(FrameSlot::Local(local.0), kind);
        self.preserve(to);
        if value.operand != Operand::Register(to) {
            self.emit(Operation::Move {
                to,
                from: value.operand,
            });
        }
        if let Some(known) = self.locals.get_mut(usize::from(local.0)) {
            *known = value.reference;
        }
        self.locals_changed = true;
        Ok(())
    }

    pub(super) fn increment(&mut self, local: Local, amount: i16) {
        let register = self.register(FrameSlot::Local(local.0), Kind::Int);
        self.preserve(register);
        self.emit(Operation::Binary {
            to: register,
            op: BinaryOp::Int(IntType::I32, Arithmetic::Add),
            a: Operand::Register(register),
            b: Operand::Constant(Constant::Int(IntType::I32, amount.into())),
        });
    }

    /// The operations count in slots, of which longs and doubles take two.
    pub(super) fn stack_operation(&mut self, operation: StackOperation) -> Result<(), Trouble> {
        let (take, skip) = match operation {
            StackOperation::Pop => {
                self.take(1)?;
                return Ok(());
            }
            StackOperation::Pop2 => {
                self.take(2)?;
                return Ok(());
            }
            StackOperation::Swap => {
                let (top, below) = (self.take(1)?, self.take(1)?);
                self.stack.extend(top.into_iter().chain(below));
                return Ok(());
            }
            StackOperation::Dup => (1, 0),
            StackOperation::DupX1 => (1, 1),
            StackOperation::DupX2 => (1, 2),
            StackOperation::Dup2 => (2, 0),
            StackOperation::Dup2X1 => (2, 1),
            StackOperation::Dup2X2 => (2, 2),
        };
        let top = self.take(take)?;
        let below = self.take(skip)?;
        self.stack.extend(top.iter().cloned());
        self.stack.extend(below.into_iter().chain(top));
        Ok(())
    }

    /// Takes entries of so many slots from the stack, the lowest first.
    fn take(&mut self, slots: usize) -> Result<Vec<Entry>, Trouble> {
        let mut taken = Vec::new();
        let mut left = slots;
        while left > 0 {
            let entry = self.pop_any()?;
            let width = match entry.kind {
                Kind::Long | Kind::Double => 2,
                _ => 1,
            };
            let halved = Trouble::Malformed("a stack operation takes half of a long or double");
            left = left.checked_sub(width).ok_or(halved)?;
            taken.push(entry);
        }
        taken.reverse();
        Ok(taken)
    }
}

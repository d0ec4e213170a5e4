//! What an access demands of the bytes that it finds: that they lie at a multiple of the alignment of
//! the type, and that a truth value is 0 or 1.
//!
//! An address is known as far as everybody can rely on it: memory without a type lies at a multiple of
//! [`ALLOCATED`] bytes, anything else where its own type may lie. Where an access could be aligned or
//! not, depending on where an object happens to lie, nothing is said.

use heapwright_logic::{ClassId, IntType, Sort};

use super::slot_memory::{Holder, SlotMemory};
use super::{
    Address, Domain, Flow, Interrupt, Machine, MachineError, ObjectId, ProgramPoint, Question,
    layout,
};
use crate::instruction::{BinaryOp, Comparison, Constant};
use crate::program::{ClassKind, FaultKind, Program};

/// Memory without a type lies at multiples of so many bytes.
const ALLOCATED: u32 = 16;

impl<'p, D: Domain> Machine<'p, D> {
    /// The fault of an access that needs a multiple of so many bytes.
    pub(super) fn demand_alignment(&mut self, address: Address, alignment: u32) -> Flow<D> {
        if alignment <= 1 || !self.program.manual_memory {
            return Ok(());
        }
        let root = self.domain.root(address).map_err(Interrupt::Stop)?;
        if root.offset.rem_euclid(i64::from(alignment)) == 0 {
            return Ok(());
        }
        let known = self
            .domain
            .alignment(root.object)
            .map_err(Interrupt::Stop)?;
        match root
            .offset
            .rem_euclid(i64::from(alignment.min(known).max(1)))
        {
            0 => Ok(()),
            _ => Err(Interrupt::Fault(FaultKind::Misaligned)),
        }
    }

    /// The alignment of objects of a class; 0 where nobody checks it.
    pub(super) fn class_alignment(&self, class: ClassId) -> u32 {
        let info = self.program.classes.get(class.index());
        info.map_or(0, |info| info.inside.alignment)
    }

    /// The fault of a byte that is read as a truth value and is none.
    pub(super) fn demand_truth(&mut self, point: ProgramPoint, slot: &D::Slot) -> Flow<D> {
        if !self.program.manual_memory {
            return Ok(());
        }
        let byte = self.domain.truth_byte(slot).map_err(Interrupt::Stop)?;
        let Some(byte) = byte else {
            return Ok(());
        };
        let one = self.domain.constant(Constant::Int(IntType::U8, 1));
        let le = BinaryOp::Compare(Comparison::Le);
        let is_truth = self.domain.binary(le, &byte, &one);
        let is_truth = is_truth.map_err(Interrupt::Stop)?;
        match self.decide(point, Question::Assertion, &is_truth)? {
            true => Ok(()),
            false => Err(Interrupt::Fault(FaultKind::BadTruth)),
        }
    }

    /// The fault of a result that was never set: whoever called may depend on it. A function that
    /// ends without a `return` gives none, which is wrong only if somebody uses it.
    pub(super) fn demand_result(&mut self, point: ProgramPoint, value: &D::Value) -> Flow<D> {
        if !self.program.manual_memory || !self.is_outermost() || !self.domain.is_undefined(value) {
            return Ok(());
        }
        match self.gives_none(point) {
            true => Ok(()),
            false => Err(Interrupt::Fault(FaultKind::Uninitialised)),
        }
    }

    /// Whether nobody has written the functions around the current one.
    fn is_outermost(&self) -> bool {
        let Some((_, around)) = self.frames.split_last() else {
            return false;
        };
        around.iter().all(|frame| {
            let function = self.program.functions.get(frame.function.index());
            function.is_some_and(|function| function.synthetic)
        })
    }

    /// Whether a block takes the value away itself that it returns.
    fn gives_none(&self, point: ProgramPoint) -> bool {
        use crate::instruction::{Operand, Operation, Terminator};
        let function = self.program.functions.get(point.function.index());
        let Some(block) = function.and_then(|function| function.blocks.get(point.block.index()))
        else {
            return false;
        };
        let Terminator::Return(Some(Operand::Register(returned))) = block.terminator else {
            return false;
        };
        let mut instructions = block.instructions.iter();
        instructions
            .any(|known| matches!(known.operation, Operation::Undefine { to } if to == returned))
    }
}

impl<V, H: Holder<V>> SlotMemory<V, H> {
    /// A power of two that the address of an outermost object is a multiple of, whoever runs the
    /// program.
    pub fn alignment(&self, program: &Program, id: ObjectId) -> Result<u32, MachineError> {
        let object = self.object(id)?;
        if object.allocated && !self.is_global(id) {
            return Ok(ALLOCATED);
        }
        let own = program.class(object.class).inside.alignment;
        if own > 0 {
            return Ok(own);
        }
        Ok(match layout::kind(program, object.class)? {
            ClassKind::Array { element } => natural(*element),
            ClassKind::Struct { .. } => 1,
        })
    }
}

/// What the address of a value of a sort has to be a multiple of.
pub(super) fn natural(sort: Sort) -> u32 {
    layout::size_of(sort)
}

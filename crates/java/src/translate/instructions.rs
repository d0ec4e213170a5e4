//! One instruction: to the module of its family.

use heapwright_ir::Terminator;

use super::blocks::Blocks;
use super::emitter::Emitter;
use crate::classfile::{Instruction, Kind};
use crate::world::Trouble;

impl Emitter<'_> {
    /// Translates an instruction of block `index`. `next` is the one behind it in the same block.
    pub(super) fn instruction(
        &mut self,
        instruction: &Instruction,
        next: Option<&Instruction>,
        blocks: &Blocks,
        index: usize,
    ) -> Result<Option<Terminator>, Trouble> {
        match instruction {
            Instruction::Nop => {}
            Instruction::Constant(constant) => self.constant(constant)?,
            Instruction::Load(kind, local) => self.load_local(*kind, *local),
            Instruction::Store(kind, local) => self.store_local(*kind, *local)?,
            Instruction::Increment(local, amount) => self.increment(*local, *amount),
            Instruction::ArrayLoad(element) => self.array_load(*element)?,
            Instruction::ArrayStore(element) => self.array_store(*element)?,
            Instruction::Stack(operation) => self.stack_operation(*operation)?,
            Instruction::Binary(operation, kind) => self.binary(*operation, *kind)?,
            Instruction::Negate(kind) => self.negate(*kind)?,
            Instruction::Convert(conversion) => self.conversion(*conversion)?,
            Instruction::CompareLongs => self.three_way(Kind::Long, None, next)?,
            Instruction::CompareFloating(kind, unordered) => {
                self.three_way(*kind, Some(*unordered), next)?;
            }
            Instruction::If(condition, target) => {
                return self.jump_if(*condition, *target, blocks, index).map(Some);
            }
            Instruction::Goto(target) => return self.goto(*target, blocks).map(Some),
            Instruction::Switch(switch) => return self.switch(switch, blocks).map(Some),
            Instruction::Return(kind) => return self.leave(*kind).map(Some),
            Instruction::Throw => {
                let exception = self.pop(Kind::Reference)?;
                return Ok(Some(Terminator::Throw(exception.operand)));
            }
            Instruction::GetStatic(field) => self.get_static(field)?,
            Instruction::PutStatic(field) => self.put_static(field)?,
            Instruction::GetField(field) => self.get_field(field)?,
            Instruction::PutField(field) => self.put_field(field)?,
            Instruction::Invoke(invocation, method) => self.invoke(*invocation, method, next)?,
            Instruction::InvokeDynamic(call) => self.invoke_dynamic(call)?,
            Instruction::New(ty) => self.new_object(ty)?,
            Instruction::NewArray(element) => self.new_array(element)?,
            Instruction::MultiNewArray(ty, dimensions) => self.multi_new_array(ty, *dimensions)?,
            Instruction::ArrayLength => self.array_length()?,
            Instruction::CheckCast(ty) => self.check_cast(ty)?,
            Instruction::InstanceOf(ty) => self.instance_of(ty)?,
            // There is one thread, so a monitor only finds out whether its object is null.
            Instruction::MonitorEnter => {
                let object = self.pop(Kind::Reference)?;
                self.require_object(&object);
            }
            Instruction::MonitorExit => {
                self.pop(Kind::Reference)?;
            }
            Instruction::JumpSubroutine(_) | Instruction::ReturnFromSubroutine(_) => {
                return Err(Trouble::Malformed("subroutines are not supported"));
            }
        }
        Ok(None)
    }
}

//! The beginning of a function: parameters become local variables.

use heapwright_ir::{Block, Callee, Operand, Operation, Terminator, UnaryOp};
use heapwright_logic::Sort;

use super::block_id;
use super::emitter::{Emitter, FrameSlot};
use super::state::{Reference, State};
use crate::classfile::{Code, Instruction, Kind};
use crate::descriptor::Type;
use crate::hierarchy::DeclaredMethod;
use crate::world::{Trouble, kind_of, kind_sort};

impl Emitter<'_> {
    /// The first block, and the state behind it. Smaller integers become ints, and static methods
    /// see to it that their class is initialised.
    pub(super) fn prologue(
        &mut self,
        declared: &DeclaredMethod,
        code: &Code,
    ) -> Result<(Block, State), Trouble> {
        let is_static = declared.method.access.is_static();
        let receiver = (!is_static).then(|| declared.class.ty());
        if let Some(class) = &receiver {
            // The receiver's register says what it is, so its supertypes have to be known.
            self.world.complete(class)?;
        }
        let types: Vec<Type> = (receiver.into_iter())
            .chain(declared.method.descriptor.parameters.iter().cloned())
            .collect();
        self.position = self.position_of(code.instructions.first().map(|(pc, _)| *pc));
        if is_static && !declared.method.name.starts_with('<') {
            let class = declared.class.clone();
            if let Some(guard) = self.world.guard(&class)? {
                self.emit(Operation::Call {
                    to: None,
                    callee: Callee::Static(guard),
                    args: Vec::new(),
                });
            }
        }
        let mut params = Vec::new();
        let mut slot = 0;
        for ty in types {
            let sort = self.world.sort(&ty);
            let name = self.local_name(slot);
            let register = self.new_register(name, sort);
            params.push((slot, ty.clone(), sort, register));
            slot += ty.slots();
        }
        self.params = params.len() as u32;
        for (slot, ty, sort, register) in params {
            let kind = kind_of(&ty);
            let is_this = !is_static && slot == 0;
            let keeps = sort == kind_sort(kind) || is_this;
            let place = FrameSlot::Local(slot);
            if keeps && !is_stored(code, slot, kind) {
                self.places.insert((place, kind), register);
                if is_this {
                    self.this = Some(register);
                }
            } else {
                let to = self.register(place, kind);
                let from = Operand::Register(register);
                self.emit(match sort {
                    _ if sort == kind_sort(kind) => Operation::Move { to, from },
                    Sort::Ref(_) => Operation::Move { to, from },
                    _ => Operation::Unary {
                        to,
                        op: UnaryOp::Convert(kind_sort(kind)),
                        a: from,
                    },
                });
            }
            if let Some(local) = self.locals.get_mut(usize::from(slot)) {
                *local = Reference::Of(ty);
            }
        }
        let block = Block {
            instructions: std::mem::take(&mut self.instructions),
            terminator: Terminator::Goto(block_id(0)),
            position: self.position,
            handlers: Vec::new(),
        };
        Ok((block, self.state()))
    }
}

/// Whether code assigns a local variable.
fn is_stored(code: &Code, slot: u16, kind: Kind) -> bool {
    code.instructions.iter().any(|(_, instruction)| {
        matches!(instruction, Instruction::Store(stored, local) if local.0 == slot && *stored == kind)
            || matches!(instruction, Instruction::Increment(local, _) if local.0 == slot)
    })
}

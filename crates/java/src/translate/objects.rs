//! New objects, casts and type tests.

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::{Callee, GlobalId, Operand, Operation};
use heapwright_logic::Sort;

use super::emitter::Emitter;
use super::state::Reference;
use crate::classfile::Kind;
use crate::descriptor::Type;
use crate::world::{OBJECT, Trouble, kind_sort};

impl Emitter<'_> {
    pub(super) fn new_object(&mut self, ty: &Type) -> Result<(), Trouble> {
        let Type::Class(name) = ty else {
            return Err(Trouble::Malformed("an array is created as an object"));
        };
        let class = self.world.complete(ty)?;
        if !self.world.program().class(class).instantiable {
            return Err(Trouble::Malformed(
                "an object of an abstract class is created",
            ));
        }
        self.initialise(name)?;
        if &**name == "java.lang.AssertionError" && self.has_assertions() {
            // Without assertions the program would go on.
            self.emit(Operation::Call {
                to: None,
                callee: Callee::Intrinsic(Environment::Assertions.decides()),
                args: Vec::new(),
            });
        }
        let to = self.temporary(kind_sort(Kind::Reference));
        match self.enum_constant() {
            Some(constant) => self.emit(Operation::Move {
                to,
                from: Operand::Global(constant),
            }),
            None => self.emit(Operation::New { to, class }),
        }
        let reference = Reference::Of(ty.clone());
        self.push(Operand::Register(to), Kind::Reference, reference);
        if let Some(entry) = self.stack.last_mut() {
            entry.not_null = true;
        }
        Ok(())
    }

    /// Whether the class has assertions, which can be switched off.
    fn has_assertions(&self) -> bool {
        let mut fields = self.declared.class.fields.iter();
        fields.any(|field| &*field.name == "$assertionsDisabled")
    }

    /// The constant that the initialiser of an enum makes here.
    fn enum_constant(&mut self) -> Option<GlobalId> {
        let declared = &self.declared;
        let is_initialiser =
            &*declared.method.name == "<clinit>" && declared.class.access.is_enum();
        let class = is_initialiser.then(|| declared.class.clone())?;
        let pc = self.pc?;
        self.world.constant_made_at(&class, pc)
    }

    pub(super) fn check_cast(&mut self, ty: &Type) -> Result<(), Trouble> {
        let mut entry = self.pop(Kind::Reference)?;
        if *ty != Type::class(OBJECT) {
            let class = self.world.complete(ty)?;
            let object = entry.operand;
            self.emit(Operation::CheckCast { object, class });
            // The receiver has a register of its class, which may have nothing to do with the
            // other one.
            if self.this.map(Operand::Register) == Some(object) {
                let to = self.temporary(kind_sort(Kind::Reference));
                self.emit(Operation::Move { to, from: object });
                entry.operand = Operand::Register(to);
            }
        }
        entry.reference = Reference::Of(ty.clone());
        self.stack.push(entry);
        Ok(())
    }

    pub(super) fn instance_of(&mut self, ty: &Type) -> Result<(), Trouble> {
        let object = self.pop(Kind::Reference)?.operand;
        let class = self.world.complete(ty)?;
        let to = self.temporary(Sort::Bool);
        self.emit(Operation::InstanceOf { to, object, class });
        self.push_truth(to);
        Ok(())
    }
}

//! Fields of objects and of classes.

use std::sync::Arc;

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::{Arithmetic, BinaryOp, Callee, Constant, Operand, Operation, Reg, UnaryOp};
use heapwright_logic::{ClassId, IntType, Sort};

use super::emitter::Emitter;
use super::state::Reference;
use crate::classfile::{Class, FieldReference, Kind};
use crate::world::{Trouble, chosen_bits, kind_of};

impl Emitter<'_> {
    pub(super) fn get_field(&mut self, field: &FieldReference) -> Result<(), Trouble> {
        let object = self.pop(Kind::Reference)?.operand;
        let (class, index, sort) = self.world.instance_field(field)?;
        let to = self.temporary(untyped(sort));
        self.emit(Operation::Load {
            to,
            object,
            class,
            field: index,
        });
        self.push_sorted(to, sort, Reference::Of(field.ty.clone()));
        Ok(())
    }

    pub(super) fn put_field(&mut self, field: &FieldReference) -> Result<(), Trouble> {
        let value = self.pop(kind_of(&field.ty))?;
        let object = self.pop(Kind::Reference)?.operand;
        let (class, index, sort) = self.world.instance_field(field)?;
        let value = self.sorted(&value, sort);
        self.emit(Operation::Store {
            object,
            class,
            field: index,
            value,
        });
        Ok(())
    }

    pub(super) fn get_static(&mut self, field: &FieldReference) -> Result<(), Trouble> {
        let found = self.world.static_field(field)?;
        self.initialise(&found.owner)?;
        self.begin_assertion(field);
        let to = self.temporary(untyped(found.sort));
        self.emit(Operation::Load {
            to,
            object: Operand::Global(found.statics.global),
            class: found.statics.class,
            field: found.field,
        });
        let to = match chosen_bits(&found.owner, &field.name) {
            // The class itself is still choosing: it is asked where the choice is used.
            Some(_) if self.initialises(&found.owner) => to,
            Some(bits) => self.chosen(to, found.sort, bits),
            None => to,
        };
        self.push_sorted(to, found.sort, Reference::Of(field.ty.clone()));
        Ok(())
    }

    /// Whether this is the static initialiser of a class.
    fn initialises(&self, class: &str) -> bool {
        &*self.declared.method.name == "<clinit>" && &*self.declared.class.name == class
    }

    /// What a class has chosen for this process, which may have been something else.
    fn chosen(&mut self, usual: Reg, sort: Sort, bits: i64) -> Reg {
        let to = self.temporary(sort);
        let question = Callee::Intrinsic(Environment::Order.question());
        let usual = Operand::Register(usual);
        if let Sort::Machine(ty) = sort {
            let number = self.temporary(Sort::Machine(IntType::I64));
            self.emit(Operation::Call {
                to: Some(number),
                callee: question,
                args: Vec::new(),
            });
            let possible = self.temporary(sort);
            self.emit(Operation::Binary {
                to: possible,
                op: BinaryOp::Int(ty, Arithmetic::And),
                a: Operand::Register(number),
                b: Operand::Constant(Constant::Int(ty, bits.into())),
            });
            self.emit(Operation::Binary {
                to,
                op: BinaryOp::Int(ty, Arithmetic::Xor),
                a: usual,
                b: Operand::Register(possible),
            });
            return to;
        }
        let other = self.temporary(sort);
        self.emit(Operation::Unary {
            to: other,
            op: UnaryOp::Not,
            a: usual,
        });
        self.emit(Operation::Call {
            to: Some(to),
            callee: question,
            args: vec![usual, Operand::Register(other)],
        });
        to
    }

    pub(super) fn put_static(&mut self, field: &FieldReference) -> Result<(), Trouble> {
        let value = self.pop(kind_of(&field.ty))?;
        let found = self.world.static_field(field)?;
        self.initialise(&found.owner)?;
        let value = self.sorted(&value, found.sort);
        self.emit(Operation::Store {
            object: Operand::Global(found.statics.global),
            class: found.statics.class,
            field: found.field,
            value,
        });
        Ok(())
    }

    /// Sees to it that a class is initialised. Static methods have done so for their own class and
    /// its superclasses when they began.
    pub(super) fn initialise(&mut self, class: &str) -> Result<(), Trouble> {
        let own = &self.declared.class;
        if self.declared.method.access.is_static() {
            let chain: Vec<Arc<Class>> =
                (self.world).with_hierarchy(|hierarchy| hierarchy.superclasses(own))?;
            if chain.iter().any(|above| *above.name == *class) {
                return Ok(());
            }
        }
        let class = self.world.class_path().load(class);
        let class = class.map_err(crate::hierarchy::LinkError::from)?;
        if let Some(guard) = self.world.guard(&class)? {
            self.call_filler(guard);
        }
        Ok(())
    }
}

/// Registers say nothing about the classes of references: code that knows more names the class.
pub(super) fn untyped(sort: Sort) -> Sort {
    match sort {
        Sort::Ref(_) => Sort::Ref(ClassId::ANY),
        other => other,
    }
}

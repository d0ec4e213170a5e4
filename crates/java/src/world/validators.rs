//! Which records can be inputs.
//!
//! The fields of a record are final for good: only its canonical constructor makes one. What that
//! does not accept is no input, so where it does more than assign the components, a *validator*
//! calls it with the contents of an object, and assumes that it returns and leaves the same
//! contents.

use std::sync::Arc;

use heapwright_ir::{
    BinaryOp, BlockId, Callee, Comparison, Constant, FunctionId, Handler, Operand, Operation,
    Terminator,
};
use heapwright_logic::{ClassId, Sort};

use super::World;
use super::builder::Builder;
use crate::classfile::{Class, Method};
use crate::descriptor::Type;
use crate::emit::accepts_all;
use crate::hierarchy::DeclaredMethod;

/// The constructor of a record that has the components as parameters.
pub(crate) fn canonical_constructor(class: &Class) -> Option<&Arc<Method>> {
    let components = class.record.as_ref()?;
    let types: Vec<&Type> = components.iter().map(|component| &component.ty).collect();
    let mut constructors = class
        .methods
        .iter()
        .filter(|method| method.is_constructor());
    constructors.find(|method| {
        method
            .descriptor
            .parameters
            .iter()
            .eq(types.iter().copied())
    })
}

impl World {
    /// Makes sure that there is a validator for objects of a class, if it needs one.
    pub(super) fn enter_validator(&mut self, id: ClassId, ty: &Type) {
        if self.validators.contains_key(&id) {
            return;
        }
        let Type::Class(name) = ty else {
            return;
        };
        let Ok(class) = self.path.load(name) else {
            return;
        };
        let Some(constructor) = canonical_constructor(&class).cloned() else {
            return;
        };
        if self.with_hierarchy(|hierarchy| accepts_all(hierarchy, &class, &constructor)) {
            return;
        }
        if let Some(validator) = self.validator(id, &class, &constructor) {
            self.validators.insert(id, validator);
        }
    }

    fn validator(
        &mut self,
        id: ClassId,
        class: &Arc<Class>,
        constructor: &Arc<Method>,
    ) -> Option<FunctionId> {
        let sorts: Vec<Sort> = (self.program.definitions.class(id).fields.iter())
            .map(|field| field.sort)
            .collect();
        // Compilers give a record a field for each component; class files may do otherwise.
        let components = constructor.descriptor.parameters.iter();
        let components: Vec<Sort> = components.map(|ty| self.sort(ty)).collect();
        if components != sorts {
            return None;
        }
        let guard = self.guard(class).ok()?;
        let function = self.function(&DeclaredMethod {
            class: class.clone(),
            method: constructor.clone(),
        });
        let mut builder = Builder::new(format!("<valid> {}", class.name), &sorts, None);
        let call = |builder: &mut Builder, function, args| {
            builder.emit(Operation::Call {
                to: None,
                callee: Callee::Static(function),
                args,
            });
        };
        if let Some(guard) = guard {
            call(&mut builder, guard, Vec::new());
        }
        let made = builder.register(Sort::Ref(id));
        builder.emit(Operation::New {
            to: made,
            class: id,
        });
        let made = Operand::Register(made);
        let contents = (0..sorts.len() as u32).map(|index| builder.param(index));
        let arguments: Vec<Operand> = std::iter::once(made).chain(contents).collect();
        call(&mut builder, function, arguments);
        for (index, &sort) in (0..).zip(&sorts) {
            let (content, same) = (builder.register(sort), builder.register(Sort::Bool));
            builder.emit(Operation::Load {
                to: content,
                object: made,
                class: id,
                field: index,
            });
            builder.emit(Operation::Binary {
                to: same,
                op: BinaryOp::Compare(Comparison::Eq),
                a: builder.param(index),
                b: Operand::Register(content),
            });
            builder.emit(Operation::Assume {
                condition: Operand::Register(same),
            });
        }
        let exception = builder.register(Sort::Ref(ClassId::ANY));
        let refused = Handler {
            class: None,
            exception,
            block: BlockId(1),
        };
        builder.end_with_handlers(Terminator::Return(None), vec![refused]);
        builder.emit(Operation::Assume {
            condition: Operand::Constant(Constant::Bool(false)),
        });
        builder.end(Terminator::Return(None));
        Some(self.add_function(builder.finish()))
    }
}

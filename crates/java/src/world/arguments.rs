//! What calls of methods are given in sequences: functions that make boxed numbers, strings,
//! constants of enums, and the classes that such calls involve.

use std::sync::Arc;

use heapwright_ir::{Callee, FunctionId, GlobalId, Operand, Operation, Terminator};
use heapwright_logic::Sort;

use super::builder::Builder;
use super::{STRING, World};
use crate::classfile::{Class, FieldReference, JavaString, MethodReference};
use crate::descriptor::{MethodDescriptor, Name, Primitive, Type};
use crate::hierarchy::{DeclaredMethod, LinkError};
use crate::target::TargetMethod;

/// The static fields of a class, and what initialises them.
#[derive(Debug, Clone, Copy)]
pub struct ClassState {
    /// The global that holds the static fields.
    pub global: GlobalId,
    /// The function that initialises the class, if there is anything to do.
    pub initialiser: Option<FunctionId>,
}

impl World {
    /// The static fields of a class.
    pub fn class_state(&mut self, class: &Arc<Class>) -> Result<ClassState, LinkError> {
        self.complete(&class.ty())?;
        let statics = self.statics(class)?;
        Ok(ClassState {
            global: statics.global,
            initialiser: statics.guard,
        })
    }

    /// The classes of the user whose static fields a method depends on.
    pub fn classes_with_state(&self, target: &TargetMethod) -> Vec<Arc<Class>> {
        let mut classes: Vec<Arc<Class>> = Vec::new();
        let fields = self.static_inputs(target).into_iter();
        for (class, _) in fields.chain(self.static_finals(target)) {
            if classes.iter().all(|known| known.name != class.name) {
                classes.push(class);
            }
        }
        classes
    }

    /// From now on boxes come from the JDK's own table: whoever puts states back object by object
    /// needs boxes that are there before.
    pub fn use_table_of_boxes(&mut self) {
        self.interns_boxes = false;
    }

    /// The function of a method, translated.
    pub fn loaded(&mut self, declared: &DeclaredMethod) -> FunctionId {
        let function = self.function(declared);
        self.load(function);
        function
    }

    /// The function that boxes values of a primitive type, as the compiler does: `valueOf`.
    pub fn boxing(&mut self, primitive: Primitive) -> Result<FunctionId, LinkError> {
        let class = Type::class(box_class(primitive));
        self.complete(&class)?;
        let reference = MethodReference {
            class: class.clone(),
            name: "valueOf".into(),
            descriptor: Arc::new(MethodDescriptor {
                parameters: vec![Type::Primitive(primitive)],
                result: Some(class),
            }),
            is_interface: false,
        };
        let declared = self.with_hierarchy(|hierarchy| hierarchy.resolve_method(&reference))?;
        Ok(self.loaded(&declared))
    }

    /// A function that gives a string literal.
    pub fn literal_function(&mut self, text: &str) -> Result<FunctionId, LinkError> {
        let (global, fill) = self.literal(&JavaString::from(text))?;
        let class = self.complete(&Type::class(STRING))?;
        let name = format!("<literal> {}", global.0);
        let mut builder = Builder::new(name, &[], Some(Sort::Ref(class)));
        builder.emit(Operation::Call {
            to: None,
            callee: Callee::Static(fill),
            args: Vec::new(),
        });
        builder.end(Terminator::Return(Some(Operand::Global(global))));
        let function = self.add_function(builder.finish());
        self.refresh_interning();
        Ok(function)
    }

    /// The names of the constants of an enum; nothing if the type is none.
    pub fn enum_constants(&self, ty: &Type) -> Option<(Name, Vec<Name>)> {
        let found = self.as_enum(ty)?;
        let names = found.constants.iter().map(|field| field.name.clone());
        Some((found.class.name.clone(), names.collect()))
    }

    /// A function that gives what a static field refers to.
    pub fn static_reader(&mut self, class: &Name, field: &str) -> Result<FunctionId, LinkError> {
        let declaring = self.path.load(class)?;
        let ty = Type::Class(class.clone());
        let id = self.complete(&ty)?;
        let guard = self.guard(&declaring)?;
        let found = self.static_field(&FieldReference {
            class: class.clone(),
            name: field.into(),
            ty,
        })?;
        let name = format!("<constant> {class}.{field}");
        let mut builder = Builder::new(name, &[], Some(Sort::Ref(id)));
        if let Some(guard) = guard {
            builder.emit(Operation::Call {
                to: None,
                callee: Callee::Static(guard),
                args: Vec::new(),
            });
        }
        let to = builder.register(found.sort);
        builder.emit(Operation::Load {
            to,
            object: Operand::Global(found.statics.global),
            class: found.statics.class,
            field: found.field,
        });
        builder.end(Terminator::Return(Some(Operand::Register(to))));
        Ok(self.add_function(builder.finish()))
    }
}

/// The class of boxes for a primitive type.
fn box_class(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "java.lang.Boolean",
        Primitive::Byte => "java.lang.Byte",
        Primitive::Char => "java.lang.Character",
        Primitive::Short => "java.lang.Short",
        Primitive::Int => "java.lang.Integer",
        Primitive::Long => "java.lang.Long",
        Primitive::Float => "java.lang.Float",
        Primitive::Double => "java.lang.Double",
    }
}

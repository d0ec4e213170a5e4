//! Static fields, and the initialisation of classes.
//!
//! The static fields of a class are the fields of one global. Its first field says how far the
//! initialisation of the class is. The *guard* of a class is a function that initialises it unless that was
//! done: superclass first, then constants, then the static initialiser. Static methods call it
//! when they begin, `new` and accesses to static fields before they do their work.
//!
//! An exception ends the initialisation for good: it goes on as an `ExceptionInInitializerError`
//! unless it is an error itself, and every later use of the class is a `NoClassDefFoundError`.

use std::sync::Arc;

use heapwright_ir::{
    BlockId, Callee, Constant, FunctionId, GlobalId, Handler, Operand, Operation, Terminator,
};
use heapwright_logic::{ClassId, Field as LogicField, IntType, Sort};

use super::builder::Builder;
use super::native_bodies::call;
use super::{STRING, World, natives};
use crate::classfile::{self, Class, FieldReference, JavaString};
use crate::descriptor::{Name, Type};
use crate::hierarchy::{DeclaredMethod, LinkError};

/// The type of the field that says how far the initialisation of a class is.
const STATE: IntType = IntType::I8;

/// The class is initialised, or that has begun: there is one thread only, which goes on then.
const BEGUN: i128 = 1;

/// Its initialiser has thrown an exception.
const FAILED: i128 = 2;

/// Where the static fields of a class are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Statics {
    /// The class of the global.
    pub(crate) class: ClassId,
    /// The global.
    pub(crate) global: GlobalId,
    /// The function that initialises the class, if there is anything to do.
    pub(crate) guard: Option<FunctionId>,
}

/// A static field.
pub(crate) struct StaticField {
    /// The class that declares it.
    pub(crate) owner: Name,
    /// Where that class's fields are.
    pub(crate) statics: Statics,
    /// Which field it is.
    pub(crate) field: u32,
    /// Its sort.
    pub(crate) sort: Sort,
}

impl World {
    /// The static field that a reference means.
    pub(crate) fn static_field(
        &mut self,
        reference: &FieldReference,
    ) -> Result<StaticField, LinkError> {
        let declared = self.with_hierarchy(|hierarchy| hierarchy.resolve_field(reference))?;
        let statics = self.statics(&declared.class)?;
        let own = (declared.class.fields.iter()).filter(|field| field.access.is_static());
        let place = own
            .into_iter()
            .position(|field| field.name == reference.name);
        let field = place.map_or(0, |place| place + 1);
        let fields = &self.program.definitions.class(statics.class).fields;
        let missing = || LinkError::NoSuchField(reference.name.to_string());
        let found = fields.get(field).filter(|_| field > 0);
        Ok(StaticField {
            owner: declared.class.name.clone(),
            statics,
            field: field as u32,
            sort: found.ok_or_else(missing)?.sort,
        })
    }

    /// The guard of a class.
    pub(crate) fn guard(&mut self, class: &Arc<Class>) -> Result<Option<FunctionId>, LinkError> {
        Ok(self.statics(class)?.guard)
    }

    pub(super) fn statics(&mut self, class: &Arc<Class>) -> Result<Statics, LinkError> {
        if let Some(&statics) = self.statics.get(&class.name) {
            return Ok(statics);
        }
        let name = format!("static {}", class.name);
        let id = self.add_class(name.clone());
        let mut fields = vec![LogicField {
            name: "<initialised>".to_owned(),
            sort: Sort::Machine(STATE),
        }];
        for field in class.fields.iter().filter(|field| field.access.is_static()) {
            fields.push(LogicField {
                name: field.name.to_string(),
                sort: self.sort(&field.ty),
            });
        }
        self.program.definitions.class_mut(id).fields = fields;
        let global = self.add_global(name, id);
        let mut statics = Statics {
            class: id,
            global,
            guard: None,
        };
        // Known from here on, in case that the initialisers go round in circles.
        self.statics.insert(class.name.clone(), statics);
        statics.guard = self.make_guard(class, statics)?;
        self.statics.insert(class.name.clone(), statics);
        Ok(statics)
    }

    fn make_guard(
        &mut self,
        class: &Arc<Class>,
        statics: Statics,
    ) -> Result<Option<FunctionId>, LinkError> {
        let mut calls = Vec::new();
        if let Some(superclass) = &class.superclass
            && !class.access.is_interface()
        {
            let superclass = self.path.load(superclass)?;
            calls.extend(self.guard(&superclass)?);
        }
        // Interfaces are initialised with a class only if they have default methods.
        if !class.access.is_interface() {
            for interface in &class.interfaces {
                let interface = self.path.load(interface)?;
                let has_default = (interface.methods.iter())
                    .any(|method| !method.access.is_abstract() && !method.access.is_static());
                if has_default {
                    calls.extend(self.guard(&interface)?);
                }
            }
        }
        let mut stores = Vec::new();
        let own = class.fields.iter().filter(|field| field.access.is_static());
        for (index, field) in (1..).zip(own) {
            if let Some(constant) = &field.constant {
                let (value, filler) = self.constant_operand(&field.ty, constant)?;
                calls.extend(filler);
                stores.push((index, value));
            }
        }
        let initialiser = class.static_initialiser();
        if let Some(method) = initialiser.filter(|_| !natives::skips_initialiser(&class.name)) {
            let declared = DeclaredMethod {
                class: class.clone(),
                method: method.clone(),
            };
            calls.push(self.function(&declared));
        }
        // The initialiser sets them to null: a virtual machine that starts makes them later.
        let streams = self.standard_streams(class)?;
        if calls.is_empty() && stores.is_empty() {
            return Ok(None);
        }
        let mut builder = Builder::new(format!("<guard> {}", class.name), &[], None);
        let state = builder.register(Sort::Machine(STATE));
        let global = Operand::Global(statics.global);
        builder.emit(Operation::Load {
            to: state,
            object: global,
            class: statics.class,
            field: 0,
        });
        builder.end(Terminator::Switch {
            value: Operand::Register(state),
            cases: vec![(BEGUN, BlockId(1)), (FAILED, BlockId(3))],
            default: BlockId(2),
        });
        builder.end(Terminator::Return(None));
        let store = |builder: &mut Builder, field: u32, value: Operand| {
            builder.emit(Operation::Store {
                object: global,
                class: statics.class,
                field,
                value,
            });
        };
        let state = |state| Operand::Constant(Constant::Int(STATE, state));
        store(&mut builder, 0, state(BEGUN));
        for (field, value) in stores {
            store(&mut builder, field, value);
        }
        for function in calls {
            call(&mut builder, Callee::Static(function), Vec::new(), None);
        }
        for (field, stream) in streams {
            store(&mut builder, field, Operand::Global(stream));
        }
        let exception = builder.register(Sort::Ref(ClassId::ANY));
        let caught = Handler {
            class: None,
            exception,
            block: BlockId(4),
        };
        builder.end_with_handlers(Terminator::Return(None), vec![caught]);
        // Block 3 is a later use, blocks 4 to 6 are the first.
        let name = JavaString::from(format!("Could not initialize class {}", class.name).as_str());
        let (text, filler) = self.literal(&name)?;
        call(&mut builder, Callee::Static(filler), Vec::new(), None);
        let text = (Type::class(STRING), Operand::Global(text));
        self.throw_new(&mut builder, "java.lang.NoClassDefFoundError", text)?;
        if !self.is_own_class(&class.name) {
            // Those of the JDK never fail, but here the virtual machine has not filled its fields.
            let name = format!("{}#<clinit>()V", class.name);
            call(&mut builder, Callee::Intrinsic(name), Vec::new(), None);
        }
        store(&mut builder, 0, state(FAILED));
        let error = self.complete(&Type::class("java.lang.Error"))?;
        let is_error = builder.register(Sort::Bool);
        let exception = Operand::Register(exception);
        builder.emit(Operation::InstanceOf {
            to: is_error,
            object: exception,
            class: error,
        });
        builder.end(Terminator::Branch {
            condition: Operand::Register(is_error),
            then: BlockId(5),
            otherwise: BlockId(6),
        });
        builder.end(Terminator::Throw(exception));
        let cause = (Type::class("java.lang.Throwable"), exception);
        self.throw_new(&mut builder, "java.lang.ExceptionInInitializerError", cause)?;
        Ok(Some(self.add_function(builder.finish())))
    }

    /// Ends a block by throwing a new exception, made by the constructor that takes one argument.
    fn throw_new(
        &mut self,
        builder: &mut Builder,
        class: &str,
        argument: (Type, Operand),
    ) -> Result<(), LinkError> {
        let id = self.complete(&Type::class(class))?;
        let exception = builder.register(Sort::Ref(id));
        builder.emit(Operation::New {
            to: exception,
            class: id,
        });
        let exception = Operand::Register(exception);
        let (ty, value) = argument;
        let declared = self.path.load(class)?;
        let mut methods = declared.methods.iter();
        let constructor = methods
            .find(|method| method.is_constructor() && method.descriptor.parameters == [ty.clone()]);
        if let Some(method) = constructor.cloned() {
            let constructor = self.function(&DeclaredMethod {
                class: declared,
                method,
            });
            let args = vec![exception, value];
            call(builder, Callee::Static(constructor), args, None);
        }
        builder.end(Terminator::Throw(exception));
        Ok(())
    }

    /// The value of a constant field, and the function that fills it if it is a string.
    fn constant_operand(
        &mut self,
        ty: &Type,
        constant: &classfile::Constant,
    ) -> Result<(Operand, Option<FunctionId>), LinkError> {
        use classfile::Constant as Java;
        let sort = self.sort(ty);
        let value = match (constant, sort) {
            (Java::Int(value), Sort::Bool) => Constant::Bool(*value != 0),
            (Java::Int(value), Sort::Machine(ty)) => Constant::Int(ty, ty.wrap((*value).into())),
            (Java::Long(value), _) => Constant::Int(IntType::I64, (*value).into()),
            (Java::Float(bits), _) => Constant::Single(*bits),
            (Java::Double(bits), _) => Constant::Double(*bits),
            (Java::String(text), _) => {
                let (global, filler) = self.literal(text)?;
                return Ok((Operand::Global(global), Some(filler)));
            }
            _ => Constant::Null,
        };
        Ok((Operand::Constant(value), None))
    }
}

//! Methods that say whether an object is valid: `repOk` and its like.
//!
//! The engine knows such a predicate as a function with the parameters of the entry that is tested.
//! It holds if the receiver is valid, and every argument of the same class that is not null.
//!
//! A predicate is an instance method without parameters, or a static method elsewhere. That one
//! takes the object, or fields of it: a parameter of the object's class is the object, any other one
//! is the field of the parameter's name. So a predicate can be written for a class whose fields are
//! private and whose source cannot be changed.

use std::sync::Arc;

use heapwright_ir::{
    BinaryOp, BlockId, Callee, Comparison, Constant, FunctionId, Operand, Operation, Reg,
    Terminator,
};
use heapwright_logic::{ClassId, Heap, Sort, Value};
use thiserror::Error;

use super::builder::Builder;
use super::entries::parameter_types;
use super::{TestEntry, TranslateError, Trouble, World, place};
use crate::classfile::{Class, FieldReference};
use crate::descriptor::{Primitive, Type};
use crate::hierarchy::{DeclaredMethod, LinkError};
use crate::target::TargetMethod;

/// The names under which predicates are looked for, in this order.
pub const USUAL_NAMES: [&str; 5] = [
    "repOk",
    "repOK",
    "checkRep",
    "checkInvariant",
    "invariantHolds",
];

/// A predicate on objects of a class.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
pub struct Predicate {
    /// The method.
    pub declared: DeclaredMethod,
    /// The class of the objects.
    #[serde(with = "crate::stored::by_name")]
    pub class: Arc<Class>,
    /// What its parameters are, the receiver included.
    pub arguments: Vec<PredicateArgument>,
}

/// What a parameter of a predicate is.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum PredicateArgument {
    /// The object.
    Object,
    /// A field of it.
    Field(FieldReference),
}

/// Why a method is no predicate.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PredicateError {
    /// It returns something else.
    #[error("`{0}` cannot be a predicate, since it does not return a boolean")]
    NoBoolean(String),
    /// An instance method with parameters.
    #[error(
        "`{0}` cannot be a predicate: a method of the object must have no parameters; a static \
         method takes the object, or fields of it under their names"
    )]
    Parameters(String),
    /// A parameter is neither the object nor a field.
    #[error(
        "parameter {parameter} of `{method}` is neither of type {class} nor named like a field of \
         that type there (names of parameters are known if it is compiled with -g or -parameters)"
    )]
    NoField {
        /// The method.
        method: String,
        /// The parameter, by name or number.
        parameter: String,
        /// The class of the objects.
        class: String,
    },
}

impl World {
    /// The predicate of a class, by its name; superclasses are looked at too.
    pub fn usual_predicate(&self, class: &Arc<Class>) -> Option<Predicate> {
        let chain = self.with_hierarchy(|hierarchy| hierarchy.superclasses(class));
        let chain = chain.ok()?;
        for name in USUAL_NAMES {
            for ancestor in &chain {
                let mut methods = ancestor.methods.iter();
                let found = methods.find(|method| {
                    &*method.name == name
                        && !method.access.is_static()
                        && !method.access.is_abstract()
                        && method.descriptor.parameters.is_empty()
                        && method.descriptor.result == Some(Type::Primitive(Primitive::Boolean))
                });
                if let Some(method) = found {
                    return Some(Predicate {
                        declared: DeclaredMethod {
                            class: Arc::clone(ancestor),
                            method: Arc::clone(method),
                        },
                        class: Arc::clone(class),
                        arguments: vec![PredicateArgument::Object],
                    });
                }
            }
        }
        None
    }

    /// Why a method of a class or its superclasses that is called like a predicate is none.
    pub fn unusable_predicate(&self, class: &Arc<Class>) -> Option<String> {
        let chain = self.with_hierarchy(|hierarchy| hierarchy.superclasses(class));
        let methods = chain.ok()?.into_iter().flat_map(|ancestor| {
            let methods = ancestor.methods.clone().into_iter();
            methods.map(move |method| (Arc::clone(&ancestor), method))
        });
        let mut named = methods.filter(|(_, method)| USUAL_NAMES.contains(&&*method.name));
        let (ancestor, method) = named.next()?;
        let (name, descriptor) = (&method.name, &method.descriptor);
        let needed = "heapwright needs a method that returns boolean";
        Some(match &descriptor.result {
            None => format!("{name} returns nothing; {needed}"),
            Some(Type::Primitive(Primitive::Boolean)) if method.access.is_static() => format!(
                "{name} is static; name it with --repok {}#{name}",
                ancestor.name
            ),
            Some(Type::Primitive(Primitive::Boolean)) if method.access.is_abstract() => {
                format!("{name} is abstract; name a class that implements it")
            }
            Some(Type::Primitive(Primitive::Boolean)) => {
                format!("{name} has parameters; {needed} and has none")
            }
            Some(other) => format!("{name} returns {other}; {needed}"),
        })
    }

    /// A method as a predicate on objects of a class.
    pub fn predicate(
        &self,
        declared: &DeclaredMethod,
        class: &Arc<Class>,
    ) -> Result<Predicate, PredicateError> {
        let method = &declared.method;
        let shown = || declared.to_string();
        if method.descriptor.result != Some(Type::Primitive(Primitive::Boolean)) {
            return Err(PredicateError::NoBoolean(shown()));
        }
        let mut arguments = Vec::new();
        if !method.access.is_static() {
            if !method.descriptor.parameters.is_empty() {
                return Err(PredicateError::Parameters(shown()));
            }
            arguments.push(PredicateArgument::Object);
        }
        for (index, ty) in method.descriptor.parameters.iter().enumerate() {
            if *ty == class.ty() {
                arguments.push(PredicateArgument::Object);
                continue;
            }
            let name = method.parameter_name(index);
            let field = name.and_then(|name| self.field_of(class, name, ty));
            let missing = || PredicateError::NoField {
                method: shown(),
                parameter: name.map_or_else(|| (index + 1).to_string(), |name| format!("`{name}`")),
                class: class.name.to_string(),
            };
            arguments.push(PredicateArgument::Field(field.ok_or_else(missing)?));
        }
        Ok(Predicate {
            declared: declared.clone(),
            class: Arc::clone(class),
            arguments,
        })
    }

    /// The instance field of a name and a type that a class has or inherits.
    fn field_of(&self, class: &Arc<Class>, name: &str, ty: &Type) -> Option<FieldReference> {
        let chain = self.with_hierarchy(|hierarchy| hierarchy.superclasses(class));
        let mut fields = chain.ok()?.into_iter().flat_map(|ancestor| {
            let fields = ancestor.fields.clone().into_iter();
            fields.map(move |field| (Arc::clone(&ancestor), field))
        });
        let found = fields.find(|(_, field)| {
            &*field.name == name && field.ty == *ty && !field.access.is_static()
        });
        found.map(|(ancestor, field)| FieldReference {
            class: ancestor.name.clone(),
            name: field.name.clone(),
            ty: field.ty.clone(),
        })
    }

    /// A function with the parameters of an entry that says whether its objects are valid. Nothing
    /// if there are none of the predicate's class.
    pub fn invariant(
        &mut self,
        target: &TargetMethod,
        entry: &TestEntry,
        predicate: &Predicate,
    ) -> Result<Option<FunctionId>, TranslateError> {
        let key = (entry.function, predicate.declared.to_string());
        if let Some(&known) = self.invariants.get(&key) {
            return Ok(known);
        }
        let built = self.build_invariant(target, entry, predicate);
        let built = built.map_err(|error| TranslateError {
            place: place(&predicate.declared),
            problem: Box::new(Trouble::Link(error)),
        })?;
        self.invariants.insert(key, built);
        Ok(built)
    }

    /// A function that says of one object of the predicate's class whether it is valid.
    pub fn invariant_of_object(&mut self, predicate: &Predicate) -> Result<FunctionId, LinkError> {
        let function = self.function(&predicate.declared);
        let key = (function, predicate.class.name.to_string());
        if let Some(&Some(known)) = self.invariants.get(&key) {
            return Ok(known);
        }
        let class = self.complete(&predicate.class.ty())?;
        let name = format!("<valid> {}", predicate.class.name);
        let mut builder = Builder::new(name, &[Sort::Ref(class)], Some(Sort::Bool));
        self.emit_guard(&mut builder, predicate)?;
        self.emit_check(&mut builder, predicate, function, class, Reg(0), true)?;
        builder.end(Terminator::Return(Some(Operand::Constant(Constant::Bool(
            true,
        )))));
        let built = self.add_function(builder.finish());
        self.invariants.insert(key, Some(built));
        Ok(built)
    }

    /// The parameters of a method that a predicate is about, the receiver counted, each with
    /// whether it is the receiver.
    fn objects(&self, target: &TargetMethod, predicate: &Predicate) -> Vec<(usize, bool)> {
        let is_static = target.declared.method.access.is_static();
        let mut objects = Vec::new();
        for (index, ty) in parameter_types(&target.declared).into_iter().enumerate() {
            let is_receiver = index == 0 && !is_static;
            let class = match (&ty, is_receiver) {
                (_, true) => Some(Arc::clone(&target.class)),
                (Type::Class(name), false) => self.path.load(name).ok(),
                _ => None,
            };
            if class.is_some_and(|class| self.is_kind_of(&class, &predicate.class)) {
                objects.push((index, is_receiver));
            }
        }
        objects
    }

    /// The arguments of a method that a predicate is about, by their positions, the receiver counted.
    /// A constructor has none.
    pub fn predicate_objects(&self, target: &TargetMethod, predicate: &Predicate) -> Vec<usize> {
        match target.declared.method.is_constructor() {
            true => Vec::new(),
            false => {
                let objects = self.objects(target, predicate).into_iter();
                objects.map(|(index, _)| index).collect()
            }
        }
    }

    /// The arguments with which a predicate is called to find out whether an input of a method is
    /// valid: one call for each object that it is about.
    pub fn predicate_calls(
        &mut self,
        target: &TargetMethod,
        predicate: &Predicate,
        arguments: &[Value],
        heap: &Heap,
    ) -> Result<Vec<Vec<Value>>, LinkError> {
        let mut calls = Vec::new();
        for (index, _) in self.objects(target, predicate) {
            let Some(&Value::Ref(object)) = arguments.get(index) else {
                continue;
            };
            let mut call = Vec::new();
            for argument in &predicate.arguments {
                call.push(match argument {
                    PredicateArgument::Object => Value::Ref(object),
                    PredicateArgument::Field(reference) => {
                        let (_, field, _) = self.instance_field(reference)?;
                        let missing = || LinkError::NoSuchField(reference.name.to_string());
                        let cell = heap.cells.get(&object);
                        let value = cell.and_then(|cell| cell.fields.get(field as usize));
                        *value.ok_or_else(missing)?
                    }
                });
            }
            calls.push(call);
        }
        Ok(calls)
    }

    fn build_invariant(
        &mut self,
        target: &TargetMethod,
        entry: &TestEntry,
        predicate: &Predicate,
    ) -> Result<Option<FunctionId>, LinkError> {
        // A constructor makes its object valid; before that it need not be.
        if target.declared.method.is_constructor() {
            return Ok(None);
        }
        let objects = self.objects(target, predicate);
        if objects.is_empty() {
            return Ok(None);
        }
        let own = self.program.function(entry.function);
        let name = format!("<valid> {}", own.name);
        let parameters: Vec<_> = own
            .registers
            .iter()
            .take(own.params as usize)
            .cloned()
            .collect();
        let sorts: Vec<Sort> = parameters.iter().map(|parameter| parameter.sort).collect();
        let function = self.function(&predicate.declared);
        let class = self.complete(&predicate.class.ty())?;
        let mut builder = Builder::new(name, &sorts, Some(Sort::Bool));
        for (register, parameter) in (0..).map(Reg).zip(parameters) {
            builder.name(register, parameter.name);
        }
        self.emit_guard(&mut builder, predicate)?;
        for (index, is_receiver) in objects {
            let object = Reg(index as u32);
            self.emit_check(
                &mut builder,
                predicate,
                function,
                class,
                object,
                is_receiver,
            )?;
        }
        builder.end(Terminator::Return(Some(Operand::Constant(Constant::Bool(
            true,
        )))));
        Ok(Some(self.add_function(builder.finish())))
    }

    /// The class of a predicate is initialised before it is called.
    fn emit_guard(
        &mut self,
        builder: &mut Builder,
        predicate: &Predicate,
    ) -> Result<(), LinkError> {
        if let Some(guard) = self.guard(&predicate.declared.class)? {
            builder.emit(Operation::Call {
                to: None,
                callee: Callee::Static(guard),
                args: Vec::new(),
            });
        }
        Ok(())
    }

    /// Emits the check of one object, which goes on in the next block if it is valid.
    fn emit_check(
        &mut self,
        builder: &mut Builder,
        predicate: &Predicate,
        function: FunctionId,
        class: ClassId,
        object: Reg,
        is_receiver: bool,
    ) -> Result<(), LinkError> {
        let object = Operand::Register(object);
        let begin = builder.next_block().0;
        // The blocks: is it null; if so, what then; the call; it failed; go on.
        let (absent, call, failed, next) = (
            BlockId(begin + 1),
            BlockId(begin + 2),
            BlockId(begin + 3),
            BlockId(begin + 4),
        );
        let is_null = builder.register(Sort::Bool);
        builder.emit(Operation::Binary {
            to: is_null,
            op: BinaryOp::Compare(Comparison::Eq),
            a: object,
            b: Operand::Constant(Constant::Null),
        });
        builder.end(Terminator::Branch {
            condition: Operand::Register(is_null),
            then: absent,
            otherwise: call,
        });
        builder.end(Terminator::Goto(match is_receiver {
            true => failed,
            false => next,
        }));
        let mut args = Vec::new();
        for argument in &predicate.arguments {
            args.push(match argument {
                PredicateArgument::Object => object,
                PredicateArgument::Field(reference) => {
                    let (_, field, sort) = self.instance_field(reference)?;
                    let to = builder.register(sort);
                    builder.emit(Operation::Load {
                        to,
                        object,
                        class,
                        field,
                    });
                    Operand::Register(to)
                }
            });
        }
        let holds = builder.register(Sort::Bool);
        let method = &predicate.declared.method;
        let is_fixed = method.access.is_static() || method.access.is_private();
        builder.emit(Operation::Call {
            to: Some(holds),
            callee: match is_fixed {
                true => Callee::Static(function),
                false => Callee::Virtual(super::method_key(method)),
            },
            args,
        });
        builder.end(Terminator::Branch {
            condition: Operand::Register(holds),
            then: next,
            otherwise: failed,
        });
        builder.end(Terminator::Return(Some(Operand::Constant(Constant::Bool(
            false,
        )))));
        Ok(())
    }

    fn is_kind_of(&self, class: &Arc<Class>, ancestor: &Class) -> bool {
        let chain = self.with_hierarchy(|hierarchy| hierarchy.superclasses(class));
        chain.is_ok_and(|chain| chain.iter().any(|known| known.name == ancestor.name))
    }
}

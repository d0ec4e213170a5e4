//! Functions of methods, and the tables that virtual calls look into.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_ir::{Function, FunctionId, Operand, Operation, Position, Terminator};
use heapwright_logic::{ClassId, Sort};

use super::World;
use super::builder::Builder;
use super::loading::Pending;
use crate::classfile::{Class, Method};
use crate::descriptor::{Name, Type};
use crate::hierarchy::{DeclaredMethod, LinkError};

/// The entry of the method table that gives the class object.
pub(crate) const CLASS_OBJECT: &str = "<class>";

/// The entry of the method table for `Object.clone`.
pub(super) const COPY_OBJECT: &str = "<clone>";

/// The name of a method in method tables.
pub(crate) fn method_key(method: &Method) -> String {
    format!("{}{}", method.name, method.descriptor.descriptor())
}

/// The name of a private method in method tables: calls of it are decided by the class that
/// declares it, but still find out whether the receiver is null.
pub(crate) fn private_key(class: &Class, method: &Method) -> String {
    format!("{}.{}", class.name, method_key(method))
}

impl World {
    /// The function of a method, which is translated when it is called.
    pub fn function(&mut self, declared: &DeclaredMethod) -> FunctionId {
        let key = (declared.class.name.clone(), method_key(&declared.method));
        if let Some(&id) = self.functions.get(&key) {
            return id;
        }
        let function = self.stub(declared);
        let id = self.add_stub(function, Pending::Method(declared.clone()));
        self.functions.insert(key, id);
        self.methods.insert(id, declared.clone());
        id
    }

    /// The sorts of the parameters of a method, the receiver included.
    pub(crate) fn parameter_sorts(&mut self, declared: &DeclaredMethod) -> Vec<Sort> {
        let mut sorts = Vec::new();
        if !declared.method.access.is_static() {
            sorts.push(self.sort(&declared.class.ty()));
        }
        for parameter in &declared.method.descriptor.parameters {
            sorts.push(self.sort(parameter));
        }
        sorts
    }

    /// A function with the signature of a method and no body yet.
    fn stub(&mut self, declared: &DeclaredMethod) -> Function {
        let params = self.parameter_sorts(declared);
        let result = declared.method.descriptor.result.as_ref();
        let result = result.map(|result| self.sort(result));
        Builder::new(declared.to_string(), &params, result).finish()
    }

    /// Adds a function whose code is not there yet.
    pub(super) fn add_stub(&mut self, mut function: Function, pending: Pending) -> FunctionId {
        function.synthetic = !matches!(pending, Pending::Method(_));
        function.blocks = vec![heapwright_ir::Block {
            instructions: Vec::new(),
            terminator: Terminator::Absent,
            position: Position::default(),
            handlers: Vec::new(),
        }];
        let id = self.add_function(function);
        self.pending.insert(id, pending);
        id
    }

    /// Fills the method table of a class of which there are objects.
    pub(super) fn enter_methods(
        &mut self,
        id: ClassId,
        class: &Arc<Class>,
    ) -> Result<(), LinkError> {
        let (chain, interfaces) = self.with_hierarchy(|hierarchy| {
            Ok::<_, LinkError>((hierarchy.superclasses(class)?, hierarchy.interfaces(class)?))
        })?;
        let mut table = BTreeMap::new();
        // An abstract method of a class hides default methods of interfaces.
        let mut hidden = BTreeSet::new();
        for ancestor in &chain {
            for method in instance_methods(ancestor) {
                let key = match method.access.is_private() {
                    true => private_key(ancestor, method),
                    false => method_key(method),
                };
                if !hidden.insert(key.clone()) || method.access.is_abstract() {
                    continue;
                }
                let declared = declared(ancestor, method);
                table.insert(key, self.function(&declared));
            }
        }
        for interface in &interfaces {
            for method in instance_methods(interface) {
                let found = declared(interface, method);
                if method.access.is_private() {
                    table.insert(private_key(interface, method), self.function(&found));
                    continue;
                }
                let key = method_key(method);
                if method.access.is_abstract() || hidden.contains(&key) || table.contains_key(&key)
                {
                    continue;
                }
                // Several default methods of which none is more specific: calls of it fail.
                let selected = self.with_hierarchy(|hierarchy| hierarchy.select(class, &found));
                if let Ok(selected) = selected {
                    let function = self.function(&selected);
                    table.insert(key, function);
                }
            }
        }
        table.insert(
            CLASS_OBJECT.to_owned(),
            self.class_object_function(&class.ty()),
        );
        table.insert(COPY_OBJECT.to_owned(), self.copy_function(id));
        self.info(id, |info| info.methods = table);
        Ok(())
    }

    /// The function that gives the class object of a class.
    pub(super) fn class_object_function(&mut self, ty: &Type) -> FunctionId {
        let params = [Sort::Ref(ClassId::ANY)];
        let name = format!("{CLASS_OBJECT} {ty}");
        let stub = Builder::new(name, &params, Some(Sort::Ref(ClassId::ANY))).finish();
        self.add_stub(stub, Pending::ClassObject(ty.clone()))
    }

    /// The function that copies an object of a class.
    fn copy_function(&mut self, id: ClassId) -> FunctionId {
        let any = Sort::Ref(ClassId::ANY);
        let class = self.program.definitions.class(id).name.clone();
        let stub = Builder::new(format!("{COPY_OBJECT} {class}"), &[any], Some(any)).finish();
        self.add_stub(stub, Pending::ObjectClone(id))
    }

    /// A new object with the same contents, if the class says that it can be cloned.
    pub(super) fn object_clone(
        &mut self,
        function: FunctionId,
        id: ClassId,
    ) -> Result<Function, LinkError> {
        let any = Sort::Ref(ClassId::ANY);
        let name = self.program.function(function).name.clone();
        let mut builder = Builder::new(name, &[any], Some(any));
        let cloneable = self.complete(&Type::class("java.lang.Cloneable"))?;
        let allowed = self.program.is_subtype(id, cloneable);
        let class = match allowed {
            true => id,
            false => self.complete(&Type::class("java.lang.CloneNotSupportedException"))?,
        };
        let made = builder.register(Sort::Ref(class));
        builder.emit(Operation::New { to: made, class });
        let made = Operand::Register(made);
        if !allowed {
            builder.end(Terminator::Throw(made));
            return Ok(builder.finish());
        }
        let fields = self.program.definitions.class(id).fields.clone();
        for (field, sort) in (0..).zip(fields.iter().map(|field| field.sort)) {
            let content = builder.register(sort);
            let object = builder.param(0);
            builder.emit(Operation::Load {
                to: content,
                object,
                class,
                field,
            });
            builder.emit(Operation::Store {
                object: made,
                class,
                field,
                value: Operand::Register(content),
            });
        }
        builder.end(Terminator::Return(Some(made)));
        Ok(builder.finish())
    }

    /// The index of the source file of a class in the program.
    pub fn source_file(&mut self, class: &Class) -> u32 {
        if let Some(&file) = self.files.get(&class.name) {
            return file;
        }
        let package = class.package().replace('.', "/");
        let file: Name = class.source_file.clone().unwrap_or_else(|| "".into());
        let name = match package.is_empty() {
            true => file.to_string(),
            false => format!("{package}/{file}"),
        };
        let known = self.program.files.iter().position(|file| file.name == name);
        let index = known.unwrap_or_else(|| {
            self.program.files.push(heapwright_ir::SourceFile {
                name,
                text: String::new(),
            });
            self.program.files.len() - 1
        });
        self.files.insert(class.name.clone(), index as u32);
        index as u32
    }
}

fn instance_methods(class: &Class) -> impl Iterator<Item = &Arc<Method>> {
    let methods = class.methods.iter();
    methods.filter(|method| !method.access.is_static() && !method.name.starts_with('<'))
}

fn declared(class: &Arc<Class>, method: &Arc<Method>) -> DeclaredMethod {
    DeclaredMethod {
        class: class.clone(),
        method: method.clone(),
    }
}

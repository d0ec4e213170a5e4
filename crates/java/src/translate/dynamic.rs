//! `invokedynamic`: the bootstrap methods that compilers use are known by name; they are never
//! run.

use std::sync::Arc;

use heapwright_ir::Callee;

use super::emitter::Emitter;
use crate::classfile::{
    Access, Class, Code, DynamicCall, Field, Instruction, Method, MethodHandle, NEWEST_VERSION, Pc,
};
use crate::descriptor::{MethodDescriptor, Name, Type};
use crate::hierarchy::{DeclaredMethod, LinkError};
use crate::world::{OBJECT, Trouble, kind_of, method_key};

impl Emitter<'_> {
    pub(super) fn invoke_dynamic(&mut self, call: &DynamicCall) -> Result<(), Trouble> {
        let bootstrap = match &*call.bootstrap.method {
            MethodHandle::InvokeStatic(method) => method.clone(),
            _ => {
                let what = "a bootstrap method that is not static";
                return Err(Trouble::Unsupported(what.into()));
            }
        };
        let class = match &bootstrap.class {
            Type::Class(name) => &**name,
            _ => "",
        };
        match (class, &*bootstrap.name) {
            ("java.lang.invoke.LambdaMetafactory", "metafactory" | "altMetafactory") => {
                self.lambda(call)
            }
            ("java.lang.invoke.StringConcatFactory", "makeConcatWithConstants") => {
                self.concatenation(call)
            }
            ("java.lang.runtime.ObjectMethods", "bootstrap") => self.record_method(call),
            ("java.lang.runtime.SwitchBootstraps", "typeSwitch" | "enumSwitch") => {
                self.pattern_switch(call)
            }
            _ => {
                let what = format!("the bootstrap method {class}#{}", bootstrap.name);
                Err(Trouble::Unsupported(what))
            }
        }
    }

    /// Calls the only method of a class that was made up for the current call site.
    pub(super) fn call_made_up(&mut self, name: &Name, call: &DynamicCall) -> Result<(), Trouble> {
        let class = self.world.class_path().load(name);
        let class = class.map_err(LinkError::from)?;
        let method = class.methods.first().cloned();
        let method = method.ok_or(Trouble::Malformed("a class without a method"))?;
        let function = self.world.function(&DeclaredMethod { class, method });
        let mut args = Vec::new();
        for ty in call.descriptor.parameters.iter().rev() {
            let entry = self.pop(kind_of(ty))?;
            let sort = self.world.sort(ty);
            args.push(self.sorted(&entry, sort));
        }
        args.reverse();
        let result = call.descriptor.result.as_ref();
        self.call(Callee::Static(function), args, result);
        Ok(())
    }

    /// The name of the class that is made up for the current call site, and whether it is new.
    pub(super) fn call_site_class(&mut self, what: &str) -> (Name, bool) {
        let pc = self.pc.unwrap_or(Pc(0));
        let class = self.declared.class.name.clone();
        let site = (class.clone(), method_key(&self.declared.method), pc);
        if let Some(known) = self.world.known_call_site(&site) {
            return (known.clone(), false);
        }
        // Worlds share their class path, so the name says which call site it is.
        let method = site.1.chars().map(|c| match c {
            '(' => '{',
            ')' => '}',
            '[' => '+',
            ';' => '!',
            '/' => '_',
            '<' | '>' => '\'',
            other => other,
        });
        let method: String = method.collect();
        let name: Name = format!("{class}$${what}${method}${pc}").into();
        self.world.call_site(site, name.clone());
        (name, true)
    }
}

/// Bytecode under construction; the position of an instruction is its number.
#[derive(Default)]
pub(crate) struct Assembler {
    instructions: Vec<(Pc, Instruction)>,
}

impl Assembler {
    pub(crate) fn push(&mut self, instruction: Instruction) {
        let pc = Pc(u16::try_from(self.instructions.len()).unwrap_or(u16::MAX));
        self.instructions.push((pc, instruction));
    }

    /// A method with the instructions so far.
    pub(crate) fn method(
        self,
        name: Name,
        descriptor: Arc<MethodDescriptor>,
        access: Access,
        max_locals: u16,
    ) -> Method {
        Method {
            name,
            descriptor,
            access,
            code: Some(Code {
                max_stack: u16::MAX,
                max_locals,
                instructions: self.instructions,
                handlers: Vec::new(),
                lines: Vec::new(),
                variables: Vec::new(),
            }),
            exceptions: Vec::new(),
            signature: None,
            parameter_names: Vec::new(),
            annotations: Vec::new(),
        }
    }
}

/// A class that no source text has.
pub(crate) fn made_up_class(
    name: Name,
    interfaces: Vec<Name>,
    fields: Vec<Arc<Field>>,
    methods: Vec<Method>,
) -> Class {
    Class {
        name,
        superclass: Some(OBJECT.into()),
        interfaces,
        // Synthetic, final, and with the modern meaning of `invokespecial`.
        access: Access(0x1030),
        fields,
        methods: methods.into_iter().map(Arc::new).collect(),
        version: NEWEST_VERSION,
        source_file: None,
        signature: None,
        inner_classes: Vec::new(),
        enclosing_method: None,
        record: None,
        nest_host: None,
        permitted_subclasses: None,
        annotations: Vec::new(),
    }
}

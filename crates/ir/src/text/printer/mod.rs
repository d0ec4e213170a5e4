//! Prints programs: here what is outside functions, and how things are referred to.
//!
//! The printer is total: what the verifier would reject is printed as well as it can be, ids
//! that lead nowhere as numbers.

mod functions;

use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};

use heapwright_logic::{Class, ClassId, Definitions, Sort};
use rustc_hash::FxHashMap;

use super::vocabulary::{fault_word, float_word, name, quoted};
use crate::function::FunctionId;
use crate::global::GlobalId;
use crate::program::{ClassInfo, ClassKind, Program};

/// The text form of a program.
pub fn print(program: &Program) -> String {
    let mut out = String::new();
    // Writing to a string does not fail.
    let _ = Printer::new(program).program(&mut out);
    out
}

/// The text form of some functions of a program.
pub fn print_functions(program: &Program, functions: &[FunctionId]) -> Vec<String> {
    let printer = Printer::new(program);
    let text = |id: &FunctionId| {
        let mut out = String::new();
        if let Some(function) = program.functions.get(id.index()) {
            let _ = printer.function(&mut out, function);
        }
        out
    };
    functions.iter().map(text).collect()
}

struct Printer<'a> {
    program: &'a Program,
    classes: usize,
    functions: FxHashMap<&'a str, u32>,
    globals: FxHashMap<&'a str, u32>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program) -> Printer<'a> {
        let mut functions = FxHashMap::default();
        for (function, id) in program.functions.iter().zip(0u32..) {
            // Of several functions with one name, the name means the first.
            functions.entry(function.name.as_str()).or_insert(id);
        }
        let mut globals = FxHashMap::default();
        for (global, id) in program.globals.iter().zip(0u32..) {
            globals.entry(global.name.as_str()).or_insert(id);
        }
        Printer {
            program,
            classes: program.definitions.classes().count(),
            functions,
            globals,
        }
    }

    fn program(&self, out: &mut String) -> fmt::Result {
        let program = self.program;
        if program.manual_memory {
            writeln!(out, "manual_memory")?;
        }
        for file in &program.files {
            writeln!(out, "file {}", quoted(&file.name))?;
            if !file.text.is_empty() {
                for line in file.text.split('\n') {
                    let space = if line.is_empty() { "" } else { " " };
                    writeln!(out, "  |{space}{line}")?;
                }
            }
        }
        for (&fault, &class) in &program.exceptions.iter().collect::<BTreeMap<_, _>>() {
            writeln!(
                out,
                "fault {} throws {}",
                fault_word(*fault),
                self.class(*class)
            )?;
        }
        for (id, class) in program.definitions.classes() {
            self.class_declaration(out, id, class)?;
        }
        if !program.globals.is_empty() && !out.is_empty() {
            writeln!(out)?;
        }
        for global in &program.globals {
            let class = self.class(global.class);
            write!(out, "global {}: {class}", name(&global.name))?;
            if let Some(length) = global.length {
                write!(out, " length {length}")?;
            }
            writeln!(out)?;
        }
        for function in &program.functions {
            if !out.is_empty() {
                writeln!(out)?;
            }
            self.function(out, function)?;
        }
        Ok(())
    }

    fn class_declaration(&self, out: &mut String, id: ClassId, class: &Class) -> fmt::Result {
        let default = ClassInfo::default();
        let info = self.program.classes.get(id.index()).unwrap_or(&default);
        if id == ClassId::ANY && *info == default && Some(class) == any_class().as_ref() {
            return Ok(());
        }
        if !out.is_empty() {
            writeln!(out)?;
        }
        if !info.instantiable {
            write!(out, "abstract ")?;
        }
        match id {
            ClassId::ANY => write!(out, "class any")?,
            _ => write!(out, "class {}", name(&class.name))?,
        }
        let (layout, size) = match &info.kind {
            ClassKind::Struct { layout, size } => (layout.as_slice(), *size),
            ClassKind::Array { element } => {
                write!(out, " array of {}", self.sort(*element))?;
                (&[][..], 0)
            }
        };
        if let Some(superclass) = class.superclass {
            write!(out, " extends {}", self.class(superclass))?;
        }
        if !info.interfaces.is_empty() {
            let interfaces = info.interfaces.iter().map(|&id| self.class(id));
            write!(out, " implements {}", commas(interfaces))?;
        }
        if size != 0 {
            write!(out, " size {size}")?;
        }
        if class.fields.is_empty() && info.methods.is_empty() {
            return writeln!(out);
        }
        writeln!(out, " {{")?;
        for (index, field) in class.fields.iter().enumerate() {
            write!(out, "  {}: {}", name(&field.name), self.sort(field.sort))?;
            if let Some(place) = layout.get(index) {
                write!(out, " at {} size {}", place.offset, place.size)?;
            }
            writeln!(out)?;
        }
        for (method, &function) in &info.methods {
            writeln!(out, "  method {} = {}", name(method), self.callee(function))?;
        }
        writeln!(out, "}}")
    }

    /// A class by name, if the name leads to it.
    fn class(&self, id: ClassId) -> String {
        let definitions = &self.program.definitions;
        if id == ClassId::ANY {
            return "any".to_owned();
        }
        if id.index() < self.classes {
            let written = &definitions.class(id).name;
            if definitions.class_named(written) == Some(id) {
                return name(written);
            }
        }
        format!("#{}", id.0)
    }

    /// A field with its class, by name if the name leads to it.
    fn field(&self, class: ClassId, field: u32) -> String {
        let definitions = &self.program.definitions;
        let written = self.class(class);
        if class.index() < self.classes
            && let Some(found) = definitions.class(class).fields.get(field as usize)
            && definitions.field_index(class, &found.name) == Some(field as usize)
        {
            format!("{written}::{}", name(&found.name))
        } else {
            format!("{written}::#{field}")
        }
    }

    /// A function by name, if the name leads to it.
    fn callee(&self, id: FunctionId) -> String {
        match self.program.functions.get(id.index()) {
            Some(function) if self.functions.get(function.name.as_str()) == Some(&id.0) => {
                name(&function.name)
            }
            _ => format!("#{}", id.0),
        }
    }

    /// A global by name, if the name leads to it.
    fn global(&self, id: GlobalId) -> String {
        match self.program.globals.get(id.index()) {
            Some(global) if self.globals.get(global.name.as_str()) == Some(&id.0) => {
                name(&global.name)
            }
            _ => format!("#{}", id.0),
        }
    }

    fn sort(&self, sort: Sort) -> String {
        match sort {
            Sort::Bool => "bool".to_owned(),
            Sort::Int => "integer".to_owned(),
            Sort::Machine(ty) => ty.name().to_owned(),
            Sort::Float(ty) => float_word(ty).to_owned(),
            Sort::Ref(class) => self.class(class),
        }
    }
}

/// The entry of [`ClassId::ANY`] as it is in new definitions.
fn any_class() -> Option<Class> {
    Definitions::new()
        .classes()
        .next()
        .map(|(_, class)| class.clone())
}

fn commas<T: Display>(items: impl Iterator<Item = T>) -> String {
    let items: Vec<String> = items.map(|item| item.to_string()).collect();
    items.join(", ")
}

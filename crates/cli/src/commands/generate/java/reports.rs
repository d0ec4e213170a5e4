//! What reports need to know about Java: names of methods, and texts of tests.

use std::collections::BTreeMap;
use std::io::Write;

use heapwright_ir::{FunctionId, Program};
use heapwright_java::emit::emit;
use heapwright_java::world::World;

use super::super::report::{self, FunctionName, Methods, Procedure, Results, Texts};
use super::output;
use super::session::{Method, Session};
use crate::failure::Failure;
use heapwright_explain::words;

/// Writes the reports that are wanted.
pub fn write(session: &Session<'_>, out: &mut dyn Write) -> Result<(), Failure> {
    let arguments = session.arguments;
    if !arguments.reports.is_wanted() {
        return Ok(());
    }
    let world = &session.program.world;
    let mut texts = texts(session);
    let procedures = session.methods.iter().map(|method| Procedure {
        suite: &method.suite,
        name: short_name(session, method),
        function: method.function,
        sources: (method.suite.tests.iter())
            .filter_map(|kept| texts.remove_entry(&kept.name))
            .collect(),
    });
    let unwritten = session.unwritten.iter();
    let unwritten = unwritten.map(|reason| format!("not written: {reason}"));
    let results = Results {
        title: arguments.title(),
        facts: report::facts(arguments, session.specification.as_deref()),
        complaints: (session.all_complaints().into_iter())
            .chain(unwritten)
            .collect(),
        procedures: procedures.collect(),
        function_name: &|program, id| function_name(world, program, id),
        source_folders: arguments.java.sources(),
        texts: Texts::new(|file| world.class_path().jdk().source(file)),
    };
    report::write(&arguments.reports, &results, arguments.remarks(out))
}

/// The tests as methods, by name.
fn texts(session: &Session<'_>) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for (class, _) in output::classes(session) {
        let Ok(emitted) = emit(&session.program.world, &class) else {
            continue;
        };
        let methods = Methods::of(&emitted.text);
        for case in &class.cases {
            if let Some(text) = methods.method(&case.name) {
                texts.insert(case.name.clone(), text);
            }
        }
    }
    texts
}

/// `remove`, or `Tree.remove` where there are several classes; with the types of the parameters
/// where several methods have the name.
fn short_name(session: &Session<'_>, method: &Method) -> String {
    let class = &method.target.class.name;
    let mut others = session.methods.iter();
    let several = others.any(|other| other.target.class.name != *class);
    let simple = words::simple_class(class);
    let declared = &method.target.declared.method;
    let mut others = session.methods.iter();
    let overloaded = others.any(|other| {
        let other = &other.target;
        let same = other.class.name == *class && other.declared.method.name == declared.name;
        same && other.declared.method.descriptor != declared.descriptor
    });
    let name = match &*declared.name {
        "<init>" => format!("new {simple}"),
        name if several => format!("{simple}.{name}"),
        name => name.to_owned(),
    };
    match overloaded {
        true => format!("{name}({})", types(declared)),
        false => name,
    }
}

/// The types of the parameters of a method, without packages.
fn types(method: &heapwright_java::classfile::Method) -> String {
    let types = method.descriptor.parameters.iter();
    let types: Vec<String> = types
        .map(|ty| words::simple_class(&ty.to_string()).to_owned())
        .collect();
    types.join(", ")
}

fn function_name(world: &World, program: &Program, id: FunctionId) -> FunctionName {
    let Some(declared) = world.method_of(id) else {
        let name = program.function(id).name.clone();
        return FunctionName {
            class: String::new(),
            descriptor: String::new(),
            title: name.clone(),
            name,
        };
    };
    let method = &declared.method;
    let class = words::simple_class(&declared.class.name);
    FunctionName {
        class: declared.class.name.replace('.', "/"),
        name: method.name.to_string(),
        descriptor: method.descriptor.descriptor(),
        title: format!("{class}.{}({})", method.name, types(method)),
    }
}

//! Methods and tests as reports name and show them.

use std::collections::BTreeMap;

use heapwright_explain::words;
use heapwright_ir::{FunctionId, Program};
use heapwright_java::emit::emit;
use heapwright_java::world::World;
use heapwright_testgen::Tested;
use heapwright_testgen::report::{FunctionName, Methods};

use crate::emission;
use crate::frontend::JavaTests;

/// The tests as methods, by name.
pub fn texts(
    java: &JavaTests,
    methods: &[Tested<JavaTests>],
    infix: &str,
) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    for (class, _) in emission::classes(methods, java, infix) {
        let Ok(emitted) = emit(&java.program.world, &class) else {
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
pub fn short_name(methods: &[Tested<JavaTests>], index: usize) -> String {
    let Some(method) = methods.get(index) else {
        return String::new();
    };
    let class = &method.target.class.name;
    let mut others = methods.iter();
    let several = others.any(|other| other.target.class.name != *class);
    let simple = words::simple_class(class);
    let declared = &method.target.declared.method;
    let mut others = methods.iter();
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

/// What other tools call a function.
pub fn function_name(world: &World, program: &Program, id: FunctionId) -> FunctionName {
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

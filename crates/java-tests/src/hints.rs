//! What would make the tests better.

use heapwright_engine::Mode;
use heapwright_java::classfile;
use heapwright_java::target::TargetMethod;
use heapwright_testgen::{Error, Request, Tested};

use crate::frontend::JavaTests;
use crate::program::JavaProgram;

/// What would make the tests of some methods better.
pub fn hints(
    program: &JavaProgram,
    methods: &[Tested<JavaTests>],
    request: &Request,
) -> Result<Vec<String>, Error> {
    let mut hints = Vec::new();
    let mut targets = methods.iter().map(|method| &method.target);
    if let Some(target) = targets.find(|target| is_nameless(program, target)) {
        let class = &target.class.name;
        hints.push(format!(
            "{class} was compiled without -g; compile with -g to see the names of parameters"
        ));
    }
    hints.extend(unused_predicate(program, methods, request)?);
    Ok(hints)
}

/// A predicate that nobody made use of, where every heap is a valid input.
fn unused_predicate(
    program: &JavaProgram,
    methods: &[Tested<JavaTests>],
    request: &Request,
) -> Result<Option<String>, Error> {
    if request.is_by_predicate() || request.options.mode == Mode::Sequences {
        return Ok(None);
    }
    for method in methods.iter().filter(|method| method.suite.any_heap) {
        if let Some(predicate) = program.predicate(&method.target.class)? {
            let name = &predicate.declared.method.name;
            return Ok(Some(format!(
                "{} has a method {name}; with --mode whitebox all inputs satisfy it",
                method.target.class.name
            )));
        }
    }
    Ok(None)
}

/// Whether somebody could compile the class of a method again to have names for its parameters: it
/// is not one of the JDK, and none of its methods has any.
fn is_nameless(program: &JavaProgram, target: &TargetMethod) -> bool {
    let class = &target.class;
    let has_parameters = |method: &classfile::Method| !method.descriptor.parameters.is_empty();
    let mut methods = class.methods.iter();
    has_parameters(&target.declared.method)
        && methods.all(|method| method.parameter_name(0).is_none())
        && (program.world.class_path().classes())
            .is_ok_and(|own| own.binary_search(&class.name).is_ok())
}

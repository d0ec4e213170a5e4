//! What specifications say about Java methods.
//!
//! Both notations are read against the code: classes and fields are those of the class files, and
//! a contract belongs to the method whose name and parameters it gives. A [`Specified`] is a file
//! that was read for a class; [`Specified::contracts`] picks what it says about one method.

mod annotations;
mod classes;
mod predicate_file;

use std::sync::Arc;

use heapwright_logic::Terms;
use heapwright_spec::{
    Contract, ContractKind, Environment, Loader, Signature, Source, SpecError, Specification,
    read_specification,
};

use crate::classfile::Class;
use crate::descriptor::package_of;
use crate::hierarchy::DeclaredMethod;
use crate::world::World;

pub use annotations::annotated;
pub use classes::mention;
pub use predicate_file::read_predicate_file;

/// A specification of the methods of some classes.
#[derive(Debug, Clone)]
pub struct Specified {
    /// The specification.
    pub specification: Specification,
    /// The methods that the signatures of its contracts stand for.
    pub methods: Vec<DeclaredMethod>,
}

impl Specified {
    /// What is said about a method: the first contract of a kind for calls that return.
    pub fn contract(&self, method: &DeclaredMethod, kind: ContractKind) -> Option<&Contract> {
        let same = |known: &DeclaredMethod| {
            known.class.name == method.class.name
                && known.method.name == method.method.name
                && known.method.descriptor == method.method.descriptor
        };
        self.specification.contracts.iter().find(|contract| {
            let known = contract.signature.and_then(|index| self.methods.get(index));
            contract.kind == kind && contract.throws.is_none() && known.is_some_and(same)
        })
    }
}

/// Reads a specification for a class. The classes that it mentions are completed in the world.
pub fn read_for(
    world: &mut World,
    class: &Arc<Class>,
    source: Source,
    loader: &mut Loader<'_>,
) -> Result<Specified, SpecError> {
    let classes = mention(world, class, &source.text);
    let (environment, methods) = environment(world, &classes);
    let specification = read_specification(source, environment, loader)?;
    Ok(Specified {
        specification,
        methods,
    })
}

/// What is known about classes before their specification is read.
fn environment(world: &mut World, classes: &[Arc<Class>]) -> (Environment, Vec<DeclaredMethod>) {
    let mut signatures = Vec::new();
    let mut methods = Vec::new();
    let mut packages: Vec<String> = Vec::new();
    for class in classes {
        packages.push(class.name.to_string());
        packages.push(package_of(&class.name).to_owned());
        let id = world.declare(&class.ty());
        // A bridge that the compiler added has the name of the method that it calls, which is meant.
        let written = class.methods.iter();
        for method in written.filter(|method| !method.access.is_synthetic()) {
            let descriptor = &method.descriptor;
            let params = descriptor.parameters.iter().map(|ty| world.sort(ty));
            signatures.push(Signature {
                class: Some(id),
                has_receiver: !method.access.is_static(),
                method: method.name.to_string(),
                params: params.collect(),
                result: descriptor.result.as_ref().map(|ty| world.sort(ty)),
            });
            methods.push(DeclaredMethod {
                class: class.clone(),
                method: method.clone(),
            });
        }
    }
    let environment = Environment {
        terms: Terms::new(),
        definitions: world.program().definitions.clone(),
        signatures,
        packages,
    };
    (environment, methods)
}

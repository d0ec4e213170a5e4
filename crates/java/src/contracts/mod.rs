//! What specifications say about Java methods.
//!
//! Both notations are read against the code: classes and fields are those of the class files, and
//! a contract belongs to the method whose name and parameters it gives. A [`Specified`] is a file
//! that was read for a class; [`Specified::contracts`] picks what it says about one method.

mod abstract_cells;
mod annotations;
mod classes;
mod statics;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_logic::{ClassId, Terms};
use heapwright_spec::diagnostic::{Diagnostic, nearest};
use heapwright_spec::{
    Contract, ContractKind, Environment, Loader, Signature, Source, SpecError, Specification,
    read_specification, starfinder,
};

use crate::classfile::Class;
use crate::classpath::ClassPath;
use crate::descriptor::{Name, package_of};
use crate::hierarchy::DeclaredMethod;
use crate::world::World;

pub use annotations::annotated;
pub use classes::mention;

/// A specification of the methods of some classes.
#[derive(Debug, Clone)]
pub struct Specified {
    /// The specification.
    pub specification: Specification,
    /// The methods that the signatures of its contracts stand for.
    pub methods: Vec<DeclaredMethod>,
    /// The static fields that its contracts may mention: their classes and names.
    pub statics: Vec<(Name, String)>,
    /// The classes of the exceptions that contracts have for calls that throw one, by the names
    /// that these are given there.
    pub exceptions: BTreeMap<String, ClassId>,
}

impl Specified {
    /// What is said about a method: the first contract of a kind for calls that return.
    pub fn contract(&self, method: &DeclaredMethod, kind: ContractKind) -> Option<&Contract> {
        let mut contracts = self.contracts(method);
        contracts.find(|contract| contract.kind == kind && contract.throws.is_none())
    }

    /// What is said about calls of a method that throw: the classes of exceptions, and what holds
    /// if one of them is thrown.
    pub fn exceptional(&self, method: &DeclaredMethod) -> Vec<(ClassId, &Contract)> {
        let contracts = self.contracts(method).filter_map(|contract| {
            let class = self.exceptions.get(contract.throws.as_ref()?)?;
            Some((*class, contract))
        });
        contracts.collect()
    }

    /// The static fields that what is said about a method mentions.
    pub fn static_fields(&self, method: &DeclaredMethod) -> Vec<(Name, String)> {
        let mentioned = self
            .contracts(method)
            .flat_map(|contract| &contract.statics);
        let fields = mentioned.filter_map(|value| self.statics.get(value.field).cloned());
        let fields: BTreeSet<(Name, String)> = fields.collect();
        fields.into_iter().collect()
    }

    /// The methods that something is said about.
    pub fn specified_methods(&self) -> impl Iterator<Item = &DeclaredMethod> {
        let contracts = self.specification.contracts.iter();
        contracts.filter_map(|contract| self.methods.get(contract.signature?))
    }

    fn contracts(&self, method: &DeclaredMethod) -> impl Iterator<Item = &Contract> {
        let same = |known: &DeclaredMethod| {
            known.class.name == method.class.name
                && known.method.name == method.method.name
                && known.method.descriptor == method.method.descriptor
        };
        self.specification.contracts.iter().filter(move |contract| {
            let known = contract.signature.and_then(|index| self.methods.get(index));
            known.is_some_and(same)
        })
    }
}

/// Reads a specification for a class. The classes that it mentions are completed in the world.
///
/// A contract without a class is for the one of the classes under test that has its method.
pub fn read_for(
    world: &mut World,
    class: &Arc<Class>,
    tested: &[Arc<Class>],
    source: Source,
    loader: &mut Loader<'_>,
) -> Result<Specified, SpecError> {
    let Known {
        environment,
        methods,
        statics,
    } = known(world, class, tested, &source.text);
    let specification = read_specification(source, environment, loader)?;
    let without_package = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    abstract_cells::refuse(world, &specification, without_package)?;
    world.adopt(&specification.definitions);
    let exceptions = exceptions(world, class, &specification)?;
    Ok(Specified {
        specification,
        methods,
        statics,
        exceptions,
    })
}

/// Reads a specification in the notation of the StarFinder tools for a class. Preconditions in
/// further texts replace those that the first one has for the same methods.
pub fn read_predicates_for(
    world: &mut World,
    class: &Arc<Class>,
    tested: &[Arc<Class>],
    sources: Vec<Source>,
) -> Result<Specified, SpecError> {
    let text: Vec<&str> = sources.iter().map(|source| source.text.as_str()).collect();
    let Known {
        environment,
        methods,
        statics,
    } = known(world, class, tested, &text.join("\n"));
    let specification = starfinder::read_for(sources, environment)?;
    abstract_cells::refuse(world, &specification, starfinder::class_name)?;
    world.adopt(&specification.definitions);
    Ok(Specified {
        specification,
        methods,
        statics,
        exceptions: BTreeMap::new(),
    })
}

/// What is known about the code before a specification is read.
struct Known {
    environment: Environment,
    /// The methods of the signatures.
    methods: Vec<DeclaredMethod>,
    /// The classes and names of the static fields.
    statics: Vec<(Name, String)>,
}

fn known(world: &mut World, class: &Arc<Class>, tested: &[Arc<Class>], text: &str) -> Known {
    let mut classes = mention(world, class, text);
    for other in tested {
        let is_known = classes.iter().any(|known| known.name == other.name);
        if !is_known && world.complete(&other.ty()).is_ok() {
            classes.push(Arc::clone(other));
        }
    }
    let tested = (tested.iter())
        .map(|class| world.declare(&class.ty()))
        .collect();
    let mut known = environment(world, &classes);
    known.environment.tested = tested;
    known
}

/// The classes of the exceptions that contracts name: with their packages, or in the package of the
/// class, in `java.lang` or in `java.util`.
fn exceptions(
    world: &mut World,
    class: &Arc<Class>,
    specification: &Specification,
) -> Result<BTreeMap<String, ClassId>, SpecError> {
    let mut found = BTreeMap::new();
    for contract in &specification.contracts {
        let Some(name) = &contract.throws else {
            continue;
        };
        let path = Arc::clone(world.class_path());
        let home = package_of(&class.name);
        let nested = format!("{}${name}", class.name);
        let places = [home, "java.lang", "java.util"].map(|package| format!("{package}.{name}"));
        let loaded = [name.clone(), nested]
            .into_iter()
            .chain(places)
            .find_map(|name| {
                let loaded = path.load(&name).ok();
                loaded.filter(|loaded| *loaded.name == *name)
            });
        let loaded = loaded.filter(|loaded| world.is_throwable(loaded));
        let id = loaded.and_then(|loaded| world.complete(&loaded.ty()).ok());
        let Some(id) = id else {
            let diagnostic = Diagnostic::error(
                contract.span,
                format!(
                    "there is no exception `{name}` that `{}` could throw",
                    contract.method
                ),
            )
            .with_help(exception_meant(&path, &class.name, name).map_or_else(
                || "write it with its package, as in `java.io.IOException`".to_owned(),
                |meant| format!("did you mean `{meant}`?"),
            ));
            let sources = specification.sources.clone();
            return Err(SpecError::rejected(sources, vec![diagnostic]));
        };
        found.insert(name.clone(), id);
    }
    Ok(found)
}

/// The exception that may have been meant: one that can be written without its package, or one of
/// the same name that cannot.
fn exception_meant(path: &ClassPath, class: &str, written: &str) -> Option<String> {
    let own = path.classes().ok()?.iter().map(|name| &**name);
    let jdk = path.jdk().classes().ok()?;
    let jdk = jdk.iter().map(String::as_str);
    let known = own.chain(jdk.filter(|name| name.starts_with("java")));
    let known = known.filter(|name| name.ends_with("Exception") || name.ends_with("Error"));
    let known: Vec<&str> = known.collect();
    let simple = |name: &str| {
        name.rsplit(['.', '$'])
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let same = (known.iter()).find(|name| simple(name) == simple(written));
    if let Some(same) = same {
        return Some((*same).to_owned());
    }
    let near = [package_of(class), "java.lang", "java.util"];
    let near: Vec<String> = (known.iter())
        .filter(|name| near.contains(&package_of(name)))
        .map(|name| simple(name))
        .collect();
    nearest(written, near.iter().map(String::as_str)).map(str::to_owned)
}

/// What is known about classes before their specification is read.
fn environment(world: &mut World, classes: &[Arc<Class>]) -> Known {
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
                names: (0..descriptor.parameters.len())
                    .map(|index| match method.parameter_name(index) {
                        Some(name) => name.to_owned(),
                        None => format!("argument{index}"),
                    })
                    .collect(),
                result: descriptor.result.as_ref().map(|ty| world.sort(ty)),
            });
            methods.push(DeclaredMethod {
                class: class.clone(),
                method: method.clone(),
            });
        }
    }
    let (statics, fields) = statics::fields(world, classes);
    // The classes of a program do not say by themselves which interfaces they implement.
    let program = world.program();
    let mut definitions = program.definitions.clone();
    for (class, info) in (0..).map(ClassId).zip(&program.classes) {
        for &interface in &info.interfaces {
            definitions.add_interface(class, interface);
        }
    }
    Known {
        environment: Environment {
            terms: Terms::new(),
            definitions,
            signatures,
            packages,
            tested: Vec::new(),
            statics,
            aliases: Vec::new(),
        },
        methods,
        statics: fields,
    }
}

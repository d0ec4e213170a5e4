//! Java classes as data types: their constructors and methods, and the values that they are given.

mod construction;
mod domains;
mod generate;
mod observers;
mod search;
mod symbolic;
#[cfg(test)]
mod tests;
mod values;
mod via_api;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_engine::coverage::Coverage;
use heapwright_engine::sequences::{
    Argument, Call, DataType, Exploration, Growth, Operation, Sequence, SequenceBounds, explore,
};
use heapwright_ir::machine::Edge;
use heapwright_ir::{FunctionId, Program};
use heapwright_java::classfile::{Class, Method};
use heapwright_java::emit::{CallSequence, Given, SequenceCall};
use heapwright_java::hierarchy::{DeclaredMethod, LinkError};
use heapwright_java::target::{TargetMethod, callable_constructors, callable_methods};
use heapwright_java::world::{TranslateError, World};
use heapwright_logic::Value as LogicValue;

use crate::program::JavaProgram;
use heapwright_testgen::{Error, SequenceError};

use domains::WantedParameter;
pub use domains::{Domains, FoundValues};
pub(crate) use generate::name_predicate;
pub use generate::{Played, settle_result};
pub use heapwright_testgen::domain::Domain;
pub(crate) use observers::as_method;
pub(crate) use values::{Maker, boxed_in, exported, imported};

/// A class with the calls that sequences consist of.
pub struct JavaType {
    /// What the engine explores.
    pub data_type: DataType,
    /// The methods of the operations, in the same order.
    pub methods: Vec<TargetMethod>,
    /// The constructors, in the same order.
    pub constructors: Vec<TargetMethod>,
    written: Written,
}

/// How arguments are written in Java.
#[derive(Default)]
pub struct Written {
    arguments: BTreeMap<Argument, Given>,
}

impl Written {
    fn known(&self, given: &Given) -> Option<Argument> {
        let mut known = self.arguments.iter();
        known
            .find(|(_, one)| *one == given)
            .map(|(argument, _)| argument.clone())
    }

    /// Notes how an argument is written.
    pub fn enter(&mut self, argument: Argument, given: Given) -> Argument {
        self.arguments.insert(argument.clone(), given);
        argument
    }

    /// How an argument is written.
    pub fn of(&self, argument: &Argument) -> Given {
        match (self.arguments.get(argument), argument) {
            (Some(given), _) => given.clone(),
            (None, Argument::Value(value)) => Given::Value(exported(*value)),
            (None, _) => Given::Value(LogicValue::Null),
        }
    }
}

/// Which methods are operations, and which of them become tests.
pub struct Roles<'a> {
    /// Methods that states are built with; none for everything that users of the class call.
    pub builders: Option<&'a [TargetMethod]>,
    /// Methods whose calls become tests.
    pub tested: &'a [TargetMethod],
    /// The names of fields that do not count when states are matched.
    pub ignored: BTreeSet<String>,
}

impl JavaType {
    /// The sequence before the last call, and the arguments of that, in Java.
    pub fn written(
        &self,
        sequence: &Sequence,
        observers: Vec<(TargetMethod, LogicValue)>,
    ) -> Option<CallSequence> {
        let arguments = |call: &Call| {
            call.arguments
                .iter()
                .map(|one| self.written.of(one))
                .collect()
        };
        let (last, before) = sequence.calls.split_last()?;
        let calls = before.iter().map(|call| {
            Some(SequenceCall {
                method: self.methods.get(call.operation)?.clone(),
                arguments: arguments(call),
            })
        });
        Some(CallSequence {
            constructor: SequenceCall {
                method: self.constructors.get(sequence.start.operation)?.clone(),
                arguments: arguments(&sequence.start),
            },
            calls: calls.collect::<Option<Vec<_>>>()?,
            arguments: arguments(last),
            observers,
            broken: None,
            looks_inside: false,
        })
    }

    /// The operation that a method is.
    pub fn operation(&self, target: &TargetMethod) -> Option<usize> {
        let mut methods = self.methods.iter();
        methods.position(|known| same_method(known, target))
    }
}

/// Whether two targets are the same method.
pub fn same_method(one: &TargetMethod, other: &TargetMethod) -> bool {
    one.declared.class.name == other.declared.class.name
        && one.declared.method.name == other.declared.method.name
        && one.declared.method.descriptor == other.declared.method.descriptor
}

impl JavaProgram {
    /// A class as a data type.
    pub fn data_type(
        &mut self,
        class: &Arc<Class>,
        roles: &Roles<'_>,
        domains: &Domains,
    ) -> Result<JavaType, Error> {
        let link = |error: LinkError| Error::code(error);
        let mut constructors = callable_constructors(class);
        let is_plain = |one: &TargetMethod| one.declared.method.descriptor.parameters.is_empty();
        // Objects that are made in other ways can be reached by calls, as a rule.
        if constructors.iter().any(is_plain) {
            constructors.retain(is_plain);
        }
        if constructors.is_empty() || class.access.is_abstract() {
            let class = class.name.to_string();
            return Err(SequenceError::NoConstructor { class }.into());
        }
        let builders = match roles.builders {
            Some(builders) => builders.to_vec(),
            None => callable_methods(self.world.class_path(), class).map_err(link)?,
        };
        let mut methods = builders.clone();
        for target in roles.tested {
            if !methods.iter().any(|known| same_method(known, target)) {
                methods.push(target.clone());
            }
        }
        let world = &mut self.world;
        world.use_table_of_boxes();
        let id = world.complete(&class.ty()).map_err(link)?;
        let mut data_type = DataType {
            class: id,
            initialisers: Vec::new(),
            own: BTreeSet::new(),
            constructors: Vec::new(),
            operations: Vec::new(),
            ignored: roles.ignored.clone(),
            invariant: None,
        };
        let mut written = Written::default();
        for constructor in &constructors {
            let operation = operation(world, &mut written, constructor, domains)?;
            data_type.constructors.push(operation);
        }
        for method in &methods {
            let mut operation = operation(world, &mut written, method, domains)?;
            operation.builds = builders.iter().any(|known| same_method(known, method));
            operation.tested = roles.tested.iter().any(|known| same_method(known, method));
            if !operation.tested {
                operation.probes.clear();
            }
            data_type.operations.push(operation);
        }
        let mut classes = vec![class.clone()];
        for method in constructors.iter().chain(&methods) {
            for found in world.classes_with_state(method) {
                if classes.iter().all(|known| known.name != found.name) {
                    classes.push(found);
                }
            }
        }
        for class in classes {
            let state = world.class_state(&class).map_err(link)?;
            data_type.initialisers.extend(state.initialiser);
            data_type.own.insert(state.global);
        }
        Ok(JavaType {
            data_type,
            methods,
            constructors,
            written,
        })
    }

    /// Searches through the sequences of a class.
    pub fn explore_sequences(
        &mut self,
        java_type: &JavaType,
        bounds: &SequenceBounds,
        observer: &mut dyn FnMut(&Exploration),
    ) -> Exploration {
        let program = Arc::new(self.world.program().clone());
        let mut growth = GrowingWorld {
            world: &mut self.world,
        };
        explore(program, &mut growth, &java_type.data_type, bounds, observer)
    }

    /// How many branches of the methods of a class sequences took, and how many there are, by name
    /// and descriptor.
    // For benches, which look at single methods.
    pub fn branches_taken(
        &mut self,
        class: &str,
        exploration: &Exploration,
    ) -> Result<BTreeMap<String, (usize, usize)>, Error> {
        let class = self.world.class_path().load(class);
        let class = class.map_err(Error::code)?;
        let mut counts = BTreeMap::new();
        for method in class.methods.iter().filter(|method| method.code.is_some()) {
            let function = self.world.loaded(&DeclaredMethod {
                class: class.clone(),
                method: method.clone(),
            });
            let ignored: BTreeSet<Edge> = self.world.ignored_edges(function).into_iter().collect();
            let coverage = Coverage::new(self.world.program(), function);
            let own = (coverage.branches().map(|known| known.edge))
                .filter(|edge| edge.function == function && !ignored.contains(edge));
            let own: Vec<Edge> = own.collect();
            let taken = own.iter().filter(|edge| exploration.edges.contains(edge));
            let name = format!("{}{}", method.name, method.descriptor.descriptor());
            counts.insert(name, (taken.count(), own.len()));
        }
        Ok(counts)
    }
}

/// A method as an operation.
fn operation(
    world: &mut World,
    written: &mut Written,
    target: &TargetMethod,
    domains: &Domains,
) -> Result<Operation, Error> {
    let function = world.loaded(&target.declared);
    if let Some(error) = world.failures().get(&function) {
        let error: &TranslateError = error;
        return Err(Error::code(error.clone()));
    }
    let registers = world.program().function(function).registers.iter().skip(1);
    let names: Vec<Option<String>> = registers.map(|register| register.name.clone()).collect();
    let method = &target.declared.method;
    let mut operation = Operation {
        function,
        domains: Vec::new(),
        probes: Vec::new(),
        builds: true,
        tested: false,
        gives: false,
    };
    let mut has_several = false;
    let signature = signature_of(method);
    for (index, ty) in method.descriptor.parameters.iter().enumerate() {
        let place = WantedParameter {
            method: &method.name,
            signature: &signature,
            number: index + 1,
            name: names.get(index).and_then(Option::as_deref),
            ty,
            is_further: has_several,
        };
        let values = domains.values(world, written, &place)?;
        has_several |= values.domain.len() > 1;
        operation.domains.push(values.domain);
        operation.probes.push(values.probes);
    }
    Ok(operation)
}

/// A world that grows while its classes are explored.
pub(crate) struct GrowingWorld<'w> {
    world: &'w mut World,
}

impl GrowingWorld<'_> {
    /// Of this world.
    pub fn of(world: &mut World) -> GrowingWorld<'_> {
        GrowingWorld { world }
    }
}

impl Growth for GrowingWorld<'_> {
    fn grow(&mut self, functions: &BTreeSet<FunctionId>) -> Option<Arc<Program>> {
        let mut loaded = false;
        for &function in functions {
            loaded |= self.world.supply(function);
        }
        loaded.then(|| Arc::new(self.world.program().clone()))
    }
}

/// A method with the types of its parameters, which no other one of its class has.
pub(crate) fn signature_of(method: &Method) -> String {
    format!("{}{}", method.name, method.descriptor)
}

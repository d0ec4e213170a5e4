//! The states that calls of a class's methods reach.
//!
//! A short search comes first: it tells which numbers objects keep, so that only their order counts,
//! and which fields do nothing but count calls. Then all states are searched for in which elements are
//! objects; few in which they may be null, too; and if there are too many orders of numbers, some in
//! which all numbers are equal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_engine::sequences::{ObservationBounds, ObservedStates, observe};
use heapwright_ir::machine::Budgets;
use heapwright_java::classfile::Class;
use heapwright_java::descriptor::Type;
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::target::{TargetMethod, callable_methods};
use heapwright_java::world::STRING;
use heapwright_logic::{ClassId, Sort, Value};
use heapwright_testgen::Error;
use heapwright_testgen::domain::{Domain, Item};
use heapwright_testgen::observation::{KEYS_FROM, ObservationRequest, Observed, State};

use crate::program::JavaProgram;
use crate::sequences::{Domains, GrowingWorld, JavaType, Roles, boxed_in, signature_of};
use crate::tried::contract_name;

/// The types that stand for numbers.
const NUMBERS: [&str; 5] = ["byte", "short", "int", "long", "char"];

/// A number that stays so small that it is no count of calls.
const SMALL: i128 = 8;

/// Objects of states in the first search.
const FEW: usize = 4;

/// Which calls are tried.
struct Calls {
    /// The methods.
    methods: Vec<TargetMethod>,
    /// Fields that do not count.
    ignored: BTreeSet<String>,
    /// How many keys there are.
    keys: i128,
    /// The largest index.
    indices: i128,
    /// Whether elements may be null.
    nulls: bool,
    /// Parameters that only keys are given to, as `method.N`.
    stored: BTreeSet<String>,
}

impl JavaProgram {
    /// The states of a class that calls reach.
    pub fn observe(
        &mut self,
        class: &str,
        request: &ObservationRequest,
    ) -> Result<Observed, Error> {
        let class = self.class(class)?;
        let mut values = Calls {
            methods: callable_methods(self.world.class_path(), &class).map_err(Error::code)?,
            ignored: BTreeSet::new(),
            keys: 5,
            indices: 3,
            nulls: true,
            stored: BTreeSet::new(),
        };
        let few = FEW.min(request.objects);
        let (_, mut first) = self.states(&class, &values, few, request, 10)?;
        if first.states.len() < 2 {
            // Nobody but the package changes anything.
            values.methods = own_methods(&class);
            first = self.states(&class, &values, few, request, 10)?.1;
        }
        for (stored, constructors) in [
            (&first.stored, false),
            (&first.stored_by_constructors, true),
        ] {
            for &(operation, place) in stored {
                let name = match (constructors, values.methods.get(operation)) {
                    (false, Some(method)) => signature_of(&method.declared.method),
                    _ => "<init>".to_owned(),
                };
                values.stored.insert(format!("{name}.{}", place + 1));
            }
        }
        let counters = self.counters(&first).into_iter();
        values
            .ignored
            .extend(counters.filter(|field| !request.compared.contains(field)));
        values.keys = 2 * request.objects as i128 + 1;
        values.indices = request.objects as i128;
        values.nulls = false;
        let (java_type, main) = self.states(&class, &values, request.objects, request, 55)?;
        let closed_to = main.closed_to;
        let mut found = vec![main];
        values.nulls = true;
        found.push(self.states(&class, &values, few, request, 15)?.1);
        if closed_to < request.objects {
            values.nulls = false;
            values.keys = 1;
            let objects = request.objects;
            found.push(self.states(&class, &values, objects, request, 20)?.1);
        }
        let uncounted = self.value_classes()?;
        let mut observed = Observed {
            definitions: self.world.program().definitions.clone(),
            class: java_type.data_type.class,
            states: Vec::new(),
            closed_to,
            is_cut: first.is_cut,
            calls: first.calls,
            methods: values
                .methods
                .iter()
                .map(|method| method.declared.method.name.to_string())
                .collect(),
            counters: values.ignored.iter().cloned().collect(),
            contracts: contracts(&class, &values.methods),
        };
        let mut known = BTreeSet::new();
        for observation in found {
            observed.calls += observation.calls;
            observed.is_cut |= observation.is_cut;
            for state in observation.states {
                let mut heap = state.heap;
                heap.cells
                    .retain(|_, cell| !uncounted.contains(&cell.class));
                let state = State {
                    heap,
                    root: state.receiver,
                }
                .normalised();
                if known.insert(state.key()) {
                    observed.states.push(state);
                }
            }
        }
        Ok(observed)
    }

    /// One search, in a share of the time.
    fn states(
        &mut self,
        class: &Arc<Class>,
        values: &Calls,
        objects: usize,
        request: &ObservationRequest,
        percent: u32,
    ) -> Result<(JavaType, ObservedStates), Error> {
        let roles = Roles {
            builders: Some(&values.methods),
            tested: &[],
            ignored: values.ignored.clone(),
        };
        let domains = Domains {
            size: 3,
            given: values.domains(),
            found: None,
            is_lenient: true,
        };
        let java_type = self.data_type(class, &roles, &domains)?;
        let bounds = ObservationBounds {
            objects,
            states: request
                .states
                .min(if percent == 10 { 400 } else { usize::MAX }),
            time: Some(request.time.saturating_mul(percent) / 100),
            budgets: Budgets {
                steps: 20_000,
                ..Budgets::default()
            },
            keys_from: KEYS_FROM,
            values: self.value_classes()?,
            interrupt: request.interrupt.clone(),
        };
        let program = Arc::new(self.world.program().clone());
        let mut growth = GrowingWorld::of(&mut self.world);
        let found = observe(program, &mut growth, &java_type.data_type, &bounds);
        Ok((java_type, found))
    }

    /// Fields of the class that count calls: their numbers become large in small states.
    fn counters(&self, observed: &ObservedStates) -> BTreeSet<String> {
        let definitions = &self.world.program().definitions;
        let mut values: BTreeMap<String, BTreeSet<i128>> = BTreeMap::new();
        for state in &observed.states {
            let Some(cell) = state.heap.cells.get(&state.receiver) else {
                continue;
            };
            for (field, value) in definitions.fields_of(cell.class).iter().zip(&cell.fields) {
                if let (true, Value::Int(number)) = (field.sort != Sort::Bool, value)
                    && *number < KEYS_FROM
                {
                    values
                        .entry(field.name.clone())
                        .or_default()
                        .insert(*number);
                }
            }
        }
        // What always has the same value counts nothing.
        let grows = |values: &BTreeSet<i128>| {
            values.len() > 1 && values.last().is_some_and(|largest| *largest > SMALL)
        };
        let counters = values.into_iter().filter(|(_, values)| grows(values));
        counters.map(|(field, _)| field).collect()
    }

    /// The classes whose objects are values.
    pub(crate) fn value_classes(&mut self) -> Result<BTreeSet<ClassId>, Error> {
        let names = [
            "java.lang.Boolean",
            "java.lang.Byte",
            "java.lang.Character",
            "java.lang.Short",
            "java.lang.Integer",
            "java.lang.Long",
            "java.lang.Float",
            "java.lang.Double",
            STRING,
        ];
        let mut classes = BTreeSet::from([ClassId::ANY]);
        for name in names {
            let class = self.world.complete(&Type::class(name));
            classes.insert(class.map_err(Error::code)?);
        }
        Ok(classes)
    }
}

impl Calls {
    fn domains(&self) -> Vec<Domain> {
        let keys = (0..self.keys).map(|key| Item::Number(KEYS_FROM + key));
        let keys: Vec<Item> = keys.collect();
        let mut both = keys.clone();
        both.extend((0..=self.indices).map(Item::Number));
        let mut elements = vec![Item::Number(7)];
        if self.nulls {
            elements.push(Item::Null);
        }
        let mut domains = vec![Domain {
            key: "java.lang.Object".to_owned(),
            items: elements,
        }];
        domains.extend(NUMBERS.map(|ty| Domain {
            key: ty.to_owned(),
            items: both.clone(),
        }));
        domains.extend(self.stored.iter().map(|place| Domain {
            key: place.clone(),
            items: keys.clone(),
        }));
        domains
    }
}

/// The methods of objects of a class that are not private.
fn own_methods(class: &Arc<Class>) -> Vec<TargetMethod> {
    let methods = class.methods.iter().filter(|method| {
        let access = method.access;
        let is_called = !access.is_private() && !access.is_static() && !access.is_synthetic();
        is_called && method.code.is_some() && !method.name.starts_with('<')
    });
    let methods = methods.map(|method| TargetMethod {
        class: Arc::clone(class),
        declared: DeclaredMethod {
            class: Arc::clone(class),
            method: Arc::clone(method),
        },
    });
    methods.collect()
}

/// The methods whose parameters are values, as contracts name them.
fn contracts(class: &Class, methods: &[TargetMethod]) -> Vec<String> {
    let is_value = |ty: &Type| match ty {
        Type::Primitive(_) => true,
        Type::Class(name) => boxed_in(name).is_some() || **name == *STRING,
        Type::Array(_) => false,
    };
    let mut contracts = Vec::new();
    // Contracts are for methods of the class itself.
    let own = methods
        .iter()
        .filter(|method| method.declared.class.name == class.name);
    for target in own {
        let parameters = &target.declared.method.descriptor.parameters;
        if !parameters.iter().all(is_value) {
            continue;
        }
        contracts.push(contract_name(class, target));
    }
    contracts
}

//! Single states: calls that build one, and what calls do in one.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_engine::sequences::SequenceBounds;
use heapwright_engine::{Input, Outcome, Run, Subject, replay};
use heapwright_ir::machine::{Budgets, MachineError};
use heapwright_java::classfile::Class;
use heapwright_java::descriptor::{Primitive, Type};
use heapwright_java::emit::Given;
use heapwright_java::target::{TargetMethod, callable_methods};
use heapwright_java::world::STRING;
use heapwright_logic::{ClassId, Heap, Loc, Value};
use heapwright_testgen::Error;
use heapwright_testgen::observation::{KEYS_FROM, Left, ObservationRequest, State, Tried};

use crate::program::JavaProgram;
use crate::sequences::boxed_in;

/// Steps of a call.
const STEPS: u64 = 20_000;

/// More values for a parameter make too many calls.
const MOST_VALUES: usize = 16;

/// So many calls of each method are tried in a state.
const MOST_CALLS: usize = 60;

/// So often code is asked for that a call needs.
const MOST_SUPPLIES: usize = 50;

/// Exceptions that no caller expects: those of the virtual machine, and failed assertions.
const FAILURES: [&str; 8] = [
    "java.lang.NullPointerException",
    "java.lang.ClassCastException",
    "java.lang.ArrayIndexOutOfBoundsException",
    "java.lang.NegativeArraySizeException",
    "java.lang.ArrayStoreException",
    "java.lang.ArithmeticException",
    "java.lang.StackOverflowError",
    "java.lang.AssertionError",
];

impl JavaProgram {
    /// Calls that make an object like that of a state; `None` if none are found.
    pub fn build(
        &mut self,
        class: &str,
        state: &State,
        request: &ObservationRequest,
    ) -> Result<Option<Vec<String>>, Error> {
        let class = self.class(class)?;
        let methods = callable_methods(self.world.class_path(), &class).map_err(Error::code)?;
        let Some(any) = methods.first() else {
            return Ok(None);
        };
        let bounds = SequenceBounds {
            states: request.states as u64,
            calls: 10 * request.states as u64,
            time: Some(request.time),
            budgets: budgets(),
            interrupt: request.interrupt.clone(),
            ..SequenceBounds::default()
        };
        let heap = without_values(&state.heap);
        let receiver = [Value::Ref(state.root)];
        let found = self.construct(any, &receiver, &heap, request.ignored.clone(), &bounds)?;
        // The last call of a sequence is the one under test, which is none of those that build.
        let written =
            found.and_then(|(java_type, sequence)| java_type.written(&sequence, Vec::new()));
        let Some(written) = written else {
            return Ok(None);
        };
        let simple = class.simple_name();
        let first = format!("new {simple}({})", listed(&written.constructor.arguments));
        let calls = written.calls.iter().map(|call| {
            let name = &call.method.declared.method.name;
            format!("{name}({})", listed(&call.arguments))
        });
        Ok(Some(std::iter::once(first).chain(calls).collect()))
    }

    /// What calls of methods of a class do in some states, for each state: of the public ones, or of
    /// those of a name.
    pub fn tried(
        &mut self,
        class: &str,
        method: Option<&str>,
        states: &[State],
        request: &ObservationRequest,
    ) -> Result<Vec<Vec<Tried>>, Error> {
        let class = self.class(class)?;
        let methods = match method {
            Some(name) => self.targets(&format!("{}#{name}", class.name))?,
            None => callable_methods(self.world.class_path(), &class).map_err(Error::code)?,
        };
        let values = self.value_classes()?;
        let mut tried = vec![Vec::new(); states.len()];
        for method in methods.iter().filter(|method| has_values(method)) {
            let mut subject = self.subject(method)?.subject;
            for (state, tried) in states.iter().zip(&mut tried) {
                if request.interrupt.is_set() {
                    return Ok(Vec::new());
                }
                for arguments in arguments(method, state) {
                    let call = called(method, &arguments);
                    let input = Input {
                        arguments: std::iter::once(Value::Ref(state.root))
                            .chain(arguments)
                            .collect(),
                        heap: without_values(&state.heap),
                        witness: None,
                    };
                    let run = self.run(method, &mut subject, &input)?;
                    let left = run.and_then(|run| left(&subject, state, run, &values));
                    let (_, arguments) = input.arguments.split_at(1);
                    tried.extend(left.map(|left| Tried {
                        call,
                        method: contract_name(&class, method),
                        arguments: arguments.to_vec(),
                        left,
                    }));
                }
            }
        }
        Ok(tried)
    }

    /// Runs a method on an input, with all the code that it needs. `None` if that is not there.
    fn run(
        &mut self,
        method: &TargetMethod,
        subject: &mut Arc<Subject>,
        input: &Input,
    ) -> Result<Option<Run>, Error> {
        for _ in 0..MOST_SUPPLIES {
            match replay(subject, input, budgets()) {
                Ok(run) => return Ok(Some(run)),
                Err(MachineError::Missing(missing)) => {
                    let function = missing.function();
                    if !function.is_some_and(|function| self.world.supply(function)) {
                        return Ok(None);
                    }
                    *subject = self.subject(method)?.subject;
                }
                Err(_) => return Ok(None),
            }
        }
        Ok(None)
    }
}

/// What bounds each call.
fn budgets() -> Budgets {
    Budgets {
        steps: STEPS,
        ..Budgets::default()
    }
}

/// The same heap without values: elements do not matter, so there are none.
fn without_values(heap: &Heap) -> Heap {
    let mut heap = heap.clone();
    let objects: BTreeSet<Loc> = heap.cells.keys().copied().collect();
    for value in heap.cells.values_mut().flat_map(|cell| &mut cell.fields) {
        if matches!(value, Value::Ref(loc) if !objects.contains(loc)) {
            *value = Value::Null;
        }
    }
    heap
}

/// Whether a method belongs to objects, and is given values only.
fn has_values(method: &TargetMethod) -> bool {
    let method = &method.declared.method;
    let is_value = |ty: &Type| match ty {
        Type::Primitive(primitive) => !matches!(primitive, Primitive::Float | Primitive::Double),
        Type::Class(name) => {
            boxed_in(name).is_some() || **name == *STRING || &**name == "java.lang.Object"
        }
        Type::Array(_) => false,
    };
    !method.access.is_static() && method.descriptor.parameters.iter().all(is_value)
}

/// Arguments for a method: numbers that are in the state, those beside them, and small ones.
fn arguments(method: &TargetMethod, state: &State) -> Vec<Vec<Value>> {
    let mut numbers = BTreeSet::from([0, 1]);
    for value in state.heap.cells.values().flat_map(|cell| &cell.fields) {
        if let Value::Int(number) = value {
            numbers.extend([number - 1, *number, number + 1]);
        }
    }
    // Indices and sizes are small, and keys are not: some of each.
    let small = numbers.range(..KEYS_FROM).take(MOST_VALUES / 2);
    let keys = numbers.range(KEYS_FROM..).take(MOST_VALUES / 2);
    let numbers: Vec<Value> = small.chain(keys).copied().map(Value::Int).collect();
    let mut all = vec![Vec::new()];
    for ty in &method.declared.method.descriptor.parameters {
        let values = match ty {
            Type::Primitive(Primitive::Boolean) => vec![Value::Bool(false), Value::Bool(true)],
            Type::Primitive(_) => numbers.clone(),
            _ => vec![Value::Null],
        };
        let longer = all.iter().flat_map(|begin| {
            values.iter().map(move |value| {
                let mut arguments: Vec<Value> = begin.clone();
                arguments.push(*value);
                arguments
            })
        });
        all = longer.take(MOST_CALLS).collect();
    }
    all
}

/// A method as contracts name it.
pub(crate) fn contract_name(class: &Class, method: &TargetMethod) -> String {
    let method = &method.declared.method;
    let parameters = method.descriptor.parameters.iter().enumerate();
    let parameters = parameters.map(|(index, ty)| {
        let ty = ty.to_string();
        let short = ty.rsplit('.').next().unwrap_or(&ty);
        format!("{short} a{}", index + 1)
    });
    let parameters: Vec<String> = parameters.collect();
    let name = class.simple_name();
    format!("{name}#{}({})", method.name, parameters.join(", "))
}

/// A call as programs write it.
fn called(method: &TargetMethod, arguments: &[Value]) -> String {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    let name = &method.declared.method.name;
    format!("{name}({})", arguments.join(", "))
}

/// The arguments of a call as programs write them.
fn listed(arguments: &[Given]) -> String {
    let listed = arguments.iter().map(|given| match given {
        Given::Value(value) | Given::Boxed(_, value) => value.to_string(),
        Given::Text(text) => format!("{text:?}"),
        Given::Constant { field, .. } => field.to_string(),
        Given::New(class) => format!("new {}()", class.rsplit('.').next().unwrap_or(class)),
    });
    listed.collect::<Vec<_>>().join(", ")
}

/// What a run leaves of a state. `None` if nobody can say.
fn left(subject: &Subject, state: &State, run: Run, values: &BTreeSet<ClassId>) -> Option<Left> {
    match run.outcome {
        Outcome::Returned => {
            let mut heap = reached(&run.heap, state.root);
            heap.cells.retain(|_, cell| !values.contains(&cell.class));
            let root = state.root;
            Some(Left::State(State { heap, root }.normalised()))
        }
        Outcome::Threw { class, .. } => {
            let name = &subject.program.definitions.class(class).name;
            let is_failure = FAILURES.contains(&name.as_str());
            let simple = name.rsplit('.').next().unwrap_or(name);
            Some(match is_failure {
                true => Left::Failure(simple.to_owned()),
                false => Left::Exception,
            })
        }
        Outcome::OutOfBudget { .. } => Some(Left::Failure(format!(
            "it does not end within {STEPS} steps"
        ))),
        _ => None,
    }
}

/// What an object reaches.
fn reached(heap: &Heap, root: Loc) -> Heap {
    let mut found = BTreeSet::new();
    let mut waiting = vec![root];
    while let Some(loc) = waiting.pop() {
        if let Some(cell) = heap.cells.get(&loc).filter(|_| found.insert(loc)) {
            waiting.extend(cell.fields.iter().filter_map(|value| match value {
                Value::Ref(loc) => Some(*loc),
                _ => None,
            }));
        }
    }
    let mut heap = heap.clone();
    heap.cells.retain(|loc, _| found.contains(loc));
    heap
}

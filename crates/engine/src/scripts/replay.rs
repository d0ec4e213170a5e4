//! A script as a test: run from the beginning, as the program itself would do it.
//!
//! What the search shares between scripts is not shared here, so that a test does exactly what it
//! says. The objects before the last call get names, which they keep.

use std::collections::BTreeSet;

use heapwright_ir::Program;
use heapwright_ir::machine::concrete::{Concrete, Memory, Trace, Value, export_value};
use heapwright_ir::machine::{Budgets, Edge, Machine, MachineError, MachineOutcome, Missing};
use heapwright_logic::{ClassId, Heap, Value as LogicValue};

use super::execution::{Prepared, class_of, operands, prepare};
use super::{Catalogue, Script};
use crate::check::oracle::run_predicate;
use crate::check::replay::{Conditions, RECORDED, observed};
use crate::input::Input;
use crate::report::{Run, Verification};
use crate::sequences::{Argument, Ignored, State, Stuck, name};
use crate::subject::Subject;
use heapwright_ir::FunctionId;

/// A question that is asked about an object after the last call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observer {
    /// The class whose objects are asked.
    pub class: ClassId,
    /// The method, by the name that virtual calls have for it. It takes nothing but the object.
    pub method: String,
}

/// What is asked after the last call.
#[derive(Clone, Copy, Debug, Default)]
pub struct Questions<'a> {
    /// The observers.
    pub observers: &'a [Observer],
    /// Says of objects of a class whether they are valid.
    pub invariant: Option<(ClassId, FunctionId)>,
}

/// What an observer says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// Index into the observers that were given.
    pub observer: usize,
    /// The object that was asked: the result of a statement, the last one included.
    pub object: u32,
    /// What it returned.
    pub value: LogicValue,
    /// The objects that this leads to.
    pub heap: Heap,
    /// The branches that it took.
    pub edges: BTreeSet<Edge>,
}

/// What came of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replayed {
    /// The operands of the last call, and what they lead to.
    pub input: Input,
    /// The last call.
    pub run: Run,
    /// What observers say afterwards, those that change nothing.
    pub observations: Vec<Observation>,
    /// The branches that the calls before the last one took.
    pub before: BTreeSet<Edge>,
    /// Functions that observers ended at because their code is not there.
    pub absent: BTreeSet<FunctionId>,
}

/// Plays a script whose last call is one of the subject's function. The program of the subject has
/// all functions that are needed. The script has been played so many times before, by the same
/// program.
///
/// `None` if a call before the last one does not return.
pub fn replay(
    subject: &Subject,
    catalogue: &Catalogue,
    script: &Script,
    questions: Questions<'_>,
    budgets: Budgets,
    conditions: Conditions,
    repetitions: u64,
) -> Result<Option<Replayed>, MachineError> {
    let program = &subject.program;
    let domain = Concrete::new(program).watching(&subject.rules.shared);
    let mut domain = conditions.apply(domain);
    domain.trace = Some(trace(0));
    let mut machine = Machine::new(program, domain, budgets);
    for &function in &catalogue.initialisers {
        machine.run(function, Vec::new())?;
    }
    // Static fields may be different when a test is not the first one to run.
    for _ in 0..repetitions {
        if let Some(set_up) = set_up(&mut machine, program, catalogue, script)? {
            machine.run(set_up.function, set_up.given)?;
        }
    }
    let Some(prepared) = set_up(&mut machine, program, catalogue, script)? else {
        return Ok(None);
    };
    if prepared.function != subject.function {
        return Ok(None);
    }
    let given = prepared.given;
    name(&mut machine.domain.memory, &given)?;
    let (heap, names) = (machine.domain.memory).export_reachable(given.iter().copied())?;
    let arguments = given.iter().map(|&value| export_value(&names, value));
    let input = Input {
        arguments: arguments.collect::<Result<_, _>>()?,
        heap,
        witness: None,
    };
    let before = machine.domain.trace.replace(trace(RECORDED));
    let before = before.map_or_else(BTreeSet::new, |trace| trace.edges.into_keys().collect());
    let untouched = machine.domain.memory.clone();
    let ended = machine.run(subject.function, given.clone())?;
    let after = machine.domain.memory.clone();
    let returned = match &ended {
        MachineOutcome::Returned(value) => prepared.result.or(*value),
        _ => None,
    };
    let is_over = matches!(
        ended,
        MachineOutcome::Returned(_) | MachineOutcome::Threw { .. }
    );
    let first = given.first().copied();
    let mut run = observed(
        subject,
        &input,
        given,
        machine,
        &ended,
        budgets,
        Conditions::default(),
    )?;
    if let (Some((class, invariant)), Some(receiver)) = (questions.invariant, first)
        && is_over
    {
        let validity = |memory: &Memory| {
            let mut domain = Concrete::new(program);
            domain.memory = memory.clone();
            let mut machine = Machine::new(program, domain, budgets);
            let is_such =
                class_of(&machine, receiver).is_some_and(|it| program.is_subtype(it, class));
            let ask = || run_predicate(program, &mut machine, invariant, vec![receiver]).ok();
            is_such.then(ask).flatten()
        };
        let is_constructor = returned == first;
        // A predicate that meets what nobody knows says nothing. What was valid has to stay so, and
        // what is made has to be.
        run.invariant = match is_constructor || validity(&untouched) == Some(Verification::Holds) {
            true => validity(&after),
            false => None,
        };
    }
    let mut asked: Vec<(u32, Value)> = (0..).zip(prepared.values).collect();
    asked.extend(returned.map(|value| (asked.len() as u32, value)));
    let mut observations = Vec::new();
    let mut absent = BTreeSet::new();
    let mut seen: Vec<Value> = Vec::new();
    // The receiver, and what the call gave, are of interest.
    let roots = [first, returned];
    for (object, value) in asked {
        if !roots.contains(&Some(value)) || seen.contains(&value) {
            continue;
        }
        seen.push(value);
        let domain = || conditions.apply(Concrete::new(program));
        for (index, observer) in questions.observers.iter().enumerate() {
            let said = observe(domain(), subject, &after, value, observer, budgets);
            match said {
                Ok(Some((value, heap, edges))) => observations.push(Observation {
                    observer: index,
                    object,
                    value,
                    heap,
                    edges,
                }),
                Ok(None) => {}
                Err(missing) => absent.extend(missing.function()),
            }
        }
    }
    Ok(Some(Replayed {
        input,
        run,
        observations,
        before,
        absent,
    }))
}

fn trace(limit: usize) -> Trace {
    Trace {
        limit,
        ..Trace::default()
    }
}

/// The last call of a script when all others are done.
struct LastCall {
    function: FunctionId,
    given: Vec<Value>,
    /// The object that a constructor gives.
    result: Option<Value>,
    /// What the other statements gave.
    values: Vec<Value>,
}

/// Does all calls but the last one. `None` if a call does not return.
fn set_up(
    machine: &mut Machine<'_, Concrete<'_>>,
    program: &Program,
    catalogue: &Catalogue,
    script: &Script,
) -> Result<Option<LastCall>, MachineError> {
    let Some((last, before)) = script.statements.split_last() else {
        return Ok(None);
    };
    let mut make =
        |machine: &mut Machine<'_, Concrete<'_>>, argument: &Argument| argument.make(machine);
    let mut values: Vec<Value> = Vec::new();
    for (index, statement) in before.iter().chain([last]).enumerate() {
        let is_last = index == before.len();
        let prepared = operands(machine, statement, &values, &mut make).and_then(|operands| {
            match catalogue.operation(statement.operation) {
                Some(operation) => prepare(machine, program, catalogue, operation, operands),
                None => Ok(None),
            }
        });
        let prepared = match prepared {
            Ok(prepared) => prepared,
            Err(Stuck::Machine(error)) => return Err(error),
            Err(Stuck::Missing | Stuck::NoArgument) => None,
        };
        match prepared {
            None => return Ok(None),
            Some(Prepared::Made(_)) if is_last => return Ok(None),
            Some(Prepared::Made(value)) => values.push(value),
            Some(Prepared::Call(function, given, result)) if is_last => {
                return Ok(Some(LastCall {
                    function,
                    given,
                    result,
                    values,
                }));
            }
            Some(Prepared::Call(function, given, result)) => match machine.run(function, given)? {
                MachineOutcome::Returned(value) => {
                    values.push(result.or(value).unwrap_or(Value::Null));
                }
                _ => return Ok(None),
            },
        }
    }
    Ok(None)
}

/// What an observer returns, if it changes nothing: a scalar, or an object. What it calls may not be
/// there yet.
fn observe(
    mut domain: Concrete<'_>,
    subject: &Subject,
    memory: &Memory,
    object: Value,
    observer: &Observer,
    budgets: Budgets,
) -> Result<Option<(LogicValue, Heap, BTreeSet<Edge>)>, Missing> {
    let program = &subject.program;
    domain.memory = memory.clone();
    domain.trace = Some(trace(0));
    let mut machine = Machine::new(program, domain, budgets);
    let class = class_of(&machine, object).filter(|&it| program.is_subtype(it, observer.class));
    let info = class.and_then(|class| program.classes.get(class.index()));
    let Some(&function) = info.and_then(|info| info.methods.get(&observer.method)) else {
        return Ok(None);
    };
    let value = match machine.run(function, vec![object]) {
        Ok(MachineOutcome::Returned(Some(value))) => value,
        Err(MachineError::Missing(missing)) => return Err(missing),
        _ => return Ok(None),
    };
    let mut ignored = Ignored::default();
    let nothing = Memory::default();
    let mut state = |memory: &Memory| {
        let state = State::capture(program, &mut ignored, &nothing, memory, object);
        state.key(program, &mut ignored)
    };
    if state(memory) != state(&machine.domain.memory) {
        return Ok(None);
    }
    let trace = machine.domain.trace.take().unwrap_or_default();
    let exported = machine.domain.memory.export_reachable([value]);
    let told = exported.and_then(|(heap, names)| Ok((export_value(&names, value)?, heap)));
    let edges = trace.edges.into_keys().collect();
    Ok(told.ok().map(|(value, heap)| (value, heap, edges)))
}

//! Replay: the concrete run of an input, with everything that a test tells about it.
//!
//! The symbolic execution says which path an input takes; this module finds out what the
//! program really does with it, by the concrete domain alone. The two share nothing but the
//! machine, so a run that leaves its path shows a defect.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::concrete::{Concrete, Value as ConcreteValue, export_value};
use heapwright_ir::machine::{
    Budgets, Edge, Machine, MachineError, ObjectId, Outcome as MachineOutcome, ProgramPoint,
    Successor,
};
use heapwright_ir::{Position, Program};
use heapwright_logic::Loc;

use crate::input::Input;
use crate::oracle;
use crate::reachability::reachable;
use crate::report::{Outcome, Run};
use crate::subject::Subject;

/// How many steps and edges of a run are kept in order: the trail of a run has at most this many
/// entries, and its lines are those of at most this many steps. Longer runs are executed to
/// their end all the same.
pub const RECORDED: usize = 1_000_000;

/// What a run may depend on besides its input, though it should not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conditions {
    /// Other numbers for objects and another time than usual.
    pub seed: Option<u64>,
    /// Units in the last place that functions are off by that need not be exact.
    pub off_by: i8,
}

/// Runs the function under test on an input, under the usual conditions.
pub fn replay(subject: &Subject, input: &Input, budgets: Budgets) -> Result<Run, MachineError> {
    replay_under(subject, input, budgets, Conditions::default())
}

/// Runs the function under test on an input.
///
/// What a program does wrong is an outcome. The error is for programs that the verifier would
/// have rejected, and for inputs that do not fit their classes.
pub fn replay_under(
    subject: &Subject,
    input: &Input,
    budgets: Budgets,
    conditions: Conditions,
) -> Result<Run, MachineError> {
    let mut domain = Concrete::new(&subject.program)
        .traced_up_to(RECORDED)
        .off_by(conditions.off_by);
    if let Some(seed) = conditions.seed {
        domain = domain.varied(seed);
    }
    let mut names = domain.import(&input.heap)?;
    let mut arguments = Vec::with_capacity(input.arguments.len());
    for &argument in &input.arguments {
        arguments.push(domain.import_value(&mut names, argument)?);
    }
    let mut machine = Machine::new(&subject.program, domain, budgets);
    let ended = machine.run(subject.function, arguments.clone())?;
    observed(subject, input, arguments, machine, &ended)
}

/// What a machine has just done with an input whose objects have their names.
pub(crate) fn observed(
    subject: &Subject,
    input: &Input,
    arguments: Vec<ConcreteValue>,
    machine: Machine<'_, Concrete<'_>>,
    ended: &MachineOutcome<ConcreteValue>,
) -> Result<Run, MachineError> {
    let returned = matches!(ended, MachineOutcome::Returned(_));
    let mut roots = visible(subject, &machine, ended);
    if !returned || subject.outputs.is_empty() {
        let names = subject.inputs.iter().map(|input| input.name.clone());
        let given = names.zip(arguments.iter().copied());
        let global = |name: &str| subject.globals.iter().any(|known| known.name == name);
        roots.extend(given.filter(|(name, _)| !global(name)));
    }
    let mut domain = machine.into_domain();
    for known in &subject.globals {
        let object = domain.global_object(known.global)?;
        let contents = &domain.memory.object(object)?.contents;
        if let Some(&value) = contents.get(known.field as usize) {
            roots.push((known.name.clone(), value));
        }
    }
    let values = roots.iter().map(|(_, value)| *value).chain(arguments);
    let values: Vec<ConcreteValue> = values.collect();
    let lost = match subject.program.manual_memory {
        true => domain.memory.leaks(values.iter().copied()),
        false => Vec::new(),
    };
    let exported = values
        .into_iter()
        .chain(lost.iter().map(|&id| ConcreteValue::object(id)));
    let (heap, names) = domain.memory.export_reachable(exported)?;
    let leaks = match returned {
        true => leaks(&names, input, lost),
        false => Vec::new(),
    };
    let global_objects = (domain.memory.globals())
        .filter_map(|(id, object)| Some((*names.get(&object)?, id)))
        .collect();
    let roots = (roots.into_iter())
        .map(|(name, value)| Ok((name, export_value(&names, value)?)))
        .collect::<Result<Vec<_>, MachineError>>()?;
    let result = match ended {
        MachineOutcome::Returned(Some(value)) => Some(export_value(&names, *value)?),
        _ => None,
    };
    let postcondition = match returned {
        true => oracle::postcondition(subject, input, result, &heap),
        false => None,
    };
    let trace = domain.trace.take().unwrap_or_default();
    Ok(Run {
        outcome: Outcome::of(ended),
        roots,
        freed: freed(&domain, &names, input),
        leaks,
        heap,
        global_objects,
        trail: trace.trail.into_iter().filter(is_jump).collect(),
        lines: lines(&subject.program, &trace.points),
        postcondition,
    })
}

/// The names that a run leaves behind by itself: its result and its outputs, or its exception.
fn visible(
    subject: &Subject,
    machine: &Machine<'_, Concrete<'_>>,
    ended: &MachineOutcome<ConcreteValue>,
) -> Vec<(String, ConcreteValue)> {
    let result = match ended {
        MachineOutcome::Returned(result) => result,
        MachineOutcome::Threw { exception, .. } => {
            return vec![("exception".to_owned(), *exception)];
        }
        _ => return Vec::new(),
    };
    let result = result.map(|value| ("result".to_owned(), value));
    let outputs = subject.outputs.iter().filter_map(|output| {
        let value = machine.last_value(output.register)?;
        Some((output.name.clone(), *value))
    });
    result.into_iter().chain(outputs).collect()
}

/// Live objects that nobody can free any more, of those that somebody could have freed: objects
/// of the input that the arguments did not lead to from the beginning were lost before.
fn leaks(names: &BTreeMap<ObjectId, Loc>, input: &Input, lost: Vec<ObjectId>) -> Vec<Loc> {
    let arguments = input.arguments.iter().copied();
    let known = reachable(&input.heap, arguments, &BTreeSet::new());
    let lost = lost.into_iter().filter_map(|id| names.get(&id).copied());
    let mut lost: Vec<Loc> = lost
        .filter(|loc| known.contains(loc) || !input.heap.cells.contains_key(loc))
        .collect();
    lost.sort_unstable();
    lost
}

/// The objects that the program freed. What stands for a dangling reference of the input counts
/// as freed in memory, but never was an object.
fn freed(domain: &Concrete<'_>, names: &BTreeMap<ObjectId, Loc>, input: &Input) -> Vec<Loc> {
    let freed = domain.memory.objects().filter(|(_, object)| object.freed);
    let mut freed: Vec<Loc> = freed
        .filter(|(_, object)| (object.origin).is_none_or(|loc| input.heap.cells.contains_key(&loc)))
        .filter_map(|(id, _)| names.get(&id).copied())
        .collect();
    freed.sort_unstable();
    freed
}

fn is_jump(edge: &Edge) -> bool {
    matches!(edge.successor, Successor::Jump(_))
}

/// The lines in the order of execution, each stay in a line once.
fn lines(program: &Program, points: &[ProgramPoint]) -> Vec<Position> {
    let positions = points.iter().map(|point| point.position(program));
    let mut lines: Vec<Position> = positions.filter(|position| position.line > 0).collect();
    lines.dedup_by_key(|position| (position.file, position.line));
    lines
}

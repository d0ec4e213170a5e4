//! Replay: the concrete run of an input, with everything that a test tells about it.
//!
//! The symbolic execution says which path an input takes; this module finds out what the
//! program really does with it, by the concrete domain alone. The two share nothing but the
//! machine, so a run that leaves its path shows a defect.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::concrete::{
    Concrete, Value as ConcreteValue, export_value, is_exportable,
};
use heapwright_ir::machine::environment::Environment;
use heapwright_ir::machine::{
    Budgets, Edge, Machine, MachineError, MachineOutcome, ObjectId, ProgramPoint, Successor, Target,
};
use heapwright_ir::{Position, Program};
use heapwright_logic::{Cell, Deadline, Heap, Loc, Value as LogicValue};

use crate::check::oracle;
use crate::input::Input;
use crate::input::reachability::reachable;
use crate::report::{Outcome, Run, Verification};
use crate::subject::Subject;

/// How many steps and edges of a run are kept in order: the trail of a run has at most this many
/// entries, and its lines are those of at most this many steps. Longer runs are executed to
/// their end all the same.
pub const RECORDED: usize = 1_000_000;

/// What a run may depend on besides its input, though it should not.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Conditions {
    /// Another environment than the usual one.
    pub seed: Option<u64>,
    /// The only part of it that is another one; none if all are.
    pub only: Option<Environment>,
    /// Units in the last place that functions are off by that need not be exact.
    pub off_by: i8,
    /// When the run is given up.
    pub deadline: Deadline,
}

impl Conditions {
    /// Puts a domain into its environment.
    pub fn apply<'p>(&self, domain: Concrete<'p>) -> Concrete<'p> {
        let domain = domain.off_by(self.off_by);
        match (self.seed, self.only) {
            (None, _) => domain,
            (Some(seed), None) => domain.varied(seed),
            (Some(seed), Some(part)) => domain.varied_only(seed, part),
        }
    }
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
    let domain = Concrete::new(&subject.program)
        .traced_up_to(RECORDED)
        .watching(&subject.rules.shared);
    let mut domain = conditions.apply(domain);
    let arguments = import(subject, &mut domain, input)?;
    let mut machine =
        Machine::new(&subject.program, domain, budgets).until(conditions.deadline.clone());
    let ended = machine.run(subject.function, arguments.clone())?;
    observed(
        subject, input, arguments, machine, &ended, budgets, conditions,
    )
}

/// What a machine has just done with an input whose objects have their names.
pub(crate) fn observed(
    subject: &Subject,
    input: &Input,
    arguments: Vec<ConcreteValue>,
    mut machine: Machine<'_, Concrete<'_>>,
    ended: &MachineOutcome<ConcreteValue>,
    budgets: Budgets,
    conditions: Conditions,
) -> Result<Run, MachineError> {
    let returned = matches!(ended, MachineOutcome::Returned(_));
    let shared = machine.domain.take_shared_use();
    let invariant = match ended {
        // Nobody uses the objects of a program that has ended.
        MachineOutcome::Threw { class, .. } if subject.program.exit == Some(*class) => None,
        MachineOutcome::Returned(_) | MachineOutcome::Threw { .. } => {
            let trace = machine.domain.trace.take();
            let invariant = invariant_afterwards(subject, input, &machine, budgets, &arguments);
            machine.domain.trace = trace;
            invariant?
        }
        _ => None,
    };
    let (result, exception) = match ended {
        MachineOutcome::Returned(result) => (*result, None),
        MachineOutcome::Threw { exception, .. } => (None, Some(*exception)),
        _ => (None, None),
    };
    let parameters: Vec<(String, ConcreteValue)> = match returned && !subject.outputs.is_empty() {
        true => outputs(subject, &machine),
        false => {
            let names = subject.inputs.iter().map(|input| input.name.clone());
            let given = names.zip(arguments.iter().copied());
            let global = |name: &str| {
                let bound = subject.bound.iter();
                let mut bound = bound.filter_map(|known| subject.inputs.get(known.parameter));
                subject.globals.iter().any(|known| known.name == name)
                    || bound.any(|input| input.name == name)
            };
            given.filter(|(name, _)| !global(name)).collect()
        }
    };
    let mut domain = machine.into_domain();
    let mut globals = Vec::new();
    for known in &subject.globals {
        let object = domain.global_object(known.global)?;
        let mut value = content(&domain, object, known.field)?;
        for &slot in &known.path {
            value = match value {
                Some(ConcreteValue::Pointer(address)) => content(&domain, address.object, slot)?,
                _ => None,
            };
        }
        if let Some(value) = value {
            globals.push((known.name.clone(), value));
        }
    }
    for bound in &subject.bound {
        let object = domain.global_object(bound.global)?;
        if let Some(input) = subject.inputs.get(bound.parameter) {
            globals.push((input.name.clone(), ConcreteValue::object(object)));
        }
    }
    let own = result.into_iter().chain(exception);
    let named = parameters.iter().chain(&globals).map(|(_, value)| *value);
    let values: Vec<ConcreteValue> = own.chain(named).chain(arguments).collect();
    let lost = match subject.program.manual_memory {
        true => {
            let mut lost = domain.memory.leaks(values.iter().copied());
            // What has no objects has no memory either, nor have functions.
            lost.retain(|&id| {
                let class = domain.memory.object(id).map(|object| object.class);
                let info = class.map(|class| subject.program.class(class));
                info.is_ok_and(|info| info.instantiable && info.methods.is_empty())
            });
            lost
        }
        false => Vec::new(),
    };
    let exported = values
        .into_iter()
        .chain(lost.iter().map(|&id| ConcreteValue::object(id)));
    let (mut heap, names) = domain.memory.export_reachable(exported)?;
    let inside = interiors(&subject.program, input, &heap);
    let leaks = match returned {
        true => leaks(&names, input, lost),
        false => Vec::new(),
    };
    let global_objects = (domain.memory.globals())
        .filter_map(|(id, object)| Some((*names.get(&object)?, id)))
        .collect();
    let export = |value| export_value(&names, value);
    // What has no name in the logic, nobody is told about.
    let exported = |named: Vec<(String, ConcreteValue)>| {
        let values = named.into_iter();
        let values = values.filter(|(_, value)| is_exportable(&names, *value));
        let values = values.map(|(name, value)| Ok((name, export(value)?)));
        values.collect::<Result<Vec<_>, MachineError>>()
    };
    let (unnamed, result_is_unnamed) = match subject.program.manual_memory {
        false => (BTreeSet::new(), false),
        true => (
            domain.memory.unnamed_slots(&names),
            result.is_some_and(|value| !is_exportable(&names, value)),
        ),
    };
    let result_inside = match result {
        Some(ConcreteValue::Pointer(address)) if result_is_unnamed => {
            let root = domain.memory.root(address)?;
            let whole = names.get(&root.object).copied();
            whole.map(|whole| (whole, root.offset))
        }
        _ => None,
    };
    let result = result.filter(|_| !result_is_unnamed);
    let result = result.map(export).transpose()?;
    let exception = exception.map(export).transpose()?;
    let pointers = pointers_inside(subject, input, &inside);
    let (mut parameters, globals) = (exported(parameters)?, exported(globals)?);
    parameters.retain(|(name, _)| pointers.iter().all(|(other, _)| other != name));
    parameters.extend(pointers);
    heap.cells.extend(inside);
    let after = oracle::After {
        heap: &heap,
        globals: &globals,
    };
    let postcondition = match ended {
        MachineOutcome::Returned(_) => oracle::postcondition(subject, input, result, after),
        MachineOutcome::Threw { class, .. } => {
            oracle::exceptional_postcondition(subject, *class, input, after)
        }
        _ => None,
    };
    let mut trace = domain.trace.take().unwrap_or_default();
    trace.trail.retain(is_jump);
    trace.trail.shrink_to_fit();
    let freed = freed(&domain, &names, input);
    let asked = domain.asked.iter().copied().collect();
    let inexact = domain.inexact;
    let (setup, invalid) = validate(subject, domain, input, budgets, conditions)?;
    Ok(Run {
        outcome: invalid.unwrap_or_else(|| Outcome::of(ended)),
        result,
        exception,
        parameters,
        globals,
        unnamed,
        result_is_unnamed,
        result_inside,
        freed,
        leaks,
        heap,
        global_objects,
        trail: trace.trail,
        asked,
        inexact,
        setup,
        lines: lines(&subject.program, &trace.points),
        postcondition,
        invariant,
        shared,
    })
}

/// The cells of an input that stand for fields and elements of objects that are still there.
fn interiors(program: &Program, input: &Input, after: &Heap) -> BTreeMap<Loc, Cell> {
    let cells = input.heap.cells.iter().filter(|(_, cell)| {
        let info = program.classes.get(cell.class.index());
        let is_there = match cell.fields.first() {
            Some(LogicValue::Ref(outer)) => after.cells.contains_key(outer),
            _ => false,
        };
        info.is_some_and(|info| info.inside.interior) && is_there
    });
    cells.map(|(&loc, cell)| (loc, cell.clone())).collect()
}

/// The parameters that lead into objects; a call does not change them.
fn pointers_inside(
    subject: &Subject,
    input: &Input,
    inside: &BTreeMap<Loc, Cell>,
) -> Vec<(String, LogicValue)> {
    let given = subject.inputs.iter().zip(&input.arguments);
    let into = given.filter(|(_, value)| match value {
        LogicValue::Ref(loc) => inside.contains_key(loc),
        _ => false,
    });
    into.map(|(known, &value)| (known.name.clone(), value))
        .collect()
}

/// What is in an object at a position.
pub(crate) fn content(
    domain: &Concrete<'_>,
    object: ObjectId,
    slot: u32,
) -> Result<Option<ConcreteValue>, MachineError> {
    let contents = &domain.memory.object(object)?.contents;
    Ok(contents.get(slot as usize).copied())
}

/// Whether the objects are valid after a run, if they were before. The predicate is run on a copy,
/// so that it changes nothing that is looked at.
fn invariant_afterwards(
    subject: &Subject,
    input: &Input,
    machine: &Machine<'_, Concrete<'_>>,
    budgets: Budgets,
    arguments: &[ConcreteValue],
) -> Result<Option<Verification>, MachineError> {
    if subject.promised_invariant().is_none() {
        return Ok(None);
    }
    match oracle::invariant(subject, input, budgets)? {
        Some(Verification::Holds) => {}
        _ => return Ok(None),
    }
    // Nobody expects an object to be valid that was freed.
    let memory = &machine.domain.memory;
    let is_freed = |argument: &ConcreteValue| match argument {
        ConcreteValue::Pointer(address) => matches!(memory.target(*address), Ok(Target::Freed(_))),
        _ => false,
    };
    if arguments.iter().any(is_freed) {
        return Ok(None);
    }
    let mut copy = machine.clone();
    oracle::run_invariant(subject, &mut copy, arguments.to_vec())
}

/// Puts an input into memory, and returns its arguments.
pub fn import(
    subject: &Subject,
    domain: &mut Concrete<'_>,
    input: &Input,
) -> Result<Vec<ConcreteValue>, MachineError> {
    let mut names = domain.import(&input.heap)?;
    for (&loc, cell) in &input.heap.cells {
        if let Some(&global) = subject.rules.singletons.get(&cell.class) {
            domain.import_global(&names, global, loc)?;
        }
    }
    for bound in &subject.bound {
        if let Some(&LogicValue::Ref(loc)) = input.arguments.get(bound.parameter) {
            domain.import_global(&names, bound.global, loc)?;
        }
    }
    let mut arguments = Vec::with_capacity(input.arguments.len());
    for &argument in &input.arguments {
        arguments.push(domain.import_value(&mut names, argument)?);
    }
    Ok(arguments)
}

/// Lets the objects of an input prove that they can be made, after the run: the edges that are
/// taken, and a failed assumption if one of them cannot.
fn validate(
    subject: &Subject,
    domain: Concrete<'_>,
    input: &Input,
    budgets: Budgets,
    conditions: Conditions,
) -> Result<(Vec<Edge>, Option<Outcome>), MachineError> {
    let validators = &subject.rules.validators;
    let cells = input.heap.cells.values();
    let validated = cells.filter_map(|cell| Some((*validators.get(&cell.class)?, cell)));
    let validated: Vec<_> = validated.collect();
    if validated.is_empty() {
        return Ok((Vec::new(), None));
    }
    let mut domain = domain.traced_up_to(RECORDED);
    // What the run has done to the objects does not matter, so they are looked at anew.
    let mut names = domain.import(&input.heap)?;
    let mut machine =
        Machine::new(&subject.program, domain, budgets).until(conditions.deadline.clone());
    let mut invalid = None;
    for (validator, cell) in validated {
        let mut contents = Vec::with_capacity(cell.fields.len());
        for &field in &cell.fields {
            contents.push(machine.domain.import_value(&mut names, field)?);
        }
        let ended = machine.run(validator, contents)?;
        if !matches!(ended, MachineOutcome::Returned(_)) {
            let position = ended.point().map(|point| point.position(&subject.program));
            let position = position.unwrap_or_default();
            invalid = invalid.or(Some(Outcome::AssumptionFailed { position }));
        }
    }
    let trace = machine.into_domain().trace.take().unwrap_or_default();
    Ok((trace.trail.into_iter().filter(is_jump).collect(), invalid))
}

/// The outputs of a program that returned.
pub(crate) fn outputs(
    subject: &Subject,
    machine: &Machine<'_, Concrete<'_>>,
) -> Vec<(String, ConcreteValue)> {
    let outputs = subject.outputs.iter().filter_map(|output| {
        let value = machine.last_value(output.register)?;
        Some((output.name.clone(), *value))
    });
    outputs.collect()
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
    // There may be thousands of runs, and a loop of one line is a point for every instruction.
    lines.shrink_to_fit();
    lines
}

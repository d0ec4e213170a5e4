//! The oracle: what the satisfaction checker says about inputs and about what runs made of them.
//!
//! It shares nothing with the solver and with symbolic execution. An input is checked before it
//! becomes a test, and the heap that a run leaves behind is checked against the postcondition.

use std::collections::BTreeSet;

use heapwright_ir::machine::concrete::{Concrete, Value as ConcreteValue, holds_pointer};
use heapwright_ir::machine::layout::{self, is_subtype};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome};
use heapwright_ir::{FunctionId, Position, Program};
use heapwright_logic::{
    Budget, ClassId, Failure, Formula, Heap, Loc, Model, Sort, Stack, Value, VarId,
    find_derivation, find_framed_derivation, verify,
};

use crate::check::replay::import;
use crate::input::candidates::element_sort;
use crate::input::frame::content_sorts;
use crate::input::reachability::{reachable, restricted};
use crate::input::{Footprint, Input};
use crate::report::{Refusal, Verification, Violation};
use crate::subject::{Old, Postcondition, Subject};

/// How much work the search for a derivation may be.
const BUDGET: Budget = Budget { steps: 1_000_000 };

/// Whether the postcondition holds after a run that returned; nothing if there is none.
///
/// Parameters have their values at entry, old values are looked up in the heap before. The
/// formula describes what can be reached from the names that it mentions: an unlinked node may
/// still refer to the rest of a list. Old values are no names, and objects that the precondition
/// left to the frame need not be described; a formula that speaks of such objects nevertheless
/// is given them.
pub fn postcondition(
    subject: &Subject,
    input: &Input,
    result: Option<Value>,
    after: After<'_>,
) -> Option<Verification> {
    let contract = subject.postcondition.as_ref()?;
    Some(holds_after(subject, contract, input, result, after))
}

/// What a run left behind.
#[derive(Clone, Copy, Debug)]
pub struct After<'r> {
    /// The heap.
    pub heap: &'r Heap,
    /// The last values of the globals that a caller sees, by their names, among other values.
    pub globals: &'r [(String, Value)],
}

impl<'r> From<&'r Heap> for After<'r> {
    /// A heap, where no globals are seen.
    fn from(heap: &'r Heap) -> Self {
        After { heap, globals: &[] }
    }
}

/// Whether what is promised for exceptions of a class holds after a run that threw one; nothing if
/// nothing is promised for it. Of several promises all have to be kept.
pub fn exceptional_postcondition(
    subject: &Subject,
    thrown: ClassId,
    input: &Input,
    after: After<'_>,
) -> Option<Verification> {
    let fits = |class: ClassId| is_subtype(&subject.program, thrown, class) == Ok(true);
    let promises = (subject.exceptional.iter()).filter(|(class, _)| fits(*class));
    let mut verdict = None;
    for (_, contract) in promises {
        verdict = match (verdict, holds_after(subject, contract, input, None, after)) {
            (_, violated @ Verification::Violated(_)) => return Some(violated),
            (Some(undecided @ Verification::Undecided(_)), _) => Some(undecided),
            (_, found) => Some(found),
        };
    }
    verdict
}

fn holds_after(
    subject: &Subject,
    contract: &Postcondition,
    input: &Input,
    result: Option<Value>,
    After {
        heap: after,
        globals,
    }: After<'_>,
) -> Verification {
    let mut stack: Stack = (contract.params.iter().copied())
        .zip(input.arguments.iter().copied())
        .filter_map(|(variable, value)| Some((variable?, value)))
        .collect();
    stack.extend(contract.result.zip(result));
    let global = |name: &String| globals.iter().find(|(known, _)| known == name);
    let last = contract.globals.iter();
    stack.extend(last.filter_map(|(variable, name)| Some((*variable, global(name)?.1))));
    let (known, missing): (Vec<_>, Vec<_>) = (contract.old.iter())
        .map(|old| (old.variable, old_value(input, old)))
        .partition(|(_, value)| value.is_some());
    // A disjunct that speaks of a value that there was not does not hold.
    let missing: BTreeSet<VarId> = missing.into_iter().map(|(variable, _)| variable).collect();
    let disjuncts = contract.formula.disjuncts.iter().filter(|disjunct| {
        let free = disjunct.free_variables(&subject.terms);
        !free.iter().any(|variable| missing.contains(variable))
    });
    let formula = Formula {
        disjuncts: disjuncts.cloned().collect(),
    };
    let mentioned = mentioned(subject, &formula);
    stack.retain(|variable, _| mentioned.contains(variable));
    let names: Vec<Value> = stack.values().copied().collect();
    let old = known.into_iter();
    stack.extend(old.filter_map(|(variable, value)| Some((variable, value?))));
    stack.retain(|variable, _| mentioned.contains(variable));
    let names_and_old: Vec<Value> = stack.values().copied().collect();

    // Formulas do not describe arrays, nor what only arrays lead to.
    let arrays = arrays(&subject.program, after);
    let frame = (input.witness.as_ref()).map(|witness| &witness.frame);
    let frame: BTreeSet<Loc> = frame
        .into_iter()
        .flatten()
        .chain(&arrays)
        .copied()
        .collect();
    let mut tried: Vec<BTreeSet<Loc>> = Vec::new();
    let mut verdict = None;
    for roots in [names, names_and_old] {
        for frame in [&arrays, &frame] {
            let footprint = reachable(after, roots.iter().copied(), frame);
            if tried.contains(&footprint) {
                continue;
            }
            let found = search(subject, &formula, &stack, &restricted(after, &footprint));
            verdict = Some(match (verdict, found) {
                (_, Verification::Holds) => return Verification::Holds,
                (Some(Verification::Violated(_)), undecided @ Verification::Undecided(_)) => {
                    undecided
                }
                // The first reason is that of the footprint that people expect.
                (verdict, found) => verdict.unwrap_or(found),
            });
            tried.push(footprint);
        }
    }
    // There was at least one footprint.
    verdict.unwrap_or(Verification::Holds)
}

/// Whether an input is what a precondition asks for, and complete.
///
/// The derivation that an input carries is verified against the heap without its frame. For an
/// input without one, a derivation is looked for: of what can be reached from the arguments that
/// the precondition mentions, then of a part of that.
pub fn precondition(subject: &Subject, input: &Input) -> Verification {
    if let Err(reason) = well_formed(subject, input) {
        return Verification::Violated(Violation::IllFormed(reason));
    }
    match (&subject.precondition, &input.witness) {
        (None, _) => Verification::Holds,
        (Some(formula), Some(witness)) => match check_witness(subject, input, formula, witness) {
            Ok(()) => Verification::Holds,
            Err(reason) => Verification::Violated(Violation::IllFormed(reason)),
        },
        (Some(formula), None) => find_footprint(subject, input, formula),
    }
}

/// Whether the objects of an input are valid, by running the predicate of the subject; nothing if
/// it has none.
pub fn invariant(
    subject: &Subject,
    input: &Input,
    budgets: Budgets,
) -> Result<Option<Verification>, MachineError> {
    if subject.invariant.is_none() {
        return Ok(None);
    }
    let mut domain = Concrete::new(&subject.program);
    let arguments = import(subject, &mut domain, input)?;
    let mut machine = Machine::new(&subject.program, domain, budgets);
    run_invariant(subject, &mut machine, arguments)
}

/// The same for the objects that a machine has, seen from these arguments.
pub fn run_invariant(
    subject: &Subject,
    machine: &mut Machine<'_, Concrete<'_>>,
    arguments: Vec<ConcreteValue>,
) -> Result<Option<Verification>, MachineError> {
    let Some(predicate) = subject.invariant else {
        return Ok(None);
    };
    run_predicate(&subject.program, machine, predicate, arguments).map(Some)
}

/// What a predicate says about the objects that a machine has.
pub fn run_predicate(
    program: &Program,
    machine: &mut Machine<'_, Concrete<'_>>,
    predicate: FunctionId,
    arguments: Vec<ConcreteValue>,
) -> Result<Verification, MachineError> {
    let ended = machine.run(predicate, arguments)?;
    Ok(verdict(program, &ended, machine.last_return()))
}

fn refused(refusal: Refusal) -> Verification {
    Verification::Violated(Violation::Predicate {
        name: None,
        refusal,
    })
}

/// What a run of a predicate says, given where it returned.
pub fn verdict(
    program: &Program,
    ended: &MachineOutcome<ConcreteValue>,
    returned: Position,
) -> Verification {
    match ended {
        MachineOutcome::Returned(Some(ConcreteValue::Bool(true))) => Verification::Holds,
        MachineOutcome::Returned(Some(ConcreteValue::Int(number))) if *number != 0 => {
            Verification::Holds
        }
        MachineOutcome::Returned(_) => refused(Refusal::ReturnsFalse(place(program, returned))),
        MachineOutcome::OutOfBudget { .. } => {
            Verification::Undecided("the predicate does not come to an end".to_owned())
        }
        MachineOutcome::Threw { class, .. } => {
            let class = program.definitions.class(*class).name.clone();
            refused(Refusal::Throws(class))
        }
        MachineOutcome::Fault { kind, .. } => refused(Refusal::Fails(*kind)),
        MachineOutcome::AssumptionFailed { .. } => {
            Verification::Undecided("an assumption of the predicate does not hold".to_owned())
        }
    }
}

/// ` at Tree.java:12`; nothing if that is not known.
fn place(program: &Program, position: Position) -> String {
    match program.files.get(position.file as usize) {
        Some(file) if position.line > 0 => format!(" at {}:{}", file.name, position.line),
        _ => String::new(),
    }
}

/// The value of a path before the call, if there was one.
pub(crate) fn old_value(input: &Input, old: &Old) -> Option<Value> {
    let mut value = *input.arguments.get(old.base)?;
    for &(_, field) in &old.path {
        let Value::Ref(loc) = value else {
            return None;
        };
        value = *input.heap.cells.get(&loc)?.fields.get(field)?;
    }
    Some(value)
}

fn mentioned(subject: &Subject, formula: &Formula) -> BTreeSet<VarId> {
    let disjuncts = formula.disjuncts.iter();
    disjuncts
        .flat_map(|disjunct| disjunct.free_variables(&subject.terms))
        .collect()
}

fn search(subject: &Subject, formula: &Formula, stack: &Stack, heap: &Heap) -> Verification {
    let Subject {
        terms, definitions, ..
    } = subject;
    match find_derivation(terms, definitions, formula, stack, heap, BUDGET) {
        Ok(_) => Verification::Holds,
        Err(Failure::Unsatisfied { reason }) => Verification::Violated(Violation::Formula(reason)),
        // The rest are questions that the checker cannot answer.
        Err(failure) => Verification::Undecided(failure.to_string()),
    }
}

/// Every cell fits its class, every argument its parameter, and no reference dangles.
fn well_formed(subject: &Subject, input: &Input) -> Result<(), String> {
    let (expected, found) = (subject.inputs.len(), input.arguments.len());
    if expected != found {
        return Err(format!("{found} arguments for {expected} parameters"));
    }
    for (parameter, &value) in subject.inputs.iter().zip(&input.arguments) {
        fits(&subject.program, &input.heap, value, parameter.sort)
            .map_err(|reason| format!("parameter `{}` {reason}", parameter.name))?;
    }
    let mut singletons = BTreeSet::new();
    for (loc, cell) in &input.heap.cells {
        let is_singleton = subject.rules.singletons.contains_key(&cell.class);
        if is_singleton && !singletons.insert(cell.class) {
            return Err(format!("{loc} is a second object of a class that has one"));
        }
        layout::kind(&subject.program, cell.class).map_err(|error| error.to_string())?;
        let sorts = content_sorts(&subject.program, cell);
        let (expected, found) = (sorts.len(), cell.fields.len());
        if expected != found {
            return Err(format!(
                "the cell {loc} has {found} fields, its class has {expected}"
            ));
        }
        for (index, (&value, sort)) in cell.fields.iter().zip(sorts).enumerate() {
            fits(&subject.program, &input.heap, value, sort)
                .map_err(|reason| format!("field {index} of {loc} {reason}"))?;
        }
    }
    Ok(())
}

fn fits(program: &Program, heap: &Heap, value: Value, sort: Sort) -> Result<(), String> {
    let is_number = program.manual_memory && holds_pointer(value, sort);
    if !is_number && !value.has_sort(sort) {
        return Err(format!("holds {value}, which is not of its sort"));
    }
    if let (Value::Ref(loc), Sort::Ref(class)) = (value, sort) {
        let Some(cell) = heap.cells.get(&loc) else {
            return Err(format!("holds {value}, where there is no object"));
        };
        if !is_subtype(program, cell.class, class).map_err(|error| error.to_string())? {
            return Err(format!("holds {value}, which is of another class"));
        }
    }
    Ok(())
}

fn check_witness(
    subject: &Subject,
    input: &Input,
    formula: &Formula,
    witness: &Footprint,
) -> Result<(), String> {
    if let Some(loc) = (witness.frame.iter()).find(|loc| !input.heap.cells.contains_key(loc)) {
        return Err(format!("the frame has {loc}, where there is no object"));
    }
    for (parameter, &argument) in subject.inputs.iter().zip(&input.arguments) {
        let value = witness.stack.get(&parameter.variable);
        if let Some(value) = value.filter(|&&value| value != argument) {
            let name = &parameter.name;
            return Err(format!(
                "parameter `{name}` is {argument}, but {value} in the witness"
            ));
        }
    }
    let mut heap = input.heap.clone();
    heap.cells.retain(|loc, _| !witness.frame.contains(loc));
    let model = Model {
        stack: witness.stack.clone(),
        heap,
        derivation: witness.derivation.clone(),
    };
    verify(&subject.terms, &subject.definitions, formula, &model)
        .map_err(|violation| violation.to_string())
}

fn find_footprint(subject: &Subject, input: &Input, formula: &Formula) -> Verification {
    let mentioned = mentioned(subject, formula);
    let stack: Stack = (subject.inputs.iter().zip(&input.arguments))
        .filter(|(parameter, _)| mentioned.contains(&parameter.variable))
        .map(|(parameter, &value)| (parameter.variable, value))
        .collect();
    let roots = stack.values().copied();
    let whole = reachable(&input.heap, roots, &arrays(&subject.program, &input.heap));
    let first = search(subject, formula, &stack, &restricted(&input.heap, &whole));
    let Verification::Violated(reason) = first else {
        return first;
    };
    let Subject {
        terms, definitions, ..
    } = subject;
    let whole = restricted(&input.heap, &whole);
    match find_framed_derivation(terms, definitions, formula, &stack, &whole, BUDGET) {
        Ok(_) => Verification::Holds,
        // The reason why the whole is not valid is the one that people expect.
        Err(Failure::Unsatisfied { .. }) => Verification::Violated(reason),
        Err(failure) => Verification::Undecided(failure.to_string()),
    }
}

/// The arrays of a heap.
fn arrays(program: &Program, heap: &Heap) -> BTreeSet<Loc> {
    let cells = heap.cells.iter();
    let arrays = cells.filter(|(_, cell)| element_sort(program, cell.class).is_some());
    arrays.map(|(&loc, _)| loc).collect()
}

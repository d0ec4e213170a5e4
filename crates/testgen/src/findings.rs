//! Findings: what tests show to be wrong with the program.

use std::collections::{BTreeMap, BTreeSet};

use crate::language::Language;
use crate::suite::Suite;
use heapwright_engine::oracle::precondition;
use heapwright_engine::{
    Interrupt, Outcome, Refusal, Subject, Termination, Test, Verification, Violation,
    is_fault_of_input, is_loop_of_input, is_loss_of_input, replay, termination,
};
use heapwright_ir::machine::{Budget, Budgets};
use heapwright_ir::{Callee, FunctionId, Operation, Program};
use heapwright_logic::{Deadline, Loc, Value};

use heapwright_explain::{access, source, words};

/// A predicate is called through so many functions that front ends make up.
const MOST_WRAPPERS: u32 = 4;

/// Something that no valid input should lead to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum Finding {
    /// A fault, or an exception that leaves the procedure.
    Fault(String),
    /// Memory that nobody can free any more.
    Leak(usize),
    /// The postcondition does not hold.
    Postcondition {
        /// Why, with objects by their numbers: what differs from heap to heap is easy to see there.
        reason: String,
        /// The same for people, in one line: objects are called by the way to them.
        told: String,
    },
    /// The objects were valid before and are not any more: the predicate by its name, and where it
    /// returns false.
    Invariant(String),
    /// The run does not end.
    Endless(Endless),
}

/// A run that does not end.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub struct Endless {
    /// The steps after which nobody waited any longer; nothing if it is known that the run never
    /// ends, since it comes back to a state in which it has been.
    pub steps: Option<u64>,
    /// Where it goes round: ` at Tree.java:12`.
    pub place: String,
    /// The file and the line of that place.
    pub line: (u32, u32),
}

/// Whether a run that used up its steps would have gone on.
pub fn endless(
    subject: &Subject,
    test: &Test,
    budgets: Budgets,
    interrupt: &Interrupt,
) -> Option<Endless> {
    // Whoever interrupts does not want to wait for this.
    let deadline = Deadline::NEVER.or_when(interrupt.switch());
    let (steps, position) = match termination(subject, &test.input, budgets, deadline) {
        Ok(Termination::Never { position }) => (None, position),
        Ok(Termination::Unknown { steps, position }) => (Some(steps), position),
        Ok(Termination::Ends) | Err(_) => return None,
    };
    Some(Endless {
        steps,
        place: source::at(&subject.program, position),
        line: (position.file, position.line),
    })
}

/// Whether a run used up its steps.
pub fn is_unfinished(test: &Test) -> bool {
    let budget = Budget::Steps;
    matches!(test.run.outcome, Outcome::OutOfBudget { budget: used, .. } if used == budget)
}

/// Whether references of an input lead in a circle.
pub fn has_cycle(test: &Test) -> bool {
    let cells = &test.input.heap.cells;
    let references = |fields: &[Value]| -> BTreeSet<Loc> {
        let fields = fields.iter().filter_map(|value| match value {
            Value::Ref(loc) => Some(*loc),
            _ => None,
        });
        fields.collect()
    };
    let mut left: BTreeMap<Loc, BTreeSet<Loc>> = (cells.iter())
        .map(|(loc, cell)| (*loc, references(&cell.fields)))
        .collect();
    // What refers to nothing that is left is on no circle.
    loop {
        let known: BTreeSet<Loc> = left.keys().copied().collect();
        left.retain(|_, behind| !behind.is_disjoint(&known));
        if left.len() == known.len() {
            return !left.is_empty();
        }
    }
}

/// What a test shows to be wrong. A run on an input that violates the precondition shows nothing.
pub fn findings(language: &dyn Language, subject: &Subject, test: &Test) -> Vec<Finding> {
    if validity(subject, test) != Verification::Holds {
        return Vec::new();
    }
    let run = &test.run;
    let wrong = match run.outcome {
        Outcome::Fault { .. } => true,
        Outcome::Threw { class, .. } => {
            language.is_failure(&subject.program.definitions.class(class).name)
        }
        _ => false,
    };
    let fault = wrong.then(|| Finding::Fault(words::outcome_at(&subject.program, &run.outcome)));
    let leak = (!run.leaks.is_empty()).then_some(Finding::Leak(run.leaks.len()));
    let postcondition = match &run.postcondition {
        Some(Verification::Violated(violation)) => Some(Finding::Postcondition {
            reason: violation.to_string(),
            told: told(subject, test, violation),
        }),
        _ => None,
    };
    let invariant = match &run.invariant {
        Some(Verification::Violated(violation)) => {
            Some(Finding::Invariant(broken(subject, violation)))
        }
        _ => None,
    };
    let all = [fault, leak, postcondition, invariant];
    all.into_iter().flatten().collect()
}

/// Which predicate fails after a call, and where.
fn broken(subject: &Subject, violation: &Violation) -> String {
    if let Violation::Predicate {
        name: Some(name),
        refusal,
    } = violation
    {
        return match refusal {
            Refusal::ReturnsFalse(place) => format!("{name}() fails after the call{place}"),
            Refusal::Throws(class) => format!("{name}() throws {class} after the call"),
            Refusal::Fails(kind) => format!("{name}() fails after the call: {kind:?}"),
        };
    }
    let reason = violation.to_string();
    let predicate =
        predicate_of(subject).map_or("the predicate".to_owned(), |name| format!("{name}()"));
    match reason.strip_prefix("the predicate returns false") {
        Some(place) => format!("{predicate} fails after the call{place}"),
        None => format!("{predicate} fails after the call: {reason}"),
    }
}

/// What is asserted after each call: `repOk() is asserted after each call`.
pub fn asserted(suite: &Suite) -> Option<String> {
    let mut runs = suite.report.tests.iter().map(|test| &test.run);
    let name = match predicate_of(&suite.subject) {
        Some(name) => format!("{name}()"),
        // Scripts of calls ask the predicate of each object themselves.
        None if runs.any(|run| run.invariant.is_some()) => "the predicate".to_owned(),
        None => return None,
    };
    Some(format!("{name} is asserted after each call"))
}

/// The name of the method that says which objects are valid after a call, if there is one.
fn predicate_of(subject: &Subject) -> Option<String> {
    let function = subject.promised_invariant()?;
    predicate_name(&subject.program, function, MOST_WRAPPERS)
}

/// The name of the predicate that a function is, or that it calls for its arguments. Returns `None`
/// if the function was made up and calls nothing else.
fn predicate_name(program: &Program, id: FunctionId, depth: u32) -> Option<String> {
    let function = program.function(id);
    // Names of functions have the class in front, and the types of parameters behind.
    let simple = |name: &str| {
        let name = name.split('(').next().unwrap_or(name);
        name.rsplit(['.', '#', '$']).next().map(str::to_owned)
    };
    if !function.name.starts_with('<') {
        return simple(&function.name);
    }
    let depth = depth.checked_sub(1)?;
    let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
    let mut callees = instructions.filter_map(|instruction| match &instruction.operation {
        Operation::Call { callee, .. } => Some(callee),
        _ => None,
    });
    callees.find_map(|callee| match callee {
        Callee::Static(id) => predicate_name(program, *id, depth),
        Callee::Virtual(name) => simple(name),
        Callee::Intrinsic(_) => None,
    })
}

/// Whether what a test shows comes from its input alone.
pub fn comes_from_input(
    subject: &Subject,
    test: &Test,
    findings: &[Finding],
    budgets: Budgets,
) -> bool {
    let comes_from_input = |finding: &Finding| match finding {
        Finding::Fault(_) => is_fault_of_input(subject, test, budgets).unwrap_or(false),
        Finding::Leak(_) => is_loss_of_input(subject, test, budgets).unwrap_or(false),
        Finding::Endless(_) => is_loop_of_input(subject, test, budgets).unwrap_or(false),
        _ => false,
    };
    !findings.is_empty() && findings.iter().all(comes_from_input)
}

/// The heart of a reason, which is in its first line, with the ways to objects as they are after
/// the call; `old(x.next)` is the way to one that only the input leads to.
fn told(subject: &Subject, test: &Test, violation: &Violation) -> String {
    let definitions = &subject.definitions;
    let names = subject.inputs.iter().map(|input| input.name.clone());
    let arguments: Vec<_> = names.zip(test.input.arguments.iter().copied()).collect();
    let before = access::paths(definitions, &arguments, &test.input.heap);
    let before = before.into_iter().map(|(loc, path)| {
        let path = match path.contains(['.', '[']) {
            true => format!("old({path})"),
            false => path,
        };
        (loc, path)
    });
    let mut paths: BTreeMap<Loc, String> = before.collect();
    let run = &test.run;
    paths.extend(access::paths(definitions, &run.roots(), &run.heap));
    let reason = match violation {
        Violation::Formula(mismatch) => mismatch.plain(),
        other => other.to_string(),
    };
    let line = reason.lines().next().unwrap_or_default();
    access::spelled(line, &paths)
}

/// More calls than a virtual machine with usual settings has room for, by far.
const ANY_STACK: u32 = 200_000;

/// Steps enough for so many calls.
const STEPS: u64 = 20_000_000;

/// Whether a run that overflowed the stack would do so with a stack of any size that people use.
/// The stack of the interpreter is smaller than that of most virtual machines.
pub fn overflows_any_stack(subject: &Subject, test: &Test) -> bool {
    let budgets = Budgets {
        steps: STEPS,
        depth: ANY_STACK,
        ..Budgets::default()
    };
    match replay(subject, &test.input, budgets) {
        Ok(run) => match (run.outcome, test.run.outcome) {
            (Outcome::Threw { class, .. }, Outcome::Threw { class: before, .. }) => class == before,
            _ => false,
        },
        Err(_) => false,
    }
}

/// Whether a run overflowed the stack, which without a precondition any cycle can make it do.
pub fn overflows_stack(language: &dyn Language, program: &Program, test: &Test) -> bool {
    match test.run.outcome {
        Outcome::Threw { class, .. } => {
            language.is_stack_overflow(&program.definitions.class(class).name)
        }
        _ => false,
    }
}

/// Whether the input satisfies the precondition, if there is one. Only `--mode lazy` makes inputs
/// that do not; they come without a reason why they do.
pub fn validity(subject: &Subject, test: &Test) -> Verification {
    match test.input.witness {
        Some(_) => Verification::Holds,
        None => precondition(subject, &test.input),
    }
}

/// What is wrong with an input, for people.
pub fn objection(subject: &Subject, test: &Test) -> Option<&'static str> {
    match validity(subject, test) {
        Verification::Holds => None,
        Verification::Violated(_) => Some("the input violates the precondition"),
        Verification::Undecided(_) => Some("the input may violate the precondition"),
    }
}

impl Finding {
    /// The finding in words.
    pub fn words(&self) -> String {
        match self {
            Finding::Fault(words) => words.clone(),
            Finding::Leak(objects) => {
                format!(
                    "leak of {}",
                    words::count(*objects as u64, "object", "objects")
                )
            }
            Finding::Postcondition { told, .. } => {
                format!("the postcondition does not hold: {told}")
            }
            Finding::Invariant(told) => told.clone(),
            Finding::Endless(Endless {
                steps: None, place, ..
            }) => {
                format!("infinite loop{place}: it comes back to the same state")
            }
            Finding::Endless(Endless {
                steps: Some(steps),
                place,
                ..
            }) => format!("did not end within {steps} steps, in the loop{place}"),
        }
    }

    /// One word for programs.
    pub fn kind(&self) -> &'static str {
        match self {
            Finding::Fault(_) => "fault",
            Finding::Leak(_) => "leak",
            Finding::Postcondition { .. } => "postcondition",
            Finding::Invariant(_) => "invariant",
            Finding::Endless(_) => "endless",
        }
    }
}

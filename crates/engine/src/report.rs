//! What a search found.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::Hash;
use std::time::Duration;

use heapwright_ir::machine::concrete::SharedUse;
use heapwright_ir::machine::environment::Environment;
use heapwright_ir::machine::{Budget, Edge};
use heapwright_ir::{FaultKind, GlobalId, Position, SharedPlace};
use heapwright_logic::{ClassId, Heap, Loc, Mismatch, Value};
use rustc_hash::FxHashSet;

use crate::input::Input;
use crate::options::Extent;
use crate::path::decision::Decision;

/// The result of a search.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Report {
    /// The tests in the order in which they were found; no two inputs are isomorphic.
    pub tests: Vec<Test>,
    /// The branches of the function and of everything that it may call.
    pub branches: Vec<Branch>,
    /// Why the search ended.
    pub stop: StopReason,
    /// What was left unexplored: a bound that is to blame, and a number of objects that every
    /// input there has at least; of several, one with the fewest objects. None if every path
    /// was explored to its end, so that what no test does no input does.
    pub open: Option<(Limit, u32)>,
    /// The bounds on paths at which the search ended.
    pub extent: Extent,
    /// Functions of the language that paths ended at because nobody knows them.
    pub missing: BTreeSet<String>,
    /// Variables of the program that runs depend on, and that are no part of the input: other
    /// calls may have changed them, or objects behind them.
    pub statics: BTreeSet<SharedPlace>,
    /// Classes that are assumed to have no other subclasses than those that are known: a path
    /// depends on which method they have.
    pub extended_by_none: BTreeSet<ClassId>,
    /// Classes of references that only some of the objects were tried for that they could lead to:
    /// those of the usual classes, and empty collections.
    pub tried_in_part: BTreeSet<ClassId>,
    /// The alternatives that no test takes.
    pub alternatives: Alternatives,
    /// What was checked after calls.
    pub checked: Checked,
    /// How much work it was.
    pub statistics: Statistics,
}

/// On how many inputs it was checked that a call leaves behind what it should. Most of them need
/// not be tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Checked {
    /// Inputs, up to isomorphism, after which a postcondition was decided.
    pub postcondition: u64,
    /// Inputs, up to isomorphism, after which it was decided whether the objects are still valid.
    pub invariant: u64,
    /// The objects of the largest one.
    pub objects: u32,
    /// Whether there was no time for all inputs that were to be tried.
    pub cut_short: bool,
}

impl Checked {
    /// Takes a run into account.
    pub(crate) fn add(&mut self, input: &Input, run: &Run) {
        let is_decided = |verdict: &Option<Verification>| {
            matches!(
                verdict,
                Some(Verification::Holds | Verification::Violated(_))
            )
        };
        let postcondition = is_decided(&run.postcondition);
        let invariant = is_decided(&run.invariant);
        self.postcondition += u64::from(postcondition);
        self.invariant += u64::from(invariant);
        if postcondition || invariant {
            self.objects = self.objects.max(input.heap.cells.len() as u32);
        }
    }
}

/// Where the constraint tree ends without a path.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Alternatives {
    /// Some of them, those with the fewest decisions first.
    pub told: Vec<Alternative>,
    /// How many are infeasible, those that are not told included.
    pub infeasible: u64,
    /// How many were not explored, or not decided.
    pub open: u64,
}

/// A path of the constraint tree that no test takes.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Alternative {
    /// Its decisions; all of them but the last are those of some path that was explored.
    pub decisions: Vec<Decision>,
    /// What became of it.
    pub fate: Fate,
}

/// Why no test takes an alternative.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Fate {
    /// No valid input takes it.
    Infeasible,
    /// It was not explored, or not decided.
    Open(Limit),
}

/// An input with the run that it leads to.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct Test {
    /// The input.
    pub input: Input,
    /// Where it comes from.
    pub origin: Origin,
    /// The decisions of its path, in order.
    pub decisions: Vec<Decision>,
    /// What happened.
    pub run: Run,
}

/// How a test was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Origin {
    /// By unfolding the precondition, this formula in the order of the algorithm.
    Specification(u32),
    /// By enumerating the small inputs that the precondition allows.
    SmallScope,
    /// By a path of the constraint tree.
    Path,
    /// From a structure for which a predicate of the program holds.
    Structure,
    /// By a sequence of so many calls, the constructor not counted.
    Sequence(u32),
    /// From what the code seems to keep true of its objects: nobody vouches for the input.
    Inferred,
    /// By setting fields that code under test leaves to others.
    Fields,
    /// From the input of another test, because of a mutant that no test killed.
    Mutant,
}

impl Origin {
    /// Whether the input belongs to a test by calls, and no calls are known that build it.
    pub fn is_beyond_calls(self) -> bool {
        matches!(self, Origin::Inferred | Origin::Fields)
    }
}

/// A concrete run.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Run {
    /// How it ended.
    pub outcome: Outcome,
    /// What it returned, if it did and returns something.
    pub result: Option<Value>,
    /// The exception that left it.
    pub exception: Option<Value>,
    /// The names that a caller has afterwards, with their values: the parameters, or the outputs of
    /// a program that returned.
    pub parameters: Vec<(String, Value)>,
    /// The fields of globals that belong to the input, with their values afterwards.
    pub globals: Vec<(String, Value)>,
    /// The objects that are left, under the names that they had in the input: those of the
    /// input, those that the roots lead to, and those that nobody can free any more. What only
    /// globals lead to is not here.
    pub heap: Heap,
    /// The objects of the heap that are those of globals: literals, for example.
    pub global_objects: BTreeMap<Loc, GlobalId>,
    /// Fields and elements of the heap that no test may rely on: those that were never given a
    /// value, and those that the logic has no words for, such as pointers into objects. The heap
    /// has null there.
    pub unnamed: BTreeSet<(Loc, u32)>,
    /// Whether the result is such a value; there is none then.
    pub result_is_unnamed: bool,
    /// The object that the result leads into, and how many bytes from its beginning, where it does not
    /// lead to the beginning.
    pub result_inside: Option<(Loc, i64)>,
    /// Objects that the program freed.
    pub freed: Vec<Loc>,
    /// Objects that nobody can free any more, where memory is managed by the program.
    pub leaks: Vec<Loc>,
    /// The edges of branch coverage in the order in which they were taken.
    pub trail: Vec<Edge>,
    /// The parts of the environment that it asked about.
    pub asked: Vec<Environment>,
    /// Whether it computed something that platforms round differently, such as a sine.
    pub inexact: bool,
    /// The edges that are taken when the objects of the input are made by their constructors.
    pub setup: Vec<Edge>,
    /// The source lines in the order of execution, repetitions in a row once.
    pub lines: Vec<Position>,
    /// Whether the postcondition holds, if there is one for the way in which the run ended.
    pub postcondition: Option<Verification>,
    /// Whether the objects are still valid, if there is a predicate that says so, it held before,
    /// and the run returned or threw.
    pub invariant: Option<Verification>,
    /// What it did with state that other calls may have changed before it.
    pub shared: SharedUse,
}

impl Run {
    /// A run that took these edges and returned, and did nothing else.
    pub fn returned(trail: Vec<Edge>) -> Run {
        Run {
            outcome: Outcome::Returned,
            result: None,
            exception: None,
            parameters: Vec::new(),
            globals: Vec::new(),
            heap: Heap::default(),
            global_objects: Default::default(),
            freed: Vec::new(),
            leaks: Vec::new(),
            unnamed: BTreeSet::new(),
            result_is_unnamed: false,
            result_inside: None,
            trail,
            lines: Vec::new(),
            postcondition: None,
            invariant: None,
            asked: Vec::new(),
            inexact: false,
            setup: Vec::new(),
            shared: Default::default(),
        }
    }

    /// Whether something went wrong, as far as a run alone can say.
    pub(crate) fn fails(&self) -> bool {
        let violated =
            |verdict: &Option<Verification>| matches!(verdict, Some(Verification::Violated(_)));
        let ends = matches!(self.outcome, Outcome::Returned | Outcome::Threw { .. });
        !ends
            || !self.leaks.is_empty()
            || violated(&self.postcondition)
            || violated(&self.invariant)
    }

    /// Everything that a caller can name afterwards, for people: the result or the exception first,
    /// then the parameters and the globals.
    pub fn roots(&self) -> Vec<(String, Value)> {
        let given = || self.parameters.iter().chain(&self.globals);
        let names = || given().map(|(name, _)| name.as_str());
        let result = self.result.map(|value| (result_name(names()), value));
        let exception = self.exception.map(|value| (exception_name(names()), value));
        let own = result.into_iter().chain(exception);
        own.map(|(name, value)| (name.to_owned(), value))
            .chain(given().cloned())
            .collect()
    }

    /// All edges that a test takes: when its input is made, and in the call.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        self.trail.iter().chain(&self.setup).copied()
    }

    /// Of a run that a budget ended, keeps the order of the beginning only, and each edge and line
    /// behind it once: it has been in a loop for most of its steps, and a search may find thousands
    /// of these.
    pub(crate) fn shorten(&mut self) {
        if matches!(self.outcome, Outcome::OutOfBudget { .. }) {
            keep_first(&mut self.trail);
            keep_first(&mut self.lines);
        }
    }
}

/// What the result is called beside parameters of these names. Nothing else can be called `return`,
/// which is a reserved word.
pub fn result_name<'a>(mut parameters: impl Iterator<Item = &'a str>) -> &'static str {
    match parameters.any(|name| name == "result") {
        true => "return",
        false => "result",
    }
}

/// What the exception is called beside parameters of these names.
pub fn exception_name<'a>(mut parameters: impl Iterator<Item = &'a str>) -> &'static str {
    match parameters.any(|name| name == "exception") {
        true => "throw",
        false => "exception",
    }
}

/// How many edges and lines of a run are kept in order in any case.
const IN_ORDER: usize = 512;

fn keep_first<T: Copy + Eq + Hash>(items: &mut Vec<T>) {
    let mut seen: FxHashSet<T> = items.iter().take(IN_ORDER).copied().collect();
    let mut index = 0;
    items.retain(|item| {
        index += 1;
        index <= IN_ORDER || seen.insert(*item)
    });
    // A copy, not what is left of a large block: the next run needs such a block again.
    *items = items.as_slice().to_vec();
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Outcome {
    /// It returned.
    Returned,
    /// An exception left it.
    Threw {
        /// The class of the exception.
        class: ClassId,
        /// The fault that raised it, if any.
        fault: Option<FaultKind>,
        /// Where.
        position: Position,
    },
    /// It did something wrong.
    Fault {
        /// What.
        kind: FaultKind,
        /// Where.
        position: Position,
    },
    /// An assumption does not hold: the run is of no interest.
    AssumptionFailed {
        /// Where.
        position: Position,
    },
    /// A budget of runs was used up.
    OutOfBudget {
        /// Which one.
        budget: Budget,
        /// Where.
        position: Position,
    },
}

impl Outcome {
    /// What a machine's outcome is, without its values.
    pub fn of<V>(ended: &heapwright_ir::machine::MachineOutcome<V>) -> Outcome {
        use heapwright_ir::machine::MachineOutcome as Ended;
        match *ended {
            Ended::Returned(_) => Outcome::Returned,
            Ended::Threw {
                class,
                fault,
                position,
                ..
            } => Outcome::Threw {
                class,
                fault,
                position,
            },
            Ended::Fault { kind, position, .. } => Outcome::Fault { kind, position },
            Ended::AssumptionFailed { position, .. } => Outcome::AssumptionFailed { position },
            Ended::OutOfBudget {
                budget, position, ..
            } => Outcome::OutOfBudget { budget, position },
        }
    }
}

/// What the satisfaction checker said.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Verification {
    /// It holds.
    Holds,
    /// It does not, for this reason.
    Violated(Violation),
    /// The checker ran out of budget.
    Undecided(String),
}

/// Why something does not hold; the texts are what people read.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Violation {
    /// A heap does not satisfy a formula.
    Formula(Mismatch),
    /// An input is none: a cell does not fit its class, an argument its parameter, a derivation its
    /// heap.
    IllFormed(String),
    /// A predicate of the program says so.
    Predicate {
        /// Its name, where that is known.
        name: Option<String>,
        /// How it says so.
        refusal: Refusal,
    },
}

/// How a predicate of the program says that objects are not valid.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Refusal {
    /// It returns false, at a place: ` at Tree.java:12`, or nothing if that is not known.
    ReturnsFalse(String),
    /// It throws an exception of a class.
    Throws(String),
    /// It runs into a fault.
    Fails(FaultKind),
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Violation::Formula(mismatch) => mismatch.fmt(f),
            Violation::IllFormed(reason) => f.write_str(reason),
            Violation::Predicate { name, refusal } => match (name, refusal) {
                (None, Refusal::ReturnsFalse(place)) => {
                    write!(f, "the predicate returns false{place}")
                }
                (Some(name), Refusal::ReturnsFalse(place)) => {
                    write!(f, "{name}() is false after the call")?;
                    match place.as_str() {
                        "" => Ok(()),
                        place => write!(f, ": it returns{place}"),
                    }
                }
                (_, Refusal::Throws(class)) => write!(f, "the predicate throws {class}"),
                (_, Refusal::Fails(kind)) => write!(f, "the predicate fails: {kind:?}"),
            },
        }
    }
}

/// An edge of branch coverage.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Branch {
    /// The edge.
    pub edge: Edge,
    /// The place of the conditional jump or switch.
    pub position: Position,
    /// The first test that takes it, or why there is none.
    pub status: Status,
}

/// Whether a branch is covered.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Status {
    /// By this test first.
    Covered {
        /// Index into the tests of the report.
        test: usize,
    },
    /// No valid input takes it, and why that is known.
    Infeasible(Proof),
    /// No input with at most this many objects takes it.
    Unreached {
        /// The number of objects.
        objects: u32,
        /// What keeps larger inputs out.
        limit: Limit,
    },
    /// The search ended before anything could be said.
    Open(Limit),
}

/// Why no valid input takes a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Proof {
    /// The constraint tree is closed, and nothing was cut off.
    ClosedTree,
    /// By what is known about null on every way there.
    Nullness,
}

/// What ended a search or left a part of the tree unexplored.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Limit {
    /// The number of objects.
    Objects,
    /// The number of objects of each class.
    Scope,
    /// The number of elements of an array.
    Elements,
    /// The classes that objects behind a reference may have: not all of them are known, or none.
    Classes,
    /// State of the program that other calls may have changed: it was taken as it is at first.
    StaticState,
    /// Other programs may extend classes of inputs, and override what was called.
    Subclasses,
    /// What the environment decides.
    Environment(Environment),
    /// The number of decisions on a path.
    Depth,
    /// The number of iterations.
    Loops,
    /// The number of paths.
    Paths,
    /// The number of paths in a row that covered nothing new.
    Patience,
    /// The number of questions to the solver.
    SolverCalls,
    /// The time.
    Time,
    /// The memory.
    Memory,
    /// A budget of runs.
    Run,
    /// The solver did not know.
    Solver,
    /// The numbers that are tried where one has to be known.
    Numbers,
    /// Something that the engine cannot follow symbolically.
    Unsupported,
    /// A run left the path that it was made for: a bug.
    Divergence,
    /// Exploring a path failed: a bug.
    Panic,
    /// Inputs that violate the precondition were dropped, and only one was tried for each path.
    Filter,
    /// The search looked at the specification only.
    Specification,
    /// The goal was reached, so the search did not go on.
    Goal,
    /// The number of states that sequences of calls lead to.
    States,
    /// The arguments and the length of sequences of calls.
    Sequences,
    /// Tests of other functions take what these do not: of a search for several at once.
    OtherTests,
    /// Somebody ended the search.
    Interrupted,
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub enum StopReason {
    /// Nothing is left to explore.
    #[default]
    Exhausted,
    /// Every branch is covered.
    Covered,
    /// The place to be reached was reached.
    Reached,
    /// No heap satisfies the precondition.
    Unsatisfiable,
    /// A bound.
    Limit(Limit),
}

/// How much work a search was.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Statistics {
    /// Paths that were explored to their end.
    pub paths: u64,
    /// Alternatives that turned out to be infeasible.
    pub infeasible: u64,
    /// Alternatives about which the solver did not know.
    pub unknown: u64,
    /// Paths of which a bound left a part unexplored, by bound.
    pub cut: BTreeMap<Limit, u64>,
    /// Inputs that an earlier one is isomorphic to.
    pub isomorphic: u64,
    /// Inputs that violate the precondition (in `lazy` mode only).
    pub invalid: u64,
    /// Inputs of a specification that the class's own predicate accepts.
    pub accepted: u64,
    /// Those that it rejects, with every content of the fields that the specification leaves open.
    pub rejected: u64,
    /// Why it rejects the first of them.
    pub rejection: Option<String>,
    /// Inputs of which nobody can say whether they satisfy the precondition, in lazy mode.
    pub undecided: u64,
    /// Runs that left the path that they were made for. Every one is a bug.
    pub divergences: u64,
    /// Paths whose exploration failed. Every one is a bug.
    pub panics: u64,
    /// Formulas that the precondition was unfolded to.
    pub formulas: u64,
    /// Structures for which the predicate of the subject holds.
    pub structures: u64,
    /// Runs of that predicate to the end.
    pub candidates: u64,
    /// Questions to the solver.
    pub solver_calls: u64,
    /// Their work, as the solver counts it.
    pub solver_work: u64,
    /// Questions answered from what was known already.
    pub cache_hits: u64,
    /// States that sequences of calls lead to, up to isomorphism.
    pub states: u64,
    /// Calls that were executed in order to find them.
    pub transitions: u64,
    /// Those of them that led to a state that was known.
    pub matched: u64,
    /// Time spent in executing.
    pub execution: Duration,
    /// Time spent in solving.
    pub solving: Duration,
    /// Time in all.
    pub total: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_the_beginning_everything_is_kept_once() {
        let mut items: Vec<usize> = (0..100_000).map(|index| index % 1_000).collect();
        let beginning = items[..IN_ORDER].to_vec();
        keep_first(&mut items);
        assert_eq!(items[..IN_ORDER], beginning);
        assert_eq!(items.len(), 1_000);
        let mut short = vec![1, 1, 1];
        keep_first(&mut short);
        assert_eq!(short, [1, 1, 1]);
    }
}

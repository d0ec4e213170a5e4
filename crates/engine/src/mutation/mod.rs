//! Tests that catch changes: small changes of the code under test, and the tests that notice them.
//!
//! Branch coverage says that a line was run, not that anybody would notice if it did something else.
//! So the code is changed, one instruction at a time ([`Mutant`]), and the tests that come by the
//! change are run again in the concrete interpreter: one that asserts something else then kills the
//! mutant. Where no test does, inputs near to those that come by are tried. What is left over shows
//! what no test checks, or makes no difference at all.
//!
//! | module | what |
//! | --- | --- |
//! | `mutant`, `apply` | the changes |
//! | `observation` | what a test sees of a run |
//! | `trial` | runs of changed programs |
//! | `distinct` | values that differ where they can |
//! | `neighbours`, `grown` | other inputs |
//! | `places`, `admission` | what inputs consist of, and whether they are valid |
//!
//! All work is counted in steps of the interpreter, so the result is the same on every machine; a
//! deadline is for whoever interrupts.

mod admission;
mod apply;
mod distinct;
mod grown;
mod mutant;
mod neighbours;
mod observation;
mod places;
mod trial;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::FunctionId;
use heapwright_ir::machine::Budgets;
use heapwright_logic::{CanonicalKey, Deadline};
use rustc_hash::FxHashSet;

use crate::input::Input;
use crate::input::specification::small_inputs;
use crate::report::{Origin, Outcome, Report, Test, Verification};
use crate::subject::Subject;
use crate::suite::covering;
use trial::{Expected, Trials};

pub use mutant::{Change, Mutant};

/// What bounds the work on mutants.
#[derive(Clone, Debug)]
pub struct MutationBounds {
    /// Mutants of a function and what it calls. Default: 300.
    pub mutants: usize,
    /// Tests that are run on them, those that are kept for their branches apart. Default: 100.
    pub tests: usize,
    /// The steps of runs that find out which tests notice which mutant. Default: 4 million.
    pub steps: u64,
    /// The same for other inputs. Default: 1 million.
    pub more_steps: u64,
    /// What bounds each run.
    pub budgets: Budgets,
    /// When everything has to end.
    pub deadline: Deadline,
    /// Functions that nobody wrote as such, and that therefore have no mutants. Default: none.
    pub left_out: FxHashSet<FunctionId>,
}

impl MutationBounds {
    /// The usual bounds, with those of each run. A run that takes much longer than others is not
    /// repeated for each mutant, however long the user lets it take.
    pub fn new(budgets: Budgets) -> MutationBounds {
        let budgets = Budgets {
            steps: budgets.steps.min(LONGEST),
            ..budgets
        };
        MutationBounds {
            mutants: 300,
            tests: 100,
            steps: 4_000_000,
            more_steps: 1_000_000,
            budgets,
            deadline: Deadline::NEVER,
            left_out: FxHashSet::default(),
        }
    }
}

/// The steps of the longest run that is repeated.
const LONGEST: u64 = 200_000;

/// Mutants, and which tests notice them.
#[derive(Clone, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Mutation {
    /// The mutants of all functions under test that some test runs.
    pub mutants: Vec<Mutant>,
    /// Those that each test kills, as indices, in order; tests that were not run on them are not
    /// here.
    pub kills: BTreeMap<usize, BTreeSet<usize>>,
    /// Those that some test comes by.
    pub reached: BTreeSet<usize>,
    /// Whether a bound kept anything from being tried.
    pub cut_short: bool,
}

impl Mutation {
    /// The mutants that some of the tests kill.
    pub fn killed_by(&self, tests: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let kills = tests.into_iter().filter_map(|test| self.kills.get(&test));
        kills.flatten().copied().collect()
    }
}

/// Makes the tests of a report notice as many mutants as can be: values become different, and tests
/// are added. `asserts` says of a test whether it asserts what its run does; one that shows something
/// to be wrong does not.
pub fn strengthen(
    subject: &Subject,
    report: &mut Report,
    bounds: &MutationBounds,
    asserts: &dyn Fn(&Test) -> bool,
) -> Mutation {
    let is_open = !(report.tests.iter())
        .any(|test| matches!(test.origin, Origin::Sequence(_)) || test.origin.is_beyond_calls());
    make_distinct(subject, report, bounds);
    let mut work = Work::new(subject, report, bounds, asserts);
    work.choose_mutants();
    work.run_kept();
    work.run_others();
    if is_open {
        work.try_others();
    }
    work.mutation
}

/// Makes the values of tests different: of those that are kept for their branches, and of others
/// where there is something to check after a call.
fn make_distinct(subject: &Subject, report: &mut Report, bounds: &MutationBounds) {
    let kept = covering(report);
    let others = match subject.has_checks() {
        true => 0..report.tests.len(),
        false => 0..0,
    };
    let others = others
        .filter(|index| !kept.contains(index))
        .take(bounds.tests);
    let mut keys: FxHashSet<CanonicalKey> =
        (report.tests.iter()).map(|test| test.input.key()).collect();
    for index in kept.iter().copied().chain(others) {
        if bounds.deadline.is_over() {
            break;
        }
        let Some(test) = report
            .tests
            .get_mut(index)
            .filter(|test| is_run_to_its_end(test) && may_differ(test.origin))
        else {
            continue;
        };
        let different = distinct::distinct(subject, test, bounds.budgets, &bounds.deadline);
        let different = different.filter(|different| !is_left_undescribed(test, different));
        if let Some(different) = different
            && keys.insert(different.input.key())
        {
            *test = different;
        }
    }
}

/// Whether objects that were added make a postcondition fail that held. It need not describe what no
/// precondition asks for, so this says nothing about the call.
fn is_left_undescribed(test: &Test, different: &Test) -> bool {
    let is_larger = different.input.heap.cells.len() > test.input.heap.cells.len();
    let held = matches!(test.run.postcondition, Some(Verification::Holds));
    let fails = matches!(different.run.postcondition, Some(Verification::Violated(_)));
    is_larger && held && fails
}

/// Whether an input may be changed: sequences of calls are what they are, and what was only inferred
/// to be valid need not be so with other values.
fn may_differ(origin: Origin) -> bool {
    !matches!(origin, Origin::Sequence(_) | Origin::Inferred)
}

fn is_run_to_its_end(test: &Test) -> bool {
    matches!(test.run.outcome, Outcome::Returned | Outcome::Threw { .. })
}

/// The work on one report.
struct Work<'w> {
    subject: &'w Subject,
    report: &'w mut Report,
    bounds: &'w MutationBounds,
    asserts: &'w dyn Fn(&Test) -> bool,
    trials: Trials<'w>,
    /// The tests that come first.
    kept: Vec<usize>,
    expected: BTreeMap<usize, Expected>,
    functions: BTreeSet<FunctionId>,
    mutation: Mutation,
}

impl<'w> Work<'w> {
    fn new(
        subject: &'w Subject,
        report: &'w mut Report,
        bounds: &'w MutationBounds,
        asserts: &'w dyn Fn(&Test) -> bool,
    ) -> Work<'w> {
        let kept = covering(report);
        Work {
            subject,
            report,
            bounds,
            asserts,
            trials: Trials::new(subject, bounds.budgets, bounds.deadline.clone()),
            kept,
            expected: BTreeMap::new(),
            functions: BTreeSet::new(),
            mutation: Mutation::default(),
        }
    }

    /// Runs the tests in the program as it is, and makes the mutants of the code that they run.
    fn choose_mutants(&mut self) {
        let mut others: Vec<(usize, usize, usize)> = (self.report.tests.iter().enumerate())
            .filter(|(index, test)| !self.kept.contains(index) && is_run_to_its_end(test))
            .map(|(index, test)| (test.input.heap.cells.len(), test.run.trail.len(), index))
            .collect();
        others.sort_unstable();
        self.mutation.cut_short |= others.len() > self.bounds.tests;
        let others = others.into_iter().take(self.bounds.tests);
        let tests = self.kept.iter().copied();
        for index in tests
            .chain(others.map(|(_, _, index)| index))
            .collect::<Vec<_>>()
        {
            let Some(test) = self.report.tests.get(index) else {
                continue;
            };
            if !is_run_to_its_end(test) || !(self.asserts)(test) {
                continue;
            }
            if self.trials.work > self.bounds.steps || self.trials.is_over() {
                self.mutation.cut_short = true;
                break;
            }
            if let Some(expected) = self.trials.expect(&test.input) {
                self.functions.extend(expected.functions());
                self.expected.insert(index, expected);
            }
        }
        let subject = self.subject;
        let own = subject.program.function(subject.function).position.file;
        let left_out = &self.bounds.left_out;
        self.functions.retain(|id| {
            let function = subject.program.functions.get(id.index());
            function.is_some_and(|function| {
                !function.synthetic
                    && !left_out.contains(id)
                    && (subject.scope.is_some() || function.position.file == own)
            })
        });
        let all: Vec<Mutant> = (self.functions.iter())
            .flat_map(|&id| mutant::of_function(&subject.program, id))
            .collect();
        // Of too many, each so many-th one.
        let count = all.len().min(self.bounds.mutants);
        self.mutation.cut_short |= count < all.len();
        self.mutation.mutants = (0..count)
            .filter_map(|index| all.get(index * all.len() / count.max(1)).copied())
            .collect();
        let mutants = self.mutation.mutants.iter().enumerate();
        self.mutation.reached = mutants
            .filter(|(_, mutant)| {
                (self.expected.values()).any(|expected| expected.has_been_at(mutant.point))
            })
            .map(|(index, _)| index)
            .collect();
    }

    /// Runs the tests that are kept for their branches on all mutants.
    fn run_kept(&mut self) {
        for index in self.kept.clone() {
            self.run_test(index);
        }
    }

    /// Runs the other tests on those mutants that are left, and each that kills one on all.
    fn run_others(&mut self) {
        let others: Vec<usize> = (self.expected.keys().copied())
            .filter(|index| !self.kept.contains(index))
            .collect();
        for index in others {
            let survivors = self.survivors();
            if survivors.is_empty() {
                break;
            }
            let Some((test, expected)) =
                self.report.tests.get(index).zip(self.expected.get(&index))
            else {
                continue;
            };
            if self.trials.work > self.bounds.steps {
                self.mutation.cut_short = true;
                break;
            }
            let killed = self.trials.killed(&test.input, expected, &survivors);
            if !killed.is_empty() {
                self.run_test(index);
            }
        }
    }

    /// Runs a test on all mutants.
    fn run_test(&mut self, index: usize) {
        if self.trials.work > self.bounds.steps {
            self.mutation.cut_short = true;
            return;
        }
        let Some((test, expected)) = self.report.tests.get(index).zip(self.expected.get(&index))
        else {
            return;
        };
        let all: Vec<(usize, Mutant)> = self.mutation.mutants.iter().copied().enumerate().collect();
        let killed = self.trials.killed(&test.input, expected, &all);
        self.mutation
            .kills
            .insert(index, killed.into_iter().collect());
    }

    /// The mutants that no test has killed.
    fn survivors(&self) -> Vec<(usize, Mutant)> {
        let killed = self.mutation.killed_by(self.mutation.kills.keys().copied());
        let mutants = self.mutation.mutants.iter().copied().enumerate();
        mutants
            .filter(|(index, _)| !killed.contains(index))
            .collect()
    }

    /// Tries inputs near to those that come by a survivor, and small ones of the precondition, and adds
    /// tests for those that kill one.
    fn try_others(&mut self) {
        self.trials.work = 0;
        let mut keys: FxHashSet<CanonicalKey> = (self.report.tests.iter())
            .map(|test| test.input.key())
            .collect();
        let mut survivors = self.survivors();
        if !survivors.is_empty() && describes_objects(self.subject) {
            let deadline = &self.bounds.deadline;
            let small = small_inputs(self.subject, MORE_OBJECTS, SMALL, deadline);
            for input in small {
                if self.is_done(&survivors) {
                    return;
                }
                self.try_small(input, &mut keys, &mut survivors);
            }
        }
        let functions = self.functions.iter().copied();
        let constants = neighbours::constants(&self.subject.program, functions);
        // Those that are kept come first, and of all the smallest.
        let mut bases: Vec<(bool, usize, usize)> = (self.expected.keys())
            .filter_map(|index| {
                let objects = self.report.tests.get(*index)?.input.heap.cells.len();
                Some((!self.kept.contains(index), objects, *index))
            })
            .collect();
        bases.sort_unstable();
        for (_, _, index) in bases {
            let Some((test, expected)) =
                (self.report.tests.get(index)).zip(self.expected.get(&index))
            else {
                continue;
            };
            let is_near = |mutant: &Mutant| expected.has_been_at(mutant.point);
            if !survivors.iter().any(|(_, mutant)| is_near(mutant)) {
                continue;
            }
            let base = Base {
                input: test.input.clone(),
                ending: test.run.outcome,
                is_valid: admission::is_valid(self.subject, &test.input, self.bounds.budgets),
            };
            let grown = grown::grown(self.subject, &base.input);
            let near = neighbours::neighbours(self.subject, &base.input, &constants);
            for changed in grown.into_iter().chain(near) {
                if self.is_done(&survivors) {
                    return;
                }
                if let Some(input) = places::completed(self.subject, changed) {
                    self.try_input(Some(&base), input, &mut keys, &mut survivors);
                }
            }
        }
    }

    /// Tries an input of the precondition, with different values if it may have them, and with what
    /// is in its objects as arguments.
    fn try_small(
        &mut self,
        input: Input,
        keys: &mut FxHashSet<CanonicalKey>,
        survivors: &mut Vec<(usize, Mutant)>,
    ) {
        let (subject, budgets) = (self.subject, self.bounds.budgets);
        let different = distinct::different(subject, &input);
        let different = different.filter(|input| admission::is_valid(subject, input, budgets));
        let input = different.unwrap_or(input);
        let base = Base {
            ending: Outcome::Returned,
            is_valid: true,
            input,
        };
        self.try_input(None, base.input.clone(), keys, survivors);
        for changed in neighbours::of_arguments(subject, &base.input) {
            if self.is_done(survivors) {
                return;
            }
            if let Some(input) = places::completed(subject, changed) {
                self.try_input(Some(&base), input, keys, survivors);
            }
        }
    }

    /// Whether nothing is left to be tried, or nothing more may be.
    fn is_done(&mut self, survivors: &[(usize, Mutant)]) -> bool {
        let is_over = self.trials.work > self.bounds.more_steps || self.trials.is_over();
        self.mutation.cut_short |= is_over && !survivors.is_empty();
        is_over || survivors.is_empty()
    }

    /// Adds a test with an input if it is valid and kills a survivor.
    fn try_input(
        &mut self,
        base: Option<&Base>,
        input: Input,
        keys: &mut FxHashSet<CanonicalKey>,
        survivors: &mut Vec<(usize, Mutant)>,
    ) {
        if !keys.insert(input.key()) {
            return;
        }
        let Some(expected) = self.trials.expect(&input) else {
            return;
        };
        // Most inputs kill nothing, so it does not matter whether they are valid.
        if self.trials.killed(&input, &expected, survivors).is_empty() {
            return;
        }
        self.trials.work += PROOF;
        let subject = self.subject;
        let admitted = match base {
            Some(base) => places::admitted(subject, &base.input, input),
            None => Some(input),
        };
        let is_valid = base.is_none_or(|base| base.is_valid);
        let (budgets, deadline) = (self.bounds.budgets, &self.bounds.deadline);
        let run = admitted.and_then(|input| {
            let run = admission::run(subject, &input, is_valid, budgets, deadline)?;
            Some((input, run))
        });
        let Some((input, run)) = run else {
            return;
        };
        let test = Test {
            input,
            origin: Origin::Mutant,
            decisions: Vec::new(),
            run,
        };
        if breaks_promise(&test) {
            // That is worth more than any mutant.
            if !self.report.tests.iter().any(breaks_promise) {
                self.report.tests.push(test);
            }
            return;
        }
        // What an input has that nobody asked for, nobody frees.
        if !test.run.leaks.is_empty() {
            return;
        }
        // An exception that no test was after says little about the code.
        let outcome = test.run.outcome;
        let is_like =
            outcome == Outcome::Returned || base.is_some_and(|base| base.ending == outcome);
        if !is_like || !(self.asserts)(&test) {
            return;
        }
        let added = self.report.tests.len();
        let all: Vec<(usize, Mutant)> = self.mutation.mutants.iter().copied().enumerate().collect();
        let kills = self.trials.killed(&test.input, &expected, &all);
        self.report.tests.push(test);
        self.mutation
            .kills
            .insert(added, kills.into_iter().collect());
        *survivors = self.survivors();
    }
}

/// The test whose input others are near to.
struct Base {
    input: Input,
    ending: Outcome,
    /// Whether the predicate of the program accepts it.
    is_valid: bool,
}

/// Inputs of the precondition have up to so many objects more than the smallest ones.
const MORE_OBJECTS: u32 = 3;

/// So many of them are tried.
const SMALL: usize = 60;

/// Whether the precondition speaks of objects, so that small inputs can be told from it.
fn describes_objects(subject: &Subject) -> bool {
    let disjuncts = subject.precondition.iter();
    let mut disjuncts = disjuncts.flat_map(|formula| &formula.disjuncts);
    disjuncts.any(|heap| !heap.points_to.is_empty() || !heap.instances.is_empty())
}

/// What it costs to find out whether an input is valid, in steps.
const PROOF: u64 = 200;

/// Whether a run leaves something behind that it should not.
fn breaks_promise(test: &Test) -> bool {
    let violated =
        |verdict: &Option<Verification>| matches!(verdict, Some(Verification::Violated(_)));
    violated(&test.run.postcondition) || violated(&test.run.invariant)
}

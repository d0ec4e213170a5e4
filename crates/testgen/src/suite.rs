//! The tests of one procedure that are kept, with their names and findings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, OnceLock};

use heapwright_engine::{
    Interrupt, Keep, Mutation, MutationBounds, Outcome, Report, SourceLine, Status, StopReason,
    Subject, Test, Verification, is_fault_of_input, keep, keep_killing, strengthen,
};
use heapwright_ir::machine::{Budgets, Edge};
use heapwright_ir::{FunctionId, Program};
use heapwright_logic::{Deadline, Value};

use crate::findings::{
    Endless, Finding, comes_from_input, endless, findings, has_cycle, is_unfinished,
    overflows_any_stack, overflows_stack, validity,
};
use crate::language::Language;
use crate::names::{Naming, Taken, Unnamed, name_tests};
use heapwright_explain::meaning::Cases;
use heapwright_explain::{source, words};

/// What came out of the search for one procedure.
pub struct Suite {
    /// The language of the tests.
    pub language: &'static dyn Language,
    /// The procedure.
    pub subject: Arc<Subject>,
    /// Its function, which need not be what was run: that may be a wrapper around it.
    pub function: FunctionId,
    /// Everything that was found.
    pub report: Report,
    /// The tests that are kept, findings first.
    pub tests: Vec<Kept>,
    /// What is tested, for people.
    pub title: String,
    /// The place that was to be reached.
    pub reach: Option<SourceLine>,
    /// Whether every heap is a valid input, because nothing says which heaps are.
    pub any_heap: bool,
    /// Where inputs come from, and why, if the front end chose that.
    pub inputs: Option<String>,
    /// How many inputs overflowed the stack and are neither tests nor findings: without a
    /// precondition one for each place is enough, and a stack that is larger may be large enough.
    pub overflows: usize,
    /// How many inputs used up their steps and are no findings: one for each loop is enough, a
    /// larger budget may be large enough, and without a precondition cycles are valid inputs.
    pub unfinished: usize,
    /// The mutants, and which tests kill them, if that decided which tests are kept.
    pub mutation: Option<Mutation>,
    cases: OnceLock<Cases>,
}

/// Which tests are kept, and what they are called.
#[derive(Clone)]
pub struct Selection<'a> {
    /// Which of the tests.
    pub keep: Keep,
    /// The place that was to be reached: the first test that does is kept, or all of them if all
    /// tests are.
    pub reach: Option<&'a SourceLine>,
    /// How names are written.
    pub naming: Naming,
    /// What is tested, for people; nothing for the file and the signature.
    pub title: Option<String>,
    /// The function that is tested; nothing for the one that was run.
    pub function: Option<FunctionId>,
    /// Whether every heap is a valid input; nothing if that depends on the subject alone.
    pub any_heap: Option<bool>,
    /// What bounds each run.
    pub budgets: Budgets,
    /// The language of the tests.
    pub language: &'static dyn Language,
    /// Ends what takes long.
    pub interrupt: Interrupt,
}

impl<'a> Selection<'a> {
    /// Tests of a procedure, named after it.
    pub fn new(
        language: &'static dyn Language,
        keep: Keep,
        reach: Option<&'a SourceLine>,
        budgets: Budgets,
    ) -> Selection<'a> {
        Selection {
            keep,
            reach,
            naming: Naming::Snake,
            title: None,
            function: None,
            any_heap: None,
            budgets,
            language,
            interrupt: Interrupt::default(),
        }
    }
}

/// Branches by number.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counted {
    /// Those that some test takes.
    pub covered: usize,
    /// All of them.
    pub all: usize,
}

/// A test that is kept.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Kept {
    /// Index into the tests of the report.
    pub index: usize,
    /// Its name.
    pub name: String,
    /// What it shows to be wrong.
    pub findings: Vec<Finding>,
    /// Whether what it shows comes from an input that nobody vouches for, and so says nothing about
    /// the program.
    pub apart: bool,
    /// The branches that it is the first to cover.
    pub covers: Vec<Edge>,
}

impl Kept {
    /// Whether it shows that something is wrong with the program.
    pub fn is_finding(&self) -> bool {
        !self.findings.is_empty() && !self.apart
    }
}

/// What a suite consists of, without the program that it is about: data that can be written down.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub struct SuiteParts {
    /// [`Suite::function`].
    pub function: FunctionId,
    /// [`Suite::report`].
    pub report: Report,
    /// [`Suite::tests`].
    pub tests: Vec<Kept>,
    /// [`Suite::title`].
    pub title: String,
    /// [`Suite::any_heap`].
    pub any_heap: bool,
    /// [`Suite::inputs`].
    pub inputs: Option<String>,
    /// [`Suite::overflows`].
    pub overflows: usize,
    /// [`Suite::unfinished`].
    pub unfinished: usize,
    /// [`Suite::mutation`].
    pub mutation: Option<Mutation>,
}

impl Suite {
    /// What the suite consists of, but for the place that was to be reached.
    pub fn into_parts(self) -> SuiteParts {
        SuiteParts {
            function: self.function,
            report: self.report,
            tests: self.tests,
            title: self.title,
            any_heap: self.any_heap,
            inputs: self.inputs,
            overflows: self.overflows,
            unfinished: self.unfinished,
            mutation: self.mutation,
        }
    }

    /// A suite of these parts about a program. `None` if tests are missing that are kept.
    pub fn of_parts(
        language: &'static dyn Language,
        subject: Arc<Subject>,
        parts: SuiteParts,
    ) -> Option<Suite> {
        let SuiteParts {
            function,
            report,
            tests,
            title,
            any_heap,
            inputs,
            overflows,
            unfinished,
            mutation,
        } = parts;
        let is_whole = (tests.iter()).all(|kept| kept.index < report.tests.len())
            && function.index() < subject.program.functions.len();
        is_whole.then(|| Suite {
            language,
            subject,
            function,
            report,
            tests,
            title,
            reach: None,
            any_heap,
            inputs,
            overflows,
            unfinished,
            mutation,
            cases: OnceLock::new(),
        })
    }

    /// From here on the program is this one, which has grown out of the one that was tested: what a
    /// program has keeps its number, so only one of many programs needs to be kept.
    pub fn share(&mut self, program: &Arc<Program>) {
        let is_older = self.subject.program.functions.len() <= program.functions.len();
        if let Some(subject) = Arc::get_mut(&mut self.subject).filter(|_| is_older) {
            subject.program = Arc::clone(program);
        }
    }

    /// Chooses and names tests.
    pub fn new(
        subject: impl Into<Arc<Subject>>,
        report: Report,
        selection: &Selection<'_>,
        taken: &mut Taken,
    ) -> Suite {
        let subject = subject.into();
        let language = selection.language;
        let any_heap = (selection.any_heap).unwrap_or(subject.precondition.is_none());
        let is_cycle = |test: &Test| any_heap && overflows_stack(language, &subject.program, test);
        let which = selection.keep;
        let mut report = report;
        let mutation = (which == Keep::Mutants && selection.reach.is_none()).then(|| {
            let deadline = Deadline::NEVER.or_when(selection.interrupt.switch());
            let program = &subject.program;
            let functions = (0..).map(FunctionId).zip(&program.functions);
            let left_out =
                functions.filter(|(_, function)| !language.is_written(program, function));
            let bounds = MutationBounds {
                left_out: left_out.map(|(id, _)| id).collect(),
                deadline,
                ..MutationBounds::new(selection.budgets)
            };
            // A test that shows something to be wrong asserts something else than what happens.
            let asserts = |test: &Test| findings(language, &subject, test).is_empty();
            strengthen(&subject, &mut report, &bounds, &asserts)
        });
        let mut endless = Vec::new();
        let mut loops = BTreeMap::new();
        let chosen: Vec<usize> = match selection.reach {
            None => {
                let chosen = match &mutation {
                    Some(mutation) => keep_killing(&report, mutation),
                    None => keep(&report, which),
                };
                endless = endless_recursion(&subject, &report, &chosen, is_cycle);
                // The branches of findings have to be covered by others: findings fail.
                let mut chosen = meaningful(&report, chosen, is_cycle);
                chosen.extend(&endless);
                chosen.sort_unstable();
                let is_open = |test: &Test| is_unfinished(test) && !(any_heap && has_cycle(test));
                let open = unfinished(&subject, &report, &chosen, is_open);
                let is_sure = |known: &Endless| known.steps.is_none() || !any_heap;
                let known = endless_loops(&subject, &report, &open, selection, is_sure);
                loops = known.0;
                if matches!(which, Keep::Coverage | Keep::Mutants) {
                    chosen.retain(|index| !known.1.contains(index));
                }
                chosen
            }
            Some(place) => {
                let tests = report.tests.iter().enumerate();
                let reaching = tests.filter(|(_, test)| reaches(test, place));
                let most = if which == Keep::All { usize::MAX } else { 1 };
                reaching.map(|(index, _)| index).take(most).collect()
            }
        };
        let overflows = report.tests.iter().filter(|test| is_cycle(test)).count();
        let overflows = overflows.saturating_sub(endless.len());
        let unfinished = report
            .tests
            .iter()
            .filter(|test| is_unfinished(test))
            .count();
        let unfinished = unfinished.saturating_sub(loops.len());
        let sets_apart = any_heap && language.sets_faults_apart();
        let chosen = match sets_apart && selection.reach.is_none() {
            true => preferring_own_faults(&subject, &report, chosen, selection.budgets),
            false => chosen,
        };
        // An index that is out of range would be a defect of the selection; it must not end us.
        let chosen: Vec<(usize, &Test)> = (chosen.into_iter())
            .filter_map(|index| Some((index, report.tests.get(index)?)))
            .collect();
        let never_ends =
            |index| (loops.get(index)).is_some_and(|known: &Endless| known.steps.is_none());
        let found: Vec<Vec<Finding>> = (chosen.iter())
            .map(|(_, test)| findings(language, &subject, test))
            .collect();
        let tests = (chosen.iter().zip(&found)).map(|((index, test), found)| Unnamed {
            test,
            findings: found,
            never_ends: never_ends(index),
        });
        let names = name_tests(&subject, tests, &selection.naming, taken);
        let counted: BTreeSet<Edge> = report.branches.iter().map(|branch| branch.edge).collect();
        let mut seen = BTreeSet::new();
        let mut tests = Vec::new();
        for (((index, test), name), mut findings) in chosen.into_iter().zip(names).zip(found) {
            let mut covers = test.run.trail.clone();
            covers.retain(|edge| counted.contains(edge) && seen.insert(*edge));
            findings.extend(loops.remove(&index).map(Finding::Endless));
            let is_unconfirmed = test.origin.is_beyond_calls() && !findings.is_empty();
            let apart = is_unconfirmed
                || sets_apart && comes_from_input(&subject, test, &findings, selection.budgets);
            tests.push(Kept {
                index,
                name,
                findings,
                apart,
                covers,
            });
        }
        tests.sort_by_key(|kept| (kept.findings.is_empty(), kept.apart));
        shorten(&mut report, &tests);
        let title = match &selection.title {
            Some(title) => title.clone(),
            None => title(&subject),
        };
        Suite {
            language,
            function: selection.function.unwrap_or(subject.function),
            subject,
            report,
            tests,
            title,
            reach: selection.reach.cloned(),
            any_heap,
            inputs: None,
            overflows,
            unfinished,
            mutation,
            cases: OnceLock::new(),
        }
    }

    /// What the disjuncts of the specification say.
    pub fn cases(&self) -> &Cases {
        self.cases.get_or_init(|| Cases::of(&self.subject))
    }

    /// The test that was kept.
    pub fn test(&self, kept: &Kept) -> &Test {
        &self.report.tests[kept.index]
    }

    /// The parameters with their values in the input.
    pub fn arguments(&self, test: &Test) -> Vec<(String, Value)> {
        let names = self.subject.inputs.iter().map(|input| input.name.clone());
        names.zip(test.input.arguments.iter().copied()).collect()
    }

    /// How many branches are covered.
    pub fn covered(&self) -> usize {
        let (own, others) = self.counted();
        own.covered + others.covered
    }

    /// The branches of the procedure itself, and those of all that it may call.
    pub fn counted(&self) -> (Counted, Counted) {
        let (mut own, mut others) = (Counted::default(), Counted::default());
        for branch in &self.report.branches {
            let counted = match branch.edge.function == self.function {
                true => &mut own,
                false => &mut others,
            };
            counted.all += 1;
            counted.covered += usize::from(matches!(branch.status, Status::Covered { .. }));
        }
        (own, others)
    }

    /// Whether some test shows something to be wrong.
    pub fn has_findings(&self) -> bool {
        self.tests.iter().any(Kept::is_finding)
    }

    /// Whether every path was explored to its end, so that what no test does no input does.
    pub fn is_exhaustive(&self) -> bool {
        self.report.stop == StopReason::Exhausted && self.report.open.is_none()
    }
}

/// The file and the signature of a procedure.
fn title(subject: &Subject) -> String {
    let program = &subject.program;
    let function = program.function(subject.function);
    let file = source::file_name(program, function.position);
    format!("{file}#{}", words::signature(program, function))
}

/// Of the chosen tests that overflow the stack, one for each place where no stack is large enough.
fn endless_recursion(
    subject: &Subject,
    report: &Report,
    chosen: &[usize],
    is_cycle: impl Fn(&Test) -> bool,
) -> Vec<usize> {
    let mut places = BTreeSet::new();
    let mut found = Vec::new();
    for &index in chosen {
        let Some(test) = report.tests.get(index).filter(|test| is_cycle(test)) else {
            continue;
        };
        let Outcome::Threw { position, .. } = test.run.outcome else {
            continue;
        };
        let place = (position.file, position.line);
        if !places.contains(&place) && overflows_any_stack(subject, test) {
            places.insert(place);
            found.push(index);
        }
    }
    found
}

/// So many other runs that fail at a place are looked at.
const MOST_FAULTS: usize = 32;

/// Tests with faults that come from the input are replaced by others with the same fault that do
/// not, where there are any: the smallest input for a fault need not be the one that tells most.
fn preferring_own_faults(
    subject: &Subject,
    report: &Report,
    chosen: Vec<usize>,
    budgets: Budgets,
) -> Vec<usize> {
    let is_of_input = |index: usize| {
        let test = report.tests.get(index);
        test.is_some_and(|test| is_fault_of_input(subject, test, budgets).unwrap_or(false))
    };
    let mut preferred = BTreeSet::new();
    for index in chosen {
        if !is_of_input(index) {
            preferred.insert(index);
            continue;
        }
        let outcome = report.tests.get(index).map(|test| test.run.outcome);
        let others = report.tests.iter().enumerate();
        let mut others: Vec<(usize, usize)> = others
            .filter(|&(other, test)| other != index && Some(test.run.outcome) == outcome)
            .map(|(other, test)| (test.input.heap.cells.len(), other))
            .collect();
        others.sort_unstable();
        let own = others.into_iter().take(MOST_FAULTS);
        let own = own
            .map(|(_, other)| other)
            .find(|&other| !is_of_input(other));
        preferred.insert(own.unwrap_or(index));
    }
    preferred.into_iter().collect()
}

/// So many runs that used up their steps are looked at again.
const MOST_LOOPS: usize = 12;

/// Of the chosen tests, those on valid inputs that may not end, smallest inputs first.
fn unfinished(
    subject: &Subject,
    report: &Report,
    chosen: &[usize],
    is_open: impl Fn(&Test) -> bool,
) -> Vec<usize> {
    let mut open: Vec<(usize, usize)> = (chosen.iter())
        .filter_map(|&index| Some((report.tests.get(index)?, index)))
        .filter(|(test, _)| is_open(test) && validity(subject, test) == Verification::Holds)
        .map(|(test, index)| (test.input.heap.cells.len(), index))
        .collect();
    open.sort_unstable();
    open.into_iter().map(|(_, index)| index).collect()
}

/// Of tests that may not end, one for each loop that does not, as far as we are sure of it, and the
/// others for these loops.
fn endless_loops(
    subject: &Subject,
    report: &Report,
    open: &[usize],
    selection: &Selection<'_>,
    is_sure: impl Fn(&Endless) -> bool,
) -> (BTreeMap<usize, Endless>, BTreeSet<usize>) {
    let mut places = BTreeSet::new();
    let (mut found, mut others) = (BTreeMap::new(), BTreeSet::new());
    for &index in open.iter().take(MOST_LOOPS) {
        let test = report.tests.get(index);
        let known =
            test.and_then(|test| endless(subject, test, selection.budgets, &selection.interrupt));
        let Some(endless) = known.filter(&is_sure) else {
            continue;
        };
        if places.insert(endless.line) {
            found.insert(index, endless);
        } else {
            others.insert(index);
        }
    }
    (found, others)
}

/// The tests of a selection that mean something, with others for the branches that are lost.
fn meaningful(
    report: &Report,
    chosen: Vec<usize>,
    is_meaningless: impl Fn(&Test) -> bool,
) -> Vec<usize> {
    let test = |index: &usize| report.tests.get(*index);
    let is_lost = |index: &usize| test(index).is_some_and(&is_meaningless);
    let (lost, left): (Vec<usize>, Vec<usize>) = chosen.into_iter().partition(is_lost);
    let edges = |indices: &[usize]| -> BTreeSet<Edge> {
        let tests = indices.iter().filter_map(test);
        tests.flat_map(|test| test.run.edges()).collect()
    };
    let mut missing: BTreeSet<Edge> = &edges(&lost) - &edges(&left);
    let counted: BTreeSet<Edge> = report.branches.iter().map(|branch| branch.edge).collect();
    missing.retain(|edge| counted.contains(edge));
    let mut kept: BTreeSet<usize> = left.into_iter().collect();
    for (index, test) in report.tests.iter().enumerate() {
        let trail: BTreeSet<Edge> = test.run.edges().collect();
        let is_sound = !matches!(test.run.outcome, Outcome::AssumptionFailed { .. });
        if is_sound && !is_meaningless(test) && !trail.is_disjoint(&missing) {
            missing = &missing - &trail;
            kept.insert(index);
        }
    }
    kept.into_iter().collect()
}

/// Of tests that are not kept, which branches and lines they took is of interest, but no longer
/// in which order: a run to the end of its budget has megabytes of that, and there may be thousands.
fn shorten(report: &mut Report, tests: &[Kept]) {
    let kept: BTreeSet<usize> = tests.iter().map(|kept| kept.index).collect();
    let others = report.tests.iter_mut().enumerate();
    for (_, test) in others.filter(|(index, _)| !kept.contains(index)) {
        let run = &mut test.run;
        run.trail.sort_unstable();
        run.trail.dedup();
        run.trail.shrink_to_fit();
        run.lines
            .sort_unstable_by_key(|line| (line.file, line.line));
        run.lines.dedup();
        run.lines.shrink_to_fit();
    }
}

fn reaches(test: &Test, place: &SourceLine) -> bool {
    let mut lines = test.run.lines.iter();
    lines.any(|line| (line.file, line.line) == (place.file, place.line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Procedural;
    use crate::test_support::Example;
    use heapwright_engine::Violation;

    fn suite(example: &Example, report: Report, reach: Option<&SourceLine>) -> Vec<String> {
        let subject = example.subject();
        let selection = Selection::new(&Procedural, Keep::All, reach, Budgets::default());
        let suite = Suite::new(subject, report, &selection, &mut Taken::default());
        suite.tests.into_iter().map(|kept| kept.name).collect()
    }

    #[test]
    fn findings_come_first() {
        let example = Example::new();
        let mut report = example.report();
        report.tests[1].run.postcondition = Some(Verification::Violated(Violation::IllFormed(
            "no".to_owned(),
        )));
        let names = suite(&example, report, None);
        assert_eq!(names, ["first_postcondition_violated", "first_x_is_nil"]);
    }

    #[test]
    fn only_tests_that_reach_the_place_are_kept() {
        let example = Example::new();
        let at = |line| SourceLine { file: 0, line };
        let all = suite(&example, example.report(), Some(&at(2)));
        assert_eq!(all, ["first_x_is_nil", "first_x_is_not_nil"]);
        let reached = suite(&example, example.report(), Some(&at(3)));
        assert_eq!(reached, ["first_x_is_not_nil"]);
        let nowhere = suite(&example, example.report(), Some(&at(7)));
        assert_eq!(nowhere, Vec::<String>::new());
    }
}

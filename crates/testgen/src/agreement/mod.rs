//! Do a precondition and a predicate of the program mean the same?
//!
//! Every structure within a scope for which the predicate holds has to satisfy the precondition,
//! and every model of the precondition up to a depth of unfolding has to satisfy the predicate.
//! Of each shape several choices of numbers are tried, and other references, one at a time. Where they differ, the smallest heap that
//! shows it is kept.

mod numbers;
mod references;
mod repair;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use heapwright_engine::oracle::{invariant, precondition};
use heapwright_engine::{
    Input, Interrupt, Limit, Mode, Options, StopReason, StructureBounds, Subject, Verification,
    Violation,
};
use heapwright_explain::picture::marks_of;
use heapwright_explain::{Labels, picture, words};
use heapwright_logic::{CanonicalKey, Deadline, Value};

use crate::error::{Error, RequestError};
use crate::frontend::Frontend;
use repair::repair;

/// So many heaps that differ from others in numbers only are compared in each direction, and so many
/// that differ in a reference.
const MOST_VARIANTS: u64 = 5_000;

/// What one direction of the comparison showed.
#[derive(Default)]
pub struct Direction {
    /// How many heaps were compared.
    pub heaps: u64,
    /// Those of them that one side could not tell about.
    pub undecided: u64,
    /// The objects of the largest heap.
    pub objects: usize,
    /// Whether collections of the library are empty in all of them.
    pub restricted: bool,
    /// The smallest heap that only one side accepts, with the reason of the other.
    pub counterexample: Option<Box<Counterexample>>,
}

/// A heap that only one side accepts.
pub struct Counterexample {
    /// What the heap is an input of.
    pub subject: Subject,
    /// The heap.
    pub input: Input,
    /// Why the other side does not accept it.
    pub violation: Violation,
}

/// What is compared, and how much of it.
pub struct Extent {
    /// Objects of each class that structures may have.
    pub scope: u32,
    /// The scope that is tried first: of a large scope the small structures come first, so that they
    /// are not what is missing when there is no time for all.
    pub first_scope: u32,
    /// How often the precondition is unfolded.
    pub depth: u32,
    /// The time for both directions.
    pub limit: Duration,
    /// Ends the comparison.
    pub interrupt: Interrupt,
}

/// What a comparison showed.
pub struct Agreement {
    /// Heaps for which the predicate holds.
    pub accepted: Direction,
    /// Heaps for which the precondition holds.
    pub models: Direction,
    /// Whether the comparison ended before all heaps were compared.
    pub is_cut: bool,
}

impl Agreement {
    /// Both directions.
    pub fn directions(&self) -> [&Direction; 2] {
        [&self.accepted, &self.models]
    }

    /// Both directions for people.
    pub fn told(&self, labels: &dyn Labels) -> String {
        let one = (self.accepted).told("the predicate holds", "the precondition", labels);
        let other = (self.models).told("the precondition holds", "the predicate", labels);
        one + &other
    }
}

/// Compares the precondition of a target with the predicate of its class. `tick` is called for every
/// heap.
pub fn compare<F: Frontend>(
    frontend: &mut F,
    target: &F::Target,
    extent: &Extent,
    tick: &mut dyn FnMut(),
) -> Result<Agreement, Error> {
    let mut comparison = Comparison::new(extent, tick);
    for scope in extent.first_scope.min(extent.scope)..=extent.scope {
        accepted_by_predicate(frontend, target, scope, &mut comparison)?;
    }
    comparison.accepted.undecided += u64::from(comparison.is_incomplete);
    models(frontend, target, extent, &mut comparison)?;
    Ok(Agreement {
        accepted: comparison.accepted,
        models: comparison.models,
        is_cut: comparison.is_cut,
    })
}

impl Counterexample {
    /// The heap with the place marked that the reason is about. A predicate gives no reason: what
    /// would have to be different is looked for.
    pub fn drawn(&self, labels: &dyn Labels) -> String {
        let (subject, input) = (&self.subject, &self.input);
        let mut marks = match &self.violation {
            Violation::Formula(mismatch) => marks_of(&input.heap, &mismatch.objects()),
            _ => marks_of(&input.heap, &[]),
        };
        if marks.objects.is_empty() {
            marks.objects = repair(subject, input);
        }
        let roots = roots(subject, input);
        picture::draw_marked(labels, &subject.definitions, &roots, &input.heap, &marks)
    }
}

impl Direction {
    fn told(&self, from: &str, to: &str, labels: &dyn Labels) -> String {
        let heaps = words::count(self.heaps, "heap", "heaps");
        let objects = words::count(self.objects as u64, "object", "objects");
        let heaps = format!("{heaps} of up to {objects}");
        let mut lines = Vec::new();
        match &self.counterexample {
            None => lines.push(format!("{from}: {heaps}, all of which satisfy {to}")),
            Some(counterexample) => {
                lines.push(format!("{from}, but not {to}: the smallest of {heaps}"));
                let drawn = counterexample.drawn(labels);
                lines.extend(drawn.lines().map(|line| format!("  {line}")));
                let reason = counterexample.violation.to_string();
                let reason = reason.lines().next().unwrap_or_default();
                lines.push(format!("  {reason}"));
            }
        }
        if self.restricted {
            let what = "collections of the JDK are empty in all of them";
            lines.push(format!("  {what}, so others may be different"));
        }
        if self.undecided > 0 {
            lines.push(format!("  not decided for {} of them", self.undecided));
        }
        lines.push(String::new());
        lines.join("\n")
    }

    fn add(&mut self, subject: &Subject, input: &Input, verdict: &Verification) {
        self.heaps += 1;
        self.objects = self.objects.max(input.heap.cells.len());
        let violation = match verdict {
            Verification::Holds => return,
            Verification::Undecided(_) => {
                self.undecided += 1;
                return;
            }
            Verification::Violated(violation) => violation,
        };
        let size = input.heap.cells.len();
        let smallest = self.counterexample.as_ref();
        if smallest.is_none_or(|known| size < known.input.heap.cells.len()) {
            self.counterexample = Some(Box::new(Counterexample {
                subject: subject.clone(),
                input: input.clone(),
                violation: violation.clone(),
            }));
        }
    }
}

/// Both directions, and what was compared so far.
struct Comparison<'t> {
    begin: Instant,
    limit: Duration,
    deadline: Deadline,
    /// Whether the deadline kept heaps out.
    is_cut: bool,
    /// Whether structures could not be followed to the end.
    is_incomplete: bool,
    tick: &'t mut dyn FnMut(),
    /// Heaps for which the predicate holds.
    accepted: Direction,
    /// Heaps for which the precondition holds.
    models: Direction,
    /// The heaps that were looked at, up to the names of objects.
    seen: BTreeSet<CanonicalKey>,
    /// Those of them that were compared in the first direction only.
    found: BTreeSet<CanonicalKey>,
    /// Heaps that differ from others in numbers only.
    by_numbers: u64,
    /// Heaps that differ from others in a reference.
    by_references: u64,
}

impl<'t> Comparison<'t> {
    /// Nothing was compared yet.
    fn new(extent: &Extent, tick: &'t mut dyn FnMut()) -> Comparison<'t> {
        let begin = Instant::now();
        let deadline = Deadline::after(begin, Some(extent.limit));
        Comparison {
            begin,
            limit: extent.limit,
            deadline: deadline.or_when(extent.interrupt.switch()),
            is_cut: false,
            is_incomplete: false,
            tick,
            accepted: Direction::default(),
            models: Direction::default(),
            seen: BTreeSet::new(),
            found: BTreeSet::new(),
            by_numbers: 0,
            by_references: 0,
        }
    }

    /// Compares the two on a heap with other numbers, and with other references.
    fn try_others(&mut self, subject: &Subject, input: &Input) {
        if self.by_numbers < MOST_VARIANTS {
            for variant in numbers::variants(subject, input) {
                self.by_numbers += u64::from(self.try_variant(subject, variant));
                if self.by_numbers >= MOST_VARIANTS {
                    break;
                }
            }
        }
        if self.by_references < MOST_VARIANTS {
            for variant in references::variants(subject, input) {
                self.by_references += u64::from(self.try_variant(subject, variant));
                if self.by_references >= MOST_VARIANTS {
                    break;
                }
            }
        }
    }

    /// Compares the two on a heap. Whether it is a new one, and there is time.
    fn try_variant(&mut self, subject: &Subject, variant: Input) -> bool {
        self.is_cut |= self.deadline.is_over();
        if self.is_cut || !self.seen.insert(variant.key()) {
            return false;
        }
        (self.tick)();
        let budgets = Options::default().budgets;
        let Ok(Some(by_predicate)) = invariant(subject, &variant, budgets) else {
            return true;
        };
        let by_precondition = precondition(subject, &variant);
        // What one of them cannot tell about shows nothing.
        let decided = |verdict: &Verification| !matches!(verdict, Verification::Undecided(_));
        if !decided(&by_predicate) || !decided(&by_precondition) {
            return true;
        }
        if by_predicate == Verification::Holds {
            self.accepted.add(subject, &variant, &by_precondition);
        }
        if by_precondition == Verification::Holds {
            self.models.add(subject, &variant, &by_predicate);
        }
        true
    }
}

fn accepted_by_predicate<F: Frontend>(
    frontend: &mut F,
    target: &F::Target,
    scope: u32,
    comparison: &mut Comparison<'_>,
) -> Result<(), Error> {
    let bounds = StructureBounds {
        scope,
        domains: Vec::new(),
    };
    let deadline = comparison.deadline.clone();
    let found = frontend.structures(target, &bounds, &deadline, &mut |subject, input| {
        let key = input.key();
        if !comparison.found.contains(&key) {
            if comparison.seen.insert(key.clone()) {
                (comparison.tick)();
                comparison.found.insert(key);
                let verdict = precondition(subject, &input);
                comparison.accepted.add(subject, &input, &verdict);
            }
            comparison.try_others(subject, &input);
        }
        !deadline.is_over()
    })?;
    let class = frontend.class_of(target);
    let found = found.ok_or(RequestError::NoPredicate(class))?;
    comparison.is_cut |= found.incomplete && comparison.deadline.is_over();
    comparison.is_incomplete |= found.incomplete && !comparison.is_cut;
    comparison.accepted.restricted |= found.restricted;
    Ok(())
}

fn models<F: Frontend>(
    frontend: &mut F,
    target: &F::Target,
    extent: &Extent,
    comparison: &mut Comparison<'_>,
) -> Result<(), Error> {
    let mut options = Options {
        mode: Mode::Specification,
        unfolding: Some(extent.depth),
        stop_when_covered: false,
        interrupt: extent.interrupt.clone(),
        ..Options::default()
    };
    let left = comparison.limit.saturating_sub(comparison.begin.elapsed());
    options.bounds.time = Some(left);
    let explored = frontend.explore(target, &options, &mut |_| {})??;
    let stop = explored.report.stop;
    comparison.is_cut |= matches!(stop, StopReason::Limit(Limit::Time | Limit::Interrupted));
    // Each direction has the whole budget.
    (comparison.by_numbers, comparison.by_references) = (0, 0);
    for test in &explored.report.tests {
        comparison.is_cut |= comparison.deadline.is_over();
        if comparison.is_cut {
            break;
        }
        let key = test.input.key();
        if comparison.seen.contains(&key) && !comparison.found.contains(&key) {
            continue;
        }
        let verdict = match invariant(&explored.subject, &test.input, options.budgets) {
            Ok(Some(verdict)) => verdict,
            Ok(None) => continue,
            Err(error) => Verification::Undecided(error.to_string()),
        };
        let models = &mut comparison.models;
        models.add(&explored.subject, &test.input, &verdict);
        (comparison.tick)();
        comparison.seen.insert(key);
        comparison.try_others(&explored.subject, &test.input);
    }
    Ok(())
}

fn roots(subject: &Subject, input: &Input) -> Vec<(String, Value)> {
    let names = subject.inputs.iter().map(|known| known.name.clone());
    names.zip(input.arguments.iter().copied()).collect()
}

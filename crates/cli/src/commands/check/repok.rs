//! `check --repok`: do a precondition and a predicate of the class mean the same?
//!
//! Every structure within a scope for which the predicate holds has to satisfy the precondition,
//! and every model of the precondition up to a depth of unfolding has to satisfy the predicate.
//! Of each shape several choices of numbers are tried. Where they differ, the smallest heap that
//! shows it is drawn.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heapwright_engine::oracle::{invariant, precondition};
use heapwright_engine::{
    Input, Limit, Mode, Options, StopReason, StructureBounds, Subject, Verification,
};
use heapwright_java::target::TargetMethod;
use heapwright_logic::{CanonicalKey, Deadline, Printer, Value};

use crate::failure::{Failure, Outcome};
use crate::frontends::LABELS;
use crate::interruption::interrupt;
use crate::java::{Choice, JavaProgram, Specifications};
use crate::ticker::Ticker;
use heapwright_explain::{picture, words};

use super::repair::repair;
use super::{numbers, place};

/// So many heaps that differ from others in numbers only are compared in each direction.
const MOST_VARIANTS: u64 = 5_000;

/// Objects of each class, if nobody says otherwise.
const SCOPE: u32 = 4;

/// The time that the check may take if nobody says otherwise.
const TIME: Duration = Duration::from_secs(60);

/// The options of this check.
#[derive(clap::Args)]
pub struct RepokArguments {
    /// Compare the precondition of a Java method with the predicate of its class; without #METHOD
    /// that of all methods, if they have the same
    #[arg(long = "repok", value_name = "CLASS[#METHOD]", conflicts_with_all = ["heap", "formula", "pred"])]
    pub method: Option<String>,
    /// With --repok: the predicate, if it has none of the usual names: CLASS#METHOD
    #[arg(long, value_name = "CLASS#METHOD")]
    predicate: Option<String>,
    /// With --repok or --class: folders and jars with the classes, separated by `:`
    #[arg(
        long,
        short = 'c',
        value_name = "PATH",
        visible_alias = "cp",
        default_value = "."
    )]
    classpath: String,
    /// With --repok or --class: the JDK [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// With --repok: objects of each class that structures may have
    #[arg(long, value_name = "N", default_value_t = SCOPE)]
    scope: u32,
    /// With --repok: how often the precondition is unfolded
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: u32,
}

impl RepokArguments {
    /// Where classes come from.
    pub fn class_path(&self) -> Vec<PathBuf> {
        std::env::split_paths(&self.classpath).collect()
    }

    /// The JDK that was named.
    pub fn jdk(&self) -> Option<&Path> {
        self.jdk.as_deref()
    }
}

/// What one direction of the comparison showed.
#[derive(Default)]
struct Direction {
    heaps: u64,
    undecided: u64,
    /// The objects of the largest heap.
    objects: usize,
    /// Whether collections of the JDK are empty in all of them.
    restricted: bool,
    /// The smallest heap that only one side accepts, with the reason of the other.
    counterexample: Option<Box<Counterexample>>,
}

struct Counterexample {
    subject: Subject,
    input: Input,
    reason: String,
}

impl Counterexample {
    /// The heap with the place marked that the reason is about. A predicate gives no reason: what
    /// would have to be different is looked for.
    fn drawn(&self) -> String {
        let (subject, input) = (&self.subject, &self.input);
        let mut marks = place::marks(&input.heap, &self.reason);
        if marks.objects.is_empty() {
            marks.objects = repair(subject, input);
        }
        let roots = roots(subject, input);
        picture::draw_marked(LABELS, &subject.definitions, &roots, &input.heap, &marks)
    }
}

impl Direction {
    fn add(&mut self, subject: &Subject, input: &Input, verdict: &Verification) {
        self.heaps += 1;
        self.objects = self.objects.max(input.heap.cells.len());
        let reason = match verdict {
            Verification::Holds => return,
            Verification::Undecided(_) => {
                self.undecided += 1;
                return;
            }
            Verification::Violated(reason) => reason,
        };
        let size = input.heap.cells.len();
        let smallest = self.counterexample.as_ref();
        if smallest.is_none_or(|known| size < known.input.heap.cells.len()) {
            self.counterexample = Some(Box::new(Counterexample {
                subject: subject.clone(),
                input: input.clone(),
                reason: reason.clone(),
            }));
        }
    }

    fn print(&self, from: &str, to: &str, out: &mut dyn Write) -> Result<(), Failure> {
        let heaps = words::count(self.heaps, "heap", "heaps");
        let objects = words::count(self.objects as u64, "object", "objects");
        let heaps = format!("{heaps} of up to {objects}");
        match &self.counterexample {
            None => writeln!(out, "{from}: {heaps}, all of which satisfy {to}")?,
            Some(counterexample) => {
                writeln!(out, "{from}, but not {to}: the smallest of {heaps}")?;
                for line in counterexample.drawn().lines() {
                    writeln!(out, "  {line}")?;
                }
                let mut reason = counterexample.reason.lines();
                writeln!(out, "  {}", reason.next().unwrap_or_default())?;
            }
        }
        if self.restricted {
            writeln!(
                out,
                "  collections of the JDK are empty in all of them, so others may be different"
            )?;
        }
        if self.undecided > 0 {
            writeln!(out, "  not decided for {} of them", self.undecided)?;
        }
        Ok(())
    }
}

/// Runs the check.
pub fn run(
    arguments: &RepokArguments,
    limit: Option<Duration>,
    method: &str,
    specification: &Path,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let class_path = arguments.class_path();
    let specifications = Specifications::new(Choice::File(specification.to_owned()), Vec::new());
    let program = JavaProgram::open(arguments.jdk(), &class_path, specifications)?;
    let mut program = program.with_predicate(arguments.predicate.clone());
    let target = target(&mut program, method)?;
    let limit = limit.unwrap_or(TIME);
    let mut comparison = Comparison::until(limit);
    // Of a large scope the small structures come first, so that they are not what is missing when
    // there is no time for all.
    for scope in SCOPE.min(arguments.scope)..=arguments.scope {
        accepted_by_predicate(&mut program, &target, scope, &mut comparison)?;
    }
    comparison.accepted.undecided += u64::from(comparison.is_incomplete);
    models(&mut program, &target, arguments.depth, &mut comparison)?;
    let Comparison {
        accepted,
        models,
        is_cut,
        ..
    } = comparison;
    accepted.print("the predicate holds", "the precondition", out)?;
    models.print("the precondition holds", "the predicate", out)?;
    if is_cut {
        let why = match interrupt().is_set() {
            true => "interrupted".to_owned(),
            false => format!("{} s are over (--time)", limit.as_secs_f64()),
        };
        writeln!(out, "stopped before all heaps were compared: {why}")?;
    }
    let sides = [&accepted, &models];
    Ok(if sides.iter().any(|side| side.counterexample.is_some()) {
        Outcome::Refuted
    } else if is_cut
        || sides
            .iter()
            .any(|side| side.undecided > 0 || side.restricted)
    {
        Outcome::Unknown
    } else {
        Outcome::Decided
    })
}

/// Both directions, and what was compared so far.
struct Comparison {
    begin: Instant,
    limit: Duration,
    deadline: Deadline,
    /// Whether the deadline kept heaps out.
    is_cut: bool,
    /// Whether structures could not be followed to the end.
    is_incomplete: bool,
    ticker: Ticker,
    /// Heaps for which the predicate holds.
    accepted: Direction,
    /// Heaps for which the precondition holds.
    models: Direction,
    /// The heaps that were looked at, up to the names of objects.
    seen: BTreeSet<CanonicalKey>,
    /// Those of them that were compared in the first direction only.
    found: BTreeSet<CanonicalKey>,
    /// Heaps that differ from others in numbers only.
    variants: u64,
}

impl Comparison {
    /// Nothing was compared yet. Both directions end after so much time.
    fn until(limit: Duration) -> Comparison {
        let begin = Instant::now();
        Comparison {
            begin,
            limit,
            deadline: Deadline::after(begin, Some(limit)).or_when(interrupt().switch()),
            is_cut: false,
            is_incomplete: false,
            ticker: Ticker::new("heaps compared", Some(limit)),
            accepted: Direction::default(),
            models: Direction::default(),
            seen: BTreeSet::new(),
            found: BTreeSet::new(),
            variants: 0,
        }
    }

    /// Compares the two on a heap with other numbers.
    fn try_numbers(&mut self, subject: &Subject, input: &Input) {
        for variant in numbers::variants(subject, input) {
            self.is_cut |= self.deadline.is_over();
            if self.variants >= MOST_VARIANTS || self.is_cut {
                return;
            }
            if !self.seen.insert(variant.key()) {
                continue;
            }
            self.variants += 1;
            self.ticker.count();
            let budgets = Options::default().budgets;
            let Ok(Some(by_predicate)) = invariant(subject, &variant, budgets) else {
                continue;
            };
            let by_precondition = precondition(subject, &variant);
            // What one of them cannot tell about shows nothing.
            let decided = |verdict: &Verification| !matches!(verdict, Verification::Undecided(_));
            if !decided(&by_predicate) || !decided(&by_precondition) {
                continue;
            }
            if by_predicate == Verification::Holds {
                self.accepted.add(subject, &variant, &by_precondition);
            }
            if by_precondition == Verification::Holds {
                self.models.add(subject, &variant, &by_predicate);
            }
        }
    }
}

/// The method whose precondition is compared: the only one with a precondition, or any of several
/// with the same.
fn target(program: &mut JavaProgram, text: &str) -> Result<TargetMethod, Failure> {
    let named = program.targets(text)?;
    if let [only] = &named[..]
        && is_predicate(program, only)?
    {
        return Err(Failure::Unfit(format!(
            "`{text}` is the predicate itself; name the class, or the method whose precondition is \
             compared with it: --repok {}. The predicate is found by its name, or given by \
             --predicate",
            only.class.name
        )));
    }
    let specified = program.specified(named)?;
    let mut preconditions = BTreeSet::new();
    for target in &specified {
        preconditions.insert(printed(program, target)?);
    }
    let fewest = |target: &&TargetMethod| target.declared.method.descriptor.parameters.len();
    match (specified.iter().min_by_key(fewest), preconditions.len()) {
        (None, _) => Err(Failure::Unfit(format!("`{text}` has no precondition"))),
        (Some(target), 1) => Ok(target.clone()),
        (Some(_), _) => {
            let named: Vec<String> = specified.iter().map(|one| format!("'{one}'")).collect();
            Err(Failure::Unfit(format!(
                "`{text}` stands for several methods whose preconditions differ; name one whose \
                 precondition speaks of `this` only: {}",
                named.join(", ")
            )))
        }
    }
}

/// Whether a method is the predicate of its class.
fn is_predicate(program: &JavaProgram, target: &TargetMethod) -> Result<bool, Failure> {
    let predicate = program.predicate(&target.class)?;
    Ok(predicate.is_some_and(|one| one.declared.to_string() == target.declared.to_string()))
}

/// A precondition as text.
fn printed(program: &mut JavaProgram, target: &TargetMethod) -> Result<String, Failure> {
    let explored = program.subject(target)?;
    let subject = &explored.subject;
    let formula = subject.precondition.clone().unwrap_or_default();
    Ok(Printer::new(&subject.terms, &subject.definitions).formula(&formula))
}

fn accepted_by_predicate(
    program: &mut JavaProgram,
    target: &TargetMethod,
    scope: u32,
    comparison: &mut Comparison,
) -> Result<(), Failure> {
    let bounds = StructureBounds {
        scope,
        domains: Vec::new(),
    };
    let deadline = comparison.deadline.clone();
    let found = program.enumerate(target, &bounds, &deadline, &mut |subject, input| {
        let key = input.key();
        if !comparison.found.contains(&key) {
            if comparison.seen.insert(key.clone()) {
                comparison.ticker.count();
                comparison.found.insert(key);
                let verdict = precondition(subject, &input);
                comparison.accepted.add(subject, &input, &verdict);
            }
            comparison.try_numbers(subject, &input);
        }
        !deadline.is_over()
    })?;
    let class = &target.class.name;
    let found = found.ok_or_else(|| {
        Failure::Unfit(format!(
            "{class} has no predicate; give it a method `boolean repOk()`, or name one with \
             --predicate"
        ))
    })?;
    comparison.is_cut |= found.incomplete && comparison.deadline.is_over();
    comparison.is_incomplete |= found.incomplete && !comparison.is_cut;
    comparison.accepted.restricted |= found.restricted;
    Ok(())
}

fn models(
    program: &mut JavaProgram,
    target: &TargetMethod,
    depth: u32,
    comparison: &mut Comparison,
) -> Result<(), Failure> {
    let mut options = Options {
        mode: Mode::Specification,
        unfolding: Some(depth),
        stop_when_covered: false,
        interrupt: interrupt(),
        ..Options::default()
    };
    let left = comparison.limit.saturating_sub(comparison.begin.elapsed());
    options.bounds.time = Some(left);
    let explored = program.explore(target, &options, &mut |_| {})?;
    let explored = explored.map_err(|error| Failure::Unfit(error.to_string()))?;
    let stop = explored.report.stop;
    comparison.is_cut |= matches!(stop, StopReason::Limit(Limit::Time | Limit::Interrupted));
    // Each direction has the whole budget.
    comparison.variants = 0;
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
        comparison.ticker.count();
        comparison.seen.insert(key);
        comparison.try_numbers(&explored.subject, &test.input);
    }
    Ok(())
}

fn roots(subject: &Subject, input: &Input) -> Vec<(String, Value)> {
    let names = subject.inputs.iter().map(|known| known.name.clone());
    names.zip(input.arguments.iter().copied()).collect()
}

//! One subject in one mode.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use heapwright_engine::{Bounds, Keep, Mode, Options, Status};
use heapwright_ir::machine::Edge;

use super::Arguments;
use super::real::Measured;
use crate::published::PaperSubject;
use heapwright_java::emit::TestCase;
use heapwright_java::target::TargetMethod;
use heapwright_java_tests::{JavaLanguage, test_case};

use crate::error::BenchError;
use crate::java_sources::open as open_java;
use heapwright_java_tests::{Choice, JavaProgram, Specifications};
use heapwright_testgen::names::Taken;
use heapwright_testgen::{Selection, Suite};

/// What one subject came to.
pub struct Row {
    /// The subject.
    pub subject: PaperSubject,
    /// The mode.
    pub mode: Mode,
    /// The program, with everything that was loaded.
    pub program: JavaProgram,
    /// The methods.
    pub methods: Vec<Method>,
    /// The time of each of them.
    pub times: Vec<Duration>,
    /// The time in all, start-up included.
    pub total: Duration,
    /// What the virtual machine says, if it was asked.
    pub measured: Option<Measured>,
}

/// What was found for one method.
pub struct Method {
    /// The method.
    pub target: TargetMethod,
    /// Its tests.
    pub suite: Suite,
    /// The tests that can be written out, with their positions in the suite.
    pub cases: Vec<(usize, TestCase)>,
}

/// Explores all methods of a subject that have a precondition.
pub fn measure(
    arguments: &Arguments,
    classes: &Path,
    subject: PaperSubject,
    mode: Mode,
    only: Option<&str>,
) -> Result<Row, BenchError> {
    let begin = Instant::now();
    let file = arguments.subjects.join("specs").join(subject.specification);
    let specifications = Specifications::new(Choice::File(file), Vec::new());
    let class_path = [classes.to_owned()];
    let program = open_java(arguments.jdk.as_deref(), &class_path, specifications)?;
    let sources = vec![arguments.subjects.join("src")];
    let mut program = program.with_sources(sources);
    let options = Options {
        mode,
        bounds: Bounds {
            time: Some(arguments.time),
            // The published figures are about branches.
            checks: 0,
            ..Bounds::default()
        },
        jobs: arguments.jobs.max(1),
        ..Options::default()
    };
    let mut names = Taken::default();
    let mut methods = Vec::new();
    let mut times = Vec::new();
    let mut targets = Vec::new();
    for class in subject.classes.split(' ') {
        targets.extend(program.targets(class)?);
    }
    for target in targets {
        let wanted = only.is_none_or(|only| *target.declared.method.name == *only);
        if !wanted || !program.is_specified(&target)? {
            continue;
        }
        let start = Instant::now();
        let explored =
            (program.explore(&target, &options, &mut |_| ())?).map_err(BenchError::code)?;
        let suite = Suite::new(
            explored.subject,
            explored.report,
            &Selection::new(&JavaLanguage, Keep::Coverage, None, options.budgets),
            &mut names,
        );
        times.push(start.elapsed());
        let kept = suite.tests.iter().enumerate();
        let cases = kept
            .filter_map(|(index, kept)| {
                Some((
                    index,
                    test_case(
                        &program.world,
                        &target,
                        &suite,
                        kept,
                        &explored.entry,
                        None,
                        options.budgets,
                    )?,
                ))
            })
            .collect();
        methods.push(Method {
            target,
            suite,
            cases,
        });
    }
    Ok(Row {
        subject,
        mode,
        program,
        methods,
        times,
        total: begin.elapsed(),
        measured: None,
    })
}

impl Row {
    /// Tests that are kept.
    pub fn kept(&self) -> usize {
        self.methods
            .iter()
            .map(|method| method.suite.tests.len())
            .sum()
    }

    /// Tests that were found.
    pub fn found(&self) -> usize {
        let reports = self.methods.iter().map(|method| &method.suite.report);
        reports.map(|report| report.tests.len()).sum()
    }

    /// A number of the searches, summed up.
    pub fn sum(&self, number: impl Fn(&heapwright_engine::Statistics) -> u64) -> u64 {
        let reports = self.methods.iter().map(|method| &method.suite.report);
        reports.map(|report| number(&report.statistics)).sum()
    }

    /// All branches of the subject with what the searches know about them together.
    pub fn branches(&self) -> BTreeMap<Edge, Known> {
        let mut known = BTreeMap::new();
        for method in &self.methods {
            for branch in &method.suite.report.branches {
                let this = match branch.status {
                    Status::Covered { .. } => Known::Covered,
                    Status::Infeasible(_) => Known::Infeasible,
                    Status::Unreached { .. } | Status::Open(_) => Known::Open,
                };
                let before = known.entry(branch.edge).or_insert(this);
                *before = (*before).min(this);
            }
        }
        known
    }

    /// How many branches there are of a kind.
    pub fn count(&self, kind: Known) -> usize {
        let branches = self.branches();
        branches.values().filter(|&&known| known == kind).count()
    }

    /// The longest time of a method.
    pub fn slowest(&self) -> Duration {
        self.times.iter().copied().max().unwrap_or_default()
    }

    /// Whether nothing shows a defect of ours.
    pub fn is_sound(&self) -> bool {
        let statistics = self.sum(|known| known.divergences + known.invalid);
        statistics == 0 && self.measured.as_ref().is_none_or(Measured::is_sound)
    }
}

/// What is known about a branch; smaller is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Known {
    /// Some test takes it.
    Covered,
    /// Proved infeasible in at least one method, and open in others.
    Infeasible,
    /// Neither.
    Open,
}

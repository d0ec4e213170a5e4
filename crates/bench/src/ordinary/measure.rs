//! One class: its tests are generated, compiled, run and measured.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use heapwright_engine::{Bounds, Options, Status};
use heapwright_explain::words;
use heapwright_java::classpath::ClassPath;
use heapwright_java::verify::{Job, MeasuredClass, MethodCoverage, TestOutcome, Toolchain};
use heapwright_java_tests::{Choice, JavaOptions, JavaTests, Specifications, compile_and_run};
use heapwright_testgen::{Frontend, Request, Session, files};

use super::classes::Subject;
use super::mutation::mutation_score;
use super::{Arguments, Rate, Reasons};
use crate::error::BenchError;
use crate::java_sources::open;

/// How long compiling and running the tests of a class may take.
const TIMEOUT: Duration = Duration::from_secs(300);

/// What came of a class.
pub struct Row {
    /// Its name.
    pub class: &'static str,
    /// What JaCoCo says about its methods and those of the classes inside.
    pub coverage: Vec<MethodCoverage>,
    /// Tests that were written, and pass.
    pub tests: usize,
    /// Tests that pass.
    pub passed: usize,
    /// Mutants killed, and all.
    pub mutants: Option<Rate>,
    /// How long generating took.
    pub time: Duration,
    /// Why branches are open.
    pub reasons: Reasons,
    /// What is wrong with the tests.
    pub problems: Vec<String>,
}

impl Row {
    /// Branches covered, and all.
    pub fn branches(&self) -> Rate {
        self.coverage.iter().fold((0, 0), |(covered, all), method| {
            let own = method.branches;
            (covered + own.covered, all + own.covered + own.missed)
        })
    }

    /// Methods with branches that no test takes: how many, and how many they have.
    pub fn missed(&self) -> Vec<(String, Rate)> {
        let mut missed: BTreeMap<String, Rate> = BTreeMap::new();
        for method in &self.coverage {
            let own = method.branches;
            if own.missed > 0 {
                let class = super::simple_name(&method.class);
                let name = format!("{class}.{}{}", method.method, method.descriptor);
                missed.insert(name, (own.missed, own.missed + own.covered));
            }
        }
        let mut missed: Vec<(String, Rate)> = missed.into_iter().collect();
        missed.sort_by_key(|(_, (missed, _))| std::cmp::Reverse(*missed));
        missed
    }
}

/// Generates, runs and measures.
pub fn measure(
    arguments: &Arguments,
    subject: &Subject,
    folder: &Path,
    libraries: &Path,
) -> Result<Row, BenchError> {
    let begin = Instant::now();
    let specifications = Specifications::new(Choice::None, Vec::new());
    let jdk = arguments.jdk.as_deref();
    let program = open(jdk, &subject.class_path, specifications)?;
    let frontend = JavaTests::new(program, JavaOptions::default());
    let request = Request {
        options: Options {
            bounds: Bounds {
                time: Some(arguments.time),
                ..Bounds::default()
            },
            ..Options::default()
        },
        any_heap: arguments.any_heap,
        ..Request::new([subject.class])
    };
    let mut session = Session::new(frontend, request)?;
    while session.advance(&mut |_| ())? {}
    let mut problems = session.all_complaints();
    problems.extend((session.unwritten.iter()).map(|one| format!("not written: {one}")));
    let emitted = session.frontend.emit(&session.tested, &session.request)?;
    let time = begin.elapsed();
    let mut sources: Vec<PathBuf> = Vec::new();
    let mut tests = 0;
    for file in emitted.files.iter().filter(|file| !file.has_findings) {
        let path = folder.join(&file.path);
        if let Some(parent) = path.parent() {
            files::create_folder(parent)?;
        }
        files::write(&path, &file.text)?;
        sources.push(path);
        tests += file.tests;
    }
    let path = session.frontend.program.world.class_path().clone();
    let mut measured = Vec::new();
    for class in measured_classes(&path, subject.class)? {
        let family = MeasuredClass::with_nested(&path, &class).map_err(BenchError::code)?;
        measured.extend(family);
    }
    let tools = arguments.tools.as_deref();
    let toolchain = Toolchain::find(path.jdk().home(), tools).map_err(BenchError::code)?;
    let compiled = compile_and_run(
        &toolchain,
        &Job {
            sources: &sources,
            class_path: &subject.class_path,
            opens: &opens(&sources)?,
            patches: &[],
            measured: &measured,
            work: folder,
            timeout: TIMEOUT,
        },
    )?;
    let left_out = compiled.left_out.iter();
    problems.extend(left_out.map(|one| format!("does not compile: {one}")));
    let verification = compiled.verification;
    let mut passed = 0;
    for test in &verification.tests {
        match &test.outcome {
            TestOutcome::Passed => passed += 1,
            outcome => {
                let name = test.method.as_deref().unwrap_or("the class");
                let text: String = format!("{outcome:?}").chars().take(160).collect();
                problems.push(format!("{name} does not pass: {text}"));
            }
        }
    }
    let mutants = match arguments.mutants {
        true => mutation_score(subject, path.jdk().home(), &toolchain, folder, libraries)?,
        false => None,
    };
    Ok(Row {
        class: subject.class,
        coverage: verification.coverage,
        tests,
        passed,
        mutants,
        time,
        reasons: reasons(&session),
        problems,
    })
}

/// The class whose coverage is measured. One without methods of its own is what it inherits, so the
/// classes above it count as well.
fn measured_classes(path: &ClassPath, class: &str) -> Result<Vec<String>, BenchError> {
    let mut classes = vec![class.to_owned()];
    let mut next = path.load(class).map_err(BenchError::code)?;
    while !next
        .methods
        .iter()
        .any(|method| !method.access.is_synthetic() && !method.name.starts_with('<'))
    {
        let Some(above) = next.superclass.clone() else {
            break;
        };
        if path.jdk().contains(&above).map_err(BenchError::code)? {
            break;
        }
        next = path.load(&above).map_err(BenchError::code)?;
        classes.push(above.to_string());
    }
    Ok(classes)
}

/// The packages that tests ask to be opened.
fn opens(sources: &[PathBuf]) -> Result<Vec<String>, BenchError> {
    let mut found = BTreeSet::new();
    for source in sources {
        let text = files::read(source)?;
        let heading = text.lines().take_while(|line| line.starts_with("//"));
        for line in heading.filter(|line| line.contains("Gradle")) {
            let options = line.split("--add-opens=").skip(1);
            found.extend(
                options.filter_map(|rest| Some(rest.split_once("=ALL-UNNAMED")?.0.to_owned())),
            );
        }
    }
    Ok(found.into_iter().collect())
}

/// Why branches are open, as the reports say it.
fn reasons(session: &Session<JavaTests>) -> Reasons {
    let mut edges = BTreeMap::new();
    for suite in session.suites() {
        for branch in &suite.report.branches {
            let reason = match branch.status {
                Status::Covered { .. } => None,
                Status::Infeasible(_) => continue,
                Status::Unreached { .. } => Some("no input of the sizes tried".to_owned()),
                Status::Open(limit) => Some(words::limit(limit)),
            };
            let known = edges.entry(branch.edge).or_insert(reason.clone());
            if reason.is_none() {
                *known = None;
            }
        }
    }
    let mut reasons = Reasons::new();
    for reason in edges.into_values().flatten() {
        *reasons.entry(reason).or_default() += 1;
    }
    reasons
}

//! The tests of the subjects on the virtual machine: do they pass, what do they cover, and does
//! `repOK` accept every input?

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use heapwright_engine::{Mode, Outcome, Test};
use heapwright_ir::machine::Edge;
use heapwright_java::classfile::{Class, Method as JavaMethod};
use heapwright_java::classpath::ClassPath;
use heapwright_java::descriptor::Type;
use heapwright_java::emit::{Framework, TestCase, TestClass, emit, file_path, test_package};
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::target::TargetMethod;
use heapwright_java::verify::{
    Job, MeasuredClass, RunEnd, TestOutcome, Toolchain, Verification, verify as run_tests,
};
use heapwright_logic::Value;

use super::Arguments;
use super::measure::Row;
use heapwright_java_tests::Given;
use heapwright_java_tests::validity::predicate_call;

use super::measure::Method;
use crate::error::BenchError;
use heapwright_explain::source;
use heapwright_java_tests::coverage;
use heapwright_testgen::files;

/// Enough for all tests of all subjects.
const TIMEOUT: Duration = Duration::from_secs(300);

/// What the virtual machine says about a subject.
#[derive(Debug, Default)]
pub struct Measured {
    /// The version of Java.
    pub version: u16,
    /// Tests that ran.
    pub tests: usize,
    /// Those that passed.
    pub passed: usize,
    /// Branches that JaCoCo saw taken.
    pub covered: usize,
    /// Branches that JaCoCo counts in the methods that the engine looked at.
    pub branches: usize,
    /// Inputs that a method for validity exists for.
    pub inputs: usize,
    /// Those that it accepts.
    pub valid: usize,
    /// What should not be.
    pub problems: Vec<String>,
    /// Differences that have a reason.
    pub remarks: Vec<String>,
}

impl Measured {
    /// Whether nothing shows a defect of ours.
    pub fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Runs everything, one mode after the other.
pub fn verify(
    arguments: &Arguments,
    classes: &Path,
    work: &Path,
    rows: &mut [Row],
) -> Result<(), BenchError> {
    for mode in [Mode::Concolic, Mode::Symbolic] {
        let mut rows: Vec<&mut Row> = rows.iter_mut().filter(|row| row.mode == mode).collect();
        if rows.is_empty() {
            continue;
        }
        let folder = work.join(heapwright_testgen::vocabulary::mode_name(mode));
        let run = |name: &str, written: &[(usize, TestClass)], rows: &[&mut Row]| {
            execute(arguments, classes, &folder.join(name), written, rows)
        };
        let tests = test_classes(&rows);
        let outcome = run("tests", &tests, &rows)?;
        let checks = validity_classes(&rows);
        let validity = run("validity", &checks, &rows)?;
        for (index, row) in rows.iter_mut().enumerate() {
            let mut measured = Measured::default();
            (measured.tests, measured.passed) =
                count(results(index, &tests, &outcome), &mut measured.problems);
            note_missing(row, &outcome, &mut measured);
            compare_coverage(row, &outcome, &mut measured);
            (measured.inputs, measured.valid) =
                count(results(index, &checks, &validity), &mut measured.problems);
            measured.version = row.program.world.class_path().jdk().version();
            row.measured = Some(measured);
        }
    }
    Ok(())
}

/// Writes test classes and runs them.
fn execute(
    arguments: &Arguments,
    classes: &Path,
    folder: &Path,
    written: &[(usize, TestClass)],
    rows: &[&mut Row],
) -> Result<Verification, BenchError> {
    let mut sources: Vec<PathBuf> = Vec::new();
    for (row, class) in written {
        let Some(row) = rows.get(*row) else {
            continue;
        };
        let text = emit(&row.program.world, class).map_err(BenchError::code)?;
        let file = folder.join(file_path(class));
        if let Some(parent) = file.parent() {
            files::create_folder(parent)?;
        }
        files::write(&file, &text.text)?;
        sources.push(file);
    }
    let first = rows
        .first()
        .map(|row| row.program.world.class_path().clone());
    let path = first.ok_or(BenchError::NothingToVerify)?;
    let mut measured = Vec::new();
    for name in rows
        .iter()
        .flat_map(|row| classes_of(row))
        .collect::<BTreeSet<_>>()
    {
        measured.push(MeasuredClass::find(&path, &name).map_err(BenchError::code)?);
    }
    let tools = arguments.tools.as_deref();
    let toolchain = Toolchain::find(path.jdk().home(), tools).map_err(BenchError::code)?;
    let verification = run_tests(
        &toolchain,
        &Job {
            sources: &sources,
            class_path: &[classes.to_owned()],
            opens: &[],
            patches: &[],
            measured: &measured,
            work: folder,
            timeout: TIMEOUT,
        },
    );
    let verification = verification.map_err(BenchError::code)?;
    match verification.compiled {
        true => Ok(verification),
        false => Err(BenchError::Compiler(verification.compiler_output)),
    }
}

/// The classes whose branches the searches of a row know.
fn classes_of(row: &Row) -> BTreeSet<String> {
    let branches = row
        .methods
        .iter()
        .flat_map(|method| &method.suite.report.branches);
    coverage::classes_of(&row.program.world, branches.map(|branch| branch.edge))
}

/// The name of a test class.
fn class_name(row: &Row, ending: &str) -> String {
    let class = row.subject.classes.split(' ').next().unwrap_or_default();
    format!("{}{ending}", class.rsplit('.').next().unwrap_or(class))
}

fn test_classes(rows: &[&mut Row]) -> Vec<(usize, TestClass)> {
    let classes = rows.iter().enumerate().map(|(index, row)| {
        let cases = sound_cases(row).map(|(_, _, case)| case.clone()).collect();
        (index, test_class(row, "Test", cases))
    });
    classes.collect()
}

/// The tests that have to pass, with their positions in the suites of their methods: those that
/// show something to be wrong fail.
fn sound_cases(row: &Row) -> impl Iterator<Item = (&Method, usize, &TestCase)> {
    let cases = row.methods.iter().flat_map(|method| {
        let cases = method.cases.iter();
        cases.map(move |(index, case)| (method, *index, case))
    });
    cases.filter(|(_, _, case)| case.defect.is_none())
}

fn test_class(row: &Row, ending: &str, cases: Vec<TestCase>) -> TestClass {
    let package = row.methods.first().map(|method| {
        let class = &method.target.class;
        test_package(&row.program.world, class)
    });
    TestClass {
        package: package.unwrap_or_default(),
        name: class_name(row, ending),
        framework: Framework::JUnit5,
        cases,
    }
}

/// Tests that only ask whether an input is valid.
fn validity_classes(rows: &[&mut Row]) -> Vec<(usize, TestClass)> {
    let mut classes = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let mut cases = Vec::new();
        for method in &row.methods {
            for (number, test) in method.suite.report.tests.iter().enumerate() {
                let path = row.program.world.class_path();
                cases.extend(validity_cases(path, method, number, test));
            }
        }
        if !cases.is_empty() {
            classes.push((index, test_class(row, "ValidityTest", cases)));
        }
    }
    classes
}

/// Calls of `acceptsMethod` or `repOK` on an input, which have to return true and change nothing.
fn validity_cases(path: &ClassPath, method: &Method, number: usize, test: &Test) -> Vec<TestCase> {
    let target = &method.target;
    let calls = validity_calls(path, target, &test.input.arguments);
    let name = &target.declared.method.name;
    let cases = calls.into_iter().map(|(predicate, arguments)| {
        let given = Given {
            arguments,
            ..Given::default()
        };
        let name = format!("{name}_{}", number + 1);
        predicate_call(predicate, name, given, &test.input.heap)
    });
    cases.collect()
}

/// The methods that say whether an input is valid, with their arguments: `acceptsMethod`, where
/// there is one, with the parameters that it asks for; otherwise `repOK(parameter)` of the class;
/// otherwise `repOK` of the receiver and of every parameter whose class has one.
fn validity_calls(
    path: &ClassPath,
    target: &TargetMethod,
    arguments: &[Value],
) -> Vec<(DeclaredMethod, Vec<Value>)> {
    let class = &target.class;
    let method = &target.declared.method;
    let receiver = (!method.access.is_static())
        .then(|| arguments.first().copied())
        .flatten();
    let given = arguments.iter().skip(usize::from(receiver.is_some()));
    let given: Vec<_> = method.descriptor.parameters.iter().zip(given).collect();
    let call = |check: &Arc<JavaMethod>, values: Vec<Value>| {
        let own = match check.access.is_static() {
            true => None,
            false => Some(receiver?),
        };
        let declared = DeclaredMethod {
            class: class.clone(),
            method: check.clone(),
        };
        Some((declared, own.into_iter().chain(values).collect()))
    };
    let mut accepts = format!("accepts{}", method.name);
    if let Some(first) = accepts.get_mut("accepts".len().."accepts".len() + 1) {
        first.make_ascii_uppercase();
    }
    if let Some(check) = named(class, &accepts).next() {
        let mut left = given;
        let values: Option<Vec<Value>> = (check.descriptor.parameters.iter())
            .map(|ty| {
                let at = left.iter().position(|(given, _)| *given == ty)?;
                Some(*left.remove(at).1)
            })
            .collect();
        return values
            .and_then(|values| call(check, values))
            .into_iter()
            .collect();
    }
    let mut calls = Vec::new();
    for check in named(class, "repOK") {
        if let [ty] = &check.descriptor.parameters[..] {
            let fitting = given.iter().filter(|(given, _)| *given == ty);
            calls.extend(fitting.filter_map(|(_, value)| call(check, vec![**value])));
        }
    }
    if calls.is_empty() {
        calls.extend(own_check(class).and_then(|check| call(check, Vec::new())));
        for (ty, value) in given {
            if let (Type::Class(name), Value::Ref(_)) = (ty, value)
                && let Ok(class) = path.load(name)
                && let Some(check) = own_check(&class)
            {
                let declared = DeclaredMethod {
                    class: class.clone(),
                    method: check.clone(),
                };
                calls.push((declared, vec![*value]));
            }
        }
    }
    calls
}

/// `repOK()` of a class.
fn own_check(class: &Class) -> Option<&Arc<JavaMethod>> {
    named(class, "repOK").find(|check| check.descriptor.parameters.is_empty())
}

fn named<'c>(class: &'c Class, name: &'c str) -> impl Iterator<Item = &'c Arc<JavaMethod>> {
    class
        .methods
        .iter()
        .filter(move |method| *method.name == *name)
}

/// The results of a test class of a row.
fn results<'v>(
    index: usize,
    written: &'v [(usize, TestClass)],
    verification: &'v Verification,
) -> impl Iterator<Item = (String, &'v TestOutcome)> {
    let class = written.iter().find(|(row, _)| *row == index);
    let name = class.map(|(_, class)| match class.package.is_empty() {
        true => class.name.clone(),
        false => format!("{}.{}", class.package, class.name),
    });
    let tests = verification.tests.iter();
    tests
        .filter(move |test| Some(&test.class) == name.as_ref())
        .map(|test| {
            let method = test.method.as_deref().unwrap_or("(the class)");
            (format!("{}#{method}", test.class), &test.outcome)
        })
}

/// Results, counted: how many there are, and how many tests passed. The others are problems.
fn count<'v>(
    results: impl Iterator<Item = (String, &'v TestOutcome)>,
    problems: &mut Vec<String>,
) -> (usize, usize) {
    let (mut all, mut passed) = (0, 0);
    for (name, outcome) in results {
        all += 1;
        match outcome {
            TestOutcome::Passed => passed += 1,
            other => problems.push(format!("{name}: {other:?}")),
        }
    }
    (all, passed)
}

/// Tests that did not run at all are problems, too.
fn note_missing(row: &Row, verification: &Verification, measured: &mut Measured) {
    let expected = sound_cases(row).count();
    if measured.tests != expected || verification.end != RunEnd::Complete {
        let ran = measured.tests;
        measured
            .problems
            .push(format!("{ran} of {expected} tests ran"));
    }
}

/// Compares JaCoCo's count of branches with ours, method by method.
fn compare_coverage(row: &Row, verification: &Verification, measured: &mut Measured) {
    let (taken, by_return) = taken_edges(row);
    let edges: BTreeSet<Edge> = row.branches().keys().copied().collect();
    for method in coverage::compare(
        &row.program.world,
        &edges,
        &taken,
        &BTreeSet::new(),
        verification,
    ) {
        let name = format!("{}#{}{}", method.class, method.method, method.descriptor);
        let Some((theirs, all)) = method.measured else {
            measured
                .problems
                .push(format!("{name}: JaCoCo does not know it"));
            continue;
        };
        measured.covered += theirs;
        measured.branches += all;
        let ours = &method.taken;
        let differ = format!(
            "{name}: JaCoCo {theirs} of {all}, engine {} of {}",
            ours.len(),
            method.edges.len()
        );
        if all != method.edges.len() || theirs > ours.len() {
            measured.problems.push(differ);
        } else if theirs < ours.len() {
            // JaCoCo counts a branch at the next probe, which a run that throws may not reach.
            let unseen: Vec<String> = (ours.iter().filter(|edge| !by_return.contains(edge)))
                .map(|edge| place(row, *edge))
                .collect();
            match unseen.len() >= ours.len() - theirs {
                true => measured.remarks.push(format!(
                    "{differ}; taken only by runs that an exception ends: {}",
                    unseen.join(", ")
                )),
                false => measured.problems.push(differ),
            }
        }
    }
}

/// The edges that the written tests take, and those that tests take that return.
fn taken_edges(row: &Row) -> (BTreeSet<Edge>, BTreeSet<Edge>) {
    let (mut taken, mut by_return) = (BTreeSet::new(), BTreeSet::new());
    for (method, index, _) in sound_cases(row) {
        let Some(kept) = method.suite.tests.get(index) else {
            continue;
        };
        let run = &method.suite.test(kept).run;
        taken.extend(run.edges());
        if run.outcome == Outcome::Returned {
            by_return.extend(run.edges());
        }
    }
    (taken, by_return)
}

fn place(row: &Row, edge: Edge) -> String {
    let branches = row.methods.iter().flat_map(|method| {
        let report = &method.suite.report;
        report.branches.iter().map(move |branch| (method, branch))
    });
    let known = branches.into_iter().find(|(_, branch)| branch.edge == edge);
    let place = known
        .and_then(|(method, branch)| source::place(&method.suite.subject.program, branch.position));
    place.unwrap_or_else(|| "an unknown place".to_owned())
}

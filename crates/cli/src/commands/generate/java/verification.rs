//! `--verify`: the tests on a real virtual machine.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_engine::{Outcome, Status};
use heapwright_ir::machine::Edge;
use heapwright_java::descriptor::MethodDescriptor;
use heapwright_java::emit::{Defect, Ending, TestCase};
use heapwright_java::verify::{
    Job, MeasuredClass, RunEnd, TestOutcome, TestResult, Toolchain, Verification,
    verify as run_tests,
};

use super::super::findings::Finding;
use super::Session;
use super::failures;
use super::output::Written;
use super::validity::{Machine, Validity, is_valid};
use crate::failure::Failure;
use crate::java::JavaProgram;
use crate::java::coverage::{MethodCoverage, classes_of, compare};
use crate::words;

/// Enough for thousands of tests.
const TIMEOUT: Duration = Duration::from_secs(120);

/// The compiler, the virtual machine and the libraries that tests are run with.
pub fn toolchain(program: &JavaProgram, tools: Option<&Path>) -> Result<Toolchain, Failure> {
    let home = program.world.class_path().jdk().home();
    Toolchain::find(home, tools).map_err(|error| Failure::Unfit(error.to_string()))
}

/// Compiles and runs the tests, and compares the coverage with the engine's. Whether everything is
/// as expected.
pub fn verify(
    session: &mut Session<'_>,
    written: &Written,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let arguments = session.arguments;
    let unfit = |error: &dyn std::fmt::Display| Failure::Unfit(error.to_string());
    let path = session.program.world.class_path().clone();
    let toolchain = toolchain(&session.program, arguments.java.tools.as_deref())?;
    let mut measured = Vec::new();
    for name in classes_under_test(session) {
        measured.push(MeasuredClass::find(&path, &name).map_err(|error| unfit(&error))?);
    }
    let opens: Vec<String> = written.opens.iter().cloned().collect();
    let work = written.folder.join(".heapwright");
    crate::failure::create_folder(&work)?;
    // Tests that fail as predicted are run apart from the others, whose coverage is measured.
    let run = |sources: &[PathBuf], measured: &[MeasuredClass]| {
        if sources.is_empty() {
            return Ok(None);
        }
        let job = Job {
            sources,
            class_path: &session.class_path,
            opens: &opens,
            patches: &[],
            measured,
            work: &work,
            timeout: TIMEOUT,
        };
        run_tests(&toolchain, &job).map(Some)
    };
    let passing = run(&written.files, &measured);
    let failing = run(&written.findings, &[]);
    let valid = inputs(session, &toolchain, &work);
    let _ = std::fs::remove_dir_all(&work);
    let passing = passing.map_err(|error| unfit(&error))?;
    let failing = failing.map_err(|error| unfit(&error))?;
    for verification in passing.iter().chain(&failing) {
        if !verification.compiled {
            return Err(Failure::Unfit(format!(
                "the tests do not compile, which is a defect; please report it\n{}",
                verification.compiler_output
            )));
        }
    }
    let mut all_well = true;
    if let Some(verification) = &passing {
        all_well &= report(session, verification, out)?;
    }
    if let Some(verification) = &failing {
        all_well &= report_findings(session, verification, out)?;
    }
    let valid = valid?;
    all_well &= valid.valid == valid.inputs;
    if valid.inputs > 0 && !session.arguments.json_on_standard_output() {
        let inputs = words::count(valid.inputs as u64, "input", "inputs");
        writeln!(out, "the predicate accepts {} of {inputs}", valid.valid)?;
        for problem in &valid.problems {
            writeln!(out, "  {problem}")?;
        }
        let checked = session
            .methods
            .iter()
            .filter(|method| !method.validity.is_empty());
        let tests = checked.flat_map(|method| &method.suite.report.tests);
        let others = tests.filter(|test| !is_valid(test)).count();
        if others > 0 {
            let others = words::count(others as u64, "other input is", "other inputs are");
            writeln!(
                out,
                "  {others} allowed by the precondition, but not by the predicate"
            )?;
        }
    }
    Ok(all_well)
}

/// What the predicates say about the inputs.
fn inputs(session: &Session<'_>, toolchain: &Toolchain, work: &Path) -> Result<Validity, Failure> {
    let mut valid = Validity::default();
    let machine = Machine {
        toolchain,
        class_path: &session.class_path,
        work,
    };
    for of_class in session
        .methods
        .chunk_by(|a, b| a.target.class.name == b.target.class.name)
    {
        let Some(first) = of_class.first() else {
            continue;
        };
        let cases: Vec<TestCase> = (of_class.iter())
            .flat_map(|method| method.validity.clone())
            .collect();
        let checked = machine.check(&session.program.world, &first.target.class, &cases)?;
        valid.inputs += checked.inputs;
        valid.valid += checked.valid;
        valid.problems.extend(checked.problems);
    }
    Ok(valid)
}

/// Compares what became of the tests that show something to be wrong with what was predicted.
fn report_findings(
    session: &Session<'_>,
    verification: &Verification,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let cases = session.methods.iter().flat_map(|method| &method.cases);
    let predicted: BTreeMap<&str, String> = cases
        .filter_map(|(_, case)| Some((case.name.as_str(), prediction(session, case)?)))
        .collect();
    let unsure = unsure(session);
    let ended = |test: &TestResult| match (&test.outcome, &test.method) {
        (TestOutcome::Passed, Some(method)) => unsure.contains(method.as_str()),
        _ => false,
    };
    let is_predicted = |test: &TestResult| match (&test.outcome, &test.method) {
        (TestOutcome::Failed { message, .. }, Some(method)) => predicted
            .get(method.as_str())
            .is_some_and(|expected| message.contains(expected.as_str())),
        _ => ended(test),
    };
    let tests = &verification.tests;
    let good = tests.iter().filter(|test| is_predicted(test)).count();
    let in_time = tests.iter().filter(|test| ended(test)).count();
    if !session.arguments.json_on_standard_output() {
        writeln!(
            out,
            "findings: {} of {} failed as predicted",
            good - in_time,
            words::count(tests.len() as u64, "test", "tests")
        )?;
        if in_time > 0 {
            let loops = words::count(in_time as u64, "loop ends", "loops end");
            writeln!(out, "  {loops} after all, which was not known")?;
        }
        for test in tests.iter().filter(|test| !is_predicted(test)) {
            let expected = test.method.as_deref().and_then(|name| predicted.get(name));
            let expected = expected.filter(|expected| !expected.is_empty());
            writeln!(out, "  {}", failures::line(test))?;
            if let Some(expected) = expected {
                writeln!(out, "      predicted: {expected}")?;
            }
        }
    }
    Ok(good == predicted.len() && good == tests.len())
}

/// The tests of runs that did not end so far, but may.
fn unsure<'s>(session: &'s Session<'_>) -> BTreeSet<&'s str> {
    let kept = (session.methods.iter()).flat_map(|method| {
        method
            .cases
            .iter()
            .map(move |(index, case)| (method, index, case))
    });
    let is_unsure = |finding: &Finding| match finding {
        Finding::Endless(endless) => endless.steps.is_some(),
        _ => false,
    };
    kept.filter_map(|(method, index, case)| {
        let findings = &method.suite.tests.get(*index)?.findings;
        findings.iter().any(is_unsure).then_some(case.name.as_str())
    })
    .collect()
}

/// What the message of a failing test has to contain.
fn prediction(session: &Session<'_>, case: &TestCase) -> Option<String> {
    match (case.defect.as_ref()?, &case.ending) {
        (Defect::Exception, Ending::Threw { class, .. }) => {
            let ty = session.program.world.type_of(*class);
            ty.map(ToString::to_string)
        }
        (Defect::Exception, _) => None,
        (Defect::Postcondition(reason), _) => Some(reason.clone()),
        // The assertion has no message of its own; the predicate may even throw.
        (Defect::Invariant, _) => Some(String::new()),
        // JUnit 4 says "test timed out after", JUnit 5 "execution timed out after".
        (Defect::Endless, _) => Some("timed out after".to_owned()),
    }
}

/// The classes whose branches are counted.
fn classes_under_test(session: &Session<'_>) -> BTreeSet<String> {
    let methods = session.methods.iter();
    let branches = methods
        .clone()
        .flat_map(|method| &method.suite.report.branches);
    let mut names = classes_of(&session.program.world, branches.map(|branch| branch.edge));
    names.extend(methods.map(|method| method.target.declared.class.name.to_string()));
    names
}

/// Branches, as the engine counts them.
struct Branches {
    /// Those that are counted.
    all: BTreeSet<Edge>,
    /// Those of them that a test takes that has to pass.
    taken: BTreeSet<Edge>,
    /// Those of these that only tests take that an exception ends.
    unseen: BTreeSet<Edge>,
    /// Those that only tests take that show something to be wrong.
    by_findings: usize,
    /// Those that were covered by inputs of which there is no test.
    untested: usize,
}

fn branches(session: &Session<'_>) -> Branches {
    let (mut edges, mut taken, mut seen) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let (mut covered, mut failing) = (BTreeSet::new(), BTreeSet::new());
    for method in &session.methods {
        taken.extend(&method.beside);
        seen.extend(&method.beside);
        for branch in &method.suite.report.branches {
            edges.insert(branch.edge);
            if matches!(branch.status, Status::Covered { .. }) {
                covered.insert(branch.edge);
            }
        }
        for (index, _) in &method.cases {
            let Some(kept) = method.suite.tests.get(*index) else {
                continue;
            };
            let run = &method.suite.test(kept).run;
            if !kept.findings.is_empty() {
                failing.extend(run.edges());
                continue;
            }
            taken.extend(run.edges());
            if run.outcome == Outcome::Returned {
                seen.extend(run.edges());
            }
        }
    }
    let unseen = taken.difference(&seen).copied().collect();
    let others: BTreeSet<Edge> = covered.difference(&taken).copied().collect();
    let by_findings = others.intersection(&failing).count();
    Branches {
        all: edges,
        taken,
        unseen,
        by_findings,
        untested: others.len() - by_findings,
    }
}

fn report(
    session: &Session<'_>,
    verification: &Verification,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let quiet = session.arguments.json_on_standard_output();
    let version = session.program.world.class_path().jdk().version();
    let passed = |outcome: &TestOutcome| matches!(outcome, TestOutcome::Passed);
    let tests = &verification.tests;
    let good = tests.iter().filter(|test| passed(&test.outcome)).count();
    let mut all_well = good == tests.len() && verification.end == RunEnd::Complete;
    if !quiet {
        writeln!(out)?;
        writeln!(
            out,
            "verified on Java {version}: {good} of {} passed",
            words::count(tests.len() as u64, "test", "tests")
        )?;
        for test in tests.iter().filter(|test| !passed(&test.outcome)) {
            writeln!(out, "  {}", failures::line(test))?;
        }
        if verification.end != RunEnd::Complete {
            writeln!(out, "  {}", failures::end(&verification.end))?;
        }
    }
    let branches = branches(session);
    let methods = compare(
        &session.program.world,
        &branches.all,
        &branches.taken,
        &branches.unseen,
        verification,
    );
    all_well &= (methods.iter()).all(|method| method.measured.is_none() || method.agrees());
    if !quiet {
        print_table(&methods, &branches, out)?;
    }
    Ok(all_well)
}

/// The branches of each method as JaCoCo and as the engine count them, all of them together, and
/// why there may be fewer than the search has covered.
fn print_table(
    methods: &[MethodCoverage],
    branches: &Branches,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut lines = Vec::new();
    let mut sums = [0; 4];
    for method in methods {
        let Some((theirs, total)) = method.measured else {
            continue;
        };
        let simple = method.class.rsplit('.').next().unwrap_or(&method.class);
        let (covered, all) = (method.taken.len(), method.edges.len());
        let mark = match method.agrees() {
            true if theirs < covered => "   <- JaCoCo misses branches right before an exception",
            true => "",
            false => "   <- they differ",
        };
        let name = format!(
            "{simple}#{}{}",
            method.method,
            parameters(&method.descriptor)
        );
        let figures = [theirs, total, covered, all];
        lines.push(format!("{}{mark}", row(&name, figures)));
        for (sum, figure) in sums.iter_mut().zip(figures) {
            *sum += figure;
        }
    }
    if lines.is_empty() {
        return Ok(());
    }
    if lines.len() > 1 {
        lines.push(row("together", sums));
    }
    writeln!(
        out,
        "  {:<44} {:<10} engine",
        "branches that passing tests take", "JaCoCo"
    )?;
    for line in lines {
        writeln!(out, "{}", line.trim_end())?;
    }
    let apart = [
        (branches.by_findings, "tests of findings take"),
        (branches.untested, "inputs take of which there is no test"),
    ];
    for (count, takers) in apart.into_iter().filter(|(count, _)| *count > 0) {
        let count = words::count(count as u64, "branch", "branches");
        writeln!(out, "  not counted here: {count} that only {takers}")?;
    }
    Ok(())
}

/// A line of the table: covered and all branches, for JaCoCo and for the engine.
fn row(name: &str, [theirs, total, covered, all]: [usize; 4]) -> String {
    format!("  {name:<44} {theirs:>3} of {total:<3} {covered:>3} of {all:<3}")
}

/// `(int, Node)`, from a descriptor.
fn parameters(descriptor: &str) -> String {
    let Ok(descriptor) = MethodDescriptor::parse(descriptor) else {
        return String::new();
    };
    let types = descriptor.parameters.iter().map(ToString::to_string);
    let types: Vec<String> = types
        .map(|ty| words::simple_class(&ty).to_owned())
        .collect();
    format!("({})", types.join(", "))
}

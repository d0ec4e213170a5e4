//! `--verify`: the tests on a real virtual machine.

mod branches;
mod paths;
mod predictions;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_java::emit::TestCase;
use heapwright_java::verify::{Job, MeasuredClass, RunEnd, TestOutcome, Toolchain, Verification};

use heapwright_explain::words;
use heapwright_testgen::{
    Error, FileError, Request, Tested, VerificationError, Verified, Written, files,
};

use crate::compilation::compile_and_run;
use crate::coverage::{classes_of, compare};
use crate::failures;
use crate::frontend::JavaTests;
use crate::validity::{self, Machine, Validity, is_valid};
use branches::{Branches, print_table};
use predictions::report_findings;

/// Enough for hundreds of tests.
const TIMEOUT: Duration = Duration::from_secs(120);

/// What a test may take more, on a slow machine: most of it is for the compiler.
const TIME_PER_TEST: Duration = Duration::from_millis(100);

/// What was found for one method.
pub type Method = Tested<JavaTests>;

/// Tests that are verified.
pub struct Verifying<'a> {
    /// The program under test.
    pub java: &'a JavaTests,
    /// The methods with their tests.
    pub methods: &'a [Method],
    /// What was asked for.
    pub request: &'a Request,
    /// The packages of the JDK that the tests look into.
    pub opens: &'a BTreeSet<String>,
}

/// The compiler, the virtual machine and the libraries that tests are run with, and what confines
/// the tests.
pub fn toolchain(java: &JavaTests) -> Result<Toolchain, Error> {
    let home = java.program.world.class_path().jdk().home();
    let options = &java.options;
    let toolchain = Toolchain::find(home, options.tools.as_deref())
        .map_err(|error| VerificationError::Tools(error.into()))?;
    Ok(toolchain.confined(options.confinement.clone()))
}

/// Compiles and runs the tests, and compares the coverage with the engine's.
pub fn verify(session: &Verifying<'_>, written: &Written) -> Result<Verified, Error> {
    let path = session.java.program.world.class_path().clone();
    let toolchain = toolchain(session.java)?;
    let mut text = String::new();
    let out = &mut text;
    let mut measured = Vec::new();
    for name in classes_under_test(session) {
        measured.push(MeasuredClass::find(&path, &name).map_err(Error::code)?);
    }
    let opens: Vec<String> = session.opens.iter().cloned().collect();
    let work = written.folder.join(".heapwright");
    if work.is_symlink() {
        return Err(FileError::LinkedFolder(work).into());
    }
    files::create_folder(&work)?;
    // Tests that fail as predicted are run apart from the others, whose coverage is measured.
    let run = |sources: &[PathBuf], measured: &[MeasuredClass]| {
        if sources.is_empty() {
            return Ok(None);
        }
        let job = Job {
            sources,
            class_path: &session.java.program.class_path,
            opens: &opens,
            patches: &[],
            measured,
            work: &work,
            timeout: timeout(session),
        };
        compile_and_run(&toolchain, &job).map(Some)
    };
    let passing = run(&written.files, &measured);
    let failing = run(&written.findings, &[]);
    let valid = inputs(session, &toolchain, &work);
    let _ = std::fs::remove_dir_all(&work);
    let (passing, failing) = (passing?, failing?);
    let mut all_well = true;
    if let Some(passing) = &passing {
        all_well &= report(session, &passing.verification, out)?;
    }
    if let Some(failing) = &failing {
        all_well &= report_findings(session, &failing.verification, out)?;
    }
    let left_out = [&passing, &failing].into_iter().flatten();
    for left_out in left_out.flat_map(|one| &one.left_out) {
        all_well = false;
        writeln!(
            out,
            "  does not compile, which is a defect; please report it: {left_out}"
        )?;
    }
    let valid = valid?;
    all_well &= valid.all_valid();
    report_inputs(session, &valid, out)?;
    Ok(Verified {
        text,
        is_as_predicted: all_well,
    })
}

/// How long compiling and running the tests may take.
fn timeout(session: &Verifying<'_>) -> Duration {
    let tests: usize = (session.methods.iter())
        .map(|method| method.tests.cases.len())
        .sum();
    let usual = TIMEOUT + TIME_PER_TEST * u32::try_from(tests).unwrap_or(u32::MAX);
    session.java.options.verify_time(usual)
}

/// What the predicates say about the inputs.
fn inputs(session: &Verifying<'_>, toolchain: &Toolchain, work: &Path) -> Result<Validity, Error> {
    let mut valid = Validity::default();
    let machine = Machine {
        toolchain,
        class_path: &session.java.program.class_path,
        work,
        timeout: session.java.options.verify_time(validity::TIMEOUT),
    };
    let same_class = |a: &Method, b: &Method| a.target.class.name == b.target.class.name;
    for of_class in session.methods.chunk_by(same_class) {
        let Some(first) = of_class.first() else {
            continue;
        };
        let cases: Vec<TestCase> = (of_class.iter())
            .flat_map(|method| method.tests.validity.clone())
            .collect();
        let world = &session.java.program.world;
        let checked = machine.check(world, &first.target.class, &cases)?;
        valid.inputs += checked.inputs;
        valid.valid += checked.valid;
        valid.problems.extend(checked.problems);
    }
    Ok(valid)
}

/// Says how many inputs are valid.
fn report_inputs(
    session: &Verifying<'_>,
    valid: &Validity,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if valid.inputs == 0 {
        return Ok(());
    }
    out.write_str(&valid.told("the predicate"))?;
    let methods = session.methods.iter();
    let checked = methods.filter(|method| !method.tests.validity.is_empty());
    let tests = checked.flat_map(|method| &method.suite.report.tests);
    let others = tests.filter(|test| !is_valid(test)).count();
    if others > 0 {
        let others = words::count(others as u64, "other input is", "other inputs are");
        writeln!(
            out,
            "  {others} allowed by the precondition, but not by the predicate"
        )?;
    }
    Ok(())
}

/// The classes whose branches are counted.
fn classes_under_test(session: &Verifying<'_>) -> BTreeSet<String> {
    let methods = session.methods.iter();
    let branches = methods
        .clone()
        .flat_map(|method| &method.suite.report.branches);
    let mut names = classes_of(
        &session.java.program.world,
        branches.map(|branch| branch.edge),
    );
    let world = &session.java.program.world;
    // What a class inherits from the JDK is not measured.
    let own = methods.filter(|method| {
        let target = &method.target;
        world.is_of_user(&target.declared.class.name) == world.is_of_user(&target.class.name)
    });
    names.extend(own.map(|method| method.target.declared.class.name.to_string()));
    names
}

/// Names the tests that took another path than predicted, and those about whose path nothing is known.
fn print_paths(paths: &paths::Paths, out: &mut dyn Write) -> Result<(), Error> {
    for other in &paths.others {
        writeln!(out, "  not verified: took another path: {other}")?;
    }
    if !paths.empty.is_empty() {
        let count = words::count(paths.empty.len() as u64, "test asserts", "tests assert");
        let names = paths.empty.join(", ");
        writeln!(
            out,
            "  not verified: {count} nothing that depends on the path: {names}"
        )?;
    }
    Ok(())
}

/// Says which tests passed, and what they cover. Whether everything is as expected.
fn report(
    session: &Verifying<'_>,
    verification: &Verification,
    out: &mut dyn Write,
) -> Result<bool, Error> {
    let version = session.java.program.world.class_path().jdk().version();
    let passed = |outcome: &TestOutcome| matches!(outcome, TestOutcome::Passed);
    let tests = &verification.tests;
    let good = tests.iter().filter(|test| passed(&test.outcome)).count();
    let mut all_well = good == tests.len() && verification.end == RunEnd::Complete;
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
    let paths = paths::compare(session, verification);
    all_well &= paths.others.is_empty();
    print_paths(&paths, out)?;
    let branches = Branches::of(session);
    let methods = compare(
        &session.java.program.world,
        &branches.all,
        &branches.taken,
        &branches.unseen,
        verification,
    );
    all_well &= (methods.iter()).all(|method| method.measured.is_none() || method.agrees());
    print_table(&methods, &branches, out)?;
    Ok(all_well)
}

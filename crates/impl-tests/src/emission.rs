//! Tests as programs: one for each test, and a suite of those that can be called one after the other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use heapwright_engine::{Outcome, Run, Status};
use heapwright_explain::words;
use heapwright_impl::ImplProgram;
use heapwright_impl::emit::{EmitError, Ending, Property, Target, TestCase, emit, emit_suite};
use heapwright_logic::Value;
use heapwright_testgen::findings::Finding;
use heapwright_testgen::{Error, Kept, SourceFile, Suite, state};

/// The folder for tests that show something to be wrong.
const FINDINGS: &str = "findings";

/// What every generated file begins with.
pub const GENERATED: &str = "//!";

/// The programs of some suites, and the program `name` that calls all of those that pass.
pub fn programs<'s>(
    read: &ImplProgram,
    specification: Option<&Path>,
    suites: impl Iterator<Item = &'s Suite>,
    name: &str,
) -> Result<Vec<SourceFile>, Error> {
    let mut files = Vec::new();
    let mut cases = Vec::new();
    for suite in suites {
        for kept in &suite.tests {
            let Some(case) = case(read, specification, suite, kept) else {
                continue;
            };
            let text = emit(&case).map_err(|error| unwritable(&kept.name, error))?;
            let has_findings = !kept.findings.is_empty();
            let file = format!("{}.impl", kept.name);
            files.push(SourceFile {
                path: match has_findings {
                    true => format!("{FINDINGS}/{file}"),
                    false => file,
                },
                text,
                tests: 1,
                has_findings,
            });
            if !has_findings && is_for_suites(&case) {
                cases.push(case);
            }
        }
    }
    if !cases.is_empty() {
        let text = emit_suite(&cases).map_err(|error| unwritable(name, error))?;
        files.push(SourceFile {
            path: format!("{name}.impl"),
            text,
            tests: cases.len(),
            has_findings: false,
        });
    }
    Ok(files)
}

/// The tests of findings that an earlier run wrote for some procedures.
pub fn earlier_findings(folder: &Path, tested: &BTreeSet<&str>) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join(FINDINGS));
    let files = entries.into_iter().flatten().flatten();
    let mut earlier: Vec<PathBuf> = files
        .map(|entry| entry.path())
        .filter(|path| is_test_of(path, tested))
        .collect();
    earlier.sort();
    earlier
}

/// Whether a file is a generated test of one of the procedures, by what it says itself.
fn is_test_of(path: &Path, tested: &BTreeSet<&str>) -> bool {
    let name = path.file_stem().and_then(|stem| stem.to_str());
    let (Some(name), Ok(text)) = (name, std::fs::read_to_string(path)) else {
        return false;
    };
    let mut lines = text.lines();
    let test = lines
        .next()
        .and_then(|line| line.strip_prefix("//! test: "));
    let target = lines
        .next()
        .and_then(|line| line.strip_prefix("//! target: "));
    test == Some(name) && target.is_some_and(|target| tested.contains(target))
}

/// A test as a program; none for runs that cannot be tested.
pub fn program(
    read: &ImplProgram,
    specification: Option<&Path>,
    suite: &Suite,
    kept: &Kept,
) -> Option<Result<String, EmitError>> {
    Some(emit(&case(read, specification, suite, kept)?))
}

fn unwritable(name: &str, error: EmitError) -> Error {
    Error::Emission {
        test: Some(name.to_owned()),
        source: error.into(),
    }
}

fn is_for_suites(case: &TestCase<'_>) -> bool {
    matches!(case.ending, Ending::Returned { .. }) && case.target != Target::Main
}

/// The test as the emitter wants it; nothing for runs that cannot be tested.
fn case<'a>(
    read: &'a ImplProgram,
    specification: Option<&Path>,
    suite: &Suite,
    kept: &Kept,
) -> Option<TestCase<'a>> {
    let test = suite.test(kept);
    let run = &test.run;
    let function = suite.subject.function;
    let main = read
        .entry
        .as_ref()
        .filter(|entry| entry.function == function);
    // The state that a leak is found in is as it should be.
    let is_wrong = (kept.findings.iter()).any(|finding| !matches!(finding, Finding::Leak(_)));
    let promised = suite.subject.postcondition.is_some();
    let property = specification.filter(|_| promised).map(|file| Property {
        specification: file.display().to_string(),
        input: state::to_json(
            &suite.subject.definitions,
            &suite.arguments(test),
            &test.input.heap,
        )
        .to_string(),
    });
    let result = run.result.filter(|_| main.is_none());
    let outputs = (main.iter())
        .flat_map(|entry| &entry.outputs)
        .filter_map(|output| output_value(run, &output.name))
        .collect();
    let heap = run.heap.clone();
    let ending = match run.outcome {
        // ImpL has no exceptions, and a run that is of no interest is no test.
        Outcome::Threw { .. } | Outcome::AssumptionFailed { .. } => return None,
        _ if is_wrong => Ending::Wrong { property },
        Outcome::Returned => Ending::Returned {
            result,
            outputs,
            heap,
        },
        Outcome::Fault { kind, position } => Ending::Fault {
            kind,
            position: Some(position),
        },
        Outcome::OutOfBudget { budget, .. } => Ending::OutOfBudget(budget),
    };
    Some(TestCase {
        program: read,
        target: match main {
            Some(_) => Target::Main,
            None => Target::Procedure(suite.subject.name().to_owned()),
        },
        name: kept.name.clone(),
        comments: comments(suite, kept),
        inputs: test.input.arguments.clone(),
        before: test.input.heap.clone(),
        ending,
    })
}

fn output_value(run: &Run, name: &str) -> Option<Value> {
    let mut outputs = run.parameters.iter();
    outputs
        .find(|(known, _)| known == name)
        .map(|(_, value)| *value)
}

/// What the test finds, and the branches that it was the first to take.
fn comments(suite: &Suite, kept: &Kept) -> Vec<String> {
    let program = &suite.subject.program;
    let findings = (kept.findings.iter()).map(|finding| format!("finding: {}", finding.words()));
    let first =
        suite.report.branches.iter().filter(
            |branch| matches!(branch.status, Status::Covered { test } if test == kept.index),
        );
    let first = first.map(|branch| {
        let edge = words::edge(program, branch.edge, branch.position);
        format!("covers line {}: {edge}", branch.position.line)
    });
    findings.chain(first).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_engine::Violation;
    use heapwright_engine::{Input, Keep, Subject, Verification, replay};
    use heapwright_impl::emit::Expectation;
    use heapwright_impl::read_program;
    use heapwright_ir::machine::Budgets;
    use heapwright_testgen::names::Taken;
    use heapwright_testgen::test_support::Example;
    use heapwright_testgen::{Procedural, Selection};

    fn written(change: impl FnOnce(&mut heapwright_engine::Report)) -> Vec<(String, String)> {
        let example = Example::new();
        let mut report = example.report();
        change(&mut report);
        let mut names = Taken::default();
        let selection = Selection::new(&Procedural, Keep::All, None, Budgets::default());
        let suite = Suite::new(example.subject(), report, &selection, &mut names);
        let read = ImplProgram {
            program: example.program.clone(),
            entry: None,
            sources: Default::default(),
        };
        let files = programs(&read, None, std::iter::once(&suite), "suite").expect("tests");
        let tests = files.into_iter().filter(|file| file.path != "suite.impl");
        tests.map(|file| (file.path, file.text)).collect()
    }

    #[test]
    fn tests_are_programs_that_end_as_they_say() {
        let files = written(|_| ());
        let names: Vec<_> = files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["first_x_is_nil.impl", "first_x_is_not_nil.impl"]);
        for (_, text) in files {
            assert_eq!(Expectation::read(&text), Ok(Some(Expectation::Returned)));
            let test = read_program("test.impl", &text).expect("a program");
            let entry = test.entry.expect("statements").function;
            let subject = Subject::new(&test.program, entry, None).expect("a function");
            let run = replay(&subject, &Input::default(), Budgets::default()).expect("a run");
            assert_eq!(run.outcome, Outcome::Returned, "{text}");
        }
    }

    #[test]
    fn findings_of_an_earlier_run_are_known_by_what_they_say() {
        let name = format!("heapwright-stale-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let findings = folder.join(FINDINGS);
        std::fs::create_dir_all(&findings).expect("a folder");
        let write = |name: &str, text: &str| {
            let file = findings.join(name);
            std::fs::write(&file, text).expect("a file");
            file
        };
        let stale = write("f_fails.impl", "//! test: f_fails\n//! target: f\n");
        let others = [
            write("g_fails.impl", "//! test: g_fails\n//! target: g\n"),
            write("mine.impl", "//! test: f_fails\n//! target: f\n"),
            write("notes.txt", "f"),
        ];
        let tested = BTreeSet::from(["f"]);
        assert_eq!(earlier_findings(&folder, &tested), [stale]);
        assert!(others.iter().all(|file| file.is_file()));
        std::fs::remove_dir_all(&folder).expect("the folder is removed");
    }

    #[test]
    fn findings_are_kept_apart() {
        let files = written(|report| {
            let reason = "no".to_owned();
            report.tests[0].run.postcondition =
                Some(Verification::Violated(Violation::IllFormed(reason)));
        });
        let (name, text) = &files[0];
        assert_eq!(name, "findings/first_postcondition_violated.impl");
        assert!(
            text.contains("// finding: the postcondition does not hold: no"),
            "{text}"
        );
    }
}

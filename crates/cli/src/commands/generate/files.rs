//! What `generate` writes into folders: pictures, and tests as programs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use heapwright_engine::{Outcome, Run, Status};
use heapwright_impl::ImplProgram;
use heapwright_impl::emit::{EmitError, Ending, Property, Target, TestCase, emit, emit_suite};
use heapwright_java::display::labels;
use heapwright_logic::Value;
use heapwright_report::Scene;

use super::findings::Finding;
use super::suite::{Kept, Suite};
use crate::failure::{self, Failure};
use crate::inside::inside;
use crate::{state, words};

/// Where tests that find something are put, apart from those that a program has to pass.
const FINDINGS: &str = "findings";

/// What every generated file begins with.
const GENERATED: &str = "//!";

/// Draws every test before and after its run, with one of the writers of the report crate.
pub fn draw(
    suite: &Suite,
    folder: &Path,
    ending: &str,
    writer: fn(&Scene<'_>) -> String,
) -> Result<(), Failure> {
    failure::create_folder(folder)?;
    let definitions = &suite.subject.definitions;
    for kept in &suite.tests {
        let test = suite.test(kept);
        let arguments = suite.arguments(test);
        let labels_before = labels(definitions, &test.input.heap);
        let labels_after = labels(definitions, &test.run.heap);
        let title = format!("{}: before", kept.name);
        let before = Scene::new(definitions, &arguments, &test.input.heap)
            .labelled(&labels_before, &labels_before)
            .titled(&title);
        let title = format!("{}: after", kept.name);
        let roots = test.run.roots();
        let after = Scene::new(definitions, &roots, &test.run.heap)
            .compared_with(&arguments, &test.input.heap)
            .labelled(&labels_after, &labels_before)
            .titled(&title);
        for (moment, scene) in [("before", before), ("after", after)] {
            let file = inside(folder, &format!("{}.{moment}.{ending}", kept.name))?;
            failure::write(&file, &writer(&scene))?;
        }
    }
    Ok(())
}

/// Tests as programs, to be written into a folder.
#[derive(Default)]
pub struct Programs<'a> {
    /// Names in the folder, and texts.
    files: Vec<(String, String)>,
    /// The tests that can be part of a suite.
    cases: Vec<TestCase<'a>>,
    /// The files that were written.
    written: BTreeSet<PathBuf>,
    /// The procedures that were tested.
    tested: BTreeSet<String>,
}

impl<'a> Programs<'a> {
    /// Adds the tests of one procedure.
    pub fn add(
        &mut self,
        read: &'a ImplProgram,
        specification: Option<&Path>,
        suite: &Suite,
    ) -> Result<(), Failure> {
        self.tested.insert(suite.subject.name().to_owned());
        for kept in &suite.tests {
            let Some(case) = case(read, specification, suite, kept) else {
                continue;
            };
            let text = emit(&case).map_err(|error| unwritable(&kept.name, &error))?;
            let file = format!("{}.impl", kept.name);
            if kept.findings.is_empty() {
                self.files.push((file, text));
                if is_for_suites(&case) {
                    self.cases.push(case);
                }
            } else {
                self.files.push((format!("{FINDINGS}/{file}"), text));
            }
        }
        Ok(())
    }

    /// Writes the suite of those tests that can be called one after the other.
    pub fn write_suite(&mut self, folder: &Path, name: &str) -> Result<(), Failure> {
        if !self.cases.is_empty() {
            let text = emit_suite(&self.cases).map_err(|error| unwritable(name, &error))?;
            self.files.push((format!("{name}.impl"), text));
        }
        self.write(folder)
    }

    /// Writes the tests that were added since the last time.
    pub fn write(&mut self, folder: &Path) -> Result<(), Failure> {
        for (name, text) in self.files.drain(..) {
            let path = inside(folder, &name)?;
            if let Some(parent) = path.parent() {
                failure::create_folder(parent)?;
            }
            spare(&path)?;
            failure::write(&path, &text)?;
            self.written.insert(path);
        }
        Ok(())
    }

    /// Removes the findings of an earlier run that this one has not, of the same procedures:
    /// the bugs are gone. Returns the files.
    pub fn remove_stale_findings(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(folder.join(FINDINGS));
        let files = entries.into_iter().flatten().flatten();
        let mut stale: Vec<PathBuf> = files
            .map(|entry| entry.path())
            .filter(|path| !self.written.contains(path) && self.is_ours(path))
            .collect();
        stale.sort();
        stale.retain(|path| std::fs::remove_file(path).is_ok());
        stale
    }

    /// Whether a file is a generated test of one of the procedures, by what it says itself.
    fn is_ours(&self, path: &Path) -> bool {
        let name = path.file_stem().and_then(|stem| stem.to_str());
        let (Some(name), Ok(text)) = (name, failure::read(path)) else {
            return false;
        };
        let mut lines = text.lines();
        let test = lines
            .next()
            .and_then(|line| line.strip_prefix("//! test: "));
        let target = lines
            .next()
            .and_then(|line| line.strip_prefix("//! target: "));
        test == Some(name) && target.is_some_and(|target| self.tested.contains(target))
    }
}

/// Fails if there is a file that was not generated.
fn spare(path: &Path) -> Result<(), Failure> {
    let generated = |text: String| text.is_empty() || text.starts_with(GENERATED);
    if !path.exists() || failure::read(path).is_ok_and(generated) {
        return Ok(());
    }
    Err(Failure::Unfit(format!(
        "{} exists and was not generated, so it is not replaced; remove it or choose another --out",
        path.display()
    )))
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

fn unwritable(name: &str, error: &EmitError) -> Failure {
    Failure::Unfit(format!("the test {name} cannot be written: {error}"))
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
    use super::super::names::Taken;
    use super::super::suite::Selection;
    use super::super::test_support::Example;
    use super::*;
    use heapwright_engine::{Input, Keep, Subject, Verification, replay};
    use heapwright_impl::emit::Expectation;
    use heapwright_impl::read_program;
    use heapwright_ir::machine::Budgets;

    fn programs(change: impl FnOnce(&mut heapwright_engine::Report)) -> Vec<(String, String)> {
        let example = Example::new();
        let mut report = example.report();
        change(&mut report);
        let mut names = Taken::default();
        let selection = Selection::new(Keep::All, None, Budgets::default());
        let suite = Suite::new(example.subject(), report, &selection, &mut names);
        let read = ImplProgram {
            program: example.program.clone(),
            entry: None,
            sources: Default::default(),
        };
        let mut programs = Programs::default();
        programs.add(&read, None, &suite).expect("tests");
        programs.files
    }

    #[test]
    fn tests_are_programs_that_end_as_they_say() {
        let files = programs(|_| ());
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
    fn findings_of_bugs_that_are_gone_are_removed() {
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
        let programs = Programs {
            tested: BTreeSet::from(["f".to_owned()]),
            ..Programs::default()
        };
        assert_eq!(programs.remove_stale_findings(&folder), [stale]);
        assert!(others.iter().all(|file| file.is_file()));
        std::fs::remove_dir_all(&folder).expect("the folder is removed");
    }

    #[test]
    fn findings_are_kept_apart() {
        let files = programs(|report| {
            let reason = "no".to_owned();
            report.tests[0].run.postcondition = Some(Verification::Violated(reason));
        });
        let (name, text) = &files[0];
        assert_eq!(name, "findings/first_postcondition_violated.impl");
        assert!(
            text.contains("// finding: the postcondition does not hold: no"),
            "{text}"
        );
    }
}

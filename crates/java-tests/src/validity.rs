//! Are the inputs valid on the virtual machine too? With `--verify`, the predicate that they were
//! made for is run there on every one of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_engine::{Subject, Test, Verification};
use heapwright_java::classfile::Class;
use heapwright_java::emit::{
    Ending, Framework, TestCase, TestClass, emit, file_path, test_package,
};
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::target::TargetMethod;
use heapwright_java::verify::{Job, TestOutcome, Toolchain};
use heapwright_java::world::{Predicate, TestEntry, World};
use heapwright_logic::{Heap, Value};

use super::cases::Given;
use super::compilation::{Compiled, compile_and_run};
use crate::emission::pieces;
use heapwright_explain::words;
use heapwright_testgen::{Error, files};

/// Enough for thousands of inputs.
pub const TIMEOUT: Duration = Duration::from_secs(300);

/// Calls that are compiled and run at once: the compiler keeps all of them in memory.
const TESTS_AT_ONCE: usize = 2_000;

/// More problems of the same kind help nobody.
const PROBLEMS: usize = 5;

/// What the virtual machine says about inputs.
#[derive(Debug, Default)]
pub struct Validity {
    /// How many there are.
    pub inputs: usize,
    /// Those that the predicate accepts.
    pub valid: usize,
    /// What it says about the first others.
    pub problems: Vec<String>,
}

impl Validity {
    /// Whether all inputs are valid.
    pub fn all_valid(&self) -> bool {
        self.valid == self.inputs
    }

    /// How many inputs somebody accepts, and what is wrong with the others, in lines.
    pub fn told(&self, somebody: &str) -> String {
        let inputs = words::count(self.inputs as u64, "input", "inputs");
        let problems = self.problems.iter().map(|problem| format!("  {problem}\n"));
        let problems: String = problems.collect();
        let accepted = match self.valid == self.inputs {
            true => format!("all {inputs}"),
            false => format!("{} of {inputs}", self.valid),
        };
        format!("{somebody} accepts {accepted}\n{problems}")
    }
}

/// Whether the predicate accepted the input of a test here. A constructor has none that it could.
pub fn is_valid(test: &Test) -> bool {
    matches!(
        test.run.invariant,
        Some(Verification::Holds | Verification::Violated(_))
    )
}

/// Calls of a predicate on the inputs of tests that it accepted here, which have to return true and
/// change nothing.
pub fn validity_cases(
    world: &mut World,
    target: &TargetMethod,
    predicate: &Predicate,
    (subject, tests): (&Subject, &[Test]),
    entry: &TestEntry,
) -> Result<Vec<TestCase>, Error> {
    let mut cases = Vec::new();
    for test in tests {
        let given = Given::of(world, subject, test, entry);
        let Some(given) = given.filter(|_| is_valid(test)) else {
            continue;
        };
        let heap = &test.input.heap;
        let calls = world.predicate_calls(target, predicate, &given.arguments, heap);
        for arguments in calls.map_err(Error::code)? {
            let given = Given {
                arguments,
                ..given.clone()
            };
            let name = format!("{}_{}", target.declared.method.name, cases.len() + 1);
            let case = predicate_call(predicate.declared.clone(), name, given, heap);
            cases.push(case);
        }
    }
    Ok(cases)
}

/// A call of a predicate on an input, which has to return true and change nothing.
pub fn predicate_call(
    predicate: DeclaredMethod,
    name: String,
    given: Given,
    heap: &Heap,
) -> TestCase {
    TestCase {
        method: TargetMethod {
            class: predicate.class.clone(),
            declared: predicate,
        },
        name,
        comments: Vec::new(),
        picture: None,
        arguments: given.arguments,
        statics: given.statics,
        shared: Vec::new(),
        before: heap.clone(),
        ending: Ending::Returned {
            result: Some(Value::Bool(true)),
            after: heap.clone(),
            statics: Vec::new(),
        },
        defect: None,
        vague: BTreeMap::new(),
        globals: given.globals,
        invariant: None,
        sequence: None,
        script: None,
    }
}

/// Where such calls are compiled and run.
pub struct Machine<'a> {
    /// The tools.
    pub toolchain: &'a Toolchain,
    /// What the code under test needs.
    pub class_path: &'a [PathBuf],
    /// A folder for intermediate files.
    pub work: &'a Path,
    /// How long all calls together may take.
    pub timeout: Duration,
}

impl Machine<'_> {
    /// Runs calls of a predicate for a class under test.
    pub fn check(
        &self,
        world: &World,
        class: &Class,
        cases: &[TestCase],
    ) -> Result<Validity, Error> {
        let mut validity = Validity::default();
        for cases in cases.chunks(TESTS_AT_ONCE) {
            self.check_some(world, class, cases, &mut validity)?;
        }
        Ok(validity)
    }

    fn check_some(
        &self,
        world: &World,
        class: &Class,
        cases: &[TestCase],
        validity: &mut Validity,
    ) -> Result<(), Error> {
        let folder = self.work.join("validity");
        let _ = std::fs::remove_dir_all(&folder);
        let (mut sources, mut opens) = (Vec::new(), Vec::new());
        for (number, cases) in pieces(cases).into_iter().enumerate() {
            let test_class = TestClass {
                package: test_package(world, class),
                name: format!("Validity{}Test", number + 1),
                framework: Framework::JUnit5,
                cases: cases.to_vec(),
            };
            let emitted = emit(world, &test_class).map_err(|error| Error::Emission {
                test: None,
                source: error.into(),
            })?;
            let file = folder.join(file_path(&test_class));
            if let Some(parent) = file.parent() {
                files::create_folder(parent)?;
            }
            files::write(&file, &emitted.text)?;
            sources.push(file);
            opens.extend(emitted.opens);
        }
        if sources.is_empty() {
            return Ok(());
        }
        opens.sort_unstable();
        opens.dedup();
        let job = Job {
            sources: &sources,
            class_path: self.class_path,
            opens: &opens,
            patches: &self.patches(world, class, cases),
            measured: &[],
            work: self.work,
            timeout: self.timeout,
        };
        let Compiled {
            verification,
            left_out,
        } = compile_and_run(self.toolchain, &job)?;
        validity.inputs += cases.len();
        for name in left_out.iter().take(PROBLEMS) {
            let problem = format!("does not compile, which is a defect; please report it: {name}");
            validity.problems.push(problem);
        }
        for test in &verification.tests {
            let why = match &test.outcome {
                TestOutcome::Passed => {
                    validity.valid += 1;
                    continue;
                }
                TestOutcome::Failed { message, .. } => message,
                TestOutcome::Aborted(reason) => reason,
                TestOutcome::Unfinished => "not finished",
            };
            if validity.problems.len() < PROBLEMS {
                let name = test.method.as_deref().unwrap_or("(the whole class)");
                validity.problems.push(format!("{name}: {why}"));
            }
        }
        Ok(())
    }

    /// A predicate in the package of a class of the JDK, so that it may look into it, has to belong
    /// to the same module.
    fn patches(&self, world: &World, class: &Class, cases: &[TestCase]) -> Vec<(String, PathBuf)> {
        let is_beside = |case: &TestCase| case.method.class.package() == class.package();
        match world.class_path().jdk().module_of(&class.name) {
            Ok(Some(module)) if cases.first().is_some_and(is_beside) => {
                let folders = self.class_path.iter().filter(|entry| entry.is_dir());
                folders
                    .map(|folder| (module.to_string(), folder.clone()))
                    .collect()
            }
            _ => Vec::new(),
        }
    }
}

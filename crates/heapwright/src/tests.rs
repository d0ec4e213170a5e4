//! Tests as plain data.

use std::path::PathBuf;
use std::sync::Arc;

use heapwright_engine::{Options, Status as Verdict};
use heapwright_explain::{compact, source, words};
use heapwright_impl_tests::ImplTests;
use heapwright_java::classpath::JdkSearch;
use heapwright_java_tests::{Choice, JavaOptions, JavaProgram, JavaTests, Specifications};
use heapwright_testgen::host::{Host, QuietHost};
use heapwright_testgen::specified::SpecificationChoice;
use heapwright_testgen::{Frontend, Request, RequestError, Session, summary, text};

use crate::Error;

/// What was found for one method or procedure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Method {
    /// The method: `trees.Tree#remove(int x)`.
    pub name: String,
    /// The tests that are kept, findings first.
    pub tests: Vec<Test>,
    /// Every branch of the method and of what it calls.
    pub branches: Vec<Branch>,
    /// Why the search ended.
    pub stop: String,
}

/// A test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// The input, in one line.
    pub input: String,
    /// What the call made of it, in one line.
    pub result: String,
    /// What it shows to be wrong.
    pub findings: Vec<String>,
    /// The test as it is written in the language of the program, if it can be.
    pub source: Option<String>,
}

/// A branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Where it is: `Tree.java:12`.
    pub place: Option<String>,
    /// What holds when it is taken: `` `t == null` is true``.
    pub condition: String,
    /// What is known about it.
    pub status: Status,
    /// Why it is not covered, in words.
    pub reason: Option<String>,
}

/// What is known about a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Some test takes it.
    Covered,
    /// No valid input takes it: this is proved.
    Infeasible,
    /// Neither: some input may take it.
    Open,
}

/// Tests for Java classes.
#[derive(Clone, Debug, Default)]
pub struct Java {
    jdk: JdkSearch,
    class_path: Vec<PathBuf>,
    specification: Option<PathBuf>,
    sources: Vec<PathBuf>,
    options: Options,
}

impl Java {
    /// Over the JDK that `JAVA_HOME` or the command `java` leads to.
    pub fn new() -> Java {
        Java {
            jdk: JdkSearch::from_environment(None),
            ..Java::default()
        }
    }

    /// Over the JDK in a folder.
    pub fn jdk(mut self, home: impl Into<PathBuf>) -> Java {
        self.jdk.explicit = Some(home.into());
        self
    }

    /// Adds a folder or a jar with classes.
    pub fn class_path(mut self, entry: impl Into<PathBuf>) -> Java {
        self.class_path.push(entry.into());
        self
    }

    /// Takes preconditions and postconditions from a file.
    pub fn specification(mut self, file: impl Into<PathBuf>) -> Java {
        self.specification = Some(file.into());
        self
    }

    /// Adds a folder with sources, for names of tests and messages.
    pub fn sources(mut self, folder: impl Into<PathBuf>) -> Java {
        self.sources.push(folder.into());
        self
    }

    /// How tests are searched for.
    pub fn options(mut self, options: Options) -> Java {
        self.options = options;
        self
    }

    /// Generates tests for classes, packages and methods: `pkg.Class`, `pkg.*`, `pkg.Class#method`.
    pub fn generate(
        &self,
        targets: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<Vec<Method>, Error> {
        let choice = match &self.specification {
            Some(file) => Choice::File(file.clone()),
            None => Choice::Beside {
                given: Vec::new(),
                class_path: self.class_path.clone(),
            },
        };
        let specifications = Specifications::new(choice, Vec::new());
        let host: Arc<dyn Host> = Arc::new(QuietHost::default());
        let program = JavaProgram::open(&self.jdk, &self.class_path, None, specifications, host)?;
        let program = program.with_sources(self.sources.clone());
        let frontend = JavaTests::new(program, JavaOptions::default());
        generate(frontend, targets, &self.options)
    }
}

/// Tests for programs in ImpL.
#[derive(Clone, Debug)]
pub struct Impl {
    file: PathBuf,
    choice: SpecificationChoice,
    options: Options,
}

impl Impl {
    /// For a program, with the specification beside it if there is one.
    pub fn new(file: impl Into<PathBuf>) -> Impl {
        Impl {
            file: file.into(),
            choice: SpecificationChoice::Beside,
            options: Options::default(),
        }
    }

    /// Takes preconditions and postconditions from a file.
    pub fn specification(mut self, file: impl Into<PathBuf>) -> Impl {
        self.choice = SpecificationChoice::File(file.into());
        self
    }

    /// How tests are searched for.
    pub fn options(mut self, options: Options) -> Impl {
        self.options = options;
        self
    }

    /// Generates tests for a procedure, or for the program itself.
    pub fn generate(&self, procedure: Option<&str>) -> Result<Vec<Method>, Error> {
        let file = self.file.display();
        let target = match procedure {
            Some(name) => format!("{file}#{name}"),
            None => file.to_string(),
        };
        let host: Arc<dyn Host> = Arc::new(QuietHost::default());
        let frontend = ImplTests::open(&target, self.choice.clone(), None, host)?;
        generate(frontend, [target], &self.options)
    }
}

/// Generates tests with any front end, as plain data.
fn generate<F: Frontend>(
    frontend: F,
    targets: impl IntoIterator<Item = impl Into<String>>,
    options: &Options,
) -> Result<Vec<Method>, Error> {
    let request = Request {
        options: options.clone(),
        ..Request::new(targets)
    };
    let mut session = Session::new(frontend, request)?;
    while session.advance(&mut |_| ())? {}
    let complaints = session.all_complaints();
    if !complaints.is_empty() {
        return Err(heapwright_testgen::Error::from(RequestError::Untestable(complaints)).into());
    }
    let mut sources = session
        .frontend
        .test_texts(&session.tested, &session.request);
    let methods = session.suites().map(|suite| {
        let program = &suite.subject.program;
        let tests = suite.tests.iter().map(|kept| {
            let test = suite.test(kept);
            let (definitions, heap) = (&suite.subject.definitions, &test.input.heap);
            Test {
                name: kept.name.clone(),
                input: compact::terms(suite.language, definitions, &suite.arguments(test), heap),
                result: text::result(suite, kept, test),
                findings: kept
                    .findings
                    .iter()
                    .filter(|_| !kept.apart)
                    .map(|finding| finding.words())
                    .collect(),
                source: sources.remove(&kept.name),
            }
        });
        let branches = suite.report.branches.iter().map(|branch| Branch {
            place: source::place(program, branch.position),
            condition: words::edge(program, branch.edge, branch.position),
            status: match branch.status {
                Verdict::Covered { .. } => Status::Covered,
                Verdict::Infeasible(_) => Status::Infeasible,
                Verdict::Unreached { .. } | Verdict::Open(_) => Status::Open,
            },
            reason: summary::verdict(suite, branch),
        });
        Method {
            name: suite.title.clone(),
            tests: tests.collect(),
            branches: branches.collect(),
            stop: summary::stop(suite),
        }
    });
    Ok(methods.collect())
}

//! Verification of tests on the real Java virtual machine: they are compiled and run, and the
//! coverage that they reach is measured.
//!
//! A driver written in Java (`driver/`, embedded here and compiled at its first use) does the work
//! in one virtual machine: the compiler, JUnit's launcher and JaCoCo's analysis are called as
//! libraries, and what happens goes to a report of plain lines. Three programs one after the other
//! (`javac`, JUnit's console, JaCoCo's command line) start three machines and report in XML. For
//! one small class they took 2.2 s where the driver took 1.2 s, on Java 17 and 25 (medians of five
//! runs with the same options on a busy machine with two cores).
//!
//! The classes that are measured are given by their class files. JaCoCo adds probes to them before
//! anything runs, and the instrumented classes stand first on the class path. JaCoCo's agent, the
//! usual way, cannot measure what is loaded before it, to which most collections of the JDK belong.
//! Classes of the JDK are put into their module when a second machine starts (`--patch-module`),
//! with the class that holds the probes. There only what methods of the tests execute counts, not
//! what JUnit does with the same classes; code that the machine itself runs in the meantime, to
//! load a class for example, cannot be told apart and counts as well.
//!
//! JaCoCo counts branches; which of them a test takes is said by the jumps themselves (`driver/Ways`,
//! [`Way`]), test by test. That neither merges copies of `finally` blocks nor loses the branch before
//! an exception.

mod error;
mod paths;
mod process;
mod report;
mod toolchain;
mod tools;

pub use error::{SetupError, ToolError, VerifyError};
pub use paths::{MethodJumps, Way, Went};
pub use toolchain::Toolchain;
pub use tools::{JACOCO, JUNIT, Places, Tool, maven};

use crate::classpath::{ClassPath, ClassPathError};
use crate::descriptor::{Name, package_of};
use report::Report;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use toolchain::{Driver, absolute};

/// What is verified, and how.
#[derive(Debug, Clone, Copy)]
pub struct Job<'a> {
    /// The Java sources of the tests, written for JUnit 4 or JUnit 5.
    pub sources: &'a [PathBuf],
    /// What the tests need, the code under test included; JUnit is there by itself.
    pub class_path: &'a [PathBuf],
    /// Packages that tests look into by reflection, such as `java.base/java.util`.
    pub opens: &'a [String],
    /// Modules of the JDK with folders of classes that are added to them.
    pub patches: &'a [(String, PathBuf)],
    /// The classes whose coverage is measured.
    pub measured: &'a [MeasuredClass],
    /// A folder for intermediate files. Only its subfolder `heapwright-verify` is used, which is
    /// replaced.
    pub work: &'a Path,
    /// How long compiling and running may take, all tests together.
    pub timeout: Duration,
}

/// A class whose coverage is measured.
#[derive(Debug, Clone)]
pub struct MeasuredClass {
    class_file: Vec<u8>,
    is_jdk: bool,
}

/// What came out.
#[derive(Debug, Clone)]
pub struct Verification {
    /// Whether the tests compiled; otherwise there are no results.
    pub compiled: bool,
    /// Errors and warnings of the compiler.
    pub compiler_output: String,
    /// The tests in the order in which they ran.
    pub tests: Vec<TestResult>,
    /// The coverage of every method with code of the measured classes; empty if the run was cut.
    pub coverage: Vec<MethodCoverage>,
    /// The methods of the measured classes whose jumps say which way they go.
    pub jumps: Vec<MethodJumps>,
    /// How the run ended.
    pub end: RunEnd,
}

/// How a run ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RunEnd {
    /// All tests ran.
    Complete,
    /// The virtual machine was stopped at the limit of time.
    TimedOut,
    /// The virtual machine ended before all tests did, for example because one called
    /// `System.exit`.
    Exited {
        /// The exit code; a signal has none.
        code: Option<i32>,
    },
}

/// What became of one test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestResult {
    /// The binary name of the test class.
    pub class: String,
    /// The test method; nothing when a whole class failed or was skipped.
    pub method: Option<String>,
    /// What became of it.
    pub outcome: TestOutcome,
    /// Which ways the jumps of the measured classes went; nothing if the test did not end.
    pub ways: Option<Vec<Way>>,
}

/// What becomes of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestOutcome {
    /// It ended as it should.
    Passed,
    /// It threw something.
    Failed {
        /// The exception with its message.
        message: String,
        /// Its stack trace.
        trace: String,
    },
    /// It was skipped, or an assumption did not hold.
    Aborted(String),
    /// It was begun and did not come to its end before the virtual machine did.
    Unfinished,
}

/// Coverage of one method, as JaCoCo counts it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodCoverage {
    /// The binary name of the class.
    pub class: String,
    /// The name of the method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Its instructions.
    pub instructions: Counter,
    /// Its branches.
    pub branches: Counter,
    /// Its lines with code, if the class file has line numbers.
    pub lines: Vec<LineCoverage>,
}

/// Coverage of the part of one source line that belongs to one method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineCoverage {
    /// The number of the line.
    pub line: u32,
    /// Its instructions.
    pub instructions: Counter,
    /// Its branches.
    pub branches: Counter,
}

/// How many were executed, and how many were not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counter {
    /// Executed.
    pub covered: u32,
    /// Not executed.
    pub missed: u32,
}

impl MeasuredClass {
    /// A class of a class path or of its JDK.
    pub fn find(path: &ClassPath, name: &str) -> Result<Self, ClassPathError> {
        let is_jdk = path.jdk().contains(name)?;
        // Loading says what is wrong when there is no such class, or only something like it.
        path.load(name)?;
        let class_file = path.class_file(name)?.unwrap_or_default();
        Ok(MeasuredClass { class_file, is_jdk })
    }

    /// A class and all classes that are declared inside of it.
    pub fn with_nested(path: &ClassPath, name: &str) -> Result<Vec<Self>, ClassPathError> {
        let prefix = format!("{name}$");
        let package: Vec<Name> = match path.jdk().contains(name)? {
            true => (path.jdk().classes()?.iter())
                .map(|class| class.as_str().into())
                .collect(),
            false => path.package(package_of(name))?,
        };
        let nested = package.iter().filter(|class| class.starts_with(&prefix));
        let names = [name].into_iter().chain(nested.map(|class| &**class));
        names.map(|name| MeasuredClass::find(path, name)).collect()
    }
}

/// The places of one run.
struct Run<'a> {
    toolchain: &'a Toolchain,
    job: &'a Job<'a>,
    driver: Driver,
    /// Where all files of the run are.
    folder: PathBuf,
    deadline: Instant,
}

/// Compiles and runs tests. Whatever they do is part of the result; an error means that they could
/// not be tried.
pub fn verify(toolchain: &Toolchain, job: &Job) -> Result<Verification, VerifyError> {
    let folder = absolute(job.work).join("heapwright-verify");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(VerifyError::file(&folder))?;
    }
    // Java ignores folders of the class path that are not there from the beginning.
    for name in ["classes", "measured", "temporary", "instrumented/unnamed"] {
        let folder = folder.join(name);
        fs::create_dir_all(&folder).map_err(VerifyError::file(&folder))?;
    }
    for (index, class) in job.measured.iter().enumerate() {
        let path = folder.join("measured").join(format!("{index}.class"));
        fs::write(&path, &class.class_file).map_err(VerifyError::file(&path))?;
    }
    let driver = toolchain.driver(&folder)?;
    let now = Instant::now();
    let run = Run {
        toolchain,
        job,
        driver,
        folder,
        // A limit beyond what clocks can count is none.
        deadline: now.checked_add(job.timeout).unwrap_or(now + FOREVER),
    };
    run.perform()
}

/// Thirty years.
const FOREVER: Duration = Duration::from_secs(30 * 365 * 24 * 3600);

impl Run<'_> {
    fn perform(&self) -> Result<Verification, VerifyError> {
        let measures_jdk = self.job.measured.iter().any(|class| class.is_jdk);
        let steps = if measures_jdk { "prepare" } else { "both" };
        let (mut report, mut end) = self.start(steps, &[])?;
        if measures_jdk && end == RunEnd::Complete && is_compiled(&report) {
            let (run, run_end) = self.start("run", &report.modules)?;
            report.tests = run.tests;
            report.coverage = run.coverage;
            end = run_end;
        }
        let (compiled, compiler_output) = report.compilation.unwrap_or_default();
        Ok(Verification {
            compiled,
            compiler_output,
            tests: report.tests,
            coverage: report.coverage,
            jumps: report.jumps,
            end,
        })
    }

    /// Starts a virtual machine for some steps of the driver; `modules` are those that get
    /// instrumented classes.
    fn start(&self, steps: &str, modules: &[String]) -> Result<(Report, RunEnd), VerifyError> {
        let place = |name: &str| self.folder.join(name);
        let instrumented = place("instrumented");
        let report_path = place(&format!("{steps}.report"));
        let output = place(&format!("{steps}.output"));
        let mut command = self.toolchain.java(&self.folder, self.reads())?;
        command.current_dir(&self.folder).args(MACHINE_OPTIONS);
        let mut temporary = OsString::from("-Djava.io.tmpdir=");
        temporary.push(place("temporary"));
        command.arg(temporary);
        for package in self.job.opens {
            command
                .arg("--add-opens")
                .arg(format!("{package}=ALL-UNNAMED"));
        }
        for (module, patch) in self.patches(modules, &instrumented)? {
            let mut option = OsString::from(format!("{module}="));
            option.push(patch);
            command.arg("--patch-module").arg(option);
        }
        let unnamed = instrumented.join("unnamed");
        let (driver, jacoco) = (&self.driver.main, &self.toolchain.jacoco);
        let first = [&unnamed, &place("classes"), driver, jacoco];
        command.arg("-cp").arg(self.class_path(&first)?);
        command.arg("heapwright.verify.Driver").arg(steps);
        command.args([&report_path, &place("classes"), &place("measured")]);
        command.arg(&instrumented);
        command.arg(match steps {
            "both" => "heapwright.verify.Probes",
            _ => "java.util.Probes",
        });
        if steps != "run" {
            command.arg(self.class_path(&[])?);
            command.args(self.job.sources.iter().map(absolute));
        }
        let status = process::run(&mut command, &output, self.deadline)?;

        let text = own_file(&report_path).unwrap_or_default();
        let report = Report::parse(&String::from_utf8_lossy(&text))?;
        if let Some(problem) = report.problem {
            return Err(VerifyError::Machine(problem));
        }
        let end = match status {
            None => RunEnd::TimedOut,
            Some(_) if report.ended => RunEnd::Complete,
            Some(status) if report.running => RunEnd::Exited {
                code: status.code(),
            },
            Some(_) => {
                let text = own_file(&output).unwrap_or_default();
                let text = String::from_utf8_lossy(&text).into_owned();
                return Err(VerifyError::Machine(text));
            }
        };
        Ok((report, end))
    }

    /// What the virtual machine reads that belongs neither to the tools nor to the run.
    fn reads(&self) -> Vec<PathBuf> {
        let driver = [self.driver.main.clone(), self.driver.jdk.clone()];
        let patches = self.job.patches.iter().map(|(_, folder)| folder);
        let given = self.job.class_path.iter().chain(patches);
        let given = given.chain(self.job.sources).map(absolute);
        driver.into_iter().chain(given).collect()
    }

    /// The modules that are patched, each with the folders of its classes.
    fn patches(
        &self,
        modules: &[String],
        instrumented: &Path,
    ) -> Result<Vec<(String, OsString)>, VerifyError> {
        let mut patches: BTreeMap<&str, Vec<PathBuf>> = BTreeMap::new();
        if !modules.is_empty() {
            let base = vec![instrumented.join("java.base"), self.driver.jdk.clone()];
            patches.insert("java.base", base);
        }
        for module in modules {
            if module != "java.base" && module != "unnamed" {
                patches.insert(module, vec![instrumented.join(module)]);
            }
        }
        for (module, folder) in self.job.patches {
            patches.entry(module).or_default().push(absolute(folder));
        }
        let patches = patches.into_iter();
        patches
            .map(|(module, folders)| Ok((module.to_owned(), env::join_paths(folders)?)))
            .collect()
    }

    /// Some entries, and then what the tests are compiled with.
    fn class_path(&self, first: &[&PathBuf]) -> Result<OsString, VerifyError> {
        let first = first.iter().copied().chain([&self.toolchain.junit]);
        let given = self.job.class_path.iter().map(absolute);
        let entries = first.cloned().chain(given);
        Ok(env::join_paths(entries)?)
    }
}

/// What a run wrote; tests could have put a link there that leads to somebody else's file.
fn own_file(path: &Path) -> Option<Vec<u8>> {
    let known = fs::symlink_metadata(path).ok()?;
    known.is_file().then(|| fs::read(path).ok())?
}

fn is_compiled(report: &Report) -> bool {
    matches!(report.compilation, Some((true, _)))
}

/// Assertions are on, messages are English, and what only long runs need is off.
const MACHINE_OPTIONS: [&str; 8] = [
    "-ea",
    "-XX:+IgnoreUnrecognizedVMOptions",
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-XX:-UsePerfData",
    "-Dfile.encoding=UTF-8",
    "-Duser.language=en",
    "-Duser.country=US",
];

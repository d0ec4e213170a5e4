//! The languages that the command line knows: the only place where they have names.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heapwright_c_tests::{COptions, CTests, CompileCommands};
use heapwright_explain::Labels;
use heapwright_impl_tests::ImplTests;
use heapwright_infer::difference::{self, Differences, Incomparable};
use heapwright_infer::preconditions::infer_method;
use heapwright_infer::session::{self, Inference, InferenceRequest, NoInference};
use heapwright_java::classpath::{ClassPath, JdkSearch};
use heapwright_java::verify::{self, JACOCO, JUNIT, Places};
use heapwright_java_tests::{
    Choice, JavaLanguage, JavaOptions, JavaProgram, JavaTests, Specifications,
};
use heapwright_spec::questions::{Notation, QuestionFile};
use heapwright_spec::{Source, SpecError};
use heapwright_testgen::agreement::{self, Agreement, Extent};
#[cfg(feature = "cluster")]
use heapwright_testgen::elsewhere::Receiver;
use heapwright_testgen::{Error, Frontend};

use crate::commands::generate::{self, Arguments, JavaArguments};
use crate::commands::init;
use crate::commands::setup::Needed;
use crate::failure::{CommandStatus, Failure};
use crate::host::Terminal;
use crate::project;
use crate::usage::UsageError;

pub use heapwright_impl::emit::{Expectation, Target as ImplTarget, TestParts};
pub use heapwright_impl_tests::{
    Loaded, RecordError, differences, meets, procedure_named, procedure_names, recorded_report,
    recorded_test,
};
pub use heapwright_java::emit::Framework;
pub use heapwright_testgen::specified::{self, SpecificationChoice};

/// How objects are shown where the language is not known: as Java does it, whose classes no other
/// language has.
pub const LABELS: &dyn Labels = &JavaLanguage;

/// Where classes come from.
#[derive(Clone, Debug)]
pub struct Classes<'a> {
    /// The JDK that was named.
    pub jdk: Option<&'a Path>,
    /// The entries of the class path.
    pub path: Vec<PathBuf>,
}

/// Generates tests with the front end that the targets are for.
pub fn generate(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    let says_flags = !arguments.c.flags.is_empty() || arguments.c.compile_commands.is_some();
    if says_flags && !arguments.targets.iter().any(|target| is_c(target)) {
        return Err(UsageError::FlagsWithoutC.into());
    }
    let mut targets = arguments.targets.iter();
    if targets.all(|target| is_java(target)) {
        let frontend = java_tests(arguments)?;
        return generate::run_with(frontend, arguments, out);
    }
    let Some(first) = arguments.targets.first() else {
        return Err(UsageError::NoTarget.into());
    };
    let choice = match &arguments.specification.spec {
        _ if arguments.specification.no_spec => SpecificationChoice::None,
        Some(file) => SpecificationChoice::File(file.clone()),
        None => SpecificationChoice::Beside,
    };
    let predicate = arguments.java.repok.clone();
    if is_c(first) {
        let options = COptions {
            flags: arguments.c.flags.clone(),
            compile_commands: match &arguments.c.compile_commands {
                Some(file) => CompileCommands::File(file.clone()),
                None => found_commands(),
            },
            specification: choice,
            predicate,
            malloc_fails: arguments.c.malloc_fails,
            verify_time: arguments.java.verify_time,
            confinement: arguments.java.confinement()?,
        };
        let frontend = CTests::open(first, options, Arc::new(Terminal))?;
        return generate::run_with(frontend, arguments, out);
    }
    let frontend = ImplTests::open(first, choice, predicate, Arc::new(Terminal))?;
    generate::run_with(frontend, arguments, out)
}

/// Whether a target is one for Java: everything that is no file of another language.
fn is_java(target: &str) -> bool {
    let file = Path::new(target.split('#').next().unwrap_or(target));
    match ending(target) {
        Some("impl" | "c") => false,
        // What to write instead is said when the target is read.
        Some("java" | "class") => true,
        _ => !file.is_file(),
    }
}

/// How the name of a target's file ends.
fn ending(target: &str) -> Option<&str> {
    let file = Path::new(target.split('#').next().unwrap_or(target));
    file.extension().and_then(|ending| ending.to_str())
}

fn java_tests(arguments: &Arguments) -> Result<JavaTests, Failure> {
    let java = &arguments.java;
    let classes = java.class_path.classes();
    let specifications = specifications(arguments, java, &classes.path);
    let program = open(&classes, specifications)?;
    let program = (program.with_sources(java.sources())).with_predicate(java.repok.clone());
    let options = JavaOptions {
        junit: java.junit,
        only_specified: java.specified,
        tools: java.tools.clone(),
        verify_time: java.verify_time,
        confinement: java.confinement()?,
    };
    Ok(JavaTests::new(program, options))
}

/// Where specifications come from.
fn specifications(
    arguments: &Arguments,
    java: &JavaArguments,
    class_path: &[PathBuf],
) -> Specifications {
    let choice = match &arguments.specification.spec {
        _ if arguments.specification.no_spec => Choice::None,
        Some(file) => Choice::File(file.clone()),
        None => {
            let given = java.specs.iter().flat_map(std::env::split_paths);
            let entries = class_path.iter().filter(|entry| entry.is_dir());
            Choice::Beside {
                given: given.collect(),
                class_path: entries.cloned().collect(),
            }
        }
    };
    Specifications::new(choice, java.pre.clone())
}

fn open(classes: &Classes<'_>, specifications: Specifications) -> Result<JavaProgram, Failure> {
    let jdk = JdkSearch::from_environment(classes.jdk.map(Path::to_owned));
    let confined_to = project::configured();
    let host = Arc::new(Terminal);
    let program = JavaProgram::open(&jdk, &classes.path, confined_to, specifications, host)?;
    Ok(program)
}

/// The JDK that there is.
#[cfg(feature = "cluster")]
pub fn jdk(named: Option<&Path>) -> Result<heapwright_cluster::Jdk, Failure> {
    let jdk = JdkSearch::from_environment(named.map(Path::to_owned)).open();
    let jdk = jdk.map_err(Error::code)?;
    Ok(heapwright_cluster::Jdk {
        identity: jdk.identity(),
        version: jdk.version().to_string(),
    })
}

/// Opens a program that another machine has sent.
#[cfg(feature = "cluster")]
pub fn receive(
    sent: heapwright_cluster::Received<'_>,
    request: heapwright_testgen::Request,
    jdk: Option<&Path>,
    interrupt: &heapwright_engine::Interrupt,
) -> Result<heapwright_cluster::Opened, String> {
    let jdk = JdkSearch::from_environment(jdk.map(Path::to_owned));
    let open = JavaTests::received(sent.description, sent.files, &jdk, interrupt.clone());
    let open =
        open.and_then(|(java, missed)| Ok((Receiver::new(java, request, sent.tool)?, missed)));
    let (receiver, has_missed) = open.map_err(|error| error.to_string())?;
    Ok(heapwright_cluster::Opened::new(receiver, has_missed))
}

/// Code without specifications.
fn unspecified(classes: &Classes<'_>) -> Result<JavaTests, Failure> {
    let nothing = Specifications::new(Choice::None, Vec::new());
    Ok(JavaTests::new(
        open(classes, nothing)?,
        JavaOptions::default(),
    ))
}

/// The flags of the build, where nobody names a file with them.
fn found_commands() -> CompileCommands {
    project::root().map_or(CompileCommands::None, CompileCommands::Within)
}

/// A first specification for what a target names, to be written into a file; without one, into the
/// file beside a program, or one that is named after the class.
pub fn propose(arguments: &init::Arguments) -> Result<String, Failure> {
    let target = arguments.target.as_str();
    let (program, _) = specified::split(target);
    let nothing = SpecificationChoice::None;
    let name = |or: PathBuf| arguments.out.clone().unwrap_or(or).display().to_string();
    let beside = || name(program.with_extension("sl"));
    match ending(target) {
        Some("c") => {
            let mut file = c_tests(target, &arguments.flags, nothing, None)?;
            Ok(file.propose(target, &beside())?)
        }
        _ if !arguments.flags.is_empty() => Err(UsageError::FlagsWithoutC.into()),
        Some("impl") => {
            let mut file = ImplTests::open(target, nothing, None, Arc::new(Terminal))?;
            Ok(file.propose(target, &beside())?)
        }
        _ => {
            let mut java = unspecified(&arguments.class_path.classes())?;
            let class = java.program.class(target)?;
            Ok(java.propose(target, &name(format!("{}.sl", class.simple_name()).into()))?)
        }
    }
}

/// A specification of a class, from what its code does, or the preconditions of a method.
pub fn infer(
    target: &str,
    classes: &Classes<'_>,
    request: &InferenceRequest,
) -> Result<Result<Inference, NoInference>, Failure> {
    if matches!(ending(target), Some("c" | "impl")) {
        return Ok(Err(NoInference::Language));
    }
    let java = &mut unspecified(classes)?;
    Ok(match target.split_once('#') {
        Some((class, method)) => infer_method(java, class, method, request)?,
        None => session::infer(java, target, request)?,
    })
}

/// Where the specification of a class and what its code does differ.
pub fn compare_with_code(
    target: &str,
    classes: &Classes<'_>,
    specification: &Path,
    request: &InferenceRequest,
) -> Result<Result<Differences, Incomparable>, Failure> {
    let class = target.split('#').next().unwrap_or(target);
    if matches!(ending(class), Some("c" | "impl")) {
        return Ok(Err(Incomparable::Language));
    }
    let name = specification.display().to_string();
    let text = crate::failure::read(specification)?;
    let source = Source { name, text };
    let java = &mut unspecified(classes)?;
    Ok(difference::compare(java, target, source, request)?)
}

/// A C file, with the flags that its build has for it.
fn c_tests(
    file: &str,
    flags: &[String],
    specification: SpecificationChoice,
    predicate: Option<String>,
) -> Result<CTests, Failure> {
    let options = COptions {
        flags: flags.to_vec(),
        compile_commands: found_commands(),
        specification,
        predicate,
        ..COptions::default()
    };
    Ok(CTests::open(file, options, Arc::new(Terminal))?)
}

/// Whether a target is one for C.
pub fn is_c(target: &str) -> bool {
    ending(target) == Some("c")
}

/// A specification of a class, or of a C file, read with the classes of the code.
pub fn questions_about(
    class: &str,
    classes: &Classes<'_>,
    notation: Notation,
    source: Source,
) -> Result<QuestionFile, Failure> {
    Ok(questions_of(class, classes, notation, source)??)
}

/// The same with what is wrong with the specification as data.
pub fn questions_of(
    class: &str,
    classes: &Classes<'_>,
    notation: Notation,
    source: Source,
) -> Result<Result<QuestionFile, SpecError>, Failure> {
    let read = match is_c(class) {
        true => {
            c_tests(class, &[], SpecificationChoice::None, None)?.questions(class, notation, source)
        }
        false => unspecified(classes)?.questions(class, notation, source),
    };
    match read {
        Ok(file) => Ok(Ok(file)),
        Err(Error::Rejected(error)) => Ok(Err(error)),
        Err(error) => Err(error.into()),
    }
}

/// The class of the class path that a specification is about, by the names that it has for classes.
/// Returns `None` if there is no such class, or several.
pub fn class_named(classes: &Classes<'_>, names: &BTreeSet<String>) -> Option<String> {
    let jdk = JdkSearch::from_environment(classes.jdk.map(Path::to_owned)).open();
    let path = ClassPath::open(jdk.ok()?, &classes.path).ok()?;
    let known = path.classes().ok()?.iter().map(|class| class.to_string());
    let is_named = |class: &String| {
        let simple = class.rsplit('.').next().map(str::to_owned);
        names.contains(class) || simple.is_some_and(|name| names.contains(&name))
    };
    // A nested class comes with the one around it.
    let outer: BTreeSet<String> = known
        .filter(is_named)
        .filter_map(|class| class.split('$').next().map(str::to_owned))
        .collect();
    let mut outer = outer.into_iter();
    let class = outer.next()?;
    outer.next().is_none().then_some(class)
}

/// What verifying tests of Java needs: the JDK first, then the tools that can be fetched.
pub fn needed(jdk: Option<PathBuf>) -> Result<Vec<Needed>, Failure> {
    let jdk = JdkSearch::from_environment(jdk).open();
    let places = Places::of_user().map_err(|error| Failure::Setup(error.to_string()))?;
    let first = Needed {
        name: "JDK".to_owned(),
        place: match &jdk {
            Ok(jdk) => Ok(jdk.home().to_owned()),
            Err(error) => Err(error.to_string()),
        },
    };
    let tools = [JUNIT, JACOCO].map(|tool| Needed {
        name: format!("{} {}", tool.name, tool.version),
        place: (places.find(tool)).ok_or_else(|| "`heapwright setup` fetches it".to_owned()),
    });
    Ok(std::iter::once(first).chain(tools).collect())
}

/// Fetches the tools with which tests of Java are verified.
pub fn fetch_tools() -> Result<(), Failure> {
    let places = Places::of_user().map_err(|error| Failure::Setup(error.to_string()))?;
    let Some(maven) = verify::maven() else {
        let files = [JUNIT, JACOCO].map(|tool| tool.address());
        return Err(Failure::Setup(format!(
            "mvn was not found. Install Maven and run this again, or download these files and put \
             them into {} as {} and {}:\n  {}",
            places.cache.display(),
            JUNIT.file,
            JACOCO.file,
            files.join("\n  ")
        )));
    };
    places
        .fetch(&maven)
        .map_err(|error| Failure::Setup(error.to_string()))
}

/// Compares the precondition of a method with the predicate of its class.
pub fn compare(
    classes: &Classes<'_>,
    specification: Option<&Path>,
    predicate: Option<&str>,
    method: &str,
    extent: &Extent,
    tick: &mut dyn FnMut(),
) -> Result<Agreement, Failure> {
    if is_c(method) {
        let choice = match specification {
            Some(file) => SpecificationChoice::File(file.to_owned()),
            None => SpecificationChoice::Beside,
        };
        let mut file = c_tests(method, &[], choice, predicate.map(str::to_owned))?;
        let target = file.compared_target(method)?;
        return Ok(agreement::compare(&mut file, &target, extent, tick)?);
    }
    let Some(specification) = specification else {
        return Err(UsageError::NothingToCompare.into());
    };
    let choice = Choice::File(specification.to_owned());
    let program = open(classes, Specifications::new(choice, Vec::new()))?;
    let program = program.with_predicate(predicate.map(str::to_owned));
    let mut java = JavaTests::new(program, JavaOptions::default());
    let target = java.compared_target(method)?;
    Ok(agreement::compare(&mut java, &target, extent, tick)?)
}

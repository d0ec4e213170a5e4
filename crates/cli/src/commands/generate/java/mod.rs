//! `generate` for Java: class files in, JUnit tests out.

mod cases;
mod failures;
mod options;
mod output;
mod reports;
mod sequences;
mod signature;
pub mod validity;
mod variation;
mod verification;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_engine::coverage::NoCode;
use heapwright_engine::{ExploreError, Mode, Options, Place, Report, StopReason, Subject};
use heapwright_ir::FunctionId;
use heapwright_ir::machine::Edge;
use heapwright_java::classfile;
use heapwright_java::emit::TestCase;
use heapwright_java::target::TargetMethod;
use serde_json::Value as Json;

use super::listing::{self, Noun};
use super::{
    Arguments, Contradictions, Naming, ProgressLine, Selection, Suite, Taken, files, json, nearer,
    text, warn_of,
};
use crate::failure::{self, Failure, Outcome};
use crate::interruption::watched_interrupt;
use crate::java::{Explored, JavaProgram};
use crate::{inside, interruption, json_text};

use validity::validity_cases;

pub use cases::test_case;
pub use options::{ClassPathArguments, JavaArguments};

/// The part of the time that writing tests early may take: one in this many.
const EARLY: u32 = 20;

/// What it may take in any case.
const GRACE: Duration = Duration::from_secs(1);

/// What to do about a predicate that is missing.
const NAME_ONE: &str = "give the class a method `boolean repOk()`, or name one with --repok";

/// Whether a target is one for this front end: everything that is no file of another language.
pub fn is_java(target: &str) -> bool {
    let file = Path::new(target.split('#').next().unwrap_or(target));
    let ending = file.extension().and_then(|ending| ending.to_str());
    match ending {
        Some("impl") => false,
        // What to write instead is said when the target is read.
        Some("java" | "class") => true,
        _ => !file.is_file(),
    }
}

/// What was found for one method.
pub struct Method {
    /// The method.
    pub target: TargetMethod,
    /// Its tests.
    pub suite: Suite,
    /// The tests that can be written out, with their positions in the suite.
    pub cases: Vec<(usize, TestCase)>,
    /// The function of the method, which need not be what was run.
    pub function: FunctionId,
    /// Branches that the tests take beside the calls under test.
    pub beside: BTreeSet<Edge>,
    /// Calls of the predicate on the inputs, to be verified.
    pub validity: Vec<TestCase>,
}

/// What a search found for one method.
struct Searched {
    /// What was explored.
    subject: Arc<Subject>,
    /// What came of it.
    report: Report,
    /// The function of the method.
    function: FunctionId,
    /// Whether every heap is a valid input, because nothing says which heaps are.
    any_heap: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let java = &arguments.java;
    let class_path = java.class_path.class_path();
    let specifications = java.specifications(&arguments.specification, &class_path);
    let mut program =
        JavaProgram::open(java.class_path.jdk.as_deref(), &class_path, specifications)?;
    if java.verify {
        // What keeps tests from being verified is told before anything is searched for.
        verification::toolchain(&program, java.tools.as_deref())?;
    }
    let mut targets = Vec::new();
    for target in &arguments.targets {
        targets.extend(program.targets(target)?);
    }
    let mut lack = "no methods with a body to be tested";
    if java.specified && !targets.is_empty() {
        targets = program.specified(targets)?;
        lack = "no methods with a precondition";
    }
    if targets.is_empty() {
        let title = arguments.title();
        return Err(Failure::Unfit(format!("{title} has {lack}")));
    }
    let (targets, refused): (Vec<TargetMethod>, Vec<TargetMethod>) =
        (targets.into_iter()).partition(|target| objection_to(target).is_none());
    let complaints: Vec<String> = refused.iter().filter_map(objection_to).collect();
    if targets.is_empty() {
        return Err(Failure::Unfit(complaints.join("\n")));
    }
    let mut targets = targets;
    let program = (program.with_sources(java.sources())).with_predicate(java.repok.clone());
    let by_predicate = matches!(arguments.search.mode, Mode::Blackbox | Mode::Whitebox);
    if by_predicate && targets.len() > 1 {
        targets = with_predicate(&program, targets)?;
    }
    let mut session = Session {
        arguments,
        infix: output::infix(arguments, &targets),
        program,
        class_path,
        names: Taken::default(),
        methods: Vec::new(),
        complaints,
        contradictions: Contradictions::default(),
        unwritten: Vec::new(),
        elsewhere: None,
        specification: None,
        reached: false,
        begin: Instant::now(),
        writing: Duration::ZERO,
        early: BTreeSet::new(),
        is_new: !arguments.has_old_reports(),
    };
    if arguments.search.mode == Mode::Sequences {
        if arguments.search.reach.is_some() {
            let objection = "--reach is not for --mode sequences, which covers whole classes";
            return Err(Failure::Unfit(objection.to_owned()));
        }
        session.generate_sequences(&targets, out)?;
        return session.finish(out);
    }
    for target in &targets {
        session.generate(target, out)?;
        if session.reached || interruption::is_interrupted() {
            break;
        }
        session.write_early()?;
    }
    session.finish(out)
}

/// Whether somebody could compile the class of a method again to have names for its parameters: it
/// is not one of the JDK, and none of its methods has any.
fn is_nameless(program: &JavaProgram, target: &TargetMethod) -> bool {
    let class = &target.class;
    let has_parameters = |method: &classfile::Method| !method.descriptor.parameters.is_empty();
    let mut methods = class.methods.iter();
    has_parameters(&target.declared.method)
        && methods.all(|method| method.parameter_name(0).is_none())
        && (program.world.class_path().classes())
            .is_ok_and(|own| own.binary_search(&class.name).is_ok())
}

/// What is wrong with the names of a method and its class, after which files are called.
fn objection_to(target: &TargetMethod) -> Option<String> {
    let class = target.class.name.replace('.', "/");
    let method = &target.declared.method.name;
    let reason = inside::objection(&class).or_else(|| inside::objection(method))?;
    Some(format!(
        "{}#{} is not tested, since no file can be called after it: {reason}",
        inside::shown(&target.class.name),
        inside::shown(method)
    ))
}

/// Those of several methods whose objects there is a predicate for. The predicate itself is left out.
fn with_predicate(
    program: &JavaProgram,
    targets: Vec<TargetMethod>,
) -> Result<Vec<TargetMethod>, Failure> {
    let mut kept = Vec::new();
    for target in &targets {
        let method = &target.declared.method;
        let Some(predicate) = program.predicate(&target.class)? else {
            continue;
        };
        let is_predicate = predicate.declared.to_string() == target.declared.to_string();
        if !is_predicate && !method.access.is_static() && !method.is_constructor() {
            kept.push(target.clone());
        }
    }
    // Without any, the error says what to do.
    Ok(match kept.is_empty() {
        true => targets.into_iter().take(1).collect(),
        false => kept,
    })
}

/// What is known while one method after the other is tested.
struct Session<'a> {
    arguments: &'a Arguments,
    /// What the names of test classes have in them.
    infix: String,
    program: JavaProgram,
    class_path: Vec<PathBuf>,
    names: Taken,
    methods: Vec<Method>,
    /// What keeps methods from being tested. The others are tested all the same.
    complaints: Vec<String>,
    /// What is wrong with specifications.
    contradictions: Contradictions,
    /// The tests that Java cannot express, with the reason.
    unwritten: Vec<String>,
    /// What is known about the line to be reached from methods that do not have it.
    elsewhere: Option<NoCode>,
    specification: Option<PathBuf>,
    reached: bool,
    begin: Instant,
    /// The time that writing tests before the end took.
    writing: Duration,
    /// The files that were.
    early: BTreeSet<PathBuf>,
    /// Whether there are no reports of an earlier run, so that early ones replace nothing.
    is_new: bool,
}

impl Session<'_> {
    fn generate(&mut self, target: &TargetMethod, out: &mut dyn Write) -> Result<(), Failure> {
        let arguments = self.arguments;
        let name = format!("{}#{}", target.class.name, target.declared.method.name);
        let place = match &arguments.search.reach {
            Some(text) => match self.program.place(target, text)? {
                Some(place) => Some(place),
                None => return Ok(()),
            },
            None => None,
        };
        let options = Options {
            interrupt: watched_interrupt(arguments.options(None).bounds.memory),
            ..arguments.options(place.clone())
        };
        let mut line = ProgressLine::new(&name, options.bounds.time, arguments.quiet);
        let explored =
            (self.program).explore(target, &options, &mut |progress| line.update(progress));
        line.clear();
        let explored = match explored {
            Ok(Ok(explored)) => explored,
            Ok(Err(error @ ExploreError::NoPredicate)) => {
                let advice = self.program.world.unusable_predicate(&target.class);
                let advice = advice.as_deref().unwrap_or(NAME_ONE);
                self.complaints.push(format!("{name}: {error}; {advice}"));
                return Ok(());
            }
            Ok(Err(ExploreError::NoCode(here))) => {
                self.elsewhere = Some(nearer(self.elsewhere.take(), here));
                return Ok(());
            }
            // One method that cannot be translated leaves the others alone.
            Err(Failure::Unfit(reason)) => {
                self.complaints.push(format!("{name}: {reason}"));
                return Ok(());
            }
            Err(failure) => return Err(failure),
        };
        self.specification = explored.specification.clone().or(self.specification.take());
        if explored.report.stop == StopReason::Unsatisfiable {
            let file = explored.specification.as_deref();
            let check = self.check_command(file, target);
            (self.contradictions).add(file, check, &name, &explored.subject);
            return Ok(());
        }
        let by_predicate = matches!(options.mode, Mode::Blackbox | Mode::Whitebox);
        let any_heap = !by_predicate && !self.program.is_specified(target)?;
        let Explored {
            subject,
            report,
            entry,
            specification,
        } = explored;
        let found = Searched {
            subject,
            report,
            function: entry.method,
            any_heap,
        };
        let mut suite = self.present(target, found, place.as_ref(), out)?;
        let file = specification.as_deref();
        let check = self.check_command(file, target);
        self.contradictions.examine(file, check, &suite);
        self.reached = place.is_some() && !suite.tests.is_empty();
        let predicate = self.program.predicate(&target.class)?;
        let mut cases = Vec::new();
        let mut beside = BTreeSet::new();
        for (index, kept) in suite.tests.clone().iter().enumerate() {
            if arguments.java.sequences.via_api
                && let Some((case, edges)) = self.via_api(target, &mut suite, kept, &entry)?
            {
                beside.extend(edges);
                cases.push((index, case));
                continue;
            }
            let world = &self.program.world;
            let predicate = predicate.as_ref();
            let budgets = options.budgets;
            let case = test_case(world, target, &suite, kept, &entry, predicate, budgets);
            cases.extend(case.map(|case| (index, case)));
        }
        let validity = match &predicate {
            Some(predicate) if arguments.java.verify => {
                let found = (&*suite.subject, &suite.report.tests[..]);
                validity_cases(&mut self.program.world, target, predicate, found, &entry)?
            }
            _ => Vec::new(),
        };
        self.keep(target, entry.method, suite, cases, beside);
        if let Some(method) = self.methods.last_mut() {
            method.validity = validity;
        }
        Ok(())
    }

    /// The command that looks for mistakes in the specification of a method, if it is in a file.
    fn check_command(&self, file: Option<&Path>, target: &TargetMethod) -> Option<String> {
        let file = file.filter(|file| file.is_file())?;
        let path = std::env::join_paths(&self.class_path).ok()?;
        Some(format!(
            "heapwright check {} --class {} -c {}",
            file.display(),
            target.class.name,
            path.to_string_lossy()
        ))
    }

    /// All that keeps methods from being tested.
    fn all_complaints(&self) -> Vec<String> {
        let complaints = self.complaints.iter().cloned();
        complaints.chain(self.contradictions.complaints()).collect()
    }

    /// Chooses the tests of a method, and shows them.
    fn present(
        &mut self,
        target: &TargetMethod,
        found: Searched,
        place: Option<&Place>,
        out: &mut dyn Write,
    ) -> Result<Suite, Failure> {
        let arguments = self.arguments;
        let selection = Selection {
            naming: Naming::Camel {
                prefix: signature::prefix(target),
            },
            title: Some(signature::title(target, &found.subject)),
            function: Some(found.function),
            any_heap: Some(found.any_heap),
            ..Selection::new(arguments.keep, place, arguments.options(None).budgets)
        };
        let suite = Suite::new(found.subject, found.report, &selection, &mut self.names);
        if !arguments.json_on_standard_output() {
            if !self.methods.is_empty() && !arguments.quiet {
                writeln!(out)?;
            }
            text::print(&suite, place, arguments.amount(), out)?;
            out.flush()?;
        }
        self.draw(&suite)?;
        Ok(suite)
    }

    /// Keeps the tests of a method that Java can express. Others leave these alone.
    fn keep(
        &mut self,
        target: &TargetMethod,
        function: FunctionId,
        suite: Suite,
        cases: Vec<(usize, TestCase)>,
        beside: BTreeSet<Edge>,
    ) {
        let mut written = Vec::new();
        for (index, case) in cases {
            let junit = self.arguments.java.junit;
            match output::try_alone(&self.program.world, target, &case, junit) {
                Ok(()) => written.push((index, case)),
                Err(error) => self.unwritten.push(format!("{}: {error}", case.name)),
            }
        }
        for method in &mut self.methods {
            method.suite.share(&suite.subject.program);
        }
        self.methods.push(Method {
            target: target.clone(),
            suite,
            cases: written,
            function,
            beside,
            validity: Vec::new(),
        });
    }

    /// Writes the tests that were found until now, so that they are there if the end is never
    /// seen; but not over those of an earlier run. Everything is written anew each time, so this
    /// waits until it has taken a small part of the time only.
    fn write_early(&mut self) -> Result<(), Failure> {
        let is_cheap = self.writing <= GRACE || self.writing * EARLY <= self.begin.elapsed();
        if !is_cheap {
            return Ok(());
        }
        let begin = Instant::now();
        if self.is_new {
            // What is for standard output is written in the end.
            self.write_json(&mut std::io::sink())?;
            reports::write(self, &mut std::io::sink())?;
        }
        if self.arguments.out.is_some() {
            let written = output::write(self, None)?;
            let written = written.into_iter();
            let files =
                written.flat_map(|written| written.files.into_iter().chain(written.findings));
            self.early.extend(files);
        }
        self.writing += begin.elapsed();
        Ok(())
    }

    fn draw(&self, suite: &Suite) -> Result<(), Failure> {
        if let Some(folder) = &self.arguments.svg {
            files::draw(suite, folder, "svg", heapwright_report::svg)?;
        }
        if let Some(folder) = &self.arguments.dot {
            files::draw(suite, folder, "dot", heapwright_report::dot)?;
        }
        Ok(())
    }

    /// Writes what was found, and verifies it if that is wanted.
    fn finish(mut self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let arguments = self.arguments;
        let written = output::write(&self, Some(&mut *out))?;
        let is_verified = arguments.java.verify && !interruption::is_interrupted();
        let verified = match (is_verified, written) {
            (true, Some(written)) => verification::verify(&mut self, &written, out)?,
            _ => true,
        };
        self.write_json(out)?;
        if arguments.findings && !arguments.json_on_standard_output() {
            let suites = self.methods.iter().map(|method| &method.suite);
            listing::print(suites, Noun::Method, out)?;
        }
        self.hint(out)?;
        reports::write(&self, out)?;
        warn_of(&self.contradictions);
        let complaints = self.all_complaints();
        if !complaints.is_empty() {
            return Err(Failure::Unfit(complaints.join("\n")));
        }
        if arguments.search.reach.is_some() {
            return match (self.reached, self.elsewhere) {
                (true, _) => Ok(Outcome::Decided),
                (false, Some(error)) if self.methods.is_empty() => {
                    Err(Failure::Unfit(format!("--reach: {error}")))
                }
                // Proved, if every method that has the line was explored to its end.
                _ if self
                    .methods
                    .iter()
                    .all(|method| method.suite.is_exhaustive()) =>
                {
                    Ok(Outcome::Refuted)
                }
                _ => Ok(Outcome::Unknown),
            };
        }
        let findings = self
            .methods
            .iter()
            .any(|method| method.suite.has_findings());
        Ok(match verified && !findings {
            true => Outcome::Decided.unless_interrupted(),
            false => Outcome::Refuted,
        })
    }

    /// Mentions what would make the tests better.
    fn hint(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let arguments = self.arguments;
        if arguments.quiet || arguments.json_on_standard_output() {
            return Ok(());
        }
        let mut targets = self.methods.iter().map(|method| &method.target);
        if let Some(target) = targets.find(|target| is_nameless(&self.program, target)) {
            let class = &target.class.name;
            writeln!(
                out,
                "hint: {class} was compiled without -g; compile with -g to see the names of \
                 parameters"
            )?;
        }
        self.mention_predicate(out)
    }

    /// Mentions a predicate that nobody made use of, where every heap is a valid input.
    fn mention_predicate(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let arguments = self.arguments;
        let by_predicate = matches!(
            arguments.search.mode,
            Mode::Blackbox | Mode::Whitebox | Mode::Sequences
        );
        if by_predicate {
            return Ok(());
        }
        for method in self.methods.iter().filter(|method| method.suite.any_heap) {
            if let Some(predicate) = self.program.predicate(&method.target.class)? {
                let name = &predicate.declared.method.name;
                writeln!(
                    out,
                    "hint: {} has a method {name}; with --mode whitebox all inputs satisfy it",
                    method.target.class.name
                )?;
                return Ok(());
            }
        }
        Ok(())
    }

    fn write_json(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let arguments = self.arguments;
        let Some(file) = &arguments.json else {
            return Ok(());
        };
        let options = arguments.options(None);
        let reach = arguments.search.reach.as_deref();
        let times = arguments.times || arguments.verbose;
        let methods: Vec<Json> = (self.methods.iter())
            .map(|method| json::procedure(&method.suite, times))
            .collect();
        let document = json::document(
            Path::new(&arguments.title()),
            self.specification.as_deref(),
            json::options(&options, arguments.keep, reach),
            methods,
        );
        let text = json_text::pretty(&document);
        match arguments.json_on_standard_output() {
            true => Ok(write!(out, "{text}")?),
            false => failure::write(file, &text),
        }
    }
}

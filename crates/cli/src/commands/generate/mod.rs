//! `generate`: tests for a program, from its specification and its code.

mod camel_case;
mod configuration;
mod contradictions;
mod files;
mod findings;
pub mod java;
pub mod json;
mod listing;
mod names;
mod options;
mod progress;
mod reach;
mod report;
mod suite;
mod summary;
mod takers;
#[cfg(test)]
pub mod test_support;
mod text;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

use heapwright_engine::coverage::NoCode;
use heapwright_engine::{ExploreError, Mode, Options, Place, StopReason, Subject, explore};
use heapwright_ir::{FunctionId, Program};
use serde_json::Value as Json;

use crate::failure::{self, Failure, Outcome};
use crate::interruption::watched_interrupt;
use crate::target::{self, Loaded, split};
use crate::{interruption, json_text, source};
use contradictions::Contradictions;
use listing::Noun;
use report::{FunctionName, Procedure, Results, Texts, test_statements};
use suite::Kept;

pub use files::Programs;
pub use java::ClassPathArguments;
pub use names::{Naming, Taken};
pub use options::{Arguments, mode_name};
pub use progress::ProgressLine;
pub use suite::{Selection, Suite};

/// Whether a target is the file of a specification.
fn is_specification(target: &str) -> bool {
    let file = Path::new(target);
    let ending = file.extension().and_then(|ending| ending.to_str());
    matches!(ending, Some("sl" | "pred")) && file.is_file()
}

/// Runs the command; `words` is what stood behind its name.
pub fn run(
    arguments: &Arguments,
    words: &[OsString],
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let arguments = &arguments.configured(words)?;
    // From here on an interruption loses nothing.
    interruption::interrupt();
    if let Some(file) = (arguments.targets.iter()).find(|target| is_specification(target)) {
        return Err(Failure::Unfit(format!(
            "{file} is a specification and no target; write --spec {file}"
        )));
    }
    let mut targets = arguments.targets.iter();
    if targets.all(|target| java::is_java(target)) {
        return java::run(arguments, out);
    }
    if arguments.search.mode == Mode::Sequences {
        let objection = "--mode sequences is for classes: it needs constructors and methods";
        return Err(Failure::Unfit(objection.to_owned()));
    }
    let [target] = &arguments.targets[..] else {
        let message = "several targets are for Java; name one program at a time";
        return Err(Failure::Unfit(message.to_owned()));
    };
    let (path, name) = split(target);
    let loaded = Loaded::read(path, &arguments.specification.choice())?;
    let targets = loaded.targets(name)?.into_iter();
    let subjects =
        (targets.map(|function| loaded.subject(function))).collect::<Result<Vec<_>, _>>()?;
    let subjects = with_predicate(subjects, arguments.java.repok.as_deref())?;
    let reach = match &arguments.search.reach {
        Some(text) => Some(reach::place(&loaded.read.program, text)?),
        None => None,
    };
    let mut session = Session {
        arguments,
        loaded: &loaded,
        reach,
        names: Taken::with(suite_name(path)),
        programs: Programs::default(),
        reports: Vec::new(),
        suites: Vec::new(),
        contradictions: Contradictions::default(),
        elsewhere: None,
        outcome: None,
    };
    if subjects.is_empty() {
        let path = path.display();
        let nothing = format!("{path} has neither statements nor procedures to be tested");
        return Err(Failure::Unfit(nothing));
    }
    let is_new = !arguments.has_old_reports();
    for subject in subjects {
        if session.generate(subject, out)? || interruption::is_interrupted() {
            break;
        }
        // What was found is there even if the end is never seen.
        if is_new {
            session.write_json(path, &mut std::io::sink())?;
            session.write_reports(path, &mut std::io::sink())?;
        }
    }
    session.write_json(path, out)?;
    session.write_reports(path, out)?;
    if arguments.findings && !arguments.json_on_standard_output() {
        listing::print(session.suites.iter(), Noun::Procedure, out)?;
    }
    let complaints = session.contradictions.complaints();
    if let Some(folder) = &arguments.out {
        session.programs.write_suite(folder, &suite_name(path))?;
        let whole = complaints.is_empty() && arguments.search.reach.is_none();
        if whole && !interruption::is_interrupted() {
            for file in session.programs.remove_stale_findings(folder) {
                if !arguments.quiet && !arguments.json_on_standard_output() {
                    writeln!(out, "removed {}: no such tests any more", file.display())?;
                }
            }
        }
    }
    warn_of(&session.contradictions);
    if !complaints.is_empty() {
        return Err(Failure::Unfit(complaints.join("\n")));
    }
    match (session.outcome, session.elsewhere) {
        (None, Some(error)) => Err(Failure::Unfit(format!("--reach: {error}"))),
        (outcome, _) => Ok(outcome.unwrap_or(Outcome::Decided).unless_interrupted()),
    }
}

/// Mentions contradictions that are no reason to stop.
fn warn_of(contradictions: &Contradictions) {
    for warning in contradictions.warnings() {
        let _ = writeln!(std::io::stderr(), "{warning}");
    }
}

/// Takes a procedure as the predicate that says which inputs are valid.
fn with_predicate(
    subjects: Vec<Subject>,
    predicate: Option<&str>,
) -> Result<Vec<Subject>, Failure> {
    let Some(predicate) = predicate else {
        return Ok(subjects);
    };
    let others = subjects
        .into_iter()
        .filter(|subject| subject.name() != predicate);
    others
        .map(|subject| subject.with_predicate(predicate))
        .collect::<Result<_, _>>()
        .map_err(|error| Failure::Unfit(format!("--repok: {error}")))
}

/// The lines with code that are nearest to the place, of two procedures.
fn nearer(one: Option<NoCode>, other: NoCode) -> NoCode {
    let Some(one) = one else {
        return other;
    };
    NoCode {
        before: one.before.max(other.before),
        after: one.after.into_iter().chain(other.after).min(),
        ..other
    }
}

/// The suite of all tests of a program is named after its file.
fn suite_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    format!("{stem}_suite")
}

/// What other tools call a procedure: the file takes the place of the class.
fn procedure_name(program: &Program, id: FunctionId) -> FunctionName {
    let function = program.function(id);
    let file = source::file_name(program, function.position);
    let file = file.strip_prefix("./").unwrap_or(file);
    let signature = target::signature(program, function);
    let descriptor = signature.strip_prefix(&function.name);
    FunctionName {
        class: file
            .rsplit_once('.')
            .map_or(file, |(stem, _)| stem)
            .to_owned(),
        name: function.name.clone(),
        descriptor: descriptor.unwrap_or_default().to_owned(),
        title: signature,
    }
}

/// What is known while one procedure after the other is tested.
struct Session<'a> {
    arguments: &'a Arguments,
    loaded: &'a Loaded,
    reach: Option<Place>,
    names: Taken,
    programs: Programs<'a>,
    reports: Vec<Json>,
    /// What was found, as far as it is needed in the end.
    suites: Vec<Suite>,
    /// What is wrong with preconditions. The other procedures are tested all the same.
    contradictions: Contradictions,
    /// What is known about the line to be reached from procedures that do not have it.
    elsewhere: Option<NoCode>,
    /// None while no procedure was tested.
    outcome: Option<Outcome>,
}

impl Session<'_> {
    /// Tests one procedure. Returns whether the goal is reached, so that the others need not be
    /// looked at.
    fn generate(&mut self, subject: Subject, out: &mut dyn Write) -> Result<bool, Failure> {
        let arguments = self.arguments;
        let options = Options {
            interrupt: watched_interrupt(arguments.options(None).bounds.memory),
            ..arguments.options(self.reach.clone())
        };
        let mut line = ProgressLine::new(subject.name(), options.bounds.time, arguments.quiet);
        let report = explore(&subject, &options, &mut |progress| line.update(progress));
        line.clear();
        let report = match report {
            Ok(report) => report,
            Err(ExploreError::NoCode(here)) => {
                self.elsewhere = Some(nearer(self.elsewhere.take(), here));
                return Ok(false);
            }
            Err(error @ ExploreError::NoPredicate) => {
                let name = subject.name();
                return Err(Failure::Unfit(format!(
                    "{name}: {error}; name one with --repok"
                )));
            }
        };
        if report.stop == StopReason::Unsatisfiable {
            let file = self.loaded.specification_file.as_deref();
            (self.contradictions).add(file, None, subject.name(), &subject);
            return Ok(false);
        }
        let reach = self.reach.as_ref();
        let selection = Selection::new(arguments.keep, reach, options.budgets);
        let suite = Suite::new(subject, report, &selection, &mut self.names);
        if !self.arguments.json_on_standard_output() {
            if self.outcome.is_some() && !arguments.quiet {
                writeln!(out)?;
            }
            text::print(&suite, reach, self.arguments.amount(), out)?;
            out.flush()?;
        }
        self.write_files(&suite)?;
        if arguments.json.is_some() {
            let times = arguments.times || arguments.verbose;
            self.reports.push(json::procedure(&suite, times));
        }
        let file = self.loaded.specification_file.as_deref();
        self.contradictions.examine(file, None, &suite);
        let reached = self.reach.is_some() && !suite.tests.is_empty();
        self.conclude(&suite, reached);
        if arguments.reports.is_wanted() || arguments.findings {
            self.suites.push(suite);
        }
        Ok(reached)
    }

    /// Adds what one procedure means for the exit code.
    fn conclude(&mut self, suite: &Suite, reached: bool) {
        let this = match &self.reach {
            Some(_) if reached => Outcome::Decided,
            Some(_) if suite.is_exhaustive() => Outcome::Refuted,
            Some(_) => Outcome::Unknown,
            None if suite.has_findings() => Outcome::Refuted,
            None => Outcome::Decided,
        };
        self.outcome = Some(match (self.outcome, this) {
            // One procedure that reaches the place is enough; one that may is more than none.
            (_, Outcome::Decided) if reached => Outcome::Decided,
            (Some(Outcome::Unknown), Outcome::Refuted) if self.reach.is_some() => Outcome::Unknown,
            (Some(Outcome::Refuted), Outcome::Decided) => Outcome::Refuted,
            (_, this) => this,
        });
    }

    fn write_files(&mut self, suite: &Suite) -> Result<(), Failure> {
        if let Some(folder) = &self.arguments.out {
            let specification = self.loaded.specification_file.as_deref();
            (self.programs).add(&self.loaded.read, specification, suite)?;
            self.programs.write(folder)?;
        }
        if let Some(folder) = &self.arguments.svg {
            files::draw(suite, folder, "svg", heapwright_report::svg)?;
        }
        if let Some(folder) = &self.arguments.dot {
            files::draw(suite, folder, "dot", heapwright_report::dot)?;
        }
        Ok(())
    }

    fn write_reports(&self, path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
        let arguments = self.arguments;
        if !arguments.reports.is_wanted() {
            return Ok(());
        }
        let procedures = self.suites.iter().map(|suite| {
            let program = |kept: &Kept| {
                let specification = self.loaded.specification_file.as_deref();
                let text = files::program(&self.loaded.read, specification, suite, kept)?.ok()?;
                Some((kept.name.clone(), test_statements(&text)))
            };
            Procedure {
                suite,
                name: suite.subject.name().to_owned(),
                function: suite.subject.function,
                sources: suite.tests.iter().filter_map(program).collect(),
            }
        });
        let file = self.loaded.specification_file.as_deref();
        let results = Results {
            title: path.display().to_string(),
            facts: report::facts(arguments, file),
            complaints: self.contradictions.complaints(),
            procedures: procedures.collect(),
            function_name: &procedure_name,
            source_folders: vec![PathBuf::from(".")],
            texts: Texts::new(|_| None),
        };
        report::write(&arguments.reports, &results, arguments.remarks(out))
    }

    fn write_json(&self, path: &Path, out: &mut dyn Write) -> Result<(), Failure> {
        let Some(file) = &self.arguments.json else {
            return Ok(());
        };
        let options = self.arguments.options(self.reach.clone());
        let reach = self.arguments.search.reach.as_deref();
        let document = json::document(
            path,
            self.loaded.specification_file.as_deref(),
            json::options(&options, self.arguments.keep, reach),
            self.reports.clone(),
        );
        let text = json_text::pretty(&document);
        if self.arguments.json_on_standard_output() {
            write!(out, "{text}")?;
            return Ok(());
        }
        failure::write(file, &text)
    }
}

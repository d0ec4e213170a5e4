//! `generate`: tests for a program, from its specification and its code.

mod c_options;
mod configuration;
mod document;
mod early;
mod ending;
mod java_options;
mod options;
mod output;
mod printing;
mod progress;
mod reports;
mod sequence_options;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

use heapwright_testgen::{Event, Frontend, Session, Suite, pictures};

use crate::failure::{self, CommandStatus, Failure};
use crate::interruption;
use crate::usage::UsageError;
use early::Early;
use printing::Printing;

pub use java_options::{ClassPathArguments, JavaArguments};
pub use options::Arguments;
pub use progress::ProgressLine;

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
) -> Result<CommandStatus, Failure> {
    let merged = arguments.store.merged.clone();
    let mut arguments = arguments.configured(words)?;
    arguments.store.merged = merged;
    arguments.words = configuration::deciding(words);
    let arguments = &arguments;
    // From here on an interruption loses nothing.
    interruption::interrupt();
    if let Some(file) = (arguments.targets.iter()).find(|target| is_specification(target)) {
        return Err(UsageError::SpecificationAsTarget(file.clone()).into());
    }
    crate::frontends::generate(arguments, out)
}

/// Runs the command with the front end of a language.
pub fn run_with<F: Frontend>(
    frontend: F,
    arguments: &Arguments,
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    let mut session = Session::new(frontend, arguments.request())?;
    if let Some(shard) = arguments.store.shard {
        session = session.for_shard(shard);
    }
    if let Some(store) = arguments.store.store(arguments.is_for_cluster())? {
        session = session.with_store(store);
    }
    #[cfg(feature = "cluster")]
    if let Some(help) = crate::cluster::help(arguments)? {
        session = session.with_help(help);
    }
    let mut early = Early::beginning(!arguments.has_old_reports());
    let targets = session.targets();
    let mut printing = Printing::new(arguments, targets);
    let mut shown = 0;
    let mut begun = 0;
    let mut line = None;
    loop {
        let advanced = session.advance(&mut |event| match event {
            Event::Begins { name, time } => {
                begun += 1;
                line = Some(ProgressLine::new(
                    name,
                    (begun, targets),
                    time,
                    arguments.quiet,
                ));
            }
            Event::Progress(progress) => {
                if let Some(line) = &mut line {
                    line.update(progress);
                }
            }
            Event::Ends => {
                if let Some(mut line) = line.take() {
                    line.clear();
                }
            }
            Event::Elsewhere(progress) => line
                .get_or_insert_with(|| ProgressLine::new("", (0, 0), None, arguments.quiet))
                .update_with(|| progress.to_string()),
            Event::Note(note) => {
                if let Some(mut line) = line.take() {
                    line.clear();
                }
                let _ = writeln!(std::io::stderr(), "{note}");
            }
        });
        while let Some(tested) = session.tested.get(shown) {
            printing.show(&tested.suite, out)?;
            draw_all(arguments, &tested.suite)?;
            shown += 1;
        }
        // What was found before an error is worth seeing.
        if !matches!(advanced, Ok(true)) {
            printing.end(&session, out)?;
        }
        if !advanced? {
            break;
        }
        early.write(&mut session, arguments)?;
    }
    ending::finish(session, arguments, &early, out)
}

/// Draws the tests of one target, if somebody wants to have pictures.
fn draw_all(arguments: &Arguments, suite: &Suite) -> Result<(), Failure> {
    if let Some(folder) = &arguments.svg {
        draw(folder, pictures(suite, "svg", heapwright_report::svg))?;
    }
    if let Some(folder) = &arguments.dot {
        draw(folder, pictures(suite, "dot", heapwright_report::dot))?;
    }
    Ok(())
}

/// Writes pictures into a folder.
fn draw(folder: &Path, pictures: Vec<(String, String)>) -> Result<(), Failure> {
    failure::create_folder(folder)?;
    for (name, text) in pictures {
        failure::write(&output::safe_join(folder, &name)?, &text)?;
    }
    Ok(())
}

//! `watch`: tests are generated again when classes change, and what is new is said.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use heapwright_files::watching::Watched;
use heapwright_testgen::changes::{Snapshot, print};
use heapwright_testgen::temporary::Temporary;

use super::generate;
use crate::failure::{self, CommandStatus, Failure};
use crate::interruption;
use crate::usage::UsageError;

/// How often files are looked at.
const INTERVAL: Duration = Duration::from_millis(300);

/// Files that decide what is generated.
const ENDINGS: [&str; 7] = ["class", "jar", "sl", "pred", "c", "h", "impl"];

/// Generate tests again whenever classes change, and say what is new
///
/// Takes what `generate` takes: heapwright watch pkg.Class -c classes --out tests. The first run is
/// shown as always; then branches that the tests no longer take, and findings that have appeared or
/// gone. Methods whose code did not change come from the cache. Ctrl-C ends it.
#[derive(clap::Args)]
#[group(skip)]
pub struct Arguments {
    #[command(flatten)]
    generate: generate::Arguments,
}

/// Runs the command until somebody ends it; `words` is what stood behind its name. Each run is a
/// process of its own, as it would be without this command, so nothing is left of the one before.
pub fn run(
    arguments: &Arguments,
    words: &[OsString],
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    let arguments = arguments.generate.configured(words)?;
    interruption::interrupt();
    if arguments.json_on_standard_output() {
        return Err(UsageError::WatchedOutput.into());
    }
    let temporary = Temporary::named(&std::env::temp_dir(), "watch");
    let (json, more) = match &arguments.json {
        Some(file) => (file.clone(), None),
        None => {
            failure::create_folder(temporary.path())?;
            let file = temporary.path().join("results.json");
            (file.clone(), Some(file))
        }
    };
    let mut watched = Watched::new(arguments.inputs(), &ENDINGS);
    let verifies = arguments.java.verify;
    let mut known = generated(words, more.as_deref(), true)?.and(results(&json));
    loop {
        let count = heapwright_explain::words::count(watched.len() as u64, "file", "files");
        writeln!(out, "watching {count}; Ctrl-C ends")?;
        out.flush()?;
        let Some(changed) = changed(&mut watched) else {
            return Ok(CommandStatus::Decided);
        };
        writeln!(out, "\nchanged: {}", listed(&changed))?;
        out.flush()?;
        let Some(found) = generated(words, more.as_deref(), verifies)?.and(results(&json)) else {
            continue;
        };
        if let Some(before) = &known {
            let changes = before.changes(&found);
            if changes.is_empty() {
                writeln!(out, "nothing new")?;
            }
            print(&changes, out)?;
        }
        writeln!(out, "{}", found.summary())?;
        known = Some(found);
    }
}

/// Runs `generate` with these words. Returns `None` if it could not answer, which it has said then.
fn generated(words: &[OsString], json: Option<&Path>, shown: bool) -> io::Result<Option<()>> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg("generate");
    if let Some(file) = json {
        command.arg("--json").arg(file);
    }
    command.args(words).stdin(Stdio::null());
    if !shown {
        command.stdout(Stdio::null());
    }
    let ended = command.status()?;
    Ok((!matches!(ended.code(), Some(1 | 2) | None)).then_some(()))
}

/// The results of a run.
fn results(json: &Path) -> Option<Snapshot> {
    Snapshot::read(&failure::read(json).ok()?).ok()
}

/// Waits until files have changed, and until whoever writes them has come to an end. Returns `None`
/// when the user has had enough.
fn changed(watched: &mut Watched) -> Option<Vec<PathBuf>> {
    let mut all = Vec::new();
    loop {
        sleep(INTERVAL);
        if interruption::is_interrupted() {
            return None;
        }
        let changed = watched.changed();
        if changed.is_empty() && !all.is_empty() {
            all.sort();
            all.dedup();
            return Some(all);
        }
        all.extend(changed);
    }
}

/// `Bag.class, Node.class and 3 more`
fn listed(files: &[PathBuf]) -> String {
    let name = |file: &PathBuf| {
        let name = file.file_name().unwrap_or(file.as_os_str());
        name.to_string_lossy().into_owned()
    };
    let shown: Vec<String> = files.iter().take(4).map(name).collect();
    let more = match files.len().saturating_sub(shown.len()) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}

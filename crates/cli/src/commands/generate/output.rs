//! Tests, written into a folder.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use heapwright_explain::words;
use heapwright_testgen::{Error, Frontend, Session, Written, file_names};

use super::Arguments;
use super::early::Early;
use crate::failure::{self, Failure};
use crate::usage::UsageError;
use heapwright_testgen::temporary::Temporary;

/// The files that were written.
pub struct Output {
    /// The files.
    pub files: Written,
    /// The folder goes away with this, if nobody wanted to have it.
    _temporary: Option<Temporary>,
}

/// The file with a name below a folder.
pub fn safe_join(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    file_names::safe_join(folder, name)
}

/// Writes the tests, if somebody wants to have or to verify them. What is written is said, unless
/// there is nowhere to say it.
pub fn write<F: Frontend>(
    session: &mut Session<F>,
    arguments: &Arguments,
    early: &Early,
    out: Option<&mut dyn Write>,
) -> Result<Option<Output>, Failure> {
    let (folder, temporary) = match &arguments.out {
        Some(folder) => (folder.clone(), None),
        None if arguments.java.verify => {
            let temporary = Temporary::named(&std::env::temp_dir(), "tests");
            (temporary.path().to_owned(), Some(temporary))
        }
        None => return Ok(None),
    };
    let mut nowhere = std::io::sink();
    let is_last = out.is_some();
    let out = out.unwrap_or(&mut nowhere);
    let is_shown = is_last
        && arguments.out.is_some()
        && !arguments.json_on_standard_output()
        && !arguments.quiet;
    let mut written = Written {
        folder: folder.clone(),
        ..Written::default()
    };
    let emitted = (session.frontend).emit(&session.tested, &session.request)?;
    let mut known = BTreeSet::new();
    for source in emitted.files {
        let file = safe_join(&folder, &source.path)?;
        if !known.insert(file.clone()) {
            // Classes whose names differ in characters that files cannot have.
            if is_shown {
                let file = file.display();
                writeln!(out, "not written: {file} has the tests of another class")?;
            }
            continue;
        }
        refuse_foreign(&session.frontend, &file)?;
        let is_ours = early.has_written(&file);
        // The tests of an earlier run are whole; they are replaced by whole ones.
        if !is_last && file.exists() && !is_ours {
            continue;
        }
        if let Some(parent) = file.parent() {
            failure::create_folder(parent)?;
        }
        // A file that is not touched is not compiled again.
        let is_known = std::fs::read_to_string(&file).is_ok_and(|known| known == source.text);
        if !is_known {
            failure::write(&file, &source.text)?;
        }
        if is_shown && session.frontend.lists_files() {
            let count = words::count(source.tests as u64, "test", "tests");
            let verb = match is_known && !is_ours {
                true => "unchanged:",
                false => "wrote",
            };
            writeln!(out, "{verb} {} ({count})", file.display())?;
        }
        match source.has_findings {
            true => written.findings.push(file),
            false => written.files.push(file),
        }
    }
    if is_last && arguments.out.is_some() {
        remove_stale(session, &written, is_shown, out)?;
    }
    if is_shown {
        for note in &emitted.notes {
            writeln!(out, "{note}")?;
        }
    }
    if !arguments.json_on_standard_output() {
        for reason in &session.unwritten {
            writeln!(out, "not written: {reason}")?;
        }
        for caveat in &emitted.caveats {
            writeln!(out, "{caveat}")?;
        }
    }
    Ok(Some(Output {
        files: written,
        _temporary: temporary,
    }))
}

/// Removes the files of an earlier run for the same targets that have no tests any more: the
/// findings of a bug that is gone, for example. Files that were not generated stay, and so does
/// everything if this run did not come to its end.
fn remove_stale<F: Frontend>(
    session: &Session<F>,
    written: &Written,
    is_shown: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if !session.is_whole() {
        return Ok(());
    }
    let frontend = &session.frontend;
    let earlier = frontend.earlier_files(&written.folder, &session.tested, &session.request);
    for file in earlier {
        let is_new = written.files.contains(&file) || written.findings.contains(&file);
        let is_generated =
            || std::fs::read_to_string(&file).is_ok_and(|text| frontend.is_generated(&text));
        if !is_new && is_generated() && std::fs::remove_file(&file).is_ok() && is_shown {
            writeln!(out, "removed {}: it has no tests any more", file.display())?;
        }
    }
    Ok(())
}

/// A file that somebody wrote by hand is left alone.
fn refuse_foreign<F: Frontend>(frontend: &F, file: &Path) -> Result<(), Failure> {
    match std::fs::read_to_string(file) {
        Ok(text) if !frontend.is_generated(&text) => Err(UsageError::NotGenerated {
            file: file.to_owned(),
            option: "--out",
        })?,
        _ => Ok(()),
    }
}

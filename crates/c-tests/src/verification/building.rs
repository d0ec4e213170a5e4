//! Tests built and run, one process for each.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use heapwright_testgen::{Error, VerificationError};

use crate::runner::{Ran, Runner, is_sanitized};

/// A way to build tests.
pub(super) struct Way {
    pub name: &'static str,
    pub compiler: &'static str,
    pub flags: &'static [&'static str],
}

/// Whether a program can be started.
pub(crate) fn is_there(program: &str) -> bool {
    let version = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    version.is_ok_and(|output| output.status.success())
}

/// Whether a program can be started, whatever it says: llvm-profdata does not tell its version.
pub(super) fn starts(program: &str) -> bool {
    let version = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    version.is_ok()
}

/// What a run said, as far as people want to read it.
pub(super) fn lines(ran: &Ran) -> Vec<String> {
    text(ran).lines().take(6).map(str::to_owned).collect()
}

/// What a run said.
pub(super) fn text(ran: &Ran) -> String {
    String::from_utf8_lossy(&ran.output).into_owned()
}

/// Builds a file with tests.
pub(super) fn build(
    source: &Path,
    flags: &[String],
    file: &Path,
    way: &Way,
) -> Result<Built, Error> {
    let folder = tempfile(file)?;
    let program = folder.join("tests");
    let beside = source
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let output = Command::new(way.compiler)
        .args(["-g", "-O0", "-w"])
        .args(way.flags)
        .args(flags)
        .arg("-I")
        .arg(beside.unwrap_or(Path::new(".")))
        .arg("-o")
        .arg(&program)
        .arg(file)
        .arg("-lm")
        .stdin(Stdio::null())
        .output();
    let output = output.map_err(|source| VerificationError::Start {
        tool: way.compiler,
        source,
    })?;
    match output.status.success() {
        true => Ok(Built {
            folder,
            program,
            is_sanitized: is_sanitized(way.flags),
        }),
        false => {
            let _ = std::fs::remove_dir_all(&folder);
            let messages = String::from_utf8_lossy(&output.stderr).into_owned();
            Err(Error::Verification(VerificationError::FileBuild {
                file: file.to_owned(),
                compiler: way.name,
                messages,
            }))
        }
    }
}

/// A program in a folder of its own, which goes with it.
pub(super) struct Built {
    pub folder: PathBuf,
    pub program: PathBuf,
    is_sanitized: bool,
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn tempfile(file: &Path) -> Result<PathBuf, Error> {
    static NEXT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
    let number = NEXT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let name = format!("heapwright-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir(&folder).map_err(|source| VerificationError::NoFolder {
        file: file.to_owned(),
        source,
    })?;
    Ok(folder)
}

/// The names of its tests.
pub(super) fn list(runner: &Runner<'_>, built: &Built) -> Result<Vec<String>, Error> {
    let listed = run(runner, built, "--list")?;
    if !listed.succeeded {
        return Err(VerificationError::NoTests(lines(&listed).join("\n")).into());
    }
    Ok(text(&listed).lines().map(str::to_owned).collect())
}

/// Runs one test. What lists the tests of a program with counters writes them, too.
pub(super) fn run(runner: &Runner<'_>, built: &Built, argument: &str) -> Result<Ran, Error> {
    let profile = built.folder.join("default.profraw");
    let (program, folder) = (&built.program, &built.folder);
    runner.run(program, folder, argument, built.is_sanitized, &profile)
}

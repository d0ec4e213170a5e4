//! Tests in a sandbox: bubblewrap (`bwrap`) starts a program in namespaces of its own.
//!
//! Tests run the code under test, which may be anybody's. In the sandbox it has no network and no
//! other processes, a home and temporary folders that are empty and go away, and the variables of
//! the environment are gone, which may hold secrets. It can read the rest of the file system, and
//! write only into the folder of the run.

use crate::error::{ProcessError, SandboxError};
use crate::process;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// The program, by the name under which it is installed.
const PROGRAM: &str = "bwrap";

/// More than it takes to start and end it.
const TRIAL_LIMIT: Duration = Duration::from_secs(20);

/// All namespaces are new, no privileges are left, everything is gone when we are, and the file
/// system is read-only.
const CONFINEMENT: [&str; 11] = [
    "--unshare-all",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "ALL",
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
];

/// Folders that are empty inside: temporary files, and the sockets of services, through which
/// programs could be asked to act outside.
const EMPTY: [&str; 4] = ["/tmp", "/var/tmp", "/run", "/var/run"];

/// Variables that are kept.
const VARIABLES: [&str; 4] = ["PATH", "LANG", "LC_ALL", "TZ"];

/// An installed bubblewrap that works.
#[derive(Debug, Clone)]
pub struct Sandbox {
    program: PathBuf,
}

impl Sandbox {
    /// Looks for bubblewrap, and tries it: kernels and containers may forbid what it needs.
    pub fn find() -> Result<Sandbox, SandboxError> {
        let path = env::var_os("PATH").unwrap_or_default();
        let mut programs = env::split_paths(&path)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(PROGRAM));
        let program = programs.find(|program| program.is_file());
        let sandbox = Sandbox {
            program: program.ok_or(SandboxError::Missing)?,
        };
        sandbox.try_out()?;
        Ok(sandbox)
    }

    /// Runs the program itself inside, which prints its version.
    fn try_out(&self) -> Result<(), SandboxError> {
        let mut command = Command::new(&self.program);
        command.args(options()).arg("--").arg(&self.program);
        command.arg("--version");
        let name = format!("heapwright-sandbox-{}", std::process::id());
        let output = env::temp_dir().join(name);
        let status = process::run(&mut command, &output, Instant::now() + TRIAL_LIMIT);
        let said = fs::read(&output).unwrap_or_default();
        let _ = fs::remove_file(&output);
        let useless = |reason: String| Err(SandboxError::Useless(reason));
        match status {
            Ok(Some(status)) if status.success() => Ok(()),
            Ok(Some(_)) => useless(String::from_utf8_lossy(&said).trim().to_owned()),
            Ok(None) => useless("it does not come to an end".to_owned()),
            Err(error) => useless(error.to_string()),
        }
    }

    /// A command that runs a program in the sandbox. It reads the given files and folders wherever
    /// they are, and writes into one folder.
    pub fn command(
        &self,
        program: &Path,
        folder: &Path,
        readable: &[PathBuf],
    ) -> Result<Command, ProcessError> {
        let mut command = Command::new(&self.program);
        command.args(options());
        // Later ones lie over earlier ones, so the folder that can be written comes last.
        for path in readable {
            if let Ok(real) = path.canonicalize() {
                command.arg("--ro-bind").arg(real).arg(path);
            }
        }
        let real = folder.canonicalize().map_err(ProcessError::file(folder))?;
        command.arg("--bind").arg(&real).arg(folder);
        command.arg("--chdir").arg(folder).arg("--").arg(program);
        command.env_clear();
        for variable in VARIABLES {
            if let Some(value) = env::var_os(variable) {
                command.env(variable, value);
            }
        }
        if let Some(home) = home() {
            command.env("HOME", home);
        }
        Ok(command)
    }
}

/// What is the same for all programs.
fn options() -> Vec<OsString> {
    let mut options: Vec<OsString> = CONFINEMENT.map(OsString::from).into();
    options.push("/proc".into());
    let empty = EMPTY.map(PathBuf::from).into_iter().chain(home());
    // A link to another of them cannot be covered, and need not be.
    for folder in empty.filter(|folder| folder.is_dir() && !folder.is_symlink()) {
        options.push("--tmpfs".into());
        options.push(folder.into());
    }
    options
}

/// The home folder, unless it is one that everything is in.
fn home() -> Option<PathBuf> {
    let home = PathBuf::from(env::var_os("HOME")?);
    let fits = home.is_absolute()
        && home
            .canonicalize()
            .is_ok_and(|real| real.parent().is_some());
    fits.then_some(home)
}

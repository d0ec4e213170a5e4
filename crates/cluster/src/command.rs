//! `worker`, as the command line runs it: the one who works, or a process of it.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use heapwright_engine::Interrupt;
use heapwright_store::Parts;
use heapwright_testgen::Request;

use crate::arguments::WorkerArguments;
use crate::link::ClusterError;
use crate::process::{Opened, Received, compute};
use crate::protocol::Tool;
use crate::worker::{WorkerOptions, unique_name, work};

/// The bytes of the files of programs that a worker keeps, at most, but for those in use.
const LIMIT: u64 = 10 << 30;

/// What a worker needs to know about the program that it is part of.
pub struct Work<'w> {
    /// Finds out which program file it is.
    pub tool: &'w dyn Fn() -> Result<Tool, String>,
    /// Where files are kept; without it, in a folder that goes away with the worker.
    pub folder: Option<PathBuf>,
    /// Ends it, or a search.
    pub interrupt: Interrupt,
    /// Opens a program that was sent.
    pub open: &'w dyn Fn(Received<'_>, Request) -> Result<Opened, String>,
    /// Ends the process at once.
    pub end: fn() -> !,
    /// Tells whoever looks on.
    pub say: &'w (dyn Fn(&str) + Sync),
}

/// The file of this program, even if another one has taken its place: what it searches goes by its
/// content.
fn own_program() -> io::Result<PathBuf> {
    let running = PathBuf::from("/proc/self/exe");
    match running.exists() {
        true => Ok(running),
        false => std::env::current_exe(),
    }
}

/// Runs a worker, or a process that searches for one.
pub fn run(arguments: &WorkerArguments, work_at: Work<'_>) -> Result<(), ClusterError> {
    if arguments.compute {
        return Ok(compute(&work_at.interrupt, work_at.open, work_at.end)?);
    }
    let name = unique_name();
    let passing = std::env::temp_dir().join(format!("heapwright-{name}"));
    let folder = work_at.folder.clone();
    let mut words = vec![
        OsString::from("worker"),
        "--compute".into(),
        "--memory".into(),
        arguments.memory.to_string().into(),
    ];
    for (option, value) in [("--jdk", &arguments.jdk), ("--cache", &arguments.cache)] {
        if let Some(value) = value {
            words.extend([option.into(), value.into()]);
        }
    }
    let options = WorkerOptions {
        name,
        jobs: arguments.jobs,
        tool: (work_at.tool)().map_err(io::Error::other)?,
        program: own_program()?,
        arguments: words,
        parts: Parts::new(folder.as_ref().unwrap_or(&passing), LIMIT),
        lease: arguments.lease(),
        interrupt: work_at.interrupt,
    };
    let worked = work(&arguments.server(), options, work_at.say);
    if folder.is_none() {
        let _ = std::fs::remove_dir_all(passing);
    }
    worked
}

//! Tests of C in processes of their own, under limits of time, memory and output.

use std::ffi::OsStr;
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use heapwright_sandbox::{Confinement, ProcessError};
use heapwright_testgen::{Error, VerificationError};

/// How long one test may run, if nobody says so.
const USUAL_TIME: Duration = Duration::from_secs(20);

/// Longer than anybody waits.
const FOREVER: Duration = Duration::from_secs(365 * 24 * 3600);

/// Megabytes of memory for one test, if nobody says so.
const USUAL_MEMORY: u32 = 1024;

/// A process needs this many megabytes before it does anything.
const LEAST_MEMORY: u32 = 64;

/// What a test may write into one file, in blocks of 512 bytes.
const MOST_BLOCKS: u32 = 200_000;

/// What is read of the output of a test.
const MOST_OUTPUT: u64 = 1 << 20;

/// The limits of processes: what a shell sets, it and its successor keep.
const LIMITED: &str = "ulimit -c 0; ulimit -f \"$1\"; [ -z \"$2\" ] || ulimit -v \"$2\"; \
                       shift 2; exec \"$@\"";

/// Variables that tell sanitizers how much memory the program may have: they reserve much more
/// addresses than they use, so that a limit on addresses is of no use.
const SANITIZERS: [&str; 2] = ["ASAN_OPTIONS", "MSAN_OPTIONS"];

/// The signal of `abort`.
const SIGABRT: i32 = 6;

/// What the processes of tests may do.
pub(crate) struct Runner<'a> {
    confinement: &'a Confinement,
    time: Duration,
}

/// How a process ended.
pub(crate) struct Ran {
    /// Whether it ended by itself, and successfully.
    pub succeeded: bool,
    /// Whether it gave up by itself (`abort`).
    pub aborted: bool,
    /// What it printed, at least the beginning.
    pub output: Vec<u8>,
}

impl<'a> Runner<'a> {
    /// With the time for one test; none at all for zero.
    pub fn new(confinement: &'a Confinement, time: Option<Duration>) -> Runner<'a> {
        let time = match time {
            None => USUAL_TIME,
            Some(Duration::ZERO) => FOREVER,
            Some(time) => time.min(FOREVER),
        };
        Runner { confinement, time }
    }

    /// Runs a program in its folder with one argument, and with the name of the file into which
    /// coverage is written.
    pub fn run(
        &self,
        program: &Path,
        folder: &Path,
        argument: &str,
        is_sanitized: bool,
        profile: &Path,
    ) -> Result<Ran, Error> {
        let shell = Path::new("/bin/sh");
        let mut command = match &self.confinement.sandbox {
            None => Command::new(shell),
            Some(sandbox) => sandbox.command(shell, folder, &[]).map_err(failed)?,
        };
        let memory = self.confinement.memory.unwrap_or(USUAL_MEMORY);
        let memory = memory.max(LEAST_MEMORY);
        let addresses = match is_sanitized {
            true => String::new(),
            false => (u64::from(memory) * 1024).to_string(),
        };
        let words = ["-c", LIMITED, "sh", &MOST_BLOCKS.to_string(), &addresses];
        command.args(words).arg(program).arg(argument);
        for variable in SANITIZERS {
            // An allocation that no memory could hold returns null, as it does elsewhere.
            let options = format!("hard_rss_limit_mb={memory}:allocator_may_return_null=1");
            command.env(variable, options);
        }
        command.env("LLVM_PROFILE_FILE", profile.as_os_str());
        let output = folder.join("output");
        let deadline = Instant::now() + self.time;
        let status = heapwright_sandbox::run(&mut command, &output, deadline).map_err(failed)?;
        Ok(Ran {
            succeeded: status.is_some_and(|status| status.success()),
            // A sandbox tells of signals as shells do.
            aborted: status.is_some_and(|status| {
                status.signal() == Some(SIGABRT) || status.code() == Some(128 + SIGABRT)
            }),
            output: beginning(&output),
        })
    }
}

/// The beginning of a file; nothing if it cannot be read.
fn beginning(file: &Path) -> Vec<u8> {
    let mut text = Vec::new();
    if let Ok(file) = std::fs::File::open(file) {
        let _ = file.take(MOST_OUTPUT).read_to_end(&mut text);
    }
    text
}

fn failed(error: ProcessError) -> Error {
    let source = match error {
        ProcessError::File { error, .. } | ProcessError::Start { error, .. } => error,
    };
    VerificationError::Run(source).into()
}

/// Whether a program is one that a sanitizer watches.
pub(crate) fn is_sanitized(flags: &[impl AsRef<OsStr>]) -> bool {
    let mut flags = flags.iter().map(|flag| flag.as_ref().to_string_lossy());
    flags.any(|flag| flag.starts_with("-fsanitize="))
}

//! Running a program under a limit.

use crate::error::ProcessError;
use std::fs::File;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long to sleep between two looks at a running program.
const PAUSE: Duration = Duration::from_millis(5);

/// Runs a command until it ends, or until the deadline, at which it is killed; then there is no
/// status. What it prints goes to a file.
pub fn run(
    command: &mut Command,
    output: &Path,
    deadline: Instant,
) -> Result<Option<ExitStatus>, ProcessError> {
    let file = File::create(output).map_err(ProcessError::file(output))?;
    let errors = file.try_clone().map_err(ProcessError::file(output))?;
    command.stdin(Stdio::null()).stdout(file).stderr(errors);
    let program = command.get_program().into();
    let failed = |error| ProcessError::Start { program, error };
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Err(failed(error)),
    };
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(Some(status)),
            Ok(None) if Instant::now() < deadline => thread::sleep(PAUSE),
            Ok(None) => {
                // It may have ended by itself in the meantime; either way it is gone afterwards.
                let _ = child.kill();
                let _ = child.wait();
                return Ok(None);
            }
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed(error));
            }
        }
    }
}

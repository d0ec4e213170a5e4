//! Running programs of a JDK under a limit.

use super::error::VerifyError;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::Instant;

/// Variables with which the environment changes what a Java virtual machine does.
const VARIABLES: [&str; 4] = [
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS",
    "CLASSPATH",
];

/// Runs a command until it ends, or until the deadline; what it prints goes to a file.
pub(super) fn run(
    command: &mut Command,
    output: &Path,
    deadline: Instant,
) -> Result<Option<ExitStatus>, VerifyError> {
    for variable in VARIABLES {
        command.env_remove(variable);
    }
    Ok(heapwright_sandbox::run(command, output, deadline)?)
}

//! Running the real binary.

pub mod javac;
pub mod outputs;
pub mod project;

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// What a run of the binary did.
pub struct Run {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
}

/// The arguments with `-v` for `generate`, unless they say how much is printed: tests look at
/// inputs and verdicts, which are summed up where there are many.
fn in_detail<'a>(arguments: &[&'a str]) -> Vec<&'a str> {
    let says = |word: &&str| ["-q", "--quiet", "-v", "-vv", "--verbose"].contains(word);
    match arguments {
        ["generate", rest @ ..] if !rest.iter().any(says) => [&["generate", "-v"], rest].concat(),
        _ => arguments.to_vec(),
    }
}

/// Runs the binary in the root of the repository, in detail.
pub fn heapwright(arguments: &[&str]) -> Run {
    as_typed(&in_detail(arguments))
}

/// Runs the binary in the root of the repository as somebody types it, for what is shown to people.
pub fn as_typed(arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_heapwright"))
        .args(arguments)
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .expect("the binary starts");
    Run {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("the output is text"),
        stderr: String::from_utf8(output.stderr).expect("the messages are text"),
    }
}

/// The root of the repository.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

//! Transcripts: what the binary prints, command by command.
//!
//! A file in `tests/transcripts` is a sequence of commands, each behind `$ heapwright`, with the
//! standard output below, then the standard error, then the exit code unless it is 0.
//! `UPDATE_EXPECT=1 cargo test` writes the files anew, to be reviewed as a diff.

use std::fmt::Write;

use crate::common::{as_typed, root};
use expect_test::expect_file;

const PROMPT: &str = "$ heapwright ";

#[test]
fn transcripts_are_as_recorded() {
    let folder = root().join("crates/cli/tests/transcripts");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder exists")
        .map(|entry| entry.expect("the folder can be read").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty());
    for path in paths {
        let recorded = std::fs::read_to_string(&path).expect("a transcript is text");
        let commands = recorded
            .lines()
            .filter_map(|line| line.strip_prefix(PROMPT));
        let replayed: String = commands.map(replay).collect();
        expect_file![path].assert_eq(&replayed);
    }
}

/// Runs a command and writes down what it does.
fn replay(command: &str) -> String {
    let words = words(command);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let run = as_typed(&words);
    let mut text = format!("{PROMPT}{command}\n{}{}", run.stdout, run.stderr);
    if run.code != 0 {
        let _ = writeln!(text, "[exit code {}]", run.code);
    }
    text.push('\n');
    text
}

/// The words of a command; single quotes hold a word together.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (position, piece) in command.split('\'').enumerate() {
        if position % 2 == 1 {
            words.push(piece.to_owned());
        } else {
            words.extend(piece.split_whitespace().map(str::to_owned));
        }
    }
    words
}

//! The line that shows how far a search is: on a terminal, and nowhere else.

#![cfg(unix)]

use std::process::{Command, Stdio};

use crate::common::{as_typed, root};

const GENERATE: &str = "generate examples/impl/search_tree.impl#remove";

/// What a terminal gets to see. `script` is part of util-linux, which every system has.
fn on_a_terminal(options: &str) -> String {
    let line = format!("{} {GENERATE} {options}", env!("CARGO_BIN_EXE_heapwright"));
    let output = Command::new("script")
        .args(["--quiet", "--return", "--command", &line, "/dev/null"])
        .current_dir(root())
        .stdin(Stdio::null())
        .output()
        .expect("script starts");
    assert!(output.status.success());
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn a_terminal_shows_how_far_the_search_is() {
    let seen = on_a_terminal("");
    let line = seen
        .split("\r\x1b[K")
        .find(|part| part.starts_with("remove: "));
    let line = line.unwrap_or_else(|| panic!("{seen}"));
    for part in [" of 12 branches, ", " tests, ", " of 60 s"] {
        assert!(line.contains(part), "{part} is missing in {line}");
    }
    // The line is gone in the end.
    let after = seen.rsplit("\r\x1b[K").next().unwrap_or_default();
    assert!(after.contains("12 of 12 branches covered"), "{seen}");
    assert!(!on_a_terminal("-q").contains("remove: "));
    assert!(on_a_terminal("-v").contains("remove: "));
}

#[test]
fn a_pipe_sees_results_only() {
    let words: Vec<&str> = GENERATE.split_whitespace().collect();
    let run = as_typed(&words);
    assert_eq!((run.code, &*run.stderr), (0, ""));
    assert!(!run.stdout.contains('\x1b'), "{}", run.stdout);
}

#[test]
fn less_and_more_is_printed_when_asked_for() {
    let words: Vec<&str> = GENERATE.split_whitespace().collect();
    let lines = |option: &[&str]| as_typed(&[&words, option].concat()).stdout.lines().count();
    let (quiet, normal, verbose) = (lines(&["-q"]), lines(&[]), lines(&["-vv"]));
    assert!(
        quiet < normal && normal < verbose,
        "{quiet} {normal} {verbose}"
    );
    assert_eq!(quiet, 2);
}

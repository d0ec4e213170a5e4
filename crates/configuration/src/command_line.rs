//! A command line as a report names it: what decides the results, and nothing else.

use std::ffi::OsString;

use clap::Command;

use crate::guard::{OUTPUTS, RUNNING};

/// Options that decide how much is printed, or how fast.
const ASIDE: [&str; 6] = ["quiet", "verbose", "times", "findings", "jobs", "config"];

/// The words of a command line without options for outputs, for what is run and kept, and for what
/// is printed: two runs with the same results have the same words.
pub fn deciding(command: &Command, words: &[OsString]) -> Vec<String> {
    let takes_value = |name: &str| {
        let mut arguments = command.get_arguments();
        let argument = arguments.find(|argument| argument.get_long() == Some(name));
        argument.is_some_and(|argument| argument.get_action().takes_values())
    };
    let aside = |name: &str| [&OUTPUTS[..], &RUNNING, &ASIDE].concat().contains(&name);
    let mut kept = Vec::new();
    let mut words = words.iter().map(|word| word.to_string_lossy().into_owned());
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word);
            kept.extend(words.by_ref());
            break;
        }
        // `-v`, `-vv` and `-q`.
        let is_short = word.len() > 1 && word.starts_with('-') && !word.starts_with("--");
        if is_short && word[1..].chars().all(|letter| "vq".contains(letter)) {
            continue;
        }
        let Some(option) = word.strip_prefix("--") else {
            kept.push(word);
            continue;
        };
        let (name, has_value) = match option.split_once('=') {
            Some((name, _)) => (name, true),
            None => (option, false),
        };
        if !aside(name) {
            kept.push(word);
        } else if takes_value(name) && !has_value {
            words.next();
        }
    }
    kept.iter().map(|word| quoted(word)).collect()
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./=:,+@%".contains(letter);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::{Arg, ArgAction};

    #[test]
    fn only_what_decides_is_left() {
        let command = Command::new("generate")
            .arg(Arg::new("out").long("out"))
            .arg(Arg::new("jobs").long("jobs"))
            .arg(Arg::new("mode").long("mode"))
            .arg(Arg::new("verify").long("verify").action(ArgAction::SetTrue));
        let check = |line: &str, expected: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(deciding(&command, &words).join(" "), expected, "{line}");
        };
        check("a.B -c x --out tests --mode spec", "a.B -c x --mode spec");
        check("--jobs=2 --verify a.B -vv -q", "a.B");
        check("a.B#m(int) --out=x", "'a.B#m(int)'");
        check("f.c --out x -- -I --out", "f.c -- -I --out");
        check("it's", r"'it'\''s'");
    }
}

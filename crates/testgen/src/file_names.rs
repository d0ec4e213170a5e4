//! Names that come from an input and become names of files.
//!
//! A class file may give its class any name. What is written stays inside of the folder that was
//! asked for, under a name that every system can have, or is not written at all.

use std::path::{Path, PathBuf};

use crate::error::{Error, FileError};

/// The longest part of a path. Systems allow 255 bytes; a file that is being written has a longer
/// name for a moment.
const LONGEST_PART: usize = 200;

/// The longest name, with all of its folders.
const LONGEST: usize = 2_000;

/// Names that mean devices on some systems, with any ending.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// The file with a name below a folder. Parts of the name are separated by `/`.
pub fn safe_join(folder: &Path, name: &str) -> Result<PathBuf, Error> {
    match objection(name) {
        None => Ok(folder.join(name)),
        Some(objection) => Err(Error::File(FileError::Name {
            folder: folder.to_owned(),
            name: name.to_owned(),
            objection,
        })),
    }
}

/// What is wrong with a name, if anything is.
pub fn objection(name: &str) -> Option<&'static str> {
    if name.len() > LONGEST {
        return Some("the name is too long");
    }
    name.split('/').find_map(part_objection)
}

fn part_objection(part: &str) -> Option<&'static str> {
    if part.is_empty() {
        Some("a part of the name is empty")
    } else if matches!(part, "." | "..") {
        Some("the name leads out of the folder")
    } else if part.contains(['\\', ':']) {
        Some("the name has a character in it that separates folders or drives")
    } else if part.chars().any(char::is_control) {
        Some("the name has a control character in it")
    } else if part.len() > LONGEST_PART {
        Some("the name is too long")
    } else if cfg!(windows) && is_device(part) {
        Some("this is the name of a device")
    } else {
        None
    }
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).to_ascii_lowercase();
    DEVICES.contains(&stem.as_str())
}

/// A name as messages have it: in one line, and not longer than one.
pub fn shown(name: &str) -> String {
    let beginning: String = name.chars().take(60).collect();
    let dots = if beginning.len() < name.len() {
        "..."
    } else {
        ""
    };
    format!("{}{dots}", beginning.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_inside() {
        let folder = Path::new("out");
        let fine = [
            "A.java",
            "p/q/A.java",
            "a b/Ä-$1.java",
            "..a/b..",
            "con.java",
        ];
        for name in fine {
            if !cfg!(windows) {
                assert_eq!(
                    safe_join(folder, name).ok(),
                    Some(folder.join(name)),
                    "{name}"
                );
            }
        }
        let long = "a".repeat(LONGEST_PART + 1);
        let deep = "a/".repeat(LONGEST) + "b";
        let refused = [
            "",
            "..",
            "../x",
            "../../x",
            "a/../../b",
            "a/..",
            "./a",
            "/etc/x",
            "a//b",
            "a/",
            "a\\b",
            "..\\x",
            "C:x",
            "a\nb",
            "a\rb",
            "a\u{0}b",
            "a\u{7f}",
            "a\tb",
            &long,
            &deep,
        ];
        for name in refused {
            let error = safe_join(folder, name).expect_err(name).to_string();
            assert!(
                error.starts_with("no file below out can be called `"),
                "{error}"
            );
            assert!(!error.contains(char::is_control), "{error:?}");
        }
    }

    #[test]
    fn devices_are_known_by_their_stems() {
        for part in ["con", "CON.java", "nul.txt", "Aux"] {
            assert!(is_device(part), "{part}");
        }
        assert!(!is_device("Container.java"));
    }
}

//! The formatter on every specification of the repository.

use std::path::{Path, PathBuf};

use heapwright_lsp::format;
use proptest::prelude::*;

/// Folders with specifications.
const FOLDERS: [&str; 4] = ["library", "examples", "subjects", "crates"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn collect(folder: &Path, texts: &mut Vec<(PathBuf, String)>) {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, texts);
        } else if path.extension().is_some_and(|ending| ending == "sl") {
            // Some of the wrong ones are no text.
            if let Ok(text) = std::fs::read_to_string(&path) {
                texts.push((path, text));
            }
        }
    }
}

fn texts() -> Vec<(PathBuf, String)> {
    let mut texts = Vec::new();
    for folder in FOLDERS {
        collect(&root().join(folder), &mut texts);
    }
    texts
}

#[test]
fn once_is_enough_and_nothing_but_white_space_changes() {
    let texts = texts();
    let mut formatted = 0;
    for (path, text) in &texts {
        let Some(once) = format(text) else {
            continue;
        };
        formatted += 1;
        assert_eq!(format(&once).as_ref(), Some(&once), "{}", path.display());
        let ink = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(ink(&once), ink(text), "{}", path.display());
    }
    assert!(
        formatted > 90 && texts.len() > 120,
        "{formatted} of {}",
        texts.len()
    );
}

#[test]
fn what_people_read_is_formatted() {
    for (path, text) in texts() {
        let is_shown = ["library", "examples"]
            .iter()
            .any(|folder| path.starts_with(root().join(folder)));
        if !is_shown {
            continue;
        }
        let formatted = format(&text).unwrap_or_else(|| panic!("{}", path.display()));
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, formatted).expect("the file is written");
        } else {
            assert_eq!(formatted, text, "{} (UPDATE_EXPECT=1)", path.display());
        }
    }
}

/// The text with other spaces inside of its lines and in front of them. What is behind `//` is left
/// alone, and so is what may be a path, an end of a quantifier or the room behind `pre`.
fn respaced(text: &str, mut wide: impl FnMut() -> usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let code = line.find("//").map_or(line, |at| line[..at].trim_end());
        out.extend(std::iter::repeat_n(' ', wide()));
        for (at, piece) in code.trim_start().split(' ').enumerate() {
            if at > 0 {
                let keep = out.ends_with("pre") || piece.is_empty();
                out.extend(std::iter::repeat_n(
                    ' ',
                    if keep { 1 } else { wide().max(1) },
                ));
            }
            out.push_str(piece);
        }
        out.push_str(&line[code.len()..]);
        out.push('\n');
    }
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn spaces_do_not_matter(which in any::<prop::sample::Index>(), widths in prop::collection::vec(0usize..6, 64)) {
        let texts = texts();
        let (path, text) = which.get(&texts);
        // Texts inside of block comments stay as they are, so their lines cannot be moved.
        if let Some(expected) = format(text).filter(|_| !text.contains("/*")) {
            let mut widths = widths.iter().cycle();
            let changed = respaced(text, || widths.next().copied().unwrap_or(1));
            prop_assert_eq!(format(&changed), Some(expected), "{}", path.display());
        }
    }

    #[test]
    fn no_text_is_too_strange(text in "[a-z(){}:;=.,|&*!/ \n\"'#<>?-]{0,60}") {
        if let Some(once) = format(&text) {
            prop_assert_eq!(format(&once), Some(once.clone()), "{:?}", text);
        }
    }
}

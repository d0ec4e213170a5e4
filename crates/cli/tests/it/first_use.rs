//! docs/FIRST-USE.md shows three first uses of the tool, each in an empty folder: every command of
//! the page is run here, in its order, and every output compared. What the issue promises of them
//! is checked: tests pass, take 90 % of the branches, and use no reflection.

use std::path::Path;
use std::process::Command;

use crate::common::root;
use heapwright_testgen::temporary::Temporary;

/// The parts of the page, each with the text below its heading.
fn parts(page: &str) -> Vec<(&str, &str)> {
    let parts = page.split("\n## ").skip(1);
    let parts = parts.filter_map(|part| part.split_once('\n'));
    parts.filter(|(_, text)| text.contains("\n$ ")).collect()
}

/// Blocks of code with what stands behind the three marks.
fn blocks(text: &str) -> Vec<(&str, &str)> {
    let pieces: Vec<&str> = text.split("```").collect();
    let inside = pieces.iter().skip(1).step_by(2);
    inside.filter_map(|block| block.split_once('\n')).collect()
}

/// Commands with the lines that they are shown to print.
fn commands(block: &str) -> Vec<(String, Vec<&str>)> {
    let mut commands: Vec<(String, Vec<&str>)> = Vec::new();
    for line in block.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
            (None, Some((_, shown))) => shown.push(line),
            (None, None) => panic!("output without a command: {line}"),
        }
    }
    commands
}

/// Whether the lines are those of the output, `...` standing for any.
fn shows(shown: &[&str], output: &str) -> Result<(), String> {
    let lines: Vec<&str> = output.lines().collect();
    let mut at = 0;
    let mut anywhere = false;
    for line in shown {
        if *line == "..." {
            anywhere = true;
            continue;
        }
        let found = match anywhere {
            true => lines[at..].iter().position(|other| other == line),
            false => (lines.get(at) == Some(line)).then_some(0),
        };
        let Some(found) = found else {
            return Err(format!("`{line}` is not in:\n{output}"));
        };
        at += found + 1;
        anywhere = false;
    }
    match anywhere || at == lines.len() {
        true => Ok(()),
        false => Err(format!("more is printed:\n{output}")),
    }
}

/// Runs a command of the page as a shell does, with this binary in front of others. Returns what it
/// printed, and its exit code.
fn run(command: &str, folder: &Path) -> (String, i32) {
    let binary = Path::new(env!("CARGO_BIN_EXE_heapwright"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = binary.parent().map(Path::to_owned).into_iter();
    let folders = folders.chain(std::env::split_paths(&path));
    let ended = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", std::env::join_paths(folders).expect("a path"))
        .env("HEAPWRIGHT_CACHE", "none")
        .output()
        .expect("a shell starts");
    let text = String::from_utf8_lossy(&ended.stdout).into_owned();
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(errors.is_empty(), "{command}: {errors}");
    (text, ended.status.code().unwrap_or(-1))
}

/// `17 of 18` in front of some words.
fn share(output: &str, words: &str) -> Option<(u32, u32)> {
    let line = output.lines().find(|line| line.contains(words))?;
    let before: Vec<&str> = line.split(words).next()?.split_whitespace().collect();
    let [.., covered, "of", all] = before[..] else {
        return None;
    };
    Some((covered.parse().ok()?, all.parse().ok()?))
}

#[test]
fn three_first_uses_go_as_the_page_says() {
    let page = std::fs::read_to_string(root().join("docs/FIRST-USE.md")).expect("a page");
    let parts = parts(&page);
    assert_eq!(parts.len(), 3);
    for (number, (title, text)) in parts.into_iter().enumerate() {
        let folder = Temporary::named(&std::env::temp_dir(), &format!("first-use-{number}"));
        std::fs::create_dir_all(folder.path()).expect("a folder");
        let mut least = None;
        for (kind, block) in blocks(text) {
            if let Some(file) = kind.strip_prefix("java ").or(kind.strip_prefix("c ")) {
                let kept = root().join("examples/first-use").join(file);
                let kept = std::fs::read_to_string(kept).expect(file);
                assert_eq!(kept, block, "{title}: examples/first-use/{file}");
                std::fs::write(folder.path().join(file), block).expect("a file is written");
                continue;
            }
            if !block.starts_with("$ ") {
                continue;
            }
            for (command, mut shown) in commands(block) {
                let code = shown
                    .last()
                    .and_then(|last| last.strip_prefix("exit code "));
                let code = code.map_or(0, |code| code.parse().expect("a number"));
                if code != 0 {
                    shown.pop();
                }
                let (output, ended) = run(&command, folder.path());
                assert_eq!(ended, code, "{title}: {command}\n{output}");
                assert_eq!(shows(&shown, &output), Ok(()), "{title}: {command}");
                if let Some((covered, all)) = share(&output, " branches covered") {
                    assert!(covered * 10 >= all * 9, "{title}: {output}");
                    least = Some((covered, all));
                }
            }
        }
        assert!(least.is_some(), "{title}: no tests");
        let tests = folder.path().join("tests");
        for entry in std::fs::read_dir(&tests).expect("tests are written") {
            let file = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&file).expect("a test");
            for word in ["java.lang.reflect", "setAccessible", "getDeclaredField"] {
                assert!(!text.contains(word), "{}: {word}", file.display());
            }
        }
    }
}

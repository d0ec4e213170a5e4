//! The tutorial for C shows real output: every command in it is run.

use crate::common::{as_typed, root};
use heapwright_testgen::temporary::Temporary;

/// The output that a block shows, in which `...` stands for any lines: whether the lines are in the
/// output, in this order.
fn shows(shown: &[&str], output: &str) -> Result<(), String> {
    let mut rest = output.lines();
    let mut anywhere = false;
    for line in shown {
        if *line == "..." {
            anywhere = true;
            continue;
        }
        let found = match anywhere {
            true => rest.any(|other| other == *line),
            false => rest.next() == Some(*line),
        };
        if !found {
            return Err(format!("`{line}` is not in:\n{output}"));
        }
        anywhere = false;
    }
    Ok(())
}

#[test]
fn the_tutorial_for_c_shows_what_the_binary_prints() {
    let text = std::fs::read_to_string(root().join("docs/C-TUTORIAL.md")).expect("a tutorial");
    let out = Temporary::named(&std::env::temp_dir(), "c-tutorial");
    let folder = out.path().display().to_string();
    let mut replayed = 0;
    for block in text
        .split("```\n")
        .filter(|block| block.starts_with("$ heapwright "))
    {
        let (command, shown) = block.split_once('\n').expect("a command and its output");
        let words: Vec<&str> = (command.split(' ').skip(2))
            .map(|word| if word == "OUT" { &folder } else { word })
            .collect();
        let mut lines: Vec<&str> = shown.lines().collect();
        let code = match lines
            .last()
            .and_then(|last| last.strip_prefix("exit code "))
        {
            Some(code) => {
                lines.pop();
                code.parse().expect("a number")
            }
            None => 0,
        };
        let run = as_typed(&words);
        assert_eq!(run.code, code, "{command}\n{}{}", run.stdout, run.stderr);
        let result = shows(&lines, &run.stdout);
        assert_eq!(result, Ok(()), "{command}");
        replayed += 1;
    }
    assert_eq!(replayed, 6);
}

#[test]
fn the_tutorial_for_c_quotes_its_files() {
    let read = |name: &str| std::fs::read_to_string(root().join(name)).expect("a file");
    let text = read("docs/C-TUTORIAL.md");
    let sources = [
        read("examples/c/tutorial/stock.c"),
        read("examples/c/tutorial/fixed.c"),
    ]
    .concat();
    let quoted = text.split("```c\n").skip(1).take(2);
    for block in quoted {
        let block = block.split("```").next().expect("an end");
        for line in block.lines() {
            assert!(sources.lines().any(|other| other == line), "{line}");
        }
    }
}

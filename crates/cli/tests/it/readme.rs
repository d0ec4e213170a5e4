//! The README shows real output: every transcript in it is replayed.

use crate::common::{as_typed, root};

#[test]
fn the_readme_shows_what_the_binary_prints() {
    let text = std::fs::read_to_string(root().join("README.md")).expect("a README");
    let blocks = text
        .split("```\n")
        .filter(|block| block.starts_with("$ heapwright "));
    let mut replayed = 0;
    for block in blocks {
        let (command, expected) = block.split_once('\n').expect("a command and its output");
        let words: Vec<&str> = command.split(' ').skip(2).collect();
        let run = as_typed(&words);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{command}");
        assert_eq!(run.stdout, expected, "{command}");
        replayed += 1;
    }
    assert!(replayed > 0);
    // The specification that the README quotes is the one in the repository.
    let questions = std::fs::read_to_string(root().join("examples/questions.sl")).expect("a file");
    let quoted = questions.split_once("\n\n").expect("a comment first").1;
    assert!(
        text.contains(quoted),
        "the README quotes another examples/questions.sl"
    );
}

//! `docs/ARCHITECTURE.md` is only of use while it is true: every path it names must exist.

use std::path::Path;

#[test]
fn every_path_named_in_the_architecture_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let text = std::fs::read_to_string(root.join("docs/ARCHITECTURE.md")).expect("the page exists");
    // Paths are the pieces between backticks that contain a slash and no space.
    let paths: Vec<&str> = (text.split('`').skip(1).step_by(2))
        .filter(|piece| piece.contains('/') && !piece.contains(char::is_whitespace))
        .collect();
    assert!(
        paths.len() > 10,
        "the code map names paths, found {paths:?}"
    );
    let missing: Vec<&&str> = paths
        .iter()
        .filter(|path| !root.join(path).exists())
        .collect();
    assert!(
        missing.is_empty(),
        "docs/ARCHITECTURE.md names what does not exist: {missing:?}"
    );
}

//! Paths without detours.

use std::path::{Component, Path, PathBuf};

/// The path without detours, so that a file has one name however it is reached.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if plain.file_name().is_some() => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_one_name_however_it_is_reached() {
        let check = |path, expected| assert_eq!(plain(Path::new(path)), Path::new(expected));
        check("./a/../b/./c.sl", "b/c.sl");
        check("../x/../../c.sl", "../../c.sl");
        check("a//b.sl", "a/b.sl");
    }
}

//! Which files have changed since somebody looked.
//!
//! Folders are looked through and files compared by length and time of their last change. That sees
//! what a compiler in a container or a network drive has written, which no message of the kernel
//! tells, and needs no thread and no crate; a folder of ten thousand classes takes some milliseconds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Folders within folders are looked at down to this depth.
const DEPTH: usize = 40;

/// So many files are watched at most.
const MOST: usize = 100_000;

/// Files and folders that are watched, and what was seen there.
#[derive(Clone, Debug)]
pub struct Watched {
    roots: Vec<PathBuf>,
    endings: Vec<String>,
    seen: Seen,
}

type Seen = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

impl Watched {
    /// Watches files, and in folders the files with one of the endings; what does not exist may come
    /// later.
    pub fn new(roots: Vec<PathBuf>, endings: &[&str]) -> Watched {
        let endings: Vec<String> = endings.iter().map(|ending| (*ending).to_owned()).collect();
        let seen = look(&roots, &endings);
        Watched {
            roots,
            endings,
            seen,
        }
    }

    /// How many files are watched.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Whether there is no file.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    /// The files that were changed, added or removed since the last look.
    pub fn changed(&mut self) -> Vec<PathBuf> {
        let now = look(&self.roots, &self.endings);
        let gone = self.seen.keys().filter(|file| !now.contains_key(*file));
        let new = (now.iter()).filter(|(file, state)| self.seen.get(*file) != Some(*state));
        let mut changed: Vec<PathBuf> = gone.chain(new.map(|(file, _)| file)).cloned().collect();
        changed.sort();
        self.seen = now;
        changed
    }
}

fn look(roots: &[PathBuf], endings: &[String]) -> Seen {
    let mut seen = Seen::new();
    for root in roots {
        match root.is_dir() {
            true => folder(root, endings, DEPTH, &mut seen),
            false => file(root, &mut seen),
        }
    }
    seen
}

/// The files of a folder. Links to folders are not followed, so there are no circles; hidden folders
/// are those of tools.
fn folder(path: &Path, endings: &[String], depth: usize, seen: &mut Seen) {
    let Ok(entries) = std::fs::read_dir(path) else {
        return;
    };
    for entry in entries.flatten() {
        if seen.len() >= MOST {
            return;
        }
        let name = entry.file_name();
        let is_hidden = name.to_string_lossy().starts_with('.');
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            if depth > 0 && !is_hidden {
                folder(&path, endings, depth - 1, seen);
            }
            continue;
        }
        let ending = path.extension().map(|ending| ending.to_string_lossy());
        if ending.is_some_and(|ending| endings.iter().any(|known| *known == ending)) {
            file(&path, seen);
        }
    }
}

fn file(path: &Path, seen: &mut Seen) {
    if let Ok(known) = std::fs::metadata(path)
        && known.is_file()
    {
        seen.insert(path.to_owned(), (known.len(), known.modified().ok()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::temporary::Temporary;
    use std::fs;

    #[test]
    fn changes_additions_and_removals_are_seen_once() {
        let temporary = Temporary::named(&std::env::temp_dir(), "watched");
        let root = temporary.path();
        fs::create_dir_all(root.join("a/b")).expect("folders");
        fs::create_dir_all(root.join(".git")).expect("folders");
        let put = |name: &str, text: &str| fs::write(root.join(name), text).expect(name);
        put("a/b/A.class", "1");
        put("a/notes.txt", "1");
        put(".git/B.class", "1");
        let alone = root.join("spec.sl");
        let mut watched = Watched::new(vec![root.join("a"), alone.clone()], &["class"]);
        assert_eq!(watched.len(), 1);
        assert_eq!(watched.changed(), Vec::<PathBuf>::new());
        put("a/b/A.class", "22");
        put("a/C.class", "1");
        put("a/notes.txt", "22");
        put("spec.sl", "emp");
        let expected = [root.join("a/C.class"), root.join("a/b/A.class"), alone];
        assert_eq!(watched.changed(), expected);
        assert!(watched.changed().is_empty());
        fs::remove_file(root.join("a/C.class")).expect("a file");
        assert_eq!(watched.changed(), [root.join("a/C.class")]);
    }

    #[test]
    fn a_folder_that_is_not_there_may_come() {
        let temporary = Temporary::named(&std::env::temp_dir(), "watched-later");
        let folder = temporary.path().join("classes");
        let mut watched = Watched::new(vec![folder.clone()], &["class"]);
        assert!(watched.is_empty());
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join("A.class"), "1").expect("a file");
        assert_eq!(watched.changed(), [folder.join("A.class")]);
    }
}

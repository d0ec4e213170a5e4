//! All that a run writes and says, to be compared with another run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Output;

/// What a run writes, by name, and what it says.
pub struct Outputs {
    pub files: BTreeMap<String, Vec<u8>>,
    pub said: String,
    pub complaints: String,
}

impl Outputs {
    /// What a run has written into a folder.
    pub fn of(output: Output, folder: &str) -> Outputs {
        let mut files = BTreeMap::new();
        read_all(Path::new(folder), "", &mut files);
        Outputs {
            files,
            said: String::from_utf8(output.stdout).expect("text"),
            complaints: String::from_utf8(output.stderr).expect("text"),
        }
    }

    /// The line about the store, and the rest.
    pub fn apart(&self) -> (Option<&str>, String) {
        let is_ours = |line: &&str| line.ends_with("from the cache");
        let others: Vec<&str> = self.said.lines().filter(|line| !is_ours(line)).collect();
        (self.said.lines().find(is_ours), others.join("\n"))
    }

    /// Whether all is the same but for the line about the store.
    pub fn check_same(&self, expected: &Outputs, what: &str) {
        let names = |run: &Outputs| run.files.keys().cloned().collect::<Vec<_>>();
        assert_eq!(names(self), names(expected), "{what}: {}", self.complaints);
        for (name, bytes) in &expected.files {
            assert!(self.files[name] == *bytes, "{what}: {name} differs");
        }
        assert_eq!(self.apart().1, expected.apart().1, "{what}");
        assert_eq!(self.complaints, expected.complaints, "{what}");
    }
}

fn read_all(folder: &Path, name: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = format!("{name}/{}", entry.file_name().to_string_lossy());
        match entry.path().is_dir() {
            true => read_all(&entry.path(), &name, files),
            false => {
                let bytes = fs::read(entry.path()).expect("a file");
                files.insert(name.trim_start_matches('/').to_owned(), bytes);
            }
        }
    }
}

//! Java classes, compiled for one test into a folder of their own.

use std::path::PathBuf;

use super::{javac, root};

/// A folder with classes, and room for whatever a test writes; it is removed at the end.
pub struct Project(PathBuf);

impl Project {
    /// Compiles files, named as from the root of the repository.
    pub fn of_files(test: &str, files: &[&str]) -> Project {
        let project = Project::empty(test);
        project.compile(files.iter().map(|file| root().join(file)));
        project
    }

    /// Compiles texts, each with the name of its file.
    pub fn of_texts(test: &str, texts: &[(&str, &str)]) -> Project {
        let project = Project::empty(test);
        let files = texts.iter().map(|(name, text)| project.write(name, text));
        project.compile(files.map(PathBuf::from));
        project
    }

    fn empty(test: &str) -> Project {
        let name = format!("heapwright-{test}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("classes")).expect("a folder");
        Project(folder)
    }

    fn compile(&self, files: impl Iterator<Item = PathBuf>) {
        let files: Vec<PathBuf> = files.collect();
        if !files.is_empty() {
            javac::compile(&javac::usual(), &["-g"], &self.0.join("classes"), &files);
        }
    }

    /// The place of a file or folder in it.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// The folder of the compiled classes.
    pub fn classes(&self) -> String {
        self.path("classes")
    }

    /// Writes a file, and gives its place.
    pub fn write(&self, name: &str, text: &str) -> String {
        let file = self.path(name);
        std::fs::write(&file, text).expect("a file");
        file
    }

    /// Reads a file.
    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect("a file")
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

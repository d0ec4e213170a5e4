//! Coverage in the formats that build servers and editors read: JaCoCo XML, Cobertura and LCOV.
//!
//! The writers start from lines and their conditional jumps. What a format wants beyond that
//! follows from them: a line counts as one instruction, because nothing is known about parts of
//! lines.

mod cobertura;
mod counter;
mod jacoco;
mod lcov;

use std::collections::BTreeMap;

pub use cobertura::cobertura;
pub use counter::Counter;
pub use jacoco::jacoco;
pub use lcov::lcov;

/// What was covered of a program.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// What the program is called.
    pub name: String,
    /// The folders that the names of files are relative to.
    pub sources: Vec<String>,
    /// Its methods.
    pub methods: Vec<Method>,
}

/// What was covered of one method.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Method {
    /// The source file, with folders: `trees/Tree.java`.
    pub file: String,
    /// Where that file is.
    pub path: String,
    /// The class, with the package in front: `trees/Tree$Node`.
    pub class: String,
    /// The name.
    pub name: String,
    /// What tells methods of the same name apart.
    pub descriptor: String,
    /// The first line.
    pub line: u32,
    /// How often it was called.
    pub calls: u64,
    /// The lines with code.
    pub lines: Vec<Line>,
}

/// What was covered of one line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// Its number.
    pub number: u32,
    /// How many tests executed it.
    pub hits: u64,
    /// Its conditional jumps: for each branch, how many tests took it.
    pub jumps: Vec<Vec<u64>>,
}

impl Line {
    /// How many branches were taken, and how many were not.
    pub fn branches(&self) -> Counter {
        let mut counter = Counter::default();
        for &taken in self.jumps.iter().flatten() {
            counter.add(taken > 0);
        }
        counter
    }
}

impl Coverage {
    /// How many branches were taken, and how many were not, in all.
    pub fn branches(&self) -> Counter {
        let lines = self.methods.iter().flat_map(|method| &method.lines);
        lines.map(Line::branches).sum()
    }

    /// The methods by the path of their file.
    fn files(&self) -> BTreeMap<&str, Vec<&Method>> {
        let mut files: BTreeMap<&str, Vec<&Method>> = BTreeMap::new();
        for method in &self.methods {
            files.entry(&method.path).or_default().push(method);
        }
        files
    }
}

/// The lines of several methods of one file, in order; what they share is put together.
fn merged(methods: &[&Method]) -> Vec<Line> {
    let mut lines: BTreeMap<u32, Line> = BTreeMap::new();
    for line in methods.iter().flat_map(|method| &method.lines) {
        let known = lines.entry(line.number).or_insert_with(|| Line {
            number: line.number,
            ..Line::default()
        });
        known.hits = known.hits.max(line.hits);
        known.jumps.extend(line.jumps.iter().cloned());
    }
    lines.into_values().collect()
}

/// The folder of a file or the package of a class: everything in front of the last slash.
fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last part of a path.
fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

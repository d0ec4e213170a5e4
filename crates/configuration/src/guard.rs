//! What the configuration file of a project may not do.
//!
//! The file belongs to whoever wrote the repository, which need not be the user. It says what is
//! tested, and how; it runs nothing, and writes nothing outside of its project. What it reads
//! elsewhere is named before it is read. The user says everything else: on the command line, or in
//! a configuration of his own.

use std::path::{Path, PathBuf};

use heapwright_files::configured::{PathError, check_input, check_output};

use crate::{Configuration, Mistake, Setting, TARGETS};

/// Options that run something, or decide what is run and how.
pub const RUNNING: [&str; 14] = [
    "cluster",
    "creds",
    "ca",
    "send-sources",
    "cache",
    "no-cache",
    "results",
    "shard",
    "jdk",
    "tools",
    "verify",
    "verify-time",
    "verify-memory",
    "sandbox",
];

/// Options that name what is written.
pub const OUTPUTS: [&str; 9] = [
    "out",
    "json",
    "svg",
    "dot",
    "report",
    "jacoco",
    "cobertura",
    "lcov",
    "sarif",
];

/// Options that name what is read.
pub const INPUTS: [&str; 5] = ["spec", "classpath", "sources", "specs", "compile-commands"];

/// Outputs that are folders.
pub const OUTPUT_FOLDERS: [&str; 4] = ["out", "svg", "dot", "report"];

/// What remains of a project's file: the rest of it was refused with a line for the user.
pub struct Guarded {
    /// What counts.
    pub configuration: Configuration,
    /// Keys that do not count, each with its reason.
    pub refused: Vec<String>,
}

/// Takes out of a project's file what it has no right to say; `own` is the user's own file, where
/// that may stand.
pub fn without_running(configuration: Configuration, own: Option<&Path>) -> Guarded {
    let Configuration {
        file,
        options,
        targets,
    } = configuration;
    let (running, options): (Vec<Setting>, Vec<Setting>) =
        (options.into_iter()).partition(|setting| RUNNING.contains(&setting.long.as_str()));
    let refused = running.iter().map(|setting| {
        let (file, line, long) = (file.display(), setting.line, &setting.long);
        let value = match setting.words.first() {
            Some(word) if word.contains('=') => "...",
            _ => "",
        };
        let own = own.map_or_else(
            || "the user's own configuration".to_owned(),
            |own| own.display().to_string(),
        );
        let separator = if value.is_empty() { "" } else { " " };
        format!(
            "{file}:{line}: `{long}` is ignored here, since a project does not decide what is \
             run, or where results are kept: write --{long}{separator}{value} on the command line, or put it into {own}"
        )
    });
    let refused = refused.collect();
    Guarded {
        configuration: Configuration {
            file,
            options,
            targets,
        },
        refused,
    }
}

/// The paths of a key that may be there.
#[derive(Debug, Default)]
pub struct Checked {
    /// What is written, and stays in the project.
    pub outputs: Vec<PathBuf>,
    /// What is read, and lies outside of it.
    pub outside: Vec<PathBuf>,
}

impl Setting {
    /// Refuses paths that lead where the file of a project has no business: `root` is the folder of
    /// the project.
    pub fn check(&self, root: &Path) -> Result<Checked, Mistake> {
        let problem = |problem: PathError| Mistake {
            line: self.line,
            message: problem.to_string(),
        };
        if OUTPUTS.contains(&self.long.as_str()) {
            for path in &self.paths {
                check_output(&self.long, path, root).map_err(problem)?;
            }
            return Ok(Checked {
                outputs: self.paths.clone(),
                outside: Vec::new(),
            });
        }
        if !INPUTS.contains(&self.long.as_str()) && self.long != TARGETS {
            return Ok(Checked::default());
        }
        let mut outside = Vec::new();
        for path in &self.paths {
            let is_outside = check_input(&self.long, path, root).map_err(problem)?;
            if is_outside {
                outside.push(path.clone());
            }
        }
        Ok(Checked {
            outputs: Vec::new(),
            outside,
        })
    }
}

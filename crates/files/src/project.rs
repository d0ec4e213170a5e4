//! The project that a command works on, and what that means for files: what lies outside of it is
//! not quoted in messages, and outputs stay in the folders that were asked for.
//!
//! The tool is run in repositories of other people. Whoever writes the files of a repository
//! decides about names, links and configuration, but neither about files elsewhere nor about what
//! a log shows of them.

use std::ffi::OsString;
use std::io;
use std::path::{Component, Path, PathBuf};

/// What a folder has that is the root of a project.
const ROOT_MARKS: [&str; 3] = ["heapwright.toml", ".git", ".hg"];

/// What is known about the project of a process, and about the files that its user named.
#[derive(Debug, Default, Clone)]
pub struct Project {
    /// The folder of the configuration file, if one is used.
    configured: Option<PathBuf>,
    /// The user's home, which is nobody's project.
    home: Option<PathBuf>,
    /// Files below these may be quoted, beside those of the project around the current folder.
    quotable: Vec<PathBuf>,
    /// Outputs as they were asked for, each with the folder that it must not leave.
    outputs: Vec<(PathBuf, PathBuf)>,
}

/// Why nothing is written to a place.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// It would be outside of the folder that was asked for.
    #[error(
        "{} leads to {}, out of {}; on the command line an output may lead anywhere",
        path.display(), leads_to.display(), folder.display()
    )]
    LeadsOut {
        /// The place.
        path: PathBuf,
        /// Where it really is.
        leads_to: PathBuf,
        /// The folder that it should be in.
        folder: PathBuf,
    },
    /// There is something that is neither a file nor missing.
    #[error("{} is no regular file, so it is not replaced", .0.display())]
    Special(PathBuf),
    /// The file system does not say where it is.
    #[error(transparent)]
    System(#[from] io::Error),
}

impl Project {
    /// Nothing is known but where the user's home is.
    pub fn new(home: Option<&Path>) -> Project {
        Project {
            home: home.and_then(|home| home.canonicalize().ok()),
            ..Project::default()
        }
    }

    /// The project is the folder of a configuration file.
    pub fn configure_in(&mut self, folder: PathBuf) {
        self.configured = Some(folder);
    }

    /// The folder of the configuration file, if one is used.
    pub fn configured(&self) -> Option<&Path> {
        self.configured.as_deref()
    }

    /// Files below a folder may be quoted.
    pub fn trust(&mut self, folder: &Path) {
        if let Ok(folder) = real_folder(folder)
            && !self.quotable.contains(&folder)
        {
            self.quotable.push(folder);
        }
    }

    /// Files beside one that the user named may be quoted. If the name is that of a link, then what
    /// it leads to may not: links belong to whoever wrote the folder.
    pub fn trust_beside(&mut self, file: &Path) {
        self.trust(file.parent().unwrap_or(Path::new("")));
    }

    /// An output that must not leave a folder.
    pub fn confine(&mut self, output: &Path, folder: &Path) {
        self.outputs.retain(|(known, _)| known != output);
        self.outputs.push((output.to_owned(), folder.to_owned()));
    }

    /// A folder for outputs that the user named: links in it do not lead out of it.
    pub fn confine_below(&mut self, folder: &Path) {
        if let Ok(real) = resolve(folder) {
            self.confine(folder, &real);
        }
    }

    /// Where an output really is, if it may be there.
    pub fn output(&self, path: &Path) -> Result<PathBuf, OutputError> {
        let outputs = self.outputs.iter();
        let around = outputs.filter(|(output, _)| path.starts_with(output));
        let Some((_, folder)) = around.max_by_key(|(output, _)| output.components().count()) else {
            return Ok(path.to_owned());
        };
        let real = resolve(path)?;
        if !real.starts_with(folder) {
            return Err(OutputError::LeadsOut {
                path: path.to_owned(),
                leads_to: real,
                folder: folder.clone(),
            });
        }
        match std::fs::metadata(&real) {
            Ok(known) if !known.is_file() && !known.is_dir() => {
                Err(OutputError::Special(path.to_owned()))
            }
            _ => Ok(real),
        }
    }

    /// Whether messages may quote a file. What is no file, such as a text of the command line, may
    /// be quoted.
    pub fn is_quotable(&self, file: &Path) -> bool {
        let Ok(file) = file.canonicalize() else {
            return true;
        };
        let mut around = self.quotable.iter().cloned().chain(self.root());
        around.any(|folder| file.starts_with(folder))
    }

    /// Whether a file that was found in a folder is not in it, and not in the project either,
    /// because a link leads there.
    pub fn leads_out(&self, file: &Path, folder: &Path) -> bool {
        match (file.canonicalize(), real_folder(folder)) {
            (Ok(file), Ok(folder)) => {
                let is_in = |folder: PathBuf| file.starts_with(folder);
                !is_in(folder) && !self.root().is_some_and(is_in)
            }
            _ => false,
        }
    }

    /// The root of the project: the folder of the configuration file that is used; otherwise the
    /// nearest folder with a mark, from the current one upwards. A home folder may have marks, but
    /// is nobody's project; neither is the root of the file system.
    pub fn root(&self) -> Option<PathBuf> {
        if let Some(project) = &self.configured {
            return Some(project.clone());
        }
        let here = Path::new(".").canonicalize().ok()?;
        let above = here.ancestors();
        let above = above.take_while(|folder| Some(*folder) != self.home.as_deref());
        let marked = |folder: &&Path| ROOT_MARKS.iter().any(|mark| folder.join(mark).exists());
        let found = above
            .filter(|folder| folder.parent().is_some())
            .find(marked)
            .map(Path::to_owned);
        Some(found.unwrap_or(here))
    }
}

/// A folder without links; an empty path is the current one.
fn real_folder(folder: &Path) -> io::Result<PathBuf> {
    match folder.as_os_str().is_empty() {
        true => Path::new(".").canonicalize(),
        false => folder.canonicalize(),
    }
}

/// The path without links and detours, whether there is a file or not. Links that lead to nothing
/// are refused, since nobody knows what they will lead to.
pub fn resolve(path: &Path) -> io::Result<PathBuf> {
    let mut rest: Vec<OsString> = Vec::new();
    // What is not there is no link, so `..` takes back the part before it.
    let mut taken_back = 0;
    let mut known = std::path::absolute(path)?;
    loop {
        match known.canonicalize() {
            Ok(mut real) => {
                for _ in 0..taken_back {
                    real.pop();
                }
                real.extend(rest.iter().rev());
                return Ok(real);
            }
            Err(error) if known.is_symlink() => {
                let message = format!("{} is a link that leads nowhere", known.display());
                return Err(io::Error::new(error.kind(), message));
            }
            Err(error) => {
                match known.components().next_back() {
                    Some(Component::ParentDir) => taken_back += 1,
                    Some(Component::Normal(_)) if taken_back > 0 => taken_back -= 1,
                    Some(Component::Normal(name)) => rest.push(name.to_owned()),
                    _ => return Err(error),
                }
                known.pop();
            }
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::temporary::Temporary;
    use std::fs;
    use std::os::unix::fs::symlink;

    #[test]
    fn outputs_stay_in_their_folder() {
        let temporary = Temporary::named(&std::env::temp_dir(), "confined");
        let (inside, outside) = (temporary.path().join("in"), temporary.path().join("out"));
        fs::create_dir_all(inside.join("a")).expect("a folder");
        fs::create_dir_all(&outside).expect("a folder");
        fs::write(outside.join("file"), "text").expect("a file");
        symlink(&outside, inside.join("away")).expect("a link");
        symlink("a", inside.join("near")).expect("a link");
        symlink(outside.join("nothing"), inside.join("dangling")).expect("a link");
        symlink(outside.join("file"), inside.join("file")).expect("a link");
        let mut project = Project::default();
        project.confine_below(&inside);
        let real = inside.canonicalize().expect("a folder");
        for (name, place) in [
            ("x", "x"),
            ("a/b/c", "a/b/c"),
            ("near/x", "a/x"),
            ("no/../x", "x"),
            ("no/such/../../a/../y", "y"),
        ] {
            let path = project.output(&inside.join(name)).expect(name);
            assert_eq!(path, real.join(place));
        }
        for name in [
            "away/x",
            "away",
            "dangling",
            "dangling/x",
            "file",
            "../out/x",
            "a/../../x",
            "no/../../x",
        ] {
            assert!(project.output(&inside.join(name)).is_err(), "{name}");
        }
        // Nobody said anything about this folder.
        assert!(project.output(&outside.join("x")).is_ok());
    }

    #[test]
    fn files_behind_links_are_not_those_of_the_folder() {
        let temporary = Temporary::named(&std::env::temp_dir(), "quoted");
        let (inside, outside) = (temporary.path().join("in"), temporary.path().join("out"));
        fs::create_dir_all(&inside).expect("a folder");
        fs::create_dir_all(&outside).expect("a folder");
        for file in [inside.join("own"), outside.join("secret")] {
            fs::write(file, "text").expect("a file");
        }
        symlink(outside.join("secret"), inside.join("link")).expect("a link");
        let mut project = Project::default();
        project.trust_beside(&inside.join("own"));
        assert!(project.is_quotable(&inside.join("own")));
        assert!(!project.is_quotable(&inside.join("link")));
        assert!(!project.is_quotable(&outside.join("secret")));
        assert!(project.is_quotable(Path::new("<formula>")));
        assert!(project.leads_out(&inside.join("link"), &inside));
        assert!(!project.leads_out(&inside.join("own"), &inside));
    }
}

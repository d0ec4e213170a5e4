//! What is around a session: files, whoever is warned, and whoever may end it.
//!
//! Which files may be read and how a warning is shown is decided by the program that generates tests,
//! not by the library: a command line has a terminal and a policy for files of other people, an editor
//! or a worker on another machine has something else.

use std::path::Path;
use std::sync::Arc;

use heapwright_engine::Interrupt;
use heapwright_spec::diagnostic::{Diagnostic, SourceMap};
use heapwright_spec::library;
use heapwright_spec::{ImportRequest, Source};
use serde::{Deserialize, Serialize};

use crate::error::{Error, FileError};

/// The surroundings of a session.
pub trait Host: Send + Sync {
    /// The text of a file that the user named.
    fn read(&self, path: &Path) -> Result<String, Error>;

    /// The text of a file that was found in a folder, and not named by the user.
    fn read_found(&self, path: &Path, folder: &Path) -> Result<String, Error>;

    /// What an `import` asks for. The error says why there is none.
    fn import(&self, request: ImportRequest<'_>) -> Result<Source, String>;

    /// What is at a path. `None` if there is nothing.
    fn look(&self, path: &Path) -> Option<PathKind> {
        let known = std::fs::metadata(path).ok()?;
        match known.is_file() {
            true => Some(PathKind::File { size: known.len() }),
            false => known.is_dir().then_some(PathKind::Folder),
        }
    }

    /// Takes note of what is accepted but probably not meant.
    fn warn(&self, warning: &Warning<'_>);

    /// The switch that ends searches.
    fn interrupt(&self) -> Interrupt;
}

/// What is at a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum PathKind {
    /// A file.
    File {
        /// Its bytes.
        size: u64,
    },
    /// A folder.
    Folder,
}

/// Something that is accepted but probably not meant.
#[derive(Clone, Copy, Debug)]
pub enum Warning<'a> {
    /// In the text of a program or a specification.
    InText {
        /// The texts.
        sources: &'a SourceMap,
        /// What is odd about them.
        diagnostics: &'a [Diagnostic],
    },
    /// In a file as a whole.
    InFile {
        /// The file.
        file: &'a Path,
        /// What is odd about it.
        message: &'a str,
    },
}

/// A host that warns of nothing: somebody else does.
pub struct Muted(pub Arc<dyn Host>);

impl Host for Muted {
    fn read(&self, path: &Path) -> Result<String, Error> {
        self.0.read(path)
    }

    fn read_found(&self, path: &Path, folder: &Path) -> Result<String, Error> {
        self.0.read_found(path, folder)
    }

    fn import(&self, request: ImportRequest<'_>) -> Result<Source, String> {
        self.0.import(request)
    }

    fn look(&self, path: &Path) -> Option<PathKind> {
        self.0.look(path)
    }

    fn warn(&self, _: &Warning<'_>) {}

    fn interrupt(&self) -> Interrupt {
        self.0.interrupt()
    }
}

/// A host that reads what is asked for, keeps warnings to itself, and ends nothing.
#[derive(Clone, Debug, Default)]
pub struct QuietHost {
    switch: Interrupt,
}

impl Host for QuietHost {
    fn read(&self, path: &Path) -> Result<String, Error> {
        std::fs::read_to_string(path).map_err(|source| Error::Read {
            path: path.to_owned(),
            source,
        })
    }

    /// Links that lead out of the folder are not followed: whoever wrote the folder decides neither
    /// about files elsewhere nor about what is shown of them.
    fn read_found(&self, path: &Path, folder: &Path) -> Result<String, Error> {
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let real = path.canonicalize().and_then(|real| {
            let folder = folder.canonicalize()?;
            Ok(real.starts_with(folder))
        });
        match real {
            Ok(false) => Err(FileError::LeadsOutOfFolder(path.to_owned()).into()),
            _ => self.read(path),
        }
    }

    fn import(&self, request: ImportRequest<'_>) -> Result<Source, String> {
        library::import(request, |path| {
            self.read(path).map_err(|error| error.to_string())
        })
    }

    fn warn(&self, _: &Warning<'_>) {}

    fn interrupt(&self) -> Interrupt {
        self.switch.clone()
    }
}

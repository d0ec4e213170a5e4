//! Why a class could not be loaded.

use super::jimage::ImageProblem;
use crate::classfile::ClassFileError;
use crate::descriptor::Name;
use std::path::PathBuf;
use std::sync::Arc;
use thiserror::Error;

/// What goes wrong between the name of a class and the class. Cheap to copy, because failures are
/// remembered like successes.
#[derive(Debug, Clone, Error)]
pub enum ClassPathError {
    /// No JDK was found.
    #[error(
        "no JDK was found (looked at {}); name one with --jdk or JAVA_HOME",
        looked_at.join(", ")
    )]
    NoJdk {
        /// Where it was looked for.
        looked_at: Vec<String>,
    },
    /// The JDK is older than Java 9, which began to keep its classes in one image.
    #[error(
        "{} holds Java 8 or older (its classes are in rt.jar); Java 9 or newer is needed, which \
         also reads classes that were compiled for Java 8",
        .0.display()
    )]
    OldJdk(PathBuf),
    /// The folder is not that of a JDK.
    #[error("{} is not the home of a JDK: it has no lib/modules", .0.display())]
    NotAJdk(PathBuf),
    /// There is no such folder.
    #[error("the JDK {} does not exist", .0.display())]
    MissingJdk(PathBuf),
    /// An entry of the class path does not exist.
    #[error("{} on the class path does not exist", .0.display())]
    MissingEntry(PathBuf),
    /// A file could not be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: Arc<std::io::Error>,
    },
    /// A jar could not be read.
    #[error("{} is not a readable jar: {error}", path.display())]
    Jar {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Arc<zip::result::ZipError>,
    },
    /// The JDK's image could not be read.
    #[error("{}: {problem}", path.display())]
    Image {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: ImageProblem,
    },
    /// A class is nowhere to be found.
    #[error("class {class} was not found in {}", looked_in.join(", "))]
    NotFound {
        /// The class.
        class: Name,
        /// The JDK and the entries of the class path.
        looked_in: Vec<String>,
    },
    /// A class file is broken.
    #[error("{origin}: {error}")]
    Malformed {
        /// The file, or the jar and the file in it.
        origin: String,
        /// What is wrong with it.
        error: ClassFileError,
    },
    /// A class file holds another class than its place says.
    #[error("{origin} should hold the class {expected}, but holds {found}")]
    WrongName {
        /// The file, or the jar and the file in it.
        origin: String,
        /// The class that was looked for.
        expected: Name,
        /// The class that is there.
        found: Name,
    },
}

impl ClassPathError {
    /// An error of the system about a file.
    pub(super) fn read(path: impl Into<PathBuf>, error: std::io::Error) -> Self {
        ClassPathError::Read {
            path: path.into(),
            error: Arc::new(error),
        }
    }
}

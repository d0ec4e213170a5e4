//! Files that are left alone, because names and links come from other people.

use std::path::PathBuf;

use crate::file_names::shown;

/// Why a file is not read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileError {
    /// It is a link that leads out of the folder that it was found in.
    #[error("{} is a link that leads out of its folder, so it is not read", .0.display())]
    LeadsOutOfFolder(PathBuf),
    /// It is a link that leads out of the project.
    #[error(
        "{} is a link that leads out of the project, so it is not read; name the file itself",
        .0.display()
    )]
    LeadsOutOfProject(PathBuf),
    /// A folder that is written to is a link.
    #[error("{} is a link, so nothing is written there; remove it", .0.display())]
    LinkedFolder(PathBuf),
    /// A name from an input cannot be that of a file.
    #[error("no file below {} can be called `{}`: {objection}", folder.display(), shown(name))]
    Name {
        /// The folder that it would be in.
        folder: PathBuf,
        /// The name.
        name: String,
        /// What is wrong with it.
        objection: &'static str,
    },
}

//! Where the configuration file of a project may lead.
//!
//! The file belongs to whoever wrote the repository, which need not be the user. What it names to be
//! written stays inside of the project; what it names to be read may lie elsewhere, if it says so in
//! words and not by a link.

use std::io;
use std::path::{Component, Path, PathBuf};

use crate::{plain, resolve};

/// Folders of version control, where files decide what is run later.
const VERSION_CONTROL: [&str; 5] = [".git", ".hg", ".svn", ".jj", ".bzr"];

/// Why a path of a configuration file is refused; `option` is the long name of the option that it
/// is for.
#[derive(Debug, thiserror::Error)]
pub enum PathError {
    /// An output that is not in the project.
    #[error(
        "`{option}` leads to {}, out of the project; write --{option} on the command line, where \
         it may lead anywhere",
        leads_to.display()
    )]
    LeadsOut {
        /// The option.
        option: String,
        /// Where the output would be.
        leads_to: PathBuf,
    },
    /// An output that would be a file of version control.
    #[error("`{0}` leads into the files of version control, where nothing is written")]
    VersionControl(String),
    /// An input that looks like one of the project and is not.
    #[error(
        "`{option}`: {} is reached by a link that leads out of the project, to {}; write that \
         path, or --{option} on the command line",
        path.display(), leads_to.display()
    )]
    LinkedOut {
        /// The option.
        option: String,
        /// The path as it is written.
        path: PathBuf,
        /// Where it really is.
        leads_to: PathBuf,
    },
    /// An input that is a pipe or a device.
    #[error("`{option}`: {} is neither a regular file nor a folder", path.display())]
    Special {
        /// The option.
        option: String,
        /// The path as it is written.
        path: PathBuf,
    },
    /// The file system does not say where it is.
    #[error("`{option}`: {source}")]
    System {
        /// The option.
        option: String,
        /// The reason.
        source: io::Error,
    },
}

/// Whether an output may be written to a path: inside of the project with this root, which has no
/// links in its path.
pub fn check_output(option: &str, path: &Path, root: &Path) -> Result<(), PathError> {
    let real = resolved(option, path)?;
    let Ok(below) = real.strip_prefix(root) else {
        return Err(PathError::LeadsOut {
            option: option.to_owned(),
            leads_to: real,
        });
    };
    let mut parts = below.components();
    let is_control = |part: Component<'_>| {
        let name = part.as_os_str().to_string_lossy().to_lowercase();
        VERSION_CONTROL.contains(&name.as_str())
    };
    match parts.any(is_control) {
        true => Err(PathError::VersionControl(option.to_owned())),
        false => Ok(()),
    }
}

/// Whether an input is outside of the project. Links that lead out, pipes and devices are refused.
pub fn check_input(option: &str, path: &Path, root: &Path) -> Result<bool, PathError> {
    // `lib/*` stands for the jars of a folder.
    let path = match path.file_name() {
        Some(name) if name == "*" => path.parent().unwrap_or(Path::new("")),
        _ => path,
    };
    let real = resolved(option, path)?;
    let is_inside = real.starts_with(root);
    if !is_inside && is_below(path, root) {
        return Err(PathError::LinkedOut {
            option: option.to_owned(),
            path: path.to_owned(),
            leads_to: real,
        });
    }
    match std::fs::metadata(&real) {
        Ok(known) if !known.is_file() && !known.is_dir() => Err(PathError::Special {
            option: option.to_owned(),
            path: path.to_owned(),
        }),
        _ => Ok(!is_inside),
    }
}

fn resolved(option: &str, path: &Path) -> Result<PathBuf, PathError> {
    resolve(path).map_err(|source| PathError::System {
        option: option.to_owned(),
        source,
    })
}

/// Whether a path leads into a folder by its words.
fn is_below(path: &Path, root: &Path) -> bool {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let plain = plain(&absolute);
    if plain.starts_with(root) {
        return true;
    }
    // The folder itself may have been reached by a link.
    let mut around = plain.ancestors();
    around.any(|folder| folder.canonicalize().is_ok_and(|folder| folder == *root))
}

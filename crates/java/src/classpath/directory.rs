//! Folders of class files.

use super::error::ClassPathError;
use super::{Found, class_of_path};
use crate::descriptor::{Name, internal_name};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// A folder with a folder per package.
#[derive(Debug)]
pub(super) struct Directory {
    root: PathBuf,
}

impl Directory {
    pub(super) fn new(root: &Path) -> Self {
        Directory {
            root: root.to_path_buf(),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.root
    }

    /// The class file of a class.
    pub(super) fn find(&self, class: &str) -> Result<Option<Found>, ClassPathError> {
        let path = self.root.join(internal_name(class) + ".class");
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(Found {
                bytes,
                origin: path.display().to_string(),
            })),
            Err(error) => match error.kind() {
                // A name may contain what no file name can.
                ErrorKind::NotFound
                | ErrorKind::NotADirectory
                | ErrorKind::InvalidInput
                | ErrorKind::InvalidFilename => Ok(None),
                _ => Err(ClassPathError::read(path, error)),
            },
        }
    }

    /// All classes, in no particular order. Links to folders are not followed, so that a link to a
    /// folder above does not go round for ever.
    pub(super) fn classes(&self) -> Result<Vec<Name>, ClassPathError> {
        let mut classes = Vec::new();
        let mut folders = vec![(self.root.clone(), String::new())];
        while let Some((folder, prefix)) = folders.pop() {
            let failed = |error| ClassPathError::read(&folder, error);
            for entry in fs::read_dir(&folder).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                // A name that is not Unicode is not that of a class.
                let Ok(name) = entry.file_name().into_string() else {
                    continue;
                };
                if entry.file_type().map_err(failed)?.is_dir() {
                    folders.push((entry.path(), format!("{prefix}{name}/")));
                } else {
                    classes.extend(class_of_path(&format!("{prefix}{name}")));
                }
            }
        }
        Ok(classes)
    }
}

//! Folders of class files.

use super::error::ClassPathError;
use super::{Found, class_of_path};
use crate::descriptor::{Name, internal_name};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// No class file is larger.
const LARGEST_CLASS: u64 = 64 << 20;

/// A folder with a folder per package.
#[derive(Debug)]
pub(super) struct Directory {
    root: PathBuf,
    /// The folder itself and another one, without links, where links in it may lead; they may lead
    /// anywhere if this is missing.
    reach: Option<[PathBuf; 2]>,
}

impl Directory {
    pub(super) fn new(root: &Path) -> Self {
        Directory {
            root: root.to_path_buf(),
            reach: None,
        }
    }

    /// The same folder, in which links that lead neither into it nor into another folder are not
    /// followed.
    pub(super) fn without_links_out_of(self, folder: &Path) -> Self {
        let root = (self.root.canonicalize()).unwrap_or_else(|_| self.root.clone());
        Directory {
            reach: Some([root, folder.to_path_buf()]),
            ..self
        }
    }

    /// The contents of a class file, which is a regular file of a size that class files have.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let known = fs::metadata(path)?;
        let leads_out = |reach: &[PathBuf; 2]| {
            let real = path.canonicalize();
            !real.is_ok_and(|real| reach.iter().any(|folder| real.starts_with(folder)))
        };
        if self.reach.as_ref().is_some_and(leads_out) {
            let message = "this is a link that leads out of the project, so it is not followed";
            return Err(io::Error::new(ErrorKind::PermissionDenied, message));
        }
        if known.is_dir() {
            return Err(ErrorKind::NotFound.into());
        }
        if !known.is_file() || known.len() > LARGEST_CLASS {
            let message = "this is no class file: it is too large, a pipe or a device";
            return Err(io::Error::new(ErrorKind::InvalidData, message));
        }
        fs::read(path)
    }

    pub(super) fn path(&self) -> &Path {
        &self.root
    }

    /// The class file of a class.
    pub(super) fn find(&self, class: &str) -> Result<Option<Found>, ClassPathError> {
        let path = self.root.join(internal_name(class) + ".class");
        match self.read(&path) {
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

    /// All class files, sorted, each with its path in the folder. Links to folders are not followed.
    pub(super) fn class_files(&self) -> Result<Vec<(String, Vec<u8>)>, ClassPathError> {
        let mut names = self.classes()?;
        names.sort_unstable();
        let mut files = Vec::new();
        for name in names {
            if let Some(found) = self.find(&name)? {
                files.push((internal_name(&name) + ".class", found.bytes));
            }
        }
        Ok(files)
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

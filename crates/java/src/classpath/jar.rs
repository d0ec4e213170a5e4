//! Jars: zip archives of class files, perhaps with several versions of a class for several
//! versions of Java (multi-release jars, JEP 238).

use super::error::ClassPathError;
use super::{Found, class_of_path};
use crate::descriptor::{Name, internal_name};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Error, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use zip::ZipArchive;
use zip::result::ZipError;

/// No class file is larger; an entry that claims to be is not unpacked.
const LARGEST_ENTRY: u64 = 64 << 20;

const MANIFEST: &str = "META-INF/MANIFEST.MF";
const VERSIONS: &str = "META-INF/versions/";

/// An open jar.
#[derive(Debug)]
pub(super) struct Jar {
    path: PathBuf,
    archive: Mutex<ZipArchive<BufReader<File>>>,
    /// The versions of Java for which there are special classes, up to the one that is used.
    versions: BTreeSet<u16>,
}

impl Jar {
    /// Opens a jar for use with a version of Java; `path` is what it is called, which need not be
    /// where it is.
    pub(super) fn open(
        place: &Path,
        path: &Path,
        java_version: u16,
    ) -> Result<Self, ClassPathError> {
        let failed = |error| ClassPathError::read(path, error);
        // Opening a pipe would wait for its other end.
        if !place.metadata().map_err(failed)?.is_file() {
            let message = "neither a folder nor a regular file";
            return Err(failed(Error::new(ErrorKind::InvalidInput, message)));
        }
        let file = File::open(place).map_err(failed)?;
        let broken = |error| ClassPathError::Jar {
            path: path.into(),
            error: Arc::new(error),
        };
        let mut archive = ZipArchive::new(BufReader::new(file)).map_err(broken)?;
        let manifest = read_entry(&mut archive, MANIFEST).map_err(broken)?;
        let mut versions = BTreeSet::new();
        if manifest.is_some_and(|manifest| is_multi_release(&manifest)) {
            // A name that cannot be decoded is not that of a class.
            let names = archive.file_names().flatten();
            let numbers = names.filter_map(|name| Some(version_of(&name)?.0));
            versions.extend(numbers.filter(|&version| version <= java_version));
        }
        Ok(Jar {
            path: path.into(),
            archive: Mutex::new(archive),
            versions,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The class file of a class.
    pub(super) fn find(&self, class: &str) -> Result<Option<Found>, ClassPathError> {
        let plain = internal_name(class) + ".class";
        let special = self.versions.iter().rev();
        let names = special.map(|version| format!("{VERSIONS}{version}/{plain}"));
        let mut archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        for name in names.chain([plain.clone()]) {
            let entry = read_entry(&mut archive, &name).map_err(|error| ClassPathError::Jar {
                path: self.path.clone(),
                error: Arc::new(error),
            })?;
            if let Some(bytes) = entry {
                let origin = format!("{}!/{name}", self.path.display());
                return Ok(Some(Found { bytes, origin }));
            }
        }
        Ok(None)
    }

    /// All classes that can be found in the jar, in no particular order.
    pub(super) fn classes(&self) -> Vec<Name> {
        let archive = self.archive.lock().unwrap_or_else(PoisonError::into_inner);
        let names = archive.file_names().flatten();
        let mut classes: BTreeSet<Name> = names
            .filter_map(|name| match version_of(&name) {
                Some((version, path)) if self.versions.contains(&version) => class_of_path(path),
                Some(_) => None,
                None => class_of_path(&name),
            })
            .collect();
        classes.retain(|class| !class.starts_with("META-INF."));
        classes.into_iter().collect()
    }
}

/// The contents of an entry, if there is one.
fn read_entry(
    archive: &mut ZipArchive<BufReader<File>>,
    name: &str,
) -> Result<Option<Vec<u8>>, ZipError> {
    let entry = match archive.by_name(name) {
        Ok(entry) => entry,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    // The size that the archive states may be wrong, so it is the reading that is limited.
    entry.take(LARGEST_ENTRY + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST_ENTRY {
        let message = format!("{name} has more than {LARGEST_ENTRY} bytes");
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, message).into());
    }
    Ok(Some(bytes))
}

/// Whether the main section of a manifest, which ends at the first empty line, says so.
fn is_multi_release(manifest: &[u8]) -> bool {
    let text = String::from_utf8_lossy(manifest);
    let attribute = text
        .lines()
        .take_while(|line| !line.is_empty())
        .find_map(|line| {
            let (name, value) = line.split_once(':')?;
            name.eq_ignore_ascii_case("Multi-Release")
                .then(|| value.trim().to_ascii_lowercase())
        });
    attribute.as_deref() == Some("true")
}

/// The version of Java that an entry is for, and its path without that.
fn version_of(entry: &str) -> Option<(u16, &str)> {
    let (version, path) = entry.strip_prefix(VERSIONS)?.split_once('/')?;
    // Versions count from 9, since older ones do not know of them.
    let version = version.parse().ok().filter(|&version| version >= 9)?;
    Some((version, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_main_section_of_the_manifest_counts() {
        assert!(is_multi_release(
            b"Manifest-Version: 1.0\r\nmulti-release: TRUE \r\n\r\n"
        ));
        assert!(!is_multi_release(
            b"Manifest-Version: 1.0\n\nName: a\nMulti-Release: true\n"
        ));
        assert!(!is_multi_release(b"Multi-Release: false\n"));
    }

    #[test]
    fn versions_are_read_off_the_path() {
        assert_eq!(
            version_of("META-INF/versions/11/a/B.class"),
            Some((11, "a/B.class"))
        );
        assert_eq!(version_of("META-INF/versions/8/a/B.class"), None);
        assert_eq!(version_of("a/B.class"), None);
    }
}

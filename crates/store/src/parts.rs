//! Whole files by content, for whoever opens them where they are: class paths of other machines.
//!
//! A file is called by its fingerprint and by nothing else, and gets its name when it is whole and has
//! that fingerprint.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use crate::digest::{Digest, Fingerprint};
use crate::folder::{create_private, list, unused_name};

/// What files are in, below the folder that was named. The number is that of the layout.
const FILES: &str = "parts-1";

/// What was of use within this time stays, whatever else there is: somebody may have it open.
const IN_USE: Duration = Duration::from_secs(60 * 60);

/// What is sent: bytes, or those of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Contents {
    /// These bytes.
    Bytes(Vec<u8>),
    /// The bytes of this file.
    File(PathBuf),
}

/// A folder of files by content.
#[derive(Clone, Debug)]
pub struct Parts {
    root: PathBuf,
    limit: u64,
}

/// A file that is being written.
#[derive(Debug)]
pub struct Part {
    beside: PathBuf,
    place: PathBuf,
    file: File,
    digest: Digest,
    expected: Fingerprint,
}

impl Parts {
    /// The files in a folder, which is made when something is written. They have so many bytes at
    /// most, but for those that were of use lately.
    pub fn new(folder: &Path, limit: u64) -> Parts {
        Parts {
            root: folder.join(FILES),
            limit,
        }
    }

    /// The file with this content, if it is there.
    pub fn find(&self, fingerprint: &Fingerprint) -> Option<PathBuf> {
        let place = self.root.join(fingerprint.to_string());
        let known = fs::symlink_metadata(&place).ok()?;
        if !known.is_file() {
            return None;
        }
        let file = File::options().append(true).open(&place);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
        Some(place)
    }

    /// Begins with a file that will have this content.
    pub fn begin(&self, expected: Fingerprint) -> io::Result<Part> {
        create_private(&self.root)?;
        self.trim();
        let beside = self.root.join(unused_name());
        Ok(Part {
            file: File::create_new(&beside)?,
            beside,
            place: self.root.join(expected.to_string()),
            digest: Digest::default(),
            expected,
        })
    }

    /// Removes what was not of use for longest until the rest is small enough.
    fn trim(&self) {
        let files = list(&self.root).filter_map(|path| {
            let known = fs::symlink_metadata(&path).ok()?;
            let used = known.modified().ok()?;
            known.is_file().then_some((used, path, known.len()))
        });
        let mut files: Vec<_> = files.collect();
        files.sort();
        let mut all: u64 = files.iter().map(|(_, _, size)| size).sum();
        for (used, path, size) in files {
            let is_old = used.elapsed().is_ok_and(|age| age > IN_USE);
            if all <= self.limit || !is_old {
                break;
            }
            if fs::remove_file(path).is_ok() {
                all -= size;
            }
        }
    }
}

impl Part {
    /// Adds bytes.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.digest.bytes(bytes);
        self.file.write_all(bytes)
    }

    /// Gives the file its name, if it has the content that was expected.
    pub fn finish(self) -> io::Result<PathBuf> {
        if self.digest.clone().finish() != self.expected {
            let message = "the content is not that of its fingerprint";
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        fs::rename(&self.beside, &self.place)?;
        Ok(self.place.clone())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // If it was finished it has another name.
        let _ = fs::remove_file(&self.beside);
    }
}

impl Contents {
    /// The fingerprint of all bytes, and how many they are.
    pub fn fingerprint(&self) -> io::Result<(Fingerprint, u64)> {
        match self {
            Contents::Bytes(bytes) => Ok((Fingerprint::of(bytes), bytes.len() as u64)),
            Contents::File(path) => {
                let bytes = fs::read(path)?;
                Ok((Fingerprint::of(&bytes), bytes.len() as u64))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_files::temporary::Temporary;

    #[test]
    fn a_file_gets_its_name_when_it_has_its_content() {
        let folder = Temporary::named(&std::env::temp_dir(), "parts");
        let parts = Parts::new(folder.path(), 1 << 20);
        let content = b"some bytes";
        let fingerprint = Fingerprint::of(content);
        let mut wrong = parts.begin(fingerprint).expect("a file");
        wrong.write(b"other bytes").expect("written");
        wrong.finish().expect_err("another content");
        assert_eq!(parts.find(&fingerprint), None);
        let mut right = parts.begin(fingerprint).expect("a file");
        content
            .chunks(3)
            .for_each(|bytes| right.write(bytes).expect("written"));
        let place = right.finish().expect("the content");
        assert_eq!(parts.find(&fingerprint), Some(place.clone()));
        assert_eq!(fs::read(place).expect("a file"), content);
        assert_eq!(list(&parts.root).count(), 1, "nothing is left beside");
    }
}

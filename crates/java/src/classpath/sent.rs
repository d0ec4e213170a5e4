//! A class path that goes to another machine, which has none of its folders and jars but may have the
//! same JDK.

use super::error::ClassPathError;
use super::jar::Jar;
use super::packed::{Packed, pack};
use super::{ClassPath, Entry, Jdk};
use heapwright_store::Contents;
use serde::{Deserialize, Serialize};
use std::io::{Error, ErrorKind};
use std::path::PathBuf;

/// An entry of a class path as another machine gets to know it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SentEntry {
    /// What it is called in messages. Nothing is looked for there.
    pub shown: String,
    /// Whether it is a jar, and not a folder.
    pub is_jar: bool,
}

impl ClassPath {
    /// The entries in their order, with their class files. Nothing else in the folders is part of
    /// that; jars are as they are.
    pub fn sent(&self) -> Result<Vec<(SentEntry, Contents)>, ClassPathError> {
        let entries = self.shared.entries.iter();
        let sent = entries.map(|entry| {
            let (contents, is_jar) = match entry {
                Entry::Directory(folder) => {
                    let files = folder.class_files()?;
                    (Contents::Bytes(pack(&files, folder.path())?), false)
                }
                Entry::Jar(jar) => (Contents::File(jar.path().to_owned()), true),
                Entry::Packed(packed) => {
                    let error = Error::new(ErrorKind::Unsupported, "it was received itself");
                    return Err(ClassPathError::read(packed.path(), error));
                }
            };
            let shown = entry.path().display().to_string();
            Ok((SentEntry { shown, is_jar }, contents))
        });
        sent.collect()
    }

    /// A class path that was sent, with the file for each entry. Messages name its entries, and the
    /// JDK, as they are called where it comes from.
    pub fn received(
        jdk: Jdk,
        home: PathBuf,
        entries: impl IntoIterator<Item = (SentEntry, PathBuf)>,
    ) -> Result<ClassPath, ClassPathError> {
        let mut opened = Vec::new();
        for (entry, place) in entries {
            let shown = PathBuf::from(&entry.shown);
            opened.push(match entry.is_jar {
                true => Entry::Jar(Jar::open(&place, &shown, jdk.version())?),
                false => Entry::Packed(Packed::open(&place, &shown)?),
            });
        }
        Ok(ClassPath::of_entries(jdk, home, opened))
    }
}

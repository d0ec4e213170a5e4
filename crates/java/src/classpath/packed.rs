//! Folders of class files as one file each: how they come to another machine, and are used there.
//!
//! A file begins with the length of its table, in eight bytes, and the table: the path of each class
//! file in the folder, and its length. The class files follow in that order. Whoever reads one trusts
//! nothing in it: names are looked up and never become paths, and lengths have to add up.

use super::error::ClassPathError;
use super::{Found, class_of_path};
use crate::descriptor::{Name, internal_name};
use heapwright_store::{decode, encode};
use rustc_hash::FxHashMap;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// No table is longer.
const LONGEST_TABLE: u64 = 64 << 20;

/// No folder has more bytes of class files.
const LARGEST: u64 = 1 << 30;

/// A folder of class files, packed.
#[derive(Debug)]
pub(super) struct Packed {
    /// What the folder was called where it comes from.
    shown: PathBuf,
    file: Mutex<File>,
    /// Where the file of a class begins, and its length.
    places: FxHashMap<Name, (u64, usize)>,
}

/// Packs class files, each with its path in the folder.
pub(super) fn pack(
    classes: &[(String, Vec<u8>)],
    folder: &Path,
) -> Result<Vec<u8>, ClassPathError> {
    let table: Vec<(&str, u64)> = (classes.iter())
        .map(|(path, bytes)| (path.as_str(), bytes.len() as u64))
        .collect();
    let too_large = |what: &str| ClassPathError::read(folder, invalid(what));
    let (table, _) = encode(&table).map_err(|error| too_large(&error.to_string()))?;
    let all: u64 = classes.iter().map(|(_, bytes)| bytes.len() as u64).sum();
    if all > LARGEST || table.len() as u64 > LONGEST_TABLE {
        return Err(too_large("it has too many class files to be sent"));
    }
    let mut packed = (table.len() as u64).to_le_bytes().to_vec();
    packed.extend(table);
    for (_, bytes) in classes {
        packed.extend(bytes);
    }
    Ok(packed)
}

impl Packed {
    /// Opens a packed folder.
    pub(super) fn open(place: &Path, shown: &Path) -> Result<Packed, ClassPathError> {
        let read = || {
            let mut file = File::open(place)?;
            let size = file.metadata()?.len();
            let mut length = [0; 8];
            file.read_exact(&mut length)?;
            let length = u64::from_le_bytes(length);
            if length > LONGEST_TABLE || length > size {
                return Err(invalid("its table is too long"));
            }
            let mut table = Vec::new();
            (&mut file).take(length).read_to_end(&mut table)?;
            let table: Vec<(String, u64)> =
                decode(&table, &|_, id| Some(id)).map_err(|_| invalid("its table is damaged"))?;
            let mut begin = 8 + length;
            let mut places = FxHashMap::default();
            for (path, length) in table {
                let end = begin.checked_add(length).filter(|&end| end <= size);
                let end = end.ok_or_else(|| invalid("it ends too early"))?;
                let bytes = usize::try_from(length).map_err(|_| invalid("it is too large"))?;
                if let Some(class) = class_of_path(&path) {
                    places.insert(class, (begin, bytes));
                }
                begin = end;
            }
            Ok((Mutex::new(file), places))
        };
        let (file, places) = read().map_err(|error| ClassPathError::read(shown, error))?;
        Ok(Packed {
            shown: shown.to_owned(),
            file,
            places,
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.shown
    }

    /// The class file of a class.
    pub(super) fn find(&self, class: &str) -> Result<Option<Found>, ClassPathError> {
        let Some(&(begin, length)) = self.places.get(class) else {
            return Ok(None);
        };
        let path = self.shown.join(internal_name(class) + ".class");
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bytes = vec![0; length];
        let read = file.seek(SeekFrom::Start(begin));
        let read = read.and_then(|_| file.read_exact(&mut bytes));
        match read {
            Ok(()) => Ok(Some(Found {
                bytes,
                origin: path.display().to_string(),
            })),
            Err(error) => Err(ClassPathError::read(path, error)),
        }
    }

    /// All classes, in no particular order.
    pub(super) fn classes(&self) -> Vec<Name> {
        self.places.keys().cloned().collect()
    }
}

fn invalid(message: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_add_up_is_refused() {
        let folder = Path::new("classes");
        let classes = [
            ("a/B.class".to_owned(), vec![1, 2, 3]),
            ("a/C.class".to_owned(), vec![4]),
        ];
        let packed = pack(&classes, folder).expect("packed");
        let file = std::env::temp_dir().join(format!("packed-{}", std::process::id()));
        let open = |bytes: &[u8]| {
            std::fs::write(&file, bytes).expect("a file");
            Packed::open(&file, folder)
        };
        let whole = open(&packed).expect("what was packed");
        let found = whole.find("a.C").expect("readable").expect("there");
        assert_eq!(found.bytes, [4]);
        assert!(whole.find("a.D").expect("readable").is_none());
        for length in 0..packed.len() {
            assert!(open(&packed[..length]).is_err(), "{length} bytes");
        }
        let mut huge = packed.clone();
        huge[..8].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(open(&huge).is_err());
        std::fs::remove_file(&file).expect("it was there");
    }
}

//! Reading files that the user did not name: what is imported, found beside, or configured.
//!
//! Such a file may be anything that somebody put there. A pipe never ends, a device has no size, and
//! a large file fills the memory: only regular files are read, up to a size that nobody writes.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// More than any text that somebody wrote.
pub const LARGEST: u64 = 16 << 20;

/// More than any text that a tool wrote for this one; the user named it.
const LARGEST_NAMED: u64 = 256 << 20;

/// The text of a regular file.
pub fn regular(path: &Path) -> io::Result<String> {
    // Opening a pipe waits for its other end, so this is asked first, and once more of what was
    // opened.
    check(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    check(&file.metadata()?)?;
    bounded(file, LARGEST)
}

/// The text of a file that the user named; it may be a pipe.
pub fn named(path: &Path) -> io::Result<String> {
    bounded(File::open(path)?, LARGEST_NAMED)
}

fn check(metadata: &std::fs::Metadata) -> io::Result<()> {
    if metadata.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if !metadata.is_file() {
        let message = "only regular files are read here, and this is none";
        return Err(io::Error::new(ErrorKind::InvalidInput, message));
    }
    match metadata.len() > LARGEST {
        true => Err(too_large(LARGEST)),
        false => Ok(()),
    }
}

fn bounded(file: File, largest: u64) -> io::Result<String> {
    let mut text = String::new();
    let read = file.take(largest + 1).read_to_string(&mut text);
    // The cut may have gone through a character.
    if text.len() as u64 > largest {
        return Err(too_large(largest));
    }
    read.map(|_| text)
}

fn too_large(largest: u64) -> io::Error {
    let message = format!("it has more than {} MB", largest >> 20);
    io::Error::new(ErrorKind::FileTooLarge, message)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::temporary::Temporary;
    use std::fs;

    #[test]
    fn only_regular_files_of_a_size_are_read() {
        let folder = Temporary::named(&std::env::temp_dir(), "regular");
        fs::create_dir_all(folder.path()).expect("a folder");
        let file = folder.path().join("a");
        fs::write(&file, "text").expect("a file");
        assert_eq!(regular(&file).ok().as_deref(), Some("text"));
        let large = folder.path().join("large");
        let made = File::create(&large).expect("a file");
        // Nothing is stored of such a file.
        made.set_len(LARGEST + 1).expect("a size");
        for path in [Path::new("/dev/zero"), folder.path(), &large] {
            assert!(regular(path).is_err(), "{}", path.display());
        }
        let endless = File::open("/dev/zero").expect("a device");
        let error = bounded(endless, 1_000).expect_err("it never ends");
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
    }
}

//! Fingerprints of large files.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

use crate::{Digest, Fingerprint, Folder};

/// The fingerprint of a file. It is remembered as long as the file is the same, since it takes longer
/// than many a search.
pub fn fingerprint_of_file(file: &Path, cache: Option<&Folder>) -> io::Result<Fingerprint> {
    let known = fs::metadata(file)?;
    let place = cache.zip(key(file, &known));
    let remembered = (place.as_ref()).and_then(|(cache, key)| cache.get(key));
    if let Some(remembered) = remembered.and_then(|bytes| bytes.try_into().ok()) {
        return Ok(Fingerprint(remembered));
    }
    let fingerprint = Fingerprint::of(&fs::read(file)?);
    if let Some((cache, key)) = place {
        cache.put(&key, &fingerprint.0);
    }
    Ok(fingerprint)
}

/// What changes whenever the file does: archives give files any time that they like, but not this one.
#[cfg(unix)]
fn key(file: &Path, known: &Metadata) -> Option<Fingerprint> {
    use std::os::unix::fs::MetadataExt;
    let mut digest = Digest::default();
    digest.text(&format!(
        "{} {} {} {} {} {}",
        file.display(),
        known.len(),
        known.dev(),
        known.ino(),
        known.ctime(),
        known.ctime_nsec()
    ));
    Some(digest.finish())
}

#[cfg(not(unix))]
fn key(_: &Path, _: &Metadata) -> Option<Fingerprint> {
    None
}

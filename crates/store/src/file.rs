//! Fingerprints of large files.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;
use std::time::SystemTime;

use crate::{Digest, Fingerprint, Folder};

/// The fingerprint of a file. It is remembered as long as the file is the same, since it takes longer
/// than many a search.
pub fn fingerprint_of_file(file: &Path, cache: Option<&Folder>) -> io::Result<Fingerprint> {
    let known = fs::metadata(file)?;
    let key = key(file, &known);
    let remembered = cache.and_then(|cache| cache.get(&key));
    if let Some(remembered) = remembered.and_then(|bytes| bytes.try_into().ok()) {
        return Ok(Fingerprint(remembered));
    }
    let fingerprint = Fingerprint::of(&fs::read(file)?);
    if let Some(cache) = cache {
        cache.put(&key, &fingerprint.0);
    }
    Ok(fingerprint)
}

fn key(file: &Path, known: &Metadata) -> Fingerprint {
    let changed = known.modified().ok();
    let changed = changed.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let mut digest = Digest::default();
    digest.text(&format!("{} {} {changed:?}", file.display(), known.len()));
    digest.finish()
}

//! Folders that are removed when they are no longer needed.

use std::path::{Path, PathBuf};

/// A folder of this process; it need not exist yet.
#[derive(Debug)]
pub struct Temporary(PathBuf);

impl Temporary {
    /// A folder in a place for temporary files, named after its use.
    pub fn named(place: &Path, name: &str) -> Temporary {
        let name = format!("heapwright-{name}-{}", std::process::id());
        Temporary(place.join(name))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

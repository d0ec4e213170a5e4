//! Folders that are removed when they are no longer needed.

use std::path::{Path, PathBuf};

/// A folder of this process; it need not exist yet.
pub struct Temporary(PathBuf);

impl Temporary {
    /// A folder in the system's place for temporary files, named after its use.
    pub fn named(name: &str) -> Temporary {
        let name = format!("heapwright-{name}-{}", std::process::id());
        Temporary(std::env::temp_dir().join(name))
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

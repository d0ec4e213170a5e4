//! The project that this process works on, which is one, as its current folder is.

use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use heapwright_files::{OutputError, Project};

static PROJECT: LazyLock<Mutex<Project>> = LazyLock::new(|| {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    Mutex::new(Project::new(home.as_deref()))
});

fn project() -> MutexGuard<'static, Project> {
    PROJECT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The project is the folder of a configuration file.
pub fn configured_in(folder: PathBuf) {
    project().configure_in(folder);
}

/// The folder of the configuration file, if one is used.
pub fn configured() -> Option<PathBuf> {
    project().configured().map(Path::to_owned)
}

/// The root of the project.
pub fn root() -> Option<PathBuf> {
    project().root()
}

/// Files below a folder may be quoted.
pub fn trust(folder: &Path) {
    project().trust(folder);
}

/// Files beside one that the user named may be quoted.
pub fn trust_beside(file: &Path) {
    project().trust_beside(file);
}

/// Whether messages may quote a file.
pub fn is_quotable(file: &Path) -> bool {
    project().is_quotable(file)
}

/// Whether a file that was found in a folder is neither in it nor in the project.
pub fn leads_out(file: &Path, folder: &Path) -> bool {
    project().leads_out(file, folder)
}

/// An output that must not leave a folder.
pub fn confine(output: &Path, folder: &Path) {
    project().confine(output, folder);
}

/// A folder for outputs that the user named: links in it do not lead out of it.
pub fn confine_below(folder: &Path) {
    project().confine_below(folder);
}

/// Where an output really is, if it may be there.
pub fn output(path: &Path) -> Result<PathBuf, OutputError> {
    project().output(path)
}

//! Java sources, compiled once for all tests and runs.
//!
//! Starting the compiler takes longer than most of what is tested. Its classes are kept in the build
//! folder under a hash of everything that they depend on, and copied from there.

use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The compiler that the environment names.
pub fn usual() -> PathBuf {
    match std::env::var_os("JAVA_HOME") {
        Some(home) => PathBuf::from(home).join("bin/javac"),
        None => PathBuf::from("javac"),
    }
}

/// Compiles sources into a folder. Options name no files, since these would not count for what is
/// kept.
pub fn compile(compiler: &Path, options: &[&str], classes: &Path, files: &[impl AsRef<Path>]) {
    let kept = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("java-fixtures")
        .join(key(compiler, options, files));
    if !kept.is_dir() {
        // Several tests may come here at once: each makes its own, and the first to rename it wins.
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let own = kept.with_extension(format!("{}-{number}", std::process::id()));
        fs::create_dir_all(&own).expect("a folder");
        let output = Command::new(compiler)
            .args(options)
            .arg("-d")
            .arg(&own)
            .args(files.iter().map(AsRef::as_ref))
            .output()
            .expect("javac starts");
        let messages = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{messages}");
        if fs::rename(&own, &kept).is_err() {
            let _ = fs::remove_dir_all(&own);
        }
    }
    copy(&kept, classes);
}

fn key(compiler: &Path, options: &[&str], files: &[impl AsRef<Path>]) -> String {
    let mut hasher = DefaultHasher::new();
    (found(compiler), options).hash(&mut hasher);
    for file in files {
        let file = file.as_ref();
        let text = fs::read(file).expect("a source");
        (file.file_name(), text).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
}

/// Where the compiler really is, which tells its version.
fn found(compiler: &Path) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut named = std::env::split_paths(&path).map(|folder| folder.join(compiler));
    let named = named.find(|file| file.is_file());
    let named = named.unwrap_or(compiler.to_owned());
    named.canonicalize().unwrap_or(named)
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, copied) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true => copy(&path, &copied),
            false => drop(fs::copy(&path, &copied).expect("a copy")),
        }
    }
}

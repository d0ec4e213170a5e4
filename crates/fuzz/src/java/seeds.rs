//! Examples of class files: Java sources of the repository, compiled when a run begins.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use heapwright_java::classpath::Jdk;

/// Compiles all Java sources below some folders into a folder.
pub fn compile(jdk: &Jdk, sources: &[impl AsRef<Path>], classes: &Path) -> io::Result<()> {
    let mut files = Vec::new();
    for folder in sources {
        find(folder.as_ref(), &mut files)?;
    }
    files.sort();
    let compiled = Command::new(jdk.home().join("bin").join("javac"))
        .args(["-g", "-proc:none", "-nowarn", "-d"])
        .arg(classes)
        .args(&files)
        .output()?;
    match compiled.status.success() {
        true => Ok(()),
        false => Err(io::Error::other(
            String::from_utf8_lossy(&compiled.stderr).into_owned(),
        )),
    }
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "java") {
            files.push(path);
        }
    }
    Ok(())
}

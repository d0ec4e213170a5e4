//! Java sources of subjects, compiled for a benchmark.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use heapwright_java::classpath::JdkSearch;
use heapwright_java_tests::{JavaProgram, Specifications};
use heapwright_testgen::host::QuietHost;

use crate::error::BenchError;

/// Compiles all sources below a folder, as a part of a module of the JDK if one is named.
pub fn compile(
    jdk: Option<&Path>,
    folder: &Path,
    classes: &Path,
    module: Option<&str>,
) -> Result<(), BenchError> {
    let jdk = JdkSearch::from_environment(jdk.map(Path::to_owned)).open();
    let jdk = jdk.map_err(BenchError::code)?;
    let mut sources = Vec::new();
    find_sources(folder, &mut sources)?;
    if sources.is_empty() {
        return Err(BenchError::NoFiles {
            folder: folder.to_owned(),
            kind: "Java sources",
        });
    }
    sources.sort();
    let mut command = Command::new(jdk.home().join("bin").join("javac"));
    if let Some(module) = module {
        let patch = format!("{module}={}", folder.display());
        command.args(["--patch-module", &patch]);
    }
    let compiled = command
        .args(["-g", "-proc:none", "-d"])
        .arg(classes)
        .args(&sources)
        .output()
        .map_err(BenchError::NoCompiler)?;
    match compiled.status.success() {
        true => Ok(()),
        false => Err(BenchError::Compiler(
            String::from_utf8_lossy(&compiled.stderr).into_owned(),
        )),
    }
}

fn find_sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), BenchError> {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |source| BenchError::Read {
            path: folder.clone(),
            source,
        };
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "java") {
                found.push(path);
            }
        }
    }
    Ok(())
}

/// The code of some classes, with specifications.
pub fn open(
    jdk: Option<&Path>,
    class_path: &[PathBuf],
    specifications: Specifications,
) -> Result<JavaProgram, BenchError> {
    let jdk = JdkSearch::from_environment(jdk.map(Path::to_owned));
    let host = Arc::new(QuietHost::default());
    Ok(JavaProgram::open(
        &jdk,
        class_path,
        None,
        specifications,
        host,
    )?)
}

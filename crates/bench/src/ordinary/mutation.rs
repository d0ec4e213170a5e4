//! The mutation score of emitted tests, as PIT measures it.

use std::path::{Path, PathBuf};
use std::process::Command;

use heapwright_java::verify::Toolchain;
use heapwright_testgen::files;

use super::classes::{Subject, jars};
use super::{Rate, shown};
use crate::error::BenchError;

/// Killed and all mutants of a class and the classes inside of it. The tests have been compiled into
/// the folder of their last run. `None` if PIT gives no figures.
pub fn mutation_score(
    subject: &Subject,
    jdk: &Path,
    toolchain: &Toolchain,
    folder: &Path,
    libraries: &Path,
) -> Result<Option<Rate>, BenchError> {
    let tests = folder.join("heapwright-verify").join("classes");
    let reports = folder.join("mutants");
    files::create_folder(&reports)?;
    let mut path: Vec<PathBuf> = vec![tests];
    path.extend(subject.class_path.iter().cloned());
    path.push(toolchain.junit().to_owned());
    let tools = jars(libraries, |name| {
        ["pitest", "commons-lang3", "commons-text"]
            .iter()
            .any(|tool| name.starts_with(tool))
    })?;
    let all = path.iter().chain(&tools);
    let class_path = std::env::join_paths(all).map_err(BenchError::code)?;
    let listed: Vec<String> = path.iter().map(|entry| shown(entry)).collect();
    let package = subject
        .class
        .rsplit_once('.')
        .map_or("", |(package, _)| package);
    let output = Command::new(jdk.join("bin").join("java"))
        .arg("-cp")
        .arg(class_path)
        .arg("org.pitest.mutationtest.commandline.MutationCoverageReport")
        .args(["--reportDir", &shown(&reports)])
        .args(["--classPath", &listed.join(",")])
        .args(["--targetClasses", &format!("{0},{0}$*", subject.class)])
        .args(["--targetTests", &format!("{package}.*Test")])
        .args(["--sourceDirs", &shown(folder)])
        .args(["--outputFormats", "CSV", "--timestampedReports", "false"])
        .args([
            "--threads",
            "1",
            "--timeoutConst",
            "2000",
            "--jvmArgs",
            "-ea",
        ])
        .output()
        .map_err(BenchError::NoCompiler)?;
    let csv = reports.join("mutations.csv");
    if !output.status.success() || !csv.is_file() {
        return Ok(None);
    }
    let text = files::read(&csv)?;
    let (mut killed, mut all) = (0, 0);
    for line in text.lines() {
        // File, class, mutator, method, line, status, killing test.
        let Some(status) = line.split(',').nth(5) else {
            continue;
        };
        all += 1;
        killed += u32::from(["KILLED", "TIMED_OUT", "MEMORY_ERROR", "RUN_ERROR"].contains(&status));
    }
    Ok(Some((killed, all)))
}

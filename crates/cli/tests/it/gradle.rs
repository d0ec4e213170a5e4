//! The example for Gradle: its build generates the tests and runs them. Gradle is in no repository
//! that a build can count on, so the test is left out, by name, where there is none.

use std::path::Path;
use std::process::Command;

use crate::common::root;
use heapwright_testgen::temporary::Temporary;

/// The files of the example.
const FILES: [&str; 3] = [
    "build.gradle",
    "heapwright.toml",
    "src/main/java/example/Basket.java",
];

/// Where the user's Maven repository has what the build needs, nothing is fetched.
const LOCAL: &str = "allprojects { repositories { mavenLocal() } }\n";

#[test]
fn a_build_with_gradle_generates_tests_and_runs_them() {
    if Command::new("gradle").arg("--version").output().is_err() {
        println!("skipped: gradle is not on the PATH");
        return;
    }
    let project = Temporary::named(&std::env::temp_dir(), "gradle");
    for file in FILES {
        let copy = project.path().join(file);
        std::fs::create_dir_all(copy.parent().expect("a folder")).expect("a folder");
        std::fs::copy(root().join("examples/gradle").join(file), copy).expect("a copy");
    }
    let local = project.path().join("local.gradle");
    std::fs::write(&local, LOCAL).expect("a file");
    let binary = Path::new(env!("CARGO_BIN_EXE_heapwright"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = binary.parent().map(Path::to_owned).into_iter();
    let folders = folders.chain(std::env::split_paths(&path));
    let ended = Command::new("gradle")
        .args(["--no-daemon", "--init-script"])
        .arg(&local)
        .arg("test")
        .current_dir(project.path())
        .env("PATH", std::env::join_paths(folders).expect("a path"))
        .env("HEAPWRIGHT_CACHE", "none")
        .output()
        .expect("gradle runs");
    let said = String::from_utf8_lossy(&ended.stdout);
    let errors = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{said}{errors}");
    assert!(said.contains("BUILD SUCCESSFUL"), "{said}");
    let results = project
        .path()
        .join("build/test-results/test/TEST-example.BasketTest.xml");
    let results = std::fs::read_to_string(results).expect("results of the tests");
    assert!(results.contains("failures=\"0\""), "{results}");
}

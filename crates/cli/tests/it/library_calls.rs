//! Code that uses the JDK: what the JDK asks about the environment while its own classes are
//! initialised costs no test and no proof, and the order of immutable sets stays unknown.
//!
//! The classes are in `tests/data/library_calls`; the name of each says what holds for its methods.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{heapwright, javac, root};
use heapwright_java::classpath::{Jdk, JdkSearch};
use serde_json::Value as Json;

#[test]
fn every_branch_is_covered() {
    for (jdk, folder) in compiled("covered") {
        let methods = verified(&jdk, &folder, "library.Covered");
        assert!(methods.len() > 25, "{}", methods.len());
        for method in methods {
            let all = branches(&method).len();
            assert_eq!(statuses(&method, "covered"), all, "{method}");
        }
    }
}

#[test]
fn every_branch_is_covered_on_java_17() {
    for (jdk, folder) in compiled("seventeen") {
        if jdk.version() != 17 {
            continue;
        }
        for method in verified(&jdk, &folder, "library.Seventeen") {
            assert_eq!(statuses(&method, "covered"), 4, "{method}");
        }
    }
}

#[test]
fn branches_that_no_environment_takes_are_proved_infeasible() {
    for (jdk, folder) in compiled("proved") {
        let methods = verified(&jdk, &folder, "library.Proved");
        assert_eq!(methods.len(), 6);
        for method in methods {
            let others = branches(&method).len() - 1;
            assert_eq!(statuses(&method, "infeasible"), 1, "{method}");
            assert_eq!(statuses(&method, "covered"), others, "{method}");
        }
    }
}

#[test]
fn the_order_of_immutable_collections_is_not_known() {
    for (jdk, folder) in compiled("unordered") {
        let methods = verified(&jdk, &folder, "library.Unordered");
        assert_eq!(methods.len(), 5);
        for method in methods {
            assert_eq!(branches(&method).len(), 2);
            for branch in branches(&method) {
                assert_eq!(branch["status"], "open", "{method}");
                assert_eq!(branch["depends_on"], "order", "{method}");
            }
        }
    }
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

/// The classes, once for each JDK that is installed.
fn compiled(name: &str) -> Vec<(Jdk, Folder)> {
    let sources = root().join("crates/cli/tests/data/library_calls/library");
    let files = fs::read_dir(sources).expect("a folder").flatten();
    let files: Vec<PathBuf> = files.map(|entry| entry.path()).collect();
    let compile = |jdk: Jdk| {
        let (process, version) = (std::process::id(), jdk.version());
        let name = format!("heapwright-library-calls-{name}-{version}-{process}");
        let folder = Folder(std::env::temp_dir().join(name));
        let (compiler, classes) = (jdk.home().join("bin/javac"), folder.path("classes"));
        let options = ["-g", "--release", "17"];
        javac::compile(&compiler, &options, Path::new(&classes), &files);
        (jdk, folder)
    };
    jdks().into_iter().map(compile).collect()
}

/// All JDKs that are installed beside each other, each version once.
fn jdks() -> Vec<Jdk> {
    let first = JdkSearch::from_environment(None).open();
    let mut jdks = vec![first.expect("this test needs a JDK")];
    let home = jdks[0].home().canonicalize().expect("the JDK has a folder");
    let beside = home.parent().and_then(|folder| fs::read_dir(folder).ok());
    let mut homes: Vec<PathBuf> = (beside.into_iter().flatten().flatten())
        .map(|entry| entry.path())
        .collect();
    homes.sort();
    for home in homes {
        match Jdk::open(&home) {
            Ok(jdk) if jdks.iter().all(|known| known.version() != jdk.version()) => jdks.push(jdk),
            _ => {}
        }
    }
    jdks
}

/// The report on the methods of a class that have branches. All tests pass on the virtual machine.
fn verified(jdk: &Jdk, folder: &Folder, class: &str) -> Vec<Json> {
    let (report, home) = (folder.path("report.json"), jdk.home().display().to_string());
    let run = heapwright(&[
        "generate",
        class,
        "-q",
        "--no-spec",
        "--any-heap",
        "--verify",
        "--jdk",
        &home,
        "-c",
        &folder.path("classes"),
        "--out",
        &folder.path("out"),
        "--json",
        &report,
    ]);
    assert_eq!(run.code, 0, "{class}: {}{}", run.stdout, run.stderr);
    let text = fs::read_to_string(Path::new(&report)).expect("a report");
    let report: Json = serde_json::from_str(&text).expect("JSON");
    let methods = report["procedures"].as_array().expect("a list").iter();
    let with_branches = methods.filter(|method| !branches(method).is_empty());
    with_branches.cloned().collect()
}

fn branches(method: &Json) -> &[Json] {
    method["branches"].as_array().expect("a list")
}

/// How many branches of a method have a status.
fn statuses(method: &Json, status: &str) -> usize {
    let branches = branches(method).iter();
    branches.filter(|branch| branch["status"] == status).count()
}

//! Branches that real programs take, planted: none of them is called infeasible, and no test that
//! is written for them fails.
//!
//! The classes are in `tests/data/feasible`, where a README says how more are added. That a branch
//! can be taken is shown by running its witness on the virtual machine.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::{Run, heapwright, root};
use serde_json::Value as Json;

/// How many planted branches there are at least, of all packages.
const PLANTED: usize = 60;

/// All packages.
const PACKAGES: [&str; 4] = ["environment", "implementations", "plain", "statics"];

/// The modes that need nothing but a class.
const MODES: [&[&str]; 3] = [&[], &["--mode", "symbolic"], &["--mode", "lazy"]];

#[test]
fn the_environment() {
    check("environment", &MODES);
}

#[test]
fn other_implementations() {
    check("implementations", &MODES);
}

#[test]
fn ordinary_branches() {
    check("plain", &MODES);
}

#[test]
fn branches_that_depend_on_static_state() {
    check("statics", &MODES);
}

#[test]
fn witnesses_take_their_branches() {
    let mut planted = 0;
    for package in PACKAGES {
        let folder = compiled(package, "witnesses");
        planted += witnessed(&folder, package).len();
    }
    assert!(planted >= PLANTED, "{planted}");
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

fn data() -> PathBuf {
    root().join("crates/cli/tests/data/feasible")
}

/// The Java files of a folder itself.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").flatten();
    let paths = entries.map(|entry| entry.path());
    let mut found: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|ending| ending == "java"))
        .collect();
    found.sort();
    found
}

/// The classes of a package, by name.
fn classes(package: &str) -> Vec<String> {
    let files = sources(&data().join(package)).into_iter();
    files
        .filter_map(|file| Some(format!("{package}.{}", file.file_stem()?.to_str()?)))
        .collect()
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("the JDK is installed");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {messages}");
    output
}

/// Compiles a package and its witnesses, apart from each other.
fn compiled(package: &str, test: &str) -> Folder {
    let process = std::process::id();
    let name = format!("heapwright-feasible-{package}-{test}-{process}");
    let folder = Folder(std::env::temp_dir().join(name));
    let planted = folder.path("classes");
    succeed(
        Command::new("javac")
            .args(["-g", "-nowarn", "-d", &planted])
            .args(sources(&data().join(package))),
    );
    succeed(
        Command::new("javac")
            .args(["-nowarn", "-cp", &planted, "-d", &folder.path("witnesses")])
            .arg(data().join("Driver.java"))
            .args(sources(&data().join(package).join("witness"))),
    );
    folder
}

/// Runs all witnesses, each of which takes its branch; returns the methods with one.
fn witnessed(folder: &Folder, package: &str) -> BTreeSet<String> {
    let class_path = format!("{}:{}", folder.path("classes"), folder.path("witnesses"));
    let output = succeed(
        Command::new("java")
            .args(["-cp", &class_path, "Driver"])
            .args(classes(package)),
    );
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut methods = BTreeSet::new();
    for line in text.lines() {
        let (method, answer) = line.split_once(' ').expect("a method and an answer");
        assert_eq!(answer, "true", "{method} has no witness");
        methods.insert(method.to_owned());
    }
    methods
}

/// Generates tests for a package once with each list of options.
fn check(package: &str, modes: &[&[&str]]) {
    let folder = compiled(package, "generated");
    let mut problems = Vec::new();
    for (number, options) in modes.iter().enumerate() {
        let report = folder.path(&format!("report{number}.json"));
        let run = generate(&folder, package, options, &report);
        let verified = run.stdout.contains("verified on Java");
        if run.stderr.contains("panicked") || !verified || !all_passed(&run.stdout) {
            let Run {
                code,
                stdout,
                stderr,
            } = &run;
            problems.push(format!("{options:?}: {code}\n{stdout}{stderr}"));
        }
        problems.extend(
            proved(&report)
                .iter()
                .map(|what| format!("{options:?}: {what}")),
        );
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Generates tests for the classes of a package, and has them verified.
fn generate(folder: &Folder, package: &str, options: &[&str], report: &str) -> Run {
    let (classes_folder, out) = (folder.path("classes"), folder.path("out"));
    let names = classes(package);
    let mut arguments = vec!["generate"];
    arguments.extend(names.iter().map(String::as_str));
    arguments.extend([
        "-c",
        &classes_folder,
        "--no-spec",
        "--any-heap",
        "-q",
        "--verify",
    ]);
    arguments.extend(["--json", report, "--out", &out]);
    arguments.extend(options);
    heapwright(&arguments)
}

/// Whether no test behaved differently than predicted, and JaCoCo saw what the engine saw.
fn all_passed(output: &str) -> bool {
    let line = output
        .lines()
        .find(|line| line.starts_with("verified on Java"));
    let words: Vec<&str> = line.map_or(Vec::new(), |line| line.split_whitespace().collect());
    let passed = match words[..] {
        [_, _, _, _, some, "of", all, ..] => some == all,
        [_, _, _, _, "all", ..] => true,
        _ => false,
    };
    passed && !output.contains("<- they differ")
}

/// The branches of a report that are called infeasible, and those that no input is said to reach.
fn proved(report: &str) -> Vec<String> {
    let text = fs::read_to_string(report).expect("a report");
    let document: Json = serde_json::from_str(&text).expect("JSON");
    let procedures = document["procedures"].as_array().expect("procedures");
    let mut problems = Vec::new();
    for procedure in procedures {
        let name = &procedure["procedure"];
        for branch in procedure["branches"].as_array().into_iter().flatten() {
            let status = &branch["status"];
            // A claim about inputs without objects, or with fewer than those whose classes are not
            // known, says nothing about the inputs of witnesses.
            let of_fewer = branch["objects"] == 0 || branch["limit"] == "classes";
            let of_fewer = status == "unreached" && of_fewer;
            if status != "covered" && status != "open" && !of_fewer {
                let (line, words) = (&branch["line"], &branch["words"]);
                problems.push(format!("{name}:{line}: {words} is {status}"));
            }
        }
        if procedure["statistics"]["divergences"] != 0 {
            problems.push(format!("{name}: a run left its path"));
        }
    }
    problems
}

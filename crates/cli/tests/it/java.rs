//! Tests for Java classes of every kind, on real virtual machines.
//!
//! The classes in `data/java` have no specifications, so every heap is a valid input. Tests are
//! generated for all of their methods, and every test that is written has to pass on every JDK
//! that is found. The branches that the engine covers are compared with those that JaCoCo measures:
//! `data/java/coverage.txt` has both counts for every method (`UPDATE_EXPECT=1` rewrites it), and
//! `data/java/differences.txt` says for every method where they differ why they do.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::common::{heapwright, javac};
use expect_test::expect_file;
use heapwright_java::classpath::{Jdk, JdkSearch};
use heapwright_java::verify::{Job, RunEnd, TestOutcome, Toolchain, verify};
use serde_json::Value as Json;

/// Targets that are tested whole; together they are all classes.
const TARGETS: [&str; 3] = ["trial.*", "trial.deep.*", "Loose"];

/// Classes that are also explored symbolically.
const SYMBOLIC: [&str; 2] = ["trial.Ring", "trial.Integers"];

/// Seconds for a method. A search that needs more is a failure.
const SECONDS: &str = "120";

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        let name = format!("heapwright-trial-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is known about one run of `generate --verify`.
struct Generated {
    /// Lines with class and method, JaCoCo's count and the engine's.
    counts: Vec<String>,
    /// What is wrong.
    problems: Vec<String>,
}

#[test]
fn every_test_passes_and_covers_what_was_found() {
    let jdks = jdks();
    let folder = Folder::new();
    compile(&jdks[0], &folder);
    let mut table = Vec::new();
    let mut problems = Vec::new();
    for target in TARGETS {
        let generated = generate(&jdks[0], &folder, target, &["--out", &folder.path("out")]);
        table.extend(generated.counts);
        problems.extend(generated.problems);
    }
    for target in SYMBOLIC {
        let generated = generate(&jdks[0], &folder, target, &["--mode", "symbolic"]);
        problems.extend(generated.problems);
    }
    for jdk in &jdks[1..] {
        problems.extend(failures(jdk, &folder));
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    check_differences(&table);
    check_table(&table);
}

/// All JDKs that are installed beside each other, each version once, that of the environment first.
fn jdks() -> Vec<Jdk> {
    let first = JdkSearch::from_environment(None).open();
    let mut jdks = vec![first.expect("this test needs a JDK")];
    let home = jdks[0].home().canonicalize().expect("the JDK has a folder");
    let beside = home.parent().and_then(|folder| fs::read_dir(folder).ok());
    let entries = beside.into_iter().flatten().flatten();
    let mut homes: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    homes.sort();
    for home in homes {
        match Jdk::open(&home) {
            Ok(jdk) if jdks.iter().all(|known| known.version() != jdk.version()) => jdks.push(jdk),
            _ => {}
        }
    }
    jdks
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/java")
}

fn files_below(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut pending = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder").flatten();
            pending.extend(entries.map(|entry| entry.path()));
        } else if path.extension().is_some_and(|known| known == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn compile(jdk: &Jdk, folder: &Folder) {
    let (compiler, classes) = (jdk.home().join("bin/javac"), folder.path("classes"));
    let files = files_below(&data(), "java");
    let options = ["-g", "--release", "17"];
    javac::compile(&compiler, &options, Path::new(&classes), &files);
}

/// Generates tests for a target, and has them verified.
fn generate(jdk: &Jdk, folder: &Folder, target: &str, more: &[&str]) -> Generated {
    let (classes, report) = (folder.path("classes"), folder.path("report.json"));
    let (home, sources) = (
        jdk.home().display().to_string(),
        data().display().to_string(),
    );
    let usual = ["generate", target, "-c", &classes, "--sources", &sources];
    let options = ["--jdk", &home, "--time", SECONDS, "--json", &report];
    let arguments = [
        &usual[..],
        &options,
        &["--no-spec", "--any-heap", "-q", "--verify"],
        more,
    ]
    .concat();
    let run = heapwright(&arguments);
    let mut problems = Vec::new();
    let verified = run.stdout.find("verified on Java");
    if run.code < 0 || run.stderr.contains("panicked") || verified.is_none() {
        problems.push(format!("{target}: {} {}", run.code, run.stderr));
    }
    let verification = verified.map_or("", |at| &run.stdout[at..]);
    let mut counts = Vec::new();
    for line in verification.lines().skip(1) {
        // Names of methods have spaces between the types of their parameters.
        let (name, rest) = line.rsplit_once(')').unwrap_or(("", line));
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words[..] {
            ["branches", ..] | ["total", ..] | ["not", "counted", "here:", ..] => {}
            // All findings fail as they should.
            ["findings:", some, "of", all, ..] if some == all => {}
            [_, "of", _, _, "of", ..] if !name.is_empty() => {
                let name = name.trim().replace(", ", ",");
                counts.push(format!("{name}) {}", words.join(" ")));
            }
            _ => problems.push(format!("{target}: {line}")),
        }
    }
    problems.extend(problems_of_searches(&report));
    Generated { counts, problems }
}

/// Searches that were ended by the clock, and runs that left the path that they were made for.
fn problems_of_searches(report: &str) -> Vec<String> {
    let text = fs::read_to_string(report).unwrap_or_default();
    let document: Json = serde_json::from_str(&text).unwrap_or_default();
    let procedures = document["procedures"].as_array();
    let mut problems = Vec::new();
    for procedure in procedures.into_iter().flatten() {
        let name = &procedure["procedure"];
        let divergences = &procedure["statistics"]["divergences"];
        if divergences != 0 {
            problems.push(format!("{name}: {divergences} divergences"));
        }
        if procedure["stop"].to_string().contains("time") {
            problems.push(format!("{name}: over {SECONDS} s"));
        }
    }
    if procedures.is_none() {
        problems.push("there is no report".to_owned());
    }
    problems
}

/// The tests that were written and do not pass on another JDK.
fn failures(jdk: &Jdk, folder: &Folder) -> Vec<String> {
    let toolchain = Toolchain::find(jdk.home(), None).expect("JUnit and JaCoCo");
    let all = files_below(&folder.0.join("out"), "java");
    // Findings fail, as they should.
    let is_finding = |path: &PathBuf| path.display().to_string().contains("FindingsTest");
    let sources: Vec<PathBuf> = all.into_iter().filter(|path| !is_finding(path)).collect();
    let opens = ["lang", "util", "util.function", "util.stream"];
    let opens = opens.map(|package| format!("java.base/java.{package}"));
    let verification = verify(
        &toolchain,
        &Job {
            sources: &sources,
            class_path: &[folder.0.join("classes")],
            opens: &opens,
            patches: &[],
            measured: &[],
            work: &folder.0,
            timeout: Duration::from_secs(120),
        },
    )
    .expect("the tests can be tried");
    let mut problems = Vec::new();
    if !verification.compiled || verification.end != RunEnd::Complete {
        let output = &verification.compiler_output;
        problems.push(format!("{:?}: {output}", verification.end));
    }
    assert!(!verification.tests.is_empty(), "no tests ran");
    for test in &verification.tests {
        if test.outcome != TestOutcome::Passed {
            problems.push(format!("Java {}: {test:?}", jdk.version()));
        }
    }
    problems
}

/// What is said of a method whose branches JaCoCo cannot see all.
const UNSEEN: &str = "<- JaCoCo misses branches right before an exception";

/// Methods whose counts differ have a reason, and others have none.
fn check_differences(table: &[String]) {
    let others = table.iter().filter(|line| line.ends_with("they differ"));
    assert_eq!(others.count(), 0, "{table:#?}");
    let differ = table.iter().filter(|line| line.ends_with(UNSEEN));
    let differ: BTreeSet<&str> = differ.filter_map(|line| line.split(' ').next()).collect();
    let text = fs::read_to_string(data().join("differences.txt")).expect("the reasons");
    let reasons: BTreeMap<&str, &str> = (text.lines().filter(|line| !line.starts_with("//")))
        .filter_map(|line| line.split_once(": "))
        .collect();
    let known: BTreeSet<&str> = reasons.keys().copied().collect();
    assert_eq!(differ, known, "methods with other counts than JaCoCo's");
}

fn check_table(table: &[String]) {
    let mut text = String::new();
    for line in table {
        text.push_str(line.trim_end_matches(UNSEEN).trim_end());
        text.push('\n');
    }
    expect_file![data().join("coverage.txt")].assert_eq(&text);
}

//! Predicates whose helpers write to the objects that they look at, in other packages and by the
//! JDK: the structures are those of the same predicate in one piece.

mod common;

use std::path::PathBuf;
use std::process::Command;

use common::{heapwright, root};
use serde_json::Value as Json;

/// The classes of the test data, compiled into a folder that is removed at the end.
struct Project(PathBuf);

impl Project {
    fn new(name: &str, data: &str, sources: &[&str]) -> Project {
        let name = format!("heapwright-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(folder.join("classes")).expect("a folder");
        let javac = match std::env::var_os("JAVA_HOME") {
            Some(home) => PathBuf::from(home).join("bin/javac"),
            None => PathBuf::from("javac"),
        };
        let data = root().join("crates/cli/tests/data").join(data);
        let compiled = Command::new(javac)
            .args(["-g", "-d"])
            .arg(folder.join("classes"))
            .args(sources.iter().map(|source| data.join(source)))
            .status();
        assert!(compiled.expect("javac starts").success());
        Project(folder)
    }

    /// The statistics of the only method under test, and what was printed.
    fn statistics(&self, target: &str, more: &[&str]) -> (Json, String) {
        let classes = self.0.join("classes").display().to_string();
        let (out, json) = (self.0.join("out"), self.0.join("report.json"));
        let (out, json) = (out.display().to_string(), json.display().to_string());
        let usual = [
            "generate", target, "-c", &classes, "--out", &out, "--json", &json,
        ];
        let run = heapwright(&[&usual, more].concat());
        assert!(run.code <= 1, "{}{}", run.stdout, run.stderr);
        let text = std::fs::read_to_string(&json).expect("a report");
        let report: Json = serde_json::from_str(&text).expect("JSON");
        let found = statistics(&report).expect("statistics");
        (found.clone(), run.stdout)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn statistics(json: &Json) -> Option<&Json> {
    match json {
        Json::Object(entries) => match entries.get("statistics") {
            Some(found) => Some(found),
            None => entries.values().find_map(statistics),
        },
        Json::Array(elements) => elements.iter().find_map(statistics),
        _ => None,
    }
}

const SOURCES: [&str; 4] = [
    "shapes/Node.java",
    "shapes/Tree.java",
    "help/Marks.java",
    "help/Marker.java",
];

#[test]
fn helpers_elsewhere_make_no_valid_object_invalid() {
    let project = Project::new("effects", "effects", &SOURCES);
    let structures = |predicate: &str, mode: &str| {
        let predicate = format!("shapes.Tree#{predicate}");
        let options = ["--repok", &predicate, "--mode", mode, "--scope", "3"];
        let (found, text) = project.statistics("shapes.Tree#count", &options);
        assert_eq!(found["divergences"], 0, "{text}");
        match mode {
            "repok" => found["structures"].as_u64(),
            _ => found["tests"].as_u64(),
        }
    };
    for mode in ["repok", "whitebox"] {
        assert_eq!(structures("inlined", mode), Some(1), "{mode}");
        for predicate in ["byStatic", "byInterface", "byLambda", "byCallback"] {
            assert_eq!(structures(predicate, mode), Some(1), "{predicate} {mode}");
        }
    }
    // Binary trees of one to three nodes: 1, 2 and 5.
    for predicate in ["byHashSet", "byMarks"] {
        assert_eq!(structures(predicate, "repok"), Some(8), "{predicate}");
    }
}

/// What a specification leaves open is completed so that the class's own predicate accepts it.
#[test]
fn open_fields_are_completed_as_the_predicate_wants() {
    let project = Project::new("open", "open_fields", &["plan/Task.java"]);
    let data = root().join("crates/cli/tests/data/open_fields");
    let spec = |name: &str| data.join(name).display().to_string();
    let (_, text) = project.statistics("plan.Task#last", &["--spec", &spec("Task.sl")]);
    assert!(text.contains("2 of 2 branches covered"), "{text}");
    assert!(!text.contains("rejects every input"), "{text}");
    let written = std::fs::read_to_string(project.0.join("out/plan/Task_lastTest.java"));
    let written = written.expect("a test class");
    assert!(written.contains("owner"), "{written}");
    assert!(written.contains("size = 2"), "{written}");
}

#[test]
fn it_is_said_that_the_predicate_rejects_every_input() {
    let project = Project::new("never", "open_fields", &["plan/Task.java"]);
    let data = root().join("crates/cli/tests/data/open_fields");
    let spec = data.join("Never.sl").display().to_string();
    let target = "plan.Task$Never#single";
    let (_, text) = project.statistics(target, &["--spec", &spec]);
    let line = "rejects every input of this specification";
    assert!(text.contains(line), "{text}");
}

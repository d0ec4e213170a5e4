//! Predicates whose helpers write to the objects that they look at, in other packages and by the
//! JDK: the structures are those of the same predicate in one piece.

use crate::common::project::Project;
use crate::common::{heapwright, root};
use serde_json::Value as Json;

/// Compiles sources of a folder of the test data.
fn compiled(test: &str, data: &str, sources: &[&str]) -> Project {
    let place = |source: &&str| format!("crates/cli/tests/data/{data}/{source}");
    let sources: Vec<String> = sources.iter().map(place).collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    Project::of_files(test, &sources)
}

/// The statistics of the only method under test, and what was printed.
fn generate(project: &Project, target: &str, more: &[&str]) -> (Json, String) {
    let (classes, out, json) = (
        project.classes(),
        project.path("out"),
        project.path("report.json"),
    );
    let usual = [
        "generate", target, "-c", &classes, "--out", &out, "--json", &json,
    ];
    let run = heapwright(&[&usual, more].concat());
    assert!(run.code <= 1, "{}{}", run.stdout, run.stderr);
    let report: Json = serde_json::from_str(&project.read("report.json")).expect("JSON");
    let found = statistics(&report).expect("statistics");
    (found.clone(), run.stdout)
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
    let project = compiled("effects", "effects", &SOURCES);
    let structures = |predicate: &str, mode: &str| {
        let predicate = format!("shapes.Tree#{predicate}");
        // Those of the search count, and no other inputs.
        let keep = ["--keep", "coverage"];
        let options = ["--repok", &predicate, "--mode", mode, "--scope", "3"];
        let options = [&options[..], &keep].concat();
        let (found, text) = generate(&project, "shapes.Tree#count", &options);
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
    let project = compiled("open", "open_fields", &["plan/Task.java"]);
    let data = root().join("crates/cli/tests/data/open_fields");
    let spec = |name: &str| data.join(name).display().to_string();
    let (_, text) = generate(&project, "plan.Task#last", &["--spec", &spec("Task.sl")]);
    assert!(text.contains("2 of 2 branches covered"), "{text}");
    assert!(!text.contains("rejects every input"), "{text}");
    let written = project.read("out/plan/Task_lastTest.java");
    assert!(written.contains("owner"), "{written}");
    assert!(written.contains("size = 2"), "{written}");
}

#[test]
fn it_is_said_that_the_predicate_rejects_every_input() {
    let project = compiled("never", "open_fields", &["plan/Task.java"]);
    let data = root().join("crates/cli/tests/data/open_fields");
    let spec = data.join("Never.sl").display().to_string();
    let target = "plan.Task$Never#single";
    let (_, text) = generate(&project, target, &["--spec", &spec]);
    let line = "rejects every input of this specification";
    assert!(text.contains(line), "{text}");
}

//! Bounds that find their own size: subjects that need many objects or long strings are covered
//! with default options, and verdicts name the bounds at which the search ended.

use crate::common::project::Project;
use crate::common::{Run, heapwright};
use serde_json::Value as Json;

const DATA: &str = "crates/cli/tests/data/bounds";

fn compiled(test: &str, sources: &[&str]) -> Project {
    let sources: Vec<String> = sources
        .iter()
        .map(|name| format!("{DATA}/{name}"))
        .collect();
    let sources: Vec<&str> = sources.iter().map(String::as_str).collect();
    Project::of_files(&format!("growth-{test}"), &sources)
}

/// The procedures of the JSON of a class.
fn generate(project: &Project, target: &str, more: &[&str]) -> Vec<Json> {
    let classes = project.classes();
    let usual = ["-c", &classes, "--specs", DATA, "--any-heap"];
    let json = project.path("out.json");
    procedures(json.as_ref(), target, &[&usual, more].concat())
}

fn procedures(json: &std::path::Path, target: &str, more: &[&str]) -> Vec<Json> {
    let path = json.display().to_string();
    let usual = ["generate", "-q", target, "--json", &path];
    let Run { code, stderr, .. } = heapwright(&[&usual, more].concat());
    assert_eq!(code, 0, "{stderr}");
    let text = std::fs::read_to_string(json).expect("JSON");
    let document: Json = serde_json::from_str(&text).expect("JSON");
    document["procedures"]
        .as_array()
        .expect("procedures")
        .clone()
}

/// Every branch is covered, no run left its path, and the clock ended nothing.
fn check(procedures: &[Json]) {
    for procedure in procedures {
        let name = &procedure["procedure"];
        for branch in procedure["branches"].as_array().expect("branches") {
            assert_eq!(branch["status"], "covered", "{name}: {branch}");
        }
        assert_eq!(procedure["statistics"]["divergences"], 0, "{name}");
        assert_ne!(procedure["stop"]["limit"], "time", "{name}");
    }
}

#[test]
fn lists_of_12_20_and_30_nodes_are_found() {
    let project = compiled("chain", &["sizes/Chain.java"]);
    for mode in ["concolic", "symbolic"] {
        let found = generate(&project, "sizes.Chain", &["--mode", mode]);
        assert_eq!(found.len(), 3);
        check(&found);
    }
}

#[test]
fn rings_of_30_nodes_and_paths_of_12_in_a_tree_are_found() {
    let project = compiled("ring", &["sizes/Ring.java", "sizes/Tree.java"]);
    check(&generate(&project, "sizes.Ring#page", &[]));
    check(&generate(&project, "sizes.Tree#depth", &[]));
}

#[test]
fn strings_of_twelve_characters_are_found() {
    let project = compiled("texts", &["sizes/Texts.java"]);
    let found = generate(&project, "sizes.Texts", &[]);
    assert_eq!(found.len(), 14);
    check(&found);
}

#[test]
fn procedures_that_need_many_nodes_are_covered() {
    let json = std::env::temp_dir().join(format!("heapwright-growth-{}.json", std::process::id()));
    let program = format!("{DATA}/chain.impl");
    let found = procedures(&json, &program, &[]);
    assert_eq!(found.len(), 3);
    check(&found);
    let _ = std::fs::remove_file(&json);
}

/// What somebody has fixed stays what it is, and the verdict says so.
#[test]
fn verdicts_name_the_bound_at_which_the_search_ended() {
    let program = format!("{DATA}/chain.impl#thirty");
    let run = heapwright(&["generate", &program, "--max-objects", "10"]);
    let expected = "no valid input with at most 10 objects takes it; beyond that, stopped \
                    by the limit of 10 objects per input (--max-objects)";
    let words: Vec<&str> = run.stdout.split_whitespace().collect();
    assert!(words.join(" ").contains(expected), "{}", run.stdout);
}

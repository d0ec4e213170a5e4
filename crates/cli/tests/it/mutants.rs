//! Tests that are kept by the changes of the code that they notice.

use crate::common::heapwright;
use serde_json::Value as Json;

const LIST: &str = "examples/impl/list.impl#insert";

/// The report of a procedure, and what was printed.
fn generate(more: &[&str]) -> (Json, String) {
    let usual = ["generate", LIST];
    let printed = heapwright(&[&usual[..], more].concat());
    assert_eq!(printed.code, 0, "{}", printed.stderr);
    let json = heapwright(&[&usual[..], more, &["--json", "-"]].concat());
    let document: Json = serde_json::from_str(&json.stdout).expect("JSON");
    (document["procedures"][0].clone(), printed.stdout)
}

#[test]
fn it_is_said_how_many_changes_the_tests_notice_and_which_they_do_not() {
    let (procedure, text) = generate(&[]);
    let mutants = &procedure["mutants"];
    let number = |key: &str| mutants[key].as_u64().expect("a number");
    let survived = mutants["survived"].as_array().expect("survivors");
    let (all, killed) = (number("all"), number("killed"));
    assert_eq!(
        all,
        killed + number("not_run") + survived.len() as u64,
        "{mutants}"
    );
    assert!(killed * 10 >= all * 8, "{mutants}");
    assert!(
        text.contains(&format!("  {killed} of {all} mutants killed")),
        "{text}"
    );
    for survivor in survived {
        let words = survivor["words"].as_str().expect("words");
        let line = &survivor["line"];
        let told = format!("  survived: {words}, line {line}\n");
        assert!(text.contains(&told), "{told}{text}");
    }
}

#[test]
fn branch_coverage_alone_keeps_fewer_tests_and_speaks_of_no_mutants() {
    let (covering, text) = generate(&["--keep", "coverage"]);
    assert!(covering["mutants"].is_null(), "{covering}");
    assert!(!text.contains("mutant"), "{text}");
    let (killing, _) = generate(&[]);
    let tests = |procedure: &Json| procedure["tests"].as_array().map_or(0, Vec::len);
    assert!(tests(&covering) <= tests(&killing));
    let covered = |procedure: &Json| {
        let branches = procedure["branches"].as_array().expect("branches").iter();
        let covered = branches.filter(|branch| branch["status"] == "covered");
        covered.count()
    };
    assert_eq!(covered(&covering), covered(&killing));
}

/// Two zeros look alike, and a list that gives the wrong one passes.
#[test]
fn values_that_nothing_constrains_differ() {
    let run = heapwright(&["generate", "examples/impl/list.impl#reverse", "--json", "-"]);
    let document: Json = serde_json::from_str(&run.stdout).expect("JSON");
    let tests = document["procedures"][0]["tests"]
        .as_array()
        .expect("tests");
    for test in tests {
        let objects = test["input"]["objects"].as_object().expect("objects");
        let mut values: Vec<_> = objects.values().map(|object| &object["value"]).collect();
        let all = values.len();
        values.sort_by_key(|value| value.as_i64());
        values.dedup();
        assert_eq!(values.len(), all, "{test}");
        assert!(
            values.iter().all(|value| value.as_i64() != Some(0)),
            "{test}"
        );
    }
}

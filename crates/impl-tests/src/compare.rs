//! Whether a run behaves as an earlier one did.
//!
//! Places in the source may have moved and new objects may have other names: what counts is how
//! the run ended, and the heap up to the names of new objects. The objects of the input keep
//! their identity.

use heapwright_engine::{Input, Outcome, Run, Subject, result_name};
use heapwright_impl::emit::Expectation;
use heapwright_logic::{CanonicalKey, Heap, JsonError, Loc, Sort, Value, canonical_key};
use serde_json::Value as Json;

use heapwright_explain::{compact, words};
use heapwright_testgen::{Procedural, json, state};

/// A difference that the values of the names do not show.
const HIDDEN: &str =
    "the names have equal values, but other objects of the input are in them, or left";

/// Whether a run ended as the header of a generated test says.
pub fn meets(expected: Expectation, outcome: &Outcome) -> bool {
    match (expected, outcome) {
        (Expectation::Returned, Outcome::Returned) => true,
        (
            Expectation::Fault { kind, line },
            Outcome::Fault {
                kind: found,
                position,
            },
        ) => kind == *found && line.is_none_or(|line| line == position.line),
        (Expectation::OutOfBudget(budget), Outcome::OutOfBudget { budget: found, .. }) => {
            budget == *found
        }
        _ => false,
    }
}

/// What is different from what a report recorded about a test, one line each.
pub fn differences(
    subject: &Subject,
    input: &Input,
    recorded: &Json,
    run: &Run,
) -> Result<Vec<String>, JsonError> {
    let program = &subject.program;
    let now = json::run(program, run);
    let mut differences = Vec::new();
    let (before, after) = (
        outcome_key(&recorded["outcome"]),
        outcome_key(&now["outcome"]),
    );
    if before != after {
        let found = words::outcome_at(program, &run.outcome);
        differences.push(format!("recorded: {}; now: {found}", shown(&before)));
    }
    let verdict = |json: &Json| json["postcondition"]["verdict"].clone();
    if verdict(recorded) != verdict(&now) {
        differences.push(format!(
            "the postcondition: recorded: {}; now: {}",
            word(&verdict(recorded)),
            word(&verdict(&now))
        ));
    }
    for what in ["freed", "leaks"] {
        let (before, after) = (named(input, &recorded[what]), named(input, &now[what]));
        if before != after {
            let (before, after) = (list(&recorded[what]), list(&now[what]));
            differences.push(format!("{what}: recorded: {before}; now: {after}"));
        }
    }
    let names = after_names(subject);
    let (values, heap) = state::from_json(&program.definitions, &names, &recorded["after"])?;
    let old: Vec<(String, Value)> = (names.into_iter().zip(values))
        .filter_map(|((name, _), value)| Some((name, value?)))
        .collect();
    let roots = run.roots();
    if key(input, &old, &heap) != key(input, &roots, &run.heap) {
        let show = |roots: &[(String, Value)], heap| {
            compact::terms(&Procedural, &program.definitions, roots, heap)
        };
        let (old, new) = (show(&old, &heap), show(&roots, &run.heap));
        if old != new {
            differences.push(format!("recorded: {old}"));
            differences.push(format!("now:      {new}"));
        } else if differences.is_empty() {
            differences.push(HIDDEN.to_owned());
        }
    }
    Ok(differences)
}

/// The names that a run may leave behind, with their sorts.
fn after_names(subject: &Subject) -> Vec<(String, Sort)> {
    let function = subject.program.function(subject.function);
    let known = subject.inputs.iter().map(|input| input.name.as_str());
    let known = known.chain(subject.outputs.iter().map(|output| output.name.as_str()));
    let result = (function.result).map(|sort| (result_name(known).to_owned(), sort));
    let inputs = (subject.inputs.iter()).map(|input| (input.name.clone(), input.sort));
    let outputs = (subject.outputs.iter()).map(|output| (output.name.clone(), output.sort));
    let mut names: Vec<(String, Sort)> = result.into_iter().collect();
    for name in inputs.chain(outputs) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Equal for states that differ in nothing but the names of new objects.
fn key(input: &Input, roots: &[(String, Value)], heap: &Heap) -> (Vec<String>, CanonicalKey) {
    let mut roots: Vec<&(String, Value)> = roots.iter().collect();
    roots.sort_by(|left, right| left.0.cmp(&right.0));
    let names = roots.iter().map(|(name, _)| name.clone()).collect();
    let values = roots.iter().map(|(_, value)| *value);
    // An object of the input that is gone stands for itself as a dangling reference.
    let kept = input.heap.cells.keys().map(|&loc| Value::Ref(loc));
    let all: Vec<Value> = values.chain(kept).collect();
    (names, canonical_key(&all, heap))
}

/// What counts of an outcome: everything but its place.
fn outcome_key(json: &Json) -> Json {
    let mut json = json.clone();
    if let Json::Object(members) = &mut json {
        members.retain(|key, _| !["file", "line", "column"].contains(&key.as_str()));
    }
    json
}

/// `fault: null dereference` from `{"kind":"fault","fault":"null dereference"}`.
fn shown(outcome: &Json) -> String {
    let special = ["fault", "class", "budget"];
    let special = special.iter().find_map(|key| outcome[*key].as_str());
    let kind = outcome["kind"].as_str().unwrap_or("nothing");
    match special {
        Some(special) => format!("{kind} ({special})"),
        None => kind.to_owned(),
    }
}

fn word(json: &Json) -> &str {
    json.as_str().unwrap_or("not checked")
}

/// The objects of the input by their names, and the number of all others.
fn named(input: &Input, json: &Json) -> (Vec<String>, usize) {
    let known: Vec<String> = (input.heap.cells.keys()).map(Loc::to_string).collect();
    let all = json.as_array().map_or(&[][..], Vec::as_slice);
    let names = all.iter().filter_map(Json::as_str).map(str::to_owned);
    let (mut own, others): (Vec<_>, Vec<_>) = names.partition(|name| known.contains(name));
    own.sort();
    (own, others.len())
}

fn list(json: &Json) -> String {
    let all = json.as_array().map_or(&[][..], Vec::as_slice);
    if all.is_empty() {
        return "nothing".to_owned();
    }
    let names: Vec<&str> = all.iter().filter_map(Json::as_str).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use heapwright_testgen::test_support::Example;

    #[test]
    fn a_run_differs_from_itself_in_nothing() {
        let example = Example::new();
        let subject = example.subject();
        for test in example.report().tests {
            let recorded = json::run(&example.program, &test.run);
            let found = differences(&subject, &test.input, &recorded, &test.run);
            assert_eq!(found, Ok(Vec::new()));
        }
    }

    #[test]
    fn every_difference_is_told() {
        let example = Example::new();
        let subject = example.subject();
        let test = &example.report().tests[1];
        let recorded = json::run(&example.program, &test.run);
        let check = |change: fn(&mut Run), expected: &[&str]| {
            let mut run = test.run.clone();
            change(&mut run);
            let found = differences(&subject, &test.input, &recorded, &run).expect("readable");
            assert_eq!(found, expected);
        };
        check(
            |run| {
                run.outcome = Outcome::AssumptionFailed {
                    position: Default::default(),
                }
            },
            &["recorded: returned; now: an assumption does not hold"],
        );
        check(
            |run| run.result = Some(Value::Int(7)),
            &[
                "recorded: result = 5, x = cons(5, null)",
                "now:      result = 7, x = cons(5, null)",
            ],
        );
        check(|run| drop(run.heap.cells.remove(&Loc(2))), &[HIDDEN]);
        check(
            |run| run.freed = vec![Loc(2)],
            &["freed: recorded: nothing; now: #2"],
        );
        check(
            |run| run.postcondition = Some(heapwright_engine::Verification::Holds),
            &["the postcondition: recorded: not checked; now: holds"],
        );
    }

    #[test]
    fn objects_of_the_input_keep_their_identity_and_new_ones_do_not() {
        let example = Example::new();
        let subject = example.subject();
        let test = &example.report().tests[1];
        let mut run = test.run.clone();
        let cell = run.heap.cells[&Loc(1)].clone();
        // A new object with the contents of the first one is returned under one name or another.
        run.heap.cells.insert(Loc(3), cell.clone());
        run.parameters[0].1 = Value::Ref(Loc(3));
        let recorded = json::run(&example.program, &run);
        let mut renamed = run.clone();
        renamed.heap.cells.remove(&Loc(3));
        renamed.heap.cells.insert(Loc(4), cell);
        renamed.parameters[0].1 = Value::Ref(Loc(4));
        let compare = |run: &Run| differences(&subject, &test.input, &recorded, run);
        assert_eq!(compare(&renamed), Ok(Vec::new()));
        let mut old = run.clone();
        old.heap.cells.remove(&Loc(3));
        old.parameters[0].1 = Value::Ref(Loc(1));
        assert_eq!(compare(&old), Ok(vec![HIDDEN.to_owned()]));
    }
}

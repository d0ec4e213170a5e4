//! From what the engine found to what the emitter writes.

use std::collections::BTreeMap;

use heapwright_engine::{Outcome, Test};
use heapwright_java::emit::{Ending, GlobalObject, StaticValue, TestCase};
use heapwright_java::target::TargetMethod;
use heapwright_java::world::World;
use heapwright_logic::{Loc, Value};

use super::super::suite::{Kept, Suite};
use crate::words;

/// A test that is kept as a test case; none for runs that no test can repeat.
pub fn test_case(
    world: &World,
    target: &TargetMethod,
    suite: &Suite,
    kept: &Kept,
) -> Option<TestCase> {
    let test = suite.test(kept);
    let statics = &suite.subject.globals;
    let parameters = suite.subject.inputs.len().checked_sub(statics.len())?;
    let after = |name: &str| {
        let root = test.run.roots.iter().find(|(root, _)| root == name);
        root.map(|(_, value)| *value)
    };
    let static_value = |name: &str, value: Value| {
        let (class, field) = name.rsplit_once('.')?;
        Some(StaticValue {
            class: class.into(),
            field: field.into(),
            value,
        })
    };
    let arguments = test.input.arguments.get(..parameters)?.to_vec();
    let given = test.input.arguments.get(parameters..)?;
    let before = (statics.iter().zip(given))
        .filter_map(|(known, value)| static_value(&known.name, *value))
        .collect();
    let afterwards: Vec<StaticValue> = (statics.iter())
        .filter_map(|known| static_value(&known.name, after(&known.name)?))
        .collect();
    let ending = match test.run.outcome {
        Outcome::Returned => Ending::Returned {
            result: after("result"),
            after: test.run.heap.clone(),
            statics: afterwards,
        },
        Outcome::Threw { class, .. } => Ending::Threw {
            class,
            after: test.run.heap.clone(),
            statics: afterwards,
        },
        Outcome::Fault { .. } | Outcome::AssumptionFailed { .. } | Outcome::OutOfBudget { .. } => {
            return None;
        }
    };
    Some(TestCase {
        method: target.clone(),
        name: kept.name.clone(),
        comments: comments(suite, kept, test),
        arguments,
        statics: before,
        before: test.input.heap.clone(),
        ending,
        vague: BTreeMap::new(),
        globals: globals(world, test),
    })
}

/// What a reader wants to know about a test.
fn comments(suite: &Suite, kept: &Kept, test: &Test) -> Vec<String> {
    let findings = kept.findings.iter().map(|finding| finding.words());
    let mut comments: Vec<String> = findings.collect();
    if let (Outcome::Threw { .. }, true) = (test.run.outcome, comments.is_empty()) {
        comments.push(words::outcome_at(&suite.subject.program, &test.run.outcome));
    }
    comments
}

/// The objects of the heap that belong to the program.
fn globals(world: &World, test: &Test) -> BTreeMap<Loc, GlobalObject> {
    let known = test.run.global_objects.iter();
    known
        .filter_map(|(&loc, &global)| {
            let literal = world
                .literal_text(global)
                .cloned()
                .map(GlobalObject::Literal);
            let class = || world.class_object_type(global).cloned();
            let object = literal.or_else(|| class().map(GlobalObject::Class))?;
            Some((loc, object))
        })
        .collect()
}

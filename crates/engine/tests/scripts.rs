//! Scripts: straight programs of calls, found by extending those that do something new.

mod specified;

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_engine::scripts::{
    Callee, Catalogue, Operation, OperationId, Recipe, ScriptBounds, Scripts, TypeId, TypeInfo,
    explore,
};
use heapwright_engine::sequences::Argument;
use heapwright_engine::{NothingMore, StopReason};
use heapwright_ir::Program;
use heapwright_ir::machine::concrete::Value;
use specified::*;

const STACK: &str = "
struct Node { int value; Node next; }
struct Stack { Node top; int size; }
proc init(Stack s) { s.top := nil; }
proc push(Stack s, int x) { s.top := new Node(x, s.top); s.size := s.size + 1; }
proc look(Stack s) returns int {
    if (s.size < 3) { return 0; }
    if (s.top.value == s.top.next.value) { return 1; }
    return 2;
}
";

/// A catalogue with one type for numbers and one for stacks.
fn catalogue(program: &Program) -> Catalogue {
    let function = |name: &str| program.function_named(name).expect("a function");
    let class = program.definitions.class_named("Stack").expect("a class");
    let numbers = (1..6).map(|n| Argument::Value(Value::Int(n)));
    let (stack, number) = (TypeId(0), TypeId(1));
    let operation = |callee, parameters: &[TypeId], result| Operation {
        callee,
        parameters: parameters.to_vec(),
        result,
        extends: true,
    };
    Catalogue {
        types: vec![
            TypeInfo {
                class: Some(class),
                recipes: vec![Recipe::Call(OperationId(0))],
                ..TypeInfo::default()
            },
            TypeInfo {
                literals: numbers.collect(),
                ..TypeInfo::default()
            },
        ],
        operations: vec![
            operation(Callee::New(class, function("init")), &[], Some(stack)),
            operation(Callee::Static(function("push")), &[stack, number], None),
            operation(Callee::Static(function("look")), &[stack], Some(number)),
        ],
        tested: ["init", "push", "look"].map(function).into_iter().collect(),
        family: [class].into_iter().collect(),
        ..Catalogue::default()
    }
}

fn found(bounds: &ScriptBounds) -> Scripts {
    let program = Specified::new(STACK, "").read.program;
    let catalogue = catalogue(&program);
    explore(
        Arc::new(program),
        &mut NothingMore,
        &catalogue,
        &[],
        bounds,
        &mut |_| (),
    )
}

#[test]
fn branches_behind_several_calls_are_found() {
    let scripts = found(&ScriptBounds::default());
    assert_eq!(scripts.stop, StopReason::Covered);
    assert!(scripts.open.is_empty(), "{:?}", scripts.open);
    // The comparison of values needs a constructor, three pushes and the call itself, and nothing
    // else is left in a script for it.
    let lengths: BTreeSet<usize> = (scripts.found.iter())
        .filter(|found| !found.edges.is_empty())
        .map(|found| found.script.statements.len())
        .collect();
    assert_eq!(lengths.last(), Some(&5), "{lengths:?}");
}

#[test]
fn the_same_scripts_every_time() {
    let scripts = || {
        let found = found(&ScriptBounds::default()).found.into_iter();
        found.map(|found| found.script).collect::<Vec<_>>()
    };
    assert_eq!(scripts(), scripts());
}

#[test]
fn a_search_ends_by_its_patience() {
    let bounds = ScriptBounds {
        length: 3,
        patience: 200,
        ..ScriptBounds::default()
    };
    let scripts = found(&bounds);
    assert_eq!(scripts.open.len(), 3, "{:?}", scripts.open);
    assert!(
        matches!(scripts.stop, StopReason::Limit(_)),
        "{}",
        scripts.runs
    );
}

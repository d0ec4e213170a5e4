//! Branches that tests for null rule out, and branches that look as if they did.

use std::collections::BTreeSet;

use heapwright_engine::coverage::Coverage;
use heapwright_engine::nullness::infeasible_edges;
use heapwright_ir::machine::Successor;

/// The infeasible edges of the procedure `target` and of what it calls, as `line:column way`.
fn infeasible(text: &str) -> BTreeSet<String> {
    let text = format!("struct Node {{ int value; Node next; Node other; }}\n{text}");
    let read = heapwright_impl::read_program("test.impl", &text).expect("a program");
    let program = &read.program;
    let target = program.function_named("target").expect("a procedure");
    let coverage = Coverage::new(program, target);
    let edges = infeasible_edges(program, target, coverage.functions(), None);
    (coverage.branches())
        .filter(|known| edges.contains(&known.edge))
        .map(|known| {
            let way = match known.edge.successor {
                Successor::Jump(0) => "yes",
                _ => "no",
            };
            format!("{} {way}", known.position.line)
        })
        .collect()
}

fn check(text: &str, expected: &[&str]) {
    let expected: BTreeSet<String> = expected.iter().map(|&edge| edge.to_owned()).collect();
    assert_eq!(infeasible(text), expected, "{text}");
}

#[test]
fn what_was_tested_is_known() {
    check(
        "proc target(Node x) returns int {
            if (x == nil) then return 0;
            if (x == nil) then return 1;
            return 2;
        }",
        &["4 yes"],
    );
}

#[test]
fn what_was_dereferenced_is_not_null() {
    check(
        "proc target(Node x) returns int {
            int v := x.value;
            if (x /= nil) then return v;
            return 2;
        }",
        &["4 no"],
    );
}

#[test]
fn a_field_that_nobody_wrote_keeps_its_value() {
    check(
        "proc target(Node x) returns int {
            if (x.next == nil) then return 0;
            x.other := nil;
            if (x.next == nil) then return 1;
            return 2;
        }",
        &["5 yes"],
    );
}

#[test]
fn a_field_may_be_written_through_another_reference() {
    check(
        "proc target(Node x, Node y) returns int {
            if (x.next == nil) then return 0;
            y.next := nil;
            if (x.next == nil) then return 1;
            return 2;
        }",
        &[],
    );
}

#[test]
fn a_callee_may_write_the_field() {
    let program = |field: &str| {
        format!(
            "proc target(Node x) returns int {{
                if (x.next == nil) then return 0;
                change(x);
                if (x.next == nil) then return 1;
                return 2;
            }}
            proc change(Node y) {{ y.{field} := nil; }}"
        )
    };
    check(&program("next"), &[]);
    check(&program("other"), &["5 yes"]);
}

#[test]
fn a_parameter_that_no_caller_passes_as_null_is_not_null() {
    check(
        "proc target(Node x) returns int {
            if (x == nil) then return 0;
            return length(x);
        }
        proc length(Node y) returns int {
            if (y == nil) then return 0;
            if (y.next == nil) then return 1;
            return 1 + length(y.next);
        }",
        &["7 yes"],
    );
}

#[test]
fn one_caller_is_enough_to_pass_null() {
    check(
        "proc target(Node x) returns int {
            if (x == nil) then return 0;
            return length(x);
        }
        proc length(Node y) returns int {
            if (y == nil) then return 0;
            return 1 + length(y.next);
        }",
        &[],
    );
}

#[test]
fn the_function_under_test_may_get_anything_also_from_itself() {
    check(
        "proc target(Node x) returns int {
            if (x == nil) then return 0;
            if (x.next == nil) then return 1;
            return target(x.next);
        }",
        &[],
    );
}

#[test]
fn a_loop_forgets_what_its_body_changes() {
    check(
        "proc target(Node x) returns int {
            Node y := x;
            if (y == nil) then return 0;
            while (y /= nil) { y := y.next; }
            if (y == nil) then return 1;
            return 2;
        }",
        &["6 no"],
    );
}

#[test]
fn a_new_object_is_not_null_and_its_reference_may_be_overwritten() {
    check(
        "proc target(Node x) returns int {
            Node y := new Node(0, nil, nil);
            if (y == nil) then return 0;
            y := x;
            if (y == nil) then return 1;
            return 2;
        }",
        &["4 yes"],
    );
}

#[test]
fn what_a_callee_returns_is_known() {
    check(
        "proc target(Node x) returns int {
            if (make() == nil) then return 0;
            if (pass(x) == nil) then return 1;
            return 2;
        }
        proc make() returns Node { return new Node(1, nil, nil); }
        proc pass(Node x) returns Node { return x; }",
        &["3 yes"],
    );
}

#[test]
fn code_behind_a_call_that_never_returns_is_not_reached() {
    check(
        "proc target(Node x) returns int {
            forever(x);
            if (x == nil) then return 1;
            return 2;
        }
        proc forever(Node x) { x.value := nothing(x); }
        proc nothing(Node x) returns int { return nothing(x); }",
        &["4 no", "4 yes"],
    );
}

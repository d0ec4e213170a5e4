//! The worked example of the paper, and predicates whose contexts need several unfoldings.

use super::*;
use crate::print::Printer;
use crate::test_support::World;

fn contexts_of(world: &mut World, name: &str) -> LeastFixedPoint {
    let predicate = world.definitions.predicate_named(name).unwrap();
    let budget = LfpBudget::default();
    least_fixed_point(&mut world.terms, &world.definitions, &[predicate], budget)
}

fn printed(world: &World, heaps: &[SymbolicHeap]) -> Vec<String> {
    (heaps.iter())
        .map(|heap| Printer::new(&world.terms, &world.definitions).symbolic_heap(heap))
        .collect()
}

/// Fig. 6: two lists of equal length.
#[test]
fn two_lists_of_equal_length() {
    let mut world = World::with_nodes();
    world.predicate(
        "pre(a: Cell, b: Cell)",
        &[
            "emp & a = null & b = null",
            "exists v, n, w, m. a -> Cell(v, n) * b -> Cell(w, m) * pre(n, m)",
        ],
    );
    let result = contexts_of(&mut world, "pre");
    assert_eq!(result.outcome, LfpOutcome::FixedPoint);
    let iteration = |i: usize| {
        let entry = &result.trace[i][0];
        (
            printed(&world, &entry.contexts),
            printed(&world, &entry.abstraction),
        )
    };
    assert_eq!(iteration(0), (vec!["pre(a, b)".to_owned()], vec![]));
    let empty = "emp & a = null & b = null".to_owned();
    let cells = "exists v, n, w, m. a -> Cell(v, n) * b -> Cell(w, m)";
    assert_eq!(
        iteration(1),
        (
            vec![empty.clone(), format!("{cells} * pre(n, m)")],
            vec![empty.clone(), cells.to_owned()],
        )
    );
    let deeper = "exists v, n, w, m, v1, n1, w1, m1. a -> Cell(v, n) * b -> Cell(w, m) \
                  * n -> Cell(v1, n1) * m -> Cell(w1, m1) * pre(n1, m1)";
    assert_eq!(
        iteration(2),
        (
            vec![
                empty.clone(),
                format!("{cells} & n = null & m = null"),
                deeper.to_owned(),
            ],
            vec![empty, cells.to_owned(), cells.to_owned()],
        )
    );
    // Two iterations, and SV^1 with its two contexts is the result.
    assert_eq!(result.trace.len(), 3);
    assert_eq!(result.contexts(), &result.trace[1][..]);
}

#[test]
fn list_segments() {
    let mut world = World::with_nodes();
    let result = contexts_of(&mut world, "ls");
    assert_eq!(result.outcome, LfpOutcome::FixedPoint);
    let abstraction = printed(&world, &result.contexts()[0].abstraction);
    assert_eq!(abstraction, ["emp & x = y", "exists d. x -> Cell(d, y)"]);
}

#[test]
fn search_trees_need_one_unfolding() {
    let mut world = World::with_nodes();
    let result = contexts_of(&mut world, "bst");
    assert_eq!(result.outcome, LfpOutcome::FixedPoint);
    assert_eq!(result.contexts()[0].contexts.len(), 2);
    assert_eq!(result.trace.len(), 3);
}

#[test]
fn doubly_linked_segments() {
    let mut world = World::default();
    world.class("Link { prev: Link, next: Link }");
    // From x to its last cell `last`, with `before` before it and `after` behind it.
    world.predicate(
        "dll(x: Link, before: Link, last: Link, after: Link)",
        &[
            "x -> Link(before, after) & x = last",
            "exists n. x -> Link(before, n) * dll(n, x, last, after)",
        ],
    );
    let result = contexts_of(&mut world, "dll");
    assert_eq!(result.outcome, LfpOutcome::FixedPoint);
    // One cell, or first and last cell apart.
    let abstraction = printed(&world, &result.contexts()[0].abstraction);
    assert_eq!(
        abstraction,
        [
            "x -> Link(before, after) & x = last",
            "x -> Link(before, last) * last -> Link(x, after)",
        ]
    );
}

#[test]
fn linked_leaves_are_allocated_deep_inside() {
    let mut world = World::default();
    world.class("Tree { left: Tree, right: Tree, next: Tree }");
    world.predicate(
        "tll(x: Tree, first: Tree, after: Tree)",
        &[
            "x -> Tree(null, null, after) & x = first",
            "exists l, r, n, m. x -> Tree(l, r, n) * tll(l, first, m) * tll(r, m, after)",
        ],
    );
    let result = contexts_of(&mut world, "tll");
    assert_eq!(result.outcome, LfpOutcome::FixedPoint);
    let sizes: Vec<_> = result
        .trace
        .iter()
        .map(|entry| entry[0].contexts.len())
        .collect();
    assert_eq!(sizes, [1, 2, 5, 26]);
    let abstraction = &result.contexts()[0].abstraction;
    let allocated: Vec<_> = abstraction
        .iter()
        .map(|heap| heap.points_to.len())
        .collect();
    assert_eq!(allocated, [1, 2]);
}

#[test]
fn contradictory_contexts_are_dropped() {
    let mut world = World::with_nodes();
    world.predicate(
        "odd(x: Cell, y: Cell)",
        &[
            "emp & x = y & x != y",
            "exists d, e. x -> Cell(d, y) * y -> Cell(e, x) & x = y",
            "exists d. x -> Cell(d, y) & x = null",
            "exists d. x -> Cell(d, y) & x != y",
        ],
    );
    let result = contexts_of(&mut world, "odd");
    let abstraction = printed(&world, &result.contexts()[0].abstraction);
    assert_eq!(abstraction, ["exists d. x -> Cell(d, y) & x != y"]);
}

#[test]
fn a_wrapper_is_not_taken_for_false() {
    let mut world = World::with_nodes();
    world.predicate("wrapper(x: Cell)", &["ls(x, null)"]);
    let result = contexts_of(&mut world, "wrapper");
    assert_eq!(result.outcome, LfpOutcome::FixedPoint);
    let allocated = |heap: &SymbolicHeap| heap.points_to.len();
    let abstraction = &result.contexts()[0].abstraction;
    assert_eq!(
        abstraction.iter().map(allocated).collect::<Vec<_>>(),
        [0, 1]
    );
}

#[test]
fn the_budget_ends_what_grows() {
    let mut world = World::with_nodes();
    world.predicate(
        "deep(x: Node, y: Node)",
        &[
            "emp & x = null",
            "exists v, l, r. x -> Node(v, l, r) * deep(l, y) * deep(r, y)",
        ],
    );
    let result = contexts_of(&mut world, "deep");
    assert_eq!(result.outcome, LfpOutcome::FixedPoint);
    let predicate = world.definitions.predicate_named("deep").unwrap();
    let budget = LfpBudget {
        iterations: 16,
        contexts: 4,
    };
    let result = least_fixed_point(&mut world.terms, &world.definitions, &[predicate], budget);
    assert_eq!(result.outcome, LfpOutcome::Truncated);
    assert_eq!(result.contexts()[0].contexts.len(), 2);
}

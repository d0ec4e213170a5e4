//! Unfolding against Fig. 3 of CSF.

use super::*;
use crate::print::Printer;
use crate::test_support::World;

/// Unfolds one instance of every formula, formulas of earlier rounds being kept.
fn rounds(world: &mut World, start: SymbolicHeap, count: usize) -> Vec<SymbolicHeap> {
    let mut all: Vec<SymbolicHeap> = Vec::new();
    let mut latest = vec![start];
    for _ in 0..count {
        latest = (latest.iter())
            .filter(|heap| !heap.is_base())
            .flat_map(|heap| unfold_each(&mut world.terms, &world.definitions, heap))
            .collect();
        all.extend(latest.iter().cloned());
    }
    all
}

fn remove_precondition() -> (World, SymbolicHeap) {
    let mut world = World::with_nodes();
    world.declare("root: Node, minE: integer, maxE: integer");
    let heap = world.symbolic_heap("bst(root, minE, maxE)");
    (world, heap)
}

#[test]
fn a_search_tree_unfolded_twice() {
    let (mut world, heap) = remove_precondition();
    let formulas = rounds(&mut world, heap, 2);
    let printed: Vec<_> = (formulas.iter())
        .map(|heap| Printer::new(&world.terms, &world.definitions).symbolic_heap(heap))
        .collect();
    let node = "root -> Node(v, l, r)";
    let bounds = "minE < v & v < maxE";
    assert_eq!(
        printed,
        [
            "emp & root = null".to_owned(),
            format!("exists v, l, r. {node} * bst(l, minE, v) * bst(r, v, maxE) & {bounds}"),
            format!("exists v, l, r. {node} * bst(r, v, maxE) & {bounds} & l = null"),
            format!(
                "exists v, l, r, v1, l1, r1. {node} * l -> Node(v1, l1, r1) * bst(r, v, maxE) \
                 * bst(l1, minE, v1) * bst(r1, v1, v) & {bounds} & minE < v1 & v1 < v"
            ),
            format!("exists v, l, r. {node} * bst(l, minE, v) & {bounds} & r = null"),
            format!(
                "exists v, l, r, v1, l1, r1. {node} * r -> Node(v1, l1, r1) * bst(l, minE, v) \
                 * bst(l1, v, v1) * bst(r1, v1, maxE) & {bounds} & v < v1 & v1 < maxE"
            ),
        ]
    );
}

/// The base formula and the open one; four of depth two; of these, two have one instance left
/// and two have three: 2 * 2 + 2 * 6 = 16 of depth three.
#[test]
fn a_search_tree_unfolded_three_times() {
    let (mut world, heap) = remove_precondition();
    assert_eq!(rounds(&mut world, heap, 3).len(), 1 + 1 + 4 + 16);
}

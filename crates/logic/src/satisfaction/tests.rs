//! The two entry points on the structures that everybody knows.

use crate::test_support::World;
use crate::*;

fn accepted(world: &World, formula: &Formula, stack: &str, heap: &str) -> Witness {
    let heap = world.heap(heap);
    match world.find(formula, stack, &heap) {
        Ok(witness) => witness,
        Err(failure) => panic!("{failure}"),
    }
}

fn reason(world: &World, formula: &Formula, stack: &str, heap: &str) -> String {
    match world.find(formula, stack, &world.heap(heap)) {
        Err(Failure::Unsatisfied { reason }) => reason.to_string(),
        other => panic!("{other:?}"),
    }
}

fn tree_world() -> (World, Formula) {
    let mut world = World::with_nodes();
    world.declare("root: Node, lo: integer, hi: integer");
    let formula = world.formula(&["bst(root, lo, hi)"]);
    (world, formula)
}

#[test]
fn bounds_of_a_search_tree_are_found() {
    let (world, formula) = tree_world();
    let heap = "1: Node(5, #2, #3); 2: Node(3, null, null); 3: Node(9, null, null)";
    let witness = accepted(&world, &formula, "root = #1", heap);
    let ghost = |name| match witness.stack[&world.variable(name)] {
        Value::Int(value) => value,
        other => panic!("{other:?}"),
    };
    assert!(ghost("lo") < 3 && ghost("hi") > 9);
    accepted(&world, &formula, "root = #1, lo = 2, hi = 10", heap);
}

#[test]
fn the_deepest_failure_is_the_reason() {
    let (world, formula) = tree_world();
    let heap = "1: Node(5, #2, null); 2: Node(3, null, #3); 3: Node(7, null, null)";
    assert_eq!(
        reason(&world, &formula, "root = #1, lo = 0, hi = 10", heap),
        "in bst(#3, 3, 5): no disjunct fits: disjunct 1 needs root = null (root = #3); \
         disjunct 2 needs v < hi (v = 7, hi = 5)"
    );
    let heap = "1: Node(5, null, null); 3: Node(7, null, null); 4: Node(7, null, null)";
    assert_eq!(
        reason(&world, &formula, "root = #1", heap),
        "cells not described by the formula: #3, #4"
    );
    let cyclic = "1: Node(5, #1, null)";
    assert_eq!(
        reason(&world, &formula, "root = #1", cyclic),
        "in bst(#1, lo, 5): no disjunct fits: disjunct 1 needs root = null (root = #1); \
         disjunct 2 needs a cell Node at root = #1, which is described already"
    );
    assert_eq!(
        reason(&world, &formula, "root = #7", ""),
        "in bst(#7, lo, hi): no disjunct fits: disjunct 1 needs root = null (root = #7); \
         disjunct 2 needs a cell Node at root = #7, which is no object of the heap"
    );
}

#[test]
fn contradicting_ghosts_are_named() {
    let mut world = World::with_nodes();
    world.declare("root: Node, lo: integer, hi: integer");
    let formula = world.formula(&["bst(root, lo, hi) & hi < lo + 5"]);
    let heap = "1: Node(5, #2, #3); 2: Node(3, null, null); 3: Node(9, null, null)";
    let reason = reason(&world, &formula, "root = #1", heap);
    assert!(
        reason.starts_with("no values satisfy together: "),
        "{reason}"
    );
    assert!(reason.contains("lo < v (v = 3)"), "{reason}");
    assert!(reason.contains("v < hi (v = 9)"), "{reason}");
    let tight = world.formula(&["bst(root, lo, hi) & hi <= lo + 8"]);
    let witness = accepted(&world, &tight, "root = #1", heap);
    assert_eq!(witness.stack[&world.variable("lo")], Value::Int(2));
    assert_eq!(witness.stack[&world.variable("hi")], Value::Int(10));
}

#[test]
fn segments_are_found_by_backtracking() {
    let mut world = World::with_nodes();
    world.declare("x: Cell, z: Cell");
    let list = "1: Cell(4, #2); 2: Cell(7, #3); 3: Cell(2, null)";
    // Somewhere in the list there is a 7.
    let formula =
        world.formula(&["exists y, n, d. ls(x, y) * y -> Cell(d, n) * ls(n, null) & d = 7"]);
    let witness = accepted(&world, &formula, "x = #1", list);
    assert_eq!(witness.derivation.steps[0].exists[0], Value::Ref(Loc(2)));
    let formula =
        world.formula(&["exists y, n, d. ls(x, y) * y -> Cell(d, n) * ls(n, null) & d = 8"]);
    assert!(world.find(&formula, "x = #1", &world.heap(list)).is_err());
    // A lasso: a segment into a cycle.
    let formula = world.formula(&["exists y, n, d. ls(x, y) * y -> Cell(d, n) * ls(n, y)"]);
    accepted(
        &world,
        &formula,
        "x = #1",
        "1: Cell(0, #2); 2: Cell(0, #3); 3: Cell(0, #2)",
    );
    // A dangling end.
    let formula = world.formula(&["ls(x, z)"]);
    accepted(&world, &formula, "x = #1, z = #9", "1: Cell(0, #9)");
}

#[test]
fn a_points_to_of_unknown_address_is_guessed() {
    let mut world = World::with_nodes();
    world.declare("x: Cell");
    let formula = world.formula(&["exists y: Cell, d, n. y -> Cell(d, n) * ls(x, null) & d = 3"]);
    let witness = accepted(
        &world,
        &formula,
        "x = #1",
        "1: Cell(3, null); 2: Cell(3, #1)",
    );
    assert_eq!(witness.derivation.steps[0].exists[0], Value::Ref(Loc(2)));
}

#[test]
fn heights_are_found_bottom_up() {
    let mut world = World::with_nodes();
    world.declare("x: Node, h: integer");
    let formula = world.formula(&["avl(x, h)"]);
    let balanced = "1: Node(0, #2, #3); 2: Node(0, #4, null); 3: Node(0, null, null); \
                    4: Node(0, null, null)";
    let witness = accepted(&world, &formula, "x = #1", balanced);
    assert_eq!(witness.stack[&world.variable("h")], Value::Int(3));
    let crooked = "1: Node(0, #2, null); 2: Node(0, #4, null); 4: Node(0, null, null)";
    let reason = reason(&world, &formula, "x = #1", crooked);
    assert!(
        reason.contains("needs h = 0 against a <= b + 1 (a = 2)"),
        "{reason}"
    );
}

#[test]
fn disjuncts_of_one_shape_are_told_apart_in_the_end() {
    let mut world = World::with_nodes();
    world.predicate(
        "balanced(x: Node, h: integer)",
        &[
            "emp & x = null & h = 0",
            "exists v, l, r, a, b. x -> Node(v, l, r) * balanced(l, a) * balanced(r, b) \
             & a = b & h = a + 1",
            "exists v, l, r, a, b. x -> Node(v, l, r) * balanced(l, a) * balanced(r, b) \
             & a = b + 1 & h = a + 1",
            "exists w, l, r, a, b. x -> Node(w, l, r) * balanced(l, a) * balanced(r, b) \
             & b = a + 1 & h = b + 1",
        ],
    );
    world.declare("x: Node, h: integer");
    let formula = world.formula(&["balanced(x, h)"]);
    let text = "1: Node(0, #2, #3); 2: Node(0, #4, null); 3: Node(0, null, null); \
                4: Node(0, null, null)";
    let witness = accepted(&world, &formula, "x = #1", text);
    let taken: Vec<_> = witness
        .derivation
        .steps
        .iter()
        .map(|step| step.disjunct)
        .collect();
    assert_eq!(taken.iter().filter(|&&disjunct| disjunct == 2).count(), 2);
    // A degenerate tree of 60 nodes is refuted without trying combinations.
    let spine: Vec<_> = (1..60)
        .map(|n| format!("{n}: Node(0, #{}, null)", n + 1))
        .collect();
    let spine = format!("{}; 60: Node(0, null, null)", spine.join("; "));
    let reason = reason(&world, &formula, "x = #1", &spine);
    assert!(reason.contains("for disjunct 3"), "{reason}");
}

#[test]
fn leaves_linked_across_the_tree() {
    let mut world = World::default();
    world.class("Tree { left: Tree, right: Tree, next: Tree }");
    world.predicate(
        "tll(x: Tree, first: Tree, after: Tree)",
        &[
            "x -> Tree(null, null, after) & x = first",
            "exists l, r, n, m. x -> Tree(l, r, n) * tll(l, first, m) * tll(r, m, after)",
        ],
    );
    world.declare("x: Tree");
    let formula = world.formula(&["exists first: Tree. tll(x, first, null)"]);
    let heap = "1: Tree(#2, #3, null); 2: Tree(#4, #5, null); 3: Tree(null, null, null); \
                4: Tree(null, null, #5); 5: Tree(null, null, #3)";
    let witness = accepted(&world, &formula, "x = #1", heap);
    assert_eq!(witness.derivation.steps[0].exists[0], Value::Ref(Loc(4)));
    let broken = heap.replace("5: Tree(null, null, #3)", "5: Tree(null, null, #4)");
    assert!(
        world
            .find(&formula, "x = #1", &world.heap(&broken))
            .is_err()
    );
}

#[test]
fn subclasses_match_where_their_superclass_is_asked_for() {
    let mut world = World::with_nodes();
    world.class("Fat: Cell { extra: bool }");
    world.class("Other { item: int, next: Cell }");
    world.declare("x: Cell");
    let formula = world.formula(&["ls(x, null)"]);
    accepted(
        &world,
        &formula,
        "x = #1",
        "1: Cell(1, #2); 2: Fat(1, null, true)",
    );
    let other = world.find(&formula, "x = #1", &world.heap("1: Other(1, null)"));
    assert!(matches!(other, Err(Failure::IllFormed { .. })), "{other:?}");
    let wrong_field = world.find(&formula, "x = #1", &world.heap("1: Cell(true, null)"));
    assert!(matches!(wrong_field, Err(Failure::IllFormed { .. })));
}

#[test]
fn machine_ranges_bind_quantified_variables() {
    let mut world = World::with_nodes();
    world.declare("n: integer");
    let formula = world.formula(&["exists b: byte. emp & n = b"]);
    accepted(&world, &formula, "n = 127", "");
    assert!(world.find(&formula, "n = 128", &Heap::default()).is_err());
    // Two ghosts that must differ, in a range of two values, next to a third.
    let formula = world.formula(&["exists p: byte, q: byte. emp & 126 <= p & 126 <= q & p != q"]);
    accepted(&world, &formula, "", "");
    let formula = world.formula(&[
        "exists p: byte, q: byte, r: byte. emp & 126 <= p & 126 <= q & 126 <= r \
         & p != q & q != r & p != r",
    ]);
    assert!(matches!(
        world.find(&formula, "", &Heap::default()),
        Err(Failure::Unsatisfied { .. })
    ));
}

#[test]
fn what_is_not_linear_is_enumerated_or_left_undecided() {
    let mut world = World::with_nodes();
    world.declare("n: integer");
    let formula = world.formula(&["exists b: byte. emp & mul(b, b) = n & 0 < b"]);
    let witness = accepted(&world, &formula, "n = 49", "");
    assert_eq!(witness.derivation.steps[0].exists[0], Value::Int(7));
    assert!(matches!(
        world.find(&formula, "n = 50", &Heap::default()),
        Err(Failure::Unsatisfied { .. })
    ));
    let formula = world.formula(&["exists b: integer. emp & mul(b, b) = n & 0 < b"]);
    let (terms, definitions) = (&world.terms, &world.definitions);
    let small = Budget { steps: 1000 };
    let stack = world.stack("n = 50");
    let answer = find_derivation(
        terms,
        definitions,
        &formula,
        &stack,
        &Heap::default(),
        small,
    );
    assert!(matches!(answer, Err(Failure::Budget { .. })), "{answer:?}");
}

#[test]
fn free_variables() {
    let mut world = World::with_nodes();
    world.declare("x: Cell, n: integer, b: byte");
    let formula = world.formula(&["sized(x, n)"]);
    let unbound = world.find(&formula, "n = 0", &Heap::default());
    assert_eq!(
        unbound,
        Err(Failure::FreeReference {
            name: "x".to_owned()
        })
    );
    let formula = world.formula(&["emp & b = n"]);
    let outside = world.find(&formula, "b = 300", &Heap::default());
    assert!(matches!(outside, Err(Failure::IllFormed { .. })));
}

/// A list of `length` cells and its derivation, in the way a solver would hand it over.
fn long_list(length: u32) -> (World, Formula, Model) {
    let mut world = World::with_nodes();
    world.declare("x: Cell, n: integer");
    let formula = world.formula(&["sized(x, n)"]);
    let cell = world.definitions.class_named("Cell").unwrap();
    let reference = |loc: u32| match loc > length {
        true => Value::Null,
        false => Value::Ref(Loc(loc)),
    };
    let mut model = Model {
        stack: world.stack(&format!("x = #1, n = {length}")),
        ..Model::default()
    };
    let first = Step {
        disjunct: 0,
        exists: vec![],
        children: vec![StepId(1)],
    };
    model.derivation.steps.push(first);
    for loc in 1..=length {
        let fields = vec![Value::Int(7), reference(loc + 1)];
        model.heap.cells.insert(
            Loc(loc),
            Cell {
                class: cell,
                fields,
            },
        );
        model.derivation.steps.push(Step {
            disjunct: 1,
            exists: vec![
                Value::Int(7),
                reference(loc + 1),
                Value::Int(i128::from(length - loc)),
            ],
            children: vec![StepId(loc + 1)],
        });
    }
    let last = Step {
        disjunct: 0,
        exists: vec![],
        children: vec![],
    };
    model.derivation.steps.push(last);
    (world, formula, model)
}

#[test]
fn long_derivations_are_verified() {
    let (world, formula, model) = long_list(300_000);
    let start = std::time::Instant::now();
    assert_eq!(
        verify(&world.terms, &world.definitions, &formula, &model),
        Ok(())
    );
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn long_lists_are_parsed() {
    let (world, formula, model) = long_list(20_000);
    let found = world.find(&formula, "x = #1", &model.heap).unwrap();
    assert_eq!(found.stack, model.stack);
    assert_eq!(found.derivation, model.derivation);
}

#[test]
fn large_search_trees_are_parsed() {
    let (world, formula) = tree_world();
    let node = world.definitions.class_named("Node").unwrap();
    let mut heap = Heap::default();
    let size = 4095u32;
    for loc in 1..=size {
        let child = |loc: u32| match loc > size {
            true => Value::Null,
            false => Value::Ref(Loc(loc)),
        };
        // Heap order numbering; the in-order rank is the value.
        let level = loc.ilog2();
        let width = (size + 1) >> (level + 1);
        let rank = (loc - (1 << level)) * 2 * width + width;
        let fields = vec![Value::Int(rank.into()), child(2 * loc), child(2 * loc + 1)];
        heap.cells.insert(
            Loc(loc),
            Cell {
                class: node,
                fields,
            },
        );
    }
    let start = std::time::Instant::now();
    world.find(&formula, "root = #1", &heap).unwrap();
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

/// Every single change to a derivation of a small tree is noticed.
#[test]
fn mutated_models_are_rejected() {
    let (world, formula) = tree_world();
    let text = "1: Node(5, #2, #3); 2: Node(3, null, null); 3: Node(9, null, null)";
    let witness = accepted(&world, &formula, "root = #1, lo = 2, hi = 10", text);
    let model = Model {
        stack: witness.stack,
        heap: world.heap(text),
        derivation: witness.derivation,
    };
    let check = |model: &Model| verify(&world.terms, &world.definitions, &formula, model);
    assert_eq!(check(&model), Ok(()));
    let mut mutants = Vec::new();
    for at in 0..model.derivation.steps.len() {
        let mut mutant = model.clone();
        mutant.derivation.steps[at].disjunct ^= 1;
        mutants.push(mutant);
        for index in 0..model.derivation.steps[at].exists.len() {
            for value in [
                Value::Null,
                Value::Int(4),
                Value::Ref(Loc(1)),
                Value::Bool(true),
            ] {
                let mut mutant = model.clone();
                mutant.derivation.steps[at].exists[index] = value;
                if mutant != model {
                    mutants.push(mutant);
                }
            }
        }
        for index in 0..model.derivation.steps[at].children.len() {
            for child in [0, at as u32, 99, 1] {
                let mut mutant = model.clone();
                mutant.derivation.steps[at].children[index] = StepId(child);
                if mutant != model {
                    mutants.push(mutant);
                }
            }
        }
        let mut mutant = model.clone();
        mutant.derivation.steps[at].exists.push(Value::Null);
        mutants.push(mutant);
        let mut mutant = model.clone();
        mutant.derivation.steps[at].children.push(StepId(0));
        mutants.push(mutant);
    }
    for loc in 1..=3 {
        let mut mutant = model.clone();
        mutant.heap.cells.remove(&Loc(loc));
        mutants.push(mutant);
        for field in 0..3 {
            for value in [
                Value::Int(10),
                Value::Int(1 << 40),
                Value::Ref(Loc(2)),
                Value::Null,
            ] {
                let mut mutant = model.clone();
                mutant.heap.cells.get_mut(&Loc(loc)).unwrap().fields[field] = value;
                if mutant != model {
                    mutants.push(mutant);
                }
            }
        }
    }
    let mut mutant = model.clone();
    let cell = model.heap.cells[&Loc(1)].clone();
    mutant.heap.cells.insert(Loc(4), cell);
    mutants.push(mutant);
    let mut mutant = model.clone();
    mutant.stack.remove(&world.variable("lo"));
    mutants.push(mutant);
    let mut mutant = model.clone();
    mutant.stack.insert(world.variable("hi"), Value::Int(9));
    mutants.push(mutant);
    let mut mutant = model.clone();
    let unused = mutant.derivation.steps[2].clone();
    mutant.derivation.steps.push(unused);
    mutants.push(mutant);
    mutants.push(Model::default());
    for mutant in mutants {
        assert!(check(&mutant).is_err(), "{mutant:?}");
    }
}

#[test]
fn violations_say_what_is_wrong() {
    let (world, formula, mut model) = long_list(2);
    model.derivation.steps[2].exists[2] = Value::Int(5);
    let violation = verify(&world.terms, &world.definitions, &formula, &model).unwrap_err();
    assert_eq!(
        violation.to_string(),
        "step 2, sized(#2, 1): n = m + 1 does not hold (n = 1, m = 5)"
    );
}

/// Found by the comparison with brute force: disjuncts without cells whose pure parts nest.
#[test]
fn alternatives_inside_alternatives() {
    let mut world = World::with_nodes();
    world.predicate(
        "p(x: Cell, y: Cell, n: integer)",
        &[
            "exists d: integer, u: Cell, m: integer. emp \
             & 0 <= m & m <= 3 & 0 <= d & d <= 3 & n = max(m, d) & y != u",
            "exists d: integer, u: Cell, m: integer. emp \
             & 0 <= m & m <= 3 & 0 <= d & d <= 3 & 1 < d & 1 < n || u = x",
        ],
    );
    world.declare("a: Cell, b: Cell, k: integer");
    let formula = world.formula(&["p(a, b, k)"]);
    let witness = accepted(&world, &formula, "a = #3, b = null, k = 0", "");
    assert_eq!(witness.derivation.steps.len(), 2);
}

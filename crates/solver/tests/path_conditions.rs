//! Small formulas from path conditions; the benchmark asks the same questions.

mod common;

use heapwright_solver::Answer;

#[test]
fn path_conditions_are_answered() {
    let mut specification = common::specification(include_str!("data/path_conditions.sl"));
    let mut solver = common::solver(&mut specification);
    assert!(specification.queries.len() >= 13);
    for query in &specification.queries {
        let name = query.name.as_deref().unwrap_or_default();
        let answer = match solver.check(&mut specification.terms, &query.formula) {
            Answer::Sat(_) => "sat",
            Answer::Unsat => "unsat",
            Answer::Unknown(reason) => panic!("{name}: {reason}"),
        };
        assert_eq!(name.rsplit('_').next(), Some(answer), "{name}");
    }
}

/// The first model found is a smallest one, although the numbers have many cases and the heaps
/// below hold nothing.
#[test]
fn models_of_deep_trees_are_smallest() {
    let mut specification = common::specification(include_str!("data/path_conditions.sl"));
    let mut solver = common::solver(&mut specification);
    // The fewest nodes of AVL trees are 0, 1, 2, 4, 7, 12, 20, by height.
    for (name, cells) in [("avl_left_sat", 7), ("avl_deep_sat", 20)] {
        let mut queries = specification.queries.iter();
        let query = queries.find(|query| query.name.as_deref() == Some(name));
        let formula = query.map(|query| query.formula.clone()).expect(name);
        match solver.check(&mut specification.terms, &formula) {
            Answer::Sat(model) => assert_eq!(model.heap.cells.len(), cells, "{name}"),
            answer => panic!("{name}: {answer:?}"),
        }
    }
}

/// Where arguments are that lie outside of an instance: an empty segment ends where it begins, and
/// what a back pointer leads to says nothing.
#[test]
fn arguments_outside_of_an_instance_are_known_by_others() {
    let mut specification = common::specification(
        "data Node { Node next; Node prev; }
         pred segment(x, before, y, last) :=
             emp & x = y & before = last
           | exists n. x -> Node(n, before) * segment(n, x, y, last);",
    );
    let mut solver = common::solver(&mut specification);
    let predicate = specification.definitions.predicate_named("segment");
    let found = solver.occupancy(predicate.expect("a predicate"));
    let equal = |position: usize| found[position].as_ref().map(|known| known.equal.clone());
    assert_eq!(equal(0), Some(Some(vec![2])), "the first node or the end");
    assert_eq!(equal(1), Some(None), "any object");
    assert_eq!(equal(3), Some(Some(vec![1])), "a node or what is before");
}

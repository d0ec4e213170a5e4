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

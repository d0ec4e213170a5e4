//! Small formulas from path conditions; the benchmark asks the same questions.

mod common;

use heapwright_solver::Answer;

#[test]
fn path_conditions_are_answered() {
    let mut specification = common::specification(include_str!("data/path_conditions.sl"));
    let mut solver = common::solver(&mut specification);
    assert!(specification.queries.len() >= 9);
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

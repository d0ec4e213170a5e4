//! Questions on which an earlier solver, or one like it, was wrong or undecided.

mod common;

use heapwright_logic::Formula;
use heapwright_solver::{Answer, Reason, Solver, Verdict};
use heapwright_spec::Specification;

fn answers(specification: &mut Specification, solver: &mut Solver, formula: &Formula) -> String {
    let terms = &mut specification.terms;
    let verdict = solver.verdict(terms, formula).to_string();
    let answer = match solver.check(terms, formula) {
        Answer::Sat(_) => "sat".to_owned(),
        Answer::Unsat => "unsat".to_owned(),
        Answer::Unknown(reason) => format!("unknown: {reason}"),
    };
    assert_eq!(verdict, answer.split(':').next().unwrap_or_default());
    answer
}

#[test]
fn hard_questions_are_answered() {
    let mut specification = common::specification(include_str!("data/hard_questions.sl"));
    let mut solver = common::solver(&mut specification);
    for query in specification.queries.clone() {
        let name = query.name.as_deref().unwrap_or_default();
        let answer = answers(&mut specification, &mut solver, &query.formula);
        match name.rsplit('_').next() {
            Some("possible") => assert_ne!(answer, "unsat", "{name}"),
            expected => assert_eq!(expected, Some(&*answer), "{name}"),
        }
    }
}

/// What is found for some of the cases of a formula with very many is not passed off as a model.
#[test]
fn too_many_cases_are_not_guessed() {
    let cases: String = (0..8)
        .map(|i| format!(" & (p{i} = null || n{i} = 1)"))
        .collect();
    let text = format!(
        "data N {{ int v; N n; }}
         check a -> N(_, _) * b -> N(_, _) * c -> N(_, _) & (a = b || a = c){cases};"
    );
    let mut specification = common::specification(&text);
    let mut solver = common::solver(&mut specification);
    let formula = specification.queries[0].formula.clone();
    let verdict = solver.verdict(&mut specification.terms, &formula);
    assert!(
        matches!(
            verdict,
            Verdict::Unsat | Verdict::Unknown(Reason::TooManyCases)
        ),
        "{verdict:?}"
    );
}

/// References have classes, and a cell of one class cannot stand where another is declared.
#[test]
fn classes_are_respected() {
    let text = "data Base { int v; Base next; } data A extends Base { int w; }
         data Holder { A a; Holder other; }
         check holder -> Holder(p, null) * r -> Base(1, null) & r = p;
         check holder -> Holder(p, null) * r -> A(1, null, 2) & r = p;";
    let mut specification = common::specification(text);
    let mut solver = common::solver(&mut specification);
    let [wrong, right] = [0, 1].map(|index| specification.queries[index].formula.clone());
    assert_ne!(
        solver.verdict(&mut specification.terms, &wrong),
        Verdict::Sat
    );
    assert_eq!(
        solver.verdict(&mut specification.terms, &right),
        Verdict::Sat
    );
}

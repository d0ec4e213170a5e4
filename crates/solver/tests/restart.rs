//! After a restart a solver answers as a new one does, whatever was asked before.

mod common;

use heapwright_logic::{Formula, Terms};
use heapwright_solver::arith::ArithConfig;
use heapwright_solver::{Answer, Config, Solver, TableLimits};

/// The answers to questions asked in a certain order, each after a restart, by position.
fn answers(
    solver: &mut Solver,
    terms: &Terms,
    questions: &[Formula],
    order: impl Iterator<Item = usize>,
) -> Vec<(usize, Answer)> {
    let mut answers: Vec<_> = order
        .map(|position| {
            solver.restart();
            let answer = solver.check(&mut terms.clone(), &questions[position]);
            (position, answer)
        })
        .collect();
    answers.sort_by_key(|&(position, _)| position);
    answers
}

/// Asks all questions in two orders of one solver, and each of a solver of its own.
fn orders_agree(text: &str, tables: TableLimits) {
    let mut specification = common::specification(text);
    let config = Config {
        arith: ArithConfig::repeatable(),
        tables,
        ..Config::default()
    };
    let questions: Vec<Formula> = (specification.queries.iter())
        .map(|query| query.formula.clone())
        .collect();
    let before = specification.terms.clone();
    let (terms, definitions) = (&mut specification.terms, &specification.definitions);
    let mut solver = Solver::new(terms, definitions, config.clone());
    let forwards = answers(&mut solver, terms, &questions, 0..questions.len());
    let backwards = answers(&mut solver, terms, &questions, (0..questions.len()).rev());
    let mut other = Solver::new(&mut before.clone(), definitions, config.clone());
    let reverse = (0..questions.len()).rev();
    let backwards_only = answers(&mut other, terms, &questions, reverse);
    assert_eq!(forwards, backwards);
    assert_eq!(forwards, backwards_only);
    for (position, answer) in &forwards {
        let mut terms = before.clone();
        let mut own = Solver::new(&mut terms, definitions, config.clone());
        assert_eq!(*answer, own.check(&mut terms, &questions[*position]));
    }
}

#[test]
fn the_order_of_questions_does_not_matter() {
    let text = include_str!("data/path_conditions.sl");
    orders_agree(text, TableLimits::default());
}

/// Nor does it where tables are cut short.
#[test]
fn the_order_does_not_matter_where_limits_are_reached() {
    let text = include_str!("data/path_conditions.sl");
    for combinations in [10, 100, 1_000] {
        let facts = combinations as usize / 2;
        let tables = TableLimits {
            facts,
            combinations,
        };
        orders_agree(text, tables);
    }
}

/// Numbers that only Z3 finds, many of which would do: what it was asked before in the same thread,
/// by this solver or by another, makes no difference.
#[test]
fn the_backend_does_not_remember_other_questions() {
    let text = "
check product := x * y = 391 & x > 1 & y > x;
check squares := x * x + y * y = 1000 & x > 0;
check sums := x * y + z * z = 1234 & x * z > y & y > 3;
check cubes := x * x * x + y * y = z * 7 + 1 & z > 100 & y > 2;
check differences := x * x - y * y = 77 & z * x = y * 5 & y > 0;
";
    let mut specification = common::specification(text);
    let questions: Vec<Formula> = (specification.queries.iter())
        .map(|query| query.formula.clone())
        .collect();
    let config = Config::default();
    let definitions = &specification.definitions;
    let alone: Vec<Answer> = (questions.iter())
        .map(|question| {
            let (mut terms, definitions) = (specification.terms.clone(), definitions.clone());
            let (config, question) = (config.clone(), question.clone());
            // A thread of its own has asked nothing before.
            let thread = std::thread::spawn(move || {
                let mut solver = Solver::new(&mut terms, &definitions, config);
                solver.check(&mut terms, &question)
            });
            thread.join().expect("an answer")
        })
        .collect();
    assert!(alone.iter().any(|answer| matches!(answer, Answer::Sat(_))));
    let mut solver = Solver::new(&mut specification.terms, definitions, config);
    let terms = &specification.terms;
    for order in [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2, 2, 0, 4, 2]] {
        for (position, answer) in answers(&mut solver, terms, &questions, order.into_iter()) {
            assert_eq!(answer, alone[position], "question {position} of {order:?}");
        }
    }
}

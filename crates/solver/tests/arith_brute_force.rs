//! The arithmetic layers against exhaustive evaluation.
//!
//! Random conjunctions over a few 8-bit variables, a boolean and a small ghost are decided by
//! trying all values. The whole chain, and each layer alone before the backend, must agree;
//! cores must be unsatisfiable by themselves.

mod arith_support;

use arith_support::{Generator, brute_force, configurations};
use heapwright_logic::{TermId, Terms};
use heapwright_solver::arith::{ArithAnswer, ArithConfig, Arithmetic, chain, satisfies};

/// Asks one question of one chain and compares with the truth; whether it was decided.
fn agree(
    name: &str,
    solver: &mut dyn Arithmetic,
    terms: &mut Terms,
    generator: &Generator,
    question: &[TermId],
    satisfiable: bool,
) -> bool {
    match solver.check(terms, question) {
        ArithAnswer::Sat(assignment) => {
            assert!(satisfiable, "{name}: sat, but there is no solution");
            assert_eq!(
                satisfies(terms, &assignment, question),
                Some(true),
                "{name}"
            );
            true
        }
        ArithAnswer::Unsat(core) => {
            assert!(!satisfiable, "{name}: unsat, but there is a solution");
            assert!(core.iter().all(|term| question.contains(term)), "{name}");
            assert!(
                brute_force(terms, generator, &core).is_none(),
                "{name}: a core with a solution"
            );
            true
        }
        ArithAnswer::Unknown(_) => false,
    }
}

fn compare(seed: u64, rounds: u32, generate: fn(&mut Generator, &mut Terms) -> Vec<TermId>) {
    let mut terms = Terms::new();
    let mut generator = Generator::new(seed, &mut terms);
    let mut chains: Vec<_> = (configurations().into_iter())
        .map(|(name, config)| (name, chain(&config), 0))
        .collect();
    let (mut sat, mut unsat) = (0, 0);
    for _ in 0..rounds {
        let question = generate(&mut generator, &mut terms);
        let satisfiable = brute_force(&terms, &generator, &question).is_some();
        *(if satisfiable { &mut sat } else { &mut unsat }) += 1;
        for (name, solver, unknown) in &mut chains {
            let solver = solver.as_mut();
            if !agree(name, solver, &mut terms, &generator, &question, satisfiable) {
                *unknown += 1;
            }
        }
    }
    // Both answers must have been exercised, and no chain may dodge.
    assert!(
        sat > rounds / 10 && unsat > rounds / 20,
        "{sat} sat, {unsat} unsat"
    );
    for (name, _, unknown) in chains {
        assert!(
            unknown <= rounds / 50,
            "{name} did not decide {unknown} of {rounds}"
        );
    }
}

#[test]
fn random_arithmetic_of_all_operators() {
    compare(1, 100, Generator::question);
}

#[test]
fn random_linear_arithmetic() {
    compare(2, 100, Generator::linear_question);
}

#[test]
fn random_differences() {
    compare(3, 100, Generator::difference_question);
}

#[test]
fn each_question_repeated_gets_the_same_answer() {
    let mut terms = Terms::new();
    let mut generator = Generator::new(4, &mut terms);
    let questions: Vec<_> = (0..30).map(|_| generator.question(&mut terms)).collect();
    let config = ArithConfig::repeatable();
    let mut first = chain(&config);
    let answers: Vec<_> = (questions.iter())
        .map(|question| first.check(&mut terms, question))
        .collect();
    // A fresh chain, the other way round.
    let mut second = chain(&config);
    for (question, answer) in questions.iter().zip(&answers).rev() {
        assert_eq!(second.check(&mut terms, question), *answer);
    }
}

#[test]
fn prefixes_in_any_order_agree_with_fresh_solvers() {
    let mut terms = Terms::new();
    let mut generator = Generator::new(5, &mut terms);
    let mut incremental = chain(&ArithConfig::backend_only());
    let mut whole = chain(&ArithConfig::default());
    for _ in 0..12 {
        let question = generator.linear_question(&mut terms);
        let mut lengths: Vec<_> = (0..=question.len()).collect();
        generator.shuffle(&mut lengths);
        for length in lengths {
            let prefix = &question[..length];
            // Without their bounds the ghosts have no finite domain to search.
            let fresh = chain(&ArithConfig::repeatable()).check(&mut terms, prefix);
            let satisfiable = matches!(fresh, ArithAnswer::Sat(_));
            for (name, solver) in [("incremental", &mut incremental), ("whole", &mut whole)] {
                let solver = solver.as_mut();
                assert!(agree(
                    name,
                    solver,
                    &mut terms,
                    &generator,
                    prefix,
                    satisfiable
                ));
            }
        }
    }
}

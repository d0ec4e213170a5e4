//! Microseconds per question of the arithmetic layers, beside the bare backend.
//!
//! Two families: the chain of eight ordered variables with one sum, half of the questions
//! unsatisfiable, and path conditions of a search tree with ten ordered keys and five
//! comparisons. One iteration is one question, model included.

// The macros of the harness make public functions without documentation.
#![allow(missing_docs)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use heapwright_logic::{IntType, Sort, TermId, Terms};
use heapwright_solver::arith::{ArithConfig, Layers, chain};

const VARIANTS: i128 = 64;

fn ints(terms: &mut Terms, name: &str, count: usize) -> Vec<TermId> {
    (0..count)
        .map(|index| {
            let sort = Sort::Machine(IntType::I32);
            let variable = terms.declare(format!("{name}{index}"), sort);
            terms.var(variable)
        })
        .collect()
}

/// `i <= x0 < .. < x7 <= i + 10` and `x0 + x7 = 2i + 9`, which has solutions, or `2i + 3`.
fn chain_with_sum(terms: &mut Terms) -> Vec<Vec<TermId>> {
    let x = ints(terms, "x", 8);
    let ordered: Vec<_> = (x.windows(2)).map(|p| terms.lt(p[0], p[1])).collect();
    let sum = terms.add(x[0], x[7]);
    (0..VARIANTS)
        .map(|i| {
            let (low, high) = (terms.int(i), terms.int(i + 10));
            let total = terms.int(2 * i + if i % 2 == 0 { 9 } else { 3 });
            let mut question = ordered.clone();
            question.push(terms.le(low, x[0]));
            question.push(terms.le(x[7], high));
            question.push(terms.eq(sum, total));
            question
        })
        .collect()
}

/// Ten ordered keys between two ghosts, and a sought key compared with five of them: every
/// combination of outcomes, most of them contradictory.
fn search_tree(terms: &mut Terms) -> Vec<Vec<TermId>> {
    let keys = ints(terms, "k", 10);
    let sought = ints(terms, "s", 1)[0];
    let ghosts = ["lo", "hi"].map(|name| {
        let ghost = terms.declare(name, Sort::Int);
        terms.var(ghost)
    });
    let mut invariant: Vec<_> = (keys.windows(2)).map(|p| terms.lt(p[0], p[1])).collect();
    invariant.push(terms.lt(ghosts[0], keys[0]));
    invariant.push(terms.lt(keys[9], ghosts[1]));
    (0..VARIANTS)
        .map(|i| {
            let mut question = invariant.clone();
            for (bit, key) in [4, 7, 2, 5, 8].into_iter().enumerate() {
                question.push(match (i >> bit) % 2 {
                    0 => terms.lt(sought, keys[key]),
                    _ => terms.lt(keys[key], sought),
                });
            }
            if i >= 32 {
                question.push(terms.ne(sought, keys[0]));
            }
            question
        })
        .collect()
}

fn configurations() -> Vec<(&'static str, ArithConfig)> {
    let without_memory = ArithConfig {
        layers: Layers {
            reuse: false,
            cores: false,
            ..Layers::default()
        },
        ..ArithConfig::default()
    };
    vec![
        ("all layers", ArithConfig::default()),
        ("nothing remembered", without_memory),
        ("fresh backend each time", ArithConfig::repeatable()),
        ("backend only", ArithConfig::backend_only()),
    ]
}

fn arithmetic(criterion: &mut Criterion) {
    type Family = fn(&mut Terms) -> Vec<Vec<TermId>>;
    let families: [(&str, Family); 2] = [
        ("eight ordered, one sum", chain_with_sum),
        ("search tree, five comparisons", search_tree),
    ];
    for (family, generate) in families {
        let mut group = criterion.benchmark_group(family);
        group.sample_size(20);
        for (name, config) in configurations() {
            let mut terms = Terms::new();
            let questions = generate(&mut terms);
            let mut solver = chain(&config);
            let mut next = 0;
            group.bench_function(name, |bencher| {
                bencher.iter(|| {
                    let question = &questions[next % questions.len()];
                    next += 1;
                    black_box(solver.check(&mut terms, question))
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, arithmetic);
criterion_main!(benches);

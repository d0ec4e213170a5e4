//! Time per question about path conditions, with model, in one long-lived solver.
//!
//! Every question is asked with variables of its own, as the engine does, so that nothing is
//! answered from memory. What the solver knows about the predicates is kept.

// The macros of the harness make public functions without documentation.
#![allow(missing_docs)]

#[path = "../tests/common/mod.rs"]
mod common;

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use heapwright_logic::{Formula, Substitution, Terms};

/// The formula with fresh variables for its free ones.
fn renamed(terms: &mut Terms, formula: &Formula) -> Formula {
    let rename = |heap: &heapwright_logic::SymbolicHeap, terms: &mut Terms| {
        let renaming: Substitution = (heap.free_variables(terms).into_iter())
            .map(|variable| {
                let fresh = terms.fresh_like(variable);
                (variable, terms.var(fresh))
            })
            .collect();
        heap.instantiate(terms, &renaming)
    };
    Formula {
        disjuncts: (formula.disjuncts.iter())
            .map(|heap| rename(heap, terms))
            .collect(),
    }
}

fn questions(criterion: &mut Criterion) {
    let text = include_str!("../tests/data/path_conditions.sl");
    let mut specification = common::specification(text);
    let queries = std::mem::take(&mut specification.queries);
    let mut group = criterion.benchmark_group("path_conditions");
    for query in &queries {
        let name = query.name.as_deref().unwrap_or("question");
        let solver = std::cell::RefCell::new(common::solver(&mut specification));
        let terms = std::cell::RefCell::new(specification.terms.clone());
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || renamed(&mut terms.borrow_mut(), &query.formula),
                |formula| {
                    black_box(solver.borrow_mut().check(&mut terms.borrow_mut(), &formula));
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(1000));
    targets = questions
}
criterion_main!(benches);

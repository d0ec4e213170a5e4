//! Numbers of models against known integer sequences, and every model against the checker.

mod common;

use std::ops::ControlFlow;

use common::{formula, instance, library, solver};
use heapwright_logic::verify;

/// Counts the models of each size and verifies all of them.
fn check(module: &str, predicate: &str, expected: &[u64]) {
    let mut specification = library(module);
    let heap = instance(&mut specification, predicate);
    let mut solver = solver(&mut specification);
    let question = formula(heap.clone());
    let mut counts = Vec::new();
    for size in 1..=expected.len() as u32 {
        let (terms, definitions) = (&mut specification.terms, &specification.definitions);
        let mut models = Vec::new();
        let found = solver
            .enumerate(terms, &heap, size..=size, &mut |found| {
                models.push(found.model());
                ControlFlow::Continue(())
            })
            .expect("an enumeration");
        assert_eq!(found.models, models.len() as u64);
        assert_eq!(found.representatives, 0, "{predicate} is counted exactly");
        for model in models {
            let model = model.expect("a model");
            assert_eq!(model.heap.cells.len(), size as usize);
            if let Err(violation) = verify(terms, definitions, &question, &model) {
                panic!("{predicate} of size {size}: {violation}\n{model:?}");
            }
        }
        counts.push(found.models);
    }
    assert_eq!(counts, expected, "{predicate}");
}

#[test]
fn binary_trees_are_counted_by_the_catalan_numbers() {
    check(
        "binary_tree",
        "binary_tree",
        &[1, 2, 5, 14, 42, 132, 429, 1430],
    );
}

#[test]
fn search_trees_have_one_order_per_shape() {
    check("search_tree", "search_tree", &[1, 2, 5, 14, 42, 132, 429]);
}

#[test]
fn red_black_trees_with_a_root_of_either_colour() {
    let expected = [2, 2, 3, 8, 14, 20, 35, 64, 122, 260, 586];
    check("red_black_tree", "red_black", &expected);
}

#[test]
fn red_black_trees_with_a_black_root() {
    check("red_black_tree", "red_black_tree", &[1, 2, 2, 4, 8, 16]);
}

#[test]
fn avl_trees() {
    let expected = [1, 2, 1, 4, 6, 4, 17, 32, 44, 60];
    check("avl_tree", "avl_tree", &expected);
    check("avl_tree", "stored_avl_tree", &expected);
}

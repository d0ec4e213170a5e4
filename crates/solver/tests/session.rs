//! A session answers as a fresh solver does, whatever was asked before.

mod common;

use common::{formula, instance, library, solver};
use heapwright_logic::{Sort, SymbolicHeap, TermId, Terms};
use heapwright_solver::{Answer, Session};

fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Sat(_) => "sat",
        Answer::Unsat => "unsat",
        Answer::Unknown(_) => "unknown",
    }
}

/// Conditions on the arguments of a sorted list segment.
fn conditions(terms: &mut Terms, heap: &SymbolicHeap) -> Vec<TermId> {
    let args = heap.instances[0].args.clone();
    let mut conditions = Vec::new();
    for (index, &a) in args.iter().enumerate() {
        if terms.sort(a).is_ref() {
            conditions.push(terms.eq(a, Terms::NULL));
            conditions.push(terms.ne(a, Terms::NULL));
        }
        for &b in &args[..index] {
            if terms.sort(a).comparable(terms.sort(b)) {
                conditions.push(terms.eq(a, b));
                conditions.push(terms.ne(a, b));
                if terms.sort(a) == Sort::Int {
                    conditions.push(terms.lt(a, b));
                    conditions.push(terms.lt(b, a));
                }
            }
        }
    }
    conditions
}

#[test]
fn frames_agree_with_fresh_questions() {
    let mut specification = library("sorted_list");
    let heap = instance(&mut specification, "sorted_list_segment_of_length");
    let conditions = conditions(&mut specification.terms, &heap);
    assert!(conditions.len() > 8);
    let mut own = solver(&mut specification);
    let mut fresh = solver(&mut specification);
    let terms = &mut specification.terms;
    let mut session = Session::new(&mut own, heap.clone());
    let (mut random, mut asked) = (12345u64, 0);
    let mut depth = 0;
    for _ in 0..400 {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let choice = (random >> 33) as usize;
        if depth > 0 && choice.is_multiple_of(3) {
            assert!(session.pop());
            depth -= 1;
        } else {
            session.push();
            session.assume(conditions[choice % conditions.len()]);
            depth += 1;
        }
        let answer = session.check(terms);
        let question = formula(session.heap().clone());
        let expected = fresh.check(terms, &question);
        assert_eq!(verdict(&answer), verdict(&expected), "{:?}", session.heap());
        asked += 1;
    }
    assert!(
        session.reused > asked / 4,
        "{} of {asked} reused",
        session.reused
    );
    while depth > 0 {
        assert!(session.pop());
        depth -= 1;
    }
    assert!(!session.pop());
    assert_eq!(session.heap(), &heap);
}

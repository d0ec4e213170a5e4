use super::*;

fn two_ints(terms: &mut Terms) -> (TermId, TermId) {
    let x = terms.declare("x", Sort::Int);
    let y = terms.declare("y", Sort::Int);
    (terms.var(x), terms.var(y))
}

#[test]
fn equal_terms_have_equal_ids() {
    let mut terms = Terms::new();
    let (x, y) = two_ints(&mut terms);
    assert_eq!(terms.add(x, y), terms.add(y, x));
    let (below, not_above) = (terms.lt(x, y), terms.le(y, x));
    assert_eq!(below, terms.not(not_above));
    assert_eq!(terms.eq(x, y), terms.eq(y, x));
}

#[test]
fn integer_rounding_keeps_exactly_the_integer_solutions() {
    let mut terms = Terms::new();
    let (x, _) = two_ints(&mut terms);
    // 2x <= 5 over the integers is x <= 2.
    let (twice, five, two) = (terms.add(x, x), terms.int(5), terms.int(2));
    assert_eq!(terms.le(twice, five), terms.le(x, two));
    // 2x = 5 has no solution.
    assert_eq!(terms.eq(twice, five), Terms::FALSE);
    // 2x >= -5 is x >= -2.
    let (minus_five, minus_two) = (terms.int(-5), terms.int(-2));
    assert_eq!(terms.le(minus_five, twice), terms.le(minus_two, x));
}

#[test]
fn complements_cancel() {
    let mut terms = Terms::new();
    let (x, y) = two_ints(&mut terms);
    let (below, above) = (terms.lt(x, y), terms.le(y, x));
    assert_eq!(terms.and([below, above]), Terms::FALSE);
    assert_eq!(terms.or([below, above]), Terms::TRUE);
}

#[test]
fn wrapping_is_dropped_where_the_range_fits() {
    let mut terms = Terms::new();
    let byte = terms.declare("b", Sort::Machine(IntType::I8));
    let byte = terms.var(byte);
    assert_eq!(terms.wrap(IntType::I32, byte), byte);
    assert_ne!(terms.wrap(IntType::U8, byte), byte);
    let (one, wide) = (terms.int(1), terms.int(300));
    let sum = terms.add(byte, one);
    let inner = terms.wrap(IntType::I32, sum);
    assert_eq!(terms.wrap(IntType::I8, inner), terms.wrap(IntType::I8, sum));
    assert_eq!(terms.wrap(IntType::I8, wide), terms.int(44));
}

#[test]
fn huge_coefficients_do_not_overflow() {
    let mut terms = Terms::new();
    let (x, y) = two_ints(&mut terms);
    let huge = terms.int(i128::MAX);
    let mut sum = terms.int_op(IntOp::Mul, x, huge);
    for _ in 0..4 {
        sum = terms.add(sum, sum);
    }
    let comparison = terms.le(sum, y);
    let negated = terms.not(comparison);
    assert_eq!(terms.not(negated), comparison);
    let smallest = terms.int(i128::MIN);
    let extreme = terms.int_op(IntOp::Mul, y, smallest);
    terms.eq(extreme, x);
    terms.neg(extreme);
}

#[test]
fn substitution_is_simultaneous() {
    let mut terms = Terms::new();
    let (x, y) = two_ints(&mut terms);
    let (vx, vy) = (terms.as_var(x).unwrap(), terms.as_var(y).unwrap());
    let swap = [(vx, y), (vy, x)].into_iter().collect();
    let below = terms.lt(x, y);
    let swapped = terms.substitute(below, &swap);
    assert_eq!(swapped, terms.lt(y, x));
}

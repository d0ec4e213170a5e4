//! Arithmetic questions whose answers are known, one idea each: machine corner cases, floats,
//! limits, small models.

mod arith_support;

use arith_support::Generator;
use heapwright_logic::{
    FloatType, FpOp, IntOp, IntType, Sort, TermId, Terms, Value, VarId, evaluate,
};
use heapwright_solver::arith::{ArithAnswer, ArithConfig, Assignment, chain};

/// Both the whole chain and the bare backend.
fn solvers() -> [ArithConfig; 2] {
    [ArithConfig::default(), ArithConfig::backend_only()]
}

fn model(config: &ArithConfig, terms: &mut Terms, question: &[TermId]) -> Assignment {
    match chain(config).check(terms, question) {
        ArithAnswer::Sat(assignment) => assignment,
        other => panic!("expected a model, got {other:?}"),
    }
}

/// The value of a variable, which may be missing if it is its sort's default.
fn value(terms: &Terms, found: &Assignment, variable: VarId) -> Value {
    let default = Value::default_of(terms.variable(variable).sort);
    found.get(&variable).copied().unwrap_or(default)
}

fn is_unsat(config: &ArithConfig, terms: &mut Terms, question: &[TermId]) {
    let outcome = chain(config).check(terms, question);
    assert!(matches!(outcome, ArithAnswer::Unsat(_)), "{outcome:?}");
}

fn variable(terms: &mut Terms, name: &str, sort: Sort) -> (VarId, TermId) {
    let variable = terms.declare(name, sort);
    (variable, terms.var(variable))
}

const INT: Sort = Sort::Machine(IntType::I32);

#[test]
fn the_empty_question_is_satisfiable() {
    for config in solvers() {
        let mut terms = Terms::new();
        model(&config, &mut terms, &[]);
        is_unsat(&config, &mut terms, &[Terms::FALSE]);
    }
}

#[test]
fn adding_one_overflows_at_the_largest_int_only() {
    for config in solvers() {
        let mut terms = Terms::new();
        let (x, t) = variable(&mut terms, "x", INT);
        let one = terms.int(1);
        let sum = terms.add(t, one);
        let wrapped = terms.wrap(IntType::I32, sum);
        let overflows = terms.lt(wrapped, t);
        let found = model(&config, &mut terms, &[overflows]);
        assert_eq!(found[&x], Value::Int(IntType::I32.max()));
        // Exact arithmetic of specifications never does.
        let exact = terms.lt(sum, t);
        is_unsat(&config, &mut terms, &[exact]);
    }
}

#[test]
fn dividing_the_smallest_number_by_minus_one_wraps_to_itself() {
    for ty in [IntType::I8, IntType::I32, IntType::I64] {
        for config in solvers() {
            let mut terms = Terms::new();
            let (x, a) = variable(&mut terms, "x", Sort::Machine(ty));
            let (y, b) = variable(&mut terms, "y", Sort::Machine(ty));
            let exact = terms.int_op(IntOp::Div, a, b);
            let quotient = terms.wrap(ty, exact);
            let (zero, same) = (terms.int(0), terms.eq(quotient, a));
            let question = [terms.lt(a, zero), terms.lt(b, zero), same];
            let found = model(&config, &mut terms, &question);
            assert_eq!(found[&x], Value::Int(ty.min()));
            assert_eq!(found[&y], Value::Int(-1));
        }
    }
}

#[test]
fn a_wrapping_product_of_longs_is_solved() {
    for config in solvers() {
        let mut terms = Terms::new();
        let (_, a) = variable(&mut terms, "x", Sort::Machine(IntType::I64));
        let three = terms.int(3);
        let product = terms.int_op(IntOp::Mul, a, three);
        let wrapped = terms.wrap(IntType::I64, product);
        let one = terms.int(1);
        // The inverse of 3 modulo 2^64.
        let question = [terms.eq(wrapped, one)];
        let found = model(&config, &mut terms, &question);
        assert_eq!(
            found.values().next(),
            Some(&Value::Int(-6_148_914_691_236_517_205))
        );
    }
}

#[test]
fn shift_distances_count_modulo_64() {
    for config in solvers() {
        let mut terms = Terms::new();
        let (_, by) = variable(&mut terms, "by", Sort::Machine(IntType::I8));
        let one = terms.int(1);
        let shifted = terms.int_op(IntOp::Shl, one, by);
        let (thousand, sixty_four) = (terms.int(1024), terms.int(64));
        let question = [terms.eq(shifted, thousand), terms.lt(sixty_four, by)];
        let found = model(&config, &mut terms, &question);
        assert_eq!(found.values().next(), Some(&Value::Int(74)));
    }
}

#[test]
fn huge_constants_neither_panic_nor_lie() {
    for config in solvers() {
        let mut terms = Terms::new();
        let (_, g) = variable(&mut terms, "g", Sort::Int);
        let (_, h) = variable(&mut terms, "h", Sort::Int);
        let (large, small) = (terms.int(i128::MAX), terms.int(i128::MIN));
        let product = terms.int_op(IntOp::Mul, g, large);
        let questions = [
            vec![terms.eq(product, h), terms.lt(large, h)],
            vec![terms.lt(g, small)],
            vec![terms.lt(large, g), terms.lt(h, small)],
            vec![terms.le(g, small), terms.le(large, g)],
        ];
        for question in questions {
            let outcome = chain(&config).check(&mut terms, &question);
            // All but the last have solutions, though beyond 128 bits.
            if matches!(outcome, ArithAnswer::Unsat(_)) {
                assert_eq!(question.len(), 2, "{outcome:?}");
                assert!(question.contains(&terms.le(g, small)), "{outcome:?}");
            }
        }
    }
}

#[test]
fn references_are_refused() {
    let mut terms = Terms::new();
    let (_, r) = variable(&mut terms, "r", Sort::Ref(heapwright_logic::ClassId::ANY));
    let question = [terms.eq(r, Terms::NULL)];
    let outcome = chain(&ArithConfig::backend_only()).check(&mut terms, &question);
    assert!(matches!(outcome, ArithAnswer::Unknown(_)));
}

#[test]
fn deeply_nested_terms_do_not_overflow_the_stack() {
    let mut terms = Terms::new();
    let (_, x) = variable(&mut terms, "x", INT);
    let one = terms.int(1);
    let mut sum = x;
    for _ in 0..20_000 {
        let next = terms.int_op(IntOp::Rem, sum, x);
        let next = terms.add(next, one);
        sum = terms.wrap(IntType::I32, next);
    }
    let question = [terms.eq(sum, one)];
    let config = ArithConfig {
        resource_limit: 1000,
        ..ArithConfig::default()
    };
    // Whatever the answer, it comes.
    let outcome = chain(&config).check(&mut terms, &question);
    assert!(!matches!(outcome, ArithAnswer::Unsat(_)));
}

#[test]
fn a_resource_limit_gives_unknown_with_a_reason() {
    let mut terms = Terms::new();
    let long = Sort::Machine(IntType::I64);
    let ((_, x), (_, y)) = (
        variable(&mut terms, "x", long),
        variable(&mut terms, "y", long),
    );
    // Factoring a product of two primes takes more than the limit.
    let product = terms.int_op(IntOp::Mul, x, y);
    let wrapped = terms.wrap(IntType::I64, product);
    let number = terms.int(1_000_000_007 * 998_244_353);
    let one = terms.int(1);
    let question = [
        terms.eq(wrapped, number),
        terms.lt(one, x),
        terms.lt(one, y),
        terms.lt(x, y),
    ];
    let config = ArithConfig {
        resource_limit: 5000,
        ..ArithConfig::default()
    };
    match chain(&config).check(&mut terms, &question) {
        ArithAnswer::Unknown(reason) => assert!(!reason.is_empty()),
        other => panic!("expected a limit, got {other:?}"),
    }
}

#[test]
fn ordered_keys_get_small_values() {
    let mut terms = Terms::new();
    let keys: Vec<_> = (0..10).map(|_| variable(&mut terms, "k", INT).1).collect();
    let question: Vec<_> = (keys.windows(2))
        .map(|pair| terms.lt(pair[0], pair[1]))
        .collect();
    let found = model(&ArithConfig::default(), &mut terms, &question);
    for value in found.values() {
        let Value::Int(value) = value else {
            panic!("a key is an integer")
        };
        assert!((0..10).contains(value), "{value}");
    }
}

#[test]
fn different_values_need_no_search() {
    let mut terms = Terms::new();
    let keys: Vec<_> = (0..12).map(|_| variable(&mut terms, "k", INT).1).collect();
    let mut question = Vec::new();
    for (index, &a) in keys.iter().enumerate() {
        for &b in &keys[..index] {
            question.push(terms.ne(a, b));
        }
    }
    let mut solver = chain(&ArithConfig::default());
    let ArithAnswer::Sat(found) = solver.check(&mut terms, &question) else {
        panic!("there are enough integers")
    };
    let small = |value: &Value| matches!(value, Value::Int(-6..=6));
    assert!(found.values().all(small));
    assert_eq!(solver.statistics().differences, 1);
    assert_eq!(solver.statistics().backend_questions, 0);
}

#[test]
fn a_remembered_core_answers_a_larger_question() {
    let mut terms = Terms::new();
    let (_, x) = variable(&mut terms, "x", INT);
    let (_, y) = variable(&mut terms, "y", INT);
    let contradiction = [terms.lt(x, y), terms.lt(y, x)];
    let mut solver = chain(&ArithConfig::default());
    assert!(matches!(
        solver.check(&mut terms, &contradiction),
        ArithAnswer::Unsat(_)
    ));
    let five = terms.int(5);
    let larger = [terms.lt(x, five), contradiction[1], contradiction[0]];
    assert!(matches!(
        solver.check(&mut terms, &larger),
        ArithAnswer::Unsat(_)
    ));
    assert_eq!(solver.statistics().remembered_cores, 1);
}

// Floats.

/// `v = op(constants)` has exactly the solution that evaluation gives.
#[test]
fn float_operations_agree_with_evaluation() {
    let mut terms = Terms::new();
    let mut generator = Generator::new(6, &mut terms);
    for round in 0..30 {
        let ty = if round % 2 == 0 {
            FloatType::Single
        } else {
            FloatType::Double
        };
        let (op, arity) = generator.float_operator();
        let args: Vec<_> = (0..arity)
            .map(|_| generator.float(&mut terms, ty))
            .collect();
        // The operands reach the backend as variables, so that nothing is folded before.
        let mut question = Vec::new();
        let mut unknowns = Vec::new();
        for &arg in &args {
            let (_, unknown) = variable(&mut terms, "a", Sort::Float(ty));
            question.push(terms.eq(unknown, arg));
            unknowns.push(unknown);
        }
        let (v, result) = variable(&mut terms, "v", Sort::Float(ty));
        let computed = terms.fp(op, ty, unknowns);
        question.push(terms.eq(result, computed));
        let known = terms.fp(op, ty, args);
        let expected = evaluate(&terms, known, |_| None).expect("constants have a value");
        for config in solvers() {
            let found = model(&config, &mut terms, &question);
            assert_eq!(value(&terms, &found, v), expected, "{op:?}");
        }
    }
}

#[test]
fn casts_between_integers_and_floats_agree_with_evaluation() {
    let mut terms = Terms::new();
    let mut generator = Generator::new(7, &mut terms);
    let ty = FloatType::Single;
    for round in 0..24 {
        let constant = generator.float(&mut terms, ty);
        let (_, unknown) = variable(&mut terms, "a", Sort::Float(ty));
        let given = terms.eq(unknown, constant);
        let int = IntType::ALL[round % IntType::ALL.len()];
        let ops = [FpOp::ToInt(int), FpOp::ToBits];
        let op = ops[round % 2];
        let (v, result) = variable(&mut terms, "v", Sort::Int);
        let computed = terms.fp(op, ty, vec![unknown]);
        let question = [given, terms.eq(result, computed)];
        let known = terms.fp(op, ty, vec![constant]);
        let expected = evaluate(&terms, known, |_| None).expect("constants have a value");
        let found = model(&ArithConfig::default(), &mut terms, &question);
        assert_eq!(value(&terms, &found, v), expected, "{op:?}");
    }
}

#[test]
fn float_equations_are_solved_backwards() {
    for config in solvers() {
        let mut terms = Terms::new();
        let ty = FloatType::Single;
        let (x, a) = variable(&mut terms, "x", Sort::Float(ty));
        let (two, seven) = (terms.single(2.0), terms.single(7.5));
        let sum = terms.fp(FpOp::Add, ty, vec![a, two]);
        let question = [terms.fp(FpOp::Eq, ty, vec![sum, seven])];
        let found = model(&config, &mut terms, &question);
        assert_eq!(found[&x], Value::Single(5.5f32.to_bits()));
        // x != x only for NaN.
        let same = terms.fp(FpOp::Eq, ty, vec![a, a]);
        let question = [terms.not(same)];
        let found = model(&config, &mut terms, &question);
        assert_eq!(found[&x], Value::Single(f32::NAN.to_bits()));
    }
}

#[test]
fn integers_are_rounded_when_they_become_floats() {
    for config in solvers() {
        let mut terms = Terms::new();
        let (_, n) = variable(&mut terms, "n", INT);
        let float = terms.fp(FpOp::FromInt, FloatType::Single, vec![n]);
        let rounded = terms.single(16_777_216.0);
        let exact = terms.int(16_777_216);
        // 2^24 + 1 is the neighbour that rounds to 2^24.
        let question = [terms.eq(float, rounded), terms.lt(exact, n)];
        let found = model(&config, &mut terms, &question);
        assert_eq!(found.values().next(), Some(&Value::Int(16_777_217)));
    }
}

#[test]
fn bits_of_floats_and_back() {
    for config in solvers() {
        let mut terms = Terms::new();
        let (_, n) = variable(&mut terms, "n", INT);
        let float = terms.fp(FpOp::FromBits, FloatType::Single, vec![n]);
        let one = terms.single(1.0);
        let question = [terms.fp(FpOp::Eq, FloatType::Single, vec![float, one])];
        let found = model(&config, &mut terms, &question);
        let bits = i128::from(1.0f32.to_bits());
        assert_eq!(found.values().next(), Some(&Value::Int(bits)));
    }
}

#[test]
fn the_remainder_of_known_floats_is_folded_and_of_unknown_ones_searched_for() {
    let mut terms = Terms::new();
    let ty = FloatType::Double;
    let (x, a) = variable(&mut terms, "x", Sort::Float(ty));
    let (seven, two, one) = (terms.double(-7.0), terms.double(2.0), terms.double(-1.0));
    let remainder = terms.fp(FpOp::Rem, ty, vec![a, two]);
    let question = [terms.eq(a, seven), terms.eq(remainder, one)];
    let found = model(&ArithConfig::default(), &mut terms, &question);
    assert_eq!(found[&x], Value::Double((-7.0f64).to_bits()));
    // No theory of the backend has it.
    let outcome = chain(&ArithConfig::backend_only()).check(&mut terms, &question[1..]);
    assert!(matches!(outcome, ArithAnswer::Unknown(_)));
    model(&ArithConfig::default(), &mut terms, &question[1..]);
}

#[test]
fn a_conjunct_that_cannot_be_encoded_is_not_taken_for_asserted() {
    let mut terms = Terms::new();
    let ((_, x), (_, y)) = (
        variable(&mut terms, "x", Sort::Machine(IntType::U64)),
        variable(&mut terms, "y", Sort::Machine(IntType::U64)),
    );
    // A product of four longs is wider than any vector that is built.
    let square = terms.int_op(IntOp::Mul, x, y);
    let fourth = terms.int_op(IntOp::Mul, square, square);
    let odd = terms.int_op(IntOp::Xor, fourth, x);
    let question = [terms.eq(odd, y), terms.lt(x, y)];
    let mut solver = chain(&ArithConfig::backend_only());
    for length in [2, 1, 2] {
        let outcome = solver.check(&mut terms, &question[..length]);
        assert!(matches!(outcome, ArithAnswer::Unknown(_)), "{outcome:?}");
    }
    let outcome = solver.check(&mut terms, &question[1..]);
    assert!(matches!(outcome, ArithAnswer::Sat(_)), "{outcome:?}");
}

//! Conditions on floats and on functions that no theory covers.

use heapwright_logic::{FloatType, FpOp, IntType, MathFunction, Sort, Term, TermId, Terms, Value};
use heapwright_solver::arith::{ArithAnswer, ArithConfig, chain, satisfies};

const DOUBLE: FloatType = FloatType::Double;

/// Terms over two ints `m`, `n` and three doubles `x`, `y`, `z`, in prefix notation.
struct Reader {
    terms: Terms,
    names: Vec<(&'static str, TermId)>,
}

impl Reader {
    fn new() -> Reader {
        let mut terms = Terms::new();
        let int = Sort::Machine(IntType::I32);
        let sorts = [
            ("m", int),
            ("n", int),
            ("x", Sort::Float(DOUBLE)),
            ("y", Sort::Float(DOUBLE)),
            ("z", Sort::Float(DOUBLE)),
        ];
        let names = sorts.map(|(name, sort)| {
            let variable = terms.declare(name, sort);
            (name, terms.var(variable))
        });
        Reader {
            terms,
            names: names.into(),
        }
    }

    fn term<'t>(&mut self, words: &mut impl Iterator<Item = &'t str>) -> TermId {
        let word = words.next().expect("a word");
        if let Some((_, term)) = self.names.iter().find(|(name, _)| *name == word) {
            return match self.terms.sort(*term) {
                Sort::Float(_) => *term,
                _ => self.terms.fp(FpOp::FromInt, DOUBLE, vec![*term]),
            };
        }
        if let Ok(number) = word.parse() {
            return self.terms.double(number);
        }
        let a = self.term(words);
        if word == "!" {
            return self.terms.not(a);
        }
        if let Some(function) = MathFunction::named(&format!("math.{word}")) {
            let mut args = vec![a];
            while args.len() < function.arguments().len() {
                args.push(self.term(words));
            }
            for (arg, sort) in args.iter_mut().zip(function.arguments()) {
                // Where an int is wanted, the variable itself.
                if let (Term::Fp(FpOp::FromInt, _, int), true) =
                    (self.terms.get(*arg), sort.is_integer())
                {
                    *arg = int[0];
                }
            }
            return self.terms.apply(function, args);
        }
        let b = self.term(words);
        let (op, args) = match word {
            "+" => (FpOp::Add, vec![a, b]),
            "-" => (FpOp::Sub, vec![a, b]),
            "*" => (FpOp::Mul, vec![a, b]),
            "/" => (FpOp::Div, vec![a, b]),
            "%" => (FpOp::Rem, vec![a, b]),
            "<" => (FpOp::Lt, vec![a, b]),
            ">" => (FpOp::Lt, vec![b, a]),
            "<=" => (FpOp::Le, vec![a, b]),
            ">=" => (FpOp::Le, vec![b, a]),
            "==" => (FpOp::Eq, vec![a, b]),
            "|" => return self.terms.or([a, b]),
            _ => panic!("{word}?"),
        };
        self.terms.fp(op, DOUBLE, args)
    }

    fn question(&mut self, text: &str) -> Vec<TermId> {
        (text.split('&'))
            .map(|conjunct| self.term(&mut conjunct.split_whitespace()))
            .collect()
    }
}

fn ask(text: &str) -> ArithAnswer {
    let mut reader = Reader::new();
    let question = reader.question(text);
    let outcome = chain(&ArithConfig::repeatable()).check(&mut reader.terms, &question);
    if let ArithAnswer::Sat(found) = &outcome {
        let holds = satisfies(&reader.terms, found, &question);
        assert_eq!(holds, Some(true), "{text}");
    }
    outcome
}

const SATISFIABLE: [&str; 42] = [
    "> sin n 0.99",
    "< sin n -0.999",
    "== acos n 0",
    "> asin n 1",
    "> atan n 1.5",
    "== cbrt n 3",
    "== cos n 1",
    "> cosh n 1000",
    "< exp n 0.001",
    "> expm1 n 100",
    "== hypot n 5 13",
    "== log10 n 3",
    "== log n 0",
    "== log1p n 0",
    "== pow n 3 -125",
    "== pow 2 n 1024",
    "== sqrt n 9",
    "> tan n 100",
    "== tanh n 1",
    "== rint / n 4 7",
    "== ieee_remainder n 7 -3",
    "== signum n -1",
    "== ulp x 1",
    "== scalb x n 40 & > n 2",
    "== + * n n * m m 25 & > n m & > m 0",
    "== sin x 0.5",
    "> sqrt + * x x * y y 120 & <= -90 x & <= x 90 & <= -180 y & <= y 180",
    "== - * x y z 0 & > x 3 & > y 7.25 & > z 100",
    "== sqrt + * x x * y y 0 & == x - z 5",
    "> atan2 y x 3 & < y 1",
    "< atan2 y x -2 & > x -1 & < x 0",
    "> cos * x 0.017453292519943295 0.01 & < cos * x 0.017453292519943295 0.02",
    "> * * x y z 1000 & < x 12 & < y 12 & < z 12 & > x 0 & > y 0",
    "== * x x 2.25 & < x 0",
    "! == x x",
    "== x y & == y z & > z 41.5",
    "> / x y 1e10 & > y 1",
    "== floor x 7 & > x 7.5",
    "== ceil x -3 & ! == x -3",
    "== % x 2.5 1.25 & > x 100",
    "== fma x y z 10 & > x 1 & > y 1 & > z 1",
    "| > exp x 1e300 < sin x -2 & < x 700",
];

const NEVER: [&str; 12] = [
    "> sin x 1",
    "< cos x -1.5",
    "== cos x 2",
    "== cos n 0",
    "< exp x 0",
    "> atan x 2",
    "< sqrt x 0",
    "> x 5 & < x 4",
    "< hypot x y -1",
    "< cosh x 0.5",
    "> sin x 0.5 & < sin x 0.25",
    "== x 3 & == x 4",
];

#[test]
fn conditions_with_solutions_get_them() {
    let missed: Vec<_> = (SATISFIABLE.iter())
        .map(|text| (text, ask(text)))
        .filter(|(_, outcome)| !matches!(outcome, ArithAnswer::Sat(_)))
        .collect();
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn conditions_without_solutions_get_none() {
    for text in NEVER {
        let outcome = ask(text);
        assert!(!matches!(outcome, ArithAnswer::Sat(_)), "{text}");
    }
    for text in ["> sin x 1", "< exp x 0", "> x 5 & < x 4", "== x 3 & == x 4"] {
        assert!(matches!(ask(text), ArithAnswer::Unsat(_)), "{text}");
    }
}

#[test]
fn the_same_question_gets_the_same_answer() {
    for text in SATISFIABLE.into_iter().step_by(4) {
        assert_eq!(ask(text), ask(text), "{text}");
    }
}

#[test]
fn values_are_pleasant() {
    for text in [
        "> x 41.3",
        "== * x 2 7",
        "> exp x 2",
        "> sqrt x 3.1",
        "< * x x 0.3",
    ] {
        let ArithAnswer::Sat(found) = ask(text) else {
            panic!("{text}");
        };
        for value in found.values() {
            assert!(value.to_string().len() <= 4, "{text}: {value}");
        }
    }
}

/// Whatever small integers solve is solved.
#[test]
fn random_conditions_agree_with_brute_force() {
    let mut state = 88_172_645_463_325_252u64;
    let mut below = |limit: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) % limit
    };
    let mut solvable = 0;
    for _ in 0..60 {
        let functions = [
            "sin", "cos", "exp", "cbrt", "sqrt", "floor", "atan", "signum",
        ];
        let mut text = String::from("<= -6 m & <= m 6 & <= -6 n & <= n 6");
        for _ in 0..=below(2) {
            let function = functions[below(8) as usize];
            let comparison = ["<", "<=", ">", ">=", "=="][below(5) as usize];
            let operation = ["+", "-", "*"][below(3) as usize];
            let right = ["m", "0", "1", "2.5", "-1"][below(5) as usize];
            text += &format!(" & {comparison} {function} {operation} n m {right}");
        }
        let mut reader = Reader::new();
        let question = reader.question(&text);
        let exists = (-6..=6).any(|m| {
            (-6..=6).any(|n| {
                let ints = [Value::Int(m), Value::Int(n)];
                let found = (0..).map(heapwright_logic::VarId).zip(ints).collect();
                satisfies(&reader.terms, &found, &question) == Some(true)
            })
        });
        let outcome = ask(&text);
        solvable += u32::from(exists);
        assert_eq!(matches!(outcome, ArithAnswer::Sat(_)), exists, "{text}");
    }
    assert!(solvable > 20 && solvable < 60, "{solvable}");
}

//! Random questions over small domains, and their truth by exhaustive evaluation.

// Each test file that includes this module uses a part of it.
#![allow(dead_code)]

use heapwright_logic::{
    FloatType, FpOp, IntOp, IntType, Sort, TermId, Terms, Value, VarId, evaluate,
};
use heapwright_solver::arith::{ArithConfig, Assignment, Layers};

/// A generator of questions that are decided by trying few values.
pub struct Generator {
    state: u64,
    /// Variables with all the values that a question lets them have.
    pub domains: Vec<(VarId, Vec<Value>)>,
    numbers: Vec<TermId>,
    boolean: TermId,
    /// Conjuncts that keep the variables inside their domains.
    bounds: Vec<TermId>,
}

/// The chains under test: all layers, none, and each one alone.
pub fn configurations() -> Vec<(&'static str, ArithConfig)> {
    let none = ArithConfig::backend_only();
    let with = |layers: Layers| ArithConfig {
        layers,
        ..none.clone()
    };
    let off = none.layers;
    vec![
        ("all layers", ArithConfig::default()),
        ("repeatable", ArithConfig::repeatable()),
        ("backend", none.clone()),
        ("reuse", with(Layers { reuse: true, ..off })),
        ("cores", with(Layers { cores: true, ..off })),
        (
            "differences",
            with(Layers {
                differences: true,
                ..off
            }),
        ),
        (
            "simplify",
            with(Layers {
                simplify: true,
                ..off
            }),
        ),
        (
            "intervals",
            with(Layers {
                intervals: true,
                ..off
            }),
        ),
        (
            "independence",
            with(Layers {
                independence: true,
                ..off
            }),
        ),
    ]
}

impl Generator {
    /// A generator over one signed and one unsigned byte, a ghost and a boolean.
    pub fn new(seed: u64, terms: &mut Terms) -> Self {
        let ints = |low: i128, high: i128| (low..=high).map(Value::Int).collect::<Vec<_>>();
        let signed = terms.declare("a", Sort::Machine(IntType::I8));
        let unsigned = terms.declare("b", Sort::Machine(IntType::U8));
        let ghost = terms.declare("g", Sort::Int);
        let flag = terms.declare("p", Sort::Bool);
        let (a, b, g, p) = (
            terms.var(signed),
            terms.var(unsigned),
            terms.var(ghost),
            terms.var(flag),
        );
        // The unsigned byte stays near its upper end, so that it overflows often.
        let limits = [(b, 248, 255), (g, -3, 3)];
        let mut bounds = Vec::new();
        for (term, low, high) in limits {
            let (low, high) = (terms.int(low), terms.int(high));
            bounds.push(terms.le(low, term));
            bounds.push(terms.le(term, high));
        }
        Generator {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            domains: vec![
                (flag, vec![Value::Bool(false), Value::Bool(true)]),
                (ghost, ints(-3, 3)),
                (unsigned, ints(248, 255)),
                (signed, ints(-128, 127)),
            ],
            numbers: vec![a, b, g],
            boolean: p,
            bounds,
        }
    }

    /// A number below `limit` (xorshift).
    pub fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state >> 11) % limit
    }

    /// Permutes a list.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for index in (1..list.len()).rev() {
            let other = self.below(index as u64 + 1) as usize;
            list.swap(index, other);
        }
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len() as u64) as usize]
    }

    fn constant(&mut self, terms: &mut Terms) -> TermId {
        let value = match self.below(4) {
            0 => self.below(4) as i128 - 1,
            1 => self.below(20) as i128 - 10,
            2 => self.pick(&[127, 128, -128, -129, 255, 256, 1 << 31, 1 << 40]),
            _ => self.below(512) as i128 - 256,
        };
        terms.int(value)
    }

    fn operator(&mut self) -> IntOp {
        self.pick(&[
            IntOp::Add,
            IntOp::Mul,
            IntOp::Div,
            IntOp::Rem,
            IntOp::And,
            IntOp::Or,
            IntOp::Xor,
            IntOp::Shl,
            IntOp::Shr,
        ])
    }

    fn machine_type(&mut self) -> IntType {
        self.pick(&IntType::ALL)
    }

    /// A number built from all operators.
    pub fn number(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        if depth == 0 || self.below(5) == 0 {
            return match self.below(4) {
                0 => self.constant(terms),
                _ => {
                    let numbers = self.numbers.clone();
                    self.pick(&numbers)
                }
            };
        }
        match self.below(12) {
            0 | 1 => {
                let (a, b) = (self.number(terms, depth - 1), self.number(terms, depth - 1));
                let factor = self.pick(&[1, -1, 2, -3]);
                terms.add_scaled(a, b, factor)
            }
            2..=4 => {
                let (ty, a) = (self.machine_type(), self.number(terms, depth - 1));
                terms.wrap(ty, a)
            }
            5 => {
                let condition = self.formula(terms, depth - 1);
                let (a, b) = (self.number(terms, depth - 1), self.number(terms, depth - 1));
                terms.ite(condition, a, b)
            }
            _ => {
                let op = self.operator();
                let (a, mut b) = (self.number(terms, depth - 1), self.number(terms, depth - 1));
                if op == IntOp::Shl {
                    // Long shifts of wide numbers would leave 128 bits.
                    let mask = terms.int(7);
                    b = terms.int_op(IntOp::And, b, mask);
                }
                let result = terms.int_op(op, a, b);
                // Machine arithmetic wraps; exact arithmetic occurs too.
                if self.below(3) > 0 {
                    let ty = self.machine_type();
                    terms.wrap(ty, result)
                } else {
                    result
                }
            }
        }
    }

    /// A formula over such numbers.
    pub fn formula(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        match self.below(8) {
            0 => self.boolean,
            1 if depth > 0 => {
                let (a, b) = (
                    self.formula(terms, depth - 1),
                    self.formula(terms, depth - 1),
                );
                terms.or([a, b])
            }
            2 if depth > 0 => {
                let a = self.formula(terms, depth - 1);
                terms.not(a)
            }
            3 if depth > 0 => {
                let (a, b) = (self.boolean, self.formula(terms, depth - 1));
                terms.eq(a, b)
            }
            _ => {
                let (a, b) = (self.number(terms, depth), self.number(terms, depth));
                self.comparison(terms, a, b)
            }
        }
    }

    fn comparison(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        match self.below(4) {
            0 => terms.le(a, b),
            1 => terms.lt(a, b),
            2 => terms.eq(a, b),
            _ => terms.ne(a, b),
        }
    }

    fn with_bounds(&mut self, mut question: Vec<TermId>) -> Vec<TermId> {
        question.extend(self.bounds.iter().copied());
        self.shuffle(&mut question);
        question
    }

    /// A question of all operators.
    pub fn question(&mut self, terms: &mut Terms) -> Vec<TermId> {
        let length = 1 + self.below(3);
        let question = (0..length).map(|_| self.formula(terms, 2)).collect();
        self.with_bounds(question)
    }

    /// A question of linear (in)equalities, some of them wrapped, with disjunctions.
    pub fn linear_question(&mut self, terms: &mut Terms) -> Vec<TermId> {
        let length = 2 + self.below(4);
        let mut question = Vec::new();
        for _ in 0..length {
            let mut sides = [self.linear_sum(terms), self.linear_sum(terms)];
            if self.below(3) == 0 {
                let ty = self.pick(&[IntType::I8, IntType::U8]);
                sides[0] = terms.wrap(ty, sides[0]);
            }
            let mut formula = self.comparison(terms, sides[0], sides[1]);
            if self.below(3) == 0 {
                let other = [self.linear_sum(terms), self.linear_sum(terms)];
                let other = self.comparison(terms, other[0], other[1]);
                formula = terms.or([formula, other]);
            }
            question.push(formula);
        }
        self.with_bounds(question)
    }

    fn linear_sum(&mut self, terms: &mut Terms) -> TermId {
        let constant = self.below(30) as i128 - 15;
        let mut sum = terms.int(constant);
        for _ in 0..self.below(3) {
            let numbers = self.numbers.clone();
            let (number, factor) = (self.pick(&numbers), self.pick(&[1, 1, -1, 2, 3]));
            sum = terms.add_scaled(sum, number, factor);
        }
        sum
    }

    /// A question of differences, booleans and their combinations.
    pub fn difference_question(&mut self, terms: &mut Terms) -> Vec<TermId> {
        let length = 2 + self.below(6);
        let question = (0..length)
            .map(|_| self.difference_formula(terms, 2))
            .collect();
        self.with_bounds(question)
    }

    fn difference_formula(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        if depth > 0 && self.below(3) == 0 {
            let (a, b) = (
                self.difference_formula(terms, depth - 1),
                self.difference_formula(terms, depth - 1),
            );
            return match self.below(3) {
                0 => terms.and([a, b]),
                1 => terms.or([a, b]),
                _ => terms.eq(a, b),
            };
        }
        if self.below(6) == 0 {
            return self.boolean;
        }
        let numbers = self.numbers.clone();
        let (a, b) = (self.pick(&numbers), self.pick(&numbers));
        let offset = match self.below(3) {
            0 => self.below(500) as i128 - 250,
            _ => self.below(8) as i128 - 4,
        };
        let offset = terms.int(offset);
        let shifted = terms.add(b, offset);
        if self.below(4) == 0 {
            self.comparison(terms, a, offset)
        } else {
            self.comparison(terms, a, shifted)
        }
    }

    /// A random value of a float of either format, special ones often.
    pub fn float(&mut self, terms: &mut Terms, ty: FloatType) -> TermId {
        let special = [
            0.0,
            -0.0,
            1.0,
            -1.5,
            2.0,
            0.1,
            1e10,
            -1e300,
            f64::INFINITY,
            f64::NAN,
        ];
        let value = match self.below(3) {
            0 => self.pick(&special),
            1 => self.below(2000) as f64 / 8.0 - 100.0,
            _ => f64::from_bits(self.below(u64::MAX)),
        };
        match ty {
            FloatType::Single => terms.single(value as f32),
            FloatType::Double => terms.double(value),
        }
    }

    /// A random unary or binary operation with a floating-point result.
    pub fn float_operator(&mut self) -> (FpOp, usize) {
        self.pick(&[
            (FpOp::Add, 2),
            (FpOp::Sub, 2),
            (FpOp::Mul, 2),
            (FpOp::Div, 2),
            (FpOp::Neg, 1),
            (FpOp::Abs, 1),
            (FpOp::Sqrt, 1),
        ])
    }
}

/// A solution of the formulas inside the domains, if there is one. Variables that the formulas
/// do not mention keep their first value.
pub fn brute_force(
    terms: &Terms,
    generator: &Generator,
    formulas: &[TermId],
) -> Option<Assignment> {
    let mut mentioned = indexmap::IndexSet::<VarId>::default();
    for &formula in formulas {
        terms.collect_variables(formula, &mut mentioned);
    }
    // Without its bounds a variable ranges over its whole sort.
    let domains: Vec<(VarId, Vec<Value>)> = (generator.domains.iter())
        .filter(|(variable, _)| mentioned.contains(variable))
        .map(|(variable, domain)| match terms.variable(*variable).sort {
            Sort::Machine(ty) => (*variable, (ty.min()..=ty.max()).map(Value::Int).collect()),
            _ => (*variable, domain.clone()),
        })
        .collect();
    // Conjuncts over one variable cut its domain first.
    let mut cut = Vec::new();
    for (variable, domain) in domains {
        let alone: Vec<_> = (formulas.iter().copied())
            .filter(|&formula| {
                let mut own = indexmap::IndexSet::<VarId>::default();
                terms.collect_variables(formula, &mut own);
                own.len() == 1 && own.contains(&variable)
            })
            .collect();
        let kept: Vec<Value> = (domain.into_iter())
            .filter(|&value| {
                let given = Assignment::from_iter([(variable, value)]);
                alone.iter().all(|&formula| holds(terms, &given, formula))
            })
            .collect();
        cut.push((variable, kept));
    }
    let mut assignment = Assignment::default();
    search(terms, &cut, formulas, &mut assignment).then_some(assignment)
}

fn search(
    terms: &Terms,
    domains: &[(VarId, Vec<Value>)],
    formulas: &[TermId],
    assignment: &mut Assignment,
) -> bool {
    let Some(((variable, domain), rest)) = domains.split_first() else {
        return formulas
            .iter()
            .all(|&formula| holds(terms, assignment, formula));
    };
    for &value in domain {
        assignment.insert(*variable, value);
        if search(terms, rest, formulas, assignment) {
            return true;
        }
    }
    false
}

fn holds(terms: &Terms, assignment: &Assignment, formula: TermId) -> bool {
    let value = evaluate(terms, formula, |variable| {
        assignment.get(&variable).copied()
    });
    match value {
        Ok(value) => value == Value::Bool(true),
        Err(error) => panic!("a question that cannot be evaluated: {error}"),
    }
}

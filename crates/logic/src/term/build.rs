//! The constructors, which keep terms in normal form.

use super::{FpOp, IntOp, Linear, Term, TermId, Terms, VarId};
use crate::heap::Value;
use crate::math::MathFunction;
use crate::sort::{FloatType, IntType, Sort};

impl Linear {
    /// A constant.
    pub fn constant(constant: i128) -> Linear {
        Linear {
            constant,
            summands: Vec::new(),
        }
    }

    /// `self + factor * other`, or nothing where a number would not fit.
    pub fn add_scaled(&self, other: &Linear, factor: i128) -> Option<Linear> {
        let constant = (self.constant).checked_add(other.constant.checked_mul(factor)?)?;
        let mut summands = Vec::with_capacity(self.summands.len() + other.summands.len());
        let (mut left, mut right) = (
            self.summands.iter().peekable(),
            other.summands.iter().peekable(),
        );
        loop {
            let (term, coefficient) = match (left.peek(), right.peek()) {
                (None, None) => break,
                (Some(&&(a, n)), Some(&&(b, m))) if a == b => {
                    left.next();
                    right.next();
                    (a, n.checked_add(m.checked_mul(factor)?)?)
                }
                (Some(&&(a, n)), Some(&&(b, _))) if a < b => {
                    left.next();
                    (a, n)
                }
                (Some(&&(a, n)), None) => {
                    left.next();
                    (a, n)
                }
                (_, Some(&&(b, m))) => {
                    right.next();
                    (b, m.checked_mul(factor)?)
                }
            };
            if coefficient != 0 {
                summands.push((term, coefficient));
            }
        }
        Some(Linear { constant, summands })
    }

    /// `factor * self`, or nothing where a number would not fit.
    pub fn scale(&self, factor: i128) -> Option<Linear> {
        Linear::default().add_scaled(self, factor)
    }

    fn gcd_of_coefficients(&self) -> i128 {
        let coefficients = self.summands.iter().map(|&(_, coefficient)| coefficient);
        let divisor = coefficients.fold(0, |divisor, coefficient| {
            gcd(divisor, coefficient.unsigned_abs())
        });
        // 2^127, the one divisor that does not fit, can only be that of a lone coefficient.
        i128::try_from(divisor).unwrap_or(1)
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Terms {
    /// A truth value.
    pub fn bool(&self, value: bool) -> TermId {
        if value { Terms::TRUE } else { Terms::FALSE }
    }

    /// An integer constant.
    pub fn int(&mut self, value: i128) -> TermId {
        self.intern(Term::Linear(Linear::constant(value)), Sort::Int)
    }

    /// A floating-point constant of either format, NaN in canonical form.
    pub fn single(&mut self, value: f32) -> TermId {
        let value = if value.is_nan() { f32::NAN } else { value };
        self.intern(
            Term::Single(value.to_bits()),
            Sort::Float(FloatType::Single),
        )
    }

    /// A binary64 constant, NaN in canonical form.
    pub fn double(&mut self, value: f64) -> TermId {
        let value = if value.is_nan() { f64::NAN } else { value };
        self.intern(
            Term::Double(value.to_bits()),
            Sort::Float(FloatType::Double),
        )
    }

    /// The term that is this variable.
    pub fn var(&mut self, variable: VarId) -> TermId {
        let sort = self.variable(variable).sort;
        self.intern(Term::Var(variable), sort)
    }

    /// A term as a linear combination of other terms.
    pub fn linear_of(&self, term: TermId) -> Linear {
        match self.get(term) {
            Term::Linear(linear) => linear.clone(),
            _ => Linear {
                constant: 0,
                summands: vec![(term, 1)],
            },
        }
    }

    /// The term of a linear combination.
    pub fn linear(&mut self, linear: Linear) -> TermId {
        match linear.summands[..] {
            [(term, 1)] if linear.constant == 0 => term,
            _ => self.intern(Term::Linear(linear), Sort::Int),
        }
    }

    /// `a + factor * b`, exactly.
    pub fn add_scaled(&mut self, a: TermId, b: TermId, factor: i128) -> TermId {
        match self.linear_of(a).add_scaled(&self.linear_of(b), factor) {
            Some(sum) => self.linear(sum),
            None => {
                let factor = self.int(factor);
                let scaled = self.opaque(IntOp::Mul, b, factor);
                self.opaque(IntOp::Add, a, scaled)
            }
        }
    }

    /// Exact sum.
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.add_scaled(a, b, 1)
    }

    /// Exact difference.
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.add_scaled(a, b, -1)
    }

    /// Exact negation.
    pub fn neg(&mut self, a: TermId) -> TermId {
        let zero = self.int(0);
        self.sub(zero, a)
    }

    /// An integer operation, folded where both operands are known.
    pub fn int_op(&mut self, op: IntOp, a: TermId, b: TermId) -> TermId {
        let known = (self.as_int(a), self.as_int(b));
        if let (Some(x), Some(y)) = known
            && let Some(value) = op.apply(x, y)
        {
            return self.int(value);
        }
        match (op, known) {
            (IntOp::Add, _) => self.add(a, b),
            (IntOp::Mul, (Some(factor), _)) => self.scaled(b, factor),
            (IntOp::Mul, (_, Some(factor))) => self.scaled(a, factor),
            (IntOp::Div, (_, Some(1))) => a,
            (IntOp::Rem, (_, Some(1 | -1))) => self.int(0),
            (IntOp::Shl | IntOp::Shr, (_, Some(0))) => a,
            (IntOp::Shl, (_, Some(by))) => self.scaled(a, 1i128 << by.rem_euclid(64)),
            (IntOp::And, (_, Some(0)) | (Some(0), _)) => self.int(0),
            (IntOp::And | IntOp::Or, _) if a == b => a,
            (IntOp::Xor, _) if a == b => self.int(0),
            (IntOp::Or | IntOp::Xor, (_, Some(0))) => a,
            (IntOp::Or | IntOp::Xor, (Some(0), _)) => b,
            _ => self.opaque(op, a, b),
        }
    }

    fn scaled(&mut self, a: TermId, factor: i128) -> TermId {
        match self.linear_of(a).scale(factor) {
            Some(product) => self.linear(product),
            None => {
                let factor = self.int(factor);
                self.opaque(IntOp::Mul, a, factor)
            }
        }
    }

    fn opaque(&mut self, op: IntOp, a: TermId, b: TermId) -> TermId {
        let commutes = matches!(
            op,
            IntOp::Add | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor
        );
        let (a, b) = if commutes && b < a { (b, a) } else { (a, b) };
        self.intern(Term::Int(op, a, b), Sort::Int)
    }

    /// The value of type `ty` congruent to `a`: what a cast or an overflowing operation gives.
    pub fn wrap(&mut self, ty: IntType, a: TermId) -> TermId {
        if let Some(value) = self.as_int(a) {
            return self.int(ty.wrap(value));
        }
        let range_fits = match self.sort(a) {
            Sort::Machine(from) => ty.min() <= from.min() && from.max() <= ty.max(),
            _ => false,
        };
        match *self.get(a) {
            _ if range_fits => a,
            // Only the low bits count, so an inner wrap that keeps them all is redundant.
            Term::Wrap(inner, b) if inner.bits() >= ty.bits() => self.wrap(ty, b),
            _ => self.intern(Term::Wrap(ty, a), Sort::Machine(ty)),
        }
    }

    /// `a <= b` over integers.
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(a, b, 0)
    }

    /// `a < b` over integers.
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.compare(a, b, 1)
    }

    /// `a + slack <= b`.
    fn compare(&mut self, a: TermId, b: TermId, slack: i128) -> TermId {
        let difference = self.linear_of(a).add_scaled(&self.linear_of(b), -1);
        let sum = difference.and_then(|d| d.add_scaled(&Linear::constant(slack), 1));
        match sum {
            Some(linear) => self.at_most_zero(linear),
            None => {
                let minus_one = self.int(-1);
                let negated = self.opaque(IntOp::Mul, b, minus_one);
                let difference = self.opaque(IntOp::Add, a, negated);
                self.at_most_zero(Linear {
                    constant: slack,
                    summands: vec![(difference, 1)],
                })
            }
        }
    }

    /// `linear <= 0` in normal form: coefficients divided by their common divisor, the
    /// constant rounded so that no integer solution is lost or gained.
    pub fn at_most_zero(&mut self, mut linear: Linear) -> TermId {
        if linear.summands.is_empty() {
            return self.bool(linear.constant <= 0);
        }
        let divisor = linear.gcd_of_coefficients();
        if divisor > 1 {
            for (_, coefficient) in &mut linear.summands {
                *coefficient /= divisor;
            }
            // Σ ≤ -c/d means Σ ≤ floor(-c/d), that is Σ + ceil(c/d) ≤ 0.
            let floor = linear.constant.div_euclid(divisor);
            linear.constant = floor + i128::from(floor * divisor != linear.constant);
        }
        self.intern(Term::AtMostZero(linear), Sort::Bool)
    }

    /// `linear = 0` in normal form: the first coefficient positive, no common divisor.
    pub fn is_zero(&mut self, mut linear: Linear) -> TermId {
        if linear.summands.is_empty() {
            return self.bool(linear.constant == 0);
        }
        let divisor = linear.gcd_of_coefficients();
        if divisor > 1 {
            if linear.constant % divisor != 0 {
                return Terms::FALSE;
            }
            linear.constant /= divisor;
            for (_, coefficient) in &mut linear.summands {
                *coefficient /= divisor;
            }
        }
        if linear.summands[0].1 < 0
            && let Some(flipped) = linear.scale(-1)
        {
            linear = flipped;
        }
        self.intern(Term::IsZero(linear), Sort::Bool)
    }

    /// Equality of two terms of comparable sorts.
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return Terms::TRUE;
        }
        if self.sort(a).is_integer() {
            return match self.linear_of(a).add_scaled(&self.linear_of(b), -1) {
                Some(difference) => self.is_zero(difference),
                None => {
                    let (below, above) = (self.le(a, b), self.le(b, a));
                    self.and([below, above])
                }
            };
        }
        let (a, b) = if b < a { (b, a) } else { (a, b) };
        match (self.get(a), self.get(b)) {
            (Term::Bool(value), _) => {
                if *value {
                    b
                } else {
                    self.not(b)
                }
            }
            (Term::Single(_), Term::Single(_)) | (Term::Double(_), Term::Double(_)) => Terms::FALSE,
            _ => self.intern(Term::Eq(a, b), Sort::Bool),
        }
    }

    /// `a != b`.
    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let equal = self.eq(a, b);
        self.not(equal)
    }

    /// Negation, pushed inwards as far as it goes.
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.get(a) {
            Term::Bool(value) => self.bool(!value),
            Term::Not(inner) => *inner,
            // not (l <= 0)  is  l >= 1  is  1 - l <= 0
            Term::AtMostZero(linear) => match Linear::constant(1).add_scaled(linear, -1) {
                Some(negated) => self.at_most_zero(negated),
                None => self.intern(Term::Not(a), Sort::Bool),
            },
            Term::And(list) | Term::Or(list) => {
                if let Some(&known) = self.negations.get(&a) {
                    return known;
                }
                let conjunction = matches!(self.get(a), Term::And(_));
                let negated: Vec<_> = list.clone().into_iter().map(|t| self.not(t)).collect();
                let negation = if conjunction {
                    self.or(negated)
                } else {
                    self.and(negated)
                };
                self.negations.insert(a, negation);
                negation
            }
            _ => self.intern(Term::Not(a), Sort::Bool),
        }
    }

    /// Conjunction.
    pub fn and(&mut self, list: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(list, Terms::TRUE, Terms::FALSE)
    }

    /// Disjunction.
    pub fn or(&mut self, list: impl IntoIterator<Item = TermId>) -> TermId {
        self.junction(list, Terms::FALSE, Terms::TRUE)
    }

    /// `a` implies `b`.
    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let negated = self.not(a);
        self.or([negated, b])
    }

    fn junction(
        &mut self,
        list: impl IntoIterator<Item = TermId>,
        unit: TermId,
        zero: TermId,
    ) -> TermId {
        let conjunction = unit == Terms::TRUE;
        let mut flat = Vec::new();
        for term in list {
            match self.get(term) {
                Term::And(inner) if conjunction => flat.extend_from_slice(inner),
                Term::Or(inner) if !conjunction => flat.extend_from_slice(inner),
                _ if term == unit => {}
                _ if term == zero => return zero,
                _ => flat.push(term),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        for index in 0..flat.len() {
            // Only among atoms: negating what is nested would negate it again at every level
            // of nesting, which takes time exponential in the depth.
            if matches!(self.get(flat[index]), Term::And(_) | Term::Or(_)) {
                continue;
            }
            let complement = self.not(flat[index]);
            if flat.binary_search(&complement).is_ok() {
                return zero;
            }
        }
        match flat[..] {
            [] => unit,
            [single] => single,
            _ if conjunction => self.intern(Term::And(flat), Sort::Bool),
            _ => self.intern(Term::Or(flat), Sort::Bool),
        }
    }

    /// If-then-else.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        if condition == Terms::TRUE || then == otherwise {
            return then;
        }
        if condition == Terms::FALSE {
            return otherwise;
        }
        if self.sort(then) == Sort::Bool {
            let negated = self.not(condition);
            let (left, right) = (self.and([condition, then]), self.and([negated, otherwise]));
            return self.or([left, right]);
        }
        let sort = match (self.sort(then), self.sort(otherwise)) {
            (a, b) if a == b => a,
            (a, _) if a.is_integer() => Sort::Int,
            (a, b) if then == Terms::NULL && a.is_ref() => b,
            (a, _) => a,
        };
        self.intern(Term::Ite(condition, then, otherwise), sort)
    }

    /// A floating-point operation.
    pub fn fp(&mut self, op: FpOp, ty: FloatType, args: Vec<TermId>) -> TermId {
        let sort = match op {
            FpOp::Lt | FpOp::Le | FpOp::Eq | FpOp::IsNan => Sort::Bool,
            FpOp::ToInt(int) => Sort::Machine(int),
            FpOp::ToBits => Sort::Machine(match ty {
                FloatType::Single => IntType::I32,
                FloatType::Double => IntType::I64,
            }),
            _ => Sort::Float(ty),
        };
        match (op, &args[..]) {
            // Nothing is less than itself, NaN neither.
            (FpOp::Lt, [a, b]) if a == b => Terms::FALSE,
            _ => self.intern(Term::Fp(op, ty, args), sort),
        }
    }

    /// A function of numbers, computed where all arguments are known. One that is an operation
    /// on floats becomes that operation, which theories know.
    pub fn apply(&mut self, function: MathFunction, args: Vec<TermId>) -> TermId {
        let known: Option<Vec<_>> = args.iter().map(|&arg| self.as_number(arg)).collect();
        match known.and_then(|known| function.apply(&known)) {
            Some(Value::Int(value)) => return self.int(value),
            Some(Value::Single(bits)) => return self.single(f32::from_bits(bits)),
            Some(Value::Double(bits)) => return self.double(f64::from_bits(bits)),
            _ => {}
        }
        match function.as_fp() {
            Some((op, ty)) => self.fp(op, ty, args),
            None => self.intern(Term::Apply(function, args), function.result()),
        }
    }

    /// The number that a term is, if it is a constant.
    fn as_number(&self, term: TermId) -> Option<Value> {
        match self.get(term) {
            Term::Single(bits) => Some(Value::Single(*bits)),
            Term::Double(bits) => Some(Value::Double(*bits)),
            _ => self.as_int(term).map(Value::Int),
        }
    }
}

impl IntOp {
    /// The operation on numbers, or nothing where the result does not fit into 128 bits.
    pub fn apply(self, a: i128, b: i128) -> Option<i128> {
        match self {
            IntOp::Add => a.checked_add(b),
            IntOp::Mul => a.checked_mul(b),
            IntOp::Div if b == 0 => Some(0),
            IntOp::Div => a.checked_div(b),
            IntOp::Rem if b == 0 => Some(a),
            IntOp::Rem => Some(a.wrapping_rem(b)),
            IntOp::And => Some(a & b),
            IntOp::Or => Some(a | b),
            IntOp::Xor => Some(a ^ b),
            IntOp::Shl => a.checked_mul(1i128 << b.rem_euclid(64)),
            IntOp::Shr => Some(a >> b.rem_euclid(64)),
        }
    }
}

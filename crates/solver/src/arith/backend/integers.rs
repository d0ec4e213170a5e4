//! Numbers as Z3 integers.
//!
//! Machine integers are integers with range constraints. Wrapping is exact:
//! `e = r + 2^w * q` for a new integer `q`, with `r` in the range of the type; only where `e`
//! can leave that range at all.

use heapwright_logic::{IntOp, IntType, Linear, Sort, Term, TermId, Terms};
use z3::ast::{Bool, Int};

use super::incremental::{Encoded, Encoder};
use super::theory::low_mask;
use crate::arith::interval::{Interval, interval_of};

/// Encodes an integer term. Precondition: its subterms are encoded.
pub fn encode(encoder: &mut Encoder, terms: &Terms, term: TermId) -> Encoded {
    let range = interval_of(terms, term, |child| encoder.range(child));
    encoder.ranges.insert(term, range);
    let number = match terms.get(term) {
        Term::Var(variable) => {
            let number = Int::new_const(variable.0);
            if let Sort::Machine(ty) = terms.sort(term) {
                encoder.assert_range(&number, Interval::of_type(ty));
            }
            Some(number)
        }
        Term::Linear(linear) => sum(encoder, linear),
        Term::Int(op, a, b) => operation(encoder, terms, *op, *a, *b),
        Term::Wrap(ty, a) => wrap(encoder, term, *ty, *a),
        Term::Ite(condition, then, otherwise) => {
            match (
                encoder.formula(*condition),
                encoder.int(*then),
                encoder.int(*otherwise),
            ) {
                (Some(condition), Some(then), Some(otherwise)) => {
                    Some(condition.ite(&then, &otherwise))
                }
                _ => None,
            }
        }
        _ => None,
    };
    number.map_or(Encoded::TooWide, Encoded::Int)
}

/// `linear <= 0`, positive summands on one side and negative ones on the other.
pub fn at_most_zero(encoder: &Encoder, linear: &Linear) -> Option<Bool> {
    let (left, right) = sides(encoder, linear)?;
    Some(left.le(&right))
}

/// `linear = 0`.
pub fn is_zero(encoder: &Encoder, linear: &Linear) -> Option<Bool> {
    let (left, right) = sides(encoder, linear)?;
    Some(left.eq(&right))
}

fn sides(encoder: &Encoder, linear: &Linear) -> Option<(Int, Int)> {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for &(term, coefficient) in &linear.summands {
        let number = encoder.int(term)?;
        match coefficient {
            1 => left.push(number),
            -1 => right.push(number),
            c => left.push(Int::mul(&[constant(c), number])),
        }
    }
    match linear.constant {
        0 => {}
        c => left.push(constant(c)),
    }
    Some((total(left), total(right)))
}

fn sum(encoder: &Encoder, linear: &Linear) -> Option<Int> {
    let (left, right) = sides(encoder, linear)?;
    Some(Int::sub(&[left, right]))
}

fn total(mut summands: Vec<Int>) -> Int {
    match summands.len() {
        0 => Int::from_i64(0),
        1 => summands.remove(0),
        _ => Int::add(&summands),
    }
}

/// A numeral.
pub fn constant(value: i128) -> Int {
    match i64::try_from(value) {
        Ok(value) => Int::from_i64(value),
        Err(_) => Int::from_i128(value),
    }
}

fn operation(encoder: &mut Encoder, terms: &Terms, op: IntOp, a: TermId, b: TermId) -> Option<Int> {
    let (x, y) = (encoder.int(a)?, encoder.int(b)?);
    match op {
        IntOp::Add => Some(Int::add(&[x, y])),
        IntOp::Mul => Some(Int::mul(&[x, y])),
        IntOp::Div => Some(truncating_div(encoder, a, b, &x, &y)),
        IntOp::Rem => {
            let quotient = truncating_div(encoder, a, b, &x, &y);
            // The quotient by zero is zero, so the remainder is the dividend, as it must be.
            Some(Int::sub(&[x, Int::mul(&[y, quotient])]))
        }
        IntOp::And => {
            let (operand, modulus) = low_mask(terms, a, b)?;
            Some(encoder.int(operand)?.modulo(constant(modulus)))
        }
        IntOp::Shl => {
            let by = terms.as_int(b)?.rem_euclid(64);
            Some(Int::mul(&[x, constant(1 << by)]))
        }
        IntOp::Shr => {
            let by = terms.as_int(b)?.rem_euclid(64);
            Some(x.div(constant(1 << by)))
        }
        IntOp::Or | IntOp::Xor => None,
    }
}

/// Z3 divides so that the remainder is never negative; for a dividend that is not negative
/// this is truncation, whatever the sign of the divisor.
fn truncating_div(encoder: &Encoder, a: TermId, b: TermId, x: &Int, y: &Int) -> Int {
    let zero = Int::from_i64(0);
    let plain = x.div(y);
    let quotient = if encoder.range(a).low >= 0 {
        plain
    } else {
        let mirrored = x.unary_minus().div(y).unary_minus();
        x.ge(&zero).ite(&plain, &mirrored)
    };
    if encoder.range(b).contains(0) {
        y.eq(&zero).ite(&zero, &quotient)
    } else {
        quotient
    }
}

fn wrap(encoder: &mut Encoder, term: TermId, ty: IntType, a: TermId) -> Option<Int> {
    let exact = encoder.int(a)?;
    let range = encoder.range(a);
    if range.within(Interval::of_type(ty)) {
        return Some(exact);
    }
    let modulus = 1i128 << ty.bits();
    let quotient = Int::new_const(format!("q{}", term.index()));
    let rest = Int::sub(&[exact, Int::mul(&[constant(modulus), quotient.clone()])]);
    encoder.assert_range(&rest, Interval::of_type(ty));
    if range.is_bounded() {
        // Redundant, but it saves Z3 the search for the bounds of the quotient.
        let of = |value: i128| (value - ty.min()).div_euclid(modulus);
        if let (Some(_), Some(_)) = (
            range.low.checked_sub(ty.min()),
            range.high.checked_sub(ty.min()),
        ) {
            encoder.assert_range(&quotient, Interval::new(of(range.low), of(range.high)));
        }
    }
    Some(rest)
}

impl Encoder {
    /// An encoded integer.
    pub fn int(&self, term: TermId) -> Option<Int> {
        match self.done.get(&term) {
            Some(Encoded::Int(number)) => Some(number.clone()),
            _ => None,
        }
    }

    /// The values that an encoded integer term can take.
    pub fn range(&self, term: TermId) -> Interval {
        self.ranges.get(&term).copied().unwrap_or(Interval::ALL)
    }

    fn assert_range(&mut self, number: &Int, range: Interval) {
        self.facts.push(number.ge(constant(range.low)));
        self.facts.push(number.le(constant(range.high)));
    }
}

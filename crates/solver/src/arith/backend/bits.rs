//! Numbers as bit-vectors, each as wide as its exact value needs.
//!
//! Every integer term becomes a vector in two's complement that is wide enough for the
//! interval of its values, so exact sums and products never overflow. Below a wrap only the
//! low bits count, and sums, products, shifts and bit operations are computed on those alone.

use heapwright_logic::{IntOp, Linear, Sort, Term, TermId, Terms};
use z3::Model;
use z3::ast::{BV, Bool};

use super::floats;
use super::incremental::{Encoded, Encoder};
use crate::arith::interval::{Interval, interval_of};

/// Wider vectors are not built.
const MAX_WIDTH: u32 = 192;
/// How far low bits are pushed down through operations before the exact value is taken.
const MAX_DEPTH: u32 = 64;

/// Encodes an integer term. Precondition: its subterms are encoded.
pub fn encode(encoder: &mut Encoder, terms: &Terms, term: TermId) -> Encoded {
    let range = match terms.get(term) {
        Term::Var(variable) => (encoder.plan.ghosts.get(variable).copied())
            .unwrap_or_else(|| Interval::of_sort(terms.sort(term))),
        _ => interval_of(terms, term, |child| encoder.range(child)),
    };
    encoder.ranges.insert(term, range);
    let Some(width) = range.signed_width().filter(|&width| width <= MAX_WIDTH) else {
        return Encoded::TooWide;
    };
    let vector = match terms.get(term) {
        Term::Var(variable) => match terms.sort(term) {
            Sort::Machine(ty) if !ty.signed() => {
                Some(BV::new_const(variable.0, ty.bits()).zero_ext(1))
            }
            Sort::Machine(ty) => Some(BV::new_const(variable.0, ty.bits())),
            _ => {
                let vector = BV::new_const(variable.0, width);
                encoder
                    .facts
                    .push(constant(range.low, width).bvsle(&vector));
                encoder
                    .facts
                    .push(vector.bvsle(constant(range.high, width)));
                Some(vector)
            }
        },
        Term::Linear(linear) => sum(encoder, terms, linear, width, 0),
        Term::Int(op, a, b) => operation(encoder, terms, *op, *a, *b, width),
        Term::Wrap(ty, a) => low(encoder, terms, *a, ty.bits(), 0).map(|bits| {
            let exact = if ty.signed() { bits } else { bits.zero_ext(1) };
            resize(&exact, exact.get_size(), width)
        }),
        Term::Ite(condition, then, otherwise) => {
            let condition = encoder.formula(*condition);
            let then = encoder.resized(*then, width);
            let otherwise = encoder.resized(*otherwise, width);
            match (condition, then, otherwise) {
                (Some(condition), Some(then), Some(otherwise)) => {
                    Some(condition.ite(&then, &otherwise))
                }
                _ => None,
            }
        }
        Term::Fp(op, ty, args) => floats::encode_to_int(encoder, *op, *ty, args, width),
        _ => None,
    };
    vector.map_or(Encoded::TooWide, |vector| Encoded::Bits(vector, width))
}

/// `linear <= 0`.
pub fn at_most_zero(encoder: &mut Encoder, terms: &Terms, linear: &Linear) -> Option<Bool> {
    let (sum, width) = exact_sum(encoder, terms, linear)?;
    Some(sum.bvsle(constant(0, width)))
}

/// `linear = 0`.
pub fn is_zero(encoder: &mut Encoder, terms: &Terms, linear: &Linear) -> Option<Bool> {
    let (sum, width) = exact_sum(encoder, terms, linear)?;
    Some(sum.eq(constant(0, width)))
}

fn exact_sum(encoder: &mut Encoder, terms: &Terms, linear: &Linear) -> Option<(BV, u32)> {
    let range = Interval::of_linear(linear, |term| encoder.range(term));
    let width = range.signed_width().filter(|&width| width <= MAX_WIDTH)?;
    Some((sum(encoder, terms, linear, width, 0)?, width))
}

/// The low `width` bits of a sum.
fn sum(
    encoder: &mut Encoder,
    terms: &Terms,
    linear: &Linear,
    width: u32,
    depth: u32,
) -> Option<BV> {
    let mut total = constant(linear.constant, width);
    for &(term, coefficient) in &linear.summands {
        let operand = low(encoder, terms, term, width, depth)?;
        total = match coefficient {
            1 => total.bvadd(&operand),
            -1 => total.bvsub(&operand),
            c => total.bvadd(operand.bvmul(constant(c, width))),
        };
    }
    Some(total)
}

/// The low `width` bits of a term (its sign repeated where it has fewer).
pub fn low(
    encoder: &mut Encoder,
    terms: &Terms,
    term: TermId,
    width: u32,
    depth: u32,
) -> Option<BV> {
    if let Some(Encoded::Bits(vector, own)) = encoder.done.get(&term)
        && (*own <= width || depth >= MAX_DEPTH)
    {
        return Some(resize(vector, *own, width));
    }
    if depth >= MAX_DEPTH {
        return None;
    }
    if let Some(known) = encoder.low.get(&(term, width)) {
        return Some(known.clone());
    }
    let both = |encoder: &mut Encoder, a: TermId, b: TermId| {
        let a = low(encoder, terms, a, width, depth + 1)?;
        Some((a, low(encoder, terms, b, width, depth + 1)?))
    };
    let vector = match terms.get(term) {
        Term::Linear(linear) => sum(encoder, terms, linear, width, depth + 1)?,
        Term::Int(op @ (IntOp::Add | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor), a, b) => {
            let (a, b) = both(encoder, *a, *b)?;
            truncatable(*op, &a, &b)
        }
        Term::Int(IntOp::Shl, a, b) => {
            let a = low(encoder, terms, *a, width, depth + 1)?;
            shift_left(encoder, terms, &a, *b, width)?
        }
        Term::Ite(condition, then, otherwise) => {
            let (then, otherwise) = both(encoder, *then, *otherwise)?;
            encoder.formula(*condition)?.ite(&then, &otherwise)
        }
        _ => encoder.resized(term, width)?,
    };
    encoder.low.insert((term, width), vector.clone());
    Some(vector)
}

/// Operations whose low bits depend on the low bits of their operands only.
fn truncatable(op: IntOp, a: &BV, b: &BV) -> BV {
    match op {
        IntOp::Add => a.bvadd(b),
        IntOp::Mul => a.bvmul(b),
        IntOp::And => a.bvand(b),
        IntOp::Or => a.bvor(b),
        _ => a.bvxor(b),
    }
}

/// An operation at the width of its exact result.
fn operation(
    encoder: &mut Encoder,
    terms: &Terms,
    op: IntOp,
    a: TermId,
    b: TermId,
    width: u32,
) -> Option<BV> {
    match op {
        IntOp::Add | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor => {
            let a = low(encoder, terms, a, width, 0)?;
            let b = low(encoder, terms, b, width, 0)?;
            Some(truncatable(op, &a, &b))
        }
        IntOp::Shl => {
            let a = low(encoder, terms, a, width, 0)?;
            shift_left(encoder, terms, &a, b, width)
        }
        IntOp::Shr => {
            let (vector, own) = encoder.bits(a)?;
            // Room for the distance, which is below 64.
            let roomy = own.max(8);
            let by = distance(encoder, terms, b, roomy)?;
            let shifted = resize(&vector, own, roomy).bvashr(&by);
            Some(resize(&shifted, roomy, width))
        }
        IntOp::Div | IntOp::Rem => {
            let ((x, x_width), (y, y_width)) = (encoder.bits(a)?, encoder.bits(b)?);
            // One more bit, so that the smallest number divided by -1 fits.
            let wide = x_width.max(y_width) + 1;
            let (x, y) = (resize(&x, x_width, wide), resize(&y, y_width, wide));
            let zero = constant(0, wide);
            let by_zero = y.eq(&zero);
            let result = match op {
                IntOp::Div => by_zero.ite(&zero, &x.bvsdiv(&y)),
                _ => by_zero.ite(&x, &x.bvsrem(&y)),
            };
            Some(resize(&result, wide, width))
        }
    }
}

fn shift_left(encoder: &mut Encoder, terms: &Terms, a: &BV, by: TermId, width: u32) -> Option<BV> {
    let roomy = width.max(8);
    let by = distance(encoder, terms, by, roomy)?;
    let shifted = resize(a, width, roomy).bvshl(&by);
    Some(resize(&shifted, roomy, width))
}

/// A shift distance modulo 64 as a vector of `width` bits.
///
/// Precondition: `width` is at least 8, so that distances up to 63 are not negative.
fn distance(encoder: &mut Encoder, terms: &Terms, by: TermId, width: u32) -> Option<BV> {
    let six = low(encoder, terms, by, 6, 0)?;
    Some(six.zero_ext(width - 6))
}

/// A numeral in two's complement.
pub fn constant(value: i128, width: u32) -> BV {
    if let Ok(value) = i64::try_from(value) {
        return BV::from_i64(value, width);
    }
    let bits: Vec<bool> = (0..width)
        .map(|bit| (value >> bit.min(127)) & 1 == 1)
        .collect();
    // Only a vector without bits is refused, and no width is zero.
    BV::from_bits(&bits).unwrap_or_else(|| BV::from_i64(0, width))
}

/// The same number in another width; narrower only if it is known to fit or to be cut.
pub fn resize(vector: &BV, from: u32, to: u32) -> BV {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => vector.sign_ext(to - from),
        std::cmp::Ordering::Equal => vector.clone(),
        std::cmp::Ordering::Greater => vector.extract(to - 1, 0),
    }
}

/// The number that a vector stands for in a model.
pub fn read(model: &Model, vector: &BV, width: u32) -> Option<i128> {
    let part = |high: u32, low: u32| {
        let value = model.eval(&vector.extract(high, low), true)?.as_u64()?;
        Some(i128::from(value))
    };
    if width > 127 {
        return None;
    }
    let low = part(width.min(64) - 1, 0)?;
    let high = if width > 64 { part(width - 1, 64)? } else { 0 };
    let unsigned = (high << 64) | low;
    let negative = (unsigned >> (width - 1)) & 1 == 1;
    Some(if negative {
        unsigned - (1i128 << width)
    } else {
        unsigned
    })
}

impl Encoder {
    /// An encoded vector with its width.
    pub fn bits(&self, term: TermId) -> Option<(BV, u32)> {
        match self.done.get(&term) {
            Some(Encoded::Bits(vector, width)) => Some((vector.clone(), *width)),
            _ => None,
        }
    }

    /// An encoded vector in another width.
    fn resized(&self, term: TermId, width: u32) -> Option<BV> {
        let (vector, own) = self.bits(term)?;
        Some(resize(&vector, own, width))
    }
}

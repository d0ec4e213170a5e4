//! Floats in Z3's floating-point theory, rounding to nearest even.

use heapwright_logic::{FloatType, FpOp, Sort, Term, TermId, Terms, Value};
use z3::ast::{BV, Bool, Float, RoundingMode};
use z3::{Model, Sort as Z3Sort};

use super::bits;
use super::decls::format;
use super::incremental::{Encoded, Encoder};

/// Encodes a term of a floating-point sort. Precondition: its subterms are encoded.
pub fn encode(encoder: &mut Encoder, terms: &Terms, term: TermId, ty: FloatType) -> Encoded {
    let float = match terms.get(term) {
        Term::Var(variable) => Some(match ty {
            FloatType::Single => Float::new_const_float32(variable.0),
            FloatType::Double => Float::new_const_double(variable.0),
        }),
        Term::Single(value) => Some(match f32::from_bits(*value) {
            value if value.is_nan() => Float::nan32(),
            value => Float::from_f32(value),
        }),
        Term::Double(value) => Some(match f64::from_bits(*value) {
            value if value.is_nan() => Float::nan64(),
            value => Float::from_f64(value),
        }),
        Term::Ite(condition, then, otherwise) => {
            let condition = encoder.formula(*condition);
            match (condition, encoder.float(*then), encoder.float(*otherwise)) {
                (Some(condition), Some(then), Some(otherwise)) => {
                    Some(condition.ite(&then, &otherwise))
                }
                _ => None,
            }
        }
        Term::Fp(op, _, args) => operation(encoder, terms, *op, ty, args),
        _ => None,
    };
    float.map_or(Encoded::TooWide, Encoded::Float)
}

fn operation(
    encoder: &mut Encoder,
    terms: &Terms,
    op: FpOp,
    ty: FloatType,
    args: &[TermId],
) -> Option<Float> {
    let rounding = RoundingMode::round_nearest_ties_to_even();
    let float = |index: usize| encoder.float(*args.get(index)?);
    match op {
        FpOp::Add => Some(rounding.add(float(0)?, float(1)?)),
        FpOp::Sub => Some(rounding.sub(float(0)?, float(1)?)),
        FpOp::Mul => Some(rounding.mul(float(0)?, float(1)?)),
        FpOp::Div => Some(rounding.div(float(0)?, float(1)?)),
        FpOp::Neg => Some(float(0)?.unary_neg()),
        FpOp::Abs => Some(float(0)?.unary_abs()),
        FpOp::Sqrt => Some(float(0)?.sqrt_with_rounding_mode(&rounding)),
        FpOp::Convert => Some(float(0)?.to_fp_with_rounding_mode(&rounding, &sort(ty))),
        FpOp::FromInt => {
            let (vector, width) = encoder.bits(*args.first()?)?;
            encoder.conversions.round(ty, &vector, width)
        }
        FpOp::FromBits => {
            let vector = bits::low(encoder, terms, *args.first()?, format(ty).2, 0)?;
            encoder.conversions.reinterpret(ty, &vector)
        }
        _ => None,
    }
}

fn sort(ty: FloatType) -> Z3Sort {
    match ty {
        FloatType::Single => Z3Sort::float32(),
        FloatType::Double => Z3Sort::double(),
    }
}

/// Encodes a comparison of floats.
pub fn encode_predicate(encoder: &Encoder, op: FpOp, args: &[TermId]) -> Option<Bool> {
    let float = |index: usize| encoder.float(*args.get(index)?);
    match op {
        FpOp::Lt => Some(float(0)?.lt(float(1)?)),
        FpOp::Le => Some(float(0)?.le(float(1)?)),
        FpOp::Eq => Some(float(0)?.eq_fpa(float(1)?)),
        FpOp::IsNan => Some(float(0)?.is_nan()),
        _ => None,
    }
}

/// Encodes a conversion from a float to an integer as a vector of `width` bits.
pub fn encode_to_int(
    encoder: &mut Encoder,
    op: FpOp,
    ty: FloatType,
    args: &[TermId],
    width: u32,
) -> Option<BV> {
    let float = encoder.float(*args.first()?)?;
    match op {
        FpOp::ToBits => {
            let canonical = match ty {
                FloatType::Single => i128::from(f32::NAN.to_bits()),
                FloatType::Double => i128::from(f64::NAN.to_bits()),
            };
            let all = format(ty).2;
            let vector = (float.is_nan()).ite(&bits::constant(canonical, all), &float.to_ieee_bv());
            Some(bits::resize(&vector, all, width))
        }
        FpOp::ToInt(int) => {
            let truncated =
                float.to_sbv_with_rounding_mode(&RoundingMode::round_towards_zero(), width);
            let number = |value: f64| match ty {
                FloatType::Single => Float::from_f32(value as f32),
                FloatType::Double => Float::from_f64(value),
            };
            // Powers of two are floats exactly; the largest value of a type may not be.
            let beyond = 2f64.powi(int.bits() as i32 - i32::from(int.signed()));
            let too_large = float.ge(number(beyond));
            let too_small = if int.signed() {
                float.lt(number(-beyond))
            } else {
                float.le(number(-1.0))
            };
            let value = too_large.ite(&bits::constant(int.max(), width), &truncated);
            let value = too_small.ite(&bits::constant(int.min(), width), &value);
            Some((float.is_nan()).ite(&bits::constant(0, width), &value))
        }
        _ => None,
    }
}

/// The value of a float in a model.
pub fn read(model: &Model, float: &Float, sort: Sort) -> Option<Value> {
    let value = model.eval(float, true)?;
    let nan = model.eval(&value.is_nan(), true)?.as_bool()?;
    let representation = || model.eval(&value.to_ieee_bv(), true)?.as_u64();
    match sort {
        Sort::Float(FloatType::Single) if nan => Some(Value::Single(f32::NAN.to_bits())),
        Sort::Float(FloatType::Double) if nan => Some(Value::Double(f64::NAN.to_bits())),
        Sort::Float(FloatType::Single) => Some(Value::Single(representation()? as u32)),
        Sort::Float(FloatType::Double) => Some(Value::Double(representation()?)),
        _ => None,
    }
}

impl Encoder {
    fn float(&self, term: TermId) -> Option<Float> {
        match self.done.get(&term) {
            Some(Encoded::Float(float)) => Some(float.clone()),
            _ => None,
        }
    }
}

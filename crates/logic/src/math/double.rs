//! The functions on doubles.

use super::MathFunction;
use crate::heap::Value;
use crate::sort::FloatType::Double;

/// A function of one double.
pub fn unary(function: MathFunction, x: f64) -> Option<Value> {
    let value = match function {
        MathFunction::Sin => libm::sin(x),
        MathFunction::Cos => libm::cos(x),
        MathFunction::Tan => libm::tan(x),
        MathFunction::Asin => libm::asin(x),
        MathFunction::Acos => libm::acos(x),
        MathFunction::Atan => libm::atan(x),
        MathFunction::Sinh => libm::sinh(x),
        MathFunction::Cosh => libm::cosh(x),
        MathFunction::Tanh => libm::tanh(x),
        MathFunction::Exp => libm::exp(x),
        MathFunction::Expm1 => libm::expm1(x),
        MathFunction::Log => libm::log(x),
        MathFunction::Log10 => libm::log10(x),
        MathFunction::Log1p => libm::log1p(x),
        MathFunction::Cbrt => libm::cbrt(x),
        MathFunction::Ceil => libm::ceil(x),
        MathFunction::Floor => libm::floor(x),
        MathFunction::Rint => libm::rint(x),
        MathFunction::Signum(Double) if x == 0.0 => x,
        MathFunction::Signum(Double) => x.signum(),
        MathFunction::Ulp(Double) => ulp(x),
        MathFunction::NextUp(Double) => x.next_up(),
        MathFunction::NextDown(Double) => x.next_down(),
        MathFunction::GetExponent(Double) => return Some(Value::Int(exponent(x).into())),
        MathFunction::Round(Double) => return Some(Value::Int(round(x).into())),
        _ => return None,
    };
    Some(Value::Double(value.to_bits()))
}

/// A function of two doubles.
pub fn binary(function: MathFunction, x: f64, y: f64) -> Option<Value> {
    let value = match function {
        MathFunction::Atan2 => libm::atan2(x, y),
        MathFunction::Pow => pow(x, y),
        MathFunction::Hypot => libm::hypot(x, y),
        MathFunction::IeeeRemainder => libm::remainder(x, y),
        MathFunction::CopySign(Double) => x.copysign(y),
        MathFunction::NextAfter(Double) => next_after(x, y),
        _ => return None,
    };
    Some(Value::Double(value.to_bits()))
}

/// IEEE 754 makes 1 of two indeterminate cases, Java makes NaN.
fn pow(x: f64, y: f64) -> f64 {
    if y.is_nan() || (y.is_infinite() && x.abs() == 1.0) {
        return f64::NAN;
    }
    libm::pow(x, y)
}

/// The exponent without bias: -1023 for zeros and subnormal numbers, 1024 for what is not finite.
fn exponent(x: f64) -> i32 {
    ((x.to_bits() >> 52) & 0x7ff) as i32 - 1023
}

fn ulp(x: f64) -> f64 {
    match exponent(x) {
        1024 => x.abs(),
        -1023 => f64::from_bits(1),
        exponent => libm::scalbn(1.0, exponent - 52),
    }
}

/// Rounds ties upwards. The distance from the floor is exact, unlike the sum with one half.
pub fn round(x: f64) -> i64 {
    let floor = libm::floor(x);
    let rounded = if x - floor >= 0.5 { floor + 1.0 } else { floor };
    // The cast saturates and makes 0 of NaN.
    rounded as i64
}

fn next_after(x: f64, direction: f64) -> f64 {
    if x.is_nan() || direction.is_nan() {
        f64::NAN
    } else if direction > x {
        x.next_up()
    } else if direction < x {
        x.next_down()
    } else {
        direction
    }
}

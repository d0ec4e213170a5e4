//! The functions on floats, as far as they have versions of their own.

use super::{MathFunction, double};
use crate::heap::Value;
use crate::sort::{FloatType::Single, IntType};

/// A function of one float.
pub fn unary(function: MathFunction, x: f32) -> Option<Value> {
    let value = match function {
        MathFunction::Signum(Single) if x == 0.0 => x,
        MathFunction::Signum(Single) => x.signum(),
        MathFunction::Ulp(Single) => ulp(x),
        MathFunction::NextUp(Single) => x.next_up(),
        MathFunction::NextDown(Single) => x.next_down(),
        MathFunction::GetExponent(Single) => return Some(Value::Int(exponent(x).into())),
        MathFunction::Round(Single) => {
            let ty = IntType::I32;
            let rounded = i128::from(double::round(f64::from(x)));
            return Some(Value::Int(rounded.clamp(ty.min(), ty.max())));
        }
        _ => return None,
    };
    Some(Value::Single(value.to_bits()))
}

/// The exponent without bias: -127 for zeros and subnormal numbers, 128 for what is not finite.
fn exponent(x: f32) -> i32 {
    ((x.to_bits() >> 23) & 0xff) as i32 - 127
}

fn ulp(x: f32) -> f32 {
    match exponent(x) {
        128 => x.abs(),
        -127 => f32::from_bits(1),
        exponent => libm::scalbnf(1.0, exponent - 23),
    }
}

/// The direction is a double, so that it can lie between two floats.
pub fn next_after(x: f32, direction: f64) -> f32 {
    let wide = f64::from(x);
    if x.is_nan() || direction.is_nan() {
        f32::NAN
    } else if direction > wide {
        x.next_up()
    } else if direction < wide {
        x.next_down()
    } else {
        direction as f32
    }
}

//! The mathematical functions on concrete values, with Java's special cases.
//!
//! Those with an exact result give it. The transcendental ones are those of the platform, which
//! Java's may differ from by a unit in the last place or two.

use heapwright_ir::machine::Intrinsic;
use heapwright_ir::machine::concrete::{Concrete, IntrinsicFn, Memory, Value};

/// Wraps a function on doubles.
macro_rules! doubles {
    ($function:expr; $($argument:ident),+) => {
        |_: &mut Memory, args: &[Value]| match args {
            [$(Value::Double($argument)),+] => {
                let function: fn($(doubles!(@ty $argument)),+) -> f64 = $function;
                double(function($(f64::from_bits(*$argument)),+))
            }
            _ => Intrinsic::Unknown,
        }
    };
    (@ty $argument:ident) => { f64 };
}

/// Wraps a function on floats.
macro_rules! floats {
    ($function:expr; $($argument:ident),+) => {
        |_: &mut Memory, args: &[Value]| match args {
            [$(Value::Single($argument)),+] => {
                let function: fn($(floats!(@ty $argument)),+) -> f32 = $function;
                single(function($(f32::from_bits(*$argument)),+))
            }
            _ => Intrinsic::Unknown,
        }
    };
    (@ty $argument:ident) => { f32 };
}

const INTRINSICS: [(&str, IntrinsicFn); 49] = [
    ("math.sin", doubles!(f64::sin; a)),
    ("math.cos", doubles!(f64::cos; a)),
    ("math.tan", doubles!(f64::tan; a)),
    ("math.asin", doubles!(f64::asin; a)),
    ("math.acos", doubles!(f64::acos; a)),
    ("math.atan", doubles!(f64::atan; a)),
    ("math.atan2", doubles!(f64::atan2; a, b)),
    ("math.sinh", doubles!(f64::sinh; a)),
    ("math.cosh", doubles!(f64::cosh; a)),
    ("math.tanh", doubles!(f64::tanh; a)),
    ("math.exp", doubles!(f64::exp; a)),
    ("math.expm1", doubles!(f64::exp_m1; a)),
    ("math.log", doubles!(f64::ln; a)),
    ("math.log10", doubles!(f64::log10; a)),
    ("math.log1p", doubles!(f64::ln_1p; a)),
    ("math.pow", doubles!(power; a, b)),
    ("math.cbrt", doubles!(f64::cbrt; a)),
    ("math.hypot", doubles!(f64::hypot; a, b)),
    ("math.sqrt", doubles!(f64::sqrt; a)),
    ("math.ieee_remainder", doubles!(ieee_remainder; a, b)),
    ("math.ceil", doubles!(f64::ceil; a)),
    ("math.floor", doubles!(f64::floor; a)),
    ("math.rint", doubles!(f64::round_ties_even; a)),
    ("math.signum", doubles!(signum; a)),
    ("math.ulp", doubles!(ulp; a)),
    ("math.copy_sign", doubles!(f64::copysign; a, b)),
    ("math.next_up", doubles!(f64::next_up; a)),
    ("math.next_down", doubles!(f64::next_down; a)),
    ("math.next_after", doubles!(next_after; a, b)),
    ("math.fma", doubles!(f64::mul_add; a, b, c)),
    ("math.abs", doubles!(f64::abs; a)),
    ("math.scalb", |_, args| match args {
        [Value::Double(a), Value::Int(n)] => double(scale(f64::from_bits(*a), *n)),
        _ => Intrinsic::Unknown,
    }),
    ("math.get_exponent", |_, args| match args {
        [Value::Double(a)] => integer(((a >> 52) & 0x7ff) as i128 - 1023),
        _ => Intrinsic::Unknown,
    }),
    ("math.round", |_, args| match args {
        [Value::Double(a)] => integer((round(f64::from_bits(*a)) as i64).into()),
        _ => Intrinsic::Unknown,
    }),
    ("math.signum.float", floats!(|a| signum(a.into()) as f32; a)),
    ("math.ulp.float", floats!(ulp_of_float; a)),
    ("math.copy_sign.float", floats!(f32::copysign; a, b)),
    ("math.next_up.float", floats!(f32::next_up; a)),
    ("math.next_down.float", floats!(f32::next_down; a)),
    ("math.fma.float", floats!(f32::mul_add; a, b, c)),
    ("math.abs.float", floats!(f32::abs; a)),
    ("math.next_after.float", |_, args| match args {
        [Value::Single(a), Value::Double(b)] => {
            single(float_after(f32::from_bits(*a), f64::from_bits(*b)))
        }
        _ => Intrinsic::Unknown,
    }),
    // The product is exact as a double, so it is rounded once.
    ("math.scalb.float", |_, args| match args {
        [Value::Single(a), Value::Int(n)] => {
            single(scale(f32::from_bits(*a).into(), (*n).clamp(-600, 600)) as f32)
        }
        _ => Intrinsic::Unknown,
    }),
    ("math.get_exponent.float", |_, args| match args {
        [Value::Single(a)] => integer(((a >> 23) & 0xff) as i128 - 127),
        _ => Intrinsic::Unknown,
    }),
    // Every float is a double.
    ("math.round.float", |_, args| match args {
        [Value::Single(a)] => integer((round(f32::from_bits(*a).into()) as i32).into()),
        _ => Intrinsic::Unknown,
    }),
    ("math.double_to_bits", |_, args| match args {
        [Value::Double(bits)] => integer((*bits as i64).into()),
        _ => Intrinsic::Unknown,
    }),
    ("math.bits_to_double", |_, args| match args {
        [Value::Int(bits)] => Intrinsic::Returned(Some(Value::Double(*bits as i64 as u64))),
        _ => Intrinsic::Unknown,
    }),
    ("math.float_to_bits", |_, args| match args {
        [Value::Single(bits)] => integer((*bits as i32).into()),
        _ => Intrinsic::Unknown,
    }),
    ("math.bits_to_float", |_, args| match args {
        [Value::Int(bits)] => Intrinsic::Returned(Some(Value::Single(*bits as i32 as u32))),
        _ => Intrinsic::Unknown,
    }),
];

/// Provides the mathematical functions.
pub(super) fn provide(domain: &mut Concrete<'_>) {
    for (name, function) in INTRINSICS {
        domain.provide(name, function);
    }
}

fn double(value: f64) -> Intrinsic<Value> {
    Intrinsic::Returned(Some(Value::Double(value.to_bits())))
}

fn single(value: f32) -> Intrinsic<Value> {
    Intrinsic::Returned(Some(Value::Single(value.to_bits())))
}

fn integer(value: i128) -> Intrinsic<Value> {
    Intrinsic::Returned(Some(Value::Int(value)))
}

/// IEEE's power of one is one; Java's is not a number if the exponent is none, or infinite.
fn power(base: f64, exponent: f64) -> f64 {
    if exponent.is_nan() || base.abs() == 1.0 && exponent.is_infinite() {
        return f64::NAN;
    }
    base.powf(exponent)
}

/// `x - n * y` for the whole number nearest to `x / y`, the even one if two are.
fn ieee_remainder(x: f64, y: f64) -> f64 {
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return f64::NAN;
    }
    if y.is_infinite() {
        return x;
    }
    let y = y.abs();
    let mut rest = x.abs();
    // Modulo twice the divisor the quotient keeps its parity; where that overflows, the rest is
    // smaller anyway. Remainders and the differences below are exact.
    if (2.0 * y).is_finite() {
        rest %= 2.0 * y;
    }
    // `rest > y / 2`, without a half that is not representable.
    if rest > y - rest {
        rest -= y;
        if rest >= y - rest {
            rest -= y;
        }
    }
    match x.is_sign_negative() {
        true => -rest,
        false => rest,
    }
}

fn signum(x: f64) -> f64 {
    match x == 0.0 {
        true => x,
        false => x.signum(),
    }
}

/// The power of two below a number, times the distance of one to its successor. Both factors and
/// the product are exact.
fn ulp(x: f64) -> f64 {
    let exponent = x.to_bits() & f64::INFINITY.to_bits();
    match exponent {
        _ if !x.is_finite() => x.abs(),
        0 => f64::from_bits(1),
        _ => f64::from_bits(exponent) * f64::EPSILON,
    }
}

fn ulp_of_float(x: f32) -> f32 {
    let exponent = x.to_bits() & f32::INFINITY.to_bits();
    match exponent {
        _ if !x.is_finite() => x.abs(),
        0 => f32::from_bits(1),
        _ => f32::from_bits(exponent) * f32::EPSILON,
    }
}

fn next_after(start: f64, direction: f64) -> f64 {
    match start.partial_cmp(&direction) {
        None => f64::NAN,
        Some(std::cmp::Ordering::Less) => start.next_up(),
        Some(std::cmp::Ordering::Greater) => start.next_down(),
        Some(std::cmp::Ordering::Equal) => direction,
    }
}

fn float_after(start: f32, direction: f64) -> f32 {
    match f64::from(start).partial_cmp(&direction) {
        None => f32::NAN,
        Some(std::cmp::Ordering::Less) => start.next_up(),
        Some(std::cmp::Ordering::Greater) => start.next_down(),
        Some(std::cmp::Ordering::Equal) => direction as f32,
    }
}

/// `x` times a power of two, rounded once.
fn scale(x: f64, exponent: i128) -> f64 {
    let power = |exponent: i32| f64::from_bits(((exponent + 1023) as u64) << 52);
    let (mut x, mut exponent) = (x, exponent.clamp(-2200, 2200) as i32);
    while exponent > 1023 {
        x *= power(1023);
        exponent -= 1023;
    }
    // A step that rounds leaves so much to do that the rest gives zero.
    while exponent < -1022 {
        x *= power(-969);
        exponent += 969;
    }
    x * power(exponent)
}

/// The nearest whole number, the greater one if two are.
fn round(x: f64) -> f64 {
    let below = x.floor();
    match x - below >= 0.5 {
        true => below + 1.0,
        false => below,
    }
}

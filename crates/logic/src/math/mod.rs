//! Scalar functions that no theory covers.
//!
//! They are evaluated, and terms can apply them to unknowns; conditions on such terms are
//! decided by search. The meaning of each function is the one that the documentation of
//! `java.lang.Math` gives: NaN, infinities, signed zeros and ties included.
//!
//! The values come from `libm`, which computes in Rust what other libraries leave to the
//! platform, so a term has the same value on every machine. Real platforms may differ from it
//! in the last place where [`MathFunction::is_exact`] is false.

mod double;
mod single;

use crate::heap::Value;
use crate::sort::{FloatType, IntType, Sort};
use crate::term::FpOp;

/// A pure function of scalars.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MathFunction {
    /// Sine of an angle in radians.
    Sin,
    /// Cosine of an angle in radians.
    Cos,
    /// Tangent of an angle in radians.
    Tan,
    /// Arc sine, NaN outside of -1 to 1.
    Asin,
    /// Arc cosine, NaN outside of -1 to 1.
    Acos,
    /// Arc tangent.
    Atan,
    /// The angle of the point whose coordinates are the second and the first argument.
    Atan2,
    /// Hyperbolic sine.
    Sinh,
    /// Hyperbolic cosine.
    Cosh,
    /// Hyperbolic tangent.
    Tanh,
    /// Euler's number raised to the argument.
    Exp,
    /// `exp(x) - 1`, precise near zero.
    Expm1,
    /// Natural logarithm.
    Log,
    /// Logarithm to base ten.
    Log10,
    /// `log(1 + x)`, precise near zero.
    Log1p,
    /// Power; unlike in C, NaN if the base is 1 or -1 and the exponent infinite, and if the base
    /// is 1 and the exponent NaN.
    Pow,
    /// Cube root.
    Cbrt,
    /// `sqrt(x^2 + y^2)` without overflow on the way.
    Hypot,
    /// Square root.
    Sqrt,
    /// Remainder of the division whose quotient is rounded to the nearest integer, ties to even.
    IeeeRemainder,
    /// The smallest integer that is not smaller.
    Ceil,
    /// The largest integer that is not larger.
    Floor,
    /// The nearest integer, ties to even.
    Rint,
    /// -1, 1, or the argument itself if it is a zero or NaN.
    Signum(FloatType),
    /// The distance from the absolute value to the next larger number.
    Ulp(FloatType),
    /// The first argument with the sign of the second.
    CopySign(FloatType),
    /// The next larger number.
    NextUp(FloatType),
    /// The next smaller number.
    NextDown(FloatType),
    /// The next number in the direction of the second argument, which always is a double.
    NextAfter(FloatType),
    /// `x * 2^n` for an `int`, rounded once.
    Scalb(FloatType),
    /// The unbiased exponent as an `int`.
    GetExponent(FloatType),
    /// The nearest integer, ties upwards, saturating, NaN to 0: a `long`, for floats an `int`.
    Round(FloatType),
    /// `a * b + c`, rounded once.
    Fma(FloatType),
    /// Absolute value.
    Abs(FloatType),
    /// The representation as a `long`, for floats an `int`; NaN in canonical form.
    ToBits(FloatType),
    /// The number with a representation.
    FromBits(FloatType),
}

use FloatType::{Double, Single};
use MathFunction::*;

/// All functions with the names that they have as intrinsic functions of the core language.
const NAMES: [(MathFunction, &str); 49] = [
    (Sin, "math.sin"),
    (Cos, "math.cos"),
    (Tan, "math.tan"),
    (Asin, "math.asin"),
    (Acos, "math.acos"),
    (Atan, "math.atan"),
    (Atan2, "math.atan2"),
    (Sinh, "math.sinh"),
    (Cosh, "math.cosh"),
    (Tanh, "math.tanh"),
    (Exp, "math.exp"),
    (Expm1, "math.expm1"),
    (Log, "math.log"),
    (Log10, "math.log10"),
    (Log1p, "math.log1p"),
    (Pow, "math.pow"),
    (Cbrt, "math.cbrt"),
    (Hypot, "math.hypot"),
    (Sqrt, "math.sqrt"),
    (IeeeRemainder, "math.ieee_remainder"),
    (Ceil, "math.ceil"),
    (Floor, "math.floor"),
    (Rint, "math.rint"),
    (Signum(Double), "math.signum"),
    (Signum(Single), "math.signum.float"),
    (Ulp(Double), "math.ulp"),
    (Ulp(Single), "math.ulp.float"),
    (CopySign(Double), "math.copy_sign"),
    (CopySign(Single), "math.copy_sign.float"),
    (NextUp(Double), "math.next_up"),
    (NextUp(Single), "math.next_up.float"),
    (NextDown(Double), "math.next_down"),
    (NextDown(Single), "math.next_down.float"),
    (NextAfter(Double), "math.next_after"),
    (NextAfter(Single), "math.next_after.float"),
    (Scalb(Double), "math.scalb"),
    (Scalb(Single), "math.scalb.float"),
    (GetExponent(Double), "math.get_exponent"),
    (GetExponent(Single), "math.get_exponent.float"),
    (Round(Double), "math.round"),
    (Round(Single), "math.round.float"),
    (Fma(Double), "math.fma"),
    (Fma(Single), "math.fma.float"),
    (Abs(Double), "math.abs"),
    (Abs(Single), "math.abs.float"),
    (ToBits(Double), "math.double_to_bits"),
    (ToBits(Single), "math.float_to_bits"),
    (FromBits(Double), "math.bits_to_double"),
    (FromBits(Single), "math.bits_to_float"),
];

const INT: Sort = Sort::Machine(IntType::I32);
const LONG: Sort = Sort::Machine(IntType::I64);
const DOUBLE: Sort = Sort::Float(Double);
const FLOAT: Sort = Sort::Float(Single);

impl MathFunction {
    /// Every function.
    pub fn all() -> impl Iterator<Item = MathFunction> {
        NAMES.iter().map(|&(function, _)| function)
    }

    /// The function that an intrinsic function of the core language is: `math.sin`, and
    /// `math.ulp.float` for functions that floats have too.
    pub fn named(name: &str) -> Option<MathFunction> {
        let found = NAMES.iter().find(|(_, known)| *known == name);
        found.map(|&(function, _)| function)
    }

    /// The name as an intrinsic function of the core language.
    pub fn name(self) -> &'static str {
        let found = NAMES.iter().find(|(known, _)| *known == self);
        found.map_or("math", |&(_, name)| name)
    }

    /// The sorts of the arguments.
    pub fn arguments(self) -> &'static [Sort] {
        match self {
            Atan2 | Pow | Hypot | IeeeRemainder | CopySign(Double) | NextAfter(Double) => {
                &[DOUBLE, DOUBLE]
            }
            CopySign(Single) => &[FLOAT, FLOAT],
            NextAfter(Single) => &[FLOAT, DOUBLE],
            Scalb(Double) => &[DOUBLE, INT],
            Scalb(Single) => &[FLOAT, INT],
            Fma(Double) => &[DOUBLE, DOUBLE, DOUBLE],
            Fma(Single) => &[FLOAT, FLOAT, FLOAT],
            FromBits(Double) => &[LONG],
            FromBits(Single) => &[INT],
            Signum(Single) | Ulp(Single) | NextUp(Single) | NextDown(Single)
            | GetExponent(Single) | Round(Single) | Abs(Single) | ToBits(Single) => &[FLOAT],
            _ => &[DOUBLE],
        }
    }

    /// The sort of the result.
    pub fn result(self) -> Sort {
        match self {
            GetExponent(_) | Round(Single) | ToBits(Single) => INT,
            Round(Double) | ToBits(Double) => LONG,
            Signum(ty) | Ulp(ty) | CopySign(ty) | NextUp(ty) | NextDown(ty) | NextAfter(ty)
            | Scalb(ty) | Fma(ty) | Abs(ty) | FromBits(ty) => Sort::Float(ty),
            _ => DOUBLE,
        }
    }

    /// Whether every platform computes the same value: false for functions whose last place may
    /// vary.
    pub fn is_exact(self) -> bool {
        !matches!(
            self,
            Sin | Cos
                | Tan
                | Asin
                | Acos
                | Atan
                | Atan2
                | Sinh
                | Cosh
                | Tanh
                | Exp
                | Expm1
                | Log
                | Log10
                | Log1p
                | Pow
                | Cbrt
                | Hypot
        )
    }

    /// The operation of the theory of floats that the function is, if it is one.
    pub fn as_fp(self) -> Option<(FpOp, FloatType)> {
        match self {
            Sqrt => Some((FpOp::Sqrt, Double)),
            Abs(ty) => Some((FpOp::Abs, ty)),
            ToBits(ty) => Some((FpOp::ToBits, ty)),
            FromBits(ty) => Some((FpOp::FromBits, ty)),
            _ => None,
        }
    }

    /// The value for the given arguments, or nothing where they are not of its sorts.
    pub fn apply(self, args: &[Value]) -> Option<Value> {
        if let Some((op, ty)) = self.as_fp() {
            return crate::eval::apply_fp(op, ty, args);
        }
        let value = match *args {
            [Value::Double(a)] => double::unary(self, f64::from_bits(a)),
            [Value::Double(a), Value::Double(b)] => {
                double::binary(self, f64::from_bits(a), f64::from_bits(b))
            }
            [Value::Double(a), Value::Int(n)] if self == Scalb(Double) => {
                let n = i32::try_from(n).ok()?;
                Some(Value::Double(libm::scalbn(f64::from_bits(a), n).to_bits()))
            }
            [Value::Double(a), Value::Double(b), Value::Double(c)] if self == Fma(Double) => {
                let [a, b, c] = [a, b, c].map(f64::from_bits);
                Some(Value::Double(libm::fma(a, b, c).to_bits()))
            }
            [Value::Single(a)] => single::unary(self, f32::from_bits(a)),
            [Value::Single(a), Value::Single(b)] if self == CopySign(Single) => {
                let sign = f32::from_bits(b);
                Some(Value::Single(f32::from_bits(a).copysign(sign).to_bits()))
            }
            [Value::Single(a), Value::Double(b)] if self == NextAfter(Single) => {
                let next = single::next_after(f32::from_bits(a), f64::from_bits(b));
                Some(Value::Single(next.to_bits()))
            }
            [Value::Single(a), Value::Int(n)] if self == Scalb(Single) => {
                let n = i32::try_from(n).ok()?;
                Some(Value::Single(libm::scalbnf(f32::from_bits(a), n).to_bits()))
            }
            [Value::Single(a), Value::Single(b), Value::Single(c)] if self == Fma(Single) => {
                let [a, b, c] = [a, b, c].map(f32::from_bits);
                Some(Value::Single(libm::fmaf(a, b, c).to_bits()))
            }
            _ => None,
        };
        value.map(crate::eval::canonical)
    }
}

#[cfg(test)]
mod tests;

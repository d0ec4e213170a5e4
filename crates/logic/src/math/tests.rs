//! Known values, identities, and the special cases of `java.lang.Math`.

use super::*;

fn double(function: MathFunction, args: &[f64]) -> f64 {
    let args: Vec<_> = args.iter().map(|x| Value::Double(x.to_bits())).collect();
    match function.apply(&args) {
        Some(Value::Double(bits)) => f64::from_bits(bits),
        other => panic!("{function:?} gave {other:?}"),
    }
}

fn int(function: MathFunction, arg: Value) -> i128 {
    match function.apply(&[arg]) {
        Some(Value::Int(value)) => value,
        other => panic!("{function:?} gave {other:?}"),
    }
}

fn of(x: f64) -> Value {
    Value::Double(x.to_bits())
}

fn single(x: f32) -> Value {
    Value::Single(x.to_bits())
}

const NAN: f64 = f64::NAN;
const INF: f64 = f64::INFINITY;

/// Equal to the bit, any NaN equal to any other.
fn check(function: MathFunction, args: &[f64], expected: f64) {
    let actual = double(function, args);
    let same = actual.to_bits() == expected.to_bits() || (actual.is_nan() && expected.is_nan());
    assert!(same, "{function:?}{args:?} is {actual:?}, not {expected:?}");
}

#[test]
fn names_lead_back_to_functions() {
    for function in MathFunction::all() {
        assert_eq!(MathFunction::named(function.name()), Some(function));
    }
    assert_eq!(MathFunction::named("math.sin"), Some(Sin));
    assert_eq!(MathFunction::named("math.ulp.float"), Some(Ulp(Single)));
    assert_eq!(MathFunction::named("math.sin.float"), None);
    assert_eq!(MathFunction::named("sin"), None);
}

#[test]
fn every_function_takes_its_arguments_and_gives_its_result() {
    for function in MathFunction::all() {
        let args: Vec<_> = (function.arguments().iter())
            .map(|sort| Value::default_of(*sort))
            .collect();
        let value = function.apply(&args);
        assert!(
            value.is_some_and(|value| value.has_sort(function.result())),
            "{function:?}"
        );
        assert_eq!(function.apply(&[]), None);
        assert_eq!(function.apply(&[Value::Bool(true)]), None);
    }
}

#[test]
fn zeros_infinities_and_nan() {
    for (function, at_zero) in [
        (Sin, 0.0),
        (Cos, 1.0),
        (Tan, 0.0),
        (Asin, 0.0),
        (Acos, std::f64::consts::FRAC_PI_2),
        (Atan, 0.0),
        (Sinh, 0.0),
        (Cosh, 1.0),
        (Tanh, 0.0),
        (Exp, 1.0),
        (Expm1, 0.0),
        (Log, -INF),
        (Log10, -INF),
        (Log1p, 0.0),
        (Cbrt, 0.0),
        (Sqrt, 0.0),
        (Ceil, 0.0),
        (Floor, 0.0),
        (Rint, 0.0),
        (Signum(Double), 0.0),
        (Ulp(Double), f64::from_bits(1)),
        (NextUp(Double), f64::from_bits(1)),
        (NextDown(Double), -f64::from_bits(1)),
        (Abs(Double), 0.0),
    ] {
        check(function, &[0.0], at_zero);
        check(function, &[NAN], NAN);
        let odd = !matches!(
            function,
            Cos | Acos | Cosh | Exp | Log | Log10 | Ulp(_) | NextUp(_) | NextDown(_) | Abs(_)
        );
        if odd {
            check(function, &[-0.0], -at_zero);
        }
    }
    for (function, up, down) in [
        (Sin, NAN, NAN),
        (
            Atan,
            std::f64::consts::FRAC_PI_2,
            -std::f64::consts::FRAC_PI_2,
        ),
        (Tanh, 1.0, -1.0),
        (Exp, INF, 0.0),
        (Expm1, INF, -1.0),
        (Log, INF, NAN),
        (Cbrt, INF, -INF),
        (Sqrt, INF, NAN),
        (Rint, INF, -INF),
        (Signum(Double), 1.0, -1.0),
        (Ulp(Double), INF, INF),
        (NextUp(Double), INF, -f64::MAX),
        (NextDown(Double), f64::MAX, -INF),
    ] {
        check(function, &[INF], up);
        check(function, &[-INF], down);
    }
}

#[test]
fn the_special_cases_of_powers() {
    for (x, y, expected) in [
        (NAN, 0.0, 1.0),
        (NAN, -0.0, 1.0),
        (1.0, NAN, NAN),
        (2.0, NAN, NAN),
        (NAN, 1.0, NAN),
        (1.0, INF, NAN),
        (-1.0, INF, NAN),
        (-1.0, -INF, NAN),
        (1.5, INF, INF),
        (0.5, -INF, INF),
        (1.5, -INF, 0.0),
        (0.5, INF, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, -3.0, -INF),
        (-0.0, -2.0, INF),
        (0.0, -1.0, INF),
        (-INF, 3.0, -INF),
        (-INF, 2.0, INF),
        (-INF, -3.0, -0.0),
        (-2.0, 0.5, NAN),
        (-5.0, 3.0, -125.0),
        (2.0, -1074.0, f64::from_bits(1)),
    ] {
        check(Pow, &[x, y], expected);
    }
}

#[test]
fn powers_roots_and_logarithms_of_integers_are_exact() {
    for n in -30i64..=30 {
        let x = n as f64;
        for exponent in 0..=6 {
            let expected = n.pow(exponent) as f64;
            check(Pow, &[x, f64::from(exponent)], expected);
        }
        check(Cbrt, &[(n * n * n) as f64], x);
    }
    for n in 0..=22 {
        check(Log10, &[10f64.powi(n)], f64::from(n));
    }
    check(Hypot, &[12.0, 5.0], 13.0);
    check(Hypot, &[3.0, -4.0], 5.0);
    check(Hypot, &[NAN, -INF], INF);
    check(Hypot, &[1e200, 1e200], 1.414213562373095e200);
}

#[test]
fn identities_hold_nearly() {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * (1.0 + a.abs().max(b.abs()));
    let mut x = -20.0;
    while x < 20.0 {
        let of = |function: MathFunction| double(function, &[x]);
        let (sin, cos) = (of(Sin), of(Cos));
        assert!(close(sin * sin + cos * cos, 1.0));
        assert!(close(of(Tan) * cos, sin));
        let exp = double(Exp, &[x.abs()]);
        assert!(close(of(Cosh) + of(Sinh).abs(), exp));
        assert!(close(of(Tanh) * of(Cosh), of(Sinh)));
        assert!(close(of(Expm1) + 1.0, of(Exp)));
        assert!(close(double(Log, &[of(Exp)]), x));
        assert!(close(double(Sin, &[double(Asin, &[sin])]), sin));
        assert!(close(double(Cos, &[double(Acos, &[cos])]), cos));
        assert!(close(double(Tan, &[of(Atan)]), x));
        assert!(close(double(Atan2, &[x, 1.0]), of(Atan)));
        assert!(close(of(Cbrt).powi(3), x));
        x += 0.37;
    }
}

#[test]
fn atan2_knows_the_signs_of_zeros() {
    use std::f64::consts::PI;
    check(Atan2, &[0.0, -0.0], PI);
    check(Atan2, &[-0.0, -0.0], -PI);
    check(Atan2, &[-0.0, 1.0], -0.0);
    check(Atan2, &[1.0, 0.0], PI / 2.0);
    check(Atan2, &[INF, INF], PI / 4.0);
    check(Atan2, &[NAN, 1.0], NAN);
}

#[test]
fn rounding_to_integers() {
    for (x, expected) in [
        (0.49999999999999994, 0),
        (0.5, 1),
        (-0.5, 0),
        (-0.50001, -1),
        (2.5, 3),
        (-2.5, -2),
        (4503599627370497.0, 4503599627370497),
        (1e300, i64::MAX as i128),
        (-INF, i64::MIN as i128),
        (NAN, 0),
    ] {
        assert_eq!(int(Round(Double), of(x)), expected, "{x}");
    }
    for (x, expected) in [
        (0.49999997f32, 0),
        (-1.5, -1),
        (1e20, i32::MAX as i128),
        (-1e20, i32::MIN as i128),
        (f32::NAN, 0),
    ] {
        assert_eq!(int(Round(Single), single(x)), expected, "{x}");
    }
    check(Rint, &[2.5], 2.0);
    check(Rint, &[-0.4], -0.0);
    check(Ceil, &[-0.4], -0.0);
    check(Floor, &[-0.4], -1.0);
    check(IeeeRemainder, &[5.0, 3.0], -1.0);
    check(IeeeRemainder, &[-1.0, 1.0], -0.0);
    check(IeeeRemainder, &[1.0, 0.0], NAN);
}

#[test]
fn neighbours_exponents_and_bits() {
    check(Ulp(Double), &[1.0], f64::EPSILON);
    check(Ulp(Double), &[-f64::MAX], 2f64.powi(971));
    check(NextAfter(Double), &[0.0, -0.0], -0.0);
    check(NextAfter(Double), &[1.0, INF], 1.0 + f64::EPSILON);
    check(NextAfter(Double), &[INF, 0.0], f64::MAX);
    check(CopySign(Double), &[3.0, -0.0], -3.0);
    check(Fma(Double), &[1e308, 10.0, -INF], -INF);
    let tiny = f64::EPSILON;
    check(Fma(Double), &[1.0 + tiny, 1.0 - tiny, -1.0], -tiny * tiny);
    for (x, exponent) in [
        (1.0, 0),
        (0.75, -1),
        (0.0, -1023),
        (1e-310, -1023),
        (NAN, 1024),
    ] {
        assert_eq!(int(GetExponent(Double), of(x)), exponent);
    }
    assert_eq!(int(GetExponent(Single), single(f32::INFINITY)), 128);
    assert_eq!(int(ToBits(Double), of(-0.0)), i128::from(i64::MIN));
    assert_eq!(int(ToBits(Double), of(NAN)), 0x7ff8_0000_0000_0000);
    assert_eq!(int(ToBits(Single), single(1.0)), 0x3f80_0000);
    let bits = Value::Int(0x3ff0_0000_0000_0000);
    assert_eq!(FromBits(Double).apply(&[bits]), Some(of(1.0)));
    assert_eq!(
        Ulp(Single).apply(&[single(1.0)]),
        Some(single(f32::EPSILON))
    );
    let between = of(1.0 + 1e-12);
    let next = NextAfter(Single).apply(&[single(1.0), between]);
    assert_eq!(next, Some(single(1.0 + f32::EPSILON)));
    let scaled = Scalb(Double).apply(&[of(3.0), Value::Int(-1)]);
    assert_eq!(scaled, Some(of(1.5)));
    let overflow = Scalb(Single).apply(&[single(1.0), Value::Int(i128::from(i32::MAX))]);
    assert_eq!(overflow, Some(single(f32::INFINITY)));
}

#[test]
fn results_that_vary_between_platforms_are_known() {
    assert!(!Sin.is_exact() && !Pow.is_exact() && !Cbrt.is_exact() && !Hypot.is_exact());
    assert!(Sqrt.is_exact() && Floor.is_exact() && Ulp(Single).is_exact());
    assert!(ToBits(Double).is_exact() && IeeeRemainder.is_exact() && Fma(Double).is_exact());
}

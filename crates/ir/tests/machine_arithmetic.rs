//! Arithmetic beside Rust's own, at the corners of every type.

use heapwright_ir::machine::concrete::Value;
use heapwright_ir::machine::concrete::arithmetic::{binary, unary};
use heapwright_ir::{Arithmetic, BinaryOp, Comparison, UnaryOp};
use heapwright_logic::{FloatType, IntType, Sort};

const COMPARISONS: [Comparison; 6] = [
    Comparison::Eq,
    Comparison::Ne,
    Comparison::Lt,
    Comparison::Le,
    Comparison::Gt,
    Comparison::Ge,
];

/// Values of a type where something may go wrong: its ends, zero, powers of two and neighbours.
fn corners(ty: IntType) -> Vec<i128> {
    let mut values = vec![];
    for center in (0..ty.bits()).map(|bit| 1i128 << bit).chain([0]) {
        for value in [center - 1, center, center + 1] {
            values.extend([value, -value, ty.min() + value, ty.max() - value]);
        }
    }
    values.push(0x5a5a_5a5a_5a5a_5a5a);
    values.retain(|&value| ty.contains(value));
    values.sort_unstable();
    values.dedup();
    values
}

/// Compares every operation with the machine type `$rust`, whose unsigned twin is `$unsigned`.
macro_rules! against_rust {
    ($name:ident, $ty:expr, $rust:ty, $unsigned:ty) => {
        #[test]
        fn $name() {
            let ty: IntType = $ty;
            let values = corners(ty);
            assert!(values.len() > 20);
            for &a in &values {
                let x = a as $rust;
                assert_eq!(i128::from(x), a, "a corner outside the type");
                let one = |op| unary(op, Sort::Machine(ty), Value::Int(a));
                let int = |value: $rust| Some(Value::Int(i128::from(value)));
                assert_eq!(one(UnaryOp::Neg), int(x.wrapping_neg()));
                assert_eq!(one(UnaryOp::Complement), int(!x));
                for &b in &values {
                    let y = b as $rust;
                    let two = |op| binary(BinaryOp::Int(ty, op), Value::Int(a), Value::Int(b));
                    let message = format!("{a} {b}");
                    assert_eq!(two(Arithmetic::Add), int(x.wrapping_add(y)), "{message}");
                    assert_eq!(two(Arithmetic::Sub), int(x.wrapping_sub(y)), "{message}");
                    assert_eq!(two(Arithmetic::Mul), int(x.wrapping_mul(y)), "{message}");
                    assert_eq!(two(Arithmetic::And), int(x & y), "{message}");
                    assert_eq!(two(Arithmetic::Or), int(x | y), "{message}");
                    assert_eq!(two(Arithmetic::Xor), int(x ^ y), "{message}");
                    // Rust's wrapping shifts also look at the low bits of the amount only.
                    let amount = y as u32;
                    let logical = (x as $unsigned).wrapping_shr(amount) as $rust;
                    assert_eq!(
                        two(Arithmetic::Shl),
                        int(x.wrapping_shl(amount)),
                        "{message}"
                    );
                    assert_eq!(
                        two(Arithmetic::Shr),
                        int(x.wrapping_shr(amount)),
                        "{message}"
                    );
                    assert_eq!(two(Arithmetic::UShr), int(logical), "{message}");
                    let division = (b != 0).then(|| (x.wrapping_div(y), x.wrapping_rem(y)));
                    let expected = division.and_then(|(quotient, _)| int(quotient));
                    assert_eq!(two(Arithmetic::Div), expected, "{message}");
                    let expected = division.and_then(|(_, remainder)| int(remainder));
                    assert_eq!(two(Arithmetic::Rem), expected, "{message}");
                    for comparison in COMPARISONS {
                        let expected = match comparison {
                            Comparison::Eq => x == y,
                            Comparison::Ne => x != y,
                            Comparison::Lt => x < y,
                            Comparison::Le => x <= y,
                            Comparison::Gt => x > y,
                            Comparison::Ge => x >= y,
                        };
                        let op = BinaryOp::Compare(comparison);
                        let found = binary(op, Value::Int(a), Value::Int(b));
                        assert_eq!(found, Some(Value::Bool(expected)), "{message}");
                    }
                }
            }
        }
    };
}

against_rust!(bytes, IntType::I8, i8, u8);
against_rust!(shorts, IntType::I16, i16, u16);
against_rust!(ints, IntType::I32, i32, u32);
against_rust!(longs, IntType::I64, i64, u64);
against_rust!(unsigned_bytes, IntType::U8, u8, u8);
against_rust!(unsigned_shorts, IntType::U16, u16, u16);
against_rust!(unsigned_ints, IntType::U32, u32, u32);
against_rust!(unsigned_longs, IntType::U64, u64, u64);
against_rust!(characters, IntType::Char, u16, u16);

#[test]
fn shift_amounts_may_be_of_any_type() {
    let shift = |op, a, b| {
        binary(
            BinaryOp::Int(IntType::I32, op),
            Value::Int(a),
            Value::Int(b),
        )
    };
    assert_eq!(shift(Arithmetic::Shl, 1, -1), Some(Value::Int(-(1 << 31))));
    assert_eq!(shift(Arithmetic::UShr, -1, 1 << 40), Some(Value::Int(-1)));
    assert_eq!(shift(Arithmetic::Shr, -8, 33), Some(Value::Int(-4)));
}

#[test]
fn integers_convert_by_wrapping() {
    let convert = |ty, a| {
        unary(
            UnaryOp::Convert(Sort::Machine(ty)),
            Sort::Int,
            Value::Int(a),
        )
    };
    for from in IntType::ALL {
        for a in corners(from) {
            let int = |value: i128| Some(Value::Int(value));
            assert_eq!(convert(IntType::I8, a), int((a as i8).into()));
            assert_eq!(convert(IntType::I16, a), int((a as i16).into()));
            assert_eq!(convert(IntType::I32, a), int((a as i32).into()));
            assert_eq!(convert(IntType::I64, a), int((a as i64).into()));
            assert_eq!(convert(IntType::U8, a), int((a as u8).into()));
            assert_eq!(convert(IntType::U16, a), int((a as u16).into()));
            assert_eq!(convert(IntType::U32, a), int((a as u32).into()));
            assert_eq!(convert(IntType::U64, a), int((a as u64).into()));
            assert_eq!(convert(IntType::Char, a), int((a as u16).into()));
        }
    }
}

const DOUBLES: [f64; 22] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.1,
    -2.5,
    1e-310,
    127.9,
    -128.9,
    255.5,
    65535.99,
    2147483647.5,
    -2147483649.0,
    4294967296.0,
    9.3e18,
    -9.3e18,
    1.9e19,
    f64::MAX,
    f64::MIN_POSITIVE,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

fn double(value: f64) -> Value {
    let value = if value.is_nan() { f64::NAN } else { value };
    Value::Double(value.to_bits())
}

fn single(value: f32) -> Value {
    let value = if value.is_nan() { f32::NAN } else { value };
    Value::Single(value.to_bits())
}

#[test]
fn doubles_and_singles_as_rust_has_them() {
    use Arithmetic::*;
    for x in DOUBLES {
        let (f, sort) = (x as f32, Sort::Float(FloatType::Double));
        assert_eq!(unary(UnaryOp::Neg, sort, double(x)), Some(double(-x)));
        let narrow = unary(
            UnaryOp::Convert(Sort::Float(FloatType::Single)),
            sort,
            double(x),
        );
        assert_eq!(narrow, Some(single(f)));
        let sort = Sort::Float(FloatType::Single);
        assert_eq!(unary(UnaryOp::Neg, sort, single(f)), Some(single(-f)));
        let wide = unary(
            UnaryOp::Convert(Sort::Float(FloatType::Double)),
            sort,
            single(f),
        );
        assert_eq!(wide, Some(double(f64::from(f))));
        for y in DOUBLES {
            let g = y as f32;
            let expected = [
                (Add, x + y, f + g),
                (Sub, x - y, f - g),
                (Mul, x * y, f * g),
                (Div, x / y, f / g),
                (Rem, x % y, f % g),
            ];
            for (op, wide, narrow) in expected {
                let found = binary(BinaryOp::Float(FloatType::Double, op), double(x), double(y));
                assert_eq!(found, Some(double(wide)), "{op:?} {x} {y}");
                let found = binary(BinaryOp::Float(FloatType::Single, op), single(f), single(g));
                assert_eq!(found, Some(single(narrow)), "{op:?} {f} {g}");
            }
            for comparison in COMPARISONS {
                let (wide, narrow) = match comparison {
                    Comparison::Eq => (x == y, f == g),
                    Comparison::Ne => (x != y, f != g),
                    Comparison::Lt => (x < y, f < g),
                    Comparison::Le => (x <= y, f <= g),
                    Comparison::Gt => (x > y, f > g),
                    Comparison::Ge => (x >= y, f >= g),
                };
                let op = BinaryOp::Compare(comparison);
                assert_eq!(binary(op, double(x), double(y)), Some(Value::Bool(wide)));
                assert_eq!(binary(op, single(f), single(g)), Some(Value::Bool(narrow)));
            }
        }
    }
}

#[test]
fn floats_become_integers_by_truncation_and_saturation() {
    for x in DOUBLES {
        let (f, sort) = (x as f32, Sort::Float(FloatType::Double));
        let convert = |ty, a| unary(UnaryOp::Convert(Sort::Machine(ty)), sort, a);
        let int = |value: i128| Some(Value::Int(value));
        assert_eq!(convert(IntType::I8, double(x)), int((x as i8).into()));
        assert_eq!(convert(IntType::I16, double(x)), int((x as i16).into()));
        assert_eq!(convert(IntType::I32, double(x)), int((x as i32).into()));
        assert_eq!(convert(IntType::I64, double(x)), int((x as i64).into()));
        assert_eq!(convert(IntType::U8, double(x)), int((x as u8).into()));
        assert_eq!(convert(IntType::U16, double(x)), int((x as u16).into()));
        assert_eq!(convert(IntType::U32, double(x)), int((x as u32).into()));
        assert_eq!(convert(IntType::U64, double(x)), int((x as u64).into()));
        assert_eq!(convert(IntType::Char, double(x)), int((x as u16).into()));
        assert_eq!(convert(IntType::I32, single(f)), int((f as i32).into()));
        assert_eq!(convert(IntType::U64, single(f)), int((f as u64).into()));
    }
}

#[test]
fn integers_become_floats_by_rounding_to_nearest() {
    for ty in IntType::ALL {
        for a in corners(ty) {
            let convert = |to| {
                unary(
                    UnaryOp::Convert(Sort::Float(to)),
                    Sort::Machine(ty),
                    Value::Int(a),
                )
            };
            let (wide, narrow) = match ty.signed() {
                true => (a as i64 as f64, a as i64 as f32),
                false => (a as u64 as f64, a as u64 as f32),
            };
            assert_eq!(convert(FloatType::Double), Some(double(wide)), "{a}");
            assert_eq!(convert(FloatType::Single), Some(single(narrow)), "{a}");
        }
    }
}

#[test]
fn truth_values() {
    use Arithmetic::*;
    for a in [false, true] {
        let convert = |sort| unary(UnaryOp::Convert(sort), Sort::Bool, Value::Bool(a));
        let number = f64::from(u8::from(a));
        assert_eq!(convert(Sort::Bool), Some(Value::Bool(a)));
        assert_eq!(
            convert(Sort::Machine(IntType::I8)),
            Some(Value::Int(a.into()))
        );
        assert_eq!(
            convert(Sort::Float(FloatType::Double)),
            Some(double(number))
        );
        assert_eq!(
            unary(UnaryOp::Not, Sort::Bool, Value::Bool(a)),
            Some(Value::Bool(!a))
        );
        for b in [false, true] {
            let op = |op| binary(op, Value::Bool(a), Value::Bool(b));
            assert_eq!(op(BinaryOp::Bool(And)), Some(Value::Bool(a && b)));
            assert_eq!(op(BinaryOp::Bool(Or)), Some(Value::Bool(a || b)));
            assert_eq!(op(BinaryOp::Bool(Xor)), Some(Value::Bool(a != b)));
            assert_eq!(op(BinaryOp::Bool(Add)), None);
            assert_eq!(
                op(BinaryOp::Compare(Comparison::Eq)),
                Some(Value::Bool(a == b))
            );
            assert_eq!(
                op(BinaryOp::Compare(Comparison::Ne)),
                Some(Value::Bool(a != b))
            );
            assert_eq!(op(BinaryOp::Compare(Comparison::Lt)), None);
        }
    }
    let truth = |a| unary(UnaryOp::Convert(Sort::Bool), Sort::Int, a);
    assert_eq!(truth(Value::Int(0)), Some(Value::Bool(false)));
    assert_eq!(truth(Value::Int(-256)), Some(Value::Bool(true)));
    assert_eq!(truth(double(-0.0)), Some(Value::Bool(false)));
    assert_eq!(truth(double(f64::NAN)), Some(Value::Bool(true)));
    assert_eq!(truth(single(0.5)), Some(Value::Bool(true)));
}

#[test]
fn values_of_the_wrong_sort_have_no_result() {
    let add = BinaryOp::Int(IntType::I32, Arithmetic::Add);
    assert_eq!(binary(add, Value::Bool(true), Value::Int(1)), None);
    assert_eq!(binary(add, Value::Null, Value::Int(1)), None);
    let add = BinaryOp::Float(FloatType::Double, Arithmetic::Add);
    assert_eq!(binary(add, single(1.0), double(1.0)), None);
    let and = BinaryOp::Float(FloatType::Double, Arithmetic::And);
    assert_eq!(binary(and, double(1.0), double(1.0)), None);
    let equal = BinaryOp::Compare(Comparison::Eq);
    assert_eq!(binary(equal, Value::Null, Value::Int(0)), None);
    assert_eq!(
        unary(UnaryOp::Not, Sort::Machine(IntType::I32), Value::Int(0)),
        None
    );
    let reference = UnaryOp::Convert(Sort::Ref(heapwright_logic::ClassId::ANY));
    assert_eq!(
        unary(reference, Sort::Machine(IntType::I32), Value::Int(0)),
        None
    );
}

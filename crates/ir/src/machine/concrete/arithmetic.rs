//! Operations on concrete values, exact to the bit.
//!
//! Integers are computed in 128 bits and wrapped: all operations but division, shifts to the
//! right and comparisons only depend on the operands modulo the width, and those never leave
//! 128 bits. Floating point is that of the logic, so that programs and specifications agree.

use heapwright_logic::{
    FloatType, FpOp, IntType, MathFunction, Sort, Value as LogicValue, apply_fp,
};

use super::value::Value;
use crate::instruction::{Arithmetic, BinaryOp, Comparison, UnaryOp};

/// `op a`, or nothing if the value is not of the sort, or the sort not one for the operation.
pub fn unary(op: UnaryOp, sort: Sort, a: Value) -> Option<Value> {
    match (op, sort, a) {
        (UnaryOp::Not, _, Value::Bool(a)) => Some(Value::Bool(!a)),
        (UnaryOp::Neg, Sort::Machine(ty), Value::Int(a)) => {
            Some(Value::Int(ty.wrap(a.wrapping_neg())))
        }
        (UnaryOp::Complement, Sort::Machine(ty), Value::Int(a)) => Some(Value::Int(ty.wrap(!a))),
        (UnaryOp::Neg, Sort::Float(ty), a) => float(FpOp::Neg, ty, &[a]),
        (UnaryOp::Convert(target), _, a) => convert(target, a),
        _ => None,
    }
}

/// `a op b`, or nothing if a value is not of the operation's sort, or an integer is divided by
/// zero.
pub fn binary(op: BinaryOp, a: Value, b: Value) -> Option<Value> {
    match (op, a, b) {
        (BinaryOp::Int(ty, op), Value::Int(a), Value::Int(b)) => {
            integer(ty, op, a, b).map(Value::Int)
        }
        (BinaryOp::Float(ty, op), a, b) => {
            let op = match op {
                Arithmetic::Add => FpOp::Add,
                Arithmetic::Sub => FpOp::Sub,
                Arithmetic::Mul => FpOp::Mul,
                Arithmetic::Div => FpOp::Div,
                Arithmetic::Rem => FpOp::Rem,
                _ => return None,
            };
            float(op, ty, &[a, b])
        }
        (BinaryOp::Bool(op), Value::Bool(a), Value::Bool(b)) => match op {
            Arithmetic::And => Some(Value::Bool(a & b)),
            Arithmetic::Or => Some(Value::Bool(a | b)),
            Arithmetic::Xor => Some(Value::Bool(a ^ b)),
            _ => None,
        },
        (BinaryOp::Compare(comparison), a, b) => compare(comparison, a, b).map(Value::Bool),
        _ => None,
    }
}

fn integer(ty: IntType, op: Arithmetic, a: i128, b: i128) -> Option<i128> {
    let amount = b.rem_euclid(i128::from(ty.bits())) as u32;
    let exact = match op {
        Arithmetic::Add => a.wrapping_add(b),
        Arithmetic::Sub => a.wrapping_sub(b),
        Arithmetic::Mul => a.wrapping_mul(b),
        Arithmetic::Div => a.checked_div(b)?,
        Arithmetic::Rem => a.checked_rem(b)?,
        Arithmetic::And => a & b,
        Arithmetic::Or => a | b,
        Arithmetic::Xor => a ^ b,
        Arithmetic::Shl => a << amount,
        Arithmetic::Shr => a >> amount,
        // The bits of the type, read as an unsigned number.
        Arithmetic::UShr => a.rem_euclid(1i128 << ty.bits()) >> amount,
    };
    Some(ty.wrap(exact))
}

fn compare(comparison: Comparison, a: Value, b: Value) -> Option<bool> {
    // References and booleans have no order; floats one that knows "unordered".
    let order = match (a, b) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(&b)),
        (Value::Single(a), Value::Single(b)) => f32::from_bits(a).partial_cmp(&f32::from_bits(b)),
        (Value::Double(a), Value::Double(b)) => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        (Value::Bool(_), Value::Bool(_))
        | (Value::Null | Value::Pointer(_), Value::Null | Value::Pointer(_)) => {
            return match comparison {
                Comparison::Eq => Some(a == b),
                Comparison::Ne => Some(a != b),
                _ => None,
            };
        }
        _ => return None,
    };
    Some(match comparison {
        Comparison::Eq => order.is_some_and(|order| order.is_eq()),
        Comparison::Ne => order.is_none_or(|order| order.is_ne()),
        Comparison::Lt => order.is_some_and(|order| order.is_lt()),
        Comparison::Le => order.is_some_and(|order| order.is_le()),
        Comparison::Gt => order.is_some_and(|order| order.is_gt()),
        Comparison::Ge => order.is_some_and(|order| order.is_ge()),
    })
}

/// Conversion to a scalar sort. What becomes a truth value is true unless it is zero.
fn convert(target: Sort, a: Value) -> Option<Value> {
    let a = match a {
        Value::Bool(a) => Value::Int(i128::from(a)),
        other => other,
    };
    match (target, a) {
        (Sort::Bool, Value::Int(a)) => Some(Value::Bool(a != 0)),
        (Sort::Bool, Value::Single(a)) => Some(Value::Bool(f32::from_bits(a) != 0.0)),
        (Sort::Bool, Value::Double(a)) => Some(Value::Bool(f64::from_bits(a) != 0.0)),
        (Sort::Machine(ty), Value::Int(a)) => Some(Value::Int(ty.wrap(a))),
        (Sort::Machine(ty), Value::Single(_)) => float(FpOp::ToInt(ty), FloatType::Single, &[a]),
        (Sort::Machine(ty), Value::Double(_)) => float(FpOp::ToInt(ty), FloatType::Double, &[a]),
        (Sort::Float(ty), Value::Int(_)) => float(FpOp::FromInt, ty, &[a]),
        (Sort::Float(ty), Value::Single(_) | Value::Double(_)) => float(FpOp::Convert, ty, &[a]),
        _ => None,
    }
}

fn float(op: FpOp, ty: FloatType, args: &[Value]) -> Option<Value> {
    let mut scalars = [LogicValue::Null; 2];
    let scalars = scalars.get_mut(..args.len())?;
    for (scalar, arg) in scalars.iter_mut().zip(args) {
        *scalar = number(*arg)?;
    }
    scalar(apply_fp(op, ty, scalars)?)
}

/// A function of numbers, or nothing if the arguments are not of its sorts.
pub fn apply(function: MathFunction, args: &[Value]) -> Option<Value> {
    let args: Option<Vec<_>> = args.iter().map(|&arg| number(arg)).collect();
    scalar(function.apply(&args?)?)
}

/// A number as the logic has it.
fn number(value: Value) -> Option<LogicValue> {
    match value {
        Value::Int(value) => Some(LogicValue::Int(value)),
        Value::Single(bits) => Some(LogicValue::Single(bits)),
        Value::Double(bits) => Some(LogicValue::Double(bits)),
        _ => None,
    }
}

/// A scalar of the logic as a program has it.
fn scalar(value: LogicValue) -> Option<Value> {
    match value {
        LogicValue::Int(value) => Some(Value::Int(value)),
        LogicValue::Bool(value) => Some(Value::Bool(value)),
        LogicValue::Single(bits) => Some(Value::Single(bits)),
        LogicValue::Double(bits) => Some(Value::Double(bits)),
        LogicValue::Null | LogicValue::Ref(_) => None,
    }
}

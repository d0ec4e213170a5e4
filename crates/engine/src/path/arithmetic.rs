//! Operations on symbolic scalars, exact to the bit: integers are mathematical and wrapped.

use heapwright_ir::{Arithmetic, BinaryOp, Comparison, UnaryOp};
use heapwright_logic::{FloatType, FpOp, IntOp, IntType, MathFunction, Sort, TermId, Terms};

/// `op a`, where `a` is of sort `sort`; nothing if the operation does not fit the sort.
pub fn unary(terms: &mut Terms, op: UnaryOp, sort: Sort, a: TermId) -> Option<TermId> {
    Some(match (op, sort) {
        (UnaryOp::Not, Sort::Bool) => terms.not(a),
        (UnaryOp::Neg, Sort::Machine(ty)) => {
            let negated = terms.neg(a);
            terms.wrap(ty, negated)
        }
        (UnaryOp::Neg, Sort::Float(ty)) => terms.fp(FpOp::Neg, ty, vec![a]),
        (UnaryOp::Complement, Sort::Machine(ty)) => {
            // In two's complement, ~a is -1 - a.
            let minus_one = terms.int(-1);
            let complement = terms.sub(minus_one, a);
            terms.wrap(ty, complement)
        }
        (UnaryOp::Convert(target), _) => return convert(terms, sort, target, a),
        _ => return None,
    })
}

/// `a op b` on scalars; nothing if the operation does not fit the sorts.
pub fn binary(terms: &mut Terms, op: BinaryOp, a: TermId, b: TermId) -> Option<TermId> {
    Some(match op {
        BinaryOp::Int(ty, op) => integer(terms, ty, op, a, b),
        BinaryOp::Float(ty, op) => {
            let op = match op {
                Arithmetic::Add => FpOp::Add,
                Arithmetic::Sub => FpOp::Sub,
                Arithmetic::Mul => FpOp::Mul,
                Arithmetic::Div => FpOp::Div,
                Arithmetic::Rem => FpOp::Rem,
                _ => return None,
            };
            terms.fp(op, ty, vec![a, b])
        }
        BinaryOp::Bool(Arithmetic::And) => terms.and([a, b]),
        BinaryOp::Bool(Arithmetic::Or) => terms.or([a, b]),
        BinaryOp::Bool(Arithmetic::Xor) => {
            let same = terms.eq(a, b);
            terms.not(same)
        }
        BinaryOp::Bool(_) => return None,
        BinaryOp::Compare(comparison) => return compare(terms, comparison, a, b),
    })
}

/// A function of numbers, computed if all of them are known; nothing if the sorts do not fit.
pub fn apply(terms: &mut Terms, function: MathFunction, args: Vec<TermId>) -> Option<TermId> {
    let expected = function.arguments();
    let fits = args.len() == expected.len()
        && (args.iter().zip(expected)).all(|(&arg, &sort)| terms.sort(arg).comparable(sort));
    fits.then(|| terms.apply(function, args))
}

fn integer(terms: &mut Terms, ty: IntType, op: Arithmetic, a: TermId, b: TermId) -> TermId {
    let exact = match op {
        Arithmetic::Add => terms.add(a, b),
        Arithmetic::Sub => terms.sub(a, b),
        Arithmetic::Mul => terms.int_op(IntOp::Mul, a, b),
        Arithmetic::Div => terms.int_op(IntOp::Div, a, b),
        Arithmetic::Rem => terms.int_op(IntOp::Rem, a, b),
        Arithmetic::And => terms.int_op(IntOp::And, a, b),
        Arithmetic::Or => terms.int_op(IntOp::Or, a, b),
        Arithmetic::Xor => terms.int_op(IntOp::Xor, a, b),
        Arithmetic::Shl => {
            let amount = shift_amount(terms, ty, b);
            terms.int_op(IntOp::Shl, a, amount)
        }
        Arithmetic::Shr => {
            let amount = shift_amount(terms, ty, b);
            terms.int_op(IntOp::Shr, a, amount)
        }
        Arithmetic::UShr => {
            // The bits of the type, read as an unsigned number.
            let bits = terms.wrap(unsigned(ty), a);
            let amount = shift_amount(terms, ty, b);
            terms.int_op(IntOp::Shr, bits, amount)
        }
    };
    terms.wrap(ty, exact)
}

/// Only the low bits of the amount count, as many as the type has.
fn shift_amount(terms: &mut Terms, ty: IntType, amount: TermId) -> TermId {
    let mask = terms.int(i128::from(ty.bits()) - 1);
    terms.int_op(IntOp::And, amount, mask)
}

fn unsigned(ty: IntType) -> IntType {
    match ty {
        IntType::I8 => IntType::U8,
        IntType::I16 => IntType::U16,
        IntType::I32 => IntType::U32,
        IntType::I64 => IntType::U64,
        other => other,
    }
}

fn compare(terms: &mut Terms, comparison: Comparison, a: TermId, b: TermId) -> Option<TermId> {
    if let Sort::Float(ty) = terms.sort(a) {
        return Some(match comparison {
            Comparison::Eq => terms.fp(FpOp::Eq, ty, vec![a, b]),
            Comparison::Ne => {
                let equal = terms.fp(FpOp::Eq, ty, vec![a, b]);
                terms.not(equal)
            }
            Comparison::Lt => terms.fp(FpOp::Lt, ty, vec![a, b]),
            Comparison::Le => terms.fp(FpOp::Le, ty, vec![a, b]),
            Comparison::Gt => terms.fp(FpOp::Lt, ty, vec![b, a]),
            Comparison::Ge => terms.fp(FpOp::Le, ty, vec![b, a]),
        });
    }
    if !terms.sort(a).is_integer() && !matches!(comparison, Comparison::Eq | Comparison::Ne) {
        return None;
    }
    Some(match comparison {
        Comparison::Eq => terms.eq(a, b),
        Comparison::Ne => terms.ne(a, b),
        Comparison::Lt => terms.lt(a, b),
        Comparison::Le => terms.le(a, b),
        Comparison::Gt => terms.lt(b, a),
        Comparison::Ge => terms.le(b, a),
    })
}

fn convert(terms: &mut Terms, from: Sort, to: Sort, a: TermId) -> Option<TermId> {
    let is_integer = |sort: Sort| matches!(sort, Sort::Machine(_) | Sort::Int);
    Some(match (from, to) {
        (Sort::Bool, Sort::Bool) => a,
        (Sort::Bool, _) => {
            let one = terms.int(1);
            let zero = terms.int(0);
            let number = terms.ite(a, one, zero);
            match to {
                Sort::Float(ty) => terms.fp(FpOp::FromInt, ty, vec![number]),
                _ => number,
            }
        }
        (from, Sort::Machine(ty)) if is_integer(from) => terms.wrap(ty, a),
        (from, Sort::Float(ty)) if is_integer(from) => terms.fp(FpOp::FromInt, ty, vec![a]),
        (Sort::Float(ty), Sort::Machine(target)) => terms.fp(FpOp::ToInt(target), ty, vec![a]),
        (Sort::Float(from), Sort::Float(to)) if from == to => a,
        (Sort::Float(_), Sort::Float(to)) => terms.fp(FpOp::Convert, to, vec![a]),
        (from, Sort::Bool) if is_integer(from) => {
            let zero = terms.int(0);
            terms.ne(a, zero)
        }
        (Sort::Float(ty), Sort::Bool) => {
            let zero = match ty {
                FloatType::Single => terms.single(0.0),
                FloatType::Double => terms.double(0.0),
            };
            let equal = terms.fp(FpOp::Eq, ty, vec![a, zero]);
            terms.not(equal)
        }
        _ => return None,
    })
}
/// That two numbers are the same one of a range.
pub fn same_number(
    terms: &mut Terms,
    one: TermId,
    other: TermId,
    (first, last): (i128, i128),
) -> TermId {
    let (first, last) = (terms.int(first), terms.int(last));
    let conditions = [
        terms.eq(one, other),
        terms.le(first, one),
        terms.le(one, last),
    ];
    terms.and(conditions)
}

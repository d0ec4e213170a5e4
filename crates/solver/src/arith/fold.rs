//! Folding beyond what the constructors of terms do.

use heapwright_logic::{IntOp, Linear, Term, TermId, Terms, Value, apply_fp};
use rustc_hash::FxHashMap;

use super::order::subterms_first;

/// The term in a simpler form that is equal to it under every assignment.
pub fn fold(terms: &mut Terms, root: TermId) -> TermId {
    let mut folded: FxHashMap<TermId, TermId> = FxHashMap::default();
    for term in subterms_first(terms, [root], |_| false) {
        let rebuilt = terms.with_children(term, |child| folded[&child]);
        let simpler = fold_top(terms, rebuilt).unwrap_or(rebuilt);
        folded.insert(term, simpler);
    }
    folded[&root]
}

fn fold_top(terms: &mut Terms, term: TermId) -> Option<TermId> {
    match terms.get(term).clone() {
        // Booleans of byte code are integers chosen by a condition and compared with a constant.
        Term::AtMostZero(linear) => lift_choice(terms, &linear, Terms::at_most_zero),
        Term::IsZero(linear) => lift_choice(terms, &linear, Terms::is_zero),
        Term::Int(IntOp::Xor, a, b) => {
            // The complement is linear.
            let operand = match (terms.as_int(a), terms.as_int(b)) {
                (_, Some(-1)) => a,
                (Some(-1), _) => b,
                _ => return None,
            };
            let minus_one = terms.int(-1);
            Some(terms.sub(minus_one, operand))
        }
        Term::Int(IntOp::And, a, b) => match (terms.as_int(a), terms.as_int(b)) {
            (_, Some(-1)) => Some(a),
            (Some(-1), _) => Some(b),
            _ => None,
        },
        Term::Int(IntOp::Div, a, b) if terms.as_int(b) == Some(-1) => Some(terms.neg(a)),
        Term::Int(IntOp::Div | IntOp::Rem, a, b) if terms.as_int(b) == Some(0) => {
            match terms.get(term) {
                Term::Int(IntOp::Div, ..) => Some(terms.int(0)),
                _ => Some(a),
            }
        }
        // A function is computed when it is applied.
        Term::Fp(op, ty, args) => {
            let values: Option<Vec<_>> = args.iter().map(|&arg| constant(terms, arg)).collect();
            let value = apply_fp(op, ty, &values?)?;
            Some(constant_term(terms, value))
        }
        _ => None,
    }
}

/// A comparison of `ite(c, a, b)` with a constant, where `a` and `b` are constants too,
/// becomes a formula over `c`.
fn lift_choice(
    terms: &mut Terms,
    linear: &Linear,
    compare: fn(&mut Terms, Linear) -> TermId,
) -> Option<TermId> {
    let [(choice, coefficient)] = linear.summands[..] else {
        return None;
    };
    let Term::Ite(condition, then, otherwise) = *terms.get(choice) else {
        return None;
    };
    let mut side = |value: TermId| {
        let value = terms.as_int(value)?;
        let product = value.checked_mul(coefficient)?;
        let sum = linear.constant.checked_add(product)?;
        Some(compare(terms, Linear::constant(sum)))
    };
    let (then, otherwise) = (side(then)?, side(otherwise)?);
    Some(terms.ite(condition, then, otherwise))
}

fn constant(terms: &Terms, term: TermId) -> Option<Value> {
    match terms.get(term) {
        Term::Single(bits) => Some(Value::Single(*bits)),
        Term::Double(bits) => Some(Value::Double(*bits)),
        _ => terms.as_int(term).map(Value::Int),
    }
}

fn constant_term(terms: &mut Terms, value: Value) -> TermId {
    match value {
        Value::Single(bits) => terms.single(f32::from_bits(bits)),
        Value::Double(bits) => terms.double(f64::from_bits(bits)),
        Value::Int(value) => terms.int(value),
        Value::Bool(value) => terms.bool(value),
        Value::Null | Value::Ref(_) => Terms::NULL,
    }
}

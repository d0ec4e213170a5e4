//! Evaluation of terms: what a term stands for once its variables have values.
//!
//! Integers are exact. A number that leaves 128 bits is reported as an error of its own, so a
//! caller never mistakes "too large for us" for "false".

use rustc_hash::FxHashMap;
use thiserror::Error;

use crate::heap::Value;
use crate::sort::{FloatType, IntType};
use crate::term::{FpOp, Linear, Term, TermId, Terms, VarId};

/// Why a term has no value.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum EvalError {
    /// A variable that matters has no value.
    #[error("a variable has no value")]
    Unassigned(VarId),
    /// A number does not fit into 128 bits.
    #[error("a number does not fit into 128 bits")]
    Overflow(TermId),
    /// An operand has a value of the wrong kind.
    #[error("an operand has a value of the wrong sort")]
    IllSorted(TermId),
}

/// Evaluates `term`, taking the values of variables from `assignment`.
///
/// Where a part decides the whole (a false conjunct, the branch of a conditional that is not
/// taken) errors in the other parts do not matter.
pub fn evaluate(
    terms: &Terms,
    term: TermId,
    assignment: impl Fn(VarId) -> Option<Value>,
) -> Result<Value, EvalError> {
    Evaluator::default().evaluate(terms, term, assignment)
}

/// The buffers of an evaluation, for callers that evaluate many small terms.
#[derive(Default, Debug)]
pub struct Evaluator {
    done: FxHashMap<TermId, Result<Value, EvalError>>,
    pending: Vec<TermId>,
}

impl Evaluator {
    /// As [`evaluate`]. Works bottom-up with an explicit stack, because terms may be deeper
    /// than the call stack allows; shared subterms are evaluated once.
    pub fn evaluate(
        &mut self,
        terms: &Terms,
        term: TermId,
        assignment: impl Fn(VarId) -> Option<Value>,
    ) -> Result<Value, EvalError> {
        if let Some(value) = leaf(terms, term, &assignment) {
            return value;
        }
        self.done.clear();
        self.pending.clear();
        self.pending.push(term);
        while let Some(&current) = self.pending.last() {
            if self.done.contains_key(&current) {
                self.pending.pop();
                continue;
            }
            let before = self.pending.len();
            let mut operands = Operands {
                terms,
                assignment: &assignment,
                done: &self.done,
                missing: &mut self.pending,
            };
            let result = operands.apply(current);
            if self.pending.len() == before {
                self.pending.pop();
                self.done.insert(current, result);
            }
        }
        self.done[&term]
    }

    /// Whether a boolean term is true.
    pub fn holds(
        &mut self,
        terms: &Terms,
        term: TermId,
        assignment: impl Fn(VarId) -> Option<Value>,
    ) -> Result<bool, EvalError> {
        match self.evaluate(terms, term, assignment)? {
            Value::Bool(value) => Ok(value),
            _ => Err(EvalError::IllSorted(term)),
        }
    }
}

/// Equality as [`Term::Eq`] has it: NaN equals itself, whatever its bits.
pub fn same_value(a: Value, b: Value) -> bool {
    canonical(a) == canonical(b)
}

/// The value with NaN in canonical form.
pub(crate) fn canonical(value: Value) -> Value {
    match value {
        Value::Single(bits) => single(f32::from_bits(bits)),
        Value::Double(bits) => double(f64::from_bits(bits)),
        other => other,
    }
}

fn leaf(
    terms: &Terms,
    term: TermId,
    assignment: &impl Fn(VarId) -> Option<Value>,
) -> Option<Result<Value, EvalError>> {
    Some(Ok(match terms.get(term) {
        Term::Bool(value) => Value::Bool(*value),
        Term::Null => Value::Null,
        Term::Single(bits) => Value::Single(*bits),
        Term::Double(bits) => Value::Double(*bits),
        Term::Linear(linear) if linear.summands.is_empty() => Value::Int(linear.constant),
        Term::Var(variable) => match assignment(*variable) {
            Some(value) => canonical(value),
            None => return Some(Err(EvalError::Unassigned(*variable))),
        },
        _ => return None,
    }))
}

/// Access to the values of operands. Where one is not there yet it is noted as missing, and the
/// result of the current attempt is thrown away.
struct Operands<'a, F> {
    terms: &'a Terms,
    assignment: &'a F,
    done: &'a FxHashMap<TermId, Result<Value, EvalError>>,
    missing: &'a mut Vec<TermId>,
}

impl<F: Fn(VarId) -> Option<Value>> Operands<'_, F> {
    fn value(&mut self, term: TermId) -> Result<Value, EvalError> {
        if let Some(value) = leaf(self.terms, term, self.assignment) {
            return value;
        }
        if let Some(value) = self.done.get(&term) {
            return *value;
        }
        self.missing.push(term);
        Err(EvalError::IllSorted(term))
    }

    fn int(&mut self, term: TermId) -> Result<i128, EvalError> {
        match self.value(term)? {
            Value::Int(value) => Ok(value),
            _ => Err(EvalError::IllSorted(term)),
        }
    }

    fn bool(&mut self, term: TermId) -> Result<bool, EvalError> {
        match self.value(term)? {
            Value::Bool(value) => Ok(value),
            _ => Err(EvalError::IllSorted(term)),
        }
    }

    fn apply(&mut self, term: TermId) -> Result<Value, EvalError> {
        // The reference to the store outlives `self`, so operands can be fetched meanwhile.
        let terms = self.terms;
        match terms.get(term) {
            Term::Linear(linear) => self.sum(term, linear).map(Value::Int),
            Term::AtMostZero(linear) => Ok(Value::Bool(self.sum(term, linear)? <= 0)),
            Term::IsZero(linear) => Ok(Value::Bool(self.sum(term, linear)? == 0)),
            Term::Eq(a, b) => {
                let (a, b) = (self.value(*a), self.value(*b));
                Ok(Value::Bool(a? == b?))
            }
            Term::Not(a) => Ok(Value::Bool(!self.bool(*a)?)),
            Term::And(list) => self.junction(list, false),
            Term::Or(list) => self.junction(list, true),
            Term::Ite(condition, then, otherwise) => {
                let branch = if self.bool(*condition)? {
                    then
                } else {
                    otherwise
                };
                self.value(*branch)
            }
            Term::Int(op, a, b) => {
                let (a, b) = (self.int(*a), self.int(*b));
                let value = op.apply(a?, b?).ok_or(EvalError::Overflow(term))?;
                Ok(Value::Int(value))
            }
            Term::Wrap(ty, a) => Ok(Value::Int(ty.wrap(self.int(*a)?))),
            Term::Fp(op, ty, args) => self.fp(term, *op, *ty, args),
            Term::Apply(function, args) => {
                let values = self.values(args)?;
                function.apply(&values).ok_or(EvalError::IllSorted(term))
            }
            Term::Bool(_) | Term::Var(_) | Term::Null | Term::Single(_) | Term::Double(_) => {
                self.value(term)
            }
        }
    }

    fn sum(&mut self, term: TermId, linear: &Linear) -> Result<i128, EvalError> {
        let mut sum = Ok(linear.constant);
        for &(summand, coefficient) in &linear.summands {
            // Every operand is asked for, so that all missing ones are found in one go.
            let value = self.int(summand);
            sum = sum.and_then(|sum| {
                (coefficient.checked_mul(value?))
                    .and_then(|product| sum.checked_add(product))
                    .ok_or(EvalError::Overflow(term))
            });
        }
        sum
    }

    /// A conjunction (decided by `false`) or disjunction (decided by `true`).
    fn junction(&mut self, list: &[TermId], decisive: bool) -> Result<Value, EvalError> {
        let mut result = Ok(Value::Bool(!decisive));
        for &operand in list {
            match self.bool(operand) {
                Ok(value) if value == decisive => return Ok(Value::Bool(decisive)),
                Ok(_) => {}
                Err(error) => result = result.and(Err(error)),
            }
        }
        result
    }

    /// All of them are asked for, so that all missing ones are found in one go.
    fn values(&mut self, args: &[TermId]) -> Result<Vec<Value>, EvalError> {
        let values: Vec<_> = args.iter().map(|&arg| self.value(arg)).collect();
        values.into_iter().collect()
    }

    fn fp(
        &mut self,
        term: TermId,
        op: FpOp,
        ty: FloatType,
        args: &[TermId],
    ) -> Result<Value, EvalError> {
        let values = self.values(args)?;
        apply_fp(op, ty, &values).ok_or(EvalError::IllSorted(term))
    }
}

/// A floating-point operation on values, or nothing where they are not of its sorts.
///
/// Rust's arithmetic is IEEE 754 with rounding to nearest even, its `%` is exact, and its casts
/// to integers truncate, saturate and send NaN to 0: exactly what the operations ask for.
pub fn apply_fp(op: FpOp, ty: FloatType, args: &[Value]) -> Option<Value> {
    match (op, args) {
        (FpOp::FromInt, [Value::Int(value)]) => Some(match ty {
            FloatType::Single => single(*value as f32),
            FloatType::Double => double(*value as f64),
        }),
        // Only the low bits count, so both signednesses are read alike.
        (FpOp::FromBits, [Value::Int(value)]) => Some(match ty {
            FloatType::Single => single(f32::from_bits(*value as u32)),
            FloatType::Double => double(f64::from_bits(*value as u64)),
        }),
        (FpOp::Convert, [Value::Single(bits)]) => Some(match ty {
            FloatType::Single => single(f32::from_bits(*bits)),
            FloatType::Double => double(f64::from(f32::from_bits(*bits))),
        }),
        (FpOp::Convert, [Value::Double(bits)]) => Some(match ty {
            FloatType::Single => single(f64::from_bits(*bits) as f32),
            FloatType::Double => double(f64::from_bits(*bits)),
        }),
        (_, [Value::Single(a)]) if ty == FloatType::Single => {
            let a = f32::from_bits(*a);
            Some(match op {
                FpOp::Neg => single(-a),
                FpOp::Abs => single(a.abs()),
                FpOp::Sqrt => single(a.sqrt()),
                FpOp::IsNan => Value::Bool(a.is_nan()),
                FpOp::ToInt(int) => saturated(int, a as i128),
                FpOp::ToBits => match single(a) {
                    Value::Single(bits) => Value::Int(i128::from(bits as i32)),
                    _ => return None,
                },
                _ => return None,
            })
        }
        (_, [Value::Double(a)]) if ty == FloatType::Double => {
            let a = f64::from_bits(*a);
            Some(match op {
                FpOp::Neg => double(-a),
                FpOp::Abs => double(a.abs()),
                FpOp::Sqrt => double(a.sqrt()),
                FpOp::IsNan => Value::Bool(a.is_nan()),
                FpOp::ToInt(int) => saturated(int, a as i128),
                FpOp::ToBits => match double(a) {
                    Value::Double(bits) => Value::Int(i128::from(bits as i64)),
                    _ => return None,
                },
                _ => return None,
            })
        }
        (_, [Value::Single(a), Value::Single(b)]) if ty == FloatType::Single => {
            let (a, b) = (f32::from_bits(*a), f32::from_bits(*b));
            Some(match op {
                FpOp::Add => single(a + b),
                FpOp::Sub => single(a - b),
                FpOp::Mul => single(a * b),
                FpOp::Div => single(a / b),
                FpOp::Rem => single(a % b),
                FpOp::Lt => Value::Bool(a < b),
                FpOp::Le => Value::Bool(a <= b),
                FpOp::Eq => Value::Bool(a == b),
                _ => return None,
            })
        }
        (_, [Value::Double(a), Value::Double(b)]) if ty == FloatType::Double => {
            let (a, b) = (f64::from_bits(*a), f64::from_bits(*b));
            Some(match op {
                FpOp::Add => double(a + b),
                FpOp::Sub => double(a - b),
                FpOp::Mul => double(a * b),
                FpOp::Div => double(a / b),
                FpOp::Rem => double(a % b),
                FpOp::Lt => Value::Bool(a < b),
                FpOp::Le => Value::Bool(a <= b),
                FpOp::Eq => Value::Bool(a == b),
                _ => return None,
            })
        }
        _ => None,
    }
}

fn saturated(ty: IntType, value: i128) -> Value {
    Value::Int(value.clamp(ty.min(), ty.max()))
}

/// The processor decides sign and payload of a NaN; we do not.
fn single(value: f32) -> Value {
    let value = if value.is_nan() { f32::NAN } else { value };
    Value::Single(value.to_bits())
}

fn double(value: f64) -> Value {
    let value = if value.is_nan() { f64::NAN } else { value };
    Value::Double(value.to_bits())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sort::Sort;
    use crate::term::IntOp;

    fn closed(terms: &Terms, term: TermId) -> Result<Value, EvalError> {
        evaluate(terms, term, |_| None)
    }

    #[test]
    fn integers_are_exact_and_overflow_is_an_error() {
        let mut terms = Terms::new();
        let x = terms.declare("x", Sort::Int);
        let (var, huge) = (terms.var(x), terms.int(i128::MAX));
        let sum = terms.add(var, huge);
        let at = |value| evaluate(&terms, sum, |_| Some(Value::Int(value)));
        assert_eq!(at(-1), Ok(Value::Int(i128::MAX - 1)));
        assert_eq!(at(1), Err(EvalError::Overflow(sum)));
        assert_eq!(closed(&terms, sum), Err(EvalError::Unassigned(x)));
        let product = terms.int_op(IntOp::Mul, var, var);
        let wrapped = terms.wrap(IntType::I32, product);
        let at = |value| evaluate(&terms, wrapped, |_| Some(Value::Int(value)));
        assert_eq!(at(65536), Ok(Value::Int(0)));
        assert_eq!(at(46341), Ok(Value::Int(-2147479015)));
    }

    #[test]
    fn every_integer_operation_agrees_with_its_definition() {
        let mut terms = Terms::new();
        let (x, y) = (terms.declare("x", Sort::Int), terms.declare("y", Sort::Int));
        let (a, b) = (terms.var(x), terms.var(y));
        use IntOp::*;
        for op in [Add, Mul, Div, Rem, And, Or, Xor, Shl, Shr] {
            let term = terms.int_op(op, a, b);
            for (p, q) in [(7, -2), (-7, 2), (5, 0), (-1, 63), (i128::MAX, 2)] {
                let value = evaluate(&terms, term, |v| {
                    Some(Value::Int(if v == x { p } else { q }))
                });
                assert_eq!(value.ok(), op.apply(p, q).map(Value::Int), "{op:?} {p} {q}");
            }
        }
    }

    #[test]
    fn a_decisive_part_hides_errors_elsewhere() {
        let mut terms = Terms::new();
        let (p, x) = (
            terms.declare("p", Sort::Bool),
            terms.declare("x", Sort::Int),
        );
        let (p, var, one) = (terms.var(p), terms.var(x), terms.int(1));
        let unknown = terms.le(var, one);
        let conjunction = terms.and([p, unknown]);
        let known = |v: VarId| (v != x).then_some(Value::Bool(false));
        assert_eq!(evaluate(&terms, conjunction, known), Ok(Value::Bool(false)));
        let choice = terms.ite(p, var, one);
        assert_eq!(evaluate(&terms, choice, known), Ok(Value::Int(1)));
        let negated = terms.not(conjunction);
        assert_eq!(evaluate(&terms, negated, known), Ok(Value::Bool(true)));
    }

    #[test]
    fn floats_are_bit_exact() {
        let mut terms = Terms::new();
        let (a, b) = (terms.single(0.1), terms.single(0.2));
        let sum = terms.fp(FpOp::Add, FloatType::Single, vec![a, b]);
        assert_eq!(
            closed(&terms, sum),
            Ok(Value::Single((0.1f32 + 0.2f32).to_bits()))
        );
        let zero = terms.double(0.0);
        let nan = terms.fp(FpOp::Div, FloatType::Double, vec![zero, zero]);
        assert_eq!(
            closed(&terms, nan),
            Ok(Value::Double(0x7ff8_0000_0000_0000))
        );
        let bits = terms.fp(FpOp::ToBits, FloatType::Double, vec![nan]);
        assert_eq!(closed(&terms, bits), Ok(Value::Int(0x7ff8_0000_0000_0000)));
        let ieee = terms.fp(FpOp::Eq, FloatType::Double, vec![nan, nan]);
        assert_eq!(closed(&terms, ieee), Ok(Value::Bool(false)));
        let int = terms.fp(FpOp::ToInt(IntType::I8), FloatType::Double, vec![nan]);
        assert_eq!(closed(&terms, int), Ok(Value::Int(0)));
        let large = terms.double(-1e30);
        let int = terms.fp(FpOp::ToInt(IntType::I8), FloatType::Double, vec![large]);
        assert_eq!(closed(&terms, int), Ok(Value::Int(-128)));
        // 2^24 + 1 lies between two floats; the even one is taken.
        let odd = terms.int((1 << 24) + 1);
        let rounded = terms.fp(FpOp::FromInt, FloatType::Single, vec![odd]);
        assert_eq!(
            closed(&terms, rounded),
            Ok(Value::Single(16777216f32.to_bits()))
        );
        let minus_one = terms.int(-1);
        let all_ones = terms.fp(FpOp::FromBits, FloatType::Single, vec![minus_one]);
        assert_eq!(closed(&terms, all_ones), Ok(Value::Single(0x7fc0_0000)));
        let (x, y) = (terms.double(5.5), terms.double(-2.0));
        let rem = terms.fp(FpOp::Rem, FloatType::Double, vec![x, y]);
        assert_eq!(closed(&terms, rem), Ok(Value::Double(1.5f64.to_bits())));
        let narrow = terms.fp(FpOp::Convert, FloatType::Single, vec![x]);
        assert_eq!(closed(&terms, narrow), Ok(Value::Single(5.5f32.to_bits())));
        assert!(matches!(
            {
                let mixed = terms.fp(FpOp::Add, FloatType::Single, vec![x, y]);
                closed(&terms, mixed)
            },
            Err(EvalError::IllSorted(_))
        ));
    }

    #[test]
    fn deep_terms_need_no_deep_call_stack() {
        let mut terms = Terms::new();
        let x = terms.declare("x", Sort::Int);
        let (mut term, step) = (terms.var(x), terms.int(3));
        for _ in 0..200_000 {
            term = terms.int_op(IntOp::Xor, term, step);
            term = terms.wrap(IntType::I32, term);
        }
        let value = evaluate(&terms, term, |_| Some(Value::Int(1)));
        assert_eq!(value, Ok(Value::Int(1)));
    }
}

//! From resolved terms to the terms of `logic`.

use heapwright_logic::{FloatType, FpOp, IntOp, Linear, Sort, TermId, Terms};

use super::Resolver;
use super::classes::primitive;
use super::hir::{Node, Term};
use super::kind::Kind;
use super::lower::Variables;
use crate::syntax::ast::{Comparison, Operator};

impl Resolver {
    /// Builds a term.
    pub(super) fn lower_term(&mut self, term: &Term, variables: &mut Variables) -> TermId {
        match &term.node {
            Node::Local(local) => {
                let variable = self.declare_variable(*local, variables);
                self.terms.var(variable)
            }
            Node::Null => Terms::NULL,
            Node::Bool(value) => self.terms.bool(*value),
            Node::Int(value) => match self.float_type(term) {
                Some(ty) => self.float_constant(*value as f64, ty),
                None => self.terms.int(*value),
            },
            Node::Float(value) => {
                let ty = self.float_type(term).unwrap_or(FloatType::Double);
                self.float_constant(value.value, ty)
            }
            Node::Not(a) => {
                let a = self.lower_term(a, variables);
                self.terms.not(a)
            }
            Node::Negate(a) => self.negate(a, variables),
            Node::Compare(first, rest) => {
                let mut left = self.lower_term(first, variables);
                let ty = self.float_type(first);
                let mut parts = Vec::with_capacity(rest.len());
                for (comparison, operand) in rest {
                    let right = self.lower_term(operand, variables);
                    parts.push(self.compare_terms(*comparison, left, right, ty));
                    left = right;
                }
                self.terms.and(parts)
            }
            Node::Arithmetic(first, rest) => {
                if let Some(sum) = self.integer_sum(first, rest, variables) {
                    return sum;
                }
                let ty = self.float_type(first);
                let mut result = self.lower_term(first, variables);
                for (operator, operand) in rest {
                    let operand = self.lower_term(operand, variables);
                    result = self.arithmetic(*operator, result, operand, ty);
                }
                result
            }
            Node::Conditional(c, a, b) => {
                let nested = contains_conditional(c);
                let mut c = self.lower_term(c, variables);
                let (a, b) = (self.lower_term(a, variables), self.lower_term(b, variables));
                // A condition occurs twice in a conditional truth value, positively and
                // negatively. Where conditions are nested that would double at every level, so
                // they get names.
                if nested && self.terms.sort(a) == Sort::Bool {
                    let name = self.terms.declare("condition", Sort::Bool);
                    let variable = self.terms.var(name);
                    let equal = self.terms.eq(variable, c);
                    self.named_conditions.push((name, equal));
                    c = variable;
                }
                self.terms.ite(c, a, b)
            }
            Node::Implies(a, b) => {
                let (a, b) = (self.lower_term(a, variables), self.lower_term(b, variables));
                self.terms.implies(a, b)
            }
            Node::And(list) => {
                let list: Vec<_> = list.iter().map(|a| self.lower_term(a, variables)).collect();
                self.terms.and(list)
            }
            Node::Or(list) => {
                let list: Vec<_> = list.iter().map(|a| self.lower_term(a, variables)).collect();
                self.terms.or(list)
            }
            Node::Function(name, args) => {
                let ty = args.first().and_then(|arg| self.float_type(arg));
                let result = self.float_type(term);
                let args = args.iter().map(|a| self.lower_term(a, variables)).collect();
                self.function_term(name, args, ty, result)
            }
            // Never reached: with an error nothing is lowered.
            Node::Error => Terms::FALSE,
        }
    }

    /// The format of a floating-point term; none for terms of other kinds.
    fn float_type(&mut self, term: &Term) -> Option<FloatType> {
        match self.kinds.get(term.kind) {
            Kind::Float(ty) => Some(ty),
            Kind::Floating => Some(FloatType::Double),
            _ => None,
        }
    }

    fn float_constant(&mut self, value: f64, ty: FloatType) -> TermId {
        match ty {
            FloatType::Single => self.terms.single(value as f32),
            FloatType::Double => self.terms.double(value),
        }
    }

    /// Negative literals are constants, not operations on constants.
    fn negate(&mut self, a: &Term, variables: &mut Variables) -> TermId {
        match (self.float_type(a), &a.node) {
            (None, _) => {
                let a = self.lower_term(a, variables);
                self.terms.neg(a)
            }
            (Some(ty), Node::Float(literal)) => self.float_constant(-literal.value, ty),
            (Some(ty), Node::Int(literal)) => self.float_constant(-(*literal as f64), ty),
            (Some(ty), _) => {
                let a = self.lower_term(a, variables);
                self.terms.fp(FpOp::Neg, ty, vec![a])
            }
        }
    }

    fn compare_terms(
        &mut self,
        comparison: Comparison,
        a: TermId,
        b: TermId,
        ty: Option<FloatType>,
    ) -> TermId {
        let terms = &mut self.terms;
        match (comparison, ty) {
            (Comparison::Equal, None) => terms.eq(a, b),
            (Comparison::NotEqual, None) => terms.ne(a, b),
            (Comparison::Less, None) => terms.lt(a, b),
            (Comparison::LessEqual, None) => terms.le(a, b),
            (Comparison::Greater, None) => terms.lt(b, a),
            (Comparison::GreaterEqual, None) => terms.le(b, a),
            (Comparison::Equal, Some(ty)) => terms.fp(FpOp::Eq, ty, vec![a, b]),
            (Comparison::NotEqual, Some(ty)) => {
                let equal = terms.fp(FpOp::Eq, ty, vec![a, b]);
                terms.not(equal)
            }
            (Comparison::Less, Some(ty)) => terms.fp(FpOp::Lt, ty, vec![a, b]),
            (Comparison::LessEqual, Some(ty)) => terms.fp(FpOp::Le, ty, vec![a, b]),
            (Comparison::Greater, Some(ty)) => terms.fp(FpOp::Lt, ty, vec![b, a]),
            (Comparison::GreaterEqual, Some(ty)) => terms.fp(FpOp::Le, ty, vec![b, a]),
        }
    }

    /// A sum of integers in one step. Adding one summand after the other would store every
    /// partial sum, which is too much for a sum of thousands.
    fn integer_sum(
        &mut self,
        first: &Term,
        rest: &[(Operator, Term)],
        variables: &mut Variables,
    ) -> Option<TermId> {
        let sum_of_integers = self.float_type(first).is_none()
            && (rest.iter()).all(|(op, _)| matches!(op, Operator::Add | Operator::Subtract));
        if !sum_of_integers {
            return None;
        }
        let signed = rest.iter().map(|(operator, operand)| match operator {
            Operator::Subtract => (-1, operand),
            _ => (1, operand),
        });
        let mut constant = 0i128;
        let mut summands: Vec<(TermId, i128)> = Vec::with_capacity(rest.len() + 1);
        for (sign, operand) in std::iter::once((1, first)).chain(signed) {
            let term = self.lower_term(operand, variables);
            let linear = self.terms.linear_of(term);
            constant = constant.checked_add(linear.constant.checked_mul(sign)?)?;
            for (term, coefficient) in linear.summands {
                summands.push((term, coefficient.checked_mul(sign)?));
            }
        }
        summands.sort_unstable_by_key(|&(term, _)| term);
        let mut merged: Vec<(TermId, i128)> = Vec::with_capacity(summands.len());
        for (term, coefficient) in summands {
            match merged.last_mut() {
                Some((last, sum)) if *last == term => *sum = sum.checked_add(coefficient)?,
                _ => merged.push((term, coefficient)),
            }
        }
        merged.retain(|&(_, coefficient)| coefficient != 0);
        let summands = merged;
        Some(self.terms.linear(Linear { constant, summands }))
    }

    fn arithmetic(
        &mut self,
        operator: Operator,
        a: TermId,
        b: TermId,
        ty: Option<FloatType>,
    ) -> TermId {
        if let Some(ty) = ty {
            let op = match operator {
                Operator::Add => FpOp::Add,
                Operator::Subtract => FpOp::Sub,
                Operator::Multiply => FpOp::Mul,
                Operator::Divide => FpOp::Div,
                Operator::Remainder => FpOp::Rem,
            };
            return self.terms.fp(op, ty, vec![a, b]);
        }
        match operator {
            Operator::Add => self.terms.add(a, b),
            Operator::Subtract => self.terms.sub(a, b),
            Operator::Multiply => self.terms.int_op(IntOp::Mul, a, b),
            Operator::Divide => self.terms.int_op(IntOp::Div, a, b),
            Operator::Remainder => self.terms.int_op(IntOp::Rem, a, b),
        }
    }

    /// A function on arguments of format `ty`, with a result of format `result`, where these
    /// are floating-point numbers.
    fn function_term(
        &mut self,
        name: &str,
        args: Vec<TermId>,
        ty: Option<FloatType>,
        result: Option<FloatType>,
    ) -> TermId {
        let terms = &mut self.terms;
        match (name, &args[..], ty) {
            ("bitand", &[a, b], _) => terms.int_op(IntOp::And, a, b),
            ("bitor", &[a, b], _) => terms.int_op(IntOp::Or, a, b),
            ("bitxor", &[a, b], _) => terms.int_op(IntOp::Xor, a, b),
            ("shl", &[a, b], _) => terms.int_op(IntOp::Shl, a, b),
            ("shr", &[a, b], _) => terms.int_op(IntOp::Shr, a, b),
            ("same", &[a, b], _) => terms.eq(a, b),
            ("min" | "max", &[a, b], ty) => {
                let (low, high) = if name == "min" { (a, b) } else { (b, a) };
                let below = self.compare_terms(Comparison::LessEqual, low, high, ty);
                self.terms.ite(below, a, b)
            }
            ("abs", &[_], Some(ty)) => terms.fp(FpOp::Abs, ty, args),
            ("abs", &[a], None) => {
                let (zero, negated) = (terms.int(0), terms.neg(a));
                let positive = terms.le(zero, a);
                terms.ite(positive, a, negated)
            }
            ("sqrt", _, Some(ty)) => terms.fp(FpOp::Sqrt, ty, args),
            ("isnan", _, Some(ty)) => terms.fp(FpOp::IsNan, ty, args),
            ("bits", _, Some(ty)) => terms.fp(FpOp::ToBits, ty, args),
            ("frombits", _, _) => {
                terms.fp(FpOp::FromBits, result.unwrap_or(FloatType::Double), args)
            }
            (_, &[a], _) => self.cast(name, a, ty),
            // Never reached: the number of arguments was checked.
            _ => Terms::FALSE,
        }
    }

    /// A cast, named after the type.
    fn cast(&mut self, to: &str, a: TermId, from: Option<FloatType>) -> TermId {
        match (primitive(to), from) {
            (Some(Sort::Machine(ty)), None) => self.terms.wrap(ty, a),
            (Some(Sort::Machine(ty)), Some(from)) => self.terms.fp(FpOp::ToInt(ty), from, vec![a]),
            (Some(Sort::Float(ty)), None) => self.terms.fp(FpOp::FromInt, ty, vec![a]),
            (Some(Sort::Float(ty)), Some(from)) if ty != from => {
                self.terms.fp(FpOp::Convert, ty, vec![a])
            }
            _ => a,
        }
    }
}

/// Whether a condition has a conditional in it.
fn contains_conditional(term: &Term) -> bool {
    match &term.node {
        Node::Conditional(..) => true,
        Node::Not(a) | Node::Negate(a) => contains_conditional(a),
        Node::Implies(a, b) => contains_conditional(a) || contains_conditional(b),
        Node::And(list) | Node::Or(list) => list.iter().any(contains_conditional),
        _ => false,
    }
}

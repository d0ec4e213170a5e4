//! Substitution, by rebuilding through the constructors so that results are in normal form.

use rustc_hash::FxHashMap;

use super::{Linear, Term, TermId, Terms};
use crate::symbolic_heap::Substitution;

impl Terms {
    /// Replaces variables by terms, all at once.
    pub fn substitute(&mut self, term: TermId, substitution: &Substitution) -> TermId {
        match self.get(term) {
            Term::Var(variable) => substitution.get(variable).copied().unwrap_or(term),
            _ if substitution.is_empty() => term,
            _ => self.rebuild(term, |terms, term| match terms.get(term) {
                Term::Var(variable) => substitution.get(variable).copied(),
                _ => None,
            }),
        }
    }

    /// Replaces one subterm by another, wherever it occurs.
    pub fn replace(&mut self, term: TermId, target: TermId, by: TermId) -> TermId {
        self.rebuild(term, |_, term| (term == target).then_some(by))
    }

    /// Bottom-up with an explicit stack: terms may be deeper than the call stack allows.
    fn rebuild(
        &mut self,
        root: TermId,
        replacement: impl Fn(&Terms, TermId) -> Option<TermId>,
    ) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if done.contains_key(&term) {
                stack.pop();
                continue;
            }
            if let Some(replaced) = replacement(self, term) {
                done.insert(term, replaced);
                continue;
            }
            let children = self.children(term);
            let before = stack.len();
            stack.extend(children.iter().filter(|child| !done.contains_key(child)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let rebuilt = if children.iter().all(|child| done[child] == *child) {
                term
            } else {
                self.with_children(term, |child| done[&child])
            };
            done.insert(term, rebuilt);
        }
        done[&root]
    }

    /// The same operation on other operands.
    pub fn with_children(&mut self, term: TermId, map: impl Fn(TermId) -> TermId) -> TermId {
        match self.get(term).clone() {
            Term::Bool(_) | Term::Var(_) | Term::Null | Term::Single(_) | Term::Double(_) => term,
            Term::Linear(linear) => self.map_linear(&linear, map),
            Term::AtMostZero(linear) => {
                let (sum, zero) = (self.map_linear(&linear, map), self.int(0));
                self.le(sum, zero)
            }
            Term::IsZero(linear) => {
                let (sum, zero) = (self.map_linear(&linear, map), self.int(0));
                self.eq(sum, zero)
            }
            Term::Eq(a, b) => self.eq(map(a), map(b)),
            Term::Not(a) => self.not(map(a)),
            Term::And(list) => self.and(list.into_iter().map(map)),
            Term::Or(list) => self.or(list.into_iter().map(map)),
            Term::Ite(a, b, c) => self.ite(map(a), map(b), map(c)),
            Term::Int(op, a, b) => self.int_op(op, map(a), map(b)),
            Term::Wrap(ty, a) => self.wrap(ty, map(a)),
            Term::Fp(op, ty, args) => self.fp(op, ty, args.into_iter().map(map).collect()),
            Term::Apply(function, args) => {
                self.apply(function, args.into_iter().map(map).collect())
            }
        }
    }

    fn map_linear(&mut self, linear: &Linear, map: impl Fn(TermId) -> TermId) -> TermId {
        let constant = self.int(linear.constant);
        (linear.summands.iter()).fold(constant, |sum, &(term, coefficient)| {
            self.add_scaled(sum, map(term), coefficient)
        })
    }
}

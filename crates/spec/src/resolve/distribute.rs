//! Formulas to disjunctive form: `(a | b) * c` becomes `a * c | b * c`, and quantifiers move
//! outwards.
//!
//! Disjunctions of pure formulas stay as they are; they are ordinary boolean terms.

use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{Binder, Expr, ExprKind, function_arity};

use super::sink::Sink;

/// Distribution multiplies; past this many atoms it has got out of hand.
const MAX_ATOMS: usize = 200_000;

/// Identifies a quantifier in [`Branches`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct QuantifierId(pub u32);

/// A quantifier.
pub(super) struct Quantifier<'a> {
    pub parent: Option<QuantifierId>,
    pub binders: &'a [Binder],
}

/// A conjunct, and the innermost quantifier around it.
#[derive(Clone, Copy)]
pub(super) struct Atom<'a> {
    pub quantifier: Option<QuantifierId>,
    pub expr: &'a Expr,
}

/// A formula in disjunctive form.
pub(super) struct Branches<'a> {
    pub quantifiers: Vec<Quantifier<'a>>,
    /// The conjuncts of each disjunct.
    pub disjuncts: Vec<Vec<Atom<'a>>>,
}

/// Brings a formula into disjunctive form. What cannot be brought there is reported and left
/// out.
pub(super) fn distribute<'a>(formula: &'a Expr, sink: &mut Sink) -> Branches<'a> {
    let mut quantifiers = Vec::new();
    let disjuncts = Distributor {
        quantifiers: &mut quantifiers,
        sink,
    }
    .top(formula, None);
    Branches {
        quantifiers,
        disjuncts,
    }
}

struct Distributor<'s, 'a> {
    quantifiers: &'s mut Vec<Quantifier<'a>>,
    sink: &'s mut Sink,
}

impl<'a> Distributor<'_, 'a> {
    /// Where a pure disjunction may be split too: the alternatives of a definition are easier
    /// to handle one by one.
    fn top(&mut self, formula: &'a Expr, quantifier: Option<QuantifierId>) -> Vec<Vec<Atom<'a>>> {
        match &formula.kind {
            ExprKind::Or(list) => list.iter().flat_map(|e| self.top(e, quantifier)).collect(),
            _ => self.nested(formula, quantifier),
        }
    }

    fn nested(
        &mut self,
        formula: &'a Expr,
        quantifier: Option<QuantifierId>,
    ) -> Vec<Vec<Atom<'a>>> {
        let atom = Atom {
            quantifier,
            expr: formula,
        };
        match &formula.kind {
            ExprKind::Emp | ExprKind::Bool(true) => vec![Vec::new()],
            ExprKind::Error => Vec::new(),
            ExprKind::Exists(binders, body) => {
                let inner = QuantifierId(self.quantifiers.len() as u32);
                self.quantifiers.push(Quantifier {
                    parent: quantifier,
                    binders,
                });
                self.top(body, Some(inner))
            }
            ExprKind::Or(list) if !formula.is_pure() => list
                .iter()
                .flat_map(|e| self.nested(e, quantifier))
                .collect(),
            ExprKind::And(list) => {
                self.one_heap(list);
                self.product(formula.span, list, quantifier)
            }
            ExprKind::Star(list) => self.product(formula.span, list, quantifier),
            ExprKind::PointsTo(..) | ExprKind::Call(..) => vec![vec![atom]],
            _ => {
                if let Some(offender) = impure_part(formula) {
                    self.reject(formula, offender);
                    return vec![Vec::new()];
                }
                vec![vec![atom]]
            }
        }
    }

    /// `a & b` of two heaps would say that one heap is described in two ways.
    fn one_heap(&mut self, list: &[Expr]) {
        let mut heaps = list.iter().filter(|operand| operand.describes_heap());
        if let (Some(first), Some(second)) = (heaps.next(), heaps.next()) {
            let diagnostic = Diagnostic::error(second.span, "`&` between two parts of the heap")
                .with_expected("`*` between parts of the heap, `&` before pure conditions")
                .with_note_at(first.span, "the other part is here");
            self.sink.push(diagnostic);
        }
    }

    fn product(
        &mut self,
        span: Span,
        list: &'a [Expr],
        quantifier: Option<QuantifierId>,
    ) -> Vec<Vec<Atom<'a>>> {
        let mut product: Vec<Vec<Atom<'a>>> = vec![Vec::new()];
        for operand in list {
            let mut alternatives = self.nested(operand, quantifier);
            if let [only] = &mut alternatives[..] {
                for partial in &mut product {
                    partial.extend_from_slice(only);
                }
            } else {
                let sizes = |list: &[Vec<Atom>]| list.iter().map(|l| l.len() + 1).sum::<usize>();
                let size = (sizes(&product).saturating_mul(alternatives.len()))
                    .saturating_add(sizes(&alternatives).saturating_mul(product.len()));
                if size > MAX_ATOMS {
                    self.too_many(span);
                    return product;
                }
                product = (product.iter())
                    .flat_map(|partial| {
                        (alternatives.iter()).map(|more| [&partial[..], &more[..]].concat())
                    })
                    .collect();
            }
            if product.iter().map(Vec::len).sum::<usize>() > MAX_ATOMS && product.len() > 1 {
                self.too_many(span);
                return product;
            }
        }
        product
    }

    fn too_many(&mut self, span: Span) {
        let message = "the disjunctions in this conjunction multiply to too many alternatives";
        let help = "give the alternatives a name with `pred`";
        self.sink
            .push(Diagnostic::error(span, message).with_help(help));
    }

    fn reject(&mut self, formula: &Expr, offender: &Expr) {
        let (what, help) = match formula.kind {
            ExprKind::Implies(..) => (
                "an implication relates pure conditions only",
                "put the implication in parentheses: `p(x) & (a => b)`",
            ),
            ExprKind::Not(_) => (
                "only pure conditions can be negated",
                "say which heaps are meant instead of which are not",
            ),
            _ => (
                "a part of the heap cannot be used as a value",
                "put pure conditions behind the heap, after `&`: `p(x) * q(y) & n = m`",
            ),
        };
        let label = match offender.kind {
            ExprKind::Exists(..) => "this quantifies",
            _ => "this describes a part of the heap",
        };
        let diagnostic = Diagnostic::error(offender.span, what)
            .with_label(label)
            .with_help(help);
        self.sink.push(diagnostic);
    }
}

/// The first part of a formula that describes the heap or quantifies.
fn impure_part(formula: &Expr) -> Option<&Expr> {
    if formula.is_pure() {
        return None;
    }
    let children: Vec<&Expr> = match &formula.kind {
        ExprKind::Not(a) | ExprKind::Negate(a) | ExprKind::Old(a) => vec![a],
        ExprKind::Implies(a, b) => vec![a, b],
        ExprKind::Conditional(a, b, c) => vec![a, b, c],
        ExprKind::And(list) | ExprKind::Or(list) => list.iter().collect(),
        ExprKind::Call(name, args) if function_arity(&name.text).is_some() => args.iter().collect(),
        ExprKind::Compare(first, rest) => {
            let rest = rest.iter().map(|(_, operand)| operand);
            std::iter::once(&**first).chain(rest).collect()
        }
        ExprKind::Arithmetic(first, rest) => {
            let rest = rest.iter().map(|(_, operand)| operand);
            std::iter::once(&**first).chain(rest).collect()
        }
        _ => Vec::new(),
    };
    (children.into_iter().find_map(impure_part)).or(Some(formula))
}

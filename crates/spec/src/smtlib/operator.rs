//! The operators on terms: comparisons, arithmetic, and what turns formulas into terms.

use heapwright_logic::{ClassId, IntOp, TermId, Terms};

use super::branch::Branch;
use super::problem::ProblemKind;
use super::reader::{Meaning, Reader};
use super::sexpr::Expr;
use super::sort::SmtSort;
use crate::diagnostic::Span;

/// What an operator does with its operands, all of sort Int.
type IntFunction = fn(&mut Terms, TermId, TermId) -> TermId;

impl<'a> Reader<'a> {
    /// An application of an operator whose operands are terms; the outer `None` if there is
    /// no operator of that name.
    pub fn pure_operator(
        &mut self,
        name: &str,
        args: &[Expr<'a>],
        span: Span,
    ) -> Option<Option<Meaning>> {
        let comparison: Option<IntFunction> = match name {
            "<" => Some(|terms, a, b| terms.lt(a, b)),
            "<=" => Some(|terms, a, b| terms.le(a, b)),
            ">" => Some(|terms, a, b| terms.lt(b, a)),
            ">=" => Some(|terms, a, b| terms.le(b, a)),
            _ => None,
        };
        if let Some(compare) = comparison {
            return Some(self.comparison(name, compare, args, span));
        }
        Some(match name {
            "not" => self.not(args, span),
            "xor" => self.xor(args, span),
            "=" => self.equal(args, span),
            "distinct" => self.distinct(args, span),
            "+" | "-" | "*" | "div" | "mod" | "abs" => self.arithmetic(name, args, span),
            _ => return None,
        })
    }

    fn not(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let [arg] = args else {
            return self.arity(span, "not", super::arguments(1), args.len());
        };
        let term = match self.meaning(arg)? {
            Meaning::Formula(branches) => match self.pure_of(&branches) {
                Some(term) => term,
                None => {
                    return self.outside_fragment(
                        span,
                        "the negation of a formula about the heap, or of a quantified one",
                        "only formulas that do not depend on the heap have a negation",
                    );
                }
            },
            Meaning::Term(term, SmtSort::Bool) => term,
            Meaning::Term(_, sort) => return self.wrong_sort(arg.span, SmtSort::Bool, sort),
            Meaning::Contents(id, _) => {
                return self.wrong_sort(arg.span, SmtSort::Bool, SmtSort::Data(id));
            }
        };
        let term = self.terms.not(term);
        Some(Meaning::Term(self.bounded(term, span)?, SmtSort::Bool))
    }

    fn xor(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let terms = self.all_of_sort("xor", 2, args, SmtSort::Bool, span)?;
        let mut result = Terms::FALSE;
        for term in terms {
            let different = self.terms.ne(result, term);
            result = self.bounded(different, span)?;
        }
        Some(Meaning::Term(result, SmtSort::Bool))
    }

    /// `(= a b c)` is `a = b` and `b = c`.
    fn equal(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let terms = self.comparable("=", args, span)?;
        let equations: Vec<_> = (terms.windows(2))
            .map(|pair| self.terms.eq(pair[0], pair[1]))
            .collect();
        self.conjunction(equations, span)
    }

    /// `(distinct a b c)`: each two of them differ.
    fn distinct(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let terms = self.comparable("distinct", args, span)?;
        let pairs = (terms.len() as u64).saturating_mul(terms.len() as u64);
        if !self.budget.spend(pairs) {
            return self.too_large(span);
        }
        let mut differences = Vec::new();
        for (index, &a) in terms.iter().enumerate() {
            for &b in &terms[index + 1..] {
                differences.push(self.terms.ne(a, b));
            }
        }
        self.conjunction(differences, span)
    }

    fn comparison(
        &mut self,
        name: &str,
        compare: IntFunction,
        args: &[Expr<'a>],
        span: Span,
    ) -> Option<Meaning> {
        let terms = self.all_of_sort(name, 2, args, SmtSort::Int, span)?;
        let comparisons = (terms.windows(2))
            .map(|pair| compare(&mut self.terms, pair[0], pair[1]))
            .collect();
        self.conjunction(comparisons, span)
    }

    fn conjunction(&mut self, conjuncts: Vec<TermId>, span: Span) -> Option<Meaning> {
        let term = self.terms.and(conjuncts);
        Some(Meaning::Term(self.bounded(term, span)?, SmtSort::Bool))
    }

    /// Two or more operands of sorts that can be compared.
    fn comparable(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> Option<Vec<TermId>> {
        let operands: Vec<_> = args.iter().map(|arg| self.term(arg)).collect();
        if args.len() < 2 {
            return self.arity(span, name, "2 arguments or more".to_owned(), args.len());
        }
        let operands: Vec<_> = operands.into_iter().collect::<Option<_>>()?;
        let mut expected: SmtSort = operands[0].1;
        for (arg, &(_, sort)) in args.iter().zip(&operands) {
            if !sort.fits(expected) {
                let (left, right) = (self.term_of(expected), self.term_of(sort));
                return self.fail(arg.span, ProblemKind::Incomparable { left, right });
            }
            // A bare `nil` says nothing about the class that the others must have.
            if expected == SmtSort::Location(ClassId::ANY) {
                expected = sort;
            }
        }
        Some(operands.into_iter().map(|(term, _)| term).collect())
    }

    fn all_of_sort(
        &mut self,
        name: &str,
        at_least: usize,
        args: &[Expr<'a>],
        sort: SmtSort,
        span: Span,
    ) -> Option<Vec<TermId>> {
        let terms: Vec<_> = (args.iter())
            .map(|arg| self.term_of_sort(arg, sort))
            .collect();
        if args.len() < at_least {
            let expected = format!("{} or more", super::arguments(at_least));
            return self.arity(span, name, expected, args.len());
        }
        terms.into_iter().collect()
    }

    fn arithmetic(&mut self, name: &str, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let terms = self.all_of_sort(name, 1, args, SmtSort::Int, span)?;
        let term = match (name, &terms[..]) {
            ("+", summands) => sum(&mut self.terms, summands),
            ("-", [only]) => self.terms.neg(*only),
            ("-", [first, rest @ ..]) => {
                let rest = sum(&mut self.terms, rest);
                self.terms.sub(*first, rest)
            }
            ("abs", [only]) => absolute(&mut self.terms, *only),
            ("abs", _) => return self.arity(span, name, super::arguments(1), args.len()),
            ("*", [first, rest @ ..]) => {
                let mut product = *first;
                for &factor in rest {
                    product = self.terms.int_op(IntOp::Mul, product, factor);
                    product = self.bounded(product, span)?;
                }
                product
            }
            ("div" | "mod", [dividend, divisor]) => {
                let Some(divisor) = self.terms.as_int(*divisor).filter(|&value| value != 0) else {
                    let help = "division by zero has no fixed meaning in SMT-LIB, and the logics read here are linear";
                    let what = "a divisor that is not a constant other than 0".to_owned();
                    return self.unsupported(args[1].span, what, Some(help));
                };
                let (quotient, remainder) = euclidean(&mut self.terms, *dividend, divisor);
                if name == "div" { quotient } else { remainder }
            }
            _ => return self.arity(span, name, super::arguments(2), args.len()),
        };
        Some(Meaning::Term(self.bounded(term, span)?, SmtSort::Int))
    }

    /// The branches of a formula.
    pub fn branches(&mut self, meaning: Meaning, span: Span) -> Option<Vec<Branch>> {
        match meaning {
            Meaning::Formula(branches) => Some(branches),
            Meaning::Term(term, SmtSort::Bool) => Some(self.pure_branches(term)),
            Meaning::Term(_, sort) => self.wrong_sort(span, SmtSort::Bool, sort),
            Meaning::Contents(id, _) => self.wrong_sort(span, SmtSort::Bool, SmtSort::Data(id)),
        }
    }

    /// A pure formula: one branch, or none if it is false.
    pub fn pure_branches(&self, term: TermId) -> Vec<Branch> {
        if term == Terms::FALSE {
            Vec::new()
        } else {
            vec![Branch::pure(&self.terms, term)]
        }
    }

    /// The term that a formula without heap and quantifiers is.
    pub fn pure_of(&mut self, branches: &[Branch]) -> Option<TermId> {
        let is_pure = |branch: &Branch| !branch.spatial && branch.heap.exists.is_empty();
        if !branches.iter().all(is_pure) {
            return None;
        }
        let alternatives: Vec<_> = (branches.iter())
            .map(|branch| self.terms.and(branch.heap.pure.iter().copied()))
            .collect();
        Some(self.terms.or(alternatives))
    }
}

/// A sum, halved again and again: adding one summand after the other would store every
/// partial sum, which takes quadratic space.
pub(crate) fn sum(terms: &mut Terms, summands: &[TermId]) -> TermId {
    match summands {
        [] => terms.int(0),
        [only] => *only,
        _ => {
            let (left, right) = summands.split_at(summands.len() / 2);
            let (left, right) = (sum(terms, left), sum(terms, right));
            terms.add(left, right)
        }
    }
}

fn absolute(terms: &mut Terms, a: TermId) -> TermId {
    let zero = terms.int(0);
    let (negative, negated) = (terms.lt(a, zero), terms.neg(a));
    terms.ite(negative, negated, a)
}

/// SMT-LIB's `div` and `mod`, whose remainder is never negative, by the operations that
/// truncate towards zero.
fn euclidean(terms: &mut Terms, dividend: TermId, divisor: i128) -> (TermId, TermId) {
    let by = terms.int(divisor);
    let truncated = terms.int_op(IntOp::Rem, dividend, by);
    let size = absolute(terms, by);
    let zero = terms.int(0);
    let (negative, lifted) = (terms.lt(truncated, zero), terms.add(truncated, size));
    let remainder = terms.ite(negative, lifted, truncated);
    let multiple = terms.sub(dividend, remainder);
    (terms.int_op(IntOp::Div, multiple, by), remainder)
}

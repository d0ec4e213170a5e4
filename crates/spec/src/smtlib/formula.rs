//! The meaning of expressions: names, binders, and the operators that are not arithmetic.
//!
//! How formulas become symbolic heaps:
//!
//! - `sep` is the separating conjunction; `and` joins pure formulas to at most one formula
//!   about the heap. Everything else (negated or implied heaps, `wand`, `forall`) is outside
//!   the fragment and reported.
//! - A pure formula does not depend on the heap. Where it stands alone as a disjunct, a
//!   definition or an operand of `sep`, we read it as *pure and `emp`*. This keeps
//!   satisfiability: formulas about the heap occur only positively and are never conjoined,
//!   so cells that nothing but a heap-independent formula covers can be dropped from a model.
//! - Disjunctions move to the outside, quantified variables are renamed apart.

use heapwright_logic::{ClassId, SymbolicHeap, TermId, Terms, VarId};

use super::branch::{Branch, Junction, MAX_DISJUNCTS};
use super::problem::ProblemKind;
use super::reader::{Meaning, Reader, Symbol};
use super::sexpr::{Expr, ExprKind};
use super::sort::SmtSort;
use crate::diagnostic::Span;

/// Symbols with a fixed meaning, which a script may not declare.
const BUILTIN: &[&str] = &[
    "true", "false", "and", "or", "not", "=>", "xor", "ite", "=", "distinct", "<", "<=", ">", ">=",
    "+", "-", "*", "div", "mod", "abs", "sep", "pto", "emp", "nil", "let", "exists", "forall",
    "wand",
];

pub(super) fn is_builtin(name: &str) -> bool {
    BUILTIN.contains(&name)
}

impl<'a> Reader<'a> {
    /// What an expression stands for. Problems are reported; then there is no meaning.
    pub fn meaning(&mut self, expr: &Expr<'a>) -> Option<Meaning> {
        match &expr.kind {
            ExprKind::Symbol(name) => self.name(name, expr.span),
            ExprKind::Numeral(digits) => match digits.parse() {
                Ok(value) => Some(Meaning::Term(self.terms.int(value), SmtSort::Int)),
                Err(_) => self.fail(expr.span, ProblemKind::HugeNumber),
            },
            ExprKind::List(items) => match &items[..] {
                [head, args @ ..] => match head.symbol() {
                    Some(name) => self.application(name, head, args, expr.span),
                    None => self.expected(head, "the name of a function"),
                },
                [] => self.expected(expr, "a term"),
            },
            _ => self.expected(expr, "a term"),
        }
    }

    /// A formula in disjunctive form.
    pub fn formula(&mut self, expr: &Expr<'a>) -> Option<Vec<Branch>> {
        let meaning = self.meaning(expr)?;
        self.branches(meaning, expr.span)
    }

    /// A term and its sort.
    pub fn term(&mut self, expr: &Expr<'a>) -> Option<(TermId, SmtSort)> {
        match self.meaning(expr)? {
            Meaning::Term(term, sort) => Some((term, sort)),
            Meaning::Contents(id, _) => {
                let term_sort = self.term_sort(SmtSort::Data(id), expr.span);
                term_sort.and(None)
            }
            Meaning::Formula(branches) => match self.pure_of(&branches) {
                Some(term) => Some((term, SmtSort::Bool)),
                None => self.outside_fragment(
                    expr.span,
                    "a formula about the heap, or a quantified one, inside a term",
                    "it may only stand under `and`, `or`, `sep`, `exists`, `let`, and in the branches of `ite` and `=>`",
                ),
            },
        }
    }

    /// A term that must have a given sort.
    pub fn term_of_sort(&mut self, expr: &Expr<'a>, expected: SmtSort) -> Option<TermId> {
        let (term, sort) = self.term(expr)?;
        if sort.fits(expected) {
            Some(term)
        } else {
            self.wrong_sort(expr.span, expected, sort)
        }
    }

    fn name(&mut self, name: &'a str, span: Span) -> Option<Meaning> {
        match self.symbols.get(name).cloned() {
            Some(Symbol::Variable(variable, sort)) => {
                Some(Meaning::Term(self.terms.var(variable), sort))
            }
            Some(Symbol::Let(Meaning::Formula(branches))) => {
                // Every use gets quantified variables of its own.
                let mut renamed = Vec::with_capacity(branches.len());
                for branch in &branches {
                    if !self.budget.spend(branch.size()) {
                        return self.too_large(span);
                    }
                    renamed.push(branch.renamed(&mut self.terms));
                }
                Some(Meaning::Formula(renamed))
            }
            Some(Symbol::Let(meaning)) => Some(meaning),
            Some(symbol) => self.apply_symbol(name, symbol, &[], span),
            None => match name {
                "true" => Some(Meaning::Term(Terms::TRUE, SmtSort::Bool)),
                "false" => Some(Meaning::Term(Terms::FALSE, SmtSort::Bool)),
                "emp" | "sep.emp" => Some(emp()),
                "nil" | "sep.nil" => {
                    Some(Meaning::Term(Terms::NULL, SmtSort::Location(ClassId::ANY)))
                }
                _ => self.unknown_symbol(name, span),
            },
        }
    }

    fn unknown_symbol<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let known = (self.symbols.known().into_iter()).chain(BUILTIN.iter().copied());
        let nearest = crate::diagnostic::nearest(name, known).map(str::to_owned);
        self.fail(
            span,
            ProblemKind::Unknown {
                what: "symbol",
                name: name.to_owned(),
                nearest,
            },
        )
    }

    fn application(
        &mut self,
        name: &'a str,
        head: &Expr<'a>,
        args: &[Expr<'a>],
        span: Span,
    ) -> Option<Meaning> {
        if let Some(symbol) = self.symbols.get(name).cloned() {
            return self.apply_symbol(name, symbol, args, span);
        }
        match name {
            "let" => self.let_in(args, span),
            "exists" => self.exists(args, span),
            "forall" => self.outside_fragment(
                span,
                "a universal quantifier",
                "formulas are existentially quantified",
            ),
            "wand" | "septraction" => self.outside_fragment(
                span,
                "a separating implication",
                "only `sep`, `pto`, `emp` and predicates speak about the heap",
            ),
            "!" => match args {
                [term, ..] => self.meaning(term),
                [] => self.arity(span, name, "a term".to_owned(), 0),
            },
            "as" => self.qualified(args, span),
            "_" => self.indexed(args, span),
            "and" => self.junction(args, Junction::And, span),
            "sep" => self.junction(args, Junction::Sep, span),
            "or" => self.or(args, span),
            "pto" => self.points_to(args, span),
            "ite" => self.ite(args, span),
            "=>" => self.implies(args, span),
            _ => match self.pure_operator(name, args, span) {
                Some(result) => result,
                None => self.unknown_symbol(name, head.span),
            },
        }
    }

    /// `(as nil Sort)`
    fn qualified(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let [name, sort] = args else {
            return self.arity(span, "as", "a name and a sort".to_owned(), args.len());
        };
        let resolved = self.sort(sort)?;
        match (name.symbol(), resolved) {
            (Some("nil" | "sep.nil"), SmtSort::Location(_)) => {
                Some(Meaning::Term(Terms::NULL, resolved))
            }
            (Some("nil" | "sep.nil"), _) => {
                let expected = SmtSort::Location(ClassId::ANY);
                self.wrong_sort(sort.span, expected, resolved)
            }
            _ => self.expected(name, "`nil`"),
        }
    }

    /// `(_ emp Location Data)`
    fn indexed(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let [name, sorts @ ..] = args else {
            return self.arity(span, "_", "a name".to_owned(), 0);
        };
        match name.symbol() {
            Some("emp") => {
                let resolved: Vec<_> = sorts.iter().map(|sort| self.sort(sort)).collect();
                resolved.iter().all(Option::is_some).then(emp)
            }
            _ => self.expected(name, "`emp`"),
        }
    }

    /// `(let ((x t) ...) body)`
    fn let_in(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let [bindings, body] = args else {
            return self.arity(span, "let", "bindings and a body".to_owned(), args.len());
        };
        let Some(list) = bindings.list() else {
            return self.expected(bindings, "a list of bindings");
        };
        // All are bound at once, so each is read in the outer scope.
        let mut bound = Vec::with_capacity(list.len());
        let mut complete = true;
        for binding in list {
            match binding.list() {
                Some([name, value]) if name.symbol().is_some() => {
                    match (name.symbol(), self.meaning(value)) {
                        (Some(name), Some(meaning)) => bound.push((name, meaning)),
                        _ => complete = false,
                    }
                }
                _ => {
                    self.expected::<()>(binding, "`(name term)`");
                    complete = false;
                }
            }
        }
        if !complete {
            return None;
        }
        let mark = self.symbols.mark();
        for (name, meaning) in bound {
            self.symbols.bind(name, Symbol::Let(meaning));
        }
        let meaning = self.meaning(body);
        self.symbols.undo(mark);
        meaning
    }

    /// `(exists ((x Sort) ...) body)`
    fn exists(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let [params, body] = args else {
            let expected = "variables and a body".to_owned();
            return self.arity(span, "exists", expected, args.len());
        };
        let mark = self.symbols.mark();
        let variables = self.bind_parameters(params);
        let branches = variables.and_then(|variables| {
            let branches = self.formula(body)?;
            Some((variables, branches))
        });
        self.symbols.undo(mark);
        let (variables, branches) = branches?;
        let variables: Vec<_> = variables.into_iter().map(|(id, _)| id).collect();
        let mut quantified = Vec::with_capacity(branches.len());
        for (index, branch) in branches.into_iter().enumerate() {
            if !self.budget.spend(branch.size() + variables.len() as u64) {
                return self.too_large(span);
            }
            let branch = branch.quantified(&self.terms, &variables);
            quantified.push(match index {
                0 => branch,
                _ => branch.renamed(&mut self.terms),
            });
        }
        Some(Meaning::Formula(quantified))
    }

    /// Declares `((x Sort) ...)` as new variables in the current scope.
    pub fn bind_parameters(&mut self, params: &Expr<'a>) -> Option<Vec<(VarId, SmtSort)>> {
        let Some(list) = params.list() else {
            return self.expected(params, "a list of variables with their sorts");
        };
        let mut variables = Vec::with_capacity(list.len());
        for param in list {
            if let Some((name, sort)) = self.typed_name(param)
                && let Some(term_sort) = self.term_sort(sort, param.span)
            {
                let variable = self.terms.declare(name, term_sort);
                self.symbols.bind(name, Symbol::Variable(variable, sort));
                variables.push((variable, sort));
            }
        }
        (variables.len() == list.len()).then_some(variables)
    }

    fn junction(&mut self, args: &[Expr<'a>], junction: Junction, span: Span) -> Option<Meaning> {
        let meanings = self.boolean_meanings(args)?;
        let (pure, formulas) = split(meanings);
        let pure = self.terms.and(pure);
        let pure = self.bounded(pure, span)?;
        if formulas.is_empty() {
            return Some(Meaning::Term(pure, SmtSort::Bool));
        }
        let mut joined = vec![Branch::default()];
        for (branches, span) in formulas {
            joined = self.join(joined, branches, junction, span)?;
        }
        let pure = self.pure_branches(pure);
        let joined = self.join(joined, pure, junction, span)?;
        Some(Meaning::Formula(joined))
    }

    fn or(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let meanings = self.boolean_meanings(args)?;
        if meanings
            .iter()
            .all(|(meaning, _)| matches!(meaning, Meaning::Term(..)))
        {
            let (pure, _) = split(meanings);
            let pure = self.terms.or(pure);
            return Some(Meaning::Term(self.bounded(pure, span)?, SmtSort::Bool));
        }
        let mut alternatives = Vec::new();
        for (meaning, span) in meanings {
            alternatives.extend(self.branches(meaning, span)?);
        }
        if alternatives.len() > MAX_DISJUNCTS {
            return self.too_many_disjuncts(span);
        }
        Some(Meaning::Formula(alternatives))
    }

    /// Reads all operands before failing on one, so that all their problems are reported.
    fn boolean_meanings(&mut self, args: &[Expr<'a>]) -> Option<Vec<(Meaning, Span)>> {
        let mut meanings = Vec::with_capacity(args.len());
        for arg in args {
            match self.meaning(arg) {
                Some(Meaning::Term(_, sort)) if sort != SmtSort::Bool => {
                    self.wrong_sort::<()>(arg.span, SmtSort::Bool, sort);
                }
                Some(Meaning::Contents(id, _)) => {
                    self.wrong_sort::<()>(arg.span, SmtSort::Bool, SmtSort::Data(id));
                }
                Some(meaning) => meanings.push((meaning, arg.span)),
                None => {}
            }
        }
        (meanings.len() == args.len()).then_some(meanings)
    }

    fn ite(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let [condition, then, otherwise] = args else {
            return self.arity(span, "ite", "3 arguments".to_owned(), args.len());
        };
        let test = self.term_of_sort(condition, SmtSort::Bool);
        let (left, right) = (self.meaning(then), self.meaning(otherwise));
        let (test, left, right) = (test?, left?, right?);
        match (left, right) {
            (Meaning::Term(a, left), Meaning::Term(b, right)) => {
                if !left.fits(right) {
                    return self.wrong_sort(otherwise.span, left, right);
                }
                // Of two locations the one that is not a bare `nil` knows the class.
                let sort = if left == SmtSort::Location(ClassId::ANY) {
                    right
                } else {
                    left
                };
                let term = self.terms.ite(test, a, b);
                Some(Meaning::Term(self.bounded(term, span)?, sort))
            }
            (left, right) => {
                let negated = self.terms.not(test);
                let negated = self.bounded(negated, span)?;
                let left = self.branches(left, then.span)?;
                let right = self.branches(right, otherwise.span)?;
                let test = self.pure_branches(test);
                let negated = self.pure_branches(negated);
                let mut cases = self.join(left, test, Junction::And, span)?;
                cases.extend(self.join(right, negated, Junction::And, span)?);
                Some(Meaning::Formula(cases))
            }
        }
    }

    /// `(=> a b c)` is `a` implies (`b` implies `c`).
    fn implies(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let [premises @ .., conclusion] = args else {
            return self.arity(span, "=>", "2 arguments or more".to_owned(), 0);
        };
        if premises.is_empty() {
            return self.arity(span, "=>", "2 arguments or more".to_owned(), 1);
        }
        let mut negated = Vec::with_capacity(premises.len());
        for premise in premises {
            if let Some(term) = self.term_of_sort(premise, SmtSort::Bool) {
                negated.push(self.terms.not(term));
            }
        }
        let conclusion_meaning = self.meaning(conclusion)?;
        if negated.len() != premises.len() {
            return None;
        }
        let negated = self.terms.or(negated);
        let negated = self.bounded(negated, span)?;
        match conclusion_meaning {
            Meaning::Term(term, SmtSort::Bool) => {
                let term = self.terms.or([negated, term]);
                Some(Meaning::Term(self.bounded(term, span)?, SmtSort::Bool))
            }
            meaning => {
                let branches = self.branches(meaning, conclusion.span)?;
                let mut cases = self.pure_branches(negated);
                cases.extend(branches);
                Some(Meaning::Formula(cases))
            }
        }
    }
}

fn emp() -> Meaning {
    Meaning::Formula(vec![Branch {
        heap: SymbolicHeap::emp(),
        spatial: true,
    }])
}

/// The pure operands, and the others with their places.
fn split(meanings: Vec<(Meaning, Span)>) -> (Vec<TermId>, Vec<(Vec<Branch>, Span)>) {
    let mut pure = Vec::new();
    let mut formulas = Vec::new();
    for (meaning, span) in meanings {
        match meaning {
            Meaning::Term(term, _) => pure.push(term),
            Meaning::Formula(branches) => formulas.push((branches, span)),
            Meaning::Contents(..) => {}
        }
    }
    (pure, formulas)
}

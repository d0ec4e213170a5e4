//! The state of reading a script: what is declared, asserted and asked so far.

use heapwright_logic::{ClassId, Definitions, PredId, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::branch::{Branch, Budget, JoinError, Junction, MAX_DISJUNCTS, join_all};
use super::names::Names;
use super::problem::{ProblemKind, Problems};
use super::sexpr::Expr;
use super::sort::{DataId, Datatype, SmtSort};
use crate::diagnostic::Span;

/// What a symbol stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A constant, a parameter or a quantified variable.
    Variable(VarId, SmtSort),
    /// Bound by `let`.
    Let(Meaning),
    /// Defined by cases about the heap.
    Predicate(PredId, Vec<SmtSort>),
    /// Defined by a term.
    Function(Function),
    /// Makes the contents of a cell: which datatype, which of its constructors.
    Constructor(DataId, usize),
    /// Declared, but wrongly: its uses are not reported once more.
    Broken,
}

/// A function whose applications are replaced by its body.
#[derive(Clone, Debug)]
pub(super) struct Function {
    pub params: Vec<(VarId, SmtSort)>,
    pub body: TermId,
    pub sort: SmtSort,
}

/// What an expression stands for.
#[derive(Clone, Debug)]
pub(super) enum Meaning {
    /// A term; of sort Bool, a formula that does not depend on the heap.
    Term(TermId, SmtSort),
    /// The contents of a cell.
    Contents(DataId, Vec<TermId>),
    /// A formula about the heap, or with quantifiers, in disjunctive form.
    Formula(Vec<Branch>),
}

/// Everything known while a script is read. The script's text lives for `'a`.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    pub terms: Terms,
    pub definitions: Definitions,
    pub problems: Problems,
    pub budget: Budget,
    pub sorts: Names<'a, SmtSort>,
    pub symbols: Names<'a, Symbol>,
    pub datatypes: Vec<Datatype<'a>>,
    /// The names that location sorts have in the script.
    pub locations: FxHashMap<ClassId, &'a str>,
    /// What the cells of a location sort hold, by name, looked up ahead.
    pub cells: FxHashMap<&'a str, &'a str>,
    /// What the cells of a class hold, once the heap is declared.
    pub contents: FxHashMap<ClassId, SmtSort>,
    /// Sizes of terms, written out as trees.
    pub sizes: FxHashMap<TermId, u64>,
}

impl<'a> Reader<'a> {
    pub fn new(cells: FxHashMap<&'a str, &'a str>, problems: Problems) -> Self {
        let mut reader = Reader {
            terms: Terms::new(),
            definitions: Definitions::new(),
            problems,
            budget: Budget::new(),
            sorts: Names::default(),
            symbols: Names::default(),
            datatypes: Vec::new(),
            locations: FxHashMap::default(),
            cells,
            contents: FxHashMap::default(),
            sizes: FxHashMap::default(),
        };
        reader.declare_builtin_sorts();
        reader
    }

    fn declare_builtin_sorts(&mut self) {
        self.sorts.bind("Bool", SmtSort::Bool);
        self.sorts.bind("Int", SmtSort::Int);
    }

    /// What `reset` does: no name means anything any more but the built-in ones.
    pub fn forget_declarations(&mut self) {
        self.sorts = Names::default();
        self.symbols = Names::default();
        self.declare_builtin_sorts();
    }

    pub fn bind_symbol(&mut self, name: &'a str, symbol: Symbol, span: Span) -> Option<()> {
        if self.symbols.get(name).is_some() || super::formula::is_builtin(name) {
            return self.redeclared(name, span);
        }
        self.symbols.bind(name, symbol);
        Some(())
    }

    /// Joins two formulas by `and` or `sep`, or says why that cannot be done.
    pub fn join(
        &mut self,
        left: Vec<Branch>,
        right: Vec<Branch>,
        junction: Junction,
        span: Span,
    ) -> Option<Vec<Branch>> {
        let joined = join_all(left, right, junction, &mut self.terms, &mut self.budget);
        match joined {
            Ok(branches) => Some(branches),
            Err(JoinError::TwoSpatial) => self.outside_fragment(
                span,
                "a conjunction of two formulas about the heap",
                "only `sep` joins formulas about the heap; `and` joins pure ones to at most one of them",
            ),
            Err(JoinError::TooMany) => self.too_many_disjuncts(span),
            Err(JoinError::TooLarge) => self.too_large(span),
        }
    }

    /// A term that was just built, if its size is within bounds.
    ///
    /// Terms share their parts, so a short script can build one that is enormous when looked
    /// at as a tree, which is how negation and printing look at it.
    pub fn bounded(&mut self, term: TermId, span: Span) -> Option<TermId> {
        let size = self.size(term);
        if self.budget.spend(size) {
            Some(term)
        } else {
            self.too_large(span)
        }
    }

    fn size(&mut self, root: TermId) -> u64 {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.sizes.contains_key(&term) {
                stack.pop();
                continue;
            }
            let children = self.terms.children(term);
            let before = stack.len();
            stack.extend(
                children
                    .iter()
                    .filter(|child| !self.sizes.contains_key(child)),
            );
            if stack.len() == before {
                stack.pop();
                let size = (children.iter())
                    .fold(1u64, |sum, child| sum.saturating_add(self.sizes[child]));
                self.sizes.insert(term, size);
            }
        }
        self.sizes[&root]
    }

    // Each of these reports a problem and returns nothing, to be the value of a failed case.

    pub fn fail<T>(&mut self, span: Span, kind: ProblemKind) -> Option<T> {
        self.problems.add(span, kind);
        None
    }

    pub fn expected<T>(&mut self, found: &Expr<'a>, expected: &'static str) -> Option<T> {
        let found_text = found.describe();
        self.fail(
            found.span,
            ProblemKind::Expected {
                expected,
                found: found_text,
            },
        )
    }

    pub fn redeclared<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let name = name.to_owned();
        self.fail(span, ProblemKind::Redeclared { name })
    }

    pub fn unsupported<T>(
        &mut self,
        span: Span,
        what: String,
        help: Option<&'static str>,
    ) -> Option<T> {
        self.fail(span, ProblemKind::Unsupported { what, help })
    }

    pub fn outside_fragment<T>(
        &mut self,
        span: Span,
        what: &'static str,
        help: &'static str,
    ) -> Option<T> {
        self.fail(span, ProblemKind::OutsideFragment { what, help })
    }

    pub fn arity<T>(
        &mut self,
        span: Span,
        name: &str,
        expected: String,
        found: usize,
    ) -> Option<T> {
        let name = name.to_owned();
        self.fail(
            span,
            ProblemKind::Arity {
                name,
                expected,
                found,
            },
        )
    }

    pub fn wrong_sort<T>(&mut self, span: Span, expected: SmtSort, found: SmtSort) -> Option<T> {
        let (expected, found) = (self.term_of(expected), self.term_of(found));
        self.fail(span, ProblemKind::WrongSort { expected, found })
    }

    pub fn too_many_disjuncts<T>(&mut self, span: Span) -> Option<T> {
        let limit = MAX_DISJUNCTS;
        self.fail(span, ProblemKind::TooManyDisjuncts { limit })
    }

    pub fn too_large<T>(&mut self, span: Span) -> Option<T> {
        self.fail(span, ProblemKind::TooLarge)
    }
}

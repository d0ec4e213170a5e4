//! Atoms: cells, predicate instances, and applications of what a script defines.

use heapwright_logic::{ClassId, Instance, PointsTo, Sort, SymbolicHeap, TermId, Terms};

use super::branch::Branch;
use super::reader::{Function, Meaning, Reader, Symbol};
use super::sexpr::Expr;
use super::sort::{DataId, SmtSort};
use crate::diagnostic::Span;

impl<'a> Reader<'a> {
    /// `(pto x (constructor fields...))`
    pub fn points_to(&mut self, args: &[Expr<'a>], span: Span) -> Option<Meaning> {
        let [source, contents] = args else {
            let expected = "a location and the contents of its cell".to_owned();
            return self.arity(span, "pto", expected, args.len());
        };
        let (address, held) = (self.term(source), self.meaning(contents));
        let ((address, sort), held) = (address?, held?);
        let (held_sort, fields) = match held {
            Meaning::Term(term, sort) => (sort, vec![term]),
            Meaning::Contents(id, fields) => (SmtSort::Data(id), fields),
            Meaning::Formula(_) => return self.expected(contents, "the contents of a cell"),
        };
        let SmtSort::Location(class) = sort else {
            return self.wrong_sort(source.span, SmtSort::Location(ClassId::ANY), sort);
        };
        let class = match class {
            // A bare `nil`: any class whose cells hold this will do.
            ClassId::ANY => {
                let mut classes = self.contents.iter();
                let found = classes.find(|(_, contents)| held_sort.fits(**contents));
                found.map_or(ClassId::ANY, |(&class, _)| class)
            }
            class => class,
        };
        let Some(&expected) = self.contents.get(&class) else {
            let what = format!("a cell at {}", self.term_of(sort));
            let help = "`declare-heap` has to say first what such cells hold";
            return self.unsupported(source.span, what, Some(help));
        };
        if !held_sort.fits(expected) {
            return self.wrong_sort(contents.span, expected, held_sort);
        }
        let mut heap = SymbolicHeap::emp();
        let cell = PointsTo {
            source: self.reference(address, &mut heap),
            class,
            fields: (fields.into_iter())
                .map(|field| self.reference(field, &mut heap))
                .collect(),
        };
        heap.points_to.push(cell);
        Some(Meaning::Formula(vec![Branch {
            heap,
            spatial: true,
        }]))
    }

    /// What an application of a declared symbol stands for.
    pub fn apply_symbol(
        &mut self,
        name: &'a str,
        symbol: Symbol,
        args: &[Expr<'a>],
        span: Span,
    ) -> Option<Meaning> {
        match symbol {
            Symbol::Predicate(predicate, sorts) => {
                let args = self.arguments(name, &sorts, args, span)?;
                let mut heap = SymbolicHeap::emp();
                let args = (args.into_iter())
                    .map(|arg| self.reference(arg, &mut heap))
                    .collect();
                heap.instances.push(Instance { predicate, args });
                Some(Meaning::Formula(vec![Branch {
                    heap,
                    spatial: true,
                }]))
            }
            Symbol::Function(Function { params, body, sort }) => {
                let sorts: Vec<_> = params.iter().map(|&(_, sort)| sort).collect();
                let args = self.arguments(name, &sorts, args, span)?;
                let body = self.bounded(body, span)?;
                let params = params.into_iter().map(|(variable, _)| variable);
                let substitution = params.zip(args).collect();
                let term = self.terms.substitute(body, &substitution);
                Some(Meaning::Term(self.bounded(term, span)?, sort))
            }
            Symbol::Constructor(id, index) => self.construct(name, id, index, args, span),
            Symbol::Broken => None,
            Symbol::Variable(..) | Symbol::Let(_) => {
                self.arity(span, name, "no arguments".to_owned(), args.len())
            }
        }
    }

    fn construct(
        &mut self,
        name: &'a str,
        id: DataId,
        index: usize,
        args: &[Expr<'a>],
        span: Span,
    ) -> Option<Meaning> {
        let fields = &self.datatype(id).constructors[index].fields;
        let sorts: Vec<_> = fields.iter().map(|&(_, sort)| sort).collect();
        let fields = self.arguments(name, &sorts, args, span)?;
        Some(Meaning::Contents(id, fields))
    }

    fn arguments(
        &mut self,
        name: &str,
        sorts: &[SmtSort],
        args: &[Expr<'a>],
        span: Span,
    ) -> Option<Vec<TermId>> {
        if sorts.len() != args.len() {
            let expected = super::arguments(sorts.len());
            return self.arity(span, name, expected, args.len());
        }
        let mut terms = Vec::with_capacity(args.len());
        for (arg, &sort) in args.iter().zip(sorts) {
            if let Some(term) = self.term_of_sort(arg, sort) {
                terms.push(term);
            }
        }
        (terms.len() == args.len()).then_some(terms)
    }

    /// The term to use where only a variable or null may stand for a reference: a compound
    /// one, such as an `ite`, gets a name that is quantified in `heap`.
    fn reference(&mut self, term: TermId, heap: &mut SymbolicHeap) -> TermId {
        let sort = self.terms.sort(term);
        let plain = term == Terms::NULL || self.terms.as_var(term).is_some();
        if plain || !matches!(sort, Sort::Ref(_)) {
            return term;
        }
        let name = self.terms.declare("r", sort);
        let variable = self.terms.var(name);
        heap.exists.push(name);
        heap.pure.push(self.terms.eq(variable, term));
        variable
    }
}

//! Names and types: the first of two walks over the tree.
//!
//! It finds out what every name is, so that the second walk (`build`) can make
//! variables of the right sort.

use heapwright_logic::{ClassId, Definitions, IntType, PredId, Sort, Terms};
use rustc_hash::FxHashMap;

use super::ast::{Comparison, Disjunct, File, HeapTerm, Name, PureTerm, Term, TermKind};
use super::class::Layout;
use super::infer::{Conflict, Kinds, TypeVar, Types};
use super::scope::Scope;
use super::{Precondition, Signatures};
use crate::diagnostic::{Diagnostic, Span, did_you_mean};

/// A predicate while types are inferred.
#[derive(Clone, Debug)]
pub(super) struct PredicateTypes {
    pub id: PredId,
    pub params: Vec<TypeVar>,
}

/// Everything known while a file is resolved.
#[derive(Debug)]
pub(super) struct Resolver {
    pub terms: Terms,
    pub definitions: Definitions,
    pub diagnostics: Vec<Diagnostic>,
    pub types: Types,
    /// Classes by the names that the file uses for them.
    pub classes: FxHashMap<String, ClassId>,
    pub layouts: FxHashMap<ClassId, Layout>,
    pub predicates: FxHashMap<String, PredicateTypes>,
}

impl Resolver {
    pub fn new(terms: Terms, definitions: Definitions, diagnostics: Vec<Diagnostic>) -> Self {
        Resolver {
            terms,
            definitions,
            diagnostics,
            types: Types::default(),
            classes: FxHashMap::default(),
            layouts: FxHashMap::default(),
            predicates: FxHashMap::default(),
        }
    }

    /// Resolves a file. Predicates end up in the table of definitions.
    pub fn resolve(&mut self, file: &File, signatures: &Signatures<'_>) -> Vec<Precondition> {
        self.declare_classes(&file.data);
        self.declare_predicates(file);
        let mut predicate_scopes = Vec::with_capacity(file.predicates.len());
        for predicate in &file.predicates {
            let mut outer = Scope::default();
            let types = self.predicates.get(&predicate.name.text).cloned();
            let params = types.map_or(Vec::new(), |types| types.params);
            for (name, ty) in predicate.params.iter().zip(params) {
                if outer.contains(&name.text) {
                    let message = format!("the parameter `{}` is declared already", name.text);
                    self.error(Diagnostic::error(name.span, message));
                }
                outer.add_outer(&name.text, ty, None);
            }
            predicate_scopes.push(self.infer(&predicate.disjuncts, &outer));
        }
        let mut precondition_scopes = Vec::with_capacity(file.preconditions.len());
        for precondition in &file.preconditions {
            let signature = signatures(&precondition.method.text);
            let outer = self.outer_scope(&precondition.disjuncts, signature);
            precondition_scopes.push(self.infer(&precondition.disjuncts, &outer));
        }
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return Vec::new();
        }
        self.finish_classes();
        self.build_predicates(file, predicate_scopes);
        self.build_preconditions(file, precondition_scopes)
    }

    fn declare_predicates(&mut self, file: &File) {
        for predicate in &file.predicates {
            let name = &predicate.name;
            if self.predicates.contains_key(&name.text) {
                let message = format!("the predicate `{}` is defined already", name.text);
                self.error(Diagnostic::error(name.span, message));
                continue;
            }
            let params = (predicate.params.iter())
                .map(|_| self.types.fresh(Kinds::ANY))
                .collect();
            let id = self.definitions.add_predicate(heapwright_logic::Predicate {
                name: name.text.clone(),
                params: Vec::new(),
                disjuncts: Vec::new(),
            });
            let types = PredicateTypes { id, params };
            self.predicates.insert(name.text.clone(), types);
        }
    }

    /// The names that a precondition does not quantify: those of the signature, or all of
    /// them where the signature is not known.
    fn outer_scope(
        &mut self,
        disjuncts: &[Disjunct],
        signature: Option<Vec<(String, Sort)>>,
    ) -> Scope {
        let mut outer = Scope::default();
        match signature {
            Some(signature) => {
                for (name, sort) in signature {
                    let ty = self.types.fresh(Kinds::ANY);
                    // A fresh type fits every sort.
                    let _ = self.types.restrict_to_sort(ty, sort, &self.definitions);
                    outer.add_outer(&name, ty, Some(sort));
                }
            }
            None => {
                for name in names(disjuncts) {
                    if !outer.contains(name) {
                        let ty = self.types.fresh(Kinds::ANY);
                        outer.add_outer(name, ty, None);
                    }
                }
            }
        }
        outer
    }

    fn infer(&mut self, disjuncts: &[Disjunct], outer: &Scope) -> Vec<Scope> {
        let mut scopes = Vec::with_capacity(disjuncts.len());
        for disjunct in disjuncts {
            let mut scope = outer.clone();
            for term in &disjunct.heap {
                match term {
                    HeapTerm::PointsTo(source, class, fields) => {
                        self.infer_points_to(source, class, fields, &mut scope);
                    }
                    HeapTerm::Instance(name, args) => self.infer_instance(name, args, &mut scope),
                }
            }
            for term in &disjunct.pure {
                if let PureTerm::Compare(comparison, left, right) = term {
                    self.infer_comparison(*comparison, left, right, &mut scope);
                }
            }
            scopes.push(scope);
        }
        scopes
    }

    fn infer_points_to(
        &mut self,
        source: &Term,
        class_name: &Name,
        fields: &[Term],
        scope: &mut Scope,
    ) {
        let class = self.class(class_name);
        let ty = self.type_of(source, scope);
        let refined = (self.types).restrict_to_sort(ty, Sort::Ref(class), &self.definitions);
        self.agree(source, refined);
        let layout = self.layout(class, class_name, fields);
        let expected = match &layout {
            Layout::Known => self.definitions.class(class).fields.len(),
            Layout::Inferred(inferred) => inferred.types.len(),
        };
        if expected != fields.len() {
            let known: Vec<_> = match layout {
                Layout::Known => {
                    let declared = &self.definitions.class(class).fields;
                    declared.iter().map(|field| field.name.clone()).collect()
                }
                Layout::Inferred(inferred) => inferred.names,
            };
            let (expected, found) = (count(expected, "field"), fields.len());
            let message = format!("`{}` has {expected}, found {found}", class_name.text);
            let note = format!("the fields are: {}", known.join(", "));
            self.error(Diagnostic::error(class_name.span, message).with_note(note));
            return;
        }
        for (position, field) in fields.iter().enumerate() {
            if matches!(field.kind, TermKind::Wildcard) {
                continue;
            }
            let ty = self.type_of(field, scope);
            let (refined, width) = match &layout {
                Layout::Known => {
                    let sort = self.definitions.class(class).fields[position].sort;
                    let width = match sort {
                        Sort::Machine(width) => Some(width),
                        _ => None,
                    };
                    let refined = self.types.restrict_to_sort(ty, sort, &self.definitions);
                    (refined, width)
                }
                Layout::Inferred(inferred) => {
                    let expected = inferred.types[position];
                    let refined = self.types.unify(ty, expected, &self.definitions);
                    (refined, Some(IntType::I32))
                }
            };
            self.agree(field, refined);
            if let TermKind::Name(name) = &field.kind {
                let entry = scope.entry(name, &mut self.types);
                entry.width = entry.width.or(width);
            }
        }
    }

    fn infer_instance(&mut self, name: &Name, args: &[Term], scope: &mut Scope) {
        let Some(predicate) = self.predicates.get(&name.text).cloned() else {
            let mut known: Vec<_> = self.predicates.keys().map(String::as_str).collect();
            known.sort_unstable();
            let message = format!("unknown predicate `{}`", name.text);
            let help = did_you_mean(&name.text, known);
            self.error(Diagnostic::error(name.span, message).with_optional_help(help));
            return;
        };
        if predicate.params.len() != args.len() {
            let expected = count(predicate.params.len(), "parameter");
            let found = count(args.len(), "argument");
            let message = format!("`{}` has {expected}, found {found}", name.text);
            self.error(Diagnostic::error(name.span, message));
            return;
        }
        for (arg, param) in args.iter().zip(predicate.params) {
            if matches!(arg.kind, TermKind::Wildcard) {
                continue;
            }
            let ty = self.type_of(arg, scope);
            let refined = self.types.unify(ty, param, &self.definitions);
            self.agree(arg, refined);
        }
    }

    fn infer_comparison(
        &mut self,
        comparison: Comparison,
        left: &Term,
        right: &Term,
        scope: &mut Scope,
    ) {
        let (a, b) = (self.type_of(left, scope), self.type_of(right, scope));
        if !matches!(comparison, Comparison::Eq | Comparison::Ne)
            && let Err(conflict) = self.types.restrict(a, Kinds::NUMBER)
        {
            return self.agree(left, Err(conflict));
        }
        let refined = self.types.unify(b, a, &self.definitions);
        self.agree(right, refined);
    }

    /// The type of a term. Recursion is as deep as parentheses nest.
    fn type_of(&mut self, term: &Term, scope: &mut Scope) -> TypeVar {
        match &term.kind {
            TermKind::Name(name) => scope.entry(name, &mut self.types).ty,
            TermKind::Wildcard => {
                let message = "`_` may only stand for a field or an argument";
                self.error(Diagnostic::error(term.span, message));
                self.types.fresh(Kinds::ANY)
            }
            TermKind::Null => self.types.fresh(Kinds::REF),
            TermKind::Int(0 | 1) => self.types.fresh(Kinds::BIT),
            TermKind::Int(_) => self.types.fresh(Kinds::NUMBER),
            TermKind::Decimal(_) => self.types.fresh(Kinds::FLOAT),
            TermKind::Sum(summands) => {
                let operands = summands.iter().map(|(_, summand)| summand);
                self.type_of_arithmetic(operands, scope)
            }
            TermKind::Product(first, factors) => {
                let factors = factors.iter().map(|(_, factor)| factor);
                self.type_of_arithmetic(std::iter::once(&**first).chain(factors), scope)
            }
        }
    }

    fn type_of_arithmetic<'t>(
        &mut self,
        operands: impl Iterator<Item = &'t Term>,
        scope: &mut Scope,
    ) -> TypeVar {
        let result = self.types.fresh(Kinds::NUMBER);
        for operand in operands {
            let ty = self.type_of(operand, scope);
            let refined = self.types.unify(ty, result, &self.definitions);
            self.agree(operand, refined);
        }
        result
    }

    /// Reports a conflict at the term where it was found.
    fn agree(&mut self, term: &Term, refined: Result<(), Conflict>) {
        if let Err(Conflict { left, right }) = refined {
            let what = match &term.kind {
                TermKind::Name(name) => format!("`{name}`"),
                _ => "this".to_owned(),
            };
            let (left, right) = (left.describe(), right.describe());
            let message = format!("{what} is {left}, but {right} is needed here");
            self.error(Diagnostic::error(term.span, message));
        }
    }

    pub fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// A name cannot be told what it is: the text contradicts itself.
    pub fn not_a<T>(&mut self, span: Span, kinds: Kinds) -> Option<T> {
        let message = format!("expected {}", kinds.describe());
        self.error(Diagnostic::error(span, message));
        None
    }
}

/// "1 field", "2 fields"
fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// The names in a formula, in order of occurrence, with repetitions.
fn names(disjuncts: &[Disjunct]) -> Vec<&str> {
    let mut stack: Vec<&Term> = Vec::new();
    for disjunct in disjuncts {
        for term in &disjunct.heap {
            match term {
                HeapTerm::PointsTo(source, _, fields) => {
                    stack.push(source);
                    stack.extend(fields);
                }
                HeapTerm::Instance(_, args) => stack.extend(args),
            }
        }
        for term in &disjunct.pure {
            if let PureTerm::Compare(_, left, right) = term {
                stack.extend([left, right]);
            }
        }
    }
    stack.reverse();
    let mut names = Vec::new();
    while let Some(term) = stack.pop() {
        match &term.kind {
            TermKind::Name(name) => names.push(&name[..]),
            TermKind::Sum(summands) => stack.extend(summands.iter().rev().map(|(_, term)| term)),
            TermKind::Product(first, factors) => {
                stack.extend(factors.iter().rev().map(|(_, term)| term));
                stack.push(first);
            }
            _ => {}
        }
    }
    names
}

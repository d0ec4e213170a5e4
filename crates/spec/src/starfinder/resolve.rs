//! Names and types: the first of two walks over the tree.
//!
//! It finds out what every name is, so that the second walk (`build`) can make
//! variables of the right sort.

use heapwright_logic::{ClassId, Definitions, IntType, PredId, Sort, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Precondition;
use super::ast::{self, Comparison, Disjunct, File, HeapTerm, Name, PureTerm, Term, TermKind};
use super::class::Layout;
use super::code::Code;
use super::infer::{Conflict, Kinds, TypeVar, Types};
use super::names::mentioned;
use super::symbol_table::SymbolTable;
use crate::Contract;
use crate::diagnostic::{Diagnostic, FileId, Span, did_you_mean};
use crate::resolve::cycles_without_cells;

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
    /// The code that the file is about, if it is read for code.
    pub code: Option<Code>,
    /// Errors about names that are wrong wherever they are used: each is told once.
    told: FxHashSet<String>,
}

impl Resolver {
    pub fn new(
        terms: Terms,
        definitions: Definitions,
        code: Option<Code>,
        diagnostics: Vec<Diagnostic>,
    ) -> Self {
        Resolver {
            terms,
            definitions,
            diagnostics,
            types: Types::default(),
            classes: FxHashMap::default(),
            layouts: FxHashMap::default(),
            predicates: FxHashMap::default(),
            code,
            told: FxHashSet::default(),
        }
    }

    /// Resolves a file without its code. Predicates end up in the table of definitions.
    pub fn resolve(&mut self, file: &File) -> Vec<Precondition> {
        self.declare_classes(&file.data);
        self.distinct_preconditions(file);
        let predicate_scopes = self.infer_predicates(file);
        let mut precondition_scopes = Vec::with_capacity(file.preconditions.len());
        for precondition in &file.preconditions {
            let outer = self.free_names(&precondition.disjuncts);
            precondition_scopes.push(self.infer(&precondition.disjuncts, &outer));
        }
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return Vec::new();
        }
        self.finish_classes();
        self.build_predicates(file, predicate_scopes);
        self.warn_recursion(file);
        self.build_preconditions(file, precondition_scopes)
    }

    /// Resolves a file for code: the contracts of its methods.
    pub fn resolve_for_code(&mut self, file: &mut File) -> Vec<Contract> {
        self.bind_data(&file.data);
        replace_preconditions(file);
        self.distinct_preconditions(file);
        let predicate_scopes = self.infer_predicates(file);
        let mut found = Vec::new();
        for (index, precondition) in file.preconditions.iter().enumerate() {
            let candidates = self.candidates(precondition);
            for (method, scopes) in self.infer_for(precondition, &candidates) {
                found.push((index, method, scopes));
            }
        }
        if self.diagnostics.iter().any(Diagnostic::is_error) {
            return Vec::new();
        }
        self.build_predicates(file, predicate_scopes);
        self.warn_recursion(file);
        let mut contracts = Vec::new();
        for (index, method, scopes) in found {
            let precondition = self.build_precondition(&file.preconditions[index], scopes);
            contracts.extend(self.contract(&precondition, method));
        }
        contracts
    }

    /// A precondition for those of some methods that it makes sense for. If it does for none, what
    /// is wrong for the first one is reported.
    fn infer_for(
        &mut self,
        precondition: &ast::Precondition,
        candidates: &[usize],
    ) -> Vec<(usize, Vec<SymbolTable>)> {
        let mut found = Vec::new();
        let mut first_errors = None;
        for &method in candidates {
            let signature = self
                .code
                .as_ref()
                .and_then(|code| code.signatures.get(method));
            let Some(signature) = signature.cloned() else {
                continue;
            };
            // Of overloaded methods one may not fit.
            let before = (candidates.len() > 1).then(|| (self.types.clone(), self.told.clone()));
            let known = self.diagnostics.len();
            let outer = self.scope_of(&precondition.disjuncts, &signature);
            let scopes = self.infer(&precondition.disjuncts, &outer);
            match before {
                Some(before) if self.diagnostics[known..].iter().any(Diagnostic::is_error) => {
                    (self.types, self.told) = before;
                    let errors = self.diagnostics.split_off(known);
                    first_errors.get_or_insert(errors);
                }
                _ => found.push((method, scopes)),
            }
        }
        if found.is_empty() {
            self.diagnostics.extend(first_errors.unwrap_or_default());
        }
        found
    }

    fn infer_predicates(&mut self, file: &File) -> Vec<Vec<SymbolTable>> {
        self.declare_predicates(file);
        let mut scopes = Vec::with_capacity(file.predicates.len());
        for predicate in &file.predicates {
            let mut outer = SymbolTable::default();
            let types = self.predicates.get(&predicate.name.text).cloned();
            let params = types.map_or(Vec::new(), |types| types.params);
            for (index, (name, ty)) in predicate.params.iter().zip(params).enumerate() {
                if outer.contains(&name.text) {
                    let mut before = predicate.params[..index].iter();
                    let before = before.find(|before| before.text == name.text);
                    self.duplicate("parameter", name, before.map(|before| before.span));
                }
                outer.add_outer(&name.text, ty, None);
            }
            self.check_predicate(&predicate.disjuncts, &outer);
            scopes.push(self.infer(&predicate.disjuncts, &outer));
        }
        scopes
    }

    /// Warns of recursion that makes no progress.
    fn warn_recursion(&mut self, file: &File) {
        for id in cycles_without_cells(&self.definitions) {
            let name = &self.definitions.predicate(id).name;
            let mut predicates = file.predicates.iter();
            let Some(predicate) = predicates.find(|known| known.name.text == *name) else {
                continue;
            };
            let message = format!("predicate `{name}` reaches itself without describing a cell");
            let help = "a derivation through this recursion describes nothing; is a `::` missing?";
            let warning = Diagnostic::warning(predicate.name.span, message).with_help(help);
            self.diagnostics.push(warning);
        }
    }

    fn distinct_preconditions(&mut self, file: &File) {
        let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
        for precondition in &file.preconditions {
            let method = &precondition.method;
            match seen.get(&method.text[..]) {
                Some(&before) => self.duplicate("precondition of", method, Some(before)),
                None => {
                    seen.insert(&method.text, method.span);
                }
            }
        }
    }

    /// Something that is defined twice.
    pub fn duplicate(&mut self, what: &str, name: &Name, before: Option<Span>) {
        let message = format!("{what} `{}` is defined twice", name.text);
        let mut diagnostic = Diagnostic::error(name.span, message);
        if let Some(before) = before {
            diagnostic = diagnostic.with_note_at(before, "first defined here");
        }
        self.error(diagnostic);
    }

    fn declare_predicates(&mut self, file: &File) {
        for predicate in &file.predicates {
            let name = &predicate.name;
            if self.predicates.contains_key(&name.text) {
                let mut before = file.predicates.iter();
                let before = before.find(|before| before.name.text == name.text);
                self.duplicate("predicate", name, before.map(|before| before.name.span));
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

    /// The names of a precondition whose method is not known: it quantifies none.
    fn free_names(&mut self, disjuncts: &[Disjunct]) -> SymbolTable {
        let mut outer = SymbolTable::default();
        for (name, _) in mentioned(disjuncts) {
            if !outer.contains(name) {
                let ty = self.types.fresh(Kinds::ANY);
                outer.add_outer(name, ty, None);
            }
        }
        outer
    }

    fn infer(&mut self, disjuncts: &[Disjunct], outer: &SymbolTable) -> Vec<SymbolTable> {
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
            self.check_classes(disjunct, &scope);
            scopes.push(scope);
        }
        scopes
    }

    fn infer_points_to(
        &mut self,
        source: &Term,
        class_name: &Name,
        fields: &[Term],
        scope: &mut SymbolTable,
    ) {
        let Some(class) = self.class(class_name) else {
            // Names inside are looked at all the same, so that what is wrong with them is seen too.
            for field in fields {
                if !matches!(field.kind, TermKind::Wildcard) {
                    self.type_of(field, scope);
                }
            }
            return;
        };
        let ty = self.type_of(source, scope);
        let refined = (self.types).restrict_to_sort(ty, Sort::Ref(class), &self.definitions);
        self.agree(source, refined);
        let layout = self.layout(class, class_name, fields);
        let listed = self.listed(class, fields.len());
        let expected = match &layout {
            Layout::Known | Layout::Listed(_) => listed.len(),
            Layout::Inferred(inferred) => inferred.types.len(),
        };
        if expected != fields.len() {
            let declared = &self.definitions.class(class).fields;
            let known: Vec<_> = match layout {
                Layout::Known | Layout::Listed(_) => (listed.iter())
                    .map(|&at| declared.get(at).map_or("?", |field| &field.name).to_owned())
                    .collect(),
                Layout::Inferred(inferred) => inferred.names,
            };
            let (expected, found) = (count(expected, "field"), fields.len());
            let message = format!("`{}` has {expected}, found {found}", class_name.text);
            let note = format!("the fields are: {}", known.join(", "));
            let help = self.code.is_some().then(|| {
                format!(
                    "to give some of them, or in another order, declare which: \
                     `data {} {{ type field; ... }}`",
                    class_name.text
                )
            });
            let diagnostic = Diagnostic::error(class_name.span, message)
                .with_note(note)
                .with_optional_help(help);
            self.error(diagnostic);
            for field in fields {
                if !matches!(field.kind, TermKind::Wildcard) {
                    self.type_of(field, scope);
                }
            }
            return;
        }
        for (position, field) in fields.iter().enumerate() {
            if matches!(field.kind, TermKind::Wildcard) {
                continue;
            }
            let ty = self.type_of(field, scope);
            let (refined, width) = match &layout {
                Layout::Known | Layout::Listed(_) => {
                    let declared = &self.definitions.class(class).fields;
                    let at = listed.get(position).and_then(|&at| declared.get(at));
                    // A field that there is not was reported.
                    let Some(sort) = at.map(|field| field.sort) else {
                        continue;
                    };
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

    fn infer_instance(&mut self, name: &Name, args: &[Term], scope: &mut SymbolTable) {
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
        scope: &mut SymbolTable,
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
    fn type_of(&mut self, term: &Term, scope: &mut SymbolTable) -> TypeVar {
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
        scope: &mut SymbolTable,
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

    /// The same for a name that is wrong wherever it is used: one mistake.
    pub fn error_about_name(&mut self, diagnostic: Diagnostic) {
        if self.told.insert(diagnostic.message.clone()) {
            self.diagnostics.push(diagnostic);
        }
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

/// Preconditions of further texts replace those of the first one for the same methods.
fn replace_preconditions(file: &mut File) {
    let given: Vec<Name> = (file.preconditions.iter())
        .filter(|precondition| precondition.method.span.file != FileId(0))
        .map(|precondition| precondition.method.clone())
        .collect();
    file.preconditions.retain(|precondition| {
        let method = &precondition.method;
        method.span.file != FileId(0) || given.iter().all(|given| given.text != method.text)
    });
}

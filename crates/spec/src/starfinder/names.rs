//! The names of a formula: where they stand, which of them the code gives a meaning, and which are
//! probably misspelled.
//!
//! A name that nothing declares stands for any value. That is how the notation quantifies, and also
//! what becomes of a mistake in spelling, which is why every name that looks like one of the code
//! has to be one of it.

use std::collections::BTreeMap;

use super::ast::{Disjunct, HeapTerm, PureTerm, Term, TermKind};
use super::code::ClassFound;
use super::infer::Kinds;
use super::mangle::mangle;
use super::resolve::Resolver;
use super::symbol_table::SymbolTable;
use crate::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::{Signature, StaticAccess};

/// What stands before the name of a field of the receiver.
const THIS: &str = "this_";

/// The names in a formula with their places, in order of occurrence, with repetitions.
pub(super) fn mentioned(disjuncts: &[Disjunct]) -> Vec<(&str, Span)> {
    let mut names = Vec::new();
    for disjunct in disjuncts {
        names.extend(occurrences(disjunct).map(|(name, span, _)| (name, span)));
    }
    names
}

/// The names of a disjunct with their places, and whether each is the whole of a field of a cell.
fn occurrences(disjunct: &Disjunct) -> impl Iterator<Item = (&str, Span, bool)> {
    let mut stack: Vec<(&Term, bool)> = Vec::new();
    for term in &disjunct.heap {
        match term {
            HeapTerm::PointsTo(source, _, fields) => {
                stack.push((source, false));
                stack.extend(fields.iter().map(|field| (field, true)));
            }
            HeapTerm::Instance(_, args) => stack.extend(args.iter().map(|arg| (arg, false))),
        }
    }
    for term in &disjunct.pure {
        if let PureTerm::Compare(_, left, right) = term {
            stack.extend([(left, false), (right, false)]);
        }
    }
    stack.reverse();
    let mut names = Vec::new();
    while let Some((term, is_field)) = stack.pop() {
        match &term.kind {
            TermKind::Name(name) => names.push((&name[..], term.span, is_field)),
            TermKind::Sum(summands) => {
                stack.extend(summands.iter().rev().map(|(_, term)| (term, false)));
            }
            TermKind::Product(first, factors) => {
                stack.extend(factors.iter().rev().map(|(_, term)| (term, false)));
                stack.push((first, false));
            }
            _ => {}
        }
    }
    names.into_iter()
}

/// What a name of a precondition is in the code.
enum Meaning {
    /// Nothing: it is quantified.
    None,
    /// The static field of this number.
    Static(usize),
    /// Something that the code does not have.
    Wrong(Box<Diagnostic>),
}

impl Resolver {
    /// The names that a precondition of a method does not quantify: its parameters, `this` and its
    /// fields, and the static fields that are mentioned. Wrong ones are reported.
    pub fn scope_of(&mut self, disjuncts: &[Disjunct], signature: &Signature) -> SymbolTable {
        let mut outer = SymbolTable::default();
        let mut names: Vec<(String, heapwright_logic::Sort)> = signature
            .names
            .iter()
            .cloned()
            .zip(signature.params.iter().copied())
            .collect();
        if let (Some(class), true) = (signature.class, signature.has_receiver) {
            names.push(("this".to_owned(), heapwright_logic::Sort::Ref(class)));
            let fields = self.definitions.class(class).fields.iter().rev();
            for field in fields {
                let name = format!("{THIS}{}", field.name);
                if names.iter().all(|(known, _)| *known != name) {
                    names.push((name, field.sort));
                }
            }
        }
        for (name, sort) in names {
            let ty = self.types.fresh(Kinds::ANY);
            // A fresh type fits every sort.
            let _ = self.types.restrict_to_sort(ty, sort, &self.definitions);
            outer.add_outer(&name, ty, Some(sort));
        }
        let mut seen: Vec<&str> = Vec::new();
        for (name, span) in mentioned(disjuncts) {
            if outer.contains(name) || seen.contains(&name) {
                continue;
            }
            seen.push(name);
            match self.meaning(name, span, Some(signature), &outer) {
                Meaning::None => {}
                Meaning::Static(field) => self.add_static(&mut outer, name, span, field),
                Meaning::Wrong(diagnostic) => self.error_about_name(*diagnostic),
            }
        }
        self.warn_of_single_mentions(disjuncts, &outer, true);
        outer
    }

    /// Reports names of a predicate that only preconditions know.
    pub fn check_predicate(&mut self, disjuncts: &[Disjunct], outer: &SymbolTable) {
        if self.code.is_some() {
            let mut seen: Vec<&str> = Vec::new();
            for (name, span) in mentioned(disjuncts) {
                if outer.contains(name) || seen.contains(&name) {
                    continue;
                }
                seen.push(name);
                let is_static = matches!(
                    self.meaning(name, span, None, outer),
                    Meaning::Static(_) | Meaning::Wrong(_)
                );
                if name.starts_with(THIS) || name == "this" || is_static {
                    let message = format!("`{name}` is known in preconditions only");
                    let help = "make it a parameter, and give it in the precondition";
                    self.error_about_name(Diagnostic::error(span, message).with_help(help));
                }
            }
        }
        self.warn_of_single_mentions(disjuncts, outer, false);
    }

    fn add_static(&mut self, outer: &mut SymbolTable, name: &str, span: Span, number: usize) {
        let Some(field) = (self.code.as_ref()).and_then(|code| code.statics.get(number)) else {
            return;
        };
        let class = &self.definitions.class(field.class).name;
        let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
        let shown = format!("{simple}.{}", field.name);
        let (sort, access) = (field.sort, field.access.clone());
        let ty = self.types.fresh(Kinds::ANY);
        let _ = self.types.restrict_to_sort(ty, sort, &self.definitions);
        match access {
            StaticAccess::Input => outer.add_static(name, shown, number, ty, sort),
            StaticAccess::Constant(value) => outer.add_constant(name, ty, sort, value),
            StaticAccess::Unsupported(reason) => {
                // Known from here on, so that nothing else is said about it.
                outer.add_outer(name, ty, Some(sort));
                let message = format!("nothing can be said about `{shown}`: it {reason}");
                self.error(Diagnostic::error(span, message));
            }
        }
    }

    /// What a name that is no parameter is.
    fn meaning(
        &self,
        name: &str,
        span: Span,
        method: Option<&Signature>,
        outer: &SymbolTable,
    ) -> Meaning {
        let Some(code) = &self.code else {
            return Meaning::None;
        };
        let class = method.and_then(|method| method.class);
        if let ("this", Some(method)) = (name, method) {
            let message = format!("`{}` is static and has no `this`", method.method);
            return Meaning::Wrong(Box::new(Diagnostic::error(span, message)));
        }
        if let (Some(field), Some(class)) = (name.strip_prefix(THIS), class) {
            return self.field_of_receiver(name, field, span, class, method, outer);
        }
        // `pkg_Outer__Inner_field`: any `_` may be the one before the field.
        for (at, _) in name.match_indices('_') {
            let (class, field) = (&name[..at], &name[at + 1..]);
            let (ClassFound::One(class), false) = (self.find_class(class), field.is_empty()) else {
                continue;
            };
            if let Some(number) = self.static_of(class, field) {
                return Meaning::Static(number);
            }
            // `my_Node` may be a name, but `Sll4_x` can only be meant as a field.
            let simple = self.definitions.class(class).name.rsplit(['.', '$']).next();
            let is_class = simple.is_some_and(|simple| simple.starts_with(char::is_uppercase));
            if is_class && !name[at..].starts_with("__") {
                let known = code.statics.iter();
                let known = known.filter(|known| self.definitions.is_subclass(class, known.class));
                let known: Vec<&str> = known.map(|known| known.name.as_str()).collect();
                let class = &self.definitions.class(class).name;
                let message = format!("class `{class}` has no static field `{field}`");
                let help = did_you_mean(field, known.iter().copied());
                let diagnostic = Diagnostic::error(span, message).with_optional_help(help);
                return Meaning::Wrong(Box::new(diagnostic));
            }
        }
        Meaning::None
    }

    fn field_of_receiver(
        &self,
        name: &str,
        field: &str,
        span: Span,
        class: heapwright_logic::ClassId,
        method: Option<&Signature>,
        outer: &SymbolTable,
    ) -> Meaning {
        if let Some(number) = self.static_of(class, field) {
            return Meaning::Static(number);
        }
        let own = &self.definitions.class(class);
        let is_field = own.fields.iter().any(|known| known.name == field);
        let diagnostic = match is_field {
            true => {
                let method = method.map_or("", |method| &method.method);
                let message = format!("`{method}` is static, so there is no `{name}`");
                Diagnostic::error(span, message)
            }
            false => {
                let statics = self.code.iter().flat_map(|code| &code.statics);
                let statics =
                    statics.filter(|known| self.definitions.is_subclass(class, known.class));
                let statics: Vec<String> = statics
                    .map(|known| format!("{THIS}{}", known.name))
                    .collect();
                let known = (outer.entries.iter()).map(|entry| entry.name.as_str());
                let known = known.chain(statics.iter().map(String::as_str));
                let message = format!("class `{}` has no field `{field}`", own.name);
                Diagnostic::error(span, message).with_optional_help(did_you_mean(name, known))
            }
        };
        Meaning::Wrong(Box::new(diagnostic))
    }

    /// The static field of a class or what it extends and implements.
    fn static_of(&self, class: heapwright_logic::ClassId, name: &str) -> Option<usize> {
        let statics = &self.code.as_ref()?.statics;
        let own = statics.iter();
        let own = own
            .clone()
            .position(|field| field.class == class && field.name == name);
        own.or_else(|| {
            let mut fields = statics.iter();
            fields.position(|field| {
                field.name == name && self.definitions.is_subclass(class, field.class)
            })
        })
    }

    /// Warns of names that nothing declares, that occur once in a disjunct, as more than the
    /// contents of a field, and that are spelled nearly like another one.
    fn warn_of_single_mentions(
        &mut self,
        disjuncts: &[Disjunct],
        outer: &SymbolTable,
        in_precondition: bool,
    ) {
        let mut warnings = Vec::new();
        for disjunct in disjuncts {
            let mut counts: BTreeMap<&str, (usize, Span, bool)> = BTreeMap::new();
            for (name, span, is_field) in occurrences(disjunct) {
                let entry = counts.entry(name).or_insert((0, span, is_field));
                entry.0 += 1;
            }
            for (&name, &(count, span, is_field)) in &counts {
                if count > 1 || is_field || outer.contains(name) {
                    continue;
                }
                let others = counts.keys().copied().filter(|other| *other != name);
                let outer = outer.entries.iter().map(|entry| entry.name.as_str());
                let statics = self.static_names(in_precondition);
                let known = others
                    .chain(outer)
                    .chain(statics.iter().map(String::as_str))
                    .filter(|other| letters(other) != letters(name));
                let advice = did_you_mean(name, known);
                let looks_static = in_precondition && looks_static(name);
                if advice.is_none() && !looks_static {
                    continue;
                }
                let message =
                    format!("`{name}` stands for any value, since nothing else mentions it");
                warnings.push(
                    Diagnostic::warning(span, message)
                        .with_optional_help(advice)
                        .with_help("write `_` if any value is meant"),
                );
            }
        }
        self.diagnostics.extend(warnings);
    }

    /// The static fields as a precondition may name them.
    fn static_names(&self, in_precondition: bool) -> Vec<String> {
        let statics = self.code.iter().filter(|_| in_precondition);
        let statics = statics.flat_map(|code| &code.statics);
        statics
            .flat_map(|field| {
                let class = &self.definitions.class(field.class).name;
                let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
                [
                    format!("{}_{}", mangle(class), field.name),
                    format!("{simple}_{}", field.name),
                ]
            })
            .collect()
    }
}

/// A name without the digits at its end: `next1` is no misspelled `next2`.
fn letters(name: &str) -> &str {
    name.trim_end_matches(|c: char| c.is_ascii_digit())
}

/// Whether a name is written as the static field of a class is: `Sll4_x`.
fn looks_static(name: &str) -> bool {
    let class = name.rsplit_once('_').map(|(class, _)| class);
    class.is_some_and(|class| {
        let simple = class.rsplit('_').next().unwrap_or(class);
        simple.starts_with(char::is_uppercase)
    })
}

//! Resolving the disjuncts of a formula: cells, predicate instances, pure conditions.

use heapwright_logic::{ClassId, Definitions, IntType, Sort};
use rustc_hash::{FxHashMap, FxHashSet};

use super::distribute::{Atom, Branches, QuantifierId, distribute};
use super::hir::{Body, Cell, Disjunct, Instance, LocalId, Node, Range, Role, Term};
use super::kind::{Kind, Variance};
use super::{Resolver, count};
use crate::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::syntax::ast::{Expr, ExprKind, FieldArgument, Name, function_arity, function_names};

/// What is needed to resolve the names of one disjunct.
pub(super) struct Context<'c, 'a> {
    pub body: &'c mut Body,
    pub branches: &'c Branches<'a>,
    /// The quantifier around the conjunct that is being resolved.
    pub quantifier: Option<QuantifierId>,
    /// Quantified names, with the places where they are bound.
    pub bound: FxHashMap<(QuantifierId, &'a str), (LocalId, Span)>,
    /// Quantifiers whose names are in `bound`.
    entered: FxHashSet<QuantifierId>,
    /// Names of a contract that nothing declares.
    pub ghosts: FxHashMap<String, LocalId>,
    pub paths: FxHashMap<(LocalId, String), LocalId>,
    pub disjunct: Disjunct,
    /// Inside of `old( )`.
    pub old: bool,
}

impl Resolver {
    /// Resolves the names of a formula and keeps the body.
    pub(super) fn elaborate(&mut self, mut body: Body, formula: &Expr) {
        let branches = distribute(formula, &mut self.sink);
        self.mentions.clear();
        for quantifier in &branches.quantifiers {
            let mut seen: FxHashMap<&str, Span> = FxHashMap::default();
            for binder in quantifier.binders {
                let name = &binder.name;
                self.quantified
                    .entry(name.span)
                    .or_insert_with(|| (name.text.clone(), false));
                if let Some(before) = seen.insert(&name.text, name.span) {
                    self.duplicate("quantified variable", name, before);
                }
            }
        }
        for atoms in &branches.disjuncts {
            let mut ctx = Context {
                body: &mut body,
                branches: &branches,
                quantifier: None,
                bound: FxHashMap::default(),
                entered: FxHashSet::default(),
                ghosts: FxHashMap::default(),
                paths: FxHashMap::default(),
                disjunct: Disjunct::default(),
                old: false,
            };
            for atom in atoms {
                self.atom(&mut ctx, *atom);
            }
            let disjunct = ctx.disjunct;
            body.disjuncts.push(disjunct);
        }
        self.warn_of_single_mentions(&body);
        self.bodies.push(body);
    }

    fn atom<'a>(&mut self, ctx: &mut Context<'_, 'a>, atom: Atom<'a>) {
        ctx.quantifier = atom.quantifier;
        self.enter_scopes(ctx);
        match &atom.expr.kind {
            ExprKind::PointsTo(source, class, arguments) => {
                self.cell(ctx, source, class, arguments);
            }
            ExprKind::Call(name, args) if function_arity(&name.text).is_none() => {
                self.instance(ctx, name, args, atom.expr.span);
            }
            _ => {
                let term = self.term(ctx, atom.expr);
                let bool_kind = self.fixed(Sort::Bool);
                self.demand(term.span, term.kind, bool_kind);
                ctx.disjunct.pure.push(term);
            }
        }
    }

    /// Makes the names of the surrounding quantifiers known, outermost first. Every disjunct
    /// has variables of its own.
    fn enter_scopes(&mut self, ctx: &mut Context<'_, '_>) {
        let mut missing = Vec::new();
        let mut current = ctx.quantifier;
        while let Some(quantifier) = current {
            if ctx.entered.contains(&quantifier) {
                break;
            }
            missing.push(quantifier);
            current = ctx.branches.quantifiers[quantifier.0 as usize].parent;
        }
        for quantifier in missing.into_iter().rev() {
            ctx.entered.insert(quantifier);
            for binder in ctx.branches.quantifiers[quantifier.0 as usize].binders {
                let declared = binder.ty.as_ref().and_then(|ty| self.resolve_type(ty));
                let local = self.new_local(&binder.name.text, Role::Quantified, declared);
                let place = binder.name.span;
                ctx.bound
                    .insert((quantifier, &binder.name.text), (local, place));
                ctx.disjunct.owned.push(local);
            }
        }
    }

    fn cell<'a>(
        &mut self,
        ctx: &mut Context<'_, 'a>,
        source: &'a Expr,
        class: &'a Name,
        arguments: &'a [FieldArgument],
    ) {
        let source = self.term(ctx, source);
        let class = self.resolve_class(class).map(|id| (id, class));
        let Some((class, name)) = class else {
            // Names inside are resolved all the same, so that their errors are seen too.
            for argument in arguments {
                self.term(ctx, &argument.value);
            }
            return;
        };
        if self.open_classes.contains_key(&class) {
            let message = format!("the fields of class `{}` are not known", name.text);
            let help = format!("declare it: `data {} {{ ... }}`", name.text);
            let diagnostic = Diagnostic::error(name.span, message).with_help(help);
            self.sink.push_about_name(diagnostic);
            // Nothing more can be said about them.
            for argument in arguments {
                self.term(ctx, &argument.value);
            }
            return;
        }
        let reference = self.kinds.fresh(Kind::Ref(Some(class)), Variance::Fixed);
        self.demand(source.span, source.kind, reference);
        let fields = self.field_values(ctx, &source, class, name, arguments);
        let cell = Cell {
            source,
            class,
            fields,
        };
        ctx.disjunct.cells.push(cell);
    }

    /// One term per field: those that are given by position or name, wildcards for the others.
    fn field_values<'a>(
        &mut self,
        ctx: &mut Context<'_, 'a>,
        source: &Term,
        class: ClassId,
        name: &Name,
        arguments: &'a [FieldArgument],
    ) -> Vec<Term> {
        let fields = self.definitions.class(class).fields.clone();
        let positional = arguments.iter().filter(|a| a.field.is_none()).count();
        let all_positional = positional == arguments.len() && positional > 0;
        if positional > fields.len() || (all_positional && positional < fields.len()) {
            let names: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
            let message = format!(
                "`{}` has {}, but {} given",
                name.text,
                count(fields.len(), "field"),
                if positional == 1 {
                    "1 is".to_owned()
                } else {
                    format!("{positional} are")
                }
            );
            let diagnostic = Diagnostic::error(name.span, message)
                .with_expected(format!("`{}({})`", name.text, names.join(", ")))
                .with_help("fields may be named, and the others left out: `Node(next: n)`");
            self.sink.push(diagnostic);
            // Which value is for which field is not known, so nothing is said about their sorts.
            for argument in arguments {
                self.term(ctx, &argument.value);
            }
            let fields = fields.iter();
            return fields
                .map(|field| self.wildcard(ctx, &field.name, Some(field.sort), name.span))
                .collect();
        }
        let mut values: Vec<Option<Term>> = vec![None; fields.len()];
        let mut named = false;
        for (position, argument) in arguments.iter().enumerate() {
            let index = match &argument.field {
                Some(field) => {
                    named = true;
                    self.resolve_field(class, field).map(|(index, _)| index)
                }
                None => {
                    if named {
                        let message = "a field without a name behind one with a name";
                        let diagnostic = Diagnostic::error(argument.value.span, message)
                            .with_help("name this field too, or write it first");
                        self.sink.push(diagnostic);
                    }
                    (position < fields.len() && !named).then_some(position)
                }
            };
            let Some(index) = index else {
                self.term(ctx, &argument.value);
                continue;
            };
            let field = &fields[index];
            let value = match &argument.value.kind {
                ExprKind::Part(inside) => {
                    let span = argument.value.span;
                    self.part(
                        ctx,
                        (source, class),
                        (&field.name, field.sort),
                        inside,
                        span,
                    )
                }
                _ => self.value_of_sort(ctx, &argument.value, &field.name, field.sort),
            };
            if values[index].is_some() {
                let span = argument.field.as_ref().map_or(value.span, |name| name.span);
                let message = format!("field `{}` is given twice", field.name);
                self.sink.push(Diagnostic::error(span, message));
            }
            values[index] = Some(value);
        }
        let filled = values.into_iter().zip(&fields).map(|(value, field)| {
            value.unwrap_or_else(|| self.wildcard(ctx, &field.name, Some(field.sort), name.span))
        });
        filled.collect()
    }

    /// A struct inside of a cell, described with it: a cell of its own that leads back.
    fn part<'a>(
        &mut self,
        ctx: &mut Context<'_, 'a>,
        (whole, class): (&Term, ClassId),
        (field, sort): (&str, Sort),
        arguments: &'a [FieldArgument],
        span: Span,
    ) -> Term {
        let part = match sort {
            Sort::Ref(part) => outer_of(&self.definitions, part).map(|outer| (part, outer)),
            _ => None,
        };
        let Some((part, outer)) = part else {
            let class = &self.definitions.class(class).name;
            let message = format!("field `{field}` of `{class}` is no struct inside of it");
            let diagnostic = Diagnostic::error(span, message)
                .with_expected("a value")
                .with_help("give it a name, and write what it leads to as a cell of its own");
            self.sink.push(diagnostic);
            for argument in arguments {
                self.term(ctx, &argument.value);
            }
            return self.wildcard(ctx, field, Some(sort), span);
        };
        let source = self.wildcard(ctx, field, Some(sort), span);
        let name = Name {
            text: self.definitions.class(part).name.clone(),
            span,
        };
        let mut fields = self.field_values(ctx, &source, part, &name, arguments);
        if let Some(back) = fields.get_mut(outer) {
            *back = whole.clone();
        }
        ctx.disjunct.cells.push(Cell {
            source: source.clone(),
            class: part,
            fields,
        });
        source
    }

    /// `&` is for structs inside of others: looks at the sort of the field behind one.
    pub(super) fn check_address(&mut self, value: LocalId, sort: Sort) {
        let is_part =
            matches!(sort, Sort::Ref(class) if outer_of(&self.definitions, class).is_some());
        let (own, others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.addresses)
            .into_iter()
            .partition(|(known, _)| *known == value);
        self.addresses = others;
        for (_, span) in own.into_iter().filter(|_| !is_part) {
            self.no_address(span);
        }
    }

    /// Reports an `&` in front of something else.
    pub(super) fn no_address(&mut self, span: Span) {
        let diagnostic = Diagnostic::error(span, "`&` is for structs inside of others")
            .with_expected("`&x.link`, where `link` is a struct and no pointer")
            .with_help("what a pointer leads to is the value of its field: `x.next`");
        self.sink.push(diagnostic);
    }

    /// A term where a value of a declared sort is wanted.
    pub(super) fn value_of_sort<'a>(
        &mut self,
        ctx: &mut Context<'_, 'a>,
        value: &'a Expr,
        name: &str,
        sort: Sort,
    ) -> Term {
        if value.kind == ExprKind::Wildcard {
            return self.wildcard(ctx, name, Some(sort), value.span);
        }
        let term = self.term(ctx, value);
        let expected = self.fixed(sort);
        self.demand(term.span, term.kind, expected);
        if let (Some(local), Sort::Machine(ty)) = (term.as_local(), sort) {
            self.narrow(local, ty);
        }
        term
    }

    /// A variable that stands for the whole of a field has the range of the field.
    pub(super) fn narrow(&mut self, local: LocalId, ty: IntType) {
        let within = |a: IntType, b: IntType| b.min() <= a.min() && a.max() <= b.max();
        let local = self.local_mut(local);
        local.range = match local.range {
            Range::Unbounded => Range::Machine(ty),
            Range::Machine(known) if within(known, ty) => Range::Machine(known),
            Range::Machine(known) if within(ty, known) => Range::Machine(ty),
            Range::Machine(_) | Range::Mixed => Range::Mixed,
        };
    }

    fn instance<'a>(
        &mut self,
        ctx: &mut Context<'_, 'a>,
        name: &'a Name,
        args: &'a [Expr],
        span: Span,
    ) {
        let Some(signed) = self.predicates.get(&name.text) else {
            self.unknown_predicate(name);
            for arg in args {
                self.term(ctx, arg);
            }
            return;
        };
        let predicate = signed.id;
        let wanted: Vec<_> = (signed.params.iter())
            .map(|param| (param.name.clone(), param.kind, param.declared))
            .collect();
        if wanted.len() != args.len() {
            let names: Vec<_> = wanted.iter().map(|(name, ..)| name.as_str()).collect();
            let message = format!(
                "`{}` takes {}, but {} given",
                name.text,
                count(wanted.len(), "argument"),
                if args.len() == 1 {
                    "1 is".to_owned()
                } else {
                    format!("{} are", args.len())
                }
            );
            let expected = format!("`{}({})`", name.text, names.join(", "));
            let mut diagnostic = Diagnostic::error(span, message).with_expected(expected);
            if let Some(at) = signed.span {
                diagnostic = diagnostic.with_note_at(at, "defined here");
            }
            // As many names as there are arguments are taken to be right.
            if let Some(missing @ [_, ..]) = names.get(args.len()..) {
                let help = format!("add {}; `_` stands for any value", missing.join(", "));
                diagnostic = diagnostic.with_help(help);
            }
            self.sink.push_about_name(diagnostic);
        }
        let mut terms = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let term = match wanted.get(index) {
                None => self.term(ctx, arg),
                Some((param, _, Some(sort))) => self.value_of_sort(ctx, arg, param, *sort),
                Some((param, kind, None)) => {
                    let term = match arg.kind {
                        ExprKind::Wildcard => self.wildcard(ctx, param, None, arg.span),
                        _ => self.term(ctx, arg),
                    };
                    self.demand(term.span, term.kind, *kind);
                    term
                }
            };
            terms.push(term);
        }
        ctx.disjunct.instances.push(Instance {
            predicate,
            args: terms,
            span,
        });
    }

    fn unknown_predicate(&mut self, name: &Name) {
        if self.known_to_be_missing(&name.text) {
            return;
        }
        let message = format!("unknown predicate `{}`", name.text);
        if self.only_counted(name.span, &message) {
            return;
        }
        if let Some((module, _)) = name.text.split_once('.')
            && !(self.predicates.keys().chain(self.left_out.keys()))
                .any(|known| known.split_once('.').is_some_and(|known| known.0 == module))
        {
            let diagnostic = Diagnostic::error(name.span, "a path cannot be called")
                .with_expected("the name of a predicate before `(`");
            self.sink.push(diagnostic);
            return;
        }
        if let Some(lack) = self.left_out.get(&name.text) {
            let diagnostic = Diagnostic::error(name.span, message)
                .with_label("the import leaves this one out")
                .with_help(lack.clone());
            self.sink.push_about_name(diagnostic);
            return;
        }
        let mut known: Vec<&str> = self.predicates.keys().map(String::as_str).collect();
        known.sort_unstable();
        for function in function_names() {
            known.push(function);
        }
        let mut help = did_you_mean(&name.text, known);
        if self.class_named(&name.text).is_some() {
            help = Some(format!("a cell is written `x -> {}(...)`", name.text));
        }
        let diagnostic = Diagnostic::error(name.span, message).with_optional_help(help);
        self.sink.push_about_name(diagnostic);
    }

    /// A fresh existential variable.
    pub(super) fn wildcard(
        &mut self,
        ctx: &mut Context<'_, '_>,
        name: &str,
        sort: Option<Sort>,
        span: Span,
    ) -> Term {
        let local = self.new_local(name, Role::Wildcard, sort);
        ctx.disjunct.owned.push(local);
        self.local_term(local, span)
    }

    /// A variable as a term.
    pub(super) fn local_term(&mut self, local: LocalId, span: Span) -> Term {
        self.local_mut(local).used = true;
        Term {
            node: Node::Local(local),
            kind: self.local(local).kind,
            span,
        }
    }
}

/// The field of a struct inside of another one that leads to that; `None` for other classes.
pub(super) fn outer_of(definitions: &Definitions, class: ClassId) -> Option<usize> {
    let class = definitions.class(class);
    let index = class.fields.len().checked_sub(1)?;
    let last = class.fields.get(index)?;
    let Sort::Ref(outer) = last.sort else {
        return None;
    };
    let prefix = format!("{}.", definitions.class(outer).name);
    (last.name == "outer" && class.name.starts_with(&prefix)).then_some(index)
}

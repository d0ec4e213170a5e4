//! Names: quantified variables, parameters, fields of `this`, free names, dotted paths.

use super::Resolver;
use super::elaborate::Context;
use super::hir::{Body, LocalId, OldPath, Owner, PathUse, Role};
use super::statics::StaticPath;
use crate::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::syntax::ast::{ContractKind, Name};

impl Resolver {
    /// A name or dotted path.
    pub(super) fn path(
        &mut self,
        ctx: &mut Context<'_, '_>,
        path: &[Name],
        span: Span,
    ) -> Option<LocalId> {
        let (first, fields) = path.split_first()?;
        match self.static_path(ctx, path) {
            StaticPath::None => {}
            StaticPath::Reported => return None,
            StaticPath::Found(base, fields) => {
                if ctx.old && !fields.is_empty() {
                    return self.old_path(ctx, base, fields, span);
                }
                let mut value = base;
                for field in fields {
                    value = self.path_step(ctx, value, field, span);
                }
                return Some(value);
            }
        }
        if ctx.old
            && let Some(this) = self.implicit_this(ctx, first)
        {
            return self.old_path(ctx, this, path, span);
        }
        let base = self.lookup(ctx, first)?;
        if ctx.old && !fields.is_empty() {
            return self.old_path(ctx, base, fields, span);
        }
        let mut value = base;
        for field in fields {
            value = self.path_step(ctx, value, field, span);
        }
        Some(value)
    }

    /// The variable that stands for `base.field`, the same for every mention in a disjunct.
    fn path_step(
        &mut self,
        ctx: &mut Context<'_, '_>,
        base: LocalId,
        field: &Name,
        span: Span,
    ) -> LocalId {
        let key = (base, field.text.clone());
        if let Some(&value) = ctx.paths.get(&key) {
            return value;
        }
        self.local_mut(base).used = true;
        let value = self.new_local(&field.text, Role::Path, None);
        ctx.paths.insert(key, value);
        ctx.disjunct.owned.push(value);
        ctx.disjunct.paths.push(PathUse {
            base,
            field: field.clone(),
            value,
            span,
        });
        value
    }

    fn old_path(
        &mut self,
        ctx: &mut Context<'_, '_>,
        base: LocalId,
        fields: &[Name],
        span: Span,
    ) -> Option<LocalId> {
        if !matches!(
            self.local(base).role,
            Role::This | Role::Parameter | Role::Static
        ) {
            let message = "a path in `old` starts at `this`, a parameter or a static field";
            self.sink.push(Diagnostic::error(span, message));
            return None;
        }
        let names: Vec<_> = fields.iter().map(|field| field.text.as_str()).collect();
        let key = (base, names.join("."));
        if let Some(&known) = ctx.body.old_values.get(&key) {
            return Some(known);
        }
        // As it is written: whoever reads the formula has to find it again.
        let name = format!("old({}.{})", self.local(base).name, names.join("."));
        let value = self.new_local(&name, Role::Old, None);
        ctx.body.old_values.insert(key, value);
        self.local_mut(base).used = true;
        ctx.body.old.push(OldPath {
            base,
            fields: fields.to_vec(),
            value,
            steps: Vec::new(),
        });
        Some(value)
    }

    /// The variable of a name: quantified, parameter, field of `this`, or free.
    fn lookup(&mut self, ctx: &mut Context<'_, '_>, name: &Name) -> Option<LocalId> {
        if let Some(local) = self.declared_name(ctx, name) {
            if ctx.old && self.local(local).role == Role::Result {
                let message = "there is no `result` before the call";
                self.sink.push(Diagnostic::error(name.span, message));
            }
            return Some(local);
        }
        if let Some(this) = self.implicit_this(ctx, name) {
            return Some(self.path_step(ctx, this, name, name.span));
        }
        let places = self.mentions.entry(name.text.clone()).or_default();
        places.insert(name.span);
        if let Some(&ghost) = ctx.ghosts.get(&name.text) {
            return Some(ghost);
        }
        self.free_name(ctx, name)
    }

    /// A name that a quantifier or parameter declares.
    pub(super) fn declared_name(&mut self, ctx: &Context<'_, '_>, name: &Name) -> Option<LocalId> {
        let mut current = ctx.quantifier;
        while let Some(quantifier) = current {
            if let Some(&(local, binder)) = ctx.bound.get(&(quantifier, name.text.as_str())) {
                self.mark_used(local, binder);
                return Some(local);
            }
            current = ctx.branches.quantifiers[quantifier.0 as usize].parent;
        }
        ctx.body.names.get(&name.text).copied()
    }

    /// `this`, if the name is that of a field of the class and nothing hides it.
    pub(super) fn implicit_this(&mut self, ctx: &Context<'_, '_>, name: &Name) -> Option<LocalId> {
        let this = ctx.body.this?;
        let class = ctx.body.target_class()?;
        self.definitions.field_index(class, &name.text)?;
        self.declared_name(ctx, name).is_none().then_some(this)
    }

    fn mark_used(&mut self, local: LocalId, binder: Span) {
        self.local_mut(local).used = true;
        if let Some((_, used)) = self.quantified.get_mut(&binder) {
            *used = true;
        }
    }

    /// A name that nothing declares.
    fn free_name(&mut self, ctx: &mut Context<'_, '_>, name: &Name) -> Option<LocalId> {
        match &ctx.body.owner {
            Owner::Query { .. } => {
                let local = self.new_local(&name.text, Role::Free, None);
                ctx.body.free.push(local);
                ctx.body.names.insert(name.text.clone(), local);
                Some(local)
            }
            Owner::Contract(header) => {
                if matches!(name.text.as_str(), "this" | "result") {
                    let message = match (name.text.as_str(), header.kind, &header.throws) {
                        ("this", ..) => "a function has no `this`",
                        (_, ContractKind::Pre, _) => "there is no `result` before the call",
                        _ => "there is no `result` when an exception is thrown",
                    };
                    self.sink.push(Diagnostic::error(name.span, message));
                    return None;
                }
                let local = self.new_local(&name.text, Role::Quantified, None);
                self.local_mut(local).used = true;
                ctx.ghosts.insert(name.text.clone(), local);
                ctx.disjunct.owned.push(local);
                Some(local)
            }
            Owner::Predicate(_) => {
                self.unknown_name(ctx, name);
                None
            }
        }
    }

    /// Warns of names of a contract that nothing declares, that occur once, and that are spelled
    /// nearly like a parameter or a field: they are taken for any value, and were hardly meant so.
    pub(super) fn warn_of_single_mentions(&mut self, body: &Body) {
        if !matches!(body.owner, Owner::Contract(_)) {
            return;
        }
        let class = body.target_class().map(|id| self.definitions.class(id));
        let fields = class.into_iter().flat_map(|class| &class.fields);
        let fields = fields.map(|field| field.name.as_str());
        let statics = self.statics.iter().filter(|field| {
            let class = body.target_class();
            class.is_some_and(|class| self.definitions.is_subclass(class, field.class))
        });
        let mut known: Vec<&str> = body
            .names
            .keys()
            .map(String::as_str)
            .chain(fields)
            .chain(statics.map(|field| field.name.as_str()))
            .collect();
        known.sort_unstable();
        let mut warnings = Vec::new();
        for (name, places) in &self.mentions {
            let advice = did_you_mean(name, known.iter().copied());
            if let (Some(&place), 1, Some(advice)) = (places.first(), places.len(), advice) {
                let message =
                    format!("`{name}` stands for any value, since nothing else mentions it");
                warnings.push(
                    Diagnostic::warning(place, message)
                        .with_help(advice)
                        .with_help("write `_` if any value is meant".to_owned()),
                );
            }
        }
        for warning in warnings {
            self.sink.push_about_name(warning);
        }
    }

    fn unknown_name(&mut self, ctx: &Context<'_, '_>, name: &Name) {
        let message = format!("unknown name `{}`", name.text);
        if self.only_counted(name.span, &message) {
            return;
        }
        let mut known: Vec<&str> = ctx.body.names.keys().map(String::as_str).collect();
        known.sort_unstable();
        let mut current = ctx.quantifier;
        while let Some(quantifier) = current {
            let quantifier = &ctx.branches.quantifiers[quantifier.0 as usize];
            known.extend(
                quantifier
                    .binders
                    .iter()
                    .map(|binder| binder.name.text.as_str()),
            );
            current = quantifier.parent;
        }
        known.extend(["null", "true", "false", "emp"]);
        let nearest = did_you_mean(&name.text, known);
        let or = if nearest.is_some() { "or " } else { "" };
        let quantify = format!("{or}quantify it: `exists {}. ...`", name.text);
        let diagnostic = Diagnostic::error(name.span, message)
            .with_label("neither a parameter nor quantified")
            .with_optional_help(nearest)
            .with_help(quantify);
        self.sink.push_about_name(diagnostic);
    }
}

//! Static fields in contracts: `Class.field`, `this.field`, and `field` alone for one of the class
//! whose method it is.
//!
//! In a precondition such a name is the value before the call, in a postcondition that after it;
//! `old( )` around it is the value before. A constant is its value. What a test cannot set is
//! reported: a name that silently meant any value would make false proofs.

use heapwright_logic::ClassId;

use super::Resolver;
use super::elaborate::Context;
use super::hir::{LocalId, Node, Owner, Role, Term};
use crate::diagnostic::{Diagnostic, Span, did_you_mean};
use crate::specification::{ConstantValue, StaticAccess};
use crate::syntax::ast::{ContractKind, Float, FloatSuffix, Name};

/// What a dotted path says about static fields.
pub(super) enum StaticPath<'p> {
    /// Nothing: it starts at something else.
    None,
    /// Something wrong, which was reported.
    Reported,
    /// It starts at this field, and goes on with these.
    Found(LocalId, &'p [Name]),
}

/// A static field at the beginning of a path.
struct StaticPrefix {
    field: usize,
    /// How many names it takes.
    length: usize,
}

impl Resolver {
    /// The static field that a path starts at.
    pub(super) fn static_path<'p>(
        &mut self,
        ctx: &mut Context<'_, '_>,
        path: &'p [Name],
    ) -> StaticPath<'p> {
        let place = match self.static_place(ctx, path) {
            Ok(Some(place)) => place,
            Ok(None) => return StaticPath::None,
            Err(diagnostic) => {
                self.sink.push(*diagnostic);
                return StaticPath::Reported;
            }
        };
        let rest = path.get(place.length..).unwrap_or_default();
        let span = path[0].span.to(path[place.length - 1].span);
        let name = self.static_name(place.field);
        let field = &self.statics[place.field];
        let Owner::Contract(header) = &ctx.body.owner else {
            let message = format!("`{name}` is a static field, which only contracts can mention");
            let help = "make it a parameter, and give it in the contract";
            self.sink
                .push(Diagnostic::error(span, message).with_help(help));
            return StaticPath::Reported;
        };
        if let StaticAccess::Unsupported(reason) = &field.access {
            let message = format!("nothing can be said about `{name}`: it {reason}");
            self.sink.push(Diagnostic::error(span, message));
            return StaticPath::Reported;
        }
        let after = header.kind == ContractKind::Post && !ctx.old;
        let mut known = ctx.body.statics.iter();
        let known = known.find(|known| (known.0, known.1) == (place.field, after));
        let local = match known {
            Some(&(_, _, local)) => local,
            None => {
                let sort = field.sort;
                let shown = match header.kind == ContractKind::Post && ctx.old {
                    true => format!("old({name})"),
                    false => name,
                };
                let local = self.new_local(&shown, Role::Static, Some(sort));
                ctx.body.statics.push((place.field, after, local));
                local
            }
        };
        self.local_mut(local).used = true;
        StaticPath::Found(local, rest)
    }

    /// The value of a path that is a constant.
    pub(super) fn constant(
        &mut self,
        ctx: &Context<'_, '_>,
        path: &[Name],
        span: Span,
    ) -> Option<Term> {
        let place = self.static_place(ctx, path).ok()??;
        let field = self.statics.get(place.field)?;
        let (StaticAccess::Constant(value), Owner::Contract(_)) = (&field.access, &ctx.body.owner)
        else {
            return None;
        };
        if place.length < path.len() {
            return None;
        }
        let node = match *value {
            ConstantValue::Bool(value) => Node::Bool(value),
            ConstantValue::Int(value) => Node::Int(value),
            ConstantValue::Float(value) => Node::Float(Float {
                value,
                suffix: FloatSuffix::None,
            }),
        };
        let kind = self.fixed(self.statics[place.field].sort);
        Some(Term { node, kind, span })
    }

    /// The static field that a path starts at, unless something nearer has the name.
    fn static_place(
        &mut self,
        ctx: &Context<'_, '_>,
        path: &[Name],
    ) -> Result<Option<StaticPrefix>, Box<Diagnostic>> {
        let Some((first, rest)) = path.split_first() else {
            return Ok(None);
        };
        if self.statics.is_empty() && self.tested.is_empty() {
            return Ok(None);
        }
        let home = ctx.body.target_class();
        if first.text == "this" && ctx.body.this.is_some() {
            let (Some(class), Some(field)) = (home, rest.first()) else {
                return Ok(None);
            };
            let is_own = self.definitions.field_index(class, &field.text).is_some();
            let found = self.static_of(class, &field.text).filter(|_| !is_own);
            return Ok(found.map(|field| StaticPrefix { field, length: 2 }));
        }
        if self.declared_name(ctx, first).is_some() || self.implicit_this(ctx, first).is_some() {
            return Ok(None);
        }
        // Variables of functions' files belong to no class.
        let home = home.or_else(|| self.tested.is_empty().then_some(ClassId::ANY));
        if let Some(field) = home.and_then(|class| self.static_of(class, &first.text)) {
            return Ok(Some(StaticPrefix { field, length: 1 }));
        }
        // The longest name of a class: `a.B.C.field` is one of the class `C` in `B`.
        for length in (1..path.len()).rev() {
            let names: Vec<&str> = path[..length].iter().map(|name| &*name.text).collect();
            let nested = |at: usize| [names[..at].join("."), names[at..].join("$")].join("$");
            let class = (self.class_named(&names.join(".")))
                .or_else(|| (1..length).find_map(|at| self.class_named(&nested(at))));
            let Some(class) = class else { continue };
            let field = &path[length];
            return match self.static_of(class, &field.text) {
                Some(field) => Ok(Some(StaticPrefix {
                    field,
                    length: length + 1,
                })),
                None => Err(Box::new(self.no_static_field(class, field))),
            };
        }
        Ok(None)
    }

    /// The static field of a class or what it extends and implements.
    fn static_of(&self, class: ClassId, name: &str) -> Option<usize> {
        let named = |id: ClassId| {
            let mut fields = self.statics.iter();
            fields.position(|field| field.class == id && field.name == name)
        };
        named(class).or_else(|| {
            let mut fields = self.statics.iter();
            fields.position(|field| {
                field.name == name && self.definitions.is_subclass(class, field.class)
            })
        })
    }

    fn no_static_field(&self, class: ClassId, field: &Name) -> Diagnostic {
        let known = self.statics.iter();
        let known = known.filter(|known| self.definitions.is_subclass(class, known.class));
        let known: Vec<&str> = known.map(|known| known.name.as_str()).collect();
        let name = &self.definitions.class(class).name;
        let message = format!("class `{name}` has no static field `{}`", field.text);
        Diagnostic::error(field.span, message)
            .with_optional_help(did_you_mean(&field.text, known.iter().copied()))
    }

    /// `Class.field`, the class without its package.
    fn static_name(&self, field: usize) -> String {
        let field = &self.statics[field];
        if field.class == ClassId::ANY {
            return field.name.clone();
        }
        let class = &self.definitions.class(field.class).name;
        let simple = class.rsplit(['.', '$']).next().unwrap_or(class);
        format!("{simple}.{}", field.name)
    }
}

//! Rewriting the predicates of a module for the classes that stand for its own, as syntax trees.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::classes::primitive;
use crate::syntax::ast::{Binder, Expr, ExprKind, FieldArgument, Name, Predicate, function_arity};

/// What stands for a field of a module's class.
#[derive(Clone)]
pub(super) struct Stands {
    /// The field, which may be in a struct inside of the object.
    pub path: Vec<Name>,
    /// The values for true and for false.
    pub values: Option<(Expr, Expr)>,
}

/// What stands for a class of a module.
pub(super) struct ClassStands<'m> {
    /// The class.
    pub to: &'m Name,
    /// The fields of the module's class in order, with what stands for them.
    pub fields: Vec<(&'m str, Option<Stands>)>,
}

/// The names of one import.
pub(super) struct Renaming<'m> {
    /// What the names of predicates begin with.
    pub prefix: String,
    /// The classes that have other names. All classes keep theirs if there are none.
    pub classes: FxHashMap<&'m str, ClassStands<'m>>,
    /// The predicates that are renamed.
    pub predicates: FxHashSet<&'m str>,
}

/// Why a predicate cannot be taken over.
pub(super) struct Lacks(pub String);

impl Renaming<'_> {
    /// The predicates under their other names, and those that cannot be taken over.
    pub fn predicates(&self, predicates: &[Predicate]) -> (Vec<Predicate>, Vec<(String, Lacks)>) {
        let mut taken: Vec<Predicate> = Vec::new();
        let mut left_out: Vec<(String, Lacks)> = Vec::new();
        for predicate in predicates {
            match self.predicate(predicate) {
                Ok(renamed) => taken.push(renamed),
                Err(lack) => left_out.push((self.name(&predicate.name).text, lack)),
            }
        }
        // What uses a predicate that is left out is left out as well.
        loop {
            let mut uses = None;
            for (index, predicate) in taken.iter().enumerate() {
                visit_calls(&predicate.body, &mut |name| {
                    if left_out.iter().any(|(known, _)| known == name) {
                        uses = uses.take().or(Some((index, name.to_owned())));
                    }
                });
            }
            let Some((index, used)) = uses else {
                return (taken, left_out);
            };
            let known = left_out.iter().find(|(name, _)| *name == used);
            let lack = known.map_or(String::new(), |(_, lack)| lack.0.clone());
            let predicate = taken.remove(index);
            left_out.push((predicate.name.text, Lacks(lack)));
        }
    }

    fn predicate(&self, predicate: &Predicate) -> Result<Predicate, Lacks> {
        Ok(Predicate {
            name: self.name(&predicate.name),
            params: self.binders(&predicate.params)?,
            body: self.expr(&predicate.body)?,
        })
    }

    fn name(&self, name: &Name) -> Name {
        Name {
            text: format!("{}{}", self.prefix, name.text),
            span: name.span,
        }
    }

    fn class(&self, name: &Name) -> Result<Name, Lacks> {
        if self.classes.is_empty() || primitive(&name.text).is_some() || name.text == "Object" {
            return Ok(name.clone());
        }
        match self.classes.get(name.text.as_str()) {
            Some(stands) => Ok(Name {
                text: stands.to.text.clone(),
                span: name.span,
            }),
            None => Err(Lacks(format!(
                "it is about `{}`, for which the import names no class",
                name.text
            ))),
        }
    }

    fn binders(&self, binders: &[Binder]) -> Result<Vec<Binder>, Lacks> {
        let binders = binders.iter().map(|binder| {
            let ty = binder.ty.as_ref().map(|ty| self.class(ty)).transpose()?;
            Ok(Binder {
                name: binder.name.clone(),
                ty,
            })
        });
        binders.collect()
    }

    fn expr(&self, expr: &Expr) -> Result<Expr, Lacks> {
        let boxed = |inner: &Expr| self.expr(inner).map(Box::new);
        let list = |inner: &[Expr]| {
            let inner = inner.iter().map(|one| self.expr(one));
            inner.collect::<Result<Vec<Expr>, Lacks>>()
        };
        let kind = match &expr.kind {
            ExprKind::Call(name, args) => {
                let is_own = self.predicates.contains(name.text.as_str());
                let name = match is_own && function_arity(&name.text).is_none() {
                    true => self.name(name),
                    false => name.clone(),
                };
                ExprKind::Call(name, list(args)?)
            }
            ExprKind::PointsTo(source, class, arguments) => ExprKind::PointsTo(
                boxed(source)?,
                self.class(class)?,
                self.arguments(class, arguments)?,
            ),
            ExprKind::Path(path) => ExprKind::Path(self.path(path)?),
            ExprKind::Exists(binders, body) => {
                ExprKind::Exists(self.binders(binders)?, boxed(body)?)
            }
            ExprKind::Old(inner) => ExprKind::Old(boxed(inner)?),
            ExprKind::Address(inner) => ExprKind::Address(boxed(inner)?),
            ExprKind::Not(inner) => ExprKind::Not(boxed(inner)?),
            ExprKind::Negate(inner) => ExprKind::Negate(boxed(inner)?),
            ExprKind::Part(arguments) => {
                let arguments = arguments.iter().map(|argument| {
                    Ok(FieldArgument {
                        field: argument.field.clone(),
                        value: self.expr(&argument.value)?,
                    })
                });
                ExprKind::Part(arguments.collect::<Result<_, Lacks>>()?)
            }
            ExprKind::Compare(first, rest) => {
                let rest = rest.iter().map(|(by, one)| Ok((*by, self.expr(one)?)));
                ExprKind::Compare(boxed(first)?, rest.collect::<Result<_, Lacks>>()?)
            }
            ExprKind::Arithmetic(first, rest) => {
                let rest = rest.iter().map(|(by, one)| Ok((*by, self.expr(one)?)));
                ExprKind::Arithmetic(boxed(first)?, rest.collect::<Result<_, Lacks>>()?)
            }
            ExprKind::Conditional(a, b, c) => {
                ExprKind::Conditional(boxed(a)?, boxed(b)?, boxed(c)?)
            }
            ExprKind::Implies(a, b) => ExprKind::Implies(boxed(a)?, boxed(b)?),
            ExprKind::And(inner) => ExprKind::And(list(inner)?),
            ExprKind::Or(inner) => ExprKind::Or(list(inner)?),
            ExprKind::Star(inner) => ExprKind::Star(list(inner)?),
            other => other.clone(),
        };
        Ok(Expr {
            kind,
            span: expr.span,
        })
    }

    /// The fields of a cell by their other names. What is said about nothing is left out.
    fn arguments(
        &self,
        class: &Name,
        arguments: &[FieldArgument],
    ) -> Result<Vec<FieldArgument>, Lacks> {
        let Some(stands) = self.classes.get(class.text.as_str()) else {
            let arguments = arguments.iter().map(|argument| {
                Ok(FieldArgument {
                    field: argument.field.clone(),
                    value: self.expr(&argument.value)?,
                })
            });
            return arguments.collect();
        };
        let mut renamed = Vec::new();
        for (position, argument) in arguments.iter().enumerate() {
            if argument.value.kind == ExprKind::Wildcard {
                continue;
            }
            let name = match &argument.field {
                Some(field) => field.text.as_str(),
                None => stands.fields.get(position).map_or("", |(name, _)| name),
            };
            let known = stands.fields.iter().find(|(field, _)| *field == name);
            let Some(known) = known.and_then(|(_, stands)| stands.as_ref()) else {
                return Err(Lacks(format!(
                    "it looks at `{name}` of `{}`: say which field of `{}` that is",
                    class.text, stands.to.text
                )));
            };
            let value = self.expr(&argument.value)?;
            let mut value = match &known.values {
                None => value,
                Some((holds, _)) if value.kind == ExprKind::Bool(true) => holds.clone(),
                Some((_, fails)) if value.kind == ExprKind::Bool(false) => fails.clone(),
                Some((holds, fails)) => Expr {
                    span: value.span,
                    kind: ExprKind::Conditional(
                        Box::new(value),
                        Box::new(holds.clone()),
                        Box::new(fails.clone()),
                    ),
                },
            };
            let mut path = known.path.iter().rev().cloned().peekable();
            while let Some(field) = path.next() {
                if path.peek().is_none() {
                    let field = Some(field);
                    renamed.push(FieldArgument { field, value });
                    break;
                }
                let span = value.span;
                let field = Some(field);
                let inside = vec![FieldArgument { field, value }];
                value = Expr {
                    kind: ExprKind::Part(inside),
                    span,
                };
            }
        }
        // Without any field this would still be a cell; with fields that have names, others may be
        // left out.
        Ok(crate::syntax::joined(renamed))
    }

    /// `x.value`, by the other name of the field where only one class has it.
    fn path(&self, path: &[Name]) -> Result<Vec<Name>, Lacks> {
        let mut names: Vec<Name> = path.first().cloned().into_iter().collect();
        for part in path.iter().skip(1) {
            let fields = self.classes.values().flat_map(|stands| &stands.fields);
            let mut fields = fields.filter(|(name, _)| *name == part.text);
            match (fields.next(), fields.next()) {
                (None, _) => names.push(part.clone()),
                (Some((_, Some(stands))), None) if stands.values.is_none() => {
                    names.extend(stands.path.iter().cloned());
                }
                _ => return Err(Lacks(format!("it looks at `{}`", part.text))),
            }
        }
        Ok(names)
    }
}

/// Calls a function for the names of all predicates that a formula uses.
fn visit_calls(expr: &Expr, act: &mut dyn FnMut(&str)) {
    match &expr.kind {
        ExprKind::Call(name, args) => {
            if function_arity(&name.text).is_none() {
                act(&name.text);
            }
            args.iter().for_each(|arg| visit_calls(arg, act));
        }
        ExprKind::And(list) | ExprKind::Or(list) | ExprKind::Star(list) => {
            list.iter().for_each(|one| visit_calls(one, act));
        }
        ExprKind::Exists(_, body) => visit_calls(body, act),
        ExprKind::Conditional(a, b, c) => {
            [a, b, c].into_iter().for_each(|one| visit_calls(one, act));
        }
        ExprKind::Implies(a, b) => [a, b].into_iter().for_each(|one| visit_calls(one, act)),
        _ => {}
    }
}

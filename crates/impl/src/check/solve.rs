//! What remains when all statements have been seen: fields of variables whose type only their
//! fields tell, references about which nothing is known, and the ranges of literals.

use heapwright_logic::{ClassId, Sort};
use heapwright_spec::diagnostic::{Diagnostic, Span, did_you_mean};

use super::Checker;
use super::hir::{Body, FieldUse};
use super::kind::{Kind, KindId};

impl Checker {
    /// Finds the field if the type of the object is known, or if only one struct has such a
    /// field.
    pub(super) fn look_up_field(&mut self, field: FieldUse) {
        let pending = &self.fields[field.0 as usize];
        let (object, name) = (pending.object, pending.name.clone());
        if let Kind::Class(class) = self.kinds.kind(object) {
            return self.look_up_in(field, class);
        }
        let candidates = self.structs_with(std::slice::from_ref(&name.text));
        match candidates[..] {
            [] => {
                let classes = self.definitions.classes();
                let known = classes.flat_map(|(_, class)| &class.fields);
                let advice = did_you_mean(&name.text, known.map(|field| field.name.as_str()));
                let message = format!("no struct has a field `{}`", name.text);
                let diagnostic = Diagnostic::error(name.span(), message).with_optional_help(advice);
                self.field_error(field, diagnostic);
            }
            [only] => {
                self.kinds.refine(object, Kind::Class(only));
                self.look_up_in(field, only);
            }
            _ => self.kinds.refine(object, Kind::Reference),
        }
    }

    fn look_up_in(&mut self, field: FieldUse, class: ClassId) {
        let pending = &self.fields[field.0 as usize];
        let (result, name) = (pending.result, pending.name.clone());
        let structure = self.definitions.class(class);
        let Some(index) = self.definitions.field_index(class, &name.text) else {
            let known = structure.fields.iter().map(|field| field.name.as_str());
            let advice = did_you_mean(&name.text, known);
            let message = format!("struct `{}` has no field `{}`", structure.name, name.text);
            let diagnostic = Diagnostic::error(name.span(), message).with_optional_help(advice);
            return self.field_error(field, diagnostic);
        };
        let sort = structure.fields[index].sort;
        self.fields[field.0 as usize].resolved = Some((class, index as u32));
        let declared = self.kinds.fresh(Kind::of(sort));
        self.demand(name.span(), declared, result);
    }

    pub(super) fn field_error(&mut self, field: FieldUse, diagnostic: Diagnostic) {
        self.report(diagnostic);
        let pending = &mut self.fields[field.0 as usize];
        pending.reported = true;
        let result = pending.result;
        self.kinds.refine(result, Kind::Error);
    }

    /// The structs that have all of these fields: declared ones, or else `cons`.
    fn structs_with(&self, names: &[String]) -> Vec<ClassId> {
        let fits = |&class: &ClassId| {
            (names.iter()).all(|name| self.definitions.field_index(class, name).is_some())
        };
        let declared: Vec<_> = self.structs.iter().copied().filter(fits).collect();
        if !declared.is_empty() {
            return declared;
        }
        self.cons.into_iter().filter(fits).collect()
    }

    /// Resolves the fields that had to wait, as far as possible; the others are errors.
    pub(super) fn solve_fields(&mut self) {
        loop {
            let open: Vec<_> = (0u32..)
                .zip(&self.fields)
                .filter(|(_, field)| field.resolved.is_none() && !field.reported)
                .filter(|(_, field)| self.kinds.kind(field.object) != Kind::Error)
                .map(|(index, _)| FieldUse(index))
                .collect();
            let known: Vec<_> = (open.iter().copied())
                .filter(|field| {
                    let object = self.fields[field.0 as usize].object;
                    matches!(self.kinds.kind(object), Kind::Class(_))
                })
                .collect();
            if !known.is_empty() {
                for field in known {
                    self.look_up_field(field);
                }
                continue;
            }
            let Some(&first) = open.first() else { return };
            self.guess_struct(first, &open);
        }
    }

    /// Looks for the one struct that has all fields that are used of an object.
    fn guess_struct(&mut self, first: FieldUse, open: &[FieldUse]) {
        let object = self.kinds.find(self.fields[first.0 as usize].object);
        let mut names = Vec::new();
        for &field in open {
            let pending = &self.fields[field.0 as usize];
            let (other, name) = (pending.object, pending.name.text.clone());
            if self.kinds.find(other) == object && !names.contains(&name) {
                names.push(name);
            }
        }
        let candidates = self.structs_with(&names);
        if let [only] = candidates[..] {
            self.kinds.refine(object, Kind::Class(only));
            return;
        }
        let fields: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let fields = fields.join(", ");
        let span = self.fields[first.0 as usize].name.span();
        let diagnostic = if candidates.is_empty() {
            Diagnostic::error(span, format!("no struct has all of these fields: {fields}"))
        } else {
            let candidates: Vec<_> = (candidates.iter())
                .map(|&class| format!("`{}`", self.definitions.class(class).name))
                .collect();
            Diagnostic::error(span, format!("several structs have the field {fields}"))
                .with_note(format!("it could be {}", candidates.join(", ")))
                .with_help("declare the variable with its type")
        };
        self.field_error(first, diagnostic);
        self.kinds.refine(object, Kind::Error);
    }

    /// References of which no field is ever used: they refer to the only struct, if there is
    /// only one; the paper's programs have nothing but `cons`.
    pub(super) fn solve_references<'a>(&mut self, bodies: impl Iterator<Item = &'a Body>) {
        let candidates = self.structs_with(&[]);
        for local in bodies.flat_map(|body| &body.locals) {
            if self.kinds.kind(local.kind) != Kind::Reference {
                continue;
            }
            if let [only] = candidates[..] {
                self.kinds.refine(local.kind, Kind::Class(only));
                continue;
            }
            let message = format!("nothing tells which struct `{}` refers to", local.name);
            let diagnostic = Diagnostic::error(local.span, message)
                .with_help("declare the variable with its type");
            self.report(diagnostic);
            self.kinds.refine(local.kind, Kind::Error);
        }
    }

    /// Every literal lies in the range of its type.
    pub(super) fn check_numbers(&mut self) {
        for (kind, number, span) in std::mem::take(&mut self.numbers) {
            if let Some(diagnostic) = self.out_of_range(kind, number, span) {
                self.report(diagnostic);
            }
        }
    }

    fn out_of_range(&self, kind: KindId, number: i128, span: Span) -> Option<Diagnostic> {
        let Sort::Machine(ty) = self.kinds.sort(kind) else {
            return None;
        };
        if ty.contains(number) {
            return None;
        }
        let message = format!("`{number}` is out of range for `{ty}`");
        let range = format!("a number from {} to {}", ty.min(), ty.max());
        Some(Diagnostic::error(span, message).with_expected(range))
    }
}

//! Classes that cannot be those of one object.
//!
//! A cell has exactly one class. Where the code declares a field or a parameter of a type that no
//! object of this class is of, the formula describes no heap, and says so only to whoever asks a
//! solver.

use std::collections::BTreeMap;

use heapwright_logic::{ClassId, Sort};

use super::ast::{Disjunct, HeapTerm, Term, TermKind};
use super::resolve::Resolver;
use super::symbol_table::SymbolTable;
use crate::diagnostic::{Diagnostic, Span};

impl Resolver {
    /// Reports cells of classes that their names cannot have.
    pub fn check_classes(&mut self, disjunct: &Disjunct, scope: &SymbolTable) {
        if self.code.is_none() {
            return;
        }
        let mut types: BTreeMap<&str, Vec<ClassId>> = BTreeMap::new();
        let mut cells: Vec<(&str, ClassId, Span)> = Vec::new();
        for entry in &scope.entries[..scope.outer] {
            if let Some(Sort::Ref(class)) = entry.declared {
                types.entry(&entry.name).or_default().push(class);
            }
        }
        for term in &disjunct.heap {
            let HeapTerm::PointsTo(source, name, fields) = term else {
                continue;
            };
            let Some(&class) = self.classes.get(&name.text) else {
                continue;
            };
            if let Some(source) = word(source) {
                cells.push((source, class, name.span));
            }
            let listed = self.listed(class, fields.len());
            let declared = &self.definitions.class(class).fields;
            for (field, position) in fields.iter().zip(listed) {
                if let (Some(value), Some(declared)) = (word(field), declared.get(position))
                    && let Sort::Ref(class) = declared.sort
                {
                    types.entry(value).or_default().push(class);
                }
            }
        }
        let mut errors = Vec::new();
        for (name, class, span) in cells {
            let expected = types.get(name).into_iter().flatten();
            let wrong = expected
                .copied()
                .find(|&expected| !self.definitions.is_subclass(class, expected));
            if let Some(wrong) = wrong {
                let [expected, found] = [wrong, class].map(|id| &self.definitions.class(id).name);
                let message =
                    format!("`{name}` is a reference to `{expected}`, which `{found}` is not");
                errors.push(Diagnostic::error(span, message));
            }
        }
        for error in errors {
            self.error(error);
        }
    }
}

fn word(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Name(name) => Some(name),
        _ => None,
    }
}

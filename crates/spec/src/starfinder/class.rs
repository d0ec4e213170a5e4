//! Classes: declared in the file, known from elsewhere, or inferred from their use.

use heapwright_logic::{Class, ClassId, Field, FloatType, IntType, Sort, display_sort};

use super::ast::{Data, Name, Term, TermKind};
use super::code::ClassFound;
use super::infer::{Kinds, TypeVar};
use super::mangle::demangle;
use super::resolve::Resolver;
use crate::diagnostic::Diagnostic;

/// What is known about the fields of a class.
#[derive(Clone, Debug)]
pub(super) enum Layout {
    /// They are those of the table of classes.
    Known,
    /// Cells list these fields of a class of the code, in this order, as a `data` declaration says.
    Listed(Vec<usize>),
    /// They were inferred from the first use.
    Inferred(InferredFields),
}

#[derive(Clone, Debug)]
pub(super) struct InferredFields {
    pub first_use: Name,
    pub names: Vec<String>,
    pub types: Vec<TypeVar>,
}

impl Resolver {
    /// Declares the classes of the file, all names first: they may refer to each other.
    pub fn declare_classes(&mut self, data: &[Data]) {
        let mut declared: Vec<(&Data, ClassId)> = Vec::new();
        for declaration in data {
            let name = &declaration.name;
            if self.classes.contains_key(&name.text) {
                let before = declared
                    .iter()
                    .find(|(data, _)| data.name.text == name.text);
                let before = before.map(|(data, _)| data.name.span);
                self.duplicate("class", name, before);
                continue;
            }
            let class = self.definitions.add_class(Class {
                name: demangle(&name.text),
                fields: Vec::new(),
                superclass: None,
            });
            self.classes.insert(name.text.clone(), class);
            self.layouts.insert(class, Layout::Known);
            declared.push((declaration, class));
        }
        for (declaration, class) in declared {
            let mut fields: Vec<Field> = Vec::with_capacity(declaration.fields.len());
            for (ty, name) in &declaration.fields {
                if fields.iter().any(|field| field.name == name.text) {
                    let mut before = declaration.fields.iter();
                    let before = before.find(|(_, before)| before.text == name.text);
                    self.duplicate("field", name, before.map(|(_, before)| before.span));
                }
                let sort = self.field_sort(ty);
                fields.push(Field {
                    name: name.text.clone(),
                    sort,
                });
            }
            self.definitions.class_mut(class).fields = fields;
        }
    }

    /// The sort of a type; that of an unknown class is any reference, and was reported.
    pub fn field_sort(&mut self, ty: &Name) -> Sort {
        match &ty.text[..] {
            "boolean" | "bool" => Sort::Bool,
            "byte" => Sort::Machine(IntType::I8),
            "short" => Sort::Machine(IntType::I16),
            "int" => Sort::Machine(IntType::I32),
            "long" => Sort::Machine(IntType::I64),
            "char" => Sort::Machine(IntType::Char),
            "float" => Sort::Float(FloatType::Single),
            "double" => Sort::Float(FloatType::Double),
            // The tools write `void` for a type that does not matter.
            "void" => Sort::Ref(ClassId::ANY),
            "Object" if !self.classes.contains_key("Object") => Sort::Ref(ClassId::ANY),
            _ => Sort::Ref(self.class(ty).unwrap_or(ClassId::ANY)),
        }
    }

    /// The class of a name: declared here, known by its mangled or its simple name, or new. With
    /// code, one that the code does not have is reported.
    pub fn class(&mut self, name: &Name) -> Option<ClassId> {
        if let Some(&class) = self.classes.get(&name.text) {
            return Some(class);
        }
        let class = match (self.find_class(&name.text), &self.code) {
            (ClassFound::One(class), _) => {
                self.layouts.entry(class).or_insert(Layout::Known);
                class
            }
            (ClassFound::Several(several), Some(_)) => {
                self.ambiguous_class(name, &several);
                return None;
            }
            (ClassFound::None, Some(_)) => {
                self.unknown_class(name);
                return None;
            }
            (ClassFound::None | ClassFound::Several(_), None) => {
                self.definitions.add_class(Class {
                    name: demangle(&name.text),
                    fields: Vec::new(),
                    superclass: None,
                })
            }
        };
        self.classes.insert(name.text.clone(), class);
        Some(class)
    }

    /// The fields that the arguments of a cell are for.
    pub fn listed(&self, class: ClassId, arguments: usize) -> Vec<usize> {
        match self.layouts.get(&class) {
            Some(Layout::Listed(fields)) => fields.clone(),
            // `x::Node<>` says nothing about the fields.
            _ if arguments == 0 && self.code.is_some() => Vec::new(),
            _ => (0..self.definitions.class(class).fields.len()).collect(),
        }
    }

    /// The layout of a class that stands in a points-to; inferred if this is its first use.
    pub fn layout(&mut self, class: ClassId, name: &Name, fields: &[Term]) -> Layout {
        if let Some(layout) = self.layouts.get(&class) {
            return layout.clone();
        }
        let mut names: Vec<String> = Vec::with_capacity(fields.len());
        for (position, field) in fields.iter().enumerate() {
            // The names of the variables are the best guess at those of the fields.
            names.push(match &field.kind {
                TermKind::Name(name) if !names.contains(name) => name.clone(),
                _ => format!("field{}", position + 1),
            });
        }
        let layout = Layout::Inferred(InferredFields {
            first_use: name.clone(),
            names,
            types: (fields.iter())
                .map(|_| self.types.fresh(Kinds::ANY))
                .collect(),
        });
        self.layouts.insert(class, layout.clone());
        layout
    }

    /// Fills in the fields that were inferred, with a warning for each such class.
    pub fn finish_classes(&mut self) {
        let mut inferred: Vec<_> = (self.layouts.iter())
            .filter_map(|(&class, layout)| match layout {
                Layout::Inferred(fields) => Some((class, fields.clone())),
                Layout::Known | Layout::Listed(_) => None,
            })
            .collect();
        inferred.sort_by_key(|&(class, _)| class);
        for (class, fields) in &inferred {
            let sorts = fields.types.iter().map(|&ty| match self.types.sort(ty) {
                // The integers of the programs that the notation was made for.
                Sort::Int => Sort::Machine(IntType::I32),
                sort => sort,
            });
            let sorts: Vec<_> = sorts.collect();
            let names = fields.names.iter().cloned();
            self.definitions.class_mut(*class).fields = (names.zip(sorts))
                .map(|(name, sort)| Field { name, sort })
                .collect();
        }
        for (class, fields) in inferred {
            let declared = &self.definitions.class(class).fields;
            let shown: Vec<_> = (declared.iter())
                .map(|field| {
                    let sort = match field.sort {
                        Sort::Ref(ClassId::ANY) => "Object".to_owned(),
                        sort => display_sort(&self.definitions, sort),
                    };
                    format!("{sort} {};", field.name)
                })
                .collect();
            let name = &fields.first_use;
            let message = format!("the class `{}` is not declared", name.text);
            let guess = match &shown[..] {
                [] => "it is taken to have no fields".to_owned(),
                _ => format!("its fields are taken to be {{ {} }}", shown.join(" ")),
            };
            let warning = Diagnostic::warning(name.span, message).with_note(guess);
            self.diagnostics.push(warning);
        }
    }
}

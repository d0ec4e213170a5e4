//! Objects of the input that the precondition does not speak of.
//!
//! Anything may be in them, as far as the rules of the language allow: every field and every
//! element has a symbol of its own.

use heapwright_ir::{Content, GlobalId};
use heapwright_logic::{ClassId, PointsTo, Sort, TermId, Terms, VarId};

use super::Symbolic;
use crate::input::candidates::element_sort;
use crate::input::narrow::fitting;
use crate::path::initial_heap::AddedCell;
use crate::path::symbolic_value::SymbolicValue;

/// A reference to what belongs to an object: its symbol, the class, the length of an array, and the
/// field that leads back.
pub(super) type Belonging = (VarId, ClassId, Option<u32>, Option<u32>);

/// Longer arrays inside of structs are there when somebody looks at them.
const MOST_ELEMENTS: u32 = 1024;

/// How many objects there were, the reference, the class, and the length of an array.
pub(super) type FreshKey = (usize, VarId, ClassId, Option<u32>);

impl Symbolic<'_> {
    /// The object, or the array of this length, that a reference can be; the same symbols
    /// whenever it is asked for.
    pub(super) fn fresh_cell(
        &mut self,
        variable: VarId,
        class: ClassId,
        length: Option<u32>,
    ) -> AddedCell {
        let key = (self.initial.cells.len(), variable, class, length);
        if let Some(known) = self.fresh_cells.get(&key) {
            return known.clone();
        }
        let cell = PointsTo {
            source: self.terms.var(variable),
            class,
            fields: match length {
                None => self.fresh_fields(variable, class),
                Some(_) => Vec::new(),
            },
        };
        let elements = length.map(|length| self.fresh_elements(variable, class, length));
        let added = AddedCell {
            cell,
            elements,
            comes_along: false,
        };
        self.fresh_cells.insert(key, added.clone());
        added
    }

    /// The objects that are there because another one is: the structs inside of it and around it,
    /// the elements of an array that are structs, arrays inside of structs. Each comes after the one
    /// that it belongs to.
    pub(super) fn partners(&mut self, added: &AddedCell) -> Vec<AddedCell> {
        let mut partners: Vec<AddedCell> = Vec::new();
        let mut next = 0;
        let mut whole = Some(added.clone());
        while let Some(known) = whole.take() {
            for (symbol, class, length, back) in self.belonging(&known) {
                let is_there = (partners.iter().chain([added]))
                    .any(|other| self.terms.as_var(other.cell.source) == Some(symbol));
                if is_there {
                    continue;
                }
                let mut partner = self.fresh_cell(symbol, class, length);
                partner.comes_along = true;
                if let Some(back) = back
                    && let Some(field) = partner.cell.fields.get_mut(back as usize)
                {
                    *field = known.cell.source;
                }
                partners.push(partner);
            }
            whole = partners.get(next).cloned();
            next += 1;
        }
        partners
    }

    /// The references of an object that lead to what belongs to it.
    pub(super) fn belonging(&self, known: &AddedCell) -> Vec<Belonging> {
        let program = &self.subject.program;
        let mut found = Vec::new();
        let mut add = |content: Option<&TermId>, length: Option<u32>, back: Option<u32>| {
            let symbol = content.and_then(|&content| self.terms.as_var(content));
            if let Some(symbol) = symbol
                && let Sort::Ref(class) = self.terms.variable(symbol).sort
            {
                found.push((symbol, class, length, back));
            }
        };
        let inside = &program.class(known.cell.class).inside;
        if let (Some(stride), Some(elements)) = (inside.stride, &known.elements) {
            let of = element_sort(program, known.cell.class);
            let is_array = match of {
                Some(Sort::Ref(class)) => element_sort(program, class).is_some(),
                _ => false,
            };
            for element in elements {
                add(Some(element), is_array.then_some(stride), None);
            }
        }
        for rule in self.subject.rules.of_fields(known.cell.class) {
            let content = known.cell.fields.get(rule.field as usize);
            match rule.content {
                Content::Partner(back) => add(content, None, Some(back)),
                Content::Array(length) if program.manual_memory && length <= MOST_ELEMENTS => {
                    add(content, Some(length), None);
                }
                _ => {}
            }
        }
        found
    }

    /// An array with the contents of a literal.
    pub(super) fn known_array(
        &mut self,
        variable: VarId,
        class: ClassId,
        literal: GlobalId,
    ) -> Option<AddedCell> {
        let known = self.subject.literals.get(&literal)?;
        let contents = known.elements.iter();
        let elements: Option<Vec<TermId>> = contents
            .map(|&constant| SymbolicValue::Concrete(constant.into()).term(&mut self.terms))
            .collect();
        let cell = PointsTo {
            source: self.terms.var(variable),
            class,
            fields: Vec::new(),
        };
        Some(AddedCell {
            cell,
            elements: Some(elements?),
            comes_along: false,
        })
    }

    /// What the rules say about the contents of a new object: some references are not null, and
    /// numbers fit into their fields.
    pub(super) fn present(&mut self, added: &AddedCell) -> Vec<TermId> {
        let rules = self.subject.rules.of_fields(added.cell.class).iter();
        let present = rules.filter(|rule| {
            // A partner has a cell of its own.
            !matches!(rule.content, Content::Constant(_) | Content::Partner(_))
        });
        let fields = present.filter_map(|rule| added.cell.fields.get(rule.field as usize));
        let fields = fields.filter(|&&field| self.terms.sort(field).is_ref());
        let fields: Vec<TermId> = fields.copied().collect();
        let terms = &mut self.terms;
        let mut conditions: Vec<TermId> = (fields.into_iter())
            .map(|field| terms.ne(field, Terms::NULL))
            .collect();
        let cell = &added.cell;
        let program = &self.subject.program;
        conditions.extend(fitting(program, terms, cell.class, &cell.fields));
        conditions
    }

    fn fresh_fields(&mut self, variable: VarId, class: ClassId) -> Vec<TermId> {
        let number = self.initial.cells.len();
        let subject = self.subject;
        let fields = &subject.program.definitions.class(class).fields;
        let rules = subject.rules.of_fields(class);
        let mut contents = Vec::with_capacity(fields.len());
        for (index, field) in fields.iter().enumerate() {
            let told = rules.iter().find(|rule| rule.field as usize == index);
            let content = told.map(|rule| rule.content);
            let constant = match content {
                Some(Content::Constant(value)) => {
                    SymbolicValue::Concrete(value.into()).term(&mut self.terms)
                }
                Some(Content::Itself) => Some(self.terms.var(variable)),
                _ => None,
            };
            contents.push(constant.unwrap_or_else(|| {
                let name = format!("{}{number}", field.name);
                let symbol = self.terms.declare(name, field.sort);
                if matches!(content, Some(Content::Owned | Content::Array(_))) {
                    self.owned.insert(symbol);
                }
                if let Some(Content::Array(length)) = content {
                    self.fixed_lengths.insert(symbol, length);
                }
                self.terms.var(symbol)
            }));
        }
        contents
    }

    /// Whether a symbol refers to an object that no other symbol refers to.
    pub(super) fn is_owned(&self, symbol: VarId) -> bool {
        self.owned.contains(&symbol)
    }

    /// The length of an array that the rules say.
    pub(super) fn fixed_length(&self, symbol: VarId) -> Option<u32> {
        self.fixed_lengths.get(&symbol).copied()
    }

    fn fresh_elements(&mut self, variable: VarId, class: ClassId, length: u32) -> Vec<TermId> {
        let number = self.initial.cells.len();
        // Only arrays are asked for with a length.
        let sort = element_sort(&self.subject.program, class).unwrap_or(Sort::Int);
        // An array inside of a struct is part of it, and whatever a caller stored may be there.
        let is_inside = self.subject.program.manual_memory;
        if self.fixed_length(variable).is_some() && sort.is_ref() && !is_inside {
            return vec![Terms::NULL; length as usize];
        }
        (0..length)
            .map(|index| self.symbol(format!("element{index}_{number}"), sort))
            .collect()
    }

    fn symbol(&mut self, name: String, sort: Sort) -> TermId {
        let symbol = self.terms.declare(name, sort);
        self.terms.var(symbol)
    }
}

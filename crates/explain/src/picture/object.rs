//! One object: its fields or elements, those that become arrows, and the others as a text.

use std::collections::BTreeSet;
use std::fmt::Write;

use heapwright_logic::{Cell, Loc, Sort, Value, extend_path};

use super::drawing::Drawing;
use super::values::show_scalar;

/// Elements of an array beyond this many are only counted.
const ELEMENTS: usize = 32;

/// What is nested deeper than names of this length is shown as references.
const LONGEST: usize = 80;

/// In the name of an arrow, what comes before the part of the object that it leads to.
const AT: char = '&';

impl Drawing<'_> {
    /// `#n` for an object, `?n` for an address without a cell.
    pub fn reference(&mut self, loc: Loc) -> String {
        let count = match self.marks.addresses {
            true => loc.0 as usize,
            false => self.numbers.len() + 1,
        };
        let number = *self.numbers.entry(loc).or_insert(count);
        let mark = if self.heap.cells.contains_key(&loc) {
            '#'
        } else {
            '?'
        };
        format!("{mark}{number}")
    }

    /// The same for what may lie inside of an object: `&#n.link`.
    pub fn pointer(&mut self, loc: Loc) -> String {
        let (outermost, _) = self.embedded.outermost(loc);
        let reference = self.reference(outermost);
        match outermost == loc {
            true => reference,
            false => {
                let path = self.embedded.path(self.definitions, self.heap, loc);
                format!("&{reference}.{path}")
            }
        }
    }

    /// The fields that lead to objects not drawn yet, one field for each object.
    pub fn successors(&self, cell: &Cell) -> Vec<(String, Loc)> {
        let mut found = BTreeSet::new();
        let mut successors: Vec<(String, Loc)> = Vec::new();
        for (name, _, value) in self.contents(cell) {
            if let Value::Ref(inner) = value
                && let (loc, path) = self.embedded.outermost(inner)
                && self.heap.cells.contains_key(&loc)
                && !self.is_drawn(loc)
                && found.insert(loc)
            {
                successors.push(match path.is_empty() {
                    true => (name, loc),
                    false => {
                        let path = self.embedded.path(self.definitions, self.heap, inner);
                        (format!("{name}={AT}{path}"), loc)
                    }
                });
            }
        }
        successors
    }

    /// `#1 Node(value: 3, left: null)` or `#1 int[] {3, 4}`, without what is drawn as arrows.
    pub fn object(&mut self, reference: &str, cell: &Cell, arrows: &[(String, Loc)]) -> String {
        let is_array = self.definitions.element_sort(cell.class).is_some();
        let names = arrows.iter().map(|(name, _)| match name.split_once(AT) {
            Some((name, _)) => name.trim_end_matches('='),
            None => name.as_str(),
        });
        let arrows: BTreeSet<&str> = names.collect();
        let mut contents = self.contents(cell);
        contents.retain(|(name, ..)| !arrows.contains(name.as_str()));
        let left_out = match is_array {
            true => contents.len().saturating_sub(ELEMENTS),
            false => 0,
        };
        contents.truncate(contents.len() - left_out);
        let mut shown = Vec::with_capacity(contents.len());
        for (name, sort, value) in contents {
            let value = match value {
                Value::Ref(loc) => self.pointer(loc),
                scalar => show_scalar(scalar, sort),
            };
            // Elements that are all there need no numbers.
            shown.push(match is_array && arrows.is_empty() {
                true => value,
                false => format!("{name}: {value}"),
            });
        }
        if left_out > 0 {
            shown.push(format!("… {left_out} more"));
        }
        let class = &self.definitions.class(cell.class).name;
        let mut text = format!("{reference} {class}");
        let _ = match (is_array, shown.is_empty()) {
            (true, false) => write!(text, " {{{}}}", shown.join(", ")),
            (true, true) if arrows.is_empty() => write!(text, " {{}}"),
            (false, false) => write!(text, "({})", shown.join(", ")),
            (_, true) => Ok(()),
        };
        text
    }

    /// The names, sorts and values of the fields or elements of an object.
    fn contents(&self, cell: &Cell) -> Vec<(String, Sort, Value)> {
        if self.definitions.embedding(cell.class).is_some() {
            let mut found = Vec::new();
            self.nested("", cell, &mut found);
            return found;
        }
        if let Some(element) = self.definitions.element_sort(cell.class) {
            let elements = cell.fields.iter().enumerate();
            return elements
                .map(|(index, &value)| (format!("[{index}]"), element, value))
                .collect();
        }
        let fields = self.definitions.class(cell.class).fields.iter();
        (fields.zip(&cell.fields))
            .map(|(field, &value)| (field.name.clone(), field.sort, value))
            .collect()
    }

    /// The same with the contents of what lies inside: `link.next`.
    fn nested(&self, path: &str, cell: &Cell, found: &mut Vec<(String, Sort, Value)>) {
        let embedding = self.definitions.embedding(cell.class);
        let element = self.definitions.element_sort(cell.class);
        for (field, &value) in cell.fields.iter().enumerate() {
            if !path.is_empty() && embedding.is_some_and(|known| known.leads_out(field)) {
                continue;
            }
            let mut name = path.to_owned();
            extend_path(&mut name, self.definitions, cell, field);
            let is_inside = embedding.is_some_and(|known| known.embeds(field));
            let inner = match value {
                Value::Ref(inner) if is_inside && path.len() < LONGEST => {
                    self.heap.cells.get(&inner)
                }
                _ => None,
            };
            let declared = self.definitions.fields_of(cell.class).get(field);
            let sort = declared.map(|field| field.sort).or(element);
            match inner {
                Some(inner) => self.nested(&name, inner, found),
                None => found.push((name, sort.unwrap_or(Sort::Int), value)),
            }
        }
    }
}

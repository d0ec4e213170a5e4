//! One object: its fields or elements, those that become arrows, and the others as a text.

use std::collections::BTreeSet;
use std::fmt::Write;

use heapwright_logic::{Cell, Loc, Sort, Value};

use super::drawing::Drawing;
use super::values::show_scalar;

/// Elements of an array beyond this many are only counted.
const ELEMENTS: usize = 32;

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

    /// The fields that lead to objects not drawn yet, one field for each object.
    pub fn successors(&self, cell: &Cell) -> Vec<(String, Loc)> {
        let mut found = BTreeSet::new();
        let mut successors: Vec<(String, Loc)> = Vec::new();
        for (name, _, value) in self.contents(cell) {
            if let Value::Ref(loc) = value
                && self.heap.cells.contains_key(&loc)
                && !self.is_drawn(loc)
                && found.insert(loc)
            {
                successors.push((name, loc));
            }
        }
        successors
    }

    /// `#1 Node(value: 3, left: null)` or `#1 int[] {3, 4}`, without what is drawn as arrows.
    pub fn object(&mut self, reference: &str, cell: &Cell, arrows: &[(String, Loc)]) -> String {
        let is_array = self.definitions.element_sort(cell.class).is_some();
        let arrows: BTreeSet<&str> = arrows.iter().map(|(name, _)| name.as_str()).collect();
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
                Value::Ref(loc) => self.reference(loc),
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
}

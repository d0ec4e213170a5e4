//! The fields of an object as they are shown: those of objects inside of it stand in its box.

use heapwright_logic::{Cell, Definitions, Heap, IntType, Sort, Value, extend_path};

use crate::text::scalar;

/// Objects nested deeper than this are shown as references.
const DEEPEST: usize = 8;

/// One field or element.
pub(crate) struct Slot<'a> {
    /// Its name from the outermost object on: `link.next`.
    pub name: String,
    /// The object that has it, which may lie inside of the one that is shown.
    pub cell: &'a Cell,
    /// The same object before.
    pub earlier: Option<&'a Cell>,
    /// Which field or element.
    pub field: usize,
    /// For an array of numbers inside of the object: all of them, now and before.
    pub text: Option<(String, Option<String>)>,
}

impl Slot<'_> {
    /// What it holds.
    pub fn value(&self) -> Value {
        self.cell.fields[self.field]
    }

    /// What it held before.
    pub fn old(&self) -> Option<Value> {
        self.earlier?.fields.get(self.field).copied()
    }
}

/// The fields of an object in the heap that it is shown from, in order of declaration.
pub(crate) fn slots<'a>(
    definitions: &Definitions,
    heap: &'a Heap,
    before: Option<&'a Heap>,
    cell: &'a Cell,
    earlier: Option<&'a Cell>,
) -> Vec<Slot<'a>> {
    let mut found = Vec::with_capacity(cell.fields.len());
    let all = Nested {
        definitions,
        heap,
        before,
    };
    all.collect("", cell, earlier, 0, &mut found);
    found
}

struct Nested<'a, 'd> {
    definitions: &'d Definitions,
    heap: &'a Heap,
    before: Option<&'a Heap>,
}

impl<'a> Nested<'a, '_> {
    fn collect(
        &self,
        path: &str,
        cell: &'a Cell,
        earlier: Option<&'a Cell>,
        depth: usize,
        found: &mut Vec<Slot<'a>>,
    ) {
        let embedding = self.definitions.embedding(cell.class);
        for (field, value) in cell.fields.iter().enumerate() {
            let mut name = path.to_owned();
            extend_path(&mut name, self.definitions, cell, field);
            if embedding.is_some_and(|known| known.leads_out(field)) && depth > 0 {
                continue;
            }
            let is_inside = depth < DEEPEST && embedding.is_some_and(|known| known.embeds(field));
            if let (true, Value::Ref(loc)) = (is_inside, value)
                && let Some(inner) = self.heap.cells.get(loc)
            {
                let old = earlier.and_then(|_| self.before?.cells.get(loc));
                let old = old.filter(|old| old.class == inner.class);
                match self.definitions.element_sort(inner.class) {
                    Some(element) if !matches!(element, Sort::Ref(_)) => found.push(Slot {
                        name,
                        cell,
                        earlier,
                        field,
                        text: Some((
                            elements(element, inner),
                            old.map(|old| elements(element, old)),
                        )),
                    }),
                    _ => self.collect(&name, inner, old, depth + 1, found),
                }
                continue;
            }
            found.push(Slot {
                name,
                cell,
                earlier,
                field,
                text: None,
            });
        }
    }
}

/// The elements of an array of numbers: `"abc"` if they are characters, `{1, 2}` otherwise.
fn elements(element: Sort, array: &Cell) -> String {
    let is_character = matches!(element, Sort::Machine(IntType::I8));
    let ends = array
        .fields
        .iter()
        .position(|value| *value == Value::Int(0));
    if let (true, Some(length)) = (is_character, ends) {
        let characters = array.fields.iter().take(length);
        let text: Option<String> = characters
            .map(|value| match value {
                Value::Int(code @ 0x20..0x7f) => u8::try_from(*code).ok().map(char::from),
                _ => None,
            })
            .collect();
        if let Some(text) = text {
            return format!("{text:?}");
        }
    }
    let values = array.fields.iter();
    let values: Vec<String> = values.map(|value| scalar(*value, Some(element))).collect();
    format!("{{{}}}", values.join(", "))
}

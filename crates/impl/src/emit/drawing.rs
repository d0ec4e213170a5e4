//! Lists and trees on one line, for comments: `1 -> 2 -> nil`, `5(3, 8(-, 9))`.

use std::collections::BTreeMap;
use std::fmt::Write;

use heapwright_logic::{Definitions, Heap, Loc, Value};

use super::case::object;
use super::text::WIDTH;

/// What a variable refers to, if that is a list or a small tree. A list may end in an object that
/// was drawn before: `1 -> node2=2 -> 3 -> node2`; such objects have `names`.
pub(super) fn draw(
    definitions: &Definitions,
    heap: &Heap,
    root: Value,
    names: &BTreeMap<Loc, String>,
) -> Option<String> {
    let Value::Ref(loc) = root else { return None };
    let mut drawing = Drawing {
        definitions,
        heap,
        names,
        drawn: Vec::new(),
        text: String::new(),
    };
    drawing.object(loc)?;
    // A single object says nothing that its `new` does not say.
    let Drawing { drawn, text, .. } = drawing;
    (drawn.len() > 1 && text.len() <= WIDTH).then_some(text)
}

struct Drawing<'a> {
    definitions: &'a Definitions,
    heap: &'a Heap,
    names: &'a BTreeMap<Loc, String>,
    /// The objects, each with the place where it stands in the text.
    drawn: Vec<(Loc, usize)>,
    text: String,
}

impl Drawing<'_> {
    /// Recursion ends where the line does: every level writes something.
    fn object(&mut self, loc: Loc) -> Option<()> {
        if self.place(loc).is_some() || self.text.len() > WIDTH {
            return None;
        }
        self.drawn.push((loc, self.text.len()));
        let (class, cell) = object(self.definitions, self.heap, loc)?;
        let fields = || class.fields.iter().zip(&cell.fields);
        let scalars: Vec<_> = (fields().filter(|(field, _)| !field.sort.is_ref()))
            .map(|(_, value)| value.to_string())
            .collect();
        if scalars.is_empty() {
            let _ = write!(self.text, "{}", class.name);
        } else {
            self.text.push_str(&scalars.join(":"));
        }
        let references: Vec<Value> = (fields().filter(|(field, _)| field.sort.is_ref()))
            .map(|(_, value)| *value)
            .collect();
        match references[..] {
            [] => Some(()),
            [next] => self.rest_of_list(next),
            _ if references.iter().all(|&child| child == Value::Null) => Some(()),
            _ => self.children(&references),
        }
    }

    fn rest_of_list(&mut self, next: Value) -> Option<()> {
        self.text.push_str(" -> ");
        match next {
            Value::Ref(loc) => match self.place(loc) {
                Some(place) => self.back_to(loc, place),
                None => self.object(loc),
            },
            _ => {
                self.text.push_str("nil");
                Some(())
            }
        }
    }

    fn place(&self, loc: Loc) -> Option<usize> {
        let mut drawn = self.drawn.iter();
        drawn
            .find(|(other, _)| *other == loc)
            .map(|(_, place)| *place)
    }

    /// Names an object that was drawn before, here and there. The first one has the name of the
    /// variable, which stands in front of the drawing.
    fn back_to(&mut self, loc: Loc, place: usize) -> Option<()> {
        let name = self.names.get(&loc)?;
        self.text.push_str(name);
        if place > 0 {
            let label = format!("{name}=");
            self.text.insert_str(place, &label);
            let behind = self.drawn.iter_mut().filter(|(_, other)| *other > place);
            behind.for_each(|(_, other)| *other += label.len());
        }
        Some(())
    }

    fn children(&mut self, children: &[Value]) -> Option<()> {
        for (index, &child) in children.iter().enumerate() {
            self.text.push_str(if index == 0 { "(" } else { ", " });
            match child {
                Value::Ref(loc) => self.object(loc)?,
                _ => self.text.push('-'),
            }
        }
        self.text.push(')');
        Some(())
    }
}

//! From a structure to an input: what nobody looked at gets default values.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_logic::{Cell, Heap, Loc, Value};

use super::Partial;
use super::structure::{Content, Reference, Structure};
use crate::input::Input;
use crate::input::frame::complete_heap;
use crate::subject::Subject;

impl Partial<'_> {
    /// The input that a structure stands for. Nothing if there is no class for an object that it
    /// needs.
    pub fn input(&self, subject: &Subject, structure: &Structure) -> Option<Input> {
        // References that nobody looked at and that cannot be null lead to places of their own,
        // which are filled in the end.
        let mut places = structure.objects.len() as u32;
        let mut contents = |contents: &[Content]| -> Vec<Value> {
            let value = |&content: &Content| self.initial(structure, content, &mut places);
            contents.iter().map(value).collect()
        };
        let arguments = contents(&structure.arguments);
        let mut heap = Heap::default();
        for (object, number) in structure.objects.iter().zip(1..) {
            let cell = Cell {
                class: object.class,
                fields: contents(&object.contents),
            };
            heap.cells.insert(Loc(number), cell);
        }
        let sorts = subject.inputs.iter().map(|input| input.sort);
        let roots = arguments.iter().copied().zip(sorts).collect();
        let completed = complete_heap(&subject.program, &subject.rules, roots, heap)?;
        Some(Input {
            arguments,
            heap: completed.heap,
            witness: None,
        })
    }

    fn initial(&self, structure: &Structure, content: Content, places: &mut u32) -> Value {
        match content {
            Content::Scalar(name) => self.scalars.borrow().value(&structure.model, name),
            Content::Constant(value) => match value {
                Concrete::Bool(value) => Value::Bool(value),
                Concrete::Int(value) => Value::Int(value),
                Concrete::Single(bits) => Value::Single(bits),
                Concrete::Double(bits) => Value::Double(bits),
                _ => Value::Null,
            },
            Content::Slot(slot) => match structure.chosen(slot) {
                Some(Reference::Null) => Value::Null,
                Some(Reference::Object(number)) => Value::Ref(Loc(number + 1)),
                None => {
                    let slot = structure.slots.get(slot.0 as usize);
                    match slot.is_some_and(|slot| slot.present || slot.not_null) {
                        false => Value::Null,
                        true => {
                            *places += 1;
                            Value::Ref(Loc(*places))
                        }
                    }
                }
            },
        }
    }
}

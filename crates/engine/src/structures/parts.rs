//! Objects inside of objects: a struct in a struct, an array in a struct, structs in an array.
//!
//! None of them is there without the others, so they are made together. A reference to one of them
//! is one to the whole, seen from inside.

use heapwright_ir::{Content as Rule, InputRules, Program};
use heapwright_logic::{ClassId, Sort};

use super::structure::{Content, Object, Reference, SlotId};
use super::{Partial, StructureStop};

/// An object that is made together with others.
#[derive(Clone, Copy)]
struct New {
    class: ClassId,
    /// The length of an array.
    length: Option<u32>,
    owned: bool,
    /// The field that leads to an object that exists already.
    back: Option<(u32, u32)>,
}

/// An object that is there because another one is.
struct Part {
    /// The field or element that leads to it.
    index: u32,
    class: ClassId,
    length: Option<u32>,
    /// Its field that leads back.
    back: Option<u32>,
}

impl Partial<'_> {
    /// Adds an object of which nothing is known, with all that is inside of it and around it.
    /// Returns its number.
    pub(super) fn add_whole(
        &mut self,
        class: ClassId,
        length: Option<u32>,
        owned: bool,
    ) -> Result<u32, StructureStop> {
        let first = self.structure.objects.len() as u32;
        let mut new = vec![New {
            class,
            length,
            owned,
            back: None,
        }];
        let mut next = 0;
        while let Some(&New {
            class,
            length,
            owned,
            back,
        }) = new.get(next)
        {
            let number = first + next as u32;
            let contents = self.contents(number, class, length)?;
            if let Some((field, partner)) = back
                && let Some(Content::Slot(slot)) = contents.get(field as usize)
            {
                self.structure.choose(*slot, Reference::Object(partner));
            }
            for part in parts(self.program, self.rules, class, contents.len()) {
                let Some(&Content::Slot(slot)) = contents.get(part.index as usize) else {
                    continue;
                };
                if self.structure.chosen(slot).is_some() {
                    continue;
                }
                let number_of_part = first + new.len() as u32;
                (self.structure).choose(slot, Reference::Object(number_of_part));
                new.push(New {
                    class: part.class,
                    length: part.length,
                    owned: part.length.is_some(),
                    back: part.back.map(|field| (field, number)),
                });
            }
            let object = Object {
                class,
                contents,
                owned,
            };
            self.place(&object)?;
            self.structure.add_object(object);
            self.keep_to_domains(class, number)?;
            next += 1;
        }
        Ok(first)
    }

    /// Notes which objects in memory lie inside of which.
    pub(super) fn embed(&mut self) -> Result<(), StructureStop> {
        if !self.program.manual_memory {
            return Ok(());
        }
        for number in 0..self.structure.objects.len() {
            let Some(object) = self.structure.objects.get(number) else {
                continue;
            };
            let inside = &self.program.class(object.class).inside;
            let indices: Vec<u32> = match inside.stride {
                Some(_) => (0..object.contents.len() as u32).collect(),
                None => inside.embedded.iter().map(|(field, _)| *field).collect(),
            };
            for index in indices {
                let content = self.structure.objects.get(number);
                let content = content.and_then(|object| object.contents.get(index as usize));
                if let Some(&Content::Slot(slot)) = content
                    && let Some(Reference::Object(part)) = self.structure.chosen(slot)
                    && let (Some(&outer), Some(&inner)) =
                        (self.placed.get(number), self.placed.get(part as usize))
                {
                    self.memory.embed(self.program, inner, (outer, index))?;
                }
            }
        }
        Ok(())
    }

    /// The class of the outermost object that comes with one of a class.
    pub(super) fn whole(&self, class: ClassId) -> ClassId {
        let mut whole = class;
        // Nothing is nested more deeply than there are classes.
        for _ in 0..self.program.classes.len() {
            let hidden = &self.program.class(whole).inside.hidden;
            let outer = hidden.first().and_then(|&field| {
                let fields = &self.program.definitions.class(whole).fields;
                match fields.get(field as usize)?.sort {
                    Sort::Ref(outer) => Some(outer),
                    _ => None,
                }
            });
            match outer {
                Some(outer) => whole = outer,
                None => break,
            }
        }
        whole
    }

    /// Whether an argument was freed, so that nobody expects it to be valid.
    pub(super) fn has_freed_argument(&self) -> bool {
        let arguments = self.structure.arguments.iter();
        let mut objects = arguments.filter_map(|argument| match argument {
            Content::Slot(slot) => match self.structure.chosen(*slot)? {
                Reference::Object(number) => self.placed.get(number as usize),
                Reference::Null => None,
            },
            _ => None,
        });
        objects.any(|&id| self.memory.object(id).is_ok_and(|object| object.freed))
    }

    /// Whether a reference is an argument.
    pub(super) fn is_argument(&self, slot: SlotId) -> bool {
        self.structure.arguments.contains(&Content::Slot(slot))
    }

    /// Whether a reference leads to an object inside of the one that has it.
    pub(super) fn is_inside(&self, slot: SlotId) -> bool {
        self.structure.objects.iter().any(|object| {
            let embedded = &self.program.class(object.class).inside.embedded;
            embedded.iter().any(|&(field, _)| {
                object.contents.get(field as usize) == Some(&Content::Slot(slot))
            })
        })
    }
}

/// The objects that are there because one of a class is.
fn parts(program: &Program, rules: &InputRules, class: ClassId, length: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    let info = program.class(class);
    if info.inside.stride.is_some() {
        if let heapwright_ir::ClassKind::Array {
            element: Sort::Ref(element),
        } = info.kind
        {
            parts.extend((0..length as u32).map(|index| Part {
                index,
                class: element,
                length: None,
                back: None,
            }));
        }
        return parts;
    }
    let fields = &program.definitions.class(class).fields;
    let class_of = |field: u32| match fields.get(field as usize)?.sort {
        Sort::Ref(class) => Some(class),
        _ => None,
    };
    for rule in rules.of_fields(class) {
        if let (Rule::Partner(back), Some(class)) = (rule.content, class_of(rule.field)) {
            parts.push(Part {
                index: rule.field,
                class,
                length: None,
                back: Some(back),
            });
        }
    }
    for &(field, length) in &info.inside.embedded {
        // A flexible member is as long as somebody makes it.
        if let (Some(length @ 1..), Some(class)) = (length, class_of(field)) {
            parts.push(Part {
                index: field,
                class,
                length: Some(length),
                back: None,
            });
        }
    }
    parts
}

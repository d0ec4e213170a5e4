//! Completions that are known already.
//!
//! When a path decides something, the completion that showed it to be possible before is often one
//! of what was decided too. Then nothing has to be searched for; and at the end of the path its
//! shape is tried first, so that only numbers are left to be found.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Partial;
use super::question::{Answer, StructureQuestion};
use super::structure::{Content, Reference, SlotId, Structure};

/// A valid structure that completes the partial one of a path, with the objects and references of
/// the path in it.
#[derive(Clone, Debug)]
pub struct Witness {
    structure: Rc<Structure>,
    /// The objects of the path, by number; [`FREE`] for those that the completion leaves open.
    objects: Vec<u32>,
    /// The references of the path, by number.
    slots: Vec<SlotId>,
}

/// No object of a completion. Its references are none of the completion either.
const FREE: u32 = u32::MAX;

impl Witness {
    /// A completion that has just been found.
    pub fn new(path: &Structure, found: Structure) -> Witness {
        Witness {
            structure: Rc::new(found),
            objects: (0..path.objects.len() as u32).collect(),
            slots: (0..path.slots.len() as u32).map(SlotId).collect(),
        }
    }

    /// The same for the structure after an answer about a reference; nothing if the completion has
    /// something else there.
    pub fn follow(&self, open: &StructureQuestion, path: &Structure) -> Option<Witness> {
        let (slot, asked) = match open {
            StructureQuestion::Reference(slot) => (*slot, None),
            StructureQuestion::Same(slot, reference) => (*slot, Some(*reference)),
            StructureQuestion::Condition(_) | StructureQuestion::Number { .. } => return None,
        };
        let known = *self.slots.get(slot.0 as usize)?;
        let here = self.structure.chosen(known);
        match (path.chosen(slot), here) {
            // The predicate does not look at it, so it can be anything.
            (None | Some(Reference::Null), None) => Some(self.clone()),
            (Some(Reference::Object(number)), None) => {
                let mut extended = self.clone();
                if number as usize == self.objects.len() {
                    // What is inside of it has come with it.
                    extended.objects.resize(path.objects.len(), FREE);
                    extended.slots.resize(path.slots.len(), SlotId(FREE));
                }
                Some(extended)
            }
            (None, Some(here)) => {
                let excluded = asked.map(|reference| self.translate(reference));
                (excluded != Some(Some(here))).then(|| self.clone())
            }
            (Some(Reference::Null), Some(Reference::Null)) => Some(self.clone()),
            (Some(Reference::Object(number)), Some(here)) => {
                if (number as usize) < self.objects.len() {
                    let same = self.translate(Reference::Object(number)) == Some(here);
                    return same.then(|| self.clone());
                }
                self.with_object(path, number, here)
            }
            _ => None,
        }
    }

    /// What a reference of the path is in the completion.
    fn translate(&self, reference: Reference) -> Option<Reference> {
        match reference {
            Reference::Null => Some(Reference::Null),
            Reference::Object(number) => {
                let object = self.objects.get(number as usize)?;
                Some(Reference::Object(*object))
            }
        }
    }

    /// The path has met another object, which is this one in the completion.
    fn with_object(&self, path: &Structure, number: u32, here: Reference) -> Option<Witness> {
        let Reference::Object(here) = here else {
            return None;
        };
        if self.objects.contains(&here) {
            return None;
        }
        let mut extended = self.clone();
        extended.objects.resize(path.objects.len(), FREE);
        extended.slots.resize(path.slots.len(), SlotId(FREE));
        // What is inside of an object has come with it.
        let mut pending = vec![(number, here)];
        while let Some((number, here)) = pending.pop() {
            let own = path.objects.get(number as usize)?;
            let other = self.structure.objects.get(here as usize)?;
            if own.class != other.class || own.contents.len() != other.contents.len() {
                return None;
            }
            *extended.objects.get_mut(number as usize)? = here;
            for (own, other) in own.contents.iter().zip(&other.contents) {
                let (Content::Slot(own), Content::Slot(other)) = (own, other) else {
                    continue;
                };
                *extended.slots.get_mut(own.0 as usize)? = *other;
                if let Some(Reference::Object(part)) = path.chosen(*own)
                    && extended.objects.get(part as usize) == Some(&FREE)
                    && part as usize >= self.objects.len()
                {
                    match self.structure.chosen(*other) {
                        Some(Reference::Object(there)) => pending.push((part, there)),
                        _ => return None,
                    }
                }
            }
        }
        Some(extended)
    }

    /// The structure of a path with the shape of the completion, numbers apart.
    pub fn shape<'p>(&self, partial: &Partial<'p>, path: &Structure) -> Option<Partial<'p>> {
        let mut shaped = partial.restarted(path).ok()?;
        let numbers = self.objects.iter().copied().zip(0..);
        let numbers = numbers.filter(|(object, _)| *object != FREE);
        let mut numbers: FxHashMap<u32, u32> = numbers.collect();
        let own = (0..).map(SlotId);
        let mut pending: Vec<(SlotId, SlotId)> = own.zip(self.slots.iter().copied()).collect();
        while let Some((slot, known)) = pending.pop() {
            if let Some(own) = shaped.structure.chosen(slot) {
                // An object that has come with the one that it is inside of.
                if let (Reference::Object(own), Some(Reference::Object(number))) =
                    (own, self.structure.chosen(known))
                    && !numbers.contains_key(&number)
                {
                    numbers.insert(number, own);
                    let own = shaped.structure.objects.get(own as usize)?;
                    let other = self.structure.objects.get(number as usize)?;
                    pending.extend(references(&own.contents, &other.contents));
                }
                continue;
            }
            let (answer, met) = match self.structure.chosen(known) {
                None => continue,
                Some(Reference::Null) => (Answer::Null, None),
                Some(Reference::Object(number)) => match numbers.get(&number) {
                    Some(&number) => (Answer::Alias(number), None),
                    None => {
                        let object = self.structure.objects.get(number as usize)?;
                        let length = object.contents.len() as u32;
                        let answer = match shaped.is_array(object.class) {
                            true => Answer::FreshArray(object.class, length),
                            false => Answer::Fresh(object.class),
                        };
                        (answer, Some((number, object)))
                    }
                },
            };
            let new = shaped.structure.objects.len();
            shaped
                .answer(&StructureQuestion::Reference(slot), &answer)
                .ok()?;
            if let Some((number, object)) = met {
                numbers.insert(number, new as u32);
                let added = shaped.structure.objects.get(new)?;
                pending.extend(references(&added.contents, &object.contents));
            }
        }
        Some(shaped)
    }
}

/// The references of two objects of the same class, in pairs.
fn references<'c>(
    own: &'c [Content],
    other: &'c [Content],
) -> impl Iterator<Item = (SlotId, SlotId)> + 'c {
    own.iter().zip(other).filter_map(|pair| match pair {
        (Content::Slot(own), Content::Slot(other)) => Some((*own, *other)),
        _ => None,
    })
}

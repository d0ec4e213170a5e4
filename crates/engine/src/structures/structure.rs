//! Partial structures: inputs of which only a part is decided.
//!
//! The objects are numbered in the order in which runs met them, so two partial structures that
//! differ only in the names of objects are the same one, and no heap is built twice.

use std::rc::Rc;

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_logic::{ClassId, TermId, VarId};
use heapwright_solver::arith::Assignment;

/// A reference of the structure: an argument, a field or an element.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SlotId(pub u32);

/// What a reference is, once that is decided.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Reference {
    /// Null.
    Null,
    /// The object with this number.
    Object(u32),
}

/// A reference that may be open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The declared class.
    pub class: ClassId,
    /// Whether it cannot be null.
    pub present: bool,
    /// Whether nothing else can refer to its object.
    pub owned: bool,
    /// What it is, if that is decided.
    pub chosen: Option<Reference>,
    /// Whether it is known not to be null.
    pub not_null: bool,
    /// The objects that it is known not to be, as bits by number.
    pub not: u64,
}

/// What an argument, a field or an element holds in the beginning.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Content {
    /// A reference.
    Slot(SlotId),
    /// A number or truth value.
    Scalar(VarId),
    /// Always this.
    Constant(Concrete),
}

/// An object or array.
#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    /// Its class.
    pub class: ClassId,
    /// Its fields or elements.
    pub contents: Vec<Content>,
    /// Whether only one reference leads to it.
    pub owned: bool,
}

/// A branch that was not decided: structures on either side of it are different ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fork {
    /// When a run comes to it.
    pub guard: TermId,
    /// What it depends on.
    pub condition: TermId,
}

/// A partial structure.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// The arguments.
    pub arguments: Rc<Vec<Content>>,
    /// The objects that exist for sure.
    pub objects: Vec<Rc<Object>>,
    /// All references.
    pub slots: Vec<Slot>,
    /// What holds of the numbers.
    pub conditions: Vec<TermId>,
    /// Numbers for which all of that holds.
    pub model: Rc<Assignment>,
    /// The branches on which a run went both ways at once.
    pub forks: Vec<Fork>,
    /// How many objects of each class there are, in no order.
    counts: Vec<(ClassId, u32)>,
}

impl Structure {
    /// What a reference is, if that is decided.
    pub fn chosen(&self, slot: SlotId) -> Option<Reference> {
        self.slots.get(slot.0 as usize)?.chosen
    }

    /// Adds a reference.
    pub fn add_slot(&mut self, slot: Slot) -> SlotId {
        self.slots.push(slot);
        SlotId(self.slots.len() as u32 - 1)
    }

    /// Adds an object, and returns its number.
    pub fn add_object(&mut self, object: Object) -> u32 {
        match self
            .counts
            .iter_mut()
            .find(|(class, _)| *class == object.class)
        {
            Some((_, count)) => *count += 1,
            None => self.counts.push((object.class, 1)),
        }
        self.objects.push(Rc::new(object));
        self.objects.len() as u32 - 1
    }

    /// Decides a reference.
    pub fn choose(&mut self, slot: SlotId, reference: Reference) {
        if let Some(slot) = self.slots.get_mut(slot.0 as usize) {
            slot.chosen = Some(reference);
        }
    }

    /// Whether a reference can be something, as far as is known.
    pub fn may_be(&self, slot: SlotId, reference: Reference) -> bool {
        let Some(slot) = self.slots.get(slot.0 as usize) else {
            return false;
        };
        match (slot.chosen, reference) {
            (Some(chosen), _) => chosen == reference,
            (None, Reference::Null) => !slot.present && !slot.not_null,
            (None, Reference::Object(number)) => {
                number >= u64::BITS || slot.not & (1 << number) == 0
            }
        }
    }

    /// Takes down that a reference is not something. Returns whether that can be taken down.
    pub fn exclude(&mut self, slot: SlotId, reference: Reference) -> bool {
        let Some(slot) = self.slots.get_mut(slot.0 as usize) else {
            return false;
        };
        match reference {
            Reference::Null => slot.not_null = true,
            Reference::Object(number) if number < u64::BITS => slot.not |= 1 << number,
            Reference::Object(_) => return false,
        }
        true
    }

    /// How many objects of a class there are.
    pub fn count(&self, class: ClassId) -> u32 {
        let known = self.counts.iter().find(|(other, _)| *other == class);
        known.map_or(0, |(_, count)| *count)
    }
}

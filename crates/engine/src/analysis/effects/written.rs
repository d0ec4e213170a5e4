//! Summaries of what code may write besides registers.

use std::collections::BTreeSet;

use heapwright_ir::{FunctionId, Library, Program};
use heapwright_logic::ClassId;

use super::owner::Owner;
use crate::input::candidates::{element_sort, fits};

/// What code may write to objects that existed before it ran. Globals are objects too.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Written {
    /// These fields, by the class through which they are written.
    pub(super) fields: BTreeSet<(ClassId, u32)>,
    /// Elements of arrays.
    pub(super) elements: bool,
    /// All objects of the library's classes, and all arrays.
    pub(super) library: bool,
    /// Whatever its caller can ask the library to write.
    pub(super) reflective: bool,
    /// Whatever there is.
    pub(super) anything: bool,
    /// What these functions write, if they have not been called before.
    pub(super) guards: BTreeSet<FunctionId>,
}

impl Written {
    /// Whatever there is.
    pub fn anything() -> Written {
        Written {
            anything: true,
            ..Written::default()
        }
    }

    /// One field of objects of a class.
    pub fn field(class: ClassId, field: u32) -> Written {
        Written {
            fields: BTreeSet::from([(class, field)]),
            ..Written::default()
        }
    }

    /// Elements of arrays.
    pub fn elements() -> Written {
        Written {
            elements: true,
            ..Written::default()
        }
    }

    /// Whether nothing is written, but for what guards write.
    pub fn is_nothing(&self) -> bool {
        self.fields.is_empty()
            && !self.elements
            && !self.library
            && !self.reflective
            && !self.anything
    }

    /// Whether everything may be written.
    pub fn is_anything(&self) -> bool {
        self.anything || self.reflective
    }

    /// Functions that write what they write only if they have not been called before; this is not
    /// part of what is written otherwise.
    pub fn guards(&self) -> impl Iterator<Item = FunctionId> + '_ {
        self.guards.iter().copied()
    }

    /// Whether a field with a number may be written, in an object of whatever class.
    pub fn has_field(&self, field: u32) -> bool {
        self.is_anything()
            || self.library
            || self.fields.iter().any(|&(_, written)| written == field)
    }

    /// Which fields of objects of exactly a class, or elements of such arrays, may be written.
    pub fn of_class(&self, program: &Program, library: &Library, class: ClassId) -> Touched {
        let is_array = element_sort(program, class).is_some();
        if self.is_anything()
            || is_array && (self.elements || self.library)
            || self.library && library.classes.contains(&class)
        {
            return Touched::All;
        }
        let fields = self.fields.iter();
        let fields = fields.filter(|(written, _)| fits(program, class, *written));
        Touched::Fields(fields.map(|&(_, field)| field).collect())
    }

    /// Adds what something writes that the code of an owner does. Whether that is new.
    pub(super) fn absorb(&mut self, owner: Owner, other: &Written) -> bool {
        let extent = |written: &Written| {
            (
                written.fields.len(),
                written.guards.len(),
                written.elements,
                written.library,
                written.reflective,
                written.anything,
            )
        };
        let before = extent(self);
        if owner == Owner::Nobody {
            return false;
        }
        self.fields.extend(&other.fields);
        self.guards.extend(&other.guards);
        self.elements |= other.elements;
        self.library |= other.library;
        self.anything |= other.anything;
        if other.reflective {
            match owner {
                Owner::User => self.anything = true,
                Owner::Encapsulated => self.library = true,
                Owner::Reflective => self.reflective = true,
                Owner::Nobody => {}
            }
        }
        before != extent(self)
    }

    /// The same, for code of which nobody knows whose it is.
    pub fn extend(&mut self, other: &Written) {
        self.absorb(Owner::User, other);
    }
}

/// What of an object may be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Touched {
    /// All of it.
    All,
    /// These fields.
    Fields(Vec<u32>),
}

//! The heap of a run, cheap to copy: a run is copied at every choice, and copies share the objects
//! that neither has written to.

use std::rc::Rc;

use heapwright_ir::GlobalId;
use heapwright_ir::machine::{MachineError, ObjectId};
use heapwright_logic::ClassId;
use rustc_hash::FxHashMap;

use super::partial_value::PartialValue;
use crate::analysis::effects::Touched;

/// An object or array.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its class.
    pub class: ClassId,
    /// Its fields or elements.
    pub contents: Vec<PartialValue>,
    /// Whether it was freed.
    pub freed: bool,
}

/// All objects; never fewer than before.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: Vec<Rc<Object>>,
    globals: Rc<FxHashMap<GlobalId, ObjectId>>,
}

impl Memory {
    /// The object behind an id.
    pub fn object(&self, id: ObjectId) -> Result<&Object, MachineError> {
        let object = self.objects.get(id.index());
        object.map(Rc::as_ref).ok_or(MachineError::NoObject(id))
    }

    /// The object behind an id, which is no longer shared then.
    pub fn object_mut(&mut self, id: ObjectId) -> Result<&mut Object, MachineError> {
        let object = self.objects.get_mut(id.index());
        object.map(Rc::make_mut).ok_or(MachineError::NoObject(id))
    }

    /// Adds an object.
    pub fn add(&mut self, object: Object) -> Result<ObjectId, MachineError> {
        let id = u32::try_from(self.objects.len()).map_err(|_| MachineError::TooManyObjects)?;
        self.objects.push(Rc::new(object));
        Ok(ObjectId(id))
    }

    /// The object of a global, if it was used before.
    pub fn global(&self, id: GlobalId) -> Option<ObjectId> {
        self.globals.get(&id).copied()
    }

    /// From here on the object is that of the global.
    pub fn set_global(&mut self, id: GlobalId, object: ObjectId) {
        Rc::make_mut(&mut self.globals).insert(id, object);
    }

    /// Whether an object is that of a global.
    pub fn is_global(&self, object: ObjectId) -> bool {
        self.globals.values().any(|&known| known == object)
    }

    /// Whether nothing was written or allocated since the other one was copied.
    pub fn is_copy_of(&self, other: &Memory) -> bool {
        let mut pairs = self.objects.iter().zip(&other.objects);
        self.objects.len() == other.objects.len()
            && Rc::ptr_eq(&self.globals, &other.globals)
            && pairs.all(|(own, other)| Rc::ptr_eq(own, other))
    }

    /// The classes of all objects.
    pub fn classes(&self) -> impl Iterator<Item = ClassId> + '_ {
        self.objects.iter().map(|object| object.class)
    }

    /// Forgets what may have been written, in objects of the input too.
    pub fn forget(&mut self, mut touched: impl FnMut(ClassId) -> Rc<Touched>) {
        for object in &mut self.objects {
            let is_known = |&value: &PartialValue| value != PartialValue::Unknown;
            match &*touched(object.class) {
                Touched::All if object.contents.iter().any(is_known) => {
                    Rc::make_mut(object).contents.fill(PartialValue::Unknown);
                }
                Touched::Fields(fields) => {
                    for &field in fields {
                        let content = object.contents.get(field as usize);
                        if content.is_some_and(is_known)
                            && let Some(content) =
                                Rc::make_mut(object).contents.get_mut(field as usize)
                        {
                            *content = PartialValue::Unknown;
                        }
                    }
                }
                Touched::All => {}
            }
        }
    }
}

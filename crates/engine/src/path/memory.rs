//! The current heap: what the program has made of its input.

use heapwright_ir::GlobalId;
use heapwright_ir::machine::{MachineError, ObjectId};
use heapwright_logic::ClassId;
use rustc_hash::FxHashMap;

use crate::path::symbolic_value::SymbolicValue;

/// An object or array.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its class.
    pub class: ClassId,
    /// Its fields in the order of the class, or its elements.
    pub contents: Vec<SymbolicValue>,
    /// Whether it was freed.
    pub freed: bool,
}

/// All objects; never fewer than before.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    objects: Vec<Object>,
    /// The objects of the globals that were used so far.
    globals: FxHashMap<GlobalId, ObjectId>,
}

impl Memory {
    /// The object behind an id.
    pub fn object(&self, id: ObjectId) -> Result<&Object, MachineError> {
        (self.objects.get(id.index())).ok_or(MachineError::NoObject(id))
    }

    /// The object behind an id.
    pub fn object_mut(&mut self, id: ObjectId) -> Result<&mut Object, MachineError> {
        (self.objects.get_mut(id.index())).ok_or(MachineError::NoObject(id))
    }

    /// The name of the next object.
    pub fn next(&self) -> ObjectId {
        ObjectId(self.objects.len() as u32)
    }

    /// The object of a global, if it was used before.
    pub fn global(&self, id: GlobalId) -> Option<ObjectId> {
        self.globals.get(&id).copied()
    }

    /// From here on the object is that of the global.
    pub fn set_global(&mut self, id: GlobalId, object: ObjectId) {
        self.globals.insert(id, object);
    }

    /// Whether an object is that of a global.
    pub fn is_global(&self, object: ObjectId) -> bool {
        self.globals.values().any(|&known| known == object)
    }

    /// Adds an object.
    pub fn add(&mut self, object: Object) -> Result<ObjectId, MachineError> {
        if self.objects.len() >= u32::MAX as usize {
            return Err(MachineError::TooManyObjects);
        }
        let id = self.next();
        self.objects.push(object);
        Ok(id)
    }
}

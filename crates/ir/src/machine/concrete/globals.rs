//! The objects of globals.
//!
//! A global that the program has not used yet has no object: it would have its default contents
//! anyway. It gets one at its first use, or one of an imported heap before that.

use std::collections::BTreeMap;

use heapwright_logic::Loc;

use super::{Concrete, Memory, Names};
use crate::global::GlobalId;
use crate::machine::{MachineError, ObjectId};

impl Concrete<'_> {
    /// The object of a global, with default contents if it had none before.
    pub fn global_object(&mut self, id: GlobalId) -> Result<ObjectId, MachineError> {
        if let Some(object) = self.memory.global(id) {
            return Ok(object);
        }
        let global = self.program.globals.get(id.index());
        let global = global.ok_or(MachineError::NoGlobal(id))?;
        let object = match global.length {
            None => self.new_object(global.class)?,
            Some(length) => self.new_array(global.class, length)?,
        };
        self.memory.place_global(id, object);
        Ok(object)
    }

    /// Makes a cell of an imported heap the object of a global that has none yet. The cell has
    /// exactly the class and the length of the global, and stands for no other one.
    pub fn import_global(
        &mut self,
        names: &Names,
        id: GlobalId,
        loc: Loc,
    ) -> Result<ObjectId, MachineError> {
        let global = self.program.globals.get(id.index());
        let global = global.ok_or(MachineError::NoGlobal(id))?;
        let unfit = MachineError::BadGlobal { global: id, loc };
        let Some(object) = names.object(loc) else {
            return Err(unfit);
        };
        let cell = self.memory.object(object)?;
        let length = global.length.map(|length| length as usize);
        let fits = cell.class == global.class
            && length.is_none_or(|length| length == cell.contents.len())
            && !cell.freed;
        let taken = self.memory.global(id).is_some() || self.memory.is_global(object);
        if !fits || taken {
            return Err(unfit);
        }
        self.memory.place_global(id, object);
        Ok(object)
    }
}

impl Memory {
    /// The cells of the globals that have objects, with the names of [`Memory::export`]. The
    /// others have their default contents.
    pub fn export_globals(
        &self,
        names: &BTreeMap<ObjectId, Loc>,
    ) -> Result<BTreeMap<GlobalId, Loc>, MachineError> {
        let named = self.globals().map(|(id, object)| {
            let loc = names.get(&object).copied();
            Ok((id, loc.ok_or(MachineError::NoObject(object))?))
        });
        named.collect()
    }
}

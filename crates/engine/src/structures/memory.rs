//! The heap of a run, cheap to copy: a run is copied at every choice, and copies share the objects
//! that neither has written to.

use std::rc::Rc;

use heapwright_ir::machine::ObjectId;
use heapwright_ir::machine::slot_memory::{SharedMemory, Slot};
use heapwright_logic::ClassId;

use super::partial_value::PartialValue;
use crate::analysis::effects::Touched;

/// All objects.
pub type Memory = SharedMemory<PartialValue>;

/// Forgets what may have been written, in objects of the input too. What is not known anyway stays
/// shared.
pub fn forget(memory: &mut Memory, mut touched: impl FnMut(ClassId) -> Rc<Touched>) {
    for id in (0..memory.size() as u32).map(ObjectId) {
        let Ok(object) = memory.object(id) else {
            continue;
        };
        let is_known = |&value: &PartialValue| value != PartialValue::Unknown;
        match &*touched(object.class) {
            Touched::All => {
                if object.contents.iter().any(is_known)
                    && let Ok(object) = memory.object_mut(id)
                {
                    object.contents.fill(PartialValue::Unknown);
                }
            }
            Touched::Fields(fields) => {
                for &index in fields {
                    let slot = Slot { object: id, index };
                    if memory.read(slot).is_ok_and(|value| is_known(&value)) {
                        // It was there just now.
                        let _ = memory.write(slot, PartialValue::Unknown);
                    }
                }
            }
        }
    }
}

//! Watching what a run does with state that all calls share.
//!
//! An object is shared if a variable leads to it that earlier calls have seen, too. Nobody knows
//! that of an object from the beginning: it is noticed where a run gets hold of it, by reading the
//! variable or a field of another shared object. What the run has written itself is its own from
//! there on.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Memory, Value};
use crate::function::FunctionId;
use crate::global::GlobalId;
use crate::machine::ObjectId;
use crate::machine::slot_memory::Slot;
use crate::shared::{SharedPlace, SharedState, Stability};

/// What a run did with shared state.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct SharedUse {
    /// Variables whose state decided about the run: it read something that can change, and that
    /// it had not written before.
    pub read: BTreeSet<SharedPlace>,
    /// Variables that the run has written to, or to objects behind them, with the classes of these.
    /// Instead of what belongs to the inside of an opaque object there is the class of that object.
    pub changed: BTreeMap<SharedPlace, BTreeSet<ClassId>>,
}

/// How an object is shared.
#[derive(Clone, Copy, Debug)]
enum Mark {
    /// It is the global with the variables.
    Holder(GlobalId),
    /// It lies behind a variable; an array may be known to never change.
    Behind {
        place: SharedPlace,
        is_table: bool,
        /// The class of the opaque object that it belongs to.
        inside: Option<ClassId>,
    },
}

/// The watch over a run.
#[derive(Clone, Debug)]
pub(super) struct Watch<'p> {
    state: &'p SharedState,
    marks: FxHashMap<ObjectId, Mark>,
    /// What the run has written.
    written: FxHashSet<(ObjectId, u32)>,
    /// How many calls deep the run is in an initialiser.
    initialising: u32,
    pub(super) shared_use: SharedUse,
}

impl<'p> Watch<'p> {
    pub(super) fn new(state: &'p SharedState) -> Self {
        Watch {
            state,
            marks: FxHashMap::default(),
            written: FxHashSet::default(),
            initialising: 0,
            shared_use: SharedUse::default(),
        }
    }

    pub(super) fn on_enter(&mut self, function: FunctionId) {
        if self.initialising > 0 || self.state.initialisers.contains(&function) {
            self.initialising += 1;
        }
    }

    pub(super) fn on_leave(&mut self) {
        self.initialising = self.initialising.saturating_sub(1);
    }

    /// A global is mentioned.
    pub(super) fn on_global(&mut self, global: GlobalId, object: ObjectId) {
        if self.state.variables.contains_key(&global) {
            self.marks.entry(object).or_insert(Mark::Holder(global));
        } else if let Some(&place) = self.state.objects.get(&global) {
            let mark = Mark::Behind {
                place,
                is_table: false,
                inside: None,
            };
            self.marks.entry(object).or_insert(mark);
        }
    }

    /// A field or element is read.
    pub(super) fn on_load(&mut self, memory: &Memory, slot: Slot, value: Value) {
        let Slot { object, index } = slot;
        if self.initialising > 0 {
            return;
        }
        let Some(&mark) = self.marks.get(&object) else {
            return;
        };
        if self.written.contains(&(object, index)) {
            return;
        }
        let class = memory.object(object).ok().map(|object| object.class);
        let is_opaque = |class: &ClassId| self.state.opaque.contains(class);
        let inside = match mark {
            Mark::Behind {
                inside: Some(class),
                ..
            } => Some(class),
            _ => class.filter(is_opaque),
        };
        let (place, is_fixed, is_table) = match mark {
            Mark::Holder(global) => {
                let variables = self.state.variables.get(&global);
                let mut variables = variables.into_iter().flatten();
                let Some(known) = variables.find(|known| known.field == index) else {
                    return;
                };
                let place = SharedPlace {
                    global,
                    field: index,
                };
                (place, known.is_final, known.is_table)
            }
            Mark::Behind {
                place,
                is_table: true,
                ..
            } => {
                let is_nested = |class| self.state.arrays_of_arrays.contains(&class);
                (place, true, class.is_some_and(is_nested))
            }
            Mark::Behind { place, .. } => {
                match class.and_then(|class| self.state.classes.get(&class)) {
                    Some(Stability::Immutable(own)) => {
                        let is_own = own.get(index as usize).copied();
                        (place, true, is_own.unwrap_or(false))
                    }
                    Some(Stability::FinalFields(fixed)) => {
                        let is_fixed = fixed.get(index as usize).copied();
                        (place, is_fixed.unwrap_or(false), false)
                    }
                    None => (place, false, false),
                }
            }
        };
        if !is_fixed {
            self.shared_use.read.insert(place);
        }
        if let Value::Pointer(address) = value {
            let target = address.object;
            if !self.marks.contains_key(&target) {
                let is_table = is_table && is_owned(memory, target);
                // What a library was given to keep is somebody else's.
                let class = memory.object(target).ok().map(|object| object.class);
                let belongs = class
                    .is_some_and(|class| is_opaque(&class) || self.state.arrays.contains(&class));
                let inside = inside.filter(|_| belongs);
                let mark = Mark::Behind {
                    place,
                    is_table,
                    inside,
                };
                self.marks.insert(target, mark);
            }
        }
    }

    /// The environment keeps something for an object, and what it kept before is of no use to the
    /// run: as if both were in the object.
    pub(super) fn on_kept(&mut self, memory: &Memory, object: ObjectId) {
        self.on_store(memory, Slot { object, index: 0 });
    }

    /// A field or element is written.
    pub(super) fn on_store(&mut self, memory: &Memory, slot: Slot) {
        let Slot { object, index } = slot;
        if self.initialising > 0 {
            return;
        }
        let place = match self.marks.get(&object) {
            None => return,
            Some(&Mark::Holder(global)) => SharedPlace {
                global,
                field: index,
            },
            Some(&Mark::Behind { place, .. }) => place,
        };
        self.written.insert((object, index));
        let classes = self.shared_use.changed.entry(place).or_default();
        if let (Some(Mark::Behind { inside, .. }), Ok(object)) =
            (self.marks.get(&object), memory.object(object))
        {
            classes.insert(inside.unwrap_or(object.class));
        }
    }
}

/// Whether exactly one field or element of all objects leads to an object, so that nobody can
/// write to it on another way.
fn is_owned(memory: &Memory, target: ObjectId) -> bool {
    let contents = memory.objects().flat_map(|(_, object)| &object.contents);
    let leads_there =
        |value: &&Value| matches!(value, Value::Pointer(address) if address.object == target);
    contents.filter(leads_there).take(2).count() == 1
}

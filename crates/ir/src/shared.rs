//! State of a program that is there before a call, and that earlier calls may have changed.
//!
//! What a run finds in a static field, or in an object behind one, is what the initialiser of a
//! class has left there. In a real program other code may have been there before. Front ends say
//! here which of it can change; a run that depends on such a place without having written it first
//! has seen one of many states, and proves nothing about the others.

use std::sync::Arc;

use heapwright_logic::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::function::FunctionId;
use crate::global::GlobalId;

/// What is shared by all calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SharedState {
    /// The variables, by the global that holds them.
    pub variables: FxHashMap<GlobalId, Vec<SharedVariable>>,
    /// Globals that are objects behind a variable from the beginning, such as the constants of an
    /// enum.
    pub objects: FxHashMap<GlobalId, SharedPlace>,
    /// What can change in objects of a class; of classes that are not here, everything.
    pub classes: FxHashMap<ClassId, Stability>,
    /// Classes whose insides nobody can reach from outside, such as the collections of a library.
    pub opaque: FxHashSet<ClassId>,
    /// The classes of arrays.
    pub arrays: FxHashSet<ClassId>,
    /// Those whose elements are arrays.
    pub arrays_of_arrays: FxHashSet<ClassId>,
    /// Functions that make the initial state: what they do is no call.
    pub initialisers: FxHashSet<FunctionId>,
}

/// A variable that all calls share, such as a static field: the field of a global.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct SharedPlace {
    /// The global.
    pub global: GlobalId,
    /// The position of the field.
    pub field: u32,
}

/// What can change about a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SharedVariable {
    /// The position of the field.
    pub field: u32,
    /// Whether it keeps its first value.
    pub is_final: bool,
    /// Whether no code writes to the array behind it, or hands it to somebody who could.
    pub is_table: bool,
}

/// What can change in an object that calls share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stability {
    /// Nothing, nor in the arrays that belong to it: those in the fields that are marked here, by
    /// position. What it was given to keep is somebody else's.
    Immutable(Arc<[bool]>),
    /// The fields that are not marked here, by position.
    FinalFields(Arc<[bool]>),
}

impl SharedState {
    /// Whether there is nothing to watch.
    pub fn is_empty(&self) -> bool {
        self.variables.is_empty() && self.objects.is_empty()
    }
}

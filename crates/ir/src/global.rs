//! Globals: the objects that exist from the beginning of a run.

use heapwright_logic::ClassId;

/// Identifies a global in its program.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub struct GlobalId(pub u32);

impl GlobalId {
    /// Position in the table of globals.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One object or array that every function can refer to: the static fields of a class, a global
/// variable of C, a string literal.
///
/// It is there from the beginning of a run, with default contents, and never goes away: freeing it
/// is the fault [`InvalidFree`](crate::FaultKind::InvalidFree). A variable is a field of a global,
/// so reading and writing it is an ordinary load and store, and taking its address is nothing
/// special either.
///
/// The class need not be instantiable. One that is not has no other objects, which is what the
/// front end of a language without pointers to variables wants: no reference of an input can be
/// one to the static fields of a class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Global {
    /// Its name, unique among the globals: `counter`, `Tree.static`.
    pub name: String,
    /// Its class.
    pub class: ClassId,
    /// The number of elements; none if it is not an array.
    pub length: Option<u32>,
}

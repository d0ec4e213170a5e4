//! The code of a language's library, of which only a part is ever translated.

use heapwright_logic::ClassId;
use rustc_hash::FxHashSet;

use crate::function::FunctionId;

/// What holds of the functions of a library, whether they are translated or not.
///
/// A function of a library does not know the classes of its users: it writes to their objects by
/// calling methods of theirs, or by reflection. The front end says which functions cannot do the
/// latter.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Library {
    /// The classes of the library, those of its static fields included.
    pub classes: FxHashSet<ClassId>,
    /// Its functions.
    pub functions: FxHashSet<FunctionId>,
    /// Those of its functions that write to objects of other classes by calling methods of theirs,
    /// and in no other way.
    pub encapsulated: FxHashSet<FunctionId>,
    /// Methods of other classes that it can call: they override one of its own.
    pub callbacks: FxHashSet<FunctionId>,
    /// Functions that the front end makes up when they are called, and that write nothing but what
    /// they make themselves.
    pub pure: FxHashSet<FunctionId>,
}

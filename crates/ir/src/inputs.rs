//! What inputs consist of, where a language says more about it than the declared classes do.
//!
//! A reference declared as `Object` could be one to an object of any class; a string is an object
//! whose fields are not free. Front ends say so here; without any rules every class that fits is
//! a candidate, and every field may have every value.

use heapwright_logic::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::function::FunctionId;
use crate::global::GlobalId;
use crate::instruction::Constant;
use crate::shared::SharedState;

/// The rules of a program.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct InputRules {
    /// The classes of input objects, by the declared class of the reference. A class that is not
    /// here has all its instantiable subtypes as candidates.
    pub candidates: FxHashMap<ClassId, Candidates>,
    /// What holds of the fields of every input object of a class that no specification describes.
    pub fields: FxHashMap<ClassId, Vec<FieldRule>>,
    /// Classes whose objects are values: which of several equal ones a reference leads to makes
    /// no difference, and their number is no measure of size.
    pub values: FxHashSet<ClassId>,
    /// Classes with one object, which is that of a global: the constants of an enum. An input
    /// refers to the object, but what is in it the program has put there.
    pub singletons: FxHashMap<ClassId, GlobalId>,
    /// Functions that objects of a class have to pass in order to be inputs: with the contents of
    /// an object as arguments they return, and no assumption of theirs fails.
    pub validators: FxHashMap<ClassId, FunctionId>,
    /// Classes with objects that other programs may extend. That nobody does is an assumption,
    /// which is told where something rests on it.
    pub extensible: FxHashSet<ClassId>,
    /// Classes of which only some objects are inputs, by what holds of their fields: collections
    /// that are empty. What is found out with one is never a proof.
    pub restricted: FxHashSet<ClassId>,
    /// Classes that compilers check, and nobody else: types with arguments. Unchecked casts can make
    /// such a reference lead to an object of another class, so nothing is proved from it.
    pub unchecked: FxHashSet<ClassId>,
    /// State of the program that is no input, though other calls may have changed it.
    pub shared: SharedState,
    /// Classes whose objects are parts of others, and no measure of size.
    pub parts: FxHashSet<ClassId>,
    /// For classes of arrays: the class of places that such a reference may lead to, inside of other
    /// objects (see [`Inside::interior`](crate::Inside)).
    pub interiors: FxHashMap<ClassId, ClassId>,
    /// The class of arrays of bytes, which a pointer to nothing in particular leads to where bytes are
    /// copied.
    pub bytes: Option<ClassId>,
    /// The class of places that stand for an object with a tag in its address: a number that is as
    /// wide as a pointer may refer to one.
    pub tagged: Option<ClassId>,
    /// The parts that the program goes outwards from, by the class that such an object has where it
    /// is no part: it takes them to be inside of others.
    pub containers: FxHashMap<ClassId, Vec<ClassId>>,
    /// The structs with an array in a field (by its position) that the program looks for around such
    /// an array, by the class of the array: a header in front of a text.
    pub headers: FxHashMap<ClassId, Vec<(ClassId, u32)>>,
}

/// The classes that objects behind a reference may have.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Candidates {
    /// The classes, in the order in which they are tried. Arrays too.
    pub classes: Vec<ClassId>,
    /// Whether no other class fits. If not, what is found out is never a proof.
    pub complete: bool,
}

/// An array that the program has as a literal: the characters of a string.
#[derive(Clone, PartialEq, Debug)]
pub struct Literal {
    /// The class of the array.
    pub class: ClassId,
    /// Its elements.
    pub elements: Vec<Constant>,
}

/// What holds of one field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FieldRule {
    /// The position of the field in its class.
    pub field: u32,
    /// What holds.
    pub content: Content,
}

/// What is in a field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Content {
    /// Always this.
    Constant(Constant),
    /// Always the object itself.
    Itself,
    /// An object or array of the field's class, or a candidate for it; never null.
    Present,
    /// An object or array as above that nothing else refers to, such as the characters of a
    /// string: neither an argument nor any other field or element leads to it. Objects must not
    /// need others of their own class in this way, or there would have to be infinitely many.
    Owned,
    /// An array of this many elements, all with the default value, that nothing else refers to.
    Array(u32),
    /// An object of exactly the field's class whose own field of this number leads back here: a
    /// struct inside of another one, or the struct around it. Neither is there without the other.
    Partner(u32),
}

impl InputRules {
    /// What holds of the fields of objects of a class.
    pub fn of_fields(&self, class: ClassId) -> &[FieldRule] {
        self.fields.get(&class).map_or(&[], Vec::as_slice)
    }
}

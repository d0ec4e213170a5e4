//! Programs: functions, classes with their layouts and methods, and what faults mean.

use std::collections::BTreeMap;

use heapwright_logic::{ClassId, Definitions, Sort};
use rustc_hash::FxHashMap;

use crate::function::{Function, FunctionId};
use crate::global::{Global, GlobalId};
use crate::shared_vec::SharedVec;

/// What a running program can do wrong.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum FaultKind {
    /// Null was dereferenced.
    NullDereference,
    /// An object was used after it had been freed.
    UseAfterFree,
    /// Something was freed that is not the beginning of a live object.
    InvalidFree,
    /// An integer was divided by zero.
    DivisionByZero,
    /// An array was indexed outside its length, or an object outside its layout.
    OutOfBounds,
    /// An array of negative length was asked for.
    NegativeLength,
    /// An object is not of the class that it was cast to.
    BadCast,
    /// A value was stored into an array whose elements are of another class.
    BadElement,
    /// An assertion does not hold.
    AssertionFailed,
    /// Calls are nested too deeply.
    StackOverflow,
    /// A method was called that the receiver's class does not have.
    NoSuchMethod,
    /// Signed arithmetic left the range of its type, where that is not allowed.
    Overflow,
    /// A number was shifted by more bits than it has, where that is not allowed.
    BadShift,
    /// What somebody depends on was never given a value.
    Uninitialised,
    /// Memory was copied onto itself, where that is not allowed.
    Overlap,
    /// A pointer that leads to no object was used.
    WildPointer,
    /// A pointer does not lead to a multiple of the alignment of what it is used for.
    Misaligned,
    /// A truth value was read from a byte that is neither 0 nor 1.
    BadTruth,
}

impl FaultKind {
    /// A fault in words.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::NullDereference => "null dereference",
            FaultKind::UseAfterFree => "use after free",
            FaultKind::InvalidFree => "invalid free",
            FaultKind::DivisionByZero => "division by zero",
            FaultKind::OutOfBounds => "index out of bounds",
            FaultKind::NegativeLength => "negative array length",
            FaultKind::BadCast => "bad cast",
            FaultKind::BadElement => "array element of another class",
            FaultKind::AssertionFailed => "assertion failed",
            FaultKind::StackOverflow => "stack overflow",
            FaultKind::NoSuchMethod => "no such method",
            FaultKind::Overflow => "signed integer overflow",
            FaultKind::BadShift => "shift by too many bits",
            FaultKind::Uninitialised => "use of an uninitialised value",
            FaultKind::Overlap => "copy of overlapping memory",
            FaultKind::WildPointer => "wild pointer",
            FaultKind::Misaligned => "misaligned access",
            FaultKind::BadTruth => "truth value that is neither 0 nor 1",
        }
    }
}

/// A source text, for messages and for showing coverage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceFile {
    /// Its name.
    pub name: String,
    /// Its text; empty where it is not known.
    pub text: String,
}

/// Where a field lies in its object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FieldLayout {
    /// Bytes from the beginning of the object.
    pub offset: u32,
    /// Bytes that the field takes.
    pub size: u32,
}

/// What kind of class it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClassKind {
    /// Objects with fields. The layout has one entry per field of the class in
    /// [`Definitions`]; languages without pointers into objects leave it empty.
    Struct {
        /// Where the fields lie.
        layout: Vec<FieldLayout>,
        /// Bytes of a whole object; 0 where that does not matter.
        size: u32,
    },
    /// Arrays with elements of a sort.
    Array {
        /// The sort of the elements.
        element: Sort,
    },
}

/// What lies inside of objects of a class, for languages whose objects are runs of bytes. The text
/// form does not have this.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inside {
    /// Fields that lead to objects inside of this one, with the number of elements of arrays. The
    /// layout of such a field is that of the whole object.
    pub embedded: Vec<(u32, Option<u32>)>,
    /// Fields that take no bytes, such as the way back from an embedded object.
    pub hidden: Vec<u32>,
    /// Fields that are no whole bytes: the field, its first bit from the beginning of the object,
    /// and how many bits it has.
    pub bits: Vec<(u32, u32, u32)>,
    /// For arrays whose elements are objects inside of it: bytes from one to the next.
    pub stride: Option<u32>,
    /// For arrays of bytes: whether values of several bytes may be kept in them as they are. Such
    /// a value is in the slot of its first byte; the others have [`Value::Tail`].
    ///
    /// [`Value::Tail`]: crate::machine::concrete::Value::Tail
    pub raw: bool,
    /// For arrays that all have the same number of elements, as the bytes of a union: how many.
    pub length: Option<u32>,
    /// What the address of an object has to be a multiple of, where accesses are checked for that;
    /// 0 where they are not. Numbers and pointers on their own have to lie at multiples of their
    /// size.
    pub alignment: u32,
    /// Whether an object is no memory, but stands for a place inside of another one in inputs: its
    /// first field leads to that one, its second is the number of bytes from the beginning.
    pub interior: bool,
}

impl Inside {
    /// Whether a field leads to an object inside.
    pub fn embeds(&self, field: u32) -> bool {
        self.embedded.iter().any(|(known, _)| *known == field)
    }
}

/// What the program knows about a class beyond its fields.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassInfo {
    /// Its kind.
    pub kind: ClassKind,
    /// What lies inside of its objects.
    pub inside: Inside,
    /// Interfaces that it implements directly.
    pub interfaces: Vec<ClassId>,
    /// Whether objects of exactly this class exist, other than globals.
    pub instantiable: bool,
    /// The methods that virtual calls find in this class, inherited ones included.
    pub methods: BTreeMap<String, FunctionId>,
}

/// The object that a fault throws: one of a subclass of its exception, which knows what happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultObject {
    /// The class, where nothing is known but that it happened.
    pub plain: ClassId,
    /// The class of objects that know more, and its fields for that: the index and the length of an
    /// index out of bounds, a negative length, an element of another class. Only faults of
    /// functions that are not synthetic know more.
    pub detailed: Option<(ClassId, Vec<u32>)>,
}

/// A whole program. Classes and their fields are in `definitions`, where specifications find
/// them too; `classes` has one entry for each. Copies share functions and classes.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Classes, and the predicates of specifications.
    pub definitions: Definitions,
    /// What is known about the classes, by id.
    pub classes: SharedVec<ClassInfo>,
    /// The objects that exist from the beginning.
    pub globals: Vec<Global>,
    /// The functions.
    pub functions: SharedVec<Function>,
    /// Source texts.
    pub files: Vec<SourceFile>,
    /// Faults that throw an exception of a class instead of ending the program.
    pub exceptions: FxHashMap<FaultKind, ClassId>,
    /// What the objects of these exceptions are, where they are more than empty ones. The text form
    /// does not have this.
    pub fault_objects: FxHashMap<FaultKind, FaultObject>,
    /// Whether objects that nothing refers to at the end are reported as leaks: true where the
    /// program has to free what it allocates. Objects are runs of bytes then: pointers may lead
    /// into them, and a pointer may be used as one to something else than it was declared to be.
    pub manual_memory: bool,
    /// The class of memory without a type, if the language has any.
    pub raw: Option<ClassId>,
    /// The class of what is thrown where the program ends itself: nobody catches it, nothing is
    /// wrong with it, and its first field is the status that the program ends with.
    pub exit: Option<ClassId>,
}

impl Default for ClassInfo {
    fn default() -> Self {
        ClassInfo {
            kind: ClassKind::Struct {
                layout: Vec::new(),
                size: 0,
            },
            inside: Inside::default(),
            interfaces: Vec::new(),
            instantiable: true,
            methods: BTreeMap::new(),
        }
    }
}

impl Program {
    /// The function behind an id.
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// Looks a function up by name.
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let position = self
            .functions
            .iter()
            .position(|function| function.name == name);
        position.map(|index| FunctionId(index as u32))
    }

    /// The global behind an id.
    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id.index()]
    }

    /// Looks a global up by name.
    pub fn global_named(&self, name: &str) -> Option<GlobalId> {
        let position = self.globals.iter().position(|global| global.name == name);
        position.map(|index| GlobalId(index as u32))
    }

    /// What is known about a class.
    pub fn class(&self, id: ClassId) -> &ClassInfo {
        &self.classes[id.index()]
    }

    /// The class of arrays of structs that lie in them.
    pub fn array_of(&self, class: ClassId) -> Option<ClassId> {
        let is_such = |info: &ClassInfo| {
            info.inside.stride.is_some()
                && matches!(info.kind, ClassKind::Array { element: Sort::Ref(of) } if of == class)
        };
        let position = self.classes.iter().position(is_such);
        position.map(|index| ClassId(index as u32))
    }

    /// Whether objects of `class` can stand where `ancestor` is expected.
    pub fn is_subtype(&self, class: ClassId, ancestor: ClassId) -> bool {
        if self.definitions.is_subclass(class, ancestor) {
            return true;
        }
        // Interfaces, of the class and of its superclasses; hierarchies are small.
        let mut pending = vec![class];
        let mut seen = Vec::new();
        while let Some(next) = pending.pop() {
            if next == ancestor {
                return true;
            }
            if seen.contains(&next) {
                continue;
            }
            seen.push(next);
            pending.extend(self.definitions.class(next).superclass);
            if let Some(info) = self.classes.get(next.index()) {
                pending.extend(&info.interfaces);
            }
        }
        false
    }
}

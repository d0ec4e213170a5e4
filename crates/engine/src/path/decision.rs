//! Decisions: the answers that a run got where its input was open.
//!
//! The decisions of a run, in order, say everything about the path: a run that gets the same
//! answers takes the same way. They are the edges of the constraint tree, and a list of them is
//! all that somebody else needs to go on from there.

use heapwright_ir::machine::{Edge, ObjectId, Site};
use heapwright_ir::{BlockId, FunctionId, GlobalId};
use heapwright_logic::{ClassId, PredId};

/// One of the answers to an open question.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize,
)]
pub enum Choice {
    /// The precondition holds by this disjunct.
    Disjunct(u32),
    /// A condition holds, or not.
    Condition(bool),
    /// The case of a switch, or the default.
    Case(Option<u32>),
    /// A reference is null.
    Null,
    /// A reference is this object of the input, materialised before.
    Alias(ObjectId),
    /// A reference is an object outside of the footprint of the precondition that nobody has
    /// seen so far.
    Fresh(ClassId),
    /// The same for an array with so many elements.
    FreshArray {
        /// Its class.
        class: ClassId,
        /// How many elements it has.
        length: u32,
    },
    /// The same for an array with the contents of a literal of the program.
    KnownArray {
        /// Its class.
        class: ClassId,
        /// The global of the literal.
        literal: GlobalId,
    },
    /// A reference leads into this object of the input, so many bytes from its beginning.
    Within {
        /// The object.
        object: ObjectId,
        /// How many bytes.
        offset: u32,
    },
    /// The same for an object that nobody has seen so far.
    WithinFresh {
        /// Its class.
        class: ClassId,
        /// How many bytes.
        offset: u32,
    },
    /// A reference leads to an element of an array that nobody has seen so far.
    WithinFreshArray {
        /// The class of the array.
        class: ClassId,
        /// How many elements it has.
        elements: u32,
        /// How many bytes from its beginning.
        offset: u32,
    },
    /// A reference is the first element of an array that nobody has seen so far, whose elements are
    /// objects inside of it.
    FirstElement {
        /// The class of the array.
        class: ClassId,
        /// How many elements it has.
        length: u32,
    },
    /// A reference is the array in a field of a struct that nobody has seen so far.
    Member {
        /// The class of the struct.
        class: ClassId,
        /// The field.
        field: u32,
        /// How many elements the array has.
        length: u32,
    },
    /// A reference is an object inside of this predicate instance (numbered in the order in which the path met
    /// the instances), which holds by this disjunct.
    Unfold {
        /// The instance.
        instance: u32,
        /// The disjunct of its predicate.
        disjunct: u32,
    },
    /// An index selects this element, or none at all.
    Element(Option<u32>),
    /// A number is this one.
    Number(i128),
    /// A number is another one than this.
    Except(i128),
}

/// What of the input a question is about.
#[derive(
    Clone, Copy, PartialEq, Eq, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
)]
pub enum About {
    /// Arguments that are numbers, or nothing that is known.
    #[default]
    Arguments,
    /// Whether arguments are null or the same, and no number.
    PointerArguments,
    /// The same, and about references that objects of the input hold.
    References,
    /// Numbers that objects of the input hold.
    Contents,
}

impl Choice {
    /// The length of an array that nobody has seen so far.
    pub fn length(self) -> Option<u32> {
        match self {
            Choice::FreshArray { length, .. }
            | Choice::FirstElement { length, .. }
            | Choice::Member { length, .. } => Some(length),
            _ => None,
        }
    }

    /// The same with an array of another length.
    pub fn with_length(self, length: u32) -> Choice {
        match self {
            Choice::FreshArray { class, .. } => Choice::FreshArray { class, length },
            Choice::FirstElement { class, .. } => Choice::FirstElement { class, length },
            Choice::Member { class, field, .. } => Choice::Member {
                class,
                field,
                length,
            },
            other => other,
        }
    }

    /// Whether it is an object that nobody has seen so far, outside of the footprint.
    pub fn is_fresh(self) -> bool {
        matches!(
            self,
            Choice::Fresh(_) | Choice::FreshArray { .. } | Choice::KnownArray { .. }
        )
    }
}

/// An answer with its question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub struct Decision {
    /// Where the question came up; none for the choice of the precondition's disjunct.
    pub site: Option<Site>,
    /// The answer.
    pub choice: Choice,
    /// Whether the other answers are known to be impossible.
    pub forced: bool,
    /// The edge of branch coverage that the answer takes, if it decides one.
    pub edge: Option<Edge>,
    /// The block of a function under test where the run is, or where it called what asks.
    pub block: Option<(FunctionId, BlockId)>,
    /// Whether the answer makes the instruction fail.
    pub fault: bool,
    /// What the question is about. Known only where memory is managed by the program.
    pub about: About,
    /// The predicate of the instance that is unfolded, if one is.
    pub predicate: Option<PredId>,
}

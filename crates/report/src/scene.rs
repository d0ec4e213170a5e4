//! What a caller wants to see.

use heapwright_logic::{Definitions, Heap, Value};

/// The named roots (parameters, local variables) and the heap at one moment.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    /// Names and values, in the order in which they are to be shown.
    pub roots: &'a [(String, Value)],
    /// The objects.
    pub heap: &'a Heap,
}

/// How much of a large heap is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Objects; those nearest to the roots are drawn. Default 60, never more than 120.
    pub objects: usize,
    /// Fields of one object; references and changed fields go first. Default 16, never more
    /// than 32.
    pub fields: usize,
    /// Roots. Default 24, never more than 200.
    pub roots: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            objects: 60,
            fields: 16,
            roots: 24,
        }
    }
}

impl Limits {
    /// The limits that are kept to: the layout is made for pictures that a person can read.
    pub(crate) fn clamped(self) -> Limits {
        Limits {
            objects: self.objects.clamp(1, 120),
            fields: self.fields.clamp(1, 32),
            roots: self.roots.clamp(1, 200),
        }
    }
}

/// One picture: a state, and possibly the state before it.
///
/// With a state before, addresses are the identities of objects: an address that only the state
/// before has was freed, one that only this state has is new, and fields that differ are marked
/// with what they were. Objects are numbered by the state before first, so that `#3` is the same
/// object in both pictures of a test.
#[derive(Clone, Debug)]
pub struct Scene<'a> {
    /// What the picture is called by those who cannot see it.
    pub title: &'a str,
    /// The classes of the objects.
    pub definitions: &'a Definitions,
    /// What is drawn.
    pub state: State<'a>,
    /// What it is compared with.
    pub before: Option<State<'a>>,
    /// How much is drawn at most.
    pub limits: Limits,
}

impl<'a> Scene<'a> {
    /// A picture of one state.
    pub fn new(
        definitions: &'a Definitions,
        roots: &'a [(String, Value)],
        heap: &'a Heap,
    ) -> Scene<'a> {
        Scene {
            title: "Heap",
            definitions,
            state: State { roots, heap },
            before: None,
            limits: Limits::default(),
        }
    }

    /// The same picture under another title.
    pub fn titled(self, title: &'a str) -> Scene<'a> {
        Scene { title, ..self }
    }

    /// The same state with what changed since an earlier one.
    pub fn compared_with(self, roots: &'a [(String, Value)], heap: &'a Heap) -> Scene<'a> {
        Scene {
            before: Some(State { roots, heap }),
            ..self
        }
    }
}

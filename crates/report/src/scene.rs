//! What a caller wants to see.

use std::collections::BTreeMap;

use heapwright_logic::{Definitions, Heap, Loc, Value};

/// Objects that are shown as a text: a string as `"abc"`, say. They are one node each; whatever
/// only they lead to is hidden.
pub type Labels = BTreeMap<Loc, String>;

/// The named roots (parameters, local variables) and the heap at one moment.
#[derive(Clone, Copy, Debug)]
pub struct State<'a> {
    /// Names and values, in the order in which they are to be shown.
    pub roots: &'a [(String, Value)],
    /// The objects.
    pub heap: &'a Heap,
    /// The objects that are shown as a text.
    pub labels: Option<&'a Labels>,
}

impl State<'_> {
    /// The text that is shown for an object.
    pub(crate) fn label(&self, loc: Loc) -> Option<&str> {
        let label = self.labels?.get(&loc)?;
        self.heap.cells.contains_key(&loc).then_some(label)
    }
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
    /// What another picture shows that is compared with this one: objects have the same places in
    /// both.
    pub after: Option<State<'a>>,
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
            state: State {
                roots,
                heap,
                labels: None,
            },
            before: None,
            after: None,
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
            before: Some(State {
                roots,
                heap,
                labels: None,
            }),
            ..self
        }
    }

    /// The same picture, with room for what a later one shows that is compared with it.
    pub fn followed_by(
        self,
        roots: &'a [(String, Value)],
        heap: &'a Heap,
        labels: Option<&'a Labels>,
    ) -> Scene<'a> {
        Scene {
            after: Some(State {
                roots,
                heap,
                labels,
            }),
            ..self
        }
    }

    /// The same picture with texts for some objects of the state, and of the one before it if
    /// there is one.
    pub fn labelled(mut self, labels: &'a Labels, before: &'a Labels) -> Scene<'a> {
        self.state.labels = Some(labels);
        if let Some(state) = &mut self.before {
            state.labels = Some(before);
        }
        self
    }
}

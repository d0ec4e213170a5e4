//! States that calls reach, for whoever learns what they have in common; and how they are compared.

use std::collections::BTreeSet;
use std::time::Duration;

use heapwright_engine::Interrupt;
use heapwright_logic::{CanonicalKey, canonical_key};
use heapwright_logic::{ClassId, Definitions, Heap, Loc, Value};

/// Numbers from here on are keys: programs only compare them. Sizes, heights and indices are smaller.
pub const KEYS_FROM: i128 = 100;

/// Stands for every object that is a value: nothing is said about it.
const VALUE: Loc = Loc(u32::MAX);

/// A state: a heap, and the object that it is the state of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The objects. References to values dangle.
    pub heap: Heap,
    /// The object.
    pub root: Loc,
}

/// What bounds an observation.
#[derive(Clone, Debug)]
pub struct ObservationRequest {
    /// Objects of a state, those that are values not counted.
    pub objects: usize,
    /// States.
    pub states: usize,
    /// Wall-clock time.
    pub time: Duration,
    /// Fields that do not count.
    pub ignored: BTreeSet<String>,
    /// Fields that count, whatever they look like.
    pub compared: BTreeSet<String>,
    /// Ends the observation when it is set.
    pub interrupt: Interrupt,
}

/// The states of a class that calls reach.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The classes of the objects.
    pub definitions: Definitions,
    /// The class whose invariant is wanted.
    pub class: ClassId,
    /// The states, each once.
    pub states: Vec<State>,
    /// All states of at most so many objects that calls reach by states of at most this size are
    /// among them.
    pub closed_to: usize,
    /// Whether the clock or the user has ended the observation.
    pub is_cut: bool,
    /// Calls that were executed.
    pub calls: u64,
    /// What calls were tried on: the names of the methods.
    pub methods: Vec<String>,
    /// Fields that count calls and nothing else: they were not compared.
    pub counters: Vec<String>,
    /// Methods whose objects besides the receiver are values, as contracts name them.
    pub contracts: Vec<String>,
}

/// A call that was tried in a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tried {
    /// The call, as programs write it.
    pub call: String,
    /// The method, as contracts name it.
    pub method: String,
    /// The arguments.
    pub arguments: Vec<Value>,
    /// What it left.
    pub left: Left,
}

/// What a call leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Left {
    /// This state: it returned.
    State(State),
    /// An exception that the code throws: callers may expect it.
    Exception,
    /// It failed, as it is said here.
    Failure(String),
}

impl State {
    /// The state without its values, with keys by their rank.
    pub fn normalised(&self) -> State {
        let heap = &self.heap;
        let fields = heap.cells.values().flat_map(|cell| &cell.fields);
        let keys: BTreeSet<i128> = fields.filter_map(|value| key(*value)).collect();
        let mut normalised = heap.clone();
        for cell in normalised.cells.values_mut() {
            for value in &mut cell.fields {
                *value = match *value {
                    Value::Ref(loc) if !heap.cells.contains_key(&loc) => Value::Ref(VALUE),
                    Value::Int(number) if number >= KEYS_FROM => {
                        let rank = keys.range(..number).count() as i128;
                        Value::Int(KEYS_FROM + 2 * rank + 1)
                    }
                    other => other,
                };
            }
        }
        State {
            heap: normalised,
            root: self.root,
        }
    }

    /// Equal for states that are the same up to isomorphism, values, and the distances of keys.
    pub fn key(&self) -> CanonicalKey {
        let normalised = self.normalised();
        canonical_key(&[Value::Ref(self.root)], &normalised.heap)
    }
}

impl State {
    /// The state with keys in some fields, in the order of the numbers there.
    pub fn raised(mut self, keyed: &BTreeSet<(ClassId, usize)>) -> State {
        let mut numbers = BTreeSet::new();
        for cell in self.heap.cells.values() {
            for (index, value) in cell.fields.iter().enumerate() {
                if let Value::Int(number) = value
                    && keyed.contains(&(cell.class, index))
                {
                    numbers.insert(*number);
                }
            }
        }
        for cell in self.heap.cells.values_mut() {
            for (index, value) in cell.fields.iter_mut().enumerate() {
                if let Value::Int(number) = value
                    && keyed.contains(&(cell.class, index))
                {
                    let rank = numbers.range(..*number).count() as i128;
                    *value = Value::Int(KEYS_FROM + 2 * rank + 1);
                }
            }
        }
        self
    }
}

impl Observed {
    /// The fields that some state has a key in.
    pub fn keyed(&self) -> BTreeSet<(ClassId, usize)> {
        let mut keyed = BTreeSet::new();
        for cell in self
            .states
            .iter()
            .flat_map(|state| state.heap.cells.values())
        {
            for (index, value) in cell.fields.iter().enumerate() {
                if key(*value).is_some() {
                    keyed.insert((cell.class, index));
                }
            }
        }
        keyed
    }
}

/// The number that a key is.
pub fn key(value: Value) -> Option<i128> {
    match value {
        Value::Int(number) if number >= KEYS_FROM => Some(number),
        _ => None,
    }
}

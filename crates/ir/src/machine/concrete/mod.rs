//! The domain of ordinary values: programs run as they would on a real machine.
//!
//! Freed objects are kept with their contents, so that their use is noticed and an input that
//! the program freed can still be shown.

pub mod arithmetic;
mod bytes;
mod domain;
mod globals;
mod import;
mod unspecified;
mod value;
mod watch;

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::ClassId;
use rustc_hash::FxHashMap;

use crate::machine::environment::Environment;
use crate::machine::interned::Interned;
use crate::machine::slot_memory::{self, SlotMemory};
use crate::machine::{Edge, Intrinsic, MachineError, ObjectId, ProgramPoint};
use crate::program::Program;
use crate::shared::SharedState;

pub use bytes::{pointer_arithmetic, pointer_conversion};
pub use import::{Names, export_value, holds_pointer, is_exportable};
pub use value::Value;
pub use watch::SharedUse;

/// What a run did, for coverage and for showing the path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The instructions and jumps in order, the first [`Trace::limit`] of them.
    pub points: Vec<ProgramPoint>,
    /// The edges in order, the first [`Trace::limit`] of them.
    pub trail: Vec<Edge>,
    /// How often the edges were taken.
    pub edges: BTreeMap<Edge, u64>,
    /// How long the lists may become, so that long runs do not fill the memory. Default: no
    /// limit.
    pub limit: usize,
}

impl Default for Trace {
    fn default() -> Self {
        Trace {
            points: Vec::new(),
            trail: Vec::new(),
            edges: BTreeMap::new(),
            limit: usize::MAX,
        }
    }
}

/// A function that the language provides.
pub type IntrinsicFn = fn(&mut Memory, &[Value]) -> Intrinsic<Value>;

/// An object or array of ordinary values.
pub type Object = slot_memory::Object<Value>;

/// All objects.
pub type Memory = SlotMemory<Value>;

/// The concrete domain.
#[derive(Clone, Debug)]
pub struct Concrete<'p> {
    program: &'p Program,
    /// The objects.
    pub memory: Memory,
    /// What runs did, one after the other; recorded only if there is a trace to begin with.
    pub trace: Option<Trace>,
    intrinsics: FxHashMap<String, IntrinsicFn>,
    /// Where other answers than the usual ones are wanted to what the language leaves open: the
    /// seed of these, and how often the clock was read.
    varied: Option<(u64, u64)>,
    /// The only part of the environment that varies; none if all do.
    only: Option<Environment>,
    /// The parts of the environment that runs have asked about.
    pub asked: BTreeSet<Environment>,
    /// How often they asked.
    questions: u64,
    /// By how many units in the last place functions are off that need not be exact.
    off_by: i8,
    /// Objects that are one with others of the same number.
    interned: Interned<()>,
    /// Whether such a function was called.
    pub inexact: bool,
    /// Who watches what runs do with state that all calls share.
    watch: Option<Box<watch::Watch<'p>>>,
}

impl<'p> Concrete<'p> {
    /// An empty memory for runs of a program.
    pub fn new(program: &'p Program) -> Self {
        Concrete {
            program,
            memory: Memory::default(),
            trace: None,
            intrinsics: FxHashMap::default(),
            varied: None,
            only: None,
            asked: BTreeSet::new(),
            questions: 0,
            off_by: 0,
            interned: Interned::default(),
            inexact: false,
            watch: None,
        }
    }

    /// Takes down what runs do with state that all calls share.
    pub fn watching(mut self, state: &'p SharedState) -> Self {
        let watched = !state.is_empty();
        self.watch = watched.then(|| Box::new(watch::Watch::new(state)));
        self
    }

    /// What runs did with state that all calls share; nothing more is taken down.
    pub fn take_shared_use(&mut self) -> SharedUse {
        let watch = self.watch.take();
        watch.map_or_else(SharedUse::default, |watch| watch.shared_use)
    }

    /// Puts runs into another [`Environment`] than usual. What differs between runs with
    /// different seeds depends on something that the language leaves open.
    pub fn varied(mut self, seed: u64) -> Self {
        self.varied = Some((seed, 0));
        self
    }

    /// Varies nothing but one part of the environment.
    pub fn varied_only(self, seed: u64, part: Environment) -> Self {
        let mut domain = self.varied(seed);
        domain.only = Some(part);
        domain
    }

    /// Lets functions that are not exact ([`MathFunction::is_exact`]) be off by some units in the
    /// last place, as those of another platform may be.
    ///
    /// [`MathFunction::is_exact`]: heapwright_logic::MathFunction::is_exact
    pub fn off_by(mut self, units: i8) -> Self {
        self.off_by = units;
        self
    }

    /// Records what runs do.
    pub fn traced(mut self) -> Self {
        self.trace = Some(Trace::default());
        self
    }

    /// Records what runs do, of points and edges in order only the first `limit`.
    pub fn traced_up_to(mut self, limit: usize) -> Self {
        let limited = Trace {
            limit,
            ..Trace::default()
        };
        self.trace = Some(limited);
        self
    }

    /// Provides a function of the language. The functions of [`MathFunction`] and those in
    /// [`intrinsic`](crate::machine::intrinsic) are known without being provided.
    ///
    /// [`MathFunction`]: heapwright_logic::MathFunction
    pub fn provide(&mut self, name: impl Into<String>, function: IntrinsicFn) {
        self.intrinsics.insert(name.into(), function);
    }

    /// A new object with default contents.
    pub fn new_object(&mut self, class: ClassId) -> Result<ObjectId, MachineError> {
        self.memory.build(self.program, class, None)
    }

    /// A new array with default contents.
    pub fn new_array(&mut self, class: ClassId, length: u32) -> Result<ObjectId, MachineError> {
        self.memory.build(self.program, class, Some(length))
    }
}

impl Memory {
    /// The live objects that cannot be reached from the roots and the globals: where memory is
    /// managed by the program, nobody can free them any more. A reference into an object keeps
    /// all of it; freed objects keep nothing.
    pub fn leaks(&self, roots: impl IntoIterator<Item = Value>) -> Vec<ObjectId> {
        let globals = self.globals().map(|(_, object)| Value::object(object));
        let reached = self.reachable(roots.into_iter().chain(globals));
        let lost = self.objects().zip(reached);
        lost.filter(|((_, object), reached)| {
            // What lies inside of another object goes with it.
            !reached && !object.freed && object.outer.is_none()
        })
        .map(|((id, _), _)| id)
        .collect()
    }

    /// Which live objects can be reached from values, by id.
    fn reachable(&self, roots: impl IntoIterator<Item = Value>) -> Vec<bool> {
        let mut reached = vec![false; self.size()];
        let mut pending: Vec<Value> = roots.into_iter().collect();
        while let Some(value) = pending.pop() {
            let Value::Pointer(address) = value else {
                continue;
            };
            let seen = reached.get_mut(address.object.index());
            let (Some(seen), Ok(object)) = (seen, self.object(address.object)) else {
                continue;
            };
            if !*seen && !object.freed {
                *seen = true;
                pending.extend(&object.contents);
                // A reference into an object keeps all of it.
                pending.extend(object.outer.map(|(outer, _)| Value::object(outer)));
            }
        }
        reached
    }
}

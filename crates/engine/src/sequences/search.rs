//! The search through sequences: breadth first, every state once.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_ir::machine::{Edge, MachineOutcome, Successor};
use heapwright_ir::{FunctionId, Position, Program};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use super::combinations::combinations;
use super::environment::{Environment, Receiver, Step};
use super::state::{Key, State};
use super::{Argument, Call, DataType, Growth, Record, Sequence, SequenceBounds};
use crate::check::oracle::verdict;
use crate::report::{Limit, StopReason, Verification};

/// Stands for the calls of an operation that has changed something.
const FRUITFUL: u64 = u64::MAX;

/// Calls after which an operation that is not under test, and has not changed anything, is not tried
/// any more.
const PATIENCE: u64 = 500;

/// Calls between two looks at the clock.
const CALLS_PER_LOOK: u64 = 64;

/// What a search through sequences found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// The program as it is in the end.
    pub program: Arc<Program>,
    /// States up to isomorphism, those of new objects included.
    pub states: u64,
    /// Calls that were executed, those of constructors included.
    pub transitions: u64,
    /// Calls that returned to a state that was known.
    pub matched: u64,
    /// The largest number of calls, the constructor not counted, that a state needs.
    pub depth: u32,
    /// Why the search ended: exhausted if no call leads to a new state, or none within the length.
    pub stop: StopReason,
    /// Whether there are states whose calls were not tried, because of the length or a limit, or
    /// calls that were left out.
    pub is_cut: bool,
    /// The branches that calls took.
    pub edges: FxHashSet<Edge>,
    /// The operations that have changed a state.
    pub changing: BTreeSet<usize>,
    /// The calls that were kept, by operation, in the order of their length.
    pub tests: Vec<Vec<Sequence>>,
    /// Functions that calls ended at because nobody knows them.
    pub missing: BTreeSet<String>,
    /// How long it took.
    pub time: Duration,
}

/// Searches through the sequences of a data type. The observer is told now and then how far the
/// search has come.
pub fn explore(
    program: Arc<Program>,
    growth: &mut dyn Growth,
    data_type: &DataType,
    bounds: &SequenceBounds,
    observer: &mut dyn FnMut(&Exploration),
) -> Exploration {
    let begin = Instant::now();
    let mut search = Search {
        environment: Environment::new(program, growth, data_type, bounds.budgets),
        data_type,
        bounds,
        nodes: Vec::new(),
        known: FxHashMap::default(),
        paths: vec![FxHashSet::default(); data_type.operations.len()],
        fruitless: vec![0; data_type.operations.len()],
        bytes: 0,
        begin,
        found: Exploration {
            tests: vec![Vec::new(); data_type.operations.len()],
            ..Exploration::default()
        },
    };
    search.found.stop = match search.run(observer) {
        Ok(()) => StopReason::Exhausted,
        Err(limit) => StopReason::Limit(limit),
    };
    search.found.is_cut |= search.found.stop != StopReason::Exhausted;
    let Search {
        environment, found, ..
    } = search;
    Exploration {
        program: Arc::clone(&environment.program),
        missing: environment.missing,
        time: begin.elapsed(),
        ..found
    }
}

/// A state with the call that leads there.
struct Node {
    state: State,
    call: Call,
    /// The state before; none behind a constructor.
    parent: Option<u32>,
    depth: u32,
    /// Whether the receiver is valid, once somebody has asked.
    valid: Option<bool>,
}

struct Search<'a, 'g> {
    environment: Environment<'g>,
    data_type: &'a DataType,
    bounds: &'a SequenceBounds,
    nodes: Vec<Node>,
    known: FxHashMap<Key, u32>,
    /// The paths that were seen, by operation, each with whether it broke the invariant.
    paths: Vec<FxHashSet<(u64, bool)>>,
    /// Calls of operations that have not changed anything yet.
    fruitless: Vec<u64>,
    bytes: u64,
    begin: Instant,
    found: Exploration,
}

impl Search<'_, '_> {
    fn run(&mut self, observer: &mut dyn FnMut(&Exploration)) -> Result<(), Limit> {
        let data_type = self.data_type;
        for (operation, constructor) in data_type.constructors.iter().enumerate() {
            for (arguments, builds) in combinations(constructor, &mut self.found.is_cut) {
                let receiver = match constructor.gives {
                    true => Receiver::Given,
                    false => Receiver::New(data_type.class),
                };
                let called = (self.environment).call(receiver, constructor.function, &arguments);
                self.count()?;
                let Ok(step) = called else {
                    continue;
                };
                let call = Call {
                    operation,
                    arguments,
                };
                self.note_edges(&step);
                if builds && step.is_whole {
                    self.enter(step, call, None)?;
                }
            }
        }
        let mut calls: Vec<(usize, Vec<Argument>, bool)> = Vec::new();
        for (index, operation) in data_type.operations.iter().enumerate() {
            let combined = combinations(operation, &mut self.found.is_cut).into_iter();
            calls.extend(combined.map(|(arguments, builds)| (index, arguments, builds)));
        }
        let mut next = 0;
        while next < self.nodes.len() {
            for (operation, arguments, builds) in &calls {
                self.call(next, *operation, arguments, *builds)?;
            }
            next += 1;
            if next.is_multiple_of(64) {
                observer(&self.found);
            }
        }
        Ok(())
    }

    /// Calls an operation in a state.
    fn call(
        &mut self,
        node: usize,
        index: usize,
        arguments: &[Argument],
        builds: bool,
    ) -> Result<(), Limit> {
        let (Some(from), Some(operation)) =
            (self.nodes.get(node), self.data_type.operations.get(index))
        else {
            return Ok(());
        };
        let fruitless = self.fruitless.get(index).copied().unwrap_or(0);
        if !operation.tested && (!operation.builds || (PATIENCE..FRUITFUL).contains(&fruitless)) {
            // Sequences with calls of it are left out.
            self.found.is_cut |= operation.builds;
            return Ok(());
        }
        let depth = from.depth;
        let receiver = Receiver::Of(&from.state);
        let called = (self.environment).call(receiver, operation.function, arguments);
        self.count()?;
        let Ok(step) = called else {
            return Ok(());
        };
        let new_edges = self.note_edges(&step);
        let breaks = operation.tested && self.breaks_invariant(node, &step);
        if operation.tested && self.is_wanted(index, &step, new_edges, breaks) {
            let mut sequence = self.sequence(node);
            sequence.calls.push(Call {
                operation: index,
                arguments: arguments.to_vec(),
            });
            self.bytes += 200 * (sequence.calls.len() as u64 + 1);
            if let Some(tests) = self.found.tests.get_mut(index) {
                tests.push(sequence);
            }
        }
        // Nobody could clean up behind a sequence that goes on from there.
        if builds && !step.is_whole {
            self.found.is_cut = true;
        }
        if !builds || !step.is_whole {
            return Ok(());
        }
        if (self.bounds.length).is_some_and(|length| depth >= length) {
            // The state behind the last call is not entered; whether it is new tells whether
            // something was left out.
            let state = step.state.as_ref().filter(|_| returned(&step));
            let new = state.is_some_and(|state| {
                let key = self.environment.key(state);
                !self.known.contains_key(&key)
            });
            self.found.is_cut |= new;
            self.found.matched += u64::from(state.is_some() && !new);
            return Ok(());
        }
        let call = Call {
            operation: index,
            arguments: arguments.to_vec(),
        };
        let before = self.nodes.get(node).map(|node| &node.state);
        if let Some(fruitless) = self.fruitless.get_mut(index) {
            match step.state.as_ref() == before {
                false => {
                    *fruitless = FRUITFUL;
                    self.found.changing.insert(index);
                }
                true => *fruitless = fruitless.saturating_add(1),
            }
        }
        self.enter(step, call, Some(node as u32))
    }

    /// Adds the state behind a call, if it is a new one.
    fn enter(&mut self, step: Step, call: Call, parent: Option<u32>) -> Result<(), Limit> {
        // A call that throws is no part of a longer sequence.
        if !returned(&step) {
            return Ok(());
        }
        let Some(state) = step.state else {
            return Ok(());
        };
        let key = self.environment.key(&state);
        if self.known.contains_key(&key) {
            self.found.matched += 1;
            return Ok(());
        }
        if self.found.states >= self.bounds.states {
            return Err(Limit::States);
        }
        let depth = match parent {
            Some(parent) => (self.nodes.get(parent as usize)).map_or(0, |node| node.depth + 1),
            None => 0,
        };
        self.bytes += state.bytes() + key.len() as u64 + 100;
        self.known.insert(key, self.nodes.len() as u32);
        self.nodes.push(Node {
            state,
            call,
            parent,
            depth,
            valid: None,
        });
        self.found.states += 1;
        self.found.depth = depth;
        Ok(())
    }

    /// Counts a call, and looks whether a limit is reached.
    fn count(&mut self) -> Result<(), Limit> {
        self.found.transitions += 1;
        let bounds = self.bounds;
        if let Some(limit) = bounds.interrupt.limit() {
            return Err(limit);
        }
        if self.bytes >= bounds.memory {
            return Err(Limit::Memory);
        }
        let look = self.found.transitions.is_multiple_of(CALLS_PER_LOOK);
        match look && bounds.time.is_some_and(|time| self.begin.elapsed() >= time) {
            true => Err(Limit::Time),
            false => Ok(()),
        }
    }

    /// Adds the branches of a call; whether there are new ones.
    fn note_edges(&mut self, step: &Step) -> bool {
        let known = self.found.edges.len();
        self.found.edges.extend(step.trace.edges.keys());
        self.found.edges.len() > known
    }

    /// Whether a call becomes a test.
    fn is_wanted(&mut self, index: usize, step: &Step, new_edges: bool, breaks: bool) -> bool {
        match self.bounds.record {
            Record::Nothing => false,
            Record::Everything => true,
            Record::Paths => {
                let path = (path(step), breaks);
                let paths = self.paths.get_mut(index);
                paths.is_some_and(|paths| paths.insert(path)) || new_edges
            }
        }
    }

    /// Whether the receiver was valid before a call, and is not any more. Asking makes the program
    /// grow by what the predicate needs.
    fn breaks_invariant(&mut self, node: usize, step: &Step) -> bool {
        let Some(invariant) = self.data_type.invariant else {
            return false;
        };
        let is_asked = self.bounds.record != Record::Nothing;
        let is_over = matches!(
            step.ended,
            MachineOutcome::Returned(_) | MachineOutcome::Threw { .. }
        );
        let before = self.nodes.get(node).map(|node| &node.state);
        let Some(after) = step.state.as_ref().filter(|_| is_asked && is_over) else {
            return false;
        };
        if before == Some(after) {
            return false;
        }
        let known = self.known.get(&self.environment.key(after)).copied();
        let is_invalid = match known {
            Some(known) => self.validity(known as usize, invariant) == Some(false),
            None => validity(&mut self.environment, after, invariant) == Some(false),
        };
        is_invalid && self.validity(node, invariant) == Some(true)
    }

    /// Whether the receiver is valid in a state, which is found out once.
    fn validity(&mut self, node: usize, invariant: FunctionId) -> Option<bool> {
        let node = self.nodes.get_mut(node)?;
        if node.valid.is_none() {
            node.valid = validity(&mut self.environment, &node.state, invariant);
        }
        node.valid
    }

    /// The calls that lead to a state.
    fn sequence(&self, node: usize) -> Sequence {
        let mut calls = Vec::new();
        let mut next = Some(node as u32);
        while let Some(node) = next.and_then(|index| self.nodes.get(index as usize)) {
            calls.push(node.call.clone());
            next = node.parent;
        }
        Sequence::from_last(calls)
    }
}

/// Whether the receiver of a state is valid; nothing if the predicate does not say.
fn validity(
    environment: &mut Environment<'_>,
    state: &State,
    invariant: FunctionId,
) -> Option<bool> {
    let step = (environment.call(Receiver::Of(state), invariant, &[])).ok()?;
    match verdict(&environment.program, &step.ended, Position::default()) {
        Verification::Holds => Some(true),
        Verification::Violated(_) => Some(false),
        Verification::Undecided(_) => None,
    }
}

fn returned(step: &Step) -> bool {
    matches!(step.ended, MachineOutcome::Returned(_))
}

/// The same for calls that take the same branches and end in the same way.
fn path(step: &Step) -> u64 {
    let mut hasher = FxHasher::default();
    let jumps = step.trace.trail.iter();
    for edge in jumps.filter(|edge| matches!(edge.successor, Successor::Jump(_))) {
        edge.hash(&mut hasher);
    }
    let ending = match &step.ended {
        MachineOutcome::Returned(_) => None,
        MachineOutcome::Threw { class, point, .. } => Some((class.0, Some(*point))),
        ended => Some((u32::MAX, ended.point())),
    };
    ending.hash(&mut hasher);
    hasher.finish()
}

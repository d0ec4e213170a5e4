//! States that calls reach, for whoever learns what they have in common.
//!
//! States with fewer objects come first, whatever number of calls they need: a removal from a large
//! structure may be the only way to a small one. Numbers from a bound on are keys, which programs only
//! compare; states that differ in them, but not in their order, are one. So a state goes on with the
//! keys that it has and with one in each gap between them, and no others are needed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_ir::Program;
use heapwright_ir::machine::concrete::Value;
use heapwright_ir::machine::{Budgets, MachineOutcome};
use heapwright_logic::{ClassId, Heap, Loc};
use rustc_hash::FxHashSet;

use super::combinations::combinations;
use super::environment::{Environment, Receiver, Step};
use super::state::{Key, State};
use super::{Argument, DataType, Growth, name};
use crate::search::interrupt::Interrupt;

/// What bounds an observation.
#[derive(Clone, Debug)]
pub struct ObservationBounds {
    /// Objects of a state, those that are values not counted.
    pub objects: usize,
    /// States.
    pub states: usize,
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// What bounds each call.
    pub budgets: Budgets,
    /// Numbers from here on are keys: only their order counts.
    pub keys_from: i128,
    /// The classes whose objects are values.
    pub values: BTreeSet<ClassId>,
    /// Ends the observation when it is set.
    pub interrupt: Interrupt,
}

/// A state that calls reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObservedState {
    /// The heap.
    pub heap: Heap,
    /// The receiver.
    pub receiver: Loc,
    /// How many calls lead there, that of the constructor not counted.
    pub depth: u32,
}

/// What was observed.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// The program as it is in the end.
    pub program: Arc<Program>,
    /// The states, each once up to isomorphism and the order of keys.
    pub states: Vec<ObservedState>,
    /// Every call was tried in every known state of at most so many objects.
    pub closed_to: usize,
    /// Whether the clock or the user has ended it.
    pub is_cut: bool,
    /// Calls that were executed.
    pub calls: u64,
    /// Operations with the number of a parameter that a state kept a key of.
    pub stored: BTreeSet<(usize, usize)>,
    /// The same for constructors.
    pub stored_by_constructors: BTreeSet<(usize, usize)>,
}

/// Observes the states of a data type.
pub fn observe(
    program: Arc<Program>,
    growth: &mut dyn Growth,
    data_type: &DataType,
    bounds: &ObservationBounds,
) -> Observation {
    let mut observing = Observing {
        environment: Environment::new(program, growth, data_type, bounds.budgets),
        bounds,
        begin: Instant::now(),
        nodes: Vec::new(),
        waiting: BTreeMap::new(),
        known: FxHashSet::default(),
        found: Observation::default(),
    };
    observing.run(data_type);
    let Observing {
        mut environment,
        nodes,
        mut found,
        ..
    } = observing;
    for node in &nodes {
        if let Some(state) = exported(&mut environment, node) {
            found.states.push(state);
        }
    }
    found.program = Arc::clone(&environment.program);
    found
}

struct Node {
    state: State,
    keys: usize,
    depth: u32,
}

struct Observing<'b, 'g> {
    environment: Environment<'g>,
    bounds: &'b ObservationBounds,
    begin: Instant,
    nodes: Vec<Node>,
    /// The states whose calls were not tried yet, by the number of their objects.
    waiting: BTreeMap<usize, Vec<usize>>,
    known: FxHashSet<Key>,
    found: Observation,
}

impl Observing<'_, '_> {
    fn run(&mut self, data_type: &DataType) {
        for (operation, constructor) in data_type.constructors.iter().enumerate() {
            for (arguments, builds) in combinations(constructor, &mut false) {
                let receiver = match constructor.gives {
                    true => Receiver::Given,
                    false => Receiver::New(data_type.class),
                };
                let called = (self.environment).call(receiver, constructor.function, &arguments);
                self.found.calls += 1;
                let (Ok(step), true) = (called, builds) else {
                    continue;
                };
                for place in self.enter(step, 0, &arguments, &BTreeSet::new()) {
                    self.found.stored_by_constructors.insert((operation, place));
                }
            }
        }
        let mut calls: Vec<(usize, Vec<Argument>)> = Vec::new();
        for (index, operation) in data_type.operations.iter().enumerate() {
            let combined = combinations(operation, &mut false).into_iter();
            let builds = combined.filter(|(_, builds)| *builds);
            calls.extend(builds.map(|(arguments, _)| (index, arguments)));
        }
        while let Some((&size, _)) = self.waiting.iter().next() {
            self.found.closed_to = size.saturating_sub(1);
            let pending = self.waiting.remove(&size).unwrap_or_default();
            for (position, &node) in pending.iter().enumerate() {
                if !self.visit(data_type, &calls, node) {
                    return;
                }
                // Smaller states that have been found meanwhile come first.
                let is_smaller = self
                    .waiting
                    .keys()
                    .next()
                    .is_some_and(|&other| other < size);
                if is_smaller {
                    let rest = pending.get(position + 1..).unwrap_or_default();
                    self.waiting.entry(size).or_default().extend(rest);
                    break;
                }
            }
        }
        self.found.closed_to = self.bounds.objects;
    }

    /// Tries all calls in a state; false if a limit was reached.
    fn visit(
        &mut self,
        data_type: &DataType,
        calls: &[(usize, Vec<Argument>)],
        node: usize,
    ) -> bool {
        for (operation, arguments) in calls {
            let bounds = self.bounds;
            let is_late = bounds.time.is_some_and(|time| self.begin.elapsed() >= time);
            self.found.is_cut |= is_late || bounds.interrupt.is_set();
            if self.found.is_cut || self.nodes.len() >= bounds.states {
                return false;
            }
            let Some(from) = self.nodes.get(node) else {
                return true;
            };
            let depth = from.depth;
            let last = bounds.keys_from + 2 * from.keys as i128;
            let is_needless = |argument: &Argument| matches!(argument, Argument::Value(Value::Int(key)) if *key > last);
            if arguments.iter().any(is_needless) {
                continue;
            }
            let Some(function) = data_type.operations.get(*operation) else {
                continue;
            };
            let receiver = Receiver::Of(&from.state);
            let called = (self.environment).call(receiver, function.function, arguments);
            self.found.calls += 1;
            let before = from.state.keys(bounds.keys_from);
            let Ok(step) = called else { continue };
            for place in self.enter(step, depth + 1, arguments, &before) {
                self.found.stored.insert((*operation, place));
            }
        }
        true
    }

    /// Adds the state behind a call, if it is a new one. Gives the arguments that are keys of it and
    /// were none before.
    fn enter(
        &mut self,
        step: Step,
        depth: u32,
        arguments: &[Argument],
        before: &BTreeSet<i128>,
    ) -> Vec<usize> {
        let (MachineOutcome::Returned(_), Some(mut state)) = (step.ended, step.state) else {
            return Vec::new();
        };
        let keys = state.keys(self.bounds.keys_from);
        let stored = (arguments.iter().enumerate())
            .filter(|(_, argument)| match argument {
                Argument::Value(Value::Int(key)) => keys.contains(key) && !before.contains(key),
                _ => false,
            })
            .map(|(place, _)| place);
        let stored: Vec<usize> = stored.collect();
        let size = state.size(&self.bounds.values);
        if size > self.bounds.objects {
            return stored;
        }
        state.renumber(&keys, self.bounds.keys_from);
        let key = self.environment.key(&state);
        if self.known.insert(key) {
            self.waiting.entry(size).or_default().push(self.nodes.len());
            let keys = keys.len();
            self.nodes.push(Node { state, keys, depth });
        }
        stored
    }
}

/// A state as a heap.
fn exported(environment: &mut Environment<'_>, node: &Node) -> Option<ObservedState> {
    let exported = environment.perform(|_, machine, _| {
        let memory = &mut machine.domain.memory;
        let receiver = node.state.restore(memory)?;
        name(memory, &[receiver])?;
        let (heap, names) = memory.export_reachable([receiver])?;
        let Value::Pointer(address) = receiver else {
            return Ok((None, None));
        };
        let receiver = names.get(&address.object).copied();
        Ok((receiver.map(|receiver| (heap, receiver)), None))
    });
    let (heap, receiver) = exported.ok()?.0?;
    Some(ObservedState {
        heap,
        receiver,
        depth: node.depth,
    })
}

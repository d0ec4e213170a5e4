//! A sequence that builds a given heap.
//!
//! The search goes where states look most like the goal: what counts is how many fields of how many
//! objects have another value. Values such as strings and boxed numbers are compared by their
//! contents, whoever owns them. Nothing is proved by a search that fails.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_ir::Program;
use heapwright_ir::machine::MachineOutcome;
use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_logic::{ClassId, Heap, Loc};
use rustc_hash::FxHashSet;

use super::combinations::combinations;
use super::environment::{Environment, Receiver};
use super::look::{Look, View};
use super::state::{Key, State};
use super::{Argument, Call, DataType, Growth, Sequence, SequenceBounds};

/// Calls after which an operation that has changed nothing is not tried any more.
const PATIENCE: u64 = 100;

/// What a call counts beside what is still different: less than an element that is missing, and
/// enough to keep the search from adding what has to be removed again.
const CALL: u64 = 3;

/// A heap to be built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// The heap.
    pub heap: Heap,
    /// The object that the calls are to make.
    pub receiver: Loc,
    /// The classes whose objects are values: with the same contents they are the same.
    pub values: BTreeSet<ClassId>,
    /// Fields of values that do not count.
    pub hidden: BTreeSet<String>,
}

/// Searches for calls that make an object like that of a heap. Nothing if none is found within the
/// bounds. Also the program as it is in the end.
pub fn construct(
    program: Arc<Program>,
    growth: &mut dyn Growth,
    data_type: &DataType,
    goal: &Goal,
    bounds: &SequenceBounds,
) -> (Option<Sequence>, Arc<Program>) {
    let mut environment = Environment::new(program, growth, data_type, bounds.budgets);
    let found = search(&mut environment, data_type, goal, bounds);
    (found, Arc::clone(&environment.program))
}

struct Node {
    state: State,
    call: Call,
    parent: Option<usize>,
    depth: u32,
}

fn search(
    environment: &mut Environment<'_>,
    data_type: &DataType,
    goal: &Goal,
    bounds: &SequenceBounds,
) -> Option<Sequence> {
    let begin = Instant::now();
    let late = |time: Duration| begin.elapsed() >= time;
    let program = Arc::clone(&environment.program);
    let mut domain = Concrete::new(&program);
    let names = domain.import(&goal.heap).ok()?;
    let receiver = Value::object(names.object(goal.receiver)?);
    let view = View {
        goal,
        ignored: &data_type.ignored,
    };
    let object = |id| {
        let object = domain.memory.object(id).ok()?;
        Some((object.class, &object.contents[..]))
    };
    let wanted = view.look(&program, &object, receiver)?;
    let mut calls: Vec<(usize, Vec<Argument>)> = Vec::new();
    for (index, operation) in data_type.operations.iter().enumerate() {
        let combined = combinations(operation, &mut false).into_iter();
        let builds = combined.filter(|(_, builds)| *builds);
        calls.extend(builds.map(|(arguments, _)| (index, arguments)));
    }
    let mut search = Progress {
        environment,
        view,
        wanted,
        nodes: Vec::new(),
        known: FxHashSet::default(),
        waiting: BinaryHeap::new(),
    };
    for (operation, constructor) in data_type.constructors.iter().enumerate() {
        for (arguments, _) in combinations(constructor, &mut false) {
            let receiver = match constructor.gives {
                true => Receiver::Given,
                false => Receiver::New(data_type.class),
            };
            let step = (search.environment).call(receiver, constructor.function, &arguments);
            let Ok(step) = step else { continue };
            let call = Call {
                operation,
                arguments,
            };
            let found = search.enter(step.ended, step.state, call, None);
            if found.is_some() {
                return found;
            }
        }
    }
    let mut fruitless: BTreeMap<usize, u64> = BTreeMap::new();
    let mut made = 0;
    while let Some((_, Reverse(node))) = search.waiting.pop() {
        let depth = search.nodes.get(node).map_or(0, |node| node.depth);
        if bounds.length.is_some_and(|length| depth >= length) {
            continue;
        }
        for (operation, arguments) in &calls {
            let patience = fruitless.entry(*operation).or_insert(0);
            if *patience != u64::MAX && *patience >= PATIENCE {
                continue;
            }
            made += 1;
            let too_many = search.nodes.len() as u64 >= bounds.states || made > bounds.calls;
            if too_many || bounds.time.is_some_and(late) || bounds.interrupt.is_set() {
                return None;
            }
            let Some(from) = search.nodes.get(node) else {
                continue;
            };
            let function = data_type.operations.get(*operation)?.function;
            let receiver = Receiver::Of(&from.state);
            let Ok(step) = search.environment.call(receiver, function, arguments) else {
                *patience = patience.saturating_add(1);
                continue;
            };
            let call = Call {
                operation: *operation,
                arguments: arguments.clone(),
            };
            match step.state.as_ref() == Some(&from.state) {
                false => *patience = u64::MAX,
                true if *patience == u64::MAX => {}
                true => *patience += 1,
            }
            if let Some(sequence) = search.enter(step.ended, step.state, call, Some(node)) {
                return Some(sequence);
            }
        }
    }
    None
}

struct Progress<'e, 'g, 'v> {
    environment: &'e mut Environment<'g>,
    view: View<'v>,
    wanted: Look,
    nodes: Vec<Node>,
    known: FxHashSet<Key>,
    /// The states that wait, those most like the goal first.
    waiting: BinaryHeap<(Reverse<u64>, Reverse<usize>)>,
}

impl Progress<'_, '_, '_> {
    /// Adds the state behind a call, if it is a new one; the calls if it is the goal.
    fn enter(
        &mut self,
        ended: MachineOutcome<Value>,
        state: Option<State>,
        call: Call,
        parent: Option<usize>,
    ) -> Option<Sequence> {
        let (MachineOutcome::Returned(_), Some(state)) = (ended, state) else {
            return None;
        };
        let key = self.environment.key(&state);
        if !self.known.insert(key) {
            return None;
        }
        let (program, base) = (&self.environment.program, self.environment.base());
        let object = |id| state.object(base, id);
        let look = self.view.look(program, &object, state.receiver())?;
        let depth = parent.and_then(|parent| self.nodes.get(parent));
        let depth = depth.map_or(0, |parent| parent.depth + 1);
        let index = self.nodes.len();
        self.nodes.push(Node {
            state,
            call,
            parent,
            depth,
        });
        if look.key == self.wanted.key {
            return Some(self.sequence(index));
        }
        let distance = look.distance(&self.wanted) + CALL * u64::from(depth);
        self.waiting.push((Reverse(distance), Reverse(index)));
        None
    }

    fn sequence(&self, node: usize) -> Sequence {
        let mut calls = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.and_then(|index| self.nodes.get(index)) {
            calls.push(node.call.clone());
            next = node.parent;
        }
        Sequence::from_last(calls)
    }
}

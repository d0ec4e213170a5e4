//! Branches that no input takes, by what is known about null: a proof for all heaps at once.
//!
//! The constraint tree of a program with loops or recursion is never closed, so exploring it
//! proves nothing about a branch that is not taken. Most such branches test for null what was
//! tested before: here, or by every caller. A dataflow analysis over the function and everything
//! that it calls finds them. It is an induction over the length of runs: a fact about a
//! parameter holds if it holds at every call, given that it holds for the calls before.
//!
//! Nothing is assumed about the arguments of the function under test, and nothing about the
//! heap.

mod state;
mod transfer;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{
    BlockId, Callee, Function, FunctionId, Library, Operand, Operation, Program, Reg, Terminator,
};
use rustc_hash::FxHashMap;

use crate::analysis::call_graph::Callees;
use crate::analysis::effects::{Called, Effects};
use crate::subject::CodeUnderTest;
use state::{Fact, State};

/// The edges of branch coverage that no run of `function` takes, whatever its arguments and its
/// heap. `functions` are the function and all that it may call.
///
/// With a scope the program is open: unknown classes may override methods, and unknown code may
/// call what is not internal.
pub fn infeasible_edges(
    program: &Program,
    function: FunctionId,
    functions: &[FunctionId],
    scope: Option<&CodeUnderTest>,
) -> BTreeSet<Edge> {
    let callees = Callees::new(program);
    // What is proved here holds for every library, so nothing is known about one.
    let library = Library::default();
    let called = |_, function: &Function, operation: &Operation| {
        let functions = callees.of(function, operation);
        let Operation::Call { callee, .. } = operation else {
            return Called::default();
        };
        // Nobody knows what a call out of the program writes.
        let unknown = functions.is_empty() || !is_closed(scope, callee, &functions);
        Called {
            functions,
            library: false,
            unknown,
        }
    };
    let writes = Effects::new(program, &library, functions, &[], false, called);
    let mut analysis = Analysis {
        program,
        callees: &callees,
        writes: &writes,
        scope,
        callers: callers(&callees, functions),
        summaries: (functions.iter())
            .map(|&id| (id, Summary::of(program, id)))
            .collect(),
    };
    if let Some(summary) = analysis.summaries.get_mut(&function) {
        summary.params = vec![Some(Argument::any()); summary.params.len()];
        summary.called = true;
    }
    let mut pending: VecDeque<FunctionId> = VecDeque::from([function]);
    if let Some(scope) = scope {
        let open = functions.iter().filter(|id| !scope.internal.contains(id));
        for &id in open {
            if let Some(summary) = analysis.summaries.get_mut(&id) {
                summary.params = vec![Some(Argument::any()); summary.params.len()];
                summary.called = true;
                pending.push_back(id);
            }
        }
    }
    while let Some(id) = pending.pop_front() {
        for changed in analysis.run(id) {
            if !pending.contains(&changed) {
                pending.push_back(changed);
            }
        }
    }
    let mut infeasible = BTreeSet::new();
    for &id in functions {
        infeasible.extend(analysis.untaken(id));
    }
    infeasible
}

/// Whether nobody knows what a function does: its code is not there, or cannot be translated.
fn is_unknown(program: &Program, id: FunctionId) -> bool {
    let blocks = program.functions.get(id.index());
    blocks.is_none_or(|function| match &function.blocks[..] {
        [only] => matches!(
            only.terminator,
            Terminator::Unreachable | Terminator::Absent
        ),
        _ => false,
    })
}

/// What is known about an argument: the reference, and fields of the object behind it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Argument {
    fact: Fact,
    fields: BTreeMap<u32, Fact>,
}

impl Argument {
    fn any() -> Argument {
        Argument {
            fact: Fact::Any,
            fields: BTreeMap::new(),
        }
    }

    fn of(state: &State, operand: Operand) -> Argument {
        let fields = transfer::register(operand).map(|register| state.contents(register).collect());
        Argument {
            fact: transfer::fact(state, operand),
            fields: fields.unwrap_or_default(),
        }
    }

    /// What is known if either may be the case.
    fn join(&self, other: &Argument) -> Argument {
        let fields = self.fields.iter().filter_map(|(&field, fact)| {
            let joined = fact.join(*other.fields.get(&field)?);
            (joined != Fact::Any).then_some((field, joined))
        });
        Argument {
            fact: self.fact.join(other.fact),
            fields: fields.collect(),
        }
    }
}

/// What is known about a function.
#[derive(Clone, Debug, Default)]
struct Summary {
    /// What holds for the parameters at every call known so far.
    params: Vec<Option<Argument>>,
    /// What holds for the result of every return known so far.
    result: Option<Fact>,
    /// Whether a call is known.
    called: bool,
    /// Whether a return is known.
    returns: bool,
    /// The states at the beginning of its blocks.
    states: Vec<Option<State>>,
}

impl Summary {
    fn of(program: &Program, id: FunctionId) -> Summary {
        let function = program.functions.get(id.index());
        Summary {
            params: vec![None; function.map_or(0, |function| function.params as usize)],
            ..Summary::default()
        }
    }
}

struct Analysis<'p> {
    program: &'p Program,
    callees: &'p Callees<'p>,
    writes: &'p Effects<'p>,
    scope: Option<&'p CodeUnderTest>,
    /// Who may call a function, in order.
    callers: FxHashMap<FunctionId, Vec<FunctionId>>,
    summaries: FxHashMap<FunctionId, Summary>,
}

impl Analysis<'_> {
    /// Analyses a function with what is known about its parameters. Returns the functions that
    /// something new is known about: callees, and callers of a function with a new result.
    fn run(&mut self, id: FunctionId) -> Vec<FunctionId> {
        let program = self.program;
        let Some(function) = program.functions.get(id.index()) else {
            return Vec::new();
        };
        let Some(summary) = self.summaries.get(&id).filter(|summary| summary.called) else {
            return Vec::new();
        };
        let mut entry = State::new(function.registers.len());
        for (index, fact) in summary.params.iter().enumerate() {
            let register = Reg(index as u32);
            entry.assign(
                register,
                fact.as_ref().map_or(Fact::Any, |known| known.fact),
            );
            for (&field, &fact) in fact.iter().flat_map(|known| &known.fields) {
                entry.learn((register, field), fact);
            }
        }
        let before = (summary.result, summary.returns);
        let mut changed = Vec::new();
        let mut states: Vec<Option<State>> = vec![None; function.blocks.len()];
        let mut pending: VecDeque<BlockId> = VecDeque::new();
        flow(&mut states, &mut pending, BlockId(0), &entry);
        while let Some(block) = pending.pop_front() {
            let Some(state) = states.get(block.index()).cloned().flatten() else {
                continue;
            };
            let code = function.block(block);
            // An exception may leave the block anywhere.
            for handler in &code.handlers {
                let mut state = State::new(function.registers.len());
                state.assign(handler.exception, Fact::NotNull);
                flow(&mut states, &mut pending, handler.block, &state);
            }
            let Some(state) = self.through(function, block, state, &mut changed) else {
                continue;
            };
            match &code.terminator {
                Terminator::Return(value) => {
                    let fact = value.map_or(Fact::Any, |value| transfer::fact(&state, value));
                    if let Some(summary) = self.summaries.get_mut(&id) {
                        summary.returns = true;
                        let joined = summary.result.map_or(fact, |known| known.join(fact));
                        summary.result = Some(joined);
                    }
                }
                _ => {
                    for (_, target, state) in transfer::successors(&code.terminator, &state) {
                        flow(&mut states, &mut pending, target, &state);
                    }
                }
            }
        }
        if let Some(summary) = self.summaries.get_mut(&id) {
            summary.states = states;
            if (summary.result, summary.returns) != before {
                changed.extend(self.callers(id));
            }
        }
        changed
    }

    /// The state at the end of a block; none if it is never reached.
    fn through(
        &mut self,
        function: &Function,
        block: BlockId,
        mut state: State,
        changed: &mut Vec<FunctionId>,
    ) -> Option<State> {
        for instruction in &function.block(block).instructions {
            if let Operation::Call { to, callee, args } = &instruction.operation {
                let facts: Vec<Argument> = (args.iter())
                    .map(|&arg| Argument::of(&state, arg))
                    .collect();
                let called = self.callees.of(function, &instruction.operation);
                let result = self.call(callee, called, &facts, &mut state, changed)?;
                if let (Callee::Virtual(_), Some(&receiver)) = (callee, args.first())
                    && let Some(register) = transfer::register(receiver)
                    && !state.refine(register, Fact::NotNull)
                {
                    return None;
                }
                if let Some(to) = to {
                    state.assign(*to, result);
                }
            } else if !transfer::apply(self.program, &instruction.operation, &mut state) {
                return None;
            }
        }
        Some(state)
    }

    /// What a call returns; none if it never does, as far as is known.
    fn call(
        &mut self,
        callee: &Callee,
        callees: Vec<FunctionId>,
        args: &[Argument],
        state: &mut State,
        changed: &mut Vec<FunctionId>,
    ) -> Option<Fact> {
        let virtual_call = matches!(callee, Callee::Virtual(_));
        let mut result: Option<Fact> = None;
        if !is_closed(self.scope, callee, &callees) {
            state.forget(|_| true);
            result = Some(Fact::Any);
        }
        if callees.is_empty() {
            state.forget(|_| true);
            return Some(Fact::Any);
        }
        for id in callees {
            let Some(summary) = self.summaries.get_mut(&id) else {
                state.forget(|_| true);
                result = Some(Fact::Any);
                continue;
            };
            let mut new = !summary.called;
            summary.called = true;
            for (index, (known, argument)) in summary.params.iter_mut().zip(args).enumerate() {
                let mut argument = argument.clone();
                // The receiver of a call that happens is not null.
                if virtual_call && index == 0 {
                    argument.fact = Fact::NotNull;
                }
                let joined =
                    (known.as_ref()).map_or(argument.clone(), |known| known.join(&argument));
                new |= known.as_ref() != Some(&joined);
                *known = Some(joined);
            }
            if new {
                changed.push(id);
            }
            state.forget(|field| self.writes.may_write(id, field));
            // What is not translated yet may do anything.
            if is_unknown(self.program, id) {
                state.forget(|_| true);
                result = Some(Fact::Any);
            } else if summary.returns {
                let fact = summary.result.unwrap_or(Fact::Any);
                result = Some(result.map_or(fact, |known| known.join(fact)));
            }
        }
        result
    }

    /// The edges of a function that are never taken.
    fn untaken(&mut self, id: FunctionId) -> Vec<Edge> {
        let Some(function) = self.program.functions.get(id.index()) else {
            return Vec::new();
        };
        let states = self.summaries.get(&id).map(|known| known.states.clone());
        let states = states.unwrap_or_default();
        let mut untaken = Vec::new();
        for (index, block) in function.blocks.iter().enumerate() {
            let block_id = BlockId(index as u32);
            let state = states.get(index).cloned().flatten();
            // The analysis has ended, so nothing new comes of going through the block again.
            let end =
                state.and_then(|state| self.through(function, block_id, state, &mut Vec::new()));
            let taken: Vec<u32> = match end {
                None => Vec::new(),
                Some(state) => (transfer::successors(&block.terminator, &state).iter())
                    .filter_map(|(successor, ..)| *successor)
                    .collect(),
            };
            let edges = transfer::jumps(&block.terminator);
            untaken.extend(
                (0..edges)
                    .filter(|edge| !taken.contains(edge))
                    .map(|edge| Edge {
                        function: id,
                        block: block_id,
                        successor: Successor::Jump(edge),
                    }),
            );
        }
        untaken
    }

    fn callers(&self, callee: FunctionId) -> Vec<FunctionId> {
        let called = |id: &FunctionId| self.summaries.get(id).is_some_and(|known| known.called);
        let callers = self.callers.get(&callee).into_iter().flatten();
        callers.copied().filter(called).collect()
    }
}

/// Who of some functions may call whom, by the one that is called.
fn callers(
    callees: &Callees<'_>,
    functions: &[FunctionId],
) -> FxHashMap<FunctionId, Vec<FunctionId>> {
    let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for &caller in functions {
        for (_, called) in callees.calls(caller) {
            for callee in called {
                callers.entry(callee).or_default().push(caller);
            }
        }
    }
    for known in callers.values_mut() {
        known.sort_unstable();
        known.dedup();
    }
    callers
}

/// Whether a call leads to one of the given functions, and nowhere else.
fn is_closed(scope: Option<&CodeUnderTest>, callee: &Callee, callees: &[FunctionId]) -> bool {
    let internal = |scope: &CodeUnderTest| callees.iter().all(|id| scope.internal.contains(id));
    scope.is_none_or(|scope| !matches!(callee, Callee::Virtual(_)) || internal(scope))
}

/// A state reaches a block.
fn flow(
    states: &mut [Option<State>],
    pending: &mut VecDeque<BlockId>,
    target: BlockId,
    state: &State,
) {
    let Some(known) = states.get_mut(target.index()) else {
        return;
    };
    let changed = match known {
        None => {
            *known = Some(state.clone());
            true
        }
        Some(known) => known.join(state),
    };
    if changed && !pending.contains(&target) {
        pending.push_back(target);
    }
}

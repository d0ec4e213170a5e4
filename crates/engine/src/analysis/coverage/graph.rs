//! The interprocedural control-flow graph and distances in it.
//!
//! A block is split behind each of its calls, so that a callee returns to what comes after the
//! call and not to the beginning of the block. Ways that return to another place than they were
//! called from are left out: a way first goes over calls and back to callers, then into callees,
//! which are the two phases of interprocedural reachability with summaries.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use heapwright_ir::{Block, BlockId, Callee, FunctionId, Operation, Program, Terminator};
use rustc_hash::FxHashMap;

use crate::analysis::call_graph::Callees;

/// What it costs to leave a function for one of its callers, in blocks. More than a jump, because
/// the rest of the function has to be executed without anything new in it.
pub const RETURN_COST: u32 = 4;

/// The distance where no way leads to.
pub(super) const UNREACHABLE: u32 = u32::MAX;

/// The graph. Nodes are pieces of blocks without calls inside, and two for each function: behind
/// its return, and behind the exceptions that leave it.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    functions: Vec<FunctionId>,
    /// The first and last node of each block.
    blocks: FxHashMap<FunctionId, Vec<(u32, u32)>>,
    /// The arcs that lead to each node.
    incoming: Vec<Vec<Arc>>,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    from: u32,
    cost: u32,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Inside a function.
    Local,
    /// Into a callee.
    Call,
    /// Out of a function.
    Return,
}

impl Graph {
    /// The graph of a function and of all that it may call, of the functions that count.
    pub(super) fn new(
        program: &Program,
        root: FunctionId,
        counts: impl Fn(FunctionId) -> bool,
    ) -> Graph {
        let callees = Callees::new(program);
        let mut graph = Graph {
            functions: callees.reachable(root, counts),
            ..Graph::default()
        };
        let mut count = 0;
        for &id in &graph.functions {
            let mut spans = Vec::new();
            for block in &program.function(id).blocks {
                let calls = block.instructions.iter();
                let calls = calls.filter(|instruction| is_call(&instruction.operation));
                let last = count + calls.count() as u32;
                spans.push((count, last));
                count = last + 1;
            }
            graph.blocks.insert(id, spans);
        }
        let exits: FxHashMap<_, _> = (graph.functions.iter().zip(0..))
            .map(|(&id, index)| (id, Exits::of(count, index)))
            .collect();
        let count = count as usize + 2 * graph.functions.len();
        graph.incoming.resize(count, Vec::new());
        for id in graph.functions.clone() {
            for (index, block) in program.function(id).blocks.iter().enumerate() {
                let block_id = BlockId(index as u32);
                graph.connect(program, &callees, &exits, id, block_id, block);
            }
        }
        graph
    }

    /// The function and what it may call, in the order of discovery.
    pub(super) fn functions(&self) -> &[FunctionId] {
        &self.functions
    }

    /// The first and the last node of a block.
    pub(super) fn block(&self, function: FunctionId, block: BlockId) -> Option<(u32, u32)> {
        self.blocks.get(&function)?.get(block.index()).copied()
    }

    /// How far it is from each node to the nearest goal.
    pub(super) fn distances(&self, goals: impl Iterator<Item = u32>) -> Vec<u32> {
        let mut distances = vec![UNREACHABLE; self.incoming.len()];
        for goal in goals {
            if let Some(distance) = distances.get_mut(goal as usize) {
                *distance = 0;
            }
        }
        self.spread(&mut distances, |kind| kind != Kind::Return);
        // What is left can only leave its function. It need not go into callees: from those that
        // lead to a goal it would not be left, and the others only come back.
        self.spread(&mut distances, |kind| kind != Kind::Call);
        distances
    }

    /// Dijkstra's algorithm, backwards from all nodes with a distance, which keep theirs.
    fn spread(&self, distances: &mut [u32], admitted: impl Fn(Kind) -> bool) {
        let fixed: Vec<bool> = (distances.iter())
            .map(|&distance| distance != UNREACHABLE)
            .collect();
        let known = distances.iter().zip(0..);
        let known = known.filter(|&(&distance, _)| distance != UNREACHABLE);
        let mut queue: BinaryHeap<Reverse<(u32, u32)>> = known
            .map(|(&distance, node)| Reverse((distance, node)))
            .collect();
        while let Some(Reverse((distance, node))) = queue.pop() {
            if distances[node as usize] < distance {
                continue;
            }
            for arc in &self.incoming[node as usize] {
                let longer = distance.saturating_add(arc.cost);
                let from = arc.from as usize;
                if admitted(arc.kind) && !fixed[from] && longer < distances[from] {
                    distances[from] = longer;
                    queue.push(Reverse((longer, arc.from)));
                }
            }
        }
    }

    /// Adds the arcs of a block.
    fn connect(
        &mut self,
        program: &Program,
        callees: &Callees,
        exits: &FxHashMap<FunctionId, Exits>,
        function: FunctionId,
        id: BlockId,
        block: &Block,
    ) {
        let (Some((first, last)), Some(own)) = (self.block(function, id), exits.get(&function))
        else {
            return;
        };
        let handlers: Vec<u32> = (block.handlers.iter())
            .filter_map(|handler| Some(self.block(function, handler.block)?.0))
            .collect();
        let calls = block.instructions.iter();
        let calls = calls.filter(|instruction| is_call(&instruction.operation));
        for (node, call) in (first..last).zip(calls) {
            self.add(node, node + 1, 0, Kind::Local);
            for callee in callees.of(program.function(function), &call.operation) {
                let Some(exit) = exits.get(&callee) else {
                    continue;
                };
                if let Some((entry, _)) = self.block(callee, BlockId(0)) {
                    self.add(node, entry, 1, Kind::Call);
                }
                self.add(exit.returned, node + 1, RETURN_COST, Kind::Return);
                self.add(exit.raised, own.raised, RETURN_COST, Kind::Return);
                for &handler in &handlers {
                    self.add(exit.raised, handler, RETURN_COST, Kind::Return);
                }
            }
        }
        // Whatever holds for the end of a block holds for all of it, for it costs nothing to get
        // there.
        for handler in handlers {
            self.add(last, handler, 1, Kind::Local);
        }
        for target in targets(&block.terminator) {
            if let Some((target, _)) = self.block(function, target) {
                self.add(last, target, 1, Kind::Local);
            }
        }
        if matches!(block.terminator, Terminator::Return(_)) {
            self.add(last, own.returned, 0, Kind::Return);
        }
        if may_raise(program, block) {
            self.add(last, own.raised, 0, Kind::Return);
        }
    }

    fn add(&mut self, from: u32, to: u32, cost: u32, kind: Kind) {
        if let Some(arcs) = self.incoming.get_mut(to as usize) {
            arcs.push(Arc { from, cost, kind });
        }
    }
}

/// The two ways out of a function.
#[derive(Clone, Copy, Debug)]
struct Exits {
    returned: u32,
    raised: u32,
}

impl Exits {
    fn of(base: u32, index: u32) -> Exits {
        Exits {
            returned: base + 2 * index,
            raised: base + 2 * index + 1,
        }
    }
}

/// Whether a block is split behind an operation.
pub(super) fn is_call(operation: &Operation) -> bool {
    matches!(
        operation,
        Operation::Call {
            callee: Callee::Static(_) | Callee::Virtual(_),
            ..
        }
    )
}

fn targets(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Goto(block) => vec![*block],
        Terminator::Branch {
            then, otherwise, ..
        } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|&(_, block)| block);
            cases.chain([*default]).collect()
        }
        Terminator::Return(_)
        | Terminator::Throw(_)
        | Terminator::Unreachable
        | Terminator::Absent => Vec::new(),
    }
}

/// Whether an exception may come out of a block, its callees included.
fn may_raise(program: &Program, block: &Block) -> bool {
    let faults_raise = !program.exceptions.is_empty();
    let mut operations = (block.instructions.iter()).map(|instruction| &instruction.operation);
    // What is not there may do anything.
    matches!(block.terminator, Terminator::Throw(_) | Terminator::Absent)
        || operations.any(|operation| match operation {
            Operation::Call { .. } => true,
            _ => faults_raise && operation.may_throw(),
        })
}

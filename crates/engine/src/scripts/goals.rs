//! What a search for scripts is after: branches of the code under test.

use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{
    BlockId, Callee as Called, FunctionId, Operation as Instruction, Program, Terminator,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Callee, Catalogue};

/// Branches that were taken, and those that are left.
#[derive(Clone, Debug, Default)]
pub(super) struct Goals {
    /// The branches of the code under test that no call has taken.
    pub open: FxHashSet<Edge>,
    /// Those that some call has taken.
    pub taken: FxHashSet<Edge>,
    /// For each operation, the functions under test that a call of it may get to.
    behind: Vec<Vec<FunctionId>>,
    /// How many branches of each function are open.
    open_in: FxHashMap<FunctionId, u32>,
}

impl Goals {
    /// All branches of the code under test.
    pub fn new(program: &Program, catalogue: &Catalogue) -> Goals {
        let mut goals = Goals::default();
        for &function in &catalogue.tested {
            let Some(code) = program.functions.get(function.index()) else {
                continue;
            };
            for (block, known) in (0..).map(BlockId).zip(&code.blocks) {
                let count = match &known.terminator {
                    Terminator::Branch { .. } => 2,
                    Terminator::Switch { cases, .. } => cases.len() as u32 + 1,
                    _ => 0,
                };
                for successor in (0..count).map(Successor::Jump) {
                    let edge = Edge {
                        function,
                        block,
                        successor,
                    };
                    if !catalogue.ignored.contains(&edge) {
                        goals.open.insert(edge);
                    }
                }
            }
        }
        for edge in &goals.open {
            *goals.open_in.entry(edge.function).or_default() += 1;
        }
        goals.behind = behind(program, catalogue);
        goals
    }

    /// Notes branches; gives those that are new.
    pub fn take(&mut self, edges: &[Edge]) -> Vec<Edge> {
        let mut new = Vec::new();
        for &edge in edges {
            if self.open.remove(&edge) {
                new.push(edge);
                if let Some(open) = self.open_in.get_mut(&edge.function) {
                    *open = open.saturating_sub(1);
                }
            }
            self.taken.insert(edge);
        }
        new
    }

    /// How many open branches a call of an operation may get to.
    pub fn open_behind(&self, operation: usize) -> u32 {
        let behind = self.behind.get(operation).into_iter().flatten();
        behind
            .filter_map(|function| self.open_in.get(function))
            .sum()
    }
}

/// The functions under test that a call of each operation may get to, by the names of methods.
fn behind(program: &Program, catalogue: &Catalogue) -> Vec<Vec<FunctionId>> {
    let mut by_name: FxHashMap<&str, Vec<FunctionId>> = FxHashMap::default();
    for class in &catalogue.family {
        let Some(info) = program.classes.get(class.index()) else {
            continue;
        };
        for (name, function) in &info.methods {
            if catalogue.tested.contains(function) {
                let known = by_name.entry(name).or_default();
                if !known.contains(function) {
                    known.push(*function);
                }
            }
        }
    }
    let mut called: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for &function in &catalogue.tested {
        let Some(code) = program.functions.get(function.index()) else {
            continue;
        };
        let mut own = Vec::new();
        let instructions = code.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions {
            match &instruction.operation {
                Instruction::Call {
                    callee: Called::Static(callee),
                    ..
                } if catalogue.tested.contains(callee) => own.push(*callee),
                Instruction::Call {
                    callee: Called::Virtual(name),
                    ..
                } => own.extend(by_name.get(name.as_str()).into_iter().flatten()),
                _ => {}
            }
        }
        called.insert(function, own);
    }
    let operations = catalogue.operations.iter().map(|operation| {
        let mut pending: Vec<FunctionId> = match &operation.callee {
            Callee::New(_, function) | Callee::Static(function) => vec![*function],
            Callee::Virtual(name) => by_name.get(name.as_str()).cloned().unwrap_or_default(),
            Callee::Array(_) | Callee::Object(_) => Vec::new(),
        };
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        while let Some(function) = pending.pop() {
            if catalogue.tested.contains(&function) && seen.insert(function) {
                pending.extend(called.get(&function).into_iter().flatten());
            }
        }
        let mut seen: Vec<FunctionId> = seen.into_iter().collect();
        seen.sort_unstable();
        seen
    });
    operations.collect()
}

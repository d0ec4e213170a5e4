//! Where a predicate goes on when a part of it is left out.
//!
//! A predicate is a conjunction of checks, each of which ends it with "no" if it fails. When a
//! branch depends on something that is not known, the run can go on where both ways meet again,
//! the *join*, and look for another check that fails. Ways that can only end with "no" do not
//! count for that: leaving them out means not to find the "no" there, and nothing else.
//!
//! What "no" is depends on the caller: a helper that returns -1 says "no" if the caller then does.
//! So the values that mean "no" belong to a call, and everything here is relative to them.

use std::collections::BTreeMap;
use std::rc::Rc;

use heapwright_ir::machine::ProgramPoint;
use heapwright_ir::machine::concrete::{Value as Concrete, arithmetic as exact};
use heapwright_ir::{
    BlockId, Function, FunctionId, Liveness, Operand, Operation, Program, Reg, Terminator,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::backoff::Backoff;
use super::consequences::{Consequences, EffectId};
use crate::analysis::effects::Written;

/// How many instructions are looked at to find out that a way ends with "no".
const STEPS: usize = 200;

/// Identifies a set of results of a call that make the whole predicate false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RejectingResults(u32);

impl RejectingResults {
    /// Only `false`: what the predicate itself says.
    pub const FALSE: RejectingResults = RejectingResults(0);
}

/// Where a run goes on behind a branch that is left out.
#[derive(Clone, Debug)]
pub struct Detour {
    /// The block where both ways meet; none: they leave the function.
    pub join: Option<BlockId>,
    /// The only way that does not end with "no", if there are others.
    pub sole: Option<BlockId>,
    /// The registers that are written on the way.
    pub written: Vec<Reg>,
    /// What may be written to memory on the way.
    pub effects: EffectId,
}

/// What is known about the functions of a program, found out when it is needed.
pub struct Regions<'p> {
    program: &'p Program,
    detours: FxHashMap<(FunctionId, BlockId, RejectingResults), Option<Rc<Detour>>>,
    /// The sets of results, each sorted.
    sets: Vec<Vec<i128>>,
    rejecting: FxHashMap<(FunctionId, BlockId, u32, RejectingResults), RejectingResults>,
    liveness: FxHashMap<FunctionId, Rc<Liveness>>,
    /// What may be written where something is left out.
    pub effects: Consequences<'p>,
    /// Whether it is worth it to look for a proof by widening, by the place where they would begin.
    pub widening: FxHashMap<(FunctionId, BlockId), Backoff>,
}

impl<'p> Regions<'p> {
    /// Nothing is known so far.
    pub fn new(program: &'p Program, effects: Consequences<'p>) -> Regions<'p> {
        Regions {
            program,
            detours: FxHashMap::default(),
            sets: vec![vec![0]],
            rejecting: FxHashMap::default(),
            liveness: FxHashMap::default(),
            effects,
            widening: FxHashMap::default(),
        }
    }

    /// The way around the branch at the end of a block, in a call where some results mean "no".
    /// Nothing if every way ends with "no".
    pub fn detour(
        &mut self,
        function: FunctionId,
        block: BlockId,
        rejecting: RejectingResults,
    ) -> Option<Rc<Detour>> {
        let key = (function, block, rejecting);
        if let Some(known) = self.detours.get(&key) {
            return known.clone();
        }
        let found = self.find_detour(function, block, rejecting).map(Rc::new);
        self.detours.insert(key, found.clone());
        found
    }

    fn find_detour(
        &mut self,
        id: FunctionId,
        block: BlockId,
        rejecting: RejectingResults,
    ) -> Option<Detour> {
        let function = self.program.functions.get(id.index())?;
        let ways: Vec<Vec<usize>> = (function.blocks.iter())
            .map(|block| self.ways(function, &block.terminator, rejecting))
            .collect();
        let from = ways.get(block.index())?;
        if from.is_empty() {
            return None;
        }
        let join = join(&ways, block.index());
        let mut region = FxHashSet::default();
        let mut pending = from.clone();
        while let Some(next) = pending.pop() {
            if Some(next) != join && region.insert(next) {
                pending.extend(ways.get(next).into_iter().flatten());
            }
        }
        let others = function.blocks.get(block.index());
        let others = others.is_some_and(|block| block.terminator.successors().len() > 1);
        let sole = match from[..] {
            [sole] if others => Some(BlockId(sole as u32)),
            _ => None,
        };
        let mut detour = Detour {
            join: join.map(|index| BlockId(index as u32)),
            sole,
            written: Vec::new(),
            effects: EffectId::NOTHING,
        };
        let mut effects = Written::default();
        for index in region {
            let Some(block) = function.blocks.get(index) else {
                continue;
            };
            if !block.handlers.is_empty() {
                // What they do, and where they lead, is part of the way too.
                return None;
            }
            for instruction in &block.instructions {
                detour.written.extend(instruction.operation.target());
                effects.extend(&self.effects.of_operation(function, &instruction.operation));
            }
        }
        detour.effects = self.effects.intern(effects);
        detour.written.sort_unstable();
        detour.written.dedup();
        Some(detour)
    }

    /// The successors of a block that do not only lead to "no".
    fn ways(
        &self,
        function: &Function,
        terminator: &Terminator,
        rejecting: RejectingResults,
    ) -> Vec<usize> {
        let rejecting = self.set(rejecting);
        let mut successors = terminator.successors();
        successors.retain(|&block| !says_no(function, block, 0, BTreeMap::new(), rejecting));
        successors.dedup();
        successors.into_iter().map(BlockId::index).collect()
    }

    /// Which registers of a function are read later.
    pub fn liveness(&mut self, id: FunctionId) -> Option<Rc<Liveness>> {
        if let Some(known) = self.liveness.get(&id) {
            return Some(Rc::clone(known));
        }
        let function = self.program.functions.get(id.index())?;
        let found = Rc::new(Liveness::of(function));
        self.liveness.insert(id, Rc::clone(&found));
        Some(found)
    }

    /// The results of a call that mean "no", given all active calls without the innermost one,
    /// outermost first.
    pub fn rejecting_results(
        &mut self,
        calls: impl Iterator<Item = ProgramPoint>,
    ) -> RejectingResults {
        calls.fold(RejectingResults::FALSE, |rejecting, call| {
            self.rejecting_results_of_call(call.function, call.block, call.instruction, rejecting)
        })
    }

    /// Whether the result of a call means "no".
    pub fn means_no(&self, result: Concrete, rejecting: RejectingResults) -> bool {
        let number = match result {
            Concrete::Bool(value) => i128::from(value),
            Concrete::Int(value) => value,
            _ => return false,
        };
        self.set(rejecting).contains(&number)
    }

    /// The results of the call at a place that mean "no", in a call where some results do.
    pub fn rejecting_results_of_call(
        &mut self,
        function: FunctionId,
        block: BlockId,
        instruction: u32,
        rejecting: RejectingResults,
    ) -> RejectingResults {
        let key = (function, block, instruction, rejecting);
        if let Some(&known) = self.rejecting.get(&key) {
            return known;
        }
        let found = self.find_rejecting_results(function, block, instruction, self.set(rejecting));
        let id = match self.sets.iter().position(|set| *set == found) {
            Some(index) => RejectingResults(index as u32),
            None => {
                self.sets.push(found);
                RejectingResults(self.sets.len() as u32 - 1)
            }
        };
        self.rejecting.insert(key, id);
        id
    }

    fn set(&self, rejecting: RejectingResults) -> &[i128] {
        self.sets
            .get(rejecting.0 as usize)
            .map_or(&[], Vec::as_slice)
    }

    fn find_rejecting_results(
        &self,
        function: FunctionId,
        block: BlockId,
        instruction: u32,
        rejecting: &[i128],
    ) -> Vec<i128> {
        let Some(function) = self.program.functions.get(function.index()) else {
            return Vec::new();
        };
        let code = function.blocks.get(block.index());
        let code = code.and_then(|block| block.instructions.get(instruction as usize));
        let Some(Operation::Call { to: Some(to), .. }) = code.map(|code| &code.operation) else {
            return Vec::new();
        };
        let boolean = function.registers.get(to.index());
        let boolean = boolean.is_some_and(|info| info.sort == heapwright_logic::Sort::Bool);
        // Helpers say "no" by false, or by a number that no count can be.
        let mut found = Vec::new();
        for number in [-1, 0, i128::from(i32::MIN)] {
            let value = match (boolean, number) {
                (true, 0) => Concrete::Bool(false),
                (true, _) => continue,
                (false, number) => Concrete::Int(number),
            };
            let known = BTreeMap::from([(*to, value)]);
            if says_no(function, block, instruction as usize + 1, known, rejecting) {
                found.push(number);
            }
        }
        found.sort_unstable();
        found
    }
}

/// Whether the code from an instruction on can only return a value that means "no", as far as
/// that follows from constants; or throws, which means the same.
fn says_no(
    function: &Function,
    block: BlockId,
    instruction: usize,
    mut known: BTreeMap<Reg, Concrete>,
    rejecting: &[i128],
) -> bool {
    let (mut block, mut instruction) = (block, instruction);
    for _ in 0..STEPS {
        let Some(code) = function.blocks.get(block.index()) else {
            return false;
        };
        if !code.handlers.is_empty() {
            return false;
        }
        if let Some(next) = code.instructions.get(instruction) {
            execute(function, &next.operation, &mut known);
            instruction += 1;
            continue;
        }
        let operand = |operand: Operand| match operand {
            Operand::Constant(constant) => Some(Concrete::from(constant)),
            Operand::Register(register) => known.get(&register).copied(),
            Operand::Global(_) => None,
        };
        let next = match &code.terminator {
            Terminator::Goto(next) => *next,
            Terminator::Branch {
                condition,
                then,
                otherwise,
            } => match operand(*condition) {
                Some(Concrete::Bool(true)) => *then,
                Some(Concrete::Bool(false)) => *otherwise,
                _ => return false,
            },
            Terminator::Return(Some(value)) => {
                let number = match operand(*value) {
                    Some(Concrete::Bool(value)) => i128::from(value),
                    Some(Concrete::Int(value)) => value,
                    _ => return false,
                };
                return rejecting.contains(&number);
            }
            Terminator::Throw(_) => return !rejecting.is_empty(),
            Terminator::Switch { .. }
            | Terminator::Return(None)
            | Terminator::Unreachable
            | Terminator::Absent => {
                return false;
            }
        };
        block = next;
        instruction = 0;
    }
    false
}

/// What an instruction does to the registers whose values are known.
fn execute(function: &Function, operation: &Operation, known: &mut BTreeMap<Reg, Concrete>) {
    let value = |operand: Operand| match operand {
        Operand::Constant(constant) => Some(constant.into()),
        Operand::Register(register) => known.get(&register).copied(),
        Operand::Global(_) => None,
    };
    let result = match *operation {
        Operation::Move { from, .. } => value(from),
        Operation::Unary { op, a, .. } => {
            let sort = match a {
                Operand::Register(register) => {
                    (function.registers.get(register.index())).map(|info| info.sort)
                }
                _ => None,
            };
            sort.and_then(|sort| exact::unary(op, sort, value(a)?))
        }
        Operation::Binary { op, a, b, .. } => match (value(a), value(b)) {
            (Some(_), Some(Concrete::Int(0))) if !is_comparison(operation) => None,
            (Some(a), Some(b)) => exact::binary(op, a, b),
            _ => None,
        },
        _ => None,
    };
    if let Some(target) = operation.target() {
        match result {
            Some(value) => known.insert(target, value),
            None => known.remove(&target),
        };
    }
}

fn is_comparison(operation: &Operation) -> bool {
    let Operation::Binary { op, .. } = operation else {
        return false;
    };
    matches!(op, heapwright_ir::BinaryOp::Compare(_))
}

/// The first block that every way from a block goes through, if there is one.
///
/// Blocks without successors lead out of the function. Post-dominators by the definition: the
/// functions of predicates are small.
fn join(ways: &[Vec<usize>], block: usize) -> Option<usize> {
    let successors = ways.get(block)?;
    if let [only] = successors[..] {
        return Some(only);
    }
    let mut reachable = vec![false; ways.len()];
    let mut order = Vec::new();
    let mut pending: Vec<usize> = successors.clone();
    while let Some(next) = pending.pop() {
        match reachable.get_mut(next) {
            Some(seen) if !*seen => *seen = true,
            _ => continue,
        }
        order.push(next);
        pending.extend(ways.get(next).into_iter().flatten());
    }
    // A block is on all ways if no way out remains without it.
    let leaves = |without: usize| {
        let mut seen = vec![false; ways.len()];
        let mut pending: Vec<usize> = successors.clone();
        while let Some(next) = pending.pop() {
            if next == without || seen.get(next).copied().unwrap_or(true) {
                continue;
            }
            if let Some(seen) = seen.get_mut(next) {
                *seen = true;
            }
            match ways.get(next) {
                Some(further) if !further.is_empty() => pending.extend(further),
                _ => return None,
            }
        }
        Some(seen)
    };
    // Of those, the first one is that before which the fewest blocks come.
    let common = order
        .iter()
        .filter_map(|&candidate| leaves(candidate).map(|before| (candidate, before)));
    let common = common.min_by_key(|(_, before)| before.iter().filter(|&&seen| seen).count());
    common.map(|(candidate, _)| candidate)
}

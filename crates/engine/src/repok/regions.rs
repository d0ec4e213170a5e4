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

use heapwright_ir::machine::concrete::{Value as Concrete, arithmetic as exact};
use heapwright_ir::machine::{ProgramPoint, layout};
use heapwright_ir::{
    BlockId, Callee, Function, FunctionId, Liveness, Operand, Operation, Program, Reg, Terminator,
};
use heapwright_logic::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::worth::Worth;
use crate::candidates::element_sort;

/// How many instructions are looked at to find out that a way ends with "no".
const STEPS: usize = 200;

/// Identifies a set of results of a call that make the whole predicate false.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Noes(u32);

impl Noes {
    /// Only `false`: what the predicate itself says.
    pub const FALSE: Noes = Noes(0);
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
    /// What is written to memory on the way.
    pub effects: Effects,
}

/// What code may write besides registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effects {
    /// Objects.
    pub objects: bool,
    /// Globals.
    pub globals: bool,
}

impl Effects {
    const ALL: Effects = Effects {
        objects: true,
        globals: true,
    };

    fn and(self, other: Effects) -> Effects {
        Effects {
            objects: self.objects || other.objects,
            globals: self.globals || other.globals,
        }
    }
}

/// What a function writes, with everything that it may call.
#[derive(Debug, Default)]
struct Written {
    /// Fields of objects of these classes.
    classes: FxHashSet<ClassId>,
    /// Elements of arrays.
    elements: bool,
    /// Whatever there is.
    anything: bool,
}

impl Written {
    /// Whether an object of a class may be written to.
    fn concerns(&self, program: &Program, class: ClassId) -> bool {
        let is_array = || element_sort(program, class).is_some();
        let mut classes = self.classes.iter();
        self.anything
            || self.elements && is_array()
            || classes.any(|&other| layout::is_subtype(program, class, other).unwrap_or(true))
    }
}

/// What is known about the functions of a program, found out when it is needed.
pub struct Regions<'p> {
    program: &'p Program,
    detours: FxHashMap<(FunctionId, BlockId, Noes), Option<Rc<Detour>>>,
    /// The sets of results, each sorted.
    sets: Vec<Vec<i128>>,
    noes: FxHashMap<(FunctionId, BlockId, u32, Noes), Noes>,
    effects: FxHashMap<FunctionId, Effects>,
    liveness: FxHashMap<FunctionId, Rc<Liveness>>,
    written: FxHashMap<FunctionId, Rc<Written>>,
    may_write: FxHashMap<(FunctionId, ClassId), bool>,
    methods: FxHashMap<String, Vec<FunctionId>>,
    /// Whether it is worth it to look for circles, by the place where they would begin.
    pub circles: FxHashMap<(FunctionId, BlockId), Worth>,
}

impl<'p> Regions<'p> {
    /// Nothing is known so far.
    pub fn new(program: &'p Program) -> Regions<'p> {
        Regions {
            program,
            detours: FxHashMap::default(),
            sets: vec![vec![0]],
            noes: FxHashMap::default(),
            effects: FxHashMap::default(),
            liveness: FxHashMap::default(),
            written: FxHashMap::default(),
            may_write: FxHashMap::default(),
            methods: FxHashMap::default(),
            circles: FxHashMap::default(),
        }
    }

    /// The way around the branch at the end of a block, in a call where some results mean "no".
    /// Nothing if every way ends with "no".
    pub fn detour(
        &mut self,
        function: FunctionId,
        block: BlockId,
        noes: Noes,
    ) -> Option<Rc<Detour>> {
        let key = (function, block, noes);
        if let Some(known) = self.detours.get(&key) {
            return known.clone();
        }
        let found = self.find_detour(function, block, noes).map(Rc::new);
        self.detours.insert(key, found.clone());
        found
    }

    fn find_detour(&mut self, id: FunctionId, block: BlockId, noes: Noes) -> Option<Detour> {
        let function = self.program.functions.get(id.index())?;
        let ways: Vec<Vec<usize>> = (function.blocks.iter())
            .map(|block| self.ways(function, &block.terminator, noes))
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
            effects: Effects::default(),
        };
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
                let effects = self.operation_effects(&instruction.operation);
                detour.effects = detour.effects.and(effects);
            }
        }
        detour.written.sort_unstable();
        detour.written.dedup();
        Some(detour)
    }

    /// The successors of a block that do not only lead to "no".
    fn ways(&self, function: &Function, terminator: &Terminator, noes: Noes) -> Vec<usize> {
        let noes = self.set(noes);
        let mut successors = terminator.successors();
        successors.retain(|&block| !says_no(function, block, 0, BTreeMap::new(), noes));
        successors.dedup();
        successors.into_iter().map(BlockId::index).collect()
    }

    /// Whether a function, or anything that it may call, may write to an object of a class.
    pub fn may_write(&mut self, id: FunctionId, class: ClassId) -> bool {
        if let Some(&known) = self.may_write.get(&(id, class)) {
            return known;
        }
        let found = self.written(id).concerns(self.program, class);
        self.may_write.insert((id, class), found);
        found
    }

    fn written(&mut self, id: FunctionId) -> Rc<Written> {
        if let Some(known) = self.written.get(&id) {
            return Rc::clone(known);
        }
        let mut written = Written::default();
        let mut reached = FxHashSet::default();
        let mut pending = vec![id];
        while let Some(next) = pending.pop() {
            let function = self.program.functions.get(next.index());
            let Some(function) = function.filter(|_| reached.insert(next)) else {
                continue;
            };
            let blocks = function.blocks.iter();
            for instruction in blocks.flat_map(|block| &block.instructions) {
                match &instruction.operation {
                    Operation::Store { class, .. } => {
                        written.classes.insert(*class);
                    }
                    Operation::StoreElement { .. } => written.elements = true,
                    Operation::Free { .. } => written.anything = true,
                    Operation::Call { callee, .. } => match callee {
                        Callee::Static(function) => pending.push(*function),
                        Callee::Virtual(method) => pending.extend(self.methods_named(method)),
                        Callee::Intrinsic(_) => {}
                    },
                    _ => {}
                }
            }
        }
        let written = Rc::new(written);
        self.written.insert(id, Rc::clone(&written));
        written
    }

    /// All methods that a virtual call may mean.
    fn methods_named(&mut self, method: &str) -> Vec<FunctionId> {
        if self.methods.is_empty() {
            for class in &self.program.classes {
                for (name, &function) in &class.methods {
                    let known = self.methods.entry(name.clone()).or_default();
                    if !known.contains(&function) {
                        known.push(function);
                    }
                }
            }
        }
        self.methods.get(method).cloned().unwrap_or_default()
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
    pub fn noes(&mut self, calls: impl Iterator<Item = ProgramPoint>) -> Noes {
        calls.fold(Noes::FALSE, |noes, call| {
            self.noes_of_call(call.function, call.block, call.instruction, noes)
        })
    }

    /// Whether the result of a call means "no".
    pub fn means_no(&self, result: Concrete, noes: Noes) -> bool {
        let number = match result {
            Concrete::Bool(value) => i128::from(value),
            Concrete::Int(value) => value,
            _ => return false,
        };
        self.set(noes).contains(&number)
    }

    /// The results of the call at a place that mean "no", in a call where some results do.
    pub fn noes_of_call(
        &mut self,
        function: FunctionId,
        block: BlockId,
        instruction: u32,
        noes: Noes,
    ) -> Noes {
        let key = (function, block, instruction, noes);
        if let Some(&known) = self.noes.get(&key) {
            return known;
        }
        let found = self.find_noes(function, block, instruction, self.set(noes));
        let id = match self.sets.iter().position(|set| *set == found) {
            Some(index) => Noes(index as u32),
            None => {
                self.sets.push(found);
                Noes(self.sets.len() as u32 - 1)
            }
        };
        self.noes.insert(key, id);
        id
    }

    fn set(&self, noes: Noes) -> &[i128] {
        self.sets.get(noes.0 as usize).map_or(&[], Vec::as_slice)
    }

    fn find_noes(
        &self,
        function: FunctionId,
        block: BlockId,
        instruction: u32,
        noes: &[i128],
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
            if says_no(function, block, instruction as usize + 1, known, noes) {
                found.push(number);
            }
        }
        found.sort_unstable();
        found
    }

    /// What an instruction may write besides registers.
    pub fn operation_effects(&mut self, operation: &Operation) -> Effects {
        match operation {
            Operation::Store { object, .. } => match object {
                Operand::Global(_) => Effects {
                    objects: false,
                    globals: true,
                },
                _ => Effects {
                    objects: true,
                    globals: false,
                },
            },
            Operation::StoreElement { .. } | Operation::Free { .. } => Effects {
                objects: true,
                globals: false,
            },
            Operation::Call { callee, .. } => self.callee_effects(callee),
            _ => Effects::default(),
        }
    }

    fn callee_effects(&mut self, callee: &Callee) -> Effects {
        match callee {
            Callee::Static(function) => self.function_effects(*function),
            Callee::Virtual(method) => {
                let functions = self.methods_named(method);
                let effects = functions.into_iter().map(|id| self.function_effects(id));
                effects.fold(Effects::default(), Effects::and)
            }
            Callee::Intrinsic(name) => match heapwright_logic::MathFunction::named(name) {
                Some(_) => Effects::default(),
                None => Effects::ALL,
            },
        }
    }

    /// What a function may write, with everything that it calls. The initialisation of classes
    /// happens once, and counts for nothing.
    fn function_effects(&mut self, id: FunctionId) -> Effects {
        if let Some(&known) = self.effects.get(&id) {
            return known;
        }
        let mut reached = FxHashSet::default();
        let mut pending = vec![id];
        let mut effects = Effects::default();
        while let Some(next) = pending.pop() {
            let Some(function) = self.program.functions.get(next.index()) else {
                continue;
            };
            if function.synthetic || !reached.insert(next) || effects == Effects::ALL {
                continue;
            }
            for block in &function.blocks {
                for instruction in &block.instructions {
                    match &instruction.operation {
                        Operation::Call {
                            callee: Callee::Static(callee),
                            ..
                        } => pending.push(*callee),
                        Operation::Call {
                            callee: Callee::Virtual(_),
                            ..
                        } => {
                            // Which methods these are is looked up; a cycle through them would
                            // not end, so they count for all they could do.
                            effects = Effects::ALL;
                        }
                        operation => {
                            effects = effects.and(self.operation_effects(operation));
                        }
                    }
                }
            }
        }
        self.effects.insert(id, effects);
        effects
    }
}

/// Whether the code from an instruction on can only return a value that means "no", as far as
/// that follows from constants; or throws, which means the same.
fn says_no(
    function: &Function,
    block: BlockId,
    instruction: usize,
    mut known: BTreeMap<Reg, Concrete>,
    noes: &[i128],
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
                return noes.contains(&number);
            }
            Terminator::Throw(_) => return !noes.is_empty(),
            Terminator::Switch { .. } | Terminator::Return(None) | Terminator::Unreachable => {
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

//! What may have been written when a part of a predicate is left out.
//!
//! The part is not executed, so whatever it may write is unknown afterwards, in objects of the
//! input too. Which functions have been called before, and write nothing any more, is seen in the
//! memory of the run.

use std::rc::Rc;

use heapwright_ir::machine::ProgramPoint;
use heapwright_ir::{BlockId, Function, FunctionId, InputRules, Library, Operation, Program};
use heapwright_logic::{ClassId, Sort};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use super::memory::Memory;
use super::partial_value::PartialValue;
use crate::analysis::effects::{
    Called, Calls, Effects, Touched, Written, closed_effects, returns_at_once,
};

/// Identifies what something may write.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct EffectId(u32);

impl EffectId {
    /// Nothing.
    pub const NOTHING: EffectId = EffectId(0);
}

/// What the parts of a predicate may write, found out when it is needed.
pub struct Consequences<'p> {
    program: &'p Program,
    rules: &'p InputRules,
    library: &'p Library,
    inputs: Vec<Sort>,
    predicate: FunctionId,
    analysis: Option<(Effects<'p>, Calls<'p>)>,
    known: IndexSet<Written, FxBuildHasher>,
    operations: FxHashMap<(FunctionId, BlockId, u32), EffectId>,
    expanded: FxHashMap<(EffectId, Vec<FunctionId>), EffectId>,
    touched: FxHashMap<(EffectId, ClassId), Rc<Touched>>,
}

impl<'p> Consequences<'p> {
    /// For a predicate on arguments of these sorts.
    pub fn new(
        program: &'p Program,
        rules: &'p InputRules,
        library: &'p Library,
        inputs: Vec<Sort>,
        predicate: FunctionId,
    ) -> Consequences<'p> {
        let mut known = IndexSet::default();
        known.insert(Written::default());
        Consequences {
            program,
            rules,
            library,
            inputs,
            predicate,
            analysis: None,
            known,
            operations: FxHashMap::default(),
            expanded: FxHashMap::default(),
            touched: FxHashMap::default(),
        }
    }

    fn analysis(&mut self) -> &(Effects<'p>, Calls<'p>) {
        self.analysis.get_or_insert_with(|| {
            closed_effects(
                self.program,
                self.rules,
                self.library,
                &self.inputs,
                self.predicate,
            )
        })
    }

    /// What an instruction of a function may write.
    pub fn of_operation(&mut self, function: &Function, operation: &Operation) -> Written {
        let (effects, calls) = self.analysis();
        let called = match operation {
            Operation::Call { .. } => calls.called(function, operation),
            _ => Called::default(),
        };
        effects.operation(operation, &called)
    }

    /// The same for the instruction at a point, looked up if it was asked for before.
    pub fn at(&mut self, point: ProgramPoint, code: &Function, operation: &Operation) -> EffectId {
        let place = (point.function, point.block, point.instruction);
        if let Some(&known) = self.operations.get(&place) {
            return known;
        }
        let written = self.of_operation(code, operation);
        let found = self.intern(written);
        self.operations.insert(place, found);
        found
    }

    /// Gives what is written a number.
    pub fn intern(&mut self, written: Written) -> EffectId {
        EffectId(self.known.insert_full(written).0 as u32)
    }

    /// What is written, where a memory says which guards have been called before.
    pub fn in_memory(&mut self, effects: EffectId, memory: &Memory) -> EffectId {
        let Some(written) = self.known.get_index(effects.0 as usize).cloned() else {
            return effects;
        };
        let mut undone = Vec::new();
        let mut seen: FxHashSet<FunctionId> = FxHashSet::default();
        let mut pending: Vec<FunctionId> = written.guards().collect();
        while let Some(guard) = pending.pop() {
            if !seen.insert(guard) || self.is_done(guard, memory) {
                continue;
            }
            undone.push(guard);
            pending.extend(self.analysis().0.function(guard).guards());
        }
        if undone.is_empty() {
            return effects;
        }
        let key = (effects, undone);
        if let Some(&known) = self.expanded.get(&key) {
            return known;
        }
        let mut all = written;
        for &guard in &key.1 {
            all.extend(&self.analysis().0.function(guard));
        }
        let found = self.intern(all);
        self.expanded.insert(key, found);
        found
    }

    fn is_done(&self, guard: FunctionId, memory: &Memory) -> bool {
        let function = self.program.functions.get(guard.index());
        function.is_some_and(|function| {
            returns_at_once(function, |global, field| {
                let object = memory.object(memory.global(global)?).ok()?;
                match object.contents.get(field as usize)? {
                    PartialValue::Concrete(value) => Some(*value),
                    _ => None,
                }
            })
        })
    }

    /// Whether nothing is written, the guards being as they are.
    pub fn is_nothing(&self, effects: EffectId) -> bool {
        let written = self.known.get_index(effects.0 as usize);
        written.is_some_and(Written::is_nothing)
    }

    /// Whether everything may be written.
    pub fn is_anything(&self, effects: EffectId) -> bool {
        let written = self.known.get_index(effects.0 as usize);
        written.is_none_or(Written::is_anything)
    }

    /// What is written of objects of exactly a class.
    pub fn touched(&mut self, effects: EffectId, class: ClassId) -> Rc<Touched> {
        if let Some(known) = self.touched.get(&(effects, class)) {
            return Rc::clone(known);
        }
        let written = self.known.get_index(effects.0 as usize);
        let touched = written.map_or(Touched::All, |written| {
            written.of_class(self.program, self.library, class)
        });
        let touched = Rc::new(touched);
        self.touched.insert((effects, class), Rc::clone(&touched));
        touched
    }

    /// Whether the analysis has heard of the classes of all objects in a memory.
    pub fn knows(&mut self, memory: &Memory) -> bool {
        let calls = &self.analysis().1;
        (memory.objects()).all(|(_, object)| calls.has_objects(object.class))
    }
}

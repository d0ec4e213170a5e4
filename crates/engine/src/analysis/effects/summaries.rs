//! The least fixed point: a function writes what it writes itself, and what its callees write.

use std::collections::{BTreeSet, VecDeque};

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::machine::intrinsic::{IDENTITY, INTERNED, LOAD_SLOT};
use heapwright_ir::{
    Callee, ClassKind, Function, FunctionId, Library, Operand, Operation, Program, Reg,
};
use heapwright_logic::MathFunction;
use rustc_hash::{FxHashMap, FxHashSet};

use super::guard::is_guard;
use super::owner::Owner;
use super::written::Written;

/// Who a call may lead to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Called {
    /// These functions.
    pub functions: Vec<FunctionId>,
    /// Methods of the library that nobody has translated.
    pub library: bool,
    /// Functions that nobody knows.
    pub unknown: bool,
}

/// What functions of a program write.
pub struct Effects<'p> {
    program: &'p Program,
    library: &'p Library,
    /// Whether one object may be seen as several classes.
    overlapping: bool,
    /// Whether guards are told apart.
    guards: bool,
    summaries: FxHashMap<FunctionId, Written>,
    /// What the library writes by calling methods of its users.
    callbacks: Written,
}

impl<'p> Effects<'p> {
    /// What some functions write, which include all that they call. If guards are told apart,
    /// what they write is not part of what their callers write.
    pub fn new(
        program: &'p Program,
        library: &'p Library,
        functions: &[FunctionId],
        callbacks: &[FunctionId],
        guards: bool,
        called: impl Fn(FunctionId, &Function, &Operation) -> Called,
    ) -> Effects<'p> {
        let mut effects = Effects {
            program,
            library,
            overlapping: has_layouts(program),
            guards,
            summaries: FxHashMap::default(),
            callbacks: Written::default(),
        };
        let known: FxHashSet<FunctionId> = functions.iter().copied().collect();
        let mut callers: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
        for &id in functions {
            let Some(function) = program.functions.get(id.index()) else {
                continue;
            };
            let (mut own, callees) = match Owner::of(library, id) {
                Owner::Nobody => Default::default(),
                _ => effects.own(id, function, &called),
            };
            for callee in callees {
                if !known.contains(&callee) {
                    own.anything = true;
                }
                callers.entry(callee).or_default().push(id);
            }
            effects.summaries.insert(id, own);
        }
        let mut pending: VecDeque<FunctionId> = functions.iter().rev().copied().collect();
        let mut waiting: BTreeSet<FunctionId> = pending.iter().copied().collect();
        while let Some(id) = pending.pop_front() {
            waiting.remove(&id);
            let Some(found) = effects.summaries.get(&id).cloned() else {
                continue;
            };
            for &caller in callers.get(&id).into_iter().flatten() {
                let owner = Owner::of(library, caller);
                let summary = effects.summaries.get_mut(&caller);
                if summary.is_some_and(|summary| summary.absorb(owner, &found))
                    && waiting.insert(caller)
                {
                    pending.push_back(caller);
                }
            }
        }
        let mut written = Written::default();
        for &callback in callbacks {
            written.extend(&effects.function(callback));
        }
        effects.callbacks = written;
        effects
    }

    /// What a function writes.
    pub fn function(&self, id: FunctionId) -> Written {
        let mut written = match self.summaries.get(&id) {
            Some(known) if !self.overlapping => known.clone(),
            _ => return Written::anything(),
        };
        if written.library {
            written.extend(&self.callbacks);
        }
        if written.reflective {
            written.anything = true;
        }
        written
    }

    /// Whether a function may write a field with a number.
    pub fn may_write(&self, function: FunctionId, field: u32) -> bool {
        match self.summaries.get(&function) {
            Some(known) if !self.overlapping => known.has_field(field),
            _ => true,
        }
    }

    /// Whether an untranslated function of the library is among those that are called.
    pub fn calls_library(&self) -> bool {
        self.summaries.values().any(|written| written.library)
    }

    /// What one instruction of a function writes, with what it calls.
    pub fn operation(&self, operation: &Operation, called: &Called) -> Written {
        if self.overlapping {
            return Written::anything();
        }
        let mut written = match operation {
            Operation::Store { class, field, .. } => Written::field(*class, *field),
            Operation::StoreElement { .. } => Written::elements(),
            Operation::Free { .. }
            | Operation::Cast { .. }
            | Operation::CopyBytes { .. }
            | Operation::FillBytes { .. } => Written::anything(),
            Operation::Call { callee, .. } => match callee {
                Callee::Intrinsic(name) if is_pure(name) => Written::default(),
                Callee::Intrinsic(_) => Written::anything(),
                Callee::Static(_) | Callee::Virtual(_) => Written {
                    library: called.library,
                    anything: called.unknown,
                    ..Written::default()
                },
            },
            _ => Written::default(),
        };
        for &function in &called.functions {
            match self.program.functions.get(function.index()) {
                Some(code) if self.guards && is_guard(code) => {
                    written.guards.insert(function);
                }
                _ => written.extend(&self.function(function)),
            }
        }
        if written.library {
            written.extend(&self.callbacks);
        }
        written
    }

    /// What a function writes itself, and whom it calls.
    fn own(
        &self,
        id: FunctionId,
        function: &Function,
        called: &impl Fn(FunctionId, &Function, &Operation) -> Called,
    ) -> (Written, BTreeSet<FunctionId>) {
        let owner = Owner::of(self.library, id);
        let reflective = Written {
            reflective: true,
            ..Written::default()
        };
        let fresh = fresh_registers(function);
        let is_fresh = |object: Operand| match object {
            Operand::Register(register) => fresh.contains(&register),
            _ => false,
        };
        let mut written = Written::default();
        if function.is_absent() {
            written.absorb(owner, &reflective);
        }
        let mut callees = BTreeSet::new();
        for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
            match &instruction.operation {
                Operation::Store { object, .. } | Operation::StoreElement { array: object, .. }
                    if is_fresh(*object) => {}
                Operation::Store { class, field, .. } => {
                    written.fields.insert((*class, *field));
                }
                Operation::StoreElement { .. } => written.elements = true,
                Operation::Free { .. }
                | Operation::Cast { .. }
                | Operation::CopyBytes { .. }
                | Operation::FillBytes { .. } => written.anything = true,
                Operation::Call {
                    callee: Callee::Intrinsic(name),
                    ..
                } if !is_pure(name) => {
                    written.absorb(owner, &reflective);
                }
                Operation::Call {
                    callee: Callee::Intrinsic(_),
                    ..
                } => {}
                operation @ Operation::Call { .. } => {
                    let called = called(id, function, operation);
                    written.library |= called.library;
                    if called.unknown {
                        written.absorb(owner, &reflective);
                    }
                    for callee in called.functions {
                        let code = self.program.functions.get(callee.index());
                        match code {
                            Some(code) if self.guards && is_guard(code) => {
                                written.guards.insert(callee);
                            }
                            Some(_) => {
                                callees.insert(callee);
                            }
                            None => {
                                written.absorb(Owner::User, &reflective);
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        (written, callees)
    }
}

/// Whether fields have layouts: then one object may be seen as several classes.
pub fn has_layouts(program: &Program) -> bool {
    let structs = program.classes.iter().map(|class| &class.kind);
    let mut layouts = structs.filter_map(|kind| match kind {
        ClassKind::Struct { layout, .. } => Some(layout),
        ClassKind::Array { .. } => None,
    });
    layouts.any(|layout| !layout.is_empty())
}

/// Whether an intrinsic function is known to write nothing.
fn is_pure(name: &str) -> bool {
    matches!(name, IDENTITY | INTERNED | LOAD_SLOT)
        || Environment::asked(name).is_some()
        || MathFunction::named(name).is_some()
}

/// The registers that hold nothing but objects which the function itself has made. No object that
/// existed before the call is written through them.
fn fresh_registers(function: &Function) -> BTreeSet<Reg> {
    let mut fresh = BTreeSet::new();
    let mut others: BTreeSet<Reg> = (0..function.params).map(Reg).collect();
    for block in &function.blocks {
        others.extend(block.handlers.iter().map(|handler| handler.exception));
        for instruction in &block.instructions {
            let Some(target) = instruction.operation.target() else {
                continue;
            };
            match instruction.operation {
                Operation::New { .. } | Operation::NewArray { .. } => fresh.insert(target),
                _ => others.insert(target),
            };
        }
    }
    fresh.retain(|register| !others.contains(register));
    fresh
}

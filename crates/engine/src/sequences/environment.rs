//! The environment of sequences: one memory that all of them start from, and runs of single calls.
//!
//! A program that initialises classes and fills literals when they are first used would be in
//! another state after the first call than after the second, although nothing of interest has
//! changed. So whatever a call uses first becomes a part of the base, as if it had been used from
//! the beginning, and the call is done again. Only globals of the data type itself keep what they
//! had: they belong to the state.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_ir::machine::concrete::{Concrete, Memory, Object, Trace, Value};
use heapwright_ir::machine::{
    Address, Budgets, Machine, MachineError, MachineOutcome, Missing, ObjectId, Target,
};
use heapwright_ir::{ClassKind, FunctionId, GlobalId, Program};
use heapwright_logic::ClassId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::state::{Ignored, State};
use super::{Argument, DataType, Growth};

/// How many edges of a call are kept in order.
const RECORDED: usize = 100_000;

/// What calls start from.
pub(crate) struct Environment<'g> {
    pub program: Arc<Program>,
    growth: &'g mut dyn Growth,
    base: Memory,
    /// Equal to the base between calls; copying it for every call would take longer than most.
    work: Memory,
    own: BTreeSet<GlobalId>,
    budgets: Budgets,
    ignored: Ignored,
    /// Arguments that are objects of the base.
    made: FxHashMap<Argument, Value>,
    asked: BTreeSet<FunctionId>,
    /// Functions that calls ended at because nobody knows them.
    pub missing: BTreeSet<String>,
}

/// Makes the value of an argument in the memory of a machine.
pub(crate) type MakeArgument<'m> =
    dyn FnMut(&mut Machine<'_, Concrete<'_>>, &Argument) -> Result<Value, Stuck> + 'm;

/// What a call is done with.
#[derive(Clone, Copy)]
pub(crate) enum Receiver<'s> {
    /// Nothing: the function takes the arguments only.
    None,
    /// Nothing: the function gives the receiver as its result.
    Given,
    /// A new object.
    New(ClassId),
    /// The receiver of a state.
    Of(&'s State),
}

/// A call that was executed.
pub(crate) struct Step {
    pub ended: MachineOutcome<Value>,
    pub trace: Trace,
    /// The state afterwards, if there is a receiver.
    pub state: Option<State>,
    /// Whether the receiver has all that is left: where programs manage their memory, nobody could
    /// free anything else later. Arrays that are arguments are the caller's, and stay so.
    pub is_whole: bool,
}

/// A call that cannot be executed.
#[derive(Debug)]
pub(crate) enum Stuck {
    /// It needs something that is not known; the name is noted.
    Missing,
    /// An argument cannot be made.
    NoArgument,
    /// The program is not well-formed.
    Machine(MachineError),
}

impl From<MachineError> for Stuck {
    fn from(error: MachineError) -> Self {
        Stuck::Machine(error)
    }
}

impl<'g> Environment<'g> {
    /// The environment of a data type. Functions that initialise classes are run here.
    pub fn new(
        program: Arc<Program>,
        growth: &'g mut dyn Growth,
        data_type: &DataType,
        budgets: Budgets,
    ) -> Environment<'g> {
        let mut environment = Environment {
            program,
            growth,
            base: Memory::default(),
            work: Memory::default(),
            own: BTreeSet::new(),
            budgets,
            ignored: Ignored::new(&data_type.ignored),
            made: FxHashMap::default(),
            asked: BTreeSet::new(),
            missing: BTreeSet::new(),
        };
        for &function in &data_type.initialisers {
            // One that fails will do so again where it is needed.
            let _ = environment.call(Receiver::None, function, &[]);
        }
        environment.own.clone_from(&data_type.own);
        environment.use_own();
        environment
    }

    /// Globals of the data type that nothing has used yet have their default contents.
    fn use_own(&mut self) {
        let program = Arc::clone(&self.program);
        let mut domain = Concrete::new(&program);
        domain.memory = std::mem::take(&mut self.base);
        for &global in &self.own {
            // One that does not exist is used by nothing.
            let _ = domain.global_object(global);
        }
        self.base = domain.memory;
        self.work = self.base.clone();
    }

    /// Executes a call. The memory is afterwards as it was before.
    pub fn call(
        &mut self,
        receiver: Receiver<'_>,
        function: FunctionId,
        arguments: &[Argument],
    ) -> Result<Step, Stuck> {
        loop {
            let program = Arc::clone(&self.program);
            let mut domain = Concrete::new(&program);
            domain.memory = std::mem::take(&mut self.work);
            let first = self.place(&mut domain, receiver);
            let changed: Vec<(ObjectId, Vec<Value>)> = match receiver {
                Receiver::Of(state) => (state.changed())
                    .filter_map(|id| Some((id, domain.memory.object(id).ok()?.contents.clone())))
                    .collect(),
                _ => Vec::new(),
            };
            let mut machine = Machine::new(&program, domain, self.budgets);
            let mut given: Vec<Value> = Vec::new();
            let ended = first.and_then(|first| {
                let mut values: Vec<Value> = first.into_iter().collect();
                for argument in arguments {
                    values.push(self.make(&mut machine, argument)?);
                }
                given.extend(values.iter().skip(usize::from(first.is_some())));
                machine.domain.trace = Some(Trace {
                    limit: RECORDED,
                    ..Trace::default()
                });
                Ok((first, machine.run(function, values)?))
            });
            let mut domain = machine.into_domain();
            match ended {
                Ok((first, ended)) => {
                    let known = self.base.globals().count();
                    if domain.memory.globals().count() > known {
                        self.adopt(&domain.memory, &changed);
                        self.work = self.base.clone();
                        match self.base.globals().count() > known {
                            true => continue,
                            false => return Err(MachineError::TooManyObjects.into()),
                        }
                    }
                    let ignored = &mut self.ignored;
                    let first = match (receiver, &ended) {
                        (Receiver::Given, MachineOutcome::Returned(Some(given))) => Some(*given),
                        _ => first,
                    };
                    // Nothing can be done with an object that is not there, or not any more.
                    let is_there = |receiver: &Value| match *receiver {
                        Value::Pointer(address) => {
                            let target = domain.memory.target(address);
                            matches!(target, Ok(Target::Object(_)))
                        }
                        _ => false,
                    };
                    let state = first.filter(is_there).map(|receiver| {
                        State::capture(&program, ignored, &self.base, &domain.memory, receiver)
                    });
                    let trace = domain.trace.take().unwrap_or_default();
                    let is_whole = !program.manual_memory
                        || first.is_none_or(|receiver| {
                            is_whole(&program, &self.base, &domain.memory, receiver, &given)
                        });
                    self.reset(domain.memory);
                    return Ok(Step {
                        ended,
                        trace,
                        state,
                        is_whole,
                    });
                }
                Err(stuck) => {
                    self.work = self.base.clone();
                    let Stuck::Machine(MachineError::Missing(missing)) = stuck else {
                        return Err(stuck);
                    };
                    if !self.grow(missing) {
                        return Err(Stuck::Missing);
                    }
                }
            }
        }
    }

    /// Does some work in the memory that everything starts from, which is afterwards as it was
    /// before. The work gives what it found out, and an object whose state is of interest. It may be
    /// done several times, as the program grows; it makes arguments by the function that it is given.
    pub fn perform<T>(
        &mut self,
        mut work: impl FnMut(
            &Program,
            &mut Machine<'_, Concrete<'_>>,
            &mut MakeArgument<'_>,
        ) -> Result<(T, Option<Value>), Stuck>,
    ) -> Result<(T, Option<State>), Stuck> {
        loop {
            let program = Arc::clone(&self.program);
            let mut domain = Concrete::new(&program);
            domain.memory = std::mem::take(&mut self.work);
            let mut machine = Machine::new(&program, domain, self.budgets);
            let done = work(&program, &mut machine, &mut |machine, argument| {
                self.make(machine, argument)
            });
            let domain = machine.into_domain();
            match done {
                Ok((found, receiver)) => {
                    let known = self.base.globals().count();
                    if domain.memory.globals().count() > known {
                        self.adopt(&domain.memory, &[]);
                        self.work = self.base.clone();
                        match self.base.globals().count() > known {
                            true => continue,
                            false => return Err(MachineError::TooManyObjects.into()),
                        }
                    }
                    let ignored = &mut self.ignored;
                    let state = receiver.map(|receiver| {
                        State::capture(&program, ignored, &self.base, &domain.memory, receiver)
                    });
                    self.reset(domain.memory);
                    return Ok((found, state));
                }
                Err(stuck) => {
                    self.work = self.base.clone();
                    let Stuck::Machine(MachineError::Missing(missing)) = stuck else {
                        return Err(stuck);
                    };
                    if !self.grow(missing) {
                        return Err(Stuck::Missing);
                    }
                }
            }
        }
    }

    /// The key of a state.
    pub fn key(&mut self, state: &State) -> super::state::Key {
        state.key(&self.program, &mut self.ignored)
    }

    /// The memory that all states share.
    pub fn base(&self) -> &Memory {
        &self.base
    }

    fn place(
        &self,
        domain: &mut Concrete<'_>,
        receiver: Receiver<'_>,
    ) -> Result<Option<Value>, Stuck> {
        Ok(match receiver {
            Receiver::None | Receiver::Given => None,
            Receiver::New(class) => Some(Value::object(domain.new_object(class)?)),
            Receiver::Of(state) => Some(state.restore(&mut domain.memory)?),
        })
    }

    /// The value of an argument, made in the memory of the call.
    fn make(
        &mut self,
        machine: &mut Machine<'_, Concrete<'_>>,
        argument: &Argument,
    ) -> Result<Value, Stuck> {
        if let Some(&known) = self.made.get(argument) {
            return Ok(known);
        }
        let value = argument.make(machine)?;
        if let Value::Pointer(Address { object, .. }) = value
            && object.index() < self.base.size()
        {
            self.made.insert(argument.clone(), value);
        }
        Ok(value)
    }

    fn grow(&mut self, missing: Missing) -> bool {
        // Whatever was asked for once and is still not there will never be.
        let new = missing.function().filter(|&id| self.asked.insert(id));
        match new.and_then(|id| self.growth.grow(&BTreeSet::from([id]))) {
            Some(program) => {
                self.program = program;
                true
            }
            None => {
                self.missing.insert(missing.name(&self.program).to_owned());
                false
            }
        }
    }

    /// Makes the memory of a call equal to the base again.
    fn reset(&mut self, mut memory: Memory) {
        memory.truncate(self.base.size());
        let changed: Vec<ObjectId> = (self.base.objects().zip(memory.objects()))
            .filter(|((_, old), (_, new))| old != new)
            .map(|((id, _), _)| id)
            .collect();
        for id in changed {
            if let (Ok(old), Ok(new)) = (self.base.object(id), memory.object_mut(id)) {
                new.clone_from(old);
            }
        }
        self.work = memory;
    }

    /// Takes over what a call used first. `before` are the objects of the base that were different
    /// when it began.
    fn adopt(&mut self, memory: &Memory, before: &[(ObjectId, Vec<Value>)]) {
        let size = self.base.size();
        let own: FxHashSet<ObjectId> = (self.own.iter())
            .filter_map(|&id| self.base.global(id))
            .collect();
        let old = |id: ObjectId| -> Option<&[Value]> {
            let known = before.iter().find(|(known, _)| *known == id);
            match known {
                Some((_, contents)) => Some(contents),
                None => Some(&self.base.object(id).ok()?.contents),
            }
        };
        let changed: Vec<(ObjectId, &Object)> = (memory.objects().take(size))
            .filter(|(id, object)| !own.contains(id) && old(*id) != Some(&object.contents[..]))
            .collect();
        let globals: Vec<(GlobalId, ObjectId)> = (memory.globals())
            .filter(|(id, _)| self.base.global(*id).is_none())
            .collect();
        let mut numbers: FxHashMap<ObjectId, ObjectId> = FxHashMap::default();
        let mut pending: Vec<Value> = (changed.iter())
            .flat_map(|(_, object)| object.contents.iter().copied())
            .chain(globals.iter().map(|&(_, object)| Value::object(object)))
            .collect();
        let mut order = Vec::new();
        while let Some(value) = pending.pop() {
            let Value::Pointer(Address { object: id, .. }) = value else {
                continue;
            };
            if id.index() < size || numbers.contains_key(&id) {
                continue;
            }
            let Ok(object) = memory.object(id) else {
                continue;
            };
            let Ok(number) = self.base.add(object.class, Vec::new()) else {
                return;
            };
            numbers.insert(id, number);
            order.push(object);
            pending.extend(&object.contents);
        }
        let translate = |value: &Value| match *value {
            Value::Pointer(Address { object, offset }) => Value::Pointer(Address {
                object: numbers.get(&object).copied().unwrap_or(object),
                offset,
            }),
            value => value,
        };
        let added = (size as u32..).map(ObjectId).zip(order);
        for (id, object) in added.chain(changed) {
            if let Ok(place) = self.base.object_mut(id) {
                place.contents = object.contents.iter().map(translate).collect();
                place.freed = object.freed;
            }
        }
        for (global, object) in globals {
            if let Some(&object) = numbers.get(&object) {
                self.base.place_global(global, object);
            }
        }
    }
}

/// Whether everything that was allocated since the base is freed or belongs to the receiver, apart
/// from arrays that are arguments, which do not.
fn is_whole(
    program: &Program,
    base: &Memory,
    memory: &Memory,
    receiver: Value,
    arguments: &[Value],
) -> bool {
    let mut pending = vec![receiver];
    // Globals are always there.
    pending.extend(memory.globals().map(|(_, object)| Value::object(object)));
    let changed = memory.objects().take(base.size());
    pending.extend(changed.flat_map(|(_, object)| object.contents.iter().copied()));
    let mut reached: FxHashSet<ObjectId> = FxHashSet::default();
    while let Some(value) = pending.pop() {
        let Value::Pointer(Address { object: id, .. }) = value else {
            continue;
        };
        let Ok(object) = memory.object(id) else {
            continue;
        };
        if reached.insert(id) {
            pending.extend(&object.contents);
            pending.extend(object.outer.map(|(outer, _)| Value::object(outer)));
            let parts = object.parts.iter();
            pending.extend(parts.map(|&(_, part)| Value::object(part)));
        }
    }
    let mut own_arrays: FxHashSet<ObjectId> = FxHashSet::default();
    for argument in arguments {
        if let Value::Pointer(Address { object: id, .. }) = argument
            && let Ok(object) = memory.object(*id)
            && matches!(program.class(object.class).kind, ClassKind::Array { .. })
        {
            own_arrays.insert(*id);
        }
    }
    let mut new = memory.objects().skip(base.size());
    new.all(|(id, object)| match own_arrays.contains(&id) {
        true => !reached.contains(&id),
        // Parts go with the whole.
        false => object.freed || object.outer.is_some() || reached.contains(&id),
    })
}

impl Argument {
    /// The value of the argument, made in the memory of a machine.
    pub(crate) fn make(&self, machine: &mut Machine<'_, Concrete<'_>>) -> Result<Value, Stuck> {
        match self {
            Argument::Value(value) => Ok(*value),
            Argument::Made(function, arguments) => {
                match machine.run(*function, arguments.clone())? {
                    MachineOutcome::Returned(Some(value)) => Ok(value),
                    _ => Err(Stuck::NoArgument),
                }
            }
            Argument::New(class, constructor) => {
                let object = Value::object(machine.domain.new_object(*class)?);
                match machine.run(*constructor, vec![object])? {
                    MachineOutcome::Returned(_) => Ok(object),
                    _ => Err(Stuck::NoArgument),
                }
            }
        }
    }
}

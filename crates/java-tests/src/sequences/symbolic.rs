//! Sequences with symbols: the arguments of all calls are open, and the search for branches that
//! small domains did not reach finds them.
//!
//! A sequence of some length is a path of a [driver](Driver). What is found becomes sequences with
//! known arguments, which are played and written like all others.

use std::time::Instant;

use heapwright_engine::sequences::{Argument, Call, Operation, Sequence};
use heapwright_engine::{Bound, Bounds, Options, Test};
use heapwright_ir::Constant;
use heapwright_ir::machine::concrete::Value;
use heapwright_java::descriptor::{Primitive, Type};
use heapwright_java::emit::Given;
use heapwright_java::target::TargetMethod;
use heapwright_java::world::{Driver, DriverArgument, DriverCall, Making, STRING};
use heapwright_logic::{IntType, Sort, Value as LogicValue};
use heapwright_testgen::{Error, Event, Request};

use super::search::Found;
use super::values::{boxed_in, exported, imported};
use crate::frontend::JavaTests;

/// Calls between the constructor and the last one.
const MOST_CALLS: usize = 3;

/// Paths that a driver may have.
const PATHS: u64 = 2_000;

/// Paths in a row without a new branch.
const PATIENCE: u64 = 300;

/// Questions to the solver for one driver.
const QUESTIONS: u64 = 10_000;

/// A call of a driver, with what becomes of its arguments.
struct Step {
    /// Index into the operations, or the constructors.
    operation: usize,
    call: DriverCall,
    arguments: Vec<Open>,
}

/// An argument that is open.
#[derive(Clone)]
enum Open {
    /// A value of a type.
    Value(Type),
    /// A box of a type.
    Boxed(Primitive),
    /// One of these.
    OneOf(Vec<Argument>),
}

impl JavaTests {
    /// Adds sequences that take branches which those with small domains have not taken.
    pub(super) fn with_symbols(
        &mut self,
        mut found: Found,
        tested: &[TargetMethod],
        request: &Request,
        begin: Instant,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Found, Error> {
        for length in 0..=MOST_CALLS {
            for target in tested {
                let time = request.options.bounds.time;
                let left = time.map(|time| time.saturating_sub(begin.elapsed()));
                let is_late = left.is_some_and(|left| left.is_zero());
                if is_late || request.options.interrupt.limit().is_some() {
                    return Ok(found);
                }
                if !self.has_open_branches(&found, target)? {
                    continue;
                }
                let Some(operation) = found.java_type.operation(target) else {
                    continue;
                };
                let options = Options {
                    bounds: Bounds {
                        paths: PATHS,
                        patience: PATIENCE,
                        solver_calls: QUESTIONS,
                        time: left,
                        elements: Bound::growing(4, 16),
                        memory: request.options.bounds.memory,
                        ..Bounds::default()
                    },
                    budgets: request.options.budgets,
                    jobs: request.options.jobs,
                    interrupt: request.options.interrupt.clone(),
                    ..Options::default()
                };
                self.drive(&mut found, target, operation, length, &options, observer)?;
            }
        }
        Ok(found)
    }

    /// Explores the sequences of a length that end in a call of a method.
    fn drive(
        &mut self,
        found: &mut Found,
        target: &TargetMethod,
        operation: usize,
        length: usize,
        options: &Options,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let mut steps = vec![self.constructors(found)?];
        let builders = self.builders_of(found, length)?;
        if length > 0 && builders.is_empty() {
            return Ok(());
        }
        for _ in 0..length {
            steps.push(self.calls(found, &builders)?);
        }
        steps.push(self.calls(found, &[operation])?);
        let calls: Vec<Vec<DriverCall>> = (steps.iter())
            .map(|step| step.iter().map(|one| one.call.clone()).collect())
            .collect();
        let driver = self.program.world.driver(&target.class, &calls);
        let driver = driver.map_err(Error::code)?;
        let name = format!(
            "{}.{} ({length} calls before)",
            target.class.name, target.declared.method.name
        );
        observer(Event::Begins {
            name: &name,
            time: options.bounds.time,
        });
        let covered = found.exploration.edges.clone();
        let explored = (self.program).explore_driver(
            target,
            driver.function,
            covered,
            options,
            &mut |one| {
                observer(Event::Progress(one));
            },
        )?;
        observer(Event::Ends);
        let Ok(report) = explored else {
            return Ok(());
        };
        for test in &report.tests {
            let edges: Vec<_> = test.run.edges().collect();
            if edges
                .iter()
                .all(|edge| found.exploration.edges.contains(edge))
            {
                continue;
            }
            if let Some(sequence) = self.sequence(found, &driver, &steps, test)? {
                found.exploration.edges.extend(edges);
                add(found, &sequence);
            }
        }
        Ok(())
    }

    /// The calls of constructors.
    fn constructors(&mut self, found: &Found) -> Result<Vec<Step>, Error> {
        let constructors = &found.java_type.constructors;
        let operations = &found.java_type.data_type.constructors;
        let all = constructors.iter().zip(operations).enumerate();
        all.map(|(index, (method, operation))| self.step(index, method, operation))
            .collect()
    }

    /// The calls of some operations.
    fn calls(&mut self, found: &Found, operations: &[usize]) -> Result<Vec<Step>, Error> {
        let mut steps = Vec::new();
        for &index in operations {
            let method = found.java_type.methods.get(index);
            let operation = found.java_type.data_type.operations.get(index);
            if let (Some(method), Some(operation)) = (method, operation) {
                steps.push(self.step(index, method, operation)?);
            }
        }
        Ok(steps)
    }

    /// The operations that sequences of a length consist of: those that are known to change
    /// something, and in short ones all.
    fn builders_of(&mut self, found: &Found, length: usize) -> Result<Vec<usize>, Error> {
        let operations = found.java_type.data_type.operations.iter().enumerate();
        let changing = &found.exploration.changing;
        let is_wanted =
            |index: &usize| length <= 1 || changing.is_empty() || changing.contains(index);
        Ok(operations
            .filter(|(index, operation)| operation.builds && is_wanted(index))
            .map(|(index, _)| index)
            .collect())
    }

    fn step(
        &mut self,
        index: usize,
        method: &TargetMethod,
        operation: &Operation,
    ) -> Result<Step, Error> {
        let mut given = Vec::new();
        let mut arguments = Vec::new();
        let types = &method.declared.method.descriptor.parameters;
        for (position, ty) in types.iter().enumerate() {
            let known = |list: &[Vec<Argument>]| list.get(position).cloned().unwrap_or_default();
            let mut alternatives = known(&operation.domains);
            for probe in known(&operation.probes) {
                if !alternatives.contains(&probe) {
                    alternatives.push(probe);
                }
            }
            let (argument, open) = self.open(ty, alternatives, operation, position)?;
            given.push(argument);
            arguments.push(open);
        }
        Ok(Step {
            operation: index,
            call: DriverCall {
                function: operation.function,
                arguments: given,
            },
            arguments,
        })
    }

    /// An argument of a type as a driver has it.
    fn open(
        &mut self,
        ty: &Type,
        alternatives: Vec<Argument>,
        operation: &Operation,
        position: usize,
    ) -> Result<(DriverArgument, Open), Error> {
        let world = &mut self.program.world;
        let registers = &world.program().function(operation.function).registers;
        let own = registers.get(position + 1).map(|register| register.sort);
        match (ty, own) {
            (Type::Primitive(_), Some(sort)) => {
                return Ok((DriverArgument::Open(sort), Open::Value(ty.clone())));
            }
            (Type::Class(name), _) if [STRING, "java.lang.CharSequence"].contains(&&**name) => {
                let string = Type::class(STRING);
                let class = world.complete(&string).map_err(Error::code)?;
                let open = DriverArgument::Open(Sort::Ref(class));
                return Ok((open, Open::Value(string)));
            }
            (Type::Class(name), _) => {
                if let Some(primitive) = boxed_in(name) {
                    let function = world.boxing(primitive).map_err(Error::code)?;
                    let sort = world.program().function(function).registers.first();
                    let sort = sort.map_or(Sort::Machine(IntType::I32), |register| register.sort);
                    let made = DriverArgument::Made(function, sort);
                    return Ok((made, Open::Boxed(primitive)));
                }
            }
            _ => {}
        }
        let makings = alternatives.iter().map(making).collect();
        Ok((DriverArgument::OneOf(makings), Open::OneOf(alternatives)))
    }

    /// The sequence that an input of a driver stands for; `None` if an argument cannot be written.
    fn sequence(
        &mut self,
        found: &mut Found,
        driver: &Driver,
        steps: &[Vec<Step>],
        test: &Test,
    ) -> Result<Option<Sequence>, Error> {
        let number = |parameter: usize| match test.input.arguments.get(parameter) {
            Some(LogicValue::Int(number)) => Some(*number),
            _ => None,
        };
        let mut calls = Vec::new();
        for (step, known) in steps.iter().zip(&driver.steps) {
            let made = known.made(known.selector.and_then(number));
            let (Some(one), Some(parameters)) = (step.get(made), known.calls.get(made)) else {
                return Ok(None);
            };
            let mut arguments = Vec::new();
            for (open, &parameter) in one.arguments.iter().zip(parameters) {
                let value = parameter.and_then(|at| test.input.arguments.get(at).copied());
                match self.closed(found, open, value, test)? {
                    Some(argument) => arguments.push(argument),
                    None => return Ok(None),
                }
            }
            calls.push(Call {
                operation: one.operation,
                arguments,
            });
        }
        let start = calls.remove(0);
        Ok(Some(Sequence { start, calls }))
    }

    /// An argument with its value.
    fn closed(
        &mut self,
        found: &mut Found,
        open: &Open,
        value: Option<LogicValue>,
        test: &Test,
    ) -> Result<Option<Argument>, Error> {
        let java_type = &mut found.java_type;
        match (open, value) {
            (Open::Value(ty), Some(value)) => {
                (self.program).argument(&mut java_type.written, &test.input.heap, value, ty)
            }
            (Open::Boxed(primitive), Some(value)) => {
                let Some(scalar) = imported(value) else {
                    return Ok(None);
                };
                let function = self.program.world.boxing(*primitive).map_err(Error::code)?;
                let argument = Argument::Made(function, vec![scalar]);
                let given = Given::Boxed(*primitive, exported(scalar));
                Ok(Some(java_type.written.enter(argument, given)))
            }
            (Open::OneOf(alternatives), value) => {
                let index = match value {
                    Some(LogicValue::Int(number)) => usize::try_from(number).unwrap_or(0),
                    _ => 0,
                };
                let chosen = alternatives.get(index).or(alternatives.first());
                Ok(chosen.cloned().or(Some(Argument::Value(Value::Null))))
            }
            (Open::Value(_) | Open::Boxed(_), None) => Ok(None),
        }
    }
}

/// How an argument is made.
fn making(argument: &Argument) -> Making {
    match argument {
        Argument::Value(value) => Making::Constant(constant(*value)),
        Argument::Made(function, values) => {
            Making::Call(*function, values.iter().copied().map(constant).collect())
        }
        Argument::New(class, constructor) => Making::New(*class, *constructor),
    }
}

fn constant(value: Value) -> Constant {
    match value {
        Value::Bool(value) => Constant::Bool(value),
        Value::Int(value) => Constant::Int(IntType::I64, value),
        Value::Single(bits) => Constant::Single(bits),
        Value::Double(bits) => Constant::Double(bits),
        _ => Constant::Null,
    }
}

/// Adds a sequence to those that were kept, as a test of its last call, and of every call before.
fn add(found: &mut Found, sequence: &Sequence) {
    for length in 1..=sequence.calls.len() {
        let calls: Vec<Call> = sequence.calls.iter().take(length).cloned().collect();
        let Some(last) = calls.last().map(|call| call.operation) else {
            continue;
        };
        let operations = &found.java_type.data_type.operations;
        let is_tested = (operations.get(last)).is_some_and(|operation| operation.tested);
        let one = Sequence {
            start: sequence.start.clone(),
            calls,
        };
        if let Some(tests) = found.exploration.tests.get_mut(last)
            && is_tested
            && !tests.contains(&one)
        {
            tests.push(one);
        }
    }
}

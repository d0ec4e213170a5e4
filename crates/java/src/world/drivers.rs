//! Drivers: functions that make an object and call its methods, one after the other, with open
//! arguments.
//!
//! The parameters of a driver are the arguments of all its calls, and for each step with several
//! calls a number that says which of them is made. So a sequence of calls is one path of a driver,
//! and whoever explores the driver finds sequences with the arguments that a branch needs.

use std::sync::Arc;

use heapwright_ir::{BlockId, Callee, Constant, FunctionId, Operand, Operation, Reg, Terminator};
use heapwright_logic::{ClassId, IntType, Sort};

use super::World;
use super::builder::Builder;
use super::native_bodies::call;
use crate::classfile::Class;
use crate::hierarchy::LinkError;

/// A call that a driver may make on its object.
#[derive(Debug, Clone)]
pub struct DriverCall {
    /// The function; its first parameter is the object.
    pub function: FunctionId,
    /// The other arguments.
    pub arguments: Vec<DriverArgument>,
}

/// An argument of a call.
#[derive(Debug, Clone)]
pub enum DriverArgument {
    /// A parameter of the driver.
    Open(Sort),
    /// What a function makes of a parameter of the driver: a box.
    Made(FunctionId, Sort),
    /// One of these; which one is a parameter of the driver, unless there is only one.
    OneOf(Vec<Making>),
}

/// How something known is made.
#[derive(Debug, Clone)]
pub enum Making {
    /// It is a constant.
    Constant(Constant),
    /// A function returns it.
    Call(FunctionId, Vec<Constant>),
    /// It is a new object, made by a constructor without further parameters.
    New(ClassId, FunctionId),
}

/// A driver, with the meaning of its parameters.
#[derive(Debug, Clone)]
pub struct Driver {
    /// Its function.
    pub function: FunctionId,
    /// Its steps.
    pub steps: Vec<DriverStep>,
}

/// A step of a driver.
#[derive(Debug, Clone)]
pub struct DriverStep {
    /// The parameter that says which call is made; none if there is only one.
    pub selector: Option<usize>,
    /// For each call, the parameters that its arguments come from; none for those that are fixed.
    pub calls: Vec<Vec<Option<usize>>>,
}

const SELECTOR: Sort = Sort::Machine(IntType::I32);

impl World {
    /// A driver for objects of a class: a call of one of its constructors, and then one call in
    /// every step. The result is that of the last step, which has one call.
    pub fn driver(
        &mut self,
        class: &Arc<Class>,
        steps: &[Vec<DriverCall>],
    ) -> Result<Driver, LinkError> {
        let id = self.complete(&class.ty())?;
        let guard = self.guard(class)?;
        let mut params = Vec::new();
        let mut layout = Vec::new();
        for step in steps {
            layout.push(DriverStep::new(step, &mut params));
        }
        let last = steps.last().and_then(|step| step.first());
        let result = last.and_then(|last| self.program.function(last.function).result);
        let name = format!("<driver> {} {}", class.name, self.program.functions.len());
        let mut builder = Builder::new(name, &params, result);
        if let Some(guard) = guard {
            call(&mut builder, Callee::Static(guard), Vec::new(), None);
        }
        let object = builder.register(Sort::Ref(id));
        builder.emit(Operation::New {
            to: object,
            class: id,
        });
        let mut returned = None;
        for (step, known) in steps.iter().zip(&layout) {
            let first = builder.next_block().0 + 1;
            let join = BlockId(first + step.len() as u32);
            if let Some(selector) = known.selector {
                let cases = (0..).zip((first..).map(BlockId)).take(step.len());
                builder.end(Terminator::Switch {
                    value: builder.param(selector as u32),
                    cases: cases.collect(),
                    default: BlockId(first),
                });
            }
            for (one, parameters) in step.iter().zip(&known.calls) {
                returned = self.drive(&mut builder, object, one, parameters);
                if known.selector.is_some() {
                    builder.end(Terminator::Goto(join));
                }
            }
        }
        builder.end(Terminator::Return(returned.filter(|_| result.is_some())));
        let function = self.add_function(builder.finish());
        self.refresh_interning();
        Ok(Driver {
            function,
            steps: layout,
        })
    }

    /// Emits a call of a driver.
    fn drive(
        &mut self,
        builder: &mut Builder,
        object: Reg,
        one: &DriverCall,
        parameters: &[Option<usize>],
    ) -> Option<Operand> {
        let mut arguments = vec![Operand::Register(object)];
        for (argument, &parameter) in one.arguments.iter().zip(parameters) {
            let given = parameter.map(|parameter| builder.param(parameter as u32));
            let operand = match (argument, given) {
                (DriverArgument::Open(_), Some(given)) => Some(given),
                (DriverArgument::Made(function, _), Some(given)) => {
                    let result = self.program.function(*function).result;
                    call(builder, Callee::Static(*function), vec![given], result)
                }
                (DriverArgument::OneOf(makings), Some(given)) => {
                    let chooser = self.chooser(makings);
                    let any = Some(Sort::Ref(ClassId::ANY));
                    call(builder, Callee::Static(chooser), vec![given], any)
                }
                (DriverArgument::OneOf(makings), None) => {
                    makings.first().map(|making| self.make(builder, making))
                }
                (DriverArgument::Open(_) | DriverArgument::Made(..), None) => None,
            };
            arguments.push(operand.unwrap_or(Operand::Constant(Constant::Null)));
        }
        let result = self.program.function(one.function).result;
        call(builder, Callee::Static(one.function), arguments, result)
    }

    /// A function that makes one of several objects, by number.
    fn chooser(&mut self, makings: &[Making]) -> FunctionId {
        let name = format!("<chooser> {}", self.program.functions.len());
        let any = Sort::Ref(ClassId::ANY);
        let mut builder = Builder::new(name, &[SELECTOR], Some(any));
        let cases = (0..).zip((1..).map(BlockId)).take(makings.len());
        builder.end(Terminator::Switch {
            value: builder.param(0),
            cases: cases.collect(),
            default: BlockId(1),
        });
        for making in makings {
            let made = self.make(&mut builder, making);
            builder.end(Terminator::Return(Some(made)));
        }
        self.add_function(builder.finish())
    }

    pub(super) fn make(&self, builder: &mut Builder, making: &Making) -> Operand {
        match making {
            Making::Constant(constant) => Operand::Constant(*constant),
            Making::Call(function, arguments) => {
                let arguments = arguments.iter().copied().map(Operand::Constant).collect();
                let result = self.program.function(*function).result;
                let made = call(builder, Callee::Static(*function), arguments, result);
                made.unwrap_or(Operand::Constant(Constant::Null))
            }
            Making::New(class, constructor) => {
                let to = builder.register(Sort::Ref(*class));
                builder.emit(Operation::New { to, class: *class });
                let object = Operand::Register(to);
                call(builder, Callee::Static(*constructor), vec![object], None);
                object
            }
        }
    }
}

impl DriverStep {
    fn new(step: &[DriverCall], params: &mut Vec<Sort>) -> DriverStep {
        let mut add = |sort| {
            params.push(sort);
            params.len() - 1
        };
        let selector = (step.len() > 1).then(|| add(SELECTOR));
        let calls = step.iter().map(|one| {
            let arguments = one.arguments.iter().map(|argument| match argument {
                DriverArgument::Open(sort) | DriverArgument::Made(_, sort) => Some(add(*sort)),
                DriverArgument::OneOf(makings) => (makings.len() > 1).then(|| add(SELECTOR)),
            });
            arguments.collect()
        });
        DriverStep {
            calls: calls.collect(),
            selector,
        }
    }

    /// Which call was made, with these arguments of the driver.
    pub fn made(&self, selected: Option<i128>) -> usize {
        let index = selected.and_then(|number| usize::try_from(number).ok());
        index.filter(|&index| index < self.calls.len()).unwrap_or(0)
    }
}

//! Drivers for scripts: functions that make a straight list of calls, with open values.
//!
//! The parameters of a driver are values that its calls are given. Whoever explores the driver finds
//! those that a branch needs, which are the values of a script with the same calls.

use heapwright_ir::{Callee, Constant, FunctionId, Operand, Operation, Terminator};
use heapwright_logic::{ClassId, IntType, Sort};

use super::World;
use super::builder::Builder;
use super::drivers::Making;
use super::native_bodies::call;

/// A call of a driver.
#[derive(Debug, Clone)]
pub struct ScriptCallee {
    /// What is called.
    pub callee: DriverCallee,
    /// What it is given, the receiver first.
    pub operands: Vec<DriverOperand>,
    /// The sort of what it gives, if it gives something.
    pub result: Option<Sort>,
}

/// What a call of a driver calls.
#[derive(Debug, Clone)]
pub enum DriverCallee {
    /// A constructor, with a new object of a class.
    New(ClassId, FunctionId),
    /// A function.
    Static(FunctionId),
    /// The method that the class of the first operand has for a name.
    Virtual(String),
    /// Nothing: it is a new array of a class with the operands as its elements.
    Array(ClassId),
    /// Nothing: it is a new object of a class with the operands as its fields.
    Object(ClassId),
}

/// What a call of a driver is given.
#[derive(Debug, Clone)]
pub enum DriverOperand {
    /// What an earlier call gave.
    Variable(usize),
    /// A parameter of the driver.
    Open(Sort),
    /// What a function makes of a parameter of the driver: a box.
    Made(FunctionId, Sort),
    /// Something known.
    Fixed(Making),
}

/// A driver for a script.
#[derive(Debug, Clone)]
pub struct ScriptDriver {
    /// Its function.
    pub function: FunctionId,
    /// For each call, the parameters that its operands come from; none for those that are known.
    pub parameters: Vec<Vec<Option<usize>>>,
}

impl World {
    /// A driver that makes some calls one after the other. What it returns is what the last one does.
    pub fn script_driver(&mut self, calls: &[ScriptCallee]) -> ScriptDriver {
        let mut sorts = Vec::new();
        let mut parameters = Vec::new();
        for one in calls {
            let operands = one.operands.iter().map(|operand| match operand {
                DriverOperand::Open(sort) | DriverOperand::Made(_, sort) => {
                    sorts.push(*sort);
                    Some(sorts.len() - 1)
                }
                DriverOperand::Variable(_) | DriverOperand::Fixed(_) => None,
            });
            parameters.push(operands.collect::<Vec<Option<usize>>>());
        }
        let result = calls.last().and_then(|last| last.result);
        let name = format!("<script> {}", self.program().functions.len());
        let mut builder = Builder::new(name, &sorts, result);
        let mut given: Vec<Operand> = Vec::new();
        for (one, known) in calls.iter().zip(&parameters) {
            let mut operands = Vec::new();
            for (operand, parameter) in one.operands.iter().zip(known) {
                let open = parameter.map(|parameter| builder.param(parameter as u32));
                operands.push(match (operand, open) {
                    (DriverOperand::Open(_), Some(open)) => open,
                    (DriverOperand::Made(function, _), Some(open)) => {
                        let result = self.program().function(*function).result;
                        let made =
                            call(&mut builder, Callee::Static(*function), vec![open], result);
                        made.unwrap_or(NULL)
                    }
                    (DriverOperand::Variable(index), _) => {
                        given.get(*index).copied().unwrap_or(NULL)
                    }
                    (DriverOperand::Fixed(making), _) => self.make(&mut builder, making),
                    (DriverOperand::Open(_) | DriverOperand::Made(..), None) => NULL,
                });
            }
            given.push(emit(&mut builder, one, operands));
        }
        let last = given.last().copied().filter(|_| result.is_some());
        builder.end(Terminator::Return(last));
        let function = self.add_function(builder.finish());
        self.refresh_interning();
        ScriptDriver {
            function,
            parameters,
        }
    }
}

const NULL: Operand = Operand::Constant(Constant::Null);

/// Emits a call; gives what it gives.
fn emit(builder: &mut Builder, one: &ScriptCallee, operands: Vec<Operand>) -> Operand {
    match &one.callee {
        DriverCallee::New(class, constructor) => {
            let to = builder.register(Sort::Ref(*class));
            builder.emit(Operation::New { to, class: *class });
            let object = Operand::Register(to);
            let mut all = vec![object];
            all.extend(operands);
            call(builder, Callee::Static(*constructor), all, None);
            object
        }
        DriverCallee::Static(function) => {
            let given = call(builder, Callee::Static(*function), operands, one.result);
            given.unwrap_or(NULL)
        }
        DriverCallee::Virtual(name) => {
            let given = call(builder, Callee::Virtual(name.clone()), operands, one.result);
            given.unwrap_or(NULL)
        }
        DriverCallee::Array(class) => {
            let to = builder.register(Sort::Ref(*class));
            let number = |n: usize| Operand::Constant(Constant::Int(IntType::I32, n as i128));
            builder.emit(Operation::NewArray {
                to,
                class: *class,
                length: number(operands.len()),
            });
            for (index, value) in operands.into_iter().enumerate() {
                builder.emit(Operation::StoreElement {
                    array: Operand::Register(to),
                    index: number(index),
                    value,
                });
            }
            Operand::Register(to)
        }
        DriverCallee::Object(class) => {
            let to = builder.register(Sort::Ref(*class));
            builder.emit(Operation::New { to, class: *class });
            for (field, value) in (0..).zip(operands) {
                builder.emit(Operation::Store {
                    object: Operand::Register(to),
                    class: *class,
                    field,
                    value,
                });
            }
            Operand::Register(to)
        }
    }
}

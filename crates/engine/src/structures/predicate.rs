//! A function of the program as the predicate that says which inputs are valid.

use std::sync::Arc;

use heapwright_ir::{
    Block, Callee, Function, FunctionId, Instruction, Operand, Operation, Position, Reg, Register,
    Terminator,
};
use heapwright_logic::Sort;
use thiserror::Error;

use crate::subject::Subject;

/// Why a function is no predicate for another one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PredicateError {
    /// There is no such function.
    #[error("there is no procedure `{0}`")]
    NoFunction(String),
    /// It returns something else.
    #[error("`{0}` cannot be a predicate, since it does not return a truth value")]
    NoTruthValue(String),
    /// It has a parameter that the function under test does not have.
    #[error("parameter `{parameter}` of `{predicate}` is no parameter of `{function}`")]
    NoParameter {
        /// The predicate.
        predicate: String,
        /// The parameter.
        parameter: String,
        /// The function under test.
        function: String,
    },
}

impl Subject {
    /// Takes a function of the program as the predicate: its parameters are those of the function
    /// under test with the same names.
    pub fn with_predicate(self, name: &str) -> Result<Subject, PredicateError> {
        let id = self.program.function_named(name);
        let id = id.ok_or_else(|| PredicateError::NoFunction(name.to_owned()))?;
        let predicate = self.program.function(id);
        let result = predicate.result.filter(|sort| *sort == Sort::Bool);
        let result = result.ok_or_else(|| PredicateError::NoTruthValue(name.to_owned()))?;
        let mut args = Vec::new();
        for parameter in predicate.registers.iter().take(predicate.params as usize) {
            let same = |input: &crate::subject::Parameter| {
                Some(&input.name) == parameter.name.as_ref() && input.sort == parameter.sort
            };
            let position = self.inputs.iter().position(same);
            let position = position.ok_or_else(|| PredicateError::NoParameter {
                predicate: name.to_owned(),
                parameter: parameter.name.clone().unwrap_or_default(),
                function: self.name().to_owned(),
            })?;
            args.push(Operand::Register(Reg(position as u32)));
        }
        let mut registers: Vec<Register> = (self.inputs.iter())
            .map(|input| Register {
                name: Some(input.name.clone()),
                sort: input.sort,
            })
            .collect();
        let holds = Reg(registers.len() as u32);
        registers.push(Register {
            name: None,
            sort: result,
        });
        let call = Instruction {
            operation: Operation::Call {
                to: Some(holds),
                callee: Callee::Static(id),
                args,
            },
            position: Position::default(),
        };
        let wrapper = Function {
            name: format!("<valid> {}", self.name()),
            params: self.inputs.len() as u32,
            registers,
            result: Some(result),
            blocks: vec![Block {
                instructions: vec![call],
                terminator: Terminator::Return(Some(Operand::Register(holds))),
                position: Position::default(),
                handlers: Vec::new(),
            }],
            position: Position::default(),
            synthetic: true,
        };
        let mut program = (*self.program).clone();
        let invariant = FunctionId(program.functions.len() as u32);
        program.functions.push(wrapper);
        Ok(Subject {
            program: Arc::new(program),
            invariant: Some(invariant),
            ..self
        })
    }
}

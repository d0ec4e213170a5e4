//! Functions that say whether a struct is valid: `rep_ok` and its like.
//!
//! The engine knows such a predicate as a function with the parameters of the function under test.
//! A predicate with one parameter has to hold for every argument of its type; one with several takes
//! the parameters of the same names and types.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_c::CUnit;
use heapwright_engine::{PredicateError, Subject};
use heapwright_ir::{
    BinaryOp, Block, BlockId, Callee, Comparison, Constant, Function, FunctionId, Instruction,
    Operand, Operation, Position, Program, Reg, Register, Terminator,
};
use heapwright_logic::Sort;
use heapwright_testgen::{Error, FunctionKind, RequestError};

use crate::roles::words;

/// What a function with one parameter is called, apart from words for what it is about, if it says
/// which objects are valid. Where nobody asks for a predicate, only these are taken for one.
const USUAL_NAMES: [&[&str]; 9] = [
    &["rep", "ok"],
    &["repok"],
    &["check", "rep"],
    &["rep", "valid"],
    &["check", "invariant"],
    &["check", "invariants"],
    &["invariant", "holds"],
    &["invariant"],
    &["invariants"],
];

/// The same where a predicate is asked for. Elsewhere these may mean anything: that an iterator is
/// not at its end, for example.
const OTHER_NAMES: [&[&str]; 8] = [
    &["is", "valid"],
    &["valid"],
    &["validate"],
    &["is", "consistent"],
    &["consistent"],
    &["is", "ok"],
    &["ok"],
    &["check"],
];

/// A function of the unit as a predicate for another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// The predicate.
    pub function: FunctionId,
    /// Its calls, each with the parameters of the other function that it is given.
    pub calls: Vec<Vec<u32>>,
}

/// A predicate that is called by tests.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// The predicate.
    pub predicate: Predicate,
    /// Whether it holds for all inputs.
    pub holds_before: bool,
}

/// The function that `--repok` names.
pub(crate) fn named(unit: &CUnit, name: &str) -> Result<FunctionId, Error> {
    let program = &unit.program;
    let Some(id) = program.function_named(name) else {
        let own = unit.functions.iter();
        let known = own.map(|(id, _)| program.function(*id).name.clone());
        return Err(Error::Request(RequestError::NoFunction {
            kind: FunctionKind::Defined,
            name: name.to_owned(),
            known: known.collect(),
        }));
    };
    let complaint = unit.functions.iter().find(|(known, _)| *known == id);
    if let Some((_, Some(error))) = complaint {
        return Err(Error::code(error.clone()));
    }
    match is_truth(program.function(id)) {
        true => Ok(id),
        false => {
            let error = PredicateError::NoTruthValue(name.to_owned());
            Err(RequestError::Predicate(error.into()).into())
        }
    }
}

/// The functions that their names make predicates, best ones first.
pub(crate) fn usual(unit: &CUnit, is_asked_for: bool) -> Vec<FunctionId> {
    let program = &unit.program;
    let others: &[&[&str]] = match is_asked_for {
        true => &OTHER_NAMES,
        false => &[],
    };
    let mut found: Vec<(usize, FunctionId)> = Vec::new();
    for (id, error) in &unit.functions {
        let function = program.function(*id);
        let on_struct = parameters(function).all(
            |parameter| matches!(parameter.sort, Sort::Ref(class) if unit.record(class).is_some()),
        );
        if error.is_some() || function.params != 1 || !on_struct || !is_truth(function) {
            continue;
        }
        let own = words(&function.name);
        let fits = |usual: &&[&str]| {
            own.len() >= usual.len() && (own.ends_with_words(usual) || own.starts_with_words(usual))
        };
        let usual = USUAL_NAMES.iter().chain(others);
        if let Some(rank) = usual.copied().position(|usual| fits(&usual)) {
            found.push((rank, *id));
        }
    }
    found.sort();
    found.into_iter().map(|(_, id)| id).collect()
}

/// The functions that are only there for predicates: they themselves, and what nobody else calls.
pub(crate) fn helpers(unit: &CUnit, predicates: &[FunctionId]) -> BTreeSet<FunctionId> {
    let program = &unit.program;
    let own: Vec<FunctionId> = unit.functions.iter().map(|(id, _)| *id).collect();
    let mut helpers: BTreeSet<FunctionId> = predicates.iter().copied().collect();
    loop {
        let is_helper = |id: &FunctionId| {
            let source = unit.function(*id);
            let is_static = source.is_some_and(|source| source.is_static);
            let is_called_by = |caller: &FunctionId| calls(program.function(*caller), *id);
            let mut callers = own.iter().filter(|caller| *caller != id).peekable();
            is_static
                && callers.clone().any(is_called_by)
                && callers.all(|caller| helpers.contains(caller) || !is_called_by(caller))
        };
        let found: Vec<FunctionId> = (own.iter().copied())
            .filter(|id| !helpers.contains(id) && is_helper(id))
            .collect();
        if found.is_empty() {
            return helpers;
        }
        helpers.extend(found);
    }
}

fn calls(caller: &Function, callee: FunctionId) -> bool {
    let instructions = caller.blocks.iter().flat_map(|block| &block.instructions);
    instructions.into_iter().any(|instruction| {
        matches!(
            instruction.operation,
            Operation::Call { callee: Callee::Static(id), .. } if id == callee
        )
    })
}

/// A function as the predicate for a function under test; `None` if that has none of the objects
/// that it is about.
pub(crate) fn applied(
    program: &Program,
    predicate: FunctionId,
    function: FunctionId,
) -> Option<Predicate> {
    let (own, other) = (program.function(predicate), program.function(function));
    let calls: Vec<Vec<u32>> = match own.params {
        0 => return None,
        1 => {
            let wanted = parameters(own).next()?.sort;
            let fitting = (0..).zip(parameters(other));
            fitting
                .filter(|(_, parameter)| parameter.sort == wanted)
                .map(|(index, _)| vec![index])
                .collect()
        }
        _ => {
            let position = |wanted: &Register| {
                let same =
                    |known: &Register| known.name == wanted.name && known.sort == wanted.sort;
                parameters(other).position(same).map(|index| index as u32)
            };
            vec![parameters(own).map(position).collect::<Option<_>>()?]
        }
    };
    (!calls.is_empty()).then_some(Predicate {
        function: predicate,
        calls,
    })
}

/// A subject whose inputs are those for which a predicate holds; whether it has to hold afterwards,
/// too, is said.
pub(crate) fn with_predicate(subject: Subject, predicate: &Predicate, is_kept: bool) -> Subject {
    let mut program = (*subject.program).clone();
    let invariant = FunctionId(program.functions.len() as u32);
    let wrapper = wrapper(&program, subject.function, predicate);
    program.functions.push(wrapper);
    Subject {
        program: Arc::new(program),
        ..subject
    }
    .with_invariant(Some(invariant), is_kept)
}

/// A function with the parameters of a function under test that says whether its objects are valid.
fn wrapper(program: &Program, function: FunctionId, predicate: &Predicate) -> Function {
    let tested = program.function(function);
    let own = program.function(predicate.function);
    let result = own.result.unwrap_or(Sort::Bool);
    let mut registers: Vec<Register> = parameters(tested).cloned().collect();
    let mut blocks = Vec::new();
    let failed = BlockId(predicate.calls.len() as u32 + 1);
    let plain = |operation| Instruction {
        operation,
        position: Position::default(),
    };
    let block = |instructions, terminator| Block {
        instructions,
        terminator,
        position: Position::default(),
        handlers: Vec::new(),
    };
    for (call, next) in predicate.calls.iter().zip(1..) {
        let mut register = |sort| {
            registers.push(Register { name: None, sort });
            Reg(registers.len() as u32 - 1)
        };
        let returned = register(result);
        let args = call.iter().map(|&index| Operand::Register(Reg(index)));
        let mut instructions = vec![plain(Operation::Call {
            to: Some(returned),
            callee: Callee::Static(predicate.function),
            args: args.collect(),
        })];
        let mut holds = returned;
        if let Sort::Machine(ty) = result {
            holds = register(Sort::Bool);
            instructions.push(plain(Operation::Binary {
                to: holds,
                op: BinaryOp::Compare(Comparison::Ne),
                a: Operand::Register(returned),
                b: Operand::Constant(Constant::Int(ty, 0)),
            }));
        }
        let branch = Terminator::Branch {
            condition: Operand::Register(holds),
            then: BlockId(next),
            otherwise: failed,
        };
        blocks.push(block(instructions, branch));
    }
    for holds in [true, false] {
        let result = Operand::Constant(Constant::Bool(holds));
        blocks.push(block(Vec::new(), Terminator::Return(Some(result))));
    }
    Function {
        name: format!("<valid> {}", tested.name),
        params: tested.params,
        registers,
        result: Some(Sort::Bool),
        blocks,
        position: Position::default(),
        synthetic: true,
    }
}

fn parameters(function: &Function) -> impl Iterator<Item = &Register> {
    function.registers.iter().take(function.params as usize)
}

/// Whether a function returns a truth value, as C has them.
fn is_truth(function: &Function) -> bool {
    matches!(function.result, Some(Sort::Bool | Sort::Machine(_)))
}

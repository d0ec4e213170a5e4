//! The contracts of the examples hold: every procedure is called with all small inputs that its
//! precondition allows, must return, and must leave what its postcondition says. Together these
//! inputs take every branch.

mod common;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use common::checked_run::Example;
use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{BlockId, Function, FunctionId, Position, Terminator};
use heapwright_logic::{Budget, Heap, Model, Sort, Value, find_derivation};
use heapwright_solver::{Config, Solver};
use heapwright_spec::{Contract, ContractKind, Specification};

/// Cells of an input.
const CELLS: u32 = 6;
/// Inputs per disjunct of a precondition.
const INPUTS: usize = 150;
/// Branches that no input takes; there are none, since each procedure is an entry of its own.
const UNTAKEN: [&str; 0] = [];

#[test]
fn procedures_keep_their_contracts_on_small_inputs() {
    let mut untaken: Vec<String> = Vec::new();
    for path in common::examples() {
        let example = Example::at(&path);
        let mut taken = BTreeSet::new();
        for contract in &example.specification.contracts {
            if contract.kind != ContractKind::Pre {
                continue;
            }
            let program = &example.read.program;
            let function = program.function_named(&contract.method).unwrap();
            let inputs = inputs(&example, contract);
            let name = &contract.method;
            assert!(!inputs.is_empty(), "{}: {name}", path.display());
            for input in inputs {
                let function = program.function(function);
                run(&example, contract, function, &input, &mut taken);
            }
        }
        let file = path.file_name().unwrap().to_string_lossy();
        untaken.extend(not_taken(&example, &taken, &file));
    }
    assert_eq!(untaken, UNTAKEN);
}

/// The branches that no run has taken, by the place of their condition.
fn not_taken(example: &Example, taken: &BTreeSet<Edge>, file: &str) -> Vec<String> {
    let mut untaken = Vec::new();
    for (function, id) in example.read.program.functions.iter().zip(0u32..) {
        for (block, number) in function.blocks.iter().zip(0u32..) {
            if !matches!(block.terminator, Terminator::Branch { .. }) {
                continue;
            }
            for (way, text) in [(0, "true"), (1, "false")] {
                let edge = Edge {
                    function: FunctionId(id),
                    block: BlockId(number),
                    successor: Successor::Jump(way),
                };
                if !taken.contains(&edge) {
                    let Position { line, column, .. } = block.position;
                    untaken.push(format!("{file}:{line}:{column} {text}"));
                }
            }
        }
    }
    untaken
}

/// Models of a precondition, smallest first.
fn inputs(example: &Example, contract: &Contract) -> Vec<Model> {
    let mut terms = example.specification.terms.clone();
    let definitions = &example.specification.definitions;
    let mut solver = Solver::new(&mut terms, definitions, Config::default());
    let mut models = Vec::new();
    for heap in &contract.formula.disjuncts {
        let mut found = 0;
        let mut visit = |enumerated: &mut heapwright_solver::enumerate::Enumerated<'_>| {
            let model = enumerated.model();
            let model = model.unwrap_or_else(|reason| panic!("{}: {reason:?}", contract.method));
            models.extend(spread(example, contract, &model));
            models.push(model);
            found += 1;
            match found < INPUTS {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        };
        let enumerated = solver.enumerate(&mut terms, heap, 0..=CELLS, &mut visit);
        enumerated.unwrap_or_else(|reason| panic!("{}: {reason:?}", contract.method));
    }
    models
}

/// The same input with a different number in each cell, if the precondition allows that: numbers
/// about which nothing is said are all zero in a model.
fn spread(example: &Example, contract: &Contract, model: &Model) -> Option<Model> {
    let mut model = model.clone();
    for (cell, number) in model.heap.cells.values_mut().zip(0..) {
        if let Some(Value::Int(value)) = cell.fields.first_mut() {
            *value += number;
        }
    }
    let Specification {
        terms, definitions, ..
    } = &example.specification;
    let Model { stack, heap, .. } = &model;
    let params = contract.params.iter().copied();
    let stack = params.filter_map(|param| Some((param, *stack.get(&param)?)));
    let stack = stack.collect();
    let budget = Budget::default();
    find_derivation(terms, definitions, &contract.formula, &stack, heap, budget).ok()?;
    Some(model)
}

/// Calls the procedure with an input; integers that the precondition leaves open are tried below,
/// at and above those of the heap.
fn run(
    example: &Example,
    contract: &Contract,
    function: &Function,
    input: &Model,
    taken: &mut BTreeSet<Edge>,
) {
    let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
    for (index, param) in contract.params.iter().enumerate() {
        let sort = function.registers[index].sort;
        let values = match (input.stack.get(param), sort) {
            (Some(&value), _) => vec![value],
            (None, Sort::Machine(_)) => interesting(&input.heap),
            (None, sort) => vec![Value::default_of(sort)],
        };
        let extended = |args: &Vec<Value>| {
            let args = args.clone();
            let with = values.iter().map(move |&value| {
                let mut args = args.clone();
                args.push(value);
                args
            });
            with.collect::<Vec<_>>()
        };
        choices = choices.iter().flat_map(extended).collect();
    }
    for args in choices {
        let mut session = example.session();
        let domain = &mut session.machine.domain;
        let mut names = domain.import(&input.heap).unwrap();
        let args: Vec<_> = (args.iter())
            .map(|&value| domain.import_value(&mut names, value).unwrap())
            .collect();
        session.call(&contract.method, &args);
        let trace = session.machine.domain.trace.iter();
        taken.extend(trace.flat_map(|trace| trace.edges.keys().copied()));
    }
}

fn interesting(heap: &Heap) -> Vec<Value> {
    let mut values = BTreeSet::from([0, 1, 2, 3]);
    for field in heap.cells.values().flat_map(|cell| &cell.fields) {
        if let Value::Int(value) = field {
            values.extend([value - 1, *value, value + 1]);
        }
    }
    values.into_iter().map(Value::Int).collect()
}

//! Runs that become tests, and the runs of these tests.

use heapwright_impl::ImplProgram;
use heapwright_impl::emit::{Ending, Expectation, Target, TestCase};
use heapwright_impl::read_program;
use heapwright_ir::machine::concrete::{Concrete, Value as ConcreteValue, export_value};
use heapwright_ir::machine::{Budgets, Machine, MachineOutcome};
use heapwright_logic::{CanonicalKey, Heap, Value, canonical_key};
use heapwright_spec::diagnostic::Style;
use std::collections::BTreeSet;

/// Runs a program on an input; nothing if an assumption does not hold.
pub fn case<'p>(
    program: &'p ImplProgram,
    target: Target,
    inputs: &[Value],
    before: &Heap,
) -> Option<TestCase<'p>> {
    let code = &program.program;
    let function = match &target {
        Target::Main => program.entry.as_ref().unwrap().function,
        Target::Procedure(name) => code.function_named(name).unwrap(),
    };
    let mut domain = Concrete::new(code);
    let mut names = domain.import(before).unwrap();
    let args = (inputs.iter())
        .map(|&value| domain.import_value(&mut names, value).unwrap())
        .collect();
    let mut machine = Machine::new(code, domain, Budgets::default());
    let outcome = machine.run(function, args).unwrap();
    let (heap, locations) = machine.domain.memory.export().unwrap();
    let export = |value| export_value(&locations, value).unwrap();
    let ending = match outcome {
        MachineOutcome::Returned(result) => Ending::Returned {
            result: result.map(export),
            outputs: match (&target, &program.entry) {
                (Target::Main, Some(entry)) => (entry.outputs.iter())
                    .map(|output| export(*machine.last_value(output.register).unwrap()))
                    .collect(),
                _ => Vec::new(),
            },
            heap,
        },
        MachineOutcome::Fault { kind, position, .. } => Ending::Fault {
            kind,
            position: Some(position),
        },
        MachineOutcome::OutOfBudget { budget, .. } => Ending::OutOfBudget(budget),
        MachineOutcome::AssumptionFailed { .. } => return None,
        MachineOutcome::Threw { .. } => panic!("ImpL has no exceptions"),
    };
    Some(TestCase {
        program,
        name: "test".to_owned(),
        target,
        comments: Vec::new(),
        inputs: inputs.to_vec(),
        before: before.clone(),
        ending,
    })
}

/// Runs a test and compares with its own expectation.
pub fn passes(test: &str) -> bool {
    let expectation = Expectation::read(test).unwrap().unwrap();
    expectation.holds(&run(test).0)
}

/// Runs a test. It must be a correct program without inputs, and is never taken for something
/// else that went wrong.
pub fn run(test: &str) -> (MachineOutcome<ConcreteValue>, Heap) {
    let read = read_program("test.impl", test)
        .unwrap_or_else(|error| panic!("{}\n{test}", error.render(Style::Plain)));
    let entry = read.entry.as_ref().unwrap();
    assert_eq!(entry.inputs, [], "{test}");
    let domain = Concrete::new(&read.program);
    let mut machine = Machine::new(&read.program, domain, Budgets::default());
    let outcome = machine.run(entry.function, Vec::new()).unwrap();
    let (heap, _) = machine.domain.memory.export().unwrap();
    (outcome, heap)
}

/// What a check sees of a heap: what can be reached.
pub fn reachable_key(roots: &[Value], heap: &Heap) -> CanonicalKey {
    let mut heap = heap.clone();
    let mut reached = BTreeSet::new();
    let mut pending = roots.to_vec();
    while let Some(value) = pending.pop() {
        if let Value::Ref(loc) = value
            && let Some(cell) = heap.cells.get(&loc)
            && reached.insert(loc)
        {
            pending.extend(&cell.fields);
        }
    }
    heap.cells.retain(|loc, _| reached.contains(loc));
    canonical_key(roots, &heap)
}

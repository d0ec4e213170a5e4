//! Runs procedures of an example on one memory, and checks their contracts around each call.

use std::collections::BTreeSet;
use std::path::Path;

use heapwright_impl::ImplProgram;
use heapwright_ir::Program;
use heapwright_ir::machine::concrete::{Concrete, Value, export_value};
use heapwright_ir::machine::{Budgets, Machine, MachineOutcome};
use heapwright_logic::{Budget, Heap, Stack, Value as LogicValue, find_derivation};
use heapwright_spec::{Contract, ContractKind, Specification};

/// A memory with an example's procedures.
pub struct CheckedRun<'p> {
    program: &'p Program,
    specification: &'p Specification,
    pub machine: Machine<'p, Concrete<'p>>,
}

/// An example with its specification.
pub struct Example {
    pub read: ImplProgram,
    pub specification: Specification,
}

impl Example {
    pub fn new(name: &str) -> Self {
        let path = super::repository().join("examples/impl").join(name);
        Example::at(&path)
    }

    pub fn at(path: &Path) -> Self {
        let read = super::read(path).unwrap_or_else(|text| panic!("{text}"));
        let specification = super::specification(path, &read.program);
        Example {
            read,
            specification,
        }
    }

    pub fn session(&self) -> CheckedRun<'_> {
        let program = &self.read.program;
        CheckedRun {
            program,
            specification: &self.specification,
            machine: Machine::new(program, Concrete::new(program).traced(), Budgets::default()),
        }
    }
}

impl CheckedRun<'_> {
    /// A new object with given fields.
    pub fn object(&mut self, class: &str, fields: Vec<Value>) -> Value {
        let class = self.program.definitions.class_named(class).unwrap();
        assert_eq!(
            self.program.definitions.class(class).fields.len(),
            fields.len()
        );
        let memory = &mut self.machine.domain.memory;
        Value::object(memory.add(class, fields).unwrap())
    }

    /// A field of an object.
    pub fn field(&self, object: Value, field: usize) -> Value {
        let Value::Pointer(address) = object else {
            panic!("{object:?} has no fields");
        };
        let memory = &self.machine.domain.memory;
        memory.object(address.object).unwrap().contents[field]
    }

    /// Calls a procedure that is expected to return, with its contracts checked.
    pub fn call(&mut self, name: &str, args: &[Value]) -> Option<Value> {
        let function = self.program.function_named(name).unwrap();
        let contracts: Vec<_> = (self.specification.contracts.iter())
            .filter(|contract| contract.method == name)
            .collect();
        let of_kind = |kind| contracts.iter().copied().filter(move |c| c.kind == kind);
        let (heap, arguments) = self.state(args);
        for contract in of_kind(ContractKind::Pre) {
            self.check(contract, &heap, &stack_of(contract, &arguments), name);
        }
        let old: Vec<Stack> = (of_kind(ContractKind::Post))
            .map(|contract| old_values(contract, &heap, &arguments))
            .collect();
        let outcome = self.machine.run(function, args.to_vec()).unwrap();
        let MachineOutcome::Returned(result) = outcome else {
            panic!("{name}({args:?}): {outcome:?}");
        };
        for (contract, old) in of_kind(ContractKind::Post).zip(old) {
            // A postcondition describes what can be reached from the names that it mentions: an
            // unlinked node may still refer to the rest of a list.
            let mentioned: BTreeSet<_> = (contract.formula.disjuncts.iter())
                .flat_map(|heap| heap.free_variables(&self.specification.terms))
                .collect();
            let params = contract.params.iter().copied().zip(args.iter().copied());
            let (variables, roots): (Vec<_>, Vec<_>) = params
                .chain(contract.result.zip(result))
                .filter(|(variable, _)| mentioned.contains(variable))
                .unzip();
            let (heap, values) = self.state(&roots);
            let mut stack: Stack = variables.into_iter().zip(values).collect();
            stack.extend(old);
            self.check(contract, &heap, &stack, name);
        }
        result
    }

    /// What can be reached, as a heap of the logic, and the values in its names.
    fn state(&self, roots: &[Value]) -> (Heap, Vec<LogicValue>) {
        let (mut heap, names) = self.machine.domain.memory.export().unwrap();
        let roots: Vec<_> = (roots.iter())
            .map(|&root| export_value(&names, root).unwrap())
            .collect();
        let mut reached = BTreeSet::new();
        let mut pending = roots.clone();
        while let Some(value) = pending.pop() {
            if let LogicValue::Ref(loc) = value
                && let Some(cell) = heap.cells.get(&loc)
                && reached.insert(loc)
            {
                pending.extend(&cell.fields);
            }
        }
        heap.cells.retain(|loc, _| reached.contains(loc));
        (heap, roots)
    }

    fn check(&self, contract: &Contract, heap: &Heap, stack: &Stack, name: &str) {
        let Specification {
            terms, definitions, ..
        } = self.specification;
        let budget = Budget::default();
        let found = find_derivation(terms, definitions, &contract.formula, stack, heap, budget);
        if let Err(failure) = found {
            panic!("{:?} {name}: {failure}\n{stack:?}\n{heap:?}", contract.kind);
        }
    }
}

fn stack_of(contract: &Contract, args: &[LogicValue]) -> Stack {
    (contract.params.iter().copied())
        .zip(args.iter().copied())
        .collect()
}

/// The values of `old(...)`, in the heap before the call.
fn old_values(contract: &Contract, heap: &Heap, args: &[LogicValue]) -> Stack {
    let stack = stack_of(contract, args);
    (contract.old.iter())
        .map(|old| {
            let mut value = stack[&old.base];
            for &(_, field) in &old.path {
                let LogicValue::Ref(loc) = value else {
                    panic!("{value} has no fields");
                };
                value = heap.cells[&loc].fields[field];
            }
            (old.variable, value)
        })
        .collect()
}

/// A small generator of numbers, the same on every machine.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, bound: u64) -> u64 {
        // Knuth's multiplier; the high bits are the good ones.
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    pub fn value(&mut self, bound: u64) -> i128 {
        i128::from(self.below(bound)) - i128::from(bound / 2)
    }
}

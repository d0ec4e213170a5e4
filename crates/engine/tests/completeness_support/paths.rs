//! Paths of concrete runs, and all paths that some input takes.

use std::collections::BTreeMap;

use heapwright_ir::machine::concrete::{Concrete, Value};
use heapwright_ir::machine::{
    Budgets, Edge, Machine, MachineOutcome, ObjectId, ProgramPoint, Successor,
};
use heapwright_ir::{FaultKind, FunctionId, Program};
use heapwright_logic::{Loc, Value as LogicValue};

use super::heaps::{Input, Reads};
use super::recorder::Recorder;

/// What a run did: the conditional jumps in order, and how it ended.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Path {
    pub edges: Vec<Edge>,
    pub end: End,
}

/// How a run ended, and where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    Returned,
    Fault(FaultKind, ProgramPoint),
    AssumptionFailed(ProgramPoint),
}

impl Path {
    /// The path with the lines of its jumps, for people.
    pub fn describe(&self, program: &Program) -> String {
        let mut text: Vec<_> = (self.edges.iter())
            .map(|edge| {
                let block = program.function(edge.function).block(edge.block);
                let way = match edge.successor {
                    Successor::Jump(0) => "yes",
                    _ => "no",
                };
                format!("{}:{} {way}", block.position.line, block.position.column)
            })
            .collect();
        text.push(match self.end {
            End::Returned => "returned".to_owned(),
            End::Fault(kind, point) => {
                let position = point.position(program);
                format!("{kind:?} at {}:{}", position.line, position.column)
            }
            End::AssumptionFailed(_) => "assumption failed".to_owned(),
        });
        text.join(", ")
    }
}

/// Paths, each with an input that takes it.
pub type Paths = BTreeMap<Path, Input>;

/// Runs a procedure. Also says what it read of the input.
pub fn run(program: &Program, function: FunctionId, input: &Input) -> (Path, Reads) {
    let mut domain = Concrete::new(program);
    for (class, fields) in &input.cells {
        let contents = fields.iter().map(|&field| imported(field)).collect();
        domain.memory.add(*class, contents).unwrap();
    }
    let arguments = (input.arguments.iter()).map(|&value| imported(value));
    let arguments = arguments.collect();
    // No program of the generator comes near this.
    let budgets = Budgets {
        steps: 10_000,
        ..Budgets::default()
    };
    let mut machine = Machine::new(program, Recorder::new(domain), budgets);
    let end = match machine.run(function, arguments).unwrap() {
        MachineOutcome::Returned(_) => End::Returned,
        MachineOutcome::Fault { kind, point, .. } => End::Fault(kind, point),
        MachineOutcome::AssumptionFailed { point, .. } => End::AssumptionFailed(point),
        other => panic!("{other:?} on {input:?}"),
    };
    let Recorder { edges, reads, .. } = machine.into_domain();
    (Path { edges, end }, reads)
}

/// A value under the names that [`run`] gives to objects.
fn imported(value: LogicValue) -> Value {
    match value {
        LogicValue::Null => Value::Null,
        LogicValue::Ref(Loc(number)) => Value::object(ObjectId(number - 1)),
        LogicValue::Bool(value) => Value::Bool(value),
        LogicValue::Int(value) => Value::Int(value),
        other => panic!("{other} is not a value of these programs"),
    }
}

/// The paths of the inputs that are run.
pub struct Collector<'p> {
    program: &'p Program,
    function: FunctionId,
    /// What was found. Runs on which an assumption fails are of no interest.
    pub paths: Paths,
    /// How many inputs were run.
    pub runs: usize,
}

impl<'p> Collector<'p> {
    pub fn new(program: &'p Program, function: FunctionId) -> Self {
        Collector {
            program,
            function,
            paths: Paths::new(),
            runs: 0,
        }
    }

    pub fn run(&mut self, input: &Input) -> Reads {
        self.runs += 1;
        let (path, reads) = run(self.program, self.function, input);
        if !matches!(path.end, End::AssumptionFailed(_)) {
            self.paths.entry(path).or_insert_with(|| input.clone());
        }
        reads
    }
}

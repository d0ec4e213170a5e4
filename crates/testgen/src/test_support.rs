//! Reports made by hand, for tests.

use heapwright_engine::{
    Branch, Input, Keep, Origin, Report, Run, SourceLine, Status, StopReason, Subject, Test,
};
use heapwright_impl::{environment_of, read_program};
use heapwright_ir::machine::{Budgets, Edge, Successor};
use heapwright_ir::{BlockId, FunctionId, Position, Program};
use heapwright_logic::{Cell, Heap, Loc, Value};
use heapwright_spec::{Source, Specification, no_imports, read_specification};

use crate::language::Procedural;
use crate::names::Taken;
use crate::suite::{Selection, Suite};
use crate::text::{self, Amount};

const PROGRAM: &str = "\
proc first(cons x) returns int {
    if (x == nil) then return 0;
    x.tail := nil;
    return x.head;
}
";

/// A small program with its specification.
pub struct Example {
    /// A procedure.
    pub program: Program,
    /// Its contract.
    pub specification: Specification,
}

impl Default for Example {
    fn default() -> Example {
        Example::new()
    }
}

impl Example {
    /// The example.
    pub fn new() -> Example {
        let program = read_program("first.impl", PROGRAM)
            .expect("a program")
            .program;
        let source = Source {
            name: "first.sl".to_owned(),
            text: "pred list(x) := emp & x = null | exists t. x -> cons(_, t) * list(t);\n\
                   pre first(x) := list(x);"
                .to_owned(),
        };
        let specification =
            read_specification(source, environment_of(&program), &mut no_imports).expect("it fits");
        Example {
            program,
            specification,
        }
    }

    /// The procedure with its contract.
    pub fn subject(&self) -> Subject {
        let function = FunctionId(0);
        Subject::new(&self.program, function, Some(&self.specification)).expect("a contract")
    }

    /// Two tests, of which the second cuts a list off, and a third branch that nothing takes.
    pub fn report(&self) -> Report {
        let mut null = returned(&[edge(0, 0)]);
        null.input.arguments = vec![Value::Null];
        null.run.result = Some(Value::Int(0));
        null.run.parameters = vec![root("x", Value::Null)];
        null.run.lines = vec![line(2)];
        let mut list = returned(&[edge(0, 1)]);
        list.input.arguments = vec![Value::Ref(Loc(1))];
        list.input.heap = self.list(&[(1, 5, Value::Ref(Loc(2))), (2, 6, Value::Null)]);
        list.origin = Origin::Specification(3);
        list.run.result = Some(Value::Int(5));
        list.run.parameters = vec![root("x", Value::Ref(Loc(1)))];
        list.run.heap = self.list(&[(1, 5, Value::Null), (2, 6, Value::Null)]);
        list.run.lines = vec![line(2), line(3), line(4)];
        let branch = |number, status| Branch {
            edge: edge(0, number),
            position: Position {
                file: 0,
                line: 2,
                column: 9,
            },
            status,
        };
        Report {
            tests: vec![null, list],
            branches: vec![
                branch(0, Status::Covered { test: 0 }),
                branch(1, Status::Covered { test: 1 }),
            ],
            stop: StopReason::Covered,
            ..Report::default()
        }
    }

    fn list(&self, cells: &[(u32, i128, Value)]) -> Heap {
        let class = self
            .program
            .definitions
            .class_named("cons")
            .expect("a class");
        let mut heap = Heap::default();
        for &(loc, head, tail) in cells {
            let fields = vec![Value::Int(head), tail];
            heap.cells.insert(Loc(loc), Cell { class, fields });
        }
        heap
    }
}

/// A name with its value.
pub fn root(name: &str, value: Value) -> (String, Value) {
    (name.to_owned(), value)
}

fn line(line: u32) -> Position {
    Position {
        file: 0,
        line,
        column: 1,
    }
}

/// An edge of the only function.
pub fn edge(block: u32, number: u32) -> Edge {
    Edge {
        function: FunctionId(0),
        block: BlockId(block),
        successor: Successor::Jump(number),
    }
}

/// A valid input whose run took these edges and returned.
pub fn returned(trail: &[Edge]) -> Test {
    Test {
        input: Input {
            witness: Some(Default::default()),
            ..Input::default()
        },
        origin: Origin::Path,
        decisions: Vec::new(),
        run: Run::returned(trail.to_vec()),
    }
}

/// What is printed about a report of the example.
pub fn printed(example: &Example, report: Report, reach: Option<u32>, amount: Amount) -> String {
    let place = reach.map(|line| SourceLine { file: 0, line });
    let subject = example.subject();
    let mut names = Taken::default();
    let selection = Selection::new(&Procedural, Keep::All, place.as_ref(), Budgets::default());
    let suite = Suite::new(subject, report, &selection, &mut names);
    let mut printed = Vec::new();
    text::print(&suite, amount, &mut printed).expect("memory can be written");
    String::from_utf8(printed).expect("text")
}

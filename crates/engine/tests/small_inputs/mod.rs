//! All small inputs of a function, and the engine against them: whatever path one of them takes,
//! a test of the engine takes it too.

use std::collections::BTreeSet;

use heapwright_engine::{
    Bound, Bounds, Input, Mode, Options, Outcome, Report, Subject, explore, replay,
};
use heapwright_ir::machine::Edge;
use heapwright_ir::{ClassKind, Constant, Content, InputRules, Program, parse, verify};
use heapwright_logic::{Cell, ClassId, Heap, Loc, Sort, Value};

pub const MODES: [Mode; 2] = [Mode::Concolic, Mode::Symbolic];

/// The inputs that brute force runs.
#[derive(Clone, Copy)]
pub struct Small {
    /// Objects and arrays.
    pub objects: u32,
    /// Elements of an array.
    pub elements: u32,
    /// The largest number, and the negated smallest one.
    pub number: i128,
}

pub fn program(text: &str) -> Program {
    let text = format!("file \"test\"\n{text}");
    let program = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(verify(&program), Ok(()));
    program
}

pub fn subject(program: &Program, rules: &InputRules) -> Subject {
    let main = program.function_named("main").expect("a function");
    let subject = Subject::new(program, main, None).expect("a subject");
    subject.with_rules(rules.clone())
}

pub fn search(subject: &Subject, mode: Mode, small: Small) -> Report {
    let options = Options {
        mode,
        stop_when_covered: false,
        bounds: Bounds {
            objects: Bound::fixed(small.objects),
            elements: Bound::fixed(small.elements),
            time: None,
            patience: u64::MAX,
            ..Bounds::default()
        },
        ..Options::default()
    };
    let report = explore(subject, &options, &mut |_| {}).expect("a report");
    let statistics = &report.statistics;
    assert_eq!(statistics.divergences, 0, "{mode:?}");
    assert_eq!(statistics.invalid, 0, "{mode:?}");
    assert_eq!(statistics.unknown, 0, "{mode:?}");
    report
}

/// What a run does, as far as it can be compared.
type Path = (Vec<Edge>, String);

fn path(trail: &[Edge], outcome: &Outcome) -> Path {
    (trail.to_vec(), format!("{outcome:?}"))
}

/// Runs all small inputs, and looks for each path among the tests. Gives the number of inputs
/// and of paths.
pub fn compare(program: &Program, rules: &InputRules, small: Small) -> (usize, usize) {
    let subject = subject(program, rules);
    let mut paths = BTreeSet::new();
    let mut inputs = 0;
    let mut choices = Some(Vec::new());
    while let Some(given) = choices {
        let mut generator = Generator {
            program,
            rules,
            small,
            given,
            options: Vec::new(),
            heap: Heap::default(),
            owned: BTreeSet::new(),
        };
        if let Some(input) = generator.input(&subject) {
            inputs += 1;
            let run = replay(&subject, &input, Options::default().budgets).expect("a run");
            paths.insert(path(&run.trail, &run.outcome));
        }
        choices = generator.next();
    }
    for mode in MODES {
        let report = search(&subject, mode, small);
        let tests = report.tests.iter();
        let found: BTreeSet<Path> = tests
            .map(|test| path(&test.run.trail, &test.run.outcome))
            .collect();
        let missing: Vec<_> = paths.difference(&found).collect();
        assert!(missing.is_empty(), "{mode:?}: {missing:#?}");
    }
    (inputs, paths.len())
}

/// Makes the input that a list of choices stands for.
struct Generator<'a> {
    program: &'a Program,
    rules: &'a InputRules,
    small: Small,
    given: Vec<usize>,
    /// How many alternatives each choice had.
    options: Vec<usize>,
    heap: Heap,
    /// The objects that nothing else may refer to.
    owned: BTreeSet<Loc>,
}

impl Generator<'_> {
    fn input(&mut self, subject: &Subject) -> Option<Input> {
        let sorts = subject.inputs.iter().map(|parameter| parameter.sort);
        let arguments = sorts.map(|sort| self.value(sort, false));
        let arguments = arguments.collect::<Option<Vec<_>>>()?;
        // Objects are filled in the order in which they were made.
        let mut next = 1;
        while let Some(cell) = self.heap.cells.get(&Loc(next)).cloned() {
            let fields = self.contents(&cell)?;
            self.heap.cells.insert(Loc(next), Cell { fields, ..cell });
            next += 1;
        }
        Some(Input {
            arguments,
            heap: self.heap.clone(),
            witness: None,
        })
    }

    /// The next list of choices in lexicographic order.
    fn next(self) -> Option<Vec<usize>> {
        let mut choices = self.given;
        choices.resize(self.options.len(), 0);
        for position in (0..choices.len()).rev() {
            if choices[position] + 1 < self.options[position] {
                choices[position] += 1;
                choices.truncate(position + 1);
                return Some(choices);
            }
        }
        None
    }

    fn choose<T: Clone>(&mut self, alternatives: &[T]) -> Option<T> {
        if alternatives.is_empty() {
            return None;
        }
        let choice = self.given.get(self.options.len()).copied().unwrap_or(0);
        self.options.push(alternatives.len());
        Some(alternatives[choice].clone())
    }

    fn contents(&mut self, cell: &Cell) -> Option<Vec<Value>> {
        let program = self.program;
        match program.class(cell.class).kind {
            ClassKind::Array { element } => {
                let values = cell.fields.iter().map(|_| self.value(element, false));
                values.collect()
            }
            ClassKind::Struct { .. } => {
                let fields = &program.definitions.class(cell.class).fields;
                let rules = self.rules.of_fields(cell.class);
                let values = (0..).zip(fields).map(|(index, field)| {
                    let rule = rules.iter().find(|rule| rule.field == index);
                    match rule.map(|rule| rule.content) {
                        Some(Content::Constant(Constant::Int(_, number))) => {
                            Some(Value::Int(number))
                        }
                        Some(
                            other @ (Content::Constant(_)
                            | Content::Itself
                            | Content::Array(_)
                            | Content::Partner(_)),
                        ) => {
                            panic!("{other:?}")
                        }
                        Some(Content::Present) => self.value(field.sort, true),
                        Some(Content::Owned) => self.owned(field.sort),
                        None => self.value(field.sort, false),
                    }
                });
                values.collect()
            }
        }
    }

    /// A new object that is never referred to again.
    fn owned(&mut self, sort: Sort) -> Option<Value> {
        let before = self.heap.cells.len() as u32;
        match self.value(sort, true)? {
            Value::Ref(loc) if loc.0 > before => {
                self.owned.insert(loc);
                Some(Value::Ref(loc))
            }
            _ => None,
        }
    }

    fn value(&mut self, sort: Sort, present: bool) -> Option<Value> {
        let class = match sort {
            Sort::Bool => return self.choose(&[false, true].map(Value::Bool)),
            Sort::Ref(class) => class,
            _ => {
                let numbers = -self.small.number..=self.small.number;
                return self.choose(&numbers.map(Value::Int).collect::<Vec<_>>());
            }
        };
        // Null, an object that is there, or a new one.
        let mut alternatives = Vec::new();
        if !present {
            alternatives.push((Value::Null, None));
        }
        for (&loc, cell) in &self.heap.cells {
            if self.program.is_subtype(cell.class, class) && !self.owned.contains(&loc) {
                alternatives.push((Value::Ref(loc), None));
            }
        }
        let next = Loc(self.heap.cells.len() as u32 + 1);
        if next.0 <= self.small.objects {
            for class in self.classes(class) {
                let kind = &self.program.class(class).kind;
                let lengths = match kind {
                    ClassKind::Array { .. } => 0..self.small.elements as usize + 1,
                    ClassKind::Struct { .. } => 0..1,
                };
                alternatives.extend(lengths.map(|length| {
                    let fields = vec![Value::Null; length];
                    (Value::Ref(next), Some(Cell { class, fields }))
                }));
            }
        }
        let (value, added) = self.choose(&alternatives)?;
        if let Some(cell) = added {
            self.heap.cells.insert(next, cell);
        }
        Some(value)
    }

    fn classes(&self, class: ClassId) -> Vec<ClassId> {
        if let Some(told) = self.rules.candidates.get(&class) {
            return told.classes.clone();
        }
        let all = self.program.definitions.classes().map(|(id, _)| id);
        let fitting = all.filter(|&id| {
            id != ClassId::ANY
                && self.program.class(id).instantiable
                && self.program.is_subtype(id, class)
        });
        fitting.collect()
    }
}

//! All small inputs of a procedure.
//!
//! An input is made of the arguments and the cells that can be reached from them; what cannot be
//! reached, no program sees. Cells are numbered in the order in which a breadth-first walk from
//! the arguments meets them, so that of all isomorphic inputs exactly one is made. First all
//! references are tried, and then, for each choice of them, all numbers and truth values.
//!
//! A visitor may say which fields its run has read. If no run with a field's first value has
//! read the field, runs with its other values would do the same, so they are left out. This is
//! the only thing that is clever here, and it leaves the set of paths as it is: the first value
//! of a reference is null, which leaves the most cells for others.

use heapwright_ir::{FunctionId, Program};
use heapwright_logic::{Cell, ClassId, Heap, Loc, Sort, Value};

/// What a run starts from.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Input {
    pub arguments: Vec<Value>,
    /// The cell of `Loc(n)` is at `n - 1`.
    pub cells: Vec<(ClassId, Vec<Value>)>,
}

/// How large inputs may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub cells: usize,
    pub lowest: i128,
    pub highest: i128,
}

/// The bounds of the completeness bar.
pub const FULL: Bounds = Bounds {
    cells: 3,
    lowest: -2,
    highest: 2,
};

/// Fields of input cells, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reads(u64);

/// No struct here has more fields.
const FIELDS: usize = 8;

impl Reads {
    pub const NONE: Reads = Reads(0);
    pub const ALL: Reads = Reads(u64::MAX);

    /// A field of the cell at a position. Larger inputs than ours are not told apart.
    pub fn of(cell: usize, field: usize) -> Reads {
        if field >= FIELDS || cell >= FIELDS {
            return Reads::ALL;
        }
        Reads(1 << (cell * FIELDS + field))
    }

    pub fn and(self, other: Reads) -> Reads {
        Reads(self.0 | other.0)
    }

    pub fn contains(self, other: Reads) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Called with inputs; answers what it has read of them.
pub type Visitor<'a> = dyn FnMut(&Input) -> Reads + 'a;

/// The inputs of a procedure within bounds.
#[derive(Clone, Copy)]
pub struct Space<'p> {
    pub program: &'p Program,
    pub function: FunctionId,
    pub bounds: Bounds,
}

impl Input {
    /// An input from elsewhere. Its cells get the names that ours have, in order.
    pub fn from_heap(arguments: &[Value], heap: &Heap) -> Input {
        let rename = |value: &Value| match *value {
            Value::Ref(loc) => {
                let position = heap.cells.keys().position(|&known| known == loc);
                let position = position.expect("no reference dangles");
                Value::Ref(Loc(position as u32 + 1))
            }
            other => other,
        };
        let cells = heap.cells.values();
        Input {
            arguments: arguments.iter().map(rename).collect(),
            cells: cells
                .map(|cell| (cell.class, cell.fields.iter().map(rename).collect()))
                .collect(),
        }
    }

    /// The cells as a heap of the logic.
    pub fn heap(&self) -> Heap {
        let mut heap = Heap::default();
        for (index, (class, fields)) in self.cells.iter().enumerate() {
            let cell = Cell {
                class: *class,
                fields: fields.clone(),
            };
            heap.cells.insert(Loc(index as u32 + 1), cell);
        }
        heap
    }
}

impl Space<'_> {
    /// Visits every input, but for those that differ from others only in what is not read.
    pub fn each(&self, visit: &mut Visitor<'_>) {
        self.each_shape(&mut |shape| self.each_value(shape, visit));
    }

    /// Visits every input in which all numbers are 0 and all truth values false.
    pub fn each_shape(&self, visit: &mut Visitor<'_>) {
        self.argument(&mut Input::default(), visit);
    }

    /// Visits every input that has the references of this one.
    pub fn each_value(&self, shape: &Input, visit: &mut Visitor<'_>) -> Reads {
        self.values(&mut shape.clone(), 0, 0, visit)
    }

    /// How many inputs there are.
    pub fn count(&self) -> usize {
        let mut count = 0;
        self.each(&mut |_| {
            count += 1;
            Reads::ALL
        });
        count
    }

    fn sort_of_parameter(&self, index: usize) -> Option<Sort> {
        let code = self.program.function(self.function);
        let params = code.registers.iter().take(code.params as usize);
        params.map(|register| register.sort).nth(index)
    }

    fn sort_of_field(&self, class: ClassId, index: usize) -> Option<Sort> {
        let fields = &self.program.definitions.class(class).fields;
        fields.get(index).map(|field| field.sort)
    }

    /// Chooses the next argument if it is a reference, and then those behind it.
    fn argument(&self, input: &mut Input, visit: &mut Visitor<'_>) -> Reads {
        let Some(sort) = self.sort_of_parameter(input.arguments.len()) else {
            return self.field(input, 0, visit);
        };
        // Nobody records whether arguments are read.
        self.references(input, sort, Reads::NONE, &mut |input, value| {
            input.arguments.push(value);
            let reads = self.argument(input, visit);
            input.arguments.pop();
            reads
        })
    }

    /// Chooses the next field of a cell if it is a reference, and then those behind it.
    fn field(&self, input: &mut Input, index: usize, visit: &mut Visitor<'_>) -> Reads {
        let Some((class, fields)) = input.cells.get(index) else {
            return visit(input);
        };
        let Some(sort) = self.sort_of_field(*class, fields.len()) else {
            return self.field(input, index + 1, visit);
        };
        let slot = Reads::of(index, fields.len());
        self.references(input, sort, slot, &mut |input, value| {
            input.cells[index].1.push(value);
            let reads = self.field(input, index, visit);
            input.cells[index].1.pop();
            reads
        })
    }

    /// The references of a sort: null, the cells met so far, and the next one. Numbers and truth
    /// values are filled in later.
    fn references(
        &self,
        input: &mut Input,
        sort: Sort,
        slot: Reads,
        choose: &mut dyn FnMut(&mut Input, Value) -> Reads,
    ) -> Reads {
        let Sort::Ref(class) = sort else {
            return choose(input, Value::default_of(sort));
        };
        let mut reads = choose(input, Value::Null);
        if !reads.contains(slot) {
            return reads;
        }
        for index in 0..input.cells.len() {
            if input.cells[index].0 == class {
                reads = reads.and(choose(input, Value::Ref(Loc(index as u32 + 1))));
            }
        }
        if input.cells.len() < self.bounds.cells {
            input.cells.push((class, Vec::new()));
            let loc = Loc(input.cells.len() as u32);
            reads = reads.and(choose(input, Value::Ref(loc)));
            input.cells.pop();
        }
        reads
    }

    /// Chooses the numbers and truth values, from a slot on: cell 0 are the arguments.
    fn values(
        &self,
        input: &mut Input,
        cell: usize,
        slot: usize,
        visit: &mut Visitor<'_>,
    ) -> Reads {
        let (sort, key) = match cell.checked_sub(1) {
            None => (self.sort_of_parameter(slot), Reads::NONE),
            Some(index) => match input.cells.get(index) {
                None => return visit(input),
                Some((class, _)) => match self.sort_of_field(*class, slot) {
                    None => (None, Reads::NONE),
                    sort => (sort, Reads::of(index, slot)),
                },
            },
        };
        let Some(sort) = sort else {
            return self.values(input, cell + 1, 0, visit);
        };
        let candidates = match sort {
            Sort::Bool => vec![Value::Bool(false), Value::Bool(true)],
            Sort::Machine(_) => (self.bounds.lowest..=self.bounds.highest)
                .map(Value::Int)
                .collect(),
            _ => return self.values(input, cell, slot + 1, visit),
        };
        let mut reads = Reads::NONE;
        for candidate in candidates {
            *slot_of(input, cell, slot) = candidate;
            reads = reads.and(self.values(input, cell, slot + 1, visit));
            if !reads.contains(key) {
                break;
            }
        }
        *slot_of(input, cell, slot) = Value::default_of(sort);
        reads
    }
}

fn slot_of(input: &mut Input, cell: usize, slot: usize) -> &mut Value {
    match cell.checked_sub(1) {
        None => &mut input.arguments[slot],
        Some(index) => &mut input.cells[index].1[slot],
    }
}

//! Canonical keys of heaps: equal keys, isomorphic heaps.

use heapwright_logic::{Cell, ClassId, DenseTable, Heap, KeyWriter, Loc, Numbering, Value};

/// The cells of a structure, compactly.
#[derive(Debug, Default)]
pub struct Cells {
    /// Class and first field of each object, by number from 1 (entry 0 is unused).
    objects: Vec<(u32, u32)>,
    fields: Vec<Value>,
}

impl Cells {
    /// Forgets all objects and makes room for as many.
    pub fn clear(&mut self, objects: u32) {
        self.objects.clear();
        self.objects.resize(objects as usize + 1, (0, 0));
        self.fields.clear();
    }

    /// Begins the object at `location`; its fields are pushed next.
    pub fn begin(&mut self, location: Loc, class: u32) {
        self.objects[location.0 as usize] = (class, self.fields.len() as u32);
    }

    /// The heap made up of the cells. `width` gives the number of fields of a class.
    pub fn heap(&self, width: impl Fn(u32) -> usize) -> Heap {
        let cells = self.objects.iter().enumerate().skip(1);
        Heap {
            cells: (cells.map(|(number, &(class, start))| {
                let fields = &self.fields[start as usize..][..width(class)];
                let cell = Cell {
                    class: ClassId(class),
                    fields: fields.to_vec(),
                };
                (Loc(number as u32), cell)
            }))
            .collect(),
        }
    }

    /// Adds the next field of the object begun last.
    pub fn push(&mut self, value: Value) {
        self.fields.push(value);
    }
}

/// Up to this many unreachable objects all orders are compared; with more, the choice is made
/// one by one, and isomorphic heaps may get different keys.
const THOROUGH: usize = 5;

/// Memory for numbering objects.
#[derive(Clone, Debug, Default)]
pub struct Canonical {
    numbering: Numbering<u32, DenseTable>,
    key: KeyWriter,
}

impl Canonical {
    /// The key of the structure reachable from `roots`, followed by what is not reachable.
    ///
    /// Objects are numbered in the order in which a breadth-first walk through the fields
    /// first meets them. `width` gives the number of fields of a class.
    pub fn key(
        &mut self,
        cells: &Cells,
        roots: impl Iterator<Item = Value>,
        width: impl Fn(u32) -> usize,
    ) -> &[u8] {
        self.numbering.clear(cells.objects.len());
        self.key.bytes.clear();
        for root in roots {
            self.push(root);
        }
        self.walk(cells, &width);
        self.complete(cells, &width);
        &self.key.bytes
    }

    /// Writes the objects that wait, and what they lead to.
    fn walk(&mut self, cells: &Cells, width: &impl Fn(u32) -> usize) {
        while let Some(object) = self.numbering.take_next() {
            // Dangling references have numbers too, but nothing to walk through.
            let Some(&(class, start)) = cells.objects.get(object as usize) else {
                continue;
            };
            self.key.number(u128::from(class));
            for field in 0..width(class) {
                self.push(cells.fields[start as usize + field]);
            }
        }
    }

    /// Writes the objects that were not reached, in the order that gives the smallest key.
    fn complete(&mut self, cells: &Cells, width: &impl Fn(u32) -> usize) {
        let left: Vec<u32> = (1..cells.objects.len() as u32)
            .filter(|&object| self.numbering.number_of(object).is_none())
            .collect();
        if left.is_empty() {
            return;
        }
        let thorough = left.len() <= THOROUGH;
        let mut best: Option<Canonical> = None;
        for start in left {
            let mut attempt = self.clone();
            attempt.push(Value::Ref(Loc(start)));
            attempt.walk(cells, width);
            if thorough {
                attempt.complete(cells, width);
            }
            if best
                .as_ref()
                .is_none_or(|best| attempt.key.bytes < best.key.bytes)
            {
                best = Some(attempt);
            }
        }
        if let Some(best) = best {
            *self = best;
            if !thorough {
                self.complete(cells, width);
            }
        }
    }

    fn push(&mut self, value: Value) {
        match value {
            Value::Null => self.key.bytes.push(0),
            Value::Ref(Loc(location)) => {
                let number = self.numbering.meet(location);
                self.key.number(u128::from(number) + 1);
            }
            Value::Bool(value) => self.key.bytes.push(u8::from(value)),
            Value::Int(value) => self.key.integer(value),
            Value::Single(bits) => self.key.number(u128::from(bits)),
            Value::Double(bits) => self.key.number(u128::from(bits)),
        }
    }
}

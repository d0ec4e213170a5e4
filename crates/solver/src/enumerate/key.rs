//! Canonical keys of heaps: equal keys, isomorphic heaps.

use heapwright_logic::{Cell, ClassId, Heap, Loc, Value};

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
    number: Vec<u32>,
    numbered: u32,
    queue: Vec<u32>,
    key: Vec<u8>,
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
        self.number.clear();
        self.number.resize(cells.objects.len(), 0);
        self.numbered = 0;
        self.queue.clear();
        self.key.clear();
        for root in roots {
            self.push(cells, root);
        }
        self.walk(cells, 0, &width);
        self.complete(cells, &width);
        &self.key
    }

    /// Writes the objects that are queued from `next` on, and what they lead to.
    fn walk(&mut self, cells: &Cells, mut next: usize, width: &impl Fn(u32) -> usize) {
        while next < self.queue.len() {
            let (class, start) = cells.objects[self.queue[next] as usize];
            next += 1;
            varint(&mut self.key, u128::from(class));
            for field in 0..width(class) {
                self.push(cells, cells.fields[start as usize + field]);
            }
        }
    }

    /// Writes the objects that were not reached, in the order that gives the smallest key.
    fn complete(&mut self, cells: &Cells, width: &impl Fn(u32) -> usize) {
        let left: Vec<u32> = (1..cells.objects.len())
            .filter(|&object| self.number[object] == 0)
            .map(|object| object as u32)
            .collect();
        if left.is_empty() {
            return;
        }
        let thorough = left.len() <= THOROUGH;
        let mut best: Option<Canonical> = None;
        for start in left {
            let mut attempt = self.clone();
            let next = attempt.queue.len();
            attempt.push(cells, Value::Ref(Loc(start)));
            attempt.walk(cells, next, width);
            if thorough {
                attempt.complete(cells, width);
            }
            if best.as_ref().is_none_or(|best| attempt.key < best.key) {
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

    fn push(&mut self, cells: &Cells, value: Value) {
        match value {
            Value::Null => self.key.push(0),
            Value::Ref(Loc(location)) => {
                let index = location as usize;
                if index >= self.number.len() {
                    self.number.resize(index + 1, 0);
                }
                if self.number[index] == 0 {
                    // Dangling references get numbers too, but have nothing to walk through.
                    self.numbered += 1;
                    self.number[index] = self.numbered;
                    if index < cells.objects.len() {
                        self.queue.push(location);
                    }
                }
                varint(&mut self.key, u128::from(self.number[index]));
            }
            Value::Bool(value) => self.key.push(u8::from(value)),
            Value::Int(value) => {
                // Zigzag: small magnitudes, few bytes.
                varint(&mut self.key, ((value << 1) ^ (value >> 127)) as u128);
            }
            Value::Single(bits) => varint(&mut self.key, u128::from(bits)),
            Value::Double(bits) => varint(&mut self.key, u128::from(bits)),
        }
    }
}

fn varint(key: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        key.push(value as u8 | 0x80);
        value >>= 7;
    }
    key.push(value as u8);
}

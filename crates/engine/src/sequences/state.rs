//! States: what the calls of a sequence have made, apart from what all sequences share.
//!
//! All sequences start from one memory, the *base*. A state consists of the objects beyond it that
//! the receiver reaches, numbered in the order in which they are reached, and of the objects of the
//! base that are different now. Fields have an order, so that the numbering depends on nothing but
//! the shape: isomorphic states are equal.

use std::collections::BTreeSet;

use heapwright_ir::Program;
use heapwright_ir::machine::concrete::{Memory, Object, Value};
use heapwright_ir::machine::{Address, MachineError, ObjectId};
use heapwright_logic::{ClassId, KeyWriter, Numbering};
use rustc_hash::FxHashMap;

/// Ids from here on number the objects of a state; the others are those of the base.
const OWN: u32 = 1 << 31;

/// A state, independent of the memory that it comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    receiver: Value,
    objects: Vec<Object>,
    /// The objects of the base that have other contents.
    changes: Vec<(ObjectId, Vec<Value>)>,
    /// How many of the objects count when states are matched; the others are behind ignored fields.
    counted: usize,
}

/// Equal for states that are matched.
pub(crate) type Key = Box<[u8]>;

/// Which fields of objects do not count.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ignored {
    names: BTreeSet<String>,
    fields: FxHashMap<ClassId, Vec<bool>>,
}

impl Ignored {
    pub fn new(names: &BTreeSet<String>) -> Ignored {
        Ignored {
            names: names.clone(),
            fields: FxHashMap::default(),
        }
    }

    /// Whether the fields of a class are ignored, by position; nothing if none is.
    fn of(&mut self, program: &Program, class: ClassId) -> &[bool] {
        let names = &self.names;
        self.fields.entry(class).or_insert_with(|| {
            let known = class.index() < program.classes.len();
            let fields = match known && !names.is_empty() {
                true => &program.definitions.class(class).fields[..],
                false => &[],
            };
            let ignored: Vec<bool> = (fields.iter())
                .map(|field| names.contains(&field.name))
                .collect();
            match ignored.contains(&true) {
                true => ignored,
                false => Vec::new(),
            }
        })
    }
}

/// The objects of a state in the order in which they are reached.
struct Reached<'m> {
    memory: &'m Memory,
    base: usize,
    numbering: Numbering<ObjectId>,
}

impl Reached<'_> {
    fn visit(&mut self, value: Value) {
        if let Value::Pointer(Address { object, .. }) = value
            && object.index() >= self.base
        {
            self.numbering.meet(object);
        }
    }

    /// Visits the fields of everything that was reached, from the first object on.
    fn close(&mut self, mut wanted: impl FnMut(ClassId, usize) -> bool) {
        self.numbering.rewind();
        while let Some(id) = self.numbering.take_next() {
            let memory = self.memory;
            let Ok(object) = memory.object(id) else {
                continue;
            };
            for (field, &value) in object.contents.iter().enumerate() {
                if wanted(object.class, field) {
                    self.visit(value);
                }
            }
            // Whoever has a part of an object has all of it.
            if let Some((outer, _)) = object.outer {
                self.visit(Value::object(outer));
            }
        }
    }

    fn translate(&self, value: Value) -> Value {
        let Value::Pointer(Address { object, offset }) = value else {
            return value;
        };
        let object = self.renamed(object);
        Value::Pointer(Address { object, offset })
    }

    fn renamed(&self, object: ObjectId) -> ObjectId {
        match self.numbering.number_of(object) {
            Some(number) => ObjectId(OWN | number),
            None => object,
        }
    }
}

impl State {
    /// The state of a memory that has grown out of the base.
    pub fn capture(
        program: &Program,
        ignored: &mut Ignored,
        base: &Memory,
        memory: &Memory,
        receiver: Value,
    ) -> State {
        let mut reached = Reached {
            memory,
            base: base.size(),
            numbering: Numbering::default(),
        };
        let changed: Vec<(ObjectId, &Object)> = (base.objects().zip(memory.objects()))
            .filter(|((_, old), (_, new))| old.contents != new.contents)
            .map(|(_, changed)| changed)
            .collect();
        reached.visit(receiver);
        for (_, object) in &changed {
            let ignored = ignored.of(program, object.class);
            for (field, &value) in object.contents.iter().enumerate() {
                if ignored.get(field) != Some(&true) {
                    reached.visit(value);
                }
            }
        }
        reached.close(|class, field| ignored.of(program, class).get(field) != Some(&true));
        let counted = reached.numbering.order().len();
        for (_, object) in &changed {
            for &value in &object.contents {
                reached.visit(value);
            }
        }
        reached.close(|_, _| true);
        let contents = |object: &Object| {
            let values = object.contents.iter();
            values.map(|&value| reached.translate(value)).collect()
        };
        let objects = (reached.numbering.order().iter()).filter_map(|&id| memory.object(id).ok());
        let objects = objects.map(|object| Object {
            class: object.class,
            contents: contents(object),
            freed: object.freed,
            origin: None,
            outer: (object.outer).map(|(outer, at)| (reached.renamed(outer), at)),
            parts: (object.parts.iter())
                .map(|&(index, part)| (index, reached.renamed(part)))
                .collect(),
            allocated: object.allocated,
        });
        State {
            receiver: reached.translate(receiver),
            objects: objects.collect(),
            changes: (changed.iter())
                .map(|(id, object)| (*id, contents(object)))
                .collect(),
            counted,
        }
    }

    /// Adds the state to a memory that equals the base; gives the receiver.
    pub fn restore(&self, memory: &mut Memory) -> Result<Value, MachineError> {
        let base = memory.size() as u32;
        let translate = |value: Value| match value {
            Value::Pointer(Address { object, offset }) if object.0 & OWN != 0 => {
                let object = ObjectId(base + (object.0 & !OWN));
                Value::Pointer(Address { object, offset })
            }
            _ => value,
        };
        let contents = |values: &[Value]| values.iter().map(|&value| translate(value)).collect();
        for object in &self.objects {
            let id = memory.add(object.class, contents(&object.contents))?;
            let renamed = |id: ObjectId| match translate(Value::object(id)) {
                Value::Pointer(address) => address.object,
                _ => id,
            };
            let restored = memory.object_mut(id)?;
            restored.freed = object.freed;
            restored.allocated = object.allocated;
            restored.outer = object.outer.map(|(outer, at)| (renamed(outer), at));
            restored.parts = (object.parts.iter())
                .map(|&(index, part)| (index, renamed(part)))
                .collect();
        }
        for (id, values) in &self.changes {
            memory.object_mut(*id)?.contents = contents(values);
        }
        Ok(translate(self.receiver))
    }

    /// The receiver, as [`State::object`] knows it.
    pub fn receiver(&self) -> Value {
        self.receiver
    }

    /// The class and the contents of an object of the state or of the base; nothing if it is freed.
    pub fn object<'s>(&'s self, base: &'s Memory, id: ObjectId) -> Option<(ClassId, &'s [Value])> {
        let object = match id.0 & OWN != 0 {
            true => self.objects.get((id.0 & !OWN) as usize)?,
            false => base.object(id).ok()?,
        };
        let changed = self.changes.iter().find(|(known, _)| *known == id);
        let contents = changed.map_or(&object.contents, |(_, contents)| contents);
        (!object.freed).then_some((object.class, &contents[..]))
    }

    /// How many objects it has, some classes not counted.
    pub fn size(&self, uncounted: &BTreeSet<ClassId>) -> usize {
        let counted = (self.objects.iter()).filter(|object| !uncounted.contains(&object.class));
        counted.count()
    }

    /// The numbers from a bound on that its objects have.
    pub fn keys(&self, from: i128) -> BTreeSet<i128> {
        let values = self.objects.iter().flat_map(|object| &object.contents);
        let keys = values.filter_map(|value| match value {
            Value::Int(number) if *number >= from => Some(*number),
            _ => None,
        });
        keys.collect()
    }

    /// Gives the numbers from a bound on other values in the same order, with a gap before each.
    pub fn renumber(&mut self, keys: &BTreeSet<i128>, from: i128) {
        let renamed: FxHashMap<i128, i128> = (keys.iter().copied())
            .zip((0..).map(|rank: i128| from + 2 * rank + 1))
            .collect();
        for object in &mut self.objects {
            for value in &mut object.contents {
                if let Value::Int(number) = value
                    && let Some(&new) = renamed.get(number)
                {
                    *value = Value::Int(new);
                }
            }
        }
    }

    /// The objects of the base that are different in this state.
    pub fn changed(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.changes.iter().map(|(id, _)| *id)
    }

    /// The key of the state.
    pub fn key(&self, program: &Program, ignored: &mut Ignored) -> Key {
        let mut writer = Writer::default();
        writer.value(self.receiver);
        for object in self.objects.iter().take(self.counted) {
            writer.number(u128::from(object.class.0) << 1 | u128::from(object.freed));
            writer.contents(&object.contents, ignored.of(program, object.class));
        }
        for (id, contents) in &self.changes {
            writer.number(u128::from(id.0));
            writer.contents(contents, &[]);
        }
        writer.key.bytes.into_boxed_slice()
    }

    /// An estimate of the memory that it takes.
    pub fn bytes(&self) -> u64 {
        let values = |contents: &Vec<Value>| contents.len() * size_of::<Value>() + 64;
        let objects: usize = self.objects.iter().map(|one| values(&one.contents)).sum();
        let changes: usize = self.changes.iter().map(|(_, one)| values(one)).sum();
        (objects + changes + 128) as u64
    }
}

/// Writes keys of values.
#[derive(Default)]
pub(super) struct Writer {
    pub key: KeyWriter,
}

impl Writer {
    pub fn number(&mut self, number: u128) {
        self.key.number(number);
    }

    /// The contents of an object, without ignored fields.
    fn contents(&mut self, contents: &[Value], ignored: &[bool]) {
        self.number(contents.len() as u128);
        for (field, &value) in contents.iter().enumerate() {
            if ignored.get(field) != Some(&true) {
                self.value(value);
            }
        }
    }

    pub fn value(&mut self, value: Value) {
        let key = &mut self.key;
        match value {
            Value::Null => key.bytes.push(0),
            Value::Bool(value) => key.bytes.push(1 + u8::from(value)),
            Value::Pointer(Address { object, offset }) => {
                key.bytes.push(3);
                key.number(u128::from(object.0));
                key.number(u128::from(offset as u64));
            }
            Value::Int(value) => {
                key.bytes.push(4);
                key.integer(value);
            }
            Value::Single(bits) => {
                key.bytes.push(5);
                key.bytes.extend(bits.to_le_bytes());
            }
            Value::Double(bits) => {
                key.bytes.push(6);
                key.bytes.extend(bits.to_le_bytes());
            }
            Value::Undefined => key.bytes.push(7),
            Value::Tail => key.bytes.push(8),
            Value::Fragment(Address { object, offset }, byte) => {
                key.bytes.extend([9, byte]);
                key.number(u128::from(object.0));
                key.number(u128::from(offset as u64));
            }
            Value::Wild(number) => {
                key.bytes.push(10);
                key.integer(number.into());
            }
        }
    }
}

//! From heaps of the logic to memory and back: the models of the solver become inputs, and what
//! the program made of them can be shown and checked.
//!
//! A cell is an object of the same class with the same fields. An array is a cell of its array
//! class whose "fields" are the elements, as many as it has. A dangling reference becomes one
//! to a freed object without contents, so using it is noticed; freed objects are no cells.
//! Which cells are globals is said apart: [`Concrete::import_global`], [`Memory::export_globals`].

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{Cell, ClassId, Heap, Loc, Sort, Stack, Value as LogicValue, VarId};

use super::{Concrete, Memory, Value};
use crate::machine::{Address, MachineError, ObjectId, layout};
use crate::program::ClassKind;

/// Which object stands for which cell of an imported heap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    objects: BTreeMap<Loc, ObjectId>,
    /// Cells that stand for places inside of others.
    places: BTreeMap<Loc, Address>,
}

impl Names {
    /// The object of a cell, or of a dangling reference.
    pub fn object(&self, loc: Loc) -> Option<ObjectId> {
        self.objects.get(&loc).copied()
    }
}

impl Concrete<'_> {
    /// Adds the cells of a heap to the memory. What is left of the memory before the error in
    /// case of one is unspecified.
    pub fn import(&mut self, heap: &Heap) -> Result<Names, MachineError> {
        let mut names = Names::default();
        let is_interior = |cell: &Cell| {
            let info = self.program.classes.get(cell.class.index());
            info.is_some_and(|info| info.inside.interior)
        };
        let (places, cells): (Vec<_>, Vec<_>) =
            (heap.cells.iter()).partition(|(_, cell)| is_interior(cell));
        for &(&loc, cell) in &cells {
            let id = self.memory.add(cell.class, Vec::new())?;
            self.memory.object_mut(id)?.origin = Some(loc);
            names.objects.insert(loc, id);
        }
        for (&loc, cell) in places {
            let (Some(LogicValue::Ref(outer)), Some(&LogicValue::Int(offset))) =
                (cell.fields.first(), cell.fields.get(1))
            else {
                return Err(MachineError::BadCell(loc));
            };
            let object = names.object(*outer).ok_or(MachineError::BadCell(loc))?;
            let offset = i64::try_from(offset).map_err(|_| MachineError::BadCell(loc))?;
            names.places.insert(loc, Address { object, offset });
            self.memory.reserved.push(loc);
        }
        for (&loc, cell) in cells {
            self.check_cell(heap, loc, cell)?;
            let mut contents = Vec::with_capacity(cell.fields.len());
            for &field in &cell.fields {
                contents.push(self.import_value(&mut names, field)?);
            }
            if self.program.class(cell.class).inside.raw {
                hold_members(&mut contents);
            }
            if let Some(id) = names.object(loc) {
                self.memory.object_mut(id)?.contents = contents;
            }
        }
        for &loc in heap.cells.keys() {
            if let Some(id) = names.object(loc) {
                self.memory.embed_parts(self.program, id)?;
            }
        }
        Ok(names)
    }

    /// The value of a variable or field of an imported heap.
    pub fn import_value(
        &mut self,
        names: &mut Names,
        value: LogicValue,
    ) -> Result<Value, MachineError> {
        Ok(match value {
            LogicValue::Null => Value::Null,
            LogicValue::Bool(value) => Value::Bool(value),
            LogicValue::Int(value) => Value::Int(value),
            LogicValue::Single(bits) => Value::Single(bits),
            LogicValue::Double(bits) => Value::Double(bits),
            LogicValue::Ref(loc) if names.places.contains_key(&loc) => {
                let place = names.places.get(&loc).copied();
                Value::Pointer(place.ok_or(MachineError::BadCell(loc))?)
            }
            LogicValue::Ref(loc) => match names.object(loc) {
                Some(id) => Value::object(id),
                None => {
                    let id = self.memory.add(ClassId::ANY, Vec::new())?;
                    let object = self.memory.object_mut(id)?;
                    object.freed = true;
                    object.origin = Some(loc);
                    names.objects.insert(loc, id);
                    Value::object(id)
                }
            },
        })
    }

    /// The values of the variables of an imported model.
    pub fn import_stack(
        &mut self,
        names: &mut Names,
        stack: &Stack,
    ) -> Result<BTreeMap<VarId, Value>, MachineError> {
        let mut values = BTreeMap::new();
        for (&variable, &value) in stack {
            values.insert(variable, self.import_value(names, value)?);
        }
        Ok(values)
    }

    /// A cell has the fields of its class, each with a value of its sort, and references fit.
    fn check_cell(&self, heap: &Heap, loc: Loc, cell: &Cell) -> Result<(), MachineError> {
        let sorts: Vec<_> = match layout::kind(self.program, cell.class)? {
            ClassKind::Array { element } => vec![*element; cell.fields.len()],
            ClassKind::Struct { .. } => {
                let fields = &self.program.definitions.class(cell.class).fields;
                fields.iter().map(|field| field.sort).collect()
            }
        };
        if sorts.len() != cell.fields.len() {
            return Err(MachineError::BadCell(loc));
        }
        let is_raw = self.program.class(cell.class).inside.raw;
        for (&field, &sort) in cell.fields.iter().zip(&sorts) {
            // Bytes without a type may hold a pointer.
            let is_member = !matches!(field, LogicValue::Int(_) | LogicValue::Bool(_));
            if is_raw && is_member {
                continue;
            }
            // A number may hold a pointer.
            if self.program.manual_memory && holds_pointer(field, sort) {
                continue;
            }
            if !field.has_sort(sort) {
                return Err(MachineError::BadCell(loc));
            }
            if let (LogicValue::Ref(target), Sort::Ref(class)) = (field, sort)
                && let Some(target) = heap.cells.get(&target)
                && !layout::is_subtype(self.program, target.class, class)?
            {
                return Err(MachineError::BadCell(loc));
            }
        }
        Ok(())
    }
}

/// Whether a value is a pointer in a number that is wide enough for it.
pub fn holds_pointer(value: LogicValue, sort: Sort) -> bool {
    matches!((value, sort), (LogicValue::Ref(_), Sort::Machine(ty)) if ty.bits() == 64)
}

/// Bytes that begin with a reference or with a floating-point number are that: those behind it belong
/// to it.
fn hold_members(contents: &mut [Value]) {
    let mut at = 0;
    while at < contents.len() {
        let width = match contents[at] {
            Value::Pointer(_) | Value::Double(_) => 8,
            Value::Single(_) => 4,
            _ => 0,
        };
        let end = at + width;
        if width > 0 && end <= contents.len() {
            contents[at + 1..end].fill(Value::Tail);
            at = end;
        } else {
            if contents[at] == Value::Null {
                contents[at] = Value::Int(0);
            }
            at += 1;
        }
    }
}

impl Memory {
    /// The live objects as a heap, with the name of each. Imported objects keep their names,
    /// new ones get the next free ones.
    pub fn export(&self) -> Result<(Heap, BTreeMap<ObjectId, Loc>), MachineError> {
        self.export_objects(|_| true)
    }

    /// The same for what can be reached from values and from imported objects, without whatever
    /// else is behind globals. Freed objects have names too.
    pub fn export_reachable(
        &self,
        roots: impl IntoIterator<Item = Value>,
    ) -> Result<(Heap, BTreeMap<ObjectId, Loc>), MachineError> {
        let imported = self.objects().filter(|(_, object)| object.origin.is_some());
        let imported = imported.map(|(id, _)| Value::object(id));
        let reached = self.reachable(roots.into_iter().chain(imported));
        self.export_objects(|id| reached.get(id.index()) == Some(&true))
    }

    fn export_objects(
        &self,
        wanted: impl Fn(ObjectId) -> bool,
    ) -> Result<(Heap, BTreeMap<ObjectId, Loc>), MachineError> {
        let names = self.locations(&wanted)?;
        let mut heap = Heap::default();
        let live = self.objects().filter(|(_, object)| !object.freed);
        for (id, object) in live.filter(|(id, _)| wanted(*id)) {
            let Some(&loc) = names.get(&id) else {
                continue;
            };
            let root = Address {
                object: id,
                offset: 0,
            };
            // What lies inside of a freed object is freed.
            if self.object(self.root(root)?.object)?.freed {
                continue;
            }
            let fields = (object.contents.iter()).map(|value| match value {
                // It has no name in the logic, and nobody can rely on it.
                value if !is_exportable(&names, *value) => Ok(LogicValue::Null),
                value => export_value(&names, *value),
            });
            let cell = Cell {
                class: object.class,
                fields: fields.collect::<Result<_, _>>()?,
            };
            heap.cells.insert(loc, cell);
        }
        Ok((heap, names))
    }

    /// The slots of exported objects whose values have no name in the logic: those that nobody has
    /// given a value, bytes of something larger, pointers into objects.
    pub fn unnamed_slots(&self, names: &BTreeMap<ObjectId, Loc>) -> BTreeSet<(Loc, u32)> {
        let mut unnamed = BTreeSet::new();
        for (id, object) in self.objects() {
            let Some(&loc) = names.get(&id) else {
                continue;
            };
            for (index, &value) in (0u32..).zip(&object.contents) {
                if !is_exportable(names, value) {
                    unnamed.insert((loc, index));
                }
            }
        }
        unnamed
    }

    /// The names of the objects that are wanted and of all freed ones.
    fn locations(
        &self,
        wanted: impl Fn(ObjectId) -> bool,
    ) -> Result<BTreeMap<ObjectId, Loc>, MachineError> {
        let taken: BTreeSet<Loc> = self
            .objects()
            .filter_map(|(_, object)| object.origin)
            .chain(self.reserved.iter().copied())
            .collect();
        let mut free = (1..=u32::MAX).map(Loc).filter(|loc| !taken.contains(loc));
        let mut names = BTreeMap::new();
        let mut used = BTreeSet::new();
        let named = self.objects();
        for (id, object) in named.filter(|(id, object)| object.freed || wanted(*id)) {
            // Two imports may have used the same name; only the first keeps it.
            let kept = object.origin.filter(|&loc| used.insert(loc));
            let loc = kept.or_else(|| free.next());
            names.insert(id, loc.ok_or(MachineError::TooManyObjects)?);
        }
        Ok(names)
    }
}

/// Whether a value has a name in the logic.
pub fn is_exportable(names: &BTreeMap<ObjectId, Loc>, value: Value) -> bool {
    match value {
        Value::Pointer(Address { object, offset }) => offset == 0 && names.contains_key(&object),
        Value::Undefined | Value::Tail | Value::Fragment(..) | Value::Wild(_) => false,
        _ => true,
    }
}

/// A value as the logic has it, with the names of [`Memory::export`].
pub fn export_value(
    names: &BTreeMap<ObjectId, Loc>,
    value: Value,
) -> Result<LogicValue, MachineError> {
    Ok(match value {
        Value::Null => LogicValue::Null,
        Value::Bool(value) => LogicValue::Bool(value),
        Value::Int(value) => LogicValue::Int(value),
        Value::Single(bits) => LogicValue::Single(bits),
        Value::Double(bits) => LogicValue::Double(bits),
        Value::Pointer(Address { object, offset: 0 }) => {
            let loc = names.get(&object).copied();
            LogicValue::Ref(loc.ok_or(MachineError::NoObject(object))?)
        }
        Value::Pointer(address) => return Err(MachineError::InteriorReference(address.object)),
        // What has no name in the logic is nothing that anybody can rely on.
        Value::Undefined | Value::Tail | Value::Fragment(..) | Value::Wild(_) => {
            return Err(MachineError::IllSorted);
        }
    })
}

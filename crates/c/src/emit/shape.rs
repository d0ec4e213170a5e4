//! What objects of the engine are to C, and what lies inside of them.

use heapwright_ir::ClassKind;
use heapwright_logic::{Cell, Heap, Loc, Sort, Value};

use super::Writer;
use crate::lower::plain_name;
use crate::unit::CUnit;

/// What an object is to C.
pub(super) enum Shape<'a> {
    /// A struct of its own, with the words for its type.
    Struct(&'a str),
    /// A struct inside of another one.
    Part,
    /// An array.
    Array(Sort),
    /// An array of structs, with the words for their type.
    Structs(&'a str),
    /// Memory that is no array of anything, such as a union.
    Raw,
    /// A function.
    Function(&'a str),
    /// A function that the test defines.
    Stub,
    /// A field or an element of something else.
    Interior,
}

impl Writer<'_> {
    pub(super) fn shape(&self, cell: &Cell) -> Shape<'_> {
        let program = &self.unit.program;
        if let Some(function) = self.unit.function_of(cell.class) {
            return Shape::Function(plain_name(&function.name));
        }
        if self.unit.stubs.contains_key(&cell.class) {
            return Shape::Stub;
        }
        let info = program.class(cell.class);
        if info.inside.interior {
            return Shape::Interior;
        }
        if let ClassKind::Array { element } = info.kind {
            return match (info.inside.raw, info.inside.stride, element) {
                (true, ..) => Shape::Raw,
                (_, Some(_), Sort::Ref(class)) => match self.unit.record(class) {
                    Some(record) => Shape::Structs(&record.name),
                    None => Shape::Raw,
                },
                _ => Shape::Array(element),
            };
        }
        match self.unit.record(cell.class) {
            Some(record) => Shape::Struct(&record.name),
            None => Shape::Part,
        }
    }

    /// Whether a field has no name in C.
    pub(super) fn is_unnamed(&self, cell: &Cell, field: u32) -> bool {
        let superclass = self.unit.program.definitions.class(cell.class).superclass;
        let record = (self.unit.record(cell.class))
            .or_else(|| superclass.and_then(|class| self.unit.record(class)));
        let field = record.and_then(|record| record.fields.get(field as usize));
        field.is_some_and(|field| field.name.is_empty())
    }

    /// The flexible member of a struct and its length, if there is anything in it.
    pub(super) fn flexible(&self, heap: &Heap, cell: &Cell) -> Option<(&str, usize)> {
        let program = &self.unit.program;
        let embedded = program.class(cell.class).inside.embedded.iter();
        let (field, _) = embedded.copied().find(|(_, length)| *length == Some(0))?;
        let Some(Value::Ref(array)) = cell.fields.get(field as usize) else {
            return None;
        };
        let length = heap.cells.get(array)?.fields.len();
        let field = program
            .definitions
            .class(cell.class)
            .fields
            .get(field as usize)?;
        (length > 0).then_some((&field.name, length))
    }

    /// Whether it is something that nobody looks into.
    pub(super) fn is_opaque(&self, cell: &Cell) -> bool {
        self.unit.program.definitions.class(cell.class).name == "void"
    }

    /// The array that a struct is an element of, and which one.
    pub(super) fn array_around(&self, heap: &Heap, loc: Loc) -> Option<(Loc, usize)> {
        let program = &self.unit.program;
        let arrays = (heap.cells.iter())
            .filter(|(_, cell)| program.class(cell.class).inside.stride.is_some());
        arrays.into_iter().find_map(|(&array, cell)| {
            let index = (cell.fields.iter()).position(|&field| field == Value::Ref(loc))?;
            Some((array, index))
        })
    }

    /// The struct around an array, with its type and the field.
    pub(super) fn around_array(&self, heap: &Heap, array: Loc) -> Option<(Loc, String, String)> {
        let program = &self.unit.program;
        heap.cells.iter().find_map(|(&loc, cell)| {
            let record = self.unit.record(cell.class)?;
            let mut embedded = program.class(cell.class).inside.embedded.iter();
            let (index, _) = embedded
                .find(|(index, _)| cell.fields.get(*index as usize) == Some(&Value::Ref(array)))?;
            let field = record.fields.get(*index as usize)?;
            let is_named = record.is_named && !field.name.is_empty();
            is_named.then(|| (loc, record.name.clone(), field.name.clone()))
        })
    }

    /// The struct around a struct, with its type and the field.
    pub(super) fn around(&self, heap: &Heap, cell: &Cell) -> Option<(Loc, &str, String)> {
        let name = &self.unit.program.definitions.class(cell.class).name;
        let field = name.rsplit_once('.')?.1.to_owned();
        let Some(&Value::Ref(outer)) = cell.fields.last() else {
            return None;
        };
        let record = self.unit.record(heap.cells.get(&outer)?.class)?;
        Some((outer, &record.name, field))
    }
}

/// The objects that are inside of an object.
pub(super) fn inside(unit: &CUnit, cell: &Cell) -> Vec<Loc> {
    let inside = &unit.program.class(cell.class).inside;
    let indices: Vec<u32> = match inside.stride {
        Some(_) => (0..cell.fields.len() as u32).collect(),
        None => inside.embedded.iter().map(|(field, _)| *field).collect(),
    };
    let contents = indices
        .into_iter()
        .filter_map(|index| cell.fields.get(index as usize));
    contents
        .filter_map(|content| match content {
            Value::Ref(loc) => Some(*loc),
            _ => None,
        })
        .collect()
}

pub(super) fn insides(unit: &CUnit, heap: &Heap) -> Vec<Loc> {
    heap.cells
        .values()
        .flat_map(|cell| inside(unit, cell))
        .collect()
}

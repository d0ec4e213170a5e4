//! Where the fields and elements of an object lie.
//!
//! An object is a list of slots, one per field or element. A reference to its beginning finds
//! a field by its number, and needs no layout at all. Any other reference goes by bytes: a
//! struct inside a struct is a run of slots of the outer one, and a pointer to it sees the inner
//! struct's fields wherever offset and width agree. What fits no slot is a run of bytes.

use heapwright_logic::{ClassId, FloatType, Sort};

use crate::machine::{Address, MachineError};
use crate::program::{ClassKind, FieldLayout, Program};

/// Where an access ends up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Located {
    /// Exactly this slot.
    Slot(u32),
    /// Not inside the object.
    Outside,
    /// Parts of one or several slots, or of padding.
    Bytes {
        /// Where they begin.
        start: i64,
        /// How many they are.
        size: u32,
    },
}

/// Bytes that a value of a sort takes.
pub fn size_of(sort: Sort) -> u32 {
    match sort {
        Sort::Bool => 1,
        Sort::Machine(ty) => ty.bits() / 8,
        Sort::Float(FloatType::Single) => 4,
        Sort::Float(FloatType::Double) | Sort::Ref(_) | Sort::Int => 8,
    }
}

/// What kind a class is of.
pub fn kind(program: &Program, class: ClassId) -> Result<&ClassKind, MachineError> {
    let info = program.classes.get(class.index());
    Ok(&info.ok_or(MachineError::NoClass(class))?.kind)
}

/// Whether `class` is a subtype of `ancestor`, for ids from anywhere.
pub fn is_subtype(
    program: &Program,
    class: ClassId,
    ancestor: ClassId,
) -> Result<bool, MachineError> {
    for id in [class, ancestor] {
        if id != ClassId::ANY && id.index() >= program.classes.len() {
            return Err(MachineError::NoClass(id));
        }
    }
    Ok(program.is_subtype(class, ancestor))
}

/// The slot of the field of `class` that `address`, in an object of class `actual` with
/// `slots` slots, refers to.
pub fn locate_field(
    program: &Program,
    actual: ClassId,
    slots: usize,
    address: Address,
    class: ClassId,
    field: u32,
) -> Result<Located, MachineError> {
    // A subclass has the fields of its superclass first.
    if address.offset == 0 && is_subtype(program, actual, class)? {
        return match (field as usize) < slots {
            true => Ok(Located::Slot(field)),
            false => Err(MachineError::NoField { class, field }),
        };
    }
    let layout = field_layout(program, class, field)?;
    let start = address.offset.saturating_add(i64::from(layout.offset));
    locate_bytes(program, actual, slots, start, layout.size)
}

/// The slot of the element with an index, of elements of a sort, seen from an address in an object
/// of class `actual` with `slots` slots.
pub fn locate_element(
    program: &Program,
    actual: ClassId,
    slots: usize,
    address: Address,
    index: i128,
    sort: Sort,
) -> Result<Located, MachineError> {
    let width = size_of(sort);
    let start = index.saturating_mul(i128::from(width));
    match i64::try_from(start.saturating_add(i128::from(address.offset))) {
        Ok(start) => locate_bytes(program, actual, slots, start, width),
        Err(_) => Ok(Located::Outside),
    }
}

/// The slot that `size` bytes from `start` on, in an object of class `actual` with `slots`
/// slots, fill.
pub fn locate_bytes(
    program: &Program,
    actual: ClassId,
    slots: usize,
    start: i64,
    size: u32,
) -> Result<Located, MachineError> {
    let kind = kind(program, actual)?;
    let end = start.saturating_add(i64::from(size));
    if start < 0 || end > extent(kind, slots) {
        return Ok(Located::Outside);
    }
    let slot = match kind {
        ClassKind::Array { element } => {
            let width = i64::from(size_of(*element));
            let fits = i64::from(size) == width && start % width == 0;
            fits.then(|| start / width)
        }
        ClassKind::Struct { layout, .. } => {
            if layout.is_empty() {
                return Err(MachineError::NoLayout(actual));
            }
            let mut fields = layout.iter();
            let found =
                fields.position(|field| i64::from(field.offset) == start && field.size == size);
            found.map(|index| index as i64)
        }
    };
    Ok(slot.map_or(Located::Bytes { start, size }, |slot| {
        Located::Slot(slot as u32)
    }))
}

/// Where a field lies in objects of exactly its class.
pub fn field_layout(
    program: &Program,
    class: ClassId,
    field: u32,
) -> Result<FieldLayout, MachineError> {
    match kind(program, class)? {
        ClassKind::Array { .. } => Err(MachineError::WrongKind(class)),
        ClassKind::Struct { layout, .. } if layout.is_empty() => Err(MachineError::NoLayout(class)),
        ClassKind::Struct { layout, .. } => {
            let found = layout.get(field as usize).copied();
            found.ok_or(MachineError::NoField { class, field })
        }
    }
}

/// Bytes of a whole object.
pub fn extent(kind: &ClassKind, slots: usize) -> i64 {
    match kind {
        ClassKind::Array { element } => slots as i64 * i64::from(size_of(*element)),
        ClassKind::Struct { layout, size } => {
            let ends = layout
                .iter()
                .map(|field| field.offset.saturating_add(field.size));
            i64::from(ends.max().unwrap_or(0).max(*size))
        }
    }
}

/// The slots that have bytes among the `size` ones from `start` on, with where each lies.
pub fn overlapping(
    kind: &ClassKind,
    slots: usize,
    start: i64,
    size: u32,
) -> Vec<(u32, FieldLayout)> {
    let end = start.saturating_add(i64::from(size));
    let inside = |field: &FieldLayout| {
        let offset = i64::from(field.offset);
        offset < end && start < offset + i64::from(field.size)
    };
    match kind {
        ClassKind::Struct { layout, .. } => {
            let fields = (0..).zip(layout).take(slots);
            let inside = fields.filter(|(_, field)| inside(field));
            inside.map(|(index, field)| (index, *field)).collect()
        }
        ClassKind::Array { element } => {
            let width = size_of(*element);
            let first = (start / i64::from(width)).clamp(0, slots as i64);
            let last = (end.saturating_sub(1) / i64::from(width)).clamp(-1, slots as i64 - 1);
            let elements = first as u32..(last + 1) as u32;
            let place = |index: u32| FieldLayout {
                offset: index.saturating_mul(width),
                size: width,
            };
            elements.map(|index| (index, place(index))).collect()
        }
    }
}

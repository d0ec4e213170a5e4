//! Where the fields and elements of an object lie.
//!
//! An object is a list of slots, one per field or element. A reference to its beginning finds
//! a field by its number, and needs no layout at all. Any other reference goes by bytes, from the
//! outermost object on: a struct inside a struct is an object of its own, which knows where it lies
//! ([`leaves`](super::leaves)). What fits no slot is a run of bits.

use heapwright_logic::{ClassId, FloatType, Sort};

use crate::machine::MachineError;
use crate::program::{ClassKind, FieldLayout, Program};

/// A run of bits, from the beginning of an object on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The first bit.
    pub start: i64,
    /// How many.
    pub bits: u32,
}

impl Span {
    /// Just behind the last bit.
    pub fn end(self) -> i64 {
        self.start.saturating_add(i64::from(self.bits))
    }

    /// Whether two runs have bits in common.
    pub fn overlaps(self, other: Span) -> bool {
        self.start < other.end() && other.start < self.end()
    }
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

/// The bits of a field in objects of exactly its class.
pub fn field_span(program: &Program, class: ClassId, field: u32) -> Result<Span, MachineError> {
    let layout = field_layout(program, class, field)?;
    let bits = &program.class(class).inside.bits;
    let found = bits.iter().find(|(known, ..)| *known == field);
    Ok(match found {
        Some(&(_, start, bits)) => Span {
            start: i64::from(start),
            bits,
        },
        None => Span {
            start: i64::from(layout.offset) * 8,
            bits: layout.size.saturating_mul(8),
        },
    })
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

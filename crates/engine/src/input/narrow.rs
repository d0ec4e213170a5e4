//! Fields that have fewer bits than values of their sort, and what fits into them.

use heapwright_ir::Program;
use heapwright_logic::{Cell, ClassId, Heap, Sort, TermId, Terms, Value};

/// A field of a few bits, with its least and its greatest number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NarrowField {
    /// The position of the field.
    pub field: u32,
    /// The least number in it.
    pub least: i128,
    /// The greatest number in it.
    pub greatest: i128,
}

/// The fields of objects of a class that do not hold every number of their sort.
pub fn narrow_fields(program: &Program, class: ClassId) -> Vec<NarrowField> {
    let Some(info) = program.classes.get(class.index()) else {
        return Vec::new();
    };
    if info.inside.bits.is_empty() {
        return Vec::new();
    }
    let fields = &program.definitions.class(class).fields;
    let bits = info.inside.bits.iter();
    bits.filter_map(
        |&(field, _, count)| match fields.get(field as usize)?.sort {
            Sort::Machine(ty) if (1..ty.bits()).contains(&count) => {
                let (least, greatest) = match ty.signed() {
                    true => (-(1i128 << (count - 1)), (1i128 << (count - 1)) - 1),
                    false => (0, (1i128 << count) - 1),
                };
                Some(NarrowField {
                    field,
                    least,
                    greatest,
                })
            }
            _ => None,
        },
    )
    .collect()
}

/// That the contents of an object of a class fit into its fields.
pub fn fitting(
    program: &Program,
    terms: &mut Terms,
    class: ClassId,
    contents: &[TermId],
) -> Vec<TermId> {
    let mut conditions = Vec::new();
    for narrow in narrow_fields(program, class) {
        if let Some(&content) = contents.get(narrow.field as usize) {
            let (least, greatest) = (terms.int(narrow.least), terms.int(narrow.greatest));
            conditions.push(terms.le(least, content));
            conditions.push(terms.le(content, greatest));
        }
    }
    conditions
}

/// Whether all numbers fit into the fields that they are in.
pub fn all_fit(program: &Program, heap: &Heap) -> bool {
    let fits = |cell: &Cell| {
        narrow_fields(program, cell.class).iter().all(|narrow| {
            match cell.fields.get(narrow.field as usize) {
                Some(Value::Int(number)) => (narrow.least..=narrow.greatest).contains(number),
                _ => true,
            }
        })
    };
    heap.cells.values().all(fits)
}

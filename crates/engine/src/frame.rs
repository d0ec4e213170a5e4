//! From the heap of a model to a complete one.
//!
//! A model may have dangling references: the free end of a list segment, say, that must not be
//! null. In an input every reference leads somewhere, so each of them gets an object of its own
//! with default contents. These objects are outside of what the precondition describes.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::layout;
use heapwright_ir::{ClassKind, Program};
use heapwright_logic::{Cell, ClassId, Heap, Loc, Sort, Value};

/// A heap in which nothing dangles.
pub struct Completed {
    /// The heap.
    pub heap: Heap,
    /// The objects that were added.
    pub frame: BTreeSet<Loc>,
}

/// Completes a heap, as it is seen from values with their declared sorts. Nothing if there is no
/// class for some object.
pub fn complete_heap(
    program: &Program,
    mut values: Vec<(Value, Sort)>,
    mut heap: Heap,
) -> Option<Completed> {
    for cell in heap.cells.values_mut() {
        specialise(program, cell)?;
    }
    for cell in heap.cells.values() {
        let fields = &program.definitions.class(cell.class).fields;
        let sorts = fields.iter().map(|field| field.sort);
        values.extend(cell.fields.iter().copied().zip(sorts));
    }
    // The classes that each dangling reference is declared with.
    let mut dangling: BTreeMap<Loc, Vec<ClassId>> = BTreeMap::new();
    for (value, sort) in values {
        if let (Value::Ref(loc), Sort::Ref(class)) = (value, sort)
            && !heap.cells.contains_key(&loc)
        {
            dangling.entry(loc).or_default().push(class);
        }
    }
    for (&loc, classes) in &dangling {
        let class = class_for(program, classes)?;
        let fields = default_fields(program, class, 0);
        heap.cells.insert(loc, Cell { class, fields });
    }
    Some(Completed {
        heap,
        frame: dangling.into_keys().collect(),
    })
}

/// Makes a cell of a class that has no objects of its own one of a subclass.
fn specialise(program: &Program, cell: &mut Cell) -> Option<()> {
    let class = class_for(program, &[cell.class])?;
    if class != cell.class {
        let inherited = cell.fields.len();
        cell.fields
            .extend(default_fields(program, class, inherited));
        cell.class = class;
    }
    Some(())
}

fn default_fields(program: &Program, class: ClassId, from: usize) -> Vec<Value> {
    let fields = program.definitions.class(class).fields.iter().skip(from);
    fields.map(|field| Value::default_of(field.sort)).collect()
}

/// A class with objects that is a subtype of all the given ones: one of them if possible,
/// otherwise the first of the program.
fn class_for(program: &Program, classes: &[ClassId]) -> Option<ClassId> {
    let all = (0..).map(ClassId).take(program.classes.len());
    let mut candidates = classes.iter().copied().chain(all);
    candidates.find(|&candidate| {
        let fits = |&class: &ClassId| layout::is_subtype(program, candidate, class) == Ok(true);
        has_objects(program, candidate) && classes.iter().all(fits)
    })
}

/// The classes of which objects can stand where one of `class` is expected, itself first.
pub fn instantiable(program: &Program, class: ClassId) -> impl Iterator<Item = ClassId> + '_ {
    let others = program.definitions.classes().map(|(id, _)| id);
    let others = others.filter(move |&id| id != class && program.is_subtype(id, class));
    let all = std::iter::once(class).chain(others);
    all.filter(|&id| has_objects(program, id))
}

fn has_objects(program: &Program, class: ClassId) -> bool {
    let info = program.classes.get(class.index());
    class != ClassId::ANY
        && info
            .is_some_and(|info| info.instantiable && matches!(info.kind, ClassKind::Struct { .. }))
}

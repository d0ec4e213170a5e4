//! Pointers of the input that lead into other objects: to a field, or to an element of an array.
//!
//! A pointer to a number may be the address of a field of any struct, or of an element in the middle
//! of an array (the third axiom of the paper on pointers: nested types are apart, or one is embedded
//! in the other). In formulas such a place is a cell of its own, with the object around it and the
//! number of bytes from its beginning; it is no memory.
//!
//! Which objects a pointer can lead into: all that the path knows, and new ones of each class that
//! the input can have otherwise. Of the others nobody could notice it.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::{Address, MachineError, ObjectId, layout};
use heapwright_ir::{ClassKind, Program};
use heapwright_logic::{ClassId, Loc, PointsTo, Sort, Value as LogicValue, VarId};

use super::{PathStop, Symbolic};
use crate::input::candidates::element_sort;
use crate::path::aliases::Known;
use crate::path::assignment::Assignment;
use crate::path::decision::Choice;
use crate::path::initial_heap::AddedCell;
use crate::path::symbolic_value::SymbolicValue;

/// Elements of one array that pointers are tried for.
const MOST_ELEMENTS: u32 = 16;

/// Elements of an array that nothing else leads to, where a pointer leads into the middle.
const MOST_UNKNOWN: u32 = 3;

/// What a pointer can lead into.
#[derive(Default)]
pub(super) struct Interiors {
    /// Interiors in objects that are known.
    pub(super) known: Vec<Choice>,
    /// Interiors in objects that are not.
    pub(super) fresh: Vec<Choice>,
}

impl Symbolic<'_> {
    /// The places that a pointer can lead to.
    pub(super) fn interiors(&mut self, variable: VarId, declared: &[ClassId]) -> Interiors {
        let subject = self.subject;
        let [class] = declared[..] else {
            return Interiors::default();
        };
        let Some(sort) = element_sort(&subject.program, class) else {
            return Interiors::default();
        };
        if !subject.rules.interiors.contains_key(&class)
            || self.subject.bound_global(variable).is_some()
            || !self.knowledge.overlap.is_noticed(sort)
        {
            return Interiors::default();
        }
        let mut interiors = Interiors::default();
        for known in &self.initial.cells {
            let length = known
                .elements
                .as_ref()
                .map(|elements| elements.len() as u32);
            for offset in offsets(&subject.program, known.cell.class, length, sort) {
                let address = Address {
                    object: known.object,
                    offset: i64::from(offset),
                };
                // The beginning of an array is the array; a place that is known is an object.
                let is_array = element_sort(&subject.program, known.cell.class) == Some(sort);
                if (offset == 0 && is_array) || self.known_interior(address).is_some() {
                    continue;
                }
                interiors.known.push(Choice::Within {
                    object: known.object,
                    offset,
                });
            }
        }
        // The middle of an array that nothing else leads to yet.
        let width = layout::size_of(sort);
        for elements in 2..=MOST_UNKNOWN.min(self.extent.elements) {
            for index in 1..elements {
                interiors.fresh.push(Choice::WithinFreshArray {
                    class,
                    elements,
                    offset: index.saturating_mul(width),
                });
            }
        }
        for &class in &self.knowledge.overlap.classes {
            for offset in offsets(&subject.program, class, None, sort) {
                interiors.fresh.push(Choice::WithinFresh { class, offset });
            }
        }
        interiors
    }

    /// The class of arrays that a pointer to a struct may lead to the beginning of, if anybody goes
    /// on from there.
    pub(super) fn array_around(&self, variable: VarId, class: ClassId) -> Option<ClassId> {
        let subject = self.subject;
        let is_part = subject.rules.parts.contains(&class);
        let is_fixed = self.is_owned(variable) || subject.bound_global(variable).is_some();
        let is_indexed = self.knowledge.overlap.indexed.contains(&class);
        match is_indexed && !is_part && !is_fixed {
            true => subject.program.array_of(class),
            false => None,
        }
    }

    /// What the concrete input says about a reference to the first element of an array.
    pub(super) fn element_answer(&self, assignment: &Assignment, loc: Loc) -> Option<Choice> {
        let array = assignment.array_of(loc, |class| {
            let info = self.subject.program.classes.get(class.index());
            info.is_some_and(|info| info.inside.stride.is_some())
        })?;
        match assignment.object_at(array) {
            Some(_) => None,
            None => Some(Choice::FirstElement {
                class: assignment.class_at(array)?,
                length: assignment.length_at(array)?,
            }),
        }
    }

    /// Where an array is in the concrete input that was found by its first element.
    pub(super) fn find_array(&mut self, added: &AddedCell) {
        let program = &self.subject.program;
        let first = added
            .elements
            .as_ref()
            .and_then(|elements| elements.first());
        let is_array = |class: ClassId| program.class(class).inside.stride.is_some();
        let (Some(&first), Some(source), true) = (
            first,
            self.terms.as_var(added.cell.source),
            is_array(added.cell.class),
        ) else {
            return;
        };
        let beside = [&mut self.assignment, &mut self.neighbour];
        for assignment in beside.into_iter().flatten() {
            if let Ok(LogicValue::Ref(loc)) = assignment.evaluate(&self.terms, first)
                && let Some(array) = assignment.array_of(loc, is_array)
            {
                assignment.assign(source, LogicValue::Ref(array));
            }
        }
    }

    /// The arrays that lie inside of a struct that the precondition describes: formulas do not speak
    /// of them.
    pub(super) fn materialise_arrays(&mut self, whole: &AddedCell) -> Result<(), PathStop> {
        for (symbol, class, length, _) in self.belonging(whole) {
            let is_open = matches!(self.initial.aliases.known(symbol), Known::Open(_));
            if length.is_none() || !is_open {
                continue;
            }
            self.owned.insert(symbol);
            let array = self.fresh_cell(symbol, class, length);
            let partners = self.partners(&array);
            for mut added in std::iter::once(array).chain(partners) {
                added.comes_along = true;
                self.assign_contents(&added);
                self.materialise(added, false)?;
            }
        }
        Ok(())
    }

    /// The cell of a place inside of an object.
    pub(super) fn interior_cell(
        &mut self,
        variable: VarId,
        outer: VarId,
        offset: u32,
    ) -> Result<AddedCell, PathStop> {
        let Sort::Ref(class) = self.terms.variable(variable).sort else {
            return Err(PathStop::Diverged);
        };
        let class = self.subject.rules.interiors.get(&class);
        let class = *class.ok_or(PathStop::Diverged)?;
        let cell = PointsTo {
            source: self.terms.var(variable),
            class,
            fields: vec![self.terms.var(outer), self.terms.int(i128::from(offset))],
        };
        Ok(AddedCell {
            comes_along: true,
            ..AddedCell::of(cell)
        })
    }

    /// The symbol of the object around a place; the same whenever it is asked for.
    pub(super) fn container(&mut self, variable: VarId, class: ClassId) -> VarId {
        let key = (self.initial.cells.len(), variable, class);
        if let Some(&known) = self.containers.get(&key) {
            return known;
        }
        let name = format!("around{}", key.0);
        let symbol = self.terms.declare(name, Sort::Ref(class));
        self.containers.insert(key, symbol);
        symbol
    }

    /// Whether a cell is a place inside of another one.
    pub(super) fn is_interior(&self, added: &AddedCell) -> bool {
        let info = self.subject.program.classes.get(added.cell.class.index());
        info.is_some_and(|info| info.inside.interior)
    }

    /// Where an object of the input lies: itself, or the place that it stands for.
    pub(super) fn address_of(&self, object: ObjectId) -> Result<Address, PathStop> {
        let known = self.memory.object(object)?;
        let info = self.subject.program.classes.get(known.class.index());
        if !info.is_some_and(|info| info.inside.interior) {
            return Ok(Address { object, offset: 0 });
        }
        let [outer, SymbolicValue::Concrete(Concrete::Int(offset))] = known.contents[..] else {
            return Err(MachineError::IllSorted.into());
        };
        let outer = match outer {
            SymbolicValue::Symbolic(term) => {
                let symbol = self.terms.as_var(term).ok_or(MachineError::IllSorted)?;
                match self.initial.aliases.known(symbol) {
                    Known::Object(outer) => outer,
                    _ => return Err(MachineError::IllSorted.into()),
                }
            }
            SymbolicValue::Concrete(Concrete::Pointer(address)) => address.object,
            SymbolicValue::Concrete(_) => return Err(MachineError::IllSorted.into()),
        };
        let offset = i64::try_from(offset).map_err(|_| MachineError::IllSorted)?;
        Ok(Address {
            object: outer,
            offset,
        })
    }

    /// The symbol of a place that is known.
    pub(super) fn known_interior(&self, address: Address) -> Option<VarId> {
        if self.subject.rules.interiors.is_empty() {
            return None;
        }
        let root = self.memory.root(address).ok()?;
        let places = self.initial.cells.iter().filter(|known| {
            let info = self.subject.program.classes.get(known.cell.class.index());
            info.is_some_and(|info| info.inside.interior)
        });
        let mut places = places.filter(|known| {
            let place = self.address_of(known.object).ok();
            place.and_then(|place| self.memory.root(place).ok()) == Some(root)
        });
        places.next().map(|known| known.source)
    }

    /// Makes the address of something inside of an object of the input known, if it is compared with
    /// a pointer that could lead there.
    pub(super) fn introduce_interior(
        &mut self,
        address: Address,
        other: VarId,
    ) -> Result<(), PathStop> {
        let Sort::Ref(class) = self.terms.variable(other).sort else {
            return Ok(());
        };
        let is_known = self.initial.cell_of(address.object).is_some();
        if !is_known
            || !self.subject.rules.interiors.contains_key(&class)
            || self.known_interior(address).is_some()
        {
            return Ok(());
        }
        let sort = element_sort(&self.subject.program, class);
        let known = self.initial.cell_of(address.object);
        let (Some(sort), Some(known)) = (sort, known) else {
            return Ok(());
        };
        let length = known
            .elements
            .as_ref()
            .map(|elements| elements.len() as u32);
        let all = all_offsets(&self.subject.program, known.cell.class, length, sort);
        let Some(offset) = all.into_iter().find(|&at| i64::from(at) == address.offset) else {
            return Ok(());
        };
        let outer = known.source;
        let name = format!("place{}", self.initial.cells.len());
        let symbol = self.terms.declare(name, Sort::Ref(class));
        let added = self.interior_cell(symbol, outer, offset)?;
        let beside = [&mut self.assignment, &mut self.neighbour];
        for assignment in beside.into_iter().flatten() {
            assignment.assign_interior(&self.terms, symbol, outer, offset);
        }
        self.materialise(added, false)
    }

    /// A place that is known, as the symbol that it has: a place has another class than the object
    /// around it.
    pub(super) fn as_symbol(
        &mut self,
        value: SymbolicValue,
        other: SymbolicValue,
    ) -> SymbolicValue {
        match (value, other) {
            (SymbolicValue::Concrete(Concrete::Pointer(address)), SymbolicValue::Symbolic(_)) => {
                let is_array = self.memory.object(address.object).is_ok_and(|object| {
                    element_sort(&self.subject.program, object.class).is_some()
                });
                if address.offset == 0 && is_array {
                    return value;
                }
                match self.known_interior(address) {
                    Some(symbol) => SymbolicValue::Symbolic(self.terms.var(symbol)),
                    None => value,
                }
            }
            _ => value,
        }
    }

    /// What the concrete input says about a reference to a place.
    pub(super) fn interior_answer(&self, assignment: &Assignment, loc: Loc) -> Option<Choice> {
        let class = assignment.class_at(loc)?;
        if !self
            .subject
            .program
            .classes
            .get(class.index())?
            .inside
            .interior
        {
            return None;
        }
        let (Some(LogicValue::Ref(outer)), Some(LogicValue::Int(offset))) =
            (assignment.content_at(loc, 0), assignment.content_at(loc, 1))
        else {
            return None;
        };
        let offset = u32::try_from(offset).ok()?;
        Some(match assignment.object_at(outer) {
            Some(object) => Choice::Within { object, offset },
            None => {
                let class = assignment.class_at(outer)?;
                match element_sort(&self.subject.program, class) {
                    None => Choice::WithinFresh { class, offset },
                    Some(_) => Choice::WithinFreshArray {
                        class,
                        elements: assignment.length_at(outer)?,
                        offset,
                    },
                }
            }
        })
    }
}

/// The places inside of objects of a class with values of a sort, as far as they are tried.
fn offsets(program: &Program, class: ClassId, length: Option<u32>, sort: Sort) -> Vec<u32> {
    let all = all_offsets(program, class, length, sort);
    match length {
        Some(_) => all.into_iter().take(MOST_ELEMENTS as usize).collect(),
        None => all,
    }
}

fn all_offsets(program: &Program, class: ClassId, length: Option<u32>, sort: Sort) -> Vec<u32> {
    let Some(info) = program.classes.get(class.index()) else {
        return Vec::new();
    };
    match (&info.kind, length) {
        (ClassKind::Array { element }, Some(length)) if *element == sort && !info.inside.raw => {
            let width = layout::size_of(sort);
            (0..length)
                .map(|index| index.saturating_mul(width))
                .collect()
        }
        // What has methods is a function, and nothing of it has an address of its own.
        (ClassKind::Struct { layout, .. }, None)
            if !info.inside.interior && info.methods.is_empty() =>
        {
            let fields = &program.definitions.class(class).fields;
            let is_value = |index: u32| {
                let inside = &info.inside;
                !inside.embeds(index)
                    && !inside.hidden.contains(&index)
                    && !inside.bits.iter().any(|(field, ..)| *field == index)
            };
            (0u32..)
                .zip(fields.iter().zip(layout))
                .filter(|(index, (field, _))| field.sort == sort && is_value(*index))
                .map(|(_, (_, layout))| layout.offset)
                .collect()
        }
        _ => Vec::new(),
    }
}

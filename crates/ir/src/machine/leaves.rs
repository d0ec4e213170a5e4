//! Objects as runs of bytes: which slots lie where, through all objects that lie inside of others.
//!
//! A struct inside of a struct is an object of its own, so that formulas and inputs can speak of
//! it; seen as memory, both are one run of bytes. A *leaf* is a slot with its place in the
//! outermost object.

use heapwright_logic::{ClassId, Sort};

use super::concrete::Value;
use super::layout::{self, Span};
use super::slot_memory::{Holder, Located, Slot, SlotMemory};
use super::{Address, MachineError, ObjectId};
use crate::program::{ClassKind, Inside, Program};

/// A slot, and the bits of the outermost object that it fills.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leaf {
    /// The slot.
    pub slot: Slot,
    /// Its bits.
    pub span: Span,
    /// The sort of its values; none where they may have any.
    pub sort: Option<Sort>,
}

/// Values as memory sees them.
pub trait SlotValue: Copy {
    /// The value, if it is known without asking.
    fn known(self) -> Option<Value>;

    /// A known value.
    fn of(value: Value) -> Self;
}

impl SlotValue for Value {
    fn known(self) -> Option<Value> {
        Some(self)
    }

    fn of(value: Value) -> Self {
        value
    }
}

impl<V, H: Holder<V>> SlotMemory<V, H> {
    fn inside<'p>(
        &self,
        program: &'p Program,
        id: ObjectId,
    ) -> Result<(&'p Inside, &'p ClassKind), MachineError> {
        let class = self.object(id)?.class;
        let kind = layout::kind(program, class)?;
        Ok((&program.class(class).inside, kind))
    }
}

impl<V: SlotValue, H: Holder<V>> SlotMemory<V, H> {
    /// What fills some bits of an outermost object.
    pub(super) fn locate(
        &self,
        program: &Program,
        root: ObjectId,
        span: Span,
    ) -> Result<Located, MachineError> {
        if span.start < 0 || span.end() > self.extent(program, root)?.saturating_mul(8) {
            return Ok(Located::Outside);
        }
        let leaves = self.leaves(program, root, span)?;
        Ok(match leaves[..] {
            [leaf] if leaf.span == span => Located::Slot(leaf.slot),
            _ => Located::Bytes(root, span),
        })
    }

    /// The leaves of an outermost object that have bits in common with a run of bits.
    pub fn leaves(
        &self,
        program: &Program,
        root: ObjectId,
        span: Span,
    ) -> Result<Vec<Leaf>, MachineError> {
        let mut leaves = Vec::new();
        self.collect(program, root, 0, span, &mut leaves)?;
        Ok(leaves)
    }

    fn collect(
        &self,
        program: &Program,
        id: ObjectId,
        begin: i64,
        wanted: Span,
        leaves: &mut Vec<Leaf>,
    ) -> Result<(), MachineError> {
        let (inside, kind) = self.inside(program, id)?;
        let object = self.object(id)?;
        for &(_, part) in &object.parts {
            let (_, offset) = self.object(part)?.outer.unwrap_or((id, 0));
            let start = begin + i64::from(offset) * 8;
            let bits = self.extent(program, part)?.saturating_mul(8);
            let span = Span {
                start,
                bits: u32::try_from(bits).unwrap_or(u32::MAX),
            };
            if span.overlaps(wanted) {
                self.collect(program, part, start, wanted, leaves)?;
            }
        }
        match kind {
            ClassKind::Struct { layout, .. } => {
                if layout.is_empty() && !object.contents.is_empty() {
                    return Err(MachineError::NoLayout(object.class));
                }
                let fields = &program.definitions.class(object.class).fields;
                for (index, field) in (0u32..).zip(fields).take(object.contents.len()) {
                    if inside.embeds(index) || inside.hidden.contains(&index) {
                        continue;
                    }
                    let span = layout::field_span(program, object.class, index)?;
                    let span = Span {
                        start: begin + span.start,
                        ..span
                    };
                    if span.overlaps(wanted) {
                        leaves.push(Leaf {
                            slot: Slot { object: id, index },
                            span,
                            sort: Some(field.sort),
                        });
                    }
                }
            }
            ClassKind::Array { .. } if inside.stride.is_some() => {}
            ClassKind::Array { element } => {
                let width = i64::from(layout::size_of(*element)) * 8;
                let length = object.contents.len() as i64;
                let mut index = ((wanted.start - begin).max(0) / width).min(length);
                let is_tail = |index: i64| {
                    let value = object.contents.get(index as usize);
                    value.and_then(|value| value.known()) == Some(Value::Tail)
                };
                while inside.raw && index > 0 && index < length && is_tail(index) {
                    index -= 1;
                }
                while index < length && begin + index * width < wanted.end() {
                    let mut next = index + 1;
                    while inside.raw && next < length && is_tail(next) {
                        next += 1;
                    }
                    let span = Span {
                        start: begin + index * width,
                        bits: u32::try_from((next - index) * width).unwrap_or(u32::MAX),
                    };
                    if span.overlaps(wanted) {
                        leaves.push(Leaf {
                            slot: Slot {
                                object: id,
                                index: index as u32,
                            },
                            span,
                            sort: (!inside.raw).then_some(*element),
                        });
                    }
                    index = next;
                }
            }
        }
        leaves.sort_by_key(|leaf| leaf.span.start);
        Ok(())
    }

    /// The same place, as an object of a class (or a subclass) that begins there, if there is one.
    pub fn canonical(
        &self,
        program: &Program,
        address: Address,
        class: ClassId,
    ) -> Result<Address, MachineError> {
        let fits = |address: Address| -> Result<bool, MachineError> {
            Ok(address.offset == 0
                && layout::is_subtype(program, self.object(address.object)?.class, class)?)
        };
        if class == ClassId::ANY || fits(address)? {
            return Ok(address);
        }
        let mut place = self.root(address)?;
        loop {
            if fits(place)? {
                return Ok(place);
            }
            let mut deeper = None;
            for &(_, part) in &self.object(place.object)?.parts {
                let (_, offset) = self.object(part)?.outer.unwrap_or((part, 0));
                let begin = i64::from(offset);
                let extent = self.extent(program, part)?.max(1);
                if (begin..begin + extent).contains(&place.offset) {
                    deeper = Some(Address {
                        object: part,
                        offset: place.offset - begin,
                    });
                }
            }
            match deeper {
                Some(next) => place = next,
                None => break,
            }
        }
        // Inside of an array of such elements it is the array that counts.
        let is_array = |id: ObjectId| -> Result<bool, MachineError> {
            layout::is_subtype(program, self.object(id)?.class, class)
        };
        match is_array(place.object)? {
            true => Ok(place),
            false => self.root(address),
        }
    }

    /// Notes which objects lie inside of one that came from an input.
    pub fn embed_parts(&mut self, program: &Program, id: ObjectId) -> Result<(), MachineError> {
        let object = self.object(id)?;
        let inside = &program.class(object.class).inside;
        let indices: Vec<u32> = match inside.stride {
            Some(_) => (0..object.contents.len() as u32).collect(),
            None => inside.embedded.iter().map(|(field, _)| *field).collect(),
        };
        for index in indices {
            if let Some(Value::Pointer(inner)) = self.read(Slot { object: id, index })?.known()
                && inner.offset == 0
            {
                self.embed(program, inner.object, (id, index))?;
            }
        }
        Ok(())
    }

    /// A new object with default contents, and everything that is inside of it.
    pub fn build(
        &mut self,
        program: &Program,
        class: ClassId,
        length: Option<u32>,
    ) -> Result<ObjectId, MachineError> {
        let id = self.add(class, defaults(program, class, length)?)?;
        self.object_mut(id)?.allocated = program.raw == Some(class);
        self.build_parts(program, id)?;
        Ok(id)
    }

    /// The same, in the place of another object.
    pub(super) fn build_into(
        &mut self,
        program: &Program,
        id: ObjectId,
        class: ClassId,
        length: Option<u32>,
    ) -> Result<(), MachineError> {
        let contents = defaults(program, class, length)?;
        let object = self.object_mut(id)?;
        object.class = class;
        object.contents = contents;
        self.build_parts(program, id)
    }

    /// Makes the objects inside of a new one.
    fn build_parts(&mut self, program: &Program, id: ObjectId) -> Result<(), MachineError> {
        let object = self.object(id)?;
        let info = program.class(object.class);
        if info.inside.embedded.is_empty() && info.inside.stride.is_none() {
            return Ok(());
        }
        let sorts: Vec<Sort> = match &info.kind {
            ClassKind::Array { element } => vec![*element; object.contents.len()],
            ClassKind::Struct { .. } => {
                let fields = program.definitions.class(object.class).fields.iter();
                fields.map(|field| field.sort).collect()
            }
        };
        let embedded: Vec<(u32, Option<u32>)> = match info.inside.stride {
            Some(stride) => {
                // An element may be memory of its own without a type.
                let is_array = |sort: &Sort| match sort {
                    Sort::Ref(part) => {
                        matches!(program.class(*part).kind, ClassKind::Array { .. })
                    }
                    _ => false,
                };
                (0u32..)
                    .zip(&sorts)
                    .map(|(index, sort)| (index, is_array(sort).then_some(stride)))
                    .collect()
            }
            None => info.inside.embedded.clone(),
        };
        for (index, length) in embedded {
            let Some(&Sort::Ref(part)) = sorts.get(index as usize) else {
                return Err(MachineError::IllSorted);
            };
            let inner = self.build(program, part, length)?;
            self.embed(program, inner, (id, index))?;
            let hidden = program.class(part).inside.hidden.clone();
            for back in hidden {
                let slot = Slot {
                    object: inner,
                    index: back,
                };
                self.write(slot, V::of(Value::object(id)))?;
            }
            let slot = Slot { object: id, index };
            self.write(slot, V::of(Value::object(inner)))?;
        }
        Ok(())
    }
}

/// What a new object consists of: of a class with fields, or so many elements.
fn defaults<V: SlotValue>(
    program: &Program,
    class: ClassId,
    length: Option<u32>,
) -> Result<Vec<V>, MachineError> {
    let of = |sort| V::of(Value::default_of(sort));
    match (layout::kind(program, class)?, length) {
        (ClassKind::Array { element }, Some(length)) => Ok(vec![of(*element); length as usize]),
        (ClassKind::Struct { .. }, None) => {
            let fields = program.definitions.class(class).fields.iter();
            Ok(fields.map(|field| of(field.sort)).collect())
        }
        _ => Err(MachineError::WrongKind(class)),
    }
}

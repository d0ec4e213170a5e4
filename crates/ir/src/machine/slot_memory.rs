//! The memory under every domain: objects that are lists of slots, and the objects of globals.
//!
//! Domains differ in what is in a slot: an ordinary value, a term over the symbols of an input,
//! something that is not decided yet. They do not differ in what an object is, where its fields
//! lie, or what it means to free it. That is here, once, for any kind of value.
//!
//! A domain that copies its memory at every choice shares the objects that no copy has written to
//! ([`SharedMemory`]); the others own them.

use std::borrow::Borrow;
use std::rc::Rc;
use std::sync::Arc;

use heapwright_logic::{ClassId, Loc, Sort};

use super::layout::{self, Span};
use super::leaves::SlotValue;
use super::{Address, MachineError, ObjectId, Target};
use crate::global::GlobalId;
use crate::program::{ClassKind, Program};

/// An object or array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object<V> {
    /// Its class.
    pub class: ClassId,
    /// Its fields in the order of the class, or its elements.
    pub contents: Vec<V>,
    /// Whether it was freed. Its contents are those that it had then.
    pub freed: bool,
    /// Its name in the heap that it was imported from.
    pub origin: Option<Loc>,
    /// The object that it lies inside of, and how many bytes from its beginning.
    pub outer: Option<(ObjectId, u32)>,
    /// The objects inside of it, by the field or element that leads to them.
    pub parts: Vec<(u32, ObjectId)>,
    /// Whether it lies where memory without a type lies: at a multiple of what any type needs. All
    /// that is known of others is what their own type needs.
    pub allocated: bool,
}

/// A field or element of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The object.
    pub object: ObjectId,
    /// Number of the field or element.
    pub index: u32,
}

/// Where an access ends up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Located {
    /// Exactly this slot.
    Slot(Slot),
    /// Not inside the object.
    Outside,
    /// Parts of one or several slots, or of padding, of an outermost object.
    Bytes(ObjectId, Span),
}

/// How a memory keeps its objects: each for itself, or shared with copies of the memory.
pub trait Holder<V>: Borrow<Object<V>> {
    /// Keeps an object.
    fn holding(object: Object<V>) -> Self;

    /// The object for writing, which is no longer shared then.
    fn own(&mut self) -> &mut Object<V>;
}

impl<V> Holder<V> for Object<V> {
    fn holding(object: Object<V>) -> Self {
        object
    }

    fn own(&mut self) -> &mut Object<V> {
        self
    }
}

impl<V: Clone> Holder<V> for Rc<Object<V>> {
    fn holding(object: Object<V>) -> Self {
        Rc::new(object)
    }

    fn own(&mut self) -> &mut Object<V> {
        Rc::make_mut(self)
    }
}

/// All objects; never fewer than before, unless somebody goes back to an earlier time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SlotMemory<V, H = Object<V>> {
    objects: Vec<H>,
    /// The objects of the globals that were used so far, in the order of the globals. There are
    /// few, and copies seldom use others.
    globals: Arc<Vec<(GlobalId, ObjectId)>>,
    /// Names in the heap that objects were imported from which stand for no object.
    pub(super) reserved: Vec<Loc>,
    /// The kind of value is known by the objects alone.
    values: std::marker::PhantomData<V>,
}

/// A memory whose copies share the objects that none of them has written to.
pub type SharedMemory<V> = SlotMemory<V, Rc<Object<V>>>;

impl<V, H> Default for SlotMemory<V, H> {
    fn default() -> Self {
        SlotMemory {
            objects: Vec::new(),
            globals: Arc::default(),
            reserved: Vec::new(),
            values: std::marker::PhantomData,
        }
    }
}

impl<V, H: Holder<V>> SlotMemory<V, H> {
    /// The objects by id, freed ones included.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object<V>)> {
        (0..).map(ObjectId).zip(self.objects.iter().map(H::borrow))
    }

    /// The object behind an id.
    pub fn object(&self, id: ObjectId) -> Result<&Object<V>, MachineError> {
        let object = self.objects.get(id.index());
        object.map(H::borrow).ok_or(MachineError::NoObject(id))
    }

    /// The object behind an id, for writing.
    pub fn object_mut(&mut self, id: ObjectId) -> Result<&mut Object<V>, MachineError> {
        let object = self.objects.get_mut(id.index());
        object.map(H::own).ok_or(MachineError::NoObject(id))
    }

    /// How many objects there are, freed ones included.
    pub fn size(&self) -> usize {
        self.objects.len()
    }

    /// The name of the next object.
    pub fn next(&self) -> ObjectId {
        ObjectId(self.objects.len() as u32)
    }

    /// Adds an object with given contents.
    pub fn add(&mut self, class: ClassId, contents: Vec<V>) -> Result<ObjectId, MachineError> {
        let id = u32::try_from(self.objects.len()).map_err(|_| MachineError::TooManyObjects)?;
        self.objects.push(H::holding(Object {
            class,
            contents,
            freed: false,
            origin: None,
            outer: None,
            parts: Vec::new(),
            allocated: true,
        }));
        Ok(ObjectId(id))
    }

    /// Forgets all objects but the first few, for runs that start from the same memory again and
    /// again. Nothing must refer to the others any more.
    pub fn truncate(&mut self, size: usize) {
        self.objects.truncate(size);
        let is_kept = |&(_, object): &(GlobalId, ObjectId)| object.index() < size;
        if !self.globals.iter().all(is_kept) {
            Arc::make_mut(&mut self.globals).retain(is_kept);
        }
    }

    /// The globals that have objects, with these.
    pub fn globals(&self) -> impl Iterator<Item = (GlobalId, ObjectId)> {
        self.globals.iter().copied()
    }

    /// The object of a global, if it was used or imported.
    pub fn global(&self, id: GlobalId) -> Option<ObjectId> {
        let found = self.globals.binary_search_by_key(&id, |&(known, _)| known);
        found.ok().map(|index| self.globals[index].1)
    }

    /// Makes an object that of a global.
    pub fn place_global(&mut self, id: GlobalId, object: ObjectId) {
        let globals = Arc::make_mut(&mut self.globals);
        match globals.binary_search_by_key(&id, |&(known, _)| known) {
            Ok(index) => globals[index].1 = object,
            Err(index) => globals.insert(index, (id, object)),
        }
    }

    /// Whether an object is that of a global.
    pub fn is_global(&self, object: ObjectId) -> bool {
        self.globals.iter().any(|&(_, known)| known == object)
    }

    /// What an address stands for: freed objects are kept, so that their use is noticed.
    pub fn target(&self, address: Address) -> Result<Target, MachineError> {
        let mut object = self.object(address.object)?;
        while let Some((outer, _)) = object.outer {
            object = self.object(outer)?;
        }
        Ok(match object.freed {
            true => Target::Freed(address.object),
            false => Target::Object(address),
        })
    }

    /// Puts an object inside of another one, whose field or element leads to it.
    pub fn embed(
        &mut self,
        program: &Program,
        inner: ObjectId,
        (outer, index): (ObjectId, u32),
    ) -> Result<(), MachineError> {
        if inner == outer || self.object(inner)?.outer.is_some() {
            return Ok(());
        }
        let class = self.object(outer)?.class;
        let offset = match program.class(class).inside.stride {
            Some(stride) => stride.saturating_mul(index),
            None => layout::field_layout(program, class, index)?.offset,
        };
        self.object_mut(inner)?.outer = Some((outer, offset));
        self.object_mut(outer)?.parts.push((index, inner));
        Ok(())
    }

    /// The same place, seen from the outermost object that it lies in.
    pub fn root(&self, address: Address) -> Result<Address, MachineError> {
        let mut place = address;
        while let Some((outer, offset)) = self.object(place.object)?.outer {
            place = Address {
                object: outer,
                offset: place.offset.saturating_add(i64::from(offset)),
            };
        }
        Ok(place)
    }

    /// The bytes of an object.
    pub fn extent(&self, program: &Program, id: ObjectId) -> Result<i64, MachineError> {
        let object = self.object(id)?;
        let kind = layout::kind(program, object.class)?;
        if let Some(stride) = program.class(object.class).inside.stride {
            return Ok(object.contents.len() as i64 * i64::from(stride));
        }
        let mut end = layout::extent(kind, object.contents.len());
        // A flexible member lies behind the end that the class knows of.
        for &(field, length) in &program.class(object.class).inside.embedded {
            let mut parts = object.parts.iter();
            if length == Some(0)
                && let Some(&(_, part)) = parts.find(|part| part.0 == field)
            {
                let begin = layout::field_layout(program, object.class, field)?.offset;
                end = end.max(i64::from(begin) + self.extent(program, part)?);
            }
        }
        Ok(end)
    }

    /// The number of elements of an array; `None` if the address is not the beginning of one.
    pub fn length(
        &self,
        program: &Program,
        address: Address,
    ) -> Result<Option<usize>, MachineError> {
        let object = self.object(address.object)?;
        let kind = layout::kind(program, object.class)?;
        let is_array = address.offset == 0 && matches!(kind, ClassKind::Array { .. });
        Ok(is_array.then_some(object.contents.len()))
    }

    /// The address some bytes behind another one. Pointers may lead anywhere; what counts is where
    /// they are used.
    pub fn displaced(&self, address: Address, distance: i128) -> Option<Address> {
        let Address { object, offset } = address;
        let offset = i64::try_from(distance.saturating_add(i128::from(offset))).ok();
        offset.map(|offset| Address { object, offset })
    }

    /// How far apart the elements of an array lie that a reference of class `declared` leads to.
    pub fn element_width(
        &self,
        program: &Program,
        address: Address,
        declared: ClassId,
    ) -> Result<i128, MachineError> {
        let actual = self.object(address.object)?.class;
        for class in [declared, actual] {
            match layout::kind(program, class) {
                Ok(ClassKind::Array { element }) => {
                    let stride = program.class(class).inside.stride;
                    let width = stride.unwrap_or_else(|| layout::size_of(*element));
                    return Ok(i128::from(width));
                }
                Ok(ClassKind::Struct { size, .. }) if *size > 0 => return Ok(i128::from(*size)),
                _ => {}
            }
        }
        Err(MachineError::WrongKind(declared))
    }
}

impl<V: SlotValue, H: Holder<V>> SlotMemory<V, H> {
    /// Where the field of `class` lies that an address refers to.
    pub fn locate_field(
        &self,
        program: &Program,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Located, MachineError> {
        let object = self.object(address.object)?;
        // A subclass has the fields of its superclass first.
        if address.offset == 0 && layout::is_subtype(program, object.class, class)? {
            return match (field as usize) < object.contents.len() {
                true => Ok(Located::Slot(Slot {
                    object: address.object,
                    index: field,
                })),
                false => Err(MachineError::NoField { class, field }),
            };
        }
        let span = layout::field_span(program, class, field)?;
        let root = self.root(address)?;
        let start = root.offset.saturating_mul(8).saturating_add(span.start);
        self.locate(program, root.object, Span { start, ..span })
    }

    /// The address of a field, or of the object inside of it.
    pub fn field_address(
        &self,
        program: &Program,
        address: Address,
        class: ClassId,
        field: u32,
    ) -> Result<Option<Address>, MachineError> {
        let object = self.object(address.object)?;
        if address.offset == 0
            && layout::is_subtype(program, object.class, class)?
            && let Some(&(_, part)) = object.parts.iter().find(|(known, _)| *known == field)
        {
            return Ok(Some(Address {
                object: part,
                offset: 0,
            }));
        }
        let layout = layout::field_layout(program, class, field)?;
        let Some(place) = self.displaced(address, i128::from(layout.offset)) else {
            return Ok(None);
        };
        match program.definitions.class(class).fields.get(field as usize) {
            Some(known) if program.class(class).inside.embeds(field) => match known.sort {
                Sort::Ref(part) => Ok(Some(self.canonical(program, place, part)?)),
                _ => Ok(Some(place)),
            },
            _ => Ok(Some(place)),
        }
    }

    /// Where the element with an index lies, of elements of a sort, seen from an address.
    pub fn locate_element(
        &self,
        program: &Program,
        address: Address,
        index: i128,
        sort: Sort,
    ) -> Result<Located, MachineError> {
        let width = layout::size_of(sort);
        let distance = index.saturating_mul(i128::from(width));
        let object = self.object(address.object)?;
        let kind = layout::kind(program, object.class)?;
        // Nearly always it is an array of such elements, seen from its beginning.
        if let ClassKind::Array { element } = kind
            && layout::size_of(*element) == width
            && address.offset % i64::from(width) == 0
            && !program.class(object.class).inside.raw
            && program.class(object.class).inside.stride.is_none()
            && let Ok(at) = u32::try_from(index + i128::from(address.offset / i64::from(width)))
            && (at as usize) < object.contents.len()
        {
            return Ok(Located::Slot(Slot {
                object: address.object,
                index: at,
            }));
        }
        let root = self.root(address)?;
        let start = distance.saturating_add(i128::from(root.offset));
        let Ok(start) = i64::try_from(start.saturating_mul(8)) else {
            return Ok(Located::Outside);
        };
        let bits = width.saturating_mul(8);
        self.locate(program, root.object, Span { start, bits })
    }
}

impl<V: Copy, H: Holder<V>> SlotMemory<V, H> {
    /// What is in a slot.
    pub fn read(&self, slot: Slot) -> Result<V, MachineError> {
        let contents = &self.object(slot.object)?.contents;
        let content = contents.get(slot.index as usize).copied();
        content.ok_or(MachineError::NoObject(slot.object))
    }

    /// Puts a value into a slot.
    pub fn write(&mut self, slot: Slot, value: V) -> Result<(), MachineError> {
        let contents = &mut self.object_mut(slot.object)?.contents;
        let content = contents.get_mut(slot.index as usize);
        *content.ok_or(MachineError::NoObject(slot.object))? = value;
        Ok(())
    }
}

impl<V> SharedMemory<V> {
    /// Whether nothing was written or allocated since the other one was copied.
    pub fn is_copy_of(&self, other: &Self) -> bool {
        let mut pairs = self.objects.iter().zip(&other.objects);
        self.objects.len() == other.objects.len()
            && Arc::ptr_eq(&self.globals, &other.globals)
            && pairs.all(|(own, other)| Rc::ptr_eq(own, other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A copy sees what was there, and keeps it when the original is written to.
    #[test]
    fn copies_share_what_is_not_written() -> Result<(), MachineError> {
        let mut memory = SharedMemory::<u8>::default();
        let [first, second] = [1, 2].map(|value| memory.add(ClassId::ANY, vec![value]));
        let (first, second) = (first?, second?);
        memory.place_global(GlobalId(3), first);
        let copy = memory.clone();
        assert!(copy.is_copy_of(&memory));
        let slot = |object| Slot { object, index: 0 };
        memory.write(slot(second), 5)?;
        assert!(!copy.is_copy_of(&memory));
        assert_eq!(
            (copy.read(slot(second))?, memory.read(slot(second))?),
            (2, 5)
        );
        memory.place_global(GlobalId(1), second);
        assert_eq!(copy.globals().collect::<Vec<_>>(), [(GlobalId(3), first)]);
        let globals = [(GlobalId(1), second), (GlobalId(3), first)];
        assert_eq!(memory.globals().collect::<Vec<_>>(), globals);
        Ok(())
    }

    /// Going back to fewer objects takes the globals among the others along.
    #[test]
    fn an_earlier_time_has_no_later_globals() -> Result<(), MachineError> {
        let mut memory = SlotMemory::<u8>::default();
        for id in 0..3 {
            let object = memory.add(ClassId::ANY, Vec::new())?;
            memory.place_global(GlobalId(9 - id), object);
        }
        memory.truncate(1);
        assert_eq!(memory.size(), 1);
        assert_eq!(memory.global(GlobalId(9)), Some(ObjectId(0)));
        assert_eq!(memory.global(GlobalId(8)), None);
        Ok(())
    }
}

//! Reading and writing memory as bytes.
//!
//! Nearly every access is of one slot with a value of its own sort. C may look at the same bytes
//! differently: a float as an integer, a number byte by byte, several fields at once, a union by
//! another member. Such accesses go through the bits, in little-endian order; padding reads as
//! zeros and keeps nothing.
//!
//! Pointers have no bits that anybody knows. A byte of one is a [`Value::Fragment`]; eight of them
//! in order are the pointer again. Where a value has no place among the slots that are there, the
//! object becomes one without a type, whose bytes can hold anything ([`Inside::raw`]).
//!
//! [`Inside::raw`]: crate::Inside

use heapwright_logic::{ClassId, FloatType, IntType, Sort};

use super::bits::{WIDE, ones, unsigned};
use super::concrete::Value;
use super::layout::{self, Span};
use super::leaves::{Leaf, SlotValue};
use super::slot_memory::{Holder, Located, Slot, SlotMemory};
use super::{Address, MachineError, ObjectId};
use crate::instruction::Arithmetic;
use crate::program::{ClassKind, Program};

/// Numbers of a domain, as far as bytes need them.
pub trait Numbers<V> {
    /// The sort of a value that is not known; `None` if it has none.
    fn sort(&self, value: V) -> Option<Sort>;

    /// A number as one of another sort, as in a conversion of the language.
    fn convert(&mut self, value: V, from: Sort, to: Sort) -> Option<V>;

    /// Arithmetic on unsigned numbers of 64 bits.
    fn compute(&mut self, op: Arithmetic, a: V, b: V) -> Option<V>;
}

/// The numbers of concrete values, which are all known.
#[derive(Clone, Copy, Debug)]
pub struct KnownNumbers;

impl Numbers<Value> for KnownNumbers {
    fn sort(&self, _: Value) -> Option<Sort> {
        None
    }

    fn convert(&mut self, value: Value, from: Sort, to: Sort) -> Option<Value> {
        super::concrete::arithmetic::unary(crate::UnaryOp::Convert(to), from, value)
    }

    fn compute(&mut self, op: Arithmetic, a: Value, b: Value) -> Option<Value> {
        let op = crate::BinaryOp::Int(IntType::U64, op);
        super::concrete::arithmetic::binary(op, a, b)
    }
}

/// A memory with what it takes to look at its bytes.
pub struct Bytes<'m, V, H, N> {
    /// The memory.
    pub memory: &'m mut SlotMemory<V, H>,
    /// The program.
    pub program: &'m Program,
    /// The numbers.
    pub numbers: N,
}

impl<V: SlotValue, H: Holder<V>, N: Numbers<V>> Bytes<'_, V, H, N> {
    /// Reads a value of a sort.
    pub fn read(&mut self, place: Located, sort: Sort) -> Result<V, MachineError> {
        match place {
            Located::Slot(slot) => {
                let value = self.memory.read(slot)?;
                let mixed = MachineError::MixedAccess(slot.object);
                let from = self.slot_sort(slot)?;
                self.reinterpret(value, from, sort).ok_or(mixed)
            }
            Located::Bytes(root, span) => self.read_span(root, span, sort),
            Located::Outside => Err(MachineError::IllSorted),
        }
    }

    /// Writes a value of a sort.
    pub fn write(&mut self, place: Located, sort: Sort, value: V) -> Result<(), MachineError> {
        let (root, span) = match place {
            Located::Slot(slot) => {
                let own = self.slot_sort(slot)?;
                if let Some(own) = own {
                    let is_kept = own != Sort::Bool || self.is_truth(value, sort);
                    if is_kept
                        && let Some(value) = self.reinterpret(value, Some(sort), own)
                        && value.known().is_none_or(|known| known.has_sort(own))
                    {
                        return self.memory.write(slot, value);
                    }
                } else if layout::size_of(sort) == 1 && !self.is_head(slot)? {
                    return self.memory.write(slot, value);
                }
                let (root, leaf) = self.leaf_of(slot)?;
                (root, leaf.span)
            }
            Located::Bytes(root, span) => (root, span),
            Located::Outside => return Err(MachineError::IllSorted),
        };
        let leaves = self.memory.leaves(self.program, root, span)?;
        let is_aligned = span.start % 8 == 0 && span.bits % 8 == 0;
        let in_raw = match leaves[..] {
            [] => return Ok(()),
            [first, ..] => leaves
                .iter()
                .all(|leaf| leaf.sort.is_none() && leaf.slot.object == first.slot.object),
        };
        if in_raw && is_aligned {
            return self.write_raw(root, span, value);
        }
        let covers = |leaf: &Leaf| span.start <= leaf.span.start && leaf.span.end() <= span.end();
        let is_number = |value: Option<Value>| {
            !matches!(
                value,
                Some(Value::Pointer(_) | Value::Wild(_) | Value::Fragment(..))
            )
        };
        let mut all_numbers = is_number(value.known()) && value.known() != Some(Value::Undefined);
        for leaf in &leaves {
            let old = self.memory.read(leaf.slot)?;
            let is_reference = leaf.sort.is_some_and(Sort::is_ref);
            all_numbers &= (is_number(old.known()) || covers(leaf)) && !is_reference;
            // A byte that is no truth value stays what it is until somebody reads it.
            all_numbers &= leaf.sort != Some(Sort::Bool) || self.is_truth(value, sort);
        }
        if all_numbers && let Some(bits) = self.number(value, Some(sort)) {
            for leaf in leaves {
                self.insert(leaf, span, bits)?;
            }
            return Ok(());
        }
        self.make_raw(root)?;
        match is_aligned {
            true => self.write_raw(root, span, value),
            false => Err(MachineError::MixedAccess(root)),
        }
    }

    /// The byte in a place that a truth value is to be read from, if it is not known to be one.
    pub fn truth_byte(&mut self, place: Located) -> Result<Option<V>, MachineError> {
        if let Located::Slot(slot) = place {
            let value = self.memory.read(slot)?;
            let is_truth = match value.known() {
                Some(Value::Bool(_) | Value::Undefined | Value::Int(0 | 1)) => true,
                Some(_) => false,
                None => self.numbers.sort(value) == Some(Sort::Bool),
            };
            if is_truth {
                return Ok(None);
            }
        }
        let byte = self.read(place, Sort::Machine(IntType::U8))?;
        Ok(match byte.known() {
            Some(Value::Undefined | Value::Int(0 | 1)) => None,
            _ => Some(byte),
        })
    }

    /// Copies bytes; what is read is read before anything is written.
    pub fn copy(&mut self, to: Address, from: Address, count: i64) -> Result<(), MachineError> {
        let (to, from) = (self.memory.root(to)?, self.memory.root(from)?);
        let wanted = bytes(from.offset, count);
        let mut read: Vec<(i64, u32, Sort, V)> = Vec::new();
        for leaf in self.memory.leaves(self.program, from.object, wanted)? {
            let whole = wanted.start <= leaf.span.start && leaf.span.end() <= wanted.end();
            let is_bytes = leaf.span.start % 8 == 0 && leaf.span.bits % 8 == 0;
            if whole && is_bytes {
                let value = self.memory.read(leaf.slot)?;
                let sort = self.sort_of(value, leaf);
                read.push((leaf.span.start - wanted.start, leaf.span.bits, sort, value));
                continue;
            }
            let first = leaf.span.start.max(wanted.start).div_euclid(8);
            let last = (leaf.span.end().min(wanted.end()) + 7).div_euclid(8);
            for byte in first..last {
                let at = byte * 8 - wanted.start;
                if read.iter().any(|known| known.0 == at) {
                    continue;
                }
                let sort = Sort::Machine(IntType::U8);
                let value = self.read_span(from.object, bytes(byte, 1), sort)?;
                read.push((at, 8, sort, value));
            }
        }
        let target = bytes(to.offset, count);
        for (at, bits, sort, value) in read {
            let span = Span {
                start: target.start + at,
                bits,
            };
            self.write_span(to.object, span, sort, value)?;
        }
        Ok(())
    }

    /// Gives bytes a value, or takes their values away.
    pub fn fill(&mut self, to: Address, value: Option<V>, count: i64) -> Result<(), MachineError> {
        let to = self.memory.root(to)?;
        let wanted = bytes(to.offset, count);
        let zero = matches!(value.map(V::known), Some(Some(Value::Int(0))));
        let leaves = self.memory.leaves(self.program, to.object, wanted)?;
        for leaf in &leaves {
            let whole = wanted.start <= leaf.span.start && leaf.span.end() <= wanted.end();
            match (value, leaf.sort) {
                (None, Some(_)) if whole => {
                    self.memory.write(leaf.slot, V::of(Value::Undefined))?;
                }
                (Some(_), Some(sort)) if whole && zero => {
                    let zero = V::of(Value::default_of(sort));
                    self.memory.write(leaf.slot, zero)?;
                }
                _ => {
                    let first = leaf.span.start.max(wanted.start).div_euclid(8);
                    let last = (leaf.span.end().min(wanted.end()) + 7).div_euclid(8);
                    let byte = value.unwrap_or(V::of(Value::Undefined));
                    for at in first..last {
                        let sort = Sort::Machine(IntType::U8);
                        self.write_span(to.object, bytes(at, 1), sort, byte)?;
                    }
                }
            }
        }
        Ok(())
    }

    pub(super) fn write_span(
        &mut self,
        root: ObjectId,
        span: Span,
        sort: Sort,
        value: V,
    ) -> Result<(), MachineError> {
        let place = self.memory.locate(self.program, root, span)?;
        match place {
            Located::Outside => Err(MachineError::MixedAccess(root)),
            place => self.write(place, sort, value),
        }
    }

    pub(super) fn read_span(
        &mut self,
        root: ObjectId,
        span: Span,
        sort: Sort,
    ) -> Result<V, MachineError> {
        let mixed = MachineError::MixedAccess(root);
        let leaves = self.memory.leaves(self.program, root, span)?;
        if let Some(pointer) = self.joined(&leaves, span)? {
            return self.reinterpret(pointer, None, sort).ok_or(mixed);
        }
        let mut sum = V::of(Value::Int(0));
        for leaf in leaves {
            let value = self.memory.read(leaf.slot)?;
            if leaf.span == span {
                return self.reinterpret(value, leaf.sort, sort).ok_or(mixed);
            }
            match value.known() {
                Some(Value::Undefined) => return Ok(value),
                Some(Value::Pointer(address)) if span.bits == 8 => {
                    let byte = (span.start - leaf.span.start) / 8;
                    return Ok(V::of(Value::Fragment(address, byte as u8)));
                }
                _ => {}
            }
            let part = self.part_of(value, leaf, span);
            let joined = part.and_then(|part| self.numbers.compute(Arithmetic::Or, sum, part));
            sum = joined.ok_or(mixed.clone())?;
        }
        self.of_bits(sum, sort, span.bits).ok_or(mixed)
    }

    /// The pointer that bytes are which were copied one by one.
    fn joined(&self, leaves: &[Leaf], span: Span) -> Result<Option<V>, MachineError> {
        if span.bits != 64 || leaves.len() != 8 {
            return Ok(None);
        }
        let mut found = None;
        for (byte, leaf) in (0u8..).zip(leaves) {
            match self.memory.read(leaf.slot)?.known() {
                Some(Value::Fragment(address, at)) if at == byte && leaf.span.bits == 8 => {
                    if found.is_some_and(|known| known != address) {
                        return Ok(None);
                    }
                    found = Some(address);
                }
                _ => return Ok(None),
            }
        }
        Ok(found.map(|address| V::of(Value::Pointer(address))))
    }

    /// The bits of a leaf that lie in a run of bits, as a number that has them there.
    fn part_of(&mut self, value: V, leaf: Leaf, wanted: Span) -> Option<V> {
        let number = self.number(value, leaf.sort)?;
        let begin = leaf.span.start.max(wanted.start);
        let end = leaf.span.end().min(wanted.end());
        let down = self.shift(Arithmetic::UShr, number, begin - leaf.span.start)?;
        let masked = self.masked(down, (end - begin) as u32)?;
        self.shift(Arithmetic::Shl, masked, begin - wanted.start)
    }

    /// Puts the bits of a number that lie in a leaf there.
    fn insert(&mut self, leaf: Leaf, span: Span, bits: V) -> Result<(), MachineError> {
        let mixed = MachineError::MixedAccess(leaf.slot.object);
        let old = self.memory.read(leaf.slot)?;
        let new = self.inserted(leaf, span, bits, old).ok_or(mixed)?;
        self.memory.write(leaf.slot, new)
    }

    fn inserted(&mut self, leaf: Leaf, span: Span, bits: V, old: V) -> Option<V> {
        let begin = leaf.span.start.max(span.start);
        let end = leaf.span.end().min(span.end());
        let count = (end - begin) as u32;
        let down = self.shift(Arithmetic::UShr, bits, begin - span.start)?;
        let masked = self.masked(down, count)?;
        let new = self.shift(Arithmetic::Shl, masked, begin - leaf.span.start)?;
        let joined = if begin == leaf.span.start && end == leaf.span.end() {
            new
        } else {
            let old = match old.known() {
                Some(Value::Undefined) => V::of(Value::Int(0)),
                _ => self.number(old, leaf.sort)?,
            };
            let old = self.masked(old, leaf.span.bits)?;
            let hole = ones(count) << (begin - leaf.span.start);
            let rest = V::of(Value::Int(i128::from(!(hole as u64))));
            let kept = self.numbers.compute(Arithmetic::And, old, rest)?;
            self.numbers.compute(Arithmetic::Or, kept, new)?
        };
        let sort = leaf.sort.unwrap_or(WIDE);
        self.of_bits(joined, sort, leaf.span.bits)
    }

    /// Whether a value is one of the two that a truth value can be, as far as that is known.
    fn is_truth(&self, value: V, sort: Sort) -> bool {
        match value.known() {
            Some(Value::Int(number)) => (0..=1).contains(&number),
            Some(_) => true,
            None => sort == Sort::Bool,
        }
    }

    fn leaf_of(&self, slot: Slot) -> Result<(ObjectId, Leaf), MachineError> {
        let object = Address {
            object: slot.object,
            offset: 0,
        };
        let root = self.memory.root(object)?;
        let size = self.memory.extent(self.program, root.object)?;
        let leaves = self
            .memory
            .leaves(self.program, root.object, bytes(0, size))?;
        let found = leaves.into_iter().find(|leaf| leaf.slot == slot);
        let leaf = found.ok_or(MachineError::MixedAccess(slot.object))?;
        Ok((root.object, leaf))
    }

    /// The sort of a slot; `None` in memory without a type.
    fn slot_sort(&self, slot: Slot) -> Result<Option<Sort>, MachineError> {
        let class = self.memory.object(slot.object)?.class;
        Ok(match layout::kind(self.program, class)? {
            ClassKind::Array { element } => {
                (!self.program.class(class).inside.raw).then_some(*element)
            }
            ClassKind::Struct { .. } => {
                let fields = &self.program.definitions.class(class).fields;
                fields.get(slot.index as usize).map(|field| field.sort)
            }
        })
    }

    fn sort_of(&self, value: V, leaf: Leaf) -> Sort {
        leaf.sort
            .unwrap_or_else(|| self.raw_sort(value, leaf.span.bits))
    }

    pub(super) fn raw_sort(&self, value: V, bits: u32) -> Sort {
        match value.known() {
            Some(Value::Null | Value::Pointer(_) | Value::Wild(_)) => Sort::Ref(ClassId::ANY),
            Some(Value::Single(_)) => Sort::Float(FloatType::Single),
            Some(Value::Double(_)) => Sort::Float(FloatType::Double),
            Some(_) => unsigned(bits),
            None => self.numbers.sort(value).unwrap_or_else(|| unsigned(bits)),
        }
    }
}

/// A run of bytes.
pub fn bytes(start: i64, count: i64) -> Span {
    Span {
        start: start.saturating_mul(8),
        bits: u32::try_from(count.saturating_mul(8)).unwrap_or(u32::MAX),
    }
}

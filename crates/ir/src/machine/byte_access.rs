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

const WIDE: Sort = Sort::Machine(IntType::U64);

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
                    if let Some(value) = self.reinterpret(value, Some(sort), own)
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

    /// Gives memory without a type the type that it is used with: one object of a class, or as many
    /// as it has room for. Nothing happens where it does not fit.
    pub fn adopt(&mut self, address: Address, class: ClassId) -> Result<(), MachineError> {
        let object = self.memory.object(address.object)?;
        let is_raw = Some(object.class) == self.program.raw;
        if !is_raw || address.offset != 0 || object.outer.is_some() || object.freed {
            return Ok(());
        }
        let Some(info) = self.program.classes.get(class.index()) else {
            return Ok(());
        };
        let size = object.contents.len() as u64;
        let (class, length) = match &info.kind {
            ClassKind::Array { element } => {
                let width = info
                    .inside
                    .stride
                    .unwrap_or_else(|| layout::size_of(*element));
                match u64::from(width) {
                    width if width > 0 && size.is_multiple_of(width) => {
                        (class, Some((size / width) as u32))
                    }
                    _ => return Ok(()),
                }
            }
            ClassKind::Struct { size: own, .. } => match u64::from(*own) {
                own if own == size => (class, None),
                own if own > 0 && size > own && size.is_multiple_of(own) => {
                    match self.program.array_of(class) {
                        Some(array) => (array, Some((size / own) as u32)),
                        None => return Ok(()),
                    }
                }
                _ => return Ok(()),
            },
        };
        let old = self.memory.object(address.object)?.contents.clone();
        self.memory
            .build_into(self.program, address.object, class, length)?;
        let span = bytes(0, size as i64);
        let is_undefined = |value: &V| value.known() == Some(Value::Undefined);
        if old.iter().all(is_undefined) {
            return self.fill(address, None, size as i64);
        }
        let is_zero = |value: &V| value.known() == Some(Value::Int(0));
        if old.iter().all(is_zero) {
            return Ok(());
        }
        // What was in it is put back, by whatever it takes.
        let mut at = 0;
        while at < old.len() {
            let value = old[at];
            let mut next = at + 1;
            while next < old.len() && old[next].known() == Some(Value::Tail) {
                next += 1;
            }
            let part = bytes(at as i64, (next - at) as i64);
            let sort = self.raw_sort(value, part.bits);
            if part.end() <= span.end() {
                self.write_span(address.object, part, sort, value)?;
            }
            at = next;
        }
        Ok(())
    }

    fn write_span(
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

    fn read_span(&mut self, root: ObjectId, span: Span, sort: Sort) -> Result<V, MachineError> {
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

    /// Writes a value into memory without a type.
    fn write_raw(&mut self, root: ObjectId, span: Span, value: V) -> Result<(), MachineError> {
        for leaf in self.memory.leaves(self.program, root, span)? {
            let covered = span.start <= leaf.span.start && leaf.span.end() <= span.end();
            if !covered {
                self.split(leaf)?;
            }
        }
        let leaves = self.memory.leaves(self.program, root, span)?;
        let Some(first) = leaves.first() else {
            return Err(MachineError::MixedAccess(root));
        };
        let Slot { object, index } = first.slot;
        for (at, index) in (index..).take((span.bits / 8) as usize).enumerate() {
            let content = match at {
                0 => value,
                _ => V::of(Value::Tail),
            };
            self.memory.write(Slot { object, index }, content)?;
        }
        Ok(())
    }

    /// Takes a value of several bytes apart.
    fn split(&mut self, leaf: Leaf) -> Result<(), MachineError> {
        let value = self.memory.read(leaf.slot)?;
        let Slot { object, index } = leaf.slot;
        for byte in 0..leaf.span.bits / 8 {
            let content = match value.known() {
                Some(Value::Undefined) => V::of(Value::Undefined),
                Some(Value::Pointer(address)) => V::of(Value::Fragment(address, byte as u8)),
                _ => {
                    let number = self.number(value, None);
                    let down = number.and_then(|number| {
                        self.shift(Arithmetic::UShr, number, i64::from(byte) * 8)
                    });
                    let masked = down.and_then(|down| self.masked(down, 8));
                    masked.ok_or(MachineError::MixedAccess(object))?
                }
            };
            let index = index + byte;
            self.memory.write(Slot { object, index }, content)?;
        }
        Ok(())
    }

    /// Makes an outermost object one without a type.
    fn make_raw(&mut self, root: ObjectId) -> Result<(), MachineError> {
        let raw = self.program.raw.ok_or(MachineError::MixedAccess(root))?;
        if self.memory.object(root)?.class == raw {
            return Ok(());
        }
        let size = self.memory.extent(self.program, root)?;
        let span = bytes(0, size);
        let leaves = self.memory.leaves(self.program, root, span)?;
        let mut contents = vec![V::of(Value::Int(0)); size as usize];
        let mut apart = Vec::new();
        for leaf in leaves {
            if leaf.span.start % 8 != 0 || leaf.span.bits % 8 != 0 {
                let first = leaf.span.start.div_euclid(8);
                apart.extend(first..(leaf.span.end() + 7).div_euclid(8));
                continue;
            }
            let first = (leaf.span.start / 8) as usize;
            contents[first] = self.memory.read(leaf.slot)?;
            for tail in contents
                .iter_mut()
                .skip(first + 1)
                .take((leaf.span.bits / 8) as usize - 1)
            {
                *tail = V::of(Value::Tail);
            }
        }
        for byte in apart {
            let sort = Sort::Machine(IntType::U8);
            contents[byte as usize] = self.read_span(root, bytes(byte, 1), sort)?;
        }
        let mut pending = vec![root];
        while let Some(id) = pending.pop() {
            let object = self.memory.object_mut(id)?;
            pending.extend(object.parts.drain(..).map(|(_, part)| part));
            object.class = raw;
            object.contents.clear();
        }
        self.memory.object_mut(root)?.contents = contents;
        Ok(())
    }

    fn is_head(&self, slot: Slot) -> Result<bool, MachineError> {
        let next = self
            .memory
            .object(slot.object)?
            .contents
            .get(slot.index as usize + 1);
        Ok(next.and_then(|next| next.known()) == Some(Value::Tail))
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

    fn raw_sort(&self, value: V, bits: u32) -> Sort {
        match value.known() {
            Some(Value::Null | Value::Pointer(_) | Value::Wild(_)) => Sort::Ref(ClassId::ANY),
            Some(Value::Single(_)) => Sort::Float(FloatType::Single),
            Some(Value::Double(_)) => Sort::Float(FloatType::Double),
            Some(_) => unsigned(bits),
            None => self.numbers.sort(value).unwrap_or_else(|| unsigned(bits)),
        }
    }

    /// A value with the same bits, of another sort of the same size.
    fn reinterpret(&mut self, value: V, from: Option<Sort>, to: Sort) -> Option<V> {
        let Some(known) = value.known() else {
            let from = from.or_else(|| self.numbers.sort(value))?;
            return match (from, to) {
                _ if from == to => Some(value),
                (Sort::Ref(_), Sort::Ref(_)) => Some(value),
                (Sort::Machine(_) | Sort::Bool, Sort::Machine(_)) => {
                    self.numbers.convert(value, from, to)
                }
                (Sort::Machine(_), Sort::Bool) => self.numbers.convert(value, from, to),
                _ => None,
            };
        };
        match (known, to) {
            (Value::Undefined, _) => Some(value),
            _ if known.has_sort(to) => Some(value),
            (Value::Null, Sort::Machine(_)) => Some(V::of(Value::Int(0))),
            (Value::Pointer(_) | Value::Fragment(..), _) => None,
            (Value::Wild(number), Sort::Machine(ty)) => {
                Some(V::of(Value::Int(ty.wrap(number.into()))))
            }
            (Value::Int(0), Sort::Ref(_)) => Some(V::of(Value::Null)),
            (Value::Int(number), Sort::Ref(_)) => Some(V::of(Value::Wild(number as i64))),
            _ => from_bits(to_bits(known)?, to).map(V::of),
        }
    }

    /// The bits of a value as an unsigned number; those above its own are arbitrary.
    fn number(&mut self, value: V, sort: Option<Sort>) -> Option<V> {
        match value.known() {
            Some(known) => Some(V::of(Value::Int(i128::from(to_bits(known)?)))),
            None => match sort.or_else(|| self.numbers.sort(value))? {
                from @ (Sort::Machine(_) | Sort::Bool) => self.numbers.convert(value, from, WIDE),
                _ => None,
            },
        }
    }

    /// The value of a sort that has these low bits.
    fn of_bits(&mut self, bits: V, sort: Sort, count: u32) -> Option<V> {
        let narrow = match sort {
            Sort::Machine(ty) if count < ty.bits() => Some(ty.signed()),
            _ => None,
        };
        let mut bits = bits;
        if let Some(signed) = narrow {
            let up = i64::from(64 - count);
            bits = match signed {
                false => self.masked(bits, count)?,
                true => {
                    let high = self.shift(Arithmetic::Shl, bits, up)?;
                    let signed = Sort::Machine(IntType::I64);
                    let high = self.numbers.convert(high, WIDE, signed)?;
                    // Division towards minus infinity by a power of two is a shift.
                    return self.arithmetic_shift(high, up, sort);
                }
            };
        }
        match bits.known() {
            Some(Value::Int(number)) => from_bits(number as u64, sort).map(V::of),
            Some(_) => None,
            None => match sort {
                Sort::Machine(IntType::U64) => Some(bits),
                Sort::Machine(_) => self.numbers.convert(bits, WIDE, sort),
                Sort::Bool => {
                    let low = self.masked(bits, 8)?;
                    self.numbers.convert(low, WIDE, Sort::Bool)
                }
                _ => None,
            },
        }
    }

    fn arithmetic_shift(&mut self, value: V, by: i64, sort: Sort) -> Option<V> {
        match value.known() {
            Some(Value::Int(number)) => {
                let Sort::Machine(ty) = sort else {
                    return None;
                };
                Some(V::of(Value::Int(ty.wrap(number >> by))))
            }
            Some(_) => None,
            None => {
                // (x - 2^(n-1)) after flipping the sign bit is what the signed number is.
                let down = self
                    .numbers
                    .convert(value, Sort::Machine(IntType::I64), WIDE)?;
                let down = self.shift(Arithmetic::UShr, down, by)?;
                let sign = V::of(Value::Int(1 << (63 - by)));
                let flipped = self.numbers.compute(Arithmetic::Xor, down, sign)?;
                let number = self.numbers.compute(Arithmetic::Sub, flipped, sign)?;
                self.numbers.convert(number, WIDE, sort)
            }
        }
    }

    fn shift(&mut self, op: Arithmetic, value: V, by: i64) -> Option<V> {
        match by {
            0 => Some(value),
            64.. => Some(V::of(Value::Int(0))),
            _ => {
                let by = V::of(Value::Int(by.into()));
                self.numbers.compute(op, value, by)
            }
        }
    }

    fn masked(&mut self, value: V, bits: u32) -> Option<V> {
        match bits {
            64.. => Some(value),
            _ => {
                let mask = V::of(Value::Int(ones(bits)));
                self.numbers.compute(Arithmetic::And, value, mask)
            }
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

fn ones(bits: u32) -> i128 {
    match bits {
        64.. => i128::from(u64::MAX),
        _ => (1 << bits) - 1,
    }
}

fn unsigned(bits: u32) -> Sort {
    Sort::Machine(match bits {
        ..=8 => IntType::U8,
        9..=16 => IntType::U16,
        17..=32 => IntType::U32,
        _ => IntType::U64,
    })
}

/// The bits of a number or of null; numbers of fewer bits are extended in some way.
fn to_bits(value: Value) -> Option<u64> {
    match value {
        Value::Bool(value) => Some(u64::from(value)),
        Value::Int(value) => Some(value as u64),
        Value::Single(bits) => Some(u64::from(bits)),
        Value::Double(bits) => Some(bits),
        Value::Null => Some(0),
        Value::Wild(number) => Some(number as u64),
        Value::Pointer(_) | Value::Undefined | Value::Tail | Value::Fragment(..) => None,
    }
}

/// The value of a sort that has these bits; null has none set.
fn from_bits(bits: u64, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Bool => Some(Value::Bool(bits & 0xff != 0)),
        Sort::Machine(ty) => Some(Value::Int(ty.wrap(i128::from(bits)))),
        Sort::Float(FloatType::Single) => Some(Value::Single(bits as u32)),
        Sort::Float(FloatType::Double) => Some(Value::Double(bits)),
        Sort::Ref(_) if bits == 0 => Some(Value::Null),
        Sort::Ref(_) => Some(Value::Wild(bits as i64)),
        Sort::Int => None,
    }
}

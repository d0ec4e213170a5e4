//! Memory without a type, whose bytes can hold the beginning of any value.

use heapwright_logic::{ClassId, IntType, Sort};

use super::byte_access::{Bytes, Numbers, bytes};
use super::concrete::Value;
use super::layout::{self, Span};
use super::leaves::{Leaf, SlotValue};
use super::slot_memory::{Holder, Slot};
use super::{Address, MachineError, ObjectId};
use crate::instruction::Arithmetic;
use crate::program::ClassKind;

impl<V: SlotValue, H: Holder<V>, N: Numbers<V>> Bytes<'_, V, H, N> {
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

    /// Writes a value into memory without a type.
    pub(super) fn write_raw(
        &mut self,
        root: ObjectId,
        span: Span,
        value: V,
    ) -> Result<(), MachineError> {
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
    pub(super) fn make_raw(&mut self, root: ObjectId) -> Result<(), MachineError> {
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

    pub(super) fn is_head(&self, slot: Slot) -> Result<bool, MachineError> {
        let next = self
            .memory
            .object(slot.object)?
            .contents
            .get(slot.index as usize + 1);
        Ok(next.and_then(|next| next.known()) == Some(Value::Tail))
    }
}

//! Canonical numbering: objects are numbered in the order in which a walk from the roots first
//! meets them.
//!
//! Fields have an order, so the numbers depend on nothing but the shape, and a heap that is written
//! down with numbers instead of addresses is a key: isomorphic heaps have the same one. Who walks
//! decides what is an object and which fields count; [`Numbering::take_next`] makes the walk breadth
//! first, a stack of one's own makes it depth first. [`KeyWriter`] writes keys.

use std::hash::Hash;

use rustc_hash::FxHashMap;

/// Where numbers are kept.
pub trait NumberTable<I> {
    /// The number of an object that has one.
    fn number_of(&self, object: I) -> Option<u32>;

    /// Gives an object a number.
    fn set(&mut self, object: I, number: u32);
}

impl<I: Eq + Hash> NumberTable<I> for FxHashMap<I, u32> {
    fn number_of(&self, object: I) -> Option<u32> {
        self.get(&object).copied()
    }

    fn set(&mut self, object: I, number: u32) {
        self.insert(object, number);
    }
}

/// Numbers of objects that are small numbers themselves: a walk through thousands of small heaps
/// has no time for hashing.
#[derive(Clone, Debug, Default)]
pub struct DenseTable(Vec<Option<std::num::NonZeroU32>>);

impl NumberTable<u32> for DenseTable {
    fn number_of(&self, object: u32) -> Option<u32> {
        let number = self.0.get(object as usize).copied().flatten();
        number.map(|number| number.get() - 1)
    }

    fn set(&mut self, object: u32, number: u32) {
        let index = object as usize;
        if index >= self.0.len() {
            self.0.resize(index + 1, None);
        }
        self.0[index] = std::num::NonZeroU32::new(number + 1);
    }
}

impl DenseTable {
    fn clear(&mut self, objects: usize) {
        self.0.clear();
        self.0.resize(objects, None);
    }
}

/// The objects that were met so far.
#[derive(Clone, Debug)]
pub struct Numbering<I, T = FxHashMap<I, u32>> {
    numbers: T,
    order: Vec<I>,
    next: usize,
}

impl<I, T: Default> Default for Numbering<I, T> {
    fn default() -> Self {
        Numbering {
            numbers: T::default(),
            order: Vec::new(),
            next: 0,
        }
    }
}

impl<I: Copy, T: NumberTable<I>> Numbering<I, T> {
    /// The number of an object, which is the next one if it was not met before.
    pub fn meet(&mut self, object: I) -> u32 {
        if let Some(number) = self.numbers.number_of(object) {
            return number;
        }
        let number = self.order.len() as u32;
        self.numbers.set(object, number);
        self.order.push(object);
        number
    }

    /// The number of an object that was met.
    pub fn number_of(&self, object: I) -> Option<u32> {
        self.numbers.number_of(object)
    }

    /// The objects that were met, in order.
    pub fn order(&self) -> &[I] {
        &self.order
    }

    /// The first object that was met and was not returned before; `None` if all were.
    pub fn take_next(&mut self) -> Option<I> {
        let object = self.order.get(self.next).copied()?;
        self.next += 1;
        Some(object)
    }

    /// Lets [`Numbering::take_next`] return all objects once more.
    pub fn rewind(&mut self) {
        self.next = 0;
    }
}

impl Numbering<u32, DenseTable> {
    /// Forgets all objects and makes room for as many.
    pub fn clear(&mut self, objects: usize) {
        self.numbers.clear(objects);
        self.order.clear();
        self.next = 0;
    }
}

/// Writes keys.
#[derive(Clone, Debug, Default)]
pub struct KeyWriter {
    /// What is written.
    pub bytes: Vec<u8>,
}

impl KeyWriter {
    /// A number takes seven bits of each byte; the high bit says that more follow.
    pub fn number(&mut self, mut number: u128) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    /// An integer of few bytes if it is near to zero, above or below.
    pub fn integer(&mut self, integer: i128) {
        self.number(((integer << 1) ^ (integer >> 127)) as u128);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Objects are numbers here, each of which leads to others.
    fn breadth_first<T: NumberTable<u32> + Default>(leads_to: &[&[u32]], root: u32) -> Vec<u32> {
        let mut numbering: Numbering<u32, T> = Numbering::default();
        assert_eq!(numbering.meet(root), 0);
        while let Some(object) = numbering.take_next() {
            for &other in leads_to[object as usize] {
                let number = numbering.meet(other);
                assert_eq!(numbering.number_of(other), Some(number));
                assert_eq!(numbering.order()[number as usize], other);
            }
        }
        numbering.order().to_vec()
    }

    #[test]
    fn both_tables_number_in_the_order_of_the_walk() {
        let leads_to: [&[u32]; 6] = [&[3, 1], &[], &[2], &[5, 0, 1], &[0], &[1, 4]];
        let order = [0, 3, 1, 5, 4];
        assert_eq!(breadth_first::<FxHashMap<u32, u32>>(&leads_to, 0), order);
        assert_eq!(breadth_first::<DenseTable>(&leads_to, 0), order);
    }

    #[test]
    fn small_integers_take_one_byte() {
        let written = |integer| {
            let mut writer = KeyWriter::default();
            writer.integer(integer);
            writer.bytes
        };
        assert_eq!(written(-64), [0x7f]);
        assert_eq!(written(64), [0x80, 0x01]);
        let all: std::collections::BTreeSet<Vec<u8>> = (-200..200).map(written).collect();
        assert_eq!(all.len(), 400);
        assert!(written(i128::MIN) != written(i128::MAX));
    }
}

//! Objects that are one with all others of the same number: the boxes of small integers.
//!
//! A language that keeps such objects in a table would have a run look into the table, and a run
//! with an open number would have to choose one of its objects. Here a run makes an object and says
//! that it is interned ([`INTERNED`](super::intrinsic::INTERNED)); whether two of them are the same
//! is a question about their numbers, asked only where the program compares them.

use heapwright_logic::ClassId;
use rustc_hash::FxHashMap;

use crate::machine::ObjectId;

/// The number of an object that is interned.
#[derive(Clone, Copy, Debug)]
pub struct InternedNumber<N> {
    /// The class of the object: those of different classes are never the same.
    pub class: ClassId,
    /// The number.
    pub number: N,
    /// The first and the last number that has only one object.
    pub range: (i128, i128),
}

/// The objects that were interned in a run, with their numbers.
#[derive(Clone, Debug)]
pub struct Interned<N> {
    known: FxHashMap<(ClassId, i128), ObjectId>,
    numbers: FxHashMap<ObjectId, InternedNumber<N>>,
}

impl<N> Default for Interned<N> {
    fn default() -> Self {
        Interned {
            known: FxHashMap::default(),
            numbers: FxHashMap::default(),
        }
    }
}

impl<N> Interned<N> {
    /// The object that stands for a number: the one that does so already, or this new one. `known`
    /// is the number if it is known in this run.
    pub fn intern(
        &mut self,
        object: ObjectId,
        number: InternedNumber<N>,
        known: Option<i128>,
    ) -> ObjectId {
        let (first, last) = number.range;
        match known {
            Some(known) if !(first..=last).contains(&known) => return object,
            Some(known) => {
                let one = *self.known.entry((number.class, known)).or_insert(object);
                if one != object {
                    return one;
                }
            }
            None => {}
        }
        self.numbers.insert(object, number);
        object
    }

    /// The number of an object, if it is interned.
    pub fn number(&self, object: ObjectId) -> Option<&InternedNumber<N>> {
        self.numbers.get(&object)
    }

    /// The numbers of two different objects, if they can be the same nevertheless.
    pub fn numbers(
        &self,
        one: ObjectId,
        other: ObjectId,
    ) -> Option<(&InternedNumber<N>, &InternedNumber<N>)> {
        let (first, second) = (self.number(one)?, self.number(other)?);
        (one != other && first.class == second.class).then_some((first, second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_the_range_have_one_object() {
        let mut interned: Interned<()> = Interned::default();
        let number = InternedNumber {
            class: ClassId::ANY,
            number: (),
            range: (-128, 127),
        };
        assert_eq!(interned.intern(ObjectId(1), number, Some(5)), ObjectId(1));
        assert_eq!(interned.intern(ObjectId(2), number, Some(5)), ObjectId(1));
        assert_eq!(interned.intern(ObjectId(3), number, Some(6)), ObjectId(3));
        assert_eq!(interned.intern(ObjectId(4), number, Some(128)), ObjectId(4));
        assert_eq!(interned.intern(ObjectId(5), number, Some(128)), ObjectId(5));
        assert_eq!(interned.intern(ObjectId(6), number, None), ObjectId(6));
        assert!(interned.numbers(ObjectId(1), ObjectId(6)).is_some());
        assert!(interned.numbers(ObjectId(4), ObjectId(6)).is_none());
    }
}

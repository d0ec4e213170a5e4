//! Elements of arrays at an index that is open, where the program made the array.
//!
//! A path for every index is one too many where most elements are the same: the table of a hash map
//! is full of null. Such a read asks only which of the *different* contents it finds. A write at an
//! open index is remembered, and later reads ask whether they meet it, the last write first; the
//! slots of the array are what was there before the first of them.
//!
//! Arrays of the input, and arrays of numbers, have an alternative for each index.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::slot_memory::Located;
use heapwright_ir::machine::{Domain, ObjectId, Question, Site};
use heapwright_logic::{Sort, TermId};

use super::{PathStop, Symbolic};
use crate::path::symbolic_value::SymbolicValue;

/// A field or element, ready to be read or written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SymbolicSlot {
    /// A known one.
    Known(Located),
    /// An element of an array; its index is within the bounds, and may be open.
    Element(ObjectId, TermId),
}

/// A write at an index that may be open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct IndexedWrite {
    index: TermId,
    value: SymbolicValue,
}

impl Symbolic<'_> {
    /// Whether reads and writes of an array at an open index leave it open.
    pub(super) fn has_open_elements(&self, array: ObjectId, sort: Sort) -> bool {
        sort.is_ref()
            && !self.subject.program.manual_memory
            && self.initial.cell_of(array).is_none()
    }

    /// Whether something was written to an array at an open index.
    pub(super) fn has_indexed_writes(&self, array: ObjectId) -> bool {
        self.indexed_writes.contains_key(&array)
    }

    /// The element at an open index; `None` if that is outside of the bounds.
    pub(super) fn open_element(
        &mut self,
        site: Site,
        array: ObjectId,
        index: TermId,
        length: u32,
    ) -> Result<Option<SymbolicSlot>, PathStop> {
        let terms = &mut self.terms;
        let (first, length) = (terms.int(0), terms.int(i128::from(length)));
        let conditions = [terms.le(first, index), terms.lt(index, length)];
        let inside = terms.and(conditions);
        let inside = SymbolicValue::of(&self.terms, inside);
        let inside = self.decide(site, &inside)?;
        Ok(inside.then_some(SymbolicSlot::Element(array, index)))
    }

    /// What an element at an index that may be open holds.
    pub(super) fn read_element(
        &mut self,
        array: ObjectId,
        index: TermId,
    ) -> Result<SymbolicValue, PathStop> {
        let writes = self.indexed_writes.get(&array).cloned();
        for write in writes.unwrap_or_default().iter().rev() {
            let is_met = self.terms.eq(index, write.index);
            if self.holds(is_met)? {
                return Ok(write.value);
            }
        }
        let contents = &self.memory.object(array)?.contents;
        if let Some(index) = self.terms.as_int(index) {
            let content = usize::try_from(index).ok().and_then(|at| contents.get(at));
            return content.copied().ok_or(PathStop::Diverged);
        }
        let mut different: Vec<(SymbolicValue, Vec<usize>)> = Vec::new();
        for (at, &content) in contents.iter().enumerate() {
            match different.iter_mut().find(|(known, _)| *known == content) {
                Some((_, places)) => places.push(at),
                None => different.push((content, vec![at])),
            }
        }
        // What fills most of the array is what is left when it is nothing else.
        different.sort_by_key(|(_, places)| places.len());
        let Some((last, others)) = different.split_last() else {
            return Err(PathStop::Diverged);
        };
        for (content, places) in others {
            let terms = &mut self.terms;
            let places: Vec<TermId> = (places.iter())
                .map(|&at| {
                    let at = terms.int(at as i128);
                    terms.eq(index, at)
                })
                .collect();
            let is_there = terms.or(places);
            if self.holds(is_there)? {
                return Ok(*content);
            }
        }
        Ok(last.0)
    }

    /// Writes to an element at an index that may be open.
    pub(super) fn write_element(&mut self, array: ObjectId, index: TermId, value: SymbolicValue) {
        let writes = self.indexed_writes.entry(array).or_default();
        // A second write at the same index hides the first.
        writes.retain(|write| write.index != index);
        writes.push(IndexedWrite { index, value });
    }

    fn holds(&mut self, condition: TermId) -> Result<bool, PathStop> {
        match SymbolicValue::of(&self.terms, condition) {
            SymbolicValue::Concrete(Concrete::Bool(known)) => Ok(known),
            condition => {
                let site = self.point.ask(Question::Field);
                self.decide(site, &condition)
            }
        }
    }
}

//! Pointers and floating-point numbers in unions of the input.
//!
//! Which member of a union is active, nothing says until the program looks. Its bytes are numbers at
//! first; where the program reads some of them as a pointer (or as a floating-point number), of which
//! nobody has looked at any, that was the active member: from then on the first of these bytes stands
//! for it, and the others hold nothing. It is an open reference, or a symbol, like any other. A program
//! that reads the same bytes as integers as well is not followed.

use heapwright_ir::machine::slot_memory::Located;
use heapwright_ir::machine::{MachineError, layout};
use heapwright_logic::{Sort, TermId, Terms, Value as LogicValue, VarId};

use super::{PathStop, Symbolic};
use crate::path::symbolic_value::SymbolicValue;

impl Symbolic<'_> {
    /// The pointer or floating-point number that bytes of a union of the input stand for, which were
    /// integers so far; `None` for all others.
    pub(super) fn member(
        &mut self,
        place: Located,
        sort: Sort,
    ) -> Result<Option<SymbolicValue>, PathStop> {
        let (Located::Bytes(root, span), Sort::Ref(_) | Sort::Float(_)) = (place, sort) else {
            return Ok(None);
        };
        let width = layout::size_of(sort) as usize;
        let leaves = (self.memory).leaves(&self.subject.program, root, span)?;
        let mut bytes = Vec::with_capacity(width);
        for leaf in leaves {
            let SymbolicValue::Symbolic(term) = self.memory.read(leaf.slot)? else {
                return Ok(None);
            };
            match self.terms.as_var(term) {
                Some(byte) if leaf.span.bits == 8 => bytes.push(byte),
                _ => return Ok(None),
            }
        }
        let Some(&first) = bytes.first().filter(|_| bytes.len() == width) else {
            return Ok(None);
        };
        if let Some(&known) = self.members.get(&first) {
            let is_sort = self.terms.variable(known).sort.is_ref() == sort.is_ref();
            let is_same = |byte: &VarId| self.members.get(byte) == Some(&known);
            let is_whole = is_sort && bytes.iter().all(is_same);
            let known = SymbolicValue::Symbolic(self.terms.var(known));
            return Ok(is_whole.then_some(known));
        }
        let is_looked_at = |this: &Self| {
            let looked_at = this.initial.mentioned(&this.terms);
            bytes.iter().any(|byte| looked_at.contains(byte))
        };
        let Some((cell, at)) = self.run_of(&bytes) else {
            return Ok(None);
        };
        if is_looked_at(self) {
            return Ok(None);
        }
        let pointer = self.terms.declare(format!("member{at}_{cell}"), sort);
        let source = self.initial.cells.get(cell).map(|known| known.cell.source);
        let source = source.ok_or(PathStop::Machine(MachineError::IllSorted))?;
        for assignment in [&mut self.assignment, &mut self.neighbour]
            .into_iter()
            .flatten()
        {
            let value = match assignment.evaluate(&self.terms, source) {
                Ok(LogicValue::Ref(loc)) => assignment.content_at(loc, at),
                _ => None,
            };
            let value = value.filter(|value| value.has_sort(sort));
            assignment.assign(pointer, value.unwrap_or(LogicValue::default_of(sort)));
        }
        let mut contents = vec![Terms::NULL; width];
        contents[0] = self.terms.var(pointer);
        self.initial.replace_elements(cell, at, &contents);
        for byte in bytes {
            self.members.insert(byte, pointer);
        }
        Ok(Some(SymbolicValue::Symbolic(contents[0])))
    }

    /// Whether an integer is made of bytes that something else was read from.
    pub(super) fn is_of_member(&self, value: SymbolicValue) -> bool {
        let SymbolicValue::Symbolic(term) = value else {
            return false;
        };
        if self.members.is_empty() || self.terms.sort(term).is_ref() {
            return false;
        }
        let mut parts = self.terms.subterms([term]);
        parts.any(|part| {
            let symbol = self.terms.as_var(part);
            symbol.is_some_and(|symbol| self.members.contains_key(&symbol))
        })
    }

    /// The union of the input that has these symbols one behind the other, and the position of the
    /// first.
    fn run_of(&self, bytes: &[VarId]) -> Option<(usize, usize)> {
        let symbols = |elements: &[TermId]| -> Vec<Option<VarId>> {
            elements
                .iter()
                .map(|&element| self.terms.as_var(element))
                .collect()
        };
        let wanted: Vec<Option<VarId>> = bytes.iter().copied().map(Some).collect();
        let program = &self.subject.program;
        for (index, known) in self.initial.cells.iter().enumerate() {
            let Some(elements) = &known.elements else {
                continue;
            };
            if !program.class(known.cell.class).inside.raw {
                continue;
            }
            let own = symbols(elements);
            let mut windows = own.windows(wanted.len());
            if let Some(at) = windows.position(|window| *window == wanted[..]) {
                return Some((index, at));
            }
        }
        None
    }
}

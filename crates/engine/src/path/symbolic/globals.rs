//! Globals whose objects are objects of the input.
//!
//! A variable of the program that is a struct or an array lies where it lies, but what is in it, a
//! caller has put there. It is an object of the input like any other one, and pointers of the input
//! may lead to it. All of them are there from the beginning: whatever is freed later is none of them.

use heapwright_ir::machine::{ObjectId, Question, Target};
use heapwright_logic::{Sort, VarId};

use super::{PathStop, Symbolic};
use crate::path::initial_heap::InitialCell;
use crate::path::symbolic_value::SymbolicValue;

impl Symbolic<'_> {
    /// Finds the object of each.
    pub(super) fn bind_globals(&mut self) -> Result<(), PathStop> {
        let subject = self.subject;
        for bound in &subject.bound {
            let (Some(input), Some(global)) = (
                subject.inputs.get(bound.parameter),
                subject.program.globals.get(bound.global.index()),
            ) else {
                continue;
            };
            if let Some(length) = global.length {
                self.fixed_lengths.insert(input.variable, length);
            }
            let reference = SymbolicValue::Symbolic(self.terms.var(input.variable));
            let Sort::Ref(class) = input.sort else {
                continue;
            };
            let site = self.point.ask(Question::StoredInstance);
            match self.target(site, &reference, class)? {
                Target::Object(address) => self.memory.place_global(bound.global, address.object),
                // It is never null, and nothing was freed yet.
                _ => return Err(PathStop::Infeasible),
            }
        }
        Ok(())
    }

    /// Whether a symbol can lead to a known object, as far as it is that of a global: such an object
    /// stands alone, has exactly its class and its length, and is that of no other global.
    pub(super) fn may_be_bound(&self, variable: VarId, known: &InitialCell) -> bool {
        let Some(global) = self.subject.bound_global(variable) else {
            return true;
        };
        let global = &self.subject.program.globals[global.index()];
        let length = known
            .elements
            .as_ref()
            .map(|elements| elements.len() as u32);
        known.cell.class == global.class
            && global.length == length
            && !self.memory.is_global(known.object)
            && !self.is_inside(known.object)
    }

    fn is_inside(&self, object: ObjectId) -> bool {
        (self.memory.object(object)).is_ok_and(|object| object.outer.is_some())
    }
}

//! Objects of the program that references of the input can be: those of classes with one object.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::{Address, Domain, ObjectId};
use heapwright_logic::{ClassId, Sort};

use super::{PathStop, Symbolic};
use crate::input::candidates::{candidates, may_fit};
use crate::path::symbolic_value::SymbolicValue;
use crate::report::Limit;

impl Symbolic<'_> {
    /// The only object of a class, if the rules say that there is one.
    pub(super) fn singleton(&mut self, class: ClassId) -> Result<Option<ObjectId>, PathStop> {
        let Some(&global) = self.subject.rules.singletons.get(&class) else {
            return Ok(None);
        };
        match self.global(global)? {
            SymbolicValue::Concrete(Concrete::Pointer(address)) => Ok(Some(address.object)),
            _ => Ok(None),
        }
    }

    /// Makes an object of the program one that the input knows, if it is compared with a reference
    /// that could be one to it: then the two can be equal.
    pub(super) fn introduce(
        &mut self,
        known: SymbolicValue,
        other: SymbolicValue,
    ) -> Result<(), PathStop> {
        let (SymbolicValue::Concrete(Concrete::Pointer(address)), SymbolicValue::Symbolic(term)) =
            (known, other)
        else {
            return Ok(());
        };
        if let Some(symbol) = self.terms.as_var(term) {
            self.introduce_interior(address, symbol)?;
        }
        let Address { object, offset: 0 } = address else {
            return Ok(());
        };
        let class = self.memory.object(object)?.class;
        if self.initial.cell_of(object).is_some() {
            return Ok(());
        }
        if self.singleton(class)? != Some(object) {
            return self.doubt_identity(object, class, other);
        }
        let declared = match other {
            SymbolicValue::Symbolic(term) => {
                self.terms.as_var(term).map(|symbol| self.declared(symbol))
            }
            SymbolicValue::Concrete(_) => None,
        };
        let subject = self.subject;
        let is_candidate = declared.is_some_and(|declared| {
            let fitting = candidates(&subject.program, &subject.rules, &declared);
            fitting.classes.contains(&class)
        });
        if !is_candidate {
            return Ok(());
        }
        let name = subject.program.definitions.class(class).name.clone();
        let source = self.terms.declare(name, Sort::Ref(class));
        let added = self.fresh_cell(source, class, None);
        let beside = [&mut self.assignment, &mut self.neighbour];
        for assignment in beside.into_iter().flatten() {
            assignment.assign_singleton(source, class);
        }
        self.materialise(added, false)
    }

    /// A reference of the input is compared with an object of the program that was there before the
    /// call. The two could be the same, but no input says so. Equal values are as good as the same
    /// to all but the code under test.
    fn doubt_identity(
        &mut self,
        object: ObjectId,
        class: ClassId,
        other: SymbolicValue,
    ) -> Result<(), PathStop> {
        let subject = self.subject;
        if !self.is_of_program(object, class) {
            return Ok(());
        }
        let SymbolicValue::Symbolic(term) = other else {
            return Ok(());
        };
        let Some(symbol) = self.terms.as_var(term) else {
            return Ok(());
        };
        let declared = self.declared(symbol);
        let mut declared = declared.into_iter();
        if !self.owned.contains(&symbol)
            && declared.all(|known| may_fit(&subject.program, &subject.rules, class, known))
        {
            self.cut(Limit::StaticState, 0);
        }
        Ok(())
    }

    /// An object of the input is compared with one of the program that was there before the call, and
    /// that the input does not know. They are different only because the path said so when it met the
    /// object, without having this one to choose from.
    pub(super) fn doubt_difference(
        &mut self,
        one: Concrete,
        other: Concrete,
    ) -> Result<(), PathStop> {
        let (Concrete::Pointer(one), Concrete::Pointer(other)) = (one, other) else {
            return Ok(());
        };
        for (object, known) in [(one.object, other.object), (other.object, one.object)] {
            let (class, of_input) = (
                self.memory.object(object)?.class,
                self.memory.object(known)?.class,
            );
            if self.initial.cell_of(known).is_some()
                && self.initial.cell_of(object).is_none()
                && class == of_input
                && self.is_of_program(object, class)
            {
                self.cut(Limit::StaticState, 0);
            }
        }
        Ok(())
    }

    /// Whether an object was there before the call without being a part of the input. To all but the
    /// code under test, equal values are as good as the same.
    fn is_of_program(&self, object: ObjectId, class: ClassId) -> bool {
        let subject = self.subject;
        let is_value = subject.rules.values.contains(&class);
        (self.made_before.contains(&object)
            || self.memory.is_global(object)
            || self.interned.number(object).is_some())
            && (!is_value || subject.is_under_test(self.point.function))
    }
}

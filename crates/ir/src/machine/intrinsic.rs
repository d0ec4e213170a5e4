//! Intrinsic functions: those that the machine itself knows, and calls of the domain's.
//!
//! | function | what it gives |
//! | --- | --- |
//! | `object.identity(object)` | a number that an object keeps; 0 for null |
//! | `object.interned(object, number, first, last)` | the object; or, if its number is in the range, the one that was interned first with that number |
//! | `environment.NAME(...)` | what [`Environment`](super::environment::Environment) tells |
//! | `slot.load(object, position)` | the field at a position, or the element at an index |
//! | `slot.store(object, position, value)` | nothing; it writes there |
//!
//! Identities and the environment are what languages leave open. Every domain gives the usual answers, so that
//! symbolic and concrete runs never differ over them; a concrete domain can be asked for others
//! ([`Concrete::varied`]). The last two are for languages that find fields by numbers.
//! All other functions are the domain's, such as those of numbers
//! ([`MathFunction`](heapwright_logic::MathFunction)).
//!
//! [`Concrete::varied`]: super::concrete::Concrete::varied

use heapwright_logic::Sort;

use super::{
    Domain, Flow, Interrupt, Intrinsic, Machine, MachineError, Missing, ProgramPoint, Question,
    layout,
};
use crate::function::Reg;
use crate::instruction::Operand;
use crate::program::{ClassKind, FaultKind};

/// The intrinsic function that gives a number which an object keeps.
pub const IDENTITY: &str = "object.identity";

/// The intrinsic function that gives the only object with a number ([`interned`](super::interned)).
pub const INTERNED: &str = "object.interned";

/// The intrinsic function that reads a field or element by its number.
pub const LOAD_SLOT: &str = "slot.load";

/// The intrinsic function that writes a field or element by its number.
pub const STORE_SLOT: &str = "slot.store";

/// What [`IDENTITY`] gives for every object, unless other numbers are asked for.
pub const USUAL_IDENTITY: i128 = 1;

impl<'p, D: Domain> Machine<'p, D> {
    pub(super) fn call_intrinsic(
        &mut self,
        point: ProgramPoint,
        to: Option<Reg>,
        name: &str,
        operands: &[Operand],
        args: &[D::Value],
    ) -> Flow<D> {
        let unknown = || MachineError::Missing(Missing::Intrinsic(name.to_owned()));
        match (name, operands, args, to) {
            (LOAD_SLOT, &[object, _], [_, position], Some(to)) => {
                let wanted = self.register_sort(point, to)?;
                let (slot, sort) = self.numbered_slot(point, object, position, wanted, name)?;
                let value = self.domain.load(&slot, sort).map_err(Interrupt::Stop)?;
                self.set(to, value)?;
                return self.advance();
            }
            (STORE_SLOT, &[object, _, stored], [_, position, value], None) => {
                let given = self.sort(point, stored)?;
                let (slot, sort) = self.numbered_slot(point, object, position, given, name)?;
                let written = self.domain.store(&slot, sort, value);
                written.map_err(Interrupt::Stop)?;
                return self.advance();
            }
            _ => {}
        }
        let site = point.ask(Question::Intrinsic);
        let result = self.domain.intrinsic(site, name, args);
        match result.map_err(Interrupt::Stop)? {
            Intrinsic::Returned(value) => {
                if let Some(register) = to {
                    let value = value.ok_or(MachineError::NoResult(point))?;
                    self.set(register, value)?;
                }
                self.advance()
            }
            Intrinsic::Threw(exception) => Err(Interrupt::Throw(exception)),
            Intrinsic::Fault(kind) => Err(Interrupt::Fault(kind)),
            Intrinsic::Unknown => Err(unknown().into()),
        }
    }

    /// The field or element of an object with a number, and its sort. One that holds something
    /// else than what is read or written is not known: memory is no sequence of bytes here.
    fn numbered_slot(
        &mut self,
        point: ProgramPoint,
        object: Operand,
        position: &D::Value,
        sort: Sort,
        name: &str,
    ) -> Flow<D, (D::Slot, Sort)> {
        let unknown = || MachineError::Missing(Missing::Intrinsic(name.to_owned()));
        let declared = self.class(point, object)?;
        let object = self.value(point, object)?;
        let address = self.dereference(point, &object, declared)?;
        let class = (self.domain).class_of(point.ask(Question::Receiver), address.object);
        let class = class.map_err(Interrupt::Stop)?;
        let (slot, found) = match layout::kind(self.program, class)? {
            ClassKind::Array { element } => {
                let site = point.ask(Question::Index);
                let slot = self.domain.element(site, address, position, *element);
                (slot, *element)
            }
            ClassKind::Struct { .. } => {
                let number = self.domain.concretise(point.ask(Question::Index), position);
                let number = number.map_err(Interrupt::Stop)?;
                let number = u32::try_from(number).map_err(|_| unknown())?;
                let fields = &self.program.definitions.class(class).fields;
                let found = fields.get(number as usize).ok_or_else(unknown)?.sort;
                let site = point.ask(Question::Field);
                (self.domain.field(site, address, class, number), found)
            }
        };
        if found != sort && !(found.is_ref() && sort.is_ref()) {
            return Err(unknown().into());
        }
        let slot = slot.map_err(Interrupt::Stop)?;
        let slot = slot.ok_or(Interrupt::Fault(FaultKind::OutOfBounds))?;
        Ok((slot, found))
    }
}

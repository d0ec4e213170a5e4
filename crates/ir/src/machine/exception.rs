//! Exceptions: faults that become one, the search for a handler, and the end of a run that has
//! none.

use heapwright_logic::ClassId;

use super::{
    Domain, Edge, Flow, Interrupt, Machine, MachineOutcome, ProgramPoint, Question, Site,
    Successor, Target, layout,
};
use crate::program::FaultKind;

impl<'p, D: Domain> Machine<'p, D> {
    /// A fault: an exception where the program has one for it, and otherwise its end.
    pub(super) fn fault(
        &mut self,
        point: ProgramPoint,
        kind: FaultKind,
        details: Vec<D::Value>,
    ) -> Flow<D> {
        let Some(&class) = self.program.exceptions.get(&kind) else {
            return Err(Interrupt::Finish(MachineOutcome::Fault {
                kind,
                point,
                position: point.position(self.program),
            }));
        };
        // The object is made without running a constructor: its fields keep their defaults.
        let exception = match self.fault_object(point, kind, details.len()) {
            None => self.allocate(point, class)?,
            Some((object, fields)) => {
                let exception = self.allocate(point, object)?;
                for (&field, value) in fields.iter().zip(&details) {
                    self.know(point, &exception, (object, field), value)?;
                }
                exception
            }
        };
        if let Target::Object(address) = self.thrown(point.ask(Question::Raised), &exception)? {
            self.raised.insert(address.object, (kind, point));
        }
        self.unwind(exception, class, Some(kind), point)
    }

    /// An exception object is thrown by the program. Throwing null is a null dereference.
    pub(super) fn throw(&mut self, point: ProgramPoint, exception: D::Value) -> Flow<D> {
        let object = match self.thrown(point.ask(Question::Thrown), &exception)? {
            Target::Object(address) => address.object,
            Target::Null => return self.fault(point, FaultKind::NullDereference, Vec::new()),
            Target::Freed(_) => return self.fault(point, FaultKind::UseAfterFree, Vec::new()),
            Target::Wild => return self.fault(point, FaultKind::WildPointer, Vec::new()),
        };
        let site = point.ask(Question::ThrownClass);
        let class = self.domain.class_of(site, object);
        let class = class.map_err(Interrupt::Stop)?;
        // Code that runs whatever happens (`finally`) catches and throws again; what matters to
        // people is where a fault came from.
        match self.raised.get(&object) {
            Some(&(kind, origin)) => {
                let class = self.program.exceptions.get(&kind).copied().unwrap_or(class);
                self.unwind(exception, class, Some(kind), origin)
            }
            None => self.unwind(exception, self.reported(class), None, point),
        }
    }

    /// The exception that people know an object by: that of a fault, if a function that nobody wrote
    /// throws the object of one.
    fn reported(&self, class: ClassId) -> ClassId {
        let mut objects = self.program.fault_objects.iter();
        let fault = objects.find(|(_, known)| known.plain == class);
        let exception = fault.and_then(|(kind, _)| self.program.exceptions.get(kind));
        exception.copied().unwrap_or(class)
    }

    /// The class of the object that a fault throws, if the program has one, and the fields for what
    /// is known about the fault.
    fn fault_object(
        &self,
        point: ProgramPoint,
        kind: FaultKind,
        details: usize,
    ) -> Option<(ClassId, &'p [u32])> {
        let known = self.program.fault_objects.get(&kind)?;
        let function = self.program.functions.get(point.function.index());
        let is_written = function.is_some_and(|function| !function.synthetic);
        match &known.detailed {
            Some((class, fields)) if is_written && fields.len() == details => {
                Some((*class, fields))
            }
            _ => Some((known.plain, &[])),
        }
    }

    /// Puts what is known about a fault into a field of its exception.
    fn know(
        &mut self,
        point: ProgramPoint,
        exception: &D::Value,
        (class, field): (ClassId, u32),
        value: &D::Value,
    ) -> Flow<D> {
        let Target::Object(address) = self.thrown(point.ask(Question::Raised), exception)? else {
            return Ok(());
        };
        let fields = &self.program.definitions.class(class).fields;
        let sort = fields.get(field as usize).map(|field| field.sort);
        let site = point.ask(Question::Field);
        let slot = self.domain.field(site, address, class, field);
        if let (Some(slot), Some(sort)) = (slot.map_err(Interrupt::Stop)?, sort) {
            let stored = self.domain.store(&slot, sort, value);
            stored.map_err(Interrupt::Stop)?;
        }
        Ok(())
    }

    fn thrown(&mut self, site: Site, exception: &D::Value) -> Flow<D, Target> {
        let target = self.domain.resolve(site, exception, ClassId::ANY);
        target.map_err(Interrupt::Stop)
    }

    /// Looks for a handler, from the innermost frame outwards. A frame that called another one
    /// still stands at the call, so its block has the handlers that count.
    fn unwind(
        &mut self,
        exception: D::Value,
        class: ClassId,
        fault: Option<FaultKind>,
        point: ProgramPoint,
    ) -> Flow<D> {
        while !self.frames.is_empty() {
            let (here, block) = self.next()?;
            for (index, handler) in (0..).zip(&block.handlers) {
                let catches = match handler.class {
                    None => true,
                    Some(caught) => layout::is_subtype(self.program, class, caught)?,
                };
                if catches {
                    self.domain.on_edge(Edge {
                        function: here.function,
                        block: here.block,
                        successor: Successor::Handler(index),
                    });
                    self.set(handler.exception, exception)?;
                    return self.jump(handler.block);
                }
            }
            self.frames.pop();
            self.domain.on_leave();
        }
        Err(Interrupt::Finish(MachineOutcome::Threw {
            exception,
            class,
            fault,
            point,
            position: point.position(self.program),
        }))
    }
}

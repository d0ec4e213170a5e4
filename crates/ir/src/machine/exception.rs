//! Exceptions: faults that become one, the search for a handler, and the end of a run that has
//! none.

use heapwright_logic::ClassId;

use super::{
    Domain, Edge, Flow, Interrupt, Machine, Outcome, ProgramPoint, Question, Site, Successor,
    Target, layout,
};
use crate::program::FaultKind;

impl<'p, D: Domain> Machine<'p, D> {
    /// A fault: an exception where the program has one for it, and otherwise its end.
    pub(super) fn fault(&mut self, point: ProgramPoint, kind: FaultKind) -> Flow<D> {
        let Some(&class) = self.program.exceptions.get(&kind) else {
            return Err(Interrupt::Finish(Outcome::Fault {
                kind,
                point,
                position: point.position(self.program),
            }));
        };
        // The object is made without running a constructor: its fields keep their defaults.
        let exception = self.allocate(point, class)?;
        if let Target::Object(address) = self.thrown(point.ask(Question::Raised), &exception)? {
            self.raised.insert(address.object, (kind, point));
        }
        self.unwind(exception, class, Some(kind), point)
    }

    /// An exception object is thrown by the program. Throwing null is a null dereference.
    pub(super) fn throw(&mut self, point: ProgramPoint, exception: D::Value) -> Flow<D> {
        let object = match self.thrown(point.ask(Question::Thrown), &exception)? {
            Target::Object(address) => address.object,
            Target::Null => return self.fault(point, FaultKind::NullDereference),
            Target::Freed(_) => return self.fault(point, FaultKind::UseAfterFree),
        };
        let site = point.ask(Question::ThrownClass);
        let class = self.domain.class_of(site, object);
        let class = class.map_err(Interrupt::Stop)?;
        // Code that runs whatever happens (`finally`) catches and throws again; what matters to
        // people is where a fault came from.
        match self.raised.get(&object) {
            Some(&(kind, origin)) => self.unwind(exception, class, Some(kind), origin),
            None => self.unwind(exception, class, None, point),
        }
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
        Err(Interrupt::Finish(Outcome::Threw {
            exception,
            class,
            fault,
            point,
            position: point.position(self.program),
        }))
    }
}

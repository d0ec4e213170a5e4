//! Classes that cannot be used because their static initialisers throw exceptions.
//!
//! The first use of such a class throws one exception and every later use another, so tests of it
//! would depend on their order. No object of it can be made.

use std::sync::Arc;

use heapwright_ir::Program;
use heapwright_ir::machine::concrete::{Concrete, Memory, Value};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome, layout};
use heapwright_logic::ClassId;

use super::{THROWABLE, World};
use crate::classfile::Class;
use crate::descriptor::Name;

/// What wraps the exceptions of initialisers.
const INITIALISER_ERROR: &str = "java.lang.ExceptionInInitializerError";

/// What ends the initialisation of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InitialiserFailure {
    /// The exception that the initialiser throws, by the name of its class.
    pub exception: Name,
    /// Whether it is an error, which the first use of the class throws as it is. Other exceptions
    /// become the cause of an `ExceptionInInitializerError`.
    pub is_error: bool,
}

impl World {
    /// What ends the initialisation of a class of the user; `None` if nothing does, or if that is
    /// not known. The program does not grow by it.
    pub fn initialiser_failure(&self, class: &Arc<Class>) -> Option<InitialiserFailure> {
        if let Some(known) = self.known_failures.borrow().get(&class.name) {
            return known.clone();
        }
        let failure = self.find_failure(class);
        let mut known = self.known_failures.borrow_mut();
        known.insert(class.name.clone(), failure.clone());
        failure
    }

    fn find_failure(&self, class: &Arc<Class>) -> Option<InitialiserFailure> {
        let above = self.with_hierarchy(|hierarchy| hierarchy.superclasses(class));
        let mut above = above.ok()?.into_iter();
        above.find(|class| {
            self.is_user_class(&class.name) && class.static_initialiser().is_some()
        })?;
        let mut world = World::new(self.path.clone()).ok()?;
        let guard = world.guard(class).ok()??;
        loop {
            let program = &world.program;
            let mut machine = Machine::new(program, Concrete::new(program), Budgets::default());
            let missing = match machine.run(guard, Vec::new()) {
                Ok(MachineOutcome::Threw {
                    class, exception, ..
                }) => {
                    // Exceptions of faults have classes of their own, with a suffix.
                    let name = |class| {
                        let name = &program.definitions.class(class).name;
                        Name::from(name.split("$$").next().unwrap_or(name))
                    };
                    let cause = cause(program, &machine.domain.memory, exception);
                    let thrown = name(class);
                    let is_error = &*thrown != INITIALISER_ERROR;
                    return Some(InitialiserFailure {
                        exception: match cause.filter(|_| !is_error) {
                            Some(cause) => name(cause),
                            None => thrown,
                        },
                        is_error,
                    });
                }
                Ok(_) => return None,
                Err(MachineError::Missing(missing)) => missing,
                Err(_) => return None,
            };
            drop(machine);
            if !world.supply_missing(&missing) {
                return None;
            }
        }
    }
}

/// The class of the exception that another one refers to.
fn cause(program: &Program, memory: &Memory, exception: Value) -> Option<ClassId> {
    let Value::Pointer(address) = exception else {
        return None;
    };
    let object = memory.object(address.object).ok()?;
    let throwable = program.definitions.class_named(THROWABLE)?;
    let mut others = object.contents.iter().filter_map(|value| match value {
        Value::Pointer(other) if other.object != address.object => {
            Some(memory.object(other.object).ok()?.class)
        }
        _ => None,
    });
    others.find(|&class| layout::is_subtype(program, class, throwable) == Ok(true))
}

//! The search for one class: one scope, or larger and larger ones.

use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_engine::sequences::{Exploration, SequenceBounds};
use heapwright_ir::FunctionId;
use heapwright_java::classfile::Class;
use heapwright_java::hierarchy::LinkError;
use heapwright_java::target::{TargetMethod, callable_methods};
use heapwright_java::world::Predicate;

use super::observers;
use super::{Domains, JavaType, Roles};
use crate::frontend::JavaTests;
use heapwright_testgen::scopes::{InScope, bounds_of, is_covered, search_scopes, watched};
use heapwright_testgen::{Error, Event, Request, SequenceError};

/// What was found for the class of some methods.
pub struct Found {
    /// The class.
    pub java_type: JavaType,
    /// What the search came to.
    pub exploration: Exploration,
    /// What bounded it.
    pub bounds: SequenceBounds,
    /// Methods that say something about an object.
    pub observers: Vec<TargetMethod>,
    /// Their functions.
    pub functions: Vec<FunctionId>,
    /// The predicate that says which objects are valid.
    pub predicate: Option<Predicate>,
}

impl JavaTests {
    /// Explores the sequences of a class: in the scope that was asked for, or in larger and larger
    /// ones until everything is covered or nothing new is.
    pub fn search(
        &mut self,
        class: &Arc<Class>,
        tested: &[TargetMethod],
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Found, Error> {
        let begin = Instant::now();
        let exploration_of: fn(&Found) -> &Exploration = |found| &found.exploration;
        let found = search_scopes(request, exploration_of, |scope, time| {
            let found = self.search_scope(class, tested, scope, time, request, observer)?;
            let is_covered = self.is_covered(&found, tested)?;
            Ok(InScope { found, is_covered })
        })?;
        // Whoever names the values wants no others.
        let given = &request.sequences;
        match given.scope.is_none() && given.domains.is_empty() {
            true => self.with_symbols(found, tested, request, begin, observer),
            false => Ok(found),
        }
    }

    fn search_scope(
        &mut self,
        class: &Arc<Class>,
        tested: &[TargetMethod],
        scope: u32,
        time: Option<Duration>,
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Found, Error> {
        let given = &request.sequences;
        let builders = self.builders(class, &given.calls)?;
        let roles = Roles {
            builders: builders.as_deref(),
            tested,
            ignored: given.ignored.clone(),
        };
        let domains = Domains {
            is_lenient: false,
            size: scope,
            given: given.domains.clone(),
            found: None,
        };
        let link = |error: LinkError| Error::code(error);
        let predicate = self.program.predicate(class)?;
        let path = self.program.world.class_path();
        let observers = observers::of(path, class, predicate.as_ref()).map_err(link)?;
        let mut java_type = self.program.data_type(class, &roles, &domains)?;
        if let Some(predicate) = &predicate {
            let invariant = self.program.world.invariant_of_object(predicate);
            java_type.data_type.invariant = Some(invariant.map_err(link)?);
        }
        let bounds = bounds_of(request, scope, time);
        let name = format!("{} (scope {scope})", class.name);
        let exploration = watched(&name, bounds.time, observer, |observer| {
            (self.program).explore_sequences(&java_type, &bounds, observer)
        });
        let world = &mut self.program.world;
        let functions = observers.iter().map(|one| world.loaded(&one.declared));
        let functions = functions.collect();
        Ok(Found {
            java_type,
            exploration,
            bounds,
            observers,
            functions,
            predicate,
        })
    }

    /// The methods that sequences consist of, if somebody has said which.
    fn builders(
        &self,
        class: &Arc<Class>,
        names: &[String],
    ) -> Result<Option<Vec<TargetMethod>>, Error> {
        if names.is_empty() {
            return Ok(None);
        }
        let all = callable_methods(self.program.world.class_path(), class);
        let all = all.map_err(Error::code)?;
        for name in names {
            let mut methods = all.iter();
            if !methods.any(|one| *one.declared.method.name == **name) {
                return Err(Error::Sequence(SequenceError::NoSuchCall {
                    name: name.clone(),
                    class: class.name.to_string(),
                }));
            }
        }
        let is_named = |one: &TargetMethod| names.contains(&one.declared.method.name.to_string());
        Ok(Some(all.into_iter().filter(is_named).collect()))
    }

    /// Whether every branch of the methods under test is taken that can be.
    fn is_covered(&mut self, found: &Found, tested: &[TargetMethod]) -> Result<bool, Error> {
        for target in tested {
            if self.has_open_branches(found, target)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether there is a branch behind a call of a method that no call has taken.
    pub(super) fn has_open_branches(
        &mut self,
        found: &Found,
        target: &TargetMethod,
    ) -> Result<bool, Error> {
        let subject = self.program.subject(target)?.subject;
        let (data_type, bounds) = (&found.java_type.data_type, &found.bounds);
        Ok(!is_covered(&subject, data_type, &found.exploration, bounds))
    }
}

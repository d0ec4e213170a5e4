//! The search for one class: one scope, or larger and larger ones.

use std::sync::Arc;
use std::time::{Duration, Instant};

use heapwright_engine::sequences::{Exploration, Record, SequenceBounds, report};
use heapwright_engine::{Keep, Limit, Progress, Status, StopReason};
use heapwright_ir::FunctionId;
use heapwright_java::classfile::Class;
use heapwright_java::hierarchy::LinkError;
use heapwright_java::target::{TargetMethod, callable_methods};
use heapwright_java::world::Predicate;

use super::observers;
use super::{Domains, JavaType, Roles};
use crate::frontend::JavaTests;
use heapwright_testgen::{Error, SequenceError};
use heapwright_testgen::{Event, Request};

/// Where scopes begin that grow, and where they end.
const SCOPES: std::ops::RangeInclusive<u32> = 2..=7;

/// A scope that covers nothing new ends the growth, but for the first few: small states often have
/// to be left behind before anything happens.
const LEAST_SCOPE: u32 = 4;

/// No larger scope is explored after one that has taken more calls than this.
const CALLS: u64 = 100_000;

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
        let time = request.options.bounds.time;
        if let Some(scope) = request.sequences.scope {
            return self.search_scope(class, tested, scope, time, request, observer);
        }
        let mut last: Option<Found> = None;
        for scope in SCOPES {
            let left = time.map(|time| time.saturating_sub(begin.elapsed()));
            let found = self.search_scope(class, tested, scope, left, request, observer)?;
            let known = last.as_ref().map_or(0, |last| last.exploration.edges.len());
            let is_new = found.exploration.edges.len() > known;
            let stop = found.exploration.stop;
            let is_ended = [Limit::Time, Limit::Memory, Limit::Interrupted]
                .iter()
                .any(|&limit| stop == StopReason::Limit(limit));
            // A search that was cut off may have seen less than the one before.
            let is_better = last.is_none() || is_new;
            let is_covered = self.is_covered(&found, tested)?;
            // The next scope takes a multiple of the calls.
            let is_large = found.exploration.transitions > CALLS;
            if is_better {
                last = Some(found);
            }
            let is_fruitless = !is_new && scope >= LEAST_SCOPE;
            if is_covered || is_fruitless || is_ended || is_large {
                break;
            }
        }
        last.ok_or_else(|| SequenceError::NoScope.into())
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
        let options = &request.options;
        let given = &request.sequences;
        let builders = self.builders(class, &given.calls)?;
        let roles = Roles {
            builders: builders.as_deref(),
            tested,
            ignored: given.ignored.clone(),
        };
        let domains = Domains {
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
        let bounds = SequenceBounds {
            length: Some(given.length.unwrap_or(scope)),
            states: given.states,
            calls: u64::MAX,
            time,
            memory: options.bounds.memory,
            budgets: options.budgets,
            record: match request.keep {
                Keep::All => Record::Everything,
                Keep::Coverage | Keep::Paths => Record::Paths,
            },
            interrupt: options.interrupt.clone(),
        };
        let begin = Instant::now();
        let name = format!("{} (scope {scope})", class.name);
        observer(Event::Begins {
            name: &name,
            time: bounds.time,
        });
        let exploration =
            (self.program).explore_sequences(&java_type, &bounds, &mut |exploration| {
                observer(Event::Progress(&Progress {
                    tests: exploration.tests.iter().map(Vec::len).sum(),
                    covered: exploration.edges.len(),
                    branches: exploration.edges.len(),
                    frontier: exploration.states as usize,
                    solver_calls: 0,
                    solving: Duration::ZERO,
                    elapsed: begin.elapsed(),
                }));
            });
        observer(Event::Ends);
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
            let subject = self.program.subject(target)?.subject;
            let nothing = Exploration::default();
            let (report, _) = report(
                &subject,
                &found.java_type.data_type,
                &nothing,
                usize::MAX,
                &[],
                &found.bounds,
            );
            let open = report.branches.iter().any(|branch| {
                matches!(branch.status, Status::Open(_))
                    && !found.exploration.edges.contains(&branch.edge)
            });
            if open {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

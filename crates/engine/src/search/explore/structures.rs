//! Tests from structures for which a predicate of the program holds, black box and white box.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{ExploreError, Progress, Search};
use crate::check::oracle;
use crate::check::replay::{Conditions, replay};
use crate::check::steadiness::{Steadiness, steadiness};
use crate::check::verdict::leave_open;
use crate::input::Input;
use crate::options::Mode;
use crate::report::{Limit, Origin, StopReason, Verification};
use crate::structures::{Partial, Paths, Scope, Structure, Structures};
use crate::subject::Subject;
use heapwright_ir::FunctionId;
use heapwright_ir::machine::{MachineError, Missing};

/// Scopes below this one take no time.
const SMALL: u32 = 5;

/// Tests between two looks at the observer.
const BATCH: usize = 8;

/// Why a search does not go on.
enum End {
    /// A function is missing: the program has grown, and everything begins again.
    Grown,
    /// It is over.
    Stop(StopReason),
    /// It cannot begin.
    Failed(ExploreError),
}

/// What a search goes on with, or why it does not.
type Going<T = ()> = Result<T, End>;

impl Search<'_> {
    /// Searches for tests with the predicate of the subject as its specification.
    pub(super) fn structures(
        &mut self,
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<StopReason, ExploreError> {
        loop {
            let subject = Arc::clone(&self.context.subject);
            let Some(predicate) = subject.invariant else {
                return Err(ExploreError::NoPredicate);
            };
            let ended = match self.context.options.mode {
                Mode::Whitebox => self.white_box(&subject, predicate, observer),
                _ => self.black_box(&subject, predicate, observer),
            };
            match ended {
                Ok(()) => return Ok(self.stop().unwrap_or(StopReason::Exhausted)),
                Err(End::Stop(stop)) => return Ok(stop),
                Err(End::Failed(error)) => return Err(error),
                Err(End::Grown) => {}
            }
        }
    }

    /// All paths on small valid structures: so many of them at most, and so many partial structures
    /// on the way.
    pub(super) fn small_structures(
        &mut self,
        scope: u32,
        most: (u64, u64),
        observer: &mut dyn FnMut(&Progress),
    ) -> Result<(), ExploreError> {
        loop {
            let subject = Arc::clone(&self.context.subject);
            let Some(predicate) = subject.invariant else {
                return Ok(());
            };
            match self.on_structures(&subject, predicate, (scope, most), observer) {
                Ok(()) | Err(End::Stop(_)) => return Ok(()),
                Err(End::Failed(error)) => return Err(error),
                Err(End::Grown) => {}
            }
        }
    }

    /// Every valid structure within the scope, and on each of them every path of the method.
    fn black_box(
        &mut self,
        subject: &Subject,
        predicate: FunctionId,
        observer: &mut dyn FnMut(&Progress),
    ) -> Going {
        let largest = self.context.options.structures.scope;
        leave_open(&mut self.open, Limit::Scope, largest + 1);
        self.report.statistics.structures = 0;
        self.on_structures(
            subject,
            predicate,
            (largest, (u64::MAX, u64::MAX)),
            observer,
        )
    }

    /// The same within a scope, so many paths and so many partial structures at most.
    fn on_structures(
        &mut self,
        subject: &Subject,
        predicate: FunctionId,
        (scope, (most, partial_structures)): (u32, (u64, u64)),
        observer: &mut dyn FnMut(&Progress),
    ) -> Going {
        let options = self.context.options.clone();
        let Ok(partial) = self.partial(subject, scope) else {
            return Ok(());
        };
        let enough = self.report.statistics.paths.saturating_add(most);
        let before = self.report.statistics.candidates;
        let structures = Structures::new(partial.clone(), predicate, options.budgets);
        let mut structures = structures.at_most(partial_structures);
        while let Some(found) = structures.next() {
            let found = match found {
                Ok(found) => found,
                Err(missing) => {
                    self.unknown(missing)?;
                    continue;
                }
            };
            // A closer look meets the same ones again.
            self.report.statistics.structures += u64::from(!self.only_news);
            self.report.statistics.candidates = before + structures.effort.candidates;
            let paths = Paths::new(&partial, &found, subject.function, options.budgets);
            let Ok(mut paths) = paths else { continue };
            if let Some(promised) = subject.promised_invariant().filter(|_| self.only_news) {
                paths = paths.checked(promised);
            }
            for path in paths.by_ref() {
                match path {
                    Ok(path) => self.test_all(subject, &partial, &path, observer)?,
                    Err(missing) => self.unknown(missing)?,
                }
                if self.report.statistics.paths >= enough {
                    break;
                }
            }
            self.unsupported(paths.unsupported);
            if self.report.statistics.paths >= enough {
                break;
            }
        }
        let effort = structures.effort;
        self.report.checked.cut_short |= effort.exhausted;
        self.report.statistics.candidates = before + effort.candidates;
        self.report.statistics.infeasible += effort.refuted;
        self.report.statistics.solver_calls += partial.questions();
        self.unsupported(effort.unsupported);
        self.restricted(&partial);
        observer(&self.progress());
        // The structures may have ended for one of these.
        self.go_on()
    }

    /// Every path of the method that a valid structure within the scope takes. Small scopes come
    /// first: all of them if covering branches is the goal.
    fn white_box(
        &mut self,
        subject: &Subject,
        predicate: FunctionId,
        observer: &mut dyn FnMut(&Progress),
    ) -> Going {
        let options = self.context.options.clone();
        let largest = options.structures.scope;
        // Small structures show what the program still needs; when it has grown, everything begins
        // again.
        let wanted = |scope: &u32| {
            let is_between = (SMALL..largest).contains(scope);
            options.stop_when_covered || !is_between
        };
        for scope in (1..=largest).filter(wanted) {
            let Ok(partial) = self.partial(subject, scope) else {
                continue;
            };
            let paths = Paths::new(
                &partial,
                &partial.structure,
                subject.function,
                options.budgets,
            );
            let Ok(paths) = paths else { continue };
            let mut paths = paths.valid(predicate);
            let begin = self.report.statistics.candidates;
            while let Some(path) = paths.next() {
                self.report.statistics.candidates = begin + paths.candidates();
                match path {
                    Ok(path) => self.test_all(subject, &partial, &path, observer)?,
                    Err(missing) => self.unknown(missing)?,
                }
                self.go_on()?;
                if let Some(stop) = self.stop() {
                    leave_open(&mut self.open, Limit::Scope, scope);
                    return Err(End::Stop(stop));
                }
            }
            self.report.statistics.candidates = begin + paths.candidates();
            self.report.statistics.infeasible += paths.infeasible;
            self.report.statistics.solver_calls += partial.questions();
            self.unsupported(paths.unsupported);
            self.restricted(&partial);
            observer(&self.progress());
            self.go_on()?;
        }
        leave_open(&mut self.open, Limit::Scope, largest + 1);
        Ok(())
    }

    fn partial<'s>(
        &self,
        subject: &'s Subject,
        objects: u32,
    ) -> Result<Partial<'s>, crate::structures::StructureStop> {
        let options = &self.context.options;
        let scope = Scope {
            objects,
            elements: options.bounds.elements.first,
        };
        let domains = options.structures.domains.clone();
        Partial::new(subject, scope, domains, &self.deadline)
    }

    /// Tests of a path: one, or one for all numbers of the domains that were asked for.
    fn test_all(
        &mut self,
        subject: &Subject,
        partial: &Partial<'_>,
        path: &Structure,
        observer: &mut dyn FnMut(&Progress),
    ) -> Going {
        self.report.statistics.paths += 1;
        for structure in partial.valuations(subject, path) {
            match partial.input(subject, &structure) {
                Some(input) => self.test(subject, input)?,
                None => leave_open(&mut self.open, Limit::Classes, 0),
            }
            if self.report.tests.len().is_multiple_of(BATCH) {
                observer(&self.progress());
            }
            self.go_on()?;
        }
        Ok(())
    }

    /// Ends the search if a bound does. What is left out then may have inputs of any size.
    fn go_on(&mut self) -> Going {
        match self.limit() {
            Some(limit) => {
                leave_open(&mut self.open, limit, 0);
                Err(End::Stop(StopReason::Limit(limit)))
            }
            None => Ok(()),
        }
    }

    fn test(&mut self, subject: &Subject, input: Input) -> Going {
        let budgets = self.context.options.budgets;
        match oracle::invariant(subject, &input, budgets) {
            Ok(Some(Verification::Holds)) => {}
            Err(MachineError::Missing(missing)) => return self.unknown(missing),
            // The predicate has said something else before: a bug.
            _ => {
                self.report.statistics.divergences += 1;
                return Ok(());
            }
        }
        match replay(subject, &input, budgets) {
            Ok(run) => {
                // The partial run took the usual answers for granted.
                if let Some(&part) = run.asked.first() {
                    leave_open(&mut self.open, Limit::Environment(part), 0);
                }
                match steadiness(subject, &input, &run, budgets, Conditions::default()) {
                    Steadiness::Steady => self.add_test(input, run, Origin::Structure, &[]),
                    Steadiness::DependsOn(part) => {
                        leave_open(&mut self.open, Limit::Environment(part), 0);
                    }
                    Steadiness::Missing(missing) => self.unknown(missing)?,
                }
            }
            Err(MachineError::Missing(missing)) => self.unknown(missing)?,
            Err(_) => self.report.statistics.divergences += 1,
        }
        Ok(())
    }

    fn restricted(&mut self, partial: &Partial<'_>) {
        if partial.is_restricted() {
            leave_open(&mut self.open, Limit::Classes, 0);
        }
    }

    fn unsupported(&mut self, paths: u64) {
        if paths > 0 {
            leave_open(&mut self.open, Limit::Unsupported, 0);
        }
    }

    /// A run called something that is not there. If nobody can supply it, the path ends there.
    fn unknown(&mut self, missing: Missing) -> Going {
        if self.context.missing.contains(&missing) {
            self.unsupported(1);
            return Ok(());
        }
        let generation = self.context.generation;
        self.grow(BTreeSet::from([missing])).map_err(End::Failed)?;
        match self.context.generation == generation {
            true => {
                self.unsupported(1);
                Ok(())
            }
            false => Err(End::Grown),
        }
    }
}

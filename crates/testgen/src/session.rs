//! Generating tests for one target after the other, whatever the language.

use std::collections::VecDeque;
use std::path::PathBuf;

use heapwright_engine::coverage::NoCode;
use heapwright_engine::{ExploreError, Limit, Mode, Options, SourceLine, StopReason};

use crate::contradictions::Contradictions;
use crate::elsewhere::Help;
use crate::error::{Error, RequestError};
use crate::frontend::{Event, Explored, Frontend};
use crate::names::Taken;
use crate::report::{Procedure, Results, Texts};
use crate::request::Request;
use crate::shards::Shard;
use crate::side_by_side::Ready;
use crate::store::Store;
use crate::suite::{Selection, Suite};

/// What was found for one target.
pub struct Tested<F: Frontend> {
    /// The target.
    pub target: F::Target,
    /// Its tests.
    pub suite: Suite,
    /// Those that can be written out, as the front end writes them.
    pub tests: F::Tests,
}

/// What is known while one target after the other is tested.
pub struct Session<F: Frontend> {
    /// The program under test.
    pub frontend: F,
    /// What was asked for.
    pub request: Request,
    /// What was found until now.
    pub tested: Vec<Tested<F>>,
    /// The tests that cannot be written out, and the targets that nothing can be done with.
    pub unwritten: Vec<String>,
    /// The file with the contracts, if there is one.
    pub specification: Option<PathBuf>,
    /// What keeps targets from being tested. The others are tested all the same.
    pub(crate) complaints: Vec<String>,
    /// What is wrong with specifications.
    pub(crate) contradictions: Contradictions,
    /// What is known about the line to be reached from targets that do not have it.
    elsewhere: Option<NoCode>,
    /// Whether the line to be reached is.
    is_reached: bool,
    pub(crate) waiting: VecDeque<F::Target>,
    names: Taken,
    /// Whether this is a unit of another session.
    is_unit: bool,
    /// What was found for the units that come next.
    pub(crate) ready: VecDeque<Ready<F>>,
    /// Where results are kept.
    pub(crate) store: Option<Store>,
    /// Who searches for units besides this process.
    pub(crate) help: Option<Help>,
    /// How many of the targets that were tested were answered from the store.
    pub recalled: usize,
}

/// What a session has shown in the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// Nothing is wrong with what was tested, or the line that was to be reached is.
    Fine,
    /// Tests show something to be wrong, or nothing reaches the line.
    Wrong,
    /// Nobody knows whether the line can be reached.
    Open,
    /// The line to be reached is in nothing that was tested.
    Elsewhere(NoCode),
}

impl<F: Frontend> Session<F> {
    /// A session for what was asked for; nothing is found yet.
    pub fn new(mut frontend: F, request: Request) -> Result<Session<F>, Error> {
        if request.options.mode == Mode::Sequences && request.reach.is_some() {
            return Err(RequestError::PlaceForSequences.into());
        }
        if request.verify {
            // What keeps tests from being verified is told before anything is searched for.
            frontend.check_tools()?;
        }
        let targets = frontend.targets(&request)?;
        let session = Session::of_unit(frontend, request, targets.tested);
        Ok(Session {
            unwritten: targets.unusable,
            complaints: targets.complaints,
            is_unit: false,
            ..session
        })
    }

    /// A session for some targets, which are tested in this session one after the other.
    pub(crate) fn of_unit(frontend: F, request: Request, targets: Vec<F::Target>) -> Session<F> {
        Session {
            names: frontend.reserved_names(),
            frontend,
            request,
            tested: Vec::new(),
            unwritten: Vec::new(),
            specification: None,
            complaints: Vec::new(),
            contradictions: Contradictions::default(),
            help: None,
            is_reached: false,
            waiting: targets.into(),
            is_unit: true,
            ready: VecDeque::new(),
            store: None,
            elsewhere: None,
            recalled: 0,
        }
    }

    /// The same session for a part of its targets.
    pub fn for_shard(mut self, shard: Shard) -> Session<F> {
        let frontend = &self.frontend;
        self.waiting
            .retain(|target| shard.has(&frontend.shard_name(target)));
        self
    }

    /// The same session, which searches for nothing that is in a store.
    pub fn with_store(self, store: Store) -> Session<F> {
        Session {
            store: Some(store),
            ..self
        }
    }

    /// The same session, whose units other machines search for. It needs a store, which says what
    /// their results go by.
    pub fn with_help(mut self, help: Help) -> Session<F> {
        if !help.gets_sources {
            self.frontend.search_without_sources();
        }
        self.help = Some(help);
        self
    }

    /// Tests the next target, or the next class where sequences of calls are searched for. Whether
    /// there was one: what was found is at the end of [`Session::tested`].
    pub fn advance(&mut self, observer: &mut dyn FnMut(Event<'_>)) -> Result<bool, Error> {
        if self.is_reached {
            return Ok(false);
        }
        if self.is_interrupted() {
            // What is known by now is entered all the same.
            self.ready.retain(Ready::is_known);
            let ready = self.ready.pop_front();
            return ready.map_or(Ok(false), |ready| {
                self.enter(ready, observer).map(|()| true)
            });
        }
        if self.ready.is_empty() && !self.is_unit {
            self.prepare(observer)?;
            if self.is_interrupted() {
                return self.advance(observer);
            }
        }
        if let Some(ready) = self.ready.pop_front() {
            self.enter(ready, observer)?;
            return Ok(true);
        }
        let Some(target) = self.waiting.pop_front() else {
            if let Some(store) = &self.store {
                store.trim();
            }
            return Ok(false);
        };
        match self.is_by_calls(&target)? {
            true => {
                let targets = self.with_its_class(target)?;
                self.test_class(targets, observer)?;
            }
            false => self.test(&target, observer)?,
        }
        Ok(true)
    }

    /// Whether inputs of a target are made by calls.
    pub(crate) fn is_by_calls(&mut self, target: &F::Target) -> Result<bool, Error> {
        let is_asked_for = self.request.options.mode == Mode::Sequences;
        Ok(is_asked_for || self.frontend.is_by_calls(target, &self.request)?)
    }

    /// A target and those that wait, are of the same class, and are tested by calls, too.
    pub(crate) fn with_its_class(&mut self, target: F::Target) -> Result<Vec<F::Target>, Error> {
        let class = self.frontend.class_of(&target);
        let mut own = vec![target];
        for other in std::mem::take(&mut self.waiting) {
            let is_own = self.frontend.class_of(&other) == class && self.is_by_calls(&other)?;
            match is_own {
                true => own.push(other),
                false => self.waiting.push_back(other),
            }
        }
        Ok(own)
    }

    /// How many targets there are: tested ones and those that wait.
    pub fn targets(&self) -> usize {
        self.tested.len() + self.waiting.len()
    }

    /// Whether somebody has ended the session.
    pub fn is_interrupted(&self) -> bool {
        self.request.options.interrupt.limit() == Some(Limit::Interrupted)
    }

    /// Whether everything was tested, so that files of earlier runs that are not written again are
    /// out of date.
    pub fn is_whole(&self) -> bool {
        self.all_complaints().is_empty()
            && self.unwritten.is_empty()
            && self.request.reach.is_none()
            && !self.is_interrupted()
    }

    /// All that keeps targets from being tested.
    pub fn all_complaints(&self) -> Vec<String> {
        let complaints = self.complaints.iter().cloned();
        complaints.chain(self.contradictions.complaints()).collect()
    }

    /// What was tested all the same, but with less than is meant.
    pub fn warnings(&self) -> &[String] {
        self.contradictions.warnings()
    }

    /// The suites of all that was tested.
    pub fn suites(&self) -> impl Iterator<Item = &Suite> {
        self.tested.iter().map(|tested| &tested.suite)
    }

    /// What has been shown.
    pub fn conclusion(&self) -> Conclusion {
        if self.request.reach.is_some() {
            return match &self.elsewhere {
                _ if self.is_reached => Conclusion::Fine,
                Some(elsewhere) if self.tested.is_empty() => {
                    Conclusion::Elsewhere(elsewhere.clone())
                }
                // Proved, if every target that has the line was explored to its end.
                _ if self.suites().all(Suite::is_exhaustive) => Conclusion::Wrong,
                _ => Conclusion::Open,
            };
        }
        match self.suites().any(Suite::has_findings) {
            true => Conclusion::Wrong,
            false => Conclusion::Fine,
        }
    }

    /// What was found, for reports; `facts` are what else the page says about the run.
    pub fn results(&self, facts: Vec<(String, String)>) -> Results<'_> {
        let mut texts = self.frontend.test_texts(&self.tested, &self.request);
        let procedures = (self.tested.iter().enumerate()).map(|(index, tested)| Procedure {
            suite: &tested.suite,
            name: self.frontend.short_name(&self.tested, index),
            function: tested.suite.function,
            sources: (tested.suite.tests.iter())
                .filter_map(|kept| texts.remove_entry(&kept.name))
                .collect(),
        });
        let unwritten = self.unwritten.iter();
        let unwritten = unwritten.map(|reason| format!("not written: {reason}"));
        Results {
            title: self.frontend.program_name(&self.request),
            facts,
            complaints: (self.all_complaints().into_iter())
                .chain(unwritten)
                .collect(),
            procedures: procedures.collect(),
            function_name: Box::new(|program, id| self.frontend.function_name(program, id)),
            source_folders: self.frontend.source_folders(),
            texts: Texts::new(|file| self.frontend.source(file)),
        }
    }

    /// Searches for tests of a target, and keeps them. What is wrong with the target is kept as well.
    pub(crate) fn test(
        &mut self,
        target: &F::Target,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let place = match &self.request.reach {
            Some(text) => match self.frontend.place(target, text)? {
                Some(place) => Some(place),
                None => return Ok(()),
            },
            None => None,
        };
        let options = Options {
            reach: place.clone(),
            ..self.request.options.clone()
        };
        let Some(explored) = self.explore(target, &options, observer)? else {
            return Ok(());
        };
        self.keep(target.clone(), explored, place.as_ref())
    }

    /// Explores a target. `None` if that cannot be done, which leaves the others alone.
    fn explore(
        &mut self,
        target: &F::Target,
        options: &Options,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Option<Explored<F::Entry>>, Error> {
        let name = self.frontend.target_name(target);
        observer(Event::Begins {
            name: &name,
            time: options.bounds.time,
        });
        let explored = self.frontend.explore(target, options, &mut |progress| {
            observer(Event::Progress(progress));
        });
        observer(Event::Ends);
        let explored = match explored {
            Ok(Ok(explored)) => explored,
            Ok(Err(error @ ExploreError::NoPredicate)) => {
                let advice = self.frontend.advice_without_predicate(target);
                self.complaints.push(format!("{name}: {error}; {advice}"));
                return Ok(None);
            }
            Ok(Err(ExploreError::NoCode(here))) => {
                self.elsewhere = Some(nearer(self.elsewhere.take(), here));
                return Ok(None);
            }
            Err(error) if error.spares_other_targets() => {
                self.complaints.push(format!("{name}: {error}"));
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        self.specification = explored.specification.clone().or(self.specification.take());
        if explored.report.stop == StopReason::Unsatisfiable {
            let file = explored.specification.as_deref();
            let language = self.frontend.language();
            (self.contradictions).add(file, explored.check, &name, language, &explored.subject);
            return Ok(None);
        }
        Ok(Some(explored))
    }

    /// Tests all targets of a class by sequences of calls.
    pub(crate) fn test_class(
        &mut self,
        own: Vec<F::Target>,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let Some(first) = own.first() else {
            return Ok(());
        };
        let class = self.frontend.class_of(first);
        match self.frontend.sequences(&own, &self.request, observer) {
            // One class that has no sequences leaves the others alone.
            Err(error) if error.spares_other_targets() => {
                self.complaints.push(format!("{class}: {error}"));
            }
            Err(error) => return Err(error),
            Ok(found) => {
                for (target, explored) in found {
                    let specification = explored.specification.clone();
                    self.specification = specification.or(self.specification.take());
                    self.keep(target, explored, None)?;
                }
            }
        }
        Ok(())
    }

    /// Chooses the tests of a target, and keeps them.
    fn keep(
        &mut self,
        target: F::Target,
        explored: Explored<F::Entry>,
        place: Option<&SourceLine>,
    ) -> Result<(), Error> {
        let request = &self.request;
        let selection = Selection {
            naming: explored.naming,
            title: explored.title,
            function: Some(explored.function),
            any_heap: explored.any_heap,
            interrupt: request.options.interrupt.clone(),
            ..Selection::new(
                self.frontend.language(),
                request.keep,
                place,
                request.options.budgets,
            )
        };
        let mut suite = Suite::new(
            explored.subject,
            explored.report,
            &selection,
            &mut self.names,
        );
        suite.inputs = self.frontend.about_inputs(&explored.entry);
        let file = explored.specification.as_deref();
        (self.contradictions).examine(file, explored.check, &suite);
        self.is_reached = place.is_some() && !suite.tests.is_empty();
        let (tests, unwritten) =
            (self.frontend).tests(&target, &mut suite, explored.entry, request)?;
        self.unwritten.extend(unwritten);
        self.push(Tested {
            target,
            suite,
            tests,
        });
        Ok(())
    }

    fn push(&mut self, tested: Tested<F>) {
        for known in &mut self.tested {
            known.suite.share(&tested.suite.subject.program);
        }
        self.tested.push(tested);
    }

    /// Adds what was tested elsewhere, under names that no other test has.
    pub(crate) fn adopt(&mut self, mut tested: Tested<F>) {
        for (index, kept) in tested.suite.tests.iter_mut().enumerate() {
            let name = self.names.unique(&kept.name);
            if name != kept.name {
                F::rename(&mut tested.tests, index, &name);
                kept.name = name;
            }
        }
        self.push(tested);
    }
}

/// The lines with code that are nearest to the place, of two targets.
fn nearer(one: Option<NoCode>, other: NoCode) -> NoCode {
    let Some(one) = one else {
        return other;
    };
    NoCode {
        before: one.before.max(other.before),
        after: one.after.into_iter().chain(other.after).min(),
        ..other
    }
}

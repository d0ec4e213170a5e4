//! Generating tests for one target after the other, whatever the language.

use std::collections::VecDeque;
use std::path::PathBuf;

use heapwright_engine::coverage::NoCode;
use heapwright_engine::{ExploreError, Limit, Mode, Options, SourceLine, StopReason};

use crate::contradictions::Contradictions;
use crate::error::{Error, RequestError};
use crate::frontend::{Event, Explored, Frontend};
use crate::names::Taken;
use crate::report::{Procedure, Results, Texts};
use crate::request::Request;
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
    complaints: Vec<String>,
    /// What is wrong with specifications.
    contradictions: Contradictions,
    /// What is known about the line to be reached from targets that do not have it.
    elsewhere: Option<NoCode>,
    /// Whether the line to be reached is.
    is_reached: bool,
    waiting: VecDeque<F::Target>,
    names: Taken,
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
        Ok(Session {
            names: frontend.reserved_names(),
            frontend,
            request,
            tested: Vec::new(),
            unwritten: targets.unusable,
            specification: None,
            complaints: targets.complaints,
            contradictions: Contradictions::default(),
            elsewhere: None,
            is_reached: false,
            waiting: targets.tested.into(),
        })
    }

    /// Tests the next target, or the next class where sequences of calls are searched for. Whether
    /// there was one: what was found is at the end of [`Session::tested`].
    pub fn advance(&mut self, observer: &mut dyn FnMut(Event<'_>)) -> Result<bool, Error> {
        if self.is_reached || self.is_interrupted() {
            return Ok(false);
        }
        let Some(target) = self.waiting.pop_front() else {
            return Ok(false);
        };
        let is_by_calls = self.request.options.mode == Mode::Sequences
            || self.frontend.is_by_calls(&target, &self.request)?;
        match is_by_calls {
            true => self.test_class(target, observer)?,
            false => self.test(&target, observer)?,
        }
        Ok(true)
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
    fn test(
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

    /// Tests all targets of the class of one of them by sequences of calls.
    fn test_class(
        &mut self,
        target: F::Target,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let class = self.frontend.class_of(&target);
        let mut own = vec![target];
        let waiting = std::mem::take(&mut self.waiting);
        for other in waiting {
            match self.frontend.class_of(&other) == class {
                true => own.push(other),
                false => self.waiting.push_back(other),
            }
        }
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
        for known in &mut self.tested {
            known.suite.share(&suite.subject.program);
        }
        self.tested.push(Tested {
            target,
            suite,
            tests,
        });
        Ok(())
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

//! Units of a session, searched side by side, and entered in the order of their targets.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use heapwright_engine::Mode;
use heapwright_store::Fingerprint;

use crate::elsewhere::{Answered, Job, JobOutcome, Progress};
use crate::error::Error;
use crate::frontend::{Event, Frontend, Search};
use crate::request::Request;
use crate::session::{Session, Tested};
use crate::store::Use;
use crate::units::{Findings, Searched};

/// So many units wait for each thread, so that none has nothing to do while others search.
const UNITS_PER_THREAD: usize = 8;

/// So many units wait where other machines search: what was found for them has to be kept until
/// they are entered.
const UNITS_ELSEWHERE: usize = 4096;

/// A unit whose targets come next.
pub(crate) struct Ready<F: Frontend> {
    targets: Vec<F::Target>,
    is_by_calls: bool,
    found: Found,
}

/// What came of a search.
type Searching = Result<Option<Searched>, Error>;

/// What is known about a unit.
enum Found {
    /// It was answered from the store.
    Recalled(Findings),
    /// It was searched.
    Searched(Searching),
    /// It is missing where everything is expected to be there.
    Missing,
    /// Other machines have set it aside, for this reason.
    SetAside(String),
}

/// A unit that is to be searched.
struct Unit<F: Frontend> {
    targets: Vec<F::Target>,
    is_by_calls: bool,
    names: Vec<String>,
    key: Option<Fingerprint>,
    found: Option<Found>,
}

impl<F: Frontend> Session<F> {
    /// Finds out about the units that come next, if targets are tested apart from each other. Those
    /// that nobody knows are searched, by as many threads as were asked for.
    pub(crate) fn prepare(&mut self, observer: &mut dyn FnMut(Event<'_>)) -> Result<(), Error> {
        let options = &self.request.options;
        // What one target reaches the others need not; and larger and larger scopes are cut by time.
        if self.request.reach.is_some()
            || options.mode == Mode::Sequences
            || self.request.sequences.via_api
        {
            return Ok(());
        }
        let most = match options.jobs {
            _ if self.help.is_some() => UNITS_ELSEWHERE,
            0 | 1 => 1,
            jobs => jobs.saturating_mul(UNITS_PER_THREAD),
        };
        let mut units = Vec::new();
        while units.len() < most
            && let Some(unit) = self.next_unit()?
        {
            units.push(unit);
        }
        self.search_elsewhere(&mut units, observer)?;
        // A part at a time, so that what was found is kept as soon as it is there.
        let open = (0..units.len()).filter(|&index| units[index].found.is_none());
        let open: Vec<usize> = open.collect();
        for part in open.chunks(options_jobs(&self.request).saturating_mul(UNITS_PER_THREAD)) {
            if self.is_interrupted() {
                break;
            }
            self.search_here(&mut units, part, observer);
        }
        self.ready.extend(units.into_iter().map(Unit::ready));
        Ok(())
    }

    /// Searches some units in this process, and keeps what was found.
    fn search_here(
        &self,
        units: &mut [Unit<F>],
        part: &[usize],
        observer: &mut dyn FnMut(Event<'_>),
    ) {
        let first = part.first().and_then(|&index| units.get(index));
        let name = first.and_then(|unit| unit.names.first());
        observer(Event::Begins {
            name: name.map_or("", String::as_str),
            time: self.request.options.bounds.time,
        });
        let open = part.iter().filter_map(|&index| {
            let search = self.frontend.apart(&units.get(index)?.targets)?;
            Some((index, search))
        });
        for (index, found) in search_all(open.collect(), &self.request) {
            let Some(unit) = units.get_mut(index) else {
                continue;
            };
            if let (Some(store), Ok(Some(searched))) = (&self.store, &found) {
                let circumstances = searched.circumstances.as_ref();
                let key = circumstances.map(|read| store.key(&self.request, &unit.names, read));
                if let Some(key) = key.or(unit.key) {
                    store.put(&key, searched);
                }
            }
            unit.found = Some(Found::Searched(found));
        }
        observer(Event::Ends);
    }

    /// Asks other machines, if there are any, about the units that nothing is known about.
    fn search_elsewhere(
        &mut self,
        units: &mut [Unit<F>],
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let (Some(help), Some(store)) = (&mut self.help, &self.store) else {
            return Ok(());
        };
        let open = (units.iter_mut()).filter(|unit| unit.found.is_none() && unit.key.is_some());
        let mut open: Vec<&mut Unit<F>> = open.collect();
        let keys: Vec<Fingerprint> = open.iter().filter_map(|unit| unit.key).collect();
        if keys.is_empty() {
            return Ok(());
        }
        let known = help.elsewhere.known(&keys).map_err(Error::Elsewhere)?;
        for (unit, states) in open.iter_mut().zip(known) {
            let found = states
                .iter()
                .find_map(|state| fitting(&self.frontend, state));
            if let Some(found) = found {
                if let Some(key) = &unit.key {
                    store.put(key, &found);
                }
                unit.found = Some(Found::Recalled(found.findings));
            }
        }
        open.retain(|unit| unit.found.is_none());
        if open.is_empty() {
            return Ok(());
        }
        let Some(sent) = self.frontend.sent(&self.request)? else {
            observer(Event::Note(
                "programs of this language are not sent to workers: everything is searched here",
            ));
            return Ok(());
        };
        let jobs = open.iter().filter_map(|unit| {
            Some(Job {
                key: unit.key?.0,
                targets: unit.names.clone(),
            })
        });
        let jobs: Vec<Job> = jobs.collect();
        let mut show = |progress: &Progress| match &progress.note {
            Some(note) => observer(Event::Note(note)),
            None => observer(Event::Elsewhere(progress)),
        };
        let outcomes = help
            .elsewhere
            .search(&sent, &self.request, &jobs, &mut show);
        observer(Event::Ends);
        let mut unfit = 0;
        for (index, outcome) in outcomes.map_err(Error::Elsewhere)? {
            let Some(unit) = open.get_mut(index) else {
                continue;
            };
            unit.found = match outcome {
                JobOutcome::Answered(states) => {
                    let found = states
                        .iter()
                        .find_map(|state| fitting(&self.frontend, state));
                    if let (Some(found), Some(key)) = (&found, &unit.key) {
                        store.put(key, found);
                    }
                    unfit += usize::from(found.is_none());
                    found.map(|found| Found::Searched(Ok(Some(found))))
                }
                JobOutcome::SetAside(reason) => Some(Found::SetAside(reason)),
                JobOutcome::Here => None,
            };
        }
        if unfit > 0 {
            let noun = if unfit == 1 {
                "answer is"
            } else {
                "answers are"
            };
            observer(Event::Note(&format!(
                "{unfit} {noun} about classes or sources that are not those of this machine (any \
                 more): searched here instead"
            )));
        }
        Ok(())
    }

    /// The next unit, with what the store knows about it.
    fn next_unit(&mut self) -> Result<Option<Unit<F>>, Error> {
        loop {
            let Some(target) = self.waiting.front().cloned() else {
                return Ok(None);
            };
            if self.frontend.apart(&[]).is_none() {
                return Ok(None);
            }
            self.waiting.pop_front();
            let is_by_calls = self.is_by_calls(&target)?;
            let targets = match is_by_calls {
                true => self.with_its_class(target)?,
                false => vec![target],
            };
            if !self.frontend.is_left(&targets, is_by_calls) {
                continue;
            }
            let circumstances = self.frontend.circumstances(&targets)?;
            let names = targets.iter();
            let names: Vec<String> = names
                .map(|target| self.frontend.target_name(target))
                .collect();
            let store = self.store.as_ref();
            let key = store.map(|store| store.key(&self.request, &names, &circumstances));
            let found = store.zip(key.as_ref()).and_then(|(store, key)| {
                let known = store.get(key, |looks| self.frontend.is_as_seen(looks));
                match known {
                    Some(findings) => Some(Found::Recalled(findings)),
                    None => (store.use_of() == Use::Merge).then_some(Found::Missing),
                }
            });
            return Ok(Some(Unit {
                targets,
                is_by_calls,
                names,
                key,
                found,
            }));
        }
    }

    /// What findings stand for here, if they stand for anything.
    fn recalled(&mut self, found: Findings) -> Option<(Vec<Tested<F>>, Findings)> {
        Some((self.frontend.recalled(&found.tested)?, found))
    }

    /// Says why there is nothing about some targets.
    fn complain(&mut self, targets: &[F::Target], reason: &str) {
        for target in targets {
            let name = self.frontend.target_name(target);
            self.complaints.push(format!("{name}: {reason}"));
        }
    }

    /// Enters what was found for a unit. What cannot be entered is searched for in this session.
    pub(crate) fn enter(
        &mut self,
        ready: Ready<F>,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let (findings, mut is_recalled) = match ready.found {
            Found::Recalled(findings) => (Some(findings), true),
            Found::Searched(searched) => (searched?.map(|searched| searched.findings), false),
            Found::Missing => {
                self.complain(&ready.targets, "there is no result for it");
                return Ok(());
            }
            Found::SetAside(reason) => {
                self.complain(&ready.targets, &reason);
                return Ok(());
            }
        };
        let mut recalled = findings.and_then(|found| self.recalled(found));
        if recalled.is_none() && is_recalled {
            // What is kept means nothing here: it is found anew, apart from the others as before.
            is_recalled = false;
            if let Some(search) = self.frontend.apart(&ready.targets) {
                let found = search(self.request.clone())?;
                recalled = found.and_then(|searched| self.recalled(searched.findings));
            }
        }
        let Some((tested, findings)) = recalled else {
            return match ready.is_by_calls {
                true => self.test_class(ready.targets, observer),
                false => match ready.targets.first() {
                    Some(target) => self.test(target, observer),
                    None => Ok(()),
                },
            };
        };
        if is_recalled {
            self.recalled += tested.len();
        }
        self.unwritten.extend(findings.unwritten);
        self.complaints.extend(findings.complaints);
        self.contradictions.absorb(findings.contradictions);
        self.specification = findings.specification.or(self.specification.take());
        for tested in tested {
            self.adopt(tested);
        }
        Ok(())
    }
}

impl<F: Frontend> Ready<F> {
    /// Whether something is known that can be entered.
    pub(crate) fn is_known(&self) -> bool {
        match &self.found {
            Found::Recalled(_) | Found::SetAside(_) | Found::Missing => true,
            Found::Searched(searched) => !matches!(searched, Ok(None)),
        }
    }
}

impl<F: Frontend> Unit<F> {
    fn ready(self) -> Ready<F> {
        Ready {
            targets: self.targets,
            is_by_calls: self.is_by_calls,
            // A unit that no thread has come to was not searched.
            found: self.found.unwrap_or(Found::Searched(Ok(None))),
        }
    }
}

/// An answer as the result of a search, if it is about the program as it is here.
fn fitting<F: Frontend>(frontend: &F, answered: &Answered) -> Option<Searched> {
    match frontend.is_as_seen(&answered.looks) {
        true => answered.searched(),
        false => None,
    }
}

/// Searches units, each of which has a number.
fn search_all(open: Vec<(usize, Search)>, request: &Request) -> Vec<(usize, Searching)> {
    let threads = request.options.jobs.clamp(1, open.len().max(1));
    let mut request = request.clone();
    // Threads that search in one unit wait for each other; those that search in several do not.
    request.options.jobs = request.options.jobs.div_euclid(threads).max(1);
    let waiting: Vec<Mutex<Option<(usize, Search)>>> = (open.into_iter())
        .map(|search| Mutex::new(Some(search)))
        .collect();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some(place) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) {
            let taken = locked(place).take();
            if let Some((index, search)) = taken {
                let found = search(request.clone());
                locked(&done).push((index, found));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The threads that were asked for.
fn options_jobs(request: &Request) -> usize {
    request.options.jobs.max(1)
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

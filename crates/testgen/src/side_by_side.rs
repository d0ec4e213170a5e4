//! Units of a session, searched side by side, and entered in the order of their targets.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use heapwright_engine::Mode;
use heapwright_store::Fingerprint;

use crate::error::Error;
use crate::frontend::{Event, Frontend, Search};
use crate::request::Request;
use crate::session::Session;
use crate::store::Use;
use crate::units::{Findings, Searched};

/// So many units wait for each thread, so that none has nothing to do while others search.
const UNITS_PER_THREAD: usize = 8;

/// A unit whose targets come next.
pub(crate) struct Ready<F: Frontend> {
    targets: Vec<F::Target>,
    is_by_calls: bool,
    found: Found,
}

/// What is known about a unit.
enum Found {
    /// It was answered from the store.
    Recalled(Findings),
    /// It was searched.
    Searched(Result<Option<Searched>, Error>),
    /// It is missing where everything is expected to be there.
    Missing,
}

/// A unit that is to be searched.
struct Unit<F: Frontend> {
    targets: Vec<F::Target>,
    is_by_calls: bool,
    key: Option<Fingerprint>,
    found: Option<Found>,
    search: Option<Search>,
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
            0 | 1 => 1,
            jobs => jobs.saturating_mul(UNITS_PER_THREAD),
        };
        let mut units = Vec::new();
        while units.len() < most
            && let Some(unit) = self.next_unit()?
        {
            units.push(unit);
        }
        let Some(first) = units.iter().find(|unit| unit.found.is_none()) else {
            self.ready.extend(units.into_iter().map(Unit::ready));
            return Ok(());
        };
        let name = first.targets.first();
        let name = name.map_or(String::new(), |target| self.frontend.target_name(target));
        observer(Event::Begins {
            name: &name,
            time: self.request.options.bounds.time,
        });
        search_all(&mut units, &self.request);
        observer(Event::Ends);
        if let Some(store) = &self.store {
            for unit in &units {
                if let (Some(Found::Searched(Ok(Some(searched)))), Some(key)) =
                    (&unit.found, &unit.key)
                {
                    store.put(key, searched);
                }
            }
        }
        self.ready.extend(units.into_iter().map(Unit::ready));
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
            let search = match found {
                None => self.frontend.apart(&targets),
                Some(_) => None,
            };
            return Ok(Some(Unit {
                targets,
                is_by_calls,
                key,
                found,
                search,
            }));
        }
    }

    /// Enters what was found for a unit. What cannot be entered is searched for in this session.
    pub(crate) fn enter(
        &mut self,
        ready: Ready<F>,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), Error> {
        let (findings, is_recalled) = match ready.found {
            Found::Recalled(findings) => (Some(findings), true),
            Found::Searched(searched) => (searched?.map(|searched| searched.findings), false),
            Found::Missing => {
                for target in &ready.targets {
                    let name = self.frontend.target_name(target);
                    self.complaints
                        .push(format!("{name}: there is no result for it"));
                }
                return Ok(());
            }
        };
        let recalled =
            findings.and_then(|found| Some((self.frontend.recalled(&found.tested)?, found)));
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

/// Searches the units that nothing is known about.
fn search_all<F: Frontend>(units: &mut [Unit<F>], request: &Request) {
    let mut open = Vec::new();
    for (index, unit) in units.iter_mut().enumerate() {
        open.extend(unit.search.take().map(|search| (index, search)));
    }
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
    for (index, found) in done.into_inner().unwrap_or_else(PoisonError::into_inner) {
        if let Some(unit) = units.get_mut(index) {
            unit.found = Some(Found::Searched(found));
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! Running the inputs: in parallel, each under a time limit, under a limit on memory, panics
//! caught.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::texts::Examples;
use crate::{Language, memory};

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The languages of the inputs, one as often as another but for those that stand there twice.
    pub languages: Vec<Language>,
    /// Determines every input.
    pub seed: u64,
    /// Number of the first input.
    pub first: u64,
    /// How many inputs.
    pub count: u64,
    /// How many at the same time.
    pub jobs: usize,
    /// An input that takes longer than this hangs.
    pub limit: Duration,
    /// Bytes that the process may have at any time.
    pub memory: u64,
    /// Whether the number of each input is printed before it is run. A stack overflow ends the
    /// process without a word; the last numbers printed have the cause.
    pub print: bool,
}

/// What became of an input that was read without trouble.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It got an error message.
    Rejected,
    /// It was read and resolved.
    Accepted,
    /// It was also solved and decided, or run to an end.
    Decided,
    /// It was also solved or run, but no further than to a budget or to what is not known.
    Undecided,
}

/// An input that made us panic or hang, or use too much memory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Number of the input.
    pub index: u64,
    /// The panic's message, or what was too much.
    pub reason: String,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many inputs of each fate: rejected, accepted, decided, undecided.
    pub fates: [u64; 4],
    /// The same for each language, in the order of the enumeration.
    pub by_language: [[u64; 4]; 8],
    /// Everything that went wrong, in order.
    pub failures: Vec<Failure>,
    /// The input that took longest.
    pub slowest: (Duration, u64),
    /// The most bytes that the process was seen to have, where the system tells.
    pub memory: u64,
}

/// What is done with an input in a language, given its number.
pub type Subject = dyn Fn(Language, u64, &[u8]) -> Fate + Sync;

/// A run stops after this many failures; more of them rarely say more.
const MOST_FAILURES: usize = 20;

/// Runs the inputs of the plan against `subject`.
///
/// An input over a limit ends the run: its thread cannot be stopped, and is left behind.
pub fn run(plan: &Plan, examples: &'static Examples, subject: &'static Subject) -> Report {
    let shared: &'static Shared = Box::leak(Box::new(Shared {
        next: AtomicU64::new(plan.first),
        end: plan.first.saturating_add(plan.count),
        stop: AtomicBool::new(false),
        current: (0..plan.jobs).map(|_| Mutex::new(None)).collect(),
        report: Mutex::new(Report::default()),
    }));
    let workers: Vec<_> = (shared.current.iter())
        .map(|slot| {
            let plan = plan.clone();
            std::thread::spawn(move || shared.work(slot, examples, &plan, subject))
        })
        .collect();
    while !workers.iter().all(|worker| worker.is_finished()) {
        std::thread::sleep(Duration::from_millis(20));
        if let Some(index) = shared.overdue(plan.limit) {
            let reason = format!("still running after {:?}", plan.limit);
            shared.give_up(index, reason);
            break;
        }
        let bytes = memory::resident().unwrap_or(0);
        {
            let most = &mut lock(&shared.report).memory;
            *most = bytes.max(*most);
        }
        if bytes > plan.memory
            && let Some(index) = shared.overdue(Duration::ZERO)
        {
            let reason = format!("{} MB at this input or one beside it", bytes >> 20);
            shared.give_up(index, reason);
            break;
        }
    }
    let mut report = lock(&shared.report).clone();
    report.failures.sort_by_key(|failure| failure.index);
    report
}

/// The number of an input and when it was started.
type Running = Option<(u64, Instant)>;

struct Shared {
    next: AtomicU64,
    end: u64,
    stop: AtomicBool,
    /// What each worker is at.
    current: Vec<Mutex<Running>>,
    report: Mutex<Report>,
}

impl Shared {
    fn work(&self, slot: &Mutex<Running>, examples: &Examples, plan: &Plan, subject: &Subject) {
        while !self.stop.load(Ordering::Relaxed) {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.end {
                return;
            }
            if plan.print {
                eprintln!("input {index}");
            }
            let start = Instant::now();
            *lock(slot) = Some((index, start));
            let result = catch_unwind(AssertUnwindSafe(|| {
                let (language, input) = examples.input(&plan.languages, plan.seed, index);
                (language, subject(language, index, &input))
            }));
            let taken = start.elapsed();
            *lock(slot) = None;
            let mut report = lock(&self.report);
            report.slowest = report.slowest.max((taken, index));
            match result {
                Ok((language, fate)) => {
                    report.fates[fate as usize] += 1;
                    report.by_language[language as usize][fate as usize] += 1;
                }
                Err(payload) => {
                    let reason = format!("panicked: {}", message(payload.as_ref()));
                    report.failures.push(Failure { index, reason });
                    if report.failures.len() >= MOST_FAILURES {
                        self.stop.store(true, Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// Ends the run because of one input.
    fn give_up(&self, index: u64, reason: String) {
        self.stop.store(true, Ordering::Relaxed);
        lock(&self.report).failures.push(Failure { index, reason });
    }

    /// An input that has been running for longer than the limit.
    fn overdue(&self, limit: Duration) -> Option<u64> {
        (self.current.iter())
            .filter_map(|slot| *lock(slot))
            .find(|(_, start)| start.elapsed() > limit)
            .map(|(index, _)| index)
    }
}

/// Locks; a panic of another thread is caught before it could leave anything half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn message(payload: &(dyn std::any::Any + Send)) -> String {
    if let Some(text) = payload.downcast_ref::<&str>() {
        (*text).to_owned()
    } else if let Some(text) = payload.downcast_ref::<String>() {
        text.clone()
    } else {
        "with a value that is not a text".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run_with(subject: &'static Subject, count: u64, limit: Duration) -> Report {
        let plan = Plan {
            languages: Language::TEXTS.to_vec(),
            memory: u64::MAX,
            seed: 1,
            first: 0,
            count,
            jobs: 2,
            limit,
            print: false,
        };
        run(&plan, Box::leak(Box::default()), subject)
    }

    #[test]
    fn panics_are_caught_and_named() {
        let report = run_with(
            &|_, _, input| {
                let text = String::from_utf8_lossy(input);
                assert!(!text.contains("pre "), "a text with a precondition");
                Fate::Accepted
            },
            100,
            // The trace of a panic takes long on a busy machine.
            Duration::from_secs(60),
        );
        assert!(!report.failures.is_empty());
        assert!(report.fates[Fate::Accepted as usize] > 0);
        for failure in &report.failures {
            assert_eq!(failure.reason, "panicked: a text with a precondition");
            let (_, input) = Examples::default().input(&Language::TEXTS, 1, failure.index);
            assert!(String::from_utf8_lossy(&input).contains("pre "));
        }
    }

    #[test]
    fn hangs_are_noticed() {
        let report = run_with(
            &|language, _, _| {
                if language == Language::HeapJson {
                    std::thread::sleep(Duration::from_secs(5));
                }
                Fate::Accepted
            },
            1000,
            Duration::from_millis(300),
        );
        let failure = report.failures.last().expect("some text was JSON");
        assert!(failure.reason.starts_with("still running"), "{failure:?}");
    }

    #[test]
    fn memory_beyond_the_limit_is_noticed() {
        let plan = Plan {
            languages: Language::TEXTS.to_vec(),
            memory: 1,
            seed: 1,
            first: 0,
            count: 10,
            jobs: 1,
            limit: Duration::from_secs(60),
            print: false,
        };
        let report = run(&plan, Box::leak(Box::default()), &|_, _, _| {
            std::thread::sleep(Duration::from_millis(100));
            Fate::Accepted
        });
        let known = memory::resident().is_some();
        assert_eq!(report.failures.len(), usize::from(known), "{report:?}");
    }
}

//! Running the texts: in parallel, each under a time limit, panics caught.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::Language;
use crate::texts::Examples;

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Determines every text.
    pub seed: u64,
    /// Number of the first text.
    pub first: u64,
    /// How many texts.
    pub count: u64,
    /// How many at the same time.
    pub jobs: usize,
    /// A text that takes longer than this hangs.
    pub limit: Duration,
    /// Whether each text is printed before it is run. A stack overflow ends the process without
    /// a word; the last text printed was the cause.
    pub print: bool,
}

/// What became of a text that was read without trouble.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It got an error message.
    Rejected,
    /// It was read and resolved.
    Accepted,
    /// It was also solved, and decided.
    Decided,
    /// It was also solved, within its budget undecided.
    Undecided,
}

/// A text that made us panic or hang.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Number of the text.
    pub index: u64,
    /// The panic's message, or what took too long.
    pub reason: String,
}

/// What a run found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// How many texts of each fate: rejected, accepted, decided, undecided.
    pub fates: [u64; 4],
    /// Everything that went wrong, in order.
    pub failures: Vec<Failure>,
    /// The text that took longest.
    pub slowest: (Duration, u64),
}

/// A run stops after this many failures; more of them rarely say more.
const MOST_FAILURES: usize = 20;

/// Runs the texts of the plan against `subject`.
///
/// A text over the limit ends the run: its thread cannot be stopped, and is left behind.
pub fn run(
    plan: &Plan,
    examples: &'static Examples,
    subject: fn(Language, u64, &str) -> Fate,
) -> Report {
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
            shared.stop.store(true, Ordering::Relaxed);
            let reason = format!("still running after {:?}", plan.limit);
            lock(&shared.report)
                .failures
                .push(Failure { index, reason });
            break;
        }
    }
    let mut report = lock(&shared.report).clone();
    report.failures.sort_by_key(|failure| failure.index);
    report
}

/// The number of a text and when it was started.
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
    fn work(
        &self,
        slot: &Mutex<Running>,
        examples: &Examples,
        plan: &Plan,
        subject: fn(Language, u64, &str) -> Fate,
    ) {
        while !self.stop.load(Ordering::Relaxed) {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            if index >= self.end {
                return;
            }
            let (language, text) = examples.text(plan.seed, index);
            if plan.print {
                eprintln!("text {index} ({language:?}):\n{text}");
            }
            let start = Instant::now();
            *lock(slot) = Some((index, start));
            let result = catch_unwind(AssertUnwindSafe(|| subject(language, index, &text)));
            let taken = start.elapsed();
            *lock(slot) = None;
            let mut report = lock(&self.report);
            report.slowest = report.slowest.max((taken, index));
            match result {
                Ok(fate) => report.fates[fate as usize] += 1,
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

    /// A text that has been running for longer than the limit.
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

    fn run_with(subject: fn(Language, u64, &str) -> Fate, count: u64) -> Report {
        let plan = Plan {
            seed: 1,
            first: 0,
            count,
            jobs: 2,
            limit: Duration::from_millis(300),
            print: false,
        };
        run(&plan, Box::leak(Box::default()), subject)
    }

    #[test]
    fn panics_are_caught_and_named() {
        let report = run_with(
            |_, _, text| {
                assert!(!text.contains("pre "), "a text with a precondition");
                Fate::Accepted
            },
            100,
        );
        assert!(!report.failures.is_empty());
        assert!(report.fates[Fate::Accepted as usize] > 0);
        for failure in &report.failures {
            assert_eq!(failure.reason, "panicked: a text with a precondition");
            let (_, text) = Examples::default().text(1, failure.index);
            assert!(text.contains("pre "));
        }
    }

    #[test]
    fn hangs_are_noticed() {
        let report = run_with(
            |language, _, _| {
                if language == Language::HeapJson {
                    std::thread::sleep(Duration::from_secs(5));
                }
                Fate::Accepted
            },
            1000,
        );
        let failure = report.failures.last().expect("some text was JSON");
        assert!(failure.reason.starts_with("still running"), "{failure:?}");
    }
}

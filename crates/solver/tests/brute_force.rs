//! The solver against brute force on random small systems of predicates.
//!
//! Every case comes from a seed, small ones first. A failure is shrunk before it is shown.
//! For a longer search: `BRUTE_FORCE_CASES` sets the number of cases, `BRUTE_FORCE_SEED` the
//! first seed, and with `BRUTE_FORCE_REPORT` failures are printed and the search goes on.
//! `BRUTE_FORCE_SHOW` names an outcome, such as `UnknownSat`, whose cases are printed.

mod brute_force_support;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use brute_force_support::compare::{Agreement, Counted, enumeration, satisfiability};
use brute_force_support::generate::{Profile, generate};
use brute_force_support::random::Random;
use brute_force_support::shrink::shrink;
use brute_force_support::system::System;
use brute_force_support::unfolding::Bounds;

/// How many cases had each outcome.
type Outcomes<T> = BTreeMap<T, usize>;

/// Failures of one kind that are shrunk and printed in a search that goes on.
const SHOWN: usize = 3;

/// Runs a test that may panic.
fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("it panics".to_owned()))
}

/// The first words of a failure: shrinking must not turn one kind into another.
fn kind(failure: &str) -> String {
    failure
        .split([' ', ':'])
        .take(2)
        .collect::<Vec<_>>()
        .join(" ")
}

/// The seeds of a test: as many as it asks for, unless the environment says otherwise.
fn seeds(cases: u64) -> Range<u64> {
    let number = |name| std::env::var(name).ok()?.parse::<u64>().ok();
    let first = number("BRUTE_FORCE_SEED").unwrap_or(0);
    first..first + number("BRUTE_FORCE_CASES").unwrap_or(cases)
}

/// Runs random cases.
fn campaign<T: Ord + Copy + Debug>(
    profile: Profile,
    cases: u64,
    test: &dyn Fn(&System) -> Result<T, String>,
) -> Outcomes<T> {
    let report = std::env::var_os("BRUTE_FORCE_REPORT").is_some();
    let show = std::env::var("BRUTE_FORCE_SHOW").ok();
    let seeds = seeds(cases);
    let count = seeds.end - seeds.start;
    let mut outcomes = BTreeMap::new();
    let mut failures: BTreeMap<String, usize> = BTreeMap::new();
    for seed in seeds.clone() {
        let size = ((seed - seeds.start) * 4 / count) as usize;
        let system = generate(&mut Random::new(seed), profile, size);
        let start = std::time::Instant::now();
        let result = guarded(|| test(&system));
        if report && start.elapsed().as_secs() > 1 {
            eprintln!(
                "{profile:?}, seed {seed} took {:?}\n{system}",
                start.elapsed()
            );
        }
        let failure = match result {
            Ok(outcome) => {
                *outcomes.entry(outcome).or_insert(0) += 1;
                if show.as_deref() == Some(&*format!("{outcome:?}")) {
                    eprintln!("{profile:?}, seed {seed}: {outcome:?}\n{system}");
                }
                continue;
            }
            Err(failure) => failure,
        };
        let kind_of_failure = kind(&failure);
        let seen = failures.entry(kind_of_failure.clone()).or_insert(0);
        *seen += 1;
        if *seen > SHOWN {
            continue;
        }
        let smallest = shrink(&system, &mut |candidate| {
            guarded(|| test(candidate)).is_err_and(|failure| kind(&failure) == kind_of_failure)
        });
        let failure = guarded(|| test(&smallest)).err().unwrap_or(failure);
        let message = format!("{profile:?}, seed {seed}: {failure}\n{smallest}");
        assert!(report, "{message}");
        eprintln!("{message}");
    }
    if report {
        eprintln!("{profile:?}: {outcomes:?}, failures {failures:?}");
    }
    outcomes
}

/// The share of an outcome, in percent.
fn percent<T: Ord>(outcomes: &Outcomes<T>, wanted: &[T]) -> f64 {
    let all: usize = outcomes.values().sum();
    let some: usize = wanted
        .iter()
        .filter_map(|outcome| outcomes.get(outcome))
        .sum();
    100.0 * some as f64 / all.max(1) as f64
}

/// Compares answers, and asks that both answers are common and not knowing is rare.
fn decide(profile: Profile, cases: u64) {
    let integers = match profile {
        Profile::Bytes => vec![0, 1, -1, 2, 127, -128, 126, -127, 128, -129, 3, -2],
        Profile::Counters => vec![0, 1, 2, 3, 4, 5, 6, 7, 8, -1, -2],
        _ => vec![0, 1, -1, 2, 3, -2, 4],
    };
    let counters = profile == Profile::Counters;
    let bounds = Bounds {
        cells: if counters { 6 } else { 4 },
        steps: if counters { 13 } else { 7 },
        integers,
        assignments: 20_000,
        derivations: 1_500,
    };
    let outcomes = campaign(profile, cases, &|system| satisfiability(system, &bounds));
    assert!(percent(&outcomes, &[Agreement::Sat]) > 20.0, "{outcomes:?}");
    assert!(
        percent(&outcomes, &[Agreement::Unsat]) > 20.0,
        "{outcomes:?}"
    );
    // Where the brute force does not find the model of the solver, nothing is compared.
    assert!(
        percent(&outcomes, &[Agreement::SatBeyond]) < 2.0,
        "{outcomes:?}"
    );
    let unknown = percent(&outcomes, &[Agreement::UnknownSat, Agreement::UnknownUnsat]);
    let allowed = if profile == Profile::Shape { 0.0 } else { 1.0 };
    assert!(unknown <= allowed, "{outcomes:?}");
}

/// Compares all models of every size up to `sizes`.
fn enumerate(profile: Profile, cases: u64, sizes: usize, bounds: &Bounds) {
    for size in 0..=sizes {
        let bounds = Bounds {
            cells: size,
            ..bounds.clone()
        };
        let outcomes = campaign(profile, cases, &|system| enumeration(system, size, &bounds));
        assert!(
            percent(&outcomes, &[Counted::Exactly]) > 50.0,
            "size {size}: {outcomes:?}"
        );
        assert!(
            percent(&outcomes, &[Counted::Unknown]) < 3.0,
            "size {size}: {outcomes:?}"
        );
    }
}

#[test]
fn shapes_are_decided() {
    decide(Profile::Shape, 1_000);
}

#[test]
fn orders_are_decided() {
    decide(Profile::Order, 600);
}

#[test]
fn numbers_are_decided() {
    decide(Profile::Numbers, 600);
}

#[test]
fn counters_are_decided() {
    decide(Profile::Counters, 400);
}

#[test]
fn bytes_are_decided() {
    decide(Profile::Bytes, 600);
}

#[test]
fn shapes_are_enumerated() {
    let bounds = Bounds {
        cells: 0,
        steps: 8,
        integers: Vec::new(),
        assignments: 30_000,
        derivations: 3_000,
    };
    enumerate(Profile::Shape, 250, 3, &bounds);
}

#[test]
fn orders_are_enumerated() {
    // Only the order of numbers counts, so there need to be no more than variables.
    let bounds = Bounds {
        cells: 0,
        steps: 6,
        integers: (0..6).collect(),
        assignments: 100_000,
        derivations: 1_500,
    };
    enumerate(Profile::Order, 120, 2, &bounds);
}

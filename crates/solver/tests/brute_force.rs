//! The solver against brute force on random small systems.

mod brute_force_support;

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

use brute_force_support::compare::{enumeration, satisfiability};
use brute_force_support::generate::{Profile, generate};
use brute_force_support::random::Random;
use brute_force_support::shrink::shrink;
use brute_force_support::system::System;
use brute_force_support::unfolding::Bounds;

fn bounds(profile: Profile) -> Bounds {
    let integers = match profile {
        Profile::Bytes => vec![0, 1, -1, 2, 127, -128, 126, -127, 128, -129, 3, -2],
        _ => vec![0, 1, -1, 2, 3, -2, 4],
    };
    Bounds {
        cells: 4,
        steps: 7,
        integers,
        assignments: 20_000,
        derivations: 1_500,
    }
}

fn guarded<T>(run: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| Err("it panics".to_owned()))
}

/// The first word of a failure: shrinking must not turn one kind into another.
fn kind(failure: &str) -> String {
    failure
        .split([' ', ':'])
        .take(2)
        .collect::<Vec<_>>()
        .join(" ")
}

/// Runs random cases, the small ones first.
fn campaign<T: Ord + Copy + Debug>(
    profile: Profile,
    seeds: std::ops::Range<u64>,
    test: &dyn Fn(&System) -> Result<T, String>,
) -> BTreeMap<T, usize> {
    let report = std::env::var_os("BRUTE_FORCE_REPORT").is_some();
    let verbose = std::env::var_os("BRUTE_FORCE_VERBOSE");
    let mut results = BTreeMap::new();
    let mut failures = BTreeMap::new();
    let count = seeds.end - seeds.start;
    for seed in seeds.clone() {
        let size = ((seed - seeds.start) * 4 / count) as usize;
        let system = generate(&mut Random::new(seed), profile, size);
        let start = std::time::Instant::now();
        match guarded(|| test(&system)) {
            Ok(result) => {
                *results.entry(result).or_insert(0) += 1;
                if verbose
                    .as_ref()
                    .is_some_and(|v| v.to_string_lossy() == format!("{result:?}"))
                {
                    eprintln!("{result:?} seed {seed}\n{system}");
                }
            }
            Err(failure) => {
                let wanted = kind(&failure);
                let seen: &mut usize = failures.entry(wanted.clone()).or_insert(0);
                *seen += 1;
                if *seen > 3 {
                    continue;
                }
                let smallest = shrink(&system, &mut |candidate| {
                    guarded(|| test(candidate)).is_err_and(|failure| kind(&failure) == wanted)
                });
                let failure = guarded(|| test(&smallest)).err().unwrap_or(failure);
                let message = format!("{profile:?}, seed {seed}: {failure}\n{smallest}");
                assert!(report, "{message}");
                eprintln!("{message}");
            }
        }
        if report && start.elapsed().as_millis() > 2000 {
            eprintln!("slow: {:?} seed {seed}\n{system}", start.elapsed());
        }
    }
    if report {
        eprintln!("{profile:?}: {results:?}, failures {failures:?}");
    }
    results
}

fn seeds(default: u64) -> std::ops::Range<u64> {
    let number = |name| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse::<u64>().ok())
    };
    let start = number("BRUTE_FORCE_SEED").unwrap_or(0);
    start..start + number("BRUTE_FORCE_CASES").unwrap_or(default)
}

fn decide(profile: Profile, cases: u64) {
    campaign(profile, seeds(cases), &|system| {
        satisfiability(system, &bounds(profile))
    });
}

#[test]
fn shapes_are_decided() {
    decide(Profile::Shape, 400);
}

#[test]
fn orders_are_decided() {
    decide(Profile::Order, 400);
}

#[test]
fn numbers_are_decided() {
    decide(Profile::Numbers, 400);
}

#[test]
fn bytes_are_decided() {
    decide(Profile::Bytes, 400);
}

fn count(profile: Profile, cases: u64, sizes: usize, bounds: &Bounds) {
    for size in 0..=sizes {
        let bounds = Bounds {
            cells: size,
            ..bounds.clone()
        };
        campaign(profile, seeds(cases), &|system| {
            enumeration(system, size, &bounds)
        });
    }
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
    count(Profile::Shape, 200, 3, &bounds);
}

#[test]
fn orders_are_enumerated() {
    let bounds = Bounds {
        cells: 0,
        steps: 6,
        integers: (0..6).collect(),
        assignments: 200_000,
        derivations: 2_000,
    };
    count(Profile::Order, 100, 2, &bounds);
}

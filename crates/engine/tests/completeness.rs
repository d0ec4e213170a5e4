//! Every path that some small heap takes is found: the engine against brute force.

mod completeness_support;

use completeness_support::heaps::{Bounds, FULL, Input, Reads};
use completeness_support::paths::{End, Path, Paths, run};
use completeness_support::program::Signature;
use completeness_support::sample::{Allowed, Sample, samples};
use completeness_support::specifications::{
    CASES, DOUBLY, HOLDER, LIST, MARKED, ONE, ONE_AND_NUMBER, Precondition, QUEUE, TREE, TWO,
    TWO_AND_NUMBER,
};
use heapwright_engine::{
    Mode, Options, Outcome, Run, Status, Subject, Verification, explore, oracle, replay,
};
use heapwright_ir::machine::Budgets;

/// Random programs per precondition, and per signature without one.
const PROGRAMS: usize = 6;

/// What programs without a precondition work on, within the full bounds. (Two references and a
/// number together with nodes of two references would take seconds for a single program.)
const SIGNATURES: &[Signature] = &[
    Signature {
        records: LIST,
        params: ONE,
    },
    Signature {
        records: LIST,
        params: TWO,
    },
    Signature {
        records: LIST,
        params: TWO_AND_NUMBER,
    },
    Signature {
        records: MARKED,
        params: TWO,
    },
    Signature {
        records: DOUBLY,
        params: ONE_AND_NUMBER,
    },
    Signature {
        records: TREE,
        params: ONE,
    },
    Signature {
        records: TREE,
        params: TWO,
    },
    Signature {
        records: HOLDER,
        params: &[("Holder", "p"), ("Holder", "q")],
    },
    Signature {
        records: QUEUE,
        params: &[("Queue", "p"), ("Node", "q")],
    },
];

#[test]
fn symbolic_execution_finds_every_path() {
    compare_all((0..CASES.len()).flat_map(samples_under), Mode::Symbolic);
}

#[test]
fn concolic_execution_finds_every_path() {
    compare_all((0..CASES.len()).flat_map(samples_under), Mode::Concolic);
}

#[test]
fn every_path_is_found_without_a_precondition() {
    for mode in [Mode::Symbolic, Mode::Concolic] {
        compare_all((0..SIGNATURES.len()).flat_map(samples_without), mode);
    }
}

/// Random programs under a precondition, with what brute force finds. Each precondition has
/// seeds of its own.
fn samples_under(index: usize) -> Vec<(Sample, Paths)> {
    Allowed::new(&CASES[index]).samples(1_000 * index as u64, PROGRAMS)
}

/// The same without one.
fn samples_without(index: usize) -> Vec<(Sample, Paths)> {
    let seed = 1_000_000 + 1_000 * index as u64;
    samples(&SIGNATURES[index], seed, PROGRAMS)
}

/// All programs are compared before anybody complains: what they have in common shows the cause.
fn compare_all(samples: impl Iterator<Item = (Sample, Paths)>, mode: Mode) {
    let mut programs = 0;
    let mut faults = Vec::new();
    for (sample, expected) in samples {
        programs += 1;
        if let Err(text) = compare(&sample, &expected, mode) {
            faults.push(format!("{}:\n{text}", sample.name()));
        }
    }
    let count = faults.len();
    let text = faults.join("\n");
    assert!(
        programs > 0 && count == 0,
        "{count} of {programs} programs:\n{text}"
    );
}

/// Compares the paths of the engine's tests with those of brute force, and whatever else the
/// engine says with what brute force knows.
fn compare(sample: &Sample, expected: &Paths, mode: Mode) -> Result<(), String> {
    let program = &sample.read.program;
    let specification = sample.case.map(|case| case.specification(program));
    let subject = Subject::new(program, sample.target, specification.as_ref()).unwrap();
    let options = Options {
        mode,
        stop_when_covered: false,
        bounds: heapwright_engine::Bounds {
            objects: heapwright_engine::Bound::fixed(FULL.cells as u32),
            time: None,
            ..heapwright_engine::Bounds::default()
        },
        ..Options::default()
    };
    let report = explore(&subject, &options, &mut |_| {}).unwrap();
    let mut faults = Vec::new();
    if report.statistics.divergences > 0 {
        faults.push(format!("{} divergences", report.statistics.divergences));
    }
    let mut inputs = Vec::new();
    for test in &report.tests {
        let input = Input::from_heap(&test.input.arguments, &test.input.heap);
        let (path, _) = run(program, sample.target, &input);
        if !same_path(sample, &path, &test.run) {
            let path = path.describe(program);
            faults.push(format!("another path than that of the test: {path}"));
        }
        inputs.push(input);
    }
    for branch in &report.branches {
        let denied = match branch.status {
            Status::Infeasible(_) => true,
            Status::Unreached { objects, .. } => objects >= FULL.cells as u32,
            _ => false,
        };
        let edge = branch.edge;
        if denied && expected.keys().any(|path| path.edges.contains(&edge)) {
            let line = branch.position.line;
            faults.push(format!(
                "line {line} has a branch that is not {:?}",
                branch.status
            ));
        }
    }
    faults.extend(sample.compare(expected, &inputs));
    if faults.is_empty() {
        return Ok(());
    }
    let (stop, statistics) = (report.stop, &report.statistics);
    let (unknown, cut) = (statistics.unknown, &statistics.cut);
    faults.push(format!("{stop:?}, {unknown} unknown, cut: {cut:?}"));
    Err(format!("{}\n{}", faults.join("\n"), sample.shown()))
}

/// The engine and brute force agree on what a path is.
#[test]
fn replayed_inputs_take_the_same_paths() {
    let without = (0..SIGNATURES.len()).flat_map(samples_without);
    let under = (0..CASES.len()).flat_map(samples_under);
    for (sample, paths) in without.chain(under) {
        let program = &sample.read.program;
        let subject = Subject::new(program, sample.target, None).unwrap();
        for (path, input) in &paths {
            let given = given(input);
            assert_eq!(Input::from_heap(&given.arguments, &given.heap), *input);
            let replayed = replay(&subject, &given, Budgets::default()).unwrap();
            assert!(same_path(&sample, path, &replayed), "{}", sample.text);
            assert_eq!(run(program, sample.target, input).0, *path);
        }
    }
}

/// The engine and brute force agree on which inputs a precondition allows, the frame included.
#[test]
fn the_oracle_allows_the_same_inputs() {
    let bounds = Bounds {
        cells: 3,
        lowest: 0,
        highest: 1,
    };
    for case in CASES {
        let sample = Sample::empty(&case.signature);
        let program = &sample.read.program;
        let precondition = Precondition(case.specification(program));
        let subject = Subject::new(program, sample.target, Some(&precondition.0)).unwrap();
        assert!(subject.precondition.is_some());
        // Shapes are enough, except where the precondition speaks of numbers.
        let space = sample.space(bounds);
        let mut check = |input: &Input| {
            let verdict = oracle::precondition(&subject, &given(input));
            let expected = precondition.allows(input);
            let name = case.name;
            match verdict {
                Verification::Holds => assert!(expected, "{name}: {input:?}"),
                Verification::Violated(why) => assert!(!expected, "{name}: {why}: {input:?}"),
                Verification::Undecided(why) => panic!("{name}: {why}: {input:?}"),
            }
            Reads::ALL
        };
        match case.formula {
            None => space.each_shape(&mut check),
            Some(_) if case.signature.records == TREE => {
                let bounds = Bounds { cells: 2, ..bounds };
                sample.space(bounds).each(&mut check);
            }
            Some(_) => space.each(&mut check),
        }
    }
}

/// An input as the engine has it.
fn given(input: &Input) -> heapwright_engine::Input {
    heapwright_engine::Input {
        arguments: input.arguments.clone(),
        heap: input.heap(),
        witness: None,
    }
}

/// Whether a run of the engine has taken a path. The engine says where a run ended by the place
/// in the source.
fn same_path(sample: &Sample, path: &Path, run: &Run) -> bool {
    let program = &sample.read.program;
    let end = match path.end {
        End::Returned => Outcome::Returned,
        End::Fault(kind, point) => Outcome::Fault {
            kind,
            position: point.position(program),
        },
        End::AssumptionFailed(point) => Outcome::AssumptionFailed {
            position: point.position(program),
        },
    };
    run.trail == path.edges && run.outcome == end
}

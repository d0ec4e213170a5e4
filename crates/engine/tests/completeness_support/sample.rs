//! One comparison: a program with all paths that brute force finds, and somebody's inputs.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use heapwright_impl::{ImplProgram, read_program};
use heapwright_ir::FunctionId;
use heapwright_spec::diagnostic::Style;

use super::heaps::{Bounds, FULL, Input, Space};
use super::paths::{Collector, Path, Paths, run};
use super::program::{Signature, program};
use super::specifications::{Case, Precondition};

/// A program under test.
pub struct Sample {
    pub text: String,
    pub read: ImplProgram,
    pub target: FunctionId,
    /// The precondition, if there is one.
    pub case: Option<&'static Case>,
}

/// Programs with fewer paths show little, and those with more take long.
const WORTHWHILE: RangeInclusive<usize> = 4..=120;

/// A precondition with all inputs that it allows. They do not depend on the program, only on
/// its signature.
pub struct Allowed {
    pub case: &'static Case,
    pub inputs: Vec<Input>,
}

impl Allowed {
    /// All inputs of the comparison.
    pub fn new(case: &'static Case) -> Self {
        Allowed::within(case, case.bounds)
    }

    /// All inputs within other bounds.
    pub fn within(case: &'static Case, bounds: Bounds) -> Self {
        let empty = Sample::empty(&case.signature);
        Allowed {
            case,
            inputs: case.inputs(&empty.space(bounds)),
        }
    }

    /// As many random programs under this precondition, from a seed on.
    pub fn samples(&self, seed: u64, count: usize) -> Vec<(Sample, Paths)> {
        let sample = |seed| Sample::random(&self.case.signature, Some(self.case), seed);
        worthwhile((seed..).map(sample), count, |sample| {
            sample.paths_of(&self.inputs)
        })
    }
}

/// As many random programs without a precondition, from a seed on.
pub fn samples(signature: &Signature, seed: u64, count: usize) -> Vec<(Sample, Paths)> {
    let sample = |seed| Sample::random(signature, None, seed);
    worthwhile((seed..).map(sample), count, Sample::paths)
}

fn worthwhile(
    samples: impl Iterator<Item = Sample>,
    count: usize,
    paths: impl Fn(&Sample) -> Paths,
) -> Vec<(Sample, Paths)> {
    samples
        .map(|sample| {
            let paths = paths(&sample);
            (sample, paths)
        })
        .filter(|(_, paths)| WORTHWHILE.contains(&paths.len()))
        .take(count)
        .collect()
}

impl Sample {
    /// A program of the generator.
    pub fn random(signature: &Signature, case: Option<&'static Case>, seed: u64) -> Self {
        Sample::new(program(signature, seed), case)
    }

    pub fn new(text: String, case: Option<&'static Case>) -> Self {
        let read = read_program("target.impl", &text)
            .unwrap_or_else(|error| panic!("{}\n{text}", error.render(Style::Plain)));
        let target = read.program.function_named("target").unwrap();
        Sample {
            text,
            read,
            target,
            case,
        }
    }

    /// A program that does nothing.
    pub fn empty(signature: &Signature) -> Self {
        let mut text = String::new();
        for record in signature.records {
            writeln!(text, "{record}").unwrap();
        }
        let params: Vec<_> = (signature.params.iter())
            .map(|(ty, name)| format!("{ty} {name}"))
            .collect();
        let params = params.join(", ");
        writeln!(text, "proc target({params}) returns int {{ return 0 }}").unwrap();
        Sample::new(text, None)
    }

    pub fn space(&self, bounds: Bounds) -> Space<'_> {
        Space {
            program: &self.read.program,
            function: self.target,
            bounds,
        }
    }

    /// The paths of all inputs within the bounds of the bar.
    pub fn paths(&self) -> Paths {
        let mut collector = Collector::new(&self.read.program, self.target);
        self.space(FULL).each(&mut |input| collector.run(input));
        collector.paths
    }

    /// The paths of given inputs.
    pub fn paths_of(&self, inputs: &[Input]) -> Paths {
        let mut collector = Collector::new(&self.read.program, self.target);
        for input in inputs {
            collector.run(input);
        }
        collector.paths
    }

    /// What is wrong with a set of inputs that claims to take all paths, for people. Every
    /// expected path must be taken, and every input must be allowed.
    pub fn compare(&self, expected: &Paths, inputs: &[Input]) -> Vec<String> {
        let program = &self.read.program;
        let found: BTreeSet<Path> = (inputs.iter())
            .map(|input| run(program, self.target, input).0)
            .collect();
        let mut faults = Vec::new();
        for (path, input) in expected {
            if !found.contains(path) {
                let path = path.describe(program);
                faults.push(format!("not found: {path}; e.g. {}", describe(input)));
            }
        }
        if let Some(case) = self.case {
            let precondition = Precondition(case.specification(program));
            let wrong = inputs.iter().filter(|input| !precondition.allows(input));
            faults.extend(wrong.map(|input| format!("not allowed: {}", describe(input))));
        }
        faults
    }

    /// What it is called in messages.
    pub fn name(&self) -> &str {
        self.case.map_or("no precondition", |case| case.name)
    }

    /// The program with its specification.
    pub fn shown(&self) -> String {
        let specification = self.case.map(|case| case.text()).unwrap_or_default();
        format!("{}{specification}", self.text)
    }
}

/// An input for people.
fn describe(input: &Input) -> String {
    let values = |values: &[heapwright_logic::Value]| {
        let values: Vec<_> = values.iter().map(ToString::to_string).collect();
        format!("({})", values.join(", "))
    };
    let mut text = format!("target{}", values(&input.arguments));
    for (index, (_, fields)) in input.cells.iter().enumerate() {
        write!(text, ", #{} -> {}", index + 1, values(fields)).unwrap();
    }
    text
}

//! Branch coverage of the written tests, as llvm-cov measures it and as the engine predicts it.
//!
//! Both count the two outcomes of each condition that is not constant, and the labels of a switch
//! (with one for no label, if there is no `default`). They are matched by place: the engine's places
//! lie inside of llvm-cov's regions. Conditions of `assert` and `hw_assume` are not compared, since
//! llvm-cov leaves out macros of system headers and the tests leave out assumptions.

mod labels;
mod llvm;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};

use heapwright_c::CUnit;
use heapwright_engine::Outcome;
use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{FunctionId, Position, Terminator};
use heapwright_testgen::{Error, Suite};

use llvm::{Measured, Region, Spot};

/// Words whose conditions are not compared.
const SET_ASIDE: [&str; 2] = ["assert", "hw_assume"];

/// Outcomes that tests have, and all there are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Count {
    covered: u32,
    all: u32,
}

impl Count {
    fn add(&mut self, covered: u32, all: u32) {
        self.covered += covered;
        self.all += all;
    }
}

/// What both say about a place.
#[derive(Default)]
struct Both {
    predicted: Count,
    measured: Count,
}

/// The comparison in words, and whether both are equal where both count.
pub(crate) struct Comparison {
    pub text: String,
    pub is_equal: bool,
}

/// Compares what the profiles of a program say with what its tests are predicted to cover.
pub(crate) fn compare<'s>(
    unit: &CUnit,
    source: &Path,
    suites: impl Iterator<Item = &'s Suite> + Clone,
    program: &Path,
    raw: &[PathBuf],
    folder: &Path,
) -> Result<Comparison, Error> {
    let measured = llvm::measure(program, raw, folder, source)?;
    let mut taken = BTreeSet::new();
    for suite in suites.clone() {
        for kept in suite.tests.iter().filter(|kept| kept.findings.is_empty()) {
            let run = &suite.test(kept).run;
            if matches!(run.outcome, Outcome::Returned) {
                taken.extend(run.edges());
            }
        }
    }
    let mut all = Count::default();
    let mut is_equal = true;
    let mut differing = String::new();
    let mut seen = BTreeSet::new();
    for suite in suites {
        let function = suite.function;
        let name = &unit.program.function(function).name;
        let known = measured.iter().find(|known| known.name == *name);
        let (Some(known), true) = (known, seen.insert(function)) else {
            continue;
        };
        for (spot, both) in places(unit, function, known, suite, &taken) {
            all.add(both.measured.covered, both.measured.all);
            if both.predicted != both.measured {
                // llvm-cov leaves out what the compiler knows to be constant.
                is_equal &= both.measured.all == 0;
                let Both {
                    predicted,
                    measured,
                } = both;
                let _ = writeln!(
                    differing,
                    "  {}:{}:{}: {} of {}, predicted were {} of {}",
                    source.display(),
                    spot.0,
                    spot.1,
                    measured.covered,
                    measured.all,
                    predicted.covered,
                    predicted.all
                );
            }
        }
    }
    let verdict = match differing.is_empty() {
        true => "as predicted",
        false => "predicted differently at:",
    };
    let (covered, all) = (all.covered, all.all);
    let text = format!("branch coverage by llvm-cov: {covered} of {all}, {verdict}\n{differing}");
    Ok(Comparison { text, is_equal })
}

/// What both say about each place of a function.
fn places(
    unit: &CUnit,
    function: FunctionId,
    known: &Measured,
    suite: &Suite,
    taken: &BTreeSet<Edge>,
) -> BTreeMap<Spot, Both> {
    let mut places: BTreeMap<Spot, Both> = BTreeMap::new();
    // A label counts once, and so does a switch without `default`, whose region is its value.
    let mut single: BTreeSet<Spot> = BTreeSet::new();
    let own = suite.report.branches.iter();
    for branch in own.filter(|branch| branch.edge.function == function) {
        let Successor::Jump(number) = branch.edge.successor else {
            continue;
        };
        let block = unit.program.function(function).block(branch.edge.block);
        let is_taken = u32::from(taken.contains(&branch.edge));
        if let Terminator::Switch { .. } = block.terminator {
            let label = labels::of_case(unit, function, branch.position, number as usize);
            let Some(label) = label else {
                continue;
            };
            let spot = smallest(&known.regions, label).map_or(label, |region| region.from);
            single.insert(spot);
            let predicted = &mut places.entry(spot).or_default().predicted;
            predicted.all = 1;
            predicted.covered = predicted.covered.max(is_taken);
            continue;
        }
        let own = (branch.position.line, branch.position.column);
        let region = smallest(&known.regions, own);
        if region.is_none() && is_set_aside(unit, branch.position) {
            continue;
        }
        let spot = region.map_or(own, |region| region.from);
        places.entry(spot).or_default().predicted.add(is_taken, 1);
    }
    for region in &known.regions {
        let measured = &mut places.entry(region.from).or_default().measured;
        match single.contains(&region.from) {
            true => measured.add(u32::from(region.taken[0]), 1),
            false => measured.add(region.covered(), 2),
        }
    }
    places
}

/// The innermost region around a place.
fn smallest(regions: &[Region], spot: Spot) -> Option<&Region> {
    let around = regions.iter().filter(|region| region.contains(spot));
    around.max_by_key(|region| region.from)
}

/// Whether a condition is that of an assertion or of an assumption, by the words of its statement.
fn is_set_aside(unit: &CUnit, position: Position) -> bool {
    let file = unit.program.files.get(position.file as usize);
    let Some(file) = file else {
        return true;
    };
    let lines = file.text.split_inclusive('\n');
    let before: usize = lines.take(position.line as usize - 1).map(str::len).sum();
    let end = before + position.column as usize;
    // The word itself may stand at the place.
    let rest = file.text.get(end - 1..).unwrap_or_default();
    if SET_ASIDE.iter().any(|word| rest.starts_with(word)) {
        return true;
    }
    let text = file.text.get(..end).unwrap_or_default();
    let statement = text.rsplit([';', '{', '}']).next().unwrap_or_default();
    SET_ASIDE.iter().any(|word| statement.contains(word))
}

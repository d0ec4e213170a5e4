//! Branch coverage of the written tests, as llvm-cov measures it and as the engine predicts it.
//!
//! Both count the two outcomes of each condition that is not constant, and the labels of a switch
//! (with one for no label, if there is no `default`). They are matched by place: the engine's places
//! lie inside of llvm-cov's regions. Conditions of `assert` and `hw_assume` are not compared, since
//! llvm-cov leaves out macros of system headers and the tests leave out assumptions.

mod gcov;
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

use crate::frontend::Entry;
pub(crate) use gcov::{Jumps, measure as measure_gcov};
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
    suites: impl Iterator<Item = (&'s Suite, &'s Entry)> + Clone,
    program: &Path,
    raw: &[PathBuf],
    folder: &Path,
    gcov: Option<&Jumps>,
) -> Result<Comparison, Error> {
    let measured = llvm::measure(program, raw, folder, source)?;
    let mut taken = BTreeSet::new();
    for (suite, entry) in suites.clone() {
        for kept in suite.tests.iter().filter(|kept| kept.findings.is_empty()) {
            let run = &suite.test(kept).run;
            if matches!(run.outcome, Outcome::Returned | Outcome::Threw { .. }) {
                taken.extend(run.edges());
                let played = entry.played.as_ref();
                taken.extend(
                    played
                        .and_then(|played| played.before(kept.index))
                        .into_iter()
                        .flatten(),
                );
            }
        }
    }
    let mut all = Count::default();
    let mut is_equal = true;
    let mut differing = String::new();
    let mut seen = BTreeSet::new();
    let mut lines: BTreeMap<u32, Count> = BTreeMap::new();
    for (suite, _) in suites {
        let function = suite.function;
        let name = &unit.program.function(function).name;
        let known = measured.iter().find(|known| known.name == *name);
        let (Some(known), true) = (known, seen.insert(function)) else {
            continue;
        };
        let places = places(unit, function, known, suite, &taken);
        let is_generated = is_generated(&places);
        for (spot, both) in places {
            all.add(both.measured.covered, both.measured.all);
            let line = lines.entry(spot.0).or_default();
            line.add(both.measured.covered, both.measured.all);
            if both.predicted != both.measured && !is_generated {
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
    let mut text =
        format!("branch coverage by llvm-cov: {covered} of {all}, {verdict}\n{differing}");
    if let Some(jumps) = gcov {
        text.push_str(&beside_gcov(source, &lines, jumps));
    }
    Ok(Comparison { text, is_equal })
}

/// Whether a function comes out of a macro as a whole: llvm-cov counts in the lines of the macro,
/// the search where the macro is used, and both count the same.
fn is_generated(places: &BTreeMap<Spot, Both>) -> bool {
    let (mut predicted, mut measured) = (Count::default(), Count::default());
    for both in places.values() {
        if both.predicted.all > 0 && both.measured.all > 0 {
            return false;
        }
        predicted.add(both.predicted.covered, both.predicted.all);
        measured.add(both.measured.covered, both.measured.all);
    }
    predicted == measured
}

/// What gcov counts in the lines of the tested functions, and where it counts something else.
fn beside_gcov(source: &Path, lines: &BTreeMap<u32, Count>, jumps: &Jumps) -> String {
    let mut all = Count::default();
    let mut differing = String::new();
    for (&line, conditions) in lines {
        let (covered, number) = jumps.get(&line).copied().unwrap_or_default();
        all.add(covered, number);
        let Count { covered: own, all } = *conditions;
        if (covered, number) == (own, all) {
            continue;
        }
        let reason = match number.cmp(&all) {
            std::cmp::Ordering::Less => "gcc makes fewer jumps of these conditions",
            std::cmp::Ordering::Greater => "gcc makes more jumps of these conditions",
            std::cmp::Ordering::Equal => "gcc's jumps here are not the source's conditions",
        };
        let _ = writeln!(
            differing,
            "  {}:{line}: {covered} of {number}, llvm-cov: {own} of {all} ({reason})",
            source.display()
        );
    }
    let Count { covered, all } = all;
    let verdict = match differing.is_empty() {
        true => "the same in every line",
        false => "which differs in:",
    };
    format!("branch coverage by gcov: {covered} of {all}, {verdict}\n{differing}")
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

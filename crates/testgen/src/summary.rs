//! What a search came to: coverage, verdicts about what is not covered, why it ended.

use std::collections::BTreeSet;
use std::io::{self, Write};

use heapwright_engine::{Branch, Limit, Origin, Proof, SourceLine, Status, StopReason, Test};
use heapwright_ir::machine::Edge;
use heapwright_logic::ClassId;

use crate::findings::{Finding, has_cycle, is_unfinished};
use crate::mutants::Mutants;
use crate::suite::{Kept, Suite};
use crate::text::Amount;
use heapwright_explain::{source, words};

/// What it means that there is no precondition.
pub const ANY_HEAP: &str = "no precondition: any object graph is allowed";

/// Prints what is covered, why the rest is not, and why the search ended.
pub fn print(suite: &Suite, amount: Amount, out: &mut dyn Write) -> io::Result<()> {
    if let Some(place) = &suite.reach {
        return print_reached(suite, place, out);
    }
    let kept = words::count(suite.tests.len() as u64, "test", "tests");
    let found = match suite.report.tests.len() {
        all if all > suite.tests.len() => format!("{kept} kept of {all} found"),
        _ => kept,
    };
    writeln!(out, "  {}, {found}", coverage(suite))?;
    let notes = apart(suite).into_iter().chain(overflows(suite));
    let notes = notes.chain(unfinished(suite));
    let bugs = divergences(suite).into_iter().chain(panics(suite));
    for note in notes.chain(bugs).chain(rejections(suite)) {
        writeln!(out, "  {note}")?;
    }
    if amount == Amount::Quiet {
        return Ok(());
    }
    for line in Mutants::of(suite)
        .iter()
        .flat_map(|known| known.lines(suite))
    {
        writeln!(out, "  {line}")?;
    }
    let mut lines = source::Lines::new(&suite.subject.program);
    for branch in &suite.report.branches {
        if let Some(verdict) = verdict(suite, branch) {
            let place = source::place(&suite.subject.program, branch.position);
            let edge = words::edge(&suite.subject.program, branch.edge, branch.position);
            let place = place.unwrap_or_else(|| "an unknown place".to_owned());
            writeln!(out, "  {place}: not taken: {edge}")?;
            let line = lines.line(branch.position);
            writeln!(out, "      {}", line.trim_start())?;
            writeln!(out, "      {verdict}")?;
        }
    }
    if let Some(checked) = checked(suite) {
        writeln!(out, "  {checked}")?;
    }
    writeln!(out, "  {}", stop(suite))
}

/// How many branches are covered, with those of other code told apart.
fn coverage(suite: &Suite) -> String {
    let (own, others) = suite.counted();
    let (covered, all) = (own.covered + others.covered, own.all + others.all);
    let noun = if all == 1 { "branch" } else { "branches" };
    let parts = match (own.all, others.all) {
        (0, 0) => return "no branches".to_owned(),
        (_, 0) => String::new(),
        (0, _) => ", all in called code".to_owned(),
        _ => format!(
            " ({} of {} its own, {} of {} in called code)",
            own.covered, own.all, others.covered, others.all
        ),
    };
    format!("{covered} of {all} {noun} covered{parts}")
}

/// On how many inputs it was checked what a call leaves behind; nothing if there is nothing to
/// check.
pub fn checked(suite: &Suite) -> Option<String> {
    let known = &suite.report.checked;
    let subject = &suite.subject;
    let promises = subject.postcondition.is_some() || !subject.exceptional.is_empty();
    let postcondition = promises.then_some(known.postcondition);
    let predicate = subject.promised_invariant().map(|_| known.invariant);
    let inputs = |number: u64| words::count(number, "input", "inputs");
    let what = match (postcondition, predicate) {
        (None, None) => return None,
        (Some(number), None) => format!("postcondition checked on {}", inputs(number)),
        (None, Some(number)) => format!("predicate checked on {}", inputs(number)),
        (Some(one), Some(other)) if one == other => {
            format!("postcondition and predicate checked on {}", inputs(one))
        }
        (Some(one), Some(other)) => {
            format!(
                "postcondition checked on {}, predicate on {other}",
                inputs(one)
            )
        }
    };
    let objects = words::count(known.objects, "object", "objects");
    let what = match postcondition.max(predicate) {
        Some(1..) => format!("{what} of up to {objects}"),
        _ => what,
    };
    Some(match known.cut_short {
        true => format!("{what}; there was no time for more (--time)"),
        false => what,
    })
}

fn print_reached(suite: &Suite, place: &SourceLine, out: &mut dyn Write) -> io::Result<()> {
    let line = place.line;
    if !suite.tests.is_empty() {
        writeln!(out, "  line {line} is reached")?;
    } else if suite.is_exhaustive() {
        let inputs = inputs(suite);
        writeln!(out, "  line {line} cannot be reached: {inputs} leads there")?;
    } else {
        writeln!(out, "  line {line} was not reached; {}", stop(suite))?;
    }
    match divergences(suite) {
        Some(note) => writeln!(out, "  {note}"),
        None => Ok(()),
    }
}

/// What is worth knowing about the tests as a whole.
pub fn notes(suite: &Suite) -> Vec<String> {
    let any_heap = suite.any_heap.then_some(ANY_HEAP);
    let mut notes: Vec<String> = any_heap.into_iter().map(str::to_owned).collect();
    notes.extend(suite.inputs.clone());
    notes.extend(apart(suite));
    notes.extend(overflows(suite));
    notes.extend(unfinished(suite));
    notes.extend(divergences(suite));
    notes.extend(panics(suite));
    notes.extend(rejections(suite));
    notes.extend(
        Mutants::of(suite)
            .iter()
            .flat_map(|known| known.lines(suite)),
    );
    notes
}

/// That the class's own predicate accepts no input of the specification.
fn rejections(suite: &Suite) -> Option<String> {
    let known = &suite.report.statistics;
    let reason = known.rejection.as_ref()?;
    (known.accepted == 0).then(|| {
        format!("the class's own predicate rejects every input of this specification: {reason}")
    })
}

/// Tests that fail, and that show nothing to be wrong with the program.
fn apart(suite: &Suite) -> Vec<String> {
    let apart = suite.tests.iter().filter(|kept| kept.apart);
    let is_inferred = |kept: &&Kept| suite.test(kept).origin == Origin::Inferred;
    let (inferred, arbitrary): (Vec<&Kept>, Vec<&Kept>) = apart.partition(is_inferred);
    let told = |number: usize, one, many, reason| {
        let number = number as u64;
        (number > 0).then(|| {
            let count = words::count(number, one, many);
            format!("{count} (~), not counted as failures: {reason}")
        })
    };
    let arbitrary = told(
        arbitrary.len(),
        "failure on an arbitrary input",
        "failures on arbitrary inputs",
        "a precondition could rule them out",
    );
    let inferred = told(
        inferred.len(),
        "unconfirmed failure",
        "unconfirmed failures",
        "the input is only inferred to be valid",
    );
    arbitrary.into_iter().chain(inferred).collect()
}

/// What is wrong with the run or its specification, and so must not be missed.
pub fn warnings(suite: &Suite) -> Vec<String> {
    let bugs = divergences(suite).into_iter().chain(panics(suite));
    bugs.chain(rejections(suite)).collect()
}

/// Inputs that are no tests.
fn overflows(suite: &Suite) -> Vec<String> {
    let number = suite.overflows as u64;
    if number == 0 {
        return Vec::new();
    }
    let mut notes = vec![format!(
        "{} the stack; without a precondition cycles are valid inputs",
        words::count(number, "other input overflowed", "other inputs overflowed")
    )];
    let kept: Vec<&Test> = suite.tests.iter().map(|kept| suite.test(kept)).collect();
    let edges: BTreeSet<Edge> = kept.iter().flat_map(|test| test.run.edges()).collect();
    let is_kept = |branch: &&Branch| edges.contains(&branch.edge);
    let covered = |branch: &&Branch| matches!(branch.status, Status::Covered { .. });
    let branches = suite.report.branches.iter().filter(covered);
    let lost = branches.filter(|branch| !is_kept(branch)).count() as u64;
    if lost > 0 {
        notes.push(format!(
            "{} only by such inputs, of which there are no tests",
            words::count(lost, "branch is taken", "branches are taken")
        ));
    }
    notes
}

/// Inputs whose runs used up their steps, and that are no findings.
fn unfinished(suite: &Suite) -> Option<String> {
    if suite.unfinished == 0 {
        return None;
    }
    let number = suite.unfinished as u64;
    let mut found = suite.tests.iter().flat_map(|kept| &kept.findings);
    let inputs = match found.any(|known| matches!(known, Finding::Endless(_))) {
        true => words::count(number, "more input", "more inputs"),
        false => words::count(number, "input", "inputs"),
    };
    let inputs = format!("{inputs} hit the step limit (--steps)");
    let mut tests = suite.report.tests.iter();
    let is_excused = |test: &Test| is_unfinished(test) && has_cycle(test);
    Some(match suite.any_heap && tests.any(is_excused) {
        true => format!("{inputs}; without a precondition cycles are valid inputs"),
        false => inputs,
    })
}

/// A defect of ours that must not go unnoticed.
/// Paths that are missing because of a bug.
fn panics(suite: &Suite) -> Option<String> {
    match suite.report.statistics.panics {
        0 => None,
        number => Some(format!(
            "internal error in {}; please report it with the message above",
            words::count(number, "path", "paths")
        )),
    }
}

fn divergences(suite: &Suite) -> Option<String> {
    match suite.report.statistics.divergences {
        0 => None,
        number => Some(format!(
            "{} the path that it was made for, which is a defect; please report it",
            words::count(number, "run left", "runs left")
        )),
    }
}

fn inputs(suite: &Suite) -> &'static str {
    match suite.subject.precondition {
        Some(_) => "no valid input",
        None => "no input",
    }
}

/// The classes of inputs that other programs may extend, so that they take other ways.
fn extensible(suite: &Suite) -> String {
    short_names(suite, &suite.report.extended_by_none).join(" or ")
}

/// The names of classes without their packages and type arguments, sorted.
fn short_names<'s>(suite: &'s Suite, classes: &BTreeSet<ClassId>) -> Vec<&'s str> {
    let definitions = &suite.subject.program.definitions;
    let names = classes.iter().map(|&class| {
        let name = definitions.class(class).name.as_str();
        let name = name.split('<').next().unwrap_or(name);
        name.rsplit_once('.').map_or(name, |(_, short)| short)
    });
    let names: BTreeSet<&str> = names.collect();
    names.into_iter().collect()
}

/// What a search left out, where the number of objects says nothing about it.
fn left_out(suite: &Suite, limit: Limit) -> String {
    let names = short_names(suite, &suite.report.tried_in_part);
    match limit {
        Limit::Classes if !names.is_empty() => format!(
            "not decided: only some kinds of {} are tried as inputs",
            names.join(", ")
        ),
        _ => {
            let limit = words::limit_at(limit, &suite.report.extent);
            format!("not decided: stopped by {limit}")
        }
    }
}

/// Why a branch is not covered; nothing if it is.
pub fn verdict(suite: &Suite, branch: &Branch) -> Option<String> {
    Some(match &branch.status {
        Status::Covered { .. } => return None,
        Status::Infeasible(Proof::ClosedTree) => {
            format!("proved unreachable: {} takes it", inputs(suite))
        }
        Status::Infeasible(Proof::Nullness) => {
            "proved unreachable: null checks rule it out".to_owned()
        }
        Status::Unreached { objects: 0, limit } => left_out(suite, *limit),
        Status::Unreached { objects, limit } => {
            let objects = words::count(*objects, "object", "objects");
            let beyond = words::limit_at(*limit, &suite.report.extent);
            format!(
                "{} with at most {objects} takes it; beyond that, stopped by {beyond}",
                inputs(suite)
            )
        }
        Status::Open(Limit::StaticState) => format!("not decided: {}", static_state(suite)),
        Status::Open(Limit::Subclasses) => {
            format!(
                "unreachable unless another class extends {}",
                extensible(suite)
            )
        }
        Status::Open(Limit::Environment(part)) => format!("not decided: depends on {part}"),
        Status::Open(Limit::OtherTests) => "taken by tests of other methods".to_owned(),
        Status::Open(limit) => left_out(suite, *limit),
    })
}

/// What a search depends on that is no input: static fields by name, or objects that the program
/// made before the call.
fn static_state(suite: &Suite) -> String {
    let program = &suite.subject.program;
    let names = (suite.report.statics.iter())
        .filter_map(|place| words::shared_variable(program, *place))
        .collect::<BTreeSet<String>>();
    let depends = "depends on static state that other code may change";
    match names.is_empty() {
        true => depends.to_owned(),
        false => format!(
            "{depends}: {}",
            names.into_iter().collect::<Vec<_>>().join(", ")
        ),
    }
}

/// Why the search ended.
pub fn stop(suite: &Suite) -> String {
    match suite.report.stop {
        StopReason::Exhausted => match suite.report.open {
            None => "all paths explored".to_owned(),
            Some((Limit::StaticState, _)) => {
                format!("all paths explored; what happens {}", static_state(suite))
            }
            Some((Limit::Subclasses, _)) => format!(
                "all paths explored; a class that extends {} may add others",
                extensible(suite)
            ),
            Some((limit, _)) => format!(
                "all paths explored, except those cut off by {}",
                words::limit_at(limit, &suite.report.extent)
            ),
        },
        StopReason::Covered => {
            let branches = suite.report.branches.len();
            let rest = match suite.covered() < branches {
                true => " or proved unreachable",
                false => "",
            };
            format!("done: every branch is covered{rest}")
        }
        StopReason::Reached => "done: the line is reached".to_owned(),
        StopReason::Unsatisfiable => "no heap satisfies the precondition".to_owned(),
        StopReason::Limit(Limit::OtherTests) => {
            "done: tests of other methods take the other branches".to_owned()
        }
        StopReason::Limit(limit) => {
            let limit = words::limit_at(limit, &suite.report.extent);
            format!("stopped by {limit}")
        }
    }
}

/// The work of a search in one line.
pub fn statistics(suite: &Suite) -> String {
    let known = &suite.report.statistics;
    let seconds = known.total.as_secs_f64();
    let rate = if seconds > 0.0 {
        format!("{:.0} paths/s", known.paths as f64 / seconds)
    } else {
        "-".to_owned()
    };
    format!(
        "{}, {seconds:.3} s ({:.3} execution, {:.3} solver), {rate}",
        work(suite),
        known.execution.as_secs_f64(),
        known.solving.as_secs_f64()
    )
}

/// How much work a search was, but for the time: the same for every run.
pub fn work(suite: &Suite) -> String {
    let known = &suite.report.statistics;
    let mut parts = vec![
        words::count(known.paths, "path", "paths"),
        format!("{} unreachable", known.infeasible),
    ];
    let more = [
        (known.unknown, "unknown", "unknown"),
        (known.isomorphic, "isomorphic", "isomorphic"),
        (known.invalid, "invalid", "invalid"),
        (known.undecided, "undecided", "undecided"),
        (known.formulas, "formula", "formulas"),
        (known.structures, "structure", "structures"),
        (known.candidates, "candidate", "candidates"),
    ];
    if known.states > 0 {
        parts = vec![
            words::count(known.states, "state", "states"),
            words::count(known.transitions, "call", "calls"),
            format!("{} matched", known.matched),
            words::count(known.paths, "path", "paths"),
        ];
    }
    parts.extend(
        (more.iter())
            .filter(|(number, ..)| *number > 0)
            .map(|(number, one, many)| words::count(*number, one, many)),
    );
    parts.push(words::count(
        known.solver_calls,
        "solver call",
        "solver calls",
    ));
    parts.push(words::count(known.cache_hits, "cache hit", "cache hits"));
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use crate::test_support::{Example, printed};

    use super::*;

    #[test]
    fn every_uncovered_branch_has_its_verdict() {
        let example = Example::new();
        let check_verdict = |status, expected: &str| {
            let mut report = example.report();
            report.branches[1].status = status;
            report.stop = StopReason::Exhausted;
            let text = printed(&example, report, None, Amount::Normal);
            assert!(text.contains(expected), "{text}");
            let place = "first.impl:2:9: not taken: `x == nil` is false\n      if (x == nil)";
            assert!(text.contains(place), "{text}");
            assert!(text.contains("1 of 2 branches"), "{text}");
        };
        check_verdict(
            Status::Infeasible(Proof::ClosedTree),
            "proved unreachable: no valid input takes it\n",
        );
        check_verdict(
            Status::Unreached {
                objects: 8,
                limit: Limit::Objects,
            },
            "no valid input with at most 8 objects takes it; beyond that, stopped by the \
             limit on objects of an input (--max-objects)\n",
        );
        check_verdict(
            Status::Open(Limit::Paths),
            "not decided: stopped by the limit on paths (--max-paths)\n",
        );
    }

    #[test]
    fn a_place_is_reached_or_not_or_never() {
        let example = Example::new();
        let text = printed(&example, example.report(), Some(3), Amount::Normal);
        assert!(text.contains("first_x_is_not_nil"), "{text}");
        assert!(text.contains("line 3 is reached"), "{text}");
        let mut report = example.report();
        report.stop = StopReason::Exhausted;
        let text = printed(&example, report.clone(), Some(9), Amount::Normal);
        assert!(
            text.contains("line 9 cannot be reached: no valid input leads there"),
            "{text}"
        );
        report.open = Some((Limit::Objects, 2));
        let text = printed(&example, report, Some(9), Amount::Normal);
        assert!(
            text.contains("line 9 was not reached; all paths explored, except"),
            "{text}"
        );
    }
}

//! Every procedure of every example, searched with the default options: valid inputs, correct
//! runs, and a verdict on every branch.
//!
//! `examples/concolic.txt` and `examples/symbolic.txt` say for every procedure how many branches
//! are covered, and for every other branch what is known about it. A branch that is unreached has
//! to be so for at least as many objects as the table says. `UPDATE_EXPECT=1` writes the tables
//! anew; it cannot make a search pass that leaves a branch without a verdict.

mod specified;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use heapwright_engine::{
    Bounds, Branch, Keep, Mode, Options, Outcome, Report, Status, Subject, Test, Verification,
    explore, keep, oracle,
};
use heapwright_ir::machine::{Edge, Successor};
use specified::{Specified, examples};

#[test]
fn concolic_execution_of_every_example() {
    check_all(Mode::Concolic, "concolic");
}

#[test]
fn symbolic_execution_of_every_example() {
    check_all(Mode::Symbolic, "symbolic");
}

#[test]
fn concolic_searches_do_not_depend_on_threads() {
    repeat_all(Mode::Concolic);
}

#[test]
fn symbolic_searches_do_not_depend_on_threads() {
    repeat_all(Mode::Symbolic);
}

/// The default options, but for the clock: what a loaded machine has no time for would differ
/// from run to run.
fn options(mode: Mode) -> Options {
    Options {
        mode,
        bounds: Bounds {
            time: None,
            ..Bounds::default()
        },
        ..Options::default()
    }
}

fn search(subject: &Subject, options: &Options) -> Report {
    explore(subject, options, &mut |_| {}).unwrap()
}

/// What is the case with every procedure, and every program, of the examples.
fn for_all(mut check: impl FnMut(&str, &Subject)) {
    for name in examples() {
        let example = Specified::example(&name);
        for subject in example.subjects() {
            check(&format!("{name} {}", subject.name()), &subject);
        }
    }
}

/// Searches everything before anybody complains.
fn check_all(mode: Mode, table: &str) {
    let mut faults = Vec::new();
    let mut found = Vec::new();
    for_all(|place, subject| {
        let report = search(subject, &options(mode));
        let mut complain = |fault: String| faults.push(format!("{place}: {fault}"));
        check_report(subject, &report, &mut complain);
        found.push(Row::of(place, &report));
    });
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/examples")
        .join(format!("{table}.txt"));
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let text: String = found.iter().map(Row::text).collect();
        std::fs::write(&path, text).unwrap();
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    faults.extend(compare(&Row::parse(&text), &found));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What holds of every search of a correct program under its contract.
fn check_report(subject: &Subject, report: &Report, complain: &mut dyn FnMut(String)) {
    let statistics = &report.statistics;
    if (statistics.divergences, statistics.invalid) != (0, 0) {
        let (divergences, invalid) = (statistics.divergences, statistics.invalid);
        complain(format!("{divergences} divergences, {invalid} invalid"));
    }
    if report.tests.is_empty() {
        complain("no test".to_owned());
    }
    let mut keys = BTreeSet::new();
    for (index, test) in report.tests.iter().enumerate() {
        if !keys.insert(test.input.key()) {
            complain(format!("the input of test {index} occurs twice"));
        }
        let faults = check_test(subject, test).into_iter();
        faults.for_each(|fault| complain(format!("test {index}: {fault}: {:?}", test.input)));
    }
    for branch in &report.branches {
        match branch.status {
            Status::Covered { test } => {
                let taken = report.tests.iter().position(|test| takes(test, branch));
                if taken != Some(test) {
                    complain(format!("{} is covered by {taken:?}", shown(branch)));
                }
            }
            Status::Infeasible(_) | Status::Unreached { .. } => {
                if report.tests.iter().any(|test| takes(test, branch)) {
                    complain(format!("{} is covered", shown(branch)));
                }
            }
            Status::Open(limit) => complain(format!("{} is open: {limit:?}", shown(branch))),
        }
    }
    let kept: Vec<&Test> = (keep(report, Keep::Coverage).into_iter())
        .map(|index| &report.tests[index])
        .collect();
    if jumps(kept.iter().copied()) != jumps(&report.tests) {
        complain("what is kept covers other branches".to_owned());
    }
}

/// What is wrong with one test.
fn check_test(subject: &Subject, test: &Test) -> Vec<String> {
    let mut faults = Vec::new();
    if subject.precondition.is_some() && test.input.witness.is_none() {
        faults.push("no witness".to_owned());
    }
    match oracle::precondition(subject, &test.input) {
        Verification::Holds => {}
        verdict => faults.push(format!("precondition: {verdict:?}")),
    }
    if test.run.outcome != Outcome::Returned {
        faults.push(format!("{:?}", test.run.outcome));
    }
    let expected = (subject.postcondition.is_some()).then_some(Verification::Holds);
    if test.run.postcondition != expected {
        faults.push(format!("postcondition: {:?}", test.run.postcondition));
    }
    if !test.run.leaks.is_empty() {
        faults.push("a leak".to_owned());
    }
    faults
}

fn takes(test: &Test, branch: &Branch) -> bool {
    test.run.trail.contains(&branch.edge)
}

fn jumps<'t>(tests: impl IntoIterator<Item = &'t Test>) -> BTreeSet<Edge> {
    let trails = tests.into_iter().flat_map(|test| &test.run.trail);
    trails.copied().collect()
}

/// A branch as the tables call it: place and way.
fn shown(branch: &Branch) -> String {
    let way = match branch.edge.successor {
        Successor::Jump(0) => "yes",
        _ => "no",
    };
    format!("{}:{} {way}", branch.position.line, branch.position.column)
}

/// What the tables say about a procedure.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    place: String,
    covered: usize,
    total: usize,
    /// The branches that are not covered; for those that are not proved infeasible, the number
    /// of objects up to which nothing reaches them.
    others: Vec<(String, Option<u32>)>,
}

impl Row {
    fn of(place: &str, report: &Report) -> Row {
        let others = (report.branches.iter()).filter_map(|branch| match branch.status {
            Status::Covered { .. } => None,
            Status::Infeasible(_) => Some((shown(branch), None)),
            Status::Unreached { objects, .. } => Some((shown(branch), Some(objects))),
            Status::Open(_) => Some((shown(branch), Some(0))),
        });
        let others: Vec<_> = others.collect();
        Row {
            place: place.to_owned(),
            covered: report.branches.len() - others.len(),
            total: report.branches.len(),
            others,
        }
    }

    fn text(&self) -> String {
        let Row {
            place,
            covered,
            total,
            others,
        } = self;
        let others: String = (others.iter())
            .map(|(branch, objects)| match objects {
                None => format!("    {branch}: infeasible\n"),
                Some(objects) => format!("    {branch}: unreached up to {objects} objects\n"),
            })
            .collect();
        format!("{place}: {covered}/{total}\n{others}")
    }

    fn parse(text: &str) -> Vec<Row> {
        let mut rows: Vec<Row> = Vec::new();
        for line in text.lines() {
            let (name, rest) = line.rsplit_once(": ").unwrap();
            if let Some(branch) = name.strip_prefix("    ") {
                let objects = rest.strip_prefix("unreached up to ");
                let objects = objects.and_then(|rest| rest.strip_suffix(" objects"));
                assert!(objects.is_some() || rest == "infeasible", "{line}");
                let objects = objects.map(|objects| objects.parse().unwrap());
                let row = rows.last_mut().unwrap();
                row.others.push((branch.to_owned(), objects));
            } else {
                let (covered, total) = rest.split_once('/').unwrap();
                rows.push(Row {
                    place: name.to_owned(),
                    covered: covered.parse().unwrap(),
                    total: total.parse().unwrap(),
                    others: Vec::new(),
                });
            }
        }
        rows
    }

    /// Whether a search found out at least as much as this row says.
    fn is_met_by(&self, found: &Row) -> bool {
        let same_branches = self.others.len() == found.others.len();
        let mut pairs = self.others.iter().zip(&found.others);
        (&self.place, self.covered, self.total) == (&found.place, found.covered, found.total)
            && same_branches
            && pairs.all(|((branch, expected), (other, known))| {
                let enough = match (expected, known) {
                    (_, None) => true,
                    (None, Some(_)) => false,
                    (Some(expected), Some(known)) => known >= expected,
                };
                branch == other && enough
            })
    }
}

fn compare(expected: &[Row], found: &[Row]) -> Vec<String> {
    let mut faults = Vec::new();
    for row in found {
        match expected.iter().find(|known| known.place == row.place) {
            Some(known) if known.is_met_by(row) => {}
            Some(known) => {
                let (expected, found) = (known.text(), row.text());
                faults.push(format!("expected:\n{expected}found:\n{found}"));
            }
            None => faults.push(format!("not in the table:\n{}", row.text())),
        }
    }
    if expected.len() != found.len() {
        let (expected, found) = (expected.len(), found.len());
        faults.push(format!("{expected} procedures expected, {found} found"));
    }
    faults
}

/// The tables mean what they say.
#[test]
fn rows_are_compared_branch_by_branch() {
    let text = "list f: 3/5\n    7:2 yes: infeasible\n    9:4 no: unreached up to 4 objects\n";
    let row = || Row::parse(text).pop().unwrap();
    assert_eq!(row().text(), text);
    assert!(row().is_met_by(&row()));
    let other = |change: &dyn Fn(&mut Row)| {
        let mut other = row();
        change(&mut other);
        row().is_met_by(&other)
    };
    assert!(other(&|row| row.others[1].1 = Some(5)));
    assert!(other(&|row| row.others[1].1 = None));
    assert!(!other(&|row| row.others[1].1 = Some(3)));
    assert!(!other(&|row| row.others[0].1 = Some(9)));
    assert!(!other(&|row| row.others[0].0 = "7:2 no".to_owned()));
    assert!(!other(&|row| {
        row.others.pop();
        row.covered += 1;
    }));
    assert_eq!(compare(&[row()], &[]).len(), 1);
    assert_eq!(compare(&[], &[row()]).len(), 2);
}

/// A search gives the same report again, and with three threads.
fn repeat_all(mode: Mode) {
    let mut faults = Vec::new();
    for_all(|place, subject| {
        let with = |jobs| {
            let options = Options {
                jobs,
                ..options(mode)
            };
            timeless(search(subject, &options))
        };
        let (first, again, threads) = (with(1), with(1), with(3));
        for (what, other) in [("again", again), ("with three threads", threads)] {
            if first != other {
                let first = first.lines().zip(other.lines());
                let difference = first.clone().find(|(left, right)| left != right);
                faults.push(format!("{place}: another report {what}: {difference:#?}"));
            }
        }
    });
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Everything that a report says, but how long it took: inputs with their witnesses, decisions,
/// trails, verdicts and counts.
fn timeless(mut report: Report) -> String {
    let statistics = &mut report.statistics;
    statistics.execution = Duration::ZERO;
    statistics.solving = Duration::ZERO;
    statistics.total = Duration::ZERO;
    let tests = report.tests.iter().map(|test| format!("{test:?}\n"));
    let branches = report.branches.iter().map(|branch| format!("{branch:?}\n"));
    let rest = format!(
        "{:?}\n{:?}\n{:?}",
        report.stop, report.statistics, report.alternatives
    );
    tests.chain(branches).chain([rest]).collect()
}

/// Nothing is passed over, and nothing is tested without a precondition by mistake.
#[test]
fn every_example_has_contracts() {
    let mut count = 0;
    for_all(|place, subject| {
        count += 1;
        assert!(subject.precondition.is_some(), "{place}");
    });
    assert!(count >= 40, "{count}");
}

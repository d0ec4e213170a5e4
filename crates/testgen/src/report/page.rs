//! The web page, filled from what the engine found.

use std::collections::{BTreeMap, HashMap};

use heapwright_engine::{Choice, Decision, Fate, Outcome, Status as Verdict, Test};
use heapwright_ir::machine::Edge;
use heapwright_ir::{FunctionId, Position};
use heapwright_logic::Value;
use heapwright_report::Scene;
use heapwright_report::page::{
    Alternative, Branch, FindingText, Method, Page, Path, Picture, Status, Step, Test as Shown,
    Totals,
};

use super::listing::listings;
use super::{Procedure, Results, code};
use crate::language::Noun;
use crate::overview::as_written;
use crate::suite::{Kept, Suite};
use crate::takers::Takers;
use crate::{summary, text};
use heapwright_explain::{compact, source, texts_of_values, words};

/// What a path returned and changed is cut off behind so many characters.
const LONGEST_END: usize = 80;

/// The page about everything that was tested.
pub fn page(results: &Results<'_>) -> Page {
    let mut shown: BTreeMap<FunctionId, usize> = (results.procedures.iter().enumerate())
        .rev()
        .map(|(index, procedure)| (procedure.function, index))
        .collect();
    let procedures = results.procedures.iter().enumerate();
    let methods: Vec<Method> = procedures
        .map(|(index, procedure)| method(results, procedure, index, &mut shown))
        .collect();
    Page {
        title: results.title.clone(),
        tool: format!("Heapwright {}", env!("CARGO_PKG_VERSION")),
        facts: results.facts.clone(),
        complaints: results.complaints.clone(),
        totals: totals(results),
        noun: noun(results),
        methods,
    }
}

/// What the language calls what was tested.
fn noun(results: &Results<'_>) -> String {
    let first = results.procedures.first();
    let noun = first.map(|procedure| procedure.suite.language.noun());
    noun.unwrap_or(Noun::Method).word().to_owned()
}

/// Every branch is counted once: it is covered if some test of some procedure takes it, and
/// infeasible if it is so for all of them.
fn totals(results: &Results<'_>) -> Totals {
    let mut known: BTreeMap<Edge, Status> = BTreeMap::new();
    for procedure in &results.procedures {
        for branch in &procedure.suite.report.branches {
            let here = status(&branch.status);
            let all = known.entry(branch.edge).or_insert(here);
            *all = match (*all, here) {
                (Status::Covered, _) | (_, Status::Covered) => Status::Covered,
                (Status::Infeasible, Status::Infeasible) => Status::Infeasible,
                _ => Status::Uncovered,
            };
        }
    }
    let mut totals = Totals::default();
    for status in known.into_values() {
        totals.add(status);
    }
    totals
}

fn status(verdict: &Verdict) -> Status {
    match verdict {
        Verdict::Covered { .. } => Status::Covered,
        Verdict::Infeasible(_) => Status::Infeasible,
        Verdict::Unreached { .. } | Verdict::Open(_) => Status::Uncovered,
    }
}

fn method(
    results: &Results<'_>,
    procedure: &Procedure<'_>,
    index: usize,
    shown: &mut BTreeMap<FunctionId, usize>,
) -> Method {
    let suite = procedure.suite;
    let program = &suite.subject.program;
    let report = &suite.report;
    let takers = Takers::new(suite.tests.iter().map(|kept| &suite.test(kept).run));
    let branches = report.branches.iter().map(|branch| Branch {
        words: words::edge(program, branch.edge, branch.position),
        place: source::place(program, branch.position).unwrap_or_default(),
        status: status(&branch.status),
        verdict: summary::verdict(suite, branch).unwrap_or_default(),
        tests: takers.of(branch.edge).to_vec(),
    });
    let file = code::file(program.function(procedure.function));
    let mut steps = Steps::of(suite, file);
    let tests: Vec<Shown> = (suite.tests.iter())
        .map(|kept| test(procedure, kept, file, &mut steps))
        .collect();
    let kept: BTreeMap<usize, usize> = (suite.tests.iter().enumerate().rev())
        .map(|(number, kept)| (kept.index, number))
        .collect();
    let paths: Vec<Path> = (report.tests.iter().enumerate())
        .map(|(index, found)| Path {
            steps: steps.tell(&found.decisions),
            end: end(suite, found),
            test: kept.get(&index).copied(),
        })
        .collect();
    let alternatives = &report.alternatives;
    let ends = (alternatives.told.iter()).map(|end| Alternative {
        steps: steps.tell(&end.decisions),
        infeasible: end.fate == Fate::Infeasible,
        reason: words::fate(end.fate),
    });
    Method {
        alternatives: ends.collect(),
        alternative_counts: (alternatives.infeasible, alternatives.open),
        name: procedure.name.clone(),
        title: written(&suite.title),
        group: group(results, &suite.title),
        notes: summary::notes(suite),
        stop: summary::stop(suite),
        statistics: summary::work(suite),
        found: report.tests.len(),
        branches: branches.collect(),
        listings: listings(results, procedure, index, shown),
        tests,
        paths,
    }
}

/// The title of a method, as its language writes it.
fn written(title: &str) -> String {
    match title.split_once('#') {
        Some((class, name)) if name.starts_with("<init>") => as_written(class, name),
        _ => title.to_owned(),
    }
}

/// The class or the file of a method.
fn group(results: &Results<'_>, title: &str) -> String {
    let group = title.split_once('#').map(|(group, _)| group);
    group.unwrap_or(&results.title).to_owned()
}

fn test(procedure: &Procedure<'_>, kept: &Kept, file: u32, steps: &mut Steps<'_>) -> Shown {
    let suite = procedure.suite;
    let program = &suite.subject.program;
    let test = suite.test(kept);
    let findings = kept.findings.iter().filter(|_| !kept.apart);
    let findings = findings.map(|finding| FindingText {
        kind: finding.kind().to_owned(),
        words: finding.words(),
    });
    let lines = test
        .run
        .lines
        .iter()
        .filter(|at| at.file == file && at.line > 0);
    let (before, after) = pictures(suite, kept, test);
    Shown {
        name: kept.name.clone(),
        findings: findings.collect(),
        outcome: words::ending(program, &test.run),
        input: input(suite, test),
        result: text::result(suite, kept, test),
        steps: match test.decisions.is_empty() {
            true => taken(suite, file, &test.run.trail),
            false => steps.tell(&test.decisions),
        },
        lines: lines.map(|at| at.line).collect(),
        source: procedure.sources.get(&kept.name).cloned(),
        before,
        after,
    }
}

/// The branches that a run took, in words: the path of a test whose input was not looked for by its
/// decisions, as those that consist of calls.
fn taken(suite: &Suite, file: u32, trail: &[Edge]) -> Vec<Step> {
    let program = &suite.subject.program;
    let branches = suite.report.branches.iter();
    let positions: HashMap<Edge, Position> = branches
        .map(|branch| (branch.edge, branch.position))
        .collect();
    let known = trail.iter().filter_map(|edge| {
        let position = *positions.get(edge)?;
        Some(Step {
            words: words::edge(program, *edge, position),
            line: (position.file == file && position.line > 0).then_some(position.line),
            forced: false,
            which: 0,
        })
    });
    known.collect()
}

/// The input of a test in one line.
pub fn input(suite: &Suite, test: &Test) -> String {
    let definitions = &suite.subject.definitions;
    match compact::terms(
        suite.language,
        definitions,
        &suite.arguments(test),
        &test.input.heap,
    ) {
        empty if empty.is_empty() => "no input".to_owned(),
        input => input,
    }
}

/// Decisions in words, which are looked for once: paths decide mostly alike.
struct Steps<'s> {
    suite: &'s Suite,
    file: u32,
    known: HashMap<Decision, Step>,
}

impl<'s> Steps<'s> {
    fn of(suite: &'s Suite, file: u32) -> Steps<'s> {
        Steps {
            suite,
            file,
            known: HashMap::new(),
        }
    }

    fn tell(&mut self, decisions: &[Decision]) -> Vec<Step> {
        let Steps { suite, file, known } = self;
        let step = |decision: &Decision| {
            let step = known.entry(*decision);
            step.or_insert_with(|| step_of(suite, *file, decision))
                .clone()
        };
        decisions.iter().map(step).collect()
    }
}

fn step_of(suite: &Suite, file: u32, decision: &Decision) -> Step {
    let program = &suite.subject.program;
    let at = decision.site.map(|site| site.point.position(program));
    let here = at.filter(|at| at.file == file && at.line > 0);
    Step {
        words: words::decision(program, suite.cases(), decision),
        line: here.map(|at| at.line),
        forced: decision.forced,
        which: match decision.choice {
            Choice::Unfold { instance, .. } => instance,
            _ => 0,
        },
    }
}

/// How a path ended: with what it returned or changed, which tells it from others.
fn end(suite: &Suite, test: &Test) -> String {
    let run = &test.run;
    if run.outcome != Outcome::Returned {
        return words::outcome_at(&suite.subject.program, &run.outcome);
    }
    let definitions = &suite.subject.definitions;
    let arguments = suite.arguments(test);
    let before = (arguments.as_slice(), &test.input.heap);
    let changed = compact::changed(
        suite.language,
        definitions,
        before,
        (&run.roots(), &run.heap),
    );
    match compact::terms(suite.language, definitions, &changed, &run.heap) {
        nothing if nothing.is_empty() => "returned, nothing changed".to_owned(),
        long if long.chars().count() > LONGEST_END => {
            let short: String = long.chars().take(LONGEST_END).collect();
            format!("returned: {short}…")
        }
        short => format!("returned: {short}"),
    }
}

/// The heap before, and the one afterwards if there is anything new to be seen.
fn pictures(suite: &Suite, kept: &Kept, test: &Test) -> (Picture, Option<Picture>) {
    let definitions = &suite.subject.definitions;
    let arguments = suite.arguments(test);
    let labels_before = texts_of_values(suite.language, definitions, &test.input.heap);
    let labels_after = texts_of_values(suite.language, definitions, &test.run.heap);
    let title = format!("{}: before", kept.name);
    let roots = test.run.roots();
    let before = Scene::new(definitions, &arguments, &test.input.heap)
        .labelled(&labels_before, &labels_before)
        .titled(&title);
    if is_unchanged(suite, test) {
        return (Picture::of(&before), None);
    }
    let before = before.followed_by(&roots, &test.run.heap, Some(&labels_after));
    let before = Picture::of(&before);
    let title = format!("{}: after", kept.name);
    let after = Scene::new(definitions, &roots, &test.run.heap)
        .compared_with(&arguments, &test.input.heap)
        .labelled(&labels_after, &labels_before)
        .titled(&title);
    (before, Some(Picture::of(&after)))
}

/// Whether every object of the input is as it was, and nothing new can be seen but numbers, or an
/// exception.
fn is_unchanged(suite: &Suite, test: &Test) -> bool {
    let run = &test.run;
    let (before, after) = (&test.input.heap.cells, &run.heap.cells);
    let arguments = suite.arguments(test);
    let is_number = |value: &Value| !matches!(value, Value::Ref(_));
    let is_plain = |root: &(String, Value)| arguments.contains(root) || is_number(&root.1);
    before
        .iter()
        .all(|(loc, cell)| after.get(loc) == Some(cell))
        && run.result.iter().all(is_number)
        && run.parameters.iter().chain(&run.globals).all(is_plain)
}

//! The report of `generate` for programs. `docs/JSON.md` describes it.

use std::path::Path;

use heapwright_engine::{
    Bound, Branch, Checked, Extent, Keep, Limit, Mode, Options, Origin, Outcome, Run, Status,
    StopReason, Verification,
};
use heapwright_ir::{Position, Program};
use heapwright_logic::Loc;
use serde_json::{Value as Json, json};

use crate::decisions::Decisions;
use crate::findings::validity;
use crate::mutants::Mutants;
use crate::state;
use crate::suite::{Kept, Suite};
use crate::takers::{Numbers, Takers};
use crate::vocabulary::{keep_name, mode_name, strategy_name, values_name};
use heapwright_explain::{source, words};

/// The version of the form; a change that old readers would misunderstand increases it.
pub const VERSION: u32 = 2;

/// The whole report.
pub fn document(
    program: &Path,
    specification: Option<&Path>,
    options: Json,
    procedures: Vec<Json>,
) -> Json {
    let mut json = json!({
        "version": VERSION,
        "program": program.display().to_string(),
        "specification": specification.map(|path| path.display().to_string()),
    });
    // Values inside of the macro would be copied, and these are large.
    json["options"] = options;
    json["procedures"] = procedures.into();
    json
}

/// A bound that somebody has fixed; null for one that finds its own size.
fn fixed(bound: Bound) -> Option<u32> {
    (bound.first >= bound.most).then_some(bound.first)
}

/// The options that the tests depend on; the number of threads is not one of them.
pub fn options(options: &Options, keep: Keep, reach: Option<&str>) -> Json {
    let bounds = &options.bounds;
    let filter = matches!(options.mode, Mode::Lazy { filter: true });
    let mut json = json!({
        "mode": mode_name(options.mode),
        "filter": filter,
        "strategy": strategy_name(options.strategy),
        "values": values_name(options.values),
        "depth": options.unfolding,
        "all_paths": !options.stop_when_covered,
        "reach": reach,
        "max_depth": bounds.depth,
        "max_loops": fixed(bounds.loops),
        "max_elements": fixed(bounds.elements),
        "max_objects": fixed(bounds.objects),
        "max_paths": bounds.paths,
        "patience": bounds.patience,
        "checks": bounds.checks,
        "max_solver_calls": bounds.solver_calls,
        "time": bounds.time.map(|time| time.as_secs_f64()),
        "memory": bounds.memory >> 20,
        "steps": options.budgets.steps,
        "seed": options.seed,
        "keep": keep_name(keep),
    });
    if let Mode::Blackbox | Mode::Whitebox = options.mode {
        let domains = options.structures.domains.iter();
        let domains = domains.map(|known| json!([known.name, known.least, known.greatest]));
        json["scope"] = options.structures.scope.into();
        json["domains"] = domains.collect();
    }
    json
}

/// The tests and branches of one procedure.
pub fn procedure(suite: &Suite, times: bool) -> Json {
    let program = &suite.subject.program;
    let function = program.function(suite.subject.function);
    let numbers = Numbers::new(&suite.report.branches);
    let mut decisions = Decisions::of(suite);
    let tests = (suite.tests.iter()).map(|kept| test(suite, kept, &numbers, &mut decisions));
    let tests: Vec<Json> = tests.collect();
    let mut json = json!({
        "procedure": function.name,
        "signature": words::signature(program, function),
        "precondition": suite.subject.precondition.is_some(),
        "postcondition": suite.subject.postcondition.is_some(),
        "stop": stop(suite.report.stop),
        "bounds": bounds(&suite.report.extent),
        "checked": checked(&suite.report.checked),
        "statistics": statistics(suite),
    });
    // Values inside of the macro would be copied, and these are large.
    json["tests"] = tests.into();
    json["branches"] = branches(suite).into();
    json["decisions"] = decisions.into_told().into();
    if let Some(known) = Mutants::of(suite) {
        json["mutants"] = mutants(program, &known);
    }
    if times {
        let known = &suite.report.statistics;
        json["times"] = json!({
            "execution": known.execution.as_secs_f64(),
            "solving": known.solving.as_secs_f64(),
            "total": known.total.as_secs_f64(),
        });
    }
    json
}

/// How many changes of the code the tests notice, and those that they do not.
fn mutants(program: &Program, known: &Mutants) -> Json {
    let survivors = known.survivors.iter().map(|survivor| {
        let mut json = json!({ "words": survivor.words });
        add_place(&mut json, program, survivor.position);
        json
    });
    json!({
        "all": known.all,
        "killed": known.killed,
        "not_run": known.not_run,
        "survived": survivors.collect::<Vec<Json>>(),
    })
}

fn test(suite: &Suite, kept: &Kept, numbers: &Numbers, decisions: &mut Decisions<'_>) -> Json {
    let subject = &suite.subject;
    let (program, definitions) = (&subject.program, &subject.definitions);
    let test = suite.test(kept);
    let input = state::to_json(definitions, &suite.arguments(test), &test.input.heap);
    let decisions = (test.decisions.iter()).map(|known| decisions.position(known));
    let findings = (kept.findings.iter())
        .map(|finding| json!({ "kind": finding.kind(), "words": finding.words() }));
    let mut json = json!({
        "name": kept.name,
        "origin": origin(test.origin),
        "valid": valid(&validity(subject, test)),
        "input": input,
        "path": path(program, &test.run.lines),
        "decisions": decisions.collect::<Vec<usize>>(),
        "covers": numbers.taken_by(&test.run),
        "findings": findings.collect::<Vec<_>>(),
    });
    if kept.apart {
        json["arbitrary_input"] = true.into();
    }
    if let (Json::Object(members), Json::Object(run)) = (&mut json, run(program, &test.run)) {
        members.extend(run);
    }
    json
}

/// What a run did: the part of a test that a replay is compared with.
pub fn run(program: &Program, run: &Run) -> Json {
    let addresses =
        |locs: &[Loc]| -> Vec<String> { locs.iter().map(ToString::to_string).collect() };
    json!({
        "outcome": outcome(program, &run.outcome),
        "after": state::to_json(&program.definitions, &run.roots(), &run.heap),
        "freed": addresses(&run.freed),
        "leaks": addresses(&run.leaks),
        "postcondition": run.postcondition.as_ref().map(postcondition),
    })
}

/// Null where it is not known.
fn valid(verification: &Verification) -> Option<bool> {
    match verification {
        Verification::Holds => Some(true),
        Verification::Violated(_) => Some(false),
        Verification::Undecided(_) => None,
    }
}

fn origin(origin: Origin) -> Json {
    match origin {
        Origin::Specification(formula) => json!({ "from": "specification", "formula": formula }),
        Origin::SmallScope => json!({ "from": "small scope" }),
        Origin::Path => json!({ "from": "path" }),
        Origin::Structure => json!({ "from": "structure" }),
        Origin::Mutant => json!({ "from": "mutant" }),
        Origin::Inferred => json!({ "from": "inferred invariant" }),
        Origin::Fields => json!({ "from": "fields" }),
        Origin::Sequence(calls) => json!({ "from": "sequence", "calls": calls }),
    }
}

/// The lines of a path: those in a row that are of one file together.
pub fn path(program: &Program, lines: &[Position]) -> Vec<Json> {
    let parts = lines.chunk_by(|one, next| one.file == next.file);
    let part = parts.filter_map(|part| {
        let file = source::file_name(program, *part.first()?);
        let lines: Vec<u32> = part.iter().map(|position| position.line).collect();
        Some(json!({ "file": file, "lines": lines }))
    });
    part.collect()
}

fn outcome(program: &Program, outcome: &Outcome) -> Json {
    let mut json = match outcome {
        Outcome::Returned => json!({ "kind": "returned" }),
        Outcome::Threw { class, fault, .. } => json!({
            "kind": "threw",
            "class": program.definitions.class(*class).name,
            "fault": fault.map(heapwright_ir::FaultKind::name),
        }),
        Outcome::Fault { kind, .. } => json!({ "kind": "fault", "fault": kind.name() }),
        Outcome::AssumptionFailed { .. } => json!({ "kind": "assumption failed" }),
        Outcome::OutOfBudget { budget, .. } => {
            json!({ "kind": "out of budget", "budget": budget.name() })
        }
    };
    if let Some(position) = words::outcome_position(outcome) {
        add_place(&mut json, program, position);
    }
    json
}

pub(crate) fn add_place(json: &mut Json, program: &Program, position: Position) {
    if position.line > 0 {
        json["file"] = source::file_name(program, position).into();
        json["line"] = position.line.into();
        json["column"] = position.column.into();
    }
}

fn postcondition(verification: &Verification) -> Json {
    let reason = match verification {
        Verification::Holds => None,
        Verification::Violated(violation) => Some(violation.to_string()),
        Verification::Undecided(reason) => Some(reason.clone()),
    };
    json!({ "verdict": words::verification(verification), "reason": reason })
}

fn branches(suite: &Suite) -> Vec<Json> {
    let program = &suite.subject.program;
    let takers = Takers::new(suite.tests.iter().map(|kept| &suite.test(kept).run));
    let branch = |branch: &Branch| {
        let function = program.functions.get(branch.edge.function.index());
        let mut json = json!({
            "procedure": function.map(|function| &function.name),
            "words": words::edge(program, branch.edge, branch.position),
            "tests": takers.of(branch.edge),
        });
        add_place(&mut json, program, branch.position);
        match &branch.status {
            Status::Covered { .. } => json["status"] = "covered".into(),
            Status::Infeasible(proof) => {
                json["status"] = "infeasible".into();
                json["proof"] = words::proof_name(*proof).into();
            }
            Status::Unreached { objects, limit } => {
                json["status"] = "unreached".into();
                json["objects"] = (*objects).into();
                add_limit(&mut json, *limit);
            }
            Status::Open(limit) => {
                json["status"] = "open".into();
                add_limit(&mut json, *limit);
            }
        }
        json
    };
    suite.report.branches.iter().map(branch).collect()
}

/// What keeps from knowing more, and the part of the environment if it is that.
fn add_limit(json: &mut Json, limit: Limit) {
    json["limit"] = words::limit_name(limit).into();
    if let Limit::Environment(part) = limit {
        json["depends_on"] = part.name().into();
    }
}

fn stop(reason: StopReason) -> Json {
    match reason {
        StopReason::Limit(_) => json!({ "reason": "limit", "limit": words::stop_name(reason) }),
        _ => json!({ "reason": words::stop_name(reason) }),
    }
}

/// The bounds on paths at which the search ended.
fn bounds(extent: &Extent) -> Json {
    json!({
        "loops": extent.loops,
        "objects": extent.objects,
        "elements": extent.elements,
    })
}

fn checked(known: &Checked) -> Json {
    json!({
        "postcondition": known.postcondition,
        "invariant": known.invariant,
        "objects": known.objects,
        "cut_short": known.cut_short,
    })
}

fn statistics(suite: &Suite) -> Json {
    let known = &suite.report.statistics;
    let cut: serde_json::Map<String, Json> = (known.cut.iter())
        .map(|(limit, number)| (words::limit_name(*limit).to_owned(), (*number).into()))
        .collect();
    let mut json = json!({
        "tests": suite.report.tests.len(),
        "paths": known.paths,
        "infeasible": known.infeasible,
        "unknown": known.unknown,
        "cut": cut,
        "isomorphic": known.isomorphic,
        "invalid": known.invalid,
        "divergences": known.divergences,
        "formulas": known.formulas,
        "solver_calls": known.solver_calls,
        "cache_hits": known.cache_hits,
    });
    if known.undecided > 0 {
        json["undecided"] = known.undecided.into();
    }
    if known.candidates > 0 {
        json["structures"] = known.structures.into();
        json["candidates"] = known.candidates.into();
    }
    if known.states > 0 {
        json["states"] = known.states.into();
        json["transitions"] = known.transitions.into();
        json["matched"] = known.matched.into();
    }
    json
}

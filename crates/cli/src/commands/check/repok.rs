//! `check --repok`: do a precondition and a predicate of the class mean the same?

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use heapwright_testgen::agreement::{Agreement, Extent};

use heapwright_infer::session::InferenceRequest;

use crate::failure::{CommandStatus, Failure};
use crate::frontends::{self, Classes, LABELS};
use crate::interruption::interrupt;
use crate::ticker::Ticker;

/// Objects of each class, if nobody says otherwise.
const SCOPE: u32 = 4;

/// Objects of models beside the one that is described, where they are compared with what calls reach.
const OBJECTS: usize = 5;

/// The time that the check may take if nobody says otherwise.
const TIME: Duration = Duration::from_secs(60);

/// The options of this check.
#[derive(clap::Args)]
pub struct RepokArguments {
    /// Compare the precondition of a method with the predicate of its class; without #METHOD that
    /// of all methods, if they have the same. For C: FILE.c#FUNCTION
    #[arg(long = "repok", value_name = "CLASS[#METHOD]", conflicts_with_all = ["heap", "formula", "pred"])]
    pub method: Option<String>,
    /// Compare the specification of a class with what its code does: states that calls reach and that
    /// it rejects, and objects that it allows and that calls break
    #[arg(long, value_name = "CLASS[#METHOD]", conflicts_with_all = ["heap", "formula", "pred", "method"])]
    pub inferred: Option<String>,
    /// With --repok: the predicate, if it has none of the usual names: CLASS#METHOD, for C the name
    /// of a function
    #[arg(long, value_name = "CLASS#METHOD")]
    predicate: Option<String>,
    /// With --repok or --class: folders and jars with the classes, separated by `:`
    #[arg(
        long,
        short = 'c',
        value_name = "PATH",
        visible_alias = "cp",
        default_value = "."
    )]
    classpath: String,
    /// With --repok or --class: the JDK [default: JAVA_HOME, or that of `java`]
    #[arg(long, value_name = "DIR")]
    jdk: Option<PathBuf>,
    /// With --repok: objects of each class that structures may have
    #[arg(long, value_name = "N", default_value_t = SCOPE)]
    scope: u32,
    /// With --repok: how often the precondition is unfolded
    #[arg(long, value_name = "N", default_value_t = 3)]
    depth: u32,
}

impl RepokArguments {
    /// Where classes come from.
    pub fn classes(&self) -> Classes<'_> {
        Classes {
            jdk: self.jdk.as_deref(),
            path: std::env::split_paths(&self.classpath).collect(),
        }
    }
}

/// Compares a specification with the states that calls reach.
pub fn run_inferred(
    arguments: &RepokArguments,
    limit: Option<Duration>,
    target: &str,
    specification: &Path,
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    let request = InferenceRequest {
        objects: OBJECTS,
        time: limit.unwrap_or(TIME),
        interrupt: interrupt(),
    };
    let classes = arguments.classes();
    let found = frontends::compare_with_code(target, &classes, specification, &request)?;
    Ok(match found {
        Ok(found) => {
            write!(out, "{}", found.told(LABELS))?;
            match (found.is_contradiction(), found.is_open()) {
                (true, _) => CommandStatus::Refuted,
                (false, true) => CommandStatus::Unknown,
                (false, false) => CommandStatus::Decided,
            }
        }
        Err(reason) => {
            writeln!(out, "nothing compared: {reason}")?;
            CommandStatus::Unknown
        }
    })
}

/// Runs the check.
pub fn run(
    arguments: &RepokArguments,
    limit: Option<Duration>,
    method: &str,
    specification: Option<&Path>,
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    let limit = limit.unwrap_or(TIME);
    let extent = Extent {
        scope: arguments.scope,
        first_scope: SCOPE,
        depth: arguments.depth,
        limit,
        interrupt: interrupt(),
    };
    let ticker = Ticker::new("heaps compared", Some(limit));
    let agreement = frontends::compare(
        &arguments.classes(),
        specification,
        arguments.predicate.as_deref(),
        method,
        &extent,
        &mut || ticker.count(),
    )?;
    drop(ticker);
    report(&agreement, limit, out)
}

/// Says what the comparison showed.
fn report(
    agreement: &Agreement,
    limit: Duration,
    out: &mut dyn Write,
) -> Result<CommandStatus, Failure> {
    write!(out, "{}", agreement.told(LABELS))?;
    if agreement.is_cut {
        let why = match interrupt().is_set() {
            true => "interrupted".to_owned(),
            false => format!("{} s are over (--time)", limit.as_secs_f64()),
        };
        writeln!(out, "stopped before all heaps were compared: {why}")?;
    }
    let sides = agreement.directions();
    Ok(if sides.iter().any(|side| side.counterexample.is_some()) {
        CommandStatus::Refuted
    } else if agreement.is_cut
        || sides
            .iter()
            .any(|side| side.undecided > 0 || side.restricted)
    {
        CommandStatus::Unknown
    } else {
        CommandStatus::Decided
    })
}

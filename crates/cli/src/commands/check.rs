//! `check`: does a concrete heap satisfy a formula, and if not, where does it stop? Without a heap:
//! is there anything wrong with a specification?

mod repok;
mod specification;

use std::io::Write;
use std::path::{Path, PathBuf};

use heapwright_logic::{Budget, Failure as Unsatisfied, Value, find_derivation, read_heap};
use serde_json::json;

use crate::failure::{CommandStatus, Failure, read};
use crate::frontends::LABELS;
use crate::input::with_class_hint;
use crate::limits::Limits;
use crate::usage::UsageError;
use heapwright_explain::picture::{self, marks_of, show_value};
use heapwright_spec::questions::{Question, QuestionFile};

/// Check whether a heap, given as JSON, satisfies a formula; or a specification
///
/// With a heap: whether it satisfies the formula, and if not, where it stops, drawn on the heap.
///
/// Without one: whether every disjunct of the predicates and every precondition and postcondition
/// of the specification has a model; where there is none, what excludes each other is drawn.
///
/// With --repok: check whether a precondition and a predicate of the class, such as `repOk`, mean
/// the same. With --inferred: whether the states that calls reach are those of the precondition.
///
/// Integers that the heap leaves open, such as sizes and bounds, are found by themselves. The
/// values of references must be given in the heap's `stack`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The heap: {"stack": {"x": "#1"}, "objects": {"#1": {"class": "Node", "next": null}}}
    /// [default: the specification itself is checked]
    heap: Option<PathBuf>,
    #[command(flatten)]
    repok: repok::RepokArguments,
    /// The specification: a .sl, .pred or .smt2 file, or the name of a library module
    #[arg(long, value_name = "FILE", required_unless_present_any = ["heap", "method"])]
    spec: Option<PathBuf>,
    /// The Java class whose specification this is, or the C file, from which the fields are taken
    /// [default: classes are those that the file declares; for X.sl beside X.c, its structs]
    #[arg(long, value_name = "CLASS", conflicts_with = "method")]
    class: Option<String>,
    /// The formula, in the language of specifications
    #[arg(long, value_name = "TEXT", conflicts_with = "pred")]
    formula: Option<String>,
    /// The formula as the name of a predicate and its arguments
    #[arg(long, value_names = ["NAME", "ARGS"], num_args = 1..)]
    pred: Option<Vec<String>>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    limits: Limits,
    /// Steps of the search for a derivation
    #[arg(long, default_value_t = Budget::default().steps)]
    steps: u64,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    if let Some(method) = &arguments.repok.method {
        let spec = arguments.spec.as_deref();
        return repok::run(&arguments.repok, arguments.limits.time, method, spec, out);
    }
    let (heap, spec) = files(arguments)?;
    if let Some(target) = &arguments.repok.inferred {
        return repok::run_inferred(&arguments.repok, arguments.limits.time, target, spec, out);
    }
    let asks = arguments.formula.is_some() || arguments.pred.is_some();
    let Some(heap_file) = heap else {
        if asks {
            return Err(UsageError::NoHeap.into());
        }
        let mut input = match &arguments.class {
            None => crate::input::load(spec).map_err(with_class_hint)?,
            Some(class) => crate::input::load_for_class(spec, class, &arguments.repok.classes())?,
        };
        return specification::run(&mut input, arguments.limits.time, arguments.json, out);
    };
    let mut input =
        crate::input::load_for(spec, arguments.class.as_deref(), &arguments.repok.classes())?;
    let question = question(arguments, spec, &mut input)?;
    let text = read(heap_file)?;
    let variable = |name: &str| {
        let mut known = question.variables.iter();
        known.find(|(known, _)| known == name).map(|&(_, id)| id)
    };
    let (stack, heap) = read_heap(&input.terms, &input.definitions, &text, variable)
        .map_err(|error| Failure::input(heap_file, error))?;
    let budget = Budget {
        steps: arguments.steps,
    };
    let (terms, definitions) = (&input.terms, &input.definitions);
    let result = find_derivation(terms, definitions, &question.formula, &stack, &heap, budget);
    let (word, reason, outcome) = match &result {
        Ok(_) => ("satisfied", None, CommandStatus::Decided),
        Err(failure @ Unsatisfied::Unsatisfied { .. }) => (
            "not satisfied",
            Some(failure.to_string()),
            CommandStatus::Refuted,
        ),
        Err(failure @ (Unsatisfied::Undecided { .. } | Unsatisfied::Budget { .. })) => {
            ("unknown", Some(failure.to_string()), CommandStatus::Unknown)
        }
        Err(failure) => return Err(Failure::input(heap_file, failure.clone())),
    };
    let ghosts: Vec<(String, Value)> = match &result {
        Ok(witness) => (question.variables.iter())
            .filter(|(_, variable)| !stack.contains_key(variable))
            .filter_map(|(name, variable)| Some((name.clone(), *witness.stack.get(variable)?)))
            .collect(),
        Err(_) => Vec::new(),
    };
    if arguments.json {
        let ghosts: serde_json::Map<String, serde_json::Value> = (ghosts.iter())
            .map(|(name, value)| (name.clone(), show_value(*value).into()))
            .collect();
        writeln!(
            out,
            "{}",
            json!({ "answer": word, "reason": reason, "ghosts": ghosts })
        )?;
        return Ok(outcome);
    }
    writeln!(out, "{word}")?;
    if let Some(reason) = reason {
        writeln!(out, "{reason}")?;
        if outcome == CommandStatus::Refuted {
            let named = question.variables.iter();
            let roots: Vec<(String, Value)> = named
                .filter_map(|(name, variable)| Some((name.clone(), *stack.get(variable)?)))
                .collect();
            let objects = match &result {
                Err(Unsatisfied::Unsatisfied { reason }) => reason.objects(),
                _ => Vec::new(),
            };
            let marks = marks_of(&heap, &objects);
            let drawn = picture::draw_marked(LABELS, &input.definitions, &roots, &heap, &marks);
            for line in drawn.lines() {
                writeln!(out, "  {line}")?;
            }
        }
    }
    if !ghosts.is_empty() {
        let shown: Vec<String> = (ghosts.iter())
            .map(|(name, value)| format!("{name} = {}", show_value(*value)))
            .collect();
        writeln!(out, "with {}", shown.join(", "))?;
    }
    Ok(outcome)
}

/// The heap, if there is one, and the specification. A specification may be given as the only file.
fn files(arguments: &Arguments) -> Result<(Option<&Path>, &Path), Failure> {
    match (arguments.heap.as_deref(), arguments.spec.as_deref()) {
        (heap, Some(spec)) => Ok((heap, spec)),
        (Some(only), None) if only.extension().is_none_or(|extension| extension != "json") => {
            Ok((None, only))
        }
        _ => Err(UsageError::NoSpecification.into()),
    }
}

/// The formula that is asked about: given on the command line, or the only one of the file.
fn question(
    arguments: &Arguments,
    spec: &Path,
    input: &mut QuestionFile,
) -> Result<Question, Failure> {
    if let Some(text) = &arguments.formula {
        return Ok(input.formula(text)?);
    }
    if let Some([name, args @ ..]) = arguments.pred.as_deref() {
        input.predicate(name)?;
        return Ok(input.formula(&format!("{name}({})", args.join(", ")))?);
    }
    match input.questions.as_slice() {
        [only] => Ok(only.clone()),
        questions => Err(UsageError::WhichFormula(spec.to_owned(), questions.len()).into()),
    }
}

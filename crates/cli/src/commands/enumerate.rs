//! `enumerate`: all models of a size, up to isomorphism.

use std::io::{self, BufWriter, Write};
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::time::Instant;

use heapwright_solver::enumerate::{Enumerated, Enumeration};
use heapwright_solver::{Config, Solver};

use super::generate::ClassPathArguments;
use crate::failure::{CommandStatus, Failure};
use crate::frontends::LABELS;
use crate::limits::Limits;
use crate::usage::UsageError;
use heapwright_explain::picture;
use heapwright_spec::questions::{Question, QuestionFile};
use heapwright_testgen::state;

/// Enumerate all models of a predicate of a size, up to isomorphism
///
/// Two models are the same if renaming the objects makes them the same; of numbers that are only
/// compared, nothing but their order matters. What the predicate says nothing about is not
/// enumerated: such fields hold 0, false or null. Without --count and --json every model is drawn.
#[derive(clap::Args)]
pub struct Arguments {
    /// FILE#NAME or 'FILE#NAME(ARGUMENTS)'; FILE may be the name of a library module
    target: String,
    /// Number of objects
    #[arg(long, value_name = "N")]
    size: u32,
    /// Enumerate all sizes from 0 up to --size
    #[arg(long)]
    up_to: bool,
    /// Print only how many there are
    #[arg(long)]
    count: bool,
    /// Write the models to a file, a JSON array; `-` stands for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
    /// The Java class whose specification this is, or the C file, from which the fields are taken
    /// [default: classes are those that the file declares; for X.sl beside X.c, its structs]
    #[arg(long, value_name = "CLASS")]
    class: Option<String>,
    #[command(flatten)]
    class_path: ClassPathArguments,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    let load = |file: &Path| {
        crate::input::load_for(
            file,
            arguments.class.as_deref(),
            &arguments.class_path.classes(),
        )
    };
    let (mut input, question) = target(&arguments.target, load)?;
    let first = if arguments.up_to { 0 } else { arguments.size };
    let sizes = first..=arguments.size;
    let deadline = arguments.limits.time.map(|limit| Instant::now() + limit);
    let found = match &arguments.json {
        Some(path) if path == Path::new("-") => {
            let mut writer = JsonArray::new(out);
            let found = each(&mut input, &question, sizes, deadline, &mut writer)?;
            writer.finish()?;
            found
        }
        Some(path) => {
            let unwritable = |source| Failure::Write {
                path: path.clone(),
                source,
            };
            let mut file = BufWriter::new(std::fs::File::create(path).map_err(unwritable)?);
            let mut writer = JsonArray::new(&mut file);
            let found = each(&mut input, &question, sizes, deadline, &mut writer)?;
            writer.finish().map_err(unwritable)?;
            file.flush().map_err(unwritable)?;
            found
        }
        None if arguments.count => each(&mut input, &question, sizes, deadline, &mut Counter)?,
        None => each(
            &mut input,
            &question,
            sizes,
            deadline,
            &mut Drawing { out, number: 0 },
        )?,
    };
    if arguments.json.as_deref() != Some(Path::new("-")) {
        report(arguments, &found, out)?;
    }
    if found.representatives > 0 {
        let _ = writeln!(
            io::stderr(),
            "note: {} derivations allow several choices of numbers, of which one is counted",
            found.representatives
        );
        return Ok(CommandStatus::Unknown);
    }
    if found.stopped {
        let _ = writeln!(
            io::stderr(),
            "the time limit was reached; there may be more"
        );
        return Ok(CommandStatus::Unknown);
    }
    Ok(CommandStatus::Decided)
}

fn report(arguments: &Arguments, found: &Enumeration, out: &mut dyn Write) -> io::Result<()> {
    match (arguments.count, found.models) {
        (true, count) => writeln!(out, "{count}"),
        (false, 1) => writeln!(out, "1 model"),
        (false, count) => writeln!(out, "{count} models"),
    }
}

/// Reads FILE#NAME or FILE#NAME(ARGUMENTS).
pub fn target(
    text: &str,
    load: impl Fn(&Path) -> Result<QuestionFile, Failure>,
) -> Result<(QuestionFile, Question), Failure> {
    let Some((file, goal)) = text.split_once('#') else {
        let input = load(Path::new(text))?;
        let names: Vec<String> = (input.own_predicates().into_iter())
            .map(|predicate| input.definitions.predicate(predicate).name.clone())
            .map(|name| format!("{text}#{name}"))
            .collect();
        let error = match names.is_empty() {
            true => UsageError::NoPredicate(text.to_owned()),
            false => UsageError::WhichPredicate(text.to_owned(), names),
        };
        return Err(error.into());
    };
    let mut input = load(Path::new(file))?;
    let question = if goal.contains('(') {
        input.formula(goal)?
    } else {
        let predicate = input.predicate(goal)?;
        input.instance(predicate)
    };
    Ok((input, question))
}

/// What is done with each model.
trait Consumer {
    fn take(
        &mut self,
        input: &QuestionFile,
        question: &Question,
        found: &mut Enumerated<'_>,
    ) -> Result<(), Failure>;
}

/// Enumerates the models of every disjunct of the question.
fn each(
    input: &mut QuestionFile,
    question: &Question,
    sizes: RangeInclusive<u32>,
    deadline: Option<Instant>,
    consumer: &mut dyn Consumer,
) -> Result<Enumeration, Failure> {
    let mut terms = input.terms.clone();
    let mut solver = Solver::new(&mut terms, &input.definitions, Config::default());
    let mut total = Enumeration::default();
    for heap in &question.formula.disjuncts {
        let mut failure = None;
        let mut visit = |found: &mut Enumerated<'_>| {
            if deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return ControlFlow::Break(());
            }
            match consumer.take(input, question, found) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failure = Some(error);
                    ControlFlow::Break(())
                }
            }
        };
        let found = solver.enumerate(&mut terms, heap, sizes.clone(), &mut visit);
        if let Some(failure) = failure {
            return Err(failure);
        }
        let found = found.map_err(Failure::Enumeration)?;
        total.models += found.models;
        total.derivations += found.derivations;
        total.representatives += found.representatives;
        total.stopped |= found.stopped;
        if total.stopped {
            break;
        }
    }
    Ok(total)
}

/// Only counts, so that no model has to be built.
struct Counter;

impl Consumer for Counter {
    fn take(
        &mut self,
        _: &QuestionFile,
        _: &Question,
        _: &mut Enumerated<'_>,
    ) -> Result<(), Failure> {
        Ok(())
    }
}

/// Draws every model.
struct Drawing<'a> {
    out: &'a mut dyn Write,
    number: u64,
}

impl Consumer for Drawing<'_> {
    fn take(
        &mut self,
        input: &QuestionFile,
        question: &Question,
        found: &mut Enumerated<'_>,
    ) -> Result<(), Failure> {
        let model = found.model().map_err(Failure::Enumeration)?;
        self.number += 1;
        let noun = if found.size == 1 { "object" } else { "objects" };
        writeln!(self.out, "model {}, {} {noun}", self.number, found.size)?;
        let roots = input.roots(question, &model);
        let picture = picture::draw(LABELS, &input.definitions, &roots, &model.heap);
        writeln!(self.out, "{picture}")?;
        Ok(())
    }
}

/// Writes the models as the elements of one JSON array, a line each.
struct JsonArray<'a> {
    out: &'a mut dyn Write,
    is_empty: bool,
}

impl<'a> JsonArray<'a> {
    fn new(out: &'a mut dyn Write) -> JsonArray<'a> {
        JsonArray {
            out,
            is_empty: true,
        }
    }

    fn finish(self) -> io::Result<()> {
        writeln!(self.out, "{}", if self.is_empty { "[]" } else { "\n]" })
    }
}

impl Consumer for JsonArray<'_> {
    fn take(
        &mut self,
        input: &QuestionFile,
        _: &Question,
        found: &mut Enumerated<'_>,
    ) -> Result<(), Failure> {
        let model = found.model().map_err(Failure::Enumeration)?;
        let json = state::model_to_json(input, &model);
        let separator = if self.is_empty { "[\n" } else { ",\n" };
        self.is_empty = false;
        write!(self.out, "{separator}{json}")?;
        Ok(())
    }
}

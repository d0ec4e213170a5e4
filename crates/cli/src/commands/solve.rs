//! `solve`: is there a heap that satisfies a formula?

use std::io::{self, Write};
use std::path::PathBuf;

use heapwright_logic::Model;
use heapwright_report::Scene;
use serde_json::{Value as Json, json};

use crate::failure::{self, CommandStatus, Failure};
use crate::frontends::LABELS;
use crate::limits::Limits;
use crate::usage::UsageError;
use heapwright_explain::picture;
use heapwright_solver::asking::{Asker, Reply, Want};
use heapwright_spec::questions::{Question, QuestionFile};
use heapwright_testgen::state;

/// Decide satisfiability: one line `sat`, `unsat` or `unknown` for each question, in order
///
/// The questions are the check-sat commands of a .smt2 file and the `check` declarations of a .sl
/// file; a specification without any is asked whether each of its preconditions can be met.
#[derive(clap::Args)]
pub struct Arguments {
    /// A .sl, .pred or .smt2 file
    file: PathBuf,
    /// Draw a small model below each `sat`
    #[arg(long)]
    model: bool,
    /// Print JSON, one object per line and question, with models
    #[arg(long)]
    json: bool,
    /// Draw each model as SVG into a folder, one file per question
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Draw each model for Graphviz into a folder, one file per question
    #[arg(long, value_name = "DIR")]
    dot: Option<PathBuf>,
    #[command(flatten)]
    limits: Limits,
}

/// Runs the command.
pub fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<CommandStatus, Failure> {
    let input = crate::input::load(&arguments.file)?;
    if input.questions.is_empty() {
        return Err(UsageError::NoQuestion(arguments.file.clone()).into());
    }
    let pictures = arguments.svg.is_some() || arguments.dot.is_some();
    let want = if arguments.model || arguments.json || pictures {
        Want::Model
    } else {
        Want::Verdict
    };
    let mut asker = Asker::new(&input.terms, &input.definitions, arguments.limits.time);
    let mut outcome = CommandStatus::Decided;
    for (number, question) in (1..).zip(&input.questions) {
        let answer = asker.ask(&question.formula, want);
        if arguments.json {
            writeln!(out, "{}", to_json(&input, question, &answer))?;
        } else {
            print(&input, question, &answer, arguments.model, out)?;
        }
        if let Reply::Sat(Some(model)) = &answer {
            write_pictures(arguments, &input, (number, question), model)?;
        }
        if answer.reason().is_some() {
            outcome = CommandStatus::Unknown;
        }
    }
    Ok(outcome)
}

fn print(
    input: &QuestionFile,
    question: &Question,
    answer: &Reply,
    draw: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    writeln!(out, "{}", answer.word())?;
    match answer {
        Reply::Sat(Some(model)) if draw => {
            let roots = input.roots(question, model);
            let picture = picture::draw(LABELS, &input.definitions, &roots, &model.heap);
            write!(out, "{picture}")?;
        }
        Reply::Unknown(reason) => {
            // Standard output holds the answers and nothing else; the reason is for people.
            out.flush()?;
            let _ = writeln!(io::stderr(), "unknown: {reason}");
        }
        _ => {}
    }
    Ok(())
}

/// Writes the pictures that were asked for.
fn write_pictures(
    arguments: &Arguments,
    input: &QuestionFile,
    (number, question): (usize, &Question),
    model: &Model,
) -> Result<(), Failure> {
    let roots = input.roots(question, model);
    let name = question.name.as_deref().unwrap_or("question");
    let labels = LABELS.texts(&input.definitions, &model.heap);
    let scene = Scene::new(&input.definitions, &roots, &model.heap)
        .labelled(&labels, &labels)
        .titled(name);
    // The name is somebody's text: only plain characters of it become part of a file name.
    let plain: String = name
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == '_')
        .take(60)
        .collect();
    let svg = arguments
        .svg
        .as_ref()
        .map(|folder| (folder, "svg", heapwright_report::svg(&scene)));
    let dot = arguments
        .dot
        .as_ref()
        .map(|folder| (folder, "dot", heapwright_report::dot(&scene)));
    for (folder, ending, picture) in [svg, dot].into_iter().flatten() {
        failure::create_folder(folder)?;
        let file = folder.join(format!("{number:02}-{plain}.{ending}"));
        failure::write(&file, &picture)?;
    }
    Ok(())
}

fn to_json(input: &QuestionFile, question: &Question, answer: &Reply) -> Json {
    let model = match answer {
        Reply::Sat(Some(model)) => Some(state::model_to_json(input, model)),
        _ => None,
    };
    json!({
        "question": question.name,
        "answer": answer.word(),
        "reason": answer.reason(),
        "model": model,
    })
}

//! The disjuncts of a predicate: what each says, in words, with a smallest model below it.

use std::io::Write;

use heapwright_logic::PredId;

use super::WIDTH;
use crate::failure::Failure;
use crate::frontends::LABELS;
use crate::limits::Limits;
use heapwright_explain::contradiction;
use heapwright_explain::{meaning, picture};
use heapwright_solver::asking::{Asker, Reply, Want};
use heapwright_spec::questions::QuestionFile;

/// Tells each disjunct, and draws a smallest model of it, the parameters being free.
pub fn describe(
    input: &mut QuestionFile,
    predicate: PredId,
    limits: &Limits,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let questions = input.disjuncts(predicate);
    let told = in_words(input, predicate);
    let mut answers = Vec::new();
    let mut asker = Asker::new(&input.terms, &input.definitions, limits.time);
    for question in &questions {
        answers.push(asker.ask(&question.formula, Want::Model));
    }
    let told = told.into_iter().zip(answers);
    for (number, (question, (told, answer))) in (1..).zip(questions.iter().zip(told)) {
        writeln!(out, "  disjunct {number}")?;
        for line in meaning::wrapped(&told, WIDTH) {
            writeln!(out, "    {line}")?;
        }
        match answer {
            Reply::Sat(Some(model)) => {
                writeln!(out, "    smallest model:")?;
                let roots = input.roots(question, &model);
                for line in picture::draw(LABELS, &input.definitions, &roots, &model.heap).lines() {
                    writeln!(out, "      {line}")?;
                }
            }
            Reply::Sat(None) => writeln!(out, "    satisfiable")?,
            Reply::Unsat => {
                writeln!(out, "    no model")?;
                let heaps = question.formula.disjuncts.iter();
                for heap in heaps {
                    let found = contradiction::find(LABELS, input, question, heap, limits.time);
                    for line in found.into_iter().flat_map(|found| found.lines) {
                        writeln!(out, "    {line}")?;
                    }
                }
            }
            Reply::Unknown(reason) => writeln!(out, "    no model found ({reason})")?,
        }
    }
    Ok(())
}

/// What each disjunct says.
fn in_words(input: &mut QuestionFile, predicate: PredId) -> Vec<String> {
    let (terms, definitions) = (&mut input.terms, &input.definitions);
    let definition = definitions.predicate(predicate);
    (definition.disjuncts.iter())
        .map(|disjunct| meaning::sentences(terms, definitions, &definition.params, disjunct))
        .collect()
}

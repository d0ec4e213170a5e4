//! The disjuncts of a predicate: what each says in words, with a smallest model.

use std::time::Duration;

use heapwright_logic::PredId;
use heapwright_solver::asking::{Asker, Reply, Want};
use heapwright_spec::questions::QuestionFile;

use crate::labels::Labels;
use crate::{contradiction, meaning, picture};

/// A disjunct, explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Disjunct {
    /// What it says, in sentences.
    pub told: String,
    /// What is known of its models.
    pub model: SmallestModel,
}

/// What is known of the models of a disjunct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SmallestModel {
    /// A smallest one, drawn.
    Drawn(String),
    /// There is one, which is not shown.
    Exists,
    /// There is none; the lines say why, where that is known.
    None(Vec<String>),
    /// Nobody knows, for this reason.
    Unknown(String),
}

/// Tells each disjunct, and draws a smallest model of it, the parameters being free. The time is
/// that for each question.
pub fn explain(
    labels: &dyn Labels,
    input: &mut QuestionFile,
    predicate: PredId,
    time: Option<Duration>,
) -> Vec<Disjunct> {
    let questions = input.disjuncts(predicate);
    let told = in_words(input, predicate);
    let mut answers = Vec::new();
    let mut asker = Asker::new(&input.terms, &input.definitions, time);
    for question in &questions {
        answers.push(asker.ask(&question.formula, Want::Model));
    }
    let mut explained = Vec::new();
    for ((question, told), answer) in questions.iter().zip(told).zip(answers) {
        let model = match answer {
            Reply::Sat(Some(model)) => {
                let roots = input.roots(question, &model);
                let drawn = picture::draw(labels, &input.definitions, &roots, &model.heap);
                SmallestModel::Drawn(drawn)
            }
            Reply::Sat(None) => SmallestModel::Exists,
            Reply::Unsat => {
                let heaps = question.formula.disjuncts.iter();
                let found = heaps
                    .filter_map(|heap| contradiction::find(labels, input, question, heap, time));
                SmallestModel::None(found.flat_map(|found| found.lines).collect())
            }
            Reply::Unknown(reason) => SmallestModel::Unknown(reason),
        };
        explained.push(Disjunct { told, model });
    }
    explained
}

/// What each disjunct says.
fn in_words(input: &mut QuestionFile, predicate: PredId) -> Vec<String> {
    let (terms, definitions) = (&mut input.terms, &input.definitions);
    let definition = definitions.predicate(predicate);
    (definition.disjuncts.iter())
        .map(|disjunct| meaning::sentences(terms, definitions, &definition.params, disjunct))
        .collect()
}

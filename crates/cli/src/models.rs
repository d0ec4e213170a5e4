//! Models for people and programs: the names of a question beside the values of a model.

use heapwright_logic::{Model, Value, heap_to_json};
use serde_json::Value as Json;

use crate::input::{Input, Question};

/// The variables that the question is about, with their values in the model. Those that the
/// question does not mention may have any value, and are left out.
pub fn roots(input: &Input, question: &Question, model: &Model) -> Vec<(String, Value)> {
    let mut roots = Vec::new();
    for (name, variable) in &question.variables {
        if let Some(&value) = model.stack.get(variable) {
            roots.push((name.clone(), value));
        }
    }
    let named = |variable| {
        question
            .variables
            .iter()
            .any(|&(_, known)| known == variable)
    };
    for (&variable, &value) in &model.stack {
        if !named(variable) {
            roots.push((input.terms.variable(variable).name.clone(), value));
        }
    }
    roots
}

/// The model in the form that `check` reads.
pub fn to_json(input: &Input, model: &Model) -> Json {
    heap_to_json(&input.terms, &input.definitions, &model.stack, &model.heap)
}

//! States of a program as JSON: named values with a heap, in the form that `check` reads.

use heapwright_logic::{
    Definitions, Heap, JsonError, Model, Sort, Stack, Terms, Value, VarId, heap_from_json,
    heap_to_json,
};
use heapwright_spec::questions::QuestionFile;
use serde_json::Value as Json;

/// Writes names with their values, and a heap.
pub fn to_json(definitions: &Definitions, roots: &[(String, Value)], heap: &Heap) -> Json {
    let mut terms = Terms::new();
    let stack: Stack = (roots.iter())
        // Only the names of the variables are written, so their sort does not matter.
        .map(|(name, value)| (terms.declare(name.as_str(), Sort::Int), *value))
        .collect();
    heap_to_json(&terms, definitions, &stack, heap)
}

/// Reads the values of some names, in order, and a heap. A name that the JSON leaves out has no
/// value.
pub fn from_json(
    definitions: &Definitions,
    names: &[(String, Sort)],
    json: &Json,
) -> Result<(Vec<Option<Value>>, Heap), JsonError> {
    let mut terms = Terms::new();
    let variables: Vec<VarId> = (names.iter())
        .map(|(name, sort)| terms.declare(name.as_str(), *sort))
        .collect();
    let lookup = |wanted: &str| {
        let position = names.iter().position(|(name, _)| name == wanted);
        position.map(|index| variables[index])
    };
    let (stack, heap) = heap_from_json(&terms, definitions, json, lookup)?;
    let values = variables.iter().map(|known| stack.get(known).copied());
    Ok((values.collect(), heap))
}

/// The model of a question in the form that `check` reads.
pub fn model_to_json(file: &QuestionFile, model: &Model) -> Json {
    heap_to_json(&file.terms, &file.definitions, &model.stack, &model.heap)
}

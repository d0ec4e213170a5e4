//! Names of tests as Java writes them.

use std::collections::BTreeSet;

use heapwright_engine::{Outcome, Subject, Test};
use heapwright_ir::machine::Edge;
use heapwright_logic::Value;

use crate::findings::Finding;
use crate::names::{Unnamed, edge_feature, identifier};
use heapwright_explain::picture::show_value;
use heapwright_explain::words;

/// Longer names are cut behind a word.
const LONGEST: usize = 60;

/// Words that no name ends with because it was cut there.
const CONNECTIVES: [&str; 14] = [
    "and", "not", "when", "is", "at", "least", "most", "minus", "plus", "times", "by", "above",
    "below", "returns",
];

/// Words that are joined by `_`, behind a prefix: `remove` and `t_left_is_null` become
/// `remove_tLeftIsNull`.
pub fn camel_case(prefix: &str, words: &str) -> String {
    let words: Vec<&str> = words.split('_').filter(|word| !word.is_empty()).collect();
    let mut count = words.len();
    loop {
        let name = joined(prefix, words.get(..count).unwrap_or_default());
        let last = count.checked_sub(1).and_then(|last| words.get(last));
        let is_cut = count < words.len();
        let dangles = is_cut && last.is_some_and(|word| CONNECTIVES.contains(word));
        if count <= 1 || (name.len() <= LONGEST && !dangles) {
            return name;
        }
        count -= 1;
    }
}

fn joined(prefix: &str, words: &[&str]) -> String {
    let mut name = prefix.to_owned();
    let separator = if prefix.is_empty() { "" } else { "_" };
    for (index, word) in words.iter().enumerate() {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        let word = match index {
            0 => format!("{separator}{}{rest}", first.to_ascii_lowercase()),
            _ => format!("{}{rest}", first.to_ascii_uppercase()),
        };
        name.push_str(&word);
    }
    name
}

/// What a test can be called, in words: after the exception, or after what it is the first to
/// cover; then also after the outcome, and after what else it covers. The tests before it covered
/// some edges, and had something null in their inputs.
pub fn candidates(
    subject: &Subject,
    unnamed: &Unnamed<'_>,
    covered: &BTreeSet<Edge>,
    known: &BTreeSet<String>,
) -> Vec<String> {
    let Unnamed {
        test, never_ends, ..
    } = *unnamed;
    let run = &test.run;
    let mut features: Vec<String> = Vec::new();
    // Long runs take the same edges again and again.
    let mut seen = BTreeSet::new();
    let edges = run.trail.iter().rev().filter(|edge| seen.insert(**edge));
    let edges = edges.filter(|edge| is_telling(subject, **edge));
    let (new, old): (Vec<Edge>, Vec<Edge>) = edges.partition(|edge| !covered.contains(edge));
    for edge in new.into_iter().chain(old) {
        let feature = edge_feature(subject, edge);
        if !features.contains(&feature) {
            features.push(feature);
        }
    }
    let ending = ending(subject, test);
    let violated = (unnamed.findings.iter()).find_map(|finding| match finding {
        Finding::Postcondition { .. } => Some("violates_postcondition"),
        Finding::Invariant(_) => Some("breaks_invariant"),
        Finding::Endless(_) => Some("does_not_end"),
        Finding::Fault(_) | Finding::Leak(_) => None,
    });
    let violated = violated.or(never_ends.then_some("never_ends"));
    let mut candidates = Vec::new();
    if violated.is_some() || run.outcome != Outcome::Returned {
        let ending = violated.map_or(ending, ToOwned::to_owned);
        candidates.push(ending.clone());
        features.extend(
            nulls(subject, test)
                .into_iter()
                .filter(|null| !known.contains(null)),
        );
        candidates.extend(
            features
                .iter()
                .map(|feature| format!("{ending}_when_{feature}")),
        );
        return candidates;
    }
    let Some(first) = features.first().cloned() else {
        return vec![ending];
    };
    candidates.push(first.clone());
    candidates.push(format!("{first}_{ending}"));
    candidates.extend(
        features
            .iter()
            .skip(1)
            .map(|feature| format!("{first}_and_{feature}")),
    );
    candidates
}

/// Whether the condition of an edge is one of the source under test, and can be told in words.
fn is_telling(subject: &Subject, edge: Edge) -> bool {
    let function = edge.function;
    let in_scope = (subject.scope.as_ref())
        .is_none_or(|scope| scope.functions.contains(&function) && !scope.ignored.contains(&edge));
    let block = subject.program.functions.get(function.index());
    let block = block.and_then(|function| function.blocks.get(edge.block.index()));
    let position = block.map(|block| block.position).unwrap_or_default();
    in_scope && words::condition_of(&subject.program, edge, position).is_some()
}

/// What is null in the input: parameters, then fields of what parameters refer to.
pub fn nulls(subject: &Subject, test: &Test) -> Vec<String> {
    let (mut direct, mut behind) = (Vec::new(), Vec::new());
    for (parameter, value) in subject.inputs.iter().zip(&test.input.arguments) {
        let name = identifier(&parameter.name);
        match value {
            Value::Null => direct.push(format!("{name}_is_null")),
            Value::Ref(loc) => {
                let Some(cell) = test.input.heap.cells.get(loc) else {
                    continue;
                };
                let fields = &subject.program.definitions.class(cell.class).fields;
                let null = fields.iter().zip(&cell.fields);
                let null = null.filter(|(_, value)| **value == Value::Null);
                behind.extend(
                    null.map(|(field, _)| format!("{name}_{}_is_null", identifier(&field.name))),
                );
            }
            _ => {}
        }
    }
    direct.extend(behind);
    direct
}

/// How a run ended: `returns_true`, `throws_NoSuchElement`.
fn ending(subject: &Subject, test: &Test) -> String {
    let run = &test.run;
    match run.outcome {
        Outcome::Returned => match run.result {
            None => "returns".to_owned(),
            Some(Value::Ref(_)) => "returns_object".to_owned(),
            Some(value) => format!("returns_{}", identifier(&show_value(value))),
        },
        Outcome::Threw { class, .. } => {
            let name = words::simple_class(&subject.program.definitions.class(class).name);
            let name = name.strip_suffix("Exception").unwrap_or(name);
            format!("throws_{}", identifier(name))
        }
        Outcome::OutOfBudget { budget, .. } => {
            format!("out_of_{}", identifier(budget.name()))
        }
        _ => identifier(&words::outcome(&subject.program, &run.outcome)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_joined_by_capitals() {
        let check = |words, expected| assert_eq!(camel_case("remove", words), expected);
        check("t_left_is_null", "remove_tLeftIsNull");
        check("throws_NoSuchElement", "remove_throwsNoSuchElement");
        check("leftHeight_above_2", "remove_leftHeightAbove2");
        check("", "remove");
    }

    #[test]
    fn long_names_are_cut_behind_a_word() {
        let name = camel_case("remove", &"element_".repeat(20));
        assert_eq!(name.len(), 6 + 1 + 7 * 7);
    }
}

//! Preconditions of methods: what has to hold besides the invariant so that calls do not fail.
//!
//! Every call is tried in the observed states. A call fails if the virtual machine throws, an assertion
//! is violated, or it does not end; an exception that the code throws is an answer. Failing calls are
//! told apart from the others by a decision list: conjunctions of comparisons between arguments, fields
//! of the object and constants, that hold for failing calls only, the one for most of them first. None
//! of them may hold.

use std::collections::BTreeSet;
use std::fmt::Write;

use heapwright_logic::{Budget, Failure, Stack, Value, find_derivation};
use heapwright_spec::Source;
use heapwright_spec::questions::{Notation, Question, QuestionFile};
use heapwright_testgen::observation::{Left, ObservationRequest, Tried};
use heapwright_testgen::{Error, Frontend};

use crate::session::{Inference, InferenceRequest, NoInference, infer};
use crate::text::cases;

mod decision;

use decision::{Comparison, Literal, Operand, Sample, reasons};

/// A precondition is checked on so many calls.
const MOST_CHECKED: usize = 2_000;

/// What was learned about a method.
struct Method<'s> {
    name: &'s str,
    samples: Vec<Sample<'s>>,
}

/// Infers the preconditions of the methods of a name.
pub fn infer_method<F: Frontend>(
    frontend: &mut F,
    class: &str,
    method: &str,
    request: &InferenceRequest,
) -> Result<Result<Inference, NoInference>, Error> {
    let mut inference = match infer(frontend, class, request)? {
        Ok(inference) => inference,
        Err(reason) => return Ok(Err(reason)),
    };
    let wanted = ObservationRequest {
        objects: usize::MAX,
        states: inference.states.len(),
        time: request.time,
        ignored: BTreeSet::new(),
        compared: BTreeSet::new(),
        interrupt: request.interrupt.clone(),
    };
    let tried = frontend.tried(class, Some(method), &inference.states, &wanted)?;
    let states = std::mem::take(&mut inference.states);
    let mut methods: Vec<Method<'_>> = Vec::new();
    for (state, tried) in states.iter().zip(&tried) {
        for call in tried {
            let sample = Sample {
                state,
                arguments: &call.arguments,
                fails: matches!(call.left, Left::Failure(_)),
            };
            match methods.iter_mut().find(|known| known.name == call.method) {
                Some(known) => known.samples.push(sample),
                None => methods.push(Method {
                    name: &call.method,
                    samples: vec![sample],
                }),
            }
        }
    }
    if methods.is_empty() {
        return Ok(Err(NoInference::NoCalls));
    }
    let mut text = String::new();
    for known in &methods {
        let why = tried.iter().flatten().find_map(|call| match &call.left {
            Left::Failure(why) if call.method == known.name => Some((call, why)),
            _ => None,
        });
        describe(frontend, class, &mut inference, known, why, &mut text)?;
    }
    inference.text = format!("{}\n{text}", inference.without_contracts);
    Ok(Ok(inference))
}

/// Adds the contract of a method, with what it rests on.
fn describe<F: Frontend>(
    frontend: &mut F,
    class: &str,
    inference: &mut Inference,
    method: &Method<'_>,
    why: Option<(&Tried, &String)>,
    text: &mut String,
) -> Result<(), Error> {
    let count = method.samples.len();
    let failing = method.samples.iter().filter(|sample| sample.fails).count();
    let reasons = reasons(&inference.fields, &method.samples);
    let (contract, words) = contract(inference, method.name, &reasons);
    // Writing into a text never fails.
    let _ = writeln!(text, "// {}:", method.name);
    let _ = match why {
        None => writeln!(text, "// - none of {count} calls failed."),
        Some((call, why)) => writeln!(
            text,
            "// - {failing} of {count} calls failed, for example {}: {why}.",
            call.call
        ),
    };
    for line in words {
        let _ = writeln!(text, "// - not allowed: {line}.");
    }
    let whole = format!("{}\n{contract}", inference.predicates);
    let wrong = misjudged(frontend, class, whole, method)?;
    let _ = match wrong {
        Some((0, 0)) if failing == 0 => writeln!(text, "// - the checker accepts all of them."),
        Some((0, 0)) => writeln!(
            text,
            "// - the checker rejects the calls that failed, and accepts the others."
        ),
        Some((lost, let_in)) => {
            inference.rejected += lost;
            writeln!(
                text,
                "// - NOT exact: it rejects {lost} calls that did not fail, and accepts {let_in} that did."
            )
        }
        None => writeln!(text, "// - not checked: it cannot be said in a contract."),
    };
    match wrong {
        Some(_) => text.push_str(&contract),
        None => {
            let _ = writeln!(text, "pre {} := {}(this);", method.name, inference.name);
        }
    }
    Ok(())
}

/// Calls that did not fail and are rejected by a contract, and calls that did and are accepted. `None`
/// if the contract cannot be read.
fn misjudged<F: Frontend>(
    frontend: &mut F,
    class: &str,
    text: String,
    method: &Method<'_>,
) -> Result<Option<(usize, usize)>, Error> {
    let source = Source {
        name: "the inferred specification".to_owned(),
        text,
    };
    let Ok(file) = frontend.questions(class, Notation::Specification, source) else {
        return Ok(None);
    };
    let Some(question) = file.contracts.first() else {
        return Ok(None);
    };
    let (mut lost, mut let_in) = (0, 0);
    for sample in method.samples.iter().take(MOST_CHECKED) {
        match (accepts(&file, question, sample), sample.fails) {
            (Some(false), false) => lost += 1,
            (Some(true), true) => let_in += 1,
            _ => {}
        }
    }
    Ok(Some((lost, let_in)))
}

fn accepts(file: &QuestionFile, question: &Question, sample: &Sample<'_>) -> Option<bool> {
    let values = std::iter::once(Value::Ref(sample.state.root)).chain(sample.arguments.to_vec());
    let variables = question.variables.iter().map(|(_, variable)| *variable);
    let stack: Stack = variables.zip(values).collect();
    let budget = Budget { steps: 300_000 };
    let (terms, definitions) = (&file.terms, &file.definitions);
    let heap = &sample.state.heap;
    match find_derivation(terms, definitions, &question.formula, &stack, heap, budget) {
        Ok(_) => Some(true),
        Err(Failure::Unsatisfied { .. }) => Some(false),
        Err(_) => None,
    }
}

/// The contract, and what it does not allow, in words.
fn contract(
    inference: &Inference,
    method: &str,
    reasons: &[Vec<Literal>],
) -> (String, Vec<String>) {
    let parameters: Vec<&str> = method
        .split_once('(')
        .map_or("", |(_, parameters)| parameters.trim_end_matches(')'))
        .split(", ")
        .filter_map(|parameter| parameter.rsplit(' ').next())
        .collect();
    let used = reasons
        .iter()
        .flatten()
        .flat_map(|(comparison, _)| match comparison {
            Comparison::Null(one) | Comparison::True(one) => vec![*one],
            Comparison::Less(one, other) | Comparison::Equal(one, other) => vec![*one, *other],
        });
    let used: Vec<usize> = used
        .filter_map(|operand| match operand {
            Operand::Field(index) => Some(index),
            _ => None,
        })
        .collect();
    if used.is_empty() && reasons.is_empty() {
        let text = format!("pre {method} := {}(this);\n", inference.name);
        return (text, Vec::new());
    }
    let name = |index: usize| inference.fields.get(index).map_or("?", |(name, _)| name);
    let words = reasons.iter().map(|reason| {
        let literals = reason.iter().map(|literal| {
            said(
                literal,
                true,
                &|index| format!("this.{}", name(index)),
                &parameters,
            )
        });
        literals.collect::<Vec<_>>().join(" and ")
    });
    let words: Vec<String> = words.collect();
    let cases = cases(&inference.predicates, &inference.name, &used, &|index| {
        name(index).to_owned()
    });
    let cases = cases.into_iter().map(|(text, fields)| {
        reasons.iter().fold(text, |text, reason| {
            let field = |index: usize| fields.get(&index).cloned().unwrap_or_default();
            let literals = reason.iter();
            let literals = literals.map(|literal| said(literal, false, &field, &parameters));
            let literals: Vec<String> = literals.collect();
            match &literals[..] {
                [only] => format!("{text}\n        & {only}"),
                several => format!("{text}\n        & ({})", several.join(" | ")),
            }
        })
    });
    let cases: Vec<String> = cases.collect();
    let text = format!("pre {method} :=\n    {};\n", cases.join("\n  | "));
    (text, words)
}

/// A literal as it is written, or its opposite.
fn said(
    (comparison, truth): &Literal,
    same: bool,
    field: &dyn Fn(usize) -> String,
    parameters: &[&str],
) -> String {
    let operand = |operand: &Operand| match operand {
        Operand::Field(index) => field(*index),
        Operand::Argument(index) => parameters.get(*index).map_or("?", |name| name).to_owned(),
        Operand::Number(number) => number.to_string(),
    };
    let holds = *truth == same;
    match (comparison, holds) {
        (Comparison::Null(one), true) => format!("{} = null", operand(one)),
        (Comparison::Null(one), false) => format!("{} != null", operand(one)),
        (Comparison::True(one), true) => format!("{} = true", operand(one)),
        (Comparison::True(one), false) => format!("{} = false", operand(one)),
        (Comparison::Equal(one, other), true) => format!("{} = {}", operand(one), operand(other)),
        (Comparison::Equal(one, other), false) => {
            format!("{} != {}", operand(one), operand(other))
        }
        (Comparison::Less(one, other), true) => format!("{} < {}", operand(one), operand(other)),
        (Comparison::Less(one, other), false) => format!("{} >= {}", operand(one), operand(other)),
    }
}

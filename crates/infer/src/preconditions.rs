//! Preconditions of methods: what has to hold besides the invariant so that calls do not fail.
//!
//! Every call is tried in the observed states. A call fails if the virtual machine throws, an assertion
//! is violated, or it does not end; an exception that the code throws is an answer. Failing calls are
//! told apart from the others by a decision list: conjunctions of comparisons between arguments, fields
//! of the object and constants, that hold for failing calls only, the one for most of them first. None
//! of them may hold.

use std::collections::BTreeSet;
use std::fmt::Write;

use heapwright_logic::{Budget, Failure, Sort, Stack, Value, find_derivation};
use heapwright_spec::Source;
use heapwright_spec::questions::{Notation, Question, QuestionFile};
use heapwright_testgen::observation::{Left, ObservationRequest, State, Tried};
use heapwright_testgen::{Error, Frontend};

use crate::session::{Inference, InferenceRequest, NoInference, infer};
use crate::text::cases;

/// Conjunctions have at most so many comparisons.
const MOST_LITERALS: usize = 3;

/// A decision list has at most so many conjunctions.
const MOST_REASONS: usize = 4;

/// A precondition is checked on so many calls.
const MOST_CHECKED: usize = 2_000;

/// A value that comparisons are about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Operand {
    Field(usize),
    Argument(usize),
    Number(i128),
}

/// A comparison.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Comparison {
    Null(Operand),
    Less(Operand, Operand),
    Equal(Operand, Operand),
    True(Operand),
}

/// A comparison, or that it does not hold.
type Literal = (Comparison, bool);

/// A call that was tried.
struct Sample<'s> {
    state: &'s State,
    arguments: &'s [Value],
    fails: bool,
}

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
    let reasons = reasons(inference, method);
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

/// Conjunctions that hold for failing calls only.
fn reasons(inference: &Inference, method: &Method<'_>) -> Vec<Vec<Literal>> {
    let comparisons = comparisons(inference, method);
    let literals: Vec<Literal> = (comparisons.iter())
        .flat_map(|one| [(*one, true), (*one, false)])
        .collect();
    let table: Vec<Vec<bool>> = (literals.iter())
        .map(|literal| {
            let samples = method.samples.iter();
            samples.map(|sample| holds(literal, sample)).collect()
        })
        .collect();
    let fails: Vec<bool> = method.samples.iter().map(|sample| sample.fails).collect();
    let mut open = fails.clone();
    let mut reasons = Vec::new();
    while reasons.len() < MOST_REASONS && open.contains(&true) {
        let best = (1..=MOST_LITERALS).find_map(|size| conjunction(&table, &fails, &open, size));
        let Some(chosen) = best else { break };
        for (index, open) in open.iter_mut().enumerate() {
            *open &= !chosen.iter().all(|&literal| at(&table, literal, index));
        }
        reasons.push(
            (chosen.iter())
                .filter_map(|&literal| literals.get(literal).copied())
                .collect(),
        );
    }
    reasons
}

fn at(table: &[Vec<bool>], literal: usize, sample: usize) -> bool {
    let row = table.get(literal);
    row.and_then(|row| row.get(sample))
        .copied()
        .unwrap_or(false)
}

/// Of the conjunctions of so many literals that hold for no call that did not fail, the first one of
/// those that hold for most of the open ones.
fn conjunction(
    table: &[Vec<bool>],
    fails: &[bool],
    open: &[bool],
    size: usize,
) -> Option<Vec<usize>> {
    let mut best: Option<(usize, Vec<usize>)> = None;
    let mut chosen: Vec<usize> = (0..size).collect();
    while chosen.last().is_some_and(|last| *last < table.len()) {
        let holds = |sample: usize| chosen.iter().all(|&literal| at(table, literal, sample));
        let holding = (0..fails.len()).filter(|&sample| holds(sample));
        let mut covered = 0;
        let mut is_pure = true;
        for sample in holding {
            is_pure &= fails.get(sample).copied().unwrap_or(false);
            covered += usize::from(open.get(sample).copied().unwrap_or(false));
            if !is_pure {
                break;
            }
        }
        let is_better = best.as_ref().is_none_or(|(known, _)| covered > *known);
        if is_pure && covered > 0 && is_better {
            best = Some((covered, chosen.clone()));
        }
        if !advance(&mut chosen, table.len()) {
            break;
        }
    }
    best.map(|(_, chosen)| chosen)
}

/// The next choice of as many of `count`, in the order of words. Returns `false` after the last one.
fn advance(chosen: &mut [usize], count: usize) -> bool {
    let size = chosen.len();
    for place in (0..size).rev() {
        let Some(&now) = chosen.get(place) else {
            return false;
        };
        if now + size - place < count {
            for (offset, choice) in chosen.iter_mut().skip(place).enumerate() {
                *choice = now + 1 + offset;
            }
            return true;
        }
    }
    false
}

/// The comparisons that may tell calls apart.
fn comparisons(inference: &Inference, method: &Method<'_>) -> Vec<Comparison> {
    let mut found = Vec::new();
    let Some(first) = method.samples.first() else {
        return found;
    };
    let numbers = [0, 1].map(Operand::Number);
    let mut fields = Vec::new();
    for (index, (_, sort)) in inference.fields.iter().enumerate() {
        let field = Operand::Field(index);
        match sort {
            Sort::Ref(_) => found.push(Comparison::Null(field)),
            Sort::Bool => found.push(Comparison::True(field)),
            sort if sort.is_integer() => fields.push(field),
            _ => {}
        }
    }
    let mut arguments = Vec::new();
    for (index, value) in first.arguments.iter().enumerate() {
        match value {
            Value::Int(_) => arguments.push(Operand::Argument(index)),
            Value::Bool(_) => found.push(Comparison::True(Operand::Argument(index))),
            _ => {}
        }
    }
    for &argument in &arguments {
        found.push(Comparison::Less(argument, Operand::Number(0)));
        for &other in fields.iter().chain(&numbers) {
            found.push(Comparison::Equal(argument, other));
        }
        for &field in &fields {
            found.push(Comparison::Less(argument, field));
        }
    }
    for (place, &one) in arguments.iter().enumerate() {
        for &other in arguments.iter().skip(place + 1) {
            found.extend([Comparison::Less(one, other), Comparison::Equal(one, other)]);
        }
    }
    for &field in &fields {
        found.extend(numbers.map(|number| Comparison::Equal(field, number)));
    }
    found
}

fn holds((comparison, truth): &Literal, sample: &Sample<'_>) -> bool {
    let value = |operand: &Operand| match operand {
        Operand::Number(number) => Some(Value::Int(*number)),
        Operand::Argument(index) => sample.arguments.get(*index).copied(),
        Operand::Field(index) => {
            let cell = sample.state.heap.cells.get(&sample.state.root)?;
            cell.fields.get(*index).copied()
        }
    };
    let holds = match comparison {
        Comparison::Null(operand) => value(operand) == Some(Value::Null),
        Comparison::True(operand) => value(operand) == Some(Value::Bool(true)),
        Comparison::Equal(one, other) => value(one) == value(other),
        Comparison::Less(one, other) => match (value(one), value(other)) {
            (Some(Value::Int(one)), Some(Value::Int(other))) => one < other,
            _ => false,
        },
    };
    holds == *truth
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

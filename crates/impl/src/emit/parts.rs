//! The parts of a test: what comes before, instead of and behind the program under test.

use std::collections::BTreeSet;

use heapwright_logic::{Heap, Value};

use super::case::{Binding, Ending, Target, TestCase, bind};
use super::check::{Root, check};
use super::error::EmitError;
use super::expectation::Expectation;
use super::names::Names;
use super::property::Property;
use super::setup::{Setup, set_up};
use super::text::type_name;

/// A test without the program under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestParts {
    /// What the test is called.
    pub name: String,
    /// What is tested.
    pub target: Target,
    /// How the test is expected to end; the line is never known here.
    pub expectation: Expectation,
    /// What the test covers.
    pub comments: Vec<String>,
    /// Statements that build the input, one per line.
    pub setup: String,
    /// The call of the procedure under test; empty for the statements of a program.
    pub call: String,
    /// Statements that check the output, one per line.
    pub check: String,
    /// What a run has to establish besides.
    pub property: Option<Property>,
    /// The variables that the test has for itself.
    pub(super) own: BTreeSet<String>,
}

impl TestParts {
    /// The parts of the test for a case.
    pub fn of(case: &TestCase<'_>) -> Result<TestParts, EmitError> {
        let (_, text) = case.source()?;
        let mut names = Names::avoiding(text);
        let inputs = case.bound_inputs()?;
        for input in &inputs {
            names.take(&input.name);
        }
        let definitions = case.definitions();
        let variables = case.target == Target::Main;
        let setup = set_up(definitions, &inputs, &case.before, variables, &mut names)?;
        let mut comments = case.comments.clone();
        let mut call = call_of(case, &setup);
        let mut checks = Vec::new();
        let mut property = None;
        let expectation = match &case.ending {
            Ending::Fault { kind, .. } => {
                comments.extend(place_of_fault(case));
                Expectation::Fault {
                    kind: *kind,
                    line: None,
                }
            }
            Ending::OutOfBudget(budget) => Expectation::OutOfBudget(*budget),
            Ending::Returned {
                result,
                outputs,
                heap,
            } => {
                let mut roots = Vec::new();
                if let Some(result) = result_of(case, *result, heap, &mut names)? {
                    let ty = type_name(definitions, result.sort);
                    call = format!("{ty} {} := {call}", result.name);
                    roots.push(Root {
                        binding: result,
                        set_by_test: false,
                    });
                }
                roots.extend(arguments_after(case, &inputs, &setup, heap)?);
                let outputs = case.bound_outputs(outputs, heap)?;
                roots.extend(outputs.into_iter().map(|binding| Root {
                    binding,
                    set_by_test: false,
                }));
                checks = check(definitions, &roots, heap, &mut names);
                Expectation::Returned
            }
            Ending::Wrong { property: known } => {
                if let Some(known) = known {
                    let specification = one_line(&known.specification);
                    checks.push(format!(
                        "// `heapwright run` checks the postcondition in {specification}."
                    ));
                    property = Some(Property {
                        specification,
                        input: one_line(&known.input),
                    });
                }
                Expectation::Returned
            }
        };
        Ok(TestParts {
            name: one_line(&case.name),
            target: case.target.clone(),
            expectation,
            comments: comments
                .iter()
                .flat_map(|text| text.lines().map(one_line))
                .collect(),
            setup: lines(&setup.lines),
            call,
            check: lines(&checks),
            property,
            own: names.own,
        })
    }
}

/// The call of a procedure, without what becomes of its result; nothing for statements.
fn call_of(case: &TestCase<'_>, setup: &Setup) -> String {
    match &case.target {
        Target::Main => String::new(),
        Target::Procedure(name) => format!("{name}({});", setup.inputs.join(", ")),
    }
}

/// The variable for the result of the procedure, if that is to be checked.
fn result_of(
    case: &TestCase<'_>,
    value: Option<Value>,
    heap: &Heap,
    names: &mut Names,
) -> Result<Option<Binding>, EmitError> {
    let Some(value) = value else { return Ok(None) };
    let sort = case.procedure()?.and_then(|function| function.result);
    let name = names.plain("result");
    let sort = sort.ok_or_else(|| EmitError::WrongValue(name.clone()))?;
    let bound = bind("result", vec![(name, sort)], &[value], heap)?;
    Ok(bound.into_iter().next())
}

/// The arguments of a call: the objects that the test still refers to afterwards.
fn arguments_after(
    case: &TestCase<'_>,
    inputs: &[Binding],
    setup: &Setup,
    heap: &Heap,
) -> Result<Vec<Root>, EmitError> {
    let mut roots: Vec<Root> = Vec::new();
    if case.target == Target::Main {
        return Ok(roots);
    }
    for (input, name) in inputs.iter().zip(&setup.inputs) {
        let seen = roots.iter().any(|root| root.binding.name == *name);
        if seen || !matches!(input.value, Value::Ref(_)) {
            continue;
        }
        let variable = vec![(name.clone(), input.sort)];
        let bound = bind("inputs", variable, &[input.value], heap)?;
        roots.extend(bound.into_iter().map(|binding| Root {
            binding,
            set_by_test: true,
        }));
    }
    Ok(roots)
}

/// Where the program went wrong when the test was made, for the reader.
fn place_of_fault(case: &TestCase<'_>) -> Option<String> {
    let position = case.fault_position()?;
    let (name, text) = case.source().ok()?;
    let line = text.lines().nth(position.line as usize - 1)?.trim();
    Some(format!(
        "went wrong at {name}:{}:{}: {line}",
        position.line, position.column
    ))
}

fn lines(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

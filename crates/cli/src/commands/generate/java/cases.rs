//! From what the engine found to what the emitter writes.

use std::collections::BTreeMap;

use heapwright_engine::{Outcome, Test};
use heapwright_ir::machine::{Budgets, Edge};
use heapwright_ir::{Position, Program};
use heapwright_java::emit::{
    Defect, Ending, GlobalObject, Place, StaticValue, TestCase, Vagueness,
};
use heapwright_java::target::TargetMethod;
use heapwright_java::world::{TestEntry, World};
use heapwright_logic::{Loc, Value};

use super::super::findings::Finding;
use super::super::suite::{Kept, Suite};
use super::variation::vague_places;
use crate::{compact, source, words};

/// How many branches are named above a test.
const MOST_BRANCHES: usize = 3;

/// Longer pictures help nobody.
const LONGEST_PICTURE: usize = 400;

/// A test that is kept as a test case; none for runs that no test can repeat.
pub fn test_case(
    world: &World,
    target: &TargetMethod,
    suite: &Suite,
    kept: &Kept,
    entry: &TestEntry,
    budgets: Budgets,
) -> Option<TestCase> {
    let vague = vague_places(&suite.subject, suite.test(kept), budgets)?;
    case_with(world, target, suite, kept, entry, vague)
}

/// The same where it is known what varies.
pub fn case_with(
    world: &World,
    target: &TargetMethod,
    suite: &Suite,
    kept: &Kept,
    entry: &TestEntry,
    vague: BTreeMap<Place, Vagueness>,
) -> Option<TestCase> {
    let test = suite.test(kept);
    let statics = &suite.subject.globals;
    let parameters = suite.subject.inputs.len().checked_sub(statics.len())?;
    let after = |name: &str| {
        let root = test.run.roots.iter().find(|(root, _)| root == name);
        root.map(|(_, value)| *value)
    };
    let static_value = |name: &str, value: Value| {
        let (class, field) = name.rsplit_once('.')?;
        Some(StaticValue {
            class: class.into(),
            field: field.into(),
            value,
        })
    };
    let mut globals = globals(world, test);
    let arguments = with_constants(entry, test, &mut globals);
    let given = arguments.get(parameters..)?.to_vec();
    let arguments = arguments.get(..parameters)?.to_vec();
    let before = (statics.iter().zip(given))
        .filter_map(|(known, value)| static_value(&known.name, value))
        .collect();
    let afterwards: Vec<StaticValue> = (statics.iter())
        .filter_map(|known| static_value(&known.name, after(&known.name)?))
        .collect();
    let ending = match test.run.outcome {
        Outcome::Returned => Ending::Returned {
            result: after("result"),
            after: test.run.heap.clone(),
            statics: afterwards,
        },
        Outcome::Threw { class, .. } => Ending::Threw {
            class,
            after: test.run.heap.clone(),
            statics: afterwards,
        },
        Outcome::Fault { .. } | Outcome::AssumptionFailed { .. } | Outcome::OutOfBudget { .. } => {
            return None;
        }
    };
    Some(TestCase {
        method: target.clone(),
        name: kept.name.clone(),
        comments: comments(suite, kept, test),
        picture: picture(suite, test),
        arguments,
        statics: before,
        before: test.input.heap.clone(),
        ending,
        defect: kept
            .findings
            .iter()
            .find_map(|finding| defect(finding, test)),
        vague,
        globals,
        sequence: None,
    })
}

/// The arguments, with constants of enums where the engine has their numbers.
fn with_constants(
    entry: &TestEntry,
    test: &Test,
    globals: &mut BTreeMap<Loc, GlobalObject>,
) -> Vec<Value> {
    let mut arguments = test.input.arguments.clone();
    let heaps = [&test.input.heap, &test.run.heap];
    let used = heaps.iter().flat_map(|heap| heap.cells.keys());
    let mut free = used.map(|loc| loc.0).max().map_or(0, |last| last + 1);
    for known in &entry.enums {
        let Some(argument) = arguments.get_mut(known.parameter) else {
            continue;
        };
        let number = match *argument {
            Value::Int(number) => usize::try_from(number).ok(),
            _ => continue,
        };
        let constant = number.and_then(|number| known.constants.get(number));
        *argument = match constant {
            None => Value::Null,
            Some(constant) => {
                let field = GlobalObject::StaticField {
                    class: known.class.clone(),
                    field: constant.as_str().into(),
                };
                let loc = Loc(free);
                free += 1;
                globals.insert(loc, field);
                Value::Ref(loc)
            }
        };
    }
    arguments
}

/// What a reader wants to know about a test.
fn comments(suite: &Suite, kept: &Kept, test: &Test) -> Vec<String> {
    let program = &suite.subject.program;
    let mut comments = Vec::new();
    comments.extend(covered(suite, &kept.covers));
    if let Outcome::Threw {
        class, position, ..
    } = test.run.outcome
    {
        let name = words::simple_class(&program.definitions.class(class).name);
        let place = place(program, position).map_or(String::new(), |place| format!(" at {place}"));
        comments.push(format!("Throws {name}{place}."));
    }
    for finding in &kept.findings {
        comments.extend(match finding {
            Finding::Fault(_) => Some("No valid input should lead to that.".to_owned()),
            Finding::Leak(_) => None,
            Finding::Postcondition(_) => Some(format!("Wrong: {}.", finding.words())),
        });
    }
    comments
}

/// The branches that a test is the first to cover.
fn covered(suite: &Suite, edges: &[Edge]) -> Option<String> {
    if edges.is_empty() {
        return None;
    }
    let program = &suite.subject.program;
    let own = program.function(suite.subject.function).position.file;
    let shown = edges.iter().take(MOST_BRANCHES).map(|&edge| {
        let function = program.functions.get(edge.function.index());
        let block = function.and_then(|function| function.blocks.get(edge.block.index()));
        let position = block.map(|block| block.position).unwrap_or_default();
        let condition = words::edge(program, edge, position);
        match place(program, position) {
            Some(_) if position.file == own => format!("{condition} (line {})", position.line),
            Some(place) => format!("{condition} ({place})"),
            None => condition,
        }
    });
    let mut shown: Vec<String> = shown.collect();
    let more = edges.len().saturating_sub(MOST_BRANCHES) as u64;
    if more > 0 {
        shown.push(words::count(more, "more branch", "more branches"));
    }
    Some(format!("Covers {}.", shown.join(", ")))
}

/// `Tree.java:12`.
fn place(program: &Program, position: Position) -> Option<String> {
    let place = source::place(program, position)?;
    let file = place.rsplit('/').next().unwrap_or(&place);
    Some(file.to_owned())
}

/// The input in one line, unless it would be a very long one.
fn picture(suite: &Suite, test: &Test) -> Option<String> {
    let arguments = suite.arguments(test);
    let text = compact::terms(&suite.subject.definitions, &arguments, &test.input.heap);
    (text.len() <= LONGEST_PICTURE).then_some(text)
}

/// A finding that the test fails with.
fn defect(finding: &Finding, test: &Test) -> Option<Defect> {
    match (finding, test.run.outcome) {
        (Finding::Fault(_), Outcome::Threw { .. }) => Some(Defect::Exception),
        (Finding::Postcondition(_), _) => Some(Defect::Postcondition(finding.words())),
        _ => None,
    }
}

/// The objects of the heap that belong to the program.
fn globals(world: &World, test: &Test) -> BTreeMap<Loc, GlobalObject> {
    let known = test.run.global_objects.iter();
    known
        .filter_map(|(&loc, &global)| {
            let literal = world
                .literal_text(global)
                .cloned()
                .map(GlobalObject::Literal);
            let class = || world.class_object_type(global).cloned();
            let object = literal.or_else(|| class().map(GlobalObject::Class))?;
            Some((loc, object))
        })
        .collect()
}

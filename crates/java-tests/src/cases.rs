//! From what the engine found to what the emitter writes.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_engine::{Demand, Outcome, Subject, Test, demanded_fields, demanded_result};
use heapwright_ir::machine::{Budgets, Edge};
use heapwright_ir::{Position, Program, SharedPlace};
use heapwright_java::emit::{
    AssertedLocation, Defect, Ending, GlobalObject, Invariant, SharedField, StaticValue, TestCase,
    Vagueness, is_failed_initialiser,
};
use heapwright_java::target::TargetMethod;
use heapwright_java::world::{Predicate, StaticInput, TestEntry, World};
use heapwright_logic::{Loc, Value};

use super::validity::is_valid;
use super::variation::vague_places;
use crate::language::JavaLanguage;
use heapwright_explain::{compact, source, words};
use heapwright_testgen::findings::{Finding, overflows_stack};
use heapwright_testgen::{Kept, Suite};

/// How many branches are named above a test.
const MOST_BRANCHES: usize = 3;

/// Longer pictures help nobody.
const LONGEST_PICTURE: usize = 400;

/// What a test sets up besides the heap.
#[derive(Clone, Default)]
pub struct Given {
    /// The receiver and the parameters.
    pub arguments: Vec<Value>,
    /// Static fields.
    pub statics: Vec<StaticValue>,
    /// Objects of the program.
    pub globals: BTreeMap<Loc, GlobalObject>,
}

impl Given {
    /// What an input of an entry is for Java.
    pub fn of(world: &World, subject: &Subject, test: &Test, entry: &TestEntry) -> Option<Given> {
        let parameters = subject.inputs.len().checked_sub(entry.statics.len())?;
        let mut globals = globals(world, test);
        let mut arguments = with_constants(entry, test, &mut globals);
        if arguments.len() < parameters {
            return None;
        }
        let statics = arguments.split_off(parameters);
        let statics = (entry.statics.iter().zip(statics))
            .map(|(known, value)| static_value(known, value))
            .collect();
        Some(Given {
            arguments,
            statics,
            globals,
        })
    }
}

fn static_value(known: &StaticInput, value: Value) -> StaticValue {
    StaticValue {
        class: known.class.clone(),
        field: known.field.as_str().into(),
        path: known.path.clone(),
        value,
    }
}

/// A test that is kept as a test case; none for runs that no test can repeat.
pub fn test_case(
    world: &World,
    target: &TargetMethod,
    suite: &Suite,
    kept: &Kept,
    entry: &TestEntry,
    predicate: Option<&Predicate>,
    budgets: Budgets,
) -> Option<TestCase> {
    let test = suite.test(kept);
    let vague = match kept.findings.iter().any(is_endless) {
        // Nothing is asserted about what such a call leaves behind.
        true => BTreeMap::new(),
        false => vague_places(&suite.subject, test, entry, budgets)?,
    };
    let case = case_with(world, target, suite, kept, entry, vague)?;
    Some(TestCase {
        invariant: invariant(world, target, test, predicate),
        ..case
    })
}

/// The same where it is known what varies.
pub fn case_with(
    world: &World,
    target: &TargetMethod,
    suite: &Suite,
    kept: &Kept,
    entry: &TestEntry,
    vague: BTreeMap<AssertedLocation, Vagueness>,
) -> Option<TestCase> {
    let test = suite.test(kept);
    let statics = &entry.statics;
    let after = |name: &str| {
        let global = test.run.globals.iter().find(|(global, _)| global == name);
        global.map(|(_, value)| *value)
    };
    let mut given = Given::of(world, &suite.subject, test, entry)?;
    let mut afterwards: Vec<StaticValue> = (statics.iter().zip(&given.statics))
        .filter_map(|(known, before)| {
            let value = after(&known.name)?;
            // There may be many elements, of which few are of interest.
            let is_told = known.path.is_empty() || value != before.value;
            is_told.then(|| static_value(known, value))
        })
        .collect();
    let mut shared = shared_fields(world, test, entry);
    if let Outcome::Threw { class, .. } = test.run.outcome
        && is_failed_initialiser(&suite.subject.program.definitions.class(class).name)
    {
        // A class that cannot be initialised has no fields.
        given.statics.clear();
        afterwards.clear();
        shared.clear();
    }
    let ending = match test.run.outcome {
        Outcome::Returned => Ending::Returned {
            result: test.run.result,
            after: test.run.heap.clone(),
            statics: afterwards,
        },
        Outcome::Threw { class, .. } => Ending::Threw {
            class,
            after: test.run.heap.clone(),
            statics: afterwards,
        },
        Outcome::OutOfBudget { .. } if kept.findings.iter().any(is_endless) => Ending::OutOfBudget,
        Outcome::Fault { .. } | Outcome::AssumptionFailed { .. } | Outcome::OutOfBudget { .. } => {
            return None;
        }
    };
    Some(TestCase {
        method: target.clone(),
        name: kept.name.clone(),
        comments: comments(suite, kept, test),
        picture: picture(suite, test),
        arguments: given.arguments,
        statics: given.statics,
        shared,
        before: test.input.heap.clone(),
        ending,
        defect: kept
            .findings
            .iter()
            .find_map(|finding| defect(&suite.subject, finding, test)),
        vague,
        globals: given.globals,
        invariant: None,
        sequence: None,
        script: None,
    })
}

/// The static fields whose state a test has to leave as it found it.
fn shared_fields(world: &World, test: &Test, entry: &TestEntry) -> Vec<SharedField> {
    let known = &test.run.shared;
    let places: BTreeSet<SharedPlace> = (known.read.iter())
        .chain(known.changed.keys())
        .copied()
        .collect();
    let fields = places.into_iter().filter_map(|place| {
        let (class, field) = world.static_at(place)?;
        let changed = known.changed.get(&place).into_iter().flatten();
        let is_input = |known: &StaticInput| {
            known.path.is_empty() && known.class == class && *known.field == *field
        };
        // Those are set, saved and restored anyway, and lead to objects of the test.
        if entry.statics.iter().any(is_input) {
            return None;
        }
        let can_be_restored = changed.copied().all(|class| world.can_be_restored(class));
        Some(SharedField {
            class,
            field,
            can_be_restored,
        })
    });
    fields.collect()
}

/// What a test asserts to be valid in the end: the receiver, and the arguments of its class, if they
/// were valid before.
pub fn invariant(
    world: &World,
    target: &TargetMethod,
    test: &Test,
    predicate: Option<&Predicate>,
) -> Option<Invariant> {
    let predicate = predicate.filter(|_| is_valid(test))?;
    Some(Invariant {
        predicate: predicate.clone(),
        objects: world.predicate_objects(target, predicate),
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
            Finding::Fault(_)
                if suite.any_heap && overflows_stack(&JavaLanguage, program, test) =>
            {
                Some(
                    "The recursion does not end. Nothing says that there are no such inputs."
                        .to_owned(),
                )
            }
            Finding::Fault(_) => Some("No valid input should lead to that.".to_owned()),
            Finding::Leak(_) => None,
            Finding::Postcondition { .. } | Finding::Invariant(_) => {
                Some(format!("Wrong: {}.", finding.words()))
            }
            Finding::Endless(_) => Some(format!("Wrong: the call {}.", finding.words())),
        });
    }
    if kept.findings.iter().any(is_about_heap) {
        let definitions = &suite.subject.definitions;
        let after = compact::terms(
            &JavaLanguage,
            definitions,
            &test.run.roots(),
            &test.run.heap,
        );
        if after.len() <= LONGEST_PICTURE {
            comments.push(format!("Afterwards: {after}"));
        }
    }
    comments
}

/// Whether a finding is that a run does not end.
fn is_endless(finding: &Finding) -> bool {
    matches!(finding, Finding::Endless(_))
}

/// Whether a finding is about the heap that a run leaves behind.
fn is_about_heap(finding: &Finding) -> bool {
    matches!(
        finding,
        Finding::Postcondition { .. } | Finding::Invariant(_)
    )
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
    let text = compact::terms(
        &JavaLanguage,
        &suite.subject.definitions,
        &arguments,
        &test.input.heap,
    );
    (text.len() <= LONGEST_PICTURE).then_some(text)
}

/// A finding that the test fails with.
fn defect(subject: &Subject, finding: &Finding, test: &Test) -> Option<Defect> {
    match (finding, test.run.outcome) {
        (Finding::Fault(_), Outcome::Threw { .. }) => Some(Defect::Exception),
        (Finding::Postcondition { .. }, outcome) => {
            let demanded = demanded_result(subject, &test.input);
            // An object of the input can be named; others cannot.
            let is_named = |value: &Value| match value {
                Value::Ref(loc) => test.input.heap.cells.contains_key(loc),
                _ => true,
            };
            let demanded = demanded.filter(|value| {
                outcome == Outcome::Returned && is_named(value) && test.run.result != Some(*value)
            });
            Some(match demanded {
                Some(value) => Defect::Result(value),
                None => match demanded_contents(subject, test) {
                    Some(demanded) => Defect::Fields {
                        demanded,
                        reason: finding.words(),
                    },
                    None => Defect::Postcondition(finding.words()),
                },
            })
        }
        (Finding::Invariant(_), _) => Some(Defect::Invariant),
        (Finding::Endless(_), _) => Some(Defect::Endless),
        _ => None,
    }
}

/// What the postcondition demands of fields, if the call returned and left something else in one.
fn demanded_contents(subject: &Subject, test: &Test) -> Option<Vec<(Loc, usize, Value)>> {
    let demanded = demanded_fields(subject, &test.input);
    let is_violated = |demand: &Demand| {
        let after = test.run.heap.cells.get(&demand.object);
        after.and_then(|cell| cell.fields.get(demand.field)) != Some(&demand.value)
    };
    let shows = test.run.outcome == Outcome::Returned && demanded.iter().any(is_violated);
    let fields = demanded.iter();
    let fields = fields.map(|demand| (demand.object, demand.field, demand.value));
    shows.then(|| fields.collect())
}

/// The objects of the heaps that belong to the program.
fn globals(world: &World, test: &Test) -> BTreeMap<Loc, GlobalObject> {
    let constants = [&test.input.heap, &test.run.heap].into_iter();
    let constants = constants
        .flat_map(|heap| &heap.cells)
        .filter_map(|(&loc, cell)| {
            let constant = world.enum_constant(cell.class)?;
            let field = GlobalObject::StaticField {
                class: constant.declaring.clone(),
                field: constant.field.clone(),
            };
            Some((loc, field))
        });
    let known = test.run.global_objects.iter();
    let others = known.filter_map(|(&loc, &global)| {
        let literal = world
            .literal_text(global)
            .cloned()
            .map(GlobalObject::Literal);
        let class = || world.class_object_type(global).cloned();
        let object = literal.or_else(|| class().map(GlobalObject::Class))?;
        Some((loc, object))
    });
    constants.chain(others).collect()
}

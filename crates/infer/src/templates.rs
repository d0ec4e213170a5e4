//! The constraints that hold in all states, the most telling first.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{ClassId, Definitions, Sort, Value};

use crate::attributes::Attribute;
use crate::constraints::{Condition, Constraint, Measured, Relation, holds_keys};
use crate::observed::Observed;
use crate::shape::{FieldKey, Kind, Shape, Tree};

/// A field is a number of so many different values at most, or it is not one that templates fit.
const DIFFERENCES: [(Option<i8>, Option<i8>); 10] = [
    (Some(0), Some(0)),
    (Some(1), Some(1)),
    (Some(0), Some(1)),
    (Some(-1), Some(0)),
    (Some(1), Some(2)),
    (Some(-1), Some(1)),
    (Some(1), None),
    (Some(0), None),
    (None, Some(-1)),
    (None, Some(0)),
];

/// The fields of a class by what they hold.
#[derive(Default)]
struct Fields {
    keys: Vec<usize>,
    numbers: Vec<usize>,
    truths: Vec<usize>,
    values: Vec<usize>,
}

/// All constraints that hold in all states.
pub fn constraints(
    observed: &Observed,
    shape: &Shape,
    trees: &[Tree<'_>],
    links: &BTreeMap<FieldKey, ClassId>,
) -> Vec<Constraint> {
    let definitions = &observed.definitions;
    let mut cells: BTreeSet<(Kind, ClassId)> = BTreeSet::new();
    let mut keyed: BTreeSet<FieldKey> = BTreeSet::new();
    for tree in trees {
        for node in &tree.nodes {
            cells.extend(node.class.map(|class| (node.kind, class)));
        }
        for cell in tree.heap.cells.values() {
            for (index, value) in cell.fields.iter().enumerate() {
                if holds_keys(*value) {
                    keyed.insert((cell.class, index));
                }
            }
        }
    }
    let classes: BTreeSet<ClassId> = cells.iter().map(|(_, class)| *class).collect();
    let fields: BTreeMap<ClassId, Fields> = (classes.iter())
        .map(|&class| {
            (
                class,
                fields_of(definitions, class, &keyed, links, &observed.counters),
            )
        })
        .collect();
    let mut all = Vec::new();
    for &(kind, class) in &cells {
        let Some(own) = fields.get(&class) else {
            continue;
        };
        let children = shape.owning_of(class);
        let conditions = conditions(shape, class, own, &children, &fields, trees, kind);
        all.extend(conditions.into_iter().map(|condition| Constraint {
            kind,
            class,
            condition,
        }));
    }
    let mut measured: Vec<Measured<'_, '_>> = trees.iter().map(Measured::new).collect();
    all.retain(|constraint| measured.iter_mut().all(|tree| tree.holds(constraint)));
    let constant: BTreeSet<(Kind, FieldKey)> = (all.iter())
        .filter_map(|constraint| match constraint.condition {
            Condition::Constant(field, _) => Some((constraint.kind, (constraint.class, field))),
            _ => None,
        })
        .collect();
    all.retain(|constraint| match &constraint.condition {
        Condition::IsOwn(field, ..)
        | Condition::IsChild(field, ..)
        | Condition::SaysEmpty(field, ..)
        | Condition::AtLeast(field, _) => {
            !constant.contains(&(constraint.kind, (constraint.class, *field)))
        }
        _ => true,
    });
    // A number that is one of the subtree needs no steps from object to object.
    let measured: BTreeSet<(Kind, FieldKey)> = (all.iter())
        .filter_map(|constraint| match constraint.condition {
            Condition::IsOwn(field, Attribute::Height | Attribute::Count(_), _) => {
                Some((constraint.kind, (constraint.class, field)))
            }
            _ => None,
        })
        .collect();
    all.retain(|constraint| match &constraint.condition {
        Condition::Step(Attribute::Level(field, _), ..)
        | Condition::StepToNext(Attribute::Level(field, _), ..)
        | Condition::StepAhead(Attribute::Level(field, _), ..)
        | Condition::Siblings(Attribute::Level(field, _), ..) => {
            !measured.contains(&(constraint.kind, *field))
        }
        _ => true,
    });
    all.sort_by_key(|constraint| rank(&constraint.condition));
    all
}

fn fields_of(
    definitions: &Definitions,
    class: ClassId,
    keyed: &BTreeSet<FieldKey>,
    links: &BTreeMap<FieldKey, ClassId>,
    counters: &[String],
) -> Fields {
    let mut fields = Fields::default();
    for (index, field) in definitions.fields_of(class).iter().enumerate() {
        if counters.contains(&field.name) {
            continue;
        }
        match field.sort {
            Sort::Bool => fields.truths.push(index),
            Sort::Ref(_) if !links.contains_key(&(class, index)) => fields.values.push(index),
            sort if sort.is_integer() => match keyed.contains(&(class, index)) {
                true => fields.keys.push(index),
                false => fields.numbers.push(index),
            },
            _ => {}
        }
    }
    fields
}

fn conditions(
    shape: &Shape,
    class: ClassId,
    own: &Fields,
    children: &[usize],
    fields: &BTreeMap<ClassId, Fields>,
    trees: &[Tree<'_>],
    kind: Kind,
) -> Vec<Condition> {
    let mut all = Vec::new();
    let relations = [
        Relation::Less,
        Relation::Greater,
        Relation::AtMost,
        Relation::AtLeast,
    ];
    // A number that is no key is a default, which is compared with nothing.
    let holds_key = |key: usize| {
        trees.iter().all(|tree| {
            let mut nodes = tree.nodes.iter().enumerate();
            nodes.all(|(place, node)| {
                let is_meant = node.kind == kind && node.class == Some(class);
                !is_meant || tree.field(place, key).is_some_and(holds_keys)
            })
        })
    };
    for &key in own.keys.iter().filter(|key| holds_key(**key)) {
        for &child in children {
            let is_met = has_inner(trees, kind, class, child);
            for relation in relations.into_iter().filter(|_| is_met) {
                all.push(Condition::Ordered {
                    key,
                    child,
                    relation,
                });
            }
        }
    }
    let mut measures: Vec<Attribute> = fields.keys().copied().map(Attribute::Count).collect();
    measures.extend([Attribute::Height, Attribute::Least]);
    let mut flags = Vec::new();
    let mut levels = Vec::new();
    for (&class, fields) in fields {
        for &field in &fields.truths {
            for truth in [false, true] {
                flags.push(Attribute::Flag((class, field), truth));
                measures.push(Attribute::Marked((class, field), truth));
            }
        }
        for &field in &fields.numbers {
            for empty in [0, -1] {
                levels.push(((class, field), empty));
            }
        }
    }
    for &field in &own.numbers {
        for &measure in &measures {
            for offset in [0, -1, 1] {
                // Of the root it is the same as of what it owns.
                if kind != 0 {
                    all.push(Condition::IsOwn(field, measure, offset));
                }
                for &child in children {
                    all.push(Condition::IsChild(field, child, measure, offset));
                }
            }
        }
        for &child in children {
            for &(level, empty) in levels.iter().filter(|(level, _)| level.0 != class) {
                let level = Attribute::Level(level, empty);
                all.push(Condition::IsChild(field, child, level, 0));
            }
        }
        if let Some(value) = first_value(trees, kind, class, field) {
            all.push(Condition::Constant(field, value));
        }
        all.extend([1, 0].map(|least| Condition::AtLeast(field, least)));
    }
    for &field in &own.truths {
        for &child in children {
            all.extend([false, true].map(|truth| Condition::SaysEmpty(field, child, truth)));
        }
        all.extend([false, true].map(|truth| Condition::Constant(field, Value::Bool(truth))));
    }
    for &field in &own.values {
        all.push(Condition::Constant(field, Value::Null));
        all.push(Condition::NotNull(field));
    }
    for &child in children {
        for &flag in &flags {
            let Attribute::Flag((owner, _), _) = flag else {
                continue;
            };
            for truth in [false, true] {
                all.push(Condition::ChildFlag(child, flag, truth));
                for below in [false, true].into_iter().filter(|_| owner == class) {
                    all.push(Condition::Forbidden(flag, truth, child, below));
                }
            }
        }
        for &(level, empty) in levels.iter().filter(|(level, _)| level.0 == class) {
            let attribute = Attribute::Level(level, empty);
            // A wider range is an accident of small states as a rule.
            let narrow = |(least, most): &(Option<i8>, Option<i8>)| match (least, most) {
                (Some(least), Some(most)) => most - least < 2,
                _ => true,
            };
            for (least, most) in DIFFERENCES.into_iter().filter(narrow) {
                all.push(Condition::Step(attribute, child, least, most));
                if empty == 0 {
                    all.push(Condition::StepToNext(attribute, child, least, most));
                }
                for &further in children {
                    let ahead = Attribute::Ahead(level, empty, further);
                    all.push(Condition::StepAhead(attribute, child, ahead, least, most));
                }
            }
        }
    }
    for (index, &one) in children.iter().enumerate() {
        for &other in children.iter().skip(index + 1) {
            let attributes = measures.iter().copied();
            let attributes = attributes.chain(
                levels
                    .iter()
                    .map(|&(level, empty)| Attribute::Level(level, empty)),
            );
            for attribute in attributes {
                for (least, most) in DIFFERENCES {
                    all.push(Condition::Siblings(attribute, one, other, least, most));
                }
            }
        }
    }
    let patterns = patterns(trees, kind, class);
    let possible = 1usize << shape.owning_of(class).len().min(16);
    if patterns.len() < possible && !children.is_empty() {
        all.push(Condition::Patterns(patterns));
    }
    all
}

/// Whether an object of a class owns another one of the same class and kind by a field in some state.
fn has_inner(trees: &[Tree<'_>], kind: Kind, class: ClassId, field: usize) -> bool {
    trees.iter().any(|tree| {
        tree.nodes.iter().any(|node| {
            let owner = node.owner.filter(|(_, known)| *known == field);
            let owner = owner.and_then(|(owner, _)| tree.nodes.get(owner));
            let is_same =
                |owner: &crate::shape::Node| owner.kind == kind && owner.class == Some(class);
            node.class == Some(class) && owner.is_some_and(is_same)
        })
    })
}

fn first_value(trees: &[Tree<'_>], kind: Kind, class: ClassId, field: usize) -> Option<Value> {
    trees.iter().find_map(|tree| {
        let place =
            (tree.nodes.iter()).position(|node| node.kind == kind && node.class == Some(class))?;
        tree.field(place, field)
    })
}

fn patterns(trees: &[Tree<'_>], kind: Kind, class: ClassId) -> BTreeSet<Vec<bool>> {
    let mut patterns = BTreeSet::new();
    for tree in trees {
        for (place, node) in tree.nodes.iter().enumerate() {
            if node.kind == kind && node.class == Some(class) {
                patterns.insert(tree.pattern(place));
            }
        }
    }
    patterns
}

/// What is said rather than something else that keeps out the same heaps.
pub fn rank(condition: &Condition) -> u32 {
    let measure = |attribute: &Attribute| match attribute {
        Attribute::Count(_) => 0,
        Attribute::Height => 1,
        Attribute::Least => 2,
        Attribute::Marked(..) => 3,
        _ => 4,
    };
    let width = |least: &Option<i8>, most: &Option<i8>| match (least, most) {
        (Some(least), Some(most)) => (most - least).unsigned_abs().into(),
        _ => 5,
    };
    let offset = |offset: &i8| u32::from(offset.unsigned_abs());
    match condition {
        Condition::Ordered { relation, .. } => match relation {
            Relation::Less | Relation::Greater => 0,
            _ => 1,
        },
        Condition::Patterns(patterns) if patterns.len() == 1 => 5,
        Condition::Constant(_, Value::Int(_) | Value::Bool(_)) => 10,
        Condition::IsOwn(_, Attribute::Least, more) => 250 + offset(more),
        Condition::IsChild(_, _, Attribute::Least, more) => 260 + offset(more),
        Condition::Siblings(Attribute::Least, _, _, least, most) => 270 + width(least, most),
        Condition::IsOwn(_, attribute, more) => 20 + 3 * measure(attribute) + offset(more),
        Condition::IsChild(_, _, attribute, more) => 40 + 3 * measure(attribute) + offset(more),
        Condition::SaysEmpty(..) => 60,
        Condition::ChildFlag(..) => 70,
        Condition::Forbidden(..) => 80,
        Condition::Step(_, _, least, most) => 100 + width(least, most),
        Condition::StepToNext(_, _, least, most) => 110 + width(least, most),
        Condition::StepAhead(_, _, _, least, most) => 120 + width(least, most),
        Condition::Siblings(Attribute::Level(..), _, _, least, most)
            if least.is_none() || most.is_none() =>
        {
            99
        }
        Condition::Siblings(attribute, _, _, least, most) => {
            140 + 10 * width(least, most) + measure(attribute)
        }
        Condition::Constant(..) => 300,
        Condition::NotNull(_) => 310,
        Condition::Patterns(_) => 320,
        Condition::AtLeast(_, least) => 330 - u32::from(least.unsigned_abs()),
    }
}

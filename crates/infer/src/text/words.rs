//! What a predicate says, in words.

use super::Writer;
use crate::attributes::Attribute;
use crate::constraints::{Condition, Relation};
use crate::shape::Kind;

/// A line for each thing that a predicate says.
pub fn about(writer: &Writer<'_>, kind: Kind) -> Vec<String> {
    let mut lines = Vec::new();
    let definitions = &writer.observed.definitions;
    let classes = writer.candidate.classes.get(&kind);
    let name = |class| (writer.class_name)(class);
    let classes: Vec<String> = (classes.into_iter().flatten())
        .map(|class| name(*class))
        .collect();
    lines.push(match kind {
        0 => format!("The invariant of {}.", classes.join(", ")),
        _ => format!("Objects of {}.", classes.join(", ")),
    });
    for constraint in writer
        .candidate
        .constraints
        .iter()
        .filter(|one| one.kind == kind)
    {
        let fields = definitions.fields_of(constraint.class);
        let field = |index: &usize| fields.get(*index).map_or("?", |field| field.name.as_str());
        let number = |attribute: &Attribute| measure(writer, attribute);
        let line = match &constraint.condition {
            Condition::Ordered {
                key,
                child,
                relation,
            } => {
                let relation = match relation {
                    Relation::Less => "less than",
                    Relation::AtMost => "at most",
                    Relation::Greater => "greater than",
                    Relation::AtLeast => "at least",
                };
                format!(
                    "below `{}`, every `{1}` is {relation} that of the object",
                    field(child),
                    field(key)
                )
            }
            Condition::IsOwn(index, attribute, offset) => {
                format!(
                    "`{}` is {}{}",
                    field(index),
                    number(attribute),
                    more(*offset)
                )
            }
            Condition::IsChild(index, child, attribute, offset) => {
                let below = format!("{} below `{}`", number(attribute), field(child));
                format!("`{}` is {below}{}", field(index), more(*offset))
            }
            Condition::SaysEmpty(index, child, truth) => {
                let not = if *truth { "" } else { "not " };
                format!(
                    "`{}` says whether `{}` is {not}empty",
                    field(index),
                    field(child)
                )
            }
            Condition::Constant(index, constant) => {
                format!("`{}` is always {constant}", field(index))
            }
            Condition::NotNull(index) => format!("`{}` is never null", field(index)),
            Condition::ChildFlag(child, flag, truth) => {
                format!("{} of `{}` is {truth}", number(flag), field(child))
            }
            Condition::Forbidden(flag, own, child, below) => {
                let flag = number(flag);
                format!(
                    "{flag} is not {own} where that of `{}` is {below}",
                    field(child)
                )
            }
            Condition::Step(attribute, child, least, most) => {
                let difference = range(*least, *most);
                format!(
                    "{} minus that of `{}` is {difference}",
                    number(attribute),
                    field(child)
                )
            }
            Condition::StepToNext(attribute, child, least, most) => {
                let difference = range(*least, *most);
                format!(
                    "{} minus that of `{}`, if there is one, is {difference}",
                    number(attribute),
                    field(child)
                )
            }
            Condition::StepAhead(level, child, ahead, least, most) => {
                let difference = range(*least, *most);
                let further = match ahead {
                    Attribute::Ahead(_, _, further) => field(further),
                    _ => "?",
                };
                format!(
                    "{} minus that of `{}.{further}` is {difference}",
                    number(level),
                    field(child)
                )
            }
            Condition::Siblings(attribute, one, other, least, most) => {
                let difference = range(*least, *most);
                let (one, other) = (field(one), field(other));
                format!(
                    "{} below `{one}` minus that below `{other}` is {difference}",
                    number(attribute)
                )
            }
            Condition::Patterns(patterns) => {
                let children = writer.candidate.shape.owning_of(constraint.class);
                let cases = patterns.iter().map(|pattern| {
                    let places = children.iter().zip(pattern).map(|(child, empty)| {
                        let not = if *empty { "empty" } else { "not" };
                        format!("`{}` {not}", field(child))
                    });
                    places.collect::<Vec<_>>().join(", ")
                });
                format!(
                    "which places are empty: {}",
                    cases.collect::<Vec<_>>().join("; or ")
                )
            }
            Condition::AtLeast(index, least) => format!("`{}` is at least {least}", field(index)),
        };
        lines.push(format!("- {line}"));
    }
    lines
}

fn measure(writer: &Writer<'_>, attribute: &Attribute) -> String {
    let definitions = &writer.observed.definitions;
    let name = |field: &crate::shape::FieldKey| {
        let fields = definitions.fields_of(field.0);
        fields.get(field.1).map_or("?", |field| field.name.as_str())
    };
    match attribute {
        Attribute::Count(class) => format!("the number of {} objects", (writer.class_name)(*class)),
        Attribute::Height => "the height".to_owned(),
        Attribute::Least => "the length of the shortest way down".to_owned(),
        Attribute::Marked(field, truth) => {
            format!(
                "the number of objects with `{}` = {truth} on the way down",
                name(field)
            )
        }
        Attribute::Level(field, _) | Attribute::Flag(field, _) | Attribute::Ahead(field, _, _) => {
            format!("`{}`", name(field))
        }
    }
}

fn more(offset: i8) -> String {
    match offset {
        0 => String::new(),
        offset if offset < 0 => format!(" minus {}", -i32::from(offset)),
        offset => format!(" plus {offset}"),
    }
}

fn range(least: Option<i8>, most: Option<i8>) -> String {
    match (least, most) {
        (Some(least), Some(most)) if least == most => least.to_string(),
        (Some(least), Some(most)) => format!("between {least} and {most}"),
        (Some(least), None) => format!("at least {least}"),
        (None, Some(most)) => format!("at most {most}"),
        (None, None) => "anything".to_owned(),
    }
}

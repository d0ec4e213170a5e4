//! Why a heap does not satisfy a formula, as data; the texts are what people read.

use std::borrow::Cow;
use std::fmt;

use crate::heap::{Loc, Value};

use super::verify::list;

/// Why a heap does not satisfy a formula.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Mismatch {
    /// No way to satisfy a part of the formula fits.
    Unmet {
        /// The part.
        part: Part,
        /// What each way would have needed.
        ways: Vec<Unmet>,
    },
    /// The formula does not describe these objects.
    NotDescribed(Vec<Loc>),
    /// Conditions that no numbers meet.
    Conflict(Vec<Need>),
    /// So many conditions contradict each other that nobody would read them.
    LargeConflict,
    /// The formula has no disjunct.
    NoDisjunct,
    /// Nothing was found that contradicts the formula so far.
    Nothing,
}

/// A part of a formula.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Part {
    /// The formula itself.
    Formula,
    /// A points-to fact.
    PointsTo,
    /// A predicate instance.
    Instance {
        /// The name of the predicate.
        predicate: String,
        /// Its arguments: values as far as they are known, otherwise terms.
        arguments: Vec<Result<Value, String>>,
    },
}

/// One way to satisfy a part, and what it would have needed.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Unmet {
    /// The way.
    pub way: Way,
    /// What it would have needed.
    pub need: Need,
}

/// A way to satisfy a part of a formula.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Way {
    /// By one of these disjuncts, counted from 1.
    Disjuncts(Vec<usize>),
    /// By an object.
    Object(Loc),
}

/// What would have to hold.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Need {
    /// A conjunct, with the values of its variables.
    Condition {
        /// The conjunct.
        text: String,
        /// Names and values, as far as they are known.
        values: Vec<(String, Value)>,
    },
    /// All of these.
    All(Vec<Need>),
    /// One of these, each for a disjunct.
    Either(Vec<(Need, usize)>),
    /// Another content of a field.
    Field {
        /// The object.
        object: Loc,
        /// The field.
        field: String,
        /// What it should be.
        expected: String,
        /// What it is.
        found: Value,
    },
    /// An object where there is none that fits.
    Cell {
        /// The class.
        class: String,
        /// Where it should be.
        at: String,
        /// The value of that.
        found: Option<Value>,
        /// Why what is there does not fit.
        why: Cow<'static, str>,
    },
    /// Another value of an argument.
    Value,
    /// The first, which the second does not allow.
    Conflict(Box<(Need, Need)>),
    /// Something that no conjunct says alone.
    SomethingElse,
}

impl Mismatch {
    /// The objects that are spoken of, in the order of the text.
    pub fn objects(&self) -> Vec<Loc> {
        let mut objects = Vec::new();
        match self {
            Mismatch::Unmet { part, ways } => {
                if let Part::Instance { arguments, .. } = part {
                    let values = arguments.iter().filter_map(|known| known.as_ref().ok());
                    objects.extend(values.filter_map(|value| object(*value)));
                }
                for unmet in ways {
                    if let Way::Object(loc) = unmet.way {
                        objects.push(loc);
                    }
                    unmet.need.objects(&mut objects);
                }
            }
            Mismatch::NotDescribed(left) => objects.extend(left),
            Mismatch::Conflict(needs) => needs.iter().for_each(|need| need.objects(&mut objects)),
            Mismatch::LargeConflict | Mismatch::NoDisjunct | Mismatch::Nothing => {}
        }
        objects
    }

    /// The text without what goes without saying: that the formula is spoken of, and that none of its
    /// disjuncts fits, of which there often is only one.
    pub fn plain(&self) -> String {
        let Mismatch::Unmet { part, ways } = self else {
            return self.to_string();
        };
        match (part, &ways[..]) {
            (
                Part::Formula,
                [
                    Unmet {
                        way: Way::Disjuncts(numbers),
                        need,
                    },
                ],
            ) if numbers[..] == [1] => {
                format!("it needs {need}")
            }
            (Part::Formula, _) => ways_text(ways),
            (part, _) => format!("{part} does not hold: {}", ways_text(ways)),
        }
    }
}

fn object(value: Value) -> Option<Loc> {
    match value {
        Value::Ref(loc) => Some(loc),
        _ => None,
    }
}

impl Need {
    fn objects(&self, objects: &mut Vec<Loc>) {
        match self {
            Need::Condition { values, .. } => {
                objects.extend(values.iter().filter_map(|(_, value)| object(*value)));
            }
            Need::All(needs) => needs.iter().for_each(|need| need.objects(objects)),
            Need::Either(needs) => needs.iter().for_each(|(need, _)| need.objects(objects)),
            Need::Field {
                object: loc, found, ..
            } => {
                objects.push(*loc);
                objects.extend(object(*found));
            }
            Need::Cell { found, .. } => objects.extend(found.and_then(object)),
            Need::Conflict(pair) => {
                pair.0.objects(objects);
                pair.1.objects(objects);
            }
            Need::Value | Need::SomethingElse => {}
        }
    }
}

impl fmt::Display for Part {
    /// `list(#2, 0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Formula => f.write_str("the formula"),
            Part::PointsTo => f.write_str("a points-to"),
            Part::Instance {
                predicate,
                arguments,
            } => {
                let arguments = arguments.iter().map(|argument| match argument {
                    Ok(value) => value.to_string(),
                    Err(term) => term.clone(),
                });
                let arguments: Vec<String> = arguments.collect();
                write!(f, "{predicate}({})", arguments.join(", "))
            }
        }
    }
}

/// `x = 1, y = 2`.
pub(super) fn shown(values: &[(String, Value)]) -> String {
    let values = values
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    let values: Vec<String> = values.collect();
    values.join(", ")
}

fn ways_text(ways: &[Unmet]) -> String {
    if ways.is_empty() {
        return "there is nothing to choose from".to_owned();
    }
    let ways: Vec<String> = ways.iter().map(ToString::to_string).collect();
    ways.join("; ")
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let need = &self.need;
        match &self.way {
            Way::Disjuncts(numbers) => match &numbers[..] {
                [only] => write!(f, "disjunct {only} needs {need}"),
                several => {
                    let several: Vec<String> = several.iter().map(ToString::to_string).collect();
                    write!(f, "one of disjuncts {} needs {need}", several.join(", "))
                }
            },
            Way::Object(loc) => write!(f, "{loc} would need {need}"),
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Need::Condition { text, values } if values.is_empty() => f.write_str(text),
            Need::Condition { text, values } => write!(f, "{text} ({})", shown(values)),
            Need::All(needs) => {
                let needs: Vec<String> = needs.iter().map(ToString::to_string).collect();
                f.write_str(&needs.join(" and "))
            }
            Need::Either(needs) => {
                let needs = needs.iter();
                let needs: Vec<String> = needs
                    .map(|(need, disjunct)| format!("{need} for disjunct {disjunct}"))
                    .collect();
                f.write_str(&needs.join(", or "))
            }
            Need::Field {
                object,
                field,
                expected,
                found,
            } => write!(f, "{field} = {expected} in {object}, where it is {found}"),
            Need::Cell {
                class,
                at,
                found,
                why,
            } => {
                let found = found.map_or(String::new(), |value| format!(" = {value}"));
                write!(f, "a cell {class} at {at}{found}, {why}")
            }
            Need::Value => f.write_str("another value"),
            Need::Conflict(pair) => write!(f, "{} against {}", pair.0, pair.1),
            Need::SomethingElse => f.write_str("something else"),
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Unmet { part, ways } => {
                let kind = match part {
                    Part::Formula | Part::Instance { .. } => "disjunct",
                    Part::PointsTo => "object",
                };
                write!(f, "in {part}: no {kind} fits: {}", ways_text(ways))
            }
            Mismatch::NotDescribed(left) => {
                write!(f, "cells not described by the formula: {}", list(left))
            }
            Mismatch::Conflict(needs) => {
                let needs: Vec<String> = needs.iter().map(ToString::to_string).collect();
                write!(f, "no values satisfy together: {}", needs.join("; "))
            }
            Mismatch::LargeConflict => {
                f.write_str("the conditions on bounds and ghosts contradict each other")
            }
            Mismatch::NoDisjunct => f.write_str("the formula has no disjunct"),
            Mismatch::Nothing => f.write_str("nothing contradicts the formula yet"),
        }
    }
}

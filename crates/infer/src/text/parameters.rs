//! The parameters of predicates: what a predicate has to be told, and what it tells.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::ClassId;

use super::Unsaid;
use crate::attributes::Attribute;
use crate::candidate::Candidate;
use crate::constraints::{Condition, Relation};
use crate::references::{Order, Outer, Reference, Rule};
use crate::shape::{FieldKey, Kind};

/// The parameters of all predicates.
#[derive(Clone, Debug)]
pub struct Parameters {
    kinds: BTreeMap<Kind, Own>,
}

/// The parameters of one predicate.
#[derive(Clone, Default, Debug)]
pub struct Own {
    /// The object.
    pub object: String,
    /// What is the same for all places below one object.
    pub outers: Vec<(Outer, String)>,
    /// The owner; for the first object, something else.
    pub above: Vec<(Outer, String)>,
    /// The last object on the way along a field, with what it is without one.
    pub last: Vec<(usize, Outer, String)>,
    /// The first object in an order, and what comes behind the last one.
    pub next: Vec<Thread>,
    /// Bounds of keys in a field: below, and whether it is not meant itself; above.
    pub bounds: Vec<Bounds>,
    /// Numbers.
    pub attributes: Vec<(Attribute, String)>,
}

/// Objects in an order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thread {
    /// The order.
    pub order: Order,
    /// What comes behind the last one of all.
    pub end: Outer,
    /// The name of the first one.
    pub first: String,
    /// The name of what comes behind the last one below an object.
    pub after: String,
}

/// Bounds of the keys in a field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The field.
    pub field: FieldKey,
    /// The name of the lower bound, and whether all keys are greater.
    pub low: Option<(String, bool)>,
    /// The name of the upper bound, and whether all keys are smaller.
    pub high: Option<(String, bool)>,
}

impl Own {
    /// The names in order.
    pub fn names(&self) -> Vec<String> {
        let mut names = vec![self.object.clone()];
        names.extend(self.outers.iter().map(|(_, name)| name.clone()));
        names.extend(self.above.iter().map(|(_, name)| name.clone()));
        names.extend(self.last.iter().map(|(_, _, name)| name.clone()));
        for thread in &self.next {
            names.extend([thread.first.clone(), thread.after.clone()]);
        }
        for bounds in &self.bounds {
            names.extend(bounds.low.iter().map(|(name, _)| name.clone()));
            names.extend(bounds.high.iter().map(|(name, _)| name.clone()));
        }
        names.extend(self.attributes.iter().map(|(_, name)| name.clone()));
        names
    }

    /// A parameter that stands for something outside.
    pub fn outer(&self, outer: &Outer) -> String {
        let found = self.outers.iter().find(|(known, _)| known == outer);
        found.map_or_else(|| "null".to_owned(), |(_, name)| name.clone())
    }

    /// The parameter for the owner.
    pub fn above(&self, outer: &Outer) -> String {
        let found = self.above.iter().find(|(known, _)| known == outer);
        found.map_or_else(|| "null".to_owned(), |(_, name)| name.clone())
    }

    /// The parameter for a number.
    pub fn attribute(&self, attribute: Attribute) -> Option<&str> {
        let found = (self.attributes.iter()).find(|(known, _)| *known == attribute);
        found.map(|(_, name)| name.as_str())
    }
}

impl Parameters {
    /// The parameters that a candidate needs.
    pub fn new(candidate: &Candidate) -> Result<Parameters, Unsaid> {
        let kinds = 0..candidate.shape.kinds();
        let mut needs: BTreeMap<Kind, Needs> = kinds.map(|kind| (kind, Needs::default())).collect();
        for (&kind, empty) in &candidate.empty {
            needs.entry(kind).or_default().outers.insert(empty.clone());
        }
        for (&(kind, class, field), rule) in &candidate.rules {
            let references: Vec<&Reference> = match rule {
                Rule::Always(reference) => vec![reference],
                Rule::ByPattern(rules) => rules.values().collect(),
                Rule::Anything => Vec::new(),
            };
            for reference in references {
                note(candidate, &mut needs, (kind, class, field), reference)?;
            }
        }
        for constraint in &candidate.constraints {
            let (kind, class) = (constraint.kind, constraint.class);
            let owned = |child: usize| candidate.owned.get(&(kind, class, child)).copied();
            let mut carry = |kind: Option<Kind>, attribute: Attribute| {
                if let Some(kind) = kind {
                    needs.entry(kind).or_default().attributes.insert(attribute);
                }
            };
            match &constraint.condition {
                Condition::Ordered {
                    key,
                    child,
                    relation,
                } => {
                    if let Some(child) = owned(*child) {
                        let bounds = &mut needs.entry(child).or_default().bounds;
                        bound(bounds.entry((class, *key)).or_default(), side(*relation));
                    }
                }
                Condition::IsOwn(_, attribute, _) => carry(Some(kind), *attribute),
                Condition::IsChild(_, child, attribute, _)
                | Condition::ChildFlag(child, attribute, _)
                | Condition::Forbidden(attribute, _, child, _)
                | Condition::Step(attribute, child, _, _)
                | Condition::StepToNext(attribute, child, _, _) => carry(owned(*child), *attribute),
                Condition::StepAhead(_, child, ahead, _, _) => carry(owned(*child), *ahead),
                Condition::Siblings(attribute, one, other, _, _) => {
                    carry(owned(*one), *attribute);
                    carry(owned(*other), *attribute);
                }
                Condition::SaysEmpty(..)
                | Condition::Constant(..)
                | Condition::NotNull(_)
                | Condition::Patterns(_)
                | Condition::AtLeast(..) => {}
            }
        }
        settle(candidate, &mut needs);
        let kinds = (needs.into_iter())
            .map(|(kind, needs)| (kind, needs.named(candidate, kind)))
            .collect();
        Ok(Parameters { kinds })
    }

    /// The parameters of a kind.
    pub fn of(&self, kind: Kind) -> &Own {
        static NONE: std::sync::OnceLock<Own> = std::sync::OnceLock::new();
        (self.kinds.get(&kind)).unwrap_or_else(|| NONE.get_or_init(Own::default))
    }
}

/// What a kind needs.
#[derive(Default)]
struct Needs {
    outers: BTreeSet<Outer>,
    above: BTreeSet<Outer>,
    last: BTreeSet<(usize, Outer)>,
    next: BTreeSet<(Order, Outer)>,
    attributes: BTreeSet<Attribute>,
    /// Whether the bounds of keys, below and above, are not met themselves.
    bounds: BTreeMap<FieldKey, (Option<bool>, Option<bool>)>,
}

fn note(
    candidate: &Candidate,
    needs: &mut BTreeMap<Kind, Needs>,
    place: Unsaid,
    reference: &Reference,
) -> Result<(), Unsaid> {
    let (kind, class, _) = place;
    let own = needs.entry(kind).or_default();
    match reference {
        Reference::Null | Reference::Itself | Reference::Field(_) => {}
        // The owner is told like what is above, which it is everywhere.
        Reference::Parent => {
            own.above.insert(Outer::Caller);
        }
        Reference::Above(outer) => {
            own.above.insert(outer.clone());
        }
        Reference::Outer(outer) => {
            own.outers.insert(outer.clone());
        }
        Reference::Last(first, then, empty) => {
            let Some(&child) = candidate.owned.get(&(kind, class, *first)) else {
                return Err(place);
            };
            // The way must not leave the kind.
            let mut further = candidate.owned.iter();
            let stays = further
                .all(|((of, _, field), below)| *of != child || field != then || *below == child);
            if !stays || child == kind {
                return Err(place);
            }
            let below = needs.entry(child).or_default();
            below.last.insert((*then, empty.clone()));
            below.above.insert(empty.clone());
        }
        Reference::Next(order, end) => {
            own.next.insert((*order, end.clone()));
            // Leaves can be told only where empty places have a disjunct of their own.
            let splits = (candidate.rules.values()).any(|rule| matches!(rule, Rule::ByPattern(_)));
            if *order == Order::Leaves && !splits {
                return Err(place);
            }
        }
    }
    Ok(())
}

/// The sides on which keys are bounded, and whether the bound is not met itself.
type Sides = (Option<bool>, Option<bool>);

fn side(relation: Relation) -> Sides {
    match relation {
        Relation::Greater => (Some(true), None),
        Relation::AtLeast => (Some(false), None),
        Relation::Less => (None, Some(true)),
        Relation::AtMost => (None, Some(false)),
    }
}

/// Adds bounds; of two, the one that is met itself is the weaker one. Whether something changed.
fn bound(known: &mut Sides, more: Sides) -> bool {
    let before = *known;
    for (known, more) in [(&mut known.0, more.0), (&mut known.1, more.1)] {
        *known = match (*known, more) {
            (Some(known), Some(more)) => Some(known && more),
            (known, more) => known.or(more),
        };
    }
    before != *known
}

/// What is needed below has to be told from above, and numbers of subtrees are made from those below.
fn settle(candidate: &Candidate, needs: &mut BTreeMap<Kind, Needs>) {
    loop {
        let mut changed = false;
        for (&(kind, class, field), &child) in &candidate.owned {
            let Some(below) = needs.get(&child) else {
                continue;
            };
            let ends = below.next.iter().map(|(_, end)| end);
            let outers = below.outers.iter().chain(&below.above).chain(ends);
            let outers: Vec<Outer> = outers.cloned().collect();
            if kind != 0 {
                for outer in outers {
                    if matches!(outer, Outer::Root | Outer::RootField(_)) {
                        let own = needs.entry(kind).or_default();
                        changed |= own.outers.insert(outer);
                    }
                }
            }
            let holds = |class: &ClassId| {
                let classes = candidate.classes.get(&child);
                classes.is_some_and(|classes| classes.contains(class))
            };
            let inherited: Vec<(FieldKey, Sides)> = (needs.get(&kind).into_iter())
                .flat_map(|needs| needs.bounds.iter().map(|(field, sides)| (*field, *sides)))
                .filter(|(field, _)| holds(&field.0))
                .collect();
            for (field, sides) in inherited {
                let below = needs.entry(child).or_default();
                changed |= bound(below.bounds.entry(field).or_default(), sides);
            }
            let own: Vec<Attribute> = (needs.get(&kind).into_iter())
                .flat_map(|needs| needs.attributes.iter().copied())
                .collect();
            for attribute in own {
                let needed = match attribute {
                    Attribute::Level(..) | Attribute::Flag(..) => None,
                    Attribute::Ahead(level, empty, ahead) => {
                        let is_meant = level.0 == class && ahead == field;
                        is_meant.then_some(Attribute::Level(level, empty))
                    }
                    _ => Some(attribute),
                };
                if let Some(needed) = needed {
                    let below = needs.entry(child).or_default();
                    changed |= below.attributes.insert(needed);
                }
            }
        }
        if !changed {
            return;
        }
    }
}

impl Needs {
    fn named(self, candidate: &Candidate, kind: Kind) -> Own {
        let mut taken: BTreeSet<String> = BTreeSet::new();
        let mut fresh = |base: &str| {
            let mut name = base.to_owned();
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{base}{number}");
                number += 1;
            }
            name
        };
        let mut own = Own {
            object: fresh(if kind == 0 { "object" } else { "x" }),
            ..Own::default()
        };
        for outer in self
            .outers
            .into_iter()
            .filter(|outer| *outer != Outer::Null)
        {
            let name = match candidate.empty.get(&kind) == Some(&outer) {
                true => fresh("end"),
                false => fresh("outside"),
            };
            own.outers.push((outer, name));
        }
        own.above = self
            .above
            .into_iter()
            .map(|outer| (outer, fresh("above")))
            .collect();
        own.last = (self.last.into_iter())
            .map(|(field, outer)| (field, outer, fresh("last")))
            .collect();
        own.next = (self.next.into_iter())
            .map(|(order, end)| Thread {
                order,
                end,
                first: fresh("first"),
                after: fresh("after"),
            })
            .collect();
        for (field, (low, high)) in self.bounds {
            own.bounds.push(Bounds {
                field,
                low: low.map(|strict| (fresh("low"), strict)),
                high: high.map(|strict| (fresh("high"), strict)),
            });
        }
        for attribute in self.attributes {
            let name = fresh(match attribute {
                Attribute::Count(_) => "n",
                Attribute::Height => "h",
                Attribute::Least => "shortest",
                Attribute::Marked(..) => "marked",
                Attribute::Level(..) => "level",
                Attribute::Flag(..) => "mark",
                Attribute::Ahead(..) => "ahead",
            });
            own.attributes.push((attribute, name));
        }
        own
    }
}

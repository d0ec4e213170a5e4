//! One disjunct: an object, what it owns, and what holds there.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::ClassId;

use super::{
    Bounds, Condition, Kind, Order, Outer, Own, Reference, Relation, Rule, Thread, Unsaid, Writer,
    said, value,
};
use crate::attributes::Attribute;

/// A disjunct that is being written.
pub struct Cell<'w, 'a> {
    writer: &'w mut Writer<'a>,
    kind: Kind,
    class: ClassId,
    /// Which owned places are empty, if that is said.
    pattern: Option<&'w [bool]>,
    own: Own,
    /// What stands in the fields.
    fields: BTreeMap<usize, String>,
    exists: Vec<String>,
    taken: BTreeSet<String>,
    pure: Vec<String>,
    /// Numbers of owned places.
    below: BTreeMap<(usize, Attribute), String>,
    /// What comes behind the objects below an owned place, and the first of them.
    threads: BTreeMap<(usize, Order), (String, String)>,
}

impl<'w, 'a> Cell<'w, 'a> {
    /// Nothing written yet.
    pub fn new(
        writer: &'w mut Writer<'a>,
        kind: Kind,
        class: ClassId,
        pattern: Option<&'w [bool]>,
    ) -> Cell<'w, 'a> {
        let own = writer.parameters.of(kind).clone();
        let taken = own.names().into_iter().collect();
        Cell {
            writer,
            kind,
            class,
            pattern,
            own,
            fields: BTreeMap::new(),
            exists: Vec::new(),
            taken,
            pure: Vec::new(),
            below: BTreeMap::new(),
            threads: BTreeMap::new(),
        }
    }

    /// The disjunct.
    pub fn written(mut self) -> Result<String, Unsaid> {
        let children = self.children();
        for (index, &field) in children.iter().enumerate() {
            let is_empty = self.pattern.and_then(|pattern| pattern.get(index)).copied();
            let empty = self.empty_of(field);
            let text = match (is_empty, empty) {
                (Some(true), Some(empty)) => empty,
                _ => {
                    let name = self.field_variable(field);
                    if is_empty == Some(false)
                        && let Some(empty) = self.empty_of(field)
                    {
                        self.pure.push(format!("{name} != {empty}"));
                    }
                    name
                }
            };
            self.fields.insert(field, text);
        }
        self.constants();
        self.own_numbers();
        self.numbers_below(&children);
        self.conditions();
        self.thread(&children);
        self.references(&children)?;
        self.order();
        self.define(&children);
        Ok(self.text(&children))
    }

    fn children(&self) -> Vec<usize> {
        self.writer.candidate.shape.owning_of(self.class)
    }

    fn child_kind(&self, field: usize) -> Option<Kind> {
        let owned = &self.writer.candidate.owned;
        owned.get(&(self.kind, self.class, field)).copied()
    }

    fn is_empty(&self, children: &[usize], field: usize) -> bool {
        let index = children.iter().position(|known| *known == field);
        let empty = index.and_then(|index| self.pattern?.get(index).copied());
        empty == Some(true)
    }

    /// What an empty place below holds, as it is said here.
    fn empty_of(&self, field: usize) -> Option<String> {
        let kind = self.child_kind(field)?;
        let outer = self.writer.candidate.empty.get(&kind)?;
        Some(self.outer(kind, outer))
    }

    /// What is outside of a kind below, as it is said here.
    fn outer(&self, kind: Kind, outer: &Outer) -> String {
        if kind == self.kind {
            return self.own.outer(outer);
        }
        match outer {
            Outer::Null => "null".to_owned(),
            Outer::Caller => self.own.object.clone(),
            Outer::CallerField(field) => self.said_field(*field),
            Outer::Root if self.kind == 0 => self.own.object.clone(),
            Outer::RootField(field) if self.kind == 0 => self.said_field(*field),
            outer => self.own.outer(outer),
        }
    }

    fn said_field(&self, field: usize) -> String {
        self.fields.get(&field).cloned().unwrap_or_else(|| {
            let fields = self.writer.observed.definitions.fields_of(self.class);
            let name = fields.get(field).map_or("", |field| field.name.as_str());
            // The field is named when its turn comes.
            self.free_name(name)
        })
    }

    fn free_name(&self, base: &str) -> String {
        let reserved = [
            "exists", "emp", "true", "false", "null", "nil", "old", "this", "result", "x",
        ];
        let mut name = base.to_owned();
        while reserved.contains(&name.as_str()) || self.own.names().contains(&name) {
            name.push('_');
        }
        name
    }

    /// A quantified name.
    fn fresh(&mut self, base: &str) -> String {
        let base = self.free_name(base);
        let mut name = base.clone();
        let mut number = 2;
        while !self.taken.insert(name.clone()) {
            name = format!("{base}{number}");
            number += 1;
        }
        self.exists.push(name.clone());
        name
    }

    fn field_name(&self, field: usize) -> String {
        let fields = self.writer.observed.definitions.fields_of(self.class);
        fields
            .get(field)
            .map_or_else(String::new, |field| field.name.clone())
    }

    /// The variable that stands in a field.
    fn field_variable(&mut self, field: usize) -> String {
        if let Some(known) = self.fields.get(&field) {
            return known.clone();
        }
        let base = self.field_name(field);
        let name = self.fresh(&base);
        self.fields.insert(field, name.clone());
        name
    }

    fn own_conditions(&self) -> Vec<Condition> {
        let constraints = self.writer.candidate.constraints.iter();
        let own = constraints.filter(|one| one.kind == self.kind && one.class == self.class);
        own.map(|one| one.condition.clone()).collect()
    }

    fn constants(&mut self) {
        for condition in self.own_conditions() {
            if let Condition::Constant(field, constant) = condition {
                self.fields.insert(field, value(constant));
            }
        }
    }

    /// Levels and flags of the object stand in its fields.
    fn own_numbers(&mut self) {
        for (attribute, name) in self.own.attributes.clone() {
            let (Attribute::Level(field, _) | Attribute::Flag(field, _)) = attribute else {
                continue;
            };
            if field.0 != self.class {
                self.pure
                    .push(format!("{name} = {}", said(attribute, attribute.empty())));
                continue;
            }
            match self.fields.get(&field.1) {
                Some(known) => self.pure.push(format!("{name} = {known}")),
                None => {
                    self.fields.insert(field.1, name);
                }
            }
        }
    }

    /// The number of the object, as it is said here.
    fn own_number(&mut self, attribute: Attribute) -> String {
        match attribute {
            Attribute::Level(field, _) | Attribute::Flag(field, _) if field.0 == self.class => {
                self.field_variable(field.1)
            }
            _ => (self.own.attribute(attribute))
                .map_or_else(|| said(attribute, attribute.empty()), ToOwned::to_owned),
        }
    }

    fn numbers_below(&mut self, children: &[usize]) {
        let conditions = self.own_conditions();
        for &field in children {
            let Some(kind) = self.child_kind(field) else {
                continue;
            };
            let carried = self.writer.parameters.of(kind).attributes.clone();
            for (attribute, name) in carried {
                let known = match self.is_empty(children, field) {
                    true => Some(said(attribute, attribute.empty())),
                    false => self.known_below(&conditions, field, attribute),
                };
                let text = match known {
                    Some(known) => known,
                    None => {
                        let base =
                            format!("{}_{}", self.field_name(field), name.trim_end_matches('_'));
                        self.fresh(&base)
                    }
                };
                self.below.insert((field, attribute), text);
            }
        }
    }

    /// A number of an owned place that is fixed by the object.
    fn known_below(
        &mut self,
        conditions: &[Condition],
        field: usize,
        attribute: Attribute,
    ) -> Option<String> {
        conditions.iter().find_map(|condition| match condition {
            Condition::ChildFlag(child, flag, truth) if (*child, *flag) == (field, attribute) => {
                Some(truth.to_string())
            }
            Condition::Step(level, child, Some(least), Some(most))
                if (*child, *level) == (field, attribute) && least == most =>
            {
                let own = self.own_number(attribute);
                Some(plus(&own, -i128::from(*least)))
            }
            Condition::IsChild(number, child, measured, offset)
                if (*child, *measured) == (field, attribute) =>
            {
                let own = self.field_variable(*number);
                Some(plus(&own, -i128::from(*offset)))
            }
            Condition::Siblings(measured, one, other, Some(0), Some(0))
                if (*other, *measured) == (field, attribute) =>
            {
                self.below.get(&(*one, attribute)).cloned()
            }
            _ => None,
        })
    }

    fn number_below(&self, field: usize, attribute: Attribute) -> String {
        let known = self.below.get(&(field, attribute)).cloned();
        known.unwrap_or_else(|| said(attribute, attribute.empty()))
    }

    fn conditions(&mut self) {
        for condition in self.own_conditions() {
            match condition {
                Condition::IsOwn(field, attribute, offset) => {
                    let own = self.own_number(attribute);
                    let text = plus(&own, offset.into());
                    match self.fields.get(&field) {
                        None if offset == 0 => {
                            self.fields.insert(field, own);
                        }
                        _ => {
                            let number = self.field_variable(field);
                            self.pure.push(format!("{number} = {text}"));
                        }
                    }
                }
                Condition::IsChild(field, child, attribute, offset) => {
                    let number = self.field_variable(field);
                    let text = plus(&self.number_below(child, attribute), offset.into());
                    let is_said = text == number || plus(&number, 0) == text;
                    if self.number_below(child, attribute) != plus(&number, -i128::from(offset))
                        && !is_said
                    {
                        self.pure.push(format!("{number} = {text}"));
                    }
                }
                Condition::SaysEmpty(field, child, truth) => {
                    if let Some(empty) = self.empty_of(child) {
                        let number = self.field_variable(field);
                        let child = self.said_field(child);
                        let sign = if truth { "=" } else { "!=" };
                        self.pure
                            .push(format!("{number} = ({child} {sign} {empty})"));
                    }
                }
                Condition::NotNull(field) => {
                    let name = self.field_variable(field);
                    self.pure.push(format!("{name} != null"));
                }
                Condition::ChildFlag(child, flag, truth) => {
                    let below = self.number_below(child, flag);
                    if below != truth.to_string() {
                        self.pure.push(format!("{below} = {truth}"));
                    }
                }
                Condition::Forbidden(flag, own, child, below) => {
                    let left = self.own_number(flag);
                    let right = self.number_below(child, flag);
                    let literal = |name: String, truth: bool| match truth {
                        true => name,
                        false => format!("!{name}"),
                    };
                    let (left, right) = (literal(left, !own), literal(right, !below));
                    self.pure.push(format!("({left} | {right})"));
                }
                Condition::Step(attribute, child, least, most)
                    if least != most || least.is_none() =>
                {
                    let own = self.own_number(attribute);
                    let below = self.number_below(child, attribute);
                    self.within(&own, &below, least, most);
                }
                Condition::StepToNext(attribute, child, least, most) => {
                    let own = self.own_number(attribute);
                    let below = self.number_below(child, attribute);
                    let before = std::mem::take(&mut self.pure);
                    self.within(&own, &below, least, most);
                    let said = std::mem::replace(&mut self.pure, before);
                    if let Some(empty) = self.empty_of(child) {
                        let child = self.said_field(child);
                        let said = said.into_iter();
                        let said = said.map(|one| format!("({child} = {empty} | {one})"));
                        self.pure.extend(said);
                    } else {
                        self.pure.extend(said);
                    }
                }
                Condition::StepAhead(level, child, ahead, least, most) => {
                    let own = self.own_number(level);
                    let below = self.number_below(child, ahead);
                    self.within(&own, &below, least, most);
                }
                Condition::Siblings(attribute, one, other, least, most) => {
                    let one = self.number_below(one, attribute);
                    let other = self.number_below(other, attribute);
                    if one != other || (least, most) != (Some(0), Some(0)) {
                        self.within(&one, &other, least, most);
                    }
                }
                Condition::AtLeast(field, least) => {
                    let number = self.field_variable(field);
                    self.pure.push(format!("{number} >= {least}"));
                }
                Condition::Ordered { .. }
                | Condition::Step(..)
                | Condition::Constant(..)
                | Condition::Patterns(_) => {}
            }
        }
    }

    /// The difference of two numbers.
    fn within(&mut self, one: &str, other: &str, least: Option<i8>, most: Option<i8>) {
        if least.is_some() && least == most {
            let text = plus(other, least.unwrap_or(0).into());
            self.pure.push(format!("{one} = {text}"));
            return;
        }
        if let Some(least) = least {
            let text = plus(other, least.into());
            self.pure.push(format!("{one} >= {text}"));
        }
        if let Some(most) = most {
            let text = plus(other, most.into());
            self.pure.push(format!("{one} <= {text}"));
        }
    }

    /// What comes behind what, from the right to the left.
    fn thread(&mut self, children: &[usize]) {
        for thread in self.own.next.clone() {
            let Thread {
                order,
                first,
                after,
                ..
            } = thread;
            let mut next = after;
            // The parameter stands for what comes behind everything below.
            let inside: Vec<usize> = (children.iter().copied())
                .filter(|field| self.child_kind(*field) == Some(self.kind))
                .filter(|field| !self.is_empty(children, *field))
                .collect();
            let is_leaf = self
                .pattern
                .is_some_and(|pattern| pattern.iter().all(|empty| *empty));
            let object = self.own.object.clone();
            let takes_part = order != Order::Leaves || is_leaf;
            for (position, &field) in inside.iter().enumerate().rev() {
                let is_first_child = children.first() == Some(&field);
                if takes_part && order == Order::Inner && is_first_child {
                    self.threads
                        .insert((usize::MAX, order), (next.clone(), object.clone()));
                    next = object.clone();
                }
                let is_last_step = position == 0
                    && match order {
                        Order::Leaves => true,
                        Order::Inner => is_first_child,
                        Order::Outside => false,
                    };
                let begin = match is_last_step {
                    true => first.clone(),
                    false => {
                        let base = format!("{}_first", self.field_name(field));
                        self.fresh(&base)
                    }
                };
                self.threads.insert((field, order), (next, begin.clone()));
                next = begin;
            }
            let own = self.threads.contains_key(&(usize::MAX, order));
            if takes_part && !own {
                self.threads
                    .insert((usize::MAX, order), (next, object.clone()));
                next = object;
            }
            if next != first {
                self.pure.push(format!("{first} = {next}"));
            }
        }
    }

    fn references(&mut self, children: &[usize]) -> Result<(), Unsaid> {
        let rules: Vec<(usize, Rule)> = (self.writer.candidate.rules.iter())
            .filter(|((kind, class, _), _)| (*kind, *class) == (self.kind, self.class))
            .map(|((_, _, field), rule)| (*field, rule.clone()))
            .collect();
        for (field, rule) in rules {
            let reference = match rule {
                Rule::Anything => continue,
                Rule::Always(reference) => reference,
                Rule::ByPattern(rules) => {
                    let found = self.pattern.and_then(|pattern| rules.get(pattern));
                    found.cloned().ok_or((self.kind, self.class, field))?
                }
            };
            let text = match &reference {
                Reference::Null => "null".to_owned(),
                Reference::Itself => self.own.object.clone(),
                Reference::Field(other) => self.said_field(*other),
                Reference::Parent => self.own.above(&Outer::Caller),
                Reference::Above(outer) => self.own.above(outer),
                Reference::Outer(outer) => self.own.outer(outer),
                Reference::Last(first, ..) if self.is_empty(children, *first) => {
                    return Err((self.kind, self.class, field));
                }
                Reference::Last(..) => self.field_variable(field),
                Reference::Next(order, _) => {
                    let known = self.threads.get(&(usize::MAX, *order));
                    match known {
                        Some((next, _)) => next.clone(),
                        None => return Err((self.kind, self.class, field)),
                    }
                }
            };
            match self.fields.get(&field) {
                Some(known) if *known != text => self.pure.push(format!("{known} = {text}")),
                Some(_) => {}
                None => {
                    self.fields.insert(field, text);
                }
            }
        }
        Ok(())
    }

    fn order(&mut self) {
        // Bounds below need the key, too.
        for condition in self.own_conditions() {
            if let Condition::Ordered { key, .. } = condition {
                self.field_variable(key);
            }
        }
        for Bounds { field, low, high } in self.own.bounds.clone() {
            if field.0 != self.class {
                continue;
            }
            let key = self.field_variable(field.1);
            if let Some((low, strict)) = low {
                let sign = if strict { "<" } else { "<=" };
                self.pure.push(format!("{low} {sign} {key}"));
            }
            if let Some((high, strict)) = high {
                let sign = if strict { "<" } else { "<=" };
                self.pure.push(format!("{key} {sign} {high}"));
            }
        }
    }

    /// The bounds of the keys below an owned place.
    fn bounds_below(&mut self, field: usize, below: &Own) -> Vec<String> {
        let mut texts = Vec::new();
        let conditions = self.own_conditions();
        for bounds in &below.bounds {
            let own = self.own.bounds.iter().find(|own| own.field == bounds.field);
            let own = own.cloned();
            let (class, number) = bounds.field;
            let relation = conditions.iter().filter_map(|condition| match condition {
                Condition::Ordered {
                    key,
                    child,
                    relation,
                } if (*key, *child) == (number, field) && class == self.class => Some(*relation),
                _ => None,
            });
            let relations: Vec<Relation> = relation.collect();
            if let Some((_, strict)) = &bounds.low {
                let found = relations.iter().find_map(|relation| match relation {
                    Relation::Greater => Some(i128::from(!strict)),
                    Relation::AtLeast => Some(-i128::from(*strict)),
                    _ => None,
                });
                texts.push(
                    match (found, own.as_ref().and_then(|own| own.low.clone())) {
                        (Some(offset), _) => plus(&self.field_variable(number), offset),
                        (None, Some((low, _))) => low,
                        (None, None) => self.fresh("low"),
                    },
                );
            }
            if let Some((_, strict)) = &bounds.high {
                let found = relations.iter().find_map(|relation| match relation {
                    Relation::Less => Some(-i128::from(!strict)),
                    Relation::AtMost => Some(i128::from(*strict)),
                    _ => None,
                });
                texts.push(
                    match (found, own.as_ref().and_then(|own| own.high.clone())) {
                        (Some(offset), _) => plus(&self.field_variable(number), offset),
                        (None, Some((high, _))) => high,
                        (None, None) => self.fresh("high"),
                    },
                );
            }
        }
        texts
    }

    /// The numbers of the object that others are told.
    fn define(&mut self, children: &[usize]) {
        for (attribute, name) in self.own.attributes.clone() {
            let below: Vec<String> = (children.iter())
                .filter_map(|field| self.below.get(&(*field, attribute)).cloned())
                .collect();
            let text = match attribute {
                Attribute::Level(..) | Attribute::Flag(..) => continue,
                Attribute::Count(counted) => {
                    let own = i128::from(counted == self.class);
                    match below.is_empty() {
                        true => own.to_string(),
                        false => plus(&below.join(" + "), own),
                    }
                }
                Attribute::Height => plus(&folded("max", &below), 1),
                Attribute::Least => plus(&folded("min", &below), 1),
                Attribute::Marked(field, truth) => {
                    let most = folded("max", &below);
                    match field.0 == self.class {
                        false => most,
                        true => {
                            let mark = self.field_variable(field.1);
                            let (yes, no) = if truth { (1, 0) } else { (0, 1) };
                            match mark.as_str() {
                                "true" => plus(&most, yes),
                                "false" => plus(&most, no),
                                _ => format!("{most} + ({mark} ? {yes} : {no})"),
                            }
                        }
                    }
                }
                Attribute::Ahead(level, empty, child) => match level.0 == self.class {
                    true => self.number_below(child, Attribute::Level(level, empty)),
                    false => said(attribute, attribute.empty()),
                },
            };
            self.pure.push(format!("{name} = {text}"));
        }
    }

    fn text(mut self, children: &[usize]) -> String {
        let mut parts = Vec::new();
        let mut calls = Vec::new();
        for &field in children {
            if self.is_empty(children, field) {
                continue;
            }
            let Some(kind) = self.child_kind(field) else {
                continue;
            };
            let below = self.writer.parameters.of(kind).clone();
            let mut arguments = vec![self.said_field(field)];
            arguments.extend(
                below
                    .outers
                    .iter()
                    .map(|(outer, _)| self.outer(kind, outer)),
            );
            for (outer, _) in &below.above {
                arguments.push(match kind == self.kind {
                    true => self.own.object.clone(),
                    false => self.outer(kind, outer),
                });
            }
            for (then, outer, name) in &below.last {
                let text = match kind == self.kind {
                    true if then == &field => name.clone(),
                    true => self.fresh("last"),
                    false => self.last_of(field, *then, outer),
                };
                arguments.push(text);
            }
            for thread in &below.next {
                let known = self.threads.get(&(field, thread.order)).cloned();
                let (after, first) = match known.filter(|_| kind == self.kind) {
                    Some(known) => known,
                    None => (self.outer(kind, &thread.end), self.fresh("first")),
                };
                arguments.extend([first, after]);
            }
            arguments.extend(self.bounds_below(field, &below));
            for (attribute, _) in &below.attributes {
                arguments.push(self.number_below(field, *attribute));
            }
            let name = self.writer.names.get(&kind).cloned().unwrap_or_default();
            calls.push(format!("{name}({})", arguments.join(", ")));
        }
        let definitions = &self.writer.observed.definitions;
        let count = definitions.fields_of(self.class).len();
        let mut stand = Vec::new();
        for field in 0..count {
            match self.fields.get(&field) {
                Some(text) => stand.push(text.clone()),
                None => {
                    self.writer.leave_free(self.class, field);
                    stand.push("_".to_owned());
                }
            }
        }
        let class = (self.writer.class_name)(self.class);
        parts.push(format!(
            "{} -> {class}({})",
            self.own.object,
            stand.join(", ")
        ));
        parts.extend(calls);
        let used: Vec<String> = (self.exists.iter())
            .filter(|name| !name.is_empty())
            .cloned()
            .collect();
        let quantifier = match used.is_empty() {
            true => String::new(),
            false => format!("exists {}. ", used.join(", ")),
        };
        let mut text = format!("{quantifier}{}", parts.join("\n        * "));
        for (index, conjunct) in self.pure.iter().enumerate() {
            let _ = index;
            text.push_str("\n        & ");
            text.push_str(conjunct);
        }
        text
    }

    /// The field of the object that is the last one below an owned place.
    fn last_of(&mut self, first: usize, then: usize, empty: &Outer) -> String {
        let wanted = Reference::Last(first, then, empty.clone());
        let rules = self.writer.candidate.rules.iter();
        let found = rules
            .filter(|((kind, class, _), _)| (*kind, *class) == (self.kind, self.class))
            .find(|(_, rule)| match rule {
                Rule::Always(reference) => *reference == wanted,
                Rule::ByPattern(rules) => rules.values().any(|one| *one == wanted),
                Rule::Anything => false,
            });
        let field = found.map(|((_, _, field), _)| *field);
        match field {
            Some(field) => self.said_field(field),
            None => self.fresh("last"),
        }
    }
}

fn folded(function: &str, below: &[String]) -> String {
    let mut below = below.iter();
    let Some(first) = below.next() else {
        return "0".to_owned();
    };
    below.fold(first.clone(), |known, next| match known == *next {
        true => known,
        false => format!("{function}({known}, {next})"),
    })
}

/// A sum as one writes it.
fn plus(text: &str, number: i128) -> String {
    if let Ok(known) = text.parse::<i128>() {
        return (known + number).to_string();
    }
    // `n - 1` plus one is `n`.
    for (sign, factor) in [(" - ", -1), (" + ", 1)] {
        if let Some((rest, last)) = text.rsplit_once(sign)
            && let Ok(last) = last.parse::<i128>()
        {
            return plus(rest, factor * last + number);
        }
    }
    match number {
        0 => text.to_owned(),
        number if number < 0 => format!("{text} - {}", -number),
        number => format!("{text} + {number}"),
    }
}

//! The check phase: assertions that hold exactly if the heap is the expected one (Fig. 9 of the
//! paper).
//!
//! The paper nests a conditional per value; assertions one behind the other do the same without
//! limits of depth, and say which value is wrong. Objects are visited breadth first. Each is kept
//! in a variable through the first way that leads to it, and later ways are compared with that
//! variable. Objects that could be taken for each other are compared with `/=`; which ones these
//! are is the subject of [`super::bisimulation`].

use std::collections::{BTreeMap, VecDeque};

use heapwright_logic::{ClassId, Definitions, Heap, Loc, Sort, Value};

use super::bisimulation::{Block, bisimilar};
use super::case::{Binding, object};
use super::drawing::draw;
use super::names::Names;
use super::text::{assertions, has_value};

/// A variable that is checked.
pub(super) struct Root {
    pub binding: Binding,
    /// Whether the test itself has set the variable, so that its value needs no check, but only
    /// the objects that it refers to.
    pub set_by_test: bool,
}

/// The statements that check variables and all that they reach.
pub(super) fn check(
    definitions: &Definitions,
    roots: &[Root],
    heap: &Heap,
    names: &mut Names,
) -> Vec<String> {
    let mut checker = Checker {
        definitions,
        heap,
        blocks: bisimilar(heap),
        variables: BTreeMap::new(),
        order: Vec::new(),
        queue: VecDeque::new(),
        lines: Vec::new(),
        names,
    };
    checker.roots(roots);
    while let Some(next) = checker.queue.pop_front() {
        checker.object(&next);
    }
    let drawings = roots.iter().filter_map(|root| {
        let Binding { name, value, .. } = &root.binding;
        let drawing = draw(definitions, heap, *value, &checker.variables)?;
        // The same picture twice is no help.
        let own = matches!(value, Value::Ref(loc) if checker.variables.get(loc) == Some(name));
        own.then(|| format!("// {name}: {drawing}"))
    });
    let mut lines: Vec<String> = drawings.collect();
    lines.extend(checker.lines);
    lines
}

/// An object that is known by a variable.
#[derive(Clone)]
struct Known {
    loc: Loc,
    class: ClassId,
    name: String,
    set_by_test: bool,
}

struct Checker<'a> {
    definitions: &'a Definitions,
    heap: &'a Heap,
    blocks: BTreeMap<Loc, Block>,
    variables: BTreeMap<Loc, String>,
    /// The known objects in order.
    order: Vec<Known>,
    queue: VecDeque<Known>,
    lines: Vec<String>,
    names: &'a mut Names,
}

impl Checker<'_> {
    /// Variables with scalars, nil, or the same object as an earlier one. The others name their
    /// objects.
    fn roots(&mut self, roots: &[Root]) {
        let mut conditions = Vec::new();
        for Root {
            binding,
            set_by_test,
        } in roots
        {
            let Binding { name, sort, value } = binding;
            match (*value, *sort) {
                (Value::Ref(loc), Sort::Ref(class)) => match self.variables.get(&loc) {
                    Some(known) => conditions.push(format!("{name} == {known}")),
                    None => self.know(Known {
                        loc,
                        class,
                        name: name.clone(),
                        set_by_test: *set_by_test,
                    }),
                },
                _ if *set_by_test => {}
                (value, _) => conditions.extend(has_value(name, value)),
            }
        }
        self.lines.extend(assertions(&conditions));
    }

    fn know(&mut self, known: Known) {
        self.variables.insert(known.loc, known.name.clone());
        self.order.push(known.clone());
        self.queue.push_back(known);
    }

    fn object(&mut self, known: &Known) {
        let name = &known.name;
        let mut conditions = Vec::new();
        if !known.set_by_test {
            conditions.push(format!("{name} /= nil"));
        }
        conditions.extend(
            self.earlier_rivals(known)
                .map(|other| format!("{name} /= {}", other.name)),
        );
        let mut bindings = Vec::new();
        let mut behind = Vec::new();
        let number_known = self.order.len();
        // What was freed cannot be looked into.
        if let Some((class, cell)) = object(self.definitions, self.heap, known.loc) {
            for (field, &value) in class.fields.iter().zip(&cell.fields) {
                let place = format!("{name}.{}", field.name);
                let (Value::Ref(loc), Sort::Ref(target)) = (value, field.sort) else {
                    conditions.extend(has_value(&place, value));
                    continue;
                };
                if let Some(other) = self.variables.get(&loc) {
                    let condition = format!("{place} == {other}");
                    let is_new = self
                        .order
                        .iter()
                        .skip(number_known)
                        .any(|new| new.loc == loc);
                    let list = if is_new { &mut behind } else { &mut conditions };
                    list.push(condition);
                    continue;
                }
                let variable = self.names.next("found");
                let ty = &self.definitions.class(target).name;
                bindings.push(format!("{ty} {variable} := {place};"));
                self.know(Known {
                    loc,
                    class: target,
                    name: variable,
                    set_by_test: false,
                });
            }
        }
        self.lines.extend(assertions(&conditions));
        self.lines.extend(bindings);
        self.lines.extend(assertions(&behind));
    }

    /// The objects known before this one that it could be taken for. Nothing is known about the
    /// fields of what was freed.
    fn earlier_rivals(&self, known: &Known) -> impl Iterator<Item = &Known> {
        let block = self.blocks.get(&known.loc).copied();
        (self.order.iter())
            .take_while(move |other| other.loc != known.loc)
            .filter(move |other| other.class == known.class)
            .filter(move |other| !(other.set_by_test && known.set_by_test))
            .filter(move |other| {
                let other = self.blocks.get(&other.loc).copied();
                block.is_none() || other.is_none() || block == other
            })
    }
}

//! References of a specification that may lead anywhere.

use std::collections::BTreeSet;

use heapwright_logic::{ClassId, Model, Sort, SymbolicHeap, Value, VarId};

use heapwright_spec::questions::{Question, QuestionFile};

use crate::picture::{self, Marks};
use crate::{Labels, words};

/// References of which nothing is said, and a picture with the objects that have them.
pub fn loose_references(
    labels: &dyn Labels,
    input: &QuestionFile,
    question: &Question,
    model: &Model,
) -> Option<(String, Vec<String>)> {
    let mut marks = Marks::default();
    let mut names = BTreeSet::new();
    for heap in &question.formula.disjuncts {
        for (cell, field, source) in loose(input, heap) {
            names.insert(format!("{}.{field}", class_name(input, heap, cell)));
            let value = model.stack.get(&source);
            if let Some(Value::Ref(loc)) = value {
                let said = marks.objects.entry(*loc).or_default();
                let comma = if said.is_empty() { "" } else { ", " };
                said.push_str(&format!("{comma}{field} may lead anywhere"));
            }
        }
    }
    if names.is_empty() {
        return None;
    }
    let lead = if names.len() == 1 { "leads" } else { "lead" };
    let names: Vec<String> = names.into_iter().collect();
    let names = format!("{} {lead}", names.join(" and "));
    let roots = input.roots(question, model);
    let drawn = picture::draw_marked(labels, &input.definitions, &roots, &model.heap, &marks);
    Some((names, drawn.lines().map(str::to_owned).collect()))
}

fn class_name(input: &QuestionFile, heap: &SymbolicHeap, cell: usize) -> String {
    let class = heap.points_to.get(cell).map(|cell| cell.class);
    class.map_or(String::new(), |class| {
        words::simple_class(&input.definitions.class(class).name).to_owned()
    })
}

/// The classes whose objects predicates describe. References to others, such as strings, are not
/// what a specification is about.
fn described(input: &QuestionFile) -> BTreeSet<ClassId> {
    let predicates = input.definitions.predicates();
    let disjuncts = predicates.flat_map(|(_, predicate)| &predicate.disjuncts);
    let cells = disjuncts.flat_map(|disjunct| &disjunct.points_to);
    cells.map(|cell| cell.class).collect()
}

/// The references that occur nowhere else: position of the object, field, and variable of the
/// object.
fn loose(input: &QuestionFile, heap: &SymbolicHeap) -> Vec<(usize, String, VarId)> {
    let uses = crate::meaning::uses(&input.terms, heap);
    let described = described(input);
    let mut loose = Vec::new();
    for (position, cell) in heap.points_to.iter().enumerate() {
        let Some(source) = input.terms.as_var(cell.source) else {
            continue;
        };
        let fields = input.definitions.class(cell.class).fields.iter();
        for (field, &value) in fields.zip(&cell.fields) {
            let variable = input.terms.as_var(value);
            let free = variable.is_some_and(|variable| {
                heap.exists.contains(&variable) && uses.get(&variable) == Some(&1)
            });
            let own = matches!(field.sort, Sort::Ref(class) if described.contains(&class));
            if free && own {
                loose.push((position, field.name.clone(), source));
            }
        }
    }
    loose
}

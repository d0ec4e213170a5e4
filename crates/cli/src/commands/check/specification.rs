//! `check` without a heap: what is wrong with a specification, drawn on heaps.
//!
//! A disjunct, a precondition or a postcondition without any model is an error. A reference that
//! may lead anywhere is only mentioned: it can be meant.

use std::collections::BTreeSet;
use std::io::Write;

use heapwright_logic::{ClassId, Formula, Model, PredId, Sort, SymbolicHeap, Value, VarId};

use crate::answers::{Answer, Asker, Want};
use crate::commands::explain::disjuncts::questions;
use crate::contradiction::{self, Contradiction};
use crate::failure::{Failure, Outcome};
use crate::input::{Input, Question};
use crate::picture::Marks;
use crate::{models, picture, words};

/// Checks the predicates that the file defines itself, and its contracts.
pub fn run(input: &mut Input, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut checker = Checker::default();
    for predicate in input.own_predicates() {
        checker.predicate(input, predicate, out)?;
    }
    for contract in input.contracts.clone() {
        let name = contract.name.clone().unwrap_or_default();
        checker.contract(input, &name, &contract, out)?;
    }
    if checker.followed > 0 {
        let more = words::count(checker.followed, "more place", "more places");
        let why = "because of a predicate that no heap satisfies";
        writeln!(out, "{more} without a model {why}")?;
    }
    Ok(match (checker.errors, checker.unknown) {
        (0, 0) => Outcome::Decided,
        (0, _) => Outcome::Unknown,
        _ => Outcome::Refuted,
    })
}

#[derive(Default)]
struct Checker {
    errors: u64,
    unknown: u64,
    /// Places that have no model only because a predicate has none.
    followed: u64,
}

impl Checker {
    fn predicate(
        &mut self,
        input: &mut Input,
        predicate: PredId,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let questions = questions(input, predicate);
        let name = input.definitions.predicate(predicate).name.clone();
        let mut fine = 0;
        let before = (self.errors, self.followed, self.unknown);
        for (number, question) in (1..).zip(&questions) {
            let place = format!("disjunct {number} of `{name}`");
            fine += u64::from(self.ask(input, &place, question, out)?);
        }
        let followed = self.followed - before.1;
        let unexplained = followed == self.errors - before.0 && self.unknown == before.2;
        if fine == 0 && followed > 0 && unexplained {
            self.followed = before.1;
            writeln!(out, "error: no heap satisfies `{name}`")?;
            writeln!(
                out,
                "  each of its disjuncts needs another instance of a predicate without models"
            )?;
            for (question, heap) in (questions.iter()).flat_map(|question| {
                let heaps = question.formula.disjuncts.iter();
                heaps.map(move |heap| (question, heap))
            }) {
                for line in contradiction::draw_without_instances(input, question, heap) {
                    writeln!(out, "  {line}")?;
                }
            }
        }
        if fine == questions.len() as u64 {
            let disjuncts = words::count(fine, "disjunct", "disjuncts");
            writeln!(out, "predicate `{name}`: {disjuncts}, each with a model")?;
        }
        Ok(())
    }

    /// A contract needs one disjunct with a model.
    fn contract(
        &mut self,
        input: &mut Input,
        name: &str,
        question: &Question,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let answer = {
            let mut asker = Asker::new(&input.terms, &input.definitions, None);
            asker.ask(&question.formula, Want::Verdict)
        };
        match answer {
            Answer::Sat(_) => {
                writeln!(out, "{name}: has a model")?;
                return Ok(());
            }
            Answer::Unknown(reason) => {
                self.unknown += 1;
                writeln!(out, "{name}: no model found ({reason})")?;
                return Ok(());
            }
            Answer::Unsat => {}
        }
        for heap in &question.formula.disjuncts {
            let single = Question {
                formula: one(heap),
                ..question.clone()
            };
            self.ask(input, &format!("the {name}"), &single, out)?;
        }
        Ok(())
    }

    /// Whether a formula of one disjunct has a model; says so if it has none.
    fn ask(
        &mut self,
        input: &mut Input,
        place: &str,
        question: &Question,
        out: &mut dyn Write,
    ) -> Result<bool, Failure> {
        let answer = {
            let mut asker = Asker::new(&input.terms, &input.definitions, None);
            asker.ask(&question.formula, Want::Model)
        };
        match answer {
            Answer::Sat(model) => {
                if let Some(model) = model {
                    loose_references(input, place, question, &model, out)?;
                }
                return Ok(true);
            }
            Answer::Unknown(reason) => {
                self.unknown += 1;
                writeln!(out, "{place}: no model found ({reason})")?;
                return Ok(false);
            }
            Answer::Unsat => self.errors += 1,
        }
        let found = (question.formula.disjuncts.iter())
            .find_map(|heap| contradiction::find(input, question, heap));
        match found {
            Some(Contradiction {
                blamed: Some(_), ..
            }) => self.followed += 1,
            found => {
                writeln!(out, "error: no heap satisfies {place}")?;
                for line in found.into_iter().flat_map(|found| found.lines) {
                    writeln!(out, "  {line}")?;
                }
            }
        }
        Ok(false)
    }
}

fn one(heap: &SymbolicHeap) -> Formula {
    Formula {
        disjuncts: vec![heap.clone()],
    }
}

/// Mentions references of which nothing is said, at the objects that have them.
fn loose_references(
    input: &Input,
    place: &str,
    question: &Question,
    model: &Model,
    out: &mut dyn Write,
) -> Result<(), Failure> {
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
        return Ok(());
    }
    let lead = if names.len() == 1 { "leads" } else { "lead" };
    let names: Vec<String> = names.into_iter().collect();
    let names = names.join(" and ");
    writeln!(out, "note: {place} does not say where {names} {lead}")?;
    let roots = models::roots(input, question, model);
    let drawn = picture::draw_marked(&input.definitions, &roots, &model.heap, &marks);
    for line in drawn.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

fn class_name(input: &Input, heap: &SymbolicHeap, cell: usize) -> String {
    let class = heap.points_to.get(cell).map(|cell| cell.class);
    class.map_or(String::new(), |class| {
        words::simple_class(&input.definitions.class(class).name).to_owned()
    })
}

/// The classes whose objects predicates describe. References to others, such as strings, are not
/// what a specification is about.
fn described(input: &Input) -> BTreeSet<ClassId> {
    let predicates = input.definitions.predicates();
    let disjuncts = predicates.flat_map(|(_, predicate)| &predicate.disjuncts);
    let cells = disjuncts.flat_map(|disjunct| &disjunct.points_to);
    cells.map(|cell| cell.class).collect()
}

/// The references that occur nowhere else: position of the object, field, and variable of the
/// object.
fn loose(input: &Input, heap: &SymbolicHeap) -> Vec<(usize, String, VarId)> {
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

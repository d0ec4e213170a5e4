//! What the disjuncts of a specification say, each in one line, for the paths that take them.

use std::collections::BTreeMap;

use heapwright_engine::Subject;
use heapwright_logic::{PredId, SymbolicHeap, Terms, VarId};

use super::facts;

/// So many facts of a disjunct are told in its line.
const MOST_FACTS: usize = 4;

/// The disjuncts of the precondition of a procedure, and of all predicates.
#[derive(Debug, Default)]
pub struct Cases {
    precondition: Vec<String>,
    predicates: BTreeMap<(PredId, u32), String>,
}

impl Cases {
    /// Puts the disjuncts that paths of a procedure may take into words.
    pub fn of(subject: &Subject) -> Cases {
        let mut terms = subject.terms.clone();
        let mut line =
            |params: &[VarId], heap: &SymbolicHeap| line(&mut terms, subject, params, heap);
        let inputs: Vec<VarId> = (subject.inputs.iter())
            .map(|input| input.variable)
            .collect();
        let disjuncts = subject.precondition.iter();
        let disjuncts = disjuncts.flat_map(|formula| &formula.disjuncts);
        let precondition = disjuncts.map(|heap| line(&inputs, heap)).collect();
        let mut predicates = BTreeMap::new();
        for (id, predicate) in subject.definitions.predicates() {
            for (number, heap) in (0..).zip(&predicate.disjuncts) {
                let said = line(&predicate.params, heap);
                let name = &predicate.name;
                let told = format!("`{name}`, by its disjunct {}: {said}", number + 1);
                predicates.insert((id, number), told);
            }
        }
        Cases {
            precondition,
            predicates,
        }
    }

    /// `disjunct 2: a Node at this.head`, of the precondition.
    pub fn of_precondition(&self, disjunct: u32) -> String {
        let number = disjunct + 1;
        match self.precondition.get(disjunct as usize) {
            Some(said) => format!("disjunct {number}: {said}"),
            None => format!("disjunct {number}"),
        }
    }

    /// `` `list`, by its disjunct 2: a Node at x, x.next is a list ``.
    pub fn of_predicate(&self, predicate: Option<PredId>, disjunct: u32) -> String {
        let told = predicate.and_then(|id| self.predicates.get(&(id, disjunct)));
        match told {
            Some(told) => told.clone(),
            None => format!("a predicate, by its disjunct {}", disjunct + 1),
        }
    }
}

fn line(terms: &mut Terms, subject: &Subject, params: &[VarId], heap: &SymbolicHeap) -> String {
    let facts = facts(terms, &subject.definitions, params, heap);
    let mut told: Vec<&str> = facts.iter().take(MOST_FACTS).map(String::as_str).collect();
    if facts.len() > MOST_FACTS {
        told.push("and more");
    }
    match told.is_empty() {
        true => "nothing".to_owned(),
        false => told.join(", "),
    }
}

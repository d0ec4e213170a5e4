//! What is known about the predicates of a specification, and about the code, before anything is
//! executed.

use std::collections::BTreeSet;

use heapwright_logic::{ClassId, Definitions, PredId, SymbolicHeap, Term, Terms, VarId};
use heapwright_solver::{Occupancy, Solver};

use crate::analysis::overlap::Overlap;

/// Facts about all predicates, by id.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    predicates: Vec<PredicateFacts>,
    /// What matters about pointers into objects.
    pub overlap: Overlap,
}

/// Facts about a predicate.
#[derive(Clone, Debug, Default)]
pub struct PredicateFacts {
    /// Where each argument can be; none for arguments that are no references.
    pub occupancy: Vec<Option<Occupancy>>,
    /// Facts about its disjuncts.
    pub disjuncts: Vec<DisjunctFacts>,
    /// The classes of the cells that an instance can have.
    pub classes: BTreeSet<ClassId>,
}

/// Facts about a disjunct of a predicate. Parameters are given by position.
#[derive(Clone, Debug, Default)]
pub struct DisjunctFacts {
    /// Parameters that are addresses of its own cells.
    pub allocated: Vec<usize>,
    /// Parameters that are null.
    pub null: Vec<usize>,
    /// Parameters that are not null.
    pub not_null: Vec<usize>,
    /// Pairs of reference parameters that are equal.
    pub equal: Vec<(usize, usize)>,
    /// Pairs of reference parameters that are different.
    pub different: Vec<(usize, usize)>,
    /// The classes of its cells and of those of its instances.
    pub classes: BTreeSet<ClassId>,
}

impl Knowledge {
    /// Computes the facts.
    pub fn new(terms: &Terms, definitions: &Definitions, solver: &mut Solver) -> Knowledge {
        let predicates: Vec<_> = definitions.predicates().collect();
        let mut facts: Vec<PredicateFacts> = (predicates.iter())
            .map(|(id, predicate)| PredicateFacts {
                occupancy: solver.occupancy(*id),
                disjuncts: (predicate.disjuncts.iter())
                    .map(|disjunct| disjunct_facts(terms, &predicate.params, disjunct))
                    .collect(),
                classes: BTreeSet::new(),
            })
            .collect();
        // The classes of instances flow upwards until nothing changes.
        let mut changed = true;
        while changed {
            changed = false;
            for (id, predicate) in &predicates {
                for (index, disjunct) in predicate.disjuncts.iter().enumerate() {
                    let mut classes = facts[id.index()].disjuncts[index].classes.clone();
                    for instance in &disjunct.instances {
                        classes.extend(&facts[instance.predicate.index()].classes);
                    }
                    let entry = &mut facts[id.index()];
                    let before = entry.classes.len() + entry.disjuncts[index].classes.len();
                    entry.classes.extend(&classes);
                    entry.disjuncts[index].classes = classes;
                    changed |= before != entry.classes.len() + entry.disjuncts[index].classes.len();
                }
            }
        }
        Knowledge {
            predicates: facts,
            overlap: Overlap::default(),
        }
    }

    /// The facts about a predicate; none for one that was added later.
    pub fn predicate(&self, predicate: PredId) -> Option<&PredicateFacts> {
        self.predicates.get(predicate.index())
    }
}

fn disjunct_facts(terms: &Terms, params: &[VarId], disjunct: &SymbolicHeap) -> DisjunctFacts {
    let position = |variable: VarId| params.iter().position(|&param| param == variable);
    let of_term = |term| terms.as_var(term).and_then(position);
    let of_reference = |term| {
        let variable = terms.as_var(term)?;
        let is_reference = terms.variable(variable).sort.is_ref();
        is_reference.then(|| position(variable)).flatten()
    };
    let mut facts = DisjunctFacts {
        allocated: (disjunct.points_to.iter())
            .filter_map(|cell| of_term(cell.source))
            .collect(),
        classes: disjunct.points_to.iter().map(|cell| cell.class).collect(),
        ..DisjunctFacts::default()
    };
    for &conjunct in &disjunct.pure {
        match terms.get(conjunct) {
            Term::Eq(a, b) if *a == Terms::NULL => facts.null.extend(of_term(*b)),
            Term::Eq(a, b) if *b == Terms::NULL => facts.null.extend(of_term(*a)),
            Term::Eq(a, b) => facts.equal.extend(of_reference(*a).zip(of_reference(*b))),
            Term::Not(negated) => match terms.get(*negated) {
                Term::Eq(a, b) if *a == Terms::NULL => facts.not_null.extend(of_term(*b)),
                Term::Eq(a, b) if *b == Terms::NULL => facts.not_null.extend(of_term(*a)),
                Term::Eq(a, b) => facts
                    .different
                    .extend(of_reference(*a).zip(of_reference(*b))),
                _ => {}
            },
            _ => {}
        }
    }
    facts
}

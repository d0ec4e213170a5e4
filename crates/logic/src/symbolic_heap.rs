//! Symbolic heaps: existentially quantified separating conjunctions with a pure part.

use rustc_hash::FxHashMap;

use crate::definitions::PredId;
use crate::sort::ClassId;
use crate::term::{TermId, Terms, VarId};

/// Replaces variables by terms, all at once.
pub type Substitution = FxHashMap<VarId, TermId>;

/// `source -> class(fields)`: one heap cell.
///
/// Invariant: `source` is a variable or null, and there is one term per field of the class.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PointsTo {
    /// The address.
    pub source: TermId,
    /// The class of the cell.
    pub class: ClassId,
    /// The contents, in field order.
    pub fields: Vec<TermId>,
}

/// `P(args)`: an inductive predicate not yet unfolded.
///
/// Invariant: arguments of reference sort are variables or null.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    /// Which predicate.
    pub predicate: PredId,
    /// Actual parameters.
    pub args: Vec<TermId>,
}

/// `∃ exists. points_to * instances ∧ pure`.
///
/// The empty symbolic heap is `emp`. The meaning is exact: a heap satisfies the formula if
/// it consists of the cells described and of nothing else.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SymbolicHeap {
    /// Existentially quantified variables.
    pub exists: Vec<VarId>,
    /// Cells.
    pub points_to: Vec<PointsTo>,
    /// Predicate instances.
    pub instances: Vec<Instance>,
    /// Conjuncts of the pure part, each a boolean term.
    pub pure: Vec<TermId>,
}

/// A disjunction of symbolic heaps; none at all means `false`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Formula {
    /// The alternatives.
    pub disjuncts: Vec<SymbolicHeap>,
}

impl PointsTo {
    /// Applies a substitution to address and contents.
    pub fn substitute(&self, terms: &mut Terms, substitution: &Substitution) -> PointsTo {
        PointsTo {
            source: terms.substitute(self.source, substitution),
            class: self.class,
            fields: substitute_all(terms, &self.fields, substitution),
        }
    }
}

impl Instance {
    /// Applies a substitution to the arguments.
    pub fn substitute(&self, terms: &mut Terms, substitution: &Substitution) -> Instance {
        Instance {
            predicate: self.predicate,
            args: substitute_all(terms, &self.args, substitution),
        }
    }
}

impl SymbolicHeap {
    /// `emp`, with nothing known.
    pub fn emp() -> Self {
        Self::default()
    }

    /// Substitutes free variables.
    ///
    /// Precondition: the substitution neither maps nor mentions a quantified variable; use
    /// [`SymbolicHeap::instantiate`] where that is not known.
    pub fn substitute(&self, terms: &mut Terms, substitution: &Substitution) -> SymbolicHeap {
        SymbolicHeap {
            exists: self.exists.clone(),
            points_to: (self.points_to.iter())
                .map(|cell| cell.substitute(terms, substitution))
                .collect(),
            instances: (self.instances.iter())
                .map(|instance| instance.substitute(terms, substitution))
                .collect(),
            pure: conjuncts(substitute_all(terms, &self.pure, substitution)),
        }
    }

    /// Alpha-renames every quantified variable to a fresh one while applying `substitution` to
    /// the free ones.
    pub fn instantiate(&self, terms: &mut Terms, substitution: &Substitution) -> SymbolicHeap {
        let mut renaming = substitution.clone();
        let mut exists = Vec::with_capacity(self.exists.len());
        for &variable in &self.exists {
            let fresh = terms.fresh_like(variable);
            renaming.insert(variable, terms.var(fresh));
            exists.push(fresh);
        }
        let mut renamed = self.substitute(terms, &renaming);
        renamed.exists = exists;
        renamed
    }

    /// `self * other`: the separating conjunction of two symbolic heaps whose quantified
    /// variables are already apart.
    pub fn star(mut self, other: SymbolicHeap) -> SymbolicHeap {
        self.exists.extend(other.exists);
        self.points_to.extend(other.points_to);
        self.instances.extend(other.instances);
        self.pure.extend(other.pure);
        self
    }

    /// Whether no predicate is left to unfold.
    pub fn is_base(&self) -> bool {
        self.instances.is_empty()
    }

    /// Free variables in order of first occurrence.
    pub fn free_variables(&self, terms: &Terms) -> Vec<VarId> {
        let mut seen = indexmap::IndexSet::new();
        let in_cells = (self.points_to.iter())
            .flat_map(|cell| std::iter::once(&cell.source).chain(&cell.fields));
        let in_instances = self.instances.iter().flat_map(|instance| &instance.args);
        for &term in in_cells.chain(in_instances).chain(&self.pure) {
            terms.collect_variables(term, &mut seen);
        }
        seen.into_iter()
            .filter(|variable| !self.exists.contains(variable))
            .collect()
    }
}

/// The conjuncts that say something, each once.
fn conjuncts(list: Vec<TermId>) -> Vec<TermId> {
    let mut seen = indexmap::IndexSet::new();
    seen.extend(list.into_iter().filter(|&conjunct| conjunct != Terms::TRUE));
    seen.into_iter().collect()
}

fn substitute_all(terms: &mut Terms, list: &[TermId], substitution: &Substitution) -> Vec<TermId> {
    (list.iter())
        .map(|&term| terms.substitute(term, substitution))
        .collect()
}

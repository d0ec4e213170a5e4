//! The contexts of predicates by Algorithm 1 (`LFP`) of *Enhancing Symbolic Execution of
//! Heap-based Programs with Separation Logic for Test Input Generation* (JSF).
//!
//! A context of `P(t̄)` is an unfolding of it; the contexts together are equivalent to `P(t̄)`.
//! All instances of all contexts are unfolded again and again until the *abstraction* of the
//! contexts (which reference parameters are allocated, with which class, and which are equal to,
//! different from each other or null) has nothing new. Arithmetic is ignored.
//!
//! Two things go beyond the paper. Contexts whose shape is contradictory are dropped instead of
//! being carried along. And where the first unfolding leaves every context open (each still has
//! an instance with a parameter), the abstraction is `false` twice in a row; that is not taken
//! for a fixed point.

use rustc_hash::FxHashMap;

use crate::definitions::{Definitions, PredId};
use crate::sort::ClassId;
use crate::symbolic_heap::{Instance, SymbolicHeap};
use crate::term::{Term, TermId, Terms, VarId};
use crate::unfold::unfold_all;

/// Bounds of the computation: unfolding all instances at once grows doubly exponentially for
/// trees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LfpBudget {
    /// Number of iterations.
    pub iterations: usize,
    /// Number of contexts per predicate.
    pub contexts: usize,
}

impl Default for LfpBudget {
    /// 16 iterations, 2,000 contexts per predicate.
    fn default() -> Self {
        LfpBudget {
            iterations: 16,
            contexts: 2_000,
        }
    }
}

/// How the computation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LfpOutcome {
    /// The abstraction has nothing new: the contexts are all there are.
    FixedPoint,
    /// The next iteration would have gone past the budget. The contexts are still equivalent to
    /// the predicate, but their abstraction may lack cases.
    Truncated,
}

/// `SV^i` and `A^i` of one predicate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contexts {
    /// The predicate.
    pub predicate: PredId,
    /// `SV^i`: unfoldings of the predicate applied to its formal parameters.
    pub contexts: Vec<SymbolicHeap>,
    /// `A^i`: one abstract heap per context that is not open, with repetitions.
    pub abstraction: Vec<SymbolicHeap>,
}

/// The result of the analysis, with its history.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LeastFixedPoint {
    /// How it ended.
    pub outcome: LfpOutcome,
    /// What every iteration computed, from iteration 0 (the predicates themselves) on. After a
    /// fixed point the last entry is the one that brought nothing new.
    pub trace: Vec<Vec<Contexts>>,
    result: usize,
}

impl LeastFixedPoint {
    /// The contexts that the analysis returns, in the order of the predicates asked for.
    pub fn contexts(&self) -> &[Contexts] {
        &self.trace[self.result]
    }
}

/// Computes the contexts of `predicates` together, as the paper does: all go on until none has
/// anything new.
pub fn least_fixed_point(
    terms: &mut Terms,
    definitions: &Definitions,
    predicates: &[PredId],
    budget: LfpBudget,
) -> LeastFixedPoint {
    let start = predicates.iter().map(|&predicate| {
        let params = &definitions.predicate(predicate).params;
        let args = params.iter().map(|&param| terms.var(param)).collect();
        let instance = Instance { predicate, args };
        let context = SymbolicHeap {
            instances: vec![instance],
            ..SymbolicHeap::emp()
        };
        Contexts {
            predicate,
            contexts: vec![context],
            abstraction: Vec::new(),
        }
    });
    let mut trace: Vec<Vec<Contexts>> = vec![start.collect()];
    let mut shapes: Vec<Vec<Shape>> = vec![Vec::new(); predicates.len()];
    for _ in 0..budget.iterations {
        let latest = trace.len() - 1;
        let affordable = (trace[latest].iter())
            .all(|entry| unfolded_count(definitions, &entry.contexts) <= budget.contexts);
        if !affordable {
            break;
        }
        let mut next = Vec::with_capacity(predicates.len());
        let mut next_shapes = Vec::with_capacity(predicates.len());
        for entry in &trace[latest] {
            let (contexts, shapes) = iterate(terms, definitions, entry);
            next.push(contexts);
            next_shapes.push(shapes);
        }
        let settled = (next_shapes.iter().zip(&shapes).zip(&next)).all(|((new, old), entry)| {
            let all_open = new.is_empty() && !entry.contexts.is_empty();
            let implied = |shape: &Shape| old.iter().any(|known| shape.implies(known));
            !all_open && new.iter().all(implied)
        });
        trace.push(next);
        if settled {
            return LeastFixedPoint {
                outcome: LfpOutcome::FixedPoint,
                trace,
                result: latest,
            };
        }
        shapes = next_shapes;
    }
    LeastFixedPoint {
        outcome: LfpOutcome::Truncated,
        result: trace.len() - 1,
        trace,
    }
}

/// How many contexts the next iteration has at most.
fn unfolded_count(definitions: &Definitions, contexts: &[SymbolicHeap]) -> usize {
    (contexts.iter())
        .map(|context| {
            (context.instances.iter())
                .map(|instance| definitions.predicate(instance.predicate).disjuncts.len())
                .fold(1usize, usize::saturating_mul)
        })
        .fold(0usize, usize::saturating_add)
}

/// Lines 5 to 7 for one predicate.
fn iterate(
    terms: &mut Terms,
    definitions: &Definitions,
    entry: &Contexts,
) -> (Contexts, Vec<Shape>) {
    let params = &definitions.predicate(entry.predicate).params;
    let references: Vec<VarId> = (params.iter().copied())
        .filter(|&param| terms.variable(param).sort.is_ref())
        .collect();
    let mut contexts = Vec::new();
    let mut abstraction = Vec::new();
    let mut shapes = Vec::new();
    for context in &entry.contexts {
        for unfolded in unfold_all(terms, definitions, context) {
            let Some(aliasing) = Aliasing::of(terms, &unfolded) else {
                continue;
            };
            if !aliasing.mentions_parameter(terms, &unfolded, &references) {
                abstraction.push(aliasing.abstract_heap(terms, &unfolded, &references));
                shapes.push(aliasing.shape(terms, &unfolded, &references));
            }
            contexts.push(unfolded);
        }
    }
    let contexts = Contexts {
        predicate: entry.predicate,
        contexts,
        abstraction,
    };
    (contexts, shapes)
}

/// What a context says about the equality of references: classes of equal ones, and pairs of
/// classes that differ.
struct Aliasing {
    parent: FxHashMap<TermId, TermId>,
    different: Vec<(TermId, TermId)>,
}

impl Aliasing {
    /// Nothing if the context contradicts itself.
    fn of(terms: &Terms, heap: &SymbolicHeap) -> Option<Aliasing> {
        let mut aliasing = Aliasing {
            parent: FxHashMap::default(),
            different: Vec::new(),
        };
        for &conjunct in &heap.pure {
            aliasing.assume(terms, conjunct)?;
        }
        let addresses: Vec<_> = (heap.points_to.iter())
            .map(|cell| aliasing.find(cell.source))
            .collect();
        // What is separated is distinct and not null.
        let null = aliasing.find(Terms::NULL);
        let mut seen = rustc_hash::FxHashSet::default();
        if !addresses
            .iter()
            .all(|&address| address != null && seen.insert(address))
        {
            return None;
        }
        let consistent =
            (aliasing.different.iter()).all(|&(a, b)| aliasing.find(a) != aliasing.find(b));
        consistent.then_some(aliasing)
    }

    fn assume(&mut self, terms: &Terms, conjunct: TermId) -> Option<()> {
        match terms.get(conjunct) {
            Term::Bool(false) => return None,
            Term::Eq(a, b) if terms.sort(*a).is_ref() => {
                let (a, b) = (self.find(*a), self.find(*b));
                if a != b {
                    // Null represents its class, so that it can be recognised.
                    let (child, root) = if a == Terms::NULL { (b, a) } else { (a, b) };
                    self.parent.insert(child, root);
                }
            }
            Term::Not(inner) => {
                if let Term::Eq(a, b) = terms.get(*inner)
                    && terms.sort(*a).is_ref()
                {
                    self.different.push((*a, *b));
                }
            }
            // Conjunctions are flat, so one level is all there is.
            Term::And(list) => {
                for &part in list {
                    if !matches!(terms.get(part), Term::And(_)) {
                        self.assume(terms, part)?;
                    }
                }
            }
            _ => {}
        }
        Some(())
    }

    fn find(&self, mut term: TermId) -> TermId {
        while let Some(&parent) = self.parent.get(&term) {
            term = parent;
        }
        term
    }

    /// The parameters that are equal to a term.
    fn parameters_equal(&self, terms: &mut Terms, term: TermId, params: &[VarId]) -> Vec<VarId> {
        let class = self.find(term);
        (params.iter().copied())
            .filter(|&param| self.find(terms.var(param)) == class)
            .collect()
    }

    /// `abs` maps a heap to false if an instance has a parameter among its arguments, after Π
    /// has replaced variables by the parameters or the null that they are equal to.
    fn mentions_parameter(&self, terms: &mut Terms, heap: &SymbolicHeap, params: &[VarId]) -> bool {
        heap.instances.iter().flat_map(|i| &i.args).any(|&arg| {
            let Some(variable) = terms.as_var(arg) else {
                return false;
            };
            params.contains(&variable)
                || (self.find(arg) != Terms::NULL
                    && terms.variable(variable).sort.is_ref()
                    && !self.parameters_equal(terms, arg, params).is_empty())
        })
    }

    /// `abs(Π(κ ∧ α, t̄), t̄)`: the cells at parameters, and equalities and disequalities among
    /// parameters and null. Quantified are the variables that the cells still need.
    fn abstract_heap(
        &self,
        terms: &mut Terms,
        heap: &SymbolicHeap,
        params: &[VarId],
    ) -> SymbolicHeap {
        let mut result = SymbolicHeap::emp();
        // Π: a variable equal to a parameter is replaced by it. One that is null is replaced in
        // the pure part only, so cells keep it.
        let mut replacement = crate::symbolic_heap::Substitution::default();
        for &variable in &heap.exists {
            let term = terms.var(variable);
            if !terms.variable(variable).sort.is_ref() {
                continue;
            }
            let equal = self.parameters_equal(terms, term, params);
            if self.find(term) == Terms::NULL {
                continue;
            }
            if let Some(&param) = equal.first() {
                let param = terms.var(param);
                replacement.insert(variable, param);
            } else if self.find(term) != term {
                replacement.insert(variable, self.find(term));
            }
        }
        for cell in &heap.points_to {
            if !self.parameters_equal(terms, cell.source, params).is_empty() {
                result.points_to.push(cell.substitute(terms, &replacement));
            }
        }
        for (index, &param) in params.iter().enumerate() {
            let term = terms.var(param);
            let class = self.find(term);
            if class == Terms::NULL {
                let equation = terms.eq(term, Terms::NULL);
                result.pure.push(equation);
                continue;
            }
            let earlier = self.parameters_equal(terms, term, &params[..index]);
            if let Some(&earlier) = earlier.first() {
                let earlier = terms.var(earlier);
                let equation = terms.eq(earlier, term);
                result.pure.push(equation);
            }
        }
        for (a, b) in self.different_pairs(terms, params) {
            let disequality = terms.ne(a, b);
            if !result.pure.contains(&disequality) {
                result.pure.push(disequality);
            }
        }
        result.exists = (result.free_variables(terms).into_iter())
            .filter(|variable| heap.exists.contains(variable))
            .collect();
        result
    }

    /// The disequalities that Π keeps: those among parameters and null.
    fn different_pairs(&self, terms: &mut Terms, params: &[VarId]) -> Vec<(TermId, TermId)> {
        let mut pairs = Vec::new();
        for &(a, b) in &self.different {
            let mut name = |term: TermId| match self.find(term) {
                Terms::NULL => Some(Terms::NULL),
                _ => {
                    let equal = self.parameters_equal(terms, term, params);
                    equal.first().map(|&param| terms.var(param))
                }
            };
            if let (Some(a), Some(b)) = (name(a), name(b)) {
                pairs.push((a, b));
            }
        }
        pairs
    }

    fn shape(&self, terms: &mut Terms, heap: &SymbolicHeap, params: &[VarId]) -> Shape {
        let null = self.find(Terms::NULL);
        let roots: Vec<_> = (params.iter())
            .map(|&param| self.find(terms.var(param)))
            .collect();
        let representative = |root: TermId| match root == null {
            true => Some(Representative::Null),
            false => (roots.iter().position(|&other| other == root)).map(Representative::Param),
        };
        let classes: Vec<_> = roots
            .iter()
            .filter_map(|&root| representative(root))
            .collect();
        let allocated: Vec<Option<ClassId>> = (roots.iter())
            .map(|&root| {
                let cell = (heap.points_to.iter()).find(|cell| self.find(cell.source) == root);
                cell.map(|cell| cell.class)
            })
            .collect();
        let different = (self.different.iter())
            .filter_map(|&(a, b)| {
                let pair = (representative(self.find(a))?, representative(self.find(b))?);
                Some((pair.0.min(pair.1), pair.0.max(pair.1)))
            })
            .collect();
        Shape {
            classes,
            allocated,
            different,
        }
    }
}

/// What is compared: a partition of the parameters and null, with allocation and differences.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Shape {
    /// For every parameter the first parameter equal to it, or null.
    classes: Vec<Representative>,
    /// For every parameter the class of the cell there.
    allocated: Vec<Option<ClassId>>,
    /// Representatives that differ.
    different: Vec<(Representative, Representative)>,
}

impl Shape {
    /// The same parameters are allocated, as abstract heaps are exact about the cells at
    /// parameters, and every equality and disequality of the other one follows.
    fn implies(&self, other: &Shape) -> bool {
        let equal = |a: Representative, b: Representative| self.class_of(a) == self.class_of(b);
        let same_cells = self.allocated == other.allocated;
        let equalities = (other.classes.iter().enumerate())
            .all(|(param, &class)| equal(Representative::Param(param), class));
        let disequalities = (other.different.iter()).all(|&(a, b)| self.differ(a, b));
        same_cells && equalities && disequalities
    }

    fn class_of(&self, representative: Representative) -> Representative {
        match representative {
            Representative::Null => Representative::Null,
            Representative::Param(param) => self.classes[param],
        }
    }

    /// Stated, or because both are allocated, or one is and the other is null.
    fn differ(&self, a: Representative, b: Representative) -> bool {
        let (a, b) = (self.class_of(a), self.class_of(b));
        let stated = (self.different.iter()).any(|&(c, d)| (c, d) == (a, b) || (d, c) == (a, b));
        let allocated = |representative| match representative {
            Representative::Null => false,
            Representative::Param(param) => self.allocated[param].is_some(),
        };
        let separated = match (a, b) {
            (Representative::Null, other) | (other, Representative::Null) => allocated(other),
            _ => allocated(a) && allocated(b),
        };
        stated || (a != b && separated)
    }
}

/// A parameter by position, or null.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Representative {
    Null,
    Param(usize),
}

#[cfg(test)]
mod tests;

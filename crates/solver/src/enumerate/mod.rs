//! Enumeration: all models of a symbolic heap with a given number of cells, up to isomorphism.
//!
//! Derivations are counted and numbered by the table of completions, and each is built from
//! its number, so nothing is searched for and nothing built in vain but for derivations that
//! arithmetic refutes or that give a heap already seen.

mod key;
mod order;

use std::ops::{ControlFlow, RangeInclusive};

use heapwright_logic::{ClassId, Heap, Model, Sort, SymbolicHeap, TermId, Terms, Value, VarId};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashSet;

use crate::answer::Reason;
use crate::arith::{ArithAnswer, Assignment};
use crate::model::{Parts, Plan, References, Scalars, Skeleton};
use crate::numeric::combination::Combinations;
use crate::rules::{Contents, Numbers, Rule};
use crate::search::choices;
use crate::shape::Node;
use crate::solver::Solver;
use key::{Canonical, Cells};
use order::OrderTypes;

/// Combinations of base pairs that are looked at.
const CHOICES: usize = 1 << 16;

/// What an enumeration found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Enumeration {
    /// Models up to isomorphism.
    pub models: u64,
    /// Derivations tried.
    pub derivations: u64,
    /// Derivations for which only one of possibly several choices of numbers is counted,
    /// because their arithmetic goes beyond order and a few values.
    pub representatives: u64,
    /// Whether `visit` ended the enumeration early.
    pub stopped: bool,
}

/// One model, built only as far as it is looked at.
pub struct Enumerated<'a> {
    solver: &'a mut Solver,
    terms: &'a mut Terms,
    formula: &'a SymbolicHeap,
    rule: &'a Rule,
    cells: &'a Cells,
    roots: &'a [(VarId, Value)],
    skeleton: &'a Skeleton,
    references: &'a References,
    scalars: Option<&'a Scalars>,
    values: &'a [(VarId, i128)],
    /// Number of cells.
    pub size: u32,
}

impl Enumerated<'_> {
    /// The model, with ghosts and a derivation that the satisfaction checker can verify.
    pub fn model(&mut self) -> Result<Model, Reason> {
        let none = Scalars::none(self.skeleton);
        let scalars = self.scalars.unwrap_or(&none);
        let mut conjuncts = scalars.conjuncts.clone();
        for &(variable, value) in self.values {
            let is_bool = self.terms.variable(variable).sort == Sort::Bool;
            let variable = self.terms.var(variable);
            conjuncts.push(match (is_bool, value) {
                (true, 0) => self.terms.not(variable),
                (true, _) => variable,
                (false, value) => {
                    let value = self.terms.int(value);
                    self.terms.eq(variable, value)
                }
            });
        }
        let assignment = match self.solver.arith.check(self.terms, &conjuncts) {
            ArithAnswer::Sat(assignment) => assignment,
            ArithAnswer::Unsat(_) => {
                return Err(Reason::InvalidModel("the ranks do not fit".to_owned()));
            }
            ArithAnswer::Unknown(reason) => return Err(Reason::Arithmetic(reason)),
        };
        let parts = Parts {
            definitions: &self.solver.definitions,
            grammar: &self.solver.grammar,
            question: self.rule,
            skeleton: self.skeleton,
            references: self.references,
            scalars,
            assignment: &assignment,
        };
        parts
            .model(self.terms, self.formula)
            .ok_or(Reason::ModelTooLarge)
    }

    /// The heap alone, without ghosts and derivation. Fields that the formula says nothing
    /// about hold their default values.
    pub fn heap(&self) -> Heap {
        let definitions = &self.solver.definitions;
        (self.cells).heap(|class| definitions.class(ClassId(class)).fields.len())
    }

    /// The values of the formula's free references.
    pub fn roots(&self) -> impl Iterator<Item = (VarId, Value)> {
        self.roots.iter().copied()
    }
}

impl Solver {
    /// Calls `visit` with every model of `heap` whose number of cells lies in `sizes`, smallest
    /// first, up to isomorphism and up to the order of numbers that are only compared.
    ///
    /// Values of free variables that are not references do not make models different.
    pub fn enumerate(
        &mut self,
        terms: &mut Terms,
        heap: &SymbolicHeap,
        sizes: RangeInclusive<u32>,
        visit: &mut dyn FnMut(&mut Enumerated<'_>) -> ControlFlow<()>,
    ) -> Result<Enumeration, Reason> {
        let mut plans = Vec::new();
        for rule in Rule::compile(terms, &self.definitions, 0, heap, &[]) {
            let mut complete = true;
            for child in &rule.children {
                complete &= self.derivations.ensure(&self.grammar, child.predicate);
            }
            if !complete {
                return Err(Reason::TooManyBasePairs);
            }
            let choices =
                choices(&self.derivations, &rule, CHOICES).ok_or(Reason::TooManyReferences)?;
            if choices.len() == CHOICES {
                return Err(Reason::TooManyBasePairs);
            }
            let numbers = Numbers::compile(terms, &rule, &[]);
            plans.push((rule, numbers, choices));
        }
        let roots = (heap.free_variables(terms).into_iter())
            .filter(|&variable| terms.variable(variable).sort.is_ref())
            .map(|variable| (variable, Value::Null))
            .collect();
        let mut run = Run {
            solver: self,
            terms,
            heap,
            roots,
            visit,
            seen: FxHashSet::default(),
            skeleton: Skeleton::default(),
            references: References::default(),
            cells: Cells::default(),
            canonical: Canonical::default(),
            pending: Vec::new(),
            found: Enumeration::default(),
        };
        for size in sizes {
            // Heaps of different sizes are different.
            run.seen.clear();
            for (rule, numbers, choices) in &plans {
                let Solver {
                    grammar,
                    derivations,
                    completions,
                    ..
                } = &mut *run.solver;
                for child in &rule.children {
                    completions.ensure(grammar, derivations, child.predicate, size);
                }
                if !completions.is_complete(grammar, rule, size) {
                    return Err(Reason::TooManyFacts);
                }
                for pairs in choices {
                    if run.of_size(rule, numbers, pairs, size)?.is_break() {
                        run.found.stopped = true;
                        return Ok(run.found);
                    }
                }
            }
        }
        Ok(run.found)
    }
}

struct Run<'a> {
    solver: &'a mut Solver,
    terms: &'a mut Terms,
    heap: &'a SymbolicHeap,
    /// Free variables that are references, and their values in the model looked at.
    roots: Vec<(VarId, Value)>,
    visit: &'a mut dyn FnMut(&mut Enumerated<'_>) -> ControlFlow<()>,
    seen: FxHashSet<Box<[u8]>>,
    skeleton: Skeleton,
    references: References,
    cells: Cells,
    canonical: Canonical,
    pending: Vec<(u32, u64)>,
    found: Enumeration,
}

impl Run<'_> {
    fn of_size(
        &mut self,
        rule: &Rule,
        numbers: &Numbers,
        pairs: &[u32],
        size: u32,
    ) -> Result<ControlFlow<()>, Reason> {
        let Some(rest) = size.checked_sub(rule.allocated.len() as u32) else {
            return Ok(ControlFlow::Continue(()));
        };
        let Solver {
            grammar,
            derivations,
            completions,
            ..
        } = &mut *self.solver;
        let callees = completions.callees(grammar, derivations, rule, pairs, rest);
        let mut combinations = Vec::new();
        let order: Vec<usize> = (0..callees.len()).collect();
        Combinations::new(completions, &callees, numbers, &order).each(rest, &mut |facts, _| {
            combinations.push(facts.to_vec());
            true
        });
        let numeric = rule.has_scalars()
            || rule
                .children
                .iter()
                .any(|child| grammar.has_scalars(child.predicate));
        for facts in combinations {
            let count = self.solver.completions.count(&callees, &facts);
            for index in 0..count {
                if self
                    .derivation(rule, &facts, index, numeric, size)?
                    .is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn derivation(
        &mut self,
        rule: &Rule,
        facts: &[u32],
        index: u64,
        numeric: bool,
        size: u32,
    ) -> Result<ControlFlow<()>, Reason> {
        let Solver {
            grammar,
            completions,
            config,
            pool,
            ..
        } = &mut *self.solver;
        let plan = Plan {
            grammar,
            question: rule,
            limit: config.steps,
        };
        (self
            .skeleton
            .unrank(plan, completions, facts, index, &mut self.pending))
        .map_err(|_| Reason::ModelTooLarge)?;
        self.references.refill(grammar, rule, &self.skeleton);
        self.found.derivations += 1;
        if !numeric {
            return Ok(self.visit_once(rule, None, &[], size));
        }
        let skeleton = &self.skeleton;
        let scalars = Scalars::collect(self.terms, pool, grammar, rule, skeleton);
        let data = self.data_variables(rule, &scalars);
        let numbers = Numbers::of_literals(self.terms, &scalars.conjuncts);
        match OrderTypes::new(self.terms, &numbers, &data) {
            Some(None) => Ok(ControlFlow::Continue(())),
            Some(Some(types)) => {
                let mut each =
                    |values: &[(VarId, i128)]| self.visit_once(rule, Some(&scalars), values, size);
                Ok(types.each(&mut each))
            }
            None => {
                let values = match self.solver.arith.check(self.terms, &scalars.conjuncts) {
                    ArithAnswer::Unsat(_) => return Ok(ControlFlow::Continue(())),
                    ArithAnswer::Unknown(reason) => return Err(Reason::Arithmetic(reason)),
                    ArithAnswer::Sat(assignment) => integers(&data, &assignment),
                };
                self.found.representatives += 1;
                Ok(self.visit_once(rule, Some(&scalars), &values, size))
            }
        }
    }

    /// The variables behind those integer fields of the heap that the formula says something
    /// about, and whether it compares them with others by their order.
    fn data_variables(&mut self, rule: &Rule, scalars: &Scalars) -> Vec<(VarId, bool)> {
        let mut data: IndexMap<VarId, bool> = IndexMap::new();
        for step in 0..self.skeleton.steps.len() {
            let rule = self.skeleton.rule_of(step, &self.solver.grammar, rule);
            for cell in &rule.cells {
                for (index, place) in cell.fields.iter().enumerate() {
                    if let (Contents::Scalar(term), true) = (*place, cell.mentioned[index]) {
                        let term = scalars.term(self.terms, step, term);
                        let mut variables = IndexSet::new();
                        self.terms.collect_variables(term, &mut variables);
                        for variable in variables {
                            *data.entry(variable).or_default() |= cell.ordered[index];
                        }
                    }
                }
            }
        }
        data.retain(|&variable, _| {
            let sort = self.terms.variable(variable).sort;
            sort.is_integer() || sort == Sort::Bool
        });
        data.into_iter().collect()
    }

    /// Visits a model unless an isomorphic one was visited before.
    fn visit_once(
        &mut self,
        rule: &Rule,
        scalars: Option<&Scalars>,
        values: &[(VarId, i128)],
        size: u32,
    ) -> ControlFlow<()> {
        self.fill_cells(rule, scalars, values);
        for (root, value) in &mut self.roots {
            let node = rule.node_variables.iter().position(|v| v == root);
            *value = node.map_or(Value::Null, |index| {
                self.references.value(0, index as Node + 1)
            });
        }
        let definitions = &self.solver.definitions;
        let width = |class| {
            definitions
                .class(heapwright_logic::ClassId(class))
                .fields
                .len()
        };
        let roots = self.roots.iter().map(|&(_, value)| value);
        let key = self.canonical.key(&self.cells, roots, width);
        if self.seen.contains(key) {
            return ControlFlow::Continue(());
        }
        self.seen.insert(key.into());
        self.found.models += 1;
        (self.visit)(&mut Enumerated {
            solver: self.solver,
            terms: self.terms,
            formula: self.heap,
            rule,
            cells: &self.cells,
            roots: &self.roots,
            skeleton: &self.skeleton,
            references: &self.references,
            scalars,
            values,
            size,
        })
    }

    fn fill_cells(&mut self, rule: &Rule, scalars: Option<&Scalars>, values: &[(VarId, i128)]) {
        self.cells.clear(self.references.objects());
        for step in 0..self.skeleton.steps.len() {
            let rule = self.skeleton.rule_of(step, &self.solver.grammar, rule);
            for (&node, cell) in rule.allocated.iter().zip(&rule.cells) {
                let Value::Ref(location) = self.references.value(step, node) else {
                    continue;
                };
                self.cells.begin(location, cell.class.0);
                for place in &cell.fields {
                    let value = match (*place, scalars) {
                        (Contents::Reference(node), _) => self.references.value(step, node),
                        (Contents::Scalar(_), None) => Value::Int(0),
                        (Contents::Scalar(term), Some(scalars)) => {
                            let term = scalars.term(self.terms, step, term);
                            shown(self.terms, term, values)
                        }
                    };
                    self.cells.push(value);
                }
            }
        }
    }
}

/// The value of a field as far as it makes a difference between models.
fn shown(terms: &Terms, term: TermId, values: &[(VarId, i128)]) -> Value {
    let known = |variable: VarId| {
        let mut values = values.iter();
        let value = values.find(|(known, _)| *known == variable);
        let default = Value::default_of(terms.variable(variable).sort);
        Some(match (value, default) {
            (Some(&(_, value)), Value::Bool(_)) => Value::Bool(value != 0),
            (Some(&(_, value)), Value::Int(_)) => Value::Int(value),
            (_, default) => default,
        })
    };
    heapwright_logic::evaluate(terms, term, known).unwrap_or(Value::Int(0))
}

/// The integer and boolean values among those wanted.
fn integers(data: &[(VarId, bool)], assignment: &Assignment) -> Vec<(VarId, i128)> {
    (data.iter())
        .filter_map(|&(variable, _)| match assignment.get(&variable)? {
            Value::Int(value) => Some((variable, *value)),
            Value::Bool(value) => Some((variable, i128::from(*value))),
            _ => None,
        })
        .collect()
}

//! Checking a derivation that was handed over.
//!
//! Iterative and linear in the size of derivation and heap: derivations of long lists have
//! hundreds of thousands of steps.

use thiserror::Error;

use crate::definitions::{Definitions, PredId};
use crate::eval::{EvalError, Evaluator, same_value};
use crate::heap::{Heap, Loc, Model, Step, StepId, Value};
use crate::sort::Sort;
use crate::symbolic_heap::{Formula, PointsTo, SymbolicHeap};
use crate::term::{TermId, Terms, VarId};

use super::mismatch::shown;
use super::reason::{condition, values_of};
use super::values::fits;

/// What is wrong with a model, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("step {}, {place}: {fault}", step.0)]
pub struct Violation {
    /// The step of the derivation.
    pub step: StepId,
    /// What the step is about, for people.
    pub place: String,
    /// What does not hold there.
    pub fault: Box<Fault>,
}

/// What can be wrong with a step of a derivation.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages say what the fields are.
pub enum Fault {
    #[error("the derivation has no such step")]
    MissingStep,
    #[error("disjunct {disjunct} of {count} was taken")]
    NoSuchDisjunct { disjunct: u32, count: usize },
    #[error("{found} values for {expected} quantified variables")]
    ValueCount { expected: usize, found: usize },
    #[error("{found} children for {expected} predicate instances")]
    ChildCount { expected: usize, found: usize },
    #[error("{found} arguments for {expected} parameters")]
    ArgumentCount { expected: usize, found: usize },
    #[error("the step is used a second time")]
    StepReused,
    #[error("the step is not used")]
    StepUnused,
    #[error("the free variable `{name}` has no value")]
    FreeVariable { name: String },
    #[error("{value} is not a value of the sort of `{name}`")]
    WrongSort { name: String, value: Value },
    #[error("cannot evaluate {term}: {error}")]
    Evaluation { term: String, error: EvalError },
    #[error("{condition} does not hold ({values})")]
    ConditionFails { condition: String, values: String },
    #[error("{source_value} is not the address of a cell")]
    NoCell { source_value: Value },
    #[error("the cell {loc} is described a second time")]
    CellReused { loc: Loc },
    #[error("the cell {loc} is of class {found}, not {expected}")]
    WrongClass {
        loc: Loc,
        expected: String,
        found: String,
    },
    #[error("the cell {loc} has {found} fields, its class has {expected}")]
    FieldCount {
        loc: Loc,
        expected: usize,
        found: usize,
    },
    #[error("field {field} of {loc} holds {found}, which its declared sort does not allow")]
    IllSortedField {
        loc: Loc,
        field: String,
        found: Value,
    },
    #[error("field {field} of {loc} is {found}, not {expected}")]
    WrongField {
        loc: Loc,
        field: String,
        expected: Value,
        found: Value,
    },
    #[error("the cells {} are not described by the formula", list(cells))]
    CellsLeft { cells: Vec<Loc> },
}

/// The first few of many locations.
pub(super) fn list(cells: &[Loc]) -> String {
    let mut names: Vec<_> = cells.iter().take(8).map(Loc::to_string).collect();
    if cells.len() > names.len() {
        names.push(format!("{} more", cells.len() - names.len()));
    }
    names.join(", ")
}

/// Checks that `model.derivation` shows `model.stack, model.heap ⊨ formula`.
pub fn verify(
    terms: &Terms,
    definitions: &Definitions,
    formula: &Formula,
    model: &Model,
) -> Result<(), Violation> {
    let mut verifier = Verifier {
        terms,
        definitions,
        model,
        evaluator: Evaluator::default(),
        described: rustc_hash::FxHashSet::default(),
    };
    well_formed(definitions, &model.heap).map_err(|(loc, fault)| Violation {
        step: StepId(0),
        place: format!("object {loc}"),
        fault: Box::new(fault),
    })?;
    verifier.check_steps(formula)?;
    let left: Vec<_> = (model.heap.cells.keys().copied())
        .filter(|loc| !verifier.described.contains(loc))
        .collect();
    if left.is_empty() {
        return Ok(());
    }
    Err(Violation {
        step: StepId(0),
        place: "the formula".to_owned(),
        fault: Box::new(Fault::CellsLeft { cells: left }),
    })
}

/// Every cell has the fields of its class, and each holds a value of its sort.
pub(super) fn well_formed(definitions: &Definitions, heap: &Heap) -> Result<(), (Loc, Fault)> {
    for (&loc, cell) in &heap.cells {
        let class = definitions.class(cell.class);
        if class.fields.len() != cell.fields.len() {
            let fault = Fault::FieldCount {
                loc,
                expected: class.fields.len(),
                found: cell.fields.len(),
            };
            return Err((loc, fault));
        }
        for (field, &value) in class.fields.iter().zip(&cell.fields) {
            if !fits(definitions, heap, value, field.sort) {
                let fault = Fault::IllSortedField {
                    loc,
                    field: field.name.clone(),
                    found: value,
                };
                return Err((loc, fault));
            }
        }
    }
    Ok(())
}

/// A step still to be checked, for the formula (`None`) or an instance.
struct Pending {
    step: StepId,
    predicate: Option<PredId>,
    arguments: Vec<Value>,
}

/// The values of the variables of one disjunct, sorted for lookup.
struct Environment(Vec<(VarId, Value)>);

impl Environment {
    fn get(&self, variable: VarId) -> Option<Value> {
        let found = self.0.binary_search_by_key(&variable, |entry| entry.0);
        found.ok().map(|index| self.0[index].1)
    }
}

struct Verifier<'a> {
    terms: &'a Terms,
    definitions: &'a Definitions,
    model: &'a Model,
    evaluator: Evaluator,
    described: rustc_hash::FxHashSet<Loc>,
}

impl<'a> Verifier<'a> {
    fn check_steps(&mut self, formula: &'a Formula) -> Result<(), Violation> {
        let steps = &self.model.derivation.steps;
        let mut reached = vec![false; steps.len()];
        let mut pending = vec![Pending {
            step: StepId(0),
            predicate: None,
            arguments: Vec::new(),
        }];
        while let Some(next) = pending.pop() {
            let index = next.step.0 as usize;
            let outcome = match reached.get_mut(index) {
                None => Err(Fault::MissingStep),
                Some(true) => Err(Fault::StepReused),
                Some(seen) => {
                    *seen = true;
                    self.check_step(formula, &next, &steps[index], &mut pending)
                }
            };
            outcome.map_err(|fault| Violation {
                step: next.step,
                place: self.place(&next),
                fault: Box::new(fault),
            })?;
        }
        match reached.iter().position(|seen| !seen) {
            None => Ok(()),
            Some(index) => Err(Violation {
                step: StepId(index as u32),
                place: "no instance".to_owned(),
                fault: Box::new(Fault::StepUnused),
            }),
        }
    }

    fn check_step(
        &mut self,
        formula: &'a Formula,
        pending: &Pending,
        step: &Step,
        agenda: &mut Vec<Pending>,
    ) -> Result<(), Fault> {
        let disjuncts = match pending.predicate {
            None => &formula.disjuncts,
            Some(predicate) => &self.definitions.predicate(predicate).disjuncts,
        };
        let heap = (disjuncts.get(step.disjunct as usize)).ok_or(Fault::NoSuchDisjunct {
            disjunct: step.disjunct,
            count: disjuncts.len(),
        })?;
        let environment = self.environment(pending, heap, step)?;
        for cell in &heap.points_to {
            self.check_points_to(cell, &environment)?;
        }
        for &conjunct in &heap.pure {
            self.check_condition(conjunct, &environment)?;
        }
        if heap.instances.len() != step.children.len() {
            return Err(Fault::ChildCount {
                expected: heap.instances.len(),
                found: step.children.len(),
            });
        }
        for (instance, &child) in heap.instances.iter().zip(&step.children) {
            let expected = self.definitions.predicate(instance.predicate).params.len();
            if expected != instance.args.len() {
                return Err(Fault::ArgumentCount {
                    expected,
                    found: instance.args.len(),
                });
            }
            let arguments: Result<Vec<_>, _> = (instance.args.iter())
                .map(|&argument| self.value(argument, &environment))
                .collect();
            agenda.push(Pending {
                step: child,
                predicate: Some(instance.predicate),
                arguments: arguments?,
            });
        }
        Ok(())
    }

    fn environment(
        &self,
        pending: &Pending,
        heap: &SymbolicHeap,
        step: &Step,
    ) -> Result<Environment, Fault> {
        if heap.exists.len() != step.exists.len() {
            return Err(Fault::ValueCount {
                expected: heap.exists.len(),
                found: step.exists.len(),
            });
        }
        let mut entries = Vec::with_capacity(pending.arguments.len() + step.exists.len());
        match pending.predicate {
            Some(predicate) => {
                let params = &self.definitions.predicate(predicate).params;
                entries.extend(
                    params
                        .iter()
                        .copied()
                        .zip(pending.arguments.iter().copied()),
                );
            }
            None => {
                for variable in heap.free_variables(self.terms) {
                    let value = self.model.stack.get(&variable);
                    let value = *value.ok_or_else(|| Fault::FreeVariable {
                        name: self.terms.variable(variable).name.clone(),
                    })?;
                    self.check_sort(variable, value)?;
                    entries.push((variable, value));
                }
            }
        }
        for (&variable, &value) in heap.exists.iter().zip(&step.exists) {
            self.check_sort(variable, value)?;
            entries.push((variable, value));
        }
        entries.sort_unstable_by_key(|entry| entry.0);
        Ok(Environment(entries))
    }

    fn check_sort(&self, variable: VarId, value: Value) -> Result<(), Fault> {
        let declared = self.terms.variable(variable);
        if self.fits(value, declared.sort) {
            return Ok(());
        }
        Err(Fault::WrongSort {
            name: declared.name.clone(),
            value,
        })
    }

    fn fits(&self, value: Value, sort: Sort) -> bool {
        fits(self.definitions, self.heap(), value, sort)
    }

    fn heap(&self) -> &'a Heap {
        &self.model.heap
    }

    fn value(&mut self, term: TermId, environment: &Environment) -> Result<Value, Fault> {
        let value = (self.evaluator).evaluate(self.terms, term, |v| environment.get(v));
        value.map_err(|error| Fault::Evaluation {
            term: condition(self.terms, self.definitions, term),
            error,
        })
    }

    fn check_condition(&mut self, term: TermId, environment: &Environment) -> Result<(), Fault> {
        if self.value(term, environment)? == Value::Bool(true) {
            return Ok(());
        }
        Err(Fault::ConditionFails {
            condition: condition(self.terms, self.definitions, term),
            values: shown(&values_of(self.terms, term, |variable| {
                environment.get(variable)
            })),
        })
    }

    fn check_points_to(
        &mut self,
        points_to: &PointsTo,
        environment: &Environment,
    ) -> Result<(), Fault> {
        let source_value = self.value(points_to.source, environment)?;
        let Value::Ref(loc) = source_value else {
            return Err(Fault::NoCell { source_value });
        };
        let cell = (self.heap().cells.get(&loc)).ok_or(Fault::NoCell { source_value })?;
        if !self.described.insert(loc) {
            return Err(Fault::CellReused { loc });
        }
        let class = self.definitions.class(points_to.class);
        if !self.definitions.is_subclass(cell.class, points_to.class) {
            return Err(Fault::WrongClass {
                loc,
                expected: class.name.clone(),
                found: self.definitions.class(cell.class).name.clone(),
            });
        }
        // The fields of a superclass are a prefix of those of its subclasses.
        if points_to.fields.len() > cell.fields.len()
            || points_to.fields.len() != class.fields.len()
        {
            return Err(Fault::FieldCount {
                loc,
                expected: points_to.fields.len(),
                found: cell.fields.len(),
            });
        }
        for (index, (&term, &found)) in points_to.fields.iter().zip(&cell.fields).enumerate() {
            let expected = self.value(term, environment)?;
            if !same_value(expected, found) {
                return Err(Fault::WrongField {
                    loc,
                    field: class.fields[index].name.clone(),
                    expected,
                    found,
                });
            }
        }
        Ok(())
    }

    fn place(&self, pending: &Pending) -> String {
        let Some(predicate) = pending.predicate else {
            return "the formula".to_owned();
        };
        let arguments: Vec<_> = pending.arguments.iter().map(Value::to_string).collect();
        let name = &self.definitions.predicate(predicate).name;
        format!("{name}({})", arguments.join(", "))
    }
}

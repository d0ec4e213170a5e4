//! From a derivation to a model: references, scalars, and the heap that they make up.

mod counted;
pub mod equations;
mod references;
mod resemblance;
mod scalars;
mod skeleton;

use heapwright_logic::{
    Cell, Definitions, Heap, Model, Step, StepId, SymbolicHeap, TermId, Terms, Value, VarId,
    evaluate,
};

pub use references::References;
pub use resemblance::{adopt, resembling};
pub use scalars::{Scalars, VariablePool};
pub use skeleton::{Plan, Skeleton, SkeletonStep, TooLarge};

use crate::arith::Assignment;
use crate::rules::{Contents, Grammar, Rule};

/// Everything that a model is read off.
pub struct Parts<'a> {
    /// The classes.
    pub definitions: &'a Definitions,
    /// The rules.
    pub grammar: &'a Grammar,
    /// The question as a rule.
    pub question: &'a Rule,
    /// The derivation.
    pub skeleton: &'a Skeleton,
    /// Its references.
    pub references: &'a References,
    /// Its scalars.
    pub scalars: &'a Scalars,
    /// Values of the variables in `scalars`.
    pub assignment: &'a Assignment,
}

impl Parts<'_> {
    /// The model of `heap`, of which the question is a branch.
    ///
    /// Returns nothing where a number does not fit into 128 bits.
    pub fn model(&self, terms: &mut Terms, heap: &SymbolicHeap) -> Option<Model> {
        let mut model = Model::default();
        for variable in heap.free_variables(terms) {
            let value = self.variable(terms, 0, variable)?;
            model.stack.insert(variable, value);
        }
        self.read_heap(terms, &mut model.heap)?;
        for step in 0..self.skeleton.steps.len() {
            let rule = self.rule(step);
            let exists = (rule.exists.iter())
                .map(|place| match *place {
                    Contents::Reference(node) => Some(self.references.value(step, node)),
                    Contents::Scalar(variable) => self.variable(terms, step, variable),
                })
                .collect::<Option<_>>()?;
            model.derivation.steps.push(Step {
                disjunct: rule.disjunct as u32,
                exists,
                children: (self.skeleton.steps[step].first_child..)
                    .take(rule.children.len())
                    .map(StepId)
                    .collect(),
            });
        }
        Some(model)
    }

    /// Reads the cells.
    pub fn read_heap(&self, terms: &mut Terms, heap: &mut Heap) -> Option<()> {
        for step in 0..self.skeleton.steps.len() {
            let rule = self.rule(step);
            for (&node, cell) in rule.allocated.iter().zip(&rule.cells) {
                let fields = (cell.fields.iter())
                    .map(|place| match *place {
                        Contents::Reference(node) => Some(self.references.value(step, node)),
                        Contents::Scalar(term) => self.scalar(terms, step, term),
                    })
                    .collect::<Option<_>>()?;
                if let Value::Ref(location) = self.references.value(step, node) {
                    let class = cell.class;
                    heap.cells.insert(location, Cell { class, fields });
                }
            }
        }
        Some(())
    }

    fn rule(&self, step: usize) -> &Rule {
        self.skeleton.rule_of(step, self.grammar, self.question)
    }

    fn variable(&self, terms: &mut Terms, step: usize, variable: VarId) -> Option<Value> {
        if terms.variable(variable).sort.is_ref() {
            let position = self
                .rule(step)
                .node_variables
                .iter()
                .position(|&v| v == variable);
            // A reference that no constraint mentions is free to be null.
            return Some(position.map_or(Value::Null, |index| {
                self.references.value(step, index as crate::shape::Node + 1)
            }));
        }
        let term = self.scalars.variable(terms, step, variable);
        self.value(terms, term)
    }

    fn scalar(&self, terms: &mut Terms, step: usize, term: TermId) -> Option<Value> {
        let term = self.scalars.term(terms, step, term);
        self.value(terms, term)
    }

    fn value(&self, terms: &Terms, term: TermId) -> Option<Value> {
        let lookup = |variable: VarId| {
            let value = self.assignment.get(&variable).copied();
            Some(value.unwrap_or_else(|| Value::default_of(terms.variable(variable).sort)))
        };
        evaluate(terms, term, lookup).ok()
    }
}

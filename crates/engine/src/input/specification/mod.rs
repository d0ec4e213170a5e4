//! Tests straight from the precondition, without a look at the code (CSF, Algorithm 1).
//!
//! The precondition is unfolded to a number of formulas, every formula is solved, and every
//! model is completed to an input. Parameters of which the precondition says nothing are varied.

mod free_fields;
mod scalars;
mod small_scope;
mod unfolding;
mod variation;

use std::collections::VecDeque;
use std::iter::FusedIterator;
use std::time::{Duration, Instant};

use heapwright_logic::{Deadline, Formula, Model, Stack, Terms, Value};
use heapwright_solver::{Answer, Config, Solver, Verdict};

use crate::check::oracle;
use crate::input::frame::complete_heap;
use crate::input::{Footprint, Input};
use crate::path::questions::arithmetic;
use crate::report::Verification;
use crate::subject::Subject;

use free_fields::{FreeField, free_fields};
use unfolding::{Unfolded, Unfoldings};
use variation::{Breadth, variations, wide_variations};

pub use small_scope::small_inputs;
pub use variation::COMBINATIONS;

/// The inputs of a specification, solved one formula at a time as they are asked for.
///
/// Every input comes with the number of its formula, in the order of the algorithm. The number
/// of a formula does not depend on the depth, and its inputs depend on nothing else.
pub struct SpecificationInputs<'s> {
    subject: &'s Subject,
    unfoldings: Unfoldings<'s>,
    deadline: Deadline,
    breadth: Breadth,
    /// Inputs that were made by varying much.
    varied: usize,
    /// Inputs of the formula that was solved last.
    ready: VecDeque<(u32, Input)>,
    /// Formulas that were put to the solver so far.
    pub formulas: u64,
    /// Of those: formulas that no heap satisfies.
    pub unsatisfiable: u64,
    /// Of those: formulas that the solver did not decide, or whose model could not be made an
    /// input that the oracle confirms.
    pub unknown: u64,
    /// Time spent in solving them.
    pub solving: Duration,
}

/// Inputs from the precondition, unfolded `depth` times; shallower formulas are kept.
///
/// The number of formulas grows doubly exponentially with the depth, so at most `limit` are
/// looked at; [`SpecificationInputs::truncated`] says whether there are more. Depth 0 stands for
/// the precondition as it is. Without a precondition there is one input: the empty heap.
pub fn from_specification<'s>(
    subject: &'s Subject,
    depth: u32,
    limit: usize,
) -> SpecificationInputs<'s> {
    SpecificationInputs {
        subject,
        unfoldings: Unfoldings::new(subject, depth, limit),
        deadline: Deadline::NEVER,
        breadth: Breadth::Narrow,
        varied: 0,
        ready: VecDeque::new(),
        formulas: 0,
        unsatisfiable: 0,
        unknown: 0,
        solving: Duration::ZERO,
    }
}

/// Whether any heap satisfies the precondition: one question, asked before any search, and
/// given up at the deadline.
pub fn satisfiable(subject: &Subject, deadline: &Deadline) -> Verdict {
    let Some(precondition) = &subject.precondition else {
        return Verdict::Sat;
    };
    let mut terms = subject.terms.clone();
    let mut solver = Solver::new(&mut terms, &subject.definitions, config(deadline));
    solver.verdict(&mut terms, precondition)
}

impl SpecificationInputs<'_> {
    /// Gives up at the deadline.
    pub fn until(mut self, deadline: Deadline) -> Self {
        self.deadline = deadline;
        self
    }

    /// Varies parameters over many values, and fields that a formula leaves open too, until there
    /// are enough inputs: for where nothing else finds inputs.
    pub fn varied(mut self) -> Self {
        self.breadth = Breadth::Wide;
        self
    }

    /// Whether the limit left formulas out, as far as the iteration went.
    pub fn truncated(&self) -> bool {
        self.unfoldings.truncated()
    }

    fn solve(&mut self, index: u32, unfolded: &Unfolded) {
        self.formulas += 1;
        let mut terms = Terms::clone(&unfolded.terms);
        let formula = Formula {
            disjuncts: vec![unfolded.heap.clone()],
        };
        let begin = Instant::now();
        // A fresh solver, so that the model is a function of the formula alone.
        let mut solver = Solver::new(
            &mut terms,
            &self.subject.definitions,
            config(&self.deadline),
        );
        let answer = solver.check(&mut terms, &formula);
        self.solving += begin.elapsed();
        let model = match answer {
            Answer::Sat(model) => *model,
            Answer::Unsat => {
                self.unsatisfiable += 1;
                return;
            }
            Answer::Unknown(_) => {
                self.unknown += 1;
                return;
            }
        };
        let inputs = match self.breadth {
            Breadth::Wide if self.varied < VARIED => {
                let inputs = wide_inputs_of(self.subject, unfolded, &model);
                self.varied += inputs.len();
                inputs
            }
            _ => inputs_of(self.subject, unfolded, model),
        };
        self.unknown += u64::from(inputs.is_empty());
        let inputs = inputs.into_iter().map(|input| (index, input));
        self.ready.extend(inputs);
    }
}

/// How many inputs are made by varying much; what comes later is varied little.
const VARIED: usize = 2_000;

/// The inputs that a model of a formula stands for: parameters that the formula does not mention,
/// and fields that it leaves open, have many values. Only those that the oracle confirms.
fn wide_inputs_of(subject: &Subject, unfolded: &Unfolded, model: &Model) -> Vec<Input> {
    let given: Vec<Option<Value>> = (subject.inputs.iter())
        .map(|parameter| model.stack.get(&parameter.variable).copied())
        .collect();
    let fields = free_fields(&unfolded.terms, &unfolded.heap, model);
    let sorts: Vec<_> = fields.iter().map(|field| field.sort).collect();
    let rows = wide_variations(subject, &given, &sorts, &model.heap).into_iter();
    let inputs = rows.filter_map(|mut row| {
        let contents = row.split_off(subject.inputs.len().min(row.len()));
        let mut model = model.clone();
        for (field, value) in fields.iter().zip(contents) {
            FreeField::set(field, &mut model, value)?;
        }
        input_of(subject, unfolded, model, row)
    });
    inputs.collect()
}

/// The inputs that a model of a formula stands for: parameters that the formula does not mention
/// are varied. Only those that the oracle confirms.
fn inputs_of(subject: &Subject, unfolded: &Unfolded, model: Model) -> Vec<Input> {
    let parameters = &subject.inputs;
    let given: Vec<Option<Value>> = (parameters.iter())
        .map(|parameter| model.stack.get(&parameter.variable).copied())
        .collect();
    let sorts = parameters.iter().map(|parameter| parameter.sort);
    let roots = (given.iter().copied().zip(sorts))
        .filter_map(|(value, sort)| Some((value?, sort)))
        .collect();
    let heap = model.heap.clone();
    let Some(completed) = complete_heap(&subject.program, &subject.rules, roots, heap) else {
        return Vec::new();
    };
    let varied = variations(subject, &given, &completed.heap).into_iter();
    varied
        .filter_map(|arguments| input_of(subject, unfolded, model.clone(), arguments))
        .collect()
}

/// The input that a model stands for with these arguments, if the oracle confirms it.
fn input_of(
    subject: &Subject,
    unfolded: &Unfolded,
    model: Model,
    arguments: Vec<Value>,
) -> Option<Input> {
    let parameters = &subject.inputs;
    let given = parameters.iter().filter_map(|parameter| {
        let value = model.stack.get(&parameter.variable).copied();
        Some((value?, parameter.sort))
    });
    let completed = complete_heap(
        &subject.program,
        &subject.rules,
        given.collect(),
        model.heap,
    )?;
    let derivation = unfolded.fold(model.derivation)?;
    let stack: Stack = (parameters.iter().zip(&arguments))
        .map(|(parameter, &value)| (parameter.variable, value))
        .collect();
    let witness = subject.precondition.as_ref().map(|_| Footprint {
        stack,
        derivation,
        frame: completed.frame,
    });
    let input = Input {
        arguments,
        heap: completed.heap,
        witness,
    };
    (oracle::precondition(subject, &input) == Verification::Holds).then_some(input)
}

impl Iterator for SpecificationInputs<'_> {
    type Item = (u32, Input);

    fn next(&mut self) -> Option<(u32, Input)> {
        while self.ready.is_empty() {
            if self.deadline.is_over() {
                return None;
            }
            let (index, unfolded) = self.unfoldings.next()?;
            self.solve(index, &unfolded);
        }
        self.ready.pop_front()
    }
}

impl FusedIterator for SpecificationInputs<'_> {}

fn config(deadline: &Deadline) -> Config {
    Config {
        arith: arithmetic(deadline),
        deadline: deadline.clone(),
        ..Config::default()
    }
}

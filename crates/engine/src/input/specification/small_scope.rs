//! All small inputs of a precondition: bounded-exhaustive testing, as Korat does it.
//!
//! A path asks for one input, and for as few objects as it looks at. What a method does to objects
//! that it does not look at is seen only where there are such objects. Most mistakes show on small
//! inputs if all of these are tried (the small scope hypothesis), so the solver enumerates the
//! models of the precondition by their number of objects.

use std::ops::ControlFlow;

use heapwright_logic::Deadline;
use heapwright_solver::Solver;

use super::unfolding::{Unfolded, Unfoldings};
use super::{config, from_specification, inputs_of};
use crate::input::Input;
use crate::subject::Subject;

/// Smaller numbers of objects than that of the smallest models are looked at up to this one.
const LARGEST: u32 = 8;

/// Models that are looked at, whether they become inputs or not.
const MODELS: u64 = 10_000;

/// Formulas that are solved where the models cannot be enumerated, and how often the precondition
/// is unfolded for them.
const FORMULAS: usize = 64;
const DEPTH: u32 = 3;

/// Inputs with at most `more` objects than the smallest ones that the precondition allows: all of
/// them up to isomorphism and the order of numbers, but for numbers beyond that and for the frame,
/// or the first `most`, smallest first.
pub fn small_inputs(subject: &Subject, more: u32, most: usize, deadline: &Deadline) -> Vec<Input> {
    let formulas: Vec<Unfolded> = (Unfoldings::new(subject, 0, usize::MAX))
        .map(|(_, formula)| formula)
        .collect();
    let mut terms = subject.terms.clone();
    let mut solver = Solver::new(&mut terms, &subject.definitions, config(deadline));
    let mut found: Vec<Input> = Vec::new();
    let mut largest = None;
    let mut models = 0;
    for size in 0.. {
        if size > largest.unwrap_or(LARGEST)
            || found.len() >= most
            || models >= MODELS
            || deadline.is_over()
        {
            break;
        }
        for formula in &formulas {
            // A formula that cannot be enumerated is left out; there may be others.
            let _ = solver.enumerate(&mut terms, &formula.heap, size..=size, &mut |enumerated| {
                if let Ok(model) = enumerated.model() {
                    found.extend(inputs_of(subject, formula, model));
                }
                models += 1;
                match found.len() >= most || models >= MODELS || deadline.is_over() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
        }
        if !found.is_empty() && largest.is_none() {
            largest = Some(size + more);
        }
    }
    if found.is_empty() {
        let unfolded = from_specification(subject, DEPTH, FORMULAS).until(deadline.clone());
        found.extend(unfolded.map(|(_, input)| input).take(most));
    }
    found.truncate(most);
    found
}

//! Going both ways at once.
//!
//! A run of a predicate that comes to a branch on something open would be copied, once for each
//! side. Where both sides do no more than compute, and meet again, one run can go on for both: what
//! they computed depends on the condition then. A tree with nine nodes of two colours is one run
//! instead of hundreds. State merging of this kind is known from Veritesting (Avgerinos and others,
//! ICSE 2014).
//!
//! A side that can only end with "no" is not gone at all: the condition has to be such that the
//! other one is taken.
//!
//! Structures on the two sides are different ones, though. What was not decided is remembered as
//! [forks](super::structure::Fork), and decided in the end, when all conditions are known.

use std::rc::Rc;

use heapwright_ir::machine::{ProgramPoint, Reached};
use heapwright_ir::{BlockId, Program, Terminator};
use heapwright_logic::{Sort, Term, TermId, Terms};

use super::partial_value::PartialValue;
use super::question::{Answer, StructureQuestion};
use super::refutation::is_no;
use super::regions::{Regions, RejectingResults};
use super::scalars::{Feasible, Kind, Scalars};
use super::structure::{Fork, Structure};
use super::truths::Truths;
use super::{Run, StructureStop};

/// How many instructions a side may have.
const STEPS: u64 = 100;

/// How deeply branches may be nested in each other.
const DEPTH: u32 = 6;

/// How many branches of a run may be merged: a run that goes in circles is better decided.
const FORKS: usize = 64;

/// What became of a branch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Merged {
    /// The run goes on behind it.
    Done,
    /// All ways end with "no".
    Refuted,
    /// It has to be decided.
    Not,
}

/// Goes on with a run that stopped at a condition, behind the branch on it.
pub fn merge<'p>(
    run: &mut Run<'p>,
    condition: TermId,
    regions: &mut Regions<'p>,
    program: &'p Program,
) -> Merged {
    Merge { regions, program }.branch(run, condition, DEPTH)
}

struct Merge<'r, 'p> {
    regions: &'r mut Regions<'p>,
    program: &'p Program,
}

/// How a side of a branch ends.
enum Side<'p> {
    /// With "no".
    No,
    /// Where both sides meet.
    Join(Run<'p>),
    /// With a result of the call.
    Return(Run<'p>, PartialValue),
    /// In a way that cannot be merged.
    Other,
}

impl<'p> Merge<'_, 'p> {
    fn branch(&mut self, run: &mut Run<'p>, condition: TermId, depth: u32) -> Merged {
        let mut calls = run.machine.calls();
        let Some(point) = calls.next_back() else {
            return Merged::Not;
        };
        let has_caller = calls.len() > 0;
        let rejecting = self.regions.rejecting_results(calls);
        let Some((then, otherwise)) = self.branch_at(point) else {
            return Merged::Not;
        };
        let Some(detour) = self.regions.detour(point.function, point.block, rejecting) else {
            return Merged::Not;
        };
        let open = StructureQuestion::Condition(condition);
        if let Some(sole) = detour.sole
            && then != otherwise
        {
            let answers = run.machine.domain.answers(&open);
            let taken = sole == then;
            let is_taken =
                |answer: &&Answer| matches!(answer, Answer::Condition(holds, _) if *holds == taken);
            return match answers.iter().find(is_taken) {
                None => Merged::Refuted,
                Some(answer) => match run.machine.domain.answer(&open, answer) {
                    Ok(()) => Merged::Done,
                    Err(_) => Merged::Not,
                },
            };
        }
        let Some(depth) = depth.checked_sub(1) else {
            return Merged::Not;
        };
        if run.machine.domain.structure.forks.len() >= FORKS {
            return Merged::Not;
        }
        let is_of_truths = run.machine.domain.scalars.borrow_mut().kind(condition) == Kind::Truths;
        let effects = &mut self.regions.effects;
        let written = effects.in_memory(detour.effects, &run.machine.domain.memory);
        let can_be_merged =
            effects.is_nothing(written) && is_of_truths && (detour.join.is_some() || has_caller);
        if !can_be_merged {
            return Merged::Not;
        }
        let answers = run.machine.domain.answers(&open);
        let [first, second] = &answers[..] else {
            return Merged::Not;
        };
        let mut sides = [first, second].map(|answer| {
            let mut side = run.clone();
            match side.machine.domain.answer(&open, answer) {
                Ok(()) => self.side(side, detour.join, rejecting, depth),
                Err(_) => Side::Other,
            }
        });
        match &mut sides {
            [Side::No, Side::No] => Merged::Refuted,
            [Side::No, Side::Join(side)] | [Side::Join(side), Side::No] => {
                std::mem::swap(run, side);
                Merged::Done
            }
            [Side::Join(yes), Side::Join(no)] => {
                let joined = self.join(run, condition, yes, no, point, detour.join);
                if joined.is_none() {
                    return Merged::Not;
                }
                std::mem::swap(run, yes);
                Merged::Done
            }
            [Side::Return(yes, a), Side::Return(no, b)] => {
                let Some(value) = either(yes, condition, *a, *b) else {
                    return Merged::Not;
                };
                if assume_either(run, condition, yes, no).is_none() {
                    return Merged::Not;
                }
                std::mem::swap(run, yes);
                match run.machine.leave_with(value) {
                    true => Merged::Done,
                    false => Merged::Not,
                }
            }
            _ => Merged::Not,
        }
    }

    /// The two ways of the branch at a point, if it is one.
    fn branch_at(&self, point: ProgramPoint) -> Option<(BlockId, BlockId)> {
        let function = self.program.functions.get(point.function.index())?;
        let block = function.blocks.get(point.block.index())?;
        match block.terminator {
            Terminator::Branch {
                then, otherwise, ..
            } if point.instruction as usize == block.instructions.len() => Some((then, otherwise)),
            _ => None,
        }
    }

    /// Goes one side of a branch, to where both meet.
    fn side(
        &mut self,
        mut run: Run<'p>,
        join: Option<BlockId>,
        rejecting: RejectingResults,
        depth: u32,
    ) -> Side<'p> {
        let height = run.machine.calls().len();
        loop {
            match run.machine.resume_to(join, height, STEPS) {
                Ok(Reached::Block) => return Side::Join(run),
                Ok(Reached::Return(Some(PartialValue::Concrete(value))))
                    if self.regions.means_no(value, rejecting) =>
                {
                    return Side::No;
                }
                Ok(Reached::Return(Some(value))) => return Side::Return(run, value),
                Ok(Reached::End(outcome)) if is_no(&outcome) => return Side::No,
                Ok(Reached::End(_) | Reached::Return(None) | Reached::Elsewhere) => {
                    return Side::Other;
                }
                Err(StructureStop::Ask(StructureQuestion::Condition(condition))) => {
                    match self.branch(&mut run, condition, depth) {
                        Merged::Done => {}
                        Merged::Refuted => return Side::No,
                        Merged::Not => return Side::Other,
                    }
                }
                Err(StructureStop::Infeasible) => return Side::No,
                Err(_) => return Side::Other,
            }
        }
    }

    /// Makes one run of two that have met.
    fn join(
        &mut self,
        before: &Run<'p>,
        condition: TermId,
        yes: &mut Run<'p>,
        no: &Run<'p>,
        point: ProgramPoint,
        join: Option<BlockId>,
    ) -> Option<()> {
        let liveness = self.regions.liveness(point.function)?;
        for register in liveness.at(join?) {
            let (a, b) = (
                yes.machine.register(register),
                no.machine.register(register),
            );
            let (Some(&a), Some(&b)) = (a, b) else {
                return None;
            };
            if a != b {
                let value = either(yes, condition, a, b)?;
                yes.machine.assign(register, value);
            }
        }
        assume_either(before, condition, yes, no)
    }
}

/// The value that is one thing if a condition holds, and another if not. References stay as they
/// are, or are not merged.
fn either(
    run: &Run<'_>,
    condition: TermId,
    a: PartialValue,
    b: PartialValue,
) -> Option<PartialValue> {
    if a == b {
        return Some(a);
    }
    let mut scalars = run.machine.domain.scalars.borrow_mut();
    let terms = &mut scalars.terms;
    let (a, b) = (a.term(terms)?, b.term(terms)?);
    // Numbers that depend on truth values make questions about numbers harder than deciding does.
    if !scalars.is_of_truths(a) || !scalars.is_of_truths(b) {
        return None;
    }
    let terms = &mut scalars.terms;
    let (a, b) = (unwrapped(terms, a), unwrapped(terms, b));
    let term = match terms.sort(a) {
        // What both have in common is a summand beside what depends on the condition, or nested
        // conditions would double it again and again.
        Sort::Int | Sort::Machine(_) => {
            let difference = terms.sub(a, b);
            let parts = |terms: &Terms, term| terms.linear_of(term).summands.len();
            match parts(terms, difference) < parts(terms, a) + parts(terms, b) {
                true => {
                    let zero = terms.int(0);
                    let added = terms.ite(condition, difference, zero);
                    terms.add(b, added)
                }
                false => terms.ite(condition, a, b),
            }
        }
        _ => terms.ite(condition, a, b),
    };
    Some(PartialValue::of(terms, term))
}

/// The same number without wrapping around where it cannot.
pub fn unwrapped(terms: &Terms, term: TermId) -> TermId {
    match *terms.get(term) {
        Term::Wrap(ty, inner) => {
            let bounds = Truths::default().bounds(terms, inner);
            match bounds.within(heapwright_solver::arith::Interval::of_type(ty)) {
                true => inner,
                false => term,
            }
        }
        _ => term,
    }
}

/// Makes the conditions and forks of one side those of both. Nothing if a side has done more than
/// to compute.
fn assume_either(
    before: &Run<'_>,
    condition: TermId,
    yes: &mut Run<'_>,
    no: &Run<'_>,
) -> Option<()> {
    let memory = &before.machine.domain.memory;
    if !yes.machine.domain.memory.is_copy_of(memory) || !no.machine.domain.memory.is_copy_of(memory)
    {
        return None;
    }
    let known = &before.machine.domain.structure;
    let (conditions, forks) = (known.conditions.len(), known.forks.len());
    let no = &no.machine.domain.structure;
    let scalars = Rc::clone(&yes.machine.domain.scalars);
    let terms = &mut scalars.borrow_mut().terms;
    let yes = &mut yes.machine.domain.structure;
    let negation = terms.not(condition);
    // The first condition of each side is the one that it stands for.
    let mut added = Vec::new();
    for (guard, side) in [(condition, &*yes), (negation, no)] {
        for &consequence in side.conditions.get(conditions + 1..)? {
            added.push(terms.implies(guard, consequence));
        }
    }
    let mut nested = vec![Fork {
        guard: Terms::TRUE,
        condition,
    }];
    for (side, structure) in [(condition, &*yes), (negation, no)] {
        for fork in structure.forks.get(forks..)? {
            nested.push(Fork {
                guard: terms.and([side, fork.guard]),
                ..*fork
            });
        }
    }
    yes.conditions.truncate(conditions);
    yes.conditions.extend(added);
    yes.forks.truncate(forks);
    yes.forks.extend(nested);
    Some(())
}

/// Decides the next fork of a structure. Returns the structure on the other side, if there is one.
pub fn decide_fork(
    scalars: &mut Scalars,
    structure: &mut Structure,
    fork: Fork,
) -> Option<Structure> {
    if scalars.holds(&structure.model, fork.guard) != Some(true) {
        return None;
    }
    let negation = scalars.terms.not(fork.condition);
    let (here, there) = match scalars.holds(&structure.model, fork.condition)? {
        true => (fork.condition, negation),
        false => (negation, fork.condition),
    };
    if structure.conditions.contains(&here) {
        return None;
    }
    let other = match scalars.check_also(&structure.conditions, there, &structure.model) {
        Feasible::With(model) => {
            let mut other = structure.clone();
            other.conditions.push(there);
            other.model = Rc::new(model);
            Some(other)
        }
        Feasible::Never => None,
        Feasible::Perhaps => {
            scalars.left_out += 1;
            None
        }
    };
    structure.conditions.push(here);
    other
}

/// Leaves out the conditions that follow from the truth values of a structure that are known.
pub fn simplify(scalars: &mut Scalars, structure: &mut Structure) {
    let literals = structure.conditions.iter();
    let literals = literals.filter_map(|&condition| scalars.literal(condition));
    let truths: Truths = literals.collect();
    let is_needed = |&condition: &TermId| {
        scalars.literal(condition).is_some() || truths.decide(&scalars.terms, condition).is_none()
    };
    structure.conditions.retain(is_needed);
}

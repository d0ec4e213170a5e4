//! Widening: a proof that a run which goes round in a circle never says "yes".
//!
//! A predicate that counts the nodes of a list, and compares the count with a field, goes round a
//! circle of nodes as often as the field says: since that is a symbol, for ever. Yet it is seen
//! after one round that nothing but the count changes. So the numbers that change are forgotten,
//! and one more round is gone: if every way says "no", or comes back to where it began, then no
//! run from there ever says anything else. This is a proof by induction on the length of the run,
//! with the forgetting as *widening* (Cousot and Cousot, POPL 1977).
//!
//! A recursive predicate does not come back in the same call but in a deeper one. What such a call
//! returns is then what the outer one does, which is found out by going round more than once: at
//! first it is taken to return nothing at all.

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::{ProgramPoint, Reached};
use heapwright_ir::{BlockId, FunctionId, Program, Reg};
use heapwright_logic::{Sort, TermId};

use super::merge::{Merged, merge};
use super::partial_value::PartialValue;
use super::question::StructureQuestion;
use super::refutation::is_no;
use super::regions::{Regions, RejectingResults};
use super::structure::Reference;
use super::{Partial, Run, StructureStop};

/// How many questions about numbers a run answers without coming to a new reference until it is
/// suspected.
const PATIENCE: u32 = 8;

/// How many places on its way are taken for the beginning of a circle.
const BEGINNINGS: usize = 6;

/// How often a circle is gone round.
const ROUNDS: usize = 6;

/// How many ways a round may have.
const WAYS: usize = 32;

/// How many conditions all ways together may come to.
const CONDITIONS: usize = 64;

/// How many instructions a run may go between two conditions.
const STEPS: u64 = 1_000;

/// Whether a run has answered so many questions about numbers that it may go round. Asked at every
/// one of them, this is true for few.
pub fn is_suspect(run: &Run<'_>) -> bool {
    let answered = run.machine.domain.answered;
    answered >= PATIENCE && answered.is_power_of_two()
}

/// Whether a run that stopped at a condition can only say "no", or nothing at all, as far as going
/// round shows. Where that was of no use before, it is not even tried.
pub fn never_holds<'p>(run: &Run<'p>, regions: &mut Regions<'p>, program: &'p Program) -> bool {
    let Some(point) = run.machine.calls().next_back() else {
        return false;
    };
    let place = (point.function, point.block);
    if !regions.widening.entry(place).or_default().wanted() {
        return false;
    }
    let mut widening = Widening {
        regions,
        program,
        place,
        conditions: CONDITIONS,
    };
    // What is not decided here is of no consequence elsewhere.
    let scalars = &run.machine.domain.scalars;
    let undecided = scalars.borrow().unknown;
    let is_refuted = widening.refute(run.clone());
    scalars.borrow_mut().unknown = undecided;
    regions.widening.entry(place).or_default().learn(is_refuted);
    is_refuted
}

struct Widening<'r, 'p> {
    regions: &'r mut Regions<'p>,
    program: &'p Program,
    /// Where circles begin.
    place: (FunctionId, BlockId),
    /// How many conditions may be come to.
    conditions: usize,
}

/// What is to be shown of all runs from the beginning of a circle.
#[derive(Default)]
struct Claim {
    /// The registers whose numbers do not matter.
    forgotten: Vec<Reg>,
    /// What the call can return.
    results: Vec<Concrete>,
}

/// How far a run came.
enum Way {
    /// To the place where the circle begins.
    Beginning,
    /// To a "no".
    No,
    /// To the end of the call, which returns this.
    Return(Concrete),
    /// To a condition on which it depends how it goes on.
    Parts(TermId),
    /// To something that is not looked into.
    Other,
}

/// How a round ended.
enum Round {
    /// All ways say "no", lead back or return what they may.
    Closed,
    /// The claim was too strong, and is weaker now.
    Again,
    /// Something else is possible.
    Open,
}

impl<'p> Widening<'_, 'p> {
    /// Whether the run goes round a circle from where no way leads to a "yes".
    fn refute(&mut self, mut run: Run<'p>) -> bool {
        for _ in 0..BEGINNINGS {
            let Some(begin) = self.begin(run) else {
                return false;
            };
            if self.close(&begin) {
                return true;
            }
            // It may have begun in a call that returns.
            run = begin;
        }
        false
    }

    /// The run where it comes to its place again, which is where the circle begins. Nothing if
    /// there is another way than that, besides those that say "no".
    fn begin(&mut self, run: Run<'p>) -> Option<Run<'p>> {
        let mut begin = None;
        let mut ways = vec![run];
        for _ in 0..WAYS {
            let Some(mut way) = ways.pop() else { break };
            match self.go(&mut way, 1) {
                Way::No => {}
                Way::Parts(condition) => ways.extend(parts(&mut way, condition)),
                Way::Beginning if begin.is_none() => begin = Some(way),
                Way::Beginning | Way::Return(_) | Way::Other => return None,
            }
        }
        begin.filter(|_| ways.is_empty())
    }

    /// Whether no run that begins here ever says "yes".
    fn close(&mut self, begin: &Run<'p>) -> bool {
        let mut claim = Claim::default();
        for _ in 0..ROUNDS {
            match self.round(begin, &mut claim) {
                Round::Closed => {
                    let mut results = claim.results.iter();
                    return results.all(|&result| self.is_refuted_by(begin, result));
                }
                Round::Again => {}
                Round::Open => return false,
            }
        }
        false
    }

    /// Goes all ways from the beginning to where they come back.
    fn round(&mut self, begin: &Run<'p>, claim: &mut Claim) -> Round {
        let height = begin.machine.calls().len();
        let mut start = begin.clone();
        for &register in &claim.forgotten {
            if !self.forget(&mut start, register) {
                return Round::Open;
            }
        }
        let mut ways = vec![start];
        for _ in 0..WAYS {
            let Some(mut way) = ways.pop() else {
                return Round::Closed;
            };
            match self.go(&mut way, height) {
                Way::No => {}
                Way::Other => return Round::Open,
                Way::Parts(condition) => ways.extend(parts(&mut way, condition)),
                Way::Return(result) if claim.results.contains(&result) => {}
                Way::Return(result) => {
                    claim.results.push(result);
                    return Round::Again;
                }
                Way::Beginning => {
                    let Some(mut changes) = self.changes(begin, &way) else {
                        // Another node of the circle.
                        ways.push(way);
                        continue;
                    };
                    changes.retain(|register| !claim.forgotten.contains(register));
                    if !changes.is_empty() {
                        claim.forgotten.extend(changes);
                        return Round::Again;
                    }
                    if way.machine.calls().len() > height {
                        ways.extend(
                            claim
                                .results
                                .iter()
                                .filter_map(|&result| left(&way, result)),
                        );
                    }
                }
            }
        }
        Round::Open
    }

    /// Whether a run says "no" if its innermost call returns something.
    fn is_refuted_by(&mut self, run: &Run<'p>, result: Concrete) -> bool {
        let mut ways = Vec::from_iter(left(run, result));
        if ways.is_empty() {
            return false;
        }
        for _ in 0..WAYS {
            let Some(mut way) = ways.pop() else {
                return true;
            };
            match self.go(&mut way, 1) {
                Way::No => {}
                Way::Parts(condition) => ways.extend(parts(&mut way, condition)),
                Way::Beginning | Way::Return(_) | Way::Other => return false,
            }
        }
        false
    }

    /// Makes a register of the innermost call any number.
    fn forget(&self, run: &mut Run<'p>, register: Reg) -> bool {
        let function = self.program.functions.get(self.place.0.index());
        let info = function.and_then(|function| function.registers.get(register.index()));
        let Some(sort @ (Sort::Bool | Sort::Machine(_))) = info.map(|info| info.sort) else {
            return false;
        };
        let mut scalars = run.machine.domain.scalars.borrow_mut();
        // No object has so many fields that one of its numbers had this name.
        let name = scalars.name(u32::MAX, register.0, sort);
        let value = PartialValue::Term(scalars.terms.var(name));
        drop(scalars);
        run.machine.assign(register, value);
        true
    }

    /// The registers with other numbers than in the beginning, if nothing else is different.
    fn changes(&mut self, begin: &Run<'p>, way: &Run<'p>) -> Option<Vec<Reg>> {
        let (before, after) = (&begin.machine.domain, &way.machine.domain);
        if !after.memory.is_copy_of(&before.memory) {
            return None;
        }
        let (function, block) = self.place;
        let liveness = self.regions.liveness(function)?;
        let mut changes = Vec::new();
        for register in liveness.at(block) {
            let old = *begin.machine.register(register)?;
            let new = *way.machine.register(register)?;
            if old.is_reference() || new.is_reference() {
                if before.decided(old) != after.decided(new) {
                    return None;
                }
            } else if old != new {
                changes.push(register);
            }
        }
        Some(changes)
    }

    /// Goes on to the place, to the end of the call that is this number of calls deep, or to where
    /// there is more than one way.
    fn go(&mut self, run: &mut Run<'p>, height: usize) -> Way {
        let place = self.place;
        let is_place =
            |point: ProgramPoint| (point.function, point.block) == place && point.instruction == 0;
        while self.conditions > 0 {
            self.conditions -= 1;
            let condition = match run.machine.resume_until(height, STEPS, is_place) {
                Ok(Reached::Block) => return Way::Beginning,
                Ok(Reached::End(outcome)) if is_no(&outcome) => return Way::No,
                Ok(Reached::Return(Some(PartialValue::Concrete(value)))) => {
                    return match height == 1
                        && self.regions.means_no(value, RejectingResults::FALSE)
                    {
                        true => Way::No,
                        false => Way::Return(value),
                    };
                }
                Err(StructureStop::Infeasible) => return Way::No,
                Err(StructureStop::Ask(StructureQuestion::Condition(condition))) => condition,
                Ok(_) | Err(_) => return Way::Other,
            };
            match merge(run, condition, self.regions, self.program) {
                Merged::Done => {}
                Merged::Refuted => return Way::No,
                Merged::Not => return Way::Parts(condition),
            }
        }
        Way::Other
    }
}

/// A run that depends on a condition, once for each answer.
fn parts<'p>(run: &mut Run<'p>, condition: TermId) -> Vec<Run<'p>> {
    let open = StructureQuestion::Condition(condition);
    let answers = run.machine.domain.answers(&open);
    let part = |answer| {
        let mut part = run.clone();
        part.machine.domain.answer(&open, answer).ok()?;
        Some(part)
    };
    answers.iter().filter_map(part).collect()
}

/// A run whose innermost call has returned something, if there is a caller.
fn left<'p>(run: &Run<'p>, result: Concrete) -> Option<Run<'p>> {
    let mut run = run.clone();
    run.machine
        .leave_with(PartialValue::Concrete(result))
        .then_some(run)
}

impl Partial<'_> {
    /// What a reference is, if that is decided; otherwise which one it is.
    fn decided(&self, value: PartialValue) -> PartialValue {
        let PartialValue::Open(slot) = value else {
            return value;
        };
        let known = match self.structure.chosen(slot) {
            None => None,
            Some(Reference::Null) => Some(Concrete::Null),
            Some(Reference::Object(number)) => {
                let object = self.placed.get(number as usize);
                object.map(|&object| Concrete::object(object))
            }
        };
        known.map_or(value, PartialValue::Concrete)
    }
}

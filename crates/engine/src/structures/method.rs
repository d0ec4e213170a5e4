//! All paths of a method on structures.
//!
//! *Black box*: the structure is complete, as far as the predicate looks at it; the method forks
//! only where its arguments and the numbers are open.
//!
//! *White box*: nothing is decided at first. The method decides what it looks at, and after every
//! such decision the predicate says whether a valid completion is left; when a path has ended, the
//! predicate completes its structure.
//!
//! What a path leaves behind may be *checked*: the predicate is run once more, on the memory as it
//! is then. Where it depends on numbers whether it still holds, those are found for which it does
//! not, though the method has no branch for them.

use std::rc::Rc;

use heapwright_ir::FunctionId;
use heapwright_ir::machine::{Budgets, MachineError, MachineOutcome, Missing};
use heapwright_logic::Deadline;

use super::partial_value::PartialValue;
use super::question::{Answer, StructureQuestion};
use super::refutation::is_no;
use super::search::Structures;
use super::structure::Structure;
use super::widening::is_suspect;
use super::witness::Witness;
use super::{Partial, Run, StructureStop};

/// The paths of a method, an iterator over the structures that take them.
pub struct Paths<'p> {
    partial: Partial<'p>,
    budgets: Budgets,
    waiting: Vec<Waiting<'p>>,
    first: Option<Run<'p>>,
    pruning: Option<Pruning<'p>>,
    /// What is checked when a path has ended.
    promise: Option<FunctionId>,
    /// Paths that have ended and are not checked yet.
    ended: Vec<Going<'p>>,
    is_enumerated: bool,
    /// All valid structures, until the first run has begun.
    table: Witnesses,
    deadline: Deadline,
    /// Paths that no valid structure takes.
    pub infeasible: u64,
    /// Paths that could not be followed to the end.
    pub unsupported: u64,
}

/// Where more numbers than these can be told apart, one stands for all of them.
const NUMBERS: usize = 16;

/// How many valid structures are enumerated, so that completions can be looked up.
const TABLE: usize = 3_000;

/// How many runs of the predicate that may take.
const CANDIDATES: u64 = 10_000_000;

/// Validity, while the method runs.
struct Pruning<'p> {
    structures: Structures<'p>,
    /// Whether all valid structures within the scope are known, so that what none of them
    /// completes cannot be completed.
    is_complete: bool,
}

/// Completions of what a run knows: all within the scope if all valid structures are known,
/// otherwise one, or none if there was nothing to look for.
type Witnesses = Rc<Vec<Witness>>;

/// A run with completions of what it knows.
type Going<'p> = (Run<'p>, Witnesses);

/// Whether what a run knows can be completed.
enum Completed {
    /// Not within the scope.
    Never,
    /// By these structures, if any were looked for.
    By(Witnesses),
}

struct Waiting<'p> {
    run: Run<'p>,
    /// Completions of what the run knows.
    witnesses: Witnesses,
    open: StructureQuestion,
    answers: std::vec::IntoIter<Answer>,
}

impl<'p> Paths<'p> {
    /// The paths of a function on a structure. After the deadline there are no more.
    pub fn new(
        partial: &Partial<'p>,
        structure: &Structure,
        function: FunctionId,
        budgets: Budgets,
    ) -> Result<Paths<'p>, StructureStop> {
        let start = partial.restarted(structure)?;
        Ok(Paths {
            partial: partial.clone(),
            budgets,
            waiting: Vec::new(),
            first: Some(start.start(budgets, function)),
            pruning: None,
            promise: None,
            ended: Vec::new(),
            is_enumerated: false,
            table: Witnesses::default(),
            deadline: partial.deadline.clone(),
            infeasible: 0,
            unsupported: 0,
        })
    }

    /// Of these, only those that structures take for which a predicate holds.
    pub fn valid(mut self, predicate: FunctionId) -> Paths<'p> {
        let structures = Structures::new(self.partial.clone(), predicate, self.budgets);
        self.pruning = Some(Pruning {
            structures,
            is_complete: false,
        });
        self
    }

    /// Also structures for which a predicate does not hold afterwards, if there are such.
    pub fn checked(mut self, predicate: FunctionId) -> Paths<'p> {
        self.promise = Some(predicate);
        self
    }

    /// All valid structures within the scope, if there are not too many.
    fn enumerate(&mut self) -> Result<Witnesses, Missing> {
        let Some(pruning) = &mut self.pruning else {
            return Ok(Witnesses::default());
        };
        let start = self.partial.structure.clone();
        let structures = &mut pruning.structures;
        structures.restart(self.partial.clone());
        let mut table = Vec::new();
        while let Some(found) = structures.next().transpose()? {
            table.push(Witness::new(&start, found));
            if table.len() > TABLE || structures.effort.candidates > CANDIDATES {
                return Ok(Witnesses::default());
            }
        }
        let effort = &structures.effort;
        pruning.is_complete = !effort.expired && effort.unsupported == 0;
        Ok(match pruning.is_complete {
            true => Rc::new(table),
            false => Witnesses::default(),
        })
    }

    /// Runs of the predicate to the end.
    pub fn candidates(&self) -> u64 {
        let pruning = self.pruning.as_ref();
        pruning.map_or(0, |pruning| pruning.structures.effort.candidates)
    }

    fn next_run(&mut self) -> Result<Option<Going<'p>>, Missing> {
        if self.first.is_some() && !self.is_enumerated {
            self.is_enumerated = true;
            self.table = self.enumerate()?;
        }
        if let Some(first) = self.first.take() {
            return Ok(Some((first, std::mem::take(&mut self.table))));
        }
        if let Some(ended) = self.ended.pop() {
            return Ok(Some(ended));
        }
        while let Some(waiting) = self.waiting.last_mut() {
            let Some(answer) = waiting.answers.next() else {
                self.waiting.pop();
                continue;
            };
            let (mut run, open) = (waiting.run.clone(), waiting.open.clone());
            let witnesses = Rc::clone(&waiting.witnesses);
            if run.machine.domain.answer(&open, &answer).is_err() {
                continue;
            }
            match self.completed(&run, &open, witnesses)? {
                Completed::Never => self.infeasible += 1,
                Completed::By(witnesses) => return Ok(Some((run, witnesses))),
            }
        }
        Ok(None)
    }

    /// Valid completions of what a run knows after an answer. If the question was about numbers,
    /// they are only looked for where a run goes round and round: a loop up to a number that no
    /// valid structure has would be followed for ever.
    fn completed(
        &mut self,
        run: &Run<'p>,
        open: &StructureQuestion,
        witnesses: Witnesses,
    ) -> Result<Completed, Missing> {
        let structure = &run.machine.domain.structure;
        if matches!(
            open,
            StructureQuestion::Condition(_) | StructureQuestion::Number { .. }
        ) {
            if self.pruning.is_some()
                && is_suspect(run)
                && self.complete(structure.clone(), &witnesses)?.is_none()
            {
                return Ok(Completed::Never);
            }
            return Ok(Completed::By(witnesses));
        }
        let followed = witnesses.iter();
        let followed: Vec<Witness> = followed
            .filter_map(|witness| witness.follow(open, structure))
            .collect();
        if !followed.is_empty() {
            return Ok(Completed::By(Rc::new(followed)));
        }
        let Some(pruning) = &mut self.pruning else {
            return Ok(Completed::By(witnesses));
        };
        if pruning.is_complete {
            return Ok(Completed::Never);
        }
        let Ok(restarted) = self.partial.restarted(structure) else {
            return Ok(Completed::By(Witnesses::default()));
        };
        let unsupported = pruning.structures.effort.unsupported;
        pruning.structures.complete(restarted);
        Ok(match pruning.structures.next().transpose()? {
            None => {
                self.unsupported += pruning.structures.effort.unsupported - unsupported;
                Completed::Never
            }
            Some(found) => Completed::By(Rc::new(vec![Witness::new(structure, found)])),
        })
    }

    /// Completes the structure of a path.
    fn complete(
        &mut self,
        structure: Structure,
        witnesses: &[Witness],
    ) -> Result<Option<Structure>, Missing> {
        let Some(pruning) = &mut self.pruning else {
            return Ok(Some(structure));
        };
        for witness in witnesses {
            let Some(shaped) = witness.shape(&self.partial, &structure) else {
                continue;
            };
            pruning.structures.restart(shaped);
            if let Some(found) = pruning.structures.next().transpose()? {
                return Ok(Some(found));
            }
        }
        if pruning.is_complete {
            return Ok(None);
        }
        let Ok(restarted) = self.partial.restarted(&structure) else {
            return Ok(None);
        };
        let unsupported = pruning.structures.effort.unsupported;
        pruning.structures.complete(restarted);
        let found = pruning.structures.next().transpose()?;
        if found.is_none() {
            self.unsupported += pruning.structures.effort.unsupported - unsupported;
        }
        Ok(found)
    }

    fn follow(
        &mut self,
        mut run: Run<'p>,
        witnesses: Witnesses,
    ) -> Result<Option<Structure>, Missing> {
        match run.go() {
            Ok(outcome) if run.is_check => {
                let Some(structure) = violating(&mut run, &outcome) else {
                    return Ok(None);
                };
                self.complete(structure, &witnesses)
            }
            Ok(outcome) => {
                let structure = run.machine.domain.structure.clone();
                let is_over = matches!(
                    outcome,
                    MachineOutcome::Returned(_) | MachineOutcome::Threw { .. }
                );
                let is_checked = is_over && !run.machine.domain.has_freed_argument();
                if let Some(predicate) = self.promise.filter(|_| is_checked) {
                    let check = run.followed_by(predicate);
                    self.ended.push((check, Rc::clone(&witnesses)));
                }
                let completed = self.complete(structure, &witnesses)?;
                self.infeasible += u64::from(completed.is_none());
                Ok(completed)
            }
            Err(StructureStop::Ask(open)) => {
                let domain = &mut run.machine.domain;
                let answers = match &open {
                    // A table that a number is looked up in: the digits of a message, as a rule.
                    StructureQuestion::Number {
                        term,
                        cases: Some(cases),
                    } if cases.len() > NUMBERS => {
                        self.unsupported += 1;
                        let likely = domain.likely_number(*term, cases);
                        likely.map_or_else(|| domain.answers(&open), |answer| vec![answer])
                    }
                    _ => domain.answers(&open),
                };
                self.waiting.push(Waiting {
                    run,
                    witnesses,
                    open,
                    answers: answers.into_iter(),
                });
                Ok(None)
            }
            Err(StructureStop::Machine(MachineError::Missing(missing))) => Err(missing),
            Err(StructureStop::Infeasible) => Ok(None),
            Err(
                StructureStop::Unknown | StructureStop::Unsupported | StructureStop::Machine(_),
            ) => {
                self.unsupported += 1;
                Ok(None)
            }
        }
    }
}

/// The structure of a run of a predicate that has ended, if the predicate does not hold.
fn violating(run: &mut Run<'_>, outcome: &MachineOutcome<PartialValue>) -> Option<Structure> {
    let domain = &mut run.machine.domain;
    if let MachineOutcome::Returned(Some(PartialValue::Term(term))) = *outcome {
        let open = StructureQuestion::Condition(term);
        let answers = domain.answers(&open);
        let is_no = |answer: &&Answer| matches!(answer, Answer::Condition(false, _));
        domain.answer(&open, answers.iter().find(is_no)?).ok()?;
    } else if !is_no(outcome) {
        return None;
    }
    Some(std::mem::take(&mut domain.structure))
}

impl Iterator for Paths<'_> {
    type Item = Result<Structure, Missing>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if self.deadline.is_over() {
                return None;
            }
            let (run, witnesses) = match self.next_run() {
                Ok(Some(going)) => going,
                Ok(None) => return None,
                Err(name) => return Some(Err(name)),
            };
            match self.follow(run, witnesses) {
                Ok(None) => {}
                Ok(Some(structure)) => return Some(Ok(structure)),
                Err(name) => return Some(Err(name)),
            }
        }
    }
}

//! All paths of a method on structures.
//!
//! *Black box*: the structure is complete, as far as the predicate looks at it; the method forks
//! only where its arguments and the numbers are open.
//!
//! *White box*: nothing is decided at first. The method decides what it looks at, and after every
//! such decision the predicate says whether a valid completion is left; when a path has ended, the
//! predicate completes its structure.

use std::rc::Rc;
use std::time::Instant;

use heapwright_ir::FunctionId;
use heapwright_ir::machine::{Budgets, MachineError};

use super::question::{Answer, Open};
use super::search::Structures;
use super::structure::Structure;
use super::witness::Witness;
use super::{Partial, Run, Stop};
use crate::interrupt::Interrupt;

/// The paths of a method, an iterator over the structures that take them.
pub struct Paths<'p> {
    partial: Partial<'p>,
    budgets: Budgets,
    waiting: Vec<Waiting<'p>>,
    first: Option<Run<'p>>,
    pruning: Option<Pruning<'p>>,
    deadline: Option<Instant>,
    interrupt: Interrupt,
    /// Paths that no valid structure takes.
    pub infeasible: u64,
    /// Paths that could not be followed to the end.
    pub unsupported: u64,
    /// Answers that only the scope ruled out.
    pub cut: u64,
}

/// Validity, while the method runs.
struct Pruning<'p> {
    predicate: FunctionId,
    structures: Structures<'p>,
}

/// A run with a completion of what it knows.
type Going<'p> = (Run<'p>, Option<Rc<Witness>>);

/// Whether what a run knows can be completed.
enum Completed {
    /// Not within the scope.
    Never,
    /// By this structure, if one was looked for.
    By(Option<Rc<Witness>>),
}

struct Waiting<'p> {
    run: Run<'p>,
    /// A completion of what the run knows.
    witness: Option<Rc<Witness>>,
    open: Open,
    answers: std::vec::IntoIter<Answer>,
}

impl<'p> Paths<'p> {
    /// The paths of a function on a structure.
    pub fn new(
        partial: &Partial<'p>,
        structure: &Structure,
        function: FunctionId,
        budgets: Budgets,
    ) -> Result<Paths<'p>, Stop> {
        let start = partial.restarted(structure)?;
        Ok(Paths {
            partial: partial.clone(),
            budgets,
            waiting: Vec::new(),
            first: Some(start.start(budgets, function)),
            pruning: None,
            deadline: None,
            interrupt: Interrupt::default(),
            infeasible: 0,
            unsupported: 0,
            cut: 0,
        })
    }

    /// Of these, only those that structures take for which a predicate holds.
    pub fn valid(mut self, predicate: FunctionId) -> Paths<'p> {
        let structures = Structures::new(self.partial.clone(), predicate, self.budgets);
        self.pruning = Some(Pruning {
            predicate,
            structures,
        });
        self
    }

    /// Gives up at a deadline, or when somebody interrupts; then there are no more paths.
    pub fn until(mut self, deadline: Option<Instant>, interrupt: Interrupt) -> Paths<'p> {
        self.deadline = deadline;
        self.interrupt = interrupt.clone();
        if let Some(Pruning {
            predicate,
            structures,
        }) = self.pruning.take()
        {
            self.pruning = Some(Pruning {
                predicate,
                structures: structures.until(deadline, interrupt),
            });
        }
        self
    }

    /// Runs of the predicate to the end.
    pub fn candidates(&self) -> u64 {
        let pruning = self.pruning.as_ref();
        pruning.map_or(0, |pruning| pruning.structures.effort.candidates)
    }

    fn next_run(&mut self) -> Result<Option<Going<'p>>, String> {
        if let Some(first) = self.first.take() {
            return Ok(Some((first, None)));
        }
        while let Some(waiting) = self.waiting.last_mut() {
            let Some(answer) = waiting.answers.next() else {
                self.waiting.pop();
                continue;
            };
            let (mut run, open) = (waiting.run.clone(), waiting.open.clone());
            let witness = waiting.witness.clone();
            if run.machine.domain.answer(&open, &answer).is_err() {
                continue;
            }
            match self.completed(&run, &open, witness)? {
                Completed::Never => self.infeasible += 1,
                Completed::By(witness) => return Ok(Some((run, witness))),
            }
        }
        Ok(None)
    }

    /// A valid completion of what a run knows after an answer. Nothing is searched for if the
    /// question was about numbers.
    fn completed(
        &mut self,
        run: &Run<'p>,
        open: &Open,
        witness: Option<Rc<Witness>>,
    ) -> Result<Completed, String> {
        let structure = &run.machine.domain.structure;
        let followed = witness
            .as_ref()
            .and_then(|witness| witness.follow(open, structure));
        if let Some(followed) = followed {
            return Ok(Completed::By(Some(Rc::new(followed))));
        }
        let is_number = matches!(open, Open::Condition(_) | Open::Number { .. });
        let Some(pruning) = self.pruning.as_mut().filter(|_| !is_number) else {
            return Ok(Completed::By(witness));
        };
        let Ok(restarted) = self.partial.restarted(structure) else {
            return Ok(Completed::By(None));
        };
        (pruning.structures).complete(restarted, pruning.predicate, self.budgets);
        Ok(match pruning.structures.next().transpose()? {
            None => Completed::Never,
            Some(found) => Completed::By(Some(Rc::new(Witness::new(structure, found)))),
        })
    }

    /// Completes the structure of a path.
    fn complete(
        &mut self,
        structure: Structure,
        witness: Option<Rc<Witness>>,
    ) -> Result<Option<Structure>, String> {
        let Some(pruning) = &mut self.pruning else {
            return Ok(Some(structure));
        };
        let shaped = witness.and_then(|witness| witness.shape(&self.partial, &structure));
        if let Some(shaped) = shaped {
            (pruning.structures).restart(shaped, pruning.predicate, self.budgets);
            if let Some(found) = pruning.structures.next().transpose()? {
                return Ok(Some(found));
            }
        }
        let Ok(restarted) = self.partial.restarted(&structure) else {
            return Ok(None);
        };
        (pruning.structures).complete(restarted, pruning.predicate, self.budgets);
        pruning.structures.next().transpose()
    }

    fn follow(
        &mut self,
        mut run: Run<'p>,
        witness: Option<Rc<Witness>>,
    ) -> Result<Option<Structure>, String> {
        match run.go() {
            Ok(_) => {
                let structure = std::mem::take(&mut run.machine.domain.structure);
                let completed = self.complete(structure, witness)?;
                self.infeasible += u64::from(completed.is_none());
                Ok(completed)
            }
            Err(Stop::Ask(open)) => {
                let cut = run.machine.domain.cut;
                let answers = run.machine.domain.answers(&open).into_iter();
                self.cut += run.machine.domain.cut - cut;
                self.waiting.push(Waiting {
                    run,
                    witness,
                    open,
                    answers,
                });
                Ok(None)
            }
            Err(Stop::Machine(MachineError::UnknownIntrinsic(name))) => Err(name),
            Err(Stop::Infeasible) => Ok(None),
            Err(Stop::Doubt | Stop::Unsupported | Stop::Machine(_)) => {
                self.unsupported += 1;
                Ok(None)
            }
        }
    }
}

impl Iterator for Paths<'_> {
    type Item = Result<Structure, String>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let over = |deadline: Instant| Instant::now() >= deadline;
            if self.interrupt.is_set() || self.deadline.is_some_and(over) {
                return None;
            }
            let (run, witness) = match self.next_run() {
                Ok(Some(going)) => going,
                Ok(None) => return None,
                Err(name) => return Some(Err(name)),
            };
            match self.follow(run, witness) {
                Ok(None) => {}
                Ok(Some(structure)) => return Some(Ok(structure)),
                Err(name) => return Some(Err(name)),
            }
        }
    }
}

//! All structures for which a predicate holds.
//!
//! Depth first. A run of the predicate stops where it looks at something open, and is copied for
//! every answer. Before a copy waits for its own answers, the rest of the predicate may be run
//! past what is open (see `refutation`): what that refutes need not be completed in all the ways that
//! the checks in between would allow.

use std::cell::RefCell;
use std::rc::Rc;

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::{Budgets, MachineError, MachineOutcome, Missing};
use heapwright_ir::{FunctionId, Program};
use heapwright_logic::Deadline;

use super::backoff::Backoff;
use super::consequences::Consequences;
use super::merge::{Merged, decide_fork, merge, simplify};
use super::partial_value::PartialValue;
use super::question::{Answer, StructureQuestion};
use super::refutation::{Verdict, is_no, refute};
use super::regions::Regions;
use super::scalars::{Feasible, Scalars};
use super::structure::Structure;
use super::widening::{is_suspect, never_holds};
use super::{Partial, Run, StructureStop};

/// How many copies are gone on with between two looks at the deadline.
const COPIES_PER_LOOK: u64 = 16;

/// How much work a search was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct StructureStatistics {
    /// Runs of the predicate to its end.
    pub candidates: u64,
    /// Partial structures that were refuted before.
    pub refuted: u64,
    /// Structures that could not be followed to the end.
    pub unsupported: u64,
    /// Whether the deadline ended the search.
    pub expired: bool,
    /// Whether a bound on its work did.
    pub exhausted: bool,
}

/// The search, an iterator. An error is what a run called and is not there.
pub struct Structures<'p> {
    program: &'p Program,
    predicate: FunctionId,
    budgets: Budgets,
    waiting: Vec<Waiting<'p>>,
    /// Structures for which the predicate holds, but for forks from this one on.
    accepted: Vec<(Structure, usize)>,
    scalars: Rc<RefCell<Scalars>>,
    regions: Regions<'p>,
    lookahead: Backoff,
    /// The first run, until it has begun.
    first: Option<Run<'p>>,
    deadline: Deadline,
    /// Copies that were gone on with.
    copies: u64,
    /// Copies that may still be made.
    left: u64,
    /// How much work it was so far.
    pub effort: StructureStatistics,
}

/// A run that stopped at something open, with the answers that it has not tried.
struct Waiting<'p> {
    run: Run<'p>,
    open: StructureQuestion,
    answers: std::vec::IntoIter<Answer>,
}

impl<'p> Structures<'p> {
    /// The structures for which a predicate on the arguments holds, of those that complete a
    /// partial one.
    pub fn new(partial: Partial<'p>, predicate: FunctionId, budgets: Budgets) -> Structures<'p> {
        let program = partial.program;
        let effects = Consequences::new(
            program,
            partial.rules,
            partial.library,
            partial.inputs.to_vec(),
            predicate,
        );
        let mut structures = Structures {
            program,
            predicate,
            budgets,
            waiting: Vec::new(),
            accepted: Vec::new(),
            scalars: Rc::clone(&partial.scalars),
            regions: Regions::new(program, effects),
            lookahead: Backoff::default(),
            first: None,
            deadline: partial.deadline.clone(),
            copies: 0,
            left: u64::MAX,
            effort: StructureStatistics::default(),
        };
        structures.restart(partial);
        structures
    }

    /// A run of the predicate on a partial structure. Its objects have identities of their own, so
    /// that sets of objects are no lists.
    fn begin(&self, partial: Partial<'p>) -> Run<'p> {
        let mut run = partial.start(self.budgets, self.predicate);
        run.machine.domain.identities = true;
        run
    }

    /// Gives up when so many partial structures have been looked at.
    pub fn at_most(mut self, copies: u64) -> Structures<'p> {
        self.left = copies;
        self
    }

    /// Whether the search is to end, as of the last look at the deadline.
    fn is_over(&mut self) -> bool {
        self.copies += 1;
        self.left = self.left.saturating_sub(1);
        self.effort.exhausted |= self.left == 0;
        let look = self.copies.is_multiple_of(COPIES_PER_LOOK);
        self.effort.expired |= look && self.deadline.is_over();
        self.effort.expired || self.effort.exhausted
    }

    /// The same for another partial structure; what is known about the predicate is kept.
    pub fn restart(&mut self, partial: Partial<'p>) {
        self.waiting.clear();
        self.accepted.clear();
        self.scalars = Rc::clone(&partial.scalars);
        self.lookahead = Backoff::default();
        self.first = Some(self.begin(partial));
    }

    /// The same, where one structure is wanted or a proof that there is none. What is open about
    /// the objects that exist already is decided first: the predicate would come to that only
    /// after it has completed the structure elsewhere, in all possible ways.
    pub fn complete(&mut self, partial: Partial<'p>) {
        self.restart(partial);
        if let Some(first) = &mut self.first {
            first.machine.domain.asking = true;
        }
    }

    /// Goes on with a copy that decides what is open about the objects that exist.
    fn settle(&mut self, mut run: Run<'p>) -> Result<(), Missing> {
        match refute(&mut run, &mut self.regions, self.program) {
            Verdict::Refuted => self.effort.refuted += 1,
            Verdict::Ask(open) => self.wait(run, open),
            Verdict::Unknown => {
                let domain = &run.machine.domain;
                if let Ok(partial) = domain.restarted(&domain.structure) {
                    return self.follow(self.begin(partial));
                }
            }
        }
        Ok(())
    }

    fn wait(&mut self, mut run: Run<'p>, open: StructureQuestion) {
        let answers = run.machine.domain.answers(&open).into_iter();
        self.waiting.push(Waiting { run, open, answers });
    }

    /// The next copy to go on with.
    fn next_run(&mut self) -> Option<Run<'p>> {
        if let Some(first) = self.first.take() {
            return Some(first);
        }
        while let Some(waiting) = self.waiting.last_mut() {
            let Some(answer) = waiting.answers.next() else {
                self.waiting.pop();
                continue;
            };
            let (mut run, open) = match waiting.answers.len() {
                0 => {
                    let Waiting { run, open, .. } = self.waiting.pop()?;
                    (run, open)
                }
                _ => (waiting.run.clone(), waiting.open.clone()),
            };
            if run.machine.domain.answer(&open, &answer).is_ok() {
                return Some(run);
            }
        }
        None
    }

    /// Goes on with a copy.
    fn follow(&mut self, mut run: Run<'p>) -> Result<(), Missing> {
        if run.machine.domain.asking {
            return self.settle(run);
        }
        let stopped = loop {
            if self.is_over() {
                return Ok(());
            }
            let stopped = run.go();
            let Err(StructureStop::Ask(StructureQuestion::Condition(condition))) = stopped else {
                break stopped;
            };
            if is_suspect(&run) && never_holds(&run, &mut self.regions, self.program) {
                self.effort.refuted += 1;
                return Ok(());
            }
            match merge(&mut run, condition, &mut self.regions, self.program) {
                Merged::Done => {}
                Merged::Refuted => break Err(StructureStop::Infeasible),
                Merged::Not => break stopped,
            }
        };
        match stopped {
            Ok(outcome) => {
                self.effort.candidates += 1;
                let accepted = accepted(&mut run, &outcome);
                self.accepted
                    .extend(accepted.map(|structure| (structure, 0)));
            }
            Err(StructureStop::Ask(open)) => {
                if self.lookahead.wanted() {
                    let mut copy = run.clone();
                    let verdict = refute(&mut copy, &mut self.regions, self.program);
                    self.lookahead.learn(verdict == Verdict::Refuted);
                    if verdict == Verdict::Refuted {
                        self.effort.refuted += 1;
                        return Ok(());
                    }
                }
                self.wait(run, open);
            }
            Err(StructureStop::Machine(MachineError::Missing(missing))) => return Err(missing),
            Err(StructureStop::Infeasible) => {}
            Err(StructureStop::Machine(MachineError::Interrupted)) => self.effort.expired = true,
            Err(
                StructureStop::Unknown | StructureStop::Unsupported | StructureStop::Machine(_),
            ) => self.effort.unsupported += 1,
        }
        Ok(())
    }

    /// The next structure of those for which the predicate holds, with all forks decided.
    fn next_accepted(&mut self) -> Option<Structure> {
        let mut scalars = self.scalars.borrow_mut();
        loop {
            let (mut structure, decided) = self.accepted.pop()?;
            let Some(&fork) = structure.forks.get(decided) else {
                if decided > 0 {
                    simplify(&mut scalars, &mut structure);
                    structure.forks.clear();
                }
                return Some(structure);
            };
            let other = decide_fork(&mut scalars, &mut structure, fork);
            self.accepted
                .extend(other.map(|other| (other, decided + 1)));
            self.accepted.push((structure, decided + 1));
        }
    }
}

/// The structure of a run of a predicate that has ended, if the predicate holds.
fn accepted(run: &mut Run<'_>, outcome: &MachineOutcome<PartialValue>) -> Option<Structure> {
    let domain = &mut run.machine.domain;
    match outcome {
        MachineOutcome::Returned(Some(PartialValue::Concrete(Concrete::Bool(true)))) => {}
        MachineOutcome::Returned(Some(PartialValue::Concrete(Concrete::Int(_))))
            if !is_no(outcome) => {}
        MachineOutcome::Returned(Some(PartialValue::Term(term))) => {
            domain.structure.conditions.push(*term);
            let mut scalars = domain.scalars.borrow_mut();
            match scalars.check(&domain.structure.conditions) {
                Feasible::With(model) => domain.structure.model = Rc::new(model),
                Feasible::Never => return None,
                Feasible::Perhaps => {
                    scalars.left_out += 1;
                    return None;
                }
            }
        }
        _ => return None,
    }
    Some(std::mem::take(&mut domain.structure))
}

impl Iterator for Structures<'_> {
    type Item = Result<Structure, Missing>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(structure) = self.next_accepted() {
                return Some(Ok(structure));
            }
            let left_out = std::mem::take(&mut self.scalars.borrow_mut().left_out);
            self.effort.unsupported += left_out;
            let run = self.next_run()?;
            if self.is_over() {
                return None;
            }
            if let Err(name) = self.follow(run) {
                return Some(Err(name));
            }
        }
    }
}

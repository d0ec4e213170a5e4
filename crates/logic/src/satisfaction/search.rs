//! Finding a derivation: a backtracking parse of the heap along the predicate definitions.
//!
//! Goals (predicate instances, points-to facts whose address is not known yet) are looked at one
//! by one. Each alternative of a goal is tried and taken back; a goal with none left is a
//! contradiction, one with a single alternative is committed to, and the others wait, because
//! something decided elsewhere may settle them. Only when every goal waits is one guessed, with
//! chronological backtracking. So the shape of the heap drives the parse, and the search is
//! complete for everything discrete.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use crate::definitions::{Definitions, PredId};
use crate::eval::Evaluator;
use crate::heap::{Derivation, Heap, Loc, Model, Stack, Value};
use crate::symbolic_heap::{Formula, PointsTo, SymbolicHeap};
use crate::term::{Terms, VarId};

use super::constraint::{Environment, Slot};
use super::mismatch::Mismatch;
use super::shapes::{Shape, shapes};
use super::store::Store;
use super::values::{encode, fits};
use super::verify::{verify, well_formed};

mod complete;
mod explain;
mod unfold;

/// How much work a search may do. Counted, not timed, so that the same question always gets the
/// same answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Alternatives tried, and case splits of the arithmetic.
    pub steps: u64,
}

impl Default for Budget {
    /// Ten million steps: some seconds.
    fn default() -> Self {
        Budget { steps: 10_000_000 }
    }
}

/// Why a stack and heap satisfy a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Witness {
    /// The stack, with values for the ghosts that it left open.
    pub stack: Stack,
    /// The derivation, which [`verify`] accepts.
    pub derivation: Derivation,
}

/// Why no derivation was found.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Failure {
    /// There is none. The reason is the one found deepest in the heap.
    #[error("{reason}")]
    Unsatisfied {
        /// Where the parse of the heap stops.
        reason: Mismatch,
    },
    /// A free variable of the formula has no value, and it is a reference.
    #[error("the reference `{name}` has no value")]
    FreeReference {
        /// Its name.
        name: String,
    },
    /// Stack or heap do not fit the classes and sorts.
    #[error("{reason}")]
    IllFormed {
        /// What does not fit.
        reason: String,
    },
    /// The search was complete but for a question that it cannot answer.
    #[error("undecided: {reason}")]
    Undecided {
        /// That question.
        reason: String,
    },
    /// The budget ran out.
    #[error("no answer within {steps} steps; so far: {deepest}")]
    Budget {
        /// The budget.
        steps: u64,
        /// The deepest failure until then.
        deepest: String,
    },
}

/// Looks for a derivation that shows `stack, heap ⊨ formula`.
///
/// Free variables of the formula without a value on the stack are existential (ghosts), except
/// for references, which are an error.
pub fn find_derivation(
    terms: &Terms,
    definitions: &Definitions,
    formula: &Formula,
    stack: &Stack,
    heap: &Heap,
    budget: Budget,
) -> Result<Witness, Failure> {
    find(terms, definitions, formula, stack, heap, (budget, true)).map(|(witness, _)| witness)
}

/// Looks for a part of the heap that satisfies a formula, and for the derivation that shows it: the
/// rest of the heap is the frame. Returns the cells of that part, too.
///
/// The parse takes the cells that it needs, so this is no more work than [`find_derivation`], and
/// complete in the same sense.
pub fn find_framed_derivation(
    terms: &Terms,
    definitions: &Definitions,
    formula: &Formula,
    stack: &Stack,
    heap: &Heap,
    budget: Budget,
) -> Result<(Witness, BTreeSet<Loc>), Failure> {
    find(terms, definitions, formula, stack, heap, (budget, false))
}

fn find(
    terms: &Terms,
    definitions: &Definitions,
    formula: &Formula,
    stack: &Stack,
    heap: &Heap,
    (budget, tight): (Budget, bool),
) -> Result<(Witness, BTreeSet<Loc>), Failure> {
    if let Err((loc, fault)) = well_formed(definitions, heap) {
        let reason = format!("object {loc}: {fault}");
        return Err(Failure::IllFormed { reason });
    }
    let mut search = Search {
        terms,
        definitions,
        formula,
        heap,
        stack,
        store: Store::new(terms, definitions, heap),
        evaluator: Evaluator::default(),
        shapes: FxHashMap::default(),
        free: Vec::new(),
        steps: Vec::new(),
        described: FxHashSet::default(),
        described_in_order: Vec::new(),
        fresh: vec![Goal::Formula],
        waiting: Vec::new(),
        choices: Vec::new(),
        deepest: None,
        undecided: None,
        steps_left: budget.steps,
        tight,
    };
    search.bind_free_variables()?;
    let witness = search.run(budget)?;
    let described: BTreeSet<Loc> = search.described.iter().copied().collect();
    let mut part = heap.clone();
    part.cells.retain(|loc, _| described.contains(loc));
    // The derivation was found by this module; that it is right is for the verifier to say.
    let model = Model {
        stack: witness.stack,
        heap: part,
        derivation: witness.derivation,
    };
    verify(terms, definitions, formula, &model).map_err(|violation| Failure::Undecided {
        reason: format!("the derivation found does not verify: {violation}"),
    })?;
    let witness = Witness {
        stack: model.stack,
        derivation: model.derivation,
    };
    Ok((witness, described))
}

/// Something still to be matched with the heap.
#[derive(Clone, Copy, Debug)]
enum Goal {
    /// The formula itself.
    Formula,
    /// An instance of a step, by position.
    Instance { step: u32, index: u32 },
    /// A points-to of a step whose address was not known.
    PointsTo { step: u32, index: u32 },
}

/// A way to meet a goal.
#[derive(Clone, Copy, Debug)]
enum Candidate {
    /// Take this group of disjuncts.
    Shape(usize),
    /// The address is this one.
    Cell(Loc),
}

/// An application of a formula or predicate; becomes a step of the derivation.
struct OpenStep {
    /// Step and position of the instance; nothing for the formula.
    parent: Option<(u32, u32)>,
    /// Which predicate; nothing for the formula.
    predicate: Option<PredId>,
    /// The disjuncts that are still possible: index and variables. The first one stands for all
    /// as far as cells and instances are concerned.
    members: Vec<(usize, Rc<Environment>)>,
}

struct Mark {
    store: usize,
    steps: usize,
    described: usize,
}

struct Choice {
    mark: Mark,
    fresh: Vec<Goal>,
    waiting: Vec<Goal>,
    goal: Goal,
    /// Not tried yet, the next one last.
    candidates: Vec<Candidate>,
}

enum Progress {
    Committed,
    Complete(Witness),
    Contradiction,
    OutOfBudget,
}

struct OutOfBudget;

struct Search<'a> {
    terms: &'a Terms,
    definitions: &'a Definitions,
    formula: &'a Formula,
    heap: &'a Heap,
    stack: &'a Stack,
    store: Store<'a>,
    evaluator: Evaluator,
    shapes: FxHashMap<Option<PredId>, Rc<Vec<Shape>>>,
    free: Vec<(VarId, Slot)>,
    steps: Vec<OpenStep>,
    described: FxHashSet<Loc>,
    described_in_order: Vec<Loc>,
    fresh: Vec<Goal>,
    waiting: Vec<Goal>,
    choices: Vec<Choice>,
    deepest: Option<(usize, Mismatch)>,
    undecided: Option<String>,
    steps_left: u64,
    /// Whether every cell has to be described.
    tight: bool,
}

impl<'a> Search<'a> {
    fn bind_free_variables(&mut self) -> Result<(), Failure> {
        let mut variables = indexmap::IndexSet::new();
        for disjunct in &self.formula.disjuncts {
            variables.extend(disjunct.free_variables(self.terms));
        }
        for variable in variables {
            let declared = self.terms.variable(variable);
            let slot = match self.stack.get(&variable) {
                Some(&value) if fits(self.definitions, self.heap, value, declared.sort) => {
                    Slot::Known(encode(value))
                }
                Some(value) => {
                    let name = &declared.name;
                    let reason = format!("{value} is not a value of the sort of `{name}`");
                    return Err(Failure::IllFormed { reason });
                }
                None if declared.sort.is_ref() => {
                    let name = declared.name.clone();
                    return Err(Failure::FreeReference { name });
                }
                None => Slot::Unknown(self.store.fresh(declared.sort)),
            };
            self.free.push((variable, slot));
        }
        Ok(())
    }

    fn run(&mut self, budget: Budget) -> Result<Witness, Failure> {
        loop {
            let progress = self.advance().unwrap_or(Progress::OutOfBudget);
            match progress {
                Progress::Committed => {}
                Progress::Complete(witness) => return Ok(witness),
                Progress::Contradiction if self.backtrack() => {}
                Progress::Contradiction => return Err(self.failure()),
                Progress::OutOfBudget => {
                    return Err(Failure::Budget {
                        steps: budget.steps,
                        deepest: self.deepest_reason().to_string(),
                    });
                }
            }
        }
    }

    fn advance(&mut self) -> Result<Progress, OutOfBudget> {
        if let Some(goal) = self.fresh.pop() {
            let candidates = self.candidates(goal)?;
            return Ok(match candidates[..] {
                [] => self.contradiction(goal),
                [only] => self.commit(goal, only),
                _ => {
                    self.waiting.push(goal);
                    Progress::Committed
                }
            });
        }
        let mut fewest: Option<(usize, Vec<Candidate>)> = None;
        for position in 0..self.waiting.len() {
            let goal = self.waiting[position];
            let candidates = self.candidates(goal)?;
            match candidates[..] {
                [] => return Ok(self.contradiction(goal)),
                [only] => {
                    self.waiting.remove(position);
                    return Ok(self.commit(goal, only));
                }
                _ => {
                    if (fewest.as_ref()).is_none_or(|(_, best)| candidates.len() < best.len()) {
                        fewest = Some((position, candidates));
                    }
                }
            }
        }
        match fewest {
            None => self.complete(),
            Some((position, mut candidates)) => {
                let goal = self.waiting.remove(position);
                candidates.reverse();
                self.choices.push(Choice {
                    mark: self.mark(),
                    fresh: self.fresh.clone(),
                    waiting: self.waiting.clone(),
                    goal,
                    candidates,
                });
                Ok(match self.backtrack() {
                    true => Progress::Committed,
                    false => Progress::Contradiction,
                })
            }
        }
    }

    /// Goes on with the next candidate of the youngest choice that has one.
    fn backtrack(&mut self) -> bool {
        while let Some(choice) = self.choices.last_mut() {
            let next = choice.candidates.pop();
            let mark = Mark { ..choice.mark };
            let goal = choice.goal;
            (self.fresh, self.waiting) = match choice.candidates.is_empty() {
                // The last candidate needs nothing to return to.
                true => match self.choices.pop() {
                    Some(choice) => (choice.fresh, choice.waiting),
                    None => return false,
                },
                false => (choice.fresh.clone(), choice.waiting.clone()),
            };
            self.undo(&mark);
            if let Some(candidate) = next
                && let Progress::Committed = self.commit(goal, candidate)
            {
                return true;
            }
        }
        false
    }

    /// The alternatives of a goal that do not fail at once.
    fn candidates(&mut self, goal: Goal) -> Result<Vec<Candidate>, OutOfBudget> {
        let mut possible = Vec::new();
        for candidate in self.alternatives(goal) {
            self.steps_left = self.steps_left.checked_sub(1).ok_or(OutOfBudget)?;
            let mark = self.mark();
            if self.apply(goal, candidate, &mut Vec::new()).is_ok() {
                possible.push(candidate);
            }
            self.undo(&mark);
        }
        Ok(possible)
    }

    fn alternatives(&mut self, goal: Goal) -> Vec<Candidate> {
        match goal {
            Goal::Formula | Goal::Instance { .. } => {
                let shapes = self.shapes_of(self.predicate_of(goal));
                (0..shapes.len()).map(Candidate::Shape).collect()
            }
            Goal::PointsTo { step, index } => {
                let (points_to, environment) = self.points_to_of(step, index);
                match self.source(points_to, &environment) {
                    // Null and dangling addresses come out as a reason when they are applied.
                    Some(Value::Ref(loc)) => vec![Candidate::Cell(loc)],
                    Some(_) => Vec::new(),
                    None => (self.heap.cells.iter())
                        .filter(|(loc, cell)| {
                            !self.described.contains(loc)
                                && self.definitions.is_subclass(cell.class, points_to.class)
                        })
                        .map(|(&loc, _)| Candidate::Cell(loc))
                        .collect(),
                }
            }
        }
    }

    fn commit(&mut self, goal: Goal, candidate: Candidate) -> Progress {
        let mut goals = Vec::new();
        match self.apply(goal, candidate, &mut goals) {
            // The first instance is looked at first.
            Ok(()) => {
                self.fresh.extend(goals.into_iter().rev());
                Progress::Committed
            }
            Err(_) => Progress::Contradiction,
        }
    }

    fn mark(&self) -> Mark {
        Mark {
            store: self.store.mark(),
            steps: self.steps.len(),
            described: self.described_in_order.len(),
        }
    }

    fn undo(&mut self, mark: &Mark) {
        self.store.undo(mark.store);
        self.steps.truncate(mark.steps);
        for loc in self.described_in_order.drain(mark.described..) {
            self.described.remove(&loc);
        }
    }

    fn shapes_of(&mut self, predicate: Option<PredId>) -> Rc<Vec<Shape>> {
        let disjuncts = self.disjuncts(predicate);
        let terms = self.terms;
        let entry = self.shapes.entry(predicate);
        Rc::clone(entry.or_insert_with(|| Rc::new(shapes(terms, disjuncts))))
    }

    fn disjuncts(&self, predicate: Option<PredId>) -> &'a [SymbolicHeap] {
        match predicate {
            None => &self.formula.disjuncts,
            Some(predicate) => &self.definitions.predicate(predicate).disjuncts,
        }
    }

    fn predicate_of(&self, goal: Goal) -> Option<PredId> {
        match goal {
            Goal::Formula | Goal::PointsTo { .. } => None,
            Goal::Instance { step, index } => {
                let (lead, _) = self.lead(step);
                Some(lead.instances[index as usize].predicate)
            }
        }
    }

    /// The disjunct that stands for a step, and its variables.
    fn lead(&self, step: u32) -> (&'a SymbolicHeap, Rc<Environment>) {
        let step = &self.steps[step as usize];
        let (disjunct, environment) = &step.members[0];
        let disjuncts = self.disjuncts(step.predicate);
        (&disjuncts[*disjunct], Rc::clone(environment))
    }

    fn points_to_of(&self, step: u32, index: u32) -> (&'a PointsTo, Rc<Environment>) {
        let (lead, environment) = self.lead(step);
        (&lead.points_to[index as usize], environment)
    }
}

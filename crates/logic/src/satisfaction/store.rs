//! The constraint store of the parser: unknowns with their values and bounds, and conditions
//! that wait for them, with undo.
//!
//! Propagation is event driven: a constraint is looked at again when one of its unknowns gets a
//! value. A change of bounds wakes nobody; bounds only refute. So the work is linear in the
//! total size of the constraints, which is what makes heights and sizes of large trees cheap.

use std::rc::Rc;

use crate::definitions::Definitions;
use crate::eval::Evaluator;
use crate::heap::{Heap, Value};
use crate::sort::{FloatType, Sort};
use crate::term::Terms;

use super::constraint::Constraint;
use super::linear::Unknown;
use super::reason::Origin;
use super::values::{decode, fits};

mod propagate;

use propagate::{Contradicted, Status};

/// What is known about an unknown.
#[derive(Clone, Debug)]
struct Knowledge {
    sort: Sort,
    value: Option<i128>,
    low: Option<i128>,
    high: Option<i128>,
    /// The constraints that the bounds come from, where not from the sort.
    bounded_by: (Option<u32>, Option<u32>),
    watchers: Vec<u32>,
}

struct Stored<'a> {
    constraint: Rc<Constraint>,
    origin: Origin<'a>,
}

enum Undo {
    Value(Unknown),
    Bounds(Unknown, Bounds),
    Constraint,
    Unknown,
}

/// Bounds as they were, with their reasons.
struct Bounds {
    low: Option<i128>,
    high: Option<i128>,
    by: (Option<u32>, Option<u32>),
}

/// The reason of a contradiction: the constraint that cannot hold.
pub(super) type Contradiction<'a> = Origin<'a>;

pub(super) struct Store<'a> {
    terms: &'a Terms,
    definitions: &'a Definitions,
    heap: &'a Heap,
    unknowns: Vec<Knowledge>,
    constraints: Vec<Stored<'a>>,
    trail: Vec<Undo>,
    awake: Vec<u32>,
    /// The constraint whose consequences are being drawn.
    enforcing: Option<u32>,
    evaluator: Evaluator,
    /// Set when a number left 128 bits: a failure may then be ours, not the heap's.
    pub overflowed: bool,
    /// Largest code of a reference: all that occur, and room for distinct dangling ones.
    highest_reference: i128,
}

impl<'a> Store<'a> {
    pub fn new(terms: &'a Terms, definitions: &'a Definitions, heap: &'a Heap) -> Self {
        let in_fields = heap.cells.values().flat_map(|cell| cell.fields.iter());
        let references = in_fields.filter_map(|&value| match value {
            Value::Ref(loc) => Some(loc.0),
            _ => None,
        });
        let highest = (heap.cells.keys().map(|loc| loc.0)).chain(references).max();
        Store {
            terms,
            definitions,
            heap,
            unknowns: Vec::new(),
            constraints: Vec::new(),
            trail: Vec::new(),
            awake: Vec::new(),
            enforcing: None,
            evaluator: Evaluator::default(),
            overflowed: false,
            highest_reference: highest.map_or(0, |loc| i128::from(loc) + 1),
        }
    }

    /// A position to return to with [`Store::undo`].
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    pub fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                None => return,
                Some(Undo::Value(unknown)) => self.unknowns[unknown.index()].value = None,
                Some(Undo::Bounds(unknown, bounds)) => {
                    let knowledge = &mut self.unknowns[unknown.index()];
                    (knowledge.low, knowledge.high) = (bounds.low, bounds.high);
                    knowledge.bounded_by = bounds.by;
                }
                Some(Undo::Unknown) => {
                    self.unknowns.pop();
                }
                Some(Undo::Constraint) => {
                    let id = self.constraints.len() as u32 - 1;
                    let Some(stored) = self.constraints.pop() else {
                        return;
                    };
                    // Watchers were pushed in order, so those of the youngest are last.
                    for unknown in self.watched(&stored.constraint) {
                        let watchers = &mut self.unknowns[unknown.index()].watchers;
                        if watchers.last() == Some(&id) {
                            watchers.pop();
                        }
                    }
                }
            }
        }
    }

    fn watched(&self, constraint: &Constraint) -> Vec<Unknown> {
        let mut unknowns = Vec::new();
        constraint.unknowns(self.terms, &mut unknowns);
        unknowns.sort_unstable();
        unknowns.dedup();
        unknowns
    }

    /// A new unknown that ranges over a sort.
    pub fn fresh(&mut self, sort: Sort) -> Unknown {
        let (low, high) = match sort {
            Sort::Bool => (Some(0), Some(1)),
            Sort::Int => (None, None),
            Sort::Machine(ty) => (Some(ty.min()), Some(ty.max())),
            Sort::Float(FloatType::Single) => (Some(0), Some(i128::from(u32::MAX))),
            Sort::Float(FloatType::Double) => (Some(0), Some(i128::from(u64::MAX))),
            Sort::Ref(_) => (Some(0), Some(i128::from(u32::MAX) + 1)),
        };
        let unknown = Unknown(self.unknowns.len() as u32);
        self.unknowns.push(Knowledge {
            sort,
            value: None,
            low,
            high,
            bounded_by: (None, None),
            watchers: Vec::new(),
        });
        self.trail.push(Undo::Unknown);
        unknown
    }

    pub fn value(&self, unknown: Unknown) -> Option<i128> {
        self.unknowns[unknown.index()].value
    }

    pub fn sort(&self, unknown: Unknown) -> Sort {
        self.unknowns[unknown.index()].sort
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.unknowns.len()
    }

    /// The range that is left for an unknown. References are kept among the addresses that
    /// occur and a few dangling ones: as many as there are unknowns, so that any number of them
    /// can differ.
    pub fn bounds(&self, unknown: Unknown) -> (Option<i128>, Option<i128>) {
        let knowledge = &self.unknowns[unknown.index()];
        match (knowledge.sort, knowledge.high) {
            (Sort::Ref(_), Some(high)) => {
                let room = self.highest_reference + 1 + self.unknowns.len() as i128;
                (knowledge.low, Some(high.min(room)))
            }
            _ => (knowledge.low, knowledge.high),
        }
    }

    /// Whether the unknown may have this value, going by its sort alone.
    pub fn allows(&self, unknown: Unknown, code: i128) -> bool {
        let sort = self.sort(unknown);
        decode(code, sort).is_some_and(|value| fits(self.definitions, self.heap, value, sort))
    }

    /// Gives an unknown its value and draws the consequences.
    pub fn assign(
        &mut self,
        unknown: Unknown,
        code: i128,
        origin: Origin<'a>,
    ) -> Result<(), Contradiction<'a>> {
        if let Err(Contradicted { bound }) = self.set(unknown, code) {
            return Err(self.against(origin, bound));
        }
        self.propagate()
    }

    /// Adds a constraint and draws the consequences.
    pub fn add(
        &mut self,
        constraint: Constraint,
        origin: Origin<'a>,
    ) -> Result<(), Contradiction<'a>> {
        match &constraint {
            Constraint::All(list) if list.is_empty() => return Ok(()),
            Constraint::Any(list) if list.is_empty() => return Err(origin),
            _ => {}
        }
        let id = self.constraints.len() as u32;
        for unknown in self.watched(&constraint) {
            self.unknowns[unknown.index()].watchers.push(id);
        }
        self.constraints.push(Stored {
            constraint: Rc::new(constraint),
            origin,
        });
        self.trail.push(Undo::Constraint);
        self.awake.push(id);
        self.propagate()
    }

    fn propagate(&mut self) -> Result<(), Contradiction<'a>> {
        while let Some(id) = self.awake.pop() {
            let constraint = Rc::clone(&self.constraints[id as usize].constraint);
            self.enforcing = Some(id);
            let outcome = self.enforce(&constraint);
            self.enforcing = None;
            if let Err(Contradicted { bound }) = outcome {
                self.awake.clear();
                let origin = self.constraints[id as usize].origin.clone();
                return Err(self.against(origin, bound.filter(|&other| other != id)));
            }
        }
        Ok(())
    }

    /// A constraint that fails because of a bound that another one set.
    fn against(&self, origin: Origin<'a>, bound: Option<u32>) -> Origin<'a> {
        match bound.and_then(|id| self.constraints.get(id as usize)) {
            None => origin,
            Some(other) => Origin::Conflict(Box::new((origin, other.origin.clone()))),
        }
    }

    fn set(&mut self, unknown: Unknown, code: i128) -> Result<(), Contradicted> {
        let allowed = self.allows(unknown, code);
        let knowledge = &mut self.unknowns[unknown.index()];
        match knowledge.value {
            Some(value) if value == code => return Ok(()),
            Some(_) => return Err(Contradicted::ALONE),
            None => {}
        }
        let below = knowledge.low.is_some_and(|low| code < low);
        let above = knowledge.high.is_some_and(|high| code > high);
        if below || above || !allowed {
            let bound = match (below, above) {
                (true, _) => knowledge.bounded_by.0,
                (_, true) => knowledge.bounded_by.1,
                _ => None,
            };
            return Err(Contradicted { bound });
        }
        knowledge.value = Some(code);
        self.trail.push(Undo::Value(unknown));
        self.awake.extend_from_slice(&knowledge.watchers);
        Ok(())
    }

    fn narrow(
        &mut self,
        unknown: Unknown,
        low: Option<i128>,
        high: Option<i128>,
    ) -> Result<(), Contradicted> {
        let enforcing = self.enforcing;
        let knowledge = &mut self.unknowns[unknown.index()];
        let old = Bounds {
            low: knowledge.low,
            high: knowledge.high,
            by: knowledge.bounded_by,
        };
        if let Some(low) = low
            && old.low.is_none_or(|old| old < low)
        {
            (knowledge.low, knowledge.bounded_by.0) = (Some(low), enforcing);
        }
        if let Some(high) = high
            && old.high.is_none_or(|old| high < old)
        {
            (knowledge.high, knowledge.bounded_by.1) = (Some(high), enforcing);
        }
        let new = (knowledge.low, knowledge.high);
        if new == (old.low, old.high) {
            return Ok(());
        }
        let raised = new.0 != old.low;
        let bounded_by = knowledge.bounded_by;
        self.trail.push(Undo::Bounds(unknown, old));
        match new {
            (Some(low), Some(high)) if low > high => Err(Contradicted {
                // The bound on the other side, which was there before.
                bound: if raised { bounded_by.1 } else { bounded_by.0 },
            }),
            (Some(low), Some(high)) if low == high => self.set(unknown, low),
            _ => Ok(()),
        }
    }

    /// The constraints that still depend on something, with the known values put in, and their
    /// numbers for [`Store::origin`].
    pub fn residual(&mut self) -> Vec<(usize, Constraint)> {
        let all: Vec<_> = (self.constraints.iter())
            .map(|stored| Rc::clone(&stored.constraint))
            .collect();
        let mut open = Vec::new();
        for (id, constraint) in all.iter().enumerate() {
            if self.status(constraint) != Status::Holds {
                open.push((id, self.simplified(constraint)));
            }
        }
        open
    }

    /// The constraints that bound the unknowns of a constraint.
    pub fn bounded_by(&self, id: usize) -> Vec<usize> {
        let open = (self.watched(&self.constraints[id].constraint).into_iter())
            .map(|unknown| &self.unknowns[unknown.index()])
            .filter(|knowledge| knowledge.value.is_none());
        open.flat_map(|knowledge| [knowledge.bounded_by.0, knowledge.bounded_by.1])
            .flatten()
            .map(|id| id as usize)
            .collect()
    }

    /// Where a constraint comes from.
    pub fn origin(&self, id: usize) -> &Origin<'a> {
        &self.constraints[id].origin
    }

    fn simplified(&mut self, constraint: &Constraint) -> Constraint {
        match self.status(constraint) {
            Status::Holds => return Constraint::TRUE,
            Status::Fails => return Constraint::FALSE,
            Status::Open => {}
        }
        match constraint {
            Constraint::Compare(relation, sum) => {
                match sum.evaluate_known(|unknown| self.value(unknown)) {
                    Some(rest) => Constraint::compare(*relation, rest),
                    None => constraint.clone(),
                }
            }
            Constraint::All(list) => {
                Constraint::all(list.iter().map(|part| self.simplified(part)).collect())
            }
            Constraint::Any(list) => {
                Constraint::any(list.iter().map(|part| self.simplified(part)).collect())
            }
            Constraint::Opaque { .. } | Constraint::Defines { .. } => constraint.clone(),
        }
    }
}

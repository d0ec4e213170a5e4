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

use super::constraint::{Closure, Constraint, Relation};
use super::linear::{Sum, Unknown};
use super::reason::Origin;
use super::values::{decode, encode, fits};

/// What is known about an unknown.
#[derive(Clone, Debug)]
struct Knowledge {
    sort: Sort,
    value: Option<i128>,
    low: Option<i128>,
    high: Option<i128>,
    watchers: Vec<u32>,
}

struct Stored<'a> {
    constraint: Rc<Constraint>,
    origin: Origin<'a>,
}

enum Undo {
    Value(Unknown),
    Bounds(Unknown, Option<i128>, Option<i128>),
    Constraint,
    Unknown,
}

/// The reason of a contradiction: the constraint that cannot hold.
pub(super) type Contradiction<'a> = Origin<'a>;

/// Whether a constraint holds, as far as it is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Holds,
    Fails,
    Open,
}

pub(super) struct Store<'a> {
    terms: &'a Terms,
    definitions: &'a Definitions,
    heap: &'a Heap,
    unknowns: Vec<Knowledge>,
    constraints: Vec<Stored<'a>>,
    trail: Vec<Undo>,
    awake: Vec<u32>,
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
                Some(Undo::Bounds(unknown, low, high)) => {
                    let knowledge = &mut self.unknowns[unknown.index()];
                    (knowledge.low, knowledge.high) = (low, high);
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
        self.set(unknown, code).map_err(|Contradicted| origin)?;
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
            if self.enforce(&constraint).is_err() {
                self.awake.clear();
                return Err(self.constraints[id as usize].origin.clone());
            }
        }
        Ok(())
    }

    fn set(&mut self, unknown: Unknown, code: i128) -> Result<(), Contradicted> {
        let allowed = self.allows(unknown, code);
        let knowledge = &mut self.unknowns[unknown.index()];
        match knowledge.value {
            Some(value) if value == code => return Ok(()),
            Some(_) => return Err(Contradicted),
            None => {}
        }
        let below = knowledge.low.is_some_and(|low| code < low);
        let above = knowledge.high.is_some_and(|high| code > high);
        if below || above || !allowed {
            return Err(Contradicted);
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
        let knowledge = &mut self.unknowns[unknown.index()];
        let old = (knowledge.low, knowledge.high);
        let new = (
            old.0.max(low),
            match (old.1, high) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        );
        if new == old {
            return Ok(());
        }
        (knowledge.low, knowledge.high) = new;
        self.trail.push(Undo::Bounds(unknown, old.0, old.1));
        match new {
            (Some(low), Some(high)) if low > high => Err(Contradicted),
            (Some(low), Some(high)) if low == high => self.set(unknown, low),
            _ => Ok(()),
        }
    }

    fn enforce(&mut self, constraint: &Constraint) -> Result<(), Contradicted> {
        match constraint {
            Constraint::Compare(relation, sum) => self.enforce_compare(*relation, sum),
            Constraint::All(list) => list.iter().try_for_each(|part| self.enforce(part)),
            Constraint::Any(list) => {
                let mut last_open = None;
                for part in list {
                    match self.status(part) {
                        Status::Holds => return Ok(()),
                        Status::Fails => {}
                        // Two alternatives are left: nothing follows yet.
                        Status::Open if last_open.is_some() => return Ok(()),
                        Status::Open => last_open = Some(part),
                    }
                }
                last_open.map_or(Err(Contradicted), |part| self.enforce(part))
            }
            Constraint::Opaque { .. } => match self.status(constraint) {
                Status::Fails => Err(Contradicted),
                _ => Ok(()),
            },
            Constraint::Defines { unknown, term } => match self.evaluate(term) {
                Some(Ok(value)) => self.set(*unknown, encode(value)),
                Some(Err(Contradicted)) => Err(Contradicted),
                None => Ok(()),
            },
        }
    }

    fn enforce_compare(&mut self, relation: Relation, sum: &Sum) -> Result<(), Contradicted> {
        let Some(rest) = sum.evaluate_known(|unknown| self.value(unknown)) else {
            self.overflowed = true;
            return Err(Contradicted);
        };
        let [(unknown, factor)] = rest.summands[..] else {
            return match self.compare_status(relation, &rest) {
                Status::Fails => Err(Contradicted),
                _ => Ok(()),
            };
        };
        // factor * unknown + constant  relation  0
        let Some(target) = rest.constant.checked_neg() else {
            return Ok(());
        };
        let exact = (target.checked_rem(factor) == Some(0)).then(|| target / factor);
        match relation {
            Relation::Zero => match exact {
                Some(value) => self.set(unknown, value),
                None => Err(Contradicted),
            },
            Relation::NotZero => {
                let Some(value) = exact else { return Ok(()) };
                let (low, high) = self.bounds(unknown);
                let low = (low == Some(value)).then(|| value.saturating_add(1));
                let high = (high == Some(value)).then(|| value.saturating_sub(1));
                self.narrow(unknown, low, high)
            }
            Relation::AtMostZero if factor > 0 => {
                self.narrow(unknown, None, Some(target.div_euclid(factor)))
            }
            Relation::AtMostZero => {
                // factor < 0: the unknown is at least target / factor, rounded up; Euclidean
                // division by a negative number rounds exactly so.
                self.narrow(unknown, Some(target.div_euclid(factor)), None)
            }
        }
    }

    fn status(&mut self, constraint: &Constraint) -> Status {
        match constraint {
            Constraint::Compare(relation, sum) => {
                match sum.evaluate_known(|unknown| self.value(unknown)) {
                    Some(rest) => self.compare_status(*relation, &rest),
                    None => {
                        self.overflowed = true;
                        Status::Fails
                    }
                }
            }
            Constraint::All(list) => {
                let mut status = Status::Holds;
                for part in list {
                    match self.status(part) {
                        Status::Fails => return Status::Fails,
                        Status::Open => status = Status::Open,
                        Status::Holds => {}
                    }
                }
                status
            }
            Constraint::Any(list) => {
                let mut status = Status::Fails;
                for part in list {
                    match self.status(part) {
                        Status::Holds => return Status::Holds,
                        Status::Open => status = Status::Open,
                        Status::Fails => {}
                    }
                }
                status
            }
            Constraint::Opaque { term, expected } => match self.evaluate(term) {
                Some(Ok(value)) if value == Value::Bool(*expected) => Status::Holds,
                Some(_) => Status::Fails,
                None => Status::Open,
            },
            Constraint::Defines { unknown, term } => {
                match (self.evaluate(term), self.value(*unknown)) {
                    (Some(Ok(value)), Some(code)) if encode(value) == code => Status::Holds,
                    (None, _) | (Some(Ok(_)), None) => Status::Open,
                    _ => Status::Fails,
                }
            }
        }
    }

    /// The value of a closed term; nothing while it has unknowns that matter.
    fn evaluate(&mut self, closure: &Closure) -> Option<Result<Value, Contradicted>> {
        use crate::eval::EvalError;
        let (terms, unknowns) = (self.terms, &self.unknowns);
        let value = self.evaluator.evaluate(terms, closure.term, |variable| {
            (closure.environment).value(terms, variable, |u| unknowns[u.index()].value)
        });
        match value {
            Ok(value) => Some(Ok(value)),
            Err(EvalError::Unassigned(_)) => None,
            Err(EvalError::Overflow(_)) => {
                self.overflowed = true;
                Some(Err(Contradicted))
            }
            Err(EvalError::IllSorted(_)) => Some(Err(Contradicted)),
        }
    }

    /// Status of a sum of unknowns without value, going by their bounds.
    fn compare_status(&self, relation: Relation, rest: &Sum) -> Status {
        let (mut least, mut greatest) = (Some(rest.constant), Some(rest.constant));
        for &(unknown, factor) in &rest.summands {
            let knowledge = &self.unknowns[unknown.index()];
            let (at_least, at_most) = match factor > 0 {
                true => (knowledge.low, knowledge.high),
                false => (knowledge.high, knowledge.low),
            };
            least = add_product(least, factor, at_least);
            greatest = add_product(greatest, factor, at_most);
        }
        let (positive, negative) = (
            least.is_some_and(|least| least > 0),
            greatest.is_some_and(|greatest| greatest < 0),
        );
        let at_most_zero = greatest.is_some_and(|greatest| greatest <= 0);
        let is_zero = least == Some(0) && greatest == Some(0);
        match relation {
            Relation::AtMostZero if at_most_zero => Status::Holds,
            Relation::AtMostZero if positive => Status::Fails,
            Relation::Zero if is_zero => Status::Holds,
            Relation::Zero if positive || negative => Status::Fails,
            Relation::NotZero if positive || negative => Status::Holds,
            Relation::NotZero if is_zero => Status::Fails,
            _ => Status::Open,
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
            if self.status(constraint) == Status::Open {
                open.push((id, self.simplified(constraint)));
            }
        }
        open
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

struct Contradicted;

fn add_product(sum: Option<i128>, factor: i128, value: Option<i128>) -> Option<i128> {
    sum?.checked_add(factor.checked_mul(value?)?)
}

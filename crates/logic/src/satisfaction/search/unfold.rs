//! Applying one alternative of a goal: matching cells and adding conditions.

use std::rc::Rc;

use crate::eval::EvalError;
use crate::heap::{Loc, Value};
use crate::sort::Sort;
use crate::symbolic_heap::PointsTo;
use crate::term::{TermId, VarId};

use super::super::constraint::{Constraint, Environment, Slot};
use super::super::linear::Unknown;
use super::super::reason::{NoCell, Origin};
use super::super::shapes::Member;
use super::super::translate::Translator;
use super::super::values::encode;
use super::{Candidate, Goal, OpenStep, Search};

impl<'a> Search<'a> {
    /// Meets a goal by a candidate; the goals that come with it are added to `goals`. On an
    /// error the caller has to undo.
    pub(super) fn apply(
        &mut self,
        goal: Goal,
        candidate: Candidate,
        goals: &mut Vec<Goal>,
    ) -> Result<(), Origin<'a>> {
        match (goal, candidate) {
            (Goal::Formula, Candidate::Shape(shape)) => {
                let free = self.free.clone();
                self.unfold(goal, None, free, shape, goals)
            }
            (Goal::Instance { step, index }, Candidate::Shape(shape)) => {
                let (lead, environment) = self.lead(step);
                let instance = &lead.instances[index as usize];
                let params = &self.definitions.predicate(instance.predicate).params;
                let mut bound = Vec::with_capacity(params.len());
                for (&param, &arg) in params.iter().zip(&instance.args) {
                    bound.push((param, self.slot(arg, &environment)?));
                }
                self.unfold(goal, Some((step, index)), bound, shape, goals)
            }
            (Goal::PointsTo { step, index }, Candidate::Cell(loc)) => {
                let (points_to, environment) = self.points_to_of(step, index);
                if let Some(variable) = self.terms.as_var(points_to.source)
                    && let Some(Slot::Unknown(unknown)) = environment.get(variable)
                {
                    let code = encode(Value::Ref(loc));
                    self.store.assign(unknown, code, Origin::Value)?;
                }
                self.match_cell(points_to, &environment, Value::Ref(loc))
            }
            _ => Err(Origin::Value),
        }
    }

    /// What a parameter stands for: the argument's value, the unknown that the argument is, or
    /// a new unknown that is defined to be the argument.
    fn slot(&mut self, term: TermId, environment: &Rc<Environment>) -> Result<Slot, Origin<'a>> {
        if let Some(value) = self.value(term, environment) {
            return Ok(Slot::Known(encode(value)));
        }
        let variable = self.terms.as_var(term);
        if let Some(slot) = variable.and_then(|variable| environment.get(variable)) {
            return Ok(slot);
        }
        // A machine integer is put in for a parameter as it is, so its range stays with it.
        let sort = match self.terms.sort(term) {
            Sort::Machine(_) => Sort::Int,
            other => other,
        };
        let unknown = self.store.fresh(sort);
        self.define(unknown, term, environment, Origin::Value)?;
        Ok(Slot::Unknown(unknown))
    }

    fn unfold(
        &mut self,
        goal: Goal,
        parent: Option<(u32, u32)>,
        outer: Vec<(VarId, Slot)>,
        shape: usize,
        goals: &mut Vec<Goal>,
    ) -> Result<(), Origin<'a>> {
        let predicate = self.predicate_of(goal);
        let disjuncts = self.disjuncts(predicate);
        let shapes = self.shapes_of(predicate);
        let mut members: Vec<(usize, Rc<Environment>)> = Vec::new();
        for member in &shapes[shape].members {
            let lead = members
                .first()
                .map(|(_, environment)| Rc::clone(environment));
            let exists = &disjuncts[member.disjunct].exists;
            let environment = self.environment(member, exists, &outer, lead.as_deref());
            members.push((member.disjunct, Rc::new(environment)));
        }
        let step = self.steps.len() as u32;
        let heap = &disjuncts[members[0].0];
        let environment = Rc::clone(&members[0].1);
        self.steps.push(OpenStep {
            parent,
            predicate,
            members: members.clone(),
        });
        let mut open: Vec<usize> = (0..heap.points_to.len()).collect();
        self.match_cells(&heap.points_to, &environment, &mut open)?;
        match &members[..] {
            [_] => {
                for &term in &heap.pure {
                    self.require(term, &environment)?;
                }
            }
            _ => self.require_one_of(&members, predicate)?,
        }
        // The conditions may have determined further addresses.
        self.match_cells(&heap.points_to, &environment, &mut open)?;
        // Every fact whose address is open needs a cell of its own. This also ends the unfolding
        // of definitions that pile up such facts.
        if let Some(&index) = open.first()
            && open.len() + self.open_points_to() > self.heap.cells.len() - self.described.len()
        {
            return Err(Origin::Cell {
                points_to: &heap.points_to[index],
                found: None,
                why: NoCell::NoneLeft,
            });
        }
        goals.extend(open.into_iter().map(|index| Goal::PointsTo {
            step,
            index: index as u32,
        }));
        goals.extend((0..heap.instances.len() as u32).map(|index| Goal::Instance { step, index }));
        Ok(())
    }

    fn open_points_to(&self) -> usize {
        let goals = self.fresh.iter().chain(&self.waiting);
        goals
            .filter(|goal| matches!(goal, Goal::PointsTo { .. }))
            .count()
    }

    /// Quantified variables are new unknowns, but where they correspond to a variable of the
    /// first member they are the same as that one.
    fn environment(
        &mut self,
        member: &Member,
        exists: &[VarId],
        outer: &[(VarId, Slot)],
        lead: Option<&Environment>,
    ) -> Environment {
        let mut entries = Vec::with_capacity(exists.len() + outer.len());
        for &variable in exists {
            let shared = (lead.zip(member.corresponds.get(&variable)))
                .and_then(|(lead, &original)| lead.get(original));
            let slot = shared.unwrap_or_else(|| {
                let sort = self.terms.variable(variable).sort;
                Slot::Unknown(self.store.fresh(sort))
            });
            entries.push((variable, slot));
        }
        // Quantified variables come first: they hide outer ones.
        entries.extend_from_slice(outer);
        Environment::new(entries)
    }

    /// Matches the points-to facts whose address is known, until no more are.
    fn match_cells(
        &mut self,
        list: &'a [PointsTo],
        environment: &Rc<Environment>,
        open: &mut Vec<usize>,
    ) -> Result<(), Origin<'a>> {
        loop {
            let before = open.len();
            let mut position = 0;
            while position < open.len() {
                let points_to = &list[open[position]];
                match self.source(points_to, environment) {
                    None => position += 1,
                    Some(source) => {
                        open.remove(position);
                        self.match_cell(points_to, environment, source)?;
                    }
                }
            }
            if open.len() == before {
                return Ok(());
            }
        }
    }

    pub(super) fn source(
        &mut self,
        points_to: &PointsTo,
        environment: &Rc<Environment>,
    ) -> Option<Value> {
        self.value(points_to.source, environment)
    }

    fn match_cell(
        &mut self,
        points_to: &'a PointsTo,
        environment: &Rc<Environment>,
        source: Value,
    ) -> Result<(), Origin<'a>> {
        let no_cell = |why| Origin::Cell {
            points_to,
            found: Some(source),
            why,
        };
        let Value::Ref(loc) = source else {
            return Err(no_cell(NoCell::NotAnAddress));
        };
        let cell = (self.heap.cells.get(&loc)).ok_or(no_cell(NoCell::NotAnAddress))?;
        if !self.described.insert(loc) {
            return Err(no_cell(NoCell::AlreadyDescribed));
        }
        self.described_in_order.push(loc);
        let declared = self.definitions.class(points_to.class).fields.len();
        if !self.definitions.is_subclass(cell.class, points_to.class)
            || points_to.fields.len() > cell.fields.len()
            || points_to.fields.len() != declared
        {
            return Err(no_cell(NoCell::OtherClass));
        }
        for (field, (&term, &found)) in points_to.fields.iter().zip(&cell.fields).enumerate() {
            let origin = Origin::Field {
                points_to,
                field,
                loc,
                found,
            };
            self.require_field(term, environment, loc, found, origin)?;
        }
        Ok(())
    }

    fn require_field(
        &mut self,
        term: TermId,
        environment: &Rc<Environment>,
        loc: Loc,
        found: Value,
        origin: Origin<'a>,
    ) -> Result<(), Origin<'a>> {
        debug_assert!(self.heap.cells.contains_key(&loc));
        let code = encode(found);
        if let Some(value) = self.value(term, environment) {
            return match encode(value) == code {
                true => Ok(()),
                false => Err(origin),
            };
        }
        let variable = self.terms.as_var(term);
        match variable.and_then(|variable| environment.get(variable)) {
            Some(Slot::Unknown(unknown)) => self.store.assign(unknown, code, origin),
            _ => {
                let unknown = self.store.fresh(self.terms.sort(term));
                self.store.assign(unknown, code, origin.clone())?;
                self.define(unknown, term, environment, origin)
            }
        }
    }

    /// The value of a term, if everything in it that matters is known.
    fn value(&mut self, term: TermId, environment: &Rc<Environment>) -> Option<Value> {
        let store = &self.store;
        let translator = Translator {
            terms: self.terms,
            environment,
            known: |unknown| store.value(unknown),
        };
        translator.evaluate(&mut self.evaluator, term).ok()
    }

    fn define(
        &mut self,
        unknown: Unknown,
        term: TermId,
        environment: &Rc<Environment>,
        origin: Origin<'a>,
    ) -> Result<(), Origin<'a>> {
        let store = &self.store;
        let translator = Translator {
            terms: self.terms,
            environment,
            known: |unknown| store.value(unknown),
        };
        let constraint = translator.definition(unknown, term);
        self.store.add(constraint, origin)
    }

    /// Adds a conjunct of the pure part.
    fn require(&mut self, term: TermId, environment: &Rc<Environment>) -> Result<(), Origin<'a>> {
        let constraint = self.condition(term, environment);
        let origin = Origin::Condition {
            term,
            environment: Rc::clone(environment),
        };
        self.store.add(constraint, origin)
    }

    fn condition(&mut self, term: TermId, environment: &Rc<Environment>) -> Constraint {
        let store = &self.store;
        let translator = Translator {
            terms: self.terms,
            environment,
            known: |unknown| store.value(unknown),
        };
        match translator.evaluate(&mut self.evaluator, term) {
            Ok(Value::Bool(true)) => Constraint::TRUE,
            Ok(_) | Err(EvalError::IllSorted(_)) => Constraint::FALSE,
            Err(EvalError::Unassigned(_)) => translator.condition(term),
            Err(EvalError::Overflow(_)) => {
                self.store.overflowed = true;
                Constraint::FALSE
            }
        }
    }

    /// Adds the pure parts of disjuncts that share their spatial part: one of them has to hold.
    fn require_one_of(
        &mut self,
        members: &[(usize, Rc<Environment>)],
        predicate: Option<crate::definitions::PredId>,
    ) -> Result<(), Origin<'a>> {
        let disjuncts = self.disjuncts(predicate);
        let mut alternatives = Vec::with_capacity(members.len());
        let mut pure = Vec::with_capacity(members.len());
        for (disjunct, environment) in members {
            let conjuncts: &'a [TermId] = &disjuncts[*disjunct].pure;
            let parts = (conjuncts.iter())
                .map(|&term| self.condition(term, environment))
                .collect();
            alternatives.push(Constraint::all(parts));
            pure.push((*disjunct, conjuncts, Rc::clone(environment)));
        }
        self.store
            .add(Constraint::any(alternatives), Origin::Alternatives { pure })
    }
}

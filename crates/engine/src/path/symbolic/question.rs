//! Open questions, and what their answers add to the initial heap.

use heapwright_ir::InputRules;
use heapwright_ir::machine::{Edge, Question, Site, Successor};
use heapwright_logic::{SymbolicHeap, TermId, Terms, Value as LogicValue, VarId, unfold_with};

use super::{PathStop, Symbolic};
use crate::input::candidates::element_sort;
use crate::input::narrow::fitting;
use crate::path::decision::Choice;
use crate::path::initial_heap::AddedCell;

/// Something that the input leaves open.
#[derive(Clone, Debug)]
pub enum ChoicePoint {
    /// By which disjunct the precondition holds.
    Precondition,
    /// Whether a condition holds.
    Condition(TermId),
    /// Which of these numbers a term is.
    Switch(TermId, Vec<i128>),
    /// Which number a term is.
    Number(TermId),
    /// Which element of an array of this length an index selects.
    Element(TermId, u32),
    /// What a reference is.
    Reference(VarId),
    /// By which disjunct an instance holds. Never asked: only taken where there is no choice.
    Instance,
}

/// What an answer adds.
#[derive(Clone, Debug, Default)]
pub struct Effect {
    /// Conditions.
    pub conditions: Vec<TermId>,
    /// A disjunct for an instance, or for the precondition.
    pub unfolding: Option<Unfolding>,
    /// An object outside of the footprint.
    pub cell: Option<AddedCell>,
    /// The objects that come with it.
    pub partners: Vec<AddedCell>,
    /// Whether that is an object of the program, which does not count as one of the input.
    pub is_singleton: bool,
}

/// A disjunct that is taken.
#[derive(Clone, Debug)]
pub struct Unfolding {
    /// For which instance; none for the precondition.
    pub instance: Option<u32>,
    /// Which one.
    pub disjunct: u32,
    /// What it says, its quantified symbols renamed apart.
    pub body: SymbolicHeap,
}

impl Effect {
    /// The cells outside of the footprint that it adds.
    pub fn cells(&self) -> impl Iterator<Item = &AddedCell> {
        self.cell.iter().chain(&self.partners)
    }

    /// Objects that it adds; parts of others do not count.
    pub fn objects(&self, rules: &InputRules) -> u32 {
        let unfolded = self.unfolding.iter();
        let cells = unfolded.flat_map(|unfolding| &unfolding.body.points_to);
        let cells = cells.filter(|cell| !rules.parts.contains(&cell.class));
        cells.count() as u32 + u32::from(self.cell.is_some() && !self.is_singleton)
    }
}

impl Symbolic<'_> {
    /// What an answer adds to the initial heap.
    pub(super) fn effect(
        &mut self,
        open: &ChoicePoint,
        choice: Choice,
    ) -> Result<Effect, PathStop> {
        let mut effect = Effect::default();
        match (open, choice) {
            (ChoicePoint::Precondition, Choice::Disjunct(disjunct)) => {
                effect.unfolding = Some(self.unfolding(None, disjunct)?);
            }
            (ChoicePoint::Condition(condition), Choice::Condition(holds)) => {
                effect.conditions.push(match holds {
                    true => *condition,
                    false => self.terms.not(*condition),
                });
            }
            (ChoicePoint::Switch(value, cases), Choice::Case(case)) => {
                effect.conditions = self.case_conditions(*value, cases, case);
            }
            (ChoicePoint::Number(value), Choice::Number(number)) => {
                let number = self.terms.int(number);
                effect.conditions.push(self.terms.eq(*value, number));
            }
            (ChoicePoint::Number(value), Choice::Except(number)) => {
                let number = self.terms.int(number);
                effect.conditions.push(self.terms.ne(*value, number));
            }
            (ChoicePoint::Element(index, length), Choice::Element(element)) => {
                effect.conditions.push(match element {
                    Some(element) => {
                        let element = self.terms.int(i128::from(element));
                        self.terms.eq(*index, element)
                    }
                    None => self.outside(*index, *length),
                });
            }
            (ChoicePoint::Reference(variable), Choice::Null) => {
                let reference = self.terms.var(*variable);
                effect
                    .conditions
                    .push(self.terms.eq(reference, Terms::NULL));
            }
            (ChoicePoint::Reference(variable), Choice::Alias(object)) => {
                let source = self.initial.cell_of(object).map(|known| known.source);
                let source = self.terms.var(source.ok_or(PathStop::Diverged)?);
                let reference = self.terms.var(*variable);
                effect.conditions.push(self.terms.eq(reference, source));
            }
            (ChoicePoint::Reference(variable), Choice::Fresh(class)) => {
                let added = self.fresh_cell(*variable, class, None);
                effect.conditions = self.present(&added);
                effect.partners = self.partners(&added);
                for partner in &effect.partners {
                    effect.conditions.extend(self.present(partner));
                }
                effect.cell = Some(added);
                effect.is_singleton = self.subject.rules.singletons.contains_key(&class)
                    || self.subject.bound_global(*variable).is_some();
            }
            (ChoicePoint::Reference(variable), Choice::FreshArray { class, length }) => {
                let added = self.fresh_cell(*variable, class, Some(length));
                effect.partners = self.partners(&added);
                for partner in &effect.partners {
                    effect.conditions.extend(self.present(partner));
                }
                effect.cell = Some(added);
                effect.is_singleton = self.subject.bound_global(*variable).is_some();
            }
            (ChoicePoint::Reference(variable), Choice::Within { object, offset }) => {
                let outer = self.initial.cell_of(object).map(|known| known.source);
                let outer = outer.ok_or(PathStop::Diverged)?;
                effect.partners = vec![self.interior_cell(*variable, outer, offset)?];
            }
            (ChoicePoint::Reference(variable), Choice::WithinFresh { class, offset }) => {
                let outer = self.container(*variable, class);
                effect = self.effect(&ChoicePoint::Reference(outer), Choice::Fresh(class))?;
                effect
                    .partners
                    .push(self.interior_cell(*variable, outer, offset)?);
            }
            (
                ChoicePoint::Reference(variable),
                Choice::WithinFreshArray {
                    class,
                    elements,
                    offset,
                },
            ) => {
                let outer = self.container(*variable, class);
                let length = elements;
                let array = Choice::FreshArray { class, length };
                effect = self.effect(&ChoicePoint::Reference(outer), array)?;
                effect
                    .partners
                    .push(self.interior_cell(*variable, outer, offset)?);
            }
            (ChoicePoint::Reference(variable), Choice::FirstElement { class, length }) => {
                let outer = self.container(*variable, class);
                let mut added = self.fresh_cell(outer, class, Some(length));
                if let Some(first) = added.elements.as_mut().and_then(|all| all.first_mut()) {
                    *first = self.terms.var(*variable);
                }
                effect.partners = self.partners(&added);
                for partner in &effect.partners {
                    effect.conditions.extend(self.present(partner));
                }
                effect.cell = Some(added);
            }
            (
                ChoicePoint::Reference(variable),
                Choice::Member {
                    class,
                    field,
                    length,
                },
            ) => effect = self.member_of_fresh(*variable, class, field, length)?,
            (ChoicePoint::Reference(variable), Choice::KnownArray { class, literal }) => {
                let added = self.known_array(*variable, class, literal);
                effect.cell = Some(added.ok_or(PathStop::Diverged)?);
            }
            (
                ChoicePoint::Reference(_) | ChoicePoint::Instance,
                Choice::Unfold { instance, disjunct },
            ) => {
                effect.unfolding = Some(self.unfolding(Some(instance), disjunct)?);
            }
            _ => return Err(PathStop::Diverged),
        }
        Ok(effect)
    }

    /// What is known after an answer, without taking it.
    pub(super) fn formula_with(&self, effect: &Effect) -> SymbolicHeap {
        let mut formula = self.initial.formula();
        if let Some(unfolding) = &effect.unfolding {
            if let Some(number) = unfolding.instance {
                let at = self.initial.open().position(|(open, _)| open == number);
                if let Some(at) = at {
                    formula.instances.remove(at);
                }
            }
            let body = &unfolding.body;
            formula.points_to.extend(body.points_to.iter().cloned());
            formula.instances.extend(body.instances.iter().cloned());
            formula.pure.extend(&body.pure);
        }
        formula.pure.extend(&effect.conditions);
        for added in effect.cells() {
            formula.points_to.push(added.cell.clone());
        }
        formula
    }

    /// The edge of branch coverage that an answer takes.
    pub(super) fn edge_of(
        &self,
        site: Option<Site>,
        open: &ChoicePoint,
        choice: Choice,
    ) -> Option<Edge> {
        let site = site?;
        let successor = match (site.question, open, choice) {
            (Question::Branch, _, Choice::Condition(true)) => 0,
            (Question::Branch, _, Choice::Condition(false)) => 1,
            (Question::Switch, _, Choice::Case(Some(case))) => case,
            (Question::Switch, ChoicePoint::Switch(_, cases), Choice::Case(None)) => {
                cases.len() as u32
            }
            _ => return None,
        };
        let function = (self.subject.program.functions).get(site.point.function.index())?;
        let block = function.blocks.get(site.point.block.index())?;
        Some(Edge {
            function: site.point.function,
            block: site.point.block,
            successor: Successor::Jump(block.terminator.branch_of(successor)),
        })
    }

    /// The body of a disjunct; the same symbols whenever it is asked for.
    fn unfolding(&mut self, instance: Option<u32>, disjunct: u32) -> Result<Unfolding, PathStop> {
        if let Some(body) = self.unfoldings.get(&(instance, disjunct)) {
            return Ok(Unfolding {
                instance,
                disjunct,
                body: body.clone(),
            });
        }
        let mut body = match instance {
            None => {
                let formula = self.subject.precondition.as_ref();
                let heap = formula.and_then(|formula| formula.disjuncts.get(disjunct as usize));
                let heap = heap.ok_or(PathStop::Diverged)?;
                heap.instantiate(&mut self.terms, &Default::default())
            }
            Some(number) => {
                let open = self
                    .initial
                    .open_instance(number)
                    .ok_or(PathStop::Diverged)?;
                let predicate = self.subject.definitions.predicate(open.predicate);
                if disjunct as usize >= predicate.disjuncts.len() {
                    return Err(PathStop::Diverged);
                }
                unfold_with(&mut self.terms, predicate, disjunct as usize, open)
            }
        };
        for cell in &body.points_to {
            let program = &self.subject.program;
            let conditions = fitting(program, &mut self.terms, cell.class, &cell.fields);
            body.pure.extend(conditions);
        }
        self.unfoldings.insert((instance, disjunct), body.clone());
        Ok(Unfolding {
            instance,
            disjunct,
            body,
        })
    }

    fn case_conditions(&mut self, value: TermId, cases: &[i128], case: Option<u32>) -> Vec<TermId> {
        let terms = &mut self.terms;
        match case.and_then(|case| cases.get(case as usize)) {
            Some(&number) => {
                let number = terms.int(number);
                vec![terms.eq(value, number)]
            }
            None => (cases.iter())
                .map(|&number| {
                    let number = terms.int(number);
                    terms.ne(value, number)
                })
                .collect(),
        }
    }

    fn outside(&mut self, index: TermId, length: u32) -> TermId {
        let terms = &mut self.terms;
        let (zero, length) = (terms.int(0), terms.int(i128::from(length)));
        let below = terms.lt(index, zero);
        let above = terms.le(length, index);
        terms.or([below, above])
    }

    /// What the concrete input answers.
    pub(super) fn answer(&self, open: &ChoicePoint, alternatives: &[Choice]) -> Option<Choice> {
        let assignment = self.assignment.as_ref()?;
        let integer = |term| match assignment.evaluate(&self.terms, term) {
            Ok(LogicValue::Int(value)) => Some(value),
            _ => None,
        };
        Some(match open {
            ChoicePoint::Instance => return None,
            ChoicePoint::Precondition => Choice::Disjunct(assignment.root_disjunct()?),
            ChoicePoint::Condition(condition) => match assignment.evaluate(&self.terms, *condition)
            {
                Ok(LogicValue::Bool(holds)) => Choice::Condition(holds),
                _ => return None,
            },
            ChoicePoint::Switch(value, cases) => {
                let value = integer(*value)?;
                let case = cases.iter().position(|&case| case == value);
                Choice::Case(case.map(|case| case as u32))
            }
            ChoicePoint::Number(value) => {
                let number = integer(*value)?;
                // The numbers that were not chosen are tried one after the other.
                match alternatives.first() {
                    Some(Choice::Number(proposed)) if *proposed != number => {
                        Choice::Except(*proposed)
                    }
                    _ => Choice::Number(number),
                }
            }
            ChoicePoint::Element(index, length) => {
                let index = u32::try_from(integer(*index)?).ok();
                Choice::Element(index.filter(|index| index < length))
            }
            ChoicePoint::Reference(variable) => {
                match assignment.value_of(&self.terms, *variable) {
                    LogicValue::Ref(loc) => {
                        if let Some(object) = assignment.object_at(loc) {
                            return Some(Choice::Alias(object));
                        }
                        let inside = alternatives.iter().find_map(|&choice| match choice {
                            Choice::Unfold { instance, .. } => {
                                assignment.is_inside(loc, instance).then_some(instance)
                            }
                            _ => None,
                        });
                        if let Some(instance) = inside {
                            let disjunct = assignment.disjunct(instance)?;
                            return Some(Choice::Unfold { instance, disjunct });
                        }
                        if let Some(choice) = self.interior_answer(assignment, loc) {
                            return Some(choice);
                        }
                        if let Some(choice) = self.element_answer(assignment, loc) {
                            return Some(choice);
                        }
                        if let Some(choice) = self.header_answer(assignment, loc) {
                            return Some(choice);
                        }
                        match assignment.class_at(loc) {
                            Some(class) => match element_sort(&self.subject.program, class) {
                                None => Choice::Fresh(class),
                                Some(_) => Choice::FreshArray {
                                    class,
                                    length: assignment.length_at(loc)?,
                                },
                            },
                            // Any object will do.
                            None => *(alternatives.iter()).find(|choice| choice.is_fresh())?,
                        }
                    }
                    _ => Choice::Null,
                }
            }
        })
    }
}

//! What a run on a partial structure can come to ask, and the answers.

use std::rc::Rc;

use heapwright_ir::machine::MachineError;
use heapwright_logic::{ClassId, Sort, TermId, Value as LogicValue, VarId};
use heapwright_solver::arith::Assignment;

use super::scalars::Feasible;
use super::structure::{Content, Reference, Slot, SlotId};
use super::{Partial, StructureStop, Told};
use crate::input::candidates::{candidates, element_sort, fits};
use crate::input::narrow::narrow_fields;

/// Numbers that are tried where one has to be known.
const NUMBERS: usize = 8;

/// The same where truth values decide which one it is.
const COUNTS: usize = 200;

/// A question that the structure does not answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StructureQuestion {
    /// Which object a reference is.
    Reference(SlotId),
    /// Whether a reference is null, or this object.
    Same(SlotId, Reference),
    /// Whether a condition holds.
    Condition(TermId),
    /// Which number a term is.
    Number {
        /// The term.
        term: TermId,
        /// The numbers that are told apart from each other and from all others. None: every
        /// number is told apart, as many as are tried.
        cases: Option<Rc<Vec<i128>>>,
    },
}

/// An answer.
#[derive(Clone, Debug)]
pub enum Answer {
    /// The reference is null.
    Null,
    /// The reference is an object that was met before.
    Alias(u32),
    /// The reference is what was asked about, or something else.
    Same(bool),
    /// The reference is a new object.
    Fresh(ClassId),
    /// The reference is a new array of this length.
    FreshArray(ClassId, u32),
    /// The condition holds or not, for instance with these numbers.
    Condition(bool, Option<Rc<Assignment>>),
    /// The term is this number, or none of those that are told apart, which this term says; for
    /// instance with these numbers.
    Number(Option<i128>, TermId, Rc<Assignment>),
}

/// How large structures may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Objects of each class.
    pub objects: u32,
    /// Elements of an array.
    pub elements: u32,
}

/// The numbers that fields, or parameters, of a name can be.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct NumberDomain {
    /// The name.
    pub name: String,
    /// The least number.
    pub least: i128,
    /// The greatest number.
    pub greatest: i128,
}

impl Partial<'_> {
    /// The answers that are possible within the scope, smaller structures first.
    pub fn answers(&mut self, open: &StructureQuestion) -> Vec<Answer> {
        match open {
            StructureQuestion::Reference(slot) => self.references(*slot),
            StructureQuestion::Same(slot, reference) => self.sameness(*slot, *reference),
            StructureQuestion::Condition(term) => self.truth_values(*term),
            StructureQuestion::Number { term, cases } => {
                self.numbers(*term, cases.as_ref().map(|list| &list[..]))
            }
        }
    }

    /// Whether a reference is something. That it is something else is left for later: most
    /// predicates need to know no more.
    fn sameness(&self, slot: SlotId, reference: Reference) -> Vec<Answer> {
        let Some(known) = self.structure.slots.get(slot.0 as usize) else {
            return Vec::new();
        };
        let fits = match reference {
            Reference::Null => true,
            Reference::Object(number) => {
                let object = self.structure.objects.get(number as usize);
                object.is_some_and(|object| {
                    fits(self.program, object.class, known.class) && !object.owned && !known.owned
                })
            }
        };
        let is_possible = fits && self.structure.may_be(slot, reference);
        let both = [is_possible.then_some(true), Some(false)];
        both.into_iter().flatten().map(Answer::Same).collect()
    }

    fn references(&mut self, id: SlotId) -> Vec<Answer> {
        let Some(&slot) = self.structure.slots.get(id.0 as usize) else {
            return Vec::new();
        };
        let mut answers = Vec::new();
        if self.structure.may_be(id, Reference::Null) {
            answers.push(Answer::Null);
        }
        if !slot.owned {
            for (object, number) in self.structure.objects.iter().zip(0..) {
                let is_value = self.rules.values.contains(&object.class);
                if !self.structure.may_be(id, Reference::Object(number)) {
                    continue;
                }
                if !object.owned && !is_value && fits(self.program, object.class, slot.class) {
                    answers.push(Answer::Alias(number));
                }
            }
        }
        let is_inside = self.program.manual_memory && self.is_inside(id);
        let mut classes = candidates(self.program, self.rules, &[slot.class]).classes;
        // A link in a structure is one of those that the program takes to be inside of others.
        if let Some(parts) = self.rules.containers.get(&slot.class)
            && !self.is_argument(id)
        {
            self.scalars.borrow_mut().restricted = true;
            classes.retain(|class| parts.contains(class));
        }
        for class in classes {
            let is_value = self.rules.values.contains(&class) || is_inside;
            let count = self.structure.count(self.whole(class));
            if count > 0 && self.rules.singletons.contains_key(&class) {
                // There is no other one.
            } else if !is_value && count >= self.scope.objects {
                // Larger structures are outside of the scope.
            } else if element_sort(self.program, class).is_some() {
                let lengths = match self.program.class(class).inside.length {
                    Some(length) => length..=length,
                    None => 0..=self.scope.elements,
                };
                answers.extend(lengths.map(|length| Answer::FreshArray(class, length)));
            } else {
                answers.push(Answer::Fresh(class));
            }
        }
        answers
    }

    fn truth_values(&mut self, term: TermId) -> Vec<Answer> {
        if let Some((asked, holds, model)) = self.other.take()
            && asked == term
        {
            let other = Answer::Condition(holds, Some(model));
            let known = Answer::Condition(!holds, None);
            return match holds {
                true => vec![other, known],
                false => vec![known, other],
            };
        }
        let mut scalars = self.scalars.borrow_mut();
        let negation = scalars.terms.not(term);
        let known = scalars.holds(&self.structure.model, term);
        let mut answers = Vec::new();
        for (holds, condition) in [(true, term), (false, negation)] {
            if known == Some(holds) {
                answers.push(Answer::Condition(holds, None));
                continue;
            }
            let structure = &self.structure;
            match scalars.check_also(&structure.conditions, condition, &structure.model) {
                Feasible::With(model) => {
                    answers.push(Answer::Condition(holds, Some(Rc::new(model))));
                }
                Feasible::Perhaps => answers.push(Answer::Condition(holds, None)),
                Feasible::Never => {}
            }
        }
        answers
    }

    /// The number that a term is with the numbers at hand, if that is one of the cases.
    pub fn likely_number(&mut self, term: TermId, cases: &[i128]) -> Option<Answer> {
        let model = &self.structure.model;
        let mut scalars = self.scalars.borrow_mut();
        let number = scalars.number(model, term)?;
        let constant = scalars.terms.int(number);
        let equal = scalars.terms.eq(term, constant);
        let is_case = cases.contains(&number);
        is_case.then(|| Answer::Number(Some(number), equal, Rc::clone(model)))
    }

    fn numbers(&mut self, term: TermId, cases: Option<&[i128]>) -> Vec<Answer> {
        let mut scalars = self.scalars.borrow_mut();
        let mut conditions = self.structure.conditions.clone();
        let mut answers = Vec::new();
        // What truth values alone decide is a count of something, and comes to an end.
        let most = match scalars.is_of_truths(term) {
            true => COUNTS,
            false => NUMBERS,
        };
        for round in 0..cases.map_or(most, <[_]>::len) {
            let number = match (cases, scalars.check(&conditions)) {
                (Some(cases), _) => cases.get(round).copied(),
                (None, Feasible::With(model)) => scalars.number(&model, term),
                (None, _) => None,
            };
            let Some(number) = number else { break };
            let constant = scalars.terms.int(number);
            let equal = scalars.terms.eq(term, constant);
            conditions.push(equal);
            if let Feasible::With(model) = scalars.check(&conditions) {
                answers.push(Answer::Number(Some(number), equal, Rc::new(model)));
            }
            conditions.pop();
            conditions.push(scalars.terms.not(equal));
        }
        // All other numbers.
        match (cases, scalars.check(&conditions)) {
            (_, Feasible::Never) => {}
            (Some(_), Feasible::With(model)) => {
                let before = self.structure.conditions.len();
                let outside = conditions.get(before..).unwrap_or_default().to_vec();
                let outside = scalars.terms.and(outside);
                answers.push(Answer::Number(None, outside, Rc::new(model)));
            }
            // Numbers that were not tried.
            _ => scalars.left_out += 1,
        }
        answers
    }

    /// Decides a question. The instruction that asked can be executed again.
    pub fn answer(
        &mut self,
        open: &StructureQuestion,
        answer: &Answer,
    ) -> Result<(), StructureStop> {
        self.answered = match open {
            StructureQuestion::Condition(_) | StructureQuestion::Number { .. } => {
                self.answered.saturating_add(1)
            }
            StructureQuestion::Reference(_) | StructureQuestion::Same(..) => 0,
        };
        match (open, answer) {
            (StructureQuestion::Reference(slot), Answer::Null) => {
                self.structure.choose(*slot, Reference::Null);
            }
            (StructureQuestion::Reference(slot), Answer::Alias(object)) => {
                self.structure.choose(*slot, Reference::Object(*object));
            }
            (StructureQuestion::Reference(slot), Answer::Fresh(class)) => {
                self.fresh(*slot, *class, None)?
            }
            (StructureQuestion::Reference(slot), Answer::FreshArray(class, length)) => {
                self.fresh(*slot, *class, Some(*length))?;
            }
            (StructureQuestion::Same(slot, reference), Answer::Same(true)) => {
                self.structure.choose(*slot, *reference);
            }
            (StructureQuestion::Same(slot, reference), Answer::Same(false)) => {
                self.structure.exclude(*slot, *reference);
            }
            (StructureQuestion::Condition(term), Answer::Condition(holds, model)) => {
                let condition = match holds {
                    true => *term,
                    false => self.scalars.borrow_mut().terms.not(*term),
                };
                self.assume(condition, model.as_ref());
                self.told = Some(Told::Truth(*term, *holds));
            }
            (StructureQuestion::Number { term, .. }, Answer::Number(number, condition, model)) => {
                self.assume(*condition, Some(model));
                self.told = Some(Told::Number(*term, *number));
            }
            _ => return Err(MachineError::IllSorted.into()),
        }
        Ok(())
    }

    fn assume(&mut self, condition: TermId, model: Option<&Rc<Assignment>>) {
        self.structure.conditions.push(condition);
        if let Some(model) = model {
            self.structure.model = Rc::clone(model);
        }
    }

    /// A new object of the structure, of which nothing is known.
    fn fresh(
        &mut self,
        slot: SlotId,
        class: ClassId,
        length: Option<u32>,
    ) -> Result<(), StructureStop> {
        if self.rules.restricted.contains(&class) {
            self.scalars.borrow_mut().restricted = true;
        }
        let owned = (self.structure.slots.get(slot.0 as usize)).is_some_and(|slot| slot.owned);
        let number = self.add_whole(class, length, owned)?;
        self.structure.choose(slot, Reference::Object(number));
        self.embed()
    }

    /// What is in a new object at first.
    pub(super) fn contents(
        &mut self,
        number: u32,
        class: ClassId,
        length: Option<u32>,
    ) -> Result<Vec<Content>, StructureStop> {
        let program = self.program;
        if let Some(length) = length {
            let sort = element_sort(program, class).ok_or(MachineError::WrongKind(class))?;
            let elements = 0..length;
            return Ok(elements
                .map(|index| self.content(number + 1, index, sort, None))
                .collect());
        }
        let fields = &program.definitions.class(class).fields;
        let rules = self.rules.of_fields(class);
        Ok((0..)
            .zip(fields)
            .map(|(index, field)| {
                let rule = rules.iter().find(|rule| rule.field == index);
                self.content(number + 1, index, field.sort, rule.map(|rule| rule.content))
            })
            .collect())
    }

    /// The numbers of a new object are those of the domains that were asked for, and fit into their
    /// fields.
    pub(super) fn keep_to_domains(
        &mut self,
        class: ClassId,
        object: u32,
    ) -> Result<(), StructureStop> {
        let narrow = narrow_fields(self.program, class);
        if self.domains.is_empty() && narrow.is_empty() {
            return Ok(());
        }
        let fields = &self.program.definitions.class(class).fields;
        let Some(contents) = self.structure.objects.get(object as usize).cloned() else {
            return Ok(());
        };
        for (field, content) in fields.iter().zip(&contents.contents) {
            if let Content::Scalar(name) = content {
                self.keep_to_domain(&field.name, *name)?;
            }
        }
        for narrow in narrow {
            if let Some(Content::Scalar(name)) = contents.contents.get(narrow.field as usize) {
                self.keep_between(narrow.least, narrow.greatest, *name)?;
            }
        }
        Ok(())
    }

    /// A number is one of the domain that was asked for under its name, if any.
    pub(super) fn keep_to_domain(
        &mut self,
        name: &str,
        number: VarId,
    ) -> Result<(), StructureStop> {
        let Some(domain) = self.domains.iter().find(|domain| domain.name == name) else {
            return Ok(());
        };
        let (least, greatest) = (domain.least, domain.greatest);
        self.keep_between(least, greatest, number)
    }

    fn keep_between(
        &mut self,
        least: i128,
        greatest: i128,
        number: VarId,
    ) -> Result<(), StructureStop> {
        let mut scalars = self.scalars.borrow_mut();
        let scalars = &mut *scalars;
        if !matches!(scalars.terms.variable(number).sort, Sort::Machine(_)) {
            return Ok(());
        }
        let (term, least) = (scalars.terms.var(number), scalars.terms.int(least));
        let greatest = scalars.terms.int(greatest);
        let conditions = [
            scalars.terms.le(least, term),
            scalars.terms.le(term, greatest),
        ];
        self.structure.conditions.extend(conditions);
        match scalars.check(&self.structure.conditions) {
            Feasible::With(model) => self.structure.model = Rc::new(model),
            Feasible::Never => return Err(StructureStop::Infeasible),
            Feasible::Perhaps => {}
        }
        Ok(())
    }

    /// What an argument, a field or an element holds in the beginning.
    pub(super) fn content(
        &mut self,
        object: u32,
        position: u32,
        sort: Sort,
        rule: Option<heapwright_ir::Content>,
    ) -> Content {
        use heapwright_ir::Content as Rule;
        if let Some(Rule::Constant(constant)) = rule {
            return Content::Constant(constant.into());
        }
        let itself = matches!(rule, Some(Rule::Itself)) && object > 0;
        match sort {
            Sort::Ref(class) => Content::Slot(self.structure.add_slot(Slot {
                class,
                present: matches!(rule, Some(Rule::Present | Rule::Owned | Rule::Array(_))),
                owned: matches!(rule, Some(Rule::Owned | Rule::Array(_))),
                chosen: itself.then(|| Reference::Object(object - 1)),
                not_null: false,
                not: 0,
            })),
            sort => Content::Scalar(self.scalars.borrow_mut().name(object, position, sort)),
        }
    }
}

impl super::scalars::Scalars {
    /// The number that a term is, for given numbers.
    fn number(&self, model: &Assignment, term: TermId) -> Option<i128> {
        let mut evaluator = heapwright_logic::Evaluator::default();
        let value = |name| Some(self.value(model, name));
        match evaluator.evaluate(&self.terms, term, value) {
            Ok(LogicValue::Int(number)) => Some(number),
            _ => None,
        }
    }
}

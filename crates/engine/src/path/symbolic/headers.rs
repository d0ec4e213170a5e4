//! Pointers of the input to the array in a struct, where the program goes back from there to the
//! struct: a header in front of a text.
//!
//! The array is an object like any other, and the struct around it comes with it. Where nobody goes
//! back, the two cannot be told from an array that stands alone, and that is all that is tried.

use heapwright_ir::Content;
use heapwright_logic::{ClassId, Loc, Sort, Value as LogicValue, VarId};

use super::question::Effect;
use super::{PathStop, Symbolic};
use crate::path::assignment::Assignment;
use crate::path::decision::Choice;
use crate::path::initial_heap::AddedCell;

impl Symbolic<'_> {
    /// The structs that an array of a class can be inside of, with all lengths up to the bound.
    pub(super) fn headers(&self, array: ClassId) -> Vec<Choice> {
        let rules = &self.subject.rules;
        let known = rules.headers.get(&array).into_iter().flatten();
        let wanted = known.filter(|(class, _)| self.knowledge.overlap.cast.contains(class));
        wanted
            .flat_map(|&(class, field)| {
                let rule = rules
                    .of_fields(class)
                    .iter()
                    .find(|rule| rule.field == field);
                let lengths = match rule.map(|rule| rule.content) {
                    Some(Content::Array(length)) => length..=length,
                    _ => 0..=self.extent.elements,
                };
                lengths.map(move |length| Choice::Member {
                    class,
                    field,
                    length,
                })
            })
            .collect()
    }

    /// A new struct whose array a reference leads to.
    pub(super) fn member_of_fresh(
        &mut self,
        variable: VarId,
        class: ClassId,
        field: u32,
        length: u32,
    ) -> Result<Effect, PathStop> {
        let member = self
            .subject
            .definitions
            .class(class)
            .fields
            .get(field as usize);
        let Some(Sort::Ref(array)) = member.map(|member| member.sort) else {
            return Err(PathStop::Diverged);
        };
        let outer = self.container(variable, class);
        let mut added = self.fresh_cell(outer, class, None);
        let content = added.cell.fields.get_mut(field as usize);
        *content.ok_or(PathStop::Diverged)? = self.terms.var(variable);
        let mut member = self.fresh_cell(variable, array, Some(length));
        member.comes_along = true;
        let mut effect = Effect {
            conditions: self.present(&added),
            ..Effect::default()
        };
        let others = self.partners(&added).into_iter();
        let others = others.filter(|other| other.cell.source != member.cell.source);
        effect.partners = others.collect();
        effect.partners.push(member);
        for partner in &effect.partners {
            effect.conditions.extend(self.present(partner));
        }
        effect.cell = Some(added);
        Ok(effect)
    }

    /// What the concrete input says about a reference to an array that is inside of a struct.
    pub(super) fn header_answer(&self, assignment: &Assignment, loc: Loc) -> Option<Choice> {
        let array = assignment.class_at(loc)?;
        let fields = self.subject.rules.headers.get(&array)?;
        let (outer, class, field) = assignment.around(loc, fields)?;
        let is_new =
            assignment.object_at(outer).is_none() && self.knowledge.overlap.cast.contains(&class);
        let length = assignment.length_at(loc)?;
        is_new.then_some(Choice::Member {
            class,
            field,
            length,
        })
    }

    /// Where a struct is in the concrete input that was found by its array.
    pub(super) fn find_header(&mut self, added: &AddedCell) {
        let class = added.cell.class;
        let headers = self.subject.rules.headers.values().flatten();
        let fields: Vec<(ClassId, u32)> = headers
            .copied()
            .filter(|(known, _)| *known == class)
            .collect();
        let Some(source) = self.terms.as_var(added.cell.source) else {
            return;
        };
        let is_found = self.containers.values().any(|&symbol| symbol == source);
        if !is_found {
            return;
        }
        for &(_, field) in &fields {
            let Some(&content) = added.cell.fields.get(field as usize) else {
                continue;
            };
            let beside = [&mut self.assignment, &mut self.neighbour];
            for assignment in beside.into_iter().flatten() {
                if let Ok(LogicValue::Ref(loc)) = assignment.evaluate(&self.terms, content)
                    && let Some((outer, ..)) = assignment.around(loc, &fields)
                {
                    assignment.assign(source, LogicValue::Ref(outer));
                }
            }
        }
    }
}

//! Going on with the input alone when the run is over: deciding what the path left open.

use heapwright_logic::{Sort, TermId, VarId};

use super::question::ChoicePoint;
use super::resolve::Region;
use super::{PathStop, Symbolic};
use crate::path::aliases::Known;
use crate::path::decision::Choice;

impl Symbolic<'_> {
    /// Unfolds every open instance the way that the concrete input does.
    pub fn unfold_as_given(&mut self) -> Result<(), PathStop> {
        loop {
            let first = self.initial.open().next().map(|(number, _)| number);
            let Some(instance) = first else {
                return Ok(());
            };
            let given = self.assignment.as_ref();
            let disjunct = given.and_then(|assignment| assignment.disjunct(instance));
            let disjunct = disjunct.ok_or(PathStop::Diverged)?;
            let effect = self.effect(
                &ChoicePoint::Instance,
                Choice::Unfold { instance, disjunct },
            )?;
            self.apply(effect)?;
        }
    }

    /// The first reference of the input that is still open, with what it can be.
    pub fn first_open(&mut self) -> Option<(VarId, Vec<Choice>)> {
        let inputs = self.subject.inputs.iter().map(|input| input.variable);
        let contents = (self.initial.cells.iter()).flat_map(|known| known.contents());
        let contents = contents.filter_map(|&field| self.terms.as_var(field));
        let (variable, class) = inputs.chain(contents).find_map(|variable| {
            let Sort::Ref(class) = self.terms.variable(variable).sort else {
                return None;
            };
            let known = self.initial.aliases.known(variable);
            matches!(known, Known::Open(_)).then_some((variable, class))
        })?;
        let alternatives = self.alternatives(variable, class, &Region::Anywhere);
        Some((variable, alternatives.choices))
    }

    /// Decides a reference.
    pub fn refine(&mut self, variable: VarId, choice: Choice) -> Result<(), PathStop> {
        let effect = self.effect(&ChoicePoint::Reference(variable), choice)?;
        self.apply(effect)
    }

    /// The numbers of the input as far as it is known: arguments and contents.
    pub fn numbers(&mut self) -> Vec<TermId> {
        let inputs = self.subject.inputs.iter().map(|input| input.variable);
        let mut numbers: Vec<TermId> = inputs.map(|variable| self.terms.var(variable)).collect();
        numbers.extend(self.initial.cells.iter().flat_map(|known| known.contents()));
        numbers.retain(|&term| self.terms.sort(term).is_integer());
        numbers
    }
}

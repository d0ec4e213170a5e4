//! Taking a decision.

use heapwright_ir::Operation;
use heapwright_ir::machine::{Question, Site};
use heapwright_logic::{ClassId, Value as LogicValue};
use heapwright_solver::Answer;

use super::question::{ChoicePoint, Effect};
use super::{Fork, Guide, PathStop, Symbolic};
use crate::input::candidates::fits;
use crate::path::assignment::Assignment;
use crate::path::decision::{About, Choice, Decision};
use crate::path::initial_heap::AddedCell;
use crate::path::symbolic_value::SymbolicValue;
use crate::report::Limit;

impl Symbolic<'_> {
    /// Decides an open question, and adds what the answer says to the initial heap. A question
    /// with one alternative is no decision.
    pub(super) fn choose(
        &mut self,
        site: Option<Site>,
        open: ChoicePoint,
        alternatives: Vec<Choice>,
    ) -> Result<Choice, PathStop> {
        match alternatives[..] {
            [] => return Err(PathStop::Infeasible),
            [only] => {
                let effect = self.effect(&open, only)?;
                let objects = self.objects() + effect.objects(&self.subject.rules);
                // A list that never ends is unfolded without a decision.
                if effect.objects(&self.subject.rules) > 0
                    && objects > self.extent.objects
                    && !matches!(self.guide, Guide::Input)
                {
                    return Err(self.stop_short(Limit::Objects, objects));
                }
                self.apply(effect)?;
                return Ok(only);
            }
            _ => {}
        }
        let decision = match self.prefix.get(self.decisions.len()).copied() {
            Some(decision) => self.follow(site, &open, &alternatives, decision)?,
            None => self.decide_anew(site, &open, alternatives)?,
        };
        self.decisions.push(decision);
        // What the other answers being impossible implies need not be said.
        if !(decision.forced && matches!(open, ChoicePoint::Condition(_))) {
            let effect = self.effect(&open, decision.choice)?;
            self.apply(effect)?;
        }
        Ok(decision.choice)
    }

    /// The decision of the prefix, which has to be one of the alternatives.
    fn follow(
        &mut self,
        site: Option<Site>,
        open: &ChoicePoint,
        alternatives: &[Choice],
        decision: Decision,
    ) -> Result<Decision, PathStop> {
        if decision.site != site || !alternatives.contains(&decision.choice) {
            return Err(PathStop::Diverged);
        }
        if self.assignment.is_some()
            && !self.is_meant(self.answer(open, alternatives), decision.choice)
        {
            return Err(PathStop::Diverged);
        }
        Ok(decision)
    }

    /// Whether the answer of an input is the one of a prefix. Inputs know arrays by their length.
    fn is_meant(&self, answer: Option<Choice>, choice: Choice) -> bool {
        match (answer, choice) {
            (
                Some(Choice::FreshArray { class, length }),
                Choice::KnownArray {
                    class: other,
                    literal,
                },
            ) => {
                let known = self.subject.literals.get(&literal);
                class == other && known.is_some_and(|known| known.elements.len() as u32 == length)
            }
            (answer, choice) => answer == Some(choice),
        }
    }

    fn decide_anew(
        &mut self,
        site: Option<Site>,
        open: &ChoicePoint,
        alternatives: Vec<Choice>,
    ) -> Result<Decision, PathStop> {
        if self.exhausted.is_none() && self.decisions.len() as u32 >= self.extent.depth {
            self.exhausted = Some(Limit::Depth);
        }
        match self.guide {
            Guide::Pause => Err(PathStop::Paused),
            Guide::Input => {
                let choice = self.answer(open, &alternatives).ok_or(PathStop::Diverged)?;
                if !alternatives.contains(&choice) {
                    return Err(match self.is_of_other_type(choice) {
                        true => self.cut_off(Limit::Classes, self.objects()),
                        false => PathStop::Diverged,
                    });
                }
                // Nothing is explored from here on, and the concrete run shows the rest of the path.
                if let Some(limit) = self.exhausted {
                    return Err(self.stop_short(limit, self.objects()));
                }
                self.fork(site, open, &alternatives, Some(choice))?;
                Ok(self.decision(site, open, choice, false))
            }
            Guide::Search(_) => match self.exhausted {
                Some(limit) => Err(self.stop_short(limit, self.objects())),
                None => self.search(site, open, alternatives),
            },
        }
    }

    /// Whether the input has an object where a pointer to nothing in particular leads that is of
    /// another type than it is used with: nobody knew that when the input was made.
    fn is_of_other_type(&self, choice: Choice) -> bool {
        let Choice::Fresh(class) = choice else {
            return false;
        };
        let told = self.subject.rules.candidates.get(&ClassId::ANY);
        self.subject.program.manual_memory && told.is_some_and(|told| told.classes.contains(&class))
    }

    /// The first alternative that is feasible. The others that may be are left for later.
    fn search(
        &mut self,
        site: Option<Site>,
        open: &ChoicePoint,
        alternatives: Vec<Choice>,
    ) -> Result<Decision, PathStop> {
        let mut ordered = alternatives;
        let known = self.answer(open, &ordered);
        if let Guide::Search(coverage) = self.guide {
            // What the model at hand takes is feasible, and keeps the heap small.
            ordered.sort_by_key(|&choice| {
                let edge = self.edge_of(site, open, choice);
                let covered =
                    edge.is_none_or(|edge| coverage.is_covered(edge) || self.taken.contains(&edge));
                (covered, known != Some(choice))
            });
        }
        let mut infeasible = Vec::new();
        let mut chosen = None;
        let mut unknown = None;
        for &choice in &ordered {
            if known == Some(choice) {
                self.questions.hits += 1;
                chosen = Some(choice);
                break;
            }
            let effect = self.effect(open, choice)?;
            let objects = self.objects() + effect.objects(&self.subject.rules);
            if objects > self.extent.objects {
                continue;
            }
            let formula = self.formula_with(&effect);
            let definitions = &self.subject.definitions;
            self.suggest();
            let answer = self.questions.check(&mut self.terms, formula.clone());
            match answer {
                Answer::Unsat => {
                    self.infeasible += 1;
                    infeasible.push(choice);
                }
                Answer::Unknown(_) => unknown = unknown.or(Some(choice)),
                Answer::Sat(model) => {
                    self.input_holds = false;
                    self.model_is_ahead = true;
                    let open_after = self.open_after(&effect);
                    self.assignment = Assignment::of_model(
                        &self.terms,
                        definitions,
                        &formula,
                        open_after.into_iter(),
                        &model,
                    );
                    self.name_objects();
                    chosen = Some(choice);
                    break;
                }
            }
        }
        ordered.retain(|choice| !infeasible.contains(choice));
        let choice = match (chosen, unknown, ordered.first()) {
            (Some(choice), ..) => choice,
            (None, Some(choice), _) => {
                self.input_holds = false;
                self.assignment = None;
                choice
            }
            // All that is left is beyond the bound.
            (None, None, Some(_)) => {
                self.fork(site, open, &ordered, None)?;
                return Err(PathStop::Cut(Limit::Objects));
            }
            (None, None, None) => return Err(PathStop::Infeasible),
        };
        let forced = ordered.len() == 1;
        self.fork(site, open, &ordered, Some(choice))?;
        Ok(self.decision(site, open, choice, forced))
    }

    /// The instances that are open after an answer, in the order of the formula.
    fn open_after(&self, effect: &Effect) -> Vec<u32> {
        let replaced = effect
            .unfolding
            .as_ref()
            .and_then(|unfolding| unfolding.instance);
        let mut open: Vec<u32> = (self.initial.open())
            .map(|(number, _)| number)
            .filter(|&number| Some(number) != replaced)
            .collect();
        if let Some(unfolding) = &effect.unfolding {
            let first = self.initial.instances.len() as u32;
            open.extend((0..unfolding.body.instances.len() as u32).map(|index| first + index));
        }
        open
    }

    /// Leaves the alternatives that were not taken for later, and those that a bound keeps out for
    /// the time when it has grown.
    fn fork(
        &mut self,
        site: Option<Site>,
        open: &ChoicePoint,
        alternatives: &[Choice],
        taken: Option<Choice>,
    ) -> Result<(), PathStop> {
        for &choice in alternatives.iter().filter(|&&choice| Some(choice) != taken) {
            let effect = self.effect(open, choice)?;
            let objects = self.objects() + effect.objects(&self.subject.rules);
            let beyond = (objects > self.extent.objects).then_some(Limit::Objects);
            self.push_fork(site, open, choice, objects, beyond);
        }
        for shortest in arrays_among(alternatives) {
            let most = self.extent.elements.max(shortest.length().unwrap_or(0));
            let choice = shortest.with_length(most.saturating_add(1));
            let objects = self.objects() + 1;
            self.push_fork(site, open, choice, objects, Some(Limit::Elements));
            let Choice::FreshArray { class, .. } = shortest else {
                continue;
            };
            if matches!(open, ChoicePoint::Reference(variable) if self.is_owned(*variable)) {
                for &literal in self.literals {
                    let known = self.subject.literals.get(&literal);
                    if known.is_some_and(|known| known.class == class) {
                        let choice = Choice::KnownArray { class, literal };
                        self.push_fork(site, open, choice, objects, Some(Limit::Elements));
                    }
                }
            }
        }
        Ok(())
    }

    fn push_fork(
        &mut self,
        site: Option<Site>,
        open: &ChoicePoint,
        choice: Choice,
        objects: u32,
        beyond: Option<Limit>,
    ) {
        self.forks.push(Fork {
            depth: self.decisions.len() as u32,
            decision: self.decision(site, open, choice, false),
            objects,
            beyond,
        });
    }

    fn decision(
        &self,
        site: Option<Site>,
        open: &ChoicePoint,
        choice: Choice,
        forced: bool,
    ) -> Decision {
        let under_test = |site: Site| self.subject.is_under_test(site.point.function);
        let fault = site.filter(|&site| under_test(site));
        Decision {
            site,
            choice,
            forced,
            edge: self
                .edge_of(site, open, choice)
                .filter(|edge| self.subject.is_under_test(edge.function)),
            block: site.and_then(|_| self.block_under_test()),
            fault: fault.is_some_and(|site| self.is_fault(site, choice)),
            about: match self.subject.program.manual_memory {
                true => self.about(open),
                false => About::default(),
            },
            predicate: match choice {
                Choice::Unfold { instance, .. } => {
                    let known = self.initial.instances.get(instance as usize);
                    known.map(|known| known.instance.predicate)
                }
                _ => None,
            },
        }
    }

    /// Whether an answer makes the instruction fail.
    fn is_fault(&self, site: Site, choice: Choice) -> bool {
        let operation = self.operation(site);
        match (site.question, choice) {
            (Question::Object, Choice::Null) => !matches!(
                operation,
                Some(Operation::InstanceOf { .. } | Operation::CheckCast { .. })
            ),
            (Question::Assertion, Choice::Condition(false))
            | (Question::Divisor | Question::NegativeLength, Choice::Condition(true))
            | (Question::Index, Choice::Element(None) | Choice::Condition(false)) => true,
            (Question::Object, Choice::Alias(object)) => (self.memory.object(object))
                .is_ok_and(|object| object.freed || self.is_bad_cast(operation, object.class)),
            (
                Question::Object,
                Choice::Fresh(class)
                | Choice::FreshArray { class, .. }
                | Choice::KnownArray { class, .. },
            ) => self.is_bad_cast(operation, class),
            _ => false,
        }
    }

    /// What of the input a question is about.
    fn about(&self, open: &ChoicePoint) -> About {
        let (ChoicePoint::Condition(term)
        | ChoicePoint::Element(term, _)
        | ChoicePoint::Switch(term, _)
        | ChoicePoint::Number(term)) = *open
        else {
            return About::default();
        };
        let is_argument =
            |variable| (self.subject.inputs.iter()).any(|input| input.variable == variable);
        let (mut references, mut pointers, mut numbers) = (false, false, false);
        for term in self.terms.subterms([term]) {
            let Some(variable) = self.terms.as_var(term) else {
                continue;
            };
            match self.terms.variable(variable).sort.is_ref() {
                true if is_argument(variable) => pointers = true,
                true => references = true,
                false if !is_argument(variable) => return About::Contents,
                false => numbers = true,
            }
        }
        match (references, pointers && !numbers) {
            (true, _) => About::References,
            (false, true) => About::PointerArguments,
            (false, false) => About::Arguments,
        }
    }

    fn is_bad_cast(&self, operation: Option<&Operation>, class: ClassId) -> bool {
        match operation {
            Some(Operation::CheckCast { class: wanted, .. }) => {
                !fits(&self.subject.program, class, *wanted)
            }
            _ => false,
        }
    }

    /// What is executed where a question came up; none for the end of a block.
    fn operation(&self, site: Site) -> Option<&Operation> {
        let function = self
            .subject
            .program
            .functions
            .get(site.point.function.index())?;
        let block = function.blocks.get(site.point.block.index())?;
        let instruction = block.instructions.get(site.point.instruction as usize)?;
        Some(&instruction.operation)
    }

    /// Adds what an answer says, and what that leaves no choice about.
    pub(super) fn apply(&mut self, effect: Effect) -> Result<(), PathStop> {
        self.add(effect)?;
        self.settle()
    }

    /// Adds what an answer says.
    pub(super) fn add(&mut self, effect: Effect) -> Result<(), PathStop> {
        for condition in effect.conditions {
            self.initial.assume(&mut self.terms, condition)?;
        }
        // A place, and an array, know where the others are that come before them.
        for added in &effect.partners {
            if self.is_interior(added) {
                self.assign_contents(added);
            }
        }
        for added in effect.cell.into_iter().chain(effect.partners) {
            self.assign_contents(&added);
            self.materialise(added, false)?;
        }
        if let Some(unfolding) = effect.unfolding {
            let first = self.initial.instances.len() as u32;
            let children: Vec<u32> = (first..).take(unfolding.body.instances.len()).collect();
            self.initial
                .take(unfolding.instance, unfolding.disjunct, &unfolding.body);
            if let (Some(assignment), false) = (&mut self.assignment, self.model_is_ahead) {
                let exists = &unfolding.body.exists;
                let taken =
                    assignment.take(unfolding.instance, unfolding.disjunct, exists, &children);
                match (taken, self.guide) {
                    (true, _) => {}
                    // A model does not know that a reference has to be inside of an instance.
                    (false, Guide::Search(_)) => {
                        self.assignment = None;
                        self.input_holds = false;
                    }
                    (false, Guide::Pause | Guide::Input) => return Err(PathStop::Diverged),
                }
            }
            if let Some(neighbour) = &mut self.neighbour {
                // Where it holds by another disjunct, it has nothing to say about this one.
                let exists = &unfolding.body.exists;
                let _ = neighbour.take(unfolding.instance, unfolding.disjunct, exists, &children);
            }
            for condition in unfolding.body.pure {
                self.initial.assume(&mut self.terms, condition)?;
            }
            let cells = unfolding.body.points_to.into_iter();
            let cells: Vec<AddedCell> = cells.map(AddedCell::of).collect();
            for added in &cells {
                self.materialise(added.clone(), true)?;
            }
            if self.subject.program.manual_memory {
                for added in &cells {
                    self.materialise_arrays(added)?;
                }
            }
        }
        self.model_is_ahead = false;
        Ok(())
    }

    /// The contents of a new object are what the concrete input has there. A model may leave the
    /// place empty; references that are not null then lead to places of their own.
    pub(super) fn assign_contents(&mut self, added: &AddedCell) {
        self.find_array(added);
        self.find_header(added);
        if let Some(neighbour) = &mut self.neighbour
            && let Ok(LogicValue::Ref(loc)) = neighbour.evaluate(&self.terms, added.cell.source)
        {
            let symbols = added.contents().iter();
            let symbols: Vec<_> = symbols.map(|&term| self.terms.as_var(term)).collect();
            let _ = neighbour.assign_contents(loc, &symbols);
        }
        let Some(assignment) = &mut self.assignment else {
            return;
        };
        let Ok(LogicValue::Ref(loc)) = assignment.evaluate(&self.terms, added.cell.source) else {
            return;
        };
        let symbols = added.contents().iter();
        let symbols: Vec<_> = symbols.map(|&term| self.terms.as_var(term)).collect();
        if !assignment.assign_contents(loc, &symbols) {
            for symbol in symbols.into_iter().flatten() {
                let sort = self.terms.variable(symbol).sort;
                if sort.is_ref() && self.initial.aliases.is_null(symbol) == Some(false) {
                    assignment.assign_new_place(symbol);
                }
            }
        }
    }

    /// Puts a cell of the initial heap into memory.
    pub(super) fn materialise(
        &mut self,
        added: AddedCell,
        in_footprint: bool,
    ) -> Result<(), PathStop> {
        let object = match self.singleton(added.cell.class)? {
            Some(object) => object,
            None => {
                let contents = added.contents().iter();
                let contents = contents.map(|&content| SymbolicValue::of(&self.terms, content));
                self.memory.add(added.cell.class, contents.collect())?
            }
        };
        if let Some(assignment) = &mut self.assignment {
            assignment.materialise(&self.terms, added.cell.source, object);
        }
        self.initial
            .allocate(&self.terms, object, added, in_footprint)?;
        if self.subject.program.manual_memory {
            self.embed(object)?;
        }
        Ok(())
    }

    /// A new model has names of its own for the objects of the path.
    fn name_objects(&mut self) {
        if let Some(assignment) = &mut self.assignment {
            for known in &self.initial.cells {
                assignment.materialise(&self.terms, known.cell.source, known.object);
            }
        }
    }
}

/// The shortest array of each class among the alternatives for a reference.
fn arrays_among(alternatives: &[Choice]) -> Vec<Choice> {
    let mut found: Vec<Choice> = Vec::new();
    for &choice in alternatives {
        let is_known = |known: &Choice| known.with_length(0) == choice.with_length(0);
        if choice.length().is_some() && !found.iter().any(is_known) {
            found.push(choice);
        }
    }
    found
}

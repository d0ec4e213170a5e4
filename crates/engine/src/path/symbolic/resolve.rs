//! Which object a reference of the input is.
//!
//! Where that is open, the alternatives are: null; every object that the path has materialised
//! and that fits; an object inside of a predicate instance, which is unfolded for its sake; an
//! object that the precondition does not speak of, of every class that fits and, if it is an
//! array, of every length up to a bound. Each input satisfies exactly one of them, unless a bound
//! keeps it out.
//!
//! An instance says much about its own arguments: the root of a tree is null or inside, the
//! parent of one is never inside. That is known from the base pairs of the predicate
//! ([`Occupancy`]), so most alternatives need not even be asked
//! about. This is the context-sensitive lazy initialisation of JSF, one disjunct at a time.

use std::collections::BTreeSet;

use heapwright_ir::machine::concrete::Value as Concrete;
use heapwright_ir::machine::{Address, Domain, ObjectId, Question, Site, Target};
use heapwright_ir::{Constant, Operand, Operation};
use heapwright_logic::{ClassId, Instance, Sort, TermId, Terms, VarId};
use heapwright_solver::Occupancy;

use super::interior::Interiors;
use super::question::ChoicePoint;
use super::{PathStop, Symbolic};
use crate::input::candidates::{candidates, element_sort, fits, may_fit};
use crate::path::aliases::Known;
use crate::path::decision::Choice;
use crate::path::symbolic_value::SymbolicValue;
use crate::report::Limit;

/// Longer memory is not made for one copy.
const MOST_COPIED: u32 = 256;

/// Where a reference is known to be.
pub(super) enum Region {
    /// Anywhere.
    Anywhere,
    /// It is one of these objects, or inside of one of these instances.
    Within {
        objects: Vec<ObjectId>,
        instances: Vec<u32>,
    },
}

impl Symbolic<'_> {
    /// What a reference stands for; decided where it is open.
    pub(super) fn target(
        &mut self,
        site: Site,
        reference: &SymbolicValue,
        class: ClassId,
    ) -> Result<Target, PathStop> {
        let term = match self.usual(*reference).value {
            SymbolicValue::Concrete(Concrete::Null) => return Ok(Target::Null),
            SymbolicValue::Concrete(Concrete::Pointer(address)) => return self.live(address),
            SymbolicValue::Concrete(Concrete::Wild(_)) => return Ok(Target::Wild),
            SymbolicValue::Concrete(_) => return Err(ill_sorted()),
            SymbolicValue::Symbolic(term) => term,
        };
        let variable = self.terms.as_var(term).ok_or_else(ill_sorted)?;
        let mut region = Region::Anywhere;
        loop {
            match (self.initial.aliases.known(variable), &region) {
                (Known::Open(_), _) => {}
                // Null, and the objects known before, are alternatives of their own.
                (Known::Null, Region::Within { .. }) => return Err(PathStop::Infeasible),
                (Known::Object(object), Region::Within { objects, .. })
                    if !objects.contains(&object) =>
                {
                    return Err(PathStop::Infeasible);
                }
                (Known::Null, Region::Anywhere) => return Ok(Target::Null),
                (Known::Object(object), _) => {
                    let place = self.address_of(object)?;
                    return self.live(place);
                }
            }
            let Alternatives {
                mut choices,
                left_out,
            } = self.alternatives(variable, class, &region);
            self.admit_known_array(variable, &mut choices);
            let bound = left_out.first().copied();
            // What the prefix left out was said when it was new.
            if self.decisions.len() >= self.prefix.len() {
                for limit in left_out {
                    // Longer arrays are alternatives for later, unless there is nothing to decide.
                    if limit != Limit::Elements || choices.len() == 1 {
                        self.cut(limit, self.objects() + 1);
                    }
                }
            }
            // Nothing is refuted where only a bound leaves no alternative.
            if choices.is_empty()
                && let Some(limit) = bound
            {
                return Err(PathStop::Cut(limit));
            }
            let before = (self.memory.next(), self.initial.instances.len() as u32);
            if let Region::Within { .. } = region {
                self.pending = Some((site, choices.clone()));
            }
            let choice = self.choose(Some(site), ChoicePoint::Reference(variable), choices)?;
            self.pending = None;
            if let Choice::Unfold { .. } = choice {
                region = Region::Within {
                    objects: (before.0.0..self.memory.next().0).map(ObjectId).collect(),
                    instances: (before.1..self.initial.instances.len() as u32).collect(),
                };
            }
        }
    }

    /// The array that the prefix or the input has is an alternative, however long it is.
    fn admit_known_array(&self, variable: VarId, choices: &mut Vec<Choice>) {
        let has_arrays = |choices: &[Choice]| {
            let mut choices = choices.iter();
            choices.any(|choice| choice.length().is_some())
        };
        if !has_arrays(choices) {
            return;
        }
        let expected = self.prefix.get(self.decisions.len());
        let known = match expected {
            Some(decision) => Some(decision.choice),
            None => self.answer(&ChoicePoint::Reference(variable), choices),
        };
        let is_array = |&choice: &Choice| match choice {
            Choice::FreshArray { length, .. }
            | Choice::FirstElement { length, .. }
            | Choice::Member { length, .. } => length > self.extent.elements,
            Choice::KnownArray { .. } => true,
            _ => false,
        };
        if let Some(choice) = known.filter(is_array)
            && !choices.contains(&choice)
        {
            choices.push(choice);
        }
    }

    /// Whether two references are the same, as a value.
    pub(super) fn same(
        &mut self,
        a: &SymbolicValue,
        b: &SymbolicValue,
    ) -> Result<SymbolicValue, PathStop> {
        let (a, b) = (self.usual(*a).value, self.usual(*b).value);
        let (a, b) = (self.determined(a), self.determined(b));
        if let (SymbolicValue::Concrete(one), SymbolicValue::Concrete(other)) = (a, b) {
            self.doubt_difference(one, other)?;
            if let Some(condition) = self.interned_together(one, other) {
                return Ok(SymbolicValue::of(&self.terms, condition));
            }
            let rooted = |value| match value {
                Concrete::Pointer(address) => {
                    Concrete::Pointer(self.memory.root(address).unwrap_or(address))
                }
                other => other,
            };
            let equal = rooted(one) == rooted(other);
            return Ok(SymbolicValue::Concrete(Concrete::Bool(equal)));
        }
        self.introduce(a, b)?;
        self.introduce(b, a)?;
        let (a, b) = (self.as_symbol(a, b), self.as_symbol(b, a));
        let (Some(first), Some(second)) = (self.address(a), self.address(b)) else {
            // One is an object that the program made, or the inside of an object; the other
            // comes from the input and is no object that is known.
            return Ok(SymbolicValue::Concrete(Concrete::Bool(false)));
        };
        let owned = |&term: &TermId| self.is_owned_term(term);
        if first != second
            && !self.subject.program.manual_memory
            && [first, second].iter().any(owned)
        {
            return Ok(SymbolicValue::Concrete(Concrete::Bool(false)));
        }
        let condition = match self.have_common_class(a, b) {
            true => self.terms.eq(first, second),
            // No object fits both, so they are equal only if both are null.
            false
                if matches!(
                    (a, b),
                    (SymbolicValue::Symbolic(_), SymbolicValue::Symbolic(_))
                ) =>
            {
                let is_null = self.terms.eq(first, Terms::NULL);
                let site = self.point.ask(Question::StoredObject);
                match self.decide(site, &SymbolicValue::Symbolic(is_null))? {
                    true => self.terms.eq(second, Terms::NULL),
                    false => Terms::FALSE,
                }
            }
            false => Terms::FALSE,
        };
        Ok(SymbolicValue::of(&self.terms, condition))
    }

    /// Whether a term is a reference that no other one is equal to, not even null.
    fn is_owned_term(&self, term: TermId) -> bool {
        (self.terms.as_var(term)).is_some_and(|symbol| self.is_owned(symbol))
    }

    /// Whether an object can be what two references refer to, by what these are declared as.
    fn have_common_class(&mut self, a: SymbolicValue, b: SymbolicValue) -> bool {
        let program = &self.subject.program;
        let mut declared = Vec::new();
        let mut actual = None;
        for reference in [a, b] {
            match reference {
                SymbolicValue::Concrete(Concrete::Pointer(address)) => {
                    let object = self.memory.object(address.object);
                    actual = actual.or(object.ok().map(|object| object.class));
                }
                SymbolicValue::Concrete(_) => return true,
                SymbolicValue::Symbolic(term) => match self.terms.as_var(term) {
                    Some(variable) => declared.extend(self.declared(variable)),
                    None => return true,
                },
            }
        }
        if let Some(class) = actual {
            let fits = declared.iter().all(|&other| fits(program, class, other));
            let rules = &self.subject.rules;
            let may_fit = |&other: &ClassId| may_fit(program, rules, class, other);
            if !fits && declared.iter().all(may_fit) && self.decisions.len() >= self.prefix.len() {
                self.cut(Limit::Classes, self.objects());
                self.tried_in_part.extend(&declared);
            }
            return fits;
        }
        let common = candidates(program, &self.subject.rules, &declared);
        if !common.complete && self.decisions.len() >= self.prefix.len() {
            self.cut(Limit::Classes, self.objects());
            self.tried_in_part.extend(&declared);
        }
        !common.classes.is_empty()
    }

    /// The classes that a reference and all that are equal to it are declared with.
    pub(super) fn declared(&self, variable: VarId) -> Vec<ClassId> {
        let mut declared = Vec::new();
        for equal in self.initial.aliases.equals(variable) {
            if let Sort::Ref(class) = self.terms.variable(equal).sort
                && !declared.contains(&class)
            {
                declared.push(class);
            }
        }
        declared
    }

    /// A reference as far as the path determines it.
    fn determined(&self, reference: SymbolicValue) -> SymbolicValue {
        let SymbolicValue::Symbolic(term) = reference else {
            return reference;
        };
        let Some(variable) = self.terms.as_var(term) else {
            return reference;
        };
        match self.initial.aliases.known(variable) {
            Known::Null => SymbolicValue::Concrete(Concrete::Null),
            Known::Object(object) => match self.address_of(object) {
                Ok(place) => SymbolicValue::Concrete(Concrete::Pointer(place)),
                Err(_) => reference,
            },
            Known::Open(_) => reference,
        }
    }

    /// The term of a reference of the input; none for what the program made.
    fn address(&mut self, reference: SymbolicValue) -> Option<TermId> {
        match reference {
            SymbolicValue::Concrete(Concrete::Pointer(address)) => {
                let source = match (self.initial.cell_of(address.object), address.offset) {
                    (Some(known), 0) => known.source,
                    _ => self.known_interior(address)?,
                };
                Some(self.terms.var(source))
            }
            other => other.term(&mut self.terms),
        }
    }

    /// Whether a condition about references is decided by what is known.
    pub(super) fn known_reference_condition(&self, condition: TermId) -> Option<bool> {
        use heapwright_logic::Term;
        let (equation, positive) = match self.terms.get(condition) {
            Term::Not(inner) => (*inner, false),
            _ => (condition, true),
        };
        let Term::Eq(a, b) = self.terms.get(equation) else {
            return None;
        };
        let aliases = &self.initial.aliases;
        let equal = match (self.terms.as_var(*a), self.terms.as_var(*b)) {
            (Some(a), Some(b)) if self.terms.variable(a).sort.is_ref() => aliases.compare(a, b),
            (Some(a), None) if *b == Terms::NULL => aliases.is_null(a),
            (None, Some(b)) if *a == Terms::NULL => aliases.is_null(b),
            _ => None,
        };
        equal.map(|equal| equal == positive)
    }

    fn live(&self, address: Address) -> Result<Target, PathStop> {
        Ok(self.memory.target(address)?)
    }

    /// What an open reference can be, in a fixed order.
    pub(super) fn alternatives(
        &mut self,
        variable: VarId,
        class: ClassId,
        region: &Region,
    ) -> Alternatives {
        let constraint = self.constraint(variable);
        let program = &self.subject.program;
        let declared = self.declared(variable);
        let mut expected = declared.clone();
        // A pointer may be used as one to something that it was not declared to lead to. What it
        // leads to is decided by what it is, then.
        let is_cast = program.manual_memory
            && !declared
                .iter()
                .any(|&other| fits(program, other, class) || fits(program, class, other));
        let class = if is_cast { ClassId::ANY } else { class };
        expected.push(class);
        let mut choices = Vec::new();
        let anywhere = matches!(region, Region::Anywhere);
        if anywhere && constraint.null {
            choices.push(Choice::Null);
        }
        // What is owned is none of the objects that are known, and none is inside of an instance.
        let owned = self.is_owned(variable);
        if constraint.elsewhere && !owned {
            for known in &self.initial.cells {
                let within = match region {
                    Region::Anywhere => true,
                    Region::Within { objects, .. } => objects.contains(&known.object),
                };
                let fits = (expected.iter()).all(|&other| fits(program, known.cell.class, other));
                let different = self.initial.aliases.compare(variable, known.source) == Some(false);
                let is_reachable = program.manual_memory || !self.is_owned(known.source);
                let among = constraint.among.as_ref();
                if within
                    && fits
                    && !different
                    && is_reachable
                    && among.is_none_or(|among| among.contains(&known.object))
                    && self.may_be_bound(variable, known)
                {
                    choices.push(Choice::Alias(known.object));
                }
            }
        }
        let into = match anywhere && constraint.elsewhere && !owned {
            true => self.interiors(variable, &declared),
            false => Interiors::default(),
        };
        choices.extend(into.known);
        let open: Vec<u32> = self.initial.open().map(|(number, _)| number).collect();
        for number in open {
            let within = match region {
                Region::Anywhere => true,
                Region::Within { instances, .. } => instances.contains(&number),
            };
            let possible = match constraint.inside[..] {
                // What is outside of one of these is an object that is known.
                _ if constraint.closed.iter().any(|&closed| closed != number) => false,
                // An argument that has to be inside of an instance is in no other.
                [] => constraint.elsewhere,
                ref inside => inside.contains(&number) || constraint.elsewhere,
            };
            if within && possible && !owned {
                self.push_unfoldings(number, &expected, &mut choices);
            }
        }
        let mut left_out = BTreeSet::new();
        if anywhere && constraint.elsewhere && constraint.among.is_none() {
            // What a pointer to nothing in particular leads to has the type that it is used with.
            let is_untyped = program.manual_memory && declared == [ClassId::ANY];
            let wanted = match is_untyped && class != ClassId::ANY {
                true => vec![class],
                false => declared.clone(),
            };
            let fitting = candidates(program, &self.subject.rules, &wanted);
            if !fitting.complete {
                left_out.insert(Limit::Classes);
                self.tried_in_part.extend(&declared);
            }
            if is_untyped && let Some(class) = self.subject.rules.bytes {
                let lengths = self.copied_lengths();
                left_out.extend((!lengths.is_empty()).then_some(Limit::Elements));
                let arrays = lengths.into_iter();
                choices.extend(arrays.map(|length| Choice::FreshArray { class, length }));
            }
            let classes = fitting.classes.into_iter();
            let bound = self.subject.bound_global(variable);
            let exactly = bound.map(|global| program.globals[global.index()].class);
            let classes = classes
                .filter(|&fresh| fits(program, fresh, class))
                .filter(|&fresh| exactly.is_none_or(|exactly| fresh == exactly));
            for fresh in classes {
                // The only object of a class is an alias when it is known.
                let is_singleton = self.subject.rules.singletons.contains_key(&fresh);
                let mut known = self.initial.cells.iter();
                if is_singleton && known.any(|known| known.cell.class == fresh) {
                    continue;
                }
                match element_sort(program, fresh) {
                    None => {
                        choices.push(Choice::Fresh(fresh));
                        if let Some(class) = self.array_around(variable, fresh) {
                            left_out.insert(Limit::Elements);
                            let lengths = 2..=self.extent.elements.max(2);
                            choices.extend(
                                lengths.map(|length| Choice::FirstElement { class, length }),
                            );
                        }
                    }
                    Some(_) => {
                        let of_class = program.class(fresh).inside.length;
                        let lengths = match self.fixed_length(variable).or(of_class) {
                            Some(length) => length..=length,
                            None => {
                                left_out.insert(Limit::Elements);
                                0..=self.extent.elements
                            }
                        };
                        choices.extend(lengths.map(|length| Choice::FreshArray {
                            class: fresh,
                            length,
                        }));
                        if !owned && bound.is_none() {
                            choices.extend(self.headers(fresh));
                        }
                    }
                }
            }
        }
        choices.extend(into.fresh);
        Alternatives { choices, left_out }
    }

    /// How long memory is tried to be that an instruction copies, fills or reads: what it asks for if
    /// that is known, and all lengths up to the bound. None for other instructions.
    fn copied_lengths(&self) -> Vec<u32> {
        let function = self
            .subject
            .program
            .functions
            .get(self.point.function.index());
        let block = function.and_then(|known| known.blocks.get(self.point.block.index()));
        let instruction = block
            .and_then(|known| known.instructions.get(self.point.instruction as usize))
            .map(|known| &known.operation);
        let count = match instruction {
            Some(Operation::CopyBytes { count, .. } | Operation::FillBytes { count, .. }) => *count,
            _ => return Vec::new(),
        };
        let exact = match count {
            Operand::Constant(Constant::Int(_, count)) => u32::try_from(count).ok(),
            _ => None,
        };
        let exact = exact.filter(|&count| (1..=MOST_COPIED).contains(&count));
        let up_to = (0..=self.extent.elements).filter(|&length| Some(length) != exact);
        exact.into_iter().chain(up_to).collect()
    }

    fn push_unfoldings(&mut self, number: u32, expected: &[ClassId], choices: &mut Vec<Choice>) {
        let predicate = self
            .initial
            .open_instance(number)
            .map(|known| known.predicate);
        let Some(facts) = predicate.and_then(|predicate| self.knowledge.predicate(predicate))
        else {
            return;
        };
        let program = &self.subject.program;
        for disjunct in self.viable(number) {
            let classes = facts
                .disjuncts
                .get(disjunct as usize)
                .map(|known| &known.classes);
            let fits = (classes.into_iter().flatten())
                .any(|&found| (expected.iter()).all(|&class| program.is_subtype(found, class)));
            if fits {
                choices.push(Choice::Unfold {
                    instance: number,
                    disjunct,
                });
            }
        }
    }

    /// What the open instances say about one of their arguments.
    fn constraint(&self, variable: VarId) -> Constraint {
        let aliases = &self.initial.aliases;
        let is_bound = self.subject.bound_global(variable).is_some();
        let mut constraint = Constraint {
            null: aliases.is_null(variable) != Some(false) && !is_bound,
            elsewhere: true,
            inside: Vec::new(),
            closed: Vec::new(),
            among: None,
        };
        let mut only_inside: Option<u32> = None;
        for (number, instance) in self.initial.open() {
            let Some(facts) = self.knowledge.predicate(instance.predicate) else {
                continue;
            };
            for (&argument, occupancy) in instance.args.iter().zip(&facts.occupancy) {
                let (Some(argument), Some(occupancy)) = (self.terms.as_var(argument), occupancy)
                else {
                    continue;
                };
                if aliases.compare(argument, variable) != Some(true) {
                    continue;
                }
                constraint.null &= occupancy.null;
                if occupancy.allocated {
                    constraint.inside.push(number);
                }
                if !occupancy.elsewhere && !occupancy.null {
                    only_inside = only_inside.or(Some(number));
                }
                constraint.elsewhere &= occupancy.elsewhere;
                if !occupancy.elsewhere {
                    continue;
                }
                let Some(outside) = self.outside_of(instance, occupancy) else {
                    continue;
                };
                constraint.null &= occupancy.nil || outside.null;
                constraint.closed.push(number);
                constraint.among = Some(match constraint.among.take() {
                    Some(among) => (among.into_iter())
                        .filter(|object| outside.objects.contains(object))
                        .collect(),
                    None => outside.objects,
                });
            }
        }
        if let Some(number) = only_inside {
            constraint.inside = vec![number];
        }
        constraint
    }

    /// What an argument of an instance can be that is not inside of it, if that is known: it is
    /// equal to another argument there, which stands for null or for an object.
    fn outside_of(&self, instance: &Instance, occupancy: &Occupancy) -> Option<Outside> {
        let mut outside = Outside {
            null: false,
            objects: Vec::new(),
        };
        for &position in occupancy.equal.as_ref()? {
            let other = *instance.args.get(position)?;
            if other == Terms::NULL {
                outside.null = true;
                continue;
            }
            match self.initial.aliases.known(self.terms.as_var(other)?) {
                Known::Null => outside.null = true,
                Known::Object(object) => outside.objects.push(object),
                Known::Open(_) => return None,
            }
        }
        Some(outside)
    }
}

/// What an argument of an instance is, where it is neither null for certain nor one of the cells.
struct Outside {
    null: bool,
    objects: Vec<ObjectId>,
}

/// What an open reference can be.
pub(super) struct Alternatives {
    /// The alternatives that are explored.
    pub(super) choices: Vec<Choice>,
    /// The bounds that keep others out.
    left_out: BTreeSet<Limit>,
}

/// Where a reference can be.
struct Constraint {
    null: bool,
    /// Outside of the instances that it is an argument of, or by chance inside.
    elsewhere: bool,
    /// The instances that it is an argument of and can be inside of.
    inside: Vec<u32>,
    /// The instances that it is inside of, or else null or one of the objects below.
    closed: Vec<u32>,
    /// The objects that it can be outside of the instances that it is an argument of; `None` if
    /// these do not say.
    among: Option<Vec<ObjectId>>,
}

fn ill_sorted() -> PathStop {
    PathStop::Machine(heapwright_ir::machine::MachineError::IllSorted)
}

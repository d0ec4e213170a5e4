//! The initial heap: what a path knows about the input that it is looking for.
//!
//! A symbolic heap (cells, predicate instances, pure conditions) that only ever grows: an
//! instance is replaced by one of its disjuncts, a condition is added, an object outside of the
//! precondition's footprint appears. What the program does to its objects is not seen here, so
//! the input can be written down at any time, whatever was overwritten or freed.
//!
//! Instances and cells are numbered in the order in which the path met them. Which disjunct each
//! instance was replaced by is remembered: together with a derivation of what is still open that
//! makes a derivation of the precondition.

use heapwright_ir::machine::ObjectId;
use heapwright_logic::{
    Instance, PointsTo, Substitution, SymbolicHeap, Term, TermId, Terms, VarId,
};
use rustc_hash::FxHashSet;

use crate::path::aliases::{Aliases, Contradiction};

/// An object of the input that the path has materialised.
#[derive(Clone, Debug)]
pub struct InitialCell {
    /// Its name in memory.
    pub object: ObjectId,
    /// The symbol of its address.
    pub source: VarId,
    /// Its class, and its fields at the beginning. An array has none: formulas do not know about
    /// elements.
    pub cell: PointsTo,
    /// The elements at the beginning, if it is an array.
    pub elements: Option<Vec<TermId>>,
    /// Whether the precondition speaks of it.
    pub in_footprint: bool,
    /// Whether it is there because another one is: an array or a struct inside of it.
    pub comes_along: bool,
}

impl InitialCell {
    /// What the object consists of at the beginning: its fields, or its elements.
    pub fn contents(&self) -> &[TermId] {
        self.elements.as_deref().unwrap_or(&self.cell.fields)
    }
}

/// A cell that is added to the initial heap.
#[derive(Clone, Debug)]
pub struct AddedCell {
    /// Its class and its fields.
    pub cell: PointsTo,
    /// Its elements, if it is an array.
    pub elements: Option<Vec<TermId>>,
    /// Whether it is there because another one is.
    pub comes_along: bool,
}

impl AddedCell {
    /// An object with fields.
    pub fn of(cell: PointsTo) -> AddedCell {
        AddedCell {
            cell,
            elements: None,
            comes_along: false,
        }
    }

    /// Its fields, or its elements.
    pub fn contents(&self) -> &[TermId] {
        self.elements.as_deref().unwrap_or(&self.cell.fields)
    }
}

/// A predicate instance of the precondition or of one of its unfoldings.
#[derive(Clone, Debug)]
pub struct InitialInstance {
    /// The instance.
    pub instance: Instance,
    /// By what it was replaced; none while it is open.
    pub step: Option<InitialStep>,
}

/// A disjunct that was taken.
#[derive(Clone, Debug)]
pub struct InitialStep {
    /// Which one.
    pub disjunct: u32,
    /// The symbols for what it quantifies.
    pub exists: Vec<VarId>,
    /// The numbers of its instances.
    pub children: Vec<u32>,
}

/// A number of the input that holds a pointer, or a tag without one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaggedNumber {
    /// The symbol of the number.
    pub number: VarId,
    /// The symbol of the pointer, which is not null.
    pub pointer: Option<VarId>,
    /// What is in the low bits.
    pub tag: i128,
}

/// The input as far as it is known.
#[derive(Clone, Debug, Default)]
pub struct InitialHeap {
    /// Materialised objects.
    pub cells: Vec<InitialCell>,
    /// All instances met so far.
    pub instances: Vec<InitialInstance>,
    /// The disjunct of the precondition; none if there is no precondition.
    pub root: Option<InitialStep>,
    /// Which references are equal or different.
    pub aliases: Aliases,
    /// Numbers that pointers were made of.
    pub tagged: Vec<TaggedNumber>,
    pure: Vec<TermId>,
    facts: FxHashSet<TermId>,
    constants: Substitution,
}

impl InitialHeap {
    /// Everything that is known, with all variables free.
    pub fn formula(&self) -> SymbolicHeap {
        SymbolicHeap {
            exists: Vec::new(),
            points_to: self.cells.iter().map(|known| known.cell.clone()).collect(),
            instances: self.open().map(|(_, instance)| instance.clone()).collect(),
            pure: self.pure.clone(),
        }
    }

    /// The instances that were not replaced yet, with their numbers.
    pub fn open(&self) -> impl Iterator<Item = (u32, &Instance)> {
        let numbered = (0u32..).zip(&self.instances);
        numbered
            .filter(|(_, known)| known.step.is_none())
            .map(|(number, known)| (number, &known.instance))
    }

    /// An open instance.
    pub fn open_instance(&self, number: u32) -> Option<&Instance> {
        let known = self.instances.get(number as usize)?;
        known.step.is_none().then_some(&known.instance)
    }

    /// The cell of a materialised object.
    pub fn cell_of(&self, object: ObjectId) -> Option<&InitialCell> {
        self.cells.iter().find(|known| known.object == object)
    }

    /// What is known about a number that holds a pointer.
    pub fn tagged_number(&self, number: VarId) -> Option<TaggedNumber> {
        let mut tagged = self.tagged.iter();
        tagged.find(|known| known.number == number).copied()
    }

    /// All conditions.
    pub fn conditions(&self) -> &[TermId] {
        &self.pure
    }

    /// The symbols that conditions speak of.
    pub fn mentioned(&self, terms: &Terms) -> FxHashSet<VarId> {
        let parts = terms.subterms(self.pure.iter().copied());
        parts.filter_map(|part| terms.as_var(part)).collect()
    }

    /// Puts other symbols into the place of some elements of an array.
    pub fn replace_elements(&mut self, cell: usize, at: usize, contents: &[TermId]) {
        let elements = self
            .cells
            .get_mut(cell)
            .and_then(|known| known.elements.as_mut());
        let places = elements.and_then(|elements| elements.get_mut(at..at + contents.len()));
        if let Some(places) = places {
            places.copy_from_slice(contents);
        }
    }

    /// Whether a condition is known to hold or not to hold.
    pub fn known(&self, terms: &mut Terms, condition: TermId) -> Option<bool> {
        if self.facts.contains(&condition) {
            return Some(true);
        }
        let negation = terms.not(condition);
        self.facts.contains(&negation).then_some(false)
    }

    /// Adds a condition.
    pub fn assume(&mut self, terms: &mut Terms, condition: TermId) -> Result<(), Contradiction> {
        if condition == Terms::TRUE || !self.facts.insert(condition) {
            return Ok(());
        }
        self.pure.push(condition);
        if let Some((variable, value)) = as_constant(terms, condition) {
            self.constants.insert(variable, value);
        }
        self.aliases.learn(terms, condition)
    }

    /// Symbols that are known to be certain numbers or truth values.
    pub fn constants(&self) -> &Substitution {
        &self.constants
    }

    /// Adds a cell for an object of memory.
    pub fn allocate(
        &mut self,
        terms: &Terms,
        object: ObjectId,
        added: AddedCell,
        in_footprint: bool,
    ) -> Result<(), Contradiction> {
        let source = terms.as_var(added.cell.source).ok_or(Contradiction)?;
        self.cells.push(InitialCell {
            object,
            source,
            cell: added.cell,
            elements: added.elements,
            in_footprint,
            comes_along: added.comes_along,
        });
        self.aliases.allocate(source, object)
    }

    /// Adds the instances of a disjunct that is taken for an instance, or for the precondition
    /// itself. Its cells and conditions are the caller's to add.
    pub fn take(&mut self, parent: Option<u32>, disjunct: u32, body: &SymbolicHeap) {
        let first = self.instances.len() as u32;
        let added = body.instances.iter().map(|instance| InitialInstance {
            instance: instance.clone(),
            step: None,
        });
        self.instances.extend(added);
        let step = InitialStep {
            disjunct,
            exists: body.exists.clone(),
            children: (first..self.instances.len() as u32).collect(),
        };
        match parent {
            None => self.root = Some(step),
            Some(number) => {
                if let Some(known) = self.instances.get_mut(number as usize) {
                    known.step = Some(step);
                }
            }
        }
    }
}

/// The symbol that a condition fixes, with its value.
fn as_constant(terms: &mut Terms, condition: TermId) -> Option<(VarId, TermId)> {
    if let Some(variable) = terms.as_var(condition) {
        return Some((variable, Terms::TRUE));
    }
    match terms.get(condition) {
        Term::Not(negated) => Some((terms.as_var(*negated)?, Terms::FALSE)),
        Term::IsZero(linear) => {
            let [(summand, factor)] = linear.summands[..] else {
                return None;
            };
            let variable = terms.as_var(summand)?;
            let value = match factor {
                1 => linear.constant.checked_neg()?,
                -1 => linear.constant,
                _ => return None,
            };
            Some((variable, terms.int(value)))
        }
        _ => None,
    }
}

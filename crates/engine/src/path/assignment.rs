//! A concrete input beside a path: it answers every question that the path asks.
//!
//! The input comes with a derivation, which says for every predicate instance which disjunct it
//! holds by and what the quantified symbols stand for. A path that unfolds an instance follows
//! the derivation by one step; nothing is ever searched for.

use heapwright_ir::machine::ObjectId;
use heapwright_logic::{
    ClassId, Definitions, Derivation, EvalError, Formula, Heap, Loc, Model, Sort, StepId,
    SymbolicHeap, TermId, Terms, Value, VarId, evaluate,
};
use rustc_hash::FxHashMap;

use crate::input::Input;

/// Where objects lie that pointers in numbers lead to: nobody can rely on it.
const ADDRESSES: i128 = 1 << 40;

/// Values for the symbols of a path, as far as the path has come.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<VarId, Value>,
    heap: Heap,
    derivation: Derivation,
    /// The step that a cell of the footprint belongs to.
    homes: FxHashMap<Loc, StepId>,
    parents: Vec<Option<StepId>>,
    /// The steps of the path's instances, by number.
    steps: Vec<Option<StepId>>,
    /// The objects of the path, by their names in the input.
    objects: FxHashMap<Loc, ObjectId>,
}

impl Assignment {
    /// An input, before anything is decided. Nothing if its derivation does not fit.
    pub fn of_input(
        terms: &Terms,
        definitions: &Definitions,
        precondition: Option<&Formula>,
        inputs: &[VarId],
        input: &Input,
    ) -> Option<Assignment> {
        let mut assignment = Assignment {
            heap: input.heap.clone(),
            ..Assignment::default()
        };
        if let (Some(formula), Some(witness)) = (precondition, &input.witness) {
            assignment.values.extend(&witness.stack);
            assignment.derivation = witness.derivation.clone();
            let root = witness.derivation.steps.first()?;
            let body = formula.disjuncts.get(root.disjunct as usize)?;
            assignment.find_homes(terms, definitions, body)?;
        }
        let arguments = inputs.iter().copied().zip(input.arguments.iter().copied());
        assignment.values.extend(arguments);
        Some(assignment)
    }

    /// A model of what a path knows, with the numbers of the instances that are still open.
    pub fn of_model(
        terms: &Terms,
        definitions: &Definitions,
        formula: &SymbolicHeap,
        open: impl Iterator<Item = u32>,
        model: &Model,
    ) -> Option<Assignment> {
        let mut assignment = Assignment {
            values: model.stack.iter().map(|(&k, &v)| (k, v)).collect(),
            heap: model.heap.clone(),
            derivation: model.derivation.clone(),
            ..Assignment::default()
        };
        assignment.find_homes(terms, definitions, formula)?;
        let children = &model.derivation.steps.first()?.children;
        for (number, &step) in open.zip(children) {
            assignment.set_step(number, step);
        }
        Some(assignment)
    }

    /// The values of the symbols of the path.
    pub fn values(&self) -> &FxHashMap<VarId, Value> {
        &self.values
    }

    /// The value of a term; symbols that nobody has mentioned before have their default.
    pub fn evaluate(&self, terms: &Terms, term: TermId) -> Result<Value, EvalError> {
        evaluate(terms, term, |variable| Some(self.value_of(terms, variable)))
    }

    /// The value of a symbol.
    pub fn value_of(&self, terms: &Terms, variable: VarId) -> Value {
        let sort = terms.variable(variable).sort;
        let value = self.values.get(&variable).copied();
        match value {
            Some(Value::Ref(loc)) if !sort.is_ref() => self.number_of(loc, sort),
            Some(value) if value.has_sort(sort) => value,
            _ => Value::default_of(sort),
        }
    }

    /// A pointer of the input as a number: the bytes of a union are no number then, and a number as
    /// wide as a pointer is some address with the tag.
    fn number_of(&self, loc: Loc, sort: Sort) -> Value {
        match sort {
            Sort::Machine(ty) if ty.bits() == 64 => {
                let (whole, tag) = self.untagged(loc);
                Value::Int((i128::from(whole.0) << 12) + ADDRESSES + tag)
            }
            _ => Value::default_of(sort),
        }
    }

    /// The object behind a pointer with a tag, and the tag.
    fn untagged(&self, loc: Loc) -> (Loc, i128) {
        let cell = self.heap.cells.get(&loc);
        match cell.map(|cell| &cell.fields[..]) {
            // Nothing else consists of a reference and a small number from there.
            Some(&[Value::Ref(whole), Value::Int(tag)]) if (0..8).contains(&tag) => (whole, tag),
            _ => (loc, 0),
        }
    }

    /// A number holds a pointer: the one that the input has there, or one to a place of its own.
    pub fn assign_tagged(&mut self, number: VarId, pointer: VarId) {
        match self.values.get(&number).copied() {
            Some(Value::Ref(loc)) => {
                let (whole, _) = self.untagged(loc);
                self.values.insert(pointer, Value::Ref(whole));
            }
            _ => self.assign_new_place(pointer),
        }
    }

    /// The disjunct by which the precondition holds.
    pub fn root_disjunct(&self) -> Option<u32> {
        Some(self.derivation.steps.first()?.disjunct)
    }

    /// The disjunct by which an instance of the path holds.
    pub fn disjunct(&self, instance: u32) -> Option<u32> {
        let step = (*self.steps.get(instance as usize)?)?;
        Some(self.derivation.steps.get(step.0 as usize)?.disjunct)
    }

    /// The path has taken a disjunct for an instance, or for the precondition: the symbols that
    /// it quantifies get their values. `false` if the input holds by another disjunct.
    #[must_use]
    pub fn take(
        &mut self,
        instance: Option<u32>,
        disjunct: u32,
        exists: &[VarId],
        children: &[u32],
    ) -> bool {
        let step = match instance {
            None => Some(StepId(0)),
            Some(number) => self.steps.get(number as usize).copied().flatten(),
        };
        let known = step.and_then(|step| self.derivation.steps.get(step.0 as usize));
        let Some(step) = known.filter(|step| step.disjunct == disjunct).cloned() else {
            return false;
        };
        self.values.extend(exists.iter().copied().zip(step.exists));
        for (&child, step) in children.iter().zip(step.children) {
            self.set_step(child, step);
        }
        true
    }

    /// The path has materialised an object at an address.
    pub fn materialise(&mut self, terms: &Terms, source: TermId, object: ObjectId) {
        if let Ok(Value::Ref(loc)) = self.evaluate(terms, source) {
            self.objects.insert(loc, object);
        }
    }

    /// Gives symbols for the contents of an object outside of the footprint their values; where
    /// there is none, the content is fixed. `false` if there is no object.
    #[must_use]
    pub fn assign_contents(&mut self, loc: Loc, symbols: &[Option<VarId>]) -> bool {
        let Some(cell) = self.heap.cells.get(&loc) else {
            return false;
        };
        let values = symbols.iter().copied().zip(cell.fields.iter().copied());
        let values = values.filter_map(|(symbol, value)| Some((symbol?, value)));
        self.values.extend(values);
        true
    }

    /// Makes a reference one to a place that nothing else refers to.
    pub fn assign_new_place(&mut self, symbol: VarId) {
        let contents = self.heap.cells.values().flat_map(|cell| &cell.fields);
        let referred = (self.values.values().chain(contents)).filter_map(|value| match value {
            Value::Ref(loc) => Some(loc.0),
            _ => None,
        });
        let used = referred
            .chain(self.heap.cells.keys().map(|loc| loc.0))
            .max();
        let place = Loc(used.unwrap_or(0).saturating_add(1));
        self.values.insert(symbol, Value::Ref(place));
    }

    /// Makes a reference one to the only object of a class: where that is, or to a place of its own.
    pub fn assign_singleton(&mut self, symbol: VarId, class: ClassId) {
        let mut cells = self.heap.cells.iter();
        match cells.find(|(_, cell)| cell.class == class) {
            Some((&loc, _)) => {
                self.values.insert(symbol, Value::Ref(loc));
            }
            None => self.assign_new_place(symbol),
        }
    }

    /// Makes a reference one to a place inside of an object: the one that the input has for it, or
    /// one that nothing else refers to.
    pub fn assign_interior(&mut self, terms: &Terms, symbol: VarId, outer: VarId, offset: u32) {
        let outer = self.value_of(terms, outer);
        let place = [outer, Value::Int(i128::from(offset))];
        let mut cells = self.heap.cells.iter();
        // Nothing else consists of a reference and a number of bytes from there.
        match cells.find(|(_, cell)| cell.fields[..] == place) {
            Some((&loc, _)) => {
                self.values.insert(symbol, Value::Ref(loc));
            }
            None => self.assign_new_place(symbol),
        }
    }

    /// Gives a symbol a value.
    pub fn assign(&mut self, symbol: VarId, value: Value) {
        self.values.insert(symbol, value);
    }

    /// The array of a class of which the cell at an address is the first element.
    pub fn array_of(&self, loc: Loc, is_array: impl Fn(ClassId) -> bool) -> Option<Loc> {
        let mut cells = self.heap.cells.iter();
        let array = cells.find(|(_, cell)| {
            cell.fields.first() == Some(&Value::Ref(loc)) && is_array(cell.class)
        });
        array.map(|(&array, _)| array)
    }

    /// The cell of one of these classes that has an address in its field.
    pub fn around(&self, loc: Loc, fields: &[(ClassId, u32)]) -> Option<(Loc, ClassId, u32)> {
        self.heap.cells.iter().find_map(|(&outer, cell)| {
            let is_field = |&&(class, field): &&(ClassId, u32)| {
                cell.class == class && cell.fields.get(field as usize) == Some(&Value::Ref(loc))
            };
            let &(class, field) = fields.iter().find(is_field)?;
            Some((outer, class, field))
        })
    }

    /// What is in a field or element of the cell at an address.
    pub fn content_at(&self, loc: Loc, index: usize) -> Option<Value> {
        self.heap.cells.get(&loc)?.fields.get(index).copied()
    }

    /// The object of the path that lies at an address.
    pub fn object_at(&self, loc: Loc) -> Option<ObjectId> {
        self.objects.get(&loc).copied()
    }

    /// The class of the cell at an address.
    pub fn class_at(&self, loc: Loc) -> Option<ClassId> {
        Some(self.heap.cells.get(&loc)?.class)
    }

    /// How many fields or elements the cell at an address has.
    pub fn length_at(&self, loc: Loc) -> Option<u32> {
        u32::try_from(self.heap.cells.get(&loc)?.fields.len()).ok()
    }

    /// Whether the cell at an address belongs to an instance of the path, directly or through
    /// the instances inside of it.
    pub fn is_inside(&self, loc: Loc, instance: u32) -> bool {
        let Some(&Some(step)) = self.steps.get(instance as usize) else {
            return false;
        };
        let mut current = self.homes.get(&loc).copied();
        while let Some(home) = current {
            if home == step {
                return true;
            }
            current = self.parents.get(home.0 as usize).copied().flatten();
        }
        false
    }

    fn set_step(&mut self, instance: u32, step: StepId) {
        let index = instance as usize;
        if self.steps.len() <= index {
            self.steps.resize(index + 1, None);
        }
        self.steps[index] = Some(step);
    }

    /// Walks through the derivation and finds out which step has which cell.
    fn find_homes(
        &mut self,
        terms: &Terms,
        definitions: &Definitions,
        root: &SymbolicHeap,
    ) -> Option<()> {
        self.parents = vec![None; self.derivation.steps.len()];
        let first = self.values.clone();
        let mut pending = vec![(StepId(0), root, first)];
        while let Some((id, body, mut local)) = pending.pop() {
            let step = self.derivation.steps.get(id.0 as usize)?;
            local.extend(body.exists.iter().copied().zip(step.exists.iter().copied()));
            let value = |term: TermId| {
                evaluate(terms, term, |variable| {
                    let value = local.get(&variable).copied();
                    value.or_else(|| Some(Value::default_of(terms.variable(variable).sort)))
                })
            };
            for cell in &body.points_to {
                if let Value::Ref(loc) = value(cell.source).ok()? {
                    self.homes.insert(loc, id);
                }
            }
            for (instance, &child) in body.instances.iter().zip(&step.children) {
                let predicate = definitions.predicate(instance.predicate);
                let taken = self.derivation.steps.get(child.0 as usize)?.disjunct;
                let inner = predicate.disjuncts.get(taken as usize)?;
                let mut values = FxHashMap::default();
                for (&param, &arg) in predicate.params.iter().zip(&instance.args) {
                    values.insert(param, value(arg).ok()?);
                }
                *self.parents.get_mut(child.0 as usize)? = Some(id);
                pending.push((child, inner, values));
            }
        }
        Some(())
    }
}

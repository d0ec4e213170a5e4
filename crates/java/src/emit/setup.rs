//! The input: statements that build the heap before the call.
//!
//! Objects are made after what they refer to, so that constructors can be given it; references
//! that close a cycle are assigned as soon as both of their ends exist.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{Cell, Loc, Value};

use super::error::EmitError;
use super::test_method::Writer;
use super::things::{Thing, fits};

/// References that wait for the object that they lead to: the object, and the field.
type Pending = BTreeMap<Loc, Vec<(Loc, usize)>>;

impl Writer<'_, '_> {
    /// Builds the input; gives the arrays and objects that were made.
    pub fn set_up(&mut self) -> Result<Vec<Loc>, EmitError> {
        let case = self.case;
        self.check_arguments()?;
        let mut roots = case.arguments.clone();
        roots.extend(case.statics.iter().map(|field| field.value));
        let world = self.unit.world;
        let order = (self.things).explore(world, &case.before, &case.globals, &roots)?;
        self.name_objects(&order)?;
        self.make_values()?;
        let mut made = BTreeSet::new();
        let mut visited = BTreeSet::new();
        let mut pending = Pending::new();
        for root in roots {
            if let Value::Ref(loc) = root {
                self.make(loc, &mut visited, &mut made, &mut pending)?;
            }
        }
        self.set_statics(&case.statics)?;
        Ok(order)
    }

    /// The arguments have the types of the parameters.
    fn check_arguments(&self) -> Result<(), EmitError> {
        let declared = &self.case.method.declared.method;
        let mut types = declared.descriptor.parameters.clone();
        if !declared.access.is_static() && !declared.is_constructor() {
            types.insert(0, self.case.method.class.ty());
        }
        let given = self.case.arguments.len();
        if given != types.len() {
            let expected = types.len();
            return Err(EmitError::WrongCount { expected, given });
        }
        let (world, case) = (self.unit.world, self.case);
        for (index, (value, ty)) in case.arguments.iter().zip(&types).enumerate() {
            if !fits(world, &case.before, &case.globals, *value, ty)? {
                return Err(EmitError::WrongValue(format!("argument {index}")));
            }
        }
        Ok(())
    }

    pub fn before(&self, loc: Loc) -> Result<&Cell, EmitError> {
        let cell = self.case.before.cells.get(&loc);
        cell.ok_or(EmitError::Dangling(loc))
    }

    /// Makes an object and what it reaches, the latter first. Without recursion, because lists
    /// may be longer than the stack is deep.
    fn make(
        &mut self,
        root: Loc,
        visited: &mut BTreeSet<Loc>,
        made: &mut BTreeSet<Loc>,
        pending: &mut Pending,
    ) -> Result<(), EmitError> {
        enum Step {
            Enter(Loc),
            Leave(Loc),
        }
        let mut steps = vec![Step::Enter(root)];
        while let Some(step) = steps.pop() {
            match step {
                Step::Enter(loc) => {
                    if !self.is_composite(loc)? || !visited.insert(loc) {
                        continue;
                    }
                    // Inner objects are made by the object around them, so after it.
                    let (inner, other): (Vec<Loc>, Vec<Loc>) = (self.before(loc)?.fields.iter())
                        .rev()
                        .filter_map(|field| match field {
                            Value::Ref(next) => Some(*next),
                            _ => None,
                        })
                        .partition(|&next| self.is_inside(next, loc));
                    steps.extend(inner.into_iter().map(Step::Enter));
                    steps.push(Step::Leave(loc));
                    steps.extend(other.into_iter().map(Step::Enter));
                }
                Step::Leave(loc) => {
                    self.make_one(loc, made, pending)?;
                    made.insert(loc);
                    for (object, index) in pending.remove(&loc).unwrap_or_default() {
                        self.assign(object, index)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether an object is an inner one of another.
    fn is_inside(&self, inner: Loc, outer: Loc) -> bool {
        let (Ok(Thing::Object(_, fields)), Ok(cell)) = (self.things.get(inner), self.before(inner))
        else {
            return false;
        };
        (fields.iter().zip(&cell.fields)).any(|(field, &value)| {
            let is_outer =
                field.field.access.is_synthetic() && field.field.name.starts_with("this$");
            is_outer && value == Value::Ref(outer)
        })
    }

    pub fn is_composite(&self, loc: Loc) -> Result<bool, EmitError> {
        Ok(self.things.get(loc)?.ty().is_some())
    }

    /// Whether a value can be written now.
    pub fn is_made(&self, made: &BTreeSet<Loc>, value: Value) -> Result<bool, EmitError> {
        match value {
            Value::Ref(loc) => Ok(made.contains(&loc) || !self.is_composite(loc)?),
            _ => Ok(true),
        }
    }

    fn make_one(
        &mut self,
        loc: Loc,
        made: &BTreeSet<Loc>,
        pending: &mut Pending,
    ) -> Result<(), EmitError> {
        let cell = self.before(loc)?.clone();
        let right = match self.things.get(loc)?.clone() {
            Thing::Array(element) => self.make_array(loc, &element, &cell, made)?,
            Thing::Object(class, fields) => self.make_object(loc, &class, &fields, &cell, made)?,
            Thing::Function(function) => self.make_function(loc, &function, &cell, made)?,
            _ => return Ok(()),
        };
        for (index, (value, right)) in cell.fields.iter().zip(right).enumerate() {
            match value {
                _ if right => {}
                Value::Ref(target) if *target != loc && !self.is_made(made, *value)? => {
                    pending.entry(*target).or_default().push((loc, index));
                }
                _ => self.assign(loc, index)?,
            }
        }
        Ok(())
    }
}

//! What an object inherits from classes of the JDK: as a constructor of theirs leaves it.
//!
//! The fields of `java.util.Vector` have contents that only the JDK knows to be valid, and tests
//! cannot see them. An input of a subclass has in them what the simplest constructor of the JDK's
//! class puts there; a test calls a constructor of the subclass, and assigns only the fields that
//! the subclass declares itself.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Heap, Value};

use super::case::{Ending, TestCase};
use super::compilation_unit::CompilationUnit;
use super::constructors::{Effect, FieldKey, Source, effect, field_key};
use super::error::EmitError;
use crate::classfile::{Class, Method};
use crate::hierarchy::{DeclaredField, Hierarchy};
use crate::world::World;

/// What a constructor of the JDK leaves in the fields that its class declares and inherits; fields
/// that are missing have their default values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Inherited {
    effect: Effect,
}

impl Inherited {
    /// What is left in a field; none means the default value.
    pub fn source(&self, field: &DeclaredField) -> Option<Source> {
        self.effect.fields.get(&field_key(field)).copied()
    }

    /// Whether a field is given to the constructor, and must not be null.
    pub fn is_present(&self, field: &DeclaredField) -> bool {
        let source = self.source(field);
        matches!(source, Some(Source::Parameter(index)) if self.effect.not_null.contains(&index))
    }

    /// Whether another constructor leaves the same in fields of the JDK, given its parameters.
    fn agrees(&self, other: &BTreeMap<FieldKey, Source>, field: &DeclaredField) -> bool {
        let other = other.get(&field_key(field)).copied();
        match (self.source(field), other) {
            (Some(Source::Parameter(_)), Some(Source::Parameter(_))) => true,
            (Some(Source::Parameter(_)), _) => false,
            (expected, found) => expected == found || is_default(expected) && is_default(found),
        }
    }
}

fn is_default(source: Option<Source>) -> bool {
    match source {
        None => true,
        Some(Source::Constant(value)) => matches!(
            value,
            Value::Null | Value::Bool(false) | Value::Int(0) | Value::Single(0) | Value::Double(0)
        ),
        Some(_) => false,
    }
}

/// What the simplest constructor of a class of the JDK leaves, if that is plain enough.
pub(crate) fn left_by(hierarchy: Hierarchy<'_>, class: &Arc<Class>) -> Option<Inherited> {
    let is_open = |method: &&Arc<Method>| {
        let access = method.access;
        method.is_constructor()
            && (access.is_public() || access.is_protected())
            && !access.is_synthetic()
    };
    let mut constructors: Vec<&Arc<Method>> = class.methods.iter().filter(is_open).collect();
    constructors.sort_by_key(|method| method.descriptor.parameters.len());
    constructors.into_iter().find_map(|constructor| {
        let effect = effect(hierarchy, class, constructor).ok().flatten()?;
        let known = effect
            .fields
            .values()
            .all(|source| *source != Source::Other);
        known.then_some(Inherited { effect })
    })
}

/// Which fields of an object of a class tests leave to a constructor; none if they set all fields.
pub(super) fn left_to_constructors(
    unit: &CompilationUnit<'_>,
    class: &Arc<Class>,
    fields: &[DeclaredField],
) -> Result<Option<Vec<bool>>, EmitError> {
    let Some(inherited) = unit.world.inherited(class) else {
        return Ok(None);
    };
    if class.access.is_abstract() || !unit.is_nameable(&class.ty())? {
        return Ok(None);
    }
    for method in (class.methods.iter()).filter(|method| method.is_constructor()) {
        if is_usable(unit, class, method) && agrees(unit, &inherited, class, method, fields)? {
            let left = |field: &DeclaredField| !unit.world.is_user_class(&field.class.name);
            return Ok(Some(fields.iter().map(left).collect()));
        }
    }
    Ok(None)
}

/// Whether a test can call a constructor.
pub(super) fn is_usable(unit: &CompilationUnit<'_>, class: &Arc<Class>, method: &Method) -> bool {
    let visible = unit.sees(method.access, class) && !method.access.is_synthetic();
    visible && method.exceptions.is_empty()
}

/// Whether a constructor leaves what inputs have in the fields of the JDK.
pub(super) fn agrees(
    unit: &CompilationUnit<'_>,
    inherited: &Inherited,
    class: &Arc<Class>,
    method: &Method,
    fields: &[DeclaredField],
) -> Result<bool, EmitError> {
    let Some(effect) = effect(unit.hierarchy(), class, method)? else {
        return Ok(false);
    };
    let mut inner = fields
        .iter()
        .filter(|field| !unit.world.is_user_class(&field.class.name));
    Ok(inner.all(|field| inherited.agrees(&effect.fields, field)))
}

/// The case without what constructors of the JDK leave: objects behind such fields are neither made
/// nor looked at. None if it has no such objects.
pub(super) fn without_inherited(
    unit: &CompilationUnit<'_>,
    case: &TestCase,
) -> Result<Option<TestCase>, EmitError> {
    if case.sequence.is_some() {
        return Ok(None);
    }
    let mut hidden: Vec<(heapwright_logic::Loc, Vec<bool>)> = Vec::new();
    for (&loc, cell) in &case.before.cells {
        if let Some(left) = hidden_fields(unit, unit.world, cell.class)? {
            hidden.push((loc, left));
        }
    }
    if hidden.is_empty() {
        return Ok(None);
    }
    let mut case = case.clone();
    hide(&mut case.before, &hidden);
    match &mut case.ending {
        Ending::Returned { after, .. } | Ending::Threw { after, .. } => hide(after, &hidden),
        Ending::OutOfBudget => {}
    }
    Ok(Some(case))
}

/// The fields of a class that nobody looks at; what is given to a constructor has to be made.
fn hidden_fields(
    unit: &CompilationUnit<'_>,
    world: &World,
    class: heapwright_logic::ClassId,
) -> Result<Option<Vec<bool>>, EmitError> {
    let Some(crate::descriptor::Type::Class(name)) = world.type_of(class) else {
        return Ok(None);
    };
    if !world.is_user_class(name) {
        return Ok(None);
    }
    let Ok(class) = unit.load(name) else {
        return Ok(None);
    };
    let Some(inherited) = world.inherited(&class) else {
        return Ok(None);
    };
    let fields = unit.hierarchy().instance_fields(&class)?;
    let Some(mut left) = left_to_constructors(unit, &class, &fields)? else {
        return Ok(None);
    };
    for (left, field) in left.iter_mut().zip(&fields) {
        *left &= !matches!(inherited.source(field), Some(Source::Parameter(_)));
    }
    Ok(Some(left))
}

fn hide(heap: &mut Heap, hidden: &[(heapwright_logic::Loc, Vec<bool>)]) {
    for (loc, left) in hidden {
        let Some(cell) = heap.cells.get_mut(loc) else {
            continue;
        };
        for (value, _) in cell.fields.iter_mut().zip(left).filter(|(_, left)| **left) {
            *value = match value {
                Value::Ref(_) | Value::Null => Value::Null,
                Value::Bool(_) => Value::Bool(false),
                Value::Int(_) => Value::Int(0),
                Value::Single(_) => Value::Single(0),
                Value::Double(_) => Value::Double(0),
            };
        }
    }
}

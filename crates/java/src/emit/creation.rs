//! Arrays and objects of the input: by initialisers and constructors where those will do, otherwise
//! empty at first.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_logic::{Cell, Loc, Value};

use super::constructors::{DETAIL_MESSAGE, Source, effect, field_key};
use super::error::EmitError;
use super::helper::Helper;
use super::inherited::{agrees, is_usable, left_to_constructors};
use super::layout::wrapped;
use super::literal::assigned_literal;
use super::test_method::Writer;
use super::things::fits;
use crate::classfile::{Class, Method};
use crate::descriptor::{Primitive, Type};
use crate::hierarchy::DeclaredField;
use crate::world::{Functional, THROWABLE, canonical_constructor};

/// Arrays with more elements than this are filled one by one if most have their default.
const LONG_ARRAY: usize = 16;

/// A constructor call that can be written.
struct Construction {
    constructor: Arc<Method>,
    arguments: Vec<Value>,
    /// Which fields have their value afterwards.
    right: Vec<bool>,
}

impl Writer<'_, '_> {
    /// Makes an array; says which elements have their values.
    pub fn make_array(
        &mut self,
        loc: Loc,
        element: &Type,
        cell: &Cell,
        made: &BTreeSet<Loc>,
    ) -> Result<Vec<bool>, EmitError> {
        let name = self.variable(loc)?;
        let length = cell.fields.len();
        let defaults: Vec<bool> = cell.fields.iter().map(|&value| is_default(value)).collect();
        let array = element.clone().array_of();
        let Some(ty) = self.unit.type_name(&array)? else {
            let component = self.unit.class_literal(element)?;
            self.line(format!(
                "Object[] {name} = (Object[]) java.lang.reflect.Array.newInstance({component}, {length});"
            ));
            return Ok(defaults);
        };
        let others = defaults.iter().filter(|is_default| !**is_default).count();
        if (others == 0 && length > 0) || (length > LONG_ARRAY && others * 4 < length) {
            let mut dimensions = String::new();
            let mut base = element;
            while let Type::Array(inner) = base {
                dimensions.push_str("[]");
                base = inner;
            }
            let base = self.unit.type_name(base)?.unwrap_or_default();
            self.line(format!("{ty} {name} = new {base}[{length}]{dimensions};"));
            return Ok(defaults);
        }
        let mut right = Vec::new();
        let mut elements = Vec::new();
        for &value in &cell.fields {
            let made = value != Value::Ref(loc) && self.is_made(made, value)?;
            let value_text = match made {
                true => match assigned_literal(element, value) {
                    Some(text) => text,
                    None => {
                        let fitting = self.fitting(value, element)?;
                        fitting.unwrap_or_else(|| "null".to_owned())
                    }
                },
                false => "null".to_owned(),
            };
            elements.push(value_text);
            right.push(made);
        }
        let lines = wrapped(&format!("{ty} {name} = {{"), &elements, "};");
        self.lines.extend(lines);
        Ok(right)
    }

    /// Makes an object; says which fields have their values.
    pub fn make_object(
        &mut self,
        loc: Loc,
        class: &Arc<Class>,
        fields: &[DeclaredField],
        cell: &Cell,
        made: &BTreeSet<Loc>,
    ) -> Result<Vec<bool>, EmitError> {
        let name = self.variable(loc)?;
        let best = self.best_construction(class, fields, cell, made)?;
        if let Some(best) = best
            && let Some(creation) = self.creation(class, &best.constructor, &best.arguments)?
        {
            let ty = self.unit.type_name(&class.ty())?.unwrap_or_default();
            self.line(format!("{ty} {name} = {creation};"));
            return Ok(best.right);
        }
        if class.record.is_some() {
            return self.make_record(&name, class, cell, made);
        }
        if fields.iter().any(is_made_by_throwable) {
            return Err(EmitError::CannotMake {
                class: class.name.clone(),
                reason: "none of its constructors only assigns what it is given",
            });
        }
        self.unit.need(Helper::Make);
        let literal = self.unit.class_literal(&class.ty())?;
        let ty = self.unit.type_name(&class.ty())?;
        let ty = ty.unwrap_or_else(|| "Object".to_owned());
        self.line(format!("{ty} {name} = make({literal});"));
        Ok(cell.fields.iter().map(|&value| is_default(value)).collect())
    }

    /// Makes a function by a lambda expression.
    pub fn make_function(
        &mut self,
        loc: Loc,
        function: &Functional,
        cell: &Cell,
        made: &BTreeSet<Loc>,
    ) -> Result<Vec<bool>, EmitError> {
        let refuse = |reason| EmitError::CannotMake {
            class: function.interface.name.clone(),
            reason,
        };
        let descriptor = &function.method.descriptor;
        let result = match (&descriptor.result, cell.fields.first()) {
            (Some(ty), Some(&value)) => {
                if !self.is_made(made, value)? {
                    return Err(refuse("it returns an object that leads back to it"));
                }
                self.fitting(value, ty)?
            }
            (None, _) => Some("{ }".to_owned()),
            (Some(_), None) => return Err(EmitError::WrongCell(loc)),
        };
        let ty = self.unit.type_name(&function.interface.ty())?;
        let (Some(result), Some(ty)) = (result, ty) else {
            return Err(refuse("its type cannot be named"));
        };
        let name = self.variable(loc)?;
        let parameters = descriptor.parameters.iter();
        let parameters: Vec<String> = parameters.map(|_| self.names.plain("x")).collect();
        let parameters = match &parameters[..] {
            [only] => only.clone(),
            several => format!("({})", several.join(", ")),
        };
        self.line(format!("{ty} {name} = {parameters} -> {result};"));
        Ok(vec![true; cell.fields.len()])
    }

    /// Makes a record by its canonical constructor, which is known to accept the components.
    fn make_record(
        &mut self,
        name: &str,
        class: &Arc<Class>,
        cell: &Cell,
        made: &BTreeSet<Loc>,
    ) -> Result<Vec<bool>, EmitError> {
        let refuse = |reason| EmitError::CannotMake {
            class: class.name.clone(),
            reason,
        };
        for &value in &cell.fields {
            if !self.is_made(made, value)? {
                return Err(refuse("it is a record that leads back to itself"));
            }
        }
        let constructor = canonical_constructor(class).filter(|constructor| {
            self.unit.sees(constructor.access, class) && constructor.exceptions.is_empty()
        });
        let constructor = constructor.ok_or_else(|| refuse("its constructor cannot be called"))?;
        let creation = self.creation(class, constructor, &cell.fields)?;
        let ty = self.unit.type_name(&class.ty())?;
        let (Some(creation), Some(ty)) = (creation, ty) else {
            return Err(refuse("its constructor cannot be called"));
        };
        self.line(format!("{ty} {name} = {creation};"));
        Ok(vec![true; cell.fields.len()])
    }

    /// The constructor after which the fewest fields remain to be assigned.
    fn best_construction(
        &mut self,
        class: &Arc<Class>,
        fields: &[DeclaredField],
        cell: &Cell,
        made: &BTreeSet<Loc>,
    ) -> Result<Option<Construction>, EmitError> {
        let instantiable = !class.access.is_abstract() && self.unit.is_nameable(&class.ty())?;
        if !instantiable {
            return Ok(None);
        }
        let inherited = self.unit.world.inherited(class);
        let left = left_to_constructors(self.unit, class, fields)?;
        let mut best: Option<((usize, usize), Construction)> = None;
        for method in class
            .methods
            .iter()
            .filter(|method| method.is_constructor())
        {
            if !is_usable(self.unit, class, method) {
                continue;
            }
            // The JDK's part of the object is as its constructor leaves it.
            if let (Some(_), Some(inherited)) = (&left, &inherited)
                && !agrees(self.unit, inherited, class, method, fields)?
            {
                continue;
            }
            let Some(effect) = effect(self.unit.hierarchy(), class, method)? else {
                continue;
            };
            // What each parameter has to be for its field to become right.
            let parameters = &method.descriptor.parameters;
            let mut arguments: Vec<Option<Value>> = vec![None; parameters.len()];
            for (field, &value) in fields.iter().zip(&cell.fields) {
                if let Some(Source::Parameter(index)) = effect.fields.get(&field_key(field))
                    && let Some(argument) = arguments.get_mut(*index)
                    && argument.is_none()
                    && self.is_made(made, value)?
                    && fits(
                        self.unit.world,
                        &self.case.before,
                        &self.case.globals,
                        value,
                        parameters.get(*index).unwrap_or(&field.field.ty),
                    )?
                {
                    *argument = Some(value);
                }
            }
            let arguments: Vec<Value> = (arguments.into_iter().zip(parameters))
                .map(|(argument, ty)| argument.unwrap_or_else(|| default_of(ty)))
                .collect();
            let null = |index: &usize| arguments.get(*index) == Some(&Value::Null);
            if effect.not_null.iter().any(null) {
                continue;
            }
            let is_left = |index: usize| left.as_ref().and_then(|left| left.get(index));
            let right: Vec<bool> = (fields.iter().zip(&cell.fields).enumerate())
                .map(
                    |(at, (field, value))| match effect.fields.get(&field_key(field)) {
                        Some(Source::Parameter(index)) => arguments.get(*index) == Some(value),
                        _ if is_left(at) == Some(&true) => true,
                        Some(Source::Constant(constant)) => constant == value,
                        Some(Source::Itself | Source::Array(_) | Source::Fresh | Source::Other) => {
                            false
                        }
                        None => is_default(*value) || is_made_by_throwable(field),
                    },
                )
                .collect();
            let remaining = right.iter().filter(|right| !**right).count();
            let is_silent = (fields.iter().zip(&right))
                .any(|(field, right)| !right && &*field.class.name == THROWABLE);
            if is_silent || class.record.is_some() && remaining > 0 {
                continue;
            }
            let cost = (remaining, parameters.len());
            if best.as_ref().is_none_or(|(known, _)| cost < *known) {
                let constructor = method.clone();
                best = Some((
                    cost,
                    Construction {
                        constructor,
                        arguments,
                        right,
                    },
                ));
            }
        }
        Ok(best.map(|(_, construction)| construction))
    }
}

/// Whether a field has its value when an exception is made, whatever constructor is used.
fn is_made_by_throwable(field: &DeclaredField) -> bool {
    &*field.class.name == THROWABLE && &*field.field.name != DETAIL_MESSAGE
}

/// Whether a field has this value in a new object.
fn is_default(value: Value) -> bool {
    matches!(
        value,
        Value::Null | Value::Bool(false) | Value::Int(0) | Value::Single(0) | Value::Double(0)
    )
}

/// The value of a field in a new object.
fn default_of(ty: &Type) -> Value {
    match ty {
        Type::Primitive(Primitive::Boolean) => Value::Bool(false),
        Type::Primitive(Primitive::Float) => Value::Single(0),
        Type::Primitive(Primitive::Double) => Value::Double(0),
        Type::Primitive(_) => Value::Int(0),
        _ => Value::Null,
    }
}

//! Static fields: set before the call, read after it, saved and restored around every test.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::case::{Ending, StaticValue, TestCase};
use super::compilation_unit::CompilationUnit;
use super::error::EmitError;
use super::helper::Helper;
use super::literal::assigned_literal;
use super::names::Names;
use super::test_method::{Writer, quoted};
use crate::classfile::{Class, Field};
use crate::descriptor::{Name, Primitive, Type};
use crate::hierarchy::GenericType;
use crate::world::StaticStep;

/// A static field by class and name.
fn find(
    unit: &CompilationUnit<'_>,
    class: &Name,
    name: &Name,
) -> Result<(Arc<Class>, Arc<Field>), EmitError> {
    let loaded = unit.load(class)?;
    let field = (loaded.fields.iter())
        .find(|field| field.name == *name && field.access.is_static())
        .cloned();
    match field {
        Some(field) => Ok((loaded, field)),
        None => Err(EmitError::NoStaticField(format!("{class}.{name}"))),
    }
}

/// The field as source code writes it, if it can be seen.
fn place(
    unit: &mut CompilationUnit<'_>,
    class: &Class,
    field: &Field,
) -> Result<Option<String>, EmitError> {
    if !unit.sees(field.access, class) || field.access.is_synthetic() {
        return Ok(None);
    }
    let name = unit.class_name(&class.name)?;
    Ok(name.map(|name| format!("{name}.{}", field.name)))
}

/// An expression for something behind a static field.
#[derive(Clone)]
struct Behind {
    text: String,
    /// What it is known to be.
    ty: Type,
    /// Whether the compiler knows it, too.
    is_typed: bool,
}

impl Writer<'_, '_> {
    /// Sets static fields, and numbers behind them.
    pub fn set_statics(&mut self, values: &[StaticValue]) -> Result<(), EmitError> {
        let array = |value: &StaticValue| match value.path.split_last() {
            Some((StaticStep::Element(_), way)) => {
                Some((value.class.clone(), value.field.clone(), way.to_vec()))
            }
            _ => None,
        };
        for group in values.chunk_by(|a, b| array(a).is_some() && array(a) == array(b)) {
            match group {
                [value] => self.set_static(value)?,
                group => self.set_elements(group)?,
            }
        }
        Ok(())
    }

    /// Sets all elements of an array.
    fn set_elements(&mut self, values: &[StaticValue]) -> Result<(), EmitError> {
        let Some((first, (_, way))) =
            (values.first()).and_then(|value| Some((value, value.path.split_last()?)))
        else {
            return Ok(());
        };
        let behind = self.behind(first, way)?;
        let Type::Array(element) = &behind.ty else {
            return Err(EmitError::WrongValue(first.field.to_string()));
        };
        let mut literals = Vec::new();
        for value in values {
            let text = assigned_literal(element, value.value);
            literals.push(text.ok_or_else(|| EmitError::WrongValue(first.field.to_string()))?);
        }
        let ty = self.unit.type_name(element)?.unwrap_or_default();
        let count = literals.len();
        let literals = literals.join(", ");
        let text = behind.text;
        self.line(format!(
            "System.arraycopy(new {ty}[] {{{literals}}}, 0, {text}, 0, {count});"
        ));
        Ok(())
    }

    /// The expression for an object behind a static field.
    fn behind(&mut self, value: &StaticValue, way: &[StaticStep]) -> Result<Behind, EmitError> {
        let (class, field) = find(self.unit, &value.class, &value.field)?;
        let mut behind = match place(self.unit, &class, &field)? {
            Some(text) => Behind {
                text,
                ty: field.ty.clone(),
                is_typed: true,
            },
            None => {
                self.unit.look_into(&class);
                self.unit.need(Helper::GetDeclared);
                let ty = self.unit.class_literal(&class.ty())?;
                Behind {
                    text: format!("get(null, {ty}, {})", quoted(&field.name)),
                    ty: field.ty.clone(),
                    is_typed: false,
                }
            }
        };
        for step in way {
            behind = self.step(behind, step)?;
        }
        Ok(behind)
    }

    fn step(&mut self, behind: Behind, step: &StaticStep) -> Result<Behind, EmitError> {
        match step {
            StaticStep::Element(index) => {
                let Type::Array(element) = behind.ty.clone() else {
                    return Err(EmitError::WrongValue(behind.text));
                };
                let (array, is_typed) = match self.typed(&behind)? {
                    Some(array) => (array, true),
                    None => (format!("((Object[]) {})", behind.text), false),
                };
                Ok(Behind {
                    text: format!("{array}[{index}]"),
                    ty: (*element).clone(),
                    is_typed,
                })
            }
            StaticStep::Field(owner, name) => {
                let (class, field) = self.field_of(owner, name)?;
                let ty = field.ty.clone();
                let visible = self.unit.sees(field.access, &class);
                if let (true, Some(object)) = (visible, self.typed(&behind)?) {
                    return Ok(Behind {
                        text: format!("{object}.{name}"),
                        ty,
                        is_typed: true,
                    });
                }
                self.unit.look_into(&class);
                self.unit.need(Helper::GetDeclared);
                let declaring = self.unit.class_literal(&class.ty())?;
                Ok(Behind {
                    text: format!("get({}, {declaring}, {})", behind.text, quoted(name)),
                    ty,
                    is_typed: false,
                })
            }
            StaticStep::Atomic => {
                let is_long = behind.ty == Type::class("java.util.concurrent.atomic.AtomicLong");
                let object = self.typed(&behind)?;
                let object = object.ok_or_else(|| EmitError::WrongValue(behind.text.clone()))?;
                Ok(Behind {
                    text: format!("{object}.get()"),
                    ty: Type::Primitive(match is_long {
                        true => Primitive::Long,
                        false => Primitive::Int,
                    }),
                    is_typed: true,
                })
            }
        }
    }

    /// An expression of the type that an object is known to have; `None` if that has no name here.
    fn typed(&mut self, behind: &Behind) -> Result<Option<String>, EmitError> {
        if behind.is_typed {
            return Ok(Some(behind.text.clone()));
        }
        let name = self.unit.type_name(&behind.ty)?;
        Ok(name.map(|name| format!("(({name}) {})", behind.text)))
    }

    fn field_of(&self, owner: &Name, name: &Name) -> Result<(Arc<Class>, Arc<Field>), EmitError> {
        let class = self.unit.load(owner)?;
        let field = (class.fields.iter())
            .find(|field| field.name == *name && !field.access.is_static())
            .cloned();
        match field {
            Some(field) => Ok((class, field)),
            None => Err(EmitError::WrongValue(format!("{owner}.{name}"))),
        }
    }

    /// Sets a number behind a static field.
    fn set_behind(
        &mut self,
        value: &StaticValue,
        (way, last): (&[StaticStep], &StaticStep),
    ) -> Result<(), EmitError> {
        let behind = self.behind(value, way)?;
        let place = self.step(behind.clone(), last)?;
        let literal = assigned_literal(&place.ty, value.value);
        let literal = literal.ok_or_else(|| EmitError::WrongValue(place.text.clone()))?;
        let line = match last {
            StaticStep::Atomic => {
                let object = place.text.trim_end_matches(".get()");
                format!("{object}.set({literal});")
            }
            StaticStep::Field(owner, name) if !place.is_typed => {
                self.unit.need(Helper::SetDeclared);
                let (class, _) = self.field_of(owner, name)?;
                let declaring = self.unit.class_literal(&class.ty())?;
                let text = self.expression(value.value, &place.ty)?;
                let name = quoted(name);
                format!("set({}, {declaring}, {name}, {text});", behind.text)
            }
            _ => format!("{} = {literal};", place.text),
        };
        self.line(line);
        Ok(())
    }

    pub fn set_static(&mut self, value: &StaticValue) -> Result<(), EmitError> {
        if let Some((last, way)) = value.path.split_last() {
            return self.set_behind(value, (way, last));
        }
        let (class, field) = find(self.unit, &value.class, &value.field)?;
        if field.access.is_final() {
            let name = format!("{}.{}", value.class, value.field);
            return Err(EmitError::FinalStatic(name));
        }
        if let Some(place) = place(self.unit, &class, &field)? {
            let text = match assigned_literal(&field.ty, value.value) {
                Some(text) => Some(text),
                None => {
                    let signature = field.signature.as_deref();
                    let declared = signature.and_then(GenericType::of_field);
                    self.fitting_declared(value.value, &field.ty, declared.as_ref())?
                }
            };
            if let Some(text) = text {
                self.line(format!("{place} = {text};"));
                return Ok(());
            }
        }
        self.unit.look_into(&class);
        self.unit.need(Helper::SetDeclared);
        let ty = self.unit.class_literal(&class.ty())?;
        let text = self.expression(value.value, &field.ty)?;
        self.line(format!("set(null, {ty}, {}, {text});", quoted(&field.name)));
        Ok(())
    }

    /// The expression that reads a static field, whether it is direct, and the field's type.
    pub fn read_static(&mut self, value: &StaticValue) -> Result<(String, bool, Type), EmitError> {
        if !value.path.is_empty() {
            let behind = self.behind(value, &value.path)?;
            return Ok((behind.text, behind.is_typed, behind.ty));
        }
        let (class, field) = find(self.unit, &value.class, &value.field)?;
        if let Some(place) = place(self.unit, &class, &field)? {
            return Ok((place, true, field.ty.clone()));
        }
        self.unit.look_into(&class);
        self.unit.need(Helper::GetDeclared);
        let ty = self.unit.class_literal(&class.ty())?;
        let text = format!("get(null, {ty}, {})", quoted(&field.name));
        Ok((text, false, field.ty.clone()))
    }
}

/// The fields and methods that save and restore what the tests of a class change.
pub(super) struct Saving {
    pub declarations: Vec<String>,
    pub save: Vec<String>,
    pub restore: Vec<String>,
}

/// What has to be saved and restored.
pub(super) fn saving(
    unit: &mut CompilationUnit<'_>,
    cases: &[TestCase],
) -> Result<Saving, EmitError> {
    let mut fields: BTreeMap<(Name, Name), ()> = BTreeMap::new();
    for case in cases {
        let after = match &case.ending {
            Ending::Returned { statics, .. } | Ending::Threw { statics, .. } => &statics[..],
            Ending::OutOfBudget => &[],
        };
        let set = case.statics.iter().chain(after);
        for field in set.filter(|field| field.path.is_empty()) {
            fields.insert((field.class.clone(), field.field.clone()), ());
        }
    }
    let mut shared: BTreeMap<(Name, Name), bool> = BTreeMap::new();
    for field in cases.iter().flat_map(|case| &case.shared) {
        let known = shared.entry((field.class.clone(), field.field.clone()));
        *known.or_insert(true) &= field.can_be_restored;
    }
    let mut saving = Saving {
        declarations: Vec::new(),
        save: Vec::new(),
        restore: Vec::new(),
    };
    keep(unit, &shared, &mut saving)?;
    for (class, name) in shared.into_keys() {
        fields.insert((class, name), ());
    }
    let mut names = Names::default();
    for (class, name) in fields.into_keys() {
        let (class, field) = find(unit, &class, &name)?;
        if field.access.is_final() {
            continue;
        }
        let (first, rest) = name.split_at_checked(1).unwrap_or(("", &name));
        let saved = names.plain(&super::names::identifier(&format!(
            "saved{}{rest}",
            first.to_ascii_uppercase()
        )));
        let ty = unit.type_name(&field.ty)?;
        if let (Some(place), Some(ty)) = (place(unit, &class, &field)?, ty) {
            saving.declarations.push(format!("private {ty} {saved};"));
            saving.save.push(format!("{saved} = {place};"));
            saving.restore.push(format!("{place} = {saved};"));
        } else {
            unit.need(Helper::GetDeclared);
            unit.need(Helper::SetDeclared);
            let (ty, name) = (unit.class_literal(&class.ty())?, quoted(&name));
            saving.declarations.push(format!("private Object {saved};"));
            saving
                .save
                .push(format!("{saved} = get(null, {ty}, {name});"));
            saving
                .restore
                .push(format!("set(null, {ty}, {name}, {saved});"));
        }
    }
    Ok(saving)
}

/// Saves and restores the objects behind static fields.
fn keep(
    unit: &mut CompilationUnit<'_>,
    shared: &BTreeMap<(Name, Name), bool>,
    saving: &mut Saving,
) -> Result<(), EmitError> {
    for ((class, name), can_be_restored) in shared {
        let (class, field) = find(unit, class, name)?;
        if !can_be_restored {
            let name = format!("{}.{name}", class.name);
            return Err(EmitError::CannotRestore(name));
        }
        if !field.ty.is_reference() {
            continue;
        }
        let text = match place(unit, &class, &field)? {
            Some(place) => place,
            None => {
                unit.look_into(&class);
                unit.need(Helper::GetDeclared);
                let ty = unit.class_literal(&class.ty())?;
                format!("get(null, {ty}, {})", quoted(name))
            }
        };
        saving.save.push(format!("keep({text});"));
    }
    if !saving.save.is_empty() {
        unit.need(Helper::Keep);
        saving.declarations.push(
            "private final java.util.ArrayDeque<Runnable> kept = new java.util.ArrayDeque<>();"
                .to_owned(),
        );
        (saving.restore).push("while (!kept.isEmpty()) {".to_owned());
        saving.restore.push("    kept.pop().run();".to_owned());
        saving.restore.push("}".to_owned());
    }
    Ok(())
}

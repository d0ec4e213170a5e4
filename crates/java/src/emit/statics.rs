//! Static fields: set before the call, read after it, saved and restored around every test.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::case::{Ending, StaticValue, TestCase};
use super::error::EmitError;
use super::helper::Helper;
use super::literal::assigned_literal;
use super::names::Names;
use super::scope::Scope;
use super::test_method::{Writer, quoted};
use crate::classfile::{Class, Field};
use crate::descriptor::{Name, Type};

/// A static field by class and name.
fn find(
    scope: &Scope<'_>,
    class: &Name,
    name: &Name,
) -> Result<(Arc<Class>, Arc<Field>), EmitError> {
    let loaded = scope.load(class)?;
    let field = (loaded.fields.iter())
        .find(|field| field.name == *name && field.access.is_static())
        .cloned();
    match field {
        Some(field) => Ok((loaded, field)),
        None => Err(EmitError::NoStaticField(format!("{class}.{name}"))),
    }
}

/// The field as source code writes it, if it can be seen.
fn place(scope: &mut Scope<'_>, class: &Class, field: &Field) -> Result<Option<String>, EmitError> {
    if !scope.sees(field.access, class) || field.access.is_synthetic() {
        return Ok(None);
    }
    let name = scope.class_name(&class.name)?;
    Ok(name.map(|name| format!("{name}.{}", field.name)))
}

impl Writer<'_, '_> {
    pub fn set_static(&mut self, value: &StaticValue) -> Result<(), EmitError> {
        let (class, field) = find(self.scope, &value.class, &value.field)?;
        if field.access.is_final() {
            let name = format!("{}.{}", value.class, value.field);
            return Err(EmitError::FinalStatic(name));
        }
        if let Some(place) = place(self.scope, &class, &field)? {
            let text = match assigned_literal(&field.ty, value.value) {
                Some(text) => Some(text),
                None => self.fitting(value.value, &field.ty)?,
            };
            if let Some(text) = text {
                self.line(format!("{place} = {text};"));
                return Ok(());
            }
        }
        self.scope.look_into(&class);
        self.scope.need(Helper::SetDeclared);
        let ty = self.scope.class_literal(&class.ty())?;
        let text = self.expression(value.value, &field.ty)?;
        self.line(format!("set(null, {ty}, {}, {text});", quoted(&field.name)));
        Ok(())
    }

    /// The expression that reads a static field, whether it is direct, and the field's type.
    pub fn read_static(&mut self, value: &StaticValue) -> Result<(String, bool, Type), EmitError> {
        let (class, field) = find(self.scope, &value.class, &value.field)?;
        if let Some(place) = place(self.scope, &class, &field)? {
            return Ok((place, true, field.ty.clone()));
        }
        self.scope.look_into(&class);
        self.scope.need(Helper::GetDeclared);
        let ty = self.scope.class_literal(&class.ty())?;
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
pub(super) fn saving(scope: &mut Scope<'_>, cases: &[TestCase]) -> Result<Saving, EmitError> {
    let mut fields: BTreeMap<(Name, Name), ()> = BTreeMap::new();
    for case in cases {
        let after = match &case.ending {
            Ending::Returned { statics, .. } | Ending::Threw { statics, .. } => &statics[..],
            Ending::OutOfBudget => &[],
        };
        for field in case.statics.iter().chain(after) {
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
    keep(scope, &shared, &mut saving)?;
    for (class, name) in shared.into_keys() {
        fields.insert((class, name), ());
    }
    let mut names = Names::default();
    for (class, name) in fields.into_keys() {
        let (class, field) = find(scope, &class, &name)?;
        if field.access.is_final() {
            continue;
        }
        let (first, rest) = name.split_at_checked(1).unwrap_or(("", &name));
        let saved = names.plain(&super::names::identifier(&format!(
            "saved{}{rest}",
            first.to_ascii_uppercase()
        )));
        let ty = scope.type_name(&field.ty)?;
        if let (Some(place), Some(ty)) = (place(scope, &class, &field)?, ty) {
            saving.declarations.push(format!("private {ty} {saved};"));
            saving.save.push(format!("{saved} = {place};"));
            saving.restore.push(format!("{place} = {saved};"));
        } else {
            scope.need(Helper::GetDeclared);
            scope.need(Helper::SetDeclared);
            let (ty, name) = (scope.class_literal(&class.ty())?, quoted(&name));
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
    scope: &mut Scope<'_>,
    shared: &BTreeMap<(Name, Name), bool>,
    saving: &mut Saving,
) -> Result<(), EmitError> {
    for ((class, name), can_be_restored) in shared {
        let (class, field) = find(scope, class, name)?;
        if !can_be_restored {
            let name = format!("{}.{name}", class.name);
            return Err(EmitError::CannotRestore(name));
        }
        if !field.ty.is_reference() {
            continue;
        }
        let text = match place(scope, &class, &field)? {
            Some(place) => place,
            None => {
                scope.look_into(&class);
                scope.need(Helper::GetDeclared);
                let ty = scope.class_literal(&class.ty())?;
                format!("get(null, {ty}, {})", quoted(name))
            }
        };
        saving.save.push(format!("keep({text});"));
    }
    if !saving.save.is_empty() {
        scope.need(Helper::Keep);
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

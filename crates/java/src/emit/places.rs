//! Fields and elements of objects as source code writes them, and assignments to them.

use std::sync::Arc;

use heapwright_logic::Loc;

use super::error::EmitError;
use super::helper::Helper;
use super::literal::assigned_literal;
use super::test_method::{Writer, quoted};
use super::things::Thing;
use crate::classfile::Class;
use crate::hierarchy::{DeclaredField, GenericType};

impl Writer<'_, '_> {
    /// Assigns the value that a field or element has before the call.
    pub fn assign(&mut self, loc: Loc, index: usize) -> Result<(), EmitError> {
        let value = self.before(loc)?.fields.get(index).copied();
        let value = value.ok_or(EmitError::WrongCell(loc))?;
        let name = self.variable(loc)?;
        let (class, fields) = match self.things.get(loc)?.clone() {
            Thing::Object(class, fields) => (class, fields),
            Thing::Array(element) => {
                let text = match assigned_literal(&element, value) {
                    Some(text) => text,
                    None => self.expression(value, &element)?,
                };
                self.line(format!("{name}[{index}] = {text};"));
                return Ok(());
            }
            _ => return Err(EmitError::WrongCell(loc)),
        };
        let field = fields.get(index).ok_or(EmitError::WrongCell(loc))?;
        if class.record.is_some() {
            return Err(EmitError::CannotMake {
                class: class.name.clone(),
                reason: "the record refers to an object that refers to the record",
            });
        }
        let place = match field.field.access.is_final() {
            true => None,
            false => self.place(&name, &class, &fields, field)?,
        };
        if let Some(place) = place {
            let ty = &field.field.ty;
            let text = match assigned_literal(ty, value) {
                Some(text) => Some(text),
                None => {
                    let signature = field.field.signature.as_deref();
                    let declared = signature.and_then(GenericType::of_field);
                    self.fitting_declared(value, ty, declared.as_ref())?
                }
            };
            if let Some(text) = text {
                self.line(format!("{place} = {text};"));
                return Ok(());
            }
        }
        self.unit.look_into(&field.class);
        let text = self.expression(value, &field.field.ty)?;
        let quoted = quoted(&field.field.name);
        match is_ambiguous(&fields, field) {
            true => {
                self.unit.need(Helper::SetDeclared);
                let ty = self.unit.class_literal(&field.class.ty())?;
                self.line(format!("set({name}, {ty}, {quoted}, {text});"));
            }
            false => {
                self.unit.need(Helper::Set);
                self.line(format!("set({name}, {quoted}, {text});"));
            }
        }
        Ok(())
    }

    /// A field of an object as source code writes it; nothing if it cannot be seen.
    pub fn place(
        &mut self,
        object: &str,
        class: &Arc<Class>,
        fields: &[DeclaredField],
        field: &DeclaredField,
    ) -> Result<Option<String>, EmitError> {
        let visible = self.unit.sees(field.field.access, &field.class)
            && !field.field.access.is_synthetic()
            && self.unit.is_nameable(&class.ty())?;
        if !visible {
            return Ok(None);
        }
        let signature = field.field.signature.as_deref().unwrap_or_default();
        let inherited = field.class.name != class.name;
        // Subclasses may say what a type variable stands for; the heap knows erased types only.
        let refined = inherited && signature.trim_start_matches('[').starts_with('T');
        if !refined && !is_ambiguous(fields, field) {
            return Ok(Some(format!("{object}.{}", field.field.name)));
        }
        let declaring = self.unit.class_name(&field.class.name)?;
        Ok(declaring.map(|declaring| match inherited {
            true => format!("(({declaring}) {object}).{}", field.field.name),
            false => format!("{object}.{}", field.field.name),
        }))
    }

    /// A field of an object, read by reflection.
    pub fn reflective_read(
        &mut self,
        object: &str,
        fields: &[DeclaredField],
        field: &DeclaredField,
    ) -> Result<String, EmitError> {
        self.unit.look_into(&field.class);
        let quoted = quoted(&field.field.name);
        if is_ambiguous(fields, field) {
            self.unit.need(Helper::GetDeclared);
            let ty = self.unit.class_literal(&field.class.ty())?;
            return Ok(format!("get({object}, {ty}, {quoted})"));
        }
        self.unit.need(Helper::Get);
        Ok(format!("get({object}, {quoted})"))
    }
}

/// Whether an object has several fields of a name.
fn is_ambiguous(fields: &[DeclaredField], field: &DeclaredField) -> bool {
    let name = &field.field.name;
    fields.iter().filter(|one| one.field.name == *name).count() > 1
}

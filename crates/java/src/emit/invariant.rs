//! Predicates such as `repOk` that have to hold after the call: of the receiver, and of every argument
//! that is an object of the predicate's class.

use std::collections::BTreeSet;

use heapwright_logic::{Loc, Value};

use super::call::{Call, Throws};
use super::case::Invariant;
use super::error::EmitError;
use super::helper::Helper;
use super::test_method::{Writer, quoted};
use super::things::Thing;
use crate::classfile::FieldReference;
use crate::hierarchy::DeclaredMethod;
use crate::world::{Predicate, PredicateArgument};

impl Writer<'_, '_> {
    /// Asserts that the objects are valid.
    pub fn check_invariant(&mut self, invariant: &Invariant) -> Result<Throws, EmitError> {
        let mut throws = Throws::Nothing;
        let mut seen = BTreeSet::new();
        let assertion = self.unit.assertion("assertTrue");
        for &index in &invariant.objects {
            let Some(&Value::Ref(loc)) = self.case.arguments.get(index) else {
                continue;
            };
            // What a sequence of calls is given has no name.
            let Some(object) = self.variables.get(&loc).cloned() else {
                continue;
            };
            if !seen.insert(loc) {
                continue;
            }
            if seen.len() == 1 {
                self.line(String::new());
            }
            let call = self.predicate_call(&invariant.predicate, loc, &object)?;
            self.line(format!("{assertion}({});", call.text));
            throws = throws.max(call.throws);
        }
        Ok(throws)
    }

    fn predicate_call(
        &mut self,
        predicate: &Predicate,
        loc: Loc,
        object: &str,
    ) -> Result<Call, EmitError> {
        let (method, class) = (&predicate.declared.method, &predicate.declared.class);
        let is_nameable = match self.things.get(loc)?.ty() {
            Some(ty) => self.unit.is_nameable(&ty)?,
            None => false,
        };
        let mut is_visible = self.unit.sees(method.access, class) && is_nameable;
        if !method.access.is_static() {
            return match is_visible {
                true => self.visible(format!("{object}.{}()", method.name), &predicate.declared),
                false => self.hidden_predicate(object, &predicate.declared),
            };
        }
        let mut texts = Vec::new();
        for argument in &predicate.arguments {
            texts.push(match argument {
                PredicateArgument::Object => object.to_owned(),
                PredicateArgument::Field(field) => {
                    let (text, is_direct) = self.read_field(loc, object, field)?;
                    is_visible &= is_direct;
                    text
                }
            });
        }
        let name = self.unit.class_name(&class.name)?;
        if let (Some(name), true) = (name, is_visible && self.unit.is_nameable(&class.ty())?) {
            let text = format!("{name}.{}({})", method.name, texts.join(", "));
            return self.visible(text, &predicate.declared);
        }
        let mut types = Vec::new();
        for ty in &method.descriptor.parameters {
            types.push(self.unit.class_literal(ty)?);
        }
        // A single array or null would be taken for all arguments.
        let texts: Vec<String> = (texts.iter())
            .map(|text| format!("(Object) {text}"))
            .collect();
        self.reflective_call("null", &predicate.declared, &types, &texts)
    }

    /// A field of an object, and whether it can be seen.
    fn read_field(
        &mut self,
        loc: Loc,
        object: &str,
        reference: &FieldReference,
    ) -> Result<(String, bool), EmitError> {
        let Thing::Object(class, fields) = self.things.get(loc)?.clone() else {
            return Err(EmitError::WrongCell(loc));
        };
        let is_it = |field: &&crate::hierarchy::DeclaredField| {
            field.field.name == reference.name && field.class.name == reference.class
        };
        let field = fields.iter().find(is_it).ok_or(EmitError::WrongCell(loc))?;
        match self.place(object, &class, &fields, field)? {
            Some(place) => Ok((place, true)),
            None => Ok((self.reflective_read(object, &fields, field)?, false)),
        }
    }

    fn visible(&self, text: String, predicate: &DeclaredMethod) -> Result<Call, EmitError> {
        let throws = match self.has_checked_exceptions(&predicate.method)? {
            true => Throws::Exception,
            false => Throws::Nothing,
        };
        Ok(Call {
            text,
            ty: predicate.method.descriptor.result.clone(),
            throws,
            is_generic: false,
        })
    }

    /// The call of a predicate that the test class does not see.
    pub fn hidden_predicate(
        &mut self,
        receiver: &str,
        predicate: &DeclaredMethod,
    ) -> Result<Call, EmitError> {
        self.reflective_call(receiver, predicate, &[], &[])
    }

    fn reflective_call(
        &mut self,
        receiver: &str,
        predicate: &DeclaredMethod,
        types: &[String],
        arguments: &[String],
    ) -> Result<Call, EmitError> {
        let (method, class) = (&predicate.method, &predicate.class);
        self.unit.look_into(class);
        self.unit.need(Helper::Call);
        let literal = self.unit.class_literal(&class.ty())?;
        let name = quoted(&method.name);
        let types = format!("new Class<?>[] {{{}}}", types.join(", "));
        let mut pieces = vec![receiver.to_owned(), literal, name, types];
        pieces.extend_from_slice(arguments);
        Ok(Call {
            text: format!("(boolean) call({})", pieces.join(", ")),
            ty: method.descriptor.result.clone(),
            throws: Throws::Throwable,
            is_generic: false,
        })
    }
}

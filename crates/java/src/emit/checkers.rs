//! Methods that assert all fields of an object of one class: in large heaps, one call for each
//! object that is as before says as much as four assertions, and can be read.

use std::sync::Arc;

use heapwright_logic::{Loc, Value};

use super::case::Framework;
use super::error::EmitError;
use super::layout::wrapped;
use super::literal::literal;
use super::names::Names;
use super::test_method::Writer;
use crate::classfile::Class;
use crate::descriptor::{Primitive, Type};
use crate::hierarchy::DeclaredField;

/// Heaps with more objects than this are large.
pub(super) const LARGE: usize = 8;

impl Writer<'_, '_> {
    /// The call that asserts the fields of an object that did not change; nothing if they cannot
    /// be arguments of a method, or are too few.
    pub fn check_by_method(
        &mut self,
        loc: Loc,
        class: &Arc<Class>,
        fields: &[DeclaredField],
        values: &[Value],
    ) -> Result<Option<Vec<String>>, EmitError> {
        let is_open = |field: &&DeclaredField| !field.field.access.is_final();
        if fields.iter().filter(is_open).count() < 2 {
            return Ok(None);
        }
        let mut arguments = vec![self.variable(loc)?];
        for (field, &value) in fields.iter().zip(values) {
            if field.field.access.is_final() {
                continue;
            }
            let ty = &field.field.ty;
            let is_float = matches!(ty, Type::Primitive(Primitive::Float | Primitive::Double));
            let argument = match value {
                _ if is_float && self.unit.framework == Framework::JUnit4 => None,
                Value::Ref(target) if !self.is_composite(target)? => None,
                Value::Ref(_) | Value::Null if self.unit.is_nameable(ty)? => {
                    self.fitting(value, ty)?
                }
                Value::Ref(_) | Value::Null => None,
                scalar => literal(ty, scalar),
            };
            match argument {
                Some(argument) => arguments.push(argument),
                None => return Ok(None),
            }
        }
        let Some(name) = self.checker(class, fields)? else {
            return Ok(None);
        };
        Ok(Some(wrapped(&format!("{name}("), &arguments, ");")))
    }

    /// The name of the method for a class, which is written if it is not known yet; nothing if
    /// some field cannot be seen.
    fn checker(
        &mut self,
        class: &Arc<Class>,
        fields: &[DeclaredField],
    ) -> Result<Option<String>, EmitError> {
        if let Some(known) = self.unit.checker_of(&class.name) {
            return Ok(Some(known));
        }
        let Some(ty) = self.unit.type_name(&class.ty())? else {
            return Ok(None);
        };
        let mut names = Names::default();
        let object = names.plain("object");
        let mut parameters = vec![format!("{ty} {object}")];
        let mut body = Vec::new();
        for field in fields.iter().filter(|field| !field.field.access.is_final()) {
            let place = self.place(&object, class, fields, field)?;
            let ty = self.unit.type_name(&field.field.ty)?;
            let (Some(place), Some(ty)) = (place, ty) else {
                return Ok(None);
            };
            let parameter = names.plain(&super::names::identifier(&field.field.name));
            let assertion = match field.field.ty.is_reference() {
                true => self.unit.assertion("assertSame"),
                false => self.unit.assertion("assertEquals"),
            };
            parameters.push(format!("{ty} {parameter}"));
            body.push(format!("        {assertion}({parameter}, {place});"));
        }
        let simple = super::names::identifier(class.simple_name());
        let text = |name: &str| {
            let start = format!("private static void {name}(");
            let lines = wrapped(&start, &parameters, ") {");
            format!("{}\n{}\n    }}", lines.join("\n    "), body.join("\n"))
        };
        let word = format!("check{simple}");
        Ok(Some(self.unit.add_checker(&class.name, &word, text)))
    }
}

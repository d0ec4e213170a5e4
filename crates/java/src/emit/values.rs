//! Assertions about single values.

use heapwright_logic::{Loc, Value};

use super::case::{Framework, GlobalObject, Vagueness};
use super::checks::Agenda;
use super::error::EmitError;
use super::literal::{assigned_literal, literal};
use super::test_method::Writer;
use super::things::Thing;
use crate::descriptor::Type;
use crate::world::OBJECT;

/// An expression whose value is asserted.
pub(super) struct Read {
    pub text: String,
    /// Whether the expression has the declared type; if not, it is an `Object`.
    pub direct: bool,
    /// The declared type.
    pub ty: Type,
    /// What a variable for the value would be called.
    pub hint: Option<String>,
    pub vagueness: Option<Vagueness>,
}

impl Read {
    pub fn static_type(&self) -> Type {
        match self.direct {
            true => self.ty.clone(),
            false => Type::class(OBJECT),
        }
    }
}

impl Writer<'_, '_> {
    /// Assertions about one value.
    pub fn check(
        &mut self,
        read: &Read,
        value: Value,
        agenda: &mut Agenda,
    ) -> Result<Vec<String>, EmitError> {
        let text = &read.text;
        if read.vagueness == Some(Vagueness::Varies) {
            return Ok(Vec::new());
        }
        let Value::Ref(loc) = value else {
            return Ok(vec![self.check_scalar(read, value)?]);
        };
        match self.things.get(loc)?.clone() {
            Thing::Lambda(_) => Ok(vec![format!(
                "{}({text});",
                self.unit.assertion("assertNotNull")
            )]),
            Thing::Boxed(..) if read.vagueness.is_some() => Ok(vec![format!(
                "{}({text});",
                self.unit.assertion("assertNotNull")
            )]),
            Thing::Text(_) | Thing::Boxed(..) | Thing::Global(GlobalObject::Literal(_)) => {
                let assertion = self.unit.assertion("assertEquals");
                let expected = self.expression(value, &read.ty)?;
                Ok(vec![format!("{assertion}({expected}, {text});")])
            }
            Thing::Global(_) => {
                let assertion = self.unit.assertion("assertSame");
                let expected = self.expression(value, &read.ty)?;
                Ok(vec![format!("{assertion}({expected}, {text});")])
            }
            Thing::Array(_) | Thing::Object(..) | Thing::Function(_) => {
                if let Some(name) = self.variables.get(&loc).cloned() {
                    agenda.add(loc);
                    let assertion = self.unit.assertion("assertSame");
                    return Ok(vec![format!("{assertion}({name}, {text});")]);
                }
                self.meet(read, loc, agenda)
            }
        }
    }

    /// A variable for a new object, and the assertion that it is of the expected class.
    fn meet(
        &mut self,
        read: &Read,
        loc: Loc,
        agenda: &mut Agenda,
    ) -> Result<Vec<String>, EmitError> {
        let thing = self.things.get(loc)?.clone();
        let ty = thing.ty().unwrap_or_else(|| Type::class(OBJECT));
        if let Thing::Object(class, _) = &thing
            && class.enclosing_method.is_some()
        {
            let assertion = self.unit.assertion("assertNotNull");
            return Ok(vec![format!("{assertion}({});", read.text)]);
        }
        let hint = match &read.hint {
            Some(hint) => hint.clone(),
            None => self.word(loc)?,
        };
        let name = self.names.plain(&hint);
        let static_type = self.static_type(&ty)?;
        let ty_name = self.unit.type_name(&static_type)?.unwrap_or_default();
        let from = read.static_type();
        let value = self.cast(read.text.clone(), &from, &static_type)?;
        let value = value.unwrap_or_else(|| read.text.clone());
        let mut lines = vec![format!("{ty_name} {name} = {value};")];
        if read.ty != ty {
            let assertion = self.unit.assertion("assertSame");
            let class = self.unit.class_literal(&ty)?;
            lines.push(format!("{assertion}({class}, {name}.getClass());"));
        } else if matches!(&thing, Thing::Object(_, fields) if fields.is_empty()) {
            let assertion = self.unit.assertion("assertNotNull");
            lines.push(format!("{assertion}({name});"));
        }
        self.variables.insert(loc, name);
        agenda.new.insert(loc);
        agenda.add(loc);
        Ok(lines)
    }

    fn check_scalar(&mut self, read: &Read, value: Value) -> Result<String, EmitError> {
        let text = &read.text;
        let wrong = || EmitError::WrongValue(read.text.clone());
        match value {
            Value::Null => return Ok(format!("{}({text});", self.unit.assertion("assertNull"))),
            Value::Bool(value) if read.direct => {
                let name = if value { "assertTrue" } else { "assertFalse" };
                return Ok(format!("{}({text});", self.unit.assertion(name)));
            }
            _ => {}
        }
        let assertion = self.unit.assertion("assertEquals");
        let exact = literal(&read.ty, value).ok_or_else(wrong)?;
        let finite = match value {
            Value::Single(bits) => f32::from_bits(bits).is_finite(),
            Value::Double(bits) => f64::from_bits(bits).is_finite(),
            _ => false,
        };
        if read.vagueness == Some(Vagueness::Approximate) && finite {
            let actual = match (read.direct, &read.ty) {
                (false, Type::Primitive(primitive)) => format!("({}) {text}", primitive.name()),
                _ => text.clone(),
            };
            return Ok(format!(
                "{assertion}({exact}, {actual}, 2 * Math.ulp({exact}));"
            ));
        }
        let is_float = matches!(value, Value::Single(_) | Value::Double(_));
        if !read.direct {
            return Ok(format!("{assertion}({exact}, {text});"));
        }
        if is_float && self.unit.framework == Framework::JUnit4 {
            // With a tolerance of zero, JUnit 4 takes both zeros for equal.
            // The parentheses keep a sign from being taken for a subtraction.
            return Ok(format!("{assertion}((Object) ({exact}), {text});"));
        }
        let plain = assigned_literal(&read.ty, value).ok_or_else(wrong)?;
        Ok(format!("{assertion}({plain}, {text});"))
    }
}

//! Assertions about the fields of objects and the elements of arrays.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_logic::{Loc, Value};

use super::case::{AssertedLocation, Framework, Vagueness};
use super::checkers::LARGE;
use super::checks::Agenda;
use super::error::EmitError;
use super::inherited::left_to_constructors;
use super::layout::{joined, wrapped};
use super::literal::assigned_literal;
use super::names::variable;
use super::test_method::{After, Writer};
use super::things::{Thing, is_shallow};
use super::values::Read;
use crate::classfile::Class;
use crate::descriptor::Type;
use crate::hierarchy::DeclaredField;
use crate::world::{OBJECT, THROWABLE};

/// The assertions about one object.
#[derive(Default)]
struct Checked {
    changed: Vec<String>,
    unchanged: Vec<String>,
}

impl Checked {
    fn add(&mut self, same: bool, lines: Vec<String>) {
        match same {
            true => self.unchanged.extend(lines),
            false => self.changed.extend(lines),
        }
    }
}

impl Writer<'_, '_> {
    /// Assertions about the contents of everything on the agenda; what did not change comes last,
    /// where it does not keep readers from what did.
    pub fn check_objects(
        &mut self,
        after: &After<'_>,
        agenda: &mut Agenda,
    ) -> Result<(), EmitError> {
        let mut views = BTreeMap::new();
        let mut unchanged = Vec::new();
        while let Some(loc) = agenda.queue.pop_front() {
            let Some(cell) = after.heap.cells.get(&loc).cloned() else {
                continue;
            };
            views.insert(loc, self.view(loc, &cell.fields)?);
            let checked = self.check_object(loc, &cell.fields, agenda)?;
            self.lines.extend(checked.changed);
            unchanged.push(checked.unchanged);
        }
        self.tell_apart(&views, agenda)?;
        let unchanged = joined(unchanged);
        if !unchanged.is_empty() {
            self.line("// Unchanged:".to_owned());
            self.lines.extend(unchanged);
        }
        Ok(())
    }

    fn check_object(
        &mut self,
        loc: Loc,
        values: &[Value],
        agenda: &mut Agenda,
    ) -> Result<Checked, EmitError> {
        let name = self.variable(loc)?;
        let mut checked = Checked::default();
        let case = self.case;
        let before = case.before.cells.get(&loc);
        let (class, fields) = match self.things.get(loc)?.clone() {
            Thing::Array(element) => {
                let same = before.is_some_and(|cell| cell.fields == values);
                let lines = self.check_array(loc, &name, &element, values, agenda)?;
                checked.add(same, lines);
                return Ok(checked);
            }
            Thing::Object(class, fields) => (class, fields),
            _ => return Ok(checked),
        };
        if agenda.new.contains(&loc) && is_shallow(self.unit.world, &class)? {
            return Ok(checked);
        }
        let is_vague = |index: usize| {
            case.vague
                .contains_key(&AssertedLocation::Field(loc, index))
        };
        if case.before.cells.len() > LARGE
            && before.is_some_and(|cell| cell.fields == values)
            && !(0..values.len()).any(is_vague)
            && let Some(lines) = self.check_by_method(loc, &class, &fields, values)?
        {
            checked.add(true, lines);
            return Ok(checked);
        }
        // What the JDK's part of an input is like, only the JDK can see.
        let left = match before {
            Some(_) => left_to_constructors(self.unit, &class, &fields)?,
            None => None,
        };
        let left = left.unwrap_or_default();
        for (index, (field, &value)) in fields.iter().zip(values).enumerate() {
            if left.get(index) == Some(&true) {
                continue;
            }
            let vagueness = self
                .case
                .vague
                .get(&AssertedLocation::Field(loc, index))
                .copied();
            // Nobody looks into exceptions by reflection.
            let is_inside = &*field.class.name == THROWABLE;
            if vagueness == Some(Vagueness::Varies) || is_inside {
                continue;
            }
            let same = before.and_then(|cell| cell.fields.get(index)) == Some(&value);
            if same && field.field.access.is_final() {
                // It cannot have changed.
                continue;
            }
            let read = self.field_read(&name, &class, &fields, field, vagueness)?;
            let lines = self.check(&read, value, agenda)?;
            checked.add(same, lines);
        }
        Ok(checked)
    }

    /// Checks that a field of an object of the input holds what is demanded.
    pub fn check_demanded(
        &mut self,
        loc: Loc,
        index: usize,
        value: Value,
    ) -> Result<(), EmitError> {
        let name = self.variable(loc)?;
        let Thing::Object(class, fields) = self.things.get(loc)?.clone() else {
            return Err(EmitError::WrongCell(loc));
        };
        let field = fields.get(index).ok_or(EmitError::WrongCell(loc))?;
        let read = self.field_read(&name, &class, &fields, field, None)?;
        let lines = self.check(&read, value, &mut Agenda::default())?;
        self.lines.extend(lines);
        Ok(())
    }

    /// A field of an object as it is read.
    fn field_read(
        &mut self,
        name: &str,
        class: &Arc<Class>,
        fields: &[DeclaredField],
        field: &DeclaredField,
        vagueness: Option<Vagueness>,
    ) -> Result<Read, EmitError> {
        let place = self.place(name, class, fields, field)?;
        let direct = place.is_some();
        let text = match place {
            Some(place) => place,
            None => self.reflective_read(name, fields, field)?,
        };
        Ok(Read {
            text,
            direct,
            ty: field.field.ty.clone(),
            hint: variable(&field.field.name),
            vagueness,
        })
    }

    fn check_array(
        &mut self,
        loc: Loc,
        name: &str,
        element: &Type,
        values: &[Value],
        agenda: &mut Agenda,
    ) -> Result<Vec<String>, EmitError> {
        let vague = |index: usize| {
            self.case
                .vague
                .get(&AssertedLocation::Field(loc, index))
                .copied()
        };
        let vagueness: Vec<_> = (0..values.len()).map(vague).collect();
        let is_vague = vagueness.iter().any(Option::is_some);
        if let Type::Primitive(primitive) = element
            && !is_vague
        {
            let literals: Option<Vec<String>> = (values.iter())
                .map(|&value| assigned_literal(element, value))
                .collect();
            let literals = literals.ok_or(EmitError::WrongCell(loc))?;
            let ty = primitive.name();
            let floating = matches!(ty, "float" | "double");
            return Ok(match floating && self.unit.framework == Framework::JUnit4 {
                true => {
                    let start = format!(
                        "{}(java.util.Arrays.equals(new {ty}[] {{",
                        self.unit.assertion("assertTrue")
                    );
                    wrapped(&start, &literals, &format!("}}, {name}));"))
                }
                false => {
                    let start =
                        format!("{}(new {ty}[] {{", self.unit.assertion("assertArrayEquals"));
                    wrapped(&start, &literals, &format!("}}, {name});"))
                }
            });
        }
        let assertion = self.unit.assertion("assertEquals");
        let mut lines = vec![format!("{assertion}({}, {name}.length);", values.len())];
        let mut index = 0;
        while let Some(&value) = values.get(index) {
            let rest = values.get(index..).unwrap_or_default();
            let nulls = rest
                .iter()
                .take_while(|value| **value == Value::Null)
                .count();
            if nulls > 3 && !is_vague {
                let assertion = self.unit.assertion("assertNull");
                let end = index + nulls;
                lines.push(format!("for (int i = {index}; i < {end}; i++) {{"));
                lines.push(format!("    {assertion}({name}[i]);"));
                lines.push("}".to_owned());
                index = end;
                continue;
            }
            let declared = match self.unit.is_nameable(element)? {
                true => element.clone(),
                false => Type::class(OBJECT),
            };
            let read = Read {
                text: format!("{name}[{index}]"),
                direct: true,
                ty: declared,
                hint: None,
                vagueness: vagueness.get(index).copied().flatten(),
            };
            lines.extend(self.check(&read, value, agenda)?);
            index += 1;
        }
        Ok(lines)
    }
}

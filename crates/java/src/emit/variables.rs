//! Variables of the input.
//!
//! Every array and object gets a variable, named after the parameter or field that leads there.
//! Strings and boxed values are written where they are used, unless they could be confused with
//! equal ones.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_logic::{Loc, Value};

use super::call::parameter_name;
use super::case::GlobalObject;
use super::error::EmitError;
use super::literal::{box_name, is_cached, literal, string};
use super::names::{variable, word_for};
use super::test_method::Writer;
use super::things::Thing;
use crate::descriptor::Type;

impl Writer<'_, '_> {
    /// Names after parameters, then after fields, then after classes.
    pub fn name_objects(&mut self, order: &[Loc]) -> Result<(), EmitError> {
        let declared = &self.case.method.declared.method;
        let has_receiver = !declared.access.is_static() && !declared.is_constructor();
        let mut hints: BTreeMap<Loc, String> = BTreeMap::new();
        for (index, value) in self.case.arguments.iter().enumerate() {
            let parameter = match has_receiver {
                true => index.checked_sub(1),
                false => Some(index),
            };
            let hint = parameter.and_then(|index| parameter_name(declared, index));
            if let (Value::Ref(loc), Some(hint)) = (value, hint) {
                hints.entry(*loc).or_insert(hint);
            }
        }
        for field in &self.case.statics {
            if let (Value::Ref(loc), Some(hint)) = (field.value, variable(&field.field)) {
                hints.entry(loc).or_insert(hint);
            }
        }
        for &loc in order {
            self.hints_of_fields(loc, &mut hints)?;
            let hint = match hints.remove(&loc) {
                Some(hint) => hint,
                None => self.word(loc)?,
            };
            let name = self.names.plain(&hint);
            self.variables.insert(loc, name);
        }
        Ok(())
    }

    fn hints_of_fields(
        &self,
        loc: Loc,
        hints: &mut BTreeMap<Loc, String>,
    ) -> Result<(), EmitError> {
        let Thing::Object(_, fields) = self.things.get(loc)? else {
            return Ok(());
        };
        for (field, value) in fields.iter().zip(&self.before(loc)?.fields) {
            if let Value::Ref(target) = value
                && !self.variables.contains_key(target)
                && let Some(hint) = variable(&field.field.name)
            {
                hints.entry(*target).or_insert(hint);
            }
        }
        Ok(())
    }

    /// A word for an object after its class.
    pub fn word(&self, loc: Loc) -> Result<String, EmitError> {
        Ok(match self.things.get(loc)? {
            Thing::Object(class, _) => word_for(class.simple_name()),
            Thing::Function(function) => word_for(function.interface.simple_name()),
            Thing::Array(_) => "array".to_owned(),
            Thing::Text(_) => "text".to_owned(),
            Thing::Boxed(primitive, _) => word_for(box_name(*primitive)),
            _ => "object".to_owned(),
        })
    }

    /// Variables for strings and boxes that are shared, or that equal others which they are not.
    pub fn make_values(&mut self) -> Result<(), EmitError> {
        let mut uses: BTreeMap<Loc, usize> = BTreeMap::new();
        let fields = self
            .variables
            .keys()
            .filter_map(|loc| self.case.before.cells.get(loc));
        let fields = fields.flat_map(|cell| &cell.fields);
        let statics = self.case.statics.iter().map(|field| &field.value);
        for value in fields.chain(&self.case.arguments).chain(statics) {
            if let Value::Ref(loc) = value {
                *uses.entry(*loc).or_default() += 1;
            }
        }
        let mut known = BTreeSet::new();
        for global in self.case.globals.values() {
            if let GlobalObject::Literal(text) = global {
                known.insert(string(text.units()));
            }
        }
        for (loc, count) in uses {
            let (class, fresh) = match self.things.get(loc)?.clone() {
                Thing::Text(units) => {
                    let text = string(&units);
                    let taken = !known.insert(text.clone());
                    let fresh = taken.then(|| format!("new String({text})"));
                    ("String", fresh)
                }
                Thing::Boxed(primitive, value) => {
                    let text = literal(&Type::Primitive(primitive), value);
                    let text = text.ok_or(EmitError::WrongCell(loc))?;
                    let class = box_name(primitive);
                    let cached = is_cached(primitive, value);
                    let taken = cached && !known.insert(format!("{class} {text}"));
                    self.unit.deprecated |= taken;
                    let shared = !cached && count > 1;
                    let fresh = match (taken, shared) {
                        (true, _) => Some(format!("new {class}({text})")),
                        (_, true) => Some(format!("{class}.valueOf({text})")),
                        _ => None,
                    };
                    (class, fresh)
                }
                _ => continue,
            };
            if let Some(fresh) = fresh {
                let name = self.names.plain(&self.word(loc)?);
                self.line(format!("{class} {name} = {fresh};"));
                self.variables.insert(loc, name);
            }
        }
        Ok(())
    }

    /// The variable of an array or object.
    pub fn variable(&self, loc: Loc) -> Result<String, EmitError> {
        let name = self.variables.get(&loc).cloned();
        name.ok_or(EmitError::Dangling(loc))
    }
}

//! New objects that fields alone cannot tell from others.

use std::collections::BTreeMap;

use heapwright_logic::{Loc, Value};

use super::bisimulation::{Seen, View, bisimilar};
use super::case::AssertedLocation;
use super::checks::Agenda;
use super::error::EmitError;
use super::helper::Helper;
use super::layout::wrapped;
use super::test_method::Writer;
use super::things::{Thing, is_shallow};

impl Writer<'_, '_> {
    /// What the assertions see of an object.
    pub fn view(&mut self, loc: Loc, values: &[Value]) -> Result<View, EmitError> {
        let thing = self.things.get(loc)?.clone();
        let class = thing.ty().map(|ty| ty.to_string()).unwrap_or_default();
        let mut fields = Vec::new();
        if let Thing::Object(class, _) = &thing
            && !self.case.before.cells.contains_key(&loc)
            && is_shallow(self.unit.world, class)?
        {
            let class = class.name.to_string();
            return Ok(View { class, fields });
        }
        for (index, &value) in values.iter().enumerate() {
            let vague = self
                .case
                .vague
                .contains_key(&AssertedLocation::Field(loc, index));
            let seen = match value {
                _ if vague => Seen::Nothing,
                Value::Ref(target) => match self.things.get(target)? {
                    // Nothing more than that they are there is asserted.
                    Thing::Lambda(_) => Seen::Nothing,
                    Thing::Object(class, _)
                        if class.enclosing_method.is_some()
                            && !self.case.before.cells.contains_key(&target) =>
                    {
                        Seen::Nothing
                    }
                    Thing::Array(_) | Thing::Object(..) | Thing::Function(_) => {
                        Seen::Object(target)
                    }
                    value @ (Thing::Text(_) | Thing::Boxed(..)) => {
                        Seen::Value(format!("{value:?}"))
                    }
                    Thing::Global(global) => Seen::Value(format!("{global:?}")),
                },
                scalar => Seen::Value(scalar.to_string()),
            };
            fields.push(seen);
        }
        Ok(View { class, fields })
    }

    /// New objects that look like others are none of these.
    pub fn tell_apart(
        &mut self,
        views: &BTreeMap<Loc, View>,
        agenda: &Agenda,
    ) -> Result<(), EmitError> {
        let mut blocks: BTreeMap<usize, Vec<Loc>> = BTreeMap::new();
        for (loc, block) in bisimilar(views) {
            blocks.entry(block).or_default().push(loc);
        }
        for members in blocks.into_values() {
            if members.len() < 2 || !members.iter().any(|loc| agenda.new.contains(loc)) {
                continue;
            }
            let names: Result<Vec<String>, EmitError> =
                members.iter().map(|&loc| self.variable(loc)).collect();
            let names = names?;
            let name = match names.len() {
                2 => self.unit.assertion("assertNotSame"),
                _ => {
                    self.unit.need(Helper::Distinct);
                    "distinct"
                }
            };
            let lines = wrapped(&format!("{name}("), &names, ");");
            self.lines.extend(lines);
        }
        Ok(())
    }
}

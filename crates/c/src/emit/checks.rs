//! Checking what a call has left behind, and freeing it.

use heapwright_logic::{Cell, Loc, Sort, Value};

use super::shape::{Shape, inside, insides};
use super::values::element_name;
use super::{After, TestCase, Writer};
use crate::ast::{CType, Variable};
use crate::lower::FAILING_ALLOCATION;

impl Writer<'_> {
    /// Checks that the objects are valid, before the call or after it.
    pub(super) fn check_valid(&mut self, case: &TestCase<'_>, is_before: bool) {
        let Some(predicate) = &case.predicate else {
            return;
        };
        let is_over = predicate.afterwards && case.after.is_some();
        if !is_before && !is_over {
            return;
        }
        let function = self.unit.program.function(predicate.function);
        let source = self.unit.function(predicate.function);
        let types = source.map_or(&[][..], |source| &source.signature.params);
        for call in &predicate.calls {
            let arguments: Vec<String> = (call.iter().zip(&function.registers).enumerate())
                .map(|(position, (&index, register))| {
                    let value = case.arguments.get(index as usize).copied();
                    let value = self.value(value.unwrap_or(Value::Null), register.sort);
                    match types.get(position) {
                        Some(CType::Record(_)) => format!("*{value}"),
                        _ => value,
                    }
                })
                .collect();
            let call = format!("{}({})", function.name, arguments.join(", "));
            self.line(format!("CHECK_VALID({call});"));
        }
    }

    pub(super) fn check(&mut self, case: &TestCase<'_>, after: After<'_>) {
        let heap = after.heap;
        for loc in after.freed {
            self.names.remove(loc);
        }
        let mut pending: Vec<(String, Value, Sort)> = Vec::new();
        let function = self.unit.program.function(case.function);
        let is_struct = matches!(self.unit.result(case.function), Some(CType::Record(_)));
        if let (Some(result), Some(sort), false) = (after.result, function.result, is_struct) {
            pending.push((self.result_name().to_owned(), result, sort));
        }
        if let Some((whole, offset)) = after.result_inside {
            pending.extend(self.check_inside(after, whole, offset));
        }
        for known in self.unit.input_globals(case.function) {
            let variable = self.unit.source.variables.get(known.variable.0 as usize);
            let is_checked =
                |variable: &&Variable| !known.is_object && variable.name != FAILING_ALLOCATION;
            let Some(variable) = variable.filter(is_checked) else {
                continue;
            };
            let mut last = after.variables.iter();
            if let Some((name, value)) = last.find(|(name, _)| *name == variable.name) {
                pending.push((name.clone(), *value, self.sort_of(case, known)));
            }
        }
        let known: Vec<Loc> = self.names.keys().copied().collect();
        for loc in known {
            if let Some(cell) = heap.cells.get(&loc) {
                pending.extend(self.contents(loc, cell, after.unnamed));
            }
        }
        let mut next = 0;
        while let Some((place, value, sort)) = pending.get(next).cloned() {
            next += 1;
            let Value::Ref(loc) = value else {
                self.check_value(&place, value, sort);
                continue;
            };
            // What a program that ends has made may be in variables of functions that are left.
            let is_over = after.exit.is_some();
            if self.names.contains_key(&loc) || !heap.cells.contains_key(&loc) || is_over {
                if let Some(name) = self.names.get(&loc) {
                    let check = format!("CHECK({place} == {name});");
                    self.line(check);
                }
                continue;
            }
            for (loc, cell) in self.discover(after, &place, loc) {
                pending.extend(self.contents(loc, &cell, after.unnamed));
            }
        }
    }

    /// Checks that the result leads into an object, and gives that a name if the call has made it.
    fn check_inside(
        &mut self,
        after: After<'_>,
        whole: Loc,
        offset: i64,
    ) -> Vec<(String, Value, Sort)> {
        let result = self.result_name();
        if let Some(name) = self.names.get(&whole) {
            let check = format!("CHECK((char *){result} == (char *){name} + {offset});");
            self.line(check);
            return Vec::new();
        }
        let place = format!("(void *)((char *){result} - {offset})");
        let found = self.discover(after, &place, whole);
        (found.iter())
            .flat_map(|(loc, cell)| self.contents(*loc, cell, after.unnamed))
            .collect()
    }

    /// Gives a name to an object that the call has made, and to what is inside of it.
    pub(super) fn discover(&mut self, after: After<'_>, place: &str, loc: Loc) -> Vec<(Loc, Cell)> {
        let heap = after.heap;
        let Some(cell) = heap.cells.get(&loc) else {
            return Vec::new();
        };
        self.line(format!("CHECK({place} != NULL);"));
        let (whole, expression) = match self.shape(cell) {
            Shape::Part => match self.around(heap, cell) {
                Some((outer, record, field)) => {
                    let ty = record.to_owned();
                    let expression = format!("({ty} *)((char *){place} - offsetof({ty}, {field}))");
                    (outer, expression)
                }
                None => return Vec::new(),
            },
            _ => match self.around_array(heap, loc) {
                Some((outer, ty, field)) => {
                    let expression = format!("({ty} *)((char *){place} - offsetof({ty}, {field}))");
                    (outer, expression)
                }
                None => (loc, place.to_owned()),
            },
        };
        // A struct in an array stands for the array.
        let (whole, expression) = match self.array_around(heap, whole) {
            Some((array, 0)) => (array, expression),
            Some((array, index)) => (array, format!("{expression} - {index}")),
            None => (whole, expression),
        };
        let Some(cell) = heap.cells.get(&whole) else {
            return Vec::new();
        };
        let ty = match self.shape(cell) {
            Shape::Struct(name) => name.to_owned(),
            Shape::Array(element) => element_name(self.unit, element),
            Shape::Structs(name) => name.to_owned(),
            Shape::Raw => "void".to_owned(),
            Shape::Part | Shape::Function(_) | Shape::Stub | Shape::Interior => {
                return Vec::new();
            }
        };
        let name = self.fresh("new");
        let star = if ty.ends_with('*') { "" } else { " " };
        self.line(format!("{ty}{star}*{name} = {expression};"));
        self.names.insert(whole, name.clone());
        // What is inside of something else, or always there, is not freed.
        if !after.globals.contains_key(&whole) && !insides(self.unit, heap).contains(&whole) {
            self.objects.push(whole);
        }
        self.name_inside(heap, whole, &name);
        let mut found = vec![whole];
        let mut next = 0;
        while let Some(&known) = found.get(next) {
            next += 1;
            if let Some(cell) = heap.cells.get(&known) {
                found.extend(inside(self.unit, cell));
            }
        }
        (found.into_iter())
            .filter_map(|loc| Some((loc, heap.cells.get(&loc)?.clone())))
            .collect()
    }

    pub(super) fn check_value(&mut self, place: &str, value: Value, sort: Sort) {
        let is_nan = match value {
            Value::Single(bits) => f32::from_bits(bits).is_nan(),
            Value::Double(bits) => f64::from_bits(bits).is_nan(),
            _ => false,
        };
        let check = match is_nan {
            true => format!("CHECK({place} != {place});"),
            false => format!("CHECK({place} == {});", self.value(value, sort)),
        };
        self.line(check);
    }

    pub(super) fn clean_up(&mut self, after: After<'_>) {
        for loc in std::mem::take(&mut self.objects) {
            if after.heap.cells.contains_key(&loc)
                && !after.leaks.contains(&loc)
                && let Some(name) = self.names.get(&loc)
            {
                let free = format!("free({name});");
                self.line(free);
            }
        }
    }
}

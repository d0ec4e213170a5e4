//! Making the objects of an input, and calling the function.

use std::collections::BTreeSet;

use heapwright_logic::{IntType, Sort};

use super::shape::{Shape, insides};
use super::values::{element_name, integer, is_zero, type_name};
use super::{TestCase, Writer};
use crate::ast::CType;

impl Writer<'_> {
    pub(super) fn set_up(&mut self, case: &TestCase<'_>) {
        let heap = case.before;
        let inside = insides(self.unit, heap);
        let mut stubs = Vec::new();
        for (&loc, cell) in &heap.cells {
            if inside.contains(&loc) || self.names.contains_key(&loc) {
                continue;
            }
            let (ty, stem) = match self.shape(cell) {
                Shape::Struct(name) => {
                    let stem = name.rsplit(' ').next().unwrap_or(name).to_owned();
                    (name.to_owned(), stem)
                }
                Shape::Array(element) => (element_name(self.unit, element), "array".to_owned()),
                Shape::Structs(name) => (name.to_owned(), "array".to_owned()),
                Shape::Function(name) => {
                    let name = name.to_owned();
                    self.names.insert(loc, name);
                    continue;
                }
                Shape::Stub => {
                    stubs.push((loc, cell));
                    continue;
                }
                Shape::Part if self.is_opaque(cell) => ("char".to_owned(), "data".to_owned()),
                Shape::Raw => match self.unit.record(cell.class) {
                    Some(union) => (union.name.clone(), "data".to_owned()),
                    None => continue,
                },
                Shape::Part | Shape::Interior => continue,
            };
            let name = self.fresh(&stem);
            let star = if ty.ends_with('*') { "" } else { " " };
            let count = match self.shape(cell) {
                Shape::Array(_) | Shape::Structs(_) => cell.fields.len().max(1),
                _ => 1,
            };
            // An array ends where the engine says that it ends.
            let size = match self.shape(cell) {
                // Sanitizers give `malloc(0)` a byte, and do not see that it is read.
                Shape::Array(_) | Shape::Structs(_)
                    if cell.fields.is_empty() && case.is_out_of_bounds =>
                {
                    format!("({ty}{star}*)malloc(sizeof *{name}) + 1")
                }
                Shape::Array(_) | Shape::Structs(_) if cell.fields.is_empty() => {
                    "malloc(0)".to_owned()
                }
                _ => match self.flexible(heap, cell) {
                    Some((field, length)) => {
                        format!("calloc(1, sizeof *{name} + {length} * sizeof *{name}->{field})")
                    }
                    None => format!("calloc({count}, sizeof *{name})"),
                },
            };
            self.line(format!("{ty}{star}*{name} = {size};"));
            self.names.insert(loc, name.clone());
            self.objects.push(loc);
            self.name_inside(heap, loc, &name);
        }
        self.name_interiors(heap);
        for &(loc, cell) in &stubs {
            self.name_stub(loc, cell);
        }
        for (&loc, cell) in &heap.cells {
            for (place, value, sort) in self.contents(loc, cell, &BTreeSet::new()) {
                if !is_zero(value) {
                    let value = self.value(value, sort);
                    self.line(format!("{place} = {value};"));
                }
            }
        }
        for (loc, cell) in stubs {
            self.define_stub(loc, cell);
        }
    }

    pub(super) fn call(&mut self, case: &TestCase<'_>) {
        let function = self.unit.program.function(case.function);
        let source = self.unit.function(case.function);
        let types = source.map_or(&[][..], |source| &source.signature.params);
        let own = match source {
            Some(source) => source.params.len(),
            None => case.arguments.len(),
        };
        let arguments: Vec<String> = (case.arguments.iter().zip(&function.registers))
            .take(own)
            .enumerate()
            .map(|(index, (&value, register))| {
                let value = self.value(value, register.sort);
                match types.get(index) {
                    Some(CType::Record(_)) => format!("*{value}"),
                    _ => value,
                }
            })
            .collect();
        // The file with the tests has a `main` of its own.
        let tested = self.unit.program.function(self.unit.tested(case.function));
        let name = match tested.name.as_str() {
            "main" => "main_of_source",
            other => other,
        };
        let call = format!("{name}({})", arguments.join(", "));
        if let Some(status) = case.after.and_then(|after| after.exit) {
            let status = integer(status, Sort::Machine(IntType::I32));
            self.line(format!("CHECK_EXIT({status}, {call});"));
            return;
        }
        let is_struct = matches!(self.unit.result(case.function), Some(CType::Record(_)));
        if case.uses_result && function.result.is_some() && !is_struct {
            self.line(format!("if ({call}) puts(\"the result is not zero\");"));
            return;
        }
        let call = format!("{call};");
        let is_kept =
            |after: super::After<'_>| after.result.is_some() || after.result_inside.is_some();
        let ty = self.unit.result(case.function);
        let ty = ty.map(|ty| type_name(self.unit, ty).unwrap_or("__auto_type".to_owned()));
        let is_kept = case.after.is_some_and(is_kept) && !is_struct;
        self.line(match ty.filter(|_| is_kept) {
            Some(ty) => {
                let star = if ty.ends_with('*') { "" } else { " " };
                format!("{ty}{star}{} = {call}", self.result_name())
            }
            _ => call,
        });
    }
}

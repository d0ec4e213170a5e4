//! How tests name objects, and their fields and elements.

use std::collections::BTreeSet;

use heapwright_ir::ClassKind;
use heapwright_logic::{Cell, ClassId, FloatType, Heap, IntType, Loc, Sort, Value};

use super::Writer;
use super::shape::Shape;
use super::values::type_name;
use crate::ast::{CType, Record};
use crate::lower::classes::{flat, scalar_name};

impl Writer<'_> {
    pub(super) fn fresh(&mut self, stem: &str) -> String {
        loop {
            let number = self.numbers.entry(stem.to_owned()).or_insert(0);
            *number += 1;
            let name = format!("{stem}{number}");
            if !self.is_taken(&name) {
                return name;
            }
        }
    }

    /// Names the fields and elements inside of named objects that pointers lead to.
    pub(super) fn name_interiors(&mut self, heap: &Heap) {
        let program = &self.unit.program;
        let mut found: Vec<(Loc, String)> = Vec::new();
        for (&loc, cell) in &heap.cells {
            if !program.class(cell.class).inside.interior {
                continue;
            }
            let (Some(Value::Ref(outer)), Some(Value::Int(offset))) =
                (cell.fields.first(), cell.fields.get(1))
            else {
                continue;
            };
            let (Some(name), Some(around)) = (self.names.get(outer), heap.cells.get(outer)) else {
                continue;
            };
            if self.unit.rules.tagged == Some(cell.class) {
                found.push((loc, format!("((unsigned long){name} | {offset})")));
                continue;
            }
            if let Some(place) = self.at_offset(name, around, *offset) {
                found.push((loc, format!("&{place}")));
            }
        }
        self.names.extend(found);
    }

    /// The field or element so many bytes from the beginning of an object of this name.
    fn at_offset(&self, name: &str, around: &Cell, offset: i128) -> Option<String> {
        let program = &self.unit.program;
        let info = program.class(around.class);
        if let Shape::Array(element) = self.shape(around) {
            let width = i128::from(heapwright_ir::machine::layout::size_of(element));
            return Some(format!("{name}[{}]", offset.checked_div(width)?));
        }
        let ClassKind::Struct { layout, .. } = &info.kind else {
            return None;
        };
        let access = match name.strip_prefix('&') {
            Some(place) => format!("{place}."),
            None => format!("{name}->"),
        };
        let fields = &program.definitions.class(around.class).fields;
        let found = (0u32..)
            .zip(fields.iter().zip(layout))
            .find(|(index, (_, layout))| {
                i128::from(layout.offset) == offset
                    && !info.inside.embeds(*index)
                    && !info.inside.hidden.contains(index)
            });
        found.map(|(_, (field, _))| format!("{access}{}", field.name))
    }

    /// The variable for what the function returns.
    pub(super) fn result_name(&self) -> &'static str {
        match self.is_taken("result") {
            true => "returned",
            false => "result",
        }
    }

    /// Whether the source has a variable or a function of this name.
    pub(super) fn is_taken(&self, name: &str) -> bool {
        let source = &self.unit.source;
        let mut globals = source.globals.iter();
        globals
            .any(|id| (source.variables.get(id.0 as usize)).is_some_and(|known| known.name == name))
            || source
                .functions
                .iter()
                .any(|function| function.name == name)
    }

    /// An array of this type as one of its innermost elements: arrays of arrays have one index here.
    pub(super) fn flat_name(&self, ty: &CType, place: String) -> String {
        let CType::Array(row, _) = ty else {
            return place;
        };
        match (&**row, type_name(self.unit, &flat(ty).0)) {
            (CType::Array(..), Some(element)) => format!("(({element} *){place})"),
            _ => place,
        }
    }

    /// The pointer or floating-point number in a union of this name that lies so many bytes from its
    /// beginning.
    fn member_at(&self, name: &str, cell: &Cell, offset: u64, sort: Sort) -> String {
        let record = self.unit.record(cell.class);
        let path = record.and_then(|record| self.scalar_at(record, offset, sort));
        let ty = match sort {
            Sort::Float(_) => scalar_name(sort),
            _ => "void *",
        };
        match (path, name.strip_prefix('&')) {
            (Some(path), Some(place)) => format!("{place}.{path}"),
            (Some(path), None) if !name.starts_with('(') => format!("{name}->{path}"),
            _ => format!("*({ty} *)((char *){name} + {offset})"),
        }
    }

    /// The way to the first pointer or floating-point number in a struct or union that lies so many bytes
    /// from its beginning.
    fn scalar_at(&self, record: &Record, offset: u64, sort: Sort) -> Option<String> {
        record.fields.iter().find_map(|field| {
            let inside = offset.checked_sub(field.offset)?;
            match &field.ty {
                CType::Pointer(_) if inside == 0 && sort.is_ref() => Some(field.name.clone()),
                CType::Float(ty) if inside == 0 && sort == Sort::Float(*ty) => {
                    Some(field.name.clone())
                }
                CType::Record(inner) => {
                    let inner = self.unit.source.records.get(inner.0 as usize)?;
                    let path = self.scalar_at(inner, inside, sort)?;
                    Some(match field.name.as_str() {
                        "" => path,
                        name => format!("{name}.{path}"),
                    })
                }
                _ => None,
            }
        })
    }

    /// The type of a field.
    fn field_type(&self, cell: &Cell, field: u32) -> Option<&CType> {
        let superclass = self.unit.program.definitions.class(cell.class).superclass;
        let record = (self.unit.record(cell.class))
            .or_else(|| superclass.and_then(|class| self.unit.record(class)))?;
        record.fields.get(field as usize).map(|field| &field.ty)
    }

    /// The objects inside of an object of this name get theirs.
    pub(super) fn name_inside(&mut self, heap: &Heap, loc: Loc, name: &str) {
        let Some(cell) = heap.cells.get(&loc) else {
            return;
        };
        let access = match name.strip_prefix('&') {
            Some(place) => format!("{place}."),
            None => format!("{name}->"),
        };
        let program = &self.unit.program;
        let embedded = &program.class(cell.class).inside.embedded;
        let fields = &program.definitions.class(cell.class).fields;
        let mut inside: Vec<(Loc, String, bool)> = Vec::new();
        let mut unnamed: Vec<(Loc, String)> = Vec::new();
        for &(index, length) in embedded {
            if let (Some(&Value::Ref(part)), Some(field)) =
                (cell.fields.get(index as usize), fields.get(index as usize))
            {
                let place = match field.name.starts_with('_') && length.is_none() {
                    // Without a name, its fields are those of the struct around it.
                    true if self.is_unnamed(cell, index) => access.trim_end_matches('.').to_owned(),
                    _ => format!("{access}{}", field.name),
                };
                // What has bytes and no elements is reached by its address.
                let is_raw = (heap.cells.get(&part))
                    .is_some_and(|part| program.class(part.class).inside.raw);
                // A union without a name has no place that could be written down.
                if is_raw && self.is_unnamed(cell, index) {
                    let offset = match &program.class(cell.class).kind {
                        ClassKind::Struct { layout, .. } => layout.get(index as usize),
                        ClassKind::Array { .. } => None,
                    };
                    let offset = offset.map_or(0, |layout| layout.offset);
                    unnamed.push((part, format!("((char *){name} + {offset})")));
                    continue;
                }
                let place = match self.field_type(cell, index) {
                    Some(ty) if length.is_some() && !is_raw => self.flat_name(ty, place),
                    _ => place,
                };
                inside.push((part, place, length.is_none() || is_raw));
            }
        }
        if program.class(cell.class).inside.stride.is_some() {
            for (index, content) in cell.fields.iter().enumerate() {
                if let Value::Ref(part) = content {
                    inside.push((*part, format!("{name}[{index}]"), true));
                }
            }
        }
        self.names.extend(unnamed);
        for (inside, place, is_part) in inside {
            let name = if is_part { format!("&{place}") } else { place };
            self.names.insert(inside, name.clone());
            self.name_inside(heap, inside, &name);
        }
    }

    /// The fields or elements of an object that C can name, with their values.
    pub(super) fn contents(
        &self,
        loc: Loc,
        cell: &Cell,
        unnamed: &BTreeSet<(Loc, u32)>,
    ) -> Vec<(String, Value, Sort)> {
        let Some(name) = self.names.get(&loc) else {
            return Vec::new();
        };
        let shape = self.shape(cell);
        if let Shape::Structs(_) | Shape::Function(_) | Shape::Stub | Shape::Interior = shape {
            return Vec::new();
        }
        if let Shape::Raw = shape {
            // Values of several bytes have nothing behind their first one.
            let is_whole =
                |value: &Value| !matches!(value, Value::Int(number) if !(0..=255).contains(number));
            let is_union = self.unit.record(cell.class).is_some();
            if !is_union || !cell.fields.iter().all(is_whole) {
                return Vec::new();
            }
            let byte = Sort::Machine(IntType::U8);
            return (cell.fields.iter().enumerate())
                .filter(|(index, _)| !unnamed.contains(&(loc, *index as u32)))
                .filter_map(|(index, &value)| match value {
                    Value::Null => None,
                    Value::Ref(_) => {
                        let sort = Sort::Ref(ClassId::ANY);
                        Some((self.member_at(name, cell, index as u64, sort), value, sort))
                    }
                    Value::Single(_) | Value::Double(_) => {
                        let sort = Sort::Float(match value {
                            Value::Single(_) => FloatType::Single,
                            _ => FloatType::Double,
                        });
                        Some((self.member_at(name, cell, index as u64, sort), value, sort))
                    }
                    _ => Some((format!("((unsigned char *){name})[{index}]"), value, byte)),
                })
                .collect();
        }
        if let Shape::Array(element) = shape {
            let elements = cell.fields.iter().enumerate();
            return elements
                .filter(|(index, _)| !unnamed.contains(&(loc, *index as u32)))
                .map(|(index, &value)| (format!("{name}[{index}]"), value, element))
                .collect();
        }
        let access = match name.strip_prefix('&') {
            Some(place) => format!("{place}."),
            None => format!("{name}->"),
        };
        let inside = &self.unit.program.class(cell.class).inside;
        let fields = &self.unit.program.definitions.class(cell.class).fields;
        (fields.iter().enumerate().zip(&cell.fields))
            .filter(|((index, _), _)| {
                let index = *index as u32;
                !inside.embeds(index)
                    && !inside.hidden.contains(&index)
                    && !unnamed.contains(&(loc, index))
            })
            .map(|((_, field), &value)| (format!("{access}{}", field.name), value, field.sort))
            .collect()
    }
}

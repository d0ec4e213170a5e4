//! Structs and unions, with the places of their fields.

use std::fmt::Write;

use heapwright_logic::FloatType;

use super::Reader;
use super::layouts::{self, Layout, PROBE, Part};
use super::names::Space;
use super::stream::Node;
use crate::ast::{CType, Field, Record, RecordId};
use crate::error::CError;

/// Text that makes clang lay out every struct that can be named. Its option to show all layouts
/// does so too early, before it knows the attributes behind the closing brace.
pub(super) fn questions(root: &Node<'_>) -> String {
    let mut text = PROBE.to_owned();
    text.push_str("enum {\n");
    let mut count = 0;
    let mut ask = |name: &str| {
        // Writing to a string does not fail.
        let _ = writeln!(text, "__heapwright_{count} = sizeof({name}),");
        count += 1;
    };
    for node in &root.inner {
        match node.kind.as_ref() {
            "RecordDecl" => ask_records(node, &mut ask),
            "TypedefDecl" if declared(node).is_some() => ask(&node.name),
            "VarDecl" if node.ty.contains("(unnamed") => ask(&node.name),
            _ => {}
        }
    }
    text.push_str("__heapwright_end };\n");
    text
}

fn ask_records(node: &Node<'_>, ask: &mut impl FnMut(&str)) {
    for inner in node.inner.iter().filter(|inner| inner.kind == "RecordDecl") {
        ask_records(inner, ask);
    }
    if node.is_complete && !node.name.is_empty() {
        ask(&format!("{} {}", node.tag, node.name));
    }
}

/// The struct, union or enumeration that the definition of a type name is about.
pub(super) fn declared(node: &Node<'_>) -> Option<u64> {
    let mut inner = node.inner.first()?;
    while inner.kind == "ElaboratedType" {
        inner = inner.inner.first()?;
    }
    match inner.kind.as_ref() {
        "RecordType" | "EnumType" => inner.declaration,
        _ => None,
    }
}

impl Reader<'_> {
    /// Gives all structs of the file's scope their numbers, because pointers to them may come first.
    pub(super) fn declare_records(&mut self, node: &Node<'_>) {
        if node.kind == "TypedefDecl" {
            let record = declared(node).and_then(|id| self.records.get(&id).copied());
            if let Some(record) = record {
                self.name_record(record, &node.name);
            }
        }
        if node.kind != "RecordDecl" {
            return;
        }
        for inner in &node.inner {
            self.declare_records(inner);
        }
        if !node.is_complete {
            return;
        }
        let id = RecordId(self.unit.records.len() as u32);
        let is_named = !node.name.is_empty();
        self.unit.records.push(Record {
            name: match is_named {
                true => format!("{} {}", node.tag, node.name),
                false => format!("{} (unnamed {})", node.tag, id.0),
            },
            is_named,
            is_union: node.tag == "union",
            fields: Vec::new(),
            size: 0,
            align: 1,
            place: node.at().place,
        });
        self.records.insert(node.id, id);
        self.name_tag(node, CType::Record(id));
    }

    /// A struct without a tag is called by the first type name for it.
    fn name_record(&mut self, record: RecordId, name: &str) {
        let record = &mut self.unit.records[record.0 as usize];
        if !record.is_named {
            record.is_named = true;
            record.name = name.to_owned();
        }
    }

    /// Makes the tag of a struct or enumeration known, or its place.
    pub(super) fn name_tag(&mut self, node: &Node<'_>, ty: CType) {
        let tag = if node.tag.is_empty() {
            "enum"
        } else {
            &*node.tag
        };
        let key = match node.name.is_empty() {
            true => {
                let place = node.at().place;
                let file = &self.unit.files[place.file as usize];
                format!("{tag} @{file}:{}:{}", place.line, place.column)
            }
            false => format!("{tag} {}", node.name),
        };
        self.names.add(Space::Tag, &key, ty);
    }

    /// Reads a struct or union, and those that are defined inside of it.
    pub(super) fn record(&mut self, node: &Node<'_>) -> Result<(), CError> {
        let Some(&id) = self.records.get(&node.id) else {
            return Ok(());
        };
        let mut parts = Vec::new();
        let mut fields = Vec::new();
        let is_packed = node.inner.iter().any(|inner| inner.kind == "PackedAttr");
        for inner in &node.inner {
            match inner.kind.as_ref() {
                "RecordDecl" => {
                    self.record(inner)?;
                    continue;
                }
                "EnumDecl" => {
                    self.enumeration(inner);
                    continue;
                }
                "FieldDecl" => {}
                _ => continue,
            }
            let ty = self.parse_type(&inner.ty);
            let bits = match inner.is_bit_field {
                true => {
                    let width = inner.inner.first().and_then(|width| self.constant(width));
                    let width = width.and_then(|width| u64::try_from(width).ok());
                    Some(width.ok_or_else(|| self.unsupported(inner, "a bit-field"))?)
                }
                false => None,
            };
            let flexible = matches!(ty, CType::Array(_, None));
            let (size, align) = match &ty {
                CType::Array(element, None) => (0, self.size_align(element).map_or(1, |it| it.1)),
                ty => self.size_align(ty).unwrap_or((0, 0)),
            };
            parts.push(Part {
                size,
                align,
                bits,
                is_named: !inner.name.is_empty(),
                is_packed: is_packed || inner.inner.iter().any(|attr| attr.kind == "PackedAttr"),
                at_least: self.asked_alignment(inner),
            });
            // What has no size that is known can only be laid out by clang.
            let is_known = size > 0 || flexible || self.size_align(&ty).is_some();
            fields.push((inner, ty, bits, is_known));
        }
        let layout = self.layout(node, id, &parts, fields.iter().all(|field| field.3))?;
        // The same place may have several structs, if a macro defines them: the last one counts.
        self.name_tag(node, CType::Record(id));
        let mut record_fields = Vec::new();
        for ((inner, ty, bits, _), offset) in fields.into_iter().zip(&layout.offsets) {
            if bits.is_some() && inner.name.is_empty() {
                continue;
            }
            self.fields
                .insert(inner.id, (id, record_fields.len() as u32));
            record_fields.push(Field {
                name: inner.name.to_string(),
                ty,
                offset: offset / 8,
                bits: bits.map(|bits| ((offset % 8) as u32, bits as u32)),
            });
        }
        let record = &mut self.unit.records[id.0 as usize];
        record.fields = record_fields;
        record.size = layout.size;
        record.align = layout.align;
        Ok(())
    }

    fn layout(
        &self,
        node: &Node<'_>,
        id: RecordId,
        parts: &[Part],
        is_known: bool,
    ) -> Result<Layout, CError> {
        let place = node.at().place;
        let file = &self.unit.files[place.file as usize];
        let name = &self.unit.records[id.0 as usize].name;
        let by_place = layouts::unnamed_key(&node.tag, file, place.line, place.column);
        // A struct inside of a function may have the name of another one.
        let is_unique = !self.is_in_function;
        let said = self.layouts.get(name, parts.len()).filter(|_| is_unique);
        if let Some(layout) = said.or_else(|| self.layouts.get(&by_place, parts.len())) {
            return Ok(layout.clone());
        }
        let has_pragma = node
            .inner
            .iter()
            .any(|inner| inner.kind == "MaxFieldAlignmentAttr");
        let at_least = self.asked_alignment(node);
        let computed = layouts::compute(parts, node.tag == "union", at_least);
        let computed = computed.filter(|_| is_known && !has_pragma);
        let found = computed.or_else(|| self.layouts.get(name, parts.len()).cloned());
        found.ok_or_else(|| self.unsupported(node, "the layout of this struct"))
    }

    /// The alignment that attributes ask for; 0 if there is none.
    fn asked_alignment(&self, node: &Node<'_>) -> u64 {
        let asked = node
            .inner
            .iter()
            .filter(|inner| inner.kind == "AlignedAttr");
        let values = asked.map(|attr| match attr.inner.first() {
            Some(value) => self
                .constant(value)
                .and_then(|value| u64::try_from(value).ok()),
            None => Some(16),
        });
        values.map(|value| value.unwrap_or(0)).max().unwrap_or(0)
    }

    /// Size and alignment of a type, if it has them.
    pub(super) fn size_align(&self, ty: &CType) -> Option<(u64, u64)> {
        let wide = |size: u64| {
            (
                size,
                if size == 8 {
                    self.target.wide_align
                } else {
                    size
                },
            )
        };
        Some(match ty {
            CType::Bool => (1, 1),
            // As GNU C has it.
            CType::Void | CType::Function(_) => (1, 1),
            CType::Unaligned(of) => (self.size_align(of)?.0, 1),
            CType::Int(ty) => wide(u64::from(ty.bits() / 8)),
            CType::Float(FloatType::Single) => (4, 4),
            CType::Float(FloatType::Double) => wide(8),
            CType::Pointer(_) => (self.target.pointer, self.target.pointer),
            CType::Array(element, Some(length)) => {
                let (size, align) = self.size_align(element)?;
                (size.checked_mul(*length)?, align)
            }
            CType::Record(id) => {
                let record = self.unit.records.get(id.0 as usize)?;
                (record.size, record.align)
            }
            CType::Other(name) => match name.as_str() {
                "long double" => self.target.long_double,
                "_Complex float" => (8, 4),
                "_Complex double" => (16, self.target.wide_align),
                "__int128" | "unsigned __int128" | "__float128" => (16, 16),
                "_Float16" | "__bf16" => (2, 2),
                "va_list" if self.target.pointer == 8 => (24, 8),
                _ => return None,
            },
            CType::Array(_, None) => return None,
        })
    }
}

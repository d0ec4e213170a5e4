//! Structs: their fields, and where these lie.

use rustc_hash::FxHashMap;

use crate::tree::{Node, Place};
use crate::types::{CType, parse};

/// A field of a struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: CType,
    /// Bytes from the beginning of the struct.
    pub offset: u32,
}

/// A struct.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What C calls it: `struct node`, or the name of a type.
    pub name: String,
    /// Its fields in order.
    pub fields: Vec<Field>,
    /// Bytes of a whole one.
    pub size: u32,
    /// Its alignment.
    pub align: u32,
    /// Where it is defined.
    pub place: Place,
    /// What in it is not supported.
    pub refused: Option<String>,
}

/// All structs of a unit.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Records {
    by_name: FxHashMap<String, usize>,
    records: Vec<Record>,
}

impl Records {
    /// The structs that a tree defines.
    pub fn of(root: &Node) -> Records {
        let mut records = Records::default();
        let mut by_id = FxHashMap::default();
        for node in &root.inner {
            match node.kind.as_str() {
                "RecordDecl" if node.is_complete => {
                    let index = records.add(node);
                    by_id.insert(node.id, index);
                }
                "TypedefDecl" => {
                    let Some(&index) = declared(node).and_then(|id| by_id.get(&id)) else {
                        continue;
                    };
                    let record = &mut records.records[index];
                    if record.name.is_empty() {
                        record.name.clone_from(&node.name);
                    }
                    records.by_name.insert(node.name.clone(), index);
                }
                _ => {}
            }
        }
        records
    }

    /// A struct by clang's words for it.
    pub fn named(&self, name: &str) -> Option<&Record> {
        self.by_name.get(name).map(|&index| &self.records[index])
    }

    /// All of them, in the order of the text.
    pub fn all(&self) -> &[Record] {
        &self.records
    }

    fn add(&mut self, node: &Node) -> usize {
        let mut record = Record {
            name: match node.name.is_empty() {
                true => String::new(),
                false => format!("{} {}", node.tag, node.name),
            },
            fields: Vec::new(),
            size: 0,
            align: 1,
            place: node.place.clone(),
            refused: (node.tag == "union").then(|| "a union".to_owned()),
        };
        for field in &node.inner {
            match field.kind.as_str() {
                "FieldDecl" => {}
                // A struct that is defined inside is one of its own.
                "RecordDecl" if field.is_complete => {
                    self.add(field);
                    continue;
                }
                "PackedAttr" | "AlignedAttr" => {
                    record
                        .refused
                        .get_or_insert_with(|| "a struct with its own alignment".to_owned());
                    continue;
                }
                "IndirectFieldDecl" => {
                    record.refused.get_or_insert_with(|| {
                        "a struct without a name inside of another".to_owned()
                    });
                    continue;
                }
                _ => continue,
            }
            let ty = parse(&field.ty);
            if field.is_bit_field {
                record
                    .refused
                    .get_or_insert_with(|| "a bit-field".to_owned());
            }
            let Some((size, align)) = self.layout(&ty) else {
                record
                    .refused
                    .get_or_insert_with(|| format!("a field of type {}", field.ty));
                continue;
            };
            let offset = record.size.next_multiple_of(align);
            record.size = offset.saturating_add(size);
            record.align = record.align.max(align);
            record.fields.push(Field {
                name: field.name.clone(),
                ty,
                offset,
            });
        }
        record.size = record.size.next_multiple_of(record.align);
        let index = self.records.len();
        if !record.name.is_empty() {
            self.by_name.insert(record.name.clone(), index);
        }
        self.records.push(record);
        index
    }

    /// Size and alignment of a type on the usual 64-bit targets.
    pub fn layout(&self, ty: &CType) -> Option<(u32, u32)> {
        Some(match ty {
            CType::Bool => (1, 1),
            CType::Int(ty) => (ty.bits() / 8, ty.bits() / 8),
            CType::Float(heapwright_logic::FloatType::Single) => (4, 4),
            CType::Float(heapwright_logic::FloatType::Double) => (8, 8),
            CType::Pointer(_) => (8, 8),
            CType::Array(element, Some(length)) => {
                let (size, align) = self.layout(element)?;
                (size.checked_mul(*length)?, align)
            }
            CType::Record(name) => {
                let record = self.named(name)?;
                (record.size, record.align)
            }
            CType::Void | CType::Function(_) | CType::Array(_, None) | CType::Other(_) => {
                return None;
            }
        })
    }
}

/// The struct that the definition of a type is about.
fn declared(node: &Node) -> Option<u64> {
    let mut inner = node.inner.first()?;
    loop {
        if inner.kind == "RecordType" {
            return inner.declaration;
        }
        if inner.kind != "ElaboratedType" {
            return None;
        }
        if let Some(id) = inner.declaration {
            return Some(id);
        }
        inner = inner.inner.first()?;
    }
}

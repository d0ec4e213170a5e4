//! Structs as classes.
//!
//! A struct inside of another one is an object of a hidden class, a subclass of its own struct with
//! one field more, which leads to the struct around it. Neither is there without the other.

use heapwright_ir::{ClassInfo, ClassKind, Content, FieldLayout, FieldRule, InputRules};
use heapwright_logic::{Class, ClassId, Definitions, Field, Sort};
use rustc_hash::FxHashMap;

use crate::records::{Record, Records};
use crate::types::CType;

/// The name of the field that leads from a struct to the one around it.
pub const OUTER: &str = "outer";

/// The classes of a unit.
#[derive(Clone, Debug, Default)]
pub struct Classes {
    pub definitions: Definitions,
    pub infos: Vec<ClassInfo>,
    pub rules: InputRules,
    records: FxHashMap<String, ClassId>,
    arrays: FxHashMap<Sort, ClassId>,
    /// The class of the struct in a field.
    pub parts: FxHashMap<(ClassId, u32), ClassId>,
}

impl Classes {
    /// Classes for some structs, which are in the order of the text.
    pub fn of(records: &Records, needed: &[&Record]) -> Classes {
        let mut classes = Classes::default();
        // The class of all objects is there from the beginning.
        let known = classes.definitions.classes().count();
        classes.infos.resize(known, ClassInfo::default());
        for record in needed {
            let id = classes.add(short(&record.name), None, true);
            classes.records.insert(record.name.clone(), id);
        }
        for record in needed {
            classes.fill(records, record);
        }
        classes
    }

    fn add(&mut self, name: &str, superclass: Option<ClassId>, instantiable: bool) -> ClassId {
        let id = self.definitions.add_class(Class {
            name: name.to_owned(),
            fields: Vec::new(),
            superclass,
        });
        self.infos.push(ClassInfo {
            instantiable,
            ..ClassInfo::default()
        });
        id
    }

    fn fill(&mut self, records: &Records, record: &Record) {
        let Some(id) = self.record(&record.name) else {
            return;
        };
        let mut fields = Vec::new();
        let mut layout = Vec::new();
        let mut rules = Vec::new();
        for (index, field) in (0u32..).zip(&record.fields) {
            let sort = match &field.ty {
                CType::Record(inner) => {
                    let Some(inner) = records
                        .named(inner)
                        .and_then(|inner| self.record(&inner.name))
                    else {
                        continue;
                    };
                    let part = self.part(id, record, index, &field.name, inner);
                    let back = self.definitions.class(part).fields.len() as u32 - 1;
                    rules.push(FieldRule {
                        field: index,
                        content: Content::Partner(back),
                    });
                    Sort::Ref(part)
                }
                CType::Array(element, Some(length)) => {
                    let Some(element) = self.sort(records, element) else {
                        continue;
                    };
                    rules.push(FieldRule {
                        field: index,
                        content: Content::Array(*length),
                    });
                    Sort::Ref(self.array(element))
                }
                other => match self.sort(records, other) {
                    Some(sort) => sort,
                    None => continue,
                },
            };
            let size = records.layout(&field.ty).map_or(0, |(size, _)| size);
            layout.push(FieldLayout {
                offset: field.offset,
                size,
            });
            fields.push(Field {
                name: field.name.clone(),
                sort,
            });
        }
        self.definitions.class_mut(id).fields = fields;
        self.infos[id.index()].kind = ClassKind::Struct {
            layout,
            size: record.size,
        };
        self.rules.fields.entry(id).or_default().extend(rules);
    }

    /// The hidden class of the struct in a field.
    fn part(
        &mut self,
        outer: ClassId,
        record: &Record,
        field: u32,
        name: &str,
        inner: ClassId,
    ) -> ClassId {
        let part = self.add(
            &format!("{}.{name}", short(&record.name)),
            Some(inner),
            true,
        );
        let mut fields = self.definitions.class(inner).fields.clone();
        let back = fields.len() as u32;
        fields.push(Field {
            name: OUTER.to_owned(),
            sort: Sort::Ref(outer),
        });
        self.definitions.class_mut(part).fields = fields;
        let mut kind = self.infos[inner.index()].kind.clone();
        if let ClassKind::Struct { layout, size } = &mut kind {
            // Behind everything that C knows of.
            layout.push(FieldLayout {
                offset: *size,
                size: 8,
            });
        }
        self.infos[part.index()].kind = kind;
        let mut rules = self.rules.of_fields(inner).to_vec();
        rules.push(FieldRule {
            field: back,
            content: Content::Partner(field),
        });
        self.rules.fields.insert(part, rules);
        self.rules.parts.insert(part);
        self.parts.insert((outer, field), part);
        part
    }

    /// A class for what looks like a struct from outside, but has no memory of its own.
    pub fn wild(&mut self, class: ClassId) -> ClassId {
        let name = format!("{}.wild", self.definitions.class(class).name);
        if let Some(known) = self.definitions.class_named(&name) {
            return known;
        }
        let wild = self.add(&name, Some(class), false);
        self.definitions.class_mut(wild).fields = self.definitions.class(class).fields.clone();
        self.infos[wild.index()].kind = self.infos[class.index()].kind.clone();
        wild
    }

    /// The class of a struct.
    pub fn record(&self, name: &str) -> Option<ClassId> {
        self.records.get(name).copied()
    }

    /// The class of arrays with elements of a sort.
    pub fn array(&mut self, element: Sort) -> ClassId {
        if let Some(&known) = self.arrays.get(&element) {
            return known;
        }
        let name = match element {
            Sort::Ref(class) if class == ClassId::ANY => "void *[]".to_owned(),
            Sort::Ref(class) => format!("{} *[]", self.definitions.class(class).name),
            scalar => format!("{}[]", scalar_name(scalar)),
        };
        let id = self.add(&name, None, true);
        self.definitions.set_element_sort(id, element);
        self.infos[id.index()].kind = ClassKind::Array { element };
        self.arrays.insert(element, id);
        id
    }

    /// The sort of a variable of a type; none for types that are not supported.
    pub fn sort(&mut self, records: &Records, ty: &CType) -> Option<Sort> {
        Some(match ty {
            CType::Bool => Sort::Bool,
            CType::Int(ty) => Sort::Machine(*ty),
            CType::Float(ty) => Sort::Float(*ty),
            CType::Pointer(to) => Sort::Ref(match &**to {
                CType::Void => ClassId::ANY,
                CType::Record(name) => match records.named(name) {
                    Some(record) => self.record(&record.name)?,
                    // Nobody can look into it.
                    None => ClassId::ANY,
                },
                CType::Function(_) | CType::Array(..) | CType::Other(_) => return None,
                scalar => {
                    let element = self.sort(records, scalar)?;
                    self.array(element)
                }
            }),
            _ => return None,
        })
    }
}

/// A struct without the word `struct`.
pub fn short(name: &str) -> &str {
    name.split_once(' ').map_or(name, |(_, name)| name)
}

/// What C calls a scalar.
pub fn scalar_name(sort: Sort) -> &'static str {
    use heapwright_logic::{FloatType, IntType};
    match sort {
        Sort::Bool => "_Bool",
        Sort::Machine(ty) => match ty {
            IntType::I8 => "char",
            IntType::I16 => "short",
            IntType::I32 => "int",
            IntType::I64 => "long",
            IntType::U8 => "unsigned char",
            IntType::U16 | IntType::Char => "unsigned short",
            IntType::U32 => "unsigned",
            IntType::U64 => "unsigned long",
        },
        Sort::Float(FloatType::Single) => "float",
        Sort::Float(FloatType::Double) => "double",
        Sort::Int | Sort::Ref(_) => "void *",
    }
}

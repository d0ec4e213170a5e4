//! Types as classes.
//!
//! | type | class |
//! | --- | --- |
//! | a struct | a class with its fields |
//! | a struct inside of another one | a hidden subclass of its own, with one field more that leads to the struct around it; neither is there without the other |
//! | an array, or what a pointer to a scalar leads to | arrays of that scalar; arrays of arrays are flat |
//! | an array of structs | arrays whose elements are objects inside of it |
//! | a field or an element that a pointer of an input leads to | a hidden subclass of the arrays of that scalar, with the object around it and the number of bytes |
//! | a union, and memory without a type | arrays of bytes that can hold values of any type |
//! | a function whose address is taken | a class with one object, whose method `call` calls it |
//! | a function of a test | a class whose objects hold what their method `call` returns |

use std::rc::Rc;

use heapwright_ir::{ClassInfo, ClassKind, Content, FieldLayout, FieldRule, InputRules, Inside};
use heapwright_logic::{Class, ClassId, Definitions, Field, IntType, Sort};
use rustc_hash::FxHashMap;

use super::large::MOST_BYTES;
use crate::ast::{CType, RecordId, Signature, Unit};

/// What nobody looks into.
const OPAQUE: ClassKind = ClassKind::Struct {
    layout: Vec::new(),
    size: 1,
};

/// The name of the field that leads from a struct to the one around it.
pub const OUTER: &str = "outer";

/// The classes of a unit.
#[derive(Clone, Debug)]
pub struct Classes {
    pub definitions: Definitions,
    pub infos: Vec<ClassInfo>,
    pub rules: InputRules,
    /// Memory without a type.
    pub raw: ClassId,
    /// What a call of `exit` throws.
    pub exit: ClassId,
    records: Vec<ClassId>,
    arrays: FxHashMap<Sort, ClassId>,
    struct_arrays: FxHashMap<ClassId, ClassId>,
    signatures: FxHashMap<Signature, ClassId>,
    /// Classes of functions that tests define, with their types.
    pub stubs: FxHashMap<ClassId, Rc<Signature>>,
}

impl Classes {
    /// The classes of the structs of a unit.
    pub fn of(unit: &Unit) -> Classes {
        let mut classes = Classes {
            definitions: Definitions::default(),
            infos: Vec::new(),
            rules: InputRules::default(),
            raw: ClassId::ANY,
            exit: ClassId::ANY,
            records: Vec::new(),
            arrays: FxHashMap::default(),
            struct_arrays: FxHashMap::default(),
            signatures: FxHashMap::default(),
            stubs: FxHashMap::default(),
        };
        // The class of all objects is there from the beginning.
        let known = classes.definitions.classes().count();
        classes.infos.resize(known, ClassInfo::default());
        classes.raw = classes.bytes("void[]");
        classes.infos[classes.raw.index()].instantiable = true;
        classes.exit = classes.ending();
        // What a pointer to nothing in particular leads to, if nobody looks at it.
        let opaque = classes.add("void", None, true);
        classes.infos[opaque.index()].kind = OPAQUE;
        let candidates = heapwright_ir::Candidates {
            classes: vec![opaque],
            complete: false,
        };
        classes.rules.candidates.insert(ClassId::ANY, candidates);
        classes.rules.tagged = Some(classes.tagged());
        classes.rules.bytes = Some(classes.array(Sort::Machine(IntType::U8)));
        for record in &unit.records {
            let name = short(&record.name);
            let id = match record.is_union {
                // Its bytes are numbers at first, whichever member they belong to.
                true => {
                    let id = classes.bytes(name);
                    classes.infos[id.index()].instantiable = true;
                    classes.infos[id.index()].inside.length = Some(saturated(record.size));
                    classes.infos[id.index()].inside.alignment = record.align as u32;
                    id
                }
                false => classes.add(name, None, true),
            };
            classes.records.push(id);
        }
        for index in 0..unit.records.len() as u32 {
            let record = &unit.records[index as usize];
            // Functions that have to do with such a struct are refused.
            let is_too_large = record.size > MOST_BYTES;
            match (record.is_union, is_too_large) {
                (true, _) => {}
                (false, false) => classes.fill(unit, RecordId(index)),
                (false, true) => {
                    let id = classes.record(RecordId(index));
                    classes.infos[id.index()].kind = OPAQUE;
                }
            }
        }
        classes
    }

    /// Adds a class. A struct inside of a function may have the name of another one, which
    /// specifications mean by it; its own name is one that C cannot have, like those of classes
    /// that no struct stands for.
    fn add(&mut self, name: &str, superclass: Option<ClassId>, instantiable: bool) -> ClassId {
        let mut unique = name.to_owned();
        let mut count = 1;
        while self.definitions.class_named(&unique).is_some() {
            count += 1;
            unique = format!("{name} {count}");
        }
        let id = self.definitions.add_class(Class {
            name: unique,
            fields: Vec::new(),
            superclass,
        });
        self.infos.push(ClassInfo {
            instantiable,
            ..ClassInfo::default()
        });
        id
    }

    /// The class of the objects that end the program when they are thrown.
    fn ending(&mut self) -> ClassId {
        let id = self.add("exit status", None, true);
        let status = Field {
            name: "status".to_owned(),
            sort: Sort::Machine(IntType::I32),
        };
        self.definitions.class_mut(id).fields = vec![status];
        self.infos[id.index()].kind = ClassKind::Struct {
            layout: vec![FieldLayout { offset: 0, size: 4 }],
            size: 4,
        };
        id
    }

    /// A class of bytes that hold anything.
    fn bytes(&mut self, name: &str) -> ClassId {
        let id = self.add(name, None, false);
        let element = Sort::Machine(IntType::U8);
        self.definitions.set_element_sort(id, element);
        self.infos[id.index()].kind = ClassKind::Array { element };
        self.infos[id.index()].inside.raw = true;
        id
    }

    fn fill(&mut self, unit: &Unit, record: RecordId) {
        let id = self.record(record);
        let record = &unit.records[record.0 as usize];
        let mut fields = Vec::new();
        let mut layout = Vec::new();
        let mut inside = Inside::default();
        let mut rules = Vec::new();
        for (index, field) in (0u32..).zip(&record.fields) {
            let name = match field.name.is_empty() {
                true => format!("_{index}"),
                false => field.name.clone(),
            };
            let (sort, length) = match &field.ty {
                CType::Record(inner) if unit.records[inner.0 as usize].is_union => {
                    let size = saturated(unit.records[inner.0 as usize].size);
                    (Sort::Ref(self.record(*inner)), Some(Some(size)))
                }
                CType::Record(inner) => {
                    let part = self.part(id, &record.name, index, &name, self.record(*inner));
                    let back = self.definitions.class(part).fields.len() as u32 - 1;
                    rules.push(FieldRule {
                        field: index,
                        content: Content::Partner(back),
                    });
                    (Sort::Ref(part), Some(None))
                }
                CType::Array(..) => {
                    let (element, count) = flat(&field.ty);
                    match self.elements(unit, &element) {
                        Some(class) => (Sort::Ref(class), Some(Some(saturated(count)))),
                        None => (Sort::Ref(ClassId::ANY), None),
                    }
                }
                other => {
                    let sort = self.sort(unit, other);
                    (sort.unwrap_or(Sort::Ref(ClassId::ANY)), None)
                }
            };
            if let Some(length) = length {
                inside.embedded.push((index, length));
                match length {
                    // A flexible member is as long as there is room for it.
                    Some(0) => rules.push(FieldRule {
                        field: index,
                        content: Content::Owned,
                    }),
                    Some(length) => rules.push(FieldRule {
                        field: index,
                        content: Content::Array(length),
                    }),
                    None => {}
                }
            }
            let size = size_of(unit, &field.ty).unwrap_or(0) as u32;
            let offset = field.offset as u32;
            let size = match field.bits {
                Some((first, count)) => {
                    inside.bits.push((index, offset * 8 + first, count));
                    (first + count).div_ceil(8)
                }
                None => size,
            };
            layout.push(FieldLayout { offset, size });
            fields.push(Field { name, sort });
        }
        self.definitions.class_mut(id).fields = fields;
        let info = &mut self.infos[id.index()];
        info.kind = ClassKind::Struct {
            layout,
            size: record.size as u32,
        };
        info.inside = inside;
        info.inside.alignment = record.align as u32;
        self.rules.fields.entry(id).or_default().extend(rules);
    }

    /// The hidden class of the struct in a field.
    fn part(
        &mut self,
        outer: ClassId,
        record: &str,
        field: u32,
        name: &str,
        inner: ClassId,
    ) -> ClassId {
        let part = self.add(&format!("{}.{name}", short(record)), Some(inner), true);
        let mut fields = self.definitions.class(inner).fields.clone();
        let back = fields.len() as u32;
        fields.push(Field {
            name: OUTER.to_owned(),
            sort: Sort::Ref(outer),
        });
        self.definitions.class_mut(part).fields = fields;
        let mut kind = self.infos[inner.index()].kind.clone();
        if let ClassKind::Struct { layout, .. } = &mut kind {
            layout.push(FieldLayout { offset: 0, size: 0 });
        }
        let mut inside = self.infos[inner.index()].inside.clone();
        inside.hidden.push(back);
        self.infos[part.index()].kind = kind;
        self.infos[part.index()].inside = inside;
        let mut rules = self.rules.of_fields(inner).to_vec();
        rules.push(FieldRule {
            field: back,
            content: Content::Partner(field),
        });
        self.rules.fields.insert(part, rules);
        self.rules.parts.insert(part);
        part
    }

    /// The class of a struct or union.
    pub fn record(&self, record: RecordId) -> ClassId {
        self.records[record.0 as usize]
    }

    /// The class of arrays with elements of a type; `None` if there are none.
    pub fn elements(&mut self, unit: &Unit, element: &CType) -> Option<ClassId> {
        match element {
            CType::Record(record) => Some(self.struct_array(unit, *record)),
            other => {
                let sort = self.sort(unit, other)?;
                Some(self.array(sort))
            }
        }
    }

    pub fn struct_array(&mut self, unit: &Unit, record: RecordId) -> ClassId {
        let of = self.record(record);
        if let Some(&known) = self.struct_arrays.get(&of) {
            return known;
        }
        let name = format!("{}[]", self.definitions.class(of).name);
        let id = self.add(&name, None, true);
        let element = Sort::Ref(of);
        self.definitions.set_element_sort(id, element);
        self.infos[id.index()].kind = ClassKind::Array { element };
        let size = unit.records[record.0 as usize].size;
        self.infos[id.index()].inside.stride = Some(saturated(size));
        self.infos[id.index()].inside.alignment = unit.records[record.0 as usize].align as u32;
        self.struct_arrays.insert(of, id);
        id
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
        self.interior(id, &name);
        id
    }

    /// The class of objects with a tag in their address, where a number holds that.
    fn tagged(&mut self) -> ClassId {
        let id = self.add("tagged pointer", None, false);
        self.place_inside(id);
        id
    }

    /// The class of fields and elements inside of other objects that a pointer to such values may
    /// lead to.
    fn interior(&mut self, array: ClassId, name: &str) {
        let id = self.add(&format!("{name} inside"), Some(array), false);
        self.place_inside(id);
        self.rules.interiors.insert(array, id);
    }

    /// Makes objects of a class stand for places: an object, and a number of bytes.
    fn place_inside(&mut self, id: ClassId) {
        let field = |name: &str, sort| Field {
            name: name.to_owned(),
            sort,
        };
        self.definitions.class_mut(id).fields = vec![
            field(OUTER, Sort::Ref(ClassId::ANY)),
            field("offset", Sort::Machine(IntType::I64)),
        ];
        self.infos[id.index()].kind = ClassKind::Struct {
            layout: vec![FieldLayout { offset: 0, size: 0 }; 2],
            size: 0,
        };
        self.infos[id.index()].inside.interior = true;
    }

    /// The class of functions of a type.
    pub fn function(&mut self, signature: &Signature) -> ClassId {
        if let Some(&known) = self.signatures.get(signature) {
            return known;
        }
        let name = format!("function {}", self.signatures.len());
        let id = self.add(&name, None, false);
        self.signatures.insert(signature.clone(), id);
        id
    }

    /// The types of functions that pointers lead to, in the order of their classes.
    pub fn function_types(&self) -> Vec<(ClassId, Signature)> {
        let types = self.signatures.iter();
        let mut types: Vec<_> = types.map(|(ty, &class)| (class, ty.clone())).collect();
        types.sort_by_key(|(class, _)| *class);
        types
    }

    /// The class of functions of a type that a test defines: they always return what their only field
    /// holds, if there is any result.
    pub fn stub(&mut self, unit: &Unit, signature: &Rc<Signature>) -> Option<ClassId> {
        let sort = match &signature.result {
            CType::Void => None,
            ty => Some(self.sort(unit, ty)?),
        };
        let superclass = self.function(signature);
        let name = match sort {
            Some(_) => "returns",
            None => "does nothing",
        };
        let id = self.add(name, Some(superclass), true);
        let result = sort.map(|sort| Field {
            name: "result".to_owned(),
            sort,
        });
        let size = sort.map_or(1, heapwright_ir::machine::layout::size_of);
        let layout = sort.map(|_| FieldLayout { offset: 0, size });
        self.definitions.class_mut(id).fields = result.into_iter().collect();
        self.infos[id.index()].kind = ClassKind::Struct {
            layout: layout.into_iter().collect(),
            size,
        };
        self.stubs.insert(id, signature.clone());
        Some(id)
    }

    /// The class of one function.
    pub fn one_function(&mut self, name: &str, signature: &Signature) -> ClassId {
        let superclass = self.function(signature);
        self.add(&format!("&{name}"), Some(superclass), true)
    }

    /// The sort of values of a type; `None` for structs, arrays and types that are not supported.
    pub fn sort(&mut self, unit: &Unit, ty: &CType) -> Option<Sort> {
        Some(match ty {
            CType::Bool => Sort::Bool,
            CType::Int(ty) => Sort::Machine(*ty),
            CType::Float(ty) => Sort::Float(*ty),
            CType::Pointer(to) => Sort::Ref(self.pointee(unit, to)),
            _ => return None,
        })
    }

    /// The class of what a pointer to a type leads to.
    pub fn pointee(&mut self, unit: &Unit, to: &CType) -> ClassId {
        match to {
            CType::Void | CType::Other(_) => ClassId::ANY,
            CType::Unaligned(of) => self.pointee(unit, of),
            CType::Record(record) => self.record(*record),
            CType::Function(signature) => self.function(signature),
            CType::Array(..) => {
                let (element, _) = flat(to);
                self.pointee(unit, &element)
            }
            scalar => match self.sort(unit, scalar) {
                Some(sort) => self.array(sort),
                None => ClassId::ANY,
            },
        }
    }
}

/// The innermost elements of an array, and how many there are.
pub fn flat(ty: &CType) -> (CType, u64) {
    match ty {
        CType::Array(element, length) => {
            let (innermost, count) = flat(element);
            (innermost, count.saturating_mul(length.unwrap_or(0)))
        }
        other => (other.clone(), 1),
    }
}

/// Bytes of a type; `None` if nobody knows.
pub fn size_of(unit: &Unit, ty: &CType) -> Option<u64> {
    Some(match ty {
        CType::Bool => 1,
        CType::Int(ty) => u64::from(ty.bits() / 8),
        CType::Float(heapwright_logic::FloatType::Single) => 4,
        CType::Float(heapwright_logic::FloatType::Double) | CType::Pointer(_) => 8,
        CType::Array(element, length) => {
            size_of(unit, element)?.checked_mul(length.unwrap_or(0))?
        }
        CType::Unaligned(of) => size_of(unit, of)?,
        CType::Record(record) => unit.records.get(record.0 as usize)?.size,
        // As gcc has it.
        CType::Void | CType::Function(_) => 1,
        CType::Other(_) => return None,
    })
}

/// A number of bytes or elements; what does not fit belongs to what is too large to be kept.
fn saturated(count: u64) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// A struct without the word `struct`.
pub fn short(name: &str) -> &str {
    match name.split_once(' ') {
        Some(("struct" | "union", name)) => name,
        _ => name,
    }
}

/// What C calls a scalar.
pub fn scalar_name(sort: Sort) -> &'static str {
    use heapwright_logic::FloatType;
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

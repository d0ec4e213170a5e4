//! Structs as a proposal looks at them.

use std::collections::BTreeMap;
use std::sync::Arc;

use heapwright_c::ast::{self, CType, RecordId, Unit};
use heapwright_c::{CUnit, short_name};
use heapwright_ir::FunctionId;
use heapwright_testgen::proposal::names::{is_writable, last_part};
use heapwright_testgen::proposal::{Container, Content, Field, Nearness, Record, Records};

use super::links::{FieldOf, Links, made_in, pointed_to};
use crate::roles::{is_initialiser, words};

/// Where headers are that belong to nobody's project.
const SYSTEM_HEADERS: &str = "/usr/";

/// Words that the notation reserves, and that may be the names of fields all the same.
const FIELD_WORDS: [&str; 3] = ["this", "result", "nil"];

/// Integers that say something about the shape of a tree, and order nothing.
const MEASURES: [&str; 14] = [
    "height", "level", "balance", "factor", "bf", "rank", "size", "count", "weight", "depth",
    "color", "colour", "priority", "prio",
];

/// Those that keep trees balanced.
const BALANCES: [&str; 9] = [
    "height", "level", "balance", "factor", "bf", "rank", "color", "colour", "priority",
];

/// Words for functions that make something new.
const MAKERS: [&str; 6] = ["new", "create", "make", "alloc", "init", "empty"];

/// The structs of a unit.
#[derive(Clone, Debug, Default)]
pub struct CRecords {
    records: BTreeMap<String, Arc<Record>>,
}

impl Records for CRecords {
    fn record(&self, name: &str) -> Option<Arc<Record>> {
        self.records.get(name).map(Arc::clone)
    }
}

impl CRecords {
    /// The structs of a unit, with what the code does with their links.
    pub fn of(unit: &CUnit, links: &Links) -> CRecords {
        let source = &unit.source;
        let made = made(unit);
        let mut records = BTreeMap::new();
        for (index, ast) in (0..).zip(&source.records) {
            let id = RecordId(index);
            if ast.is_union {
                continue;
            }
            let name = name_of(source, id);
            let to_self = links.to_self.iter().filter(|(of, _)| *of == id);
            let (creates, sets) = made.get(&id).cloned().unwrap_or_default();
            let record = Record {
                written: name.clone(),
                simple: name.clone(),
                nearness: nearness(source, ast),
                fields: fields(source, id, ast),
                creates,
                sets,
                self_links: to_self.filter_map(|&one| field_name(source, one)).collect(),
                containers: containers(unit, &name),
                ordered_by: order(source, id, links),
                measures: measures(source, id, ast),
                name: name.clone(),
            };
            records.insert(name, Arc::new(record));
        }
        CRecords { records }
    }

    /// Whether one struct leads to another one, by itself or through others.
    pub fn leads_to(&self, from: &str, to: &str) -> bool {
        let mut seen = vec![from.to_owned()];
        let mut next = 0;
        while let Some(name) = seen.get(next).cloned() {
            if name == to {
                return true;
            }
            next += 1;
            let Some(record) = self.records.get(&name) else {
                continue;
            };
            let led = record
                .fields
                .iter()
                .filter_map(|field| match &field.content {
                    Content::Reference(to) | Content::Inside(to) => Some(to.clone()),
                    _ => None,
                });
            let around = record.containers.iter().map(|outer| outer.written.clone());
            for name in led.chain(around) {
                if !seen.contains(&name) {
                    seen.push(name);
                }
            }
        }
        false
    }

    /// The names of the structs that are not those of the system.
    pub fn own_names(&self) -> impl Iterator<Item = &str> {
        let own = self.records.iter();
        let own = own.filter(|(_, record)| record.nearness == Nearness::Near);
        own.map(|(name, _)| name.as_str())
    }
}

/// What a struct is called in specifications.
pub fn name_of(unit: &Unit, id: RecordId) -> String {
    let record = unit.records.get(id.0 as usize);
    record.map_or(String::new(), |record| short_name(&record.name).to_owned())
}

fn nearness(unit: &Unit, record: &ast::Record) -> Nearness {
    let file = unit.files.get(record.place.file as usize);
    let is_system = file.is_some_and(|file| file.starts_with(SYSTEM_HEADERS));
    match record.is_named && is_writable(short_name(&record.name)) && !is_system {
        true => Nearness::Near,
        false => Nearness::Far,
    }
}

/// The fields of a struct. Those of a struct inside of it that lead to the outer one are listed like
/// its own, since they are its links: `LIST_ENTRY(job) link` has `link.le_next`.
fn fields(unit: &Unit, id: RecordId, record: &ast::Record) -> Vec<Field> {
    let mut fields = Vec::new();
    for (index, field) in record.fields.iter().enumerate() {
        let name = match field.name.is_empty() {
            true => format!("_{index}"),
            false => field.name.clone(),
        };
        let inner = match &field.ty {
            CType::Record(inner) => unit.records.get(inner.0 as usize),
            _ => None,
        };
        let leads_back = |inner: &&ast::Record| {
            let mut fields = inner.fields.iter();
            !inner.is_union && fields.any(|field| pointed_to(&field.ty) == Some(id))
        };
        match inner.filter(leads_back) {
            Some(inner) => fields.extend(inner.fields.iter().map(|part| Field {
                name: format!("{name}.{}", part.name),
                is_writable: can_be_named(&name) && can_be_named(&part.name),
                content: content(unit, &part.ty),
            })),
            None => fields.push(Field {
                is_writable: can_be_named(&name),
                content: content(unit, &field.ty),
                name,
            }),
        }
    }
    fields
}

fn can_be_named(name: &str) -> bool {
    is_writable(name) || FIELD_WORDS.contains(&name)
}

fn content(unit: &Unit, ty: &CType) -> Content {
    let is_union = |id: &RecordId| {
        let record = unit.records.get(id.0 as usize);
        record.is_none_or(|record| record.is_union)
    };
    match ty {
        CType::Int(_) => Content::Integer,
        CType::Bool | CType::Float(_) => Content::Plain,
        CType::Record(id) if is_union(id) => Content::Other,
        CType::Record(id) => Content::Inside(name_of(unit, *id)),
        CType::Unaligned(of) => content(unit, of),
        CType::Pointer(to) => match &**to {
            CType::Record(id) if !is_union(id) => Content::Reference(name_of(unit, *id)),
            _ => Content::Other,
        },
        CType::Array(element, _) => match &**element {
            CType::Int(_) | CType::Bool | CType::Float(_) => Content::Plain,
            _ => Content::Other,
        },
        CType::Void | CType::Function(_) | CType::Other(_) => Content::Other,
    }
}

fn field_name(unit: &Unit, (record, field): FieldOf) -> Option<String> {
    let record = unit.records.get(record.0 as usize)?;
    record
        .fields
        .get(field as usize)
        .map(|field| field.name.clone())
}

/// The structs that the code goes outwards to from one.
fn containers(unit: &CUnit, name: &str) -> Vec<Container> {
    let definitions = &unit.program.definitions;
    let Some(class) = definitions.class_named(name) else {
        return Vec::new();
    };
    let parts = unit.rules.containers.get(&class).into_iter().flatten();
    let containers = parts.filter_map(|&part| {
        let (written, field) = definitions.class(part).name.split_once('.')?;
        let can_be_written = is_writable(written) && can_be_named(field);
        can_be_written.then(|| Container {
            written: written.to_owned(),
            field: field.to_owned(),
        })
    });
    containers.collect()
}

/// The number that the code orders a tree by: the one that is compared most often, and is no
/// measure of the tree.
fn order(unit: &Unit, id: RecordId, links: &Links) -> Option<String> {
    let own = links.compared.iter().filter(|((of, _), _)| *of == id);
    let named = own.filter_map(|(&of, count)| Some((field_name(unit, of)?, *count)));
    let mut named: Vec<_> = named.filter(|(name, _)| !is_measure(name)).collect();
    named.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
    named.into_iter().next().map(|(name, _)| name)
}

fn is_measure(name: &str) -> bool {
    words(name).have_any(&MEASURES)
}

/// The integers of a struct, and of a struct of its links inside of it, that are measures.
fn measures(unit: &Unit, id: RecordId, record: &ast::Record) -> Vec<String> {
    let fields = fields(unit, id, record).into_iter();
    let is_balance = |field: &Field| {
        let part = last_part(&field.name);
        field.content == Content::Integer && words(part).have_any(&BALANCES)
    };
    fields.filter(is_balance).map(|field| field.name).collect()
}

/// What the functions that make objects of structs create, and which links they set.
type Made = BTreeMap<RecordId, (Vec<String>, Vec<(String, String)>)>;

fn made(unit: &CUnit) -> Made {
    let source = &unit.source;
    let mut made = Made::new();
    for (id, _) in &unit.functions {
        let Some(function) = unit.function(*id) else {
            continue;
        };
        let (Some(of), Some(body)) = (maker_of(unit, *id), &function.body) else {
            continue;
        };
        let (creates, sets) = made_in(source, body);
        let (known_creates, known_sets) = made.entry(of).or_default();
        let others = creates.into_iter().filter(|record| *record != of);
        known_creates.extend(others.map(|record| name_of(source, record)));
        for set in sets {
            if let Some(field) = field_name(source, set) {
                known_sets.push((name_of(source, set.0), field));
            }
        }
    }
    made
}

/// The struct that a function makes empty objects of, or makes storage valid for.
fn maker_of(unit: &CUnit, id: FunctionId) -> Option<RecordId> {
    let function = unit.function(id)?;
    let signature = &function.signature;
    let result = pointed_to(&signature.result);
    let mut params = signature.params.iter().map(pointed_to);
    if is_initialiser(unit, id) {
        return params.next().flatten();
    }
    let makes = words(&function.name).have_any(&MAKERS);
    result.filter(|result| makes && params.all(|param| param != Some(*result)))
}

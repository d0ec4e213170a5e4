//! Heaps as JSON.
//!
//! ```json
//! {
//!   "stack": { "root": "#1", "x": 5 },
//!   "objects": {
//!     "#1": { "class": "Node", "value": 3, "left": null, "right": "#2" },
//!     "#2": { "dangling": true }
//!   }
//! }
//! ```
//!
//! - A reference is `null` or the name of an object, a string that starts with `#`. Names of the
//!   form `#n` become the address n; all others get the addresses that are left.
//! - An object has its `class` and a value for every field of the class. `{"dangling": true}`
//!   declares an address without an object.
//! - Integers are numbers, or strings of digits where they are too large for other tools; chars
//!   are numbers or strings of one UTF-16 code unit.
//! - Floats are numbers or `"NaN"`, `"Infinity"`, `"-Infinity"`.
//! - An array has its `class` and a list of `elements`, which are all of one sort:
//!   `{"class": "int[]", "elements": [3, 4]}`.
//! - A class may have a field that is called `class` or `dangling`; it is then written with a
//!   `.` before its name.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value as Json};
use thiserror::Error;

use crate::definitions::Definitions;
use crate::heap::{Cell, Heap, Loc, Stack, Value};
use crate::sort::{ClassId, FloatType, IntType, Sort};
use crate::term::{Terms, VarId};

/// What is wrong with a heap in JSON, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{path}: {fault}")]
pub struct JsonError {
    /// A path such as `$.objects["#1"].left`.
    pub path: String,
    /// What is wrong there.
    pub fault: JsonFault,
}

/// What can be wrong with a heap in JSON.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages say what the fields are.
pub enum JsonFault {
    #[error("expected {expected}, found {found}")]
    Expected {
        expected: &'static str,
        found: String,
    },
    #[error("unknown key `{key}`; expected {expected}")]
    UnknownKey { key: String, expected: String },
    #[error("no variable `{name}` is known here")]
    UnknownVariable { name: String },
    #[error("no class `{name}` is known")]
    UnknownClass { name: String },
    #[error("class {class} has no field `{field}`; it has {fields}")]
    UnknownField {
        class: String,
        field: String,
        fields: String,
    },
    #[error("the field `{field}` of class {class} is missing")]
    MissingField { class: String, field: String },
    #[error("no object `{name}` is declared under \"objects\"")]
    UnknownObject { name: String },
    #[error("the object is of class {found}, not {expected}")]
    WrongClass { expected: String, found: String },
    #[error("{value} is out of range of {sort}")]
    OutOfRange { value: String, sort: String },
    #[error("`{name}` and `{other}` name the same address")]
    SameAddress { name: String, other: String },
    #[error("not JSON: {message}")]
    Syntax { message: String },
}

/// Reads a stack and heap from JSON text. `variable` finds the variable of a name.
pub fn read_heap(
    terms: &Terms,
    definitions: &Definitions,
    text: &str,
    variable: impl Fn(&str) -> Option<VarId>,
) -> Result<(Stack, Heap), JsonError> {
    // The parser of serde_json limits nesting by itself.
    let json: Json = serde_json::from_str(text).map_err(|error| JsonError {
        path: format!("line {}, column {}", error.line(), error.column()),
        fault: JsonFault::Syntax {
            message: error.to_string(),
        },
    })?;
    heap_from_json(terms, definitions, &json, variable)
}

/// As [`read_heap`], from a JSON value.
pub fn heap_from_json(
    terms: &Terms,
    definitions: &Definitions,
    json: &Json,
    variable: impl Fn(&str) -> Option<VarId>,
) -> Result<(Stack, Heap), JsonError> {
    let top = object(json, "$")?;
    if let Some(key) = (top.keys()).find(|key| *key != "stack" && *key != "objects") {
        let fault = JsonFault::UnknownKey {
            key: key.clone(),
            expected: "`stack` or `objects`".to_owned(),
        };
        return Err(at("$", fault));
    }
    let empty = Map::new();
    let objects = match top.get("objects") {
        None => &empty,
        Some(objects) => object(objects, "$.objects")?,
    };
    let reader = Reader::new(definitions, objects)?;
    let mut heap = Heap::default();
    for (name, json) in objects {
        if let Some(cell) = reader.cell(name, json)? {
            heap.cells.insert(reader.locations[name.as_str()], cell);
        }
    }
    let mut stack = Stack::new();
    if let Some(json) = top.get("stack") {
        for (name, json) in object(json, "$.stack")? {
            let path = member("$.stack", name);
            let id = variable(name).ok_or_else(|| {
                let name = name.clone();
                at(&path, JsonFault::UnknownVariable { name })
            })?;
            stack.insert(id, reader.value(json, terms.variable(id).sort, &path)?);
        }
    }
    Ok((stack, heap))
}

/// Writes a stack and heap in the form that [`heap_from_json`] reads. Variables are called by
/// their names; of several with one name the last is written.
pub fn heap_to_json(terms: &Terms, definitions: &Definitions, stack: &Stack, heap: &Heap) -> Json {
    let mut objects = BTreeMap::new();
    let mut note = |value: &Value| {
        if let Value::Ref(loc) = value {
            (objects.entry(*loc)).or_insert_with(|| {
                let mut dangling = Map::new();
                dangling.insert("dangling".to_owned(), Json::Bool(true));
                dangling
            });
        }
    };
    stack.values().for_each(&mut note);
    (heap.cells.values()).for_each(|cell| cell.fields.iter().for_each(&mut note));
    for (&loc, cell) in &heap.cells {
        let class = definitions.class(cell.class);
        let mut object = Map::new();
        object.insert("class".to_owned(), Json::String(class.name.clone()));
        if definitions.element_sort(cell.class).is_some() {
            let elements = cell.fields.iter().map(|&value| json_value(value));
            object.insert("elements".to_owned(), elements.collect());
        } else {
            for (field, &value) in class.fields.iter().zip(&cell.fields) {
                object.insert(escaped(&field.name), json_value(value));
            }
        }
        objects.insert(loc, object);
    }
    let stack: Map<String, Json> = (stack.iter())
        .map(|(&variable, &value)| (terms.variable(variable).name.clone(), json_value(value)))
        .collect();
    let objects: Map<String, Json> = (objects.into_iter())
        .map(|(loc, object)| (loc.to_string(), Json::Object(object)))
        .collect();
    let mut top = Map::new();
    top.insert("stack".to_owned(), Json::Object(stack));
    top.insert("objects".to_owned(), Json::Object(objects));
    Json::Object(top)
}

fn json_value(value: Value) -> Json {
    let float = |value: f64, text: String| match Number::from_f64(value) {
        Some(number) => Json::Number(number),
        None => Json::String(text.replace("inf", "Infinity")),
    };
    match value {
        Value::Null => Json::Null,
        Value::Ref(loc) => Json::String(loc.to_string()),
        Value::Bool(value) => Json::Bool(value),
        Value::Int(value) => match i64::try_from(value) {
            Ok(value) => Json::from(value),
            Err(_) => Json::String(value.to_string()),
        },
        Value::Single(bits) => {
            let value = f32::from_bits(bits);
            float(f64::from(value), value.to_string())
        }
        Value::Double(bits) => {
            let value = f64::from_bits(bits);
            float(value, value.to_string())
        }
    }
}

fn escaped(field: &str) -> String {
    match field {
        "class" | "dangling" => format!(".{field}"),
        _ => field.to_owned(),
    }
}

struct Reader<'a> {
    definitions: &'a Definitions,
    objects: &'a Map<String, Json>,
    locations: BTreeMap<&'a str, Loc>,
}

impl<'a> Reader<'a> {
    fn new(
        definitions: &'a Definitions,
        objects: &'a Map<String, Json>,
    ) -> Result<Self, JsonError> {
        let mut locations = BTreeMap::new();
        let mut taken: BTreeMap<Loc, &str> = BTreeMap::new();
        for name in objects.keys() {
            let path = member("$.objects", name);
            let Some(rest) = name.strip_prefix('#') else {
                let fault = JsonFault::Expected {
                    expected: "a name that starts with `#`",
                    found: format!("`{name}`"),
                };
                return Err(at(&path, fault));
            };
            if let Ok(number) = rest.parse() {
                if let Some(other) = taken.insert(Loc(number), name) {
                    let (name, other) = (name.clone(), other.to_owned());
                    return Err(at(&path, JsonFault::SameAddress { name, other }));
                }
                locations.insert(name.as_str(), Loc(number));
            }
        }
        let mut free = (1..=u32::MAX)
            .map(Loc)
            .filter(|loc| !taken.contains_key(loc));
        for name in objects.keys() {
            if !locations.contains_key(name.as_str())
                && let Some(loc) = free.next()
            {
                locations.insert(name, loc);
            }
        }
        Ok(Reader {
            definitions,
            objects,
            locations,
        })
    }

    /// The cell of an object, or nothing if it is declared to dangle.
    fn cell(&self, name: &str, json: &Json) -> Result<Option<Cell>, JsonError> {
        let path = member("$.objects", name);
        let members = object(json, &path)?;
        if let Some(dangling) = members.get("dangling") {
            return match (dangling, members.len()) {
                (Json::Bool(true), 1) => Ok(None),
                _ => Err(expected(&path, "just `\"dangling\": true`", json)),
            };
        }
        let class_path = member(&path, "class");
        let class_name = match members.get("class") {
            Some(Json::String(name)) => name,
            Some(other) => return Err(expected(&class_path, "the name of a class", other)),
            None => return Err(expected(&path, "an object with a `class`", json)),
        };
        let id = (self.definitions.class_named(class_name)).ok_or_else(|| {
            let name = class_name.clone();
            at(&class_path, JsonFault::UnknownClass { name })
        })?;
        let fields = match self.definitions.element_sort(id) {
            Some(element) => self.elements(members, id, element, &path)?,
            None => self.fields(members, id, &path)?,
        };
        Ok(Some(Cell { class: id, fields }))
    }

    /// The values of the fields of an object.
    fn fields(
        &self,
        members: &Map<String, Json>,
        id: ClassId,
        path: &str,
    ) -> Result<Vec<Value>, JsonError> {
        let class = self.definitions.class(id);
        let mut fields = Vec::with_capacity(class.fields.len());
        let mut keys = Vec::with_capacity(class.fields.len());
        for field in &class.fields {
            let key = escaped(&field.name);
            let value = self.member(members, id, &field.name, &key, path)?;
            fields.push(self.value(value, field.sort, &member(path, &key))?);
            keys.push(key);
        }
        let names: Vec<_> = class.fields.iter().map(|f| f.name.as_str()).collect();
        self.nothing_else(members, id, (&keys, &names), path)?;
        Ok(fields)
    }

    /// The elements of an array.
    fn elements(
        &self,
        members: &Map<String, Json>,
        id: ClassId,
        element: Sort,
        path: &str,
    ) -> Result<Vec<Value>, JsonError> {
        let key = "elements";
        let json = self.member(members, id, key, key, path)?;
        self.nothing_else(members, id, (&[key.to_owned()], &[key]), path)?;
        let path = member(path, key);
        let Json::Array(elements) = json else {
            return Err(expected(&path, "an array", json));
        };
        (elements.iter().enumerate())
            .map(|(index, json)| self.value(json, element, &format!("{path}[{index}]")))
            .collect()
    }

    fn member<'j>(
        &self,
        members: &'j Map<String, Json>,
        id: ClassId,
        field: &str,
        key: &str,
        path: &str,
    ) -> Result<&'j Json, JsonError> {
        members.get(key).ok_or_else(|| {
            let class = self.definitions.class(id).name.clone();
            let field = field.to_owned();
            at(path, JsonFault::MissingField { class, field })
        })
    }

    /// Refuses an object with members other than its class and those of some keys, which stand
    /// for the fields of these names.
    fn nothing_else(
        &self,
        members: &Map<String, Json>,
        id: ClassId,
        (keys, names): (&[String], &[&str]),
        path: &str,
    ) -> Result<(), JsonError> {
        let known = |key: &&String| *key == "class" || keys.contains(key);
        match members.keys().find(|key| !known(key)) {
            None => Ok(()),
            Some(key) => {
                let fault = JsonFault::UnknownField {
                    class: self.definitions.class(id).name.clone(),
                    field: key.clone(),
                    fields: names.join(", "),
                };
                Err(at(&member(path, key), fault))
            }
        }
    }

    fn value(&self, json: &Json, sort: Sort, path: &str) -> Result<Value, JsonError> {
        match sort {
            Sort::Bool => match json {
                Json::Bool(value) => Ok(Value::Bool(*value)),
                _ => Err(expected(path, "true or false", json)),
            },
            Sort::Int | Sort::Machine(_) => self.integer(json, sort, path),
            Sort::Float(ty) => float(json, ty, path),
            Sort::Ref(class) => match json {
                Json::Null => Ok(Value::Null),
                Json::String(name) => {
                    let loc = (self.locations.get(name.as_str())).ok_or_else(|| {
                        let name = name.clone();
                        at(path, JsonFault::UnknownObject { name })
                    })?;
                    self.check_class(name, class, path)?;
                    Ok(Value::Ref(*loc))
                }
                _ => Err(expected(path, "null or the name of an object", json)),
            },
        }
    }

    /// A reference to an object of the wrong class; unknown classes are reported at the object.
    fn check_class(&self, name: &str, class: ClassId, path: &str) -> Result<(), JsonError> {
        let found = (self.objects.get(name)).and_then(|object| object.get("class")?.as_str());
        let id = found.and_then(|found| self.definitions.class_named(found));
        match (id, found) {
            (Some(id), Some(found)) if !self.definitions.is_subclass(id, class) => {
                let expected = self.definitions.class(class).name.clone();
                let found = found.to_owned();
                Err(at(path, JsonFault::WrongClass { expected, found }))
            }
            _ => Ok(()),
        }
    }

    fn integer(&self, json: &Json, sort: Sort, path: &str) -> Result<Value, JsonError> {
        let value: Option<i128> = match json {
            Json::Number(number) => {
                (number.as_i64().map(i128::from)).or_else(|| number.as_u64().map(i128::from))
            }
            Json::String(text) if sort == Sort::Machine(IntType::Char) => {
                let mut units = text.encode_utf16();
                match (units.next(), units.next()) {
                    (Some(unit), None) => Some(i128::from(unit)),
                    _ => None,
                }
            }
            Json::String(text) => text.parse().ok(),
            _ => None,
        };
        let value = value.ok_or_else(|| match sort {
            Sort::Machine(IntType::Char) => expected(path, "a number or a single char", json),
            _ => expected(path, "a whole number", json),
        })?;
        let value = Value::Int(value);
        if !value.has_sort(sort) {
            let sort = crate::print::display_sort(self.definitions, sort);
            let value = value.to_string();
            return Err(at(path, JsonFault::OutOfRange { value, sort }));
        }
        Ok(value)
    }
}

fn float(json: &Json, ty: FloatType, path: &str) -> Result<Value, JsonError> {
    let value = match json {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => match text.as_str() {
            "NaN" => Some(f64::NAN),
            "Infinity" => Some(f64::INFINITY),
            "-Infinity" => Some(f64::NEG_INFINITY),
            _ => None,
        },
        _ => None,
    };
    let value = value.ok_or_else(|| {
        expected(
            path,
            "a number, \"NaN\", \"Infinity\" or \"-Infinity\"",
            json,
        )
    })?;
    Ok(crate::eval::canonical(match ty {
        FloatType::Single => Value::Single((value as f32).to_bits()),
        FloatType::Double => Value::Double(value.to_bits()),
    }))
}

fn object<'a>(json: &'a Json, path: &str) -> Result<&'a Map<String, Json>, JsonError> {
    json.as_object()
        .ok_or_else(|| expected(path, "an object", json))
}

fn member(path: &str, key: &str) -> String {
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '_');
    match plain {
        true => format!("{path}.{key}"),
        false => format!("{path}[{key:?}]"),
    }
}

fn at(path: &str, fault: JsonFault) -> JsonError {
    JsonError {
        path: path.to_owned(),
        fault,
    }
}

fn expected(path: &str, expected: &'static str, json: &Json) -> JsonError {
    // Only the kind of large values is named, and nothing nested is printed.
    let found = match json {
        Json::Null => "null".to_owned(),
        Json::Bool(value) => value.to_string(),
        Json::Number(number) => number.to_string(),
        Json::String(text) if text.chars().count() <= 40 => format!("{text:?}"),
        Json::String(_) => "a long string".to_owned(),
        Json::Array(_) => "an array".to_owned(),
        Json::Object(_) => "an object".to_owned(),
    };
    at(path, JsonFault::Expected { expected, found })
}

#[cfg(test)]
mod tests;

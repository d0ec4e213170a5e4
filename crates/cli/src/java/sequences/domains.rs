//! The values that calls in sequences are given: small domains, by the types and names of
//! parameters.

use std::collections::BTreeSet;
use std::str::FromStr;

use heapwright_engine::sequences::Argument;
use heapwright_ir::machine::concrete::Value;
use heapwright_java::descriptor::{Name, Primitive, Type};
use heapwright_java::emit::Given;
use heapwright_java::target::callable_constructors;
use heapwright_java::world::World;
use heapwright_logic::Value as LogicValue;

use super::Written;
use crate::failure::Failure;

/// A domain with more values than this is a mistake.
const LARGEST: usize = 10_000;

/// Collections that are made where an interface is wanted.
const COLLECTIONS: [(&[&str], &str); 3] = [
    (
        &[
            "java.util.Collection",
            "java.util.List",
            "java.lang.Iterable",
        ],
        "java.util.ArrayList",
    ),
    (
        &[
            "java.util.Map",
            "java.util.SortedMap",
            "java.util.NavigableMap",
        ],
        "java.util.TreeMap",
    ),
    (
        &["java.util.Set", "java.util.SortedSet"],
        "java.util.TreeSet",
    ),
];

/// The values that parameters get.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domains {
    /// How many values a parameter has that nothing is said about. Where values were found, 0 means
    /// that only the first object of a call is one of them.
    pub size: u32,
    /// What is said: later entries come first.
    pub given: Vec<Domain>,
    /// The values of a heap that is to be built, instead of the first few.
    pub found: Option<FoundValues>,
}

/// The values in a heap.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FoundValues {
    /// Numbers in fields.
    pub numbers: BTreeSet<i128>,
    /// Numbers in boxes.
    pub boxed: BTreeSet<i128>,
    /// Strings.
    pub texts: BTreeSet<String>,
}

/// The values of the parameters with a name, or of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// A name, a type, or `method.N` for the N-th parameter of methods with a name.
    key: String,
    items: Vec<Item>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Item {
    Null,
    Number(i128),
    Fraction(u64),
    Truth(bool),
    Text(String),
}

/// A parameter that values are wanted for.
pub struct Place<'a> {
    /// The method.
    pub method: &'a str,
    /// The number of the parameter, from 1.
    pub number: usize,
    /// Its name, if that is known.
    pub name: Option<&'a str>,
    /// Its type.
    pub ty: &'a Type,
    /// Whether a parameter before it has several values already. Then one object is enough: a map
    /// with other values has the same shapes.
    pub is_further: bool,
}

/// The values of a parameter, and further ones for last calls.
pub struct Values {
    /// The values.
    pub domain: Vec<Argument>,
    /// The further ones.
    pub probes: Vec<Argument>,
}

impl FromStr for Domain {
    type Err = String;

    /// `key=0..5`, `key=null,0,7`, `name="a","b"`.
    fn from_str(text: &str) -> Result<Domain, String> {
        let (key, list) = text
            .split_once('=')
            .filter(|(key, list)| !key.trim().is_empty() && !list.trim().is_empty())
            .ok_or("write NAME=VALUES, as in key=0..5 or word=\"a\",\"b\",null")?;
        let mut items = Vec::new();
        for part in list.split(',').map(str::trim) {
            match part.split_once("..") {
                Some((first, last)) => {
                    let number = |text: &str| text.trim().parse::<i128>().ok();
                    let (Some(first), Some(last)) = (number(first), number(last)) else {
                        return Err(format!("`{part}` is no range of numbers"));
                    };
                    items.extend((first..=last).take(LARGEST + 1).map(Item::Number));
                }
                None => items.push(item(part).ok_or_else(|| format!("`{part}` is no value"))?),
            }
            if items.len() > LARGEST {
                return Err(format!("more than {LARGEST} values"));
            }
        }
        Ok(Domain {
            key: key.trim().to_owned(),
            items,
        })
    }
}

fn item(text: &str) -> Option<Item> {
    let quoted = |quote: char| {
        let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
        Some(inner.to_owned())
    };
    match text {
        "null" => return Some(Item::Null),
        "true" => return Some(Item::Truth(true)),
        "false" => return Some(Item::Truth(false)),
        _ => {}
    }
    if let Some(text) = quoted('"') {
        return Some(Item::Text(text));
    }
    if let Some(text) = quoted('\'') {
        let mut units = text.encode_utf16();
        let unit = units.next().filter(|_| units.next().is_none())?;
        return Some(Item::Number(unit.into()));
    }
    let number = text.parse().ok().map(Item::Number);
    number.or_else(|| {
        let value: f64 = text.parse().ok()?;
        Some(Item::Fraction(value.to_bits()))
    })
}

impl Domains {
    /// The values of a parameter.
    pub fn values(
        &self,
        world: &mut World,
        written: &mut Written,
        place: &Place<'_>,
    ) -> Result<Values, Failure> {
        let given = (self.given.iter().rev()).find(|domain| domain.is_for(place));
        let items = match (given, &self.found) {
            (Some(domain), _) => domain.items.clone(),
            (None, Some(_)) if place.is_further && place.ty.is_reference() && self.size == 0 => {
                vec![Item::Null]
            }
            (None, Some(found)) => found.items(place.ty),
            (None, None) => self.usual(place.ty),
        };
        let mut maker = Maker {
            world,
            written,
            ty: place.ty,
        };
        let mut domain = Vec::new();
        for item in &items {
            match maker.argument(item)? {
                Some(argument) => domain.push(argument),
                None if given.is_some() => {
                    let (method, number, ty) = (place.method, place.number, place.ty);
                    return Err(Failure::Unfit(format!(
                        "--domain: parameter {number} of `{method}` has type {ty}, which a value \
                         of its domain does not fit"
                    )));
                }
                None => {}
            }
        }
        if self.found.is_some() {
            let probes = Vec::new();
            return Ok(Values { domain, probes });
        }
        let mut probes = Vec::new();
        if given.is_none() && place.is_further && place.ty.is_reference() && domain.len() > 1 {
            let others = domain.split_off(1);
            probes.extend(others.into_iter().next());
        }
        if given.is_none() && !place.ty.is_reference() {
            probes.extend(maker.argument(&Item::Number(-1))?);
        }
        if given.is_none() && place.ty.is_reference() {
            domain.extend(maker.constants()?);
            domain.extend(maker.object()?);
            let null = Argument::Value(Value::Null);
            match domain.is_empty() {
                true => domain.push(null),
                false => probes.push(null),
            }
        }
        Ok(Values { domain, probes })
    }

    /// The first few values of a type.
    fn usual(&self, ty: &Type) -> Vec<Item> {
        let numbers = || (0..i128::from(self.size)).map(Item::Number).collect();
        let letters = |make: fn(u8) -> Item| {
            let count = self.size.min(26) as u8;
            (0..count).map(|index| make(b'a' + index)).collect()
        };
        let primitive = match ty {
            Type::Primitive(primitive) => Some(*primitive),
            Type::Class(name) => boxed_in(name),
            Type::Array(_) => None,
        };
        match (primitive, ty) {
            (Some(Primitive::Boolean), _) => vec![Item::Truth(false), Item::Truth(true)],
            (Some(Primitive::Char), _) => letters(|letter| Item::Number(letter.into())),
            (Some(_), _) => numbers(),
            (None, Type::Class(name)) => match &**name {
                "java.lang.String" | "java.lang.CharSequence" => {
                    letters(|letter| Item::Text(char::from(letter).to_string()))
                }
                _ => Vec::new(),
            },
            (None, _) => Vec::new(),
        }
    }
}

impl FoundValues {
    /// The values that a parameter of a type may have.
    fn items(&self, ty: &Type) -> Vec<Item> {
        let boolean = |primitive: Option<Primitive>| primitive == Some(Primitive::Boolean);
        let primitive = match ty {
            Type::Primitive(primitive) => Some(*primitive),
            Type::Class(name) => boxed_in(name),
            Type::Array(_) => None,
        };
        let mut items: Vec<Item> = match boolean(primitive) {
            true => vec![Item::Truth(false), Item::Truth(true)],
            false => {
                let numbers = match ty.is_reference() {
                    true => &self.boxed,
                    false => &self.numbers,
                };
                numbers.iter().copied().map(Item::Number).collect()
            }
        };
        if ty.is_reference() {
            items.extend(self.texts.iter().cloned().map(Item::Text));
            items.push(Item::Null);
        }
        items
    }
}

impl Domain {
    fn is_for(&self, place: &Place<'_>) -> bool {
        let ty = place.ty.to_string();
        let simple = ty.rsplit(['.', '$']).next().unwrap_or(&ty);
        self.key == ty
            || self.key == simple
            || Some(self.key.as_str()) == place.name
            || self.key == format!("{}.{}", place.method, place.number)
    }
}

/// The primitive type whose boxes stand for values of a class: `Integer` for everything that an
/// integer can be.
fn boxed_in(class: &str) -> Option<Primitive> {
    Some(match class {
        "java.lang.Boolean" => Primitive::Boolean,
        "java.lang.Byte" => Primitive::Byte,
        "java.lang.Character" => Primitive::Char,
        "java.lang.Short" => Primitive::Short,
        "java.lang.Long" => Primitive::Long,
        "java.lang.Float" => Primitive::Float,
        "java.lang.Double" => Primitive::Double,
        "java.lang.Integer"
        | "java.lang.Object"
        | "java.lang.Comparable"
        | "java.lang.Number"
        | "java.io.Serializable" => Primitive::Int,
        _ => return None,
    })
}

/// Makes arguments for a type.
struct Maker<'a> {
    world: &'a mut World,
    written: &'a mut Written,
    ty: &'a Type,
}

impl Maker<'_> {
    fn argument(&mut self, item: &Item) -> Result<Option<Argument>, Failure> {
        let unfit = |error: &dyn std::fmt::Display| Failure::Unfit(error.to_string());
        Ok(match (self.ty, item) {
            (Type::Primitive(primitive), _) => scalar(*primitive, item).map(Argument::Value),
            (_, Item::Null) => Some(Argument::Value(Value::Null)),
            (Type::Class(name), Item::Text(text)) => {
                let fits = [
                    "java.lang.String",
                    "java.lang.CharSequence",
                    "java.lang.Object",
                ];
                let comparable = ["java.lang.Comparable", "java.io.Serializable"];
                if !fits.contains(&&**name) && !comparable.contains(&&**name) {
                    return Ok(None);
                }
                let given = Given::Text(text.clone());
                if let Some(known) = self.written.known(&given) {
                    return Ok(Some(known));
                }
                let function = self.world.literal_function(text);
                let function = function.map_err(|error| unfit(&error))?;
                let argument = Argument::Made(function, Vec::new());
                Some(self.written.enter(argument, given))
            }
            (Type::Class(name), _) => {
                let primitive = match (&**name, item) {
                    ("java.lang.Object" | "java.lang.Comparable", Item::Truth(_)) => {
                        Some(Primitive::Boolean)
                    }
                    ("java.lang.Object" | "java.lang.Comparable", Item::Fraction(_)) => {
                        Some(Primitive::Double)
                    }
                    _ => boxed_in(name),
                };
                let Some(primitive) = primitive else {
                    return Ok(None);
                };
                let Some(value) = scalar(primitive, item) else {
                    return Ok(None);
                };
                let function = self.world.boxing(primitive);
                let function = function.map_err(|error| unfit(&error))?;
                let argument = Argument::Made(function, vec![value]);
                let given = Given::Boxed(primitive, exported(value));
                Some(self.written.enter(argument, given))
            }
            (Type::Array(_), _) => None,
        })
    }

    /// The constants of an enum.
    fn constants(&mut self) -> Result<Vec<Argument>, Failure> {
        let Some((class, constants)) = self.world.enum_constants(self.ty) else {
            return Ok(Vec::new());
        };
        let mut arguments = Vec::new();
        for field in constants {
            let given = Given::Constant {
                class: class.clone(),
                field: field.clone(),
            };
            if let Some(known) = self.written.known(&given) {
                arguments.push(known);
                continue;
            }
            let reader = self.world.static_reader(&class, &field);
            let reader = reader.map_err(|error| Failure::Unfit(error.to_string()))?;
            let argument = Argument::Made(reader, Vec::new());
            arguments.push(self.written.enter(argument, given));
        }
        Ok(arguments)
    }

    /// An object without contents, if a public constructor makes one.
    fn object(&mut self) -> Result<Option<Argument>, Failure> {
        let Type::Class(name) = self.ty else {
            return Ok(None);
        };
        let is_value = boxed_in(name).is_some() || name.starts_with("java.lang.");
        if is_value {
            return Ok(None);
        }
        let collection = (COLLECTIONS.iter()).find(|(names, _)| names.contains(&&**name));
        let name: Name = collection.map_or_else(|| name.clone(), |(_, class)| (*class).into());
        let Ok(class) = self.world.class_path().load(&name) else {
            return Ok(None);
        };
        let is_nested_object = class
            .as_inner_class()
            .is_some_and(|inner| !inner.access.is_static());
        if class.access.is_abstract() || class.access.is_enum() || is_nested_object {
            return Ok(None);
        }
        let constructors = callable_constructors(&class);
        let constructor = (constructors.into_iter()).find(|one| {
            let method = &one.declared.method;
            method.access.is_public() && method.descriptor.parameters.is_empty()
        });
        let Some(constructor) = constructor.filter(|_| class.access.is_public()) else {
            return Ok(None);
        };
        let id = self.world.complete(&class.ty());
        let id = id.map_err(|error| Failure::Unfit(error.to_string()))?;
        let function = self.world.loaded(&constructor.declared);
        let argument = Argument::New(id, function);
        Ok(Some(self.written.enter(argument, Given::New(name))))
    }
}

/// A value of a primitive type; nothing if it is none.
fn scalar(primitive: Primitive, item: &Item) -> Option<Value> {
    let within = |low: i128, high: i128, value: i128| {
        (low..=high).contains(&value).then_some(Value::Int(value))
    };
    match (primitive, item) {
        (Primitive::Boolean, Item::Truth(value)) => Some(Value::Bool(*value)),
        (Primitive::Byte, Item::Number(n)) => within(i8::MIN.into(), i8::MAX.into(), *n),
        (Primitive::Short, Item::Number(n)) => within(i16::MIN.into(), i16::MAX.into(), *n),
        (Primitive::Char, Item::Number(n)) => within(0, u16::MAX.into(), *n),
        (Primitive::Int, Item::Number(n)) => within(i32::MIN.into(), i32::MAX.into(), *n),
        (Primitive::Long, Item::Number(n)) => within(i64::MIN.into(), i64::MAX.into(), *n),
        (Primitive::Float, Item::Number(n)) => Some(Value::Single((*n as f32).to_bits())),
        (Primitive::Double, Item::Number(n)) => Some(Value::Double((*n as f64).to_bits())),
        (Primitive::Float, Item::Fraction(bits)) => {
            Some(Value::Single((f64::from_bits(*bits) as f32).to_bits()))
        }
        (Primitive::Double, Item::Fraction(bits)) => Some(Value::Double(*bits)),
        _ => None,
    }
}

/// A scalar of the logic; nothing for references but null.
pub fn imported(value: LogicValue) -> Option<Value> {
    Some(match value {
        LogicValue::Bool(value) => Value::Bool(value),
        LogicValue::Int(value) => Value::Int(value),
        LogicValue::Single(bits) => Value::Single(bits),
        LogicValue::Double(bits) => Value::Double(bits),
        LogicValue::Null => Value::Null,
        LogicValue::Ref(_) => return None,
    })
}

/// A scalar as the logic has it.
pub fn exported(value: Value) -> LogicValue {
    match value {
        Value::Bool(value) => LogicValue::Bool(value),
        Value::Int(value) => LogicValue::Int(value),
        Value::Single(bits) => LogicValue::Single(bits),
        Value::Double(bits) => LogicValue::Double(bits),
        Value::Null | Value::Pointer(_) => LogicValue::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn domains_are_lists_of_values_and_ranges() {
        let domain: Domain = "key=0..2, 7,null".parse().expect("a domain");
        let numbers = [0, 1, 2, 7].map(Item::Number);
        let mut items: Vec<Item> = numbers.into();
        items.push(Item::Null);
        assert_eq!((domain.key.as_str(), domain.items), ("key", items));
        let words: Domain = "String=\"a\",\"\"".parse().expect("a domain");
        assert_eq!(words.items, [Item::Text("a".into()), Item::Text("".into())]);
        for wrong in [
            "key",
            "=1",
            "key=",
            "key=1..",
            "key=x",
            "key=0..99999999999",
        ] {
            assert!(wrong.parse::<Domain>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn numbers_have_to_fit_their_type() {
        assert_eq!(scalar(Primitive::Byte, &Item::Number(128)), None);
        assert_eq!(scalar(Primitive::Char, &Item::Number(-1)), None);
        assert_eq!(
            scalar(Primitive::Int, &Item::Number(-1)),
            Some(Value::Int(-1))
        );
        assert_eq!(scalar(Primitive::Boolean, &Item::Number(1)), None);
    }
}

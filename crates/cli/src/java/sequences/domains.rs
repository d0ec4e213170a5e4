//! The values that calls in sequences are given: small domains, by the types and names of
//! parameters.

use std::collections::BTreeSet;
use std::str::FromStr;

use heapwright_engine::NumberDomain;
use heapwright_engine::sequences::Argument;
use heapwright_ir::machine::concrete::Value;
use heapwright_java::descriptor::{Primitive, Type};
use heapwright_java::world::World;

use super::Written;
use super::values::{Item, Maker, boxed_in};
use crate::failure::Failure;

/// A domain with more values than this is a mistake.
const LARGEST: usize = 10_000;

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

impl Domain {
    /// The domain as a range of numbers, if it is one.
    pub fn numbers(&self) -> Option<NumberDomain> {
        let number = |item: &Item| match item {
            Item::Number(number) => Some(*number),
            _ => None,
        };
        let numbers: Option<Vec<i128>> = self.items.iter().map(number).collect();
        let numbers = numbers?;
        let (&least, &greatest) = (numbers.iter().min()?, numbers.iter().max()?);
        let is_range = greatest - least + 1 == numbers.len() as i128;
        is_range.then(|| NumberDomain {
            name: self.key.clone(),
            least,
            greatest,
        })
    }
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

#[cfg(test)]
mod tests {
    use super::super::values::scalar;
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

//! The values that calls in sequences are given: small domains, by the types and names of
//! parameters.

use std::collections::BTreeSet;

use heapwright_engine::sequences::Argument;
use heapwright_ir::machine::concrete::Value;
use heapwright_java::descriptor::{Primitive, Type};
use heapwright_java::world::World;

use super::Written;
use super::values::{Maker, boxed_in};
use heapwright_testgen::domain::{Domain, Item};
use heapwright_testgen::{Error, SequenceError};

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
    /// Whether given values that do not fit a parameter are left out, rather than being a mistake of
    /// whoever gave them.
    pub is_lenient: bool,
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

/// A parameter that values are wanted for.
pub struct WantedParameter<'a> {
    /// The method.
    pub method: &'a str,
    /// The method with the types of its parameters, which no other one of its class has.
    pub signature: &'a str,
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

impl Domains {
    /// The values of a parameter.
    pub fn values(
        &self,
        world: &mut World,
        written: &mut Written,
        place: &WantedParameter<'_>,
    ) -> Result<Values, Error> {
        let given = (self.given.iter().rev()).find(|domain| is_for(domain, place));
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
                None if given.is_some() && !self.is_lenient => {
                    let (method, number, ty) = (place.method, place.number, place.ty);
                    return Err(Error::Sequence(SequenceError::Domain {
                        number,
                        method: method.to_owned(),
                        ty: ty.to_string(),
                    }));
                }
                None => {}
            }
        }
        if domain.is_empty() && self.is_lenient {
            for item in self.usual(place.ty) {
                domain.extend(maker.argument(&item)?);
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

/// Whether a domain is that of a parameter.
fn is_for(domain: &Domain, place: &WantedParameter<'_>) -> bool {
    let ty = place.ty.to_string();
    let simple = ty.rsplit(['.', '$']).next().unwrap_or(&ty);
    let key = domain.key.as_str();
    key == ty
        || key == simple
        || Some(key) == place.name
        || key == format!("{}.{}", place.method, place.number)
        || key == format!("{}.{}", place.signature, place.number)
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

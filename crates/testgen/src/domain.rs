//! The values that parameters of calls in sequences get, as people write them.

use std::str::FromStr;

use heapwright_engine::NumberDomain;
use serde::{Deserialize, Serialize};

/// A domain with more values than this is a mistake.
const LARGEST: usize = 10_000;

/// The values of the parameters with a name, or of a type.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Domain {
    /// A name, a type, or `method.N` for the N-th parameter of methods with a name.
    pub key: String,
    /// The values, in order.
    pub items: Vec<Item>,
}

/// A value as it is written on the command line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Item {
    /// Null.
    Null,
    /// A number, or a character.
    Number(i128),
    /// The bits of a floating-point number.
    Fraction(u64),
    /// A truth value.
    Truth(bool),
    /// A string.
    Text(String),
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

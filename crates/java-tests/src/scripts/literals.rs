//! Values that calls are given: small ones, different from each other, and the constants of the code
//! under test.

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_java::classfile::{Class, Constant, Instruction};
use heapwright_java::descriptor::{Primitive, Type};
use heapwright_testgen::domain::Item;

/// Numbers that are tried first, in this order.
const NUMBERS: [i128; 12] = [1, 2, 3, 5, 8, 0, 4, 7, 10, -1, 17, 33];

/// Texts that are tried first.
const TEXTS: [&str; 8] = ["a", "b", "c", "", "ab", "abc", "b\na", "12"];

/// More constants than these help nobody.
const MOST: usize = 60;

/// A longer text is no word.
const LONGEST_WORD: usize = 12;

/// The constants of some code.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    numbers: Vec<i128>,
    fractions: Vec<u64>,
    texts: Vec<String>,
    /// What texts that the code reads are made of: words, and characters among the numbers.
    pub tokens: Vec<String>,
}

impl Constants {
    /// The constants of some classes.
    pub fn of(classes: &[Arc<Class>]) -> Constants {
        let mut numbers: BTreeSet<i128> = BTreeSet::new();
        let mut fractions: BTreeSet<u64> = BTreeSet::new();
        let mut texts: BTreeSet<String> = BTreeSet::new();
        let bodies = classes.iter().flat_map(|class| &class.methods);
        let bodies = bodies.filter_map(|method| method.code.as_ref());
        for (_, instruction) in bodies.flat_map(|code| &code.instructions) {
            match instruction {
                Instruction::Constant(Constant::Int(value)) => {
                    numbers.insert((*value).into());
                }
                Instruction::Constant(Constant::Long(value)) => {
                    numbers.insert((*value).into());
                }
                Instruction::Constant(Constant::Float(bits)) => {
                    fractions.insert(f64::from(f32::from_bits(*bits)).to_bits());
                }
                Instruction::Constant(Constant::Double(bits)) => {
                    fractions.insert(*bits);
                }
                Instruction::Constant(Constant::String(text)) => {
                    texts.extend(String::from_utf16(text.units()));
                }
                Instruction::Switch(switch) => {
                    numbers.extend(switch.cases.iter().map(|(key, _)| i128::from(*key)));
                }
                _ => {}
            }
        }
        let signs = (numbers.iter()).filter_map(|&number| {
            let sign = char::from_u32(u32::try_from(number).ok()?)?;
            let is_sign = sign.is_ascii_graphic() || [' ', '\n', '\t'].contains(&sign);
            is_sign.then(|| sign.to_string())
        });
        let words = texts
            .iter()
            .filter(|text| !text.is_empty() && text.len() <= LONGEST_WORD);
        // Those of regular expressions stand for other signs; the letters of words are none.
        let within = texts.iter().flat_map(|text| text.chars());
        let within = within.filter(char::is_ascii_punctuation).map(String::from);
        let tokens: BTreeSet<String> = signs.chain(words.cloned()).chain(within).collect();
        // What is compared with a constant is one more or less on other branches.
        let near: Vec<i128> = numbers.iter().flat_map(|&n| [n - 1, n + 1]).collect();
        numbers.extend(near);
        Constants {
            numbers: numbers.into_iter().take(MOST).collect(),
            fractions: fractions.into_iter().take(MOST).collect(),
            texts: (texts.into_iter())
                .filter(|text| text.len() <= 40)
                .take(MOST)
                .collect(),
            tokens: tokens.into_iter().take(MOST).collect(),
        }
    }

    /// The values of a type that is written down; nothing for other types.
    pub fn items(&self, ty: &Type) -> Vec<Item> {
        match ty {
            Type::Primitive(Primitive::Boolean) => vec![Item::Truth(true), Item::Truth(false)],
            Type::Primitive(Primitive::Char) => {
                let usual = "abc \n0A1zé".chars().map(|c| i128::from(u32::from(c)));
                self.with_constants(usual)
            }
            Type::Primitive(Primitive::Float | Primitive::Double) => {
                let usual = [1.5_f64, 2.0, 0.5, 0.0, -1.0, 100.0];
                let found = usual.iter().map(|value| value.to_bits());
                let all = found.chain(self.fractions.iter().copied());
                let mut items: Vec<Item> = all.map(Item::Fraction).collect();
                items.extend(self.numbers.iter().map(|&number| Item::Number(number)));
                items.push(Item::Fraction(f64::NAN.to_bits()));
                items.push(Item::Fraction(f64::INFINITY.to_bits()));
                items
            }
            Type::Primitive(primitive) => {
                let (low, high) = match primitive {
                    Primitive::Byte => (i128::from(i8::MIN), i128::from(i8::MAX)),
                    Primitive::Short => (i16::MIN.into(), i16::MAX.into()),
                    Primitive::Long => (i64::MIN.into(), i64::MAX.into()),
                    _ => (i32::MIN.into(), i32::MAX.into()),
                };
                let mut items = self.with_constants(NUMBERS);
                items.extend([Item::Number(high), Item::Number(low)]);
                items
            }
            Type::Class(name)
                if ["java.lang.String", "java.lang.CharSequence"].contains(&&**name) =>
            {
                let usual = TEXTS.iter().map(|text| (*text).to_owned());
                let more = self
                    .texts
                    .iter()
                    .filter(|text| !TEXTS.contains(&text.as_str()));
                usual.chain(more.cloned()).map(Item::Text).collect()
            }
            _ => Vec::new(),
        }
    }

    fn with_constants(&self, usual: impl IntoIterator<Item = i128>) -> Vec<Item> {
        let mut numbers: Vec<i128> = usual.into_iter().collect();
        for number in &self.numbers {
            if !numbers.contains(number) {
                numbers.push(*number);
            }
        }
        numbers.into_iter().map(Item::Number).collect()
    }
}

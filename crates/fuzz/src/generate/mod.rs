//! Inputs made from scratch, in each of the languages that are read.
//!
//! Most of them are well-formed and well-sorted, because an early error hides everything behind
//! it: names come from a small pool in which `x`, `y`, `z` are references and the others
//! integers. Now and then a piece slips and does not fit.

mod c;
pub mod class_file;
mod configuration;
mod heap_json;
pub mod jar;
mod smtlib;
mod specification;
mod starfinder;

use crate::Language;
use crate::random::Random;

const CLASSES: [&str; 2] = ["Node", "Tree"];
const REFERENCES: [&str; 3] = ["x", "y", "z"];
const INTEGERS: [&str; 5] = ["n", "lo", "hi", "v", "w"];

/// Predicates with the sorts of their parameters: true for a reference.
const PREDICATES: [(&str, &[bool]); 4] = [
    ("list", &[true]),
    ("segment", &[true, true]),
    ("sized", &[true, false]),
    ("ordered", &[true, false, false]),
];

const NUMBERS: [&str; 10] = [
    "0",
    "1",
    "1",
    "2",
    "3",
    "7",
    "100",
    "2147483647",
    "9223372036854775808",
    "99999999999999999999999999999999999999999",
];

/// One leaf in this many is of the wrong sort or otherwise out of place.
const SLIP: usize = 150;

/// An input in the language.
pub fn generate(language: Language, random: &mut Random) -> Vec<u8> {
    let text = match language {
        Language::Specification => specification::generate(random),
        Language::Pred => starfinder::generate(random),
        Language::Smtlib => smtlib::generate(random),
        Language::HeapJson => heap_json::generate(random),
        Language::Configuration => configuration::generate(random),
        Language::C => c::generate(random),
        Language::ClassFile => return class_file::generate(random),
        Language::Jar => return jar::generate(random),
    };
    text.into_bytes()
}

/// The parameters of a predicate: names of the right sorts, all different.
fn parameters(sorts: &[bool]) -> Vec<&'static str> {
    let (mut references, mut integers) = (REFERENCES.iter(), INTEGERS.iter());
    (sorts.iter())
        .filter_map(|&is_reference| {
            let names = if is_reference {
                &mut references
            } else {
                &mut integers
            };
            names.next().copied()
        })
        .collect()
}

/// A number; negative ones are written by the languages in their own ways.
fn number(random: &mut Random) -> &'static str {
    // Large numbers are rare, as they are in real texts.
    let choices = if random.one_in(20) {
        &NUMBERS[..]
    } else {
        &NUMBERS[..6]
    };
    choices[random.below(choices.len())]
}

/// `count` pieces with a separator between them.
fn repeated(
    random: &mut Random,
    count: usize,
    separator: &str,
    piece: impl Fn(&mut Random) -> String,
) -> String {
    let pieces: Vec<_> = (0..count).map(|_| piece(random)).collect();
    pieces.join(separator)
}

//! Damage done to an input: what a slip of the hand, a broken file or an attacker would do.

pub mod c;
pub mod class_file;
pub mod jar;

use crate::Language;
use crate::random::Random;

/// Characters and words that readers are most likely to stumble over.
const SPLINTERS: [&str; 30] = [
    "(",
    ")",
    "{",
    "}",
    "\"",
    "'",
    "/*",
    "//",
    ";",
    ":=",
    "|",
    "&",
    "*",
    "->",
    "∃",
    "\u{0}",
    "\u{feff}",
    "\r\n",
    "\t",
    "𝒳",
    "emp",
    "null",
    "this",
    "pred",
    "99999999999999999999999999999999999999999",
    "-",
    ".",
    "#",
    "|x|",
    "e",
];

/// Words that are repeated to nest deeply.
const NESTS: [&str; 9] = [
    "(",
    "!(",
    "[",
    "{\"a\":",
    "-",
    "(and ",
    "exists x. ",
    "old(",
    "(not ",
];

/// A few changes to an input in a language; `other` is a second one to splice in.
pub fn mutate(language: Language, input: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    match language {
        Language::ClassFile => class_file::mutate(input, other, random),
        Language::Jar => jar::mutate(input, other, random),
        _ => {
            let (input, other) = (
                String::from_utf8_lossy(input),
                String::from_utf8_lossy(other),
            );
            // What does not keep to the grammar at all is clang's business.
            if language == Language::C && !random.one_in(8) {
                return c::mutate(&input, &other, random).into_bytes();
            }
            mutate_text(&input, &other, random).into_bytes()
        }
    }
}

/// A few changes to `text`; `other` is a second text to splice in.
fn mutate_text(text: &str, other: &str, random: &mut Random) -> String {
    let mut mutated = text.to_owned();
    for _ in 0..=random.below(4) {
        mutated = mutate_once(&mutated, other, random);
    }
    mutated
}

fn mutate_once(text: &str, other: &str, random: &mut Random) -> String {
    let (start, end) = span(text, random);
    let (before, inside, after) = (&text[..start], &text[start..end], &text[end..]);
    match random.below(9) {
        0 => format!("{before}{after}"),
        1 => format!("{before}{inside}{inside}{after}"),
        2 => format!("{before}{}{after}", random.pick(&SPLINTERS)),
        3 => format!("{before}{inside}{}{after}", random.pick(&SPLINTERS)),
        4 => before.to_owned(),
        5 => {
            let (start, end) = span(other, random);
            format!("{before}{}{after}", &other[start..end])
        }
        6 => swap_words(text, random),
        7 => {
            let (start, end) = span(text, random);
            // Moves a piece of the text to another place.
            let piece = &text[start..end];
            format!("{before}{piece}{inside}{after}")
        }
        _ => {
            // Deep nesting must get an error, not a stack overflow. It is rare, because it makes
            // texts long.
            let depth = if random.one_in(50) {
                20_000
            } else {
                random.below(80)
            };
            let opening = random.pick(&NESTS).repeat(depth);
            let closing = random.pick(&["", ")", "}"]).repeat(depth);
            format!("{before}{opening}{inside}{closing}{after}")
        }
    }
}

/// A random piece of the text, mostly short, on character boundaries.
fn span(text: &str, random: &mut Random) -> (usize, usize) {
    let start = boundary(text, random.below(text.len() + 1));
    let most = if random.one_in(4) { 200 } else { 12 };
    let end = boundary(text, (start + random.below(most)).min(text.len()));
    (start, end.max(start))
}

/// The character boundary at or before `position`.
fn boundary(text: &str, mut position: usize) -> usize {
    while !text.is_char_boundary(position) {
        position -= 1;
    }
    position
}

fn swap_words(text: &str, random: &mut Random) -> String {
    let mut words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    if words.len() > 1 {
        let (a, b) = (random.below(words.len()), random.below(words.len()));
        words.swap(a, b);
    }
    words.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutation_keeps_within_characters_and_does_change_texts() {
        let text = "pred p(x) := ∃ n. x ↦ Node(n) ∗ p(n);";
        let changed = (0..1000)
            .filter(|&index| {
                let mut random = Random::for_text(3, index);
                mutate_text(text, "emp ∧ x ≠ y", &mut random) != text
            })
            .count();
        assert!(changed > 900, "{changed}");
    }
}

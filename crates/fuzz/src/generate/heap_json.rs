//! Heaps as JSON, for the specification that [`crate::subject`] reads them against.

use super::{INTEGERS, REFERENCES, SLIP, number, repeated};
use crate::random::Random;

/// How many objects a heap has at most.
const MOST_OBJECTS: usize = 5;

pub fn generate(random: &mut Random) -> String {
    let count = random.below(MOST_OBJECTS + 1);
    let objects: Vec<String> = (1..=count)
        .map(|name| object(random, name, count))
        .collect();
    let mut stack: Vec<String> = (REFERENCES.iter())
        .map(|name| format!("\"{name}\": {}", reference(random, count)))
        .collect();
    if random.one_in(2) {
        let name = random.pick(&INTEGERS);
        stack.push(format!("\"{name}\": {}", integer(random)));
    }
    if random.one_in(SLIP) {
        stack.push(format!("\"unknown\": {}", number(random)));
    }
    let (stack, objects) = (stack.join(", "), objects.join(",\n"));
    format!("{{\"stack\": {{{stack}}},\n\"objects\": {{{objects}}}}}")
}

fn object(random: &mut Random, name: usize, count: usize) -> String {
    if random.one_in(12) {
        return format!("\"#{name}\": {{\"dangling\": true}}");
    }
    let (value, next) = (integer(random), reference(random, count));
    format!("\"#{name}\": {{\"class\": \"Node\", \"value\": {value}, \"next\": {next}}}")
}

fn reference(random: &mut Random, count: usize) -> String {
    match random.below(count + 1) {
        0 => "null".to_owned(),
        target if random.one_in(SLIP) => target.to_string(),
        target => format!("\"#{target}\""),
    }
}

fn integer(random: &mut Random) -> String {
    match random.below(20) {
        0 => format!("\"{}\"", number(random)),
        1 => format!("-{}", number(random)),
        2 if random.one_in(8) => {
            let count = random.below(4);
            format!(
                "[{}]",
                repeated(random, count, ", ", |random| number(random).to_owned())
            )
        }
        _ => number(random).to_owned(),
    }
}

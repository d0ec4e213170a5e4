//! Heaps as JSON.

use super::{CLASSES, INTEGERS, REFERENCES, number, repeated};
use crate::random::Random;

pub fn generate(random: &mut Random) -> String {
    let _ = (CLASSES, INTEGERS, REFERENCES);
    let count = random.below(4);
    repeated(random, count, ",", |random| number(random).to_owned())
}

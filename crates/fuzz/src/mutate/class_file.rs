//! Damage done to class files: to their bytes, and to what their numbers mean.

use crate::java::class_map::{ClassMap, Role, map};
use crate::random::Random;

/// Numbers that are most likely not to be expected.
const NUMBERS: [u16; 12] = [
    0, 1, 2, 3, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xfffe, 0xffff,
];

/// Texts in the place of names and descriptors.
const TEXTS: [&str; 38] = [
    "",
    "I",
    "J",
    "D",
    "V",
    "()V",
    "(I)I",
    "(J)J",
    "(",
    "()",
    "(V)V",
    "([[[[I)D",
    "[I",
    "[[[[[[[[J",
    "L;",
    "Ljava/lang/Object;",
    "(Ljava/lang/Object;)Ljava/lang/Object;",
    "java/lang/Object",
    "java/lang/String",
    "java/lang/Enum",
    "java/lang/Record",
    "java/lang/Throwable",
    "java/lang/Integer",
    "java/util/List",
    "java/util/TreeMap",
    "../../x",
    "/etc/x",
    "a/../../b",
    "..",
    "a\\b",
    "a\nb",
    "<init>",
    "<clinit>",
    "Code",
    "BootstrapMethods",
    "repOk",
    "values",
    "\u{1f333}",
];

/// Constants at the ends of their ranges.
const CONSTANTS: [u64; 8] = [
    0,
    1,
    u64::MAX,
    0x7fff_ffff_7fff_ffff,
    0x8000_0000_8000_0000,
    0x7ff8_0000_7fc0_0000,
    0xfff0_0000_ff80_0000,
    1_000_000,
];

/// A few changes to a class file; `other` is a second one to take pieces from.
pub fn mutate(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutated = bytes.to_vec();
    for _ in 0..=random.below(3) {
        if mutated.is_empty() {
            break;
        }
        // Blind damage mostly ends in the parser, so most of it is not blind.
        match random.below(8) {
            0 => blind(&mut mutated, other, random),
            _ => {
                let map = map(&mutated);
                meant(&mut mutated, &map, other, random);
            }
        }
    }
    mutated
}

fn blind(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let at = random.below(bytes.len());
    match random.below(5) {
        0 => bytes[at] ^= 1 << random.below(8),
        1 => bytes[at] = random.number() as u8,
        2 => bytes.truncate(at),
        3 => {
            let start = random.below(other.len() + 1);
            let end = (start + random.below(40)).min(other.len());
            let until = (at + random.below(40)).min(bytes.len());
            bytes.splice(at..until, other[start..end].iter().copied());
        }
        _ => put(bytes, at, NUMBERS[random.below(NUMBERS.len())]),
    }
}

/// Changes something at a place that is known to mean something.
fn meant(bytes: &mut Vec<u8>, map: &ClassMap, other: &[u8], random: &mut Random) {
    match random.below(14) {
        0 => number(bytes, map, Role::Count, random),
        1 | 2 => number(bytes, map, Role::Index, random),
        3 => number(bytes, map, Role::Length, random),
        4 => number(bytes, map, Role::Other, random),
        5 => exchange(bytes, map, random),
        6 => text(bytes, map, random),
        7 => constant(bytes, map, random),
        8 => {
            if let Some(&at) = one_of(&map.tags, random) {
                bytes[at] = random.below(21) as u8;
            }
        }
        9 => splice_code(bytes, map, other, random),
        _ => code(bytes, map, random),
    }
}

fn one_of<'a, T>(choices: &'a [T], random: &mut Random) -> Option<&'a T> {
    choices.get(random.below(choices.len()))
}

fn number(bytes: &mut [u8], map: &ClassMap, role: Role, random: &mut Random) {
    let places: Vec<usize> = (map.numbers.iter())
        .filter(|(_, known)| *known == role)
        .map(|(at, _)| *at)
        .collect();
    let Some(&at) = one_of(&places, random) else {
        return;
    };
    // Of a length only the lower half is usual.
    let at = match role {
        Role::Length if !random.one_in(4) => at + 2,
        _ => at,
    };
    let old = u16::from_be_bytes([bytes[at], bytes[at + 1]]);
    let new = match random.below(4) {
        0 => old.wrapping_add(1),
        1 => old.wrapping_sub(1),
        2 => NUMBERS[random.below(NUMBERS.len())],
        _ => random.below(usize::from(map.pool) + 2) as u16,
    };
    put(bytes, at, new);
}

/// Exchanges two references to constants.
fn exchange(bytes: &mut [u8], map: &ClassMap, random: &mut Random) {
    let places: Vec<usize> = (map.numbers.iter())
        .filter(|(_, role)| *role == Role::Index)
        .map(|(at, _)| *at)
        .collect();
    let one = one_of(&places, random);
    if let (Some(&one), Some(&other)) = (one, one_of(&places, random)) {
        bytes.swap(one, other);
        bytes.swap(one + 1, other + 1);
    }
}

/// Another text in the place of one, with the right length.
fn text(bytes: &mut Vec<u8>, map: &ClassMap, random: &mut Random) {
    let Some(old) = one_of(&map.texts, random).cloned() else {
        return;
    };
    let new = match random.below(4) {
        0 => match one_of(&map.texts, random) {
            Some(known) => bytes[known.clone()].to_vec(),
            None => return,
        },
        1 if random.one_in(20) => vec![b'a'; 300 + random.below(65_000)],
        1 => vec![random.below(256) as u8; random.below(4)],
        _ => TEXTS[random.below(TEXTS.len())].as_bytes().to_vec(),
    };
    put(bytes, old.start - 2, new.len() as u16);
    bytes.splice(old, new);
}

fn constant(bytes: &mut [u8], map: &ClassMap, random: &mut Random) {
    if let Some(&(at, width)) = one_of(&map.constants, random) {
        let new = CONSTANTS[random.below(CONSTANTS.len())].to_be_bytes();
        bytes[at..at + width].copy_from_slice(&new[8 - width..]);
    }
}

/// Code of another class in the place of some code, of the same length.
fn splice_code(bytes: &mut [u8], own: &ClassMap, other: &[u8], random: &mut Random) {
    let others = map(other);
    let (own, from) = (one_of(&own.codes, random), one_of(&others.codes, random));
    if let (Some(own), Some(from)) = (own, from) {
        let length = own.len().min(from.len());
        let from = &other[from.start..from.start + length];
        bytes[own.start..own.start + length].copy_from_slice(from);
    }
}

/// Another instruction, another operand, or two instructions exchanged.
fn code(bytes: &mut [u8], map: &ClassMap, random: &mut Random) {
    let place = random.below(map.opcodes.len());
    let Some(&at) = map.opcodes.get(place) else {
        return;
    };
    let next = map.opcodes.get(place + 1).copied().unwrap_or(at + 1);
    match random.below(4) {
        // A neighbour among the opcodes has another type or the opposite condition.
        0 => bytes[at] = bytes[at].wrapping_add([1, 255, 4, 252][random.below(4)]),
        1 => bytes[at] = random.below(202) as u8,
        2 if next > at + 1 && next <= bytes.len() => {
            let operand = at + 1 + random.below(next - at - 1);
            bytes[operand] = match random.below(3) {
                0 => random.number() as u8,
                1 => bytes[operand].wrapping_add(1),
                _ => random.below(8) as u8,
            };
        }
        _ => {
            if let Some(&other) = one_of(&map.opcodes, random) {
                bytes[at] = bytes[other];
            }
        }
    }
}

/// Writes a number where there is room for it.
fn put(bytes: &mut [u8], at: usize, number: u16) {
    if let Some(place) = bytes.get_mut(at..at + 2) {
        place.copy_from_slice(&number.to_be_bytes());
    }
}

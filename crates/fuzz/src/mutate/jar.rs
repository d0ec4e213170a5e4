//! Damage done to jars: to their bytes, and to the headers of their entries.

use crate::random::Random;

/// The signatures of headers: of an entry, of the central directory, and of its end.
const SIGNATURES: [&[u8]; 3] = [b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"];

/// The longest header has so many bytes behind its signature.
const HEADER: usize = 42;

/// A few changes to a jar; `other` is a second one to take pieces from.
pub fn mutate(bytes: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut mutated = bytes.to_vec();
    for _ in 0..=random.below(3) {
        if mutated.is_empty() {
            break;
        }
        let at = random.below(mutated.len());
        match random.below(8) {
            0 => mutated[at] ^= 1 << random.below(8),
            1 => mutated[at] = random.number() as u8,
            2 if random.one_in(3) => mutated.truncate(at),
            3 => {
                let start = random.below(other.len() + 1);
                let end = (start + random.below(200)).min(other.len());
                let until = (at + random.below(200)).min(mutated.len());
                mutated.splice(at..until, other[start..end].iter().copied());
            }
            _ => header(&mut mutated, random),
        }
    }
    mutated
}

/// Another size, offset, length, count or method in one of the headers.
fn header(bytes: &mut [u8], random: &mut Random) {
    let signature = SIGNATURES[random.below(SIGNATURES.len())];
    let places: Vec<usize> = (bytes.windows(4).enumerate())
        .filter(|(_, window)| *window == signature)
        .map(|(at, _)| at)
        .collect();
    let Some(&at) = places.get(random.below(places.len())) else {
        return;
    };
    let field = at + 4 + 2 * random.below(HEADER / 2);
    let number = match random.below(6) {
        0 => 0,
        1 => u32::MAX,
        2 => 0x7fff_ffff,
        3 => random.below(20) as u32,
        4 => random.below(bytes.len()) as u32,
        _ => random.number() as u32,
    };
    let width = 2 + 2 * random.below(2);
    if let Some(place) = bytes.get_mut(field..field + width) {
        place.copy_from_slice(&number.to_le_bytes()[..width]);
    }
}

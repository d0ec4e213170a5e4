//! SHA-256 (FIPS 180-4): what keys are made of. Somebody who can put entries into a store that is
//! shared must not be able to make two inputs with one key, so no faster hash will do.

use std::fmt;

/// The fingerprint of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    /// The fingerprint of some bytes.
    pub fn of(bytes: &[u8]) -> Fingerprint {
        let mut digest = Digest::default();
        digest.bytes(bytes);
        digest.finish()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

/// Bytes whose fingerprint is wanted.
#[derive(Clone, Debug)]
pub struct Digest {
    state: [u32; 8],
    block: Vec<u8>,
    length: u64,
}

/// The first bits of the fractional parts of the cube roots of the first primes.
const ROUNDS: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

impl Default for Digest {
    fn default() -> Digest {
        Digest {
            state: [
                0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab,
                0x5be0cd19,
            ],
            block: Vec::with_capacity(64),
            length: 0,
        }
    }
}

impl Digest {
    /// Adds bytes.
    pub fn bytes(&mut self, mut bytes: &[u8]) {
        self.length = self.length.wrapping_add(bytes.len() as u64);
        if !self.block.is_empty() {
            let missing = (64 - self.block.len()).min(bytes.len());
            let (first, rest) = bytes.split_at(missing);
            self.block.extend(first);
            bytes = rest;
            if self.block.len() < 64 {
                return;
            }
            compress(&mut self.state, &self.block);
            self.block.clear();
        }
        let mut blocks = bytes.chunks_exact(64);
        for block in &mut blocks {
            compress(&mut self.state, block);
        }
        self.block.extend(blocks.remainder());
    }

    /// Adds a text, so that no two lists of texts are added as the same bytes.
    pub fn text(&mut self, text: &str) {
        self.bytes(&(text.len() as u64).to_le_bytes());
        self.bytes(text.as_bytes());
    }

    /// The fingerprint.
    pub fn finish(mut self) -> Fingerprint {
        let bits = self.length.wrapping_mul(8);
        self.bytes(&[0x80]);
        while self.block.len() != 56 {
            self.bytes(&[0]);
        }
        self.bytes(&bits.to_be_bytes());
        let mut result = [0; 32];
        for (part, word) in result.chunks_exact_mut(4).zip(self.state) {
            part.copy_from_slice(&word.to_be_bytes());
        }
        Fingerprint(result)
    }
}

fn compress(state: &mut [u32; 8], block: &[u8]) {
    let mut words = [0_u32; 64];
    for (word, bytes) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = bytes
            .iter()
            .fold(0, |word, &byte| word << 8 | u32::from(byte));
    }
    for index in 16..64 {
        let (early, late) = (words[index - 15], words[index - 2]);
        let first = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let second = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        words[index] = words[index - 16]
            .wrapping_add(first)
            .wrapping_add(words[index - 7])
            .wrapping_add(second);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, round) in words.iter().zip(ROUNDS) {
        let sum = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let first = (h.wrapping_add(sum).wrapping_add(choice))
            .wrapping_add(round)
            .wrapping_add(*word);
        let sum = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = sum.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e) = (g, f, e, d.wrapping_add(first));
        (d, c, b, a) = (c, b, a, first.wrapping_add(second));
    }
    for (old, new) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *old = old.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the standard, and a million times `a`.
    #[test]
    fn the_examples_of_the_standard() {
        let check = |bytes: &[u8], expected: &str| {
            assert_eq!(Fingerprint::of(bytes).to_string(), expected);
        };
        check(
            b"",
            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        );
        check(
            b"abc",
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        );
        check(
            b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        );
        check(
            &vec![b'a'; 1_000_000],
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0",
        );
    }

    #[test]
    fn how_bytes_are_cut_does_not_matter() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1000).collect();
        for size in [1, 7, 63, 64, 65, 200] {
            let mut digest = Digest::default();
            bytes.chunks(size).for_each(|part| digest.bytes(part));
            assert_eq!(digest.finish(), Fingerprint::of(&bytes), "{size}");
        }
    }

    #[test]
    fn texts_do_not_run_into_each_other() {
        let of = |texts: &[&str]| {
            let mut digest = Digest::default();
            texts.iter().for_each(|text| digest.text(text));
            digest.finish()
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
    }
}

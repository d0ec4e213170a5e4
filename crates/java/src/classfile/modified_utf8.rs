//! Modified UTF-8 (JVMS 4.4.7): UTF-16 code units, each written as one to three bytes.
//!
//! It differs from UTF-8 in that U+0000 takes two bytes, and that characters outside of the basic
//! plane are two surrogates of three bytes each. A surrogate may therefore stand alone. In string
//! constants that is common (tables of numbers are compiled into strings), and a [`JavaString`]
//! keeps the code units as they are. In names it is legal but hardly seen; a name is a Rust string,
//! and a lone surrogate becomes the six characters `\ud800`.

use std::fmt;
use std::sync::Arc;

/// A string constant: UTF-16 code units, among which surrogates may stand alone.
#[derive(
    Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct JavaString(Arc<[u16]>);

impl JavaString {
    /// The string with these code units.
    pub fn new(units: impl Into<Arc<[u16]>>) -> Self {
        JavaString(units.into())
    }

    /// The code units, as `String.charAt` gives them.
    pub fn units(&self) -> &[u16] {
        &self.0
    }
}

impl From<&str> for JavaString {
    fn from(text: &str) -> Self {
        JavaString(text.encode_utf16().collect())
    }
}

/// The text, with lone surrogates as `\ud800`.
impl fmt::Display for JavaString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for unit in char::decode_utf16(self.0.iter().copied()) {
            match unit {
                Ok(character) => write!(f, "{character}")?,
                Err(lone) => write!(f, "\\u{:04x}", lone.unpaired_surrogate())?,
            }
        }
        Ok(())
    }
}

/// The code units of modified UTF-8, or the offset of the byte that is wrong.
pub(super) fn code_units(bytes: &[u8]) -> Result<Vec<u16>, usize> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(&first) = rest.first() {
        let (unit, length) = match (first, rest) {
            (0x01..=0x7f, _) => (u16::from(first), 1),
            (0xc0..=0xdf, [_, y, ..]) if is_continuation(*y) => {
                (u16::from(first & 0x1f) << 6 | low_bits(*y), 2)
            }
            (0xe0..=0xef, [_, y, z, ..]) if is_continuation(*y) && is_continuation(*z) => (
                u16::from(first & 0x0f) << 12 | low_bits(*y) << 6 | low_bits(*z),
                3,
            ),
            _ => return Err(bytes.len() - rest.len()),
        };
        units.push(unit);
        rest = rest.get(length..).unwrap_or_default();
    }
    Ok(units)
}

/// Names and other texts that are not string constants.
pub(super) fn text(bytes: &[u8]) -> Result<String, usize> {
    // Nearly all names are plain ASCII, which is the same in both encodings, apart from NUL.
    if bytes.iter().all(|byte| (0x01..=0x7f).contains(byte)) {
        return Ok(String::from_utf8_lossy(bytes).into_owned());
    }
    Ok(JavaString::new(code_units(bytes)?).to_string())
}

fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

fn low_bits(byte: u8) -> u16 {
    u16::from(byte & 0x3f)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_units_take_one_to_three_bytes() {
        let bytes = [b'a', 0xc0, 0x80, 0xc3, 0xa9, 0xe2, 0x82, 0xac];
        assert_eq!(code_units(&bytes), Ok(vec![0x61, 0, 0xe9, 0x20ac]));
        assert_eq!(text(&bytes).as_deref(), Ok("a\0é€"));
    }

    #[test]
    fn two_surrogates_make_a_character_and_a_lone_one_is_kept() {
        let pair = [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80];
        assert_eq!(code_units(&pair), Ok(vec![0xd83d, 0xde00]));
        assert_eq!(text(&pair).as_deref(), Ok("😀"));
        assert_eq!(code_units(&pair[..3]), Ok(vec![0xd83d]));
        assert_eq!(text(&pair[..3]).as_deref(), Ok("\\ud83d"));
    }

    #[test]
    fn bytes_of_no_code_unit_are_refused_with_their_place() {
        assert_eq!(code_units(&[b'a', 0]), Err(1));
        assert_eq!(code_units(&[0x80]), Err(0));
        assert_eq!(code_units(&[b'a', b'b', 0xe2, 0x82]), Err(2));
        // Four-byte sequences of proper UTF-8 do not occur in class files.
        assert_eq!(text("😀".as_bytes()), Err(0));
    }
}

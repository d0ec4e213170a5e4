//! Positions as editors count them: lines from 0, columns from 0 in UTF-16 code units.

use std::ops::Range;

use serde_json::{Value, json};

/// The byte of a text at a position. A position behind the end of a line is that end, and one
/// behind the last line is the end of the text.
pub fn to_byte(text: &str, line: u64, column: u64) -> usize {
    let mut start = 0;
    for _ in 0..line {
        match text[start..].find('\n') {
            Some(length) => start += length + 1,
            None => return text.len(),
        }
    }
    let end = text[start..]
        .find('\n')
        .map_or(text.len(), |length| start + length);
    let mut units = 0;
    for (at, character) in text[start..end].char_indices() {
        if units >= column || character == '\r' {
            return start + at;
        }
        units += character.len_utf16() as u64;
    }
    end
}

/// The position of a byte.
pub fn of_byte(text: &str, byte: usize) -> Value {
    let mut byte = byte.min(text.len());
    while !text.is_char_boundary(byte) {
        byte -= 1;
    }
    let before = &text[..byte];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = before.bytes().filter(|&byte| byte == b'\n').count();
    json!({ "line": line, "character": before[start..].encode_utf16().count() })
}

/// The range of some bytes.
pub fn range(text: &str, bytes: &Range<usize>) -> Value {
    json!({ "start": of_byte(text, bytes.start), "end": of_byte(text, bytes.end) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_code_units() {
        let text = "aä𝄞b\r\n\ncd";
        for (byte, line, column) in [
            (0, 0, 0),
            (1, 0, 1),
            (3, 0, 2),
            (7, 0, 4),
            (10, 1, 0),
            (12, 2, 1),
        ] {
            assert_eq!(
                of_byte(text, byte),
                json!({"line": line, "character": column})
            );
            assert_eq!(to_byte(text, line, column), byte);
        }
        assert_eq!(to_byte(text, 0, 99), 8, "in front of the line break");
        assert_eq!(to_byte(text, 9, 0), text.len());
        assert_eq!(
            of_byte(text, 5),
            of_byte(text, 3),
            "no character begins at 5"
        );
    }
}

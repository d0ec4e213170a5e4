//! Literals: the values of numbers and characters as they are written.

use super::ast::{Float, FloatSuffix};

/// A number literal, or why it is none.
pub(super) enum Number {
    Int(i128),
    Float(Float),
}

/// The value of a number: decimal, hexadecimal (`0x`), with underscores between digits, with a
/// fraction or exponent, with the suffix `f` or `d`.
pub(super) fn number(text: &str) -> Result<Number, &'static str> {
    let digits: String = text.chars().filter(|&c| c != '_').collect();
    if let Some(hex) = (digits.strip_prefix("0x")).or_else(|| digits.strip_prefix("0X")) {
        return match u128::from_str_radix(hex, 16).map(i128::try_from) {
            Ok(Ok(value)) if !hex.starts_with('+') => Ok(Number::Int(value)),
            Ok(_) => Err("the number is too large"),
            Err(_) if hex.len() > 31 && hex.bytes().all(|b| b.is_ascii_hexdigit()) => {
                Err("the number is too large")
            }
            Err(_) => Err("malformed hexadecimal number"),
        };
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        let value = digits.parse();
        return value
            .map(Number::Int)
            .map_err(|_| "the number is too large");
    }
    let (mantissa, suffix) = match digits.strip_suffix(['f', 'F']) {
        Some(rest) => (rest, FloatSuffix::Single),
        None => match digits.strip_suffix(['d', 'D']) {
            Some(rest) => (rest, FloatSuffix::Double),
            None => (&digits[..], FloatSuffix::None),
        },
    };
    // The standard parser also knows `inf` and `nan`, which a literal never spells.
    let plain = |c: char| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-');
    if !mantissa.chars().all(plain) {
        return Err("malformed number");
    }
    let value = match suffix {
        FloatSuffix::Single => mantissa.parse::<f32>().map(f64::from),
        _ => mantissa.parse::<f64>(),
    };
    match value {
        Ok(value) if value.is_finite() => Ok(Number::Float(Float { value, suffix })),
        Ok(_) => Err("the number is too large"),
        Err(_) => Err("malformed number"),
    }
}

/// The code unit of a character literal, given what stands between the quotation marks.
pub(super) fn character(body: &str) -> Result<u16, &'static str> {
    let mut characters = body.chars();
    let value = match (characters.next(), characters.as_str()) {
        (None, _) => return Err("empty character literal"),
        (Some('\\'), escape) => return escaped(escape),
        (Some(character), "") => character,
        _ => return Err("more than one character in a character literal"),
    };
    u16::try_from(u32::from(value)).map_err(|_| "the character does not fit into 16 bits")
}

fn escaped(escape: &str) -> Result<u16, &'static str> {
    let simple = match escape {
        "n" => '\n',
        "t" => '\t',
        "r" => '\r',
        "b" => '\u{8}',
        "f" => '\u{c}',
        "0" => '\0',
        "\\" => '\\',
        "'" => '\'',
        "\"" => '"',
        _ => {
            let hex = escape.strip_prefix('u').unwrap_or("");
            let well_formed = hex.len() == 4 && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
            return match u16::from_str_radix(hex, 16) {
                Ok(unit) if well_formed => Ok(unit),
                _ => Err("unknown escape in a character literal"),
            };
        }
    };
    Ok(simple as u16)
}

/// A code unit as a literal that [`character`] reads back.
pub fn print_character(unit: u16) -> String {
    match char::from_u32(u32::from(unit)) {
        Some('\'') => "'\\''".to_owned(),
        Some('\\') => "'\\\\'".to_owned(),
        Some('\n') => "'\\n'".to_owned(),
        Some('\t') => "'\\t'".to_owned(),
        Some(character) if (' '..='~').contains(&character) => format!("'{character}'"),
        _ => format!("'\\u{unit:04x}'"),
    }
}

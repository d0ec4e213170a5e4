//! Values of primitive types and strings as Java writes them.

use std::fmt::Write as _;

use heapwright_logic::Value;

use crate::descriptor::{Primitive, Type};

/// A value of a primitive type, or null; nothing if it is none of that type.
pub(super) fn literal(ty: &Type, value: Value) -> Option<String> {
    let Type::Primitive(primitive) = ty else {
        return (value == Value::Null).then(|| "null".to_owned());
    };
    match (primitive, value) {
        (Primitive::Boolean, Value::Bool(value)) => Some(value.to_string()),
        (Primitive::Char, Value::Int(value)) => Some(character(u16::try_from(value).ok()?)),
        (Primitive::Byte, Value::Int(value)) => Some(cast("byte", i8::try_from(value).ok()?)),
        (Primitive::Short, Value::Int(value)) => Some(cast("short", i16::try_from(value).ok()?)),
        (Primitive::Int, Value::Int(value)) => Some(match i32::try_from(value).ok()? {
            i32::MIN => "Integer.MIN_VALUE".to_owned(),
            i32::MAX => "Integer.MAX_VALUE".to_owned(),
            value => value.to_string(),
        }),
        (Primitive::Long, Value::Int(value)) => Some(match i64::try_from(value).ok()? {
            i64::MIN => "Long.MIN_VALUE".to_owned(),
            i64::MAX => "Long.MAX_VALUE".to_owned(),
            value => format!("{value}L"),
        }),
        (Primitive::Float, Value::Single(bits)) => Some(float(bits)),
        (Primitive::Double, Value::Double(bits)) => Some(double(bits)),
        _ => None,
    }
}

/// A value where the type of the place makes it a byte or short anyway: in initialisers of arrays
/// and assignments to fields.
pub(super) fn assigned_literal(ty: &Type, value: Value) -> Option<String> {
    let text = literal(ty, value)?;
    let bare = (text.strip_prefix("(byte) ")).or_else(|| text.strip_prefix("(short) "));
    Some(bare.map_or(text.clone(), ToOwned::to_owned))
}

fn cast(ty: &str, value: impl Into<i64>) -> String {
    format!("({ty}) {}", value.into())
}

fn float(bits: u32) -> String {
    const CANONICAL_NAN: u32 = 0x7fc0_0000;
    let value = f32::from_bits(bits);
    if bits == CANONICAL_NAN {
        "Float.NaN".to_owned()
    } else if value.is_nan() {
        format!("Float.intBitsToFloat(0x{bits:08x})")
    } else if value.is_infinite() {
        infinity("Float", value > 0.0)
    } else {
        format!("{value:?}f")
    }
}

fn double(bits: u64) -> String {
    const CANONICAL_NAN: u64 = 0x7ff8_0000_0000_0000;
    let value = f64::from_bits(bits);
    if bits == CANONICAL_NAN {
        "Double.NaN".to_owned()
    } else if value.is_nan() {
        format!("Double.longBitsToDouble(0x{bits:016x}L)")
    } else if value.is_infinite() {
        infinity("Double", value > 0.0)
    } else {
        // The shortest digits that give the same bits back, which Java reads as Rust does.
        format!("{value:?}")
    }
}

fn infinity(class: &str, positive: bool) -> String {
    let sign = if positive { "POSITIVE" } else { "NEGATIVE" };
    format!("{class}.{sign}_INFINITY")
}

fn character(unit: u16) -> String {
    let mut text = String::from("'");
    escape(&mut text, unit, '\'');
    text.push('\'');
    text
}

/// A string literal.
pub(super) fn string(units: &[u16]) -> String {
    let mut text = String::from("\"");
    for &unit in units {
        escape(&mut text, unit, '"');
    }
    text.push('"');
    text
}

/// Sources are plain ASCII, whatever encoding the compiler expects.
fn escape(text: &mut String, unit: u16, quote: char) {
    match char::from_u32(unit.into()) {
        Some('\n') => text.push_str("\\n"),
        Some('\r') => text.push_str("\\r"),
        Some('\t') => text.push_str("\\t"),
        Some('\\') => text.push_str("\\\\"),
        Some(c) if c == quote => {
            text.push('\\');
            text.push(c);
        }
        Some(c) if c == ' ' || c.is_ascii_graphic() => text.push(c),
        // Line ends must not be written as `\u000a`, which is replaced too early; they are above.
        _ => {
            let _ = write!(text, "\\u{unit:04x}");
        }
    }
}

/// The class of boxed values of a type, with its values.
pub(super) fn box_name(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Boolean => "Boolean",
        Primitive::Byte => "Byte",
        Primitive::Char => "Character",
        Primitive::Short => "Short",
        Primitive::Int => "Integer",
        Primitive::Long => "Long",
        Primitive::Float => "Float",
        Primitive::Double => "Double",
    }
}

/// The type of the values in boxes of a class.
pub(super) fn unboxed(class: &str) -> Option<Primitive> {
    let simple = class.strip_prefix("java.lang.")?;
    let all = [
        Primitive::Boolean,
        Primitive::Byte,
        Primitive::Char,
        Primitive::Short,
        Primitive::Int,
        Primitive::Long,
        Primitive::Float,
        Primitive::Double,
    ];
    all.into_iter().find(|&one| box_name(one) == simple)
}

/// Whether `valueOf` gives the same box every time.
pub(super) fn is_cached(primitive: Primitive, value: Value) -> bool {
    match (primitive, value) {
        (Primitive::Boolean | Primitive::Byte, _) => true,
        (Primitive::Char, Value::Int(value)) => value <= 127,
        (Primitive::Short | Primitive::Int | Primitive::Long, Value::Int(value)) => {
            (-128..=127).contains(&value)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_bits() {
        let double = |value: f64| double(value.to_bits());
        assert_eq!(double(-0.0), "-0.0");
        assert_eq!(double(0.1), "0.1");
        assert_eq!(double(1e300), "1e300");
        assert_eq!(double(5e-324), "5e-324");
        assert_eq!(double(f64::NEG_INFINITY), "Double.NEGATIVE_INFINITY");
        assert_eq!(float(0x7fc0_0001), "Float.intBitsToFloat(0x7fc00001)");
        assert_eq!(float(1.5f32.to_bits()), "1.5f");
        let int = Type::Primitive(Primitive::Int);
        assert_eq!(
            literal(&int, Value::Int(-2_147_483_648)).as_deref(),
            Some("Integer.MIN_VALUE")
        );
        assert_eq!(literal(&int, Value::Int(1 << 31)), None);
        assert_eq!(literal(&int, Value::Null), None);
    }

    #[test]
    fn characters_are_escaped() {
        let units: Vec<u16> = "a\"'\n\\\u{e9}\u{1f600}".encode_utf16().collect();
        assert_eq!(string(&units), r#""a\"'\n\\\u00e9\ud83d\ude00""#);
        assert_eq!(character(39), r"'\''");
        assert_eq!(character(0), r"'\u0000'");
    }
}

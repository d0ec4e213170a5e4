//! Values as texts.

use heapwright_logic::{IntType, Loc, Sort, Value};

/// A value that is not a reference, as specifications write it.
pub fn show_value(value: Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Ref(Loc(address)) => format!("@{address}"),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Single(bits) => format!("{:?}", f32::from_bits(bits)),
        Value::Double(bits) => format!("{:?}", f64::from_bits(bits)),
    }
}

/// One element of an array, or one field, which is no reference.
pub fn show_scalar(value: Value, sort: Sort) -> String {
    match (value, sort) {
        (Value::Int(code), Sort::Machine(IntType::Char)) => show_char(code),
        (scalar, _) => show_value(scalar),
    }
}

fn show_char(code: i128) -> String {
    let character = u32::try_from(code).ok().and_then(char::from_u32);
    match character {
        Some(character) if !character.is_control() => format!("'{character}'"),
        _ => code.to_string(),
    }
}

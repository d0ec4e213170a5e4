//! Values and types as C writes them.

use heapwright_logic::{IntType, Sort, Value};

use super::Writer;
use crate::ast::CType;
use crate::lower::classes::scalar_name;
use crate::unit::CUnit;

impl Writer<'_> {
    pub(super) fn value(&self, value: Value, sort: Sort) -> String {
        match value {
            Value::Null => "NULL".to_owned(),
            Value::Bool(value) => u8::from(value).to_string(),
            Value::Int(number) => integer(number, sort),
            Value::Single(bits) => float(f64::from(f32::from_bits(bits)), "f"),
            Value::Double(bits) => float(f64::from_bits(bits), ""),
            Value::Ref(loc) => {
                let name = self.names.get(&loc).map_or("NULL", String::as_str);
                match sort {
                    // A number may hold a pointer.
                    Sort::Machine(_) => format!("(unsigned long){name}"),
                    _ => name.to_owned(),
                }
            }
        }
    }
}

pub(super) fn is_zero(value: Value) -> bool {
    matches!(
        value,
        Value::Null | Value::Bool(false) | Value::Int(0) | Value::Single(0) | Value::Double(0)
    )
}

pub(super) fn element_name(unit: &CUnit, sort: Sort) -> String {
    match sort {
        Sort::Ref(class) if class != heapwright_logic::ClassId::ANY => match unit.record(class) {
            Some(record) => format!("{} *", record.name),
            None => "void *".to_owned(),
        },
        other => scalar_name(other).to_owned(),
    }
}

/// What C calls a type; `None` where that takes more than a word and stars.
pub(super) fn type_name(unit: &CUnit, ty: &CType) -> Option<String> {
    Some(match ty {
        CType::Void | CType::Array(..) | CType::Function(_) | CType::Other(_) => return None,
        CType::Unaligned(of) => type_name(unit, of)?,
        CType::Bool => "_Bool".to_owned(),
        CType::Int(ty) => scalar_name(Sort::Machine(*ty)).to_owned(),
        CType::Float(ty) => scalar_name(Sort::Float(*ty)).to_owned(),
        CType::Record(record) => {
            let record = unit.source.records.get(record.0 as usize)?;
            record.is_named.then(|| record.name.clone())?
        }
        CType::Pointer(to) => match &**to {
            CType::Void => "void *".to_owned(),
            other => format!("{} *", type_name(unit, other)?),
        },
    })
}

pub(super) fn integer(number: i128, sort: Sort) -> String {
    let suffix = match sort {
        Sort::Machine(IntType::U32) => "u",
        Sort::Machine(IntType::I64) => "L",
        Sort::Machine(IntType::U64) => "uL",
        _ => "",
    };
    // The smallest number has no literal of its own.
    match number == i128::from(i32::MIN) && suffix.is_empty() || number == i128::from(i64::MIN) {
        true => format!("({}{suffix} - 1)", number + 1),
        false => format!("{number}{suffix}"),
    }
}

pub(super) fn float(number: f64, suffix: &str) -> String {
    match number {
        _ if number.is_nan() => format!("(0.0{suffix} / 0.0{suffix})"),
        _ if number.is_infinite() && number > 0.0 => format!("(1.0{suffix} / 0.0{suffix})"),
        _ if number.is_infinite() => format!("(-1.0{suffix} / 0.0{suffix})"),
        _ => format!("{number:e}{suffix}"),
    }
}

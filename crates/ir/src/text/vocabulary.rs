//! The words of the text form, shared by printer and parser.

use heapwright_logic::{FloatType, IntType, Sort};

use crate::instruction::{Arithmetic, BinaryOp, Comparison};
use crate::program::FaultKind;

/// Words with a meaning of their own. A name that begins with one of them is quoted.
const RESERVED: &[&str] = &[
    "absent",
    "abstract",
    "add",
    "and",
    "any",
    "array",
    "as",
    "assert",
    "assume",
    "at",
    "bool",
    "byte",
    "call",
    "catch",
    "char",
    "check_cast",
    "class",
    "complement",
    "convert",
    "div",
    "double",
    "else",
    "eq",
    "extends",
    "false",
    "fault",
    "file",
    "float",
    "free",
    "function",
    "ge",
    "global",
    "goto",
    "gt",
    "if",
    "implements",
    "instance_of",
    "int",
    "integer",
    "into",
    "intrinsic",
    "le",
    "length",
    "long",
    "lt",
    "manual_memory",
    "method",
    "mul",
    "ne",
    "neg",
    "new",
    "new_array",
    "not",
    "null",
    "of",
    "or",
    "rem",
    "return",
    "shl",
    "short",
    "shr",
    "size",
    "sub",
    "switch",
    "synthetic",
    "throw",
    "throws",
    "true",
    "ubyte",
    "uint",
    "ulong",
    "unreachable",
    "ushort",
    "ushr",
    "var",
    "virtual",
    "xor",
];

/// The operations of arithmetic.
const ARITHMETIC: [(&str, Arithmetic); 11] = [
    ("add", Arithmetic::Add),
    ("sub", Arithmetic::Sub),
    ("mul", Arithmetic::Mul),
    ("div", Arithmetic::Div),
    ("rem", Arithmetic::Rem),
    ("and", Arithmetic::And),
    ("or", Arithmetic::Or),
    ("xor", Arithmetic::Xor),
    ("shl", Arithmetic::Shl),
    ("shr", Arithmetic::Shr),
    ("ushr", Arithmetic::UShr),
];

/// The comparisons.
const COMPARISONS: [(&str, Comparison); 6] = [
    ("eq", Comparison::Eq),
    ("ne", Comparison::Ne),
    ("lt", Comparison::Lt),
    ("le", Comparison::Le),
    ("gt", Comparison::Gt),
    ("ge", Comparison::Ge),
];

/// The faults.
const FAULTS: [(&str, FaultKind); 18] = [
    ("NullDereference", FaultKind::NullDereference),
    ("UseAfterFree", FaultKind::UseAfterFree),
    ("InvalidFree", FaultKind::InvalidFree),
    ("DivisionByZero", FaultKind::DivisionByZero),
    ("OutOfBounds", FaultKind::OutOfBounds),
    ("NegativeLength", FaultKind::NegativeLength),
    ("BadCast", FaultKind::BadCast),
    ("BadElement", FaultKind::BadElement),
    ("AssertionFailed", FaultKind::AssertionFailed),
    ("StackOverflow", FaultKind::StackOverflow),
    ("NoSuchMethod", FaultKind::NoSuchMethod),
    ("Overflow", FaultKind::Overflow),
    ("BadShift", FaultKind::BadShift),
    ("Uninitialised", FaultKind::Uninitialised),
    ("Overlap", FaultKind::Overlap),
    ("WildPointer", FaultKind::WildPointer),
    ("Misaligned", FaultKind::Misaligned),
    ("BadTruth", FaultKind::BadTruth),
];

/// The word for a value of a table; every value of the type is in it.
fn word_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    let entry = table.iter().find(|(_, candidate)| candidate == value);
    entry.map_or("?", |(word, _)| word)
}

/// The value of a word in a table.
fn value_of<T: Copy>(table: &[(&str, T)], word: &str) -> Option<T> {
    let entry = table.iter().find(|(candidate, _)| *candidate == word);
    entry.map(|(_, value)| *value)
}

/// The word for a fault.
pub(super) fn fault_word(fault: FaultKind) -> &'static str {
    word_of(&FAULTS, &fault)
}

/// The fault of a word.
pub(super) fn fault(word: &str) -> Option<FaultKind> {
    value_of(&FAULTS, word)
}

/// The word for a binary operation: `add.int`, `rem.double`, `and.bool`, `lt`.
pub(super) fn binary_word(op: BinaryOp) -> String {
    let (arithmetic, sort) = match op {
        BinaryOp::Int(ty, arithmetic) => (arithmetic, ty.name()),
        BinaryOp::Float(ty, arithmetic) => (arithmetic, float_word(ty)),
        BinaryOp::Bool(arithmetic) => (arithmetic, "bool"),
        BinaryOp::Compare(comparison) => return word_of(&COMPARISONS, &comparison).to_owned(),
    };
    format!("{}.{sort}", word_of(&ARITHMETIC, &arithmetic))
}

/// The binary operation of a word.
pub(super) fn binary(word: &str) -> Option<BinaryOp> {
    if let Some(comparison) = value_of(&COMPARISONS, word) {
        return Some(BinaryOp::Compare(comparison));
    }
    let (arithmetic, sort) = word.split_once('.')?;
    let arithmetic = value_of(&ARITHMETIC, arithmetic)?;
    match scalar_sort(sort)? {
        Sort::Machine(ty) => Some(BinaryOp::Int(ty, arithmetic)),
        Sort::Float(ty) => Some(BinaryOp::Float(ty, arithmetic)),
        Sort::Bool => Some(BinaryOp::Bool(arithmetic)),
        Sort::Int | Sort::Ref(_) => None,
    }
}

/// The word for a float type.
pub(super) fn float_word(ty: FloatType) -> &'static str {
    match ty {
        FloatType::Single => "float",
        FloatType::Double => "double",
    }
}

/// The sort of a word that is not the name of a class.
pub(super) fn scalar_sort(word: &str) -> Option<Sort> {
    match word {
        "bool" => Some(Sort::Bool),
        "integer" => Some(Sort::Int),
        "float" => Some(Sort::Float(FloatType::Single)),
        "double" => Some(Sort::Float(FloatType::Double)),
        _ => {
            let ty = IntType::ALL.into_iter().find(|ty| ty.name() == word);
            ty.map(Sort::Machine)
        }
    }
}

/// Whether a character can begin a word.
pub(super) fn begins_word(character: char) -> bool {
    character.is_alphabetic() || character == '_' || character == '$'
}

/// Whether a character can be inside a word.
pub(super) fn continues_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$' | '.')
}

/// Whether a word has a meaning of its own, alone or in front of a dot.
pub(super) fn is_reserved(word: &str) -> bool {
    let head = word.split('.').next().unwrap_or(word);
    RESERVED.contains(&head)
}

/// A name as it is written: plain where that is possible, quoted otherwise.
pub(super) fn name(name: &str) -> String {
    let plain = name.starts_with(begins_word) && name.chars().all(continues_word);
    if plain && !is_reserved(name) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A string with quotes and escapes.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control.is_control() => {
                out.push_str(&format!("\\u{{{:x}}}", u32::from(control)));
            }
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

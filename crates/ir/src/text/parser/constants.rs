//! Numbers and what their suffixes mean.

use heapwright_logic::{FloatType, IntType, Sort};

use super::super::vocabulary::scalar_sort;
use crate::instruction::Constant;

/// The constant that a number stands for: `5`, `-1_long`, `2.5`, `1e9_float`, `0x7fc00000_float`.
/// Integers need not be in the range of their type; the verifier looks at that.
pub(super) fn number(text: &str) -> Option<Constant> {
    let (digits, suffix) = match text.split_once('_') {
        Some((digits, suffix)) => (digits, Some(scalar_sort(suffix)?)),
        None => (text, None),
    };
    let fraction = !digits.contains("0x") && digits.contains(['.', 'e', 'E']);
    let default = match fraction {
        true => Sort::Float(FloatType::Double),
        false => Sort::Machine(IntType::I32),
    };
    match suffix.unwrap_or(default) {
        Sort::Machine(ty) => integer(digits).map(|value| Constant::Int(ty, value)),
        Sort::Float(FloatType::Single) => match digits.strip_prefix("0x") {
            Some(bits) => u32::from_str_radix(bits, 16).ok().map(Constant::Single),
            None => {
                let value: f32 = digits.parse().ok()?;
                value
                    .is_finite()
                    .then_some(Constant::Single(value.to_bits()))
            }
        },
        Sort::Float(FloatType::Double) => match digits.strip_prefix("0x") {
            Some(bits) => u64::from_str_radix(bits, 16).ok().map(Constant::Double),
            None => {
                let value: f64 = digits.parse().ok()?;
                value
                    .is_finite()
                    .then_some(Constant::Double(value.to_bits()))
            }
        },
        Sort::Bool | Sort::Int | Sort::Ref(_) => None,
    }
}

/// An integer, decimal or hexadecimal.
pub(super) fn integer(digits: &str) -> Option<i128> {
    let signless = digits.strip_prefix('-').unwrap_or(digits);
    match signless.strip_prefix("0x") {
        Some(hexadecimal) => {
            let value = i128::from_str_radix(hexadecimal, 16).ok()?;
            Some(if signless == digits { value } else { -value })
        }
        None => digits.parse().ok(),
    }
}

//! Literals: numbers, characters and strings.

use heapwright_logic::FloatType;

use super::Reader;
use super::constants::wrap;
use super::stream::Node;
use crate::ast::{CType, Expr, ExprKind};

impl Reader<'_> {
    pub(super) fn literal(&mut self, node: &Node<'_>) -> Expr {
        let ty = self.parse_type(&node.ty);
        let value = node.value.as_deref().unwrap_or_default();
        let kind = match (&ty, node.kind.as_ref()) {
            (CType::Array(_, length), "StringLiteral") => match string(value) {
                Some(mut elements) => {
                    if let CType::Array(element, _) = &ty {
                        elements
                            .iter_mut()
                            .for_each(|code| *code = narrow(element, *code));
                    }
                    // A string may be longer than its array by the final zero, or shorter.
                    elements.push(0);
                    if let Some(length) = length.and_then(|length| usize::try_from(length).ok()) {
                        elements.resize(length, 0);
                    }
                    ExprKind::String(elements)
                }
                None => ExprKind::Unsupported("this string".to_owned()),
            },
            (CType::Float(size), "FloatingLiteral") => match float(value, *size) {
                Some(bits) => ExprKind::Float(bits),
                None => ExprKind::Unsupported("this number".to_owned()),
            },
            (_, "FloatingLiteral") => {
                ExprKind::Unsupported(format!("a number of type {}", node.ty))
            }
            _ => match value.parse() {
                Ok(value) => ExprKind::Int(wrap(&ty, value)),
                Err(_) => ExprKind::Unsupported("this number".to_owned()),
            },
        };
        self.made(node, kind, ty, node.begin.place)
    }
}

/// Characters are kept as their bits.
fn narrow(element: &CType, code: u32) -> u32 {
    match element {
        CType::Int(ty) if ty.bits() < 32 => code & ((1 << ty.bits()) - 1),
        _ => code,
    }
}

fn float(text: &str, size: FloatType) -> Option<u64> {
    let value = match (text, size) {
        ("+Inf" | "Inf", _) => f64::INFINITY,
        ("NaN", _) => f64::NAN,
        (_, FloatType::Single) => f64::from(text.parse::<f32>().ok()?),
        (_, FloatType::Double) => text.parse().ok()?,
    };
    Some(value.to_bits())
}

/// The elements of a string as clang writes it, without the final zero.
fn string(text: &str) -> Option<Vec<u32>> {
    let open = text.find('"')?;
    let is_bytes = matches!(&text[..open], "" | "u8");
    let inside = text[open + 1..].strip_suffix('"')?;
    let mut elements = Vec::new();
    let mut chars = inside.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            // clang ends a hexadecimal escape by ending the string, and beginning it again.
            '"' => {
                chars.next_if_eq(&'"');
            }
            '\\' => {
                let escape = chars.next()?;
                let digits = match escape {
                    'x' => 16,
                    'u' => 4,
                    'U' => 8,
                    '0'..='7' => 3,
                    _ => 0,
                };
                if digits == 0 {
                    elements.push(simple(escape)?);
                    continue;
                }
                let radix = if digits == 3 { 8 } else { 16 };
                let mut value = if digits == 3 { escape.to_digit(8)? } else { 0 };
                let rest = if digits == 3 { 2 } else { digits };
                for _ in 0..rest {
                    let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix)) else {
                        break;
                    };
                    value = value.checked_mul(radix)?.checked_add(digit)?;
                    chars.next();
                }
                elements.push(value);
            }
            c if is_bytes => {
                let mut bytes = [0; 4];
                elements.extend(c.encode_utf8(&mut bytes).bytes().map(u32::from));
            }
            c => elements.push(u32::from(c)),
        }
    }
    Some(elements)
}

fn simple(escape: char) -> Option<u32> {
    Some(match escape {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' => 27,
        '\\' | '"' | '\'' | '?' => u32::from(escape),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_as_clang_writes_them() {
        let text = |text: &str| string(text);
        assert_eq!(text(r#""a\n\"\\""#), Some(vec![97, 10, 34, 92]));
        assert_eq!(
            text(r#"u8"\303\251\0001""#),
            Some(vec![0o303, 0o251, 0, 49])
        );
        assert_eq!(text(r#"L"a\x1F600""b""#), Some(vec![97, 0x1f600, 98]));
        assert_eq!(text(r#"U"\U0001F600""#), Some(vec![0x1f600]));
        assert_eq!(text("no"), None);
    }

    #[test]
    fn floats_are_exact() {
        assert_eq!(float("1.0E+10", FloatType::Double), Some(1e10f64.to_bits()));
        let tenth = f64::from(0.1f32).to_bits();
        assert_eq!(float("0.100000001", FloatType::Single), Some(tenth));
    }
}

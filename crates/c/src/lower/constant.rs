//! Constant expressions, and pointers that are displaced by constants.

use crate::records::Records;
use crate::tree::Node;
use crate::types::{CType, parse};

/// The value of an expression that is constant.
pub(super) fn constant(records: &Records, node: &Node) -> Option<i128> {
    let of = |index: usize| constant(records, node.inner.get(index)?);
    match node.kind.as_str() {
        "IntegerLiteral" | "CharacterLiteral" => node.value.as_ref()?.parse().ok(),
        "ConstantExpr" => match &node.value {
            Some(value) => value.parse().ok(),
            None => of(0),
        },
        "ParenExpr" => of(0),
        "ImplicitCastExpr" | "CStyleCastExpr" => match parse(&node.ty) {
            CType::Int(ty) => match node.cast.as_str() {
                "PointerToIntegral" => offset(records, node.inner.first()?),
                _ => Some(ty.wrap(of(0)?)),
            },
            _ => None,
        },
        "UnaryExprOrTypeTraitExpr" if node.name == "sizeof" => {
            let ty = match &node.argument {
                Some(argument) => parse(argument),
                None => parse(&node.inner.first()?.ty),
            };
            Some(i128::from(records.layout(&ty)?.0))
        }
        "UnaryOperator" => match node.opcode.as_str() {
            "-" => of(0)?.checked_neg(),
            "+" => of(0),
            "~" => Some(!of(0)?),
            "!" => Some(i128::from(of(0)? == 0)),
            _ => None,
        },
        "BinaryOperator" => {
            let (a, b) = (of(0)?, of(1)?);
            match node.opcode.as_str() {
                "+" => a.checked_add(b),
                "-" => a.checked_sub(b),
                "*" => a.checked_mul(b),
                "/" => a.checked_div(b),
                "%" => a.checked_rem(b),
                "<<" => a.checked_shl(u32::try_from(b).ok()?),
                ">>" => a.checked_shr(u32::try_from(b).ok()?),
                "&" => Some(a & b),
                "|" => Some(a | b),
                "^" => Some(a ^ b),
                _ => None,
            }
        }
        "DeclRefExpr" => None,
        _ => None,
    }
}

/// `&((struct item *)0)->link`, which is what `offsetof` stands for.
fn offset(records: &Records, node: &Node) -> Option<i128> {
    match node.kind.as_str() {
        "ParenExpr" => offset(records, node.inner.first()?),
        "UnaryOperator" if node.opcode == "&" => place(records, node.inner.first()?),
        _ => None,
    }
}

fn place(records: &Records, node: &Node) -> Option<i128> {
    let base = node.inner.first();
    match node.kind.as_str() {
        "ParenExpr" => place(records, base?),
        "MemberExpr" => {
            let base = base?;
            let (ty, start) = match node.is_arrow {
                true => ((*parse(&base.ty).pointee()?).clone(), null(base)?),
                false => (parse(&base.ty), place(records, base)?),
            };
            let CType::Record(name) = ty else {
                return None;
            };
            let fields = &records.named(&name)?.fields;
            let field = fields.iter().find(|field| field.name == node.name)?;
            Some(start + i128::from(field.offset))
        }
        _ => None,
    }
}

/// The null pointer.
fn null(node: &Node) -> Option<i128> {
    match node.kind.as_str() {
        "ParenExpr" | "ImplicitCastExpr" | "CStyleCastExpr" => null(node.inner.first()?),
        "IntegerLiteral" => node
            .value
            .as_ref()?
            .parse()
            .ok()
            .filter(|&value| value == 0),
        _ => None,
    }
}

/// The pointer that an expression of bytes begins with, and how many bytes are added to it.
pub(super) fn displaced<'n>(records: &Records, node: &'n Node) -> Option<(&'n Node, i128)> {
    let is_to_struct = |node: &Node| matches!(parse(&node.ty).pointee(), Some(CType::Record(_)));
    match node.kind.as_str() {
        "BinaryOperator" if matches!(node.opcode.as_str(), "+" | "-") => {
            let [left, right] = &node.inner[..] else {
                return None;
            };
            if !is_byte_pointer(left) {
                return None;
            }
            let distance = constant(records, right)?;
            let distance = if node.opcode == "-" {
                -distance
            } else {
                distance
            };
            let (base, before) = displaced(records, left)?;
            Some((base, before + distance))
        }
        _ if is_to_struct(node) => Some((node, 0)),
        "ParenExpr" | "ImplicitCastExpr" | "CStyleCastExpr" => {
            displaced(records, node.inner.first()?)
        }
        _ => None,
    }
}

fn is_byte_pointer(node: &Node) -> bool {
    let ty = parse(&node.ty);
    matches!(ty.pointee(), Some(CType::Void))
        || matches!(ty.pointee(), Some(CType::Int(ty)) if ty.bits() == 8)
}

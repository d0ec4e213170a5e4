//! What is known about addresses: what a type asks for, and what an expression has.
//!
//! A compiler reads a field of a packed struct byte by byte, since it knows that the field may lie
//! anywhere; through a pointer to the field it does not know that any more.

use super::classes::size_of;
use crate::ast::{BinaryOperator, CType, Expr, ExprKind, Unit};

/// What the address of a value of a type has to be a multiple of.
pub(super) fn alignment_of(unit: &Unit, ty: &CType) -> u64 {
    match ty {
        CType::Array(element, _) => alignment_of(unit, element),
        CType::Record(record) => {
            let record = unit.records.get(record.0 as usize);
            record.map_or(1, |record| record.align)
        }
        CType::Unaligned(_) | CType::Void | CType::Function(_) | CType::Other(_) => 1,
        scalar => size_of(unit, scalar).unwrap_or(1),
    }
}

/// What everybody knows of the address of an expression: less than its type needs where it lies in a
/// packed struct, or where the type of a pointer says so.
pub(super) fn known_alignment(unit: &Unit, expr: &Expr) -> u64 {
    let own = alignment_of(unit, &expr.ty);
    match &expr.kind {
        ExprKind::Member(base, record, field) => {
            let record = &unit.records[record.0 as usize];
            let offset = record
                .fields
                .get(*field as usize)
                .map_or(0, |field| field.offset);
            known_alignment(unit, base).min(multiple_of(offset))
        }
        ExprKind::Deref(pointer) => match (&pointer.ty, &pointer.kind) {
            (CType::Pointer(to), _) if matches!(**to, CType::Unaligned(_)) => 1,
            (_, ExprKind::Binary(BinaryOperator::Add, base, _)) => match &base.kind {
                ExprKind::Decay(array) => own.min(known_alignment(unit, array)),
                _ => own,
            },
            (_, ExprKind::Decay(array)) => own.min(known_alignment(unit, array)),
            _ => own,
        },
        _ => own,
    }
}

/// Whether an expression is a field of a packed struct itself: the struct says where it lies.
pub(super) fn is_field_of_packed(unit: &Unit, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Member(base, ..) => known_alignment(unit, base) >= alignment_of(unit, &base.ty),
        _ => false,
    }
}

/// The largest power of two that a number of bytes is a multiple of.
pub(super) fn multiple_of(offset: u64) -> u64 {
    match offset {
        0 => u64::MAX,
        offset => 1 << offset.trailing_zeros(),
    }
}

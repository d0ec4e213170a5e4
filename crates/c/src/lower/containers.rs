//! Which structs the code looks for around others: `container_of`, whatever the macro looks like.
//!
//! A pointer to a struct that is inside of another one, minus the place of that field, is cast to a
//! pointer to the outer one; a struct that comes first is cast without arithmetic.

use rustc_hash::FxHashMap;

use heapwright_logic::{ClassId, Sort};

use super::classes::{Classes, flat, size_of};
use crate::ast::{BinaryOperator, CType, Expr, ExprKind, RecordId, Unit};
use crate::visit::visit_statement;

/// The structs inside of others that the code goes outwards from, by the class of the inner one.
pub(super) fn containers(unit: &Unit, classes: &Classes) -> FxHashMap<ClassId, Vec<ClassId>> {
    let mut found: FxHashMap<ClassId, Vec<ClassId>> = FxHashMap::default();
    for function in &unit.functions {
        let Some(body) = &function.body else {
            continue;
        };
        visit_statement(unit, body, &mut |expr| {
            if let Some((inner, part)) = container(unit, classes, expr) {
                let parts = found.entry(inner).or_default();
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        });
    }
    found
}

/// The class of a struct inside of another one that an expression goes outwards from, with the
/// class that it has elsewhere.
fn container(unit: &Unit, classes: &Classes, expr: &Expr) -> Option<(ClassId, ClassId)> {
    let ExprKind::Cast(inner) = &expr.kind else {
        return None;
    };
    let outer = pointed_to(&expr.ty)?;
    let from = plain(inner);
    let (offset, wanted) = match &from.kind {
        ExprKind::Binary(BinaryOperator::Sub, _, distance) => match plain(distance).kind {
            ExprKind::Int(offset) => (offset, None),
            _ => return None,
        },
        _ => (0, Some(pointed_to(&from.ty)?)),
    };
    let record = unit.records.get(outer.0 as usize)?;
    let fields = record.fields.iter().enumerate();
    let mut fields = fields.filter(|(_, field)| i128::from(field.offset) == offset);
    let (index, inner) = fields.find_map(|(index, field)| match field.ty {
        CType::Record(inner) if wanted.is_none_or(|wanted| wanted == inner) => Some((index, inner)),
        _ => None,
    })?;
    let field = (classes.definitions.class(classes.record(outer)).fields).get(index)?;
    match field.sort {
        Sort::Ref(part) if classes.rules.parts.contains(&part) => {
            Some((classes.record(inner), part))
        }
        _ => None,
    }
}

/// Structs with an array in a field, by the class of the array.
pub(super) type Headers = FxHashMap<ClassId, Vec<(ClassId, u32)>>;

/// The structs that the code goes back to from an array inside of them: a pointer to its elements,
/// minus the place of the array, is cast to a pointer to the struct; or cast first, minus one.
pub(super) fn headers(unit: &Unit, classes: &Classes) -> Headers {
    let mut found = Headers::default();
    for body in unit
        .functions
        .iter()
        .filter_map(|function| function.body.as_ref())
    {
        visit_statement(unit, body, &mut |expr| {
            if let Some((array, place)) = header(unit, classes, expr) {
                let places = found.entry(array).or_default();
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        });
    }
    found
}

/// The class of the array, and the struct and the field that it is in.
fn header(unit: &Unit, classes: &Classes, expr: &Expr) -> Option<(ClassId, (ClassId, u32))> {
    let outer = pointed_to(&expr.ty)?;
    let record = unit.records.get(outer.0 as usize)?;
    let (pointer, steps, width) = match &expr.kind {
        // (struct header *)(text - n)
        ExprKind::Cast(inner) => {
            let ExprKind::Binary(BinaryOperator::Sub, pointer, steps) = &plain(inner).kind else {
                return None;
            };
            let CType::Pointer(to) = &pointer.ty else {
                return None;
            };
            (pointer, steps, size_of(unit, to)?)
        }
        // (struct header *)text - 1
        ExprKind::Binary(BinaryOperator::Sub, pointer, steps) => (pointer, steps, record.size),
        _ => return None,
    };
    let ExprKind::Int(steps) = plain(steps).kind else {
        return None;
    };
    let offset = steps.checked_mul(i128::from(width))?;
    let CType::Pointer(element) = &plain(pointer).ty else {
        return None;
    };
    let element = match &**element {
        CType::Unaligned(element) => element,
        element => element,
    };
    let fields = (0u32..).zip(&record.fields);
    let (index, _) = fields.into_iter().find(|(_, field)| {
        i128::from(field.offset) == offset
            && matches!(field.ty, CType::Array(..))
            && flat(&field.ty).0 == *element
    })?;
    let class = classes.record(outer);
    let field = classes
        .definitions
        .class(class)
        .fields
        .get(index as usize)?;
    match field.sort {
        Sort::Ref(array) => Some((array, (class, index))),
        _ => None,
    }
}

fn pointed_to(ty: &CType) -> Option<RecordId> {
    match ty {
        CType::Pointer(to) => match **to {
            CType::Record(record) => Some(record),
            _ => None,
        },
        _ => None,
    }
}

/// An expression without conversions around it.
fn plain(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Cast(inner) => plain(inner),
        _ => expr,
    }
}

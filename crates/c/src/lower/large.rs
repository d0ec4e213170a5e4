//! Objects that are too large to be kept: every element has a value of its own here, so that an array
//! which no page of a real machine is ever touched of would take all memory.

use super::Lowering;
use super::classes::{flat, size_of};
use crate::ast::{self, CType, Place, Stmt, Unit};
use crate::error::CError;
use crate::visit::visit_statement;

/// Objects of more bytes are refused.
pub(super) const MOST_BYTES: u64 = 1 << 22;

/// The bytes of a type whose values are too large, or that leads to such.
pub(super) fn too_large(unit: &Unit, ty: &CType) -> Option<u64> {
    let mut innermost = ty;
    while let CType::Pointer(to) | CType::Unaligned(to) = innermost {
        innermost = to;
    }
    let bytes = match innermost {
        CType::Array(..) => {
            let (element, count) = flat(innermost);
            size_of(unit, &element)?.saturating_mul(count)
        }
        CType::Record(_) => size_of(unit, innermost)?,
        _ => return None,
    };
    (bytes > MOST_BYTES).then_some(bytes)
}

impl Lowering<'_> {
    /// The error for a function that has to do with too large an object.
    pub(super) fn refuse_large(&self, node: &ast::Function, code: &Stmt) -> Result<(), CError> {
        let unit = self.unit;
        let params = node.params.iter();
        let params = params.map(|id| &unit.variables[id.0 as usize].ty);
        let mut found: Option<(Place, u64)> = params
            .chain([&node.signature.result])
            .find_map(|ty| Some((node.place, too_large(unit, ty)?)));
        visit_statement(unit, code, &mut |expr| {
            if found.is_none() {
                found = too_large(unit, &expr.ty).map(|bytes| (expr.place, bytes));
            }
        });
        match found {
            Some((place, bytes)) => {
                Err(self.unsupported(place, format!("an object of {bytes} bytes")))
            }
            None => Ok(()),
        }
    }
}

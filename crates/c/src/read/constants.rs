//! Values of integer constant expressions, of which clang's dump mostly says only what they are
//! made of.

use super::Reader;
use super::stream::Node;
use crate::ast::{BinaryOperator, CType, Expr, ExprKind, UnaryOperator};

impl Reader<'_> {
    /// The value of a constant expression in the dump: what clang says, or what follows.
    pub(super) fn constant(&self, node: &Node<'_>) -> Option<i128> {
        let of = |index: usize| self.constant(node.inner.get(index)?);
        match node.kind.as_ref() {
            "IntegerLiteral" | "CharacterLiteral" => {
                let value = node.value.as_ref()?.parse().ok()?;
                Some(wrap(&self.parse_type(&node.ty), value))
            }
            "ConstantExpr" => match &node.value {
                Some(value) => value.parse().ok(),
                None => of(0),
            },
            "ParenExpr" => of(0),
            "ImplicitCastExpr" | "CStyleCastExpr" if node.cast != "PointerToIntegral" => {
                match self.parse_type(&node.ty) {
                    ty @ (CType::Int(_) | CType::Bool) => Some(wrap(&ty, of(0)?)),
                    _ => None,
                }
            }
            "DeclRefExpr" => self.enumerators.get(&node.reference.as_ref()?.id).copied(),
            "UnaryExprOrTypeTraitExpr" => self.size_of(node),
            "UnaryOperator" => {
                let ty = self.parse_type(&node.ty);
                let value = match node.opcode.as_ref() {
                    "-" => of(0)?.checked_neg()?,
                    "+" | "__extension__" => of(0)?,
                    "~" => !of(0)?,
                    "!" => i128::from(of(0)? == 0),
                    _ => return None,
                };
                Some(wrap(&ty, value))
            }
            "BinaryOperator" => {
                let ty = self.parse_type(&node.ty);
                match node.opcode.as_ref() {
                    "&&" => return Some(i128::from(of(0)? != 0 && of(1)? != 0)),
                    "||" => return Some(i128::from(of(0)? != 0 || of(1)? != 0)),
                    _ => {}
                }
                let operator = super::operators::binary(&node.opcode)?;
                Some(wrap(&ty, apply(operator, of(0)?, of(1)?)?))
            }
            "ConditionalOperator" => of(if of(0)? != 0 { 1 } else { 2 }),
            "GenericSelectionExpr" => {
                let selected = node.inner.iter().find(|inner| inner.is_selected)?;
                self.constant(selected.inner.last()?)
            }
            _ => None,
        }
    }

    /// `sizeof` and `_Alignof` of a type that has a size.
    pub(super) fn size_of(&self, node: &Node<'_>) -> Option<i128> {
        let ty = match &node.argument {
            Some(argument) => self.parse_type(argument),
            None => self.type_of_operand(node.inner.first()?),
        };
        match node.name.as_ref() {
            "sizeof" => Some(i128::from(self.size_align(&ty)?.0)),
            "alignof" | "_Alignof" | "__alignof" | "__alignof__" => {
                let ty = match &ty {
                    CType::Array(element, None) => element,
                    ty => ty,
                };
                Some(i128::from(self.size_align(ty)?.1))
            }
            _ => None,
        }
    }

    /// The type of an operand; declarations know theirs better than its text does.
    fn type_of_operand(&self, node: &Node<'_>) -> CType {
        match node.kind.as_ref() {
            "ParenExpr" if node.inner.len() == 1 => self.type_of_operand(&node.inner[0]),
            "MemberExpr" => {
                let field = node.declaration.and_then(|id| self.fields.get(&id));
                let ty = field.map(|&(record, index)| {
                    let record = &self.unit.records[record.0 as usize];
                    record.fields[index as usize].ty.clone()
                });
                ty.unwrap_or_else(|| self.parse_type(&node.ty))
            }
            "DeclRefExpr" => {
                let variable = node
                    .reference
                    .as_ref()
                    .and_then(|it| self.variables.get(&it.id));
                match variable.map(|id| &self.unit.variables[id.0 as usize].ty) {
                    Some(CType::Array(_, None)) | None => self.parse_type(&node.ty),
                    Some(ty) => ty.clone(),
                }
            }
            _ => self.parse_type(&node.ty),
        }
    }
}

/// A value as one of a type.
pub(super) fn wrap(ty: &CType, value: i128) -> i128 {
    match ty {
        CType::Int(ty) => ty.wrap(value),
        CType::Bool => i128::from(value != 0),
        _ => value,
    }
}

fn apply(operator: BinaryOperator, a: i128, b: i128) -> Option<i128> {
    let shift = u32::try_from(b).ok().filter(|&shift| shift < 64);
    Some(match operator {
        BinaryOperator::Add => a.checked_add(b)?,
        BinaryOperator::Sub => a.checked_sub(b)?,
        BinaryOperator::Mul => a.checked_mul(b)?,
        BinaryOperator::Div => a.checked_div(b)?,
        BinaryOperator::Rem => a.checked_rem(b)?,
        BinaryOperator::And => a & b,
        BinaryOperator::Or => a | b,
        BinaryOperator::Xor => a ^ b,
        BinaryOperator::Shl => a.checked_mul(1 << shift?)?,
        BinaryOperator::Shr => a >> shift?,
        BinaryOperator::Lt => i128::from(a < b),
        BinaryOperator::Le => i128::from(a <= b),
        BinaryOperator::Gt => i128::from(a > b),
        BinaryOperator::Ge => i128::from(a >= b),
        BinaryOperator::Eq => i128::from(a == b),
        BinaryOperator::Ne => i128::from(a != b),
    })
}

impl Reader<'_> {
    /// The number of a pointer that leads nowhere but has one: `&((struct item *)0)->link`, which is
    /// what `offsetof` stands for.
    pub(super) fn address(&self, expr: &Expr) -> Option<i128> {
        match &expr.kind {
            ExprKind::Cast(inner) => match inner.ty {
                CType::Int(_) => value(inner),
                _ => self.address(inner),
            },
            ExprKind::Address(place) | ExprKind::Decay(place) => self.designated(place),
            ExprKind::Binary(BinaryOperator::Add, base, index) => {
                let CType::Pointer(to) = &base.ty else {
                    return None;
                };
                let size = i128::from(self.size_align(to)?.0);
                let distance = value(index)?.checked_mul(size)?;
                self.address(base)?.checked_add(distance)
            }
            _ => None,
        }
    }

    fn designated(&self, place: &Expr) -> Option<i128> {
        match &place.kind {
            ExprKind::Deref(pointer) => self.address(pointer),
            ExprKind::Member(of, record, field) => {
                let record = self.unit.records.get(record.0 as usize)?;
                let field = record.fields.get(*field as usize)?;
                self.designated(of)?.checked_add(i128::from(field.offset))
            }
            _ => None,
        }
    }
}

/// The value of an expression of the tree, if it is written as a constant.
pub(super) fn value(expr: &Expr) -> Option<i128> {
    match &expr.kind {
        ExprKind::Int(value) => Some(*value),
        ExprKind::Cast(inner) if matches!(expr.ty, CType::Int(_) | CType::Bool) => {
            Some(wrap(&expr.ty, value(inner)?))
        }
        ExprKind::Unary(UnaryOperator::Neg, inner) => value(inner)?.checked_neg(),
        ExprKind::Binary(operator, left, right) => Some(wrap(
            &expr.ty,
            apply(*operator, value(left)?, value(right)?)?,
        )),
        _ => None,
    }
}

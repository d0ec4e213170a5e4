//! Conversions, written and implicit.

use std::rc::Rc;

use super::Reader;
use super::constants;
use super::stream::Node;
use crate::ast::{CType, Expr, ExprKind};

impl Reader<'_> {
    pub(super) fn cast(&mut self, node: &Node<'_>, operand: &Node<'_>) -> Expr {
        let inner = self.expr(operand);
        // An implicit conversion stands where its operand does.
        let place = match node.kind.as_ref() {
            "ImplicitCastExpr" => inner.place,
            _ => node.begin.place,
        };
        let (kind, ty) = match node.cast.as_ref() {
            "LValueToRValue" => {
                let ty = inner.ty.clone();
                (ExprKind::Load(Box::new(inner)), ty)
            }
            "ArrayToPointerDecay" | "FunctionToPointerDecay" | "BuiltinFnToFnPtr" => {
                return self.decay(node, inner);
            }
            "AtomicToNonAtomic" | "NonAtomicToAtomic" => return inner,
            "NoOp" | "LValueBitCast" | "BitCast" | "IntegralCast" | "FloatingCast" => {
                let ty = self.parse_type(&node.ty);
                if ty == inner.ty || (node.cast == "NoOp" && matches!(ty, CType::Other(_))) {
                    return inner;
                }
                if node.cast == "LValueBitCast" {
                    return self.reinterpreted(node, inner, ty);
                }
                (ExprKind::Cast(Box::new(inner)), ty)
            }
            "PointerToIntegral" => {
                let ty = self.parse_type(&node.ty);
                let kind = match self.address(&inner) {
                    Some(value) => ExprKind::Int(constants::wrap(&ty, value)),
                    None => ExprKind::Cast(Box::new(inner)),
                };
                (kind, ty)
            }
            "ToUnion" => {
                let ty = self.parse_type(&node.ty);
                (ExprKind::Unsupported("a cast to a union".to_owned()), ty)
            }
            "VectorSplat" => {
                let ty = self.parse_type(&node.ty);
                (ExprKind::Unsupported("a vector".to_owned()), ty)
            }
            _ => (ExprKind::Cast(Box::new(inner)), self.parse_type(&node.ty)),
        };
        self.made(node, kind, ty, place)
    }

    fn decay(&mut self, node: &Node<'_>, inner: Expr) -> Expr {
        let ty = match &inner.ty {
            CType::Array(element, _) => CType::Pointer(element.clone()),
            CType::Function(_) => CType::Pointer(Rc::new(inner.ty.clone())),
            _ => self.parse_type(&node.ty),
        };
        let place = inner.place;
        // Calling `*f` is calling `f`.
        if let (CType::Function(_), ExprKind::Deref(_)) = (&inner.ty, &inner.kind)
            && let ExprKind::Deref(pointer) = inner.kind
        {
            return *pointer;
        }
        self.made(node, ExprKind::Decay(Box::new(inner)), ty, place)
    }

    /// What is designated, as something of another type.
    fn reinterpreted(&mut self, node: &Node<'_>, inner: Expr, ty: CType) -> Expr {
        let place = inner.place;
        let before = CType::Pointer(Rc::new(inner.ty.clone()));
        let after = CType::Pointer(Rc::new(ty.clone()));
        let address = self.made(node, ExprKind::Address(Box::new(inner)), before, place);
        let cast = self.made(node, ExprKind::Cast(Box::new(address)), after, place);
        self.made(node, ExprKind::Deref(Box::new(cast)), ty, place)
    }
}

//! Operators, with the places where they stand: the dump only has those of their operands.

use super::Reader;
use super::stream::Node;
use crate::ast::{BinaryOperator, CType, Expr, ExprKind, Place, UnaryOperator};

/// The operator on two values that a sign means.
pub(super) fn binary(sign: &str) -> Option<BinaryOperator> {
    Some(match sign {
        "+" => BinaryOperator::Add,
        "-" => BinaryOperator::Sub,
        "*" => BinaryOperator::Mul,
        "/" => BinaryOperator::Div,
        "%" => BinaryOperator::Rem,
        "&" => BinaryOperator::And,
        "|" => BinaryOperator::Or,
        "^" => BinaryOperator::Xor,
        "<<" => BinaryOperator::Shl,
        ">>" => BinaryOperator::Shr,
        "<" => BinaryOperator::Lt,
        "<=" => BinaryOperator::Le,
        ">" => BinaryOperator::Gt,
        ">=" => BinaryOperator::Ge,
        "==" => BinaryOperator::Eq,
        "!=" => BinaryOperator::Ne,
        _ => return None,
    })
}

/// A sum with the pointer on the left.
pub(super) fn sum(left: Expr, right: Expr) -> ExprKind {
    let (left, right) = match (&left.ty, &right.ty) {
        (CType::Int(_) | CType::Bool, CType::Pointer(_)) => (right, left),
        _ => (left, right),
    };
    ExprKind::Binary(BinaryOperator::Add, Box::new(left), Box::new(right))
}

impl Reader<'_> {
    pub(super) fn unary_operator(&mut self, node: &Node<'_>, operand: &Node<'_>) -> Expr {
        let sign = node.opcode.as_ref();
        let inner = self.expr(operand);
        // These only change how an expression is looked at.
        if matches!(sign, "+" | "__extension__") {
            return inner;
        }
        let mut place = node.begin.place;
        if node.is_postfix {
            place = node.end.place;
        }
        let ty = match sign {
            "*" => pointee(&inner.ty).unwrap_or_else(|| self.parse_type(&node.ty)),
            "&" => CType::Pointer(std::rc::Rc::new(inner.ty.clone())),
            _ => self.parse_type(&node.ty),
        };
        let boxed = Box::new(inner);
        let kind = match sign {
            "*" => ExprKind::Deref(boxed),
            "&" => match boxed.kind {
                // `&*p` is `p`, also if that leads nowhere.
                ExprKind::Deref(pointer) => return *pointer,
                _ => ExprKind::Address(boxed),
            },
            "-" => ExprKind::Unary(UnaryOperator::Neg, boxed),
            "~" => ExprKind::Unary(UnaryOperator::Complement, boxed),
            "!" => ExprKind::Unary(UnaryOperator::Not, boxed),
            "++" | "--" => ExprKind::Step {
                target: boxed,
                by: if sign == "++" { 1 } else { -1 },
                is_postfix: node.is_postfix,
            },
            _ => ExprKind::Unsupported("a complex number".to_owned()),
        };
        self.made(node, kind, ty, place)
    }

    pub(super) fn binary_operator(
        &mut self,
        node: &Node<'_>,
        first: &Node<'_>,
        second: &Node<'_>,
    ) -> Expr {
        let place = self.place_between(node, first, second);
        let left = self.expr(first);
        let right = self.expr(second);
        let ty = match node.opcode.as_ref() {
            "=" => left.ty.clone(),
            "," => right.ty.clone(),
            _ => self.parse_type(&node.ty),
        };
        let (a, b) = (Box::new(left), Box::new(right));
        let kind = match node.opcode.as_ref() {
            "=" => ExprKind::Assign(a, b),
            "," => ExprKind::Comma(a, b),
            "&&" => ExprKind::LogicalAnd(a, b),
            "||" => ExprKind::LogicalOr(a, b),
            "+" => sum(*a, *b),
            sign => match binary(sign) {
                Some(operator) => ExprKind::Binary(operator, a, b),
                None => ExprKind::Unsupported(format!("the operator {sign}")),
            },
        };
        self.made(node, kind, ty, place)
    }

    pub(super) fn compound_assignment(
        &mut self,
        node: &Node<'_>,
        first: &Node<'_>,
        second: &Node<'_>,
    ) -> Expr {
        let place = self.place_between(node, first, second);
        let target = self.expr(first);
        let operand = self.expr(second);
        let ty = target.ty.clone();
        let computed = match (&ty, &node.argument) {
            (CType::Pointer(_), _) | (_, None) => ty.clone(),
            (_, Some(argument)) => self.parse_type(argument),
        };
        let kind = match node.opcode.strip_suffix('=').and_then(binary) {
            Some(operator) => {
                ExprKind::AssignOp(operator, Box::new(target), Box::new(operand), computed)
            }
            None => ExprKind::Unsupported(format!("the operator {}", node.opcode)),
        };
        self.made(node, kind, ty, place)
    }

    /// Where the operator between two operands stands; where the whole begins if a macro hides it.
    pub(super) fn place_between(
        &mut self,
        node: &Node<'_>,
        first: &Node<'_>,
        second: &Node<'_>,
    ) -> Place {
        let (end, begin) = (first.end, second.begin);
        let whole = node.begin.place;
        if end.in_macro || begin.in_macro || end.place.file != begin.place.file {
            return whole;
        }
        let start = end.offset + end.length;
        let file = end.place.file;
        let source = self.sources.entry(file).or_insert_with(|| {
            let name = self.unit.files.get(file as usize)?;
            std::fs::read(name).ok()
        });
        let between = source
            .as_ref()
            .and_then(|source| source.get(start..begin.offset));
        let mut place = end.place;
        place.column += end.length as u32;
        match between.and_then(|text| skip_blank(text, place)) {
            Some(place) => place,
            None => whole,
        }
    }
}

/// What a pointer leads to.
pub(super) fn pointee(ty: &CType) -> Option<CType> {
    match ty {
        CType::Pointer(to) => Some(match &**to {
            CType::Unaligned(of) => (**of).clone(),
            other => other.clone(),
        }),
        _ => None,
    }
}

/// The first place behind blanks and comments.
fn skip_blank(text: &[u8], mut place: Place) -> Option<Place> {
    let mut index = 0;
    let mut comment_end: Option<&[u8]> = None;
    while let Some(&byte) = text.get(index) {
        let rest = &text[index..];
        let mut length = 1;
        match comment_end {
            Some(end) if rest.starts_with(end) => {
                comment_end = None;
                length = end.len();
            }
            Some(_) => {}
            None if rest.starts_with(b"/*") => {
                comment_end = Some(b"*/");
                length = 2;
            }
            None if rest.starts_with(b"//") => comment_end = Some(b"\n"),
            None if byte.is_ascii_whitespace() || byte == b'\\' => {}
            None => return Some(place),
        }
        if rest[..length].ends_with(b"\n") {
            place.line += 1;
            place.column = 1;
        } else {
            place.column += length as u32;
        }
        index += length;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_before_an_operator_are_skipped() {
        let place = Place {
            file: 0,
            line: 3,
            column: 5,
        };
        let found = |text: &str| skip_blank(text.as_bytes(), place).map(|p| (p.line, p.column));
        assert_eq!(found(" + "), Some((3, 6)));
        assert_eq!(found("\n  /* + */ - "), Some((4, 11)));
        assert_eq!(found(" // x\n\n* "), Some((5, 1)));
        assert_eq!(found("  "), None);
        assert_eq!(found("/* "), None);
    }
}

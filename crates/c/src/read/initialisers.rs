//! Initialisers, with their designators resolved by clang.

use super::Reader;
use super::stream::Node;
use crate::ast::{CType, Init};

impl Reader<'_> {
    /// What something begins with.
    pub(super) fn init(&mut self, node: &Node<'_>) -> Init {
        match node.kind.as_ref() {
            "InitListExpr" => self.init_list(node),
            "ParenExpr" | "ConstantExpr" | "CompoundLiteralExpr" | "ImplicitCastExpr"
                if unwrapped(node).is_some() =>
            {
                match unwrapped(node) {
                    Some(list) => self.init(list),
                    None => self.init_value(node),
                }
            }
            _ => self.init_value(node),
        }
    }

    fn init_list(&mut self, node: &Node<'_>) -> Init {
        match self.parse_type(&node.ty) {
            CType::Array(..) => self.array(node),
            CType::Record(record) if self.unit.records[record.0 as usize].is_union => {
                let field = node.declaration.and_then(|id| self.fields.get(&id));
                let index = field.map_or(0, |&(_, index)| u64::from(index));
                let list = node.inner.iter().take(1).map(|inner| (index, inner));
                self.list(list)
            }
            CType::Record(_) => {
                let list = node.inner.iter().enumerate();
                self.list(list.map(|(index, inner)| (index as u64, inner)))
            }
            // `int x = {3}`
            _ => match node.inner.first() {
                Some(inner) => self.init(inner),
                None => Init::List(Vec::new()),
            },
        }
    }

    fn array(&mut self, node: &Node<'_>) -> Init {
        // `char s[] = {"text"}`
        if let [only] = &node.inner[..]
            && !node.has_filler
            && matches!(only.kind.as_ref(), "StringLiteral" | "PredefinedExpr")
            && self.parse_type(&only.ty) == self.parse_type(&node.ty)
        {
            return self.init_value(only);
        }
        // What fills the rest comes first; it is always zero in C.
        let inner = match node.has_filler {
            true => node.inner.get(1..).unwrap_or_default(),
            false => &node.inner[..],
        };
        let list = inner.iter().enumerate();
        self.list(list.map(|(index, inner)| (index as u64, inner)))
    }

    fn list<'n, 'm: 'n>(&mut self, parts: impl Iterator<Item = (u64, &'n Node<'m>)>) -> Init {
        let mut list = Vec::new();
        for (index, part) in parts {
            if part.kind == "ImplicitValueInitExpr" || part.kind.is_empty() {
                continue;
            }
            list.push((index, self.init(part)));
        }
        Init::List(list)
    }
}

/// The list of a compound literal that initialises an array, which GNU C allows.
fn unwrapped<'n, 't>(node: &'n Node<'t>) -> Option<&'n Node<'t>> {
    let is_array = node.ty.ends_with(']');
    let inner = node
        .inner
        .first()
        .filter(|_| node.inner.len() == 1 && is_array)?;
    match inner.kind.as_ref() {
        "InitListExpr" => Some(inner),
        _ => unwrapped(inner),
    }
}

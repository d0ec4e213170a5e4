//! Enumerations.

use heapwright_logic::IntType;

use super::Reader;
use super::names::Space;
use super::stream::Node;
use crate::ast::CType;

impl Reader<'_> {
    /// Reads an enumeration: the values of its enumerators, and the type that holds them.
    pub(super) fn enumeration(&mut self, node: &Node<'_>) {
        let mut next = 0i128;
        let mut smallest = 0;
        let mut largest = 0;
        let mut is_defined = false;
        for inner in node
            .inner
            .iter()
            .filter(|inner| inner.kind == "EnumConstantDecl")
        {
            let written = inner.inner.iter().find_map(|value| self.constant(value));
            let value = written.unwrap_or(next);
            next = value.saturating_add(1);
            smallest = value.min(smallest);
            largest = value.max(largest);
            is_defined = true;
            self.enumerators.insert(inner.id, value);
            let ty = self.parse_type(&inner.ty);
            self.names.add(Space::Value, &inner.name, ty);
        }
        let is_packed = node.inner.iter().any(|inner| inner.kind == "PackedAttr");
        let ty = match &node.argument {
            Some(fixed) => self.parse_type(fixed),
            None if !is_defined => return,
            None => CType::Int(holding(smallest, largest, is_packed)),
        };
        self.enums.insert(node.id, ty.clone());
        self.name_tag(node, ty);
    }
}

/// The type that clang and gcc choose: unsigned if they can, and no smaller than `int` unless asked.
fn holding(smallest: i128, largest: i128, is_packed: bool) -> IntType {
    let small: &[IntType] = match (is_packed, smallest < 0) {
        (false, _) => &[],
        (true, true) => &[IntType::I8, IntType::I16],
        (true, false) => &[IntType::U8, IntType::U16],
    };
    let usual: &[IntType] = match smallest < 0 {
        true => &[IntType::I32, IntType::I64],
        false => &[IntType::U32, IntType::U64],
    };
    let holds = |ty: &&IntType| ty.wrap(smallest) == smallest && ty.wrap(largest) == largest;
    let found = small.iter().chain(usual).find(holds);
    *found.unwrap_or(&IntType::I64)
}

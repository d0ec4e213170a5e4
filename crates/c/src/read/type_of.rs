//! `typeof`: clang resolves it only where a whole type is one, so `typeof(*p) *` is read here.

use std::rc::Rc;

use heapwright_logic::IntType;

use super::types::{TypeParser, begins_type};
use crate::ast::{CType, RecordId};

impl TypeParser<'_, '_> {
    /// The type behind the word `typeof`.
    pub(super) fn type_of(&mut self) -> Option<CType> {
        if !self.eat("(") {
            return None;
        }
        let ty = match begins_type(self.reader, self.peek()) {
            true => self.type_name()?,
            false => self.expression()?,
        };
        self.eat(")").then_some(ty)
    }

    /// The type of an expression: those of operators that join two are the type of the left, if
    /// that is a pointer, or else the larger one.
    fn expression(&mut self) -> Option<CType> {
        let left = self.unary()?;
        match self.peek() {
            "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" => {
                self.next += 1;
                let right = self.expression()?;
                Some(joined(left, right))
            }
            ")" | "]" | "," => Some(left),
            _ => None,
        }
    }

    fn unary(&mut self) -> Option<CType> {
        if self.eat("*") {
            return pointee(&self.unary()?);
        }
        if self.eat("&") {
            return Some(CType::Pointer(Rc::new(self.unary()?)));
        }
        if self.eat("-") || self.eat("~") {
            return Some(joined(self.unary()?, CType::Int(IntType::I32)));
        }
        if self.peek() == "(" {
            let inside = self.tokens.get(self.next + 1).map_or("", String::as_str);
            if begins_type(self.reader, inside) {
                self.next += 1;
                let ty = self.type_name()?;
                if !self.eat(")") {
                    return None;
                }
                self.unary()?;
                return Some(ty);
            }
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Option<CType> {
        let mut ty = self.primary()?;
        loop {
            ty = match self.peek() {
                "->" => self.member(&pointee(&ty)?)?,
                "." => self.member(&ty)?,
                "[" => {
                    self.next += 1;
                    self.expression()?;
                    if !self.eat("]") {
                        return None;
                    }
                    pointee(&ty)?
                }
                "(" => {
                    self.next = self.closing(self.next)? + 1;
                    match &ty {
                        CType::Function(signature) => signature.result.clone(),
                        CType::Pointer(to) => match &**to {
                            CType::Function(signature) => signature.result.clone(),
                            _ => return None,
                        },
                        _ => return None,
                    }
                }
                _ => return Some(ty),
            };
        }
    }

    fn primary(&mut self) -> Option<CType> {
        if self.eat("(") {
            let ty = self.expression()?;
            return self.eat(")").then_some(ty);
        }
        let word = self.peek();
        let ty = match word.starts_with(|c: char| c.is_ascii_digit()) {
            true => number(word),
            false => self.reader.names.values.get(word)?.clone(),
        };
        self.next += 1;
        Some(ty)
    }

    fn member(&mut self, ty: &CType) -> Option<CType> {
        self.next += 1;
        let CType::Record(record) = ty else {
            return None;
        };
        let found = self.field(*record, self.peek(), 0)?;
        self.next += 1;
        Some(found)
    }

    /// The type of a field, also of one in a struct without a name inside.
    fn field(&self, record: RecordId, name: &str, depth: u32) -> Option<CType> {
        let fields = &self.reader.unit.records.get(record.0 as usize)?.fields;
        fields.iter().find_map(|field| match &field.ty {
            ty if field.name == name => Some(ty.clone()),
            CType::Record(inner) if field.name.is_empty() && depth < 100 => {
                self.field(*inner, name, depth + 1)
            }
            _ => None,
        })
    }
}

fn number(word: &str) -> CType {
    let is_unsigned = word.contains(['u', 'U']);
    CType::Int(match (word.contains(['l', 'L']), is_unsigned) {
        (true, true) => IntType::U64,
        (true, false) => IntType::I64,
        (false, true) => IntType::U32,
        (false, false) => IntType::I32,
    })
}

fn pointee(ty: &CType) -> Option<CType> {
    match ty {
        CType::Pointer(to) => Some(match &**to {
            CType::Unaligned(of) => (**of).clone(),
            other => other.clone(),
        }),
        CType::Array(element, _) => Some((**element).clone()),
        _ => None,
    }
}

fn joined(left: CType, right: CType) -> CType {
    match (&left, &right) {
        (CType::Array(element, _), _) => CType::Pointer(element.clone()),
        (CType::Float(_), CType::Int(_) | CType::Bool) => left,
        (CType::Int(a), CType::Int(b)) if a.bits() < 32 && b.bits() < 32 => {
            CType::Int(IntType::I32)
        }
        (CType::Int(a), CType::Int(b)) if a.bits() > b.bits() => left,
        (CType::Int(a), CType::Int(b)) if a.bits() == b.bits() && !a.signed() => left,
        (CType::Int(_) | CType::Bool, _) => right,
        _ => left,
    }
}

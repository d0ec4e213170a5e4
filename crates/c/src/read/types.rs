//! Types, read from clang's words for them.

use std::rc::Rc;

use heapwright_logic::{FloatType, IntType};

use super::Reader;
use super::tokens::{is_word, tokens};
use crate::ast::{CType, Signature};

/// What an array with a length that is not constant is called.
pub(super) const VARIABLE_LENGTH: &str = "a variable-length array";

impl Reader<'_> {
    /// The type that some words mean.
    pub(super) fn parse_type(&self, text: &str) -> CType {
        // Most types are simple, and occur many times.
        match text {
            "int" => return CType::Int(IntType::I32),
            "unsigned int" => return CType::Int(IntType::U32),
            "void" => return CType::Void,
            _ => {}
        }
        // A type that may name what is in scope is not kept: the name may mean another thing later.
        if !self.names.is_lasting(text) {
            return self.parse_type_anew(text);
        }
        if let Some(known) = self.names.parsed.borrow().get(text) {
            return known.clone();
        }
        let ty = self.parse_type_anew(text);
        if !matches!(ty, CType::Other(_)) {
            let mut parsed = self.names.parsed.borrow_mut();
            parsed.insert(text.to_owned(), ty.clone());
        }
        ty
    }

    fn parse_type_anew(&self, text: &str) -> CType {
        let Some(tokens) = tokens(text) else {
            return CType::Other(text.to_owned());
        };
        let mut parser = TypeParser {
            reader: self,
            tokens: &tokens,
            next: 0,
            is_unaligned: false,
        };
        match parser.type_name() {
            Some(ty) if parser.next == tokens.len() => {
                self.spell(&ty, text);
                ty
            }
            _ => CType::Other(text.to_owned()),
        }
    }
}

/// A parser of types (and, for `typeof`, of expressions).
pub(super) struct TypeParser<'r, 't> {
    pub(super) reader: &'r Reader<'t>,
    pub(super) tokens: &'r [String],
    pub(super) next: usize,
    /// Whether the type name that was read last asks for less alignment.
    pub(super) is_unaligned: bool,
}

impl TypeParser<'_, '_> {
    pub(super) fn peek(&self) -> &str {
        self.tokens.get(self.next).map_or("", String::as_str)
    }

    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.next += usize::from(found);
        found
    }

    /// A type without the name of something.
    pub(super) fn type_name(&mut self) -> Option<CType> {
        let base = self.specifiers()?;
        self.declarator(base)
    }

    fn declarator(&mut self, mut base: CType) -> Option<CType> {
        let is_unaligned = std::mem::take(&mut self.is_unaligned);
        if is_unaligned && self.peek() == "*" {
            base = CType::Unaligned(Rc::new(base));
        }
        while self.eat("*") {
            base = CType::Pointer(Rc::new(base));
        }
        let is_nested = self.peek() == "("
            && matches!(
                self.tokens.get(self.next + 1).map(String::as_str),
                Some("*" | "(")
            );
        if !is_nested {
            return self.suffix(base);
        }
        // `int (*)(int)`: what is in the parentheses applies to what stands around them.
        let inside = self.next + 1;
        self.next = self.closing(self.next)? + 1;
        let around = self.suffix(base)?;
        let end = std::mem::replace(&mut self.next, inside);
        let ty = self.declarator(around)?;
        if !self.eat(")") {
            return None;
        }
        self.next = end;
        Some(ty)
    }

    /// Where the parenthesis that opens at an index is closed.
    pub(super) fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            match token.as_str() {
                "(" => depth += 1,
                ")" => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some(index);
                    }
                }
                _ => {}
            }
        }
        None
    }

    fn suffix(&mut self, base: CType) -> Option<CType> {
        if self.eat("[") {
            let text = self.peek();
            let length = match text {
                "]" => Some(None),
                number => number.parse().ok().map(Some),
            };
            while !self.peek().is_empty() && self.peek() != "]" {
                self.next += 1;
            }
            if !self.eat("]") {
                return None;
            }
            let element = self.suffix(base)?;
            return Some(match length {
                Some(length) => CType::Array(Rc::new(element), length),
                None => CType::Other(VARIABLE_LENGTH.to_owned()),
            });
        }
        if !self.eat("(") {
            return Some(base);
        }
        let mut params = Vec::new();
        let mut variadic = false;
        while !self.eat(")") {
            if self.eat("...") {
                variadic = true;
            } else {
                params.push(self.type_name()?);
            }
            if !self.eat(",") && self.peek() != ")" {
                return None;
            }
        }
        if params == [CType::Void] {
            params.clear();
        }
        let result = self.suffix(base)?;
        Some(CType::Function(Rc::new(Signature {
            result,
            params,
            variadic,
        })))
    }

    fn specifiers(&mut self) -> Option<CType> {
        let first = self.peek();
        if first == "_Atomic" {
            self.next += 1;
            if !self.eat("(") {
                return self.specifiers();
            }
            let ty = self.type_name()?;
            return self.eat(")").then_some(ty);
        }
        if matches!(
            first,
            "typeof" | "__typeof__" | "__typeof" | "typeof_unqual"
        ) {
            self.next += 1;
            return self.type_of();
        }
        if matches!(first, "struct" | "union" | "enum") {
            let name = format!("{first} {}", self.tokens.get(self.next + 1)?);
            self.next += 2;
            return Some(self.tagged(&name));
        }
        let start = self.next;
        while is_word(self.peek()) {
            self.next += 1;
        }
        let words: Vec<&str> = self.tokens[start..self.next]
            .iter()
            .map(String::as_str)
            .collect();
        match words[..] {
            [] => None,
            [word] if !is_builtin(word) => self.named(word),
            _ => builtin(&words, self.reader),
        }
    }

    fn named(&mut self, word: &str) -> Option<CType> {
        self.is_unaligned = self.reader.names.unaligned.contains(word);
        match word {
            "__builtin_va_list" | "va_list" | "__gnuc_va_list" => {
                Some(CType::Other("va_list".to_owned()))
            }
            _ => Some(match self.reader.names.typedefs.get(word) {
                Some(ty) => ty.clone(),
                // clang calls a struct without a tag by its type name, also before that is read.
                None => CType::Other(word.to_owned()),
            }),
        }
    }

    fn tagged(&mut self, name: &str) -> CType {
        if name == "struct __va_list_tag" {
            // An array of one is how this target passes the list.
            if self.tokens[self.next..].starts_with(&["[".into(), "1".into(), "]".into()]) {
                self.next += 3;
            }
            return CType::Other("va_list".to_owned());
        }
        if let Some(ty) = self.reader.names.tags.get(name) {
            return ty.clone();
        }
        // A definition of a type name writes `struct T` for a struct without a tag.
        let word = name.split(' ').nth(1).unwrap_or_default();
        match self.reader.names.typedefs.get(word) {
            Some(ty) if self.reader.names.is_of_unnamed.contains(word) => ty.clone(),
            _ => CType::Other(name.to_owned()),
        }
    }
}

fn is_builtin(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "_Bool"
            | "bool"
            | "__int128"
            | "_Complex"
            | "_Float16"
            | "__float128"
            | "__bf16"
    )
}

/// Whether a type begins with a word.
pub(super) fn begins_type(reader: &Reader<'_>, word: &str) -> bool {
    is_builtin(word)
        || matches!(
            word,
            "struct" | "union" | "enum" | "typeof" | "__typeof__" | "_Atomic"
        )
        || (reader.names.typedefs.contains_key(word) && !reader.names.values.contains_key(word))
}

fn builtin(words: &[&str], reader: &Reader<'_>) -> Option<CType> {
    let has = |word: &str| words.contains(&word);
    let longs = words.iter().filter(|&&word| word == "long").count();
    let unsigned = has("unsigned");
    let int = |signed, other| CType::Int(if unsigned { other } else { signed });
    if words.iter().any(|word| !is_builtin(word)) {
        return None;
    }
    Some(match words {
        ["void"] => CType::Void,
        ["_Bool" | "bool"] => CType::Bool,
        ["float"] => CType::Float(FloatType::Single),
        ["double"] => CType::Float(FloatType::Double),
        ["char"] if reader.target.is_char_unsigned => CType::Int(IntType::U8),
        _ if [
            "double",
            "float",
            "__int128",
            "_Complex",
            "_Float16",
            "__float128",
            "__bf16",
        ]
        .iter()
        .any(|word| has(word)) =>
        {
            CType::Other(words.join(" "))
        }
        _ if has("char") => int(IntType::I8, IntType::U8),
        _ if has("short") => int(IntType::I16, IntType::U16),
        _ if longs == 1 && reader.target.long == 4 => int(IntType::I32, IntType::U32),
        _ if longs > 0 => int(IntType::I64, IntType::U64),
        _ => int(IntType::I32, IntType::U32),
    })
}

//! Types of C, read from clang's words for them.

use std::rc::Rc;

use heapwright_logic::{FloatType, IntType};

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CType {
    /// Nothing.
    Void,
    /// `_Bool`.
    Bool,
    /// An integer, or an enumeration.
    Int(IntType),
    /// A floating-point number.
    Float(FloatType),
    /// A pointer.
    Pointer(Rc<CType>),
    /// An array; without a length, it is one of the caller.
    Array(Rc<CType>, Option<u32>),
    /// A struct or union, by clang's words for it.
    Record(String),
    /// A function.
    Function(Rc<CType>),
    /// Another type, which is not supported.
    Other(String),
}

impl CType {
    /// What a pointer leads to.
    pub fn pointee(&self) -> Option<&CType> {
        match self {
            CType::Pointer(to) => Some(to),
            _ => None,
        }
    }
}

/// Reads a type.
pub fn parse(text: &str) -> CType {
    let mut parser = Parser {
        tokens: tokens(text),
        next: 0,
    };
    let parsed = parser.ty();
    match parser.next == parser.tokens.len() {
        true => parsed.unwrap_or_else(|| CType::Other(text.to_owned())),
        false => CType::Other(text.to_owned()),
    }
}

/// Words and signs; what stands in parentheses behind `struct` is one word.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after_tag = matches!(
            tokens.last().map(String::as_str),
            Some("struct" | "union" | "enum")
        );
        let length = if first.is_alphanumeric() || first == '_' {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            end.unwrap_or(rest.len())
        } else if after_tag && first == '(' {
            rest.find(')').map_or(rest.len(), |end| end + 1)
        } else if rest.starts_with("...") {
            3
        } else {
            first.len_utf8()
        };
        if !first.is_whitespace() {
            tokens.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
    }
    let qualifiers = [
        "const",
        "volatile",
        "restrict",
        "__restrict",
        "_Nonnull",
        "_Nullable",
    ];
    tokens.retain(|token| !qualifiers.contains(&token.as_str()));
    tokens
}

struct Parser {
    tokens: Vec<String>,
    next: usize,
}

impl Parser {
    fn peek(&self) -> &str {
        self.tokens.get(self.next).map_or("", String::as_str)
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.next += usize::from(found);
        found
    }

    fn ty(&mut self) -> Option<CType> {
        let mut base = self.base()?;
        while self.eat("*") {
            base = CType::Pointer(Rc::new(base));
        }
        // `int (*)(int)`: what is in the parentheses applies to what stands around them.
        if self.peek() == "("
            && self
                .tokens
                .get(self.next + 1)
                .is_some_and(|next| next == "*")
        {
            self.next += 1;
            let mut stars = 0;
            while self.eat("*") {
                stars += 1;
            }
            let lengths = self.lengths()?;
            if !self.eat(")") {
                return None;
            }
            let mut inner = self.suffix(base)?;
            for _ in 0..stars {
                inner = CType::Pointer(Rc::new(inner));
            }
            return Some(arrays(inner, lengths));
        }
        self.suffix(base)
    }

    fn suffix(&mut self, base: CType) -> Option<CType> {
        if self.eat("(") {
            let mut depth = 1;
            while depth > 0 {
                match self.peek() {
                    "" => return None,
                    "(" => depth += 1,
                    ")" => depth -= 1,
                    _ => {}
                }
                self.next += 1;
            }
            return Some(CType::Function(Rc::new(base)));
        }
        Some(arrays(base, self.lengths()?))
    }

    fn lengths(&mut self) -> Option<Vec<Option<u32>>> {
        let mut lengths = Vec::new();
        while self.eat("[") {
            let length = match self.peek() {
                "]" => None,
                number => Some(number.parse().ok()?),
            };
            self.next += usize::from(length.is_some());
            if !self.eat("]") {
                return None;
            }
            lengths.push(length);
        }
        Some(lengths)
    }

    fn base(&mut self) -> Option<CType> {
        let mut words: Vec<&str> = Vec::new();
        while let Some(token) = self.tokens.get(self.next) {
            let after_tag = matches!(words.last(), Some(&("struct" | "union" | "enum")));
            let is_word = token.starts_with(|c: char| c.is_alphanumeric() || c == '_');
            if !is_word && !after_tag {
                break;
            }
            words.push(token);
            self.next += 1;
        }
        let has = |word: &str| words.contains(&word);
        let longs = words.iter().filter(|&&word| word == "long").count();
        let unsigned = has("unsigned");
        let int = |signed, other| CType::Int(if unsigned { other } else { signed });
        Some(match words[..] {
            [] => return None,
            ["void"] => CType::Void,
            ["_Bool"] => CType::Bool,
            ["float"] => CType::Float(FloatType::Single),
            ["double"] => CType::Float(FloatType::Double),
            ["struct" | "union", ..] => CType::Record(words.join(" ")),
            ["enum", ..] => CType::Int(IntType::U32),
            _ if has("double") || has("__int128") => CType::Other(words.join(" ")),
            _ if has("char") => int(IntType::I8, IntType::U8),
            _ if has("short") => int(IntType::I16, IntType::U16),
            _ if longs > 0 => int(IntType::I64, IntType::U64),
            _ if has("int") || has("signed") || unsigned => int(IntType::I32, IntType::U32),
            // The name of a struct without a tag.
            [_] => CType::Record(words.join(" ")),
            _ => CType::Other(words.join(" ")),
        })
    }
}

fn arrays(mut base: CType, lengths: Vec<Option<u32>>) -> CType {
    for length in lengths.into_iter().rev() {
        base = CType::Array(Rc::new(base), length);
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointer(to: CType) -> CType {
        CType::Pointer(Rc::new(to))
    }

    #[test]
    fn types_are_read_as_clang_writes_them() {
        let int = || CType::Int(IntType::I32);
        let node = || CType::Record("struct node".to_owned());
        assert_eq!(parse("const unsigned long"), CType::Int(IntType::U64));
        assert_eq!(parse("struct node *const *"), pointer(pointer(node())));
        let rows = CType::Array(Rc::new(int()), Some(3));
        assert_eq!(
            parse("int[2][3]"),
            CType::Array(Rc::new(rows.clone()), Some(2))
        );
        assert_eq!(parse("int (*)[3]"), pointer(rows));
        let function = CType::Function(Rc::new(int()));
        assert_eq!(
            parse("int (*)(const void *, int (*)(void))"),
            pointer(function)
        );
        let unnamed = "struct (unnamed struct at a b.c:3:1)";
        assert_eq!(parse(unnamed), CType::Record(unnamed.to_owned()));
        assert_eq!(
            parse("struct node *[8]"),
            CType::Array(Rc::new(pointer(node())), Some(8))
        );
        assert_eq!(parse("long double"), CType::Other("long double".to_owned()));
    }
}

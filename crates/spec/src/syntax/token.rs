//! Tokens: what the lexer gives the parser.

use crate::diagnostic::Span;

/// A token with its place.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Kinds of tokens. A sign has one kind however it is spelled: `&`, `&&`, `∧` and `/\` are all
/// [`TokenKind::And`].
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TokenKind {
    /// A name or keyword; which of the two depends on where it stands.
    Word(String),
    Int(i128),
    Char(u16),
    Float(super::ast::Float),
    /// The contents of a string, without escapes (only file names are written so).
    Str(String),
    Wildcard,
    Exists,
    PointsTo,
    Star,
    And,
    Or,
    Not,
    Implies,
    Equal,
    /// `==`, which is an equality in a formula and `:=` in a definition.
    DoubleEqual,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// `:=` `::=` `≡`
    Define,
    Plus,
    Minus,
    Slash,
    Percent,
    Question,
    Colon,
    Comma,
    Semicolon,
    Dot,
    Hash,
    OpenParen,
    CloseParen,
    OpenBrace,
    CloseBrace,
    /// Something that was already reported.
    Invalid,
    End,
}

impl TokenKind {
    /// How the token is called in an error message.
    pub fn describe(&self) -> String {
        let sign = match self {
            TokenKind::Word(word) => return format!("`{word}`"),
            TokenKind::Int(_) => return "a number".to_owned(),
            TokenKind::Float(_) => return "a floating-point number".to_owned(),
            TokenKind::Char(_) => return "a character".to_owned(),
            TokenKind::Str(_) => return "a string".to_owned(),
            TokenKind::Invalid => return "an unreadable sign".to_owned(),
            TokenKind::End => return "the end of the file".to_owned(),
            TokenKind::Wildcard => "_",
            TokenKind::Exists => "exists",
            TokenKind::PointsTo => "->",
            TokenKind::Star => "*",
            TokenKind::And => "&",
            TokenKind::Or => "|",
            TokenKind::Not => "!",
            TokenKind::Implies => "=>",
            TokenKind::Equal => "=",
            TokenKind::DoubleEqual => "==",
            TokenKind::NotEqual => "!=",
            TokenKind::Less => "<",
            TokenKind::LessEqual => "<=",
            TokenKind::Greater => ">",
            TokenKind::GreaterEqual => ">=",
            TokenKind::Define => ":=",
            TokenKind::Plus => "+",
            TokenKind::Minus => "-",
            TokenKind::Slash => "/",
            TokenKind::Percent => "%",
            TokenKind::Question => "?",
            TokenKind::Colon => ":",
            TokenKind::Comma => ",",
            TokenKind::Semicolon => ";",
            TokenKind::Dot => ".",
            TokenKind::Hash => "#",
            TokenKind::OpenParen => "(",
            TokenKind::CloseParen => ")",
            TokenKind::OpenBrace => "{",
            TokenKind::CloseBrace => "}",
        };
        format!("`{sign}`")
    }
}

/// Whether a word can never be the name of a variable or predicate.
///
/// The words that open declarations are not among them: fields called `data` are common.
pub fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "exists" | "emp" | "true" | "false" | "null" | "nil" | "_" | "old"
    )
}

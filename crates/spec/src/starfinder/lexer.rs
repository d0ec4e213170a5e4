//! Tokens of the StarFinder notation.

use crate::diagnostic::{Diagnostic, FileId, Span};

/// What a token is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Token<'a> {
    /// A name or keyword.
    Word(&'a str),
    /// Decimal digits.
    Int(&'a str),
    /// Digits with a decimal point.
    Decimal(&'a str),
    /// One of [`SIGNS`].
    Sign(&'static str),
    /// Behind the last token.
    End,
}

/// Longer signs first, so that the longest match wins.
const SIGNS: &[&str] = &[
    "||", "::", "->", "==", "!=", "<=", ">=", "**", "=", "<", ">", "&", "*", "#", "/", "+", "-",
    "(", ")", "{", "}", ",", ";",
];

/// More unknown characters than this are only counted.
const MAX_ERRORS: usize = 100;

impl Token<'_> {
    /// What the token is, for messages.
    pub fn describe(self) -> String {
        match self {
            Token::Word(text) | Token::Int(text) | Token::Decimal(text) => format!("`{text}`"),
            Token::Sign(sign) => format!("`{sign}`"),
            Token::End => "the end of the file".to_owned(),
        }
    }
}

/// Splits a text into tokens, the last of which is [`Token::End`].
pub(super) fn tokenize<'a>(
    file: FileId,
    text: &'a str,
    diagnostics: &mut Vec<Diagnostic>,
    omitted: &mut usize,
) -> Vec<(Token<'a>, Span)> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (token, length) = if first.is_whitespace() || first == '\u{feff}' {
            (None, first.len_utf8())
        } else if rest.starts_with("//") {
            (None, rest.find('\n').unwrap_or(rest.len()))
        } else if rest.starts_with("/*") {
            let end = rest.find("*/").map(|end| end + 2);
            if end.is_none() {
                let span = Span::new(file, at, at + 2);
                diagnostics.push(Diagnostic::error(span, "this comment is never closed"));
            }
            (None, end.unwrap_or(rest.len()))
        } else if starts_word(first) {
            let length = length_while(rest, |c| starts_word(c) || c.is_ascii_digit());
            (Some(Token::Word(&rest[..length])), length)
        } else if first.is_ascii_digit() {
            let (token, length) = number(rest);
            (Some(token), length)
        } else if let Some(&sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            (Some(Token::Sign(sign)), sign.len())
        } else {
            if diagnostics.len() < MAX_ERRORS {
                let span = Span::new(file, at, at + first.len_utf8());
                let message = format!("unexpected character `{}`", first.escape_debug());
                diagnostics.push(Diagnostic::error(span, message));
            } else {
                *omitted += 1;
            }
            (None, first.len_utf8())
        };
        tokens.extend(token.map(|token| (token, Span::new(file, at, at + length))));
        at += length;
    }
    tokens.push((Token::End, Span::new(file, at, at)));
    tokens
}

fn starts_word(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

fn length_while(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|c| !belongs(c)).unwrap_or(text.len())
}

fn number(text: &str) -> (Token<'_>, usize) {
    let whole = length_while(text, |c| c.is_ascii_digit());
    let fraction = match text[whole..].strip_prefix('.') {
        Some(rest) => length_while(rest, |c| c.is_ascii_digit()),
        None => 0,
    };
    match fraction {
        0 => (Token::Int(&text[..whole]), whole),
        _ => {
            let length = whole + 1 + fraction;
            (Token::Decimal(&text[..length]), length)
        }
    }
}

//! Text to tokens.
//!
//! Comments are `// ...` to the end of the line and `/* ... */`, which nest.

use super::literal::{self, Number};
use super::token::{Token, TokenKind};
use crate::diagnostic::{Diagnostic, FileId, SourceMap, Span};
use std::ops::Range;

/// All signs, longest first where one is a prefix of another.
const SIGNS: [(&str, TokenKind); 55] = [
    ("::=", TokenKind::Define),
    (":=", TokenKind::Define),
    ("≡", TokenKind::Define),
    ("->", TokenKind::PointsTo),
    ("↦", TokenKind::PointsTo),
    ("→", TokenKind::PointsTo),
    ("=>", TokenKind::Implies),
    ("⇒", TokenKind::Implies),
    ("==", TokenKind::DoubleEqual),
    ("=", TokenKind::Equal),
    ("!=", TokenKind::NotEqual),
    ("≠", TokenKind::NotEqual),
    ("/=", TokenKind::NotEqual),
    ("<=", TokenKind::LessEqual),
    ("≤", TokenKind::LessEqual),
    (">=", TokenKind::GreaterEqual),
    ("≥", TokenKind::GreaterEqual),
    ("<", TokenKind::Less),
    (">", TokenKind::Greater),
    ("&&", TokenKind::And),
    ("&", TokenKind::And),
    ("∧", TokenKind::And),
    ("/\\", TokenKind::And),
    ("||", TokenKind::Or),
    ("|", TokenKind::Or),
    ("∨", TokenKind::Or),
    ("\\/", TokenKind::Or),
    ("!", TokenKind::Not),
    ("¬", TokenKind::Not),
    ("~", TokenKind::Not),
    ("*", TokenKind::Star),
    ("∗", TokenKind::Star),
    ("⋆", TokenKind::Star),
    ("∃", TokenKind::Exists),
    ("+", TokenKind::Plus),
    ("-", TokenKind::Minus),
    ("−", TokenKind::Minus),
    ("/", TokenKind::Slash),
    ("%", TokenKind::Percent),
    ("?", TokenKind::Question),
    (":", TokenKind::Colon),
    (",", TokenKind::Comma),
    (";", TokenKind::Semicolon),
    (".", TokenKind::Dot),
    ("·", TokenKind::Dot),
    ("#", TokenKind::Hash),
    ("(", TokenKind::OpenParen),
    (")", TokenKind::CloseParen),
    ("{", TokenKind::OpenBrace),
    ("}", TokenKind::CloseBrace),
    ("∀", TokenKind::Invalid),
    ("[", TokenKind::Invalid),
    ("]", TokenKind::Invalid),
    ("@", TokenKind::Invalid),
    ("\\", TokenKind::Invalid),
];

/// No character literal has more characters than this, quotation marks included.
const LONGEST_CHARACTER: usize = 12;

/// The tokens of a text, the last one being [`TokenKind::End`], and what could not be read.
pub(super) fn tokenize(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        tokens: Vec::new(),
        diagnostics: Vec::new(),
    };
    while lexer.at < text.len() {
        lexer.step();
    }
    let end = Span::new(file, text.len(), text.len());
    lexer.tokens.push(Token {
        kind: TokenKind::End,
        span: end,
    });
    (lexer.tokens, lexer.diagnostics)
}

/// The places of the tokens of a text, for programs that change nothing but what is between them:
/// white space and comments. Returns `None` if something in the text is no token.
pub fn token_places(text: &str) -> Option<Vec<Range<usize>>> {
    let (mut tokens, diagnostics) = tokenize(FileId(0), text);
    tokens.pop();
    let place = |token: Token| token.span.start as usize..token.span.end as usize;
    (diagnostics.is_empty() && text.len() <= SourceMap::MAX_LENGTH)
        .then(|| tokens.into_iter().map(place).collect())
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Reads one token, comment or piece of white space.
    fn step(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return;
        };
        if first.is_whitespace() || first == '\u{feff}' {
            self.at += first.len_utf8();
        } else if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            self.block_comment();
        } else if starts_name(first) {
            self.word();
        } else if first.is_ascii_digit() {
            self.number();
        } else if first == '\'' {
            self.character();
        } else if first == '"' {
            self.string();
        } else {
            self.sign(first);
        }
    }

    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = Span::new(self.file, self.at, self.at + length);
        self.tokens.push(Token { kind, span });
        self.at += length;
    }

    fn reject(&mut self, length: usize, message: &str) {
        let span = Span::new(self.file, self.at, self.at + length);
        self.diagnostics.push(Diagnostic::error(span, message));
        self.push(TokenKind::Invalid, length);
    }

    fn block_comment(&mut self) {
        let rest = self.rest();
        let mut depth = 0usize;
        let mut at = 0;
        while at < rest.len() {
            if rest[at..].starts_with("/*") {
                depth += 1;
                at += 2;
            } else if rest[at..].starts_with("*/") {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    self.at += at;
                    return;
                }
            } else {
                at += rest[at..].chars().next().map_or(1, char::len_utf8);
            }
        }
        let span = Span::new(self.file, self.at, self.at + 2);
        let message = "this comment is never closed";
        let help = "comments nest: every `/*` needs its own `*/`";
        (self.diagnostics).push(Diagnostic::error(span, message).with_help(help));
        self.at = self.text.len();
    }

    fn word(&mut self) {
        let rest = self.rest();
        let length = rest.find(|c| !continues_name(c)).unwrap_or(rest.len());
        let kind = match &rest[..length] {
            "_" => TokenKind::Wildcard,
            "exists" => TokenKind::Exists,
            word => TokenKind::Word(word.to_owned()),
        };
        self.push(kind, length);
    }

    fn number(&mut self) {
        let rest = self.rest().as_bytes();
        let hex = rest.starts_with(b"0x") || rest.starts_with(b"0X");
        let mut length = 0;
        while let Some(&byte) = rest.get(length) {
            let next = rest.get(length + 1);
            let digit_follows = next.is_some_and(u8::is_ascii_digit);
            let exponent = !hex && length > 0 && matches!(rest[length - 1], b'e' | b'E');
            let part = byte.is_ascii_alphanumeric()
                || byte == b'_'
                || (byte == b'.' && digit_follows && !hex)
                || (matches!(byte, b'+' | b'-') && exponent && digit_follows);
            if !part {
                break;
            }
            length += 1;
        }
        match literal::number(&self.rest()[..length]) {
            Ok(Number::Int(value)) => self.push(TokenKind::Int(value), length),
            Ok(Number::Float(value)) => self.push(TokenKind::Float(value), length),
            Err(message) => self.reject(length, message),
        }
    }

    fn character(&mut self) {
        let rest = self.rest();
        let mut escape = false;
        // The bound keeps a text full of unclosed literals from being scanned again and again.
        let body = rest.char_indices().take(LONGEST_CHARACTER).skip(1);
        let close = { body }.find(|&(_, character)| {
            let closes = character == '\n' || (character == '\'' && !escape);
            escape = character == '\\' && !escape;
            closes
        });
        match close {
            Some((at, '\'')) => match literal::character(&rest[1..at]) {
                Ok(unit) => self.push(TokenKind::Char(unit), at + 1),
                Err(message) => self.reject(at + 1, message),
            },
            _ => self.reject(1, "this character literal is never closed"),
        }
    }

    fn string(&mut self) {
        let rest = self.rest();
        match rest[1..].find(['"', '\n']) {
            Some(length) if rest[1 + length..].starts_with('"') => {
                let contents = rest[1..1 + length].to_owned();
                self.push(TokenKind::Str(contents), length + 2);
            }
            _ => self.reject(1, "this string is never closed"),
        }
    }

    fn sign(&mut self, first: char) {
        let rest = self.rest();
        let known = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign));
        match known {
            Some((sign, TokenKind::Invalid)) => {
                self.reject(sign.len(), &format!("`{sign}` has no meaning here"));
            }
            Some((sign, kind)) => self.push(kind.clone(), sign.len()),
            None => {
                let shown = first.escape_debug();
                self.reject(first.len_utf8(), &format!("unknown character `{shown}`"));
            }
        }
    }
}

fn starts_name(character: char) -> bool {
    character.is_alphabetic() || character == '_' || character == '$'
}

fn continues_name(character: char) -> bool {
    starts_name(character) || character.is_numeric() || character == '\''
}

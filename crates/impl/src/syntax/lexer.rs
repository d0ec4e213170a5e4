//! Text to tokens.
//!
//! Comments are `// ...` to the end of the line and `/* ... */`, which nest.

use heapwright_spec::diagnostic::{Diagnostic, FileId, Span};

use super::token::{Keyword, Sign, Token, TokenKind};

/// The tokens of a text, the last one being [`TokenKind::End`], and what could not be read.
pub(crate) fn tokenize(file: FileId, text: &str) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        diagnostics: Vec::new(),
    };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.next() {
        tokens.push(token);
    }
    let end = Span::new(file, text.len(), text.len());
    tokens.push(Token {
        kind: TokenKind::End,
        span: end,
    });
    (tokens, lexer.diagnostics)
}

struct Lexer<'a> {
    file: FileId,
    text: &'a str,
    at: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn next(&mut self) -> Option<Token> {
        loop {
            self.skip_blanks();
            let first = self.rest().chars().next()?;
            let start = self.at;
            let kind = if first.is_alphabetic() || first == '_' {
                Some(self.name())
            } else if first.is_ascii_digit() {
                Some(self.number())
            } else {
                self.sign(first)
            };
            if let Some(kind) = kind {
                let span = Span::new(self.file, start, self.at);
                return Some(Token { kind, span });
            }
        }
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(self.file, start, self.at)
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.block_comment();
            } else {
                let blank = rest.len() - rest.trim_start().len();
                if blank == 0 {
                    return;
                }
                self.at += blank;
            }
        }
    }

    fn block_comment(&mut self) {
        let start = self.at;
        let mut depth = 0usize;
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            match bytes[self.at..] {
                [b'/', b'*', ..] => {
                    depth += 1;
                    self.at += 2;
                }
                [b'*', b'/', ..] => {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        return;
                    }
                }
                _ => self.at += 1,
            }
        }
        let span = Span::new(self.file, start, start + 2);
        let diagnostic = Diagnostic::error(span, "this comment is not closed")
            .with_expected("`*/`, once for every `/*`");
        self.diagnostics.push(diagnostic);
    }

    fn name(&mut self) -> TokenKind {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let name = rest[..end].to_owned();
        self.at += end;
        match Keyword::named(&name) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None => TokenKind::Name(name),
        }
    }

    fn number(&mut self) -> TokenKind {
        let start = self.at;
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let written = rest[..end].to_owned();
        self.at += end;
        let digits = written.replace('_', "");
        let value = match digits.strip_prefix("0x") {
            Some(hexadecimal) => i128::from_str_radix(hexadecimal, 16),
            None => digits.parse::<i128>(),
        };
        // Larger numbers fit no type; the bound also keeps negation exact.
        let value = value.ok().filter(|&value| value <= i128::from(u64::MAX));
        if value.is_none() {
            let message = format!("`{}` is not a number", shortened(&written));
            let diagnostic = Diagnostic::error(self.span_from(start), message)
                .with_expected("a decimal or hexadecimal number of at most 64 bits");
            self.diagnostics.push(diagnostic);
        }
        TokenKind::Number(value.unwrap_or(0))
    }

    fn sign(&mut self, first: char) -> Option<TokenKind> {
        let rest = self.rest();
        let signs = Sign::ALL.iter().copied();
        let found = signs
            .filter(|sign| rest.starts_with(sign.text()))
            .max_by_key(|sign| sign.text().len());
        if let Some(sign) = found {
            self.at += sign.text().len();
            return Some(TokenKind::Sign(sign));
        }
        let start = self.at;
        self.at += first.len_utf8();
        let message = format!("unexpected character `{}`", first.escape_debug());
        let diagnostic = Diagnostic::error(self.span_from(start), message);
        self.diagnostics.push(diagnostic);
        None
    }
}

/// The beginning of a text that may be very long.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(30) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

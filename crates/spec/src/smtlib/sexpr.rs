//! S-expressions: the syntax that every SMT-LIB command is written in.
//!
//! The parser keeps its own stack, so that nesting costs memory of the heap and not of the
//! call stack, and refuses to nest deeper than [`MAX_DEPTH`], so that everything after it may
//! recurse over the result.

use super::problem::{ProblemKind, Problems};
use crate::diagnostic::{FileId, Span};

/// How deep parentheses may nest.
pub(super) const MAX_DEPTH: usize = 1000;

/// An expression with its place in the source.
#[derive(Clone, Debug)]
pub(super) struct Expr<'a> {
    pub span: Span,
    pub kind: ExprKind<'a>,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind<'a> {
    /// `name` or `|name|`, without the bars.
    Symbol(&'a str),
    /// `:name`, with the colon.
    Keyword(&'a str),
    /// Decimal digits.
    Numeral(&'a str),
    /// `"text"`, without the quotes, with doubled quotes left as they are.
    Text(&'a str),
    /// A decimal, hexadecimal or binary constant, of which no sort here has a value.
    OtherConstant(&'a str),
    /// `( ... )`
    List(Vec<Expr<'a>>),
}

impl<'a> Expr<'a> {
    pub fn symbol(&self) -> Option<&'a str> {
        match self.kind {
            ExprKind::Symbol(name) => Some(name),
            _ => None,
        }
    }

    pub fn list(&self) -> Option<&[Expr<'a>]> {
        match &self.kind {
            ExprKind::List(items) => Some(items),
            _ => None,
        }
    }

    /// What the expression is, for messages.
    pub fn describe(&self) -> String {
        match &self.kind {
            ExprKind::Symbol(name) => format!("`{name}`"),
            ExprKind::Keyword(name) => format!("the keyword `{name}`"),
            ExprKind::Numeral(digits) => format!("the number {digits}"),
            ExprKind::Text(_) => "a string".to_owned(),
            ExprKind::OtherConstant(text) => format!("the constant `{text}`"),
            ExprKind::List(items) if items.is_empty() => "`()`".to_owned(),
            ExprKind::List(_) => "a list".to_owned(),
        }
    }
}

/// Parses the commands of a script. What is wrong is reported, and left out of the result.
///
/// `starts_command` tells the names that begin a command: where one stands behind a
/// parenthesis at the beginning of a line, an unfinished command ends before it, so that one
/// missing parenthesis does not hide the rest of the file.
pub(super) fn parse<'a>(
    file: FileId,
    source: &'a str,
    starts_command: impl Fn(&str) -> bool,
    problems: &mut Problems,
) -> Vec<Expr<'a>> {
    let mut commands = Vec::new();
    // The lists that are open: where each began and what it holds so far.
    let mut open: Vec<(Span, Vec<Expr<'a>>)> = Vec::new();
    let mut scanner = Scanner {
        file,
        source,
        at: 0,
    };
    while let Some((span, token)) = scanner.next_token(problems) {
        let expr = match token {
            Token::Open => {
                if let Some(&(unclosed, _)) = open.first()
                    && scanner.begins_line(span)
                    && starts_command(scanner.peek_symbol())
                {
                    problems.add(unclosed, ProblemKind::Unclosed);
                    open.clear();
                }
                if open.len() == MAX_DEPTH {
                    problems.add(span, ProblemKind::TooDeep { limit: MAX_DEPTH });
                    return commands;
                }
                open.push((span, Vec::new()));
                continue;
            }
            Token::Close => match open.pop() {
                None => {
                    problems.add(span, ProblemKind::UnexpectedClose);
                    continue;
                }
                Some((start, items)) => Expr {
                    span: start.to(span),
                    kind: ExprKind::List(items),
                },
            },
            Token::Atom(kind) => Expr { span, kind },
        };
        match open.last_mut() {
            Some((_, items)) => items.push(expr),
            None => commands.push(expr),
        }
    }
    if let Some(&(unclosed, _)) = open.first() {
        problems.add(unclosed, ProblemKind::Unclosed);
    }
    commands
}

enum Token<'a> {
    Open,
    Close,
    Atom(ExprKind<'a>),
}

struct Scanner<'a> {
    file: FileId,
    source: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn next_token(&mut self, problems: &mut Problems) -> Option<(Span, Token<'a>)> {
        self.skip_blanks();
        let source = self.source;
        let start = self.at;
        let first = *source.as_bytes().get(start)?;
        let token = match first {
            b'(' => {
                self.at += 1;
                Token::Open
            }
            b')' => {
                self.at += 1;
                Token::Close
            }
            b'|' => Token::Atom(ExprKind::Symbol(self.enclosed(b'|', problems))),
            b'"' => Token::Atom(ExprKind::Text(self.enclosed(b'"', problems))),
            _ => {
                self.at = start + self.word_length(start);
                Token::Atom(classify(&source[start..self.at]))
            }
        };
        Some((Span::new(self.file, start, self.at), token))
    }

    /// Whether nothing stands before this on its line.
    fn begins_line(&self, span: Span) -> bool {
        let before = &self.source.as_bytes()[..span.start as usize];
        before.last().is_none_or(|&byte| byte == b'\n')
    }

    /// The symbol that follows, if there is one, without consuming it.
    fn peek_symbol(&self) -> &'a str {
        &self.source[self.at..self.at + self.word_length(self.at)]
    }

    fn word_length(&self, from: usize) -> usize {
        let rest = &self.source.as_bytes()[from..];
        (rest.iter().position(|&byte| ends_word(byte))).unwrap_or(rest.len())
    }

    fn skip_blanks(&mut self) {
        let bytes = self.source.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            if byte == b';' {
                let rest = &bytes[self.at..];
                let line = rest.iter().position(|&byte| byte == b'\n');
                self.at += line.unwrap_or(rest.len());
            } else if is_blank(byte) {
                self.at += 1;
            } else {
                break;
            }
        }
    }

    /// What stands between two of the same sign. Inside a string a doubled quote is a quote.
    fn enclosed(&mut self, sign: u8, problems: &mut Problems) -> &'a str {
        let bytes = self.source.as_bytes();
        let start = self.at + 1;
        let mut end = start;
        loop {
            match bytes.get(end) {
                None => {
                    let begin = Span::new(self.file, start - 1, start);
                    problems.add(begin, ProblemKind::Unterminated { sign: sign as char });
                    self.at = end;
                    return &self.source[start..end];
                }
                Some(&byte) if byte != sign => end += 1,
                Some(_) if sign == b'"' && bytes.get(end + 1) == Some(&sign) => end += 2,
                Some(_) => {
                    self.at = end + 1;
                    return &self.source[start..end];
                }
            }
        }
    }
}

fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

fn ends_word(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'(' | b')' | b'"' | b'|' | b';')
}

fn classify(word: &str) -> ExprKind<'_> {
    match word.as_bytes()[0] {
        b':' => ExprKind::Keyword(word),
        b'#' => ExprKind::OtherConstant(word),
        b'0'..=b'9' if word.bytes().all(|byte| byte.is_ascii_digit()) => ExprKind::Numeral(word),
        b'0'..=b'9' => ExprKind::OtherConstant(word),
        _ => ExprKind::Symbol(word),
    }
}

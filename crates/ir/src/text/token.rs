//! Splits a text into tokens. Ends of lines are tokens: a statement ends with its line.

use std::iter::Peekable;
use std::str::CharIndices;

use super::error::{ParseError, SyntaxError};
use super::vocabulary::{begins_word, continues_word};

/// What a token is.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum TokenKind<'a> {
    /// A name or keyword.
    Word(&'a str),
    /// A string, or a name in quotes.
    Quoted(String),
    /// A number with its sign and suffix, to be looked at where it is used.
    Number(&'a str),
    /// `%3`
    Register(u32),
    /// `#3`
    Id(u32),
    /// The rest of a line after `|`, without the space in front.
    Raw(&'a str),
    /// A sign of one or two characters.
    Sign(&'static str),
    /// The end of a line that is not empty.
    EndOfLine,
    /// The end of the text.
    End,
}

/// A token with its place.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    /// What it is.
    pub(super) kind: TokenKind<'a>,
    /// Line from 1.
    pub(super) line: u32,
    /// Column from 1.
    pub(super) column: u32,
}

/// Longer signs first.
const SIGNS: [&str; 15] = [
    ":=", "::", "->", ":", "=", "(", ")", "{", "}", "[", "]", ",", "&", "@", "/",
];

/// The tokens of a text; the last one is [`TokenKind::End`].
pub(super) fn tokenize(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    let mut number = 0u32;
    for line in text.split('\n') {
        number = number.saturating_add(1);
        let before = tokens.len();
        let mut lexer = Lexer {
            line,
            number,
            column: 1,
            rest: line.char_indices().peekable(),
        };
        while let Some(token) = lexer.token()? {
            tokens.push(token);
        }
        if tokens.len() > before {
            tokens.push(lexer.at(lexer.column, TokenKind::EndOfLine));
        }
    }
    tokens.push(Token {
        kind: TokenKind::End,
        line: number,
        column: 1,
    });
    Ok(tokens)
}

/// Walks over one line.
struct Lexer<'a> {
    line: &'a str,
    number: u32,
    column: u32,
    rest: Peekable<CharIndices<'a>>,
}

impl<'a> Lexer<'a> {
    /// The next token of the line.
    fn token(&mut self) -> Result<Option<Token<'a>>, ParseError> {
        self.skip(|character| character.is_whitespace());
        let column = self.column;
        let Some(&(start, first)) = self.rest.peek() else {
            return Ok(None);
        };
        let tail = &self.line[start..];
        if tail.starts_with("//") {
            return Ok(None);
        }
        let kind = if begins_word(first) {
            TokenKind::Word(self.slice(start, continues_word))
        } else if first == '"' {
            TokenKind::Quoted(self.string()?)
        } else if first == '|' {
            self.advance();
            let raw = self.slice(start + 1, |_| true);
            TokenKind::Raw(raw.strip_prefix(' ').unwrap_or(raw))
        } else if first == '%' || first == '#' {
            self.advance();
            let digits = self.slice(start + 1, |character| character.is_ascii_digit());
            let value = digits.parse();
            let value = value.map_err(|_| self.error(column, number(&tail[..1 + digits.len()])))?;
            match first {
                '%' => TokenKind::Register(value),
                _ => TokenKind::Id(value),
            }
        } else if tail
            .trim_start_matches('-')
            .starts_with(|c: char| c.is_ascii_digit())
        {
            TokenKind::Number(self.number_text(start))
        } else if let Some(&sign) = SIGNS.iter().find(|sign| tail.starts_with(**sign)) {
            for _ in sign.chars() {
                self.advance();
            }
            TokenKind::Sign(sign)
        } else {
            return Err(self.error(column, SyntaxError::Character(first)));
        };
        Ok(Some(self.at(column, kind)))
    }

    /// A number: sign, digits, fraction, exponent and suffix. Whether they make sense together
    /// is decided where the number is used.
    fn number_text(&mut self, start: usize) -> &'a str {
        let mut previous = '-';
        let hexadecimal = self.line[start..].trim_start_matches('-').starts_with("0x");
        while let Some(&(_, character)) = self.rest.peek() {
            let exponent = !hexadecimal && matches!(previous, 'e' | 'E');
            let sign = matches!(character, '+' | '-') && (previous == '-' || exponent);
            if !(sign || character == '.' || character == '_' || character.is_ascii_alphanumeric())
            {
                break;
            }
            previous = character;
            self.advance();
        }
        let end = self.offset();
        &self.line[start..end]
    }

    /// A string with its escapes replaced.
    fn string(&mut self) -> Result<String, ParseError> {
        let opening = self.column;
        self.advance();
        let mut text = String::new();
        loop {
            let column = self.column;
            match self.advance() {
                None => return Err(self.error(opening, SyntaxError::OpenString)),
                Some('"') => return Ok(text),
                Some('\\') => {
                    let escaped = self.escape();
                    text.push(escaped.ok_or_else(|| self.error(column, SyntaxError::Escape))?);
                }
                Some(other) => text.push(other),
            }
        }
    }

    /// What comes after a backslash.
    fn escape(&mut self) -> Option<char> {
        match self.advance()? {
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            same @ ('"' | '\\') => Some(same),
            'u' => {
                if self.advance()? != '{' {
                    return None;
                }
                let start = self.offset();
                let digits = self.slice(start, |character| character.is_ascii_hexdigit());
                let value = u32::from_str_radix(digits, 16).ok()?;
                let closed = self.advance()? == '}';
                char::from_u32(value).filter(|_| closed)
            }
            _ => None,
        }
    }

    /// Where the next character is.
    fn offset(&mut self) -> usize {
        self.rest.peek().map_or(self.line.len(), |(at, _)| *at)
    }

    /// Takes one character.
    fn advance(&mut self) -> Option<char> {
        let (_, character) = self.rest.next()?;
        self.column = self.column.saturating_add(1);
        Some(character)
    }

    /// Takes all characters of a kind.
    fn skip(&mut self, kind: impl Fn(char) -> bool) {
        while self.rest.peek().is_some_and(|(_, next)| kind(*next)) {
            self.advance();
        }
    }

    /// Takes all characters of a kind and returns the text from `start`.
    fn slice(&mut self, start: usize, kind: impl Fn(char) -> bool) -> &'a str {
        self.skip(kind);
        let end = self.offset();
        &self.line[start..end]
    }

    /// A token on this line.
    fn at(&self, column: u32, kind: TokenKind<'a>) -> Token<'a> {
        Token {
            kind,
            line: self.number,
            column,
        }
    }

    /// An error on this line.
    fn error(&self, column: u32, error: SyntaxError) -> ParseError {
        ParseError {
            line: self.number,
            column,
            error,
        }
    }
}

/// The error for a number that is none.
fn number(text: &str) -> SyntaxError {
    SyntaxError::Number(text.to_owned())
}

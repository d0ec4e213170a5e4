//! Tokens to syntax tree, by recursive descent.
//!
//! One error ends one declaration: the parser goes on behind the next `;` or where the next
//! declaration opens, so that a run shows the errors of all declarations.

mod declaration;
mod formula;

use super::ast::{Expr, ExprKind, File, Name};
use super::lexer::tokenize;
use super::token::{Token, TokenKind};
use crate::diagnostic::{Diagnostic, FileId, Span};
pub(crate) use formula::joined;

/// How deep parentheses, negations and the like may be nested.
pub const MAX_NESTING: usize = 200;

/// What came out of a text.
#[derive(Clone, Debug, Default)]
pub struct Parsed {
    /// The declarations that could be parsed.
    pub file: File,
    /// Names whose declarations could not be parsed; that they are missing is no news.
    pub broken: Vec<String>,
    /// What is wrong.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a file.
pub fn parse_file(file: FileId, text: &str) -> Parsed {
    let mut parser = Parser::new(file, text);
    let declarations = parser.declarations();
    Parsed {
        file: File { declarations },
        broken: parser.broken,
        diagnostics: parser.diagnostics,
    }
}

/// Parses a single formula, with or without a `;` behind it.
pub fn parse_formula(file: FileId, text: &str) -> (Expr, Vec<Diagnostic>) {
    let mut parser = Parser::new(file, text);
    let whole = Span::new(file, 0, text.len());
    let formula = parser.formula_to_end().unwrap_or(Expr {
        kind: ExprKind::Error,
        span: whole,
    });
    (formula, parser.diagnostics)
}

/// The error was reported.
struct Reported;

type Parse<T> = Result<T, Reported>;

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    nesting: usize,
    broken: Vec<String>,
    diagnostics: Vec<Diagnostic>,
}

impl Parser {
    fn new(file: FileId, text: &str) -> Self {
        let (tokens, diagnostics) = tokenize(file, text);
        Parser {
            tokens,
            at: 0,
            nesting: 0,
            broken: Vec::new(),
            diagnostics,
        }
    }

    fn formula_to_end(&mut self) -> Parse<Expr> {
        let formula = self.formula()?;
        self.eat(&TokenKind::Semicolon);
        if *self.peek() != TokenKind::End {
            return Err(self.unexpected("the end of the formula"));
        }
        Ok(formula)
    }

    fn peek(&self) -> &TokenKind {
        self.peek_at(0)
    }

    /// The token `ahead` places further on; behind the end there are only ends.
    fn peek_at(&self, ahead: usize) -> &TokenKind {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + ahead).min(last)].kind
    }

    fn span(&self) -> Span {
        self.span_at(0)
    }

    fn span_at(&self, ahead: usize) -> Span {
        let last = self.tokens.len() - 1;
        self.tokens[(self.at + ahead).min(last)].span
    }

    /// The place of the token before the current one.
    fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn eat(&mut self, kind: &TokenKind) -> bool {
        let found = self.peek() == kind;
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, kind: &TokenKind) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        Err(self.unexpected(&kind.describe()))
    }

    fn at_word(&self, word: &str) -> bool {
        matches!(self.peek(), TokenKind::Word(found) if found == word)
    }

    /// Reports the current token.
    fn unexpected(&mut self, expected: &str) -> Reported {
        // The lexer has already said what is wrong with an unreadable sign.
        if *self.peek() == TokenKind::Invalid {
            return Reported;
        }
        let found = self.peek().describe();
        let message = format!("expected {expected}, found {found}");
        let on_another_line = *self.peek() == TokenKind::End && self.at > 0;
        let span = if on_another_line {
            self.previous_span().after()
        } else {
            self.span()
        };
        self.report(Diagnostic::error(span, message).with_expected(expected))
    }

    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        self.diagnostics.push(diagnostic);
        Reported
    }

    /// A name that is not dotted. Keywords are allowed where nothing else can stand.
    fn name(&mut self, what: &str) -> Parse<Name> {
        match self.peek().clone() {
            TokenKind::Word(text) => {
                let span = self.span();
                self.advance();
                Ok(Name { text, span })
            }
            _ => Err(self.unexpected(what)),
        }
    }

    /// A dotted name, of a class or module.
    fn qualified_name(&mut self, what: &str) -> Parse<Name> {
        let mut name = self.name(what)?;
        while *self.peek() == TokenKind::Dot && matches!(self.peek_at(1), TokenKind::Word(_)) {
            self.advance();
            let part = self.name(what)?;
            name.text.push('.');
            name.text.push_str(&part.text);
            name.span = name.span.to(part.span);
        }
        Ok(name)
    }

    /// Runs `parse` one level deeper, or reports that the text is nested too deeply.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parse<T>) -> Parse<T> {
        if self.nesting == MAX_NESTING {
            let message = format!("nested more than {MAX_NESTING} levels deep");
            let diagnostic = Diagnostic::error(self.span(), message)
                .with_help("give a part of the formula a name with `pred`");
            return Err(self.report(diagnostic));
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// One or more of `parse`, separated by commas.
    fn separated<T>(&mut self, mut parse: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        let mut list = vec![parse(self)?];
        while self.eat(&TokenKind::Comma) {
            list.push(parse(self)?);
        }
        Ok(list)
    }

    /// `( ... )`, possibly empty.
    fn parenthesised<T>(&mut self, parse: impl FnMut(&mut Self) -> Parse<T>) -> Parse<Vec<T>> {
        self.expect(&TokenKind::OpenParen)?;
        if self.eat(&TokenKind::CloseParen) {
            return Ok(Vec::new());
        }
        let list = self.separated(parse)?;
        if !self.eat(&TokenKind::CloseParen) {
            return Err(self.unexpected("`,` or `)`"));
        }
        Ok(list)
    }
}

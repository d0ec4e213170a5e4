//! Tokens to trees: files, structs and procedures.
//!
//! After an error the parser skips to the next statement or declaration and goes on, so that
//! one run finds several errors. Nesting is limited, which keeps every recursive pass over the
//! trees within its stack.

use heapwright_spec::diagnostic::{Diagnostic, FileId, Span, did_you_mean};

use super::ast::{File, Location, Name, Parameter, Procedure, Struct};
use super::lexer::tokenize;
use super::token::{Keyword, Sign, Token, TokenKind};

/// How deeply statements and expressions may be nested, taken together.
pub(super) const MAX_NESTING: usize = 400;
/// How many errors are reported.
const MAX_ERRORS: usize = 100;

/// Reads a text. The tree is complete only if there is no diagnostic.
pub fn parse(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    let (tokens, lexical) = tokenize(file, text);
    let mut parser = Parser {
        tokens,
        at: 0,
        depth: 0,
        height: 0,
        diagnostics: Vec::new(),
    };
    let tree = parser.file();
    // A text that was read wrongly has consequences that are not worth mentioning.
    let mut diagnostics = if lexical.is_empty() {
        parser.diagnostics
    } else {
        lexical
    };
    diagnostics.truncate(MAX_ERRORS);
    (tree, diagnostics)
}

/// The parser has reported what is wrong; the caller gives up on what it was reading.
#[derive(Clone, Copy, Debug)]
pub(super) struct Failed;

pub(super) type Parsed<T> = Result<T, Failed>;

pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    /// Statements and expressions that are being read.
    pub depth: usize,
    /// Height of the expression that was read last. A chain such as `a + b + c` is read without
    /// recursion, but it is a deep tree for the passes that follow.
    pub height: usize,
    diagnostics: Vec<Diagnostic>,
}

impl Parser {
    fn file(&mut self) -> File {
        let mut file = File::default();
        while *self.peek() != TokenKind::End {
            let start = self.at;
            let read = if self.is_keyword(Keyword::Struct) {
                self.structure().map(|item| file.structs.push(item))
            } else if self.is_keyword(Keyword::Proc) {
                self.procedure().map(|item| file.procedures.push(item))
            } else {
                self.statement_of_sequence(&mut file.statements)
            };
            if read.is_err() {
                self.recover(start);
            }
        }
        file
    }

    fn structure(&mut self) -> Parsed<Struct> {
        self.advance();
        let name = self.name("the name of the struct")?;
        self.expect(Sign::OpenBrace)?;
        let mut fields = Vec::new();
        while !self.accept(Sign::CloseBrace) {
            let ty = self.name("the type of a field, or `}`")?;
            loop {
                let name = self.name("the name of the field")?;
                let ty = ty.clone();
                fields.push(Parameter { ty, name });
                if !self.accept(Sign::Comma) {
                    break;
                }
            }
            if !self.is_sign(Sign::CloseBrace) {
                self.expect(Sign::Semicolon)?;
            }
        }
        self.accept(Sign::Semicolon);
        Ok(Struct { name, fields })
    }

    fn procedure(&mut self) -> Parsed<Procedure> {
        self.advance();
        let name = self.name("the name of the procedure")?;
        self.expect(Sign::OpenParen)?;
        let mut params = Vec::new();
        while !self.accept(Sign::CloseParen) {
            if !params.is_empty() {
                self.expect(Sign::Comma)?;
            }
            let ty = self.name("the type of a parameter")?;
            let name = self.name("the name of the parameter, behind its type")?;
            params.push(Parameter { ty, name });
        }
        let result = if self.accept_keyword(Keyword::Returns) {
            Some(self.name("the type of the result")?)
        } else {
            None
        };
        let (body, end) = self.block()?;
        self.accept(Sign::Semicolon);
        Ok(Procedure {
            name,
            params,
            result,
            body,
            end: Location(end),
        })
    }

    /// Skips to where a statement or declaration may begin.
    pub(super) fn recover(&mut self, start: usize) {
        // Every failure consumes something, or the parser would not end.
        if self.at == start {
            self.advance();
        }
        let mut open = 0usize;
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::Sign(Sign::OpenBrace) => open += 1,
                TokenKind::Sign(Sign::CloseBrace) if open == 0 => return,
                TokenKind::Sign(Sign::CloseBrace) => open -= 1,
                TokenKind::Sign(Sign::Semicolon) if open == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::Keyword(Keyword::Proc | Keyword::Struct) => return,
                _ => {}
            }
            self.advance();
        }
    }

    pub(super) fn peek(&self) -> &TokenKind {
        &self.token(0).kind
    }

    pub(super) fn peek_second(&self) -> &TokenKind {
        &self.token(1).kind
    }

    /// A token ahead; the last one stands for all behind it.
    fn token(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(super) fn span(&self) -> Span {
        self.token(0).span
    }

    /// The place of the token before.
    pub(super) fn last_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub(super) fn last_is(&self, sign: Sign) -> bool {
        self.at > 0 && self.tokens[self.at - 1].kind == TokenKind::Sign(sign)
    }

    pub(super) fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Where the parser is, to notice whether it moves on.
    pub(super) fn progress(&self) -> usize {
        self.at
    }

    pub(super) fn is_sign(&self, sign: Sign) -> bool {
        *self.peek() == TokenKind::Sign(sign)
    }

    pub(super) fn is_keyword(&self, keyword: Keyword) -> bool {
        *self.peek() == TokenKind::Keyword(keyword)
    }

    pub(super) fn accept(&mut self, sign: Sign) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn accept_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.is_keyword(keyword);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn expect(&mut self, sign: Sign) -> Parsed<Span> {
        let span = self.span();
        if self.accept(sign) {
            return Ok(span);
        }
        Err(self.unexpected(&format!("`{}`", sign.text())))
    }

    pub(super) fn name(&mut self, expected: &str) -> Parsed<Name> {
        let location = Location(self.span());
        match self.peek() {
            TokenKind::Name(text) => {
                let text = text.clone();
                self.advance();
                Ok(Name { text, location })
            }
            TokenKind::Keyword(keyword) => {
                let message = format!("`{}` is a reserved word", keyword.text());
                let diagnostic = Diagnostic::error(location.0, message).with_expected(expected);
                self.report(diagnostic);
                Err(Failed)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    /// Reports that something else was expected here.
    pub(super) fn unexpected(&mut self, expected: &str) -> Failed {
        let found = self.peek();
        let message = format!("expected {expected}, found {}", found.describe());
        let help = match found {
            TokenKind::Sign(Sign::SingleEqual) => {
                Some("assignment is written `:=`, comparison `==`".to_owned())
            }
            TokenKind::Sign(Sign::SingleAnd) => Some("conjunction is written `&&`".to_owned()),
            TokenKind::Sign(Sign::SingleOr) => Some("disjunction is written `||`".to_owned()),
            _ => None,
        };
        let diagnostic = Diagnostic::error(self.span(), message).with_optional_help(help);
        self.report(diagnostic);
        Failed
    }

    /// The same behind a name that may be a misspelt word.
    pub(super) fn unexpected_after(&mut self, expected: &str, name: &str) -> Failed {
        let found = self.peek().describe();
        let keywords = Keyword::ALL.iter().map(|keyword| keyword.text());
        let diagnostic =
            Diagnostic::error(self.span(), format!("expected {expected}, found {found}"))
                .with_optional_help(did_you_mean(name, keywords));
        self.report(diagnostic);
        Failed
    }

    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Counts a level of nesting; the caller takes it back with `depth -= 1`.
    pub(super) fn descend(&mut self) -> Parsed<()> {
        self.check_depth(self.depth + 1)?;
        self.depth += 1;
        Ok(())
    }

    /// The expression being read stands one level above another.
    pub(super) fn grow(&mut self, height: usize) -> Parsed<()> {
        self.height = height + 1;
        self.check_depth(self.height)
    }

    /// Reports a tree that is too deep.
    fn check_depth(&mut self, depth: usize) -> Parsed<()> {
        if depth <= MAX_NESTING {
            return Ok(());
        }
        let message = format!("nested more than {MAX_NESTING} levels deep");
        let diagnostic = Diagnostic::error(self.span(), message)
            .with_help("use variables for parts of the expression, or procedures");
        self.report(diagnostic);
        // What follows would only be reported as unbalanced.
        self.at = self.tokens.len() - 1;
        Err(Failed)
    }
}

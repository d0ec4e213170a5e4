//! Statements.

use heapwright_spec::diagnostic::{Diagnostic, Span};

use super::ast::{Expr, ExprKind, Location, Statement, StatementKind};
use super::parser::{Parsed, Parser};
use super::token::{Keyword, Sign, TokenKind};

impl Parser {
    /// `{ ... }` with the place of the closing brace.
    pub(super) fn block(&mut self) -> Parsed<(Vec<Statement>, Span)> {
        self.expect(Sign::OpenBrace)?;
        let mut statements = Vec::new();
        loop {
            let end = self.span();
            if self.accept(Sign::CloseBrace) {
                return Ok((statements, end));
            }
            if *self.peek() == TokenKind::End || self.is_keyword(Keyword::Proc) {
                return Err(self.unexpected("`}`"));
            }
            let start = self.progress();
            if self.statement_of_sequence(&mut statements).is_err() {
                self.recover(start);
            }
        }
    }

    /// A statement and the separator behind it. Semicolons are needed only between two
    /// statements of which the first does not end with a brace.
    pub(super) fn statement_of_sequence(&mut self, sequence: &mut Vec<Statement>) -> Parsed<()> {
        if self.accept(Sign::Semicolon) {
            return Ok(());
        }
        sequence.push(self.statement()?);
        let closed = self.last_is(Sign::CloseBrace);
        let last = self.is_sign(Sign::CloseBrace) || *self.peek() == TokenKind::End;
        if self.accept(Sign::Semicolon) || closed || last {
            return Ok(());
        }
        let after = self.last_span().after();
        if matches!(self.peek(), TokenKind::Sign(_)) {
            return Err(self.unexpected("`;`"));
        }
        // The next statement can be read all the same.
        let diagnostic = Diagnostic::error(after, "expected `;` between two statements");
        self.report(diagnostic);
        Ok(())
    }

    fn statement(&mut self) -> Parsed<Statement> {
        self.descend()?;
        let start = self.span();
        let kind = self.statement_kind();
        self.depth -= 1;
        Ok(Statement {
            kind: kind?,
            location: Location(start.to(self.last_span())),
        })
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        let keyword = match self.peek() {
            TokenKind::Keyword(keyword) => *keyword,
            TokenKind::Sign(Sign::OpenBrace) => {
                return Ok(StatementKind::Block(self.block()?.0));
            }
            TokenKind::Name(_) if matches!(self.peek_second(), TokenKind::Name(_)) => {
                return self.declaration();
            }
            TokenKind::Name(_) | TokenKind::Sign(Sign::OpenParen) => return self.assignment(),
            _ => return Err(self.unexpected("a statement")),
        };
        match keyword {
            Keyword::Skip => {
                self.advance();
                Ok(StatementKind::Skip)
            }
            Keyword::If => self.conditional(),
            Keyword::While => {
                self.advance();
                let condition = self.condition()?;
                Ok(StatementKind::While(condition, self.block()?.0))
            }
            Keyword::Var => {
                self.advance();
                let name = self.name("the name of a variable")?;
                let value = self.initial_value()?;
                let ty = None;
                Ok(StatementKind::Declare { ty, name, value })
            }
            Keyword::Return => {
                self.advance();
                let value = if self.begins_expression() {
                    Some(self.expression()?)
                } else {
                    None
                };
                Ok(StatementKind::Return(value))
            }
            Keyword::Assert => {
                self.advance();
                Ok(StatementKind::Assert(self.expression()?))
            }
            Keyword::Assume => {
                self.advance();
                Ok(StatementKind::Assume(self.expression()?))
            }
            Keyword::Free => {
                self.advance();
                Ok(StatementKind::Free(self.expression()?))
            }
            Keyword::New => self.assignment(),
            _ => Err(self.unexpected("a statement")),
        }
    }

    /// `type x` or `type x := e`
    fn declaration(&mut self) -> Parsed<StatementKind> {
        let ty = Some(self.name("a type")?);
        let name = self.name("the name of a variable")?;
        let value = self.initial_value()?;
        Ok(StatementKind::Declare { ty, name, value })
    }

    fn initial_value(&mut self) -> Parsed<Option<Expr>> {
        if self.accept(Sign::Assign) {
            return Ok(Some(self.expression()?));
        }
        if self.is_sign(Sign::SingleEqual) {
            return Err(self.unexpected("`:=` or `;`"));
        }
        Ok(None)
    }

    fn conditional(&mut self) -> Parsed<StatementKind> {
        self.advance();
        let condition = self.condition()?;
        let then = if self.accept_keyword(Keyword::Then) || self.is_sign(Sign::OpenBrace) {
            Box::new(self.statement()?)
        } else {
            return Err(self.unexpected("`then` or `{`"));
        };
        // Many write a semicolon before `else`.
        if self.is_sign(Sign::Semicolon) && *self.peek_second() == TokenKind::Keyword(Keyword::Else)
        {
            self.advance();
        }
        let otherwise = if self.accept_keyword(Keyword::Else) {
            Some(Box::new(self.statement()?))
        } else {
            None
        };
        Ok(StatementKind::If {
            condition,
            then,
            otherwise,
        })
    }

    /// The condition of a statement, behind which `=` is a likely mistake.
    fn condition(&mut self) -> Parsed<Expr> {
        let condition = self.expression()?;
        if self.is_sign(Sign::SingleEqual) {
            return Err(self.unexpected("`then`, `{` or an operator"));
        }
        Ok(condition)
    }

    /// `place := e`, or a call.
    fn assignment(&mut self) -> Parsed<StatementKind> {
        let place = self.expression()?;
        if self.accept(Sign::Assign) {
            if !matches!(place.kind, ExprKind::Variable(_) | ExprKind::Field(..)) {
                let diagnostic = Diagnostic::error(place.span(), "nothing can be assigned to this")
                    .with_expected("a variable or a field");
                self.report(diagnostic);
            }
            let value = self.expression()?;
            return Ok(StatementKind::Assign(place, value));
        }
        match &place.kind {
            // No call is followed by a block: `whille (x > 0) { ... }`.
            ExprKind::Call(name, _) if self.is_sign(Sign::OpenBrace) => {
                Err(self.unexpected_after("`;`", &name.text))
            }
            ExprKind::Call(..) => Ok(StatementKind::Call(place)),
            ExprKind::Variable(name) if !self.is_sign(Sign::SingleEqual) => {
                Err(self.unexpected_after("`:=`", name))
            }
            _ => Err(self.unexpected("`:=`")),
        }
    }
}

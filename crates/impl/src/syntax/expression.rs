//! Expressions, by precedence climbing.

use heapwright_spec::diagnostic::Span;

use super::ast::{BinaryOp, Expr, ExprKind, Location, UnaryOp};
use super::parser::{Parsed, Parser};
use super::token::{Keyword, Sign, TokenKind};

impl Parser {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.binary(0)
    }

    /// Whether an expression can begin here.
    pub(super) fn begins_expression(&self) -> bool {
        match self.peek() {
            TokenKind::Name(_) | TokenKind::Number(_) => true,
            TokenKind::Sign(sign) => matches!(sign, Sign::OpenParen | Sign::Minus | Sign::Not),
            TokenKind::Keyword(keyword) => matches!(
                keyword,
                Keyword::New | Keyword::Nil | Keyword::Null | Keyword::True | Keyword::False
            ),
            TokenKind::End => false,
        }
    }

    /// Operands joined by operators that bind more tightly than `above`.
    fn binary(&mut self, above: u8) -> Parsed<Expr> {
        self.descend()?;
        let result = self.operators(above);
        self.depth -= 1;
        result
    }

    fn operators(&mut self, above: u8) -> Parsed<Expr> {
        let mut left = self.unary()?;
        while let Some(op) = self.operator()
            && op.precedence() > above
        {
            self.advance();
            let left_height = self.height;
            let right = self.binary(op.precedence())?;
            self.grow(left_height.max(self.height))?;
            let span = left.span().to(right.span());
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            left = expr(kind, span);
        }
        Ok(left)
    }

    fn operator(&self) -> Option<BinaryOp> {
        let TokenKind::Sign(sign) = self.peek() else {
            return None;
        };
        Some(match sign {
            Sign::Or => BinaryOp::Or,
            Sign::And => BinaryOp::And,
            Sign::Equal => BinaryOp::Equal,
            Sign::NotEqual | Sign::BangEqual => BinaryOp::NotEqual,
            Sign::Less => BinaryOp::Less,
            Sign::LessEqual => BinaryOp::LessEqual,
            Sign::Greater => BinaryOp::Greater,
            Sign::GreaterEqual => BinaryOp::GreaterEqual,
            Sign::Plus => BinaryOp::Add,
            Sign::Minus => BinaryOp::Subtract,
            Sign::Star => BinaryOp::Multiply,
            Sign::Slash => BinaryOp::Divide,
            Sign::Percent => BinaryOp::Remainder,
            _ => return None,
        })
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let op = match self.peek() {
            TokenKind::Sign(Sign::Minus) => UnaryOp::Negate,
            TokenKind::Sign(Sign::Not) => UnaryOp::Not,
            _ => return self.postfix(),
        };
        self.advance();
        // The smallest number of a type can be written only with its sign.
        if op == UnaryOp::Negate
            && let TokenKind::Number(number) = *self.peek()
        {
            self.advance();
            self.height = 1;
            let span = start.to(self.last_span());
            return Ok(expr(ExprKind::Number(-number), span));
        }
        self.descend()?;
        let operand = self.unary();
        self.depth -= 1;
        let operand = operand?;
        self.grow(self.height)?;
        let span = start.to(operand.span());
        Ok(expr(ExprKind::Unary(op, Box::new(operand)), span))
    }

    fn postfix(&mut self) -> Parsed<Expr> {
        let mut object = self.primary()?;
        while self.accept(Sign::Dot) {
            self.grow(self.height)?;
            let field = self.name("the name of a field")?;
            let span = object.span().to(field.span());
            object = expr(ExprKind::Field(Box::new(object), field), span);
        }
        Ok(object)
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        self.height = 1;
        let kind = match self.peek().clone() {
            TokenKind::Number(number) => {
                self.advance();
                ExprKind::Number(number)
            }
            TokenKind::Keyword(Keyword::Nil | Keyword::Null) => {
                self.advance();
                ExprKind::Nil
            }
            TokenKind::Keyword(word @ (Keyword::True | Keyword::False)) => {
                self.advance();
                ExprKind::Bool(word == Keyword::True)
            }
            TokenKind::Keyword(Keyword::New) => {
                self.advance();
                let class = self.name("the name of a struct")?;
                let arguments = if self.is_sign(Sign::OpenParen) {
                    Some(self.arguments()?)
                } else {
                    None
                };
                ExprKind::New(class, arguments)
            }
            TokenKind::Name(text) => {
                let name = self.name("a name")?;
                if self.is_sign(Sign::OpenParen) {
                    ExprKind::Call(name, self.arguments()?)
                } else {
                    ExprKind::Variable(text)
                }
            }
            TokenKind::Sign(Sign::OpenParen) => {
                self.advance();
                let inner = self.expression()?;
                self.expect(Sign::CloseParen)?;
                // The parentheses belong to the expression, so that it is marked as a whole.
                return Ok(expr(inner.kind, start.to(self.last_span())));
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(expr(kind, start.to(self.last_span())))
    }

    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(Sign::OpenParen)?;
        let mut arguments = Vec::new();
        let mut highest = 0;
        while !self.accept(Sign::CloseParen) {
            if !arguments.is_empty() && !self.accept(Sign::Comma) {
                return Err(self.unexpected("`,` or `)`"));
            }
            arguments.push(self.expression()?);
            highest = highest.max(self.height);
        }
        self.grow(highest)?;
        Ok(arguments)
    }
}

fn expr(kind: ExprKind, span: Span) -> Expr {
    Expr {
        kind,
        location: Location(span),
    }
}

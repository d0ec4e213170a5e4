//! Formulas and terms.
//!
//! From the weakest operator to the strongest: `? :`, `=>`, `|`, `&`, `*` between heaps,
//! comparisons and `->`, `+ -`, `* / %`, unary `! -`. A `*` is a multiplication exactly if what
//! stands before it can be a number; see [`Expr::is_formula`]. `exists` reaches as far right as
//! it can without passing a `|`.

use super::super::ast::{Binder, Comparison, Expr, ExprKind, FieldArgument, Name, Operator};
use super::super::token::{TokenKind, is_reserved};
use super::{Parse, Parser};
use crate::diagnostic::Diagnostic;

impl Parser {
    /// A formula or term.
    pub(super) fn formula(&mut self) -> Parse<Expr> {
        self.nested(Self::conditional)
    }

    fn conditional(&mut self) -> Parse<Expr> {
        let condition = self.implication()?;
        if !self.eat(&TokenKind::Question) {
            return Ok(condition);
        }
        let then = self.formula()?;
        self.expect(&TokenKind::Colon)?;
        let otherwise = self.formula()?;
        let span = condition.span.to(otherwise.span);
        let (condition, then) = (Box::new(condition), Box::new(then));
        let kind = ExprKind::Conditional(condition, then, Box::new(otherwise));
        Ok(Expr { kind, span })
    }

    fn implication(&mut self) -> Parse<Expr> {
        let premise = self.disjunction()?;
        if !self.eat(&TokenKind::Implies) {
            return Ok(premise);
        }
        let conclusion = self.nested(Self::implication)?;
        let span = premise.span.to(conclusion.span);
        let kind = ExprKind::Implies(Box::new(premise), Box::new(conclusion));
        Ok(Expr { kind, span })
    }

    fn disjunction(&mut self) -> Parse<Expr> {
        // A leading `|` lets every disjunct stand on a line of its own.
        self.eat(&TokenKind::Or);
        self.junction(&TokenKind::Or, Self::conjunction, ExprKind::Or)
    }

    fn conjunction(&mut self) -> Parse<Expr> {
        self.junction(&TokenKind::And, Self::separating, ExprKind::And)
    }

    fn separating(&mut self) -> Parse<Expr> {
        self.junction(&TokenKind::Star, Self::comparison, ExprKind::Star)
    }

    /// Operands of one associative operator.
    fn junction(
        &mut self,
        operator: &TokenKind,
        operand: fn(&mut Self) -> Parse<Expr>,
        kind: fn(Vec<Expr>) -> ExprKind,
    ) -> Parse<Expr> {
        let first = operand(self)?;
        if self.peek() != operator {
            return Ok(first);
        }
        let mut list = vec![first];
        while self.eat(operator) {
            list.push(operand(self)?);
        }
        let span = list[0].span.to(self.previous_span());
        let kind = kind(list);
        Ok(Expr { kind, span })
    }

    fn comparison(&mut self) -> Parse<Expr> {
        let first = self.sum()?;
        if self.eat(&TokenKind::PointsTo) {
            return self.points_to(first);
        }
        let mut rest = Vec::new();
        while let Some(comparison) = comparison_sign(self.peek()) {
            self.advance();
            rest.push((comparison, self.sum()?));
        }
        let Some((_, last)) = rest.last() else {
            return Ok(first);
        };
        let span = first.span.to(last.span);
        let kind = ExprKind::Compare(Box::new(first), rest);
        Ok(Expr { kind, span })
    }

    fn points_to(&mut self, source: Expr) -> Parse<Expr> {
        self.skip_struct();
        let class = self.qualified_name("the name of a class")?;
        let arguments = self.parenthesised(Self::field_argument)?;
        let arguments = joined(arguments);
        let span = source.span.to(self.previous_span());
        let kind = ExprKind::PointsTo(Box::new(source), class, arguments);
        Ok(Expr { kind, span })
    }

    fn field_argument(&mut self) -> Parse<FieldArgument> {
        if !self.names_field(0) {
            let value = self.formula()?;
            return Ok(FieldArgument { field: None, value });
        }
        let mut path = vec![self.name("the name of a field")?];
        while self.eat(&TokenKind::Dot) {
            path.push(self.name("the name of a field")?);
        }
        self.advance();
        let start = self.span();
        let mut value = match *self.peek() == TokenKind::OpenParen && self.names_field(1) {
            true => {
                let inside = self.nested(|parser| parser.parenthesised(Self::field_argument))?;
                let span = start.to(self.previous_span());
                let kind = ExprKind::Part(joined(inside));
                Expr { kind, span }
            }
            false => self.formula()?,
        };
        // `link.next: n` is `link: (next: n)`.
        while path.len() > 1 {
            let field = path.pop();
            let span = value.span;
            let kind = ExprKind::Part(vec![FieldArgument { field, value }]);
            value = Expr { kind, span };
        }
        let field = path.pop();
        Ok(FieldArgument { field, value })
    }

    /// Whether the name of a field begins here, with a colon behind it: `next:` or `link.next:`.
    fn names_field(&self, from: usize) -> bool {
        let mut at = from;
        while matches!(self.peek_at(at), TokenKind::Word(_)) {
            match self.peek_at(at + 1) {
                TokenKind::Colon => return true,
                TokenKind::Dot => at += 2,
                _ => return false,
            }
        }
        false
    }

    /// The word `struct` in front of the name of one, as C writes it.
    pub(super) fn skip_struct(&mut self) {
        let is_word =
            matches!(self.peek(), TokenKind::Word(word) if word == "struct" || word == "union");
        if is_word && matches!(self.peek_at(1), TokenKind::Word(_)) {
            self.advance();
        }
    }

    fn sum(&mut self) -> Parse<Expr> {
        self.chain(Self::product, |_, token| match token {
            TokenKind::Plus => Some(Operator::Add),
            TokenKind::Minus => Some(Operator::Subtract),
            _ => None,
        })
    }

    fn product(&mut self) -> Parse<Expr> {
        self.chain(Self::unary, |before, token| match token {
            TokenKind::Star if !before.is_formula() => Some(Operator::Multiply),
            TokenKind::Slash => Some(Operator::Divide),
            TokenKind::Percent => Some(Operator::Remainder),
            _ => None,
        })
    }

    /// Operands of operators that associate to the left.
    fn chain(
        &mut self,
        operand: fn(&mut Self) -> Parse<Expr>,
        operator: fn(&Expr, &TokenKind) -> Option<Operator>,
    ) -> Parse<Expr> {
        let first = operand(self)?;
        let mut rest: Vec<(Operator, Expr)> = Vec::new();
        loop {
            let before = rest.last().map_or(&first, |(_, operand)| operand);
            let Some(operator) = operator(before, self.peek()) else {
                break;
            };
            self.advance();
            rest.push((operator, operand(self)?));
        }
        let Some((_, last)) = rest.last() else {
            return Ok(first);
        };
        let span = first.span.to(last.span);
        let kind = ExprKind::Arithmetic(Box::new(first), rest);
        Ok(Expr { kind, span })
    }

    fn unary(&mut self) -> Parse<Expr> {
        let start = self.span();
        let wrap: fn(Box<Expr>) -> ExprKind = match self.peek() {
            TokenKind::Not => ExprKind::Not,
            TokenKind::Minus => ExprKind::Negate,
            TokenKind::And if self.word_follows_closely() => ExprKind::Address,
            _ => return self.primary(),
        };
        self.advance();
        let operand = self.nested(Self::unary)?;
        let span = start.to(operand.span);
        let kind = wrap(Box::new(operand));
        Ok(Expr { kind, span })
    }

    /// Whether a word stands right behind the current token: `&x` is an address, and in `a & & x`
    /// there is an operator too many.
    fn word_follows_closely(&self) -> bool {
        let start = self.span();
        matches!(self.peek_at(1), TokenKind::Word(_)) && self.span_at(1).start == start.end
    }

    fn primary(&mut self) -> Parse<Expr> {
        let span = self.span();
        let kind = match self.peek().clone() {
            TokenKind::Word(word) => return self.word(&word),
            TokenKind::Exists => return self.exists(),
            TokenKind::OpenParen => {
                self.advance();
                let mut inner = self.formula()?;
                if !self.eat(&TokenKind::CloseParen) {
                    return Err(self.unexpected("an operator or `)`"));
                }
                inner.span = span.to(self.previous_span());
                return Ok(inner);
            }
            TokenKind::Int(value) => ExprKind::Int(value),
            TokenKind::Char(unit) => ExprKind::Char(unit),
            TokenKind::Float(value) => ExprKind::Float(value),
            TokenKind::Wildcard => ExprKind::Wildcard,
            _ => return Err(self.unexpected("a formula or term")),
        };
        self.advance();
        Ok(Expr { kind, span })
    }

    fn exists(&mut self) -> Parse<Expr> {
        let start = self.span();
        self.advance();
        let binders = self.separated(Self::quantified)?;
        if !self.eat(&TokenKind::Dot) {
            return Err(self.unexpected("`,` or `.` after the quantified names"));
        }
        let body = self.nested(Self::conjunction)?;
        let span = start.to(body.span);
        let kind = ExprKind::Exists(binders, Box::new(body));
        Ok(Expr { kind, span })
    }

    /// Like a parameter, but a dot behind the name ends the list. So `Node x` may be written,
    /// while a type with a package needs the form `x: java.util.Map$Entry`.
    fn quantified(&mut self) -> Parse<Binder> {
        let first = self.name("a name")?;
        let (name, ty) = if self.eat(&TokenKind::Colon) {
            (first, Some(self.quantified_type()?))
        } else if matches!(self.peek(), TokenKind::Word(_)) {
            (self.name("a name")?, Some(first))
        } else {
            (first, None)
        };
        self.check_declared(&name)?;
        Ok(Binder { name, ty })
    }

    /// A type in a quantifier. In `exists x: a.B. p(x)` the last dot ends the quantifier: a dot
    /// belongs to the type only if no white space stands behind it.
    fn quantified_type(&mut self) -> Parse<Name> {
        let mut ty = self.name("a type")?;
        while *self.peek() == TokenKind::Dot && matches!(self.peek_at(1), TokenKind::Word(_)) {
            let dot = self.span();
            if self.tokens[self.at + 1].span.start != dot.end {
                break;
            }
            self.advance();
            let part = self.name("a type")?;
            ty.text.push('.');
            ty.text.push_str(&part.text);
            ty.span = ty.span.to(part.span);
        }
        Ok(ty)
    }

    /// Whether `->` is the arrow of C, as in `p->next`: without blanks, and no cell behind it.
    fn leads_to_field(&self) -> bool {
        let [arrow, field] = [0, 1].map(|ahead| self.tokens.get(self.at + ahead));
        let (Some(arrow), Some(field)) = (arrow, field) else {
            return false;
        };
        let is_tight =
            self.previous_span().end == arrow.span.start && arrow.span.end == field.span.start;
        let mut behind = 2;
        while *self.peek_at(behind) == TokenKind::Dot
            && matches!(self.peek_at(behind + 1), TokenKind::Word(_))
        {
            behind += 2;
        }
        arrow.kind == TokenKind::PointsTo
            && is_tight
            && *self.peek_at(behind) != TokenKind::OpenParen
    }

    /// A constant, path, predicate instance or function.
    fn word(&mut self, word: &str) -> Parse<Expr> {
        let name = self.name("a name")?;
        let span = name.span;
        let constant = match word {
            "emp" => Some(ExprKind::Emp),
            "true" => Some(ExprKind::Bool(true)),
            "false" => Some(ExprKind::Bool(false)),
            "null" | "nil" => Some(ExprKind::Null),
            _ => None,
        };
        if let Some(kind) = constant {
            return Ok(Expr { kind, span });
        }
        if *self.peek() == TokenKind::OpenParen {
            let args = self.parenthesised(Self::formula)?;
            let span = span.to(self.previous_span());
            if word != "old" {
                let kind = ExprKind::Call(name, args);
                return Ok(Expr { kind, span });
            }
            let mut args = args.into_iter();
            return match (args.next(), args.next()) {
                (Some(inner), None) => Ok(Expr {
                    kind: ExprKind::Old(Box::new(inner)),
                    span,
                }),
                _ => Err(self.report(
                    Diagnostic::error(span, "`old` takes one argument")
                        .with_expected("`old(e)`, the value of `e` before the call"),
                )),
            };
        }
        if is_reserved(word) {
            return Err(self.unexpected("`(`"));
        }
        let mut path = vec![name];
        while matches!(self.peek_at(1), TokenKind::Word(_))
            && (*self.peek() == TokenKind::Dot || self.leads_to_field())
        {
            self.advance();
            path.push(self.name("the name of a field")?);
        }
        if let ([module, predicate], TokenKind::OpenParen) = (&path[..], self.peek()) {
            // A predicate of something that was imported under a name.
            let name = Name {
                text: format!("{}.{}", module.text, predicate.text),
                span: module.span.to(predicate.span),
            };
            let args = self.parenthesised(Self::formula)?;
            let span = span.to(self.previous_span());
            let kind = ExprKind::Call(name, args);
            return Ok(Expr { kind, span });
        }
        if path.len() > 1 && *self.peek() == TokenKind::OpenParen {
            let diagnostic = Diagnostic::error(self.span(), "a path cannot be called")
                .with_expected("the name of a predicate before `(`");
            return Err(self.report(diagnostic));
        }
        let span = span.to(self.previous_span());
        let kind = ExprKind::Path(path);
        Ok(Expr { kind, span })
    }
}

/// Fields of the same struct inside of a cell belong together: `link.next: n, link.prev: p`.
pub(crate) fn joined(arguments: Vec<FieldArgument>) -> Vec<FieldArgument> {
    let mut joined: Vec<FieldArgument> = Vec::new();
    for argument in arguments {
        let is_part = matches!(argument.value.kind, ExprKind::Part(_));
        let known = joined.iter_mut().find(|known| {
            is_part
                && matches!(known.value.kind, ExprKind::Part(_))
                && known.field.as_ref().map(|name| &name.text)
                    == argument.field.as_ref().map(|name| &name.text)
        });
        match (known.map(|known| &mut known.value.kind), argument) {
            (
                Some(ExprKind::Part(inside)),
                FieldArgument {
                    value:
                        Expr {
                            kind: ExprKind::Part(more),
                            ..
                        },
                    ..
                },
            ) => inside.extend(more),
            (_, argument) => joined.push(argument),
        }
    }
    joined
}

fn comparison_sign(token: &TokenKind) -> Option<Comparison> {
    Some(match token {
        TokenKind::Equal | TokenKind::DoubleEqual => Comparison::Equal,
        TokenKind::NotEqual => Comparison::NotEqual,
        TokenKind::Less => Comparison::Less,
        TokenKind::LessEqual => Comparison::LessEqual,
        TokenKind::Greater => Comparison::Greater,
        TokenKind::GreaterEqual => Comparison::GreaterEqual,
        _ => return None,
    })
}

//! The grammar of the StarFinder notation, by recursive descent.
//!
//! ```text
//! file      ::= { declaration [";"] }
//! data      ::= "data" name "{" [ type name { ";" type name } [";"] ] "}"
//! pred      ::= "pred" name "(" [ name { "," name } ] ")" "==" disjuncts
//! pre       ::= "pre" name "==" disjuncts
//! disjuncts ::= disjunct { "||" disjunct }
//! disjunct  ::= heap | pure | heap "&" pure
//! heap      ::= cell { "*" cell }          pure ::= comparison { "&" comparison }
//! cell      ::= "emp" | name "::" name "<" [ terms ] ">" | name "(" [ terms ] ")"
//! ```
//!
//! Multiplication is `**` or `#`, and `*` too behind the first `&`. A points-to may be written
//! `x->Node(a,b)`, as the first versions of the tools had it.

use super::ast::{
    Comparison, Data, Disjunct, Factor, File, HeapTerm, Name, Precondition, Predicate, PureTerm,
    Term, TermKind,
};
use super::lexer::{Token, tokenize};
use crate::diagnostic::{Diagnostic, FileId, Span};

/// How deep parentheses may nest.
const MAX_DEPTH: usize = 200;

/// Parses a file. What is wrong is reported, and left out of the result.
pub(super) fn parse(
    file: FileId,
    text: &str,
    diagnostics: &mut Vec<Diagnostic>,
    omitted: &mut usize,
) -> File {
    let tokens = tokenize(file, text, diagnostics, omitted);
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        depth: 0,
        diagnostics,
    };
    parser.file()
}

struct Parser<'t, 'a> {
    tokens: &'t [(Token<'a>, Span)],
    at: usize,
    depth: usize,
    diagnostics: &'t mut Vec<Diagnostic>,
}

const DECLARATIONS: &[&str] = &["data", "pred", "pre"];

impl<'a> Parser<'_, 'a> {
    fn file(&mut self) -> File {
        let mut file = File::default();
        while self.peek() != Token::End {
            if self.take(";") {
                continue;
            }
            let start = self.at;
            let parsed = match self.peek() {
                Token::Word("data") => self.data().map(|data| file.data.push(data)),
                Token::Word("pred") => self.predicate().map(|p| file.predicates.push(p)),
                Token::Word("pre") => self.precondition().map(|p| file.preconditions.push(p)),
                Token::Word(word) => {
                    let help = crate::diagnostic::did_you_mean(word, DECLARATIONS.iter().copied());
                    self.expected("`data`, `pred` or `pre`", help)
                }
                _ => self.expected("`data`, `pred` or `pre`", None),
            };
            if parsed.is_none() {
                self.recover(start);
            }
        }
        file
    }

    /// Skips to the end of a declaration that cannot be understood, so that the problems of
    /// the next one are reported too.
    fn recover(&mut self, start: usize) {
        self.depth = 0;
        let in_data = matches!(self.tokens.get(start), Some((Token::Word("data"), _)));
        let end = if in_data { "}" } else { ";" };
        self.at = self.at.max(start + 1);
        loop {
            match self.peek() {
                Token::End => break,
                Token::Word(word) if DECLARATIONS.contains(&word) => break,
                _ if self.take(end) => break,
                _ => self.at += 1,
            }
        }
    }

    fn data(&mut self) -> Option<Data> {
        self.at += 1;
        let name = self.name("the name of a class")?;
        self.need("{")?;
        let mut fields = Vec::new();
        while !self.take("}") {
            let ty = self.name("a type, or `}`")?;
            let field = self.name("the name of a field")?;
            fields.push((ty, field));
            if !self.take(";") && !self.take(",") && self.peek() != Token::Sign("}") {
                return self.expected("`;` or `}`", None);
            }
        }
        Some(Data { name, fields })
    }

    fn predicate(&mut self) -> Option<Predicate> {
        self.at += 1;
        let name = self.name("the name of a predicate")?;
        self.need("(")?;
        let mut params = Vec::new();
        while !self.take(")") {
            params.push(self.name("the name of a parameter, or `)`")?);
            if !self.take(",") && self.peek() != Token::Sign(")") {
                return self.expected("`,` or `)`", None);
            }
        }
        self.need("==")?;
        let disjuncts = self.disjuncts()?;
        Some(Predicate {
            name,
            params,
            disjuncts,
        })
    }

    fn precondition(&mut self) -> Option<Precondition> {
        self.at += 1;
        let method = self.name("the name of a method")?;
        self.need("==")?;
        let disjuncts = self.disjuncts()?;
        Some(Precondition { method, disjuncts })
    }

    fn disjuncts(&mut self) -> Option<Vec<Disjunct>> {
        let mut disjuncts = vec![self.disjunct()?];
        while self.take("||") {
            disjuncts.push(self.disjunct()?);
        }
        match self.peek() {
            Token::End | Token::Sign(";") => Some(disjuncts),
            Token::Word(word) if DECLARATIONS.contains(&word) => Some(disjuncts),
            _ => self.expected("`||`, `&` or `;`", None),
        }
    }

    fn disjunct(&mut self) -> Option<Disjunct> {
        let mut disjunct = Disjunct::default();
        if self.at_heap_term() {
            disjunct.heap.extend(self.heap_term()?);
            while self.take("*") {
                disjunct.heap.extend(self.heap_term()?);
            }
            if !self.take("&") {
                return Some(disjunct);
            }
        }
        loop {
            if self.at_heap_term() {
                let help = "cells and predicates come before the first `&`, joined by `*`";
                return self.expected("a comparison", Some(help.to_owned()));
            }
            disjunct.pure.push(self.pure_term()?);
            if !self.take("&") {
                return Some(disjunct);
            }
        }
    }

    /// Whether `emp`, `name(`, `name::` or `name->` follows.
    fn at_heap_term(&self) -> bool {
        matches!(
            (self.peek(), self.peek_second()),
            (Token::Word("emp"), _) | (Token::Word(_), Token::Sign("(" | "::" | "->"))
        )
    }

    /// A cell or an instance; nothing for `emp`.
    fn heap_term(&mut self) -> Option<Option<HeapTerm>> {
        if self.peek() == Token::Word("emp") {
            self.at += 1;
            return Some(None);
        }
        let name = self.name("a cell or a predicate")?;
        if self.take("(") {
            let args = self.terms(")")?;
            return Some(Some(HeapTerm::Instance(name, args)));
        }
        if !self.take("::") && !self.take("->") {
            return self.expected("`::` or `(`", None);
        }
        let source = Term {
            span: name.span,
            kind: word(name.text),
        };
        let class = self.name("the name of a class")?;
        let close = if self.take("(") {
            ")"
        } else {
            self.need("<")?;
            ">"
        };
        let fields = self.terms(close)?;
        Some(Some(HeapTerm::PointsTo(source, class, fields)))
    }

    fn terms(&mut self, close: &'static str) -> Option<Vec<Term>> {
        let mut terms = Vec::new();
        while !self.take(close) {
            terms.push(self.sum()?);
            if !self.take(",") && self.peek() != Token::Sign(close) {
                let expected = if close == ")" {
                    "`,` or `)`"
                } else {
                    "`,` or `>`"
                };
                return self.expected(expected, None);
            }
        }
        Some(terms)
    }

    fn pure_term(&mut self) -> Option<PureTerm> {
        if let Token::Word(word @ ("true" | "false")) = self.peek() {
            self.at += 1;
            return Some(PureTerm::Truth(word == "true"));
        }
        let left = self.sum()?;
        let comparison = match self.peek() {
            // `==` separates a name from its definition, but nobody can mean that here.
            Token::Sign("=" | "==") => Comparison::Eq,
            Token::Sign("!=") => Comparison::Ne,
            Token::Sign("<") => Comparison::Lt,
            Token::Sign("<=") => Comparison::Le,
            Token::Sign(">") => Comparison::Gt,
            Token::Sign(">=") => Comparison::Ge,
            _ => return self.expected("a comparison", None),
        };
        self.at += 1;
        let right = self.sum()?;
        Some(PureTerm::Compare(comparison, left, right))
    }

    fn sum(&mut self) -> Option<Term> {
        let start = self.span();
        let mut negative = self.take("-");
        let mut summands = Vec::new();
        loop {
            summands.push((negative, self.product()?));
            if self.take("+") {
                negative = false;
            } else if self.take("-") {
                negative = true;
            } else {
                break;
            }
        }
        Some(match summands.pop() {
            Some((false, only)) if summands.is_empty() => only,
            last => {
                summands.extend(last);
                Term {
                    span: start.to(self.previous_span()),
                    kind: TermKind::Sum(summands),
                }
            }
        })
    }

    fn product(&mut self) -> Option<Term> {
        let first = self.atom()?;
        let mut factors = Vec::new();
        loop {
            let factor = if self.take("**") || self.take("*") || self.take("#") {
                Factor::Times
            } else if self.take("/") {
                Factor::Divided
            } else {
                break;
            };
            factors.push((factor, self.atom()?));
        }
        if factors.is_empty() {
            return Some(first);
        }
        Some(Term {
            span: first.span.to(self.previous_span()),
            kind: TermKind::Product(Box::new(first), factors),
        })
    }

    fn atom(&mut self) -> Option<Term> {
        let span = self.span();
        let kind = match self.peek() {
            Token::Word(text) if !DECLARATIONS.contains(&text) => word(text.to_owned()),
            Token::Int(digits) => match digits.parse() {
                Ok(value) => TermKind::Int(value),
                Err(_) => {
                    let message = "the number does not fit into 128 bits";
                    self.diagnostics.push(Diagnostic::error(span, message));
                    return None;
                }
            },
            Token::Decimal(digits) => match digits.parse() {
                Ok(value) => TermKind::Decimal(value),
                Err(_) => return self.expected("a number", None),
            },
            Token::Sign("(") => {
                if self.depth == MAX_DEPTH {
                    let message = format!("parentheses nest deeper than {MAX_DEPTH} levels");
                    self.diagnostics.push(Diagnostic::error(span, message));
                    return None;
                }
                self.at += 1;
                self.depth += 1;
                let inner = self.sum()?;
                self.need(")")?;
                self.depth -= 1;
                return Some(inner);
            }
            _ => return self.expected("a term", None),
        };
        self.at += 1;
        Some(Term { span, kind })
    }

    fn name(&mut self, expected: &str) -> Option<Name> {
        match self.peek() {
            Token::Word(text) if !matches!(text, "null" | "emp") => {
                let span = self.span();
                self.at += 1;
                Some(Name {
                    text: text.to_owned(),
                    span,
                })
            }
            _ => self.expected(expected, None),
        }
    }

    fn need(&mut self, sign: &'static str) -> Option<()> {
        if self.take(sign) {
            Some(())
        } else {
            self.expected(&format!("`{sign}`"), None)
        }
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(found) if found == sign);
        if found {
            self.at += 1;
        }
        found
    }

    fn expected<T>(&mut self, expected: &str, help: Option<String>) -> Option<T> {
        let found = self.peek().describe();
        let message = format!("expected {expected}, found {found}");
        let diagnostic = Diagnostic::error(self.span(), message).with_optional_help(help);
        self.diagnostics.push(diagnostic);
        None
    }

    fn peek(&self) -> Token<'a> {
        self.tokens
            .get(self.at)
            .map_or(Token::End, |&(token, _)| token)
    }

    fn peek_second(&self) -> Token<'a> {
        self.tokens
            .get(self.at + 1)
            .map_or(Token::End, |&(token, _)| token)
    }

    fn span(&self) -> Span {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        token.map_or(Span::new(FileId(0), 0, 0), |&(_, span)| span)
    }

    fn previous_span(&self) -> Span {
        let previous = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        previous.map_or(self.span(), |&(_, span)| span)
    }
}

fn word(text: String) -> TermKind {
    match &text[..] {
        "null" => TermKind::Null,
        "_" => TermKind::Wildcard,
        _ => TermKind::Name(text),
    }
}

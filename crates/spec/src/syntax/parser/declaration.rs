//! Declarations, and how to go on after an error in one.

use super::super::ast::{
    Binder, Check, ClassRenaming, Contract, ContractKind, Data, Declaration, Expr, ExprKind,
    FieldDeclaration, FieldRenaming, Import, ImportTarget, Location, Name, Predicate,
};
use super::super::token::{TokenKind, is_reserved};
use super::{Parse, Parser, Reported};
use crate::diagnostic::{Diagnostic, did_you_mean};

/// The words that open declarations.
const OPENERS: [&str; 6] = ["data", "pred", "pre", "post", "import", "check"];

impl Parser {
    pub(super) fn declarations(&mut self) -> Vec<Declaration> {
        let mut declarations = Vec::new();
        while *self.peek() != TokenKind::End {
            // A stray semicolon harms nobody.
            if self.eat(&TokenKind::Semicolon) {
                continue;
            }
            let start = self.at;
            self.nesting = 0;
            match self.declaration() {
                Ok(declaration) => declarations.extend(declaration),
                Err(Reported) => self.resynchronise(start),
            }
        }
        declarations
    }

    /// A declaration; none if it was left out because of errors inside of it.
    fn declaration(&mut self) -> Parse<Option<Declaration>> {
        let TokenKind::Word(opener) = self.peek().clone() else {
            return Err(self.no_declaration(None));
        };
        let span = self.span();
        if !OPENERS.contains(&opener.as_str()) {
            return Err(self.no_declaration(Some(&opener)));
        }
        self.advance();
        Ok(Some(match opener.as_str() {
            "import" => Declaration::Import(self.import()?),
            "data" => return Ok(self.data()?.map(Declaration::Data)),
            "pred" => Declaration::Predicate(self.predicate()?),
            "pre" => Declaration::Contract(self.contract(ContractKind::Pre)?),
            "post" => Declaration::Contract(self.contract(ContractKind::Post)?),
            _ => Declaration::Check(self.check(Location(span))?),
        }))
    }

    fn no_declaration(&mut self, word: Option<&str>) -> Reported {
        if *self.peek() == TokenKind::Invalid {
            return Reported;
        }
        let found = self.peek().describe();
        let help = word.and_then(|word| did_you_mean(word, OPENERS));
        let message = format!("expected a declaration, found {found}");
        let diagnostic = Diagnostic::error(self.span(), message)
            .with_expected("`data`, `pred`, `pre`, `post`, `check` or `import`")
            .with_optional_help(help);
        self.report(diagnostic)
    }

    fn import(&mut self) -> Parse<Import> {
        let start = self.span();
        let target = match self.peek().clone() {
            TokenKind::Str(path) => {
                self.advance();
                ImportTarget::File(path)
            }
            TokenKind::Word(_) => ImportTarget::Module(self.qualified_name("a module")?.text),
            _ => return Err(self.unexpected("a file in quotation marks or the name of a module")),
        };
        let span = Location(start.to(self.previous_span()));
        let name = match self.eat_word("as") {
            true => Some(self.declared_name("a name for what is imported")?),
            false => None,
        };
        let classes = match self.eat_word("with") {
            true => self.separated(Self::class_renaming)?,
            false => Vec::new(),
        };
        self.semicolon()?;
        Ok(Import {
            target,
            name,
            classes,
            span,
        })
    }

    /// `ListNode = node(value: key, next: link)`
    fn class_renaming(&mut self) -> Parse<ClassRenaming> {
        let class = self.qualified_name("a class of what is imported")?;
        if !self.eat(&TokenKind::Equal) {
            return Err(self.unexpected("`=` and the class that stands for it"));
        }
        self.skip_struct();
        let to = self.qualified_name("the class that stands for it")?;
        let fields = match *self.peek() {
            TokenKind::OpenParen => self.parenthesised(Self::field_renaming)?,
            _ => Vec::new(),
        };
        Ok(ClassRenaming { class, to, fields })
    }

    /// `next: link.next` or `red: colour(true: 0, false: 1)`
    fn field_renaming(&mut self) -> Parse<FieldRenaming> {
        let field = self.name("a field of what is imported")?;
        if !self.eat(&TokenKind::Colon) {
            return Err(self.unexpected("`:` and the field that stands for it"));
        }
        let mut to = vec![self.name("the field that stands for it")?];
        while self.eat(&TokenKind::Dot) {
            to.push(self.name("the name of a field")?);
        }
        let values = match self.eat(&TokenKind::OpenParen) {
            true => {
                let holds = self.value_of("true")?;
                self.expect(&TokenKind::Comma)?;
                let fails = self.value_of("false")?;
                self.expect(&TokenKind::CloseParen)?;
                Some(Box::new((holds, fails)))
            }
            false => None,
        };
        Ok(FieldRenaming { field, to, values })
    }

    /// `true: 0`
    fn value_of(&mut self, truth: &str) -> Parse<Expr> {
        if !self.eat_word(truth) {
            return Err(self.unexpected(&format!("`{truth}:` and the value that means it")));
        }
        self.expect(&TokenKind::Colon)?;
        self.formula()
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn data(&mut self) -> Parse<Option<Data>> {
        let name = self.qualified_name("the name of a class")?;
        self.broken.push(name.text.clone());
        let superclass = if self.at_word("extends") {
            self.advance();
            Some(self.qualified_name("the name of a class")?)
        } else {
            None
        };
        self.expect(&TokenKind::OpenBrace)?;
        let mut fields = Vec::new();
        let mut complete = true;
        while !self.eat(&TokenKind::CloseBrace) {
            if self.opens_declaration() && *self.peek_at(2) != TokenKind::Semicolon {
                let span = self.previous_span().after();
                let message = "expected `}` before the next declaration";
                let diagnostic = Diagnostic::error(span, message).with_expected("`}`");
                self.report(diagnostic);
                break;
            }
            if self.field(&mut fields).is_err() {
                complete = false;
                if !self.skip_field() {
                    return Err(Reported);
                }
            }
        }
        if !complete {
            return Ok(None);
        }
        self.broken.pop();
        Ok(Some(Data {
            name,
            superclass,
            fields,
        }))
    }

    /// Skips to behind the next semicolon or to the brace that closes the class. False: neither
    /// comes before the next declaration.
    fn skip_field(&mut self) -> bool {
        loop {
            match self.peek() {
                TokenKind::End => return false,
                TokenKind::CloseBrace => return true,
                TokenKind::Semicolon => {
                    self.advance();
                    return true;
                }
                _ if self.opens_declaration() => return false,
                _ => self.advance(),
            }
        }
    }

    /// `Node left, right;`
    fn field(&mut self, fields: &mut Vec<FieldDeclaration>) -> Parse<()> {
        let ty = self.qualified_name("a field or `}`")?;
        let names = self.separated(|parser| parser.name("the name of a field"))?;
        fields.extend(names.into_iter().map(|name| FieldDeclaration {
            ty: ty.clone(),
            name,
        }));
        // The last field needs no semicolon, since the brace ends it.
        if *self.peek() != TokenKind::CloseBrace {
            self.expect(&TokenKind::Semicolon)?;
        }
        Ok(())
    }

    fn predicate(&mut self) -> Parse<Predicate> {
        let mut name = self.declared_name("the name of a predicate")?;
        // As printed: a predicate of something that was imported under a name.
        if *self.peek() == TokenKind::Dot && matches!(self.peek_at(1), TokenKind::Word(_)) {
            self.advance();
            let own = self.declared_name("the name of a predicate")?;
            name = Name {
                text: format!("{}.{}", name.text, own.text),
                span: name.span.to(own.span),
            };
        }
        self.broken.push(name.text.clone());
        let params = self.parenthesised(Self::binder)?;
        self.define()?;
        let body = self.body();
        self.broken.pop();
        Ok(Predicate { name, params, body })
    }

    fn contract(&mut self, kind: ContractKind) -> Parse<Contract> {
        let first = self.qualified_name("a method")?;
        let (class, method) = if self.eat(&TokenKind::Hash) {
            (Some(first), self.method_name()?)
        } else {
            (None, first)
        };
        let params = self.parenthesised(Self::binder)?;
        let throws = if kind == ContractKind::Post && self.at_word("throws") {
            self.advance();
            Some(self.qualified_name("the class of an exception")?)
        } else {
            None
        };
        self.define()?;
        let body = self.body();
        Ok(Contract {
            kind,
            class,
            method,
            params,
            throws,
            body,
        })
    }

    /// A method, or `<init>` for a constructor.
    fn method_name(&mut self) -> Parse<Name> {
        if *self.peek() != TokenKind::Less {
            return self.name("the name of a method");
        }
        let start = self.span();
        self.advance();
        let inner = self.name("`init`")?;
        let span = start.to(self.span());
        self.expect(&TokenKind::Greater)?;
        let text = format!("<{}>", inner.text);
        Ok(Name { text, span })
    }

    fn check(&mut self, span: Location) -> Parse<Check> {
        let named = matches!(self.peek(), TokenKind::Word(_))
            && matches!(self.peek_at(1), TokenKind::Define);
        let name = if named {
            let name = self.declared_name("the name of the check")?;
            self.advance();
            Some(name)
        } else {
            None
        };
        let body = self.body();
        Ok(Check { name, body, span })
    }

    /// A formula with its semicolon. After an error the declaration is kept, so that what uses
    /// it is not reported as well.
    fn body(&mut self) -> Expr {
        let (start, span) = (self.at, self.span());
        let formula = self.formula();
        if let Ok(formula) = formula
            && self.semicolon().is_ok()
        {
            return formula;
        }
        self.resynchronise(start);
        Expr {
            kind: ExprKind::Error,
            span,
        }
    }

    /// `x`, `x: int` or `int x`.
    pub(super) fn binder(&mut self) -> Parse<Binder> {
        self.skip_struct();
        let first = self.qualified_name("a name")?;
        let (name, ty) = if self.eat(&TokenKind::Colon) {
            self.skip_struct();
            (first, Some(self.qualified_name("a type")?))
        } else if *self.peek() == TokenKind::Star && matches!(self.peek_at(1), TokenKind::Word(_)) {
            // A pointer, as C writes it.
            self.advance();
            (self.name("a name")?, Some(first))
        } else if matches!(self.peek(), TokenKind::Word(_)) {
            (self.name("a name")?, Some(first))
        } else {
            (first, None)
        };
        self.check_declared(&name)?;
        Ok(Binder { name, ty })
    }

    fn declared_name(&mut self, what: &str) -> Parse<Name> {
        let name = self.name(what)?;
        self.check_declared(&name)?;
        Ok(name)
    }

    pub(super) fn check_declared(&mut self, name: &Name) -> Parse<()> {
        if name.text.contains('.') {
            let message = format!("`{}` is not a simple name", name.text);
            return Err(self.report(Diagnostic::error(name.span, message)));
        }
        if is_reserved(&name.text) {
            let message = format!("`{}` is a reserved word", name.text);
            let diagnostic = Diagnostic::error(name.span, message).with_help("choose another name");
            return Err(self.report(diagnostic));
        }
        Ok(())
    }

    fn define(&mut self) -> Parse<()> {
        if self.eat(&TokenKind::Define) || self.eat(&TokenKind::DoubleEqual) {
            return Ok(());
        }
        Err(self.unexpected("`:=`"))
    }

    fn semicolon(&mut self) -> Parse<()> {
        if self.eat(&TokenKind::Semicolon) {
            return Ok(());
        }
        // A declaration that follows without a semicolon: the place to mark is before it.
        if self.opens_declaration() {
            let span = self.previous_span().after();
            let message = "expected `;` before the next declaration";
            let diagnostic = Diagnostic::error(span, message).with_expected("`;`");
            return Err(self.report(diagnostic));
        }
        Err(self.unexpected("an operator or `;`"))
    }

    /// Skips to behind the next semicolon, or to the next declaration. `start` is where the
    /// declaration with the error began; at least one token behind it is skipped.
    fn resynchronise(&mut self, start: usize) {
        if self.at == start && !self.opens_declaration() {
            self.advance();
        }
        let mut depth = 0usize;
        loop {
            match self.peek() {
                TokenKind::End => return,
                TokenKind::Semicolon if depth == 0 => {
                    self.advance();
                    return;
                }
                TokenKind::OpenBrace => depth += 1,
                TokenKind::CloseBrace if depth == 1 => {
                    self.advance();
                    return;
                }
                TokenKind::CloseBrace => depth = depth.saturating_sub(1),
                _ if self.at > start && self.opens_declaration() => return,
                _ => {}
            }
            self.advance();
        }
    }

    /// Whether a declaration seems to begin here: its word, and behind it what follows there.
    /// Fields and variables may have the same names, so the word alone says little.
    fn opens_declaration(&self) -> bool {
        let TokenKind::Word(word) = self.peek() else {
            return false;
        };
        let name_follows = matches!(self.peek_at(1), TokenKind::Word(_));
        let then = self.peek_at(2);
        match word.as_str() {
            "data" => name_follows && !matches!(then, TokenKind::Semicolon | TokenKind::Comma),
            "pred" => name_follows && *then == TokenKind::OpenParen,
            "pre" | "post" => {
                let follows = [TokenKind::OpenParen, TokenKind::Hash, TokenKind::Dot];
                name_follows && follows.contains(then)
            }
            "import" => name_follows || matches!(self.peek_at(1), TokenKind::Str(_)),
            "check" => name_follows || *self.peek_at(1) == TokenKind::Exists,
            _ => false,
        }
    }
}

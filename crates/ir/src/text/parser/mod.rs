//! Reads programs: a parser by hand, at most two tokens of look-ahead, without recursion.
//!
//! Classes, globals and functions get their ids in a first walk over the tokens, so that they can
//! be used before they are declared; everything else is read in one pass.

mod constants;
mod declarations;
mod functions;
mod operations;

use heapwright_logic::{Class, ClassId, Sort};
use rustc_hash::FxHashMap;

use super::error::{ParseError, SyntaxError};
use super::token::{Token, TokenKind, tokenize};
use super::vocabulary::{is_reserved, scalar_sort};
use crate::function::{BlockId, FunctionId, Position};
use crate::global::GlobalId;
use crate::program::{ClassInfo, Program};

/// Reads the text form of a program. The program is not verified.
pub fn parse(text: &str) -> Result<Program, ParseError> {
    let tokens = tokenize(text)?;
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        program: Program::default(),
        functions: FxHashMap::default(),
        globals: FxHashMap::default(),
        classes_begun: 1,
    };
    parser.collect_names();
    parser.program()?;
    Ok(parser.program)
}

type Parsed<T> = Result<T, ParseError>;

struct Parser<'t> {
    /// All tokens; the last one is the end.
    tokens: &'t [Token<'t>],
    at: usize,
    program: Program,
    /// The first function of each name.
    functions: FxHashMap<String, FunctionId>,
    /// The first global of each name.
    globals: FxHashMap<String, GlobalId>,
    /// How many classes were declared so far, [`ClassId::ANY`] included.
    classes_begun: u32,
}

impl<'t> Parser<'t> {
    /// Gives ids to classes, globals and functions. The words `class`, `global` and `function` are
    /// never names, so they occur in declarations only.
    fn collect_names(&mut self) {
        self.program.classes.push(ClassInfo::default());
        let mut functions = 0;
        let mut globals = 0;
        for pair in self.tokens.windows(2) {
            let name = match &pair[1].kind {
                TokenKind::Word(word) if !is_reserved(word) => *word,
                TokenKind::Quoted(name) => name.as_str(),
                _ => continue,
            };
            match pair[0].kind {
                TokenKind::Word("class") => {
                    self.program.definitions.add_class(Class {
                        name: name.to_owned(),
                        fields: Vec::new(),
                        superclass: None,
                    });
                    self.program.classes.push(ClassInfo::default());
                }
                TokenKind::Word("function") => {
                    let id = FunctionId(functions);
                    self.functions.entry(name.to_owned()).or_insert(id);
                    functions += 1;
                }
                TokenKind::Word("global") => {
                    let id = GlobalId(globals);
                    self.globals.entry(name.to_owned()).or_insert(id);
                    globals += 1;
                }
                _ => {}
            }
        }
    }

    /// The next token. There always is one: nothing steps over the end.
    fn peek(&self) -> &'t TokenKind<'t> {
        self.tokens
            .get(self.at)
            .map_or(&TokenKind::End, |token| &token.kind)
    }

    /// The token after the next.
    fn peek_second(&self) -> &'t TokenKind<'t> {
        let second = self.tokens.get(self.at + 1);
        second.map_or(&TokenKind::End, |token| &token.kind)
    }

    /// Steps over a token.
    fn advance(&mut self) {
        if *self.peek() != TokenKind::End {
            self.at += 1;
        }
    }

    /// An error at the next token.
    fn error<T>(&self, error: SyntaxError) -> Parsed<T> {
        self.error_at(self.at, error)
    }

    /// An error at some token.
    fn error_at<T>(&self, at: usize, error: SyntaxError) -> Parsed<T> {
        let place = self.tokens.get(at).or(self.tokens.last());
        let (line, column) = place.map_or((1, 1), |token| (token.line, token.column));
        Err(ParseError {
            line,
            column,
            error,
        })
    }

    /// The error that something else should stand here.
    fn expected<T>(&self, expected: &'static str) -> Parsed<T> {
        let found = match self.peek() {
            TokenKind::Word(word) | TokenKind::Number(word) => format!("`{word}`"),
            TokenKind::Quoted(_) => "a string".to_owned(),
            TokenKind::Register(number) => format!("`%{number}`"),
            TokenKind::Id(number) => format!("`#{number}`"),
            TokenKind::Raw(_) => "`|`".to_owned(),
            TokenKind::Sign(sign) => format!("`{sign}`"),
            TokenKind::EndOfLine => "the end of the line".to_owned(),
            TokenKind::End => "the end of the text".to_owned(),
        };
        self.error(SyntaxError::Expected { expected, found })
    }

    /// Steps over a keyword if it comes next.
    fn keyword(&mut self, word: &str) -> bool {
        let here = matches!(self.peek(), TokenKind::Word(next) if *next == word);
        if here {
            self.advance();
        }
        here
    }

    /// Steps over a keyword that must come next.
    fn expect_keyword(&mut self, word: &str, expected: &'static str) -> Parsed<()> {
        match self.keyword(word) {
            true => Ok(()),
            false => self.expected(expected),
        }
    }

    /// Steps over a sign if it comes next.
    fn sign(&mut self, sign: &str) -> bool {
        let here = matches!(self.peek(), TokenKind::Sign(next) if *next == sign);
        if here {
            self.advance();
        }
        here
    }

    /// Steps over a sign that must come next.
    fn expect_sign(&mut self, sign: &str, expected: &'static str) -> Parsed<()> {
        match self.sign(sign) {
            true => Ok(()),
            false => self.expected(expected),
        }
    }

    /// Steps over the end of a line.
    fn end_of_line(&mut self) -> Parsed<()> {
        if !matches!(self.peek(), TokenKind::EndOfLine | TokenKind::End) {
            return self.expected("the end of the line");
        }
        self.advance();
        Ok(())
    }

    /// A name, plain or in quotes.
    fn name(&mut self, expected: &'static str) -> Parsed<&'t str> {
        let name = match self.peek() {
            TokenKind::Word(word) if !is_reserved(word) => word,
            TokenKind::Quoted(name) => name.as_str(),
            _ => return self.expected(expected),
        };
        self.advance();
        Ok(name)
    }

    /// A number without sign that fits into 32 bits.
    fn number(&mut self, expected: &'static str) -> Parsed<u32> {
        let TokenKind::Number(text) = self.peek() else {
            return self.expected(expected);
        };
        let Ok(value) = text.parse() else {
            return self.error(SyntaxError::Number((*text).to_owned()));
        };
        self.advance();
        Ok(value)
    }

    /// A class that was declared, by name or by number.
    fn class(&mut self) -> Parsed<ClassId> {
        if self.keyword("any") {
            return Ok(ClassId::ANY);
        }
        if let TokenKind::Id(id) = self.peek() {
            self.advance();
            return Ok(ClassId(*id));
        }
        let at = self.at;
        let name = self.name("a class")?;
        match self.program.definitions.class_named(name) {
            Some(class) => Ok(class),
            None => self.error_at(at, SyntaxError::UnknownClass(name.to_owned())),
        }
    }

    /// A function that is declared somewhere, by name or by number.
    fn function_reference(&mut self) -> Parsed<FunctionId> {
        if let TokenKind::Id(id) = self.peek() {
            self.advance();
            return Ok(FunctionId(*id));
        }
        let at = self.at;
        let name = self.name("a function")?;
        match self.functions.get(name) {
            Some(function) => Ok(*function),
            None => self.error_at(at, SyntaxError::UnknownFunction(name.to_owned())),
        }
    }

    /// A global that is declared somewhere, by name or by number, after the sign `@`.
    fn global_reference(&mut self) -> Parsed<GlobalId> {
        if let TokenKind::Id(id) = self.peek() {
            self.advance();
            return Ok(GlobalId(*id));
        }
        let at = self.at;
        let name = self.name("a global")?;
        match self.globals.get(name) {
            Some(global) => Ok(*global),
            None => self.error_at(at, SyntaxError::UnknownGlobal(name.to_owned())),
        }
    }

    /// A field with its class: `Node::next`.
    fn field(&mut self) -> Parsed<(ClassId, u32)> {
        let class = self.class()?;
        self.expect_sign("::", "`::` and a field")?;
        if let TokenKind::Id(field) = self.peek() {
            self.advance();
            return Ok((class, *field));
        }
        let at = self.at;
        let field = self.name("a field")?;
        let definitions = &self.program.definitions;
        let known = class.index() < self.program.classes.len();
        let unknown = |class: &str| SyntaxError::UnknownField {
            class: class.to_owned(),
            field: field.to_owned(),
        };
        if !known {
            return self.error_at(at, unknown(&format!("#{}", class.0)));
        }
        match definitions.field_index(class, field) {
            Some(index) => Ok((class, index as u32)),
            None => self.error_at(at, unknown(&definitions.class(class).name)),
        }
    }

    /// A sort.
    fn sort(&mut self) -> Parsed<Sort> {
        if let TokenKind::Word(word) = self.peek()
            && let Some(sort) = scalar_sort(word)
        {
            self.advance();
            return Ok(sort);
        }
        if matches!(
            self.peek(),
            TokenKind::Word(_) | TokenKind::Quoted(_) | TokenKind::Id(_)
        ) {
            return self.class().map(Sort::Ref);
        }
        self.expected("a sort")
    }

    /// A block: `b3`. It need not exist.
    fn block_reference(&mut self) -> Parsed<BlockId> {
        let TokenKind::Word(word) = self.peek() else {
            return self.expected("a block, as in `b3`");
        };
        let digits = word.strip_prefix('b').unwrap_or_default();
        let plain = digits.bytes().all(|byte| byte.is_ascii_digit());
        match digits.parse() {
            Ok(number) if plain => {
                self.advance();
                Ok(BlockId(number))
            }
            _ => self.expected("a block, as in `b3`"),
        }
    }

    /// A position, `@file/line:column`, if there is one.
    fn position(&mut self) -> Parsed<Position> {
        let mut position = Position::default();
        if !self.sign("@") {
            return Ok(position);
        }
        position.line = self.number("a line")?;
        if self.sign("/") {
            position.file = position.line;
            position.line = self.number("a line")?;
        }
        if self.sign(":") {
            position.column = self.number("a column")?;
        }
        Ok(position)
    }
}

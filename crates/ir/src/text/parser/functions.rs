//! Functions: registers, blocks, handlers and jumps.

use rustc_hash::FxHashMap;

use super::super::error::SyntaxError;
use super::super::token::TokenKind;
use super::constants::integer;
use super::{Parsed, Parser};
use crate::function::{Block, Function, Handler, Instruction, Position, Reg, Register};
use crate::instruction::{Operation, Terminator};

/// The registers of the function that is being read.
#[derive(Default)]
pub(super) struct Registers {
    pub(super) declared: Vec<Register>,
    /// The register of a name; none if there are several.
    pub(super) named: FxHashMap<String, Option<Reg>>,
}

/// One line of a block.
enum Line {
    Handler(Handler),
    Operation(Operation),
    Terminator(Terminator),
}

impl Parser<'_> {
    /// A function after the word `function`.
    pub(super) fn function(&mut self, synthetic: bool) -> Parsed<Function> {
        let name = self.name("the name of a function")?.to_owned();
        let mut registers = Registers::default();
        self.expect_sign("(", "`(`")?;
        if !self.sign(")") {
            loop {
                self.register_declaration(&mut registers)?;
                if !self.sign(",") {
                    break;
                }
            }
            self.expect_sign(")", "`,` or `)`")?;
        }
        let params = registers.declared.len() as u32;
        let result = match self.sign("->") {
            true => Some(self.sort()?),
            false => None,
        };
        let position = self.position()?;
        self.expect_sign("{", "`{`")?;
        self.end_of_line()?;
        while self.keyword("var") {
            self.register_declaration(&mut registers)?;
            self.end_of_line()?;
        }
        let mut blocks = Vec::new();
        while !self.sign("}") {
            let block = self.block(&registers, blocks.len())?;
            blocks.push(block);
        }
        self.end_of_line()?;
        Ok(Function {
            name,
            params,
            registers: registers.declared,
            result,
            blocks,
            position,
            synthetic,
        })
    }

    /// `x: int`, `%3: int` or `x%3: int`
    fn register_declaration(&mut self, registers: &mut Registers) -> Parsed<()> {
        let at = self.at;
        let index = registers.declared.len();
        let name = match self.peek() {
            TokenKind::Register(_) => None,
            _ => Some(self.name("a register")?.to_owned()),
        };
        let numbered = matches!(self.peek(), TokenKind::Register(_));
        if let TokenKind::Register(number) = self.peek() {
            if *number as usize != index {
                return self.error(SyntaxError::RegisterOrder { expected: index });
            }
            self.advance();
        }
        if let Some(name) = &name {
            let several = registers.named.contains_key(name);
            if several && !numbered {
                return self.error_at(at, SyntaxError::AmbiguousRegister(name.clone()));
            }
            let register = (!several).then_some(Reg(index as u32));
            registers.named.insert(name.clone(), register);
        }
        self.expect_sign(":", "`:` and a sort")?;
        let sort = self.sort()?;
        registers.declared.push(Register { name, sort });
        Ok(())
    }

    /// A block with its label.
    fn block(&mut self, registers: &Registers, expected: usize) -> Parsed<Block> {
        let at = self.at;
        if self.block_reference()?.index() != expected {
            return self.error_at(at, SyntaxError::BlockOrder { expected });
        }
        self.expect_sign(":", "`:`")?;
        self.end_of_line()?;
        let mut handlers = Vec::new();
        let mut instructions = Vec::new();
        loop {
            if matches!(self.peek(), TokenKind::Sign("}") | TokenKind::End) || self.at_label() {
                return self.error(SyntaxError::OpenBlock);
            }
            let at = self.at;
            let line = self.line(registers)?;
            let position = match line {
                Line::Handler(_) => Position::default(),
                Line::Operation(_) | Line::Terminator(_) => self.position()?,
            };
            self.end_of_line()?;
            match line {
                Line::Handler(_) if !instructions.is_empty() => {
                    let expected = "an operation or a jump; handlers come first in their block";
                    self.at = at;
                    return self.expected(expected);
                }
                Line::Handler(handler) => handlers.push(handler),
                Line::Operation(operation) => instructions.push(Instruction {
                    operation,
                    position,
                }),
                Line::Terminator(terminator) => {
                    return Ok(Block {
                        instructions,
                        terminator,
                        position,
                        handlers,
                    });
                }
            }
        }
    }

    /// Whether the next block begins here.
    fn at_label(&self) -> bool {
        matches!(self.peek(), TokenKind::Word(_)) && *self.peek_second() == TokenKind::Sign(":")
    }

    /// What stands on a line of a block, but for its position.
    fn line(&mut self, registers: &Registers) -> Parsed<Line> {
        if self.keyword("catch") {
            return self.handler(registers).map(Line::Handler);
        }
        if let Some(terminator) = self.terminator(registers)? {
            return Ok(Line::Terminator(terminator));
        }
        self.operation(registers).map(Line::Operation)
    }

    /// `Class into register goto block`, after the word `catch`.
    fn handler(&mut self, registers: &Registers) -> Parsed<Handler> {
        let mut class = None;
        if !self.keyword("into") {
            class = Some(self.class()?);
            self.expect_keyword("into", "`into` and a register")?;
        }
        let exception = self.register(registers)?;
        self.expect_keyword("goto", "`goto` and a block")?;
        let block = self.block_reference()?;
        Ok(Handler {
            class,
            exception,
            block,
        })
    }

    /// A jump, if one comes next.
    fn terminator(&mut self, registers: &Registers) -> Parsed<Option<Terminator>> {
        let terminator = if self.keyword("goto") {
            Terminator::Goto(self.block_reference()?)
        } else if self.keyword("if") {
            let condition = self.operand(registers)?;
            self.expect_keyword("goto", "`goto` and a block")?;
            let then = self.block_reference()?;
            self.expect_keyword("else", "`else` and a block")?;
            let otherwise = self.block_reference()?;
            Terminator::Branch {
                condition,
                then,
                otherwise,
            }
        } else if self.keyword("switch") {
            self.switch(registers)?
        } else if self.keyword("return") {
            let nothing = match self.peek() {
                // A position, or a global.
                TokenKind::Sign("@") => matches!(self.peek_second(), TokenKind::Number(_)),
                next => matches!(next, TokenKind::EndOfLine | TokenKind::End),
            };
            Terminator::Return(match nothing {
                true => None,
                false => Some(self.operand(registers)?),
            })
        } else if self.keyword("throw") {
            Terminator::Throw(self.operand(registers)?)
        } else if self.keyword("unreachable") {
            Terminator::Unreachable
        } else if self.keyword("absent") {
            Terminator::Absent
        } else {
            return Ok(None);
        };
        Ok(Some(terminator))
    }

    /// `x [1: b1, 2: b2] else b3`, after the word `switch`.
    fn switch(&mut self, registers: &Registers) -> Parsed<Terminator> {
        let value = self.operand(registers)?;
        self.expect_sign("[", "`[` and the cases")?;
        let mut cases = Vec::new();
        while !self.sign("]") {
            if !cases.is_empty() {
                self.expect_sign(",", "`,` or `]`")?;
            }
            let TokenKind::Number(text) = self.peek() else {
                return self.expected("an integer");
            };
            let Some(case) = integer(text) else {
                return self.error(SyntaxError::Number((*text).to_owned()));
            };
            self.advance();
            self.expect_sign(":", "`:` and a block")?;
            cases.push((case, self.block_reference()?));
        }
        self.expect_keyword("else", "`else` and a block")?;
        let default = self.block_reference()?;
        Ok(Terminator::Switch {
            value,
            cases,
            default,
        })
    }
}

//! Operations and their operands.

use super::super::error::SyntaxError;
use super::super::token::TokenKind;
use super::super::vocabulary::binary;
use super::constants::number;
use super::functions::Registers;
use super::{Parsed, Parser};
use crate::function::Reg;
use crate::instruction::{Callee, Constant, Operand, Operation, UnaryOp};

impl Parser<'_> {
    /// An operation.
    pub(super) fn operation(&mut self, registers: &Registers) -> Parsed<Operation> {
        if self.keyword("free") {
            let object = self.operand(registers)?;
            return Ok(Operation::Free { object });
        }
        if self.keyword("check_cast") {
            let object = self.operand(registers)?;
            self.expect_sign(",", "`,` and a class")?;
            let class = self.class()?;
            return Ok(Operation::CheckCast { object, class });
        }
        if self.keyword("call") {
            return self.call(registers, None);
        }
        if self.keyword("assert") {
            let condition = self.operand(registers)?;
            let mut message = String::new();
            if self.sign(",") {
                let TokenKind::Quoted(text) = self.peek() else {
                    return self.expected("a message in quotes");
                };
                message.clone_from(text);
                self.advance();
            }
            return Ok(Operation::Assert { condition, message });
        }
        for (word, may_overlap) in [("copy_bytes", true), ("copy_bytes_apart", false)] {
            if self.keyword(word) {
                let [to, from, count] = self.three_operands(registers)?;
                return Ok(Operation::CopyBytes {
                    to,
                    from,
                    count,
                    may_overlap,
                });
            }
        }
        if self.keyword("fill_bytes") {
            let [to, value, count] = self.three_operands(registers)?;
            let value = Some(value);
            return Ok(Operation::FillBytes { to, value, count });
        }
        if self.keyword("undefine_bytes") {
            let to = self.operand(registers)?;
            self.expect_sign(",", "`,` and a number of bytes")?;
            let count = self.operand(registers)?;
            let value = None;
            return Ok(Operation::FillBytes { to, value, count });
        }
        if self.keyword("check") {
            let condition = self.operand(registers)?;
            self.expect_sign(",", "`,` and a fault")?;
            let fault = self.fault_kind()?;
            return Ok(Operation::Check { condition, fault });
        }
        if self.keyword("assume") {
            let condition = self.operand(registers)?;
            return Ok(Operation::Assume { condition });
        }
        let at = self.at;
        let target = self.operand(registers)?;
        if self.sign("->") {
            let (class, field) = self.field()?;
            self.expect_sign(":=", "`:=` and a value")?;
            let value = self.operand(registers)?;
            return Ok(Operation::Store {
                object: target,
                class,
                field,
                value,
            });
        }
        if self.sign("[") {
            let index = self.operand(registers)?;
            self.expect_sign("]", "`]`")?;
            self.expect_sign(":=", "`:=` and a value")?;
            let value = self.operand(registers)?;
            return Ok(Operation::StoreElement {
                array: target,
                index,
                value,
            });
        }
        let Operand::Register(to) = target else {
            self.at = at;
            return self.expected("an operation, a jump or a register");
        };
        self.expect_sign(":=", "`:=`, `->` or `[`")?;
        self.right_side(registers, to)
    }

    /// What is assigned to a register.
    fn right_side(&mut self, registers: &Registers, to: Reg) -> Parsed<Operation> {
        if let TokenKind::Word(word) = self.peek()
            && let Some(op) = binary(word)
        {
            self.advance();
            let a = self.operand(registers)?;
            self.expect_sign(",", "`,` and the second operand")?;
            let b = self.operand(registers)?;
            return Ok(Operation::Binary { to, op, a, b });
        }
        let unary = [
            ("not", UnaryOp::Not),
            ("neg", UnaryOp::Neg),
            ("complement", UnaryOp::Complement),
        ];
        for (word, op) in unary {
            if self.keyword(word) {
                let a = self.operand(registers)?;
                return Ok(Operation::Unary { to, op, a });
            }
        }
        if self.keyword("convert") {
            let a = self.operand(registers)?;
            self.expect_keyword("as", "`as` and a sort")?;
            let op = UnaryOp::Convert(self.sort()?);
            return Ok(Operation::Unary { to, op, a });
        }
        if self.keyword("new") {
            let class = self.class()?;
            return Ok(Operation::New { to, class });
        }
        if self.keyword("new_array") {
            let class = self.class()?;
            self.expect_sign(",", "`,` and a length")?;
            let length = self.operand(registers)?;
            return Ok(Operation::NewArray { to, class, length });
        }
        if self.keyword("length") {
            let array = self.operand(registers)?;
            return Ok(Operation::Length { to, array });
        }
        if self.keyword("undefined") {
            return Ok(Operation::Undefine { to });
        }
        if self.keyword("cast") {
            let from = self.operand(registers)?;
            return Ok(Operation::Cast { to, from });
        }
        if self.keyword("extent") {
            let object = self.operand(registers)?;
            return Ok(Operation::Extent { to, object });
        }
        if self.keyword("instance_of") {
            let object = self.operand(registers)?;
            self.expect_sign(",", "`,` and a class")?;
            let class = self.class()?;
            return Ok(Operation::InstanceOf { to, object, class });
        }
        if self.keyword("call") {
            return self.call(registers, Some(to));
        }
        self.access(registers, to)
    }

    fn three_operands(&mut self, registers: &Registers) -> Parsed<[Operand; 3]> {
        let first = self.operand(registers)?;
        self.expect_sign(",", "`,` and a value")?;
        let second = self.operand(registers)?;
        self.expect_sign(",", "`,` and a value")?;
        Ok([first, second, self.operand(registers)?])
    }

    /// A value, what is behind it, or the address of that.
    fn access(&mut self, registers: &Registers, to: Reg) -> Parsed<Operation> {
        let address = self.sign("&");
        let from = self.operand(registers)?;
        if self.sign("->") {
            let (class, field) = self.field()?;
            let object = from;
            return Ok(match address {
                true => Operation::FieldAddress {
                    to,
                    object,
                    class,
                    field,
                },
                false => Operation::Load {
                    to,
                    object,
                    class,
                    field,
                },
            });
        }
        if self.sign("[") {
            let array = from;
            let index = self.operand(registers)?;
            self.expect_sign("]", "`]`")?;
            return Ok(match address {
                true => Operation::ElementAddress { to, array, index },
                false => Operation::LoadElement { to, array, index },
            });
        }
        if address {
            return self.expected("`->` or `[`");
        }
        Ok(Operation::Move { to, from })
    }

    /// A call after the word `call`.
    fn call(&mut self, registers: &Registers, to: Option<Reg>) -> Parsed<Operation> {
        let callee = if self.keyword("virtual") {
            Callee::Virtual(self.name("the name of a method")?.to_owned())
        } else if self.keyword("intrinsic") {
            Callee::Intrinsic(self.name("the name of an intrinsic function")?.to_owned())
        } else {
            Callee::Static(self.function_reference()?)
        };
        self.expect_sign("(", "`(` and the arguments")?;
        let mut args = Vec::new();
        while !self.sign(")") {
            if !args.is_empty() {
                self.expect_sign(",", "`,` or `)`")?;
            }
            args.push(self.operand(registers)?);
        }
        Ok(Operation::Call { to, callee, args })
    }

    /// A register, a global or a constant.
    pub(super) fn operand(&mut self, registers: &Registers) -> Parsed<Operand> {
        if self.sign("@") {
            return self.global_reference().map(Operand::Global);
        }
        let constant = match self.peek() {
            TokenKind::Word("true") => Constant::Bool(true),
            TokenKind::Word("false") => Constant::Bool(false),
            TokenKind::Word("null") => Constant::Null,
            TokenKind::Number(text) => match number(text) {
                Some(constant) => constant,
                None => return self.error(SyntaxError::Number((*text).to_owned())),
            },
            _ => return self.register(registers).map(Operand::Register),
        };
        self.advance();
        Ok(Operand::Constant(constant))
    }

    /// A register: `x`, `%3` or `x%3`. Without a name it need not exist.
    pub(super) fn register(&mut self, registers: &Registers) -> Parsed<Reg> {
        if let TokenKind::Register(number) = self.peek() {
            self.advance();
            return Ok(Reg(*number));
        }
        let at = self.at;
        let name = self.name("a register or a constant")?;
        if let TokenKind::Register(number) = self.peek() {
            let declared = registers.declared.get(*number as usize);
            if declared.and_then(|register| register.name.as_deref()) != Some(name) {
                let name = name.to_owned();
                let number = *number;
                return self.error_at(at, SyntaxError::OtherRegister { number, name });
            }
            self.advance();
            return Ok(Reg(*number));
        }
        match registers.named.get(name) {
            Some(Some(register)) => Ok(*register),
            Some(None) => self.error_at(at, SyntaxError::AmbiguousRegister(name.to_owned())),
            None => self.error_at(at, SyntaxError::UnknownRegister(name.to_owned())),
        }
    }
}

//! Prints functions: registers, blocks, operations and jumps.

use std::fmt::{self, Write};

use heapwright_logic::IntType;
use rustc_hash::FxHashMap;

use super::super::vocabulary::{binary_word, fault_word, name, quoted};
use super::{Printer, commas};
use crate::function::{Block, Function, Position, Reg};
use crate::instruction::{Callee, Constant, Operand, Operation, Terminator, UnaryOp};

impl Printer<'_> {
    pub(super) fn function(&self, out: &mut String, function: &Function) -> fmt::Result {
        let registers = OperandNames::new(self, function);
        let declaration = |index: usize| {
            let sort = self.sort(function.registers[index].sort);
            format!("{}: {sort}", registers.name(Reg(index as u32)))
        };
        let count = function.registers.len();
        let params = count.min(function.params as usize);
        let header = commas((0..params).map(declaration));
        let synthetic = if function.synthetic { "synthetic " } else { "" };
        let function_name = name(&function.name);
        write!(out, "{synthetic}function {function_name}({header})")?;
        if let Some(result) = function.result {
            write!(out, " -> {}", self.sort(result))?;
        }
        writeln!(out, "{} {{", position(function.position))?;
        for index in params..count {
            writeln!(out, "  var {}", declaration(index))?;
        }
        for (index, block) in function.blocks.iter().enumerate() {
            writeln!(out, "b{index}:")?;
            self.block(out, &registers, block)?;
        }
        writeln!(out, "}}")
    }

    fn block(&self, out: &mut String, registers: &OperandNames<'_>, block: &Block) -> fmt::Result {
        for handler in &block.handlers {
            let class = handler.class.map(|class| format!("{} ", self.class(class)));
            writeln!(
                out,
                "  catch {}into {} goto b{}",
                class.unwrap_or_default(),
                registers.name(handler.exception),
                handler.block.0
            )?;
        }
        for instruction in &block.instructions {
            let operation = self.operation(registers, &instruction.operation);
            writeln!(out, "  {operation}{}", position(instruction.position))?;
        }
        let terminator = terminator(registers, &block.terminator);
        writeln!(out, "  {terminator}{}", position(block.position))
    }

    fn operation(&self, registers: &OperandNames<'_>, operation: &Operation) -> String {
        let reg = |register: &Reg| registers.name(*register);
        let value = |operand: &Operand| registers.operand(*operand);
        match operation {
            Operation::Move { to, from } => format!("{} := {}", reg(to), value(from)),
            Operation::Unary { to, op, a } => {
                let (to, a) = (reg(to), value(a));
                match op {
                    UnaryOp::Not => format!("{to} := not {a}"),
                    UnaryOp::Neg => format!("{to} := neg {a}"),
                    UnaryOp::Complement => format!("{to} := complement {a}"),
                    UnaryOp::Convert(sort) => {
                        format!("{to} := convert {a} as {}", self.sort(*sort))
                    }
                }
            }
            Operation::Binary { to, op, a, b } => {
                let word = binary_word(*op);
                format!("{} := {word} {}, {}", reg(to), value(a), value(b))
            }
            Operation::New { to, class } => format!("{} := new {}", reg(to), self.class(*class)),
            Operation::NewArray { to, class, length } => {
                let class = self.class(*class);
                format!("{} := new_array {class}, {}", reg(to), value(length))
            }
            Operation::Free { object } => format!("free {}", value(object)),
            Operation::Load {
                to,
                object,
                class,
                field,
            } => {
                let field = self.field(*class, *field);
                format!("{} := {}->{field}", reg(to), value(object))
            }
            Operation::Store {
                object,
                class,
                field,
                value: stored,
            } => {
                let field = self.field(*class, *field);
                format!("{}->{field} := {}", value(object), value(stored))
            }
            Operation::LoadElement { to, array, index } => {
                format!("{} := {}[{}]", reg(to), value(array), value(index))
            }
            Operation::StoreElement {
                array,
                index,
                value: stored,
            } => format!("{}[{}] := {}", value(array), value(index), value(stored)),
            Operation::Length { to, array } => format!("{} := length {}", reg(to), value(array)),
            Operation::FieldAddress {
                to,
                object,
                class,
                field,
            } => {
                let field = self.field(*class, *field);
                format!("{} := &{}->{field}", reg(to), value(object))
            }
            Operation::ElementAddress { to, array, index } => {
                format!("{} := &{}[{}]", reg(to), value(array), value(index))
            }
            Operation::InstanceOf { to, object, class } => {
                let class = self.class(*class);
                format!("{} := instance_of {}, {class}", reg(to), value(object))
            }
            Operation::CheckCast { object, class } => {
                format!("check_cast {}, {}", value(object), self.class(*class))
            }
            Operation::Call { to, callee, args } => {
                let to = to.map(|to| format!("{} := ", reg(&to))).unwrap_or_default();
                let callee = match callee {
                    Callee::Static(function) => self.callee(*function),
                    Callee::Virtual(method) => format!("virtual {}", name(method)),
                    Callee::Intrinsic(function) => format!("intrinsic {}", name(function)),
                };
                format!("{to}call {callee}({})", commas(args.iter().map(value)))
            }
            Operation::Undefine { to } => format!("{} := undefined", reg(to)),
            Operation::Cast { to, from } => format!("{} := cast {}", reg(to), value(from)),
            Operation::Extent { to, object } => {
                format!("{} := extent {}", reg(to), value(object))
            }
            Operation::CopyBytes {
                to,
                from,
                count,
                may_overlap,
            } => {
                let word = match may_overlap {
                    true => "copy_bytes",
                    false => "copy_bytes_apart",
                };
                format!("{word} {}, {}, {}", value(to), value(from), value(count))
            }
            Operation::FillBytes {
                to,
                value: Some(content),
                count,
            } => format!(
                "fill_bytes {}, {}, {}",
                value(to),
                value(content),
                value(count)
            ),
            Operation::FillBytes { to, count, .. } => {
                format!("undefine_bytes {}, {}", value(to), value(count))
            }
            Operation::Check { condition, fault } => {
                format!("check {}, {}", value(condition), fault_word(*fault))
            }
            Operation::Assert { condition, message } if message.is_empty() => {
                format!("assert {}", value(condition))
            }
            Operation::Assert { condition, message } => {
                format!("assert {}, {}", value(condition), quoted(message))
            }
            Operation::Assume { condition } => format!("assume {}", value(condition)),
        }
    }
}

/// How the operands of a function are written.
struct OperandNames<'p> {
    printer: &'p Printer<'p>,
    /// The registers.
    names: Vec<String>,
}

impl<'p> OperandNames<'p> {
    fn new(printer: &'p Printer<'p>, function: &Function) -> Self {
        let mut uses: FxHashMap<&str, u32> = FxHashMap::default();
        let source_names = function.registers.iter().filter_map(|r| r.name.as_deref());
        for name in source_names {
            *uses.entry(name).or_default() += 1;
        }
        let written = |(index, source): (usize, Option<&str>)| match source {
            None => format!("%{index}"),
            Some(source) if uses.get(source) == Some(&1) => name(source),
            Some(source) => format!("{}%{index}", name(source)),
        };
        let source_names = function.registers.iter().map(|r| r.name.as_deref());
        let names = source_names.enumerate().map(written).collect();
        OperandNames { printer, names }
    }

    fn name(&self, register: Reg) -> String {
        let written = self.names.get(register.index());
        written.map_or_else(|| format!("%{}", register.0), String::clone)
    }

    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Register(register) => self.name(register),
            Operand::Constant(value) => constant(value),
            Operand::Global(global) => format!("@{}", self.printer.global(global)),
        }
    }
}

fn constant(value: Constant) -> String {
    match value {
        Constant::Bool(value) => value.to_string(),
        Constant::Int(IntType::I32, value) => value.to_string(),
        Constant::Int(ty, value) => format!("{value}_{}", ty.name()),
        Constant::Single(bits) => {
            let value = f32::from_bits(bits);
            match value.is_finite() {
                true => format!("{value:?}_float"),
                false => format!("{bits:#x}_float"),
            }
        }
        Constant::Double(bits) => {
            let value = f64::from_bits(bits);
            match value.is_finite() {
                true => format!("{value:?}"),
                false => format!("{bits:#x}_double"),
            }
        }
        Constant::Null => "null".to_owned(),
    }
}

fn terminator(registers: &OperandNames<'_>, terminator: &Terminator) -> String {
    let value = |operand: &Operand| registers.operand(*operand);
    match terminator {
        Terminator::Goto(target) => format!("goto b{}", target.0),
        Terminator::Branch {
            condition,
            then,
            otherwise,
        } => {
            let condition = value(condition);
            format!("if {condition} goto b{} else b{}", then.0, otherwise.0)
        }
        Terminator::Switch {
            value: switched,
            cases,
            default,
        } => {
            let cases = commas(cases.iter().map(|(case, to)| format!("{case}: b{}", to.0)));
            format!("switch {} [{cases}] else b{}", value(switched), default.0)
        }
        Terminator::Return(None) => "return".to_owned(),
        Terminator::Return(Some(result)) => format!("return {}", value(result)),
        Terminator::Throw(exception) => format!("throw {}", value(exception)),
        Terminator::Unreachable => "unreachable".to_owned(),
        Terminator::Absent => "absent".to_owned(),
    }
}

/// A position with a space in front; nothing where there is none.
fn position(position: Position) -> String {
    if position == Position::default() {
        return String::new();
    }
    let mut out = " @".to_owned();
    if position.file != 0 {
        out.push_str(&format!("{}/", position.file));
    }
    out.push_str(&position.line.to_string());
    if position.column != 0 {
        out.push_str(&format!(":{}", position.column));
    }
    out
}

//! From the bytes of a method's code to instructions.

use super::constant::Constant;
use super::cursor::Cursor;
use super::error::{ClassFileError, Problem};
use super::instruction::{Instruction, Invocation, Local, Pc, Switch};
use super::opcode::{condition, int, kind, without_operands};
use super::pool::{Pool, ReferenceSite};
use crate::descriptor::{Primitive, Type};
use std::sync::Arc;

type Result<T> = std::result::Result<T, ClassFileError>;

/// What the error messages say was expected when the code ends inside of an instruction.
const OPERAND: &str = "an operand";

/// Decodes code that fills the whole window of the cursor. Every jump leads to the beginning of an
/// instruction, and control cannot run over the end.
pub(super) fn decode<'a>(
    mut cursor: Cursor<'a>,
    pool: &Pool<'a>,
) -> Result<Vec<(Pc, Instruction)>> {
    let begin = cursor.clone();
    let mut decoder = Decoder {
        cursor: &mut cursor,
        pool,
        begin: begin.offset(),
        targets: vec![],
    };
    let mut code = Vec::with_capacity(begin.remaining() / 2);
    while !decoder.cursor.is_at_end() {
        let pc = decoder.here();
        let instruction = decoder.instruction(pc)?;
        code.push((pc, instruction));
    }
    let targets = decoder.targets;
    for (offset, target) in targets {
        if !begins_instruction(&code, target) {
            let what = "the target of this jump";
            let target = i64::from(target.0);
            return Err(begin.error_at(offset, Problem::NotAnInstruction { what, target }));
        }
    }
    match code.last() {
        Some((_, last)) if !last.falls_through() => Ok(code),
        _ => {
            let expected = "another instruction";
            Err(cursor.error(Problem::Truncated {
                expected,
                container: "the code",
            }))
        }
    }
}

/// Whether there is an instruction at this position.
pub(super) fn begins_instruction(code: &[(Pc, Instruction)], position: Pc) -> bool {
    code.binary_search_by_key(&position, |(pc, _)| *pc).is_ok()
}

struct Decoder<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    pool: &'c Pool<'a>,
    /// Where the code begins in the file.
    begin: usize,
    /// The jumps that were seen: where in the file the instruction is, and where it leads.
    targets: Vec<(usize, Pc)>,
}

impl<'a> Decoder<'_, 'a> {
    fn here(&self) -> Pc {
        // Code is shorter than 65,536 bytes, which was checked before.
        Pc(u16::try_from(self.cursor.offset() - self.begin).unwrap_or(u16::MAX))
    }

    fn instruction(&mut self, pc: Pc) -> Result<Instruction> {
        let start = self.cursor.offset();
        let opcode = self.cursor.u8("an instruction")?;
        if let Some(plain) = without_operands(opcode) {
            return Ok(plain);
        }
        Ok(match opcode {
            0x10 => int(self.cursor.i8(OPERAND)?.into()),
            0x11 => int(self.cursor.i16(OPERAND)?.into()),
            0x12 => {
                let index = u16::from(self.cursor.u8(OPERAND)?);
                self.load_constant(index, false, start)?
            }
            0x13 | 0x14 => {
                let index = self.cursor.u16(OPERAND)?;
                self.load_constant(index, opcode == 0x14, start)?
            }
            0x15..=0x19 => Instruction::Load(kind(opcode - 0x15), self.narrow_local()?),
            0x36..=0x3a => Instruction::Store(kind(opcode - 0x36), self.narrow_local()?),
            0x84 => {
                let local = self.narrow_local()?;
                Instruction::Increment(local, self.cursor.i8(OPERAND)?.into())
            }
            0x99..=0xa6 | 0xc6 | 0xc7 => {
                let target = self.near_target(pc, start)?;
                Instruction::If(condition(opcode), target)
            }
            0xa7 => Instruction::Goto(self.near_target(pc, start)?),
            0xa8 => Instruction::JumpSubroutine(self.near_target(pc, start)?),
            0xa9 => Instruction::ReturnFromSubroutine(self.narrow_local()?),
            0xaa => self.table_switch(pc, start)?,
            0xab => self.lookup_switch(pc, start)?,
            0xb2..=0xb5 => {
                let index = self.cursor.u16(OPERAND)?;
                let field = self.pool.field(index, self.place(start))?;
                match opcode {
                    0xb2 => Instruction::GetStatic(field),
                    0xb3 => Instruction::PutStatic(field),
                    0xb4 => Instruction::GetField(field),
                    _ => Instruction::PutField(field),
                }
            }
            0xb6..=0xb9 => self.invoke(opcode, start)?,
            0xba => {
                let index = self.cursor.u16(OPERAND)?;
                self.zero_bytes(2)?;
                let call = self.pool.dynamic_call(index, self.place(start))?;
                Instruction::InvokeDynamic(Arc::new(call))
            }
            0xbb => {
                let index = self.cursor.u16(OPERAND)?;
                Instruction::New(Type::Class(self.pool.class_name(index, self.place(start))?))
            }
            0xbc => self.new_primitive_array(start)?,
            0xbd => Instruction::NewArray(self.class_operand(start)?),
            0xc0 => Instruction::CheckCast(self.class_operand(start)?),
            0xc1 => Instruction::InstanceOf(self.class_operand(start)?),
            0xc4 => self.wide()?,
            0xc5 => self.multi_new_array(start)?,
            0xc8 => Instruction::Goto(self.far_target(pc, start)?),
            0xc9 => Instruction::JumpSubroutine(self.far_target(pc, start)?),
            _ => return Err(self.cursor.error_at(start, Problem::Opcode(opcode))),
        })
    }

    /// The place of the instruction, for errors about what it refers to.
    fn place(&self, start: usize) -> ReferenceSite<'_, 'a> {
        (self.cursor, start)
    }

    fn narrow_local(&mut self) -> Result<Local> {
        Ok(Local(self.cursor.u8(OPERAND)?.into()))
    }

    fn class_operand(&mut self, start: usize) -> Result<Type> {
        let index = self.cursor.u16(OPERAND)?;
        self.pool.class_type(index, self.place(start))
    }

    fn load_constant(&mut self, index: u16, wide: bool, start: usize) -> Result<Instruction> {
        let constant = self.pool.constant(index, self.place(start))?;
        let takes_two_slots = match &constant {
            Constant::Long(_) | Constant::Double(_) => true,
            Constant::Dynamic(dynamic) => dynamic.ty.slots() == 2,
            _ => false,
        };
        if takes_two_slots != wide {
            let expected = if wide {
                "a constant of two slots"
            } else {
                "a constant of one slot"
            };
            let found = "one of the other size";
            let problem = Problem::ConstantKind {
                index,
                expected,
                found,
            };
            return Err(self.cursor.error_at(start, problem));
        }
        Ok(Instruction::Constant(constant))
    }

    fn near_target(&mut self, pc: Pc, start: usize) -> Result<Pc> {
        let offset = self.cursor.i16(OPERAND)?;
        self.target(pc, offset.into(), start)
    }

    fn far_target(&mut self, pc: Pc, start: usize) -> Result<Pc> {
        let offset = self.cursor.i32(OPERAND)?;
        self.target(pc, offset, start)
    }

    /// A target relative to the instruction; whether an instruction begins there is checked when
    /// all are known.
    fn target(&mut self, pc: Pc, offset: i32, start: usize) -> Result<Pc> {
        let target = i64::from(pc.0) + i64::from(offset);
        match u16::try_from(target) {
            Ok(target) => {
                self.targets.push((start, Pc(target)));
                Ok(Pc(target))
            }
            Err(_) => {
                let what = "the target of this jump";
                Err(self
                    .cursor
                    .error_at(start, Problem::NotAnInstruction { what, target }))
            }
        }
    }

    /// The operands of switches begin at a multiple of four bytes from the code's beginning.
    fn padding(&mut self) -> Result<()> {
        let misaligned = (self.cursor.offset() - self.begin) % 4;
        // HotSpot does not look at the bytes of the padding either.
        self.cursor.take((4 - misaligned) % 4, OPERAND)?;
        Ok(())
    }

    fn table_switch(&mut self, pc: Pc, start: usize) -> Result<Instruction> {
        self.padding()?;
        let default = self.far_target(pc, start)?;
        let low = self.cursor.i32(OPERAND)?;
        let high = self.cursor.i32(OPERAND)?;
        if low > high {
            let problem = Problem::Value {
                what: "upper bound of a switch",
                value: high.into(),
            };
            return Err(self.cursor.error_at(start, problem));
        }
        let mut cases = Vec::new();
        for key in low..=high {
            cases.push((key, self.far_target(pc, start)?));
        }
        Ok(Instruction::Switch(Arc::new(Switch {
            cases,
            default,
            is_table: true,
        })))
    }

    fn lookup_switch(&mut self, pc: Pc, start: usize) -> Result<Instruction> {
        self.padding()?;
        let default = self.far_target(pc, start)?;
        let count = self.cursor.i32(OPERAND)?;
        if count < 0 {
            let problem = Problem::Value {
                what: "number of cases",
                value: count.into(),
            };
            return Err(self.cursor.error_at(start, problem));
        }
        let mut cases: Vec<(i32, Pc)> = Vec::new();
        for _ in 0..count {
            let key = self.cursor.i32(OPERAND)?;
            if cases.last().is_some_and(|&(last, _)| last >= key) {
                let problem = Problem::Value {
                    what: "key in ascending order",
                    value: key.into(),
                };
                return Err(self.cursor.error_at(start, problem));
            }
            cases.push((key, self.far_target(pc, start)?));
        }
        Ok(Instruction::Switch(Arc::new(Switch {
            cases,
            default,
            is_table: false,
        })))
    }

    fn invoke(&mut self, opcode: u8, start: usize) -> Result<Instruction> {
        let index = self.cursor.u16(OPERAND)?;
        let method = self.pool.method(index, self.place(start))?;
        let invocation = match opcode {
            0xb6 => Invocation::Virtual,
            0xb7 => Invocation::Special,
            0xb8 => Invocation::Static,
            _ => {
                // The number of argument slots, which the descriptor says too.
                self.cursor.u8(OPERAND)?;
                self.zero_bytes(1)?;
                Invocation::Interface
            }
        };
        let fits = match invocation {
            Invocation::Virtual => !method.is_interface,
            Invocation::Interface => method.is_interface,
            Invocation::Special | Invocation::Static => true,
        };
        if !fits {
            let (expected, found) = match method.is_interface {
                true => ("a method of a class", "an interface method"),
                false => ("an interface method", "a method of a class"),
            };
            let problem = Problem::ConstantKind {
                index,
                expected,
                found,
            };
            return Err(self.cursor.error_at(start, problem));
        }
        Ok(Instruction::Invoke(invocation, method))
    }

    fn zero_bytes(&mut self, count: usize) -> Result<()> {
        for _ in 0..count {
            let offset = self.cursor.offset();
            let byte = self.cursor.u8(OPERAND)?;
            if byte != 0 {
                let problem = Problem::Value {
                    what: "zero byte",
                    value: byte.into(),
                };
                return Err(self.cursor.error_at(offset, problem));
            }
        }
        Ok(())
    }

    fn new_primitive_array(&mut self, start: usize) -> Result<Instruction> {
        let code = self.cursor.u8(OPERAND)?;
        let element = match code {
            4 => Primitive::Boolean,
            5 => Primitive::Char,
            6 => Primitive::Float,
            7 => Primitive::Double,
            8 => Primitive::Byte,
            9 => Primitive::Short,
            10 => Primitive::Int,
            11 => Primitive::Long,
            _ => {
                let problem = Problem::Value {
                    what: "type of array elements",
                    value: code.into(),
                };
                return Err(self.cursor.error_at(start, problem));
            }
        };
        Ok(Instruction::NewArray(Type::Primitive(element)))
    }

    fn multi_new_array(&mut self, start: usize) -> Result<Instruction> {
        let ty = self.class_operand(start)?;
        let counted = self.cursor.u8(OPERAND)?;
        let mut dimensions = 0;
        let mut element = &ty;
        while let Type::Array(inner) = element {
            dimensions += 1;
            element = inner;
        }
        if counted == 0 || usize::from(counted) > dimensions {
            let problem = Problem::Value {
                what: "number of dimensions",
                value: counted.into(),
            };
            return Err(self.cursor.error_at(start, problem));
        }
        Ok(Instruction::MultiNewArray(ty, counted))
    }

    fn wide(&mut self) -> Result<Instruction> {
        let offset = self.cursor.offset();
        let opcode = self.cursor.u8(OPERAND)?;
        let local = Local(self.cursor.u16(OPERAND)?);
        Ok(match opcode {
            0x15..=0x19 => Instruction::Load(kind(opcode - 0x15), local),
            0x36..=0x3a => Instruction::Store(kind(opcode - 0x36), local),
            0x84 => Instruction::Increment(local, self.cursor.i16(OPERAND)?),
            0xa9 => Instruction::ReturnFromSubroutine(local),
            _ => return Err(self.cursor.error_at(offset, Problem::WideOpcode(opcode))),
        })
    }
}

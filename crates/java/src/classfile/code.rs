//! The `Code` attribute: instructions with the tables that speak about them.

use super::attributes::{Attribute, read_attributes};
use super::class::{Code, Handler, Variable};
use super::cursor::Cursor;
use super::decode::{begins_instruction, decode};
use super::error::{ClassFileError, Problem};
use super::instruction::{Instruction, Kind, Local, Pc};
use super::pool::Pool;

type Result<T> = std::result::Result<T, ClassFileError>;

/// Reads a method's code. `parameter_slots` are the local variables that parameters and receiver
/// take, which the code must have room for.
pub(super) fn read_code<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
    parameter_slots: usize,
) -> Result<Code> {
    let max_stack = cursor.u16("the height of the stack")?;
    let at = cursor.offset();
    let max_locals = cursor.u16("the number of local variables")?;
    if parameter_slots > usize::from(max_locals) {
        let what = "number of local variables for the parameters";
        return Err(cursor.error_at(
            at,
            Problem::Value {
                what,
                value: max_locals.into(),
            },
        ));
    }
    let at = cursor.offset();
    let length = cursor.u32("the length of the code")?;
    let end = match u16::try_from(length) {
        Ok(end) if end > 0 => Pc(end),
        _ => return Err(cursor.error_at(at, Problem::CodeLength(length))),
    };
    let window = cursor.window(usize::from(end.0), "the code")?;
    let begin = window.offset();
    let instructions = decode(window, pool)?;
    check_locals(&instructions, max_locals, begin, cursor)?;
    let handlers = read_handlers(cursor, pool, &instructions, end)?;
    let mut code = Code {
        max_stack,
        max_locals,
        instructions,
        handlers,
        lines: vec![],
        variables: vec![],
    };
    for attribute in read_attributes(cursor, pool)? {
        read_table(&attribute, pool, end, &mut code)?;
    }
    // The tables may come in several parts, in any order.
    code.lines.sort_by_key(|&(pc, _)| pc);
    Ok(code)
}

/// Every local variable that an instruction names must exist.
fn check_locals(
    instructions: &[(Pc, Instruction)],
    max_locals: u16,
    begin: usize,
    cursor: &Cursor<'_>,
) -> Result<()> {
    for (pc, instruction) in instructions {
        let (local, slots) = match instruction {
            Instruction::Load(kind, local) | Instruction::Store(kind, local) => (
                local,
                if matches!(kind, Kind::Long | Kind::Double) {
                    2
                } else {
                    1
                },
            ),
            Instruction::Increment(local, _) | Instruction::ReturnFromSubroutine(local) => {
                (local, 1)
            }
            _ => continue,
        };
        if u32::from(local.0) + slots > u32::from(max_locals) {
            let problem = Problem::Value {
                what: "local variable",
                value: local.0.into(),
            };
            return Err(cursor.error_at(begin + usize::from(pc.0), problem));
        }
    }
    Ok(())
}

fn read_handlers<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
    instructions: &[(Pc, Instruction)],
    code_end: Pc,
) -> Result<Vec<Handler>> {
    const EXPECTED: &str = "an exception handler";
    let mut handlers = Vec::new();
    for _ in 0..cursor.u16("the number of exception handlers")? {
        let at = cursor.offset();
        let start = Pc(cursor.u16(EXPECTED)?);
        let end = Pc(cursor.u16(EXPECTED)?);
        let target = Pc(cursor.u16(EXPECTED)?);
        let class = cursor.u16(EXPECTED)?;
        if start >= end || end > code_end {
            let (start, end) = (start.0.into(), end.0.into());
            let problem = Problem::CodeRange {
                what: "an exception handler",
                start,
                end,
            };
            return Err(cursor.error_at(at, problem));
        }
        let in_code = |position| begins_instruction(instructions, position);
        for (what, position, is_valid) in [
            (
                "the start of an exception handler's range",
                start,
                in_code(start),
            ),
            (
                "the end of an exception handler's range",
                end,
                end == code_end || in_code(end),
            ),
            (
                "the beginning of an exception handler",
                target,
                in_code(target),
            ),
        ] {
            if !is_valid {
                let target = position.0.into();
                return Err(cursor.error_at(at, Problem::NotAnInstruction { what, target }));
            }
        }
        let class = pool.optional_class_name(class, (cursor, at))?;
        handlers.push(Handler {
            start,
            end,
            target,
            class,
        });
    }
    Ok(handlers)
}

/// The tables of debug information.
fn read_table<'a>(
    attribute: &Attribute<'a>,
    pool: &Pool<'a>,
    code_end: Pc,
    code: &mut Code,
) -> Result<()> {
    match &*attribute.name {
        "LineNumberTable" => {
            let lines = attribute.read("LineNumberTable", |cursor| read_lines(cursor, code_end))?;
            code.lines.extend(lines);
        }
        "LocalVariableTable" => {
            let variables = attribute.read("LocalVariableTable", |cursor| {
                read_variables(cursor, pool, code_end)
            })?;
            code.variables.extend(variables);
        }
        _ => {}
    }
    Ok(())
}

fn read_lines(cursor: &mut Cursor<'_>, code_end: Pc) -> Result<Vec<(Pc, u16)>> {
    const EXPECTED: &str = "a line number";
    let mut lines = Vec::new();
    for _ in 0..cursor.u16(EXPECTED)? {
        let at = cursor.offset();
        let start = Pc(cursor.u16(EXPECTED)?);
        let line = cursor.u16(EXPECTED)?;
        if start >= code_end {
            let (start, end) = (start.0.into(), code_end.0.into());
            let problem = Problem::CodeRange {
                what: "a line number",
                start,
                end,
            };
            return Err(cursor.error_at(at, problem));
        }
        lines.push((start, line));
    }
    Ok(lines)
}

fn read_variables<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
    code_end: Pc,
) -> Result<Vec<Variable>> {
    const EXPECTED: &str = "a local variable's name";
    let mut variables = Vec::new();
    for _ in 0..cursor.u16(EXPECTED)? {
        let at = cursor.offset();
        let start = cursor.u16(EXPECTED)?;
        let length = cursor.u16(EXPECTED)?;
        let (name, ty) = (cursor.u16(EXPECTED)?, cursor.u16(EXPECTED)?);
        let local = Local(cursor.u16(EXPECTED)?);
        let end = match start.checked_add(length) {
            Some(end) if end <= code_end.0 => Pc(end),
            _ => {
                let (start, end) = (u32::from(start), u32::from(start) + u32::from(length));
                let problem = Problem::CodeRange {
                    what: "a local variable",
                    start,
                    end,
                };
                return Err(cursor.error_at(at, problem));
            }
        };
        let name = pool.text(name, (cursor, at))?;
        let ty = pool.field_type(ty, (cursor, at))?;
        variables.push(Variable {
            start: Pc(start),
            end,
            name,
            ty,
            local,
        });
    }
    Ok(variables)
}

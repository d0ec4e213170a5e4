//! The entries of the constant pool as they stand in the file.

use crate::classfile::cursor::Cursor;
use crate::classfile::error::{ClassFileError, Problem};

/// An entry, with indices of others as they are written.
#[derive(Clone, Copy)]
pub(super) enum Entry<'a> {
    /// Index 0, and the one after a long or a double.
    Unusable,
    Utf8(&'a [u8]),
    Integer(i32),
    Float(u32),
    Long(i64),
    Double(u64),
    Class(u16),
    String(u16),
    Field(u16, u16),
    Method(u16, u16),
    InterfaceMethod(u16, u16),
    NameAndType(u16, u16),
    MethodHandle(u8, u16),
    MethodType(u16),
    Dynamic(u16, u16),
    InvokeDynamic(u16, u16),
    /// A module or a package, which only `module-info` uses.
    ModuleOrPackage,
}

/// Reads one entry.
pub(super) fn read_entry<'a>(cursor: &mut Cursor<'a>) -> Result<Entry<'a>, ClassFileError> {
    const EXPECTED: &str = "a constant-pool entry";
    let offset = cursor.offset();
    let tag = cursor.u8(EXPECTED)?;
    Ok(match tag {
        1 => {
            let length = cursor.u16(EXPECTED)?;
            Entry::Utf8(cursor.take(usize::from(length), "the bytes of a text")?)
        }
        3 => Entry::Integer(cursor.i32(EXPECTED)?),
        4 => Entry::Float(cursor.u32(EXPECTED)?),
        5 => Entry::Long(cursor.u64(EXPECTED)?.cast_signed()),
        6 => Entry::Double(cursor.u64(EXPECTED)?),
        7 => Entry::Class(cursor.u16(EXPECTED)?),
        8 => Entry::String(cursor.u16(EXPECTED)?),
        9 => Entry::Field(cursor.u16(EXPECTED)?, cursor.u16(EXPECTED)?),
        10 => Entry::Method(cursor.u16(EXPECTED)?, cursor.u16(EXPECTED)?),
        11 => Entry::InterfaceMethod(cursor.u16(EXPECTED)?, cursor.u16(EXPECTED)?),
        12 => Entry::NameAndType(cursor.u16(EXPECTED)?, cursor.u16(EXPECTED)?),
        15 => Entry::MethodHandle(cursor.u8(EXPECTED)?, cursor.u16(EXPECTED)?),
        16 => Entry::MethodType(cursor.u16(EXPECTED)?),
        17 => Entry::Dynamic(cursor.u16(EXPECTED)?, cursor.u16(EXPECTED)?),
        18 => Entry::InvokeDynamic(cursor.u16(EXPECTED)?, cursor.u16(EXPECTED)?),
        19 | 20 => {
            cursor.u16(EXPECTED)?;
            Entry::ModuleOrPackage
        }
        _ => return Err(cursor.error_at(offset, Problem::ConstantTag(tag))),
    })
}

impl Entry<'_> {
    /// The kind, for error messages.
    pub(super) fn kind(self) -> &'static str {
        match self {
            Entry::Unusable => "no entry",
            Entry::Utf8(_) => "a text",
            Entry::Integer(_) => "an int",
            Entry::Float(_) => "a float",
            Entry::Long(_) => "a long",
            Entry::Double(_) => "a double",
            Entry::Class(_) => "a class",
            Entry::String(_) => "a string",
            Entry::Field(..) => "a field",
            Entry::Method(..) => "a method",
            Entry::InterfaceMethod(..) => "an interface method",
            Entry::NameAndType(..) => "a name with a type",
            Entry::MethodHandle(..) => "a method handle",
            Entry::MethodType(_) => "a method type",
            Entry::Dynamic(..) => "a dynamic constant",
            Entry::InvokeDynamic(..) => "a dynamic call",
            Entry::ModuleOrPackage => "a module or package",
        }
    }
}

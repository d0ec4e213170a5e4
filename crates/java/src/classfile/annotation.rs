//! Annotations (JVMS 4.7.16): one way to write a specification beside the code.

use super::constant::Constant;
use super::cursor::Cursor;
use super::error::{ClassFileError, Problem};
use super::pool::Pool;
use crate::descriptor::{Name, Type};

type Result<T> = std::result::Result<T, ClassFileError>;

/// Annotations inside of annotations inside of arrays: no compiler nests as deeply.
const DEEPEST_NESTING: usize = 64;

const EXPECTED: &str = "an annotation";

/// An annotation with the elements that were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Annotation {
    /// The annotation type.
    pub ty: Type,
    /// The elements by name, in the order of the class file.
    pub elements: Vec<(Name, ElementValue)>,
}

/// The value of an element of an annotation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ElementValue {
    /// A number, a boolean or a character, with its letter in descriptors saying which.
    Primitive(char, Constant),
    /// A text.
    String(Name),
    /// A constant of an enum: the enum and the constant's name.
    Enum(Type, Name),
    /// A class, as its descriptor; `V` stands for `void.class`.
    Class(Name),
    /// Another annotation.
    Annotation(Annotation),
    /// An array of values.
    Array(Vec<ElementValue>),
}

impl Annotation {
    /// The value of an element.
    pub fn element(&self, name: &str) -> Option<&ElementValue> {
        self.elements
            .iter()
            .find(|(element, _)| **element == *name)
            .map(|(_, value)| value)
    }
}

/// Reads the contents of an annotations attribute.
pub(super) fn read_annotations<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
) -> Result<Vec<Annotation>> {
    let count = cursor.u16("the number of annotations")?;
    (0..count)
        .map(|_| read_annotation(cursor, pool, 0))
        .collect()
}

fn read_annotation<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
    depth: usize,
) -> Result<Annotation> {
    if depth > DEEPEST_NESTING {
        return Err(cursor.error(Problem::AnnotationNesting));
    }
    let at = cursor.offset();
    let ty = cursor.u16(EXPECTED)?;
    let ty = pool.field_type(ty, (cursor, at))?;
    let mut elements = Vec::new();
    for _ in 0..cursor.u16(EXPECTED)? {
        let at = cursor.offset();
        let name = cursor.u16(EXPECTED)?;
        let name = pool.text(name, (cursor, at))?;
        elements.push((name, read_value(cursor, pool, depth + 1)?));
    }
    Ok(Annotation { ty, elements })
}

fn read_value<'a>(cursor: &mut Cursor<'a>, pool: &Pool<'a>, depth: usize) -> Result<ElementValue> {
    if depth > DEEPEST_NESTING {
        return Err(cursor.error(Problem::AnnotationNesting));
    }
    let at = cursor.offset();
    let tag = cursor.u8(EXPECTED)?;
    Ok(match tag {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => {
            let index = cursor.u16(EXPECTED)?;
            ElementValue::Primitive(char::from(tag), pool.constant(index, (cursor, at))?)
        }
        b's' => {
            let index = cursor.u16(EXPECTED)?;
            ElementValue::String(pool.text(index, (cursor, at))?)
        }
        b'e' => {
            let (ty, name) = (cursor.u16(EXPECTED)?, cursor.u16(EXPECTED)?);
            let ty = pool.field_type(ty, (cursor, at))?;
            ElementValue::Enum(ty, pool.text(name, (cursor, at))?)
        }
        b'c' => {
            let index = cursor.u16(EXPECTED)?;
            ElementValue::Class(pool.text(index, (cursor, at))?)
        }
        b'@' => ElementValue::Annotation(read_annotation(cursor, pool, depth + 1)?),
        b'[' => {
            let count = cursor.u16(EXPECTED)?;
            let values = (0..count).map(|_| read_value(cursor, pool, depth + 1));
            ElementValue::Array(values.collect::<Result<_>>()?)
        }
        _ => {
            let problem = Problem::Value {
                what: "tag of an annotation",
                value: tag.into(),
            };
            return Err(cursor.error_at(at, problem));
        }
    })
}

//! Attributes (JVMS 4.7): named pieces of a class, field, method or code.
//!
//! They are cut out first and read afterwards, because the table of bootstrap methods, which code
//! needs, stands at the end of the file. Attributes of unknown name are skipped, as the format
//! demands.

use super::access::Access;
use super::annotation::{Annotation, read_annotations};
use super::class::{EnclosingMethod, InnerClass, RecordComponent};
use super::cursor::Cursor;
use super::error::{ClassFileError, Problem};
use super::pool::Pool;
use crate::descriptor::Name;

type Result<T> = std::result::Result<T, ClassFileError>;

/// An attribute that was not looked into yet.
pub(super) struct Attribute<'a> {
    pub(super) name: Name,
    pub(super) contents: Cursor<'a>,
}

/// Cuts the attributes out that stand at the cursor.
pub(super) fn read_attributes<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
) -> Result<Vec<Attribute<'a>>> {
    let mut attributes = Vec::new();
    for _ in 0..cursor.u16("the number of attributes")? {
        let at = cursor.offset();
        let name = cursor.u16("the name of an attribute")?;
        let name = pool.text(name, (cursor, at))?;
        let length = cursor.u32("the length of an attribute")?;
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        attributes.push(Attribute {
            name,
            contents: cursor.window(length, "an attribute")?,
        });
    }
    Ok(attributes)
}

impl<'a> Attribute<'a> {
    /// Reads the contents, which must be used up.
    pub(super) fn read<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&mut Cursor<'a>) -> Result<T>,
    ) -> Result<T> {
        let mut cursor = self.contents.clone();
        let value = read(&mut cursor)?;
        if !cursor.is_at_end() {
            return Err(cursor.error(Problem::AttributeLength(name)));
        }
        Ok(value)
    }

    /// Reads the contents of an attribute that may occur once only.
    pub(super) fn read_once<T>(
        &self,
        place: &mut Option<T>,
        name: &'static str,
        read: impl FnOnce(&mut Cursor<'a>) -> Result<T>,
    ) -> Result<()> {
        if place.is_some() {
            return Err(self.contents.error(Problem::DuplicateAttribute(name)));
        }
        *place = Some(self.read(name, read)?);
        Ok(())
    }
}

/// What classes, fields, methods and record components have in common.
#[derive(Default)]
pub(super) struct Common {
    pub(super) signature: Option<Name>,
    pub(super) annotations: Vec<Annotation>,
}

impl Common {
    /// Reads an attribute that can stand anywhere; others are left alone.
    pub(super) fn read<'a>(&mut self, attribute: &Attribute<'a>, pool: &Pool<'a>) -> Result<()> {
        match &*attribute.name {
            "Signature" => attribute.read_once(&mut self.signature, "Signature", |cursor| {
                text(cursor, pool, "a signature")
            }),
            "RuntimeVisibleAnnotations" | "RuntimeInvisibleAnnotations" => {
                let annotations =
                    attribute.read("annotations", |cursor| read_annotations(cursor, pool))?;
                self.annotations.extend(annotations);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// An index of a text.
pub(super) fn text<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
    expected: &'static str,
) -> Result<Name> {
    let at = cursor.offset();
    let index = cursor.u16(expected)?;
    pool.text(index, (cursor, at))
}

/// An index of a class.
pub(super) fn class_name<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
    expected: &'static str,
) -> Result<Name> {
    let at = cursor.offset();
    let index = cursor.u16(expected)?;
    pool.class_name(index, (cursor, at))
}

/// A counted list of classes.
pub(super) fn class_names<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
    expected: &'static str,
) -> Result<Vec<Name>> {
    let count = cursor.u16(expected)?;
    (0..count)
        .map(|_| class_name(cursor, pool, expected))
        .collect()
}

/// The contents of `InnerClasses`.
pub(super) fn inner_classes<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
) -> Result<Vec<InnerClass>> {
    const EXPECTED: &str = "an inner class";
    let mut classes = Vec::new();
    for _ in 0..cursor.u16(EXPECTED)? {
        let name = class_name(cursor, pool, EXPECTED)?;
        let at = cursor.offset();
        let outer = cursor.u16(EXPECTED)?;
        let outer = pool.optional_class_name(outer, (cursor, at))?;
        let at = cursor.offset();
        let simple_name = cursor.u16(EXPECTED)?;
        let simple_name = pool.optional_text(simple_name, (cursor, at))?;
        let access = Access(cursor.u16(EXPECTED)?);
        classes.push(InnerClass {
            name,
            outer,
            simple_name,
            access,
        });
    }
    Ok(classes)
}

/// The contents of `EnclosingMethod`.
pub(super) fn enclosing_method<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
) -> Result<EnclosingMethod> {
    const EXPECTED: &str = "an enclosing method";
    let class = class_name(cursor, pool, EXPECTED)?;
    let at = cursor.offset();
    let method = match cursor.u16(EXPECTED)? {
        0 => None,
        index => Some(pool.name_and_descriptor(index, (cursor, at))?),
    };
    Ok(EnclosingMethod { class, method })
}

/// The contents of `Record`.
pub(super) fn record<'a>(cursor: &mut Cursor<'a>, pool: &Pool<'a>) -> Result<Vec<RecordComponent>> {
    const EXPECTED: &str = "a record component";
    let mut components = Vec::new();
    for _ in 0..cursor.u16(EXPECTED)? {
        let name = text(cursor, pool, EXPECTED)?;
        let at = cursor.offset();
        let ty = cursor.u16(EXPECTED)?;
        let ty = pool.field_type(ty, (cursor, at))?;
        let mut common = Common::default();
        for attribute in read_attributes(cursor, pool)? {
            common.read(&attribute, pool)?;
        }
        let Common {
            signature,
            annotations,
        } = common;
        components.push(RecordComponent {
            name,
            ty,
            signature,
            annotations,
        });
    }
    Ok(components)
}

/// The contents of `MethodParameters`.
pub(super) fn parameter_names<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
) -> Result<Vec<Option<Name>>> {
    const EXPECTED: &str = "a parameter's name";
    let mut names = Vec::new();
    for _ in 0..cursor.u8(EXPECTED)? {
        let at = cursor.offset();
        let name = cursor.u16(EXPECTED)?;
        names.push(pool.optional_text(name, (cursor, at))?);
        // Its modifiers, `final` and who made it, matter to nobody here.
        cursor.u16(EXPECTED)?;
    }
    Ok(names)
}

//! The class file as a whole.

use super::NEWEST_VERSION;
use super::access::Access;
use super::attributes::{
    Attribute, Common, class_name, class_names, enclosing_method, inner_classes, parameter_names,
    read_attributes, record, text,
};
use super::class::{Class, Field, Method};
use super::code::read_code;
use super::constant::Constant;
use super::cursor::{ClassLabel, Cursor};
use super::error::{ClassFileError, Problem};
use super::pool::{Pool, read_pool};
use crate::descriptor::{Name, Primitive, Type};
use rustc_hash::FxHashSet;
use std::sync::Arc;

type Result<T> = std::result::Result<T, ClassFileError>;

const MAGIC: u32 = 0xCAFE_BABE;
const OLDEST_VERSION: u16 = 45;

/// Reads a class file.
pub fn parse(bytes: &[u8]) -> Result<Class> {
    let label = ClassLabel::new();
    let mut cursor = Cursor::new(bytes, &label);
    let magic = cursor.u32("the magic number of a class file")?;
    if magic != MAGIC {
        return Err(cursor.error_at(0, Problem::Magic(magic)));
    }
    // The minor version only tells preview features apart, which the code shows by itself.
    cursor.u16("the minor version")?;
    let at = cursor.offset();
    let version = cursor.u16("the major version")?;
    if !(OLDEST_VERSION..=NEWEST_VERSION).contains(&version) {
        return Err(cursor.error_at(at, Problem::Version(version)));
    }
    let pool = read_pool(&mut cursor)?;
    let access = Access(cursor.u16("the access flags")?);
    let name = class_name(&mut cursor, &pool, "the class's name")?;
    // The label is set once only, here.
    let _ = label.set(name.clone());
    let superclass = read_superclass(&mut cursor, &pool, &name, access)?;
    let interfaces = class_names(&mut cursor, &pool, "an interface")?;
    let fields = read_members(&mut cursor, &pool, "a field")?;
    let methods = read_members(&mut cursor, &pool, "a method")?;
    let attributes = read_attributes(&mut cursor, &pool)?;
    if !cursor.is_at_end() {
        return Err(cursor.error(Problem::TrailingBytes));
    }
    let attributes = ClassAttributes::read(&attributes, &pool)?;
    let fields = fields
        .iter()
        .map(|member| finish_field(member, &pool, &cursor));
    let fields = fields.collect::<Result<_>>()?;
    let methods = methods
        .iter()
        .map(|member| finish_method(member, &pool, &cursor));
    let methods = methods.collect::<Result<_>>()?;
    Ok(Class {
        name,
        superclass,
        interfaces,
        access,
        fields,
        methods,
        version,
        source_file: attributes.source_file,
        signature: attributes.common.signature,
        inner_classes: attributes.inner_classes.unwrap_or_default(),
        enclosing_method: attributes.enclosing_method,
        record: attributes.record,
        nest_host: attributes.nest_host,
        permitted_subclasses: attributes.permitted_subclasses,
        annotations: attributes.common.annotations,
    })
}

fn read_superclass<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
    name: &str,
    access: Access,
) -> Result<Option<Name>> {
    let at = cursor.offset();
    let superclass = cursor.u16("the superclass")?;
    let superclass = pool.optional_class_name(superclass, (cursor, at))?;
    if superclass.is_none() != (name == "java.lang.Object" || access.is_module()) {
        return Err(cursor.error_at(at, Problem::Superclass));
    }
    Ok(superclass)
}

/// A field or a method that was not looked into yet.
struct Member<'a> {
    offset: usize,
    access: Access,
    name: Name,
    /// The index of the descriptor.
    descriptor: u16,
    attributes: Vec<Attribute<'a>>,
}

fn read_members<'a>(
    cursor: &mut Cursor<'a>,
    pool: &Pool<'a>,
    expected: &'static str,
) -> Result<Vec<Member<'a>>> {
    let mut members = Vec::new();
    let mut seen = FxHashSet::default();
    for _ in 0..cursor.u16(expected)? {
        let offset = cursor.offset();
        let access = Access(cursor.u16(expected)?);
        let name = text(cursor, pool, expected)?;
        let at = cursor.offset();
        let descriptor = cursor.u16(expected)?;
        let descriptor_text = pool.text(descriptor, (cursor, at))?;
        if !seen.insert((name.clone(), descriptor_text.clone())) {
            let problem = Problem::DuplicateMember(format!("{name} {descriptor_text}"));
            return Err(cursor.error_at(offset, problem));
        }
        let attributes = read_attributes(cursor, pool)?;
        members.push(Member {
            offset,
            access,
            name,
            descriptor,
            attributes,
        });
    }
    Ok(members)
}

fn finish_field<'a>(member: &Member<'a>, pool: &Pool<'a>, file: &Cursor<'a>) -> Result<Arc<Field>> {
    let mut common = Common::default();
    let mut constant = None;
    for attribute in &member.attributes {
        match &*attribute.name {
            "ConstantValue" => attribute.read_once(&mut constant, "ConstantValue", |cursor| {
                let at = cursor.offset();
                let index = cursor.u16("a constant")?;
                pool.constant(index, (cursor, at))
            })?,
            _ => common.read(attribute, pool)?,
        }
    }
    // The attribute has no meaning on fields of objects (JVMS 4.7.2).
    let constant = constant.filter(|_| member.access.is_static());
    let ty = pool.field_type(member.descriptor, (file, member.offset))?;
    if !constant.as_ref().is_none_or(|constant| fits(constant, &ty)) {
        let problem = Problem::ConstantValue(member.name.clone());
        return Err(file.error_at(member.offset, problem));
    }
    Ok(Arc::new(Field {
        name: member.name.clone(),
        ty,
        access: member.access,
        constant,
        signature: common.signature,
        annotations: common.annotations,
    }))
}

/// Whether a constant can be the value of a field (JVMS 4.7.2). What a dynamic one is, only a run
/// tells.
fn fits(constant: &Constant, ty: &Type) -> bool {
    match ty {
        _ if matches!(constant, Constant::Dynamic(_)) => true,
        Type::Primitive(Primitive::Long) => matches!(constant, Constant::Long(_)),
        Type::Primitive(Primitive::Float) => matches!(constant, Constant::Float(_)),
        Type::Primitive(Primitive::Double) => matches!(constant, Constant::Double(_)),
        Type::Primitive(_) => matches!(constant, Constant::Int(_)),
        Type::Class(name) => {
            &**name == "java.lang.String" && matches!(constant, Constant::String(_))
        }
        Type::Array(_) => false,
    }
}

fn finish_method<'a>(
    member: &Member<'a>,
    pool: &Pool<'a>,
    file: &Cursor<'a>,
) -> Result<Arc<Method>> {
    let access = member.access;
    if access.is_static() && &*member.name == "<init>" {
        return Err(file.error_at(member.offset, Problem::StaticConstructor));
    }
    let descriptor = pool.method_descriptor(member.descriptor, (file, member.offset))?;
    let receiver = usize::from(!access.is_static());
    let parameter_slots = descriptor.parameter_slots() + receiver;
    let mut common = Common::default();
    let (mut code, mut exceptions, mut names) = (None, None, None);
    for attribute in &member.attributes {
        match &*attribute.name {
            "Code" => attribute.read_once(&mut code, "Code", |cursor| {
                read_code(cursor, pool, parameter_slots)
            })?,
            "Exceptions" => attribute.read_once(&mut exceptions, "Exceptions", |cursor| {
                class_names(cursor, pool, "an exception")
            })?,
            "MethodParameters" => {
                attribute.read_once(&mut names, "MethodParameters", |cursor| {
                    parameter_names(cursor, pool)
                })?
            }
            _ => common.read(attribute, pool)?,
        }
    }
    let needs_code = !access.is_abstract() && !access.is_native_method();
    if needs_code != code.is_some() {
        let problem = match needs_code {
            true => "has no code, though it is neither abstract nor native",
            false => "has code, though it is abstract or native",
        };
        let problem = Problem::CodePresence {
            method: member.name.clone(),
            problem,
        };
        return Err(file.error_at(member.offset, problem));
    }
    Ok(Arc::new(Method {
        name: member.name.clone(),
        descriptor,
        access,
        code,
        exceptions: exceptions.unwrap_or_default(),
        signature: common.signature,
        parameter_names: names.unwrap_or_default(),
        annotations: common.annotations,
    }))
}

/// The attributes of the class itself.
#[derive(Default)]
struct ClassAttributes {
    common: Common,
    source_file: Option<Name>,
    inner_classes: Option<Vec<super::InnerClass>>,
    enclosing_method: Option<super::EnclosingMethod>,
    record: Option<Vec<super::RecordComponent>>,
    nest_host: Option<Name>,
    permitted_subclasses: Option<Vec<Name>>,
}

impl ClassAttributes {
    fn read<'a>(attributes: &[Attribute<'a>], pool: &Pool<'a>) -> Result<Self> {
        // Annotations may refer to constants, and constants to bootstrap methods.
        for attribute in attributes
            .iter()
            .filter(|one| &*one.name == "BootstrapMethods")
        {
            attribute.read("BootstrapMethods", |cursor| pool.read_bootstraps(cursor))?;
        }
        let mut this = ClassAttributes::default();
        for attribute in attributes {
            this.read_one(attribute, pool)?;
        }
        Ok(this)
    }

    fn read_one<'a>(&mut self, attribute: &Attribute<'a>, pool: &Pool<'a>) -> Result<()> {
        match &*attribute.name {
            "SourceFile" => attribute.read_once(&mut self.source_file, "SourceFile", |cursor| {
                text(cursor, pool, "the name of the source file")
            }),
            "InnerClasses" => {
                attribute.read_once(&mut self.inner_classes, "InnerClasses", |cursor| {
                    inner_classes(cursor, pool)
                })
            }
            "EnclosingMethod" => {
                attribute.read_once(&mut self.enclosing_method, "EnclosingMethod", |cursor| {
                    enclosing_method(cursor, pool)
                })
            }
            "Record" => {
                attribute.read_once(&mut self.record, "Record", |cursor| record(cursor, pool))
            }
            "NestHost" => attribute.read_once(&mut self.nest_host, "NestHost", |cursor| {
                class_name(cursor, pool, "the nest's host")
            }),
            "PermittedSubclasses" => attribute.read_once(
                &mut self.permitted_subclasses,
                "PermittedSubclasses",
                |cursor| class_names(cursor, pool, "a permitted subclass"),
            ),
            _ => self.common.read(attribute, pool),
        }
    }
}

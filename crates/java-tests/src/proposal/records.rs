//! Classes as a proposal looks at them: their fields, and what their constructors do.

use std::sync::Arc;

use heapwright_java::classfile::{CONSTRUCTOR, Class, Instruction};
use heapwright_java::descriptor::{Primitive, Type, package_of};
use heapwright_java::hierarchy::{Hierarchy, LinkError};
use heapwright_testgen::proposal::names::{is_writable, is_writable_class};
use heapwright_testgen::proposal::{Content, Field, Nearness, Record, Records};

/// How classes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassNames {
    /// Without the package.
    Short,
    /// In full.
    Full,
}

impl ClassNames {
    /// The name of a class.
    pub fn of(self, class: &Class) -> String {
        let short = class.name.rsplit('.').next().unwrap_or(&class.name);
        match self {
            ClassNames::Short => short.to_owned(),
            ClassNames::Full => class.name.to_string(),
        }
    }
}

/// The classes around one that a specification is proposed for.
pub struct JavaRecords<'p> {
    /// All classes.
    pub hierarchy: Hierarchy<'p>,
    /// The package of that class.
    pub package: &'p str,
    /// How classes are written.
    pub names: ClassNames,
}

impl JavaRecords<'_> {
    /// A class as a record.
    pub fn of(&self, class: &Arc<Class>) -> Result<Record, LinkError> {
        let fields = self.hierarchy.instance_fields(class)?;
        let fields = fields.into_iter().map(|declared| Field {
            name: declared.field.name.to_string(),
            is_writable: is_writable(&declared.field.name),
            content: content(&declared.field.ty),
        });
        let (mut creates, mut sets) = (Vec::new(), Vec::new());
        let constructors = class
            .methods
            .iter()
            .filter(|method| *method.name == *CONSTRUCTOR);
        let code = constructors.filter_map(|method| method.code.as_ref());
        for (_, instruction) in code.flat_map(|code| &code.instructions) {
            match instruction {
                Instruction::New(Type::Class(name)) => creates.push(name.to_string()),
                Instruction::PutField(field) => {
                    sets.push((field.class.to_string(), field.name.to_string()));
                }
                _ => {}
            }
        }
        let simple = class.name.rsplit(['.', '$']).next().unwrap_or_default();
        Ok(Record {
            name: class.name.to_string(),
            written: self.names.of(class),
            simple: simple.to_owned(),
            nearness: self.nearness(class),
            fields: fields.collect(),
            creates,
            sets,
            self_links: Vec::new(),
            containers: Vec::new(),
            ordered_by: None,
            measures: Vec::new(),
        })
    }

    /// Classes of the package are structures, but for interfaces, enums and exceptions; and so are
    /// nodes of other packages of the class path.
    fn nearness(&self, class: &Class) -> Nearness {
        let is_object = is_writable_class(&class.name)
            && !class.access.is_interface()
            && !class.access.is_enum();
        if !is_object {
            return Nearness::Far;
        }
        if package_of(&class.name) == self.package {
            return Nearness::Near;
        }
        let own = self.hierarchy.class_path().classes();
        match own.is_ok_and(|own| own.binary_search(&class.name).is_ok()) {
            true => Nearness::IfNode,
            false => Nearness::Far,
        }
    }
}

impl Records for JavaRecords<'_> {
    fn record(&self, name: &str) -> Option<Arc<Record>> {
        let class = self.hierarchy.load(name).ok()?;
        self.of(&class).ok().map(Arc::new)
    }
}

fn content(ty: &Type) -> Content {
    match ty {
        Type::Primitive(Primitive::Int | Primitive::Long) => Content::Integer,
        Type::Primitive(_) => Content::Plain,
        Type::Class(name) => Content::Reference(name.to_string()),
        Type::Array(_) => Content::Other,
    }
}

//! Classes and array classes, and the sorts of Java's types.

use heapwright_ir::{ClassInfo, ClassKind};
use heapwright_logic::{
    Class as LogicClass, ClassId, Definitions, Field as LogicField, FloatType, IntType, Sort,
};

use super::{OBJECT, World};
use crate::classfile::{FieldReference, Kind};
use crate::descriptor::{Primitive, Type};
use crate::hierarchy::LinkError;

/// What all arrays implement.
const ARRAY_INTERFACES: [&str; 2] = ["java.lang.Cloneable", "java.io.Serializable"];

impl World {
    /// The id of a class or array class, which may be no more than a name.
    pub fn declare(&mut self, ty: &Type) -> ClassId {
        if let Some(&id) = self.classes.get(ty) {
            return id;
        }
        // Arrays are arrays from the beginning: nothing but the kind depends on their elements.
        let kind = match ty {
            Type::Array(element) => Some(self.sort(element)),
            _ => None,
        };
        let id = self.add_class(ty.to_string());
        if let Some(element) = kind {
            self.program.definitions.set_element_sort(id, element);
            self.info(id, |info| {
                info.kind = ClassKind::Array { element };
            });
        }
        self.classes.insert(ty.clone(), id);
        self.types.insert(id, ty.clone());
        id
    }

    /// The id of a class or array class, with everything that is known about it: its supertypes,
    /// its fields, and a table of its methods if there are objects of exactly this class.
    pub fn complete(&mut self, ty: &Type) -> Result<ClassId, LinkError> {
        let id = self.declare(ty);
        if !self.completed.insert(id) {
            return Ok(id);
        }
        let done = match ty {
            Type::Array(element) => self.complete_array(id, element),
            Type::Class(name) => self.complete_class(id, name),
            Type::Primitive(_) => Ok(()),
        };
        if done.is_err() {
            self.completed.remove(&id);
        }
        done.map(|()| id)
    }

    /// The sort of values of a type in fields, parameters and arrays.
    pub fn sort(&mut self, ty: &Type) -> Sort {
        match ty {
            Type::Primitive(primitive) => primitive_sort(*primitive),
            _ => Sort::Ref(self.declare(ty)),
        }
    }

    /// The class that declares an instance field, completed, and the field's place and sort.
    pub(crate) fn instance_field(
        &mut self,
        reference: &FieldReference,
    ) -> Result<(ClassId, u32, Sort), LinkError> {
        let declared = self.with_hierarchy(|hierarchy| hierarchy.resolve_field(reference))?;
        let id = self.complete(&declared.class.ty())?;
        // The class's own fields come last.
        let own = (declared.class.fields.iter()).filter(|field| !field.access.is_static());
        let own: Vec<_> = own.collect();
        let place = own
            .iter()
            .position(|field| field.name == declared.field.name);
        let missing = || LinkError::NoSuchField(reference.name.to_string());
        let place = place.ok_or_else(missing)?;
        let fields = &self.program.definitions.class(id).fields;
        let place = (fields.len() + place).checked_sub(own.len());
        let place = place.ok_or_else(missing)?;
        let sort = fields.get(place).ok_or_else(missing)?.sort;
        Ok((id, place as u32, sort))
    }

    pub(super) fn add_class(&mut self, name: String) -> ClassId {
        let id = self.program.definitions.add_class(LogicClass {
            name,
            fields: Vec::new(),
            superclass: None,
        });
        self.program.classes.push(ClassInfo {
            instantiable: false,
            ..ClassInfo::default()
        });
        id
    }

    /// Takes over the classes that a specification declares itself. They keep their ids, which the
    /// classes that are loaded from here on would have otherwise.
    ///
    /// Precondition: the specification was read with the classes of this world, and no class was
    /// added since then.
    pub(crate) fn adopt(&mut self, definitions: &Definitions) {
        let known = self.program.definitions.classes().count();
        for (_, class) in definitions.classes().skip(known) {
            let id = self.add_class(class.name.clone());
            *self.program.definitions.class_mut(id) = class.clone();
        }
    }

    pub(super) fn info(&mut self, id: ClassId, change: impl FnOnce(&mut ClassInfo)) {
        if let Some(info) = self.program.classes.get_mut(id.index()) {
            change(info);
        }
    }

    fn complete_class(&mut self, id: ClassId, name: &str) -> Result<(), LinkError> {
        let class = self.path.load(name)?;
        // Says so if the class is its own supertype, or has far too many.
        self.with_hierarchy(|hierarchy| hierarchy.interfaces(&class))?;
        let mut fields = Vec::new();
        if let Some(superclass) = &class.superclass {
            let superclass = self.complete(&Type::Class(superclass.clone()))?;
            fields.clone_from(&self.program.definitions.class(superclass).fields);
            self.program.definitions.class_mut(id).superclass = Some(superclass);
        }
        let mut interfaces = Vec::new();
        for interface in &class.interfaces {
            interfaces.push(self.complete(&Type::Class(interface.clone()))?);
        }
        let own = class
            .fields
            .iter()
            .filter(|field| !field.access.is_static());
        for field in own {
            fields.push(LogicField {
                name: field.name.to_string(),
                sort: self.sort(&field.ty),
            });
        }
        self.program.definitions.class_mut(id).fields = fields;
        let instantiable = !class.access.is_abstract() && !class.access.is_interface();
        self.info(id, |info| {
            info.interfaces = interfaces;
            info.instantiable = instantiable;
        });
        match instantiable {
            true => self.enter_methods(id, &class),
            false => Ok(()),
        }
    }

    /// Arrays of a class stand where arrays of its supertypes are expected.
    fn complete_array(&mut self, id: ClassId, element: &Type) -> Result<(), LinkError> {
        let object = self.complete(&Type::class(OBJECT))?;
        let mut above = Vec::new();
        match element {
            Type::Primitive(_) => {}
            Type::Class(name) => {
                self.complete(element)?;
                let class = self.path.load(name)?;
                let direct = class.superclass.iter().chain(&class.interfaces);
                above.extend(direct.map(|name| Type::Class(name.clone())));
            }
            Type::Array(_) => {
                let class = self.complete(element)?;
                let direct = self.program.class(class).interfaces.clone();
                let object = Some(Type::class(OBJECT));
                above.extend(direct.iter().filter_map(|id| self.types.get(id).cloned()));
                above.extend(object);
            }
        }
        let mut interfaces = Vec::new();
        for ty in above {
            interfaces.push(self.complete(&ty.array_of())?);
        }
        for interface in ARRAY_INTERFACES {
            interfaces.push(self.complete(&Type::class(interface))?);
        }
        self.program.definitions.class_mut(id).superclass = Some(object);
        self.info(id, |info| {
            info.interfaces = interfaces;
            info.instantiable = true;
        });
        self.enter_array_methods(id, element)
    }
}

/// The sort of a primitive type.
pub(crate) fn primitive_sort(primitive: Primitive) -> Sort {
    match primitive {
        Primitive::Boolean => Sort::Bool,
        Primitive::Byte => Sort::Machine(IntType::I8),
        Primitive::Short => Sort::Machine(IntType::I16),
        Primitive::Char => Sort::Machine(IntType::Char),
        Primitive::Int => Sort::Machine(IntType::I32),
        Primitive::Long => Sort::Machine(IntType::I64),
        Primitive::Float => Sort::Float(FloatType::Single),
        Primitive::Double => Sort::Float(FloatType::Double),
    }
}

/// The sort of values of a kind on the operand stack. Nothing is said about references there: what
/// looks into an object names its class.
pub(crate) fn kind_sort(kind: Kind) -> Sort {
    match kind {
        Kind::Int => Sort::Machine(IntType::I32),
        Kind::Long => Sort::Machine(IntType::I64),
        Kind::Float => Sort::Float(FloatType::Single),
        Kind::Double => Sort::Float(FloatType::Double),
        Kind::Reference => Sort::Ref(ClassId::ANY),
    }
}

/// The kind that values of a type have on the operand stack.
pub(crate) fn kind_of(ty: &Type) -> Kind {
    match ty {
        Type::Primitive(Primitive::Long) => Kind::Long,
        Type::Primitive(Primitive::Float) => Kind::Float,
        Type::Primitive(Primitive::Double) => Kind::Double,
        Type::Primitive(_) => Kind::Int,
        _ => Kind::Reference,
    }
}

//! Types of Java with what is known about their arguments: a `List<Order>` is filled with orders.

use std::collections::BTreeMap;

use heapwright_java::descriptor::Type;
use heapwright_java::hierarchy::{GenericType, TypeArgument};
use heapwright_java::world::OBJECT;

/// Arguments nest no deeper than this.
const DEEPEST: usize = 3;

/// A type with its arguments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct JavaTy {
    /// What the virtual machine knows of it.
    pub erased: Type,
    /// Its arguments; those of an array are its elements. None where nothing is known.
    pub arguments: Vec<JavaTy>,
}

/// What type variables stand for.
pub type Given = BTreeMap<String, JavaTy>;

impl JavaTy {
    /// A type without arguments.
    pub fn plain(erased: Type) -> JavaTy {
        JavaTy {
            erased,
            arguments: Vec::new(),
        }
    }

    /// Any object.
    pub fn object() -> JavaTy {
        JavaTy::plain(Type::class(OBJECT))
    }

    /// The name of its class, if it is one.
    pub fn class_name(&self) -> Option<&str> {
        match &self.erased {
            Type::Class(name) => Some(name),
            _ => None,
        }
    }

    /// A type as it is declared, where variables stand for these types.
    pub fn of(declared: Option<&GenericType>, erased: &Type, given: &Given) -> JavaTy {
        match declared {
            Some(declared) => instantiate(declared, erased, given, 0),
            None => JavaTy::plain(erased.clone()),
        }
    }
}

fn instantiate(declared: &GenericType, erased: &Type, given: &Given, depth: usize) -> JavaTy {
    if depth > DEEPEST {
        return JavaTy::plain(erased.clone());
    }
    match (declared, erased) {
        (GenericType::Variable(name), _) => match given.get(name) {
            Some(known) if known.erased != Type::class(OBJECT) => known.clone(),
            _ => JavaTy::plain(erased.clone()),
        },
        (GenericType::Array(element), Type::Array(bare)) => JavaTy {
            erased: erased.clone(),
            arguments: vec![instantiate(element, bare, given, depth + 1)],
        },
        (GenericType::Class { arguments, .. }, _) => JavaTy {
            erased: erased.clone(),
            arguments: (arguments.iter())
                .map(|argument| match argument {
                    TypeArgument::Any => JavaTy::object(),
                    TypeArgument::Exactly(ty)
                    | TypeArgument::Extends(ty)
                    | TypeArgument::Super(ty) => instantiate(ty, &erasure(ty), given, depth + 1),
                })
                .collect(),
        },
        _ => JavaTy::plain(erased.clone()),
    }
}

/// What the virtual machine knows of a type that is an argument; variables are any object.
fn erasure(ty: &GenericType) -> Type {
    match ty {
        GenericType::Class { name, .. } => Type::class(name),
        GenericType::Array(element) => erasure(element).array_of(),
        GenericType::Variable(_) | GenericType::Primitive => Type::class(OBJECT),
    }
}

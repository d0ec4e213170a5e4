//! The static fields that contracts may mention, and what they may say about them.

use std::sync::Arc;

use heapwright_spec::{ConstantValue, StaticAccess, StaticField};
use rustc_hash::FxHashSet;

use crate::classfile::{Class, Constant, Field};
use crate::descriptor::{Name, Primitive, Type};
use crate::world::World;

/// The static fields of classes and of the interfaces that these implement, and their classes and
/// names.
pub(super) fn fields(
    world: &mut World,
    classes: &[Arc<Class>],
) -> (Vec<StaticField>, Vec<(Name, String)>) {
    let path = Arc::clone(world.class_path());
    let mut seen = FxHashSet::default();
    let mut waiting: Vec<Arc<Class>> = classes.iter().rev().cloned().collect();
    let (mut found, mut names) = (Vec::new(), Vec::new());
    while let Some(class) = waiting.pop() {
        if !seen.insert(class.name.clone()) {
            continue;
        }
        for interface in class.interfaces.iter().rev() {
            waiting.extend(path.load(interface));
        }
        // Whatever the compiler added has no name that people know.
        let written = (class.fields.iter())
            .filter(|field| field.access.is_static() && !field.access.is_synthetic());
        for field in written {
            found.push(StaticField {
                class: world.declare(&class.ty()),
                name: field.name.to_string(),
                sort: world.sort(&field.ty),
                access: access(world, &class, field),
            });
            names.push((class.name.clone(), field.name.to_string()));
        }
    }
    (found, names)
}

/// What a contract may say about a static field.
fn access(world: &World, class: &Class, field: &Field) -> StaticAccess {
    if let Some(constant) = &field.constant
        && field.access.is_final()
    {
        return match value(&field.ty, constant) {
            Some(value) => StaticAccess::Constant(value),
            None => StaticAccess::Unsupported("is a constant that is no number".to_owned()),
        };
    }
    match world.objection_to_static_input(class, field) {
        None => StaticAccess::Input,
        Some(objection) => StaticAccess::Unsupported(objection.to_owned()),
    }
}

fn value(ty: &Type, constant: &Constant) -> Option<ConstantValue> {
    Some(match (constant, ty) {
        (Constant::Int(value), Type::Primitive(Primitive::Boolean)) => {
            ConstantValue::Bool(*value != 0)
        }
        (Constant::Int(value), _) => ConstantValue::Int((*value).into()),
        (Constant::Long(value), _) => ConstantValue::Int((*value).into()),
        (Constant::Float(bits), _) => ConstantValue::Float(f32::from_bits(*bits).into()),
        (Constant::Double(bits), _) => ConstantValue::Float(f64::from_bits(*bits)),
        _ => return None,
    })
}

//! Parameters that are declared with type arguments.
//!
//! The program knows erased types: a `Comparable<String>` is a `Comparable`, and the usual classes
//! of objects behind such a reference are integers and strings. Code that is compiled passes no
//! integer there. So a parameter whose type arguments rule some candidates out, but not all, gets a
//! class of its own, below the erased one and above the candidates that are left. What stands for
//! all classes that fit is never complete, so nothing is proved with it.

use heapwright_logic::ClassId;

use super::World;
use super::entries::parameter_types;
use crate::descriptor::Type;
use crate::hierarchy::{DeclaredMethod, GenericType};

impl World {
    /// The parameters of a method, the receiver counted, whose type arguments leave some of the
    /// candidates only, each with the class that stands for these.
    pub(super) fn narrowed_parameters(&mut self, method: &DeclaredMethod) -> Vec<(usize, ClassId)> {
        let signature = method.method.signature.as_deref();
        let Some(declared) = signature.and_then(GenericType::of_parameters) else {
            return Vec::new();
        };
        let types = parameter_types(method);
        // Parameters that the compiler adds are not in the signature.
        if declared.len() != method.method.descriptor.parameters.len() {
            return Vec::new();
        }
        let receiver = types.len() - declared.len();
        let mut found = Vec::new();
        for (index, (ty, declared)) in (receiver..).zip(types[receiver..].iter().zip(&declared)) {
            if let Some(classes) = self.narrowed(ty, declared) {
                found.extend(
                    self.narrowed_class(ty, declared, &classes)
                        .map(|id| (index, id)),
                );
            }
        }
        found
    }

    /// The candidates that a type with arguments leaves, and those that its arguments add. `None` if
    /// it leaves all, or none.
    fn narrowed(&self, ty: &Type, declared: &GenericType) -> Option<Vec<Type>> {
        let usual = self.candidates(ty).0;
        let conforms = |candidate: &Type| {
            self.with_hierarchy(|hierarchy| match candidate {
                Type::Class(name) => hierarchy.conforms(name, declared),
                _ => true,
            })
        };
        let mut left: Vec<Type> = usual.iter().filter(|one| conforms(one)).cloned().collect();
        if left.len() == usual.len() {
            return None;
        }
        for class in declared.argument_classes() {
            for candidate in self.candidates(&Type::class(class)).0 {
                let is_below =
                    self.with_hierarchy(|hierarchy| hierarchy.is_subtype(&candidate, ty));
                if matches!(is_below, Ok(true))
                    && conforms(&candidate)
                    && !left.contains(&candidate)
                {
                    left.push(candidate);
                }
            }
        }
        (!left.is_empty()).then_some(left)
    }

    /// The class that stands for some candidates of a type.
    fn narrowed_class(
        &mut self,
        ty: &Type,
        declared: &GenericType,
        classes: &[Type],
    ) -> Option<ClassId> {
        self.complete_inputs(classes.to_vec());
        let below: Result<Vec<ClassId>, _> = classes.iter().map(|ty| self.complete(ty)).collect();
        let below = below.ok()?;
        let name = declared.to_string();
        let known = self.narrowed.iter().find(|known| known.name == name);
        let id = match known.map(|known| known.id) {
            Some(id) => id,
            None => {
                let above = self.declare(ty);
                let id = self.add_class(name.clone());
                self.info(id, |info| info.interfaces.push(above));
                self.narrowed.push(Narrowed {
                    name,
                    id,
                    classes: Vec::new(),
                });
                id
            }
        };
        for &class in &below {
            self.info(class, |info| {
                if !info.interfaces.contains(&id) {
                    info.interfaces.push(id);
                }
            });
        }
        let known = self.narrowed.iter_mut().find(|known| known.id == id)?;
        known.classes = below;
        Some(id)
    }
}

/// A type with arguments that leave some candidates only.
#[derive(Debug)]
pub(super) struct Narrowed {
    name: String,
    pub(super) id: ClassId,
    pub(super) classes: Vec<ClassId>,
}

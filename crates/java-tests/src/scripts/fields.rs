//! Branches that neither calls nor what was inferred lead to: fields are set.
//!
//! Fields that are neither private nor final belong to all code of the package: whatever they hold, some
//! program can put there. So where objects consist of such fields only, every heap of the types is one
//! that programs can have. As soon as a class keeps anything to itself it may rely on it, and nothing of
//! it is set.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use heapwright_engine::Origin;
use heapwright_java::classfile::Class;
use heapwright_java::descriptor::Type;
use heapwright_java::target::TargetMethod;
use heapwright_testgen::{Error, Event, Explored, Request};

use super::inferred::{is_any_object, is_value, open_among};
use crate::frontend::{Entry, JavaTests};

impl JavaTests {
    /// Adds tests whose inputs have their fields set. Returns what people are told about them, if there
    /// are any.
    pub(super) fn by_fields(
        &mut self,
        class: &Arc<Class>,
        explored: &mut [(TargetMethod, Explored<Entry>)],
        begin: Instant,
        request: &Request,
        observer: &mut dyn FnMut(Event<'_>),
    ) -> Result<Option<String>, Error> {
        let open = open_among(explored, |target| {
            target.class.name == class.name
                && !target.declared.method.is_constructor()
                && self.leaves_fields_to_others(target)
        });
        let added = self.add_to(
            &open,
            explored,
            &mut |_, _| Some((None, Origin::Fields)),
            (begin, request),
            observer,
        )?;
        Ok(match added {
            0 => None,
            1 => Some("1 test sets fields that are open to the package".to_owned()),
            count => Some(format!(
                "{count} tests set fields that are open to the package"
            )),
        })
    }

    /// Whether all that a method is given consists of objects whose fields code of the package can set,
    /// and of values.
    fn leaves_fields_to_others(&self, target: &TargetMethod) -> bool {
        let path = self.program.world.class_path();
        let method = &target.declared.method;
        let mut waiting: Vec<Type> = method.descriptor.parameters.to_vec();
        if !method.access.is_static() {
            waiting.push(target.class.ty());
        }
        let mut seen = BTreeSet::new();
        while let Some(ty) = waiting.pop() {
            let name = match ty {
                Type::Primitive(_) => continue,
                Type::Array(element) => {
                    waiting.push((*element).clone());
                    continue;
                }
                Type::Class(name) => name,
            };
            if is_value(&name) || is_any_object(&name) || !seen.insert(name.to_string()) {
                continue;
            }
            let Ok(class) = path.load(&name) else {
                return false;
            };
            if class.access.is_enum() {
                continue;
            }
            let extends_nothing = class.superclass.as_deref().is_none_or(is_any_object);
            let is_plain = !class.access.is_interface() && !class.access.is_abstract();
            if !self.program.world.is_of_user(&name) || !extends_nothing || !is_plain {
                return false;
            }
            for field in class
                .fields
                .iter()
                .filter(|field| !field.access.is_static())
            {
                if field.access.is_private() || field.access.is_final() {
                    return false;
                }
                waiting.push(field.ty.clone());
            }
        }
        true
    }
}

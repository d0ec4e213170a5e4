//! Static state that other code may have changed before a call.
//!
//! Static fields that are inputs are set before the call (see `entries`), and those that never
//! change have their values. What is left is watched (see `heapwright_ir::SharedState`): fields of
//! the user's classes that are not final, and objects behind those that are, unless nobody can
//! change these. The JDK's own static state counts as what its initialisers leave.

use std::sync::Arc;

use heapwright_ir::{SharedPlace, SharedState, SharedVariable, Stability};
use heapwright_logic::ClassId;

use super::World;
use crate::classfile::{Class, Field};
use crate::descriptor::{Name, Type};

/// Packages and classes of the JDK whose objects never change, by the beginnings of their names.
const IMMUTABLE: [&str; 29] = [
    "java.lang.String",
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Class",
    "java.lang.Double",
    "java.lang.Enum",
    "java.lang.Float",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Object",
    "java.lang.Short",
    "java.lang.Void",
    "java.lang.invoke.",
    "java.math.BigDecimal",
    "java.math.BigInteger",
    "java.math.MathContext",
    "java.nio.charset.",
    "java.time.",
    "java.util.Collections$Empty",
    "java.util.Collections$Singleton",
    "java.util.ImmutableCollections$",
    "java.util.KeyValueHolder",
    "java.util.Locale",
    "java.util.Optional",
    "java.util.UUID",
    "java.util.regex.Pattern",
    "sun.nio.cs.",
    "java.util.concurrent.TimeUnit",
];

/// Classes of the JDK besides collections that tests put back into the state that they had.
const RESTORED: [&str; 6] = [
    "java.lang.StringBuilder",
    "java.lang.StringBuffer",
    "java.util.concurrent.atomic.AtomicBoolean",
    "java.util.concurrent.atomic.AtomicInteger",
    "java.util.concurrent.atomic.AtomicLong",
    "java.util.concurrent.atomic.AtomicReference",
];

/// Names that begin like those of immutable classes, but whose objects do change.
const MUTABLE: [&str; 2] = ["java.lang.StringBuilder", "java.lang.StringBuffer"];

impl World {
    /// The static state that is no input, though other code may have changed it.
    pub(super) fn shared_state(&self) -> SharedState {
        let mut state = SharedState::default();
        for (name, statics) in &self.statics {
            state.initialisers.extend(statics.guard);
            if !self.is_own_class(name) {
                continue;
            }
            let Ok(class) = self.path.load(name) else {
                continue;
            };
            let fields = class.fields.iter().filter(|field| field.access.is_static());
            let variables: Vec<_> = (1..)
                .zip(fields)
                .filter_map(|(position, field)| self.shared_variable(&class, field, position))
                .collect();
            if !variables.is_empty() {
                state.variables.insert(statics.global, variables);
            }
            self.share_constants(name, &mut state);
        }
        if state.is_empty() {
            return SharedState::default();
        }
        let mut known = self.known_stability.borrow_mut();
        for (&id, ty) in &self.types {
            let name = match ty {
                Type::Class(name) => name,
                Type::Array(element) => {
                    state.arrays.insert(id);
                    if matches!(**element, Type::Array(_)) {
                        state.arrays_of_arrays.insert(id);
                    }
                    continue;
                }
                Type::Primitive(_) => continue,
            };
            // The program grows again and again, and nothing of this changes.
            let (is_opaque, stability) = match known.get(&id) {
                Some(known) => known.clone(),
                None => {
                    let found = (!self.is_user_class(name), self.stability(id, name));
                    if found.1.is_some() {
                        known.insert(id, found.clone());
                    }
                    found
                }
            };
            if is_opaque {
                state.opaque.insert(id);
            }
            if let Some(stability) = stability {
                state.classes.insert(id, stability);
            }
        }
        state
    }

    /// The class and the name of a static field.
    pub fn static_at(&self, place: SharedPlace) -> Option<(Name, Name)> {
        let mut known = self.statics.iter();
        let (class, _) = known.find(|(_, statics)| statics.global == place.global)?;
        let loaded = self.path.load(class).ok()?;
        let mut fields = loaded
            .fields
            .iter()
            .filter(|field| field.access.is_static());
        let field = fields.nth((place.field as usize).checked_sub(1)?)?;
        Some((class.clone(), field.name.clone()))
    }

    /// Whether a test can put back what is in an object of a class: it can look into those of the
    /// user, and the insides of collections and of a few others follow from what they give out.
    pub fn can_be_restored(&self, class: ClassId) -> bool {
        let Some(Type::Class(name)) = self.types.get(&class) else {
            return true;
        };
        let is_below = |above: &str| {
            let below = self.with_hierarchy(|hierarchy| hierarchy.is_subclass(name, above));
            matches!(below, Ok(true))
        };
        if self.is_user_class(name) {
            return self.is_all_of_user(name);
        }
        RESTORED.contains(&&**name)
            || is_below("java.util.AbstractCollection")
            || is_below("java.util.AbstractMap")
            || is_below("java.util.Hashtable")
            || is_below("java.lang.ThreadLocal")
    }

    /// Whether tests can look into all fields of the objects of a class of the user.
    fn is_all_of_user(&self, name: &Name) -> bool {
        let Ok(class) = self.path.load(name) else {
            return true;
        };
        let fields = self.with_hierarchy(|hierarchy| hierarchy.instance_fields(&class));
        fields.is_ok_and(|fields| {
            fields.iter().all(|declared| {
                declared.field.access.is_final() || self.is_user_class(&declared.class.name)
            })
        })
    }

    pub(super) fn shared_variable(
        &self,
        class: &Arc<Class>,
        field: &Field,
        position: u32,
    ) -> Option<SharedVariable> {
        let (access, ty) = (field.access, &field.ty);
        let is_final = access.is_final() || access.is_synthetic();
        let is_value = match ty {
            Type::Class(name) => &**name == super::STRING,
            ty => !ty.is_reference(),
        };
        if is_final && is_value {
            return None;
        }
        let is_array = matches!(ty, Type::Array(_));
        let is_table = is_final
            && is_array
            && (access.is_synthetic()
                || access.is_private() && !self.family_writes(class).exposed.contains(&field.name));
        Some(SharedVariable {
            field: position,
            is_final,
            is_table,
        })
    }

    /// The constants of an enum can be inputs, so they need not come from its static fields.
    fn share_constants(&self, name: &Name, state: &mut SharedState) {
        let Some(Some(constants)) = self.enum_constants.get(name) else {
            return;
        };
        let Some(statics) = self.statics.get(name) else {
            return;
        };
        let class = self.program.definitions.class(statics.class);
        for constant in constants.iter() {
            let mut fields = class.fields.iter();
            let position = fields.position(|field| *field.name == *constant.field);
            if let Some(position) = position {
                let place = SharedPlace {
                    global: statics.global,
                    field: position as u32,
                };
                state.objects.insert(constant.global, place);
            }
        }
    }

    /// What can change in objects of a class.
    fn stability(&self, id: ClassId, name: &Name) -> Option<Stability> {
        let begins = |names: &[&str]| names.iter().any(|known| name.starts_with(known));
        if !self.is_user_class(name) && begins(&IMMUTABLE) && !begins(&MUTABLE) {
            return Some(Stability::Immutable(self.own_arrays(name)));
        }
        if !self.completed.contains(&id) {
            return None;
        }
        let count = self.program.definitions.class(id).fields.len();
        let Ok(class) = self.path.load(name) else {
            // Classes for lambda expressions keep what they are made with.
            return Some(Stability::FinalFields(vec![true; count].into()));
        };
        let declared = self.with_hierarchy(|hierarchy| hierarchy.instance_fields(&class));
        let fixed = declared
            .ok()?
            .into_iter()
            .map(|declared| self.keeps_value(&declared.class, &declared.field));
        Some(Stability::FinalFields(fixed.collect()))
    }

    /// Which fields of an immutable class of the JDK hold arrays, which are its own.
    fn own_arrays(&self, name: &Name) -> Arc<[bool]> {
        let Ok(class) = self.path.load(name) else {
            return Arc::default();
        };
        let declared = self.with_hierarchy(|hierarchy| hierarchy.instance_fields(&class));
        let declared = declared.unwrap_or_default();
        let fields = declared.iter().map(|declared| &declared.field.ty);
        fields.map(|ty| matches!(ty, Type::Array(_))).collect()
    }

    /// Whether a field of objects keeps its first value.
    pub(super) fn keeps_value(&self, class: &Arc<Class>, field: &Field) -> bool {
        let access = field.access;
        access.is_final()
            || access.is_synthetic()
            || *class.name == *"java.lang.Enum"
            || access.is_private()
                && self.is_user_class(&class.name)
                && !self.family_writes(class).assigned.contains(&field.name)
    }
}

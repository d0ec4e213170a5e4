//! Numbers behind static final fields as inputs.
//!
//! The field keeps its object, but what is in the object may have been changed by other code: the
//! elements of an array, a counter, the field of an enum constant. Such a *place* is a parameter of
//! the wrapper, which stores it where the initialiser has put something else (see `entries`). Which
//! places there are is found out by running the initialisers: from a final field through fields
//! that keep their values to elements and fields that do not. References that can change are no
//! places; a path that reads one is not the only one (see `shared`).

use std::sync::Arc;

use heapwright_ir::machine::concrete::{Concrete, Memory, Value};
use heapwright_ir::machine::{Budgets, Machine, MachineError, MachineOutcome, ObjectId};
use heapwright_ir::{Constant, Operand, Operation, Reg};
use heapwright_logic::{ClassId, IntType, Sort};
use rustc_hash::FxHashSet;

use super::World;
use super::builder::Builder;
use crate::classfile::{Class, Field, FieldReference};
use crate::descriptor::{Name, Primitive, Type};
use crate::hierarchy::LinkError;

/// How many places there may be behind one field. Larger tables would drown the rest of an input.
const MOST_PLACES: usize = 32;

/// How far a place may lie behind its field.
const LONGEST_PATH: usize = 4;

/// A step from an object to what is in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum StaticStep {
    /// An element of an array.
    Element(u32),
    /// A field, with the class that declares it.
    Field(Name, Name),
    /// The number in an atomic variable of the JDK.
    Atomic,
}

/// A place with a number that can change.
#[derive(Debug, Clone)]
pub(super) struct StaticPlace {
    /// The class that declares the static field.
    pub(super) class: Arc<Class>,
    /// The static field.
    pub(super) field: Arc<Field>,
    /// The way from there.
    pub(super) path: Vec<StaticStep>,
    /// The type of the number.
    pub(super) ty: Type,
    hops: Vec<Hop>,
}

/// A step in the program: a field of a class, or an element of an array if there is no class.
#[derive(Debug, Clone, Copy)]
struct Hop {
    class: Option<ClassId>,
    slot: u32,
    sort: Sort,
}

/// An object on the way.
struct Visit {
    object: ObjectId,
    /// As what it is known.
    ty: Type,
    path: Vec<StaticStep>,
    hops: Vec<Hop>,
    /// Whether it is an array that never changes.
    is_table: bool,
}

impl StaticPlace {
    /// The positions of what is on the way in the objects there.
    pub(super) fn slots(&self) -> Vec<u32> {
        self.hops.iter().map(|hop| hop.slot).collect()
    }

    /// How the place is called, behind the name of the static field.
    pub(super) fn suffix(&self) -> String {
        let steps = self.path.iter().map(|step| match step {
            StaticStep::Element(index) => format!("[{index}]"),
            StaticStep::Field(_, name) => format!(".{name}"),
            StaticStep::Atomic => ".value".to_owned(),
        });
        steps.collect()
    }
}

impl World {
    /// The places behind static final fields, as the initialisers leave them; none if one of these
    /// fails. Only fields that the code mentions count.
    pub(super) fn static_places(
        &mut self,
        roots: &[(Arc<Class>, Arc<Field>)],
        mentioned: &FxHashSet<Name>,
    ) -> Vec<StaticPlace> {
        let roots: Vec<_> = (roots.iter())
            .filter(|(_, field)| self.may_have_places(&field.ty))
            .cloned()
            .collect();
        if roots.is_empty() {
            return Vec::new();
        }
        let Some(memory) = self.initial_memory(&roots) else {
            return Vec::new();
        };
        let mut seen = FxHashSet::default();
        let mut places = Vec::new();
        for (class, field) in &roots {
            let found = self.places_behind(class, field, &memory, mentioned, &mut seen);
            let found = found.unwrap_or_default();
            if places.len() + found.len() <= 2 * MOST_PLACES {
                places.extend(found);
            }
        }
        places
    }

    /// Whether numbers that tests can set may lie behind a field of a type.
    fn may_have_places(&self, ty: &Type) -> bool {
        match ty {
            Type::Primitive(_) => false,
            Type::Array(element) => {
                matches!(**element, Type::Primitive(_)) || self.may_have_places(element)
            }
            Type::Class(name) => atomic(name).is_some() || self.is_user_class(name),
        }
    }

    /// What the initialisers of some classes leave behind.
    fn initial_memory(&mut self, roots: &[(Arc<Class>, Arc<Field>)]) -> Option<Memory> {
        let mut guards = Vec::new();
        for (class, _) in roots {
            let guard = self.guard(class).ok()?;
            guards.extend(guard.filter(|guard| !guards.contains(guard)));
        }
        loop {
            let domain = Concrete::new(&self.program);
            let mut machine = Machine::new(&self.program, domain, Budgets::default());
            let mut missing = None;
            for &guard in &guards {
                match machine.run(guard, Vec::new()) {
                    Ok(MachineOutcome::Returned(_)) => {}
                    Err(MachineError::Missing(needed)) => {
                        missing = Some(needed);
                        break;
                    }
                    _ => return None,
                }
            }
            let Some(missing) = missing else {
                return Some(machine.into_domain().memory);
            };
            drop(machine);
            if !self.supply_missing(&missing) {
                return None;
            }
        }
    }

    /// The places behind a static field; `None` if there are too many.
    fn places_behind(
        &mut self,
        class: &Arc<Class>,
        field: &Arc<Field>,
        memory: &Memory,
        mentioned: &FxHashSet<Name>,
        seen: &mut FxHashSet<ObjectId>,
    ) -> Option<Vec<StaticPlace>> {
        let found = self.static_field(&reference(class, field)).ok()?;
        let holder = memory.global(found.statics.global)?;
        let object = pointer(memory, holder, found.field)?;
        let variable = self.shared_variable(class, field, found.field)?;
        let mut waiting = vec![Visit {
            object,
            ty: field.ty.clone(),
            path: Vec::new(),
            hops: Vec::new(),
            is_table: variable.is_table,
        }];
        let mut places = Vec::new();
        while let Some(visit) = waiting.pop() {
            if visit.path.len() >= LONGEST_PATH || !seen.insert(visit.object) {
                continue;
            }
            let (numbers, others) = self.contents(&visit, memory, mentioned)?;
            waiting.extend(others.into_iter().rev());
            for (step, hop, ty) in numbers {
                let path = [&visit.path[..], &[step]].concat();
                let hops = [&visit.hops[..], &[hop]].concat();
                places.push(StaticPlace {
                    class: class.clone(),
                    field: field.clone(),
                    path,
                    ty,
                    hops,
                });
            }
            if places.len() > MOST_PLACES {
                return None;
            }
        }
        Some(places)
    }

    /// The numbers in an object that can change, and the objects that it always leads to.
    #[allow(clippy::type_complexity)]
    fn contents(
        &mut self,
        visit: &Visit,
        memory: &Memory,
        mentioned: &FxHashSet<Name>,
    ) -> Option<(Vec<(StaticStep, Hop, Type)>, Vec<Visit>)> {
        let (mut numbers, mut others) = (Vec::new(), Vec::new());
        let contents = &memory.object(visit.object).ok()?.contents;
        let mut lead = |step: StaticStep, hop: Hop, ty: &Type| {
            if let Some(object) = pointer(memory, visit.object, hop.slot) {
                others.push(Visit {
                    object,
                    ty: ty.clone(),
                    path: [&visit.path[..], &[step]].concat(),
                    hops: [&visit.hops[..], &[hop]].concat(),
                    is_table: false,
                });
            }
        };
        match &visit.ty {
            Type::Primitive(_) => {}
            Type::Array(element) => {
                let is_primitive = matches!(**element, Type::Primitive(_));
                if is_primitive == visit.is_table {
                    return Some((numbers, others));
                }
                if contents.len() > MOST_PLACES {
                    return None;
                }
                let sort = self.sort(element);
                for slot in 0..contents.len() as u32 {
                    let class = None;
                    let hop = Hop { class, slot, sort };
                    let step = StaticStep::Element(slot);
                    match is_primitive {
                        true => numbers.push((step, hop, (**element).clone())),
                        false => lead(step, hop, element),
                    }
                }
            }
            Type::Class(name) => {
                let id = self.complete(&visit.ty).ok()?;
                if let Some(primitive) = atomic(name) {
                    let (slot, sort) = self.known_field(id, "value")?;
                    let class = Some(id);
                    let hop = Hop { class, slot, sort };
                    numbers.push((StaticStep::Atomic, hop, Type::Primitive(primitive)));
                    return Some((numbers, others));
                }
                if !self.is_user_class(name) {
                    return Some((numbers, others));
                }
                let class = self.path.load(name).ok()?;
                let declared = self.with_hierarchy(|hierarchy| hierarchy.instance_fields(&class));
                for (slot, declared) in (0..).zip(declared.ok()?) {
                    let known = &self.program.definitions.class(id).fields;
                    let sort = known.get(slot as usize)?.sort;
                    let (owner, field) = (&declared.class, &declared.field);
                    if !mentioned.contains(&field.name) || !self.is_user_class(&owner.name) {
                        continue;
                    }
                    let is_fixed = self.keeps_value(owner, field);
                    let class = Some(id);
                    let hop = Hop { class, slot, sort };
                    let step = StaticStep::Field(owner.name.clone(), field.name.clone());
                    match (&field.ty, is_fixed) {
                        (Type::Primitive(_), false) => {
                            numbers.push((step, hop, field.ty.clone()));
                        }
                        (ty, true) if ty.is_reference() => lead(step, hop, ty),
                        _ => {}
                    }
                }
            }
        }
        Some((numbers, others))
    }

    /// Emits the assignment to a place.
    pub(super) fn store_place(
        &mut self,
        builder: &mut Builder,
        place: &StaticPlace,
        value: Operand,
    ) -> Result<(), LinkError> {
        let found = self.static_field(&reference(&place.class, &place.field))?;
        let register = builder.register(found.sort);
        builder.emit(Operation::Load {
            to: register,
            object: Operand::Global(found.statics.global),
            class: found.statics.class,
            field: found.field,
        });
        let mut object = Operand::Register(register);
        let Some((last, hops)) = place.hops.split_last() else {
            return Ok(());
        };
        for hop in hops {
            let to = builder.register(hop.sort);
            builder.emit(hop.load(to, object));
            object = Operand::Register(to);
        }
        builder.emit(match last.class {
            Some(class) => Operation::Store {
                object,
                class,
                field: last.slot,
                value,
            },
            None => Operation::StoreElement {
                array: object,
                index: last.index(),
                value,
            },
        });
        Ok(())
    }
}

impl Hop {
    fn load(&self, to: Reg, object: Operand) -> Operation {
        match self.class {
            Some(class) => Operation::Load {
                to,
                object,
                class,
                field: self.slot,
            },
            None => Operation::LoadElement {
                to,
                array: object,
                index: self.index(),
            },
        }
    }

    fn index(&self) -> Operand {
        Operand::Constant(Constant::Int(IntType::I32, self.slot.into()))
    }
}

/// What is in an atomic variable.
fn atomic(name: &str) -> Option<Primitive> {
    match name {
        "java.util.concurrent.atomic.AtomicInteger" => Some(Primitive::Int),
        "java.util.concurrent.atomic.AtomicLong" => Some(Primitive::Long),
        _ => None,
    }
}

fn reference(class: &Class, field: &Field) -> FieldReference {
    FieldReference {
        class: class.name.clone(),
        name: field.name.clone(),
        ty: field.ty.clone(),
    }
}

/// The object that a field or element of another one leads to.
fn pointer(memory: &Memory, object: ObjectId, slot: u32) -> Option<ObjectId> {
    let object = memory.object(object).ok()?;
    match object.contents.get(slot as usize)? {
        Value::Pointer(address) => Some(address.object),
        _ => None,
    }
}

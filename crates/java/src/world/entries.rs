//! Methods together with the static fields that they depend on, and with constants of enums as
//! inputs.
//!
//! What a method does may depend on static fields that are no constants. Then a test has to set
//! them, so they are inputs: a *wrapper* takes their values as further parameters, initialises the
//! classes, sets the fields, and calls the method.
//!
//! The fields are those of classes of the user that are not final and that the method, or something
//! in its package that it may call, reads or writes. A field whose type has no candidates (see
//! `inputs`) keeps what the initialiser of its class gave it. Numbers behind final ones are inputs
//! as well (see `static_places`).

use std::collections::BTreeSet;
use std::sync::Arc;

use heapwright_ir::{Callee, FunctionId, GlobalId, Operand, Operation, Reg, Terminator};
use heapwright_logic::{ClassId, IntType, Sort};
use rustc_hash::FxHashSet;

use super::builder::Builder;
use super::enums::{Enum, EnumInput};
use super::static_places::{StaticPlace, StaticStep};
use super::{TranslateError, Trouble, World, place};
use crate::classfile::{Class, Field, FieldReference, Instruction, MethodHandle, MethodReference};
use crate::descriptor::{Name, Type, package_of};
use crate::hierarchy::{DeclaredMethod, LinkError};
use crate::target::TargetMethod;

/// How many methods are looked through for static fields.
const MOST_METHODS: usize = 2_000;

/// What is run in order to test a method.
#[derive(Debug, Clone)]
pub struct TestEntry {
    /// The function to be run: the method's own, or a wrapper.
    pub function: FunctionId,
    /// The function of the method.
    pub method: FunctionId,
    /// The static fields that are inputs. Their parameters follow those of the method.
    pub statics: Vec<StaticInput>,
    /// The parameters that are constants of enums: those of the method, the receiver included, and
    /// those for static fields.
    pub enums: Vec<EnumInput>,
    /// The parameters whose type arguments rule out some of the usual classes of objects, each with
    /// the class that stands for the others.
    pub narrowed: Vec<(usize, ClassId)>,
}

/// A static field that is an input.
#[derive(Debug, Clone)]
pub struct StaticInput {
    /// The class that declares it.
    pub class: Name,
    /// Its name.
    pub field: String,
    /// What the parameter is called: `Class.field`, with the package if several classes would have
    /// the same name.
    pub name: String,
    /// Its type.
    pub ty: Type,
    /// The parameter of the wrapper that it gets its value from.
    pub parameter: usize,
    /// The global that holds it: its last value is there, however the method ended.
    pub global: GlobalId,
    /// Its position in that global.
    pub position: u32,
    /// The way from the field to a number behind it, if that is the input.
    pub path: Vec<StaticStep>,
    /// The same as positions in the objects on the way.
    pub slots: Vec<u32>,
}

/// A static field with the class that declares it.
type DeclaredStatic = (Arc<Class>, Arc<Field>);

/// The static state that the code of a method mentions, with what it may call in its package.
#[derive(Default)]
struct Reach {
    /// The fields that are inputs, sorted by class, in the order of declaration.
    open: Vec<(Arc<Class>, Arc<Field>)>,
    /// The final fields with references.
    finals: Vec<(Arc<Class>, Arc<Field>)>,
    /// The names of the fields of objects that are read or written.
    mentioned: FxHashSet<Name>,
}

impl World {
    /// What is to be run in order to test a method.
    pub fn test_entry(&mut self, target: &TargetMethod) -> Result<TestEntry, TranslateError> {
        self.test_entry_with(target, &[])
    }

    /// The same where these static fields are inputs, too: a contract mentions them.
    pub fn test_entry_with(
        &mut self,
        target: &TargetMethod,
        mentioned: &[(Name, String)],
    ) -> Result<TestEntry, TranslateError> {
        let method = self.entry(target)?;
        let has = |entry: &TestEntry, (class, field): &(Name, String)| {
            let mut statics = entry.statics.iter();
            statics.any(|known| known.class == *class && known.field == *field)
        };
        if let Some(known) = self.entries.get(&method)
            && mentioned.iter().all(|field| has(known, field))
        {
            return Ok(known.clone());
        }
        let fail = |error| TranslateError {
            place: place(&target.declared),
            problem: Box::new(Trouble::Link(error)),
        };
        let reach = self.static_reach(target);
        let mut fields = reach.open;
        self.add_mentioned(&mut fields, mentioned);
        let mut types = parameter_types(&target.declared);
        // A subclass may have inherited the method.
        let is_static = target.declared.method.access.is_static();
        types.extend((!is_static).then(|| target.class.ty()));
        types.extend(fields.iter().map(|(_, field)| field.ty.clone()));
        let has_enum = types.iter().any(|ty| self.as_enum(ty).is_some());
        let enums = self.complete_inputs(types.clone());
        let mut roots = reach.finals;
        for found in types.iter().chain(&enums).filter_map(|ty| self.as_enum(ty)) {
            for constant in found.constants {
                let is_new = |(class, field): &(Arc<Class>, Arc<Field>)| {
                    class.name != found.class.name || field.name != constant.name
                };
                if self.is_user_class(&found.class.name) && roots.iter().all(is_new) {
                    roots.push((found.class.clone(), constant));
                }
            }
        }
        // What is behind a field that is an input itself belongs to the input.
        roots.retain(|(class, field)| {
            let is_same = |(known, input): &DeclaredStatic| {
                known.name == class.name && input.name == field.name
            };
            !fields.iter().any(is_same)
        });
        let places = self.static_places(&roots, &reach.mentioned);
        let is_plain = fields.is_empty() && places.is_empty() && !has_enum && enums.is_empty();
        let entry = match is_plain {
            true => TestEntry {
                function: method,
                method,
                statics: Vec::new(),
                enums: Vec::new(),
                narrowed: Vec::new(),
            },
            false => {
                (self.wrapper(target, method, (&fields[..], &places[..]), &enums)).map_err(fail)?
            }
        };
        let narrowed = self.narrowed_parameters(&target.declared);
        let entry = TestEntry { narrowed, ..entry };
        self.refresh_interning();
        self.entries.insert(method, entry.clone());
        Ok(entry)
    }

    /// The static fields that a method depends on, sorted by class, in the order of declaration.
    pub(super) fn static_inputs(&self, target: &TargetMethod) -> Vec<(Arc<Class>, Arc<Field>)> {
        self.static_reach(target).open
    }

    /// The static final fields with references that a method depends on, in the same order.
    pub(super) fn static_finals(&self, target: &TargetMethod) -> Vec<(Arc<Class>, Arc<Field>)> {
        self.static_reach(target).finals
    }

    fn static_reach(&self, target: &TargetMethod) -> Reach {
        let home = package_of(&target.declared.class.name);
        let mut reach = Reach::default();
        let mut found = BTreeSet::new();
        let mut finals = BTreeSet::new();
        let mut seen = FxHashSet::default();
        let mut waiting = vec![target.declared.clone()];
        while let Some(method) = waiting.pop() {
            let key = (method.class.name.clone(), super::method_key(&method.method));
            if seen.len() >= MOST_METHODS || !seen.insert(key) {
                continue;
            }
            let Some(code) = &method.method.code else {
                continue;
            };
            for (_, instruction) in &code.instructions {
                match instruction {
                    Instruction::GetStatic(field) | Instruction::PutStatic(field) => {
                        found.extend(self.static_input(field));
                        finals.extend(self.static_final(field));
                    }
                    Instruction::GetField(field) | Instruction::PutField(field) => {
                        reach.mentioned.insert(field.name.clone());
                    }
                    Instruction::Invoke(_, callee) => waiting.extend(self.in_package(callee, home)),
                    Instruction::InvokeDynamic(call) => {
                        for argument in &call.bootstrap.arguments {
                            if let crate::classfile::Constant::MethodHandle(handle) = argument {
                                let callee = called_by(handle);
                                let callee =
                                    callee.and_then(|callee| self.in_package(callee, home));
                                waiting.extend(callee);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        reach.open = self.fields_at(found);
        reach.finals = self.fields_at(finals);
        reach
    }

    fn fields_at(&self, found: BTreeSet<(Name, usize)>) -> Vec<(Arc<Class>, Arc<Field>)> {
        let fields = found.into_iter().filter_map(|(class, index)| {
            let class = self.path.load(&class).ok()?;
            let field = class.fields.get(index).cloned()?;
            // A class that cannot be initialised has no fields that could be set.
            let is_usable = self.initialiser_failure(&class).is_none();
            is_usable.then_some((class, field))
        });
        fields.collect()
    }

    /// The class of a static final field with a reference, and its number.
    fn static_final(&self, reference: &FieldReference) -> Option<(Name, usize)> {
        if !reference.ty.is_reference() {
            return None;
        }
        let declared = self.with_hierarchy(|hierarchy| hierarchy.resolve_field(reference));
        let declared = declared.ok()?;
        let access = declared.field.access;
        let is_wanted = access.is_static() && access.is_final() && !access.is_synthetic();
        if !is_wanted || !self.is_user_class(&declared.class.name) {
            return None;
        }
        let mut fields = declared.class.fields.iter();
        let index = fields.position(|field| field.name == declared.field.name)?;
        Some((declared.class.name.clone(), index))
    }

    /// The class of a static field and its number, if it is to be an input.
    fn static_input(&self, reference: &FieldReference) -> Option<(Name, usize)> {
        let declared = self.with_hierarchy(|hierarchy| hierarchy.resolve_field(reference));
        let declared = declared.ok()?;
        let access = declared.field.access;
        let is_open = access.is_static() && !access.is_final() && !access.is_synthetic();
        if !is_open
            || !self.can_be_set(&declared.field.ty)
            || !self.is_user_class(&declared.class.name)
        {
            return None;
        }
        let mut fields = declared.class.fields.iter();
        let index = fields.position(|field| field.name == declared.field.name)?;
        Some((declared.class.name.clone(), index))
    }

    /// Whether a test can give a static field of a type a value.
    fn can_be_set(&self, ty: &Type) -> bool {
        // A function that the initialiser gave is better than one that always returns the same.
        let is_more = |candidate: &Type| match candidate {
            Type::Class(name) => self.implemented(name).is_none(),
            _ => true,
        };
        !ty.is_reference()
            || self.candidates(ty).0.iter().any(is_more)
            || self.as_enum(ty).is_some()
    }

    /// Why a contract cannot say anything about a static field, as the end of a sentence; none if
    /// it can.
    pub(crate) fn objection_to_static_input(
        &self,
        class: &Class,
        field: &Field,
    ) -> Option<&'static str> {
        if field.access.is_final() {
            return Some("is final, and its value is not known when the code is compiled");
        }
        if !self.is_user_class(&class.name) {
            return Some("belongs to a class that is not under test");
        }
        if self.as_enum(&field.ty).is_some() {
            return Some("is a constant of an enum, which formulas do not describe");
        }
        (!self.can_be_set(&field.ty)).then_some("is of a type that tests cannot make objects of")
    }

    /// Adds the static fields that a contract mentions to those that a method depends on.
    fn add_mentioned(
        &self,
        fields: &mut Vec<(Arc<Class>, Arc<Field>)>,
        mentioned: &[(Name, String)],
    ) {
        for (class, name) in mentioned {
            let mut known = fields.iter();
            if known.any(|(known, field)| known.name == *class && *field.name == **name) {
                continue;
            }
            let Ok(class) = self.path.load(class) else {
                continue;
            };
            let mut declared = class.fields.iter();
            let field = declared.find(|field| *field.name == **name).cloned();
            fields.extend(field.map(|field| (Arc::clone(&class), field)));
        }
    }

    /// The method that a call in a package means, if it is one of the same package.
    fn in_package(&self, callee: &MethodReference, home: &str) -> Option<DeclaredMethod> {
        let resolved = self.with_hierarchy(|hierarchy| hierarchy.resolve_method(callee));
        let resolved = resolved.ok()?;
        (package_of(&resolved.class.name) == home).then_some(resolved)
    }

    fn wrapper(
        &mut self,
        target: &TargetMethod,
        method: FunctionId,
        (fields, places): (&[DeclaredStatic], &[StaticPlace]),
        constants: &[Type],
    ) -> Result<TestEntry, LinkError> {
        let own = self.program.function(method);
        let (name, result) = (format!("<entry> {}", own.name), own.result);
        let own: Vec<_> = (own.registers.iter().take(own.params as usize))
            .cloned()
            .collect();
        let mut types = parameter_types(&target.declared);
        types.extend(fields.iter().map(|(_, field)| field.ty.clone()));
        types.extend(places.iter().map(|place| place.ty.clone()));
        let enums: Vec<_> = types.iter().map(|ty| self.as_enum(ty)).collect();
        let mut sorts = Vec::new();
        for (ty, found) in types.iter().zip(&enums) {
            sorts.push(match found {
                Some(_) => Sort::Machine(IntType::I32),
                None => self.sort(ty),
            });
        }
        let mut builder = Builder::new(name, &sorts, result);
        for (register, parameter) in (0..).zip(&own) {
            builder.name(Reg(register), parameter.name.clone());
        }
        let declaring = [&target.declared.class];
        let mut within = Vec::new();
        for ty in constants {
            within.extend(self.as_enum(ty));
        }
        let enum_classes = enums.iter().flatten().chain(&within);
        let enum_classes = enum_classes.map(|found| &found.class);
        let classes = declaring
            .into_iter()
            .chain(fields.iter().map(|(class, _)| class))
            .chain(places.iter().map(|place| &place.class))
            .chain(enum_classes);
        let mut guards = Vec::new();
        for class in classes {
            let guard = self.guard(class)?;
            guards.extend(guard.filter(|guard| !guards.contains(guard)));
        }
        for guard in guards {
            builder.emit(Operation::Call {
                to: None,
                callee: Callee::Static(guard),
                args: Vec::new(),
            });
        }
        let mut values = Vec::new();
        for (parameter, found) in enums.iter().enumerate() {
            let is_receiver = parameter == 0 && !target.declared.method.access.is_static();
            values.push(match found {
                Some(found) => self.choose_constant(&mut builder, found, parameter, is_receiver)?,
                None => Operand::Register(Reg(parameter as u32)),
            });
        }
        let (args, set) = values.split_at(own.len().min(values.len()));
        let mut statics: Vec<StaticInput> = Vec::new();
        for ((parameter, (class, field)), &value) in (own.len()..).zip(fields).zip(set) {
            let found = self.static_field(&FieldReference {
                class: class.name.clone(),
                name: field.name.clone(),
                ty: field.ty.clone(),
            })?;
            let register = Reg(parameter as u32);
            let shown = shown_name(fields, class, field);
            builder.name(register, Some(shown.clone()));
            builder.emit(Operation::Store {
                object: Operand::Global(found.statics.global),
                class: found.statics.class,
                field: found.field,
                value,
            });
            statics.push(StaticInput {
                class: class.name.clone(),
                field: field.name.to_string(),
                name: shown,
                ty: field.ty.clone(),
                parameter,
                global: found.statics.global,
                position: found.field,
                path: Vec::new(),
                slots: Vec::new(),
            });
        }
        let set = set.get(fields.len()..).unwrap_or_default();
        for ((parameter, place), &value) in (own.len() + fields.len()..).zip(places).zip(set) {
            let found = self.static_field(&FieldReference {
                class: place.class.name.clone(),
                name: place.field.name.clone(),
                ty: place.field.ty.clone(),
            })?;
            let suffix = format!("{}{}", place.field.name, place.suffix());
            let short = format!("{}.{suffix}", place.class.simple_name());
            let name = match statics.iter().any(|known| known.name == short) {
                true => format!("{}.{suffix}", place.class.name),
                false => short,
            };
            builder.name(Reg(parameter as u32), Some(name.clone()));
            self.store_place(&mut builder, place, value)?;
            statics.push(StaticInput {
                class: place.class.name.clone(),
                field: place.field.name.to_string(),
                name,
                ty: place.ty.clone(),
                parameter,
                global: found.statics.global,
                position: found.field,
                path: place.path.clone(),
                slots: place.slots(),
            });
        }
        let to = result.map(|sort| builder.register(sort));
        builder.emit(Operation::Call {
            to,
            callee: self.callee(target, method, enums.first().and_then(Option::as_ref)),
            args: args.to_vec(),
        });
        builder.end(Terminator::Return(to.map(Operand::Register)));
        let function = self.add_function(builder.finish());
        Ok(TestEntry {
            function,
            method,
            statics,
            enums: (0..)
                .zip(&enums)
                .filter_map(|(parameter, found)| Some(found.as_ref()?.input(parameter)))
                .collect(),
            narrowed: Vec::new(),
        })
    }

    /// Who is called: a constant of an enum may have a method of its own instead.
    fn callee(&self, target: &TargetMethod, method: FunctionId, first: Option<&Enum>) -> Callee {
        let declared = &target.declared.method;
        let is_fixed = declared.access.is_static() || declared.access.is_private();
        match first {
            Some(_) if !is_fixed => Callee::Virtual(super::method_key(declared)),
            _ => Callee::Static(method),
        }
    }
}

/// `Class.field`, unless fields of several classes would be called that.
fn shown_name(fields: &[(Arc<Class>, Arc<Field>)], class: &Class, field: &Field) -> String {
    let name = |class: &Class, field: &Field| format!("{}.{}", class.simple_name(), field.name);
    let short = name(class, field);
    let mut same = fields
        .iter()
        .filter(|(class, field)| name(class, field) == short);
    match same.nth(1) {
        None => short,
        Some(_) => format!("{}.{}", class.name, field.name),
    }
}

/// The types of the parameters of a method, the receiver included.
pub(super) fn parameter_types(declared: &DeclaredMethod) -> Vec<Type> {
    let receiver = (!declared.method.access.is_static()).then(|| declared.class.ty());
    let parameters = declared.method.descriptor.parameters.iter().cloned();
    receiver.into_iter().chain(parameters).collect()
}

/// The method that a method handle calls.
pub(super) fn called_by(handle: &MethodHandle) -> Option<&MethodReference> {
    match handle {
        MethodHandle::InvokeStatic(method)
        | MethodHandle::InvokeVirtual(method)
        | MethodHandle::InvokeInterface(method)
        | MethodHandle::InvokeSpecial(method)
        | MethodHandle::NewInvokeSpecial(method) => Some(method),
        _ => None,
    }
}

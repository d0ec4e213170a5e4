//! What constructors do, as far as their bytecode makes it plain.
//!
//! A constructor is *plain* if it runs straight through, calls nothing but plain constructors, and
//! assigns parameters and constants to fields. Calling a plain constructor has no effect but
//! these assignments, so a test may use it and assign the remaining fields afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use heapwright_logic::Value;

use crate::classfile::{
    Class, Constant, FieldReference, Instruction, Invocation, Method, MethodReference,
    StackOperation,
};
use crate::descriptor::{Name, Primitive, Type};
use crate::hierarchy::{DeclaredField, Hierarchy, LinkError};
use crate::world::{OBJECT, STRING, THROWABLE};

/// How deep plain constructors call each other.
const DEEPEST: usize = 16;

/// Longer arrays are not followed.
const LONGEST_ARRAY: u32 = 64;

/// Classes whose objects are all alike after the constructor without parameters.
const ALIKE: [&str; 4] = [
    OBJECT,
    "java.util.LinkedList",
    "java.util.HashMap",
    "java.util.TreeMap",
];

/// A field: the class that declares it, and its name.
pub(super) type FieldKey = (Name, Name);

/// The key of a declared field.
pub(super) fn field_key(field: &DeclaredField) -> FieldKey {
    (field.class.name.clone(), field.field.name.clone())
}

/// What a plain constructor leaves in a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// One of its parameters.
    Parameter(usize),
    /// A number, a truth value or null.
    Constant(Value),
    /// The object itself.
    Itself,
    /// A new array of this many elements, which have their default values.
    Array(u32),
    /// A new object of a class whose objects are all alike when they are new.
    Fresh,
    /// Something else that is new, or something that depends on more than the parameters.
    Other,
}

/// What a plain constructor does.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// The fields that it assigns; the others have their default values.
    pub fields: BTreeMap<FieldKey, Source>,
    /// The parameters that must not be null.
    pub not_null: BTreeSet<usize>,
}

/// What is on the operand stack.
#[derive(Clone, PartialEq, Eq)]
enum Operand {
    This,
    Fresh(Name),
    Source(Source),
}

/// What a constructor does, if it is plain.
pub(super) fn effect(
    hierarchy: Hierarchy<'_>,
    class: &Arc<Class>,
    constructor: &Method,
) -> Result<Option<Effect>, LinkError> {
    effect_within(hierarchy, class, constructor, DEEPEST)
}

/// Whether a constructor accepts every value, and does nothing but assign its parameters.
pub(crate) fn accepts_all(
    hierarchy: Hierarchy<'_>,
    class: &Arc<Class>,
    constructor: &Method,
) -> bool {
    let effect = effect(hierarchy, class, constructor);
    effect.is_ok_and(|effect| effect.is_some_and(|effect| effect.not_null.is_empty()))
}

fn effect_within(
    hierarchy: Hierarchy<'_>,
    class: &Arc<Class>,
    constructor: &Method,
    depth: usize,
) -> Result<Option<Effect>, LinkError> {
    if *class.name == *OBJECT {
        return Ok(Some(Effect::default()));
    }
    if let Some(known) = jdk_effect(class, constructor) {
        return Ok(Some(known));
    }
    // Newer ones have code for profilers in errors, too.
    if matches!(&*class.name, THROWABLE | "java.lang.Error") {
        return Ok(throwable_effect(constructor));
    }
    let (Some(depth), Some(code)) = (depth.checked_sub(1), &constructor.code) else {
        return Ok(None);
    };
    if !code.handlers.is_empty() {
        return Ok(None);
    }
    let mut run = Run {
        hierarchy,
        class,
        parameters: parameter_slots(constructor),
        stack: Vec::new(),
        effect: Effect::default(),
        depth,
    };
    for (_, instruction) in &code.instructions {
        if matches!(instruction, Instruction::Return(None)) {
            return Ok(Some(run.effect));
        }
        if run.step(instruction)?.is_none() {
            return Ok(None);
        }
    }
    Ok(None)
}

/// The field of exceptions with their messages.
pub(crate) const DETAIL_MESSAGE: &str = "detailMessage";

/// Where the message of an exception comes from that a test can make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageSource {
    /// There is none.
    Nowhere,
    /// From a parameter of a constructor.
    Parameter,
}

/// What the constructors of a class of exceptions do about the message; nothing if tests can use
/// none of them.
pub(crate) fn message_source(
    hierarchy: Hierarchy<'_>,
    class: &Arc<Class>,
) -> Option<MessageSource> {
    let key = (Name::from(THROWABLE), Name::from(DETAIL_MESSAGE));
    let mut found = None;
    for method in class.methods.iter().filter(|method| is_usable(method)) {
        let effect = effect(hierarchy, class, method).ok().flatten();
        let Some(effect) = effect.filter(|effect| effect.not_null.is_empty()) else {
            continue;
        };
        match effect.fields.get(&key) {
            Some(Source::Parameter(_)) => return Some(MessageSource::Parameter),
            None => found = Some(MessageSource::Nowhere),
            Some(_) => {}
        }
    }
    found
}

/// Whether somebody in the package can call a constructor and need not expect exceptions.
fn is_usable(method: &Method) -> bool {
    let access = method.access;
    let is_visible = !access.is_private() && !access.is_synthetic();
    method.is_constructor() && is_visible && method.exceptions.is_empty()
}

/// The simplest constructors of exceptions. What they do besides is the same for every exception.
fn throwable_effect(constructor: &Method) -> Option<Effect> {
    let mut effect = Effect::default();
    match &constructor.descriptor.parameters[..] {
        [] => {}
        [message] if *message == Type::class(STRING) => {
            let key = (Name::from(THROWABLE), Name::from(DETAIL_MESSAGE));
            effect.fields.insert(key, Source::Parameter(0));
        }
        _ => return None,
    }
    Some(effect)
}

/// Constructors of the JDK that test what they are given, or have a constant of their class.
fn jdk_effect(class: &Class, constructor: &Method) -> Option<Effect> {
    let parameters = constructor.descriptor.parameters.len();
    let (field, source) = match (&*class.name, parameters) {
        ("java.util.ArrayList", 0) => ("elementData", Source::Array(0)),
        ("java.util.Vector", 0) => ("elementData", Source::Array(10)),
        ("java.util.PriorityQueue", 0) => ("queue", Source::Array(11)),
        ("java.util.EventObject", 1) => ("source", Source::Parameter(0)),
        _ => return None,
    };
    let declares = class.fields.iter().any(|known| &*known.name == field);
    declares.then(|| Effect {
        fields: BTreeMap::from([((class.name.clone(), field.into()), source)]),
        not_null: match source {
            Source::Parameter(index) => BTreeSet::from([index]),
            _ => BTreeSet::new(),
        },
    })
}

/// The slots in which the parameters are.
fn parameter_slots(constructor: &Method) -> BTreeMap<u16, usize> {
    let mut slot = 1u16;
    let mut slots = BTreeMap::new();
    for (index, ty) in constructor.descriptor.parameters.iter().enumerate() {
        slots.insert(slot, index);
        slot = slot.saturating_add(ty.slots());
    }
    slots
}

struct Run<'a> {
    hierarchy: Hierarchy<'a>,
    class: &'a Arc<Class>,
    parameters: BTreeMap<u16, usize>,
    stack: Vec<Operand>,
    effect: Effect,
    depth: usize,
}

impl Run<'_> {
    /// One instruction; nothing if it does more than plain constructors do.
    fn step(&mut self, instruction: &Instruction) -> Result<Option<()>, LinkError> {
        let done = match instruction {
            Instruction::Nop => Some(()),
            Instruction::Constant(constant) => self.push(constant_source(constant)),
            Instruction::Load(_, local) if local.0 == 0 => {
                self.stack.push(Operand::This);
                Some(())
            }
            Instruction::Load(_, local) => {
                let parameter = self.parameters.get(&local.0).copied();
                parameter.and_then(|index| self.push(Source::Parameter(index)))
            }
            Instruction::Stack(StackOperation::Dup) => {
                let top = self.stack.last().cloned();
                top.map(|top| self.stack.push(top))
            }
            Instruction::Stack(StackOperation::Pop) => self.stack.pop().map(|_| ()),
            Instruction::PutField(reference) => return self.put_field(reference),
            // The class is being initialised anyway, and a final field of it has its value.
            Instruction::GetStatic(reference) if reference.class == self.class.name => {
                let field = self.class.field(&reference.name, &reference.ty);
                field
                    .filter(|field| field.access.is_final())
                    .and_then(|_| self.push(Source::Other))
            }
            Instruction::NewArray(_) => match self.stack.pop() {
                Some(Operand::Source(Source::Constant(Value::Int(length)))) if length >= 0 => {
                    let length = u32::try_from(length).ok();
                    let length = length.filter(|length| *length <= LONGEST_ARRAY);
                    self.push(length.map_or(Source::Other, Source::Array))
                }
                _ => None,
            },
            Instruction::New(Type::Class(class)) => {
                self.stack.push(Operand::Fresh(class.clone()));
                Some(())
            }
            Instruction::Invoke(Invocation::Special, method) => return self.construct(method),
            Instruction::Invoke(Invocation::Static, method) if is_require_non_null(method) => {
                match self.stack.last() {
                    Some(Operand::Source(Source::Parameter(index))) => {
                        self.effect.not_null.insert(*index);
                        Some(())
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        Ok(done)
    }

    fn push(&mut self, source: Source) -> Option<()> {
        self.stack.push(Operand::Source(source));
        Some(())
    }

    fn put_field(&mut self, reference: &FieldReference) -> Result<Option<()>, LinkError> {
        let (Some(value), Some(Operand::This)) = (self.stack.pop(), self.stack.pop()) else {
            return Ok(None);
        };
        let field = self.hierarchy.resolve_field(reference)?;
        let source = match value {
            Operand::Source(source) => fit(source, &reference.ty),
            Operand::This => Source::Itself,
            Operand::Fresh(_) => Source::Other,
        };
        self.effect.fields.insert(field_key(&field), source);
        Ok(Some(()))
    }

    /// A call of a constructor: of the superclass or this class, or for a new object.
    fn construct(&mut self, method: &MethodReference) -> Result<Option<()>, LinkError> {
        let Type::Class(name) = &method.class else {
            return Ok(None);
        };
        let mut arguments = Vec::new();
        for _ in &method.descriptor.parameters {
            let Some(argument) = self.stack.pop() else {
                return Ok(None);
            };
            arguments.push(argument);
        }
        arguments.reverse();
        let receiver = self.stack.pop();
        let class = self.hierarchy.load(name)?;
        let Some(constructor) = class.method(&method.name, &method.descriptor) else {
            return Ok(None);
        };
        let Some(effect) = effect_within(self.hierarchy, &class, constructor, self.depth)? else {
            return Ok(None);
        };
        let given = |index: usize| match arguments.get(index) {
            Some(Operand::Source(source)) => *source,
            _ => Source::Other,
        };
        for index in effect.not_null {
            match given(index) {
                Source::Parameter(index) => self.effect.not_null.insert(index),
                _ => return Ok(None),
            };
        }
        match receiver {
            Some(Operand::This) => {
                for (field, source) in effect.fields {
                    let source = match source {
                        Source::Parameter(index) => given(index),
                        other => other,
                    };
                    self.effect.fields.insert(field, source);
                }
            }
            // A second reference to the new object is on the stack, unless nobody wants it.
            Some(Operand::Fresh(fresh)) => {
                if self.stack.last() == Some(&Operand::Fresh(fresh)) {
                    self.stack.pop();
                    let is_alike = ALIKE.contains(&&**name) && arguments.is_empty();
                    let source = if is_alike {
                        Source::Fresh
                    } else {
                        Source::Other
                    };
                    self.stack.push(Operand::Source(source));
                }
            }
            _ => return Ok(None),
        }
        Ok(Some(()))
    }
}

fn constant_source(constant: &Constant) -> Source {
    match constant {
        Constant::Null => Source::Constant(Value::Null),
        Constant::Int(value) => Source::Constant(Value::Int((*value).into())),
        Constant::Long(value) => Source::Constant(Value::Int((*value).into())),
        Constant::Float(bits) => Source::Constant(Value::Single(*bits)),
        Constant::Double(bits) => Source::Constant(Value::Double(*bits)),
        _ => Source::Other,
    }
}

/// Truth values are integers on the operand stack.
fn fit(source: Source, ty: &Type) -> Source {
    match (source, ty) {
        (Source::Constant(Value::Int(value)), Type::Primitive(Primitive::Boolean)) => {
            Source::Constant(Value::Bool(value != 0))
        }
        _ => source,
    }
}

/// Compilers test that the object around an inner one is there.
fn is_require_non_null(method: &MethodReference) -> bool {
    method.class == Type::class("java.util.Objects")
        && *method.name == *"requireNonNull"
        && method.descriptor.parameters.len() == 1
}

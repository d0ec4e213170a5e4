//! Which functions are code under test, as coverage tools count it.

use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{BlockId, FunctionId, Terminator};
use rustc_hash::{FxHashMap, FxHashSet};

use super::World;
use super::entries::called_by;
use crate::classfile::{
    Annotation, Class, Constant, Instruction, Kind, Local, Method, MethodHandle,
};
use crate::descriptor::{Name, Primitive, Type, package_of};
use crate::hierarchy::DeclaredMethod;
use crate::target::TargetMethod;

impl World {
    /// Whether a function is part of the code under test: of the same package for classes of the
    /// user, of the same outermost class for those of the JDK. What compilers made does not count,
    /// but for the bodies of lambda expressions.
    pub fn in_scope(&self, target: &TargetMethod, function: FunctionId) -> bool {
        let Some(declared) = self.methods.get(&function) else {
            return false;
        };
        let function = self.program.functions.get(function.index());
        if function.is_none_or(|function| function.synthetic) || is_generated(declared) {
            return false;
        }
        let (class, tested) = (&declared.class, &target.class);
        match (
            self.is_user_class(&class.name),
            self.is_user_class(&tested.name),
        ) {
            (true, true) => package_of(&class.name) == package_of(&tested.name),
            (false, false) => self.with_hierarchy(|hierarchy| {
                let outermost = (hierarchy.outermost(class), hierarchy.outermost(tested));
                matches!(outermost, (Ok(a), Ok(b)) if a.name == b.name)
            }),
            _ => false,
        }
    }

    /// The functions that only code of their own package calls, of those known so far: methods
    /// that are neither public nor protected, and that no lambda expression or method reference
    /// hands to somebody else.
    pub fn internal_functions(&self) -> FxHashSet<FunctionId> {
        let handed_out = self.handed_out();
        let internal = self.methods.iter().filter(|(_, declared)| {
            let (class, method) = (&declared.class, &declared.method);
            let known = handed_out.get(&class.name);
            let handed_out = known.is_some_and(|names| names.contains(&method.name));
            !method.access.is_public() && !method.access.is_protected() && !handed_out
        });
        internal.map(|(&id, _)| id).collect()
    }

    /// The names of the methods that method handles of the known classes refer to, by class.
    fn handed_out(&self) -> FxHashMap<Name, FxHashSet<Name>> {
        let mut found: FxHashMap<Name, FxHashSet<Name>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for declared in self.methods.values() {
            if !seen.insert(&declared.class.name) {
                continue;
            }
            let mut known = self.known_handles.borrow_mut();
            let handles = known.entry(declared.class.name.clone());
            let handles = handles.or_insert_with(|| handed_out_by(&declared.class).into());
            for (class, method) in handles.iter() {
                found
                    .entry(class.clone())
                    .or_default()
                    .insert(method.clone());
            }
        }
        found
    }

    /// The edges of a function that JaCoCo does not count.
    pub fn ignored_edges(&self, function: FunctionId) -> Vec<Edge> {
        let filtered = self.jacoco_filtered(function);
        let Some(code) = self.program.functions.get(function.index()) else {
            return Vec::new();
        };
        let edge = |block, successor| Edge {
            function,
            block,
            successor: Successor::Jump(successor),
        };
        let mut edges = Vec::new();
        for (block, known) in (0..).map(BlockId).zip(&code.blocks) {
            let count = match &known.terminator {
                Terminator::Branch { .. } => 2,
                Terminator::Switch { cases, .. } => cases.len() as u32 + 1,
                _ => 0,
            };
            if filtered.jumps.contains(&block) {
                edges.extend((0..count).map(|successor| edge(block, successor)));
            } else if filtered.defaults.contains(&block) && count > 0 {
                edges.push(edge(block, count - 1));
            }
        }
        edges
    }
}

/// The methods that method handles of a class refer to, with their classes.
fn handed_out_by(class: &Class) -> Vec<(Name, Name)> {
    let codes = (class.methods.iter()).filter_map(|method| method.code.as_ref());
    let mut found = Vec::new();
    for (_, instruction) in codes.flat_map(|code| &code.instructions) {
        let Instruction::InvokeDynamic(call) = instruction else {
            continue;
        };
        for argument in &call.bootstrap.arguments {
            if let Constant::MethodHandle(handle) = argument
                && let Some(method) = called_by(handle)
                && let Type::Class(class) = &method.class
            {
                found.push((class.clone(), method.name.clone()));
            }
        }
    }
    found
}

/// Whether a method has no source of its own: JaCoCo leaves the same ones out.
pub(super) fn is_generated(declared: &DeclaredMethod) -> bool {
    let (class, method) = (&declared.class, &declared.method);
    let is_lambda = method.name.starts_with("lambda$");
    class.access.is_synthetic()
        || method.access.is_synthetic() && !is_lambda
        || is_marked(&class.annotations)
        || is_marked(&method.annotations)
        || is_enum_method(class, method)
        || is_record_method(class, method)
        || is_empty_constructor(class, method)
}

/// Annotations such as Lombok's `Generated`.
fn is_marked(annotations: &[Annotation]) -> bool {
    annotations.iter().any(|annotation| {
        let name = annotation.ty.to_string();
        let simple = name.rsplit(['.', '$']).next();
        simple.is_some_and(|simple| simple.contains("Generated"))
    })
}

/// `values` and `valueOf` of an enum.
pub(super) fn is_enum_method(class: &Class, method: &Method) -> bool {
    let parameters = method.descriptor.parameters.as_slice();
    let result = method.descriptor.result.as_ref();
    class.access.is_enum()
        && match &*method.name {
            "values" => parameters.is_empty() && result == Some(&class.ty().array_of()),
            "valueOf" => parameters == [Type::class(super::STRING)] && result == Some(&class.ty()),
            _ => false,
        }
}

/// What a record has without anybody writing it: accessors that only read their field, and methods
/// that are left to `ObjectMethods`.
fn is_record_method(class: &Class, method: &Method) -> bool {
    if class.record.is_none() {
        return false;
    }
    let instructions = method.code.as_ref().map(|code| code.instructions.iter());
    let instructions: Vec<_> = (instructions.into_iter().flatten())
        .map(|(_, instruction)| instruction)
        .collect();
    let this = &Instruction::Load(Kind::Reference, Local(0));
    let is_left = |call: &crate::classfile::DynamicCall| match &*call.bootstrap.method {
        MethodHandle::InvokeStatic(bootstrap) => {
            bootstrap.class == Type::class("java.lang.runtime.ObjectMethods")
                && call.name == method.name
        }
        _ => false,
    };
    match instructions.as_slice() {
        [
            first,
            Instruction::GetField(field),
            Instruction::Return(Some(_)),
        ] => *first == this && field.name == method.name,
        [
            first,
            Instruction::InvokeDynamic(call),
            Instruction::Return(_),
        ] => *first == this && is_left(call),
        [
            first,
            Instruction::Load(..),
            Instruction::InvokeDynamic(call),
            Instruction::Return(_),
        ] => *first == this && is_left(call),
        _ => false,
    }
}

/// A private constructor that only calls that of the superclass: of an enum, or of a class that is
/// not meant to have objects.
fn is_empty_constructor(class: &Class, method: &Method) -> bool {
    let for_enum = [Type::class(super::STRING), Type::Primitive(Primitive::Int)];
    let parameters = method.descriptor.parameters.as_slice();
    let expected: &[Type] = match class.access.is_enum() {
        true => &for_enum,
        false => &[],
    };
    let instructions = method
        .code
        .as_ref()
        .map_or(0, |code| code.instructions.len());
    method.is_constructor()
        && method.access.is_private()
        && parameters == expected
        && instructions == 3 + expected.len()
}

//! What inputs consist of: of which classes the objects behind a reference are, and what holds of
//! their fields.
//!
//! The world of inputs is closed over the code under test: the subclasses of a class of the user
//! are those in its own package and in that of the method to be tested, and those that the code
//! under test casts to or asks for. Nothing else counts, in particular not what happens to be
//! loaded, so that the rules of a program do not change while it is explored. Where a method of the
//! JDK is tested, the classes nested in the same outermost class count as the user's.
//!
//! References to classes of the JDK are open: a few usual classes stand for all that fit, and
//! nothing is ever proved about them. Only such classes are taken whose objects make sense with
//! the fields that the rules leave: values, and empty collections. What no class stands for
//! (functions, streams, threads) has no candidates, so such a reference is null.
//!
//! Constants of enums are objects of the program, not of the input. They are no candidates.

use std::sync::Arc;

use heapwright_ir::{Candidates, Constant, Content, FieldRule, InputRules};
use heapwright_logic::{ClassId, Sort};
use rustc_hash::FxHashSet;

use super::native_bodies::default;
use super::scope::is_enum_method;
use super::{OBJECT, STRING, World};
use crate::classfile::{Class, Instruction};
use crate::descriptor::{Name, Type, package_of};
use crate::hierarchy::LinkError;
use crate::target::TargetMethod;

/// What stands for the usual classes of the JDK.
const USUAL: [(&str, &[&str]); 14] = [
    (OBJECT, &[OBJECT, "java.lang.Integer", STRING]),
    ("java.lang.Comparable", &["java.lang.Integer", STRING]),
    (
        "java.lang.Number",
        &["java.lang.Integer", "java.lang.Long", "java.lang.Double"],
    ),
    ("java.lang.CharSequence", &[STRING]),
    ("java.io.Serializable", &["java.lang.Integer", STRING]),
    ("java.lang.Iterable", &["java.util.LinkedList"]),
    ("java.util.Collection", &["java.util.LinkedList"]),
    ("java.util.List", &["java.util.LinkedList"]),
    ("java.util.Queue", &["java.util.LinkedList"]),
    ("java.util.Deque", &["java.util.LinkedList"]),
    ("java.util.Map", &["java.util.HashMap", "java.util.TreeMap"]),
    ("java.util.SortedMap", &["java.util.TreeMap"]),
    ("java.util.Set", &["java.util.HashSet"]),
    ("java.util.HashSet", &["java.util.HashSet"]),
];

/// Classes of the JDK whose fields may have any value.
const VALUES: [&str; 13] = [
    "java.lang.Boolean",
    "java.lang.Byte",
    "java.lang.Character",
    "java.lang.Short",
    "java.lang.Integer",
    "java.lang.Long",
    "java.lang.Float",
    "java.lang.Double",
    "java.util.UUID",
    "java.util.concurrent.atomic.AtomicInteger",
    "java.util.concurrent.atomic.AtomicLong",
    "java.util.concurrent.atomic.AtomicReference",
    "java.util.AbstractMap$SimpleEntry",
];

/// Collections of the JDK whose default fields make an empty one.
const EMPTY: [&str; 3] = [
    "java.util.LinkedList",
    "java.util.HashMap",
    "java.util.TreeMap",
];

/// The code under test, as far as the rules for inputs depend on it.
#[derive(Debug, Default)]
pub(super) struct CodeUnderTest {
    /// The classes in the packages of tested classes of the user, and those nested in tested
    /// classes of the JDK.
    members: Vec<Name>,
    /// What the code casts to or asks for.
    mentioned: Vec<Type>,
}

impl World {
    /// The rules for inputs of the methods that [`World::entry`] was asked for. Every class that
    /// the program mentions has its candidates; those that no input reaches may have none.
    pub fn input_rules(&self) -> InputRules {
        let mut rules = InputRules::default();
        for (ty, &id) in &self.classes {
            let (types, mut complete) = self.candidates(ty);
            let mut classes = Vec::new();
            for candidate in &types {
                match self.classes.get(candidate) {
                    Some(id) if self.completed.contains(id) => classes.push(*id),
                    _ => complete = false,
                }
            }
            rules
                .candidates
                .insert(id, Candidates { classes, complete });
            let fields = match self.completed.contains(&id) {
                true => self.field_rules(id, ty),
                false => Vec::new(),
            };
            if !fields.is_empty() {
                rules.fields.insert(id, fields);
            }
        }
        rules
    }

    /// Notes that a method is to be tested.
    pub(super) fn note_code_under_test(&mut self, target: &TargetMethod) -> Result<(), LinkError> {
        for class in [&target.class, &target.declared.class] {
            let outermost = self.with_hierarchy(|hierarchy| hierarchy.outermost(class))?;
            let family = self.nested_classes(&outermost);
            let members = match self.is_user_class(&outermost.name) {
                true => self.path.package(outermost.package())?,
                false => family.iter().map(|class| class.name.clone()).collect(),
            };
            for name in members {
                if !self.tested.members.contains(&name) {
                    self.tested.members.push(name);
                }
            }
            for ty in family.iter().flat_map(|class| mentioned_types(class)) {
                if !self.tested.mentioned.contains(&ty) {
                    self.tested.mentioned.push(ty);
                }
            }
        }
        Ok(())
    }

    /// A class and all that are nested in it, however deep, sorted.
    fn nested_classes(&self, outermost: &Arc<Class>) -> Vec<Arc<Class>> {
        let mut found = vec![outermost.clone()];
        let mut next = 0;
        while let Some(class) = found.get(next).cloned() {
            next += 1;
            for inner in &class.inner_classes {
                let is_new = found.iter().all(|known| known.name != inner.name);
                if is_new
                    && is_nested_in(&inner.name, &outermost.name)
                    && let Ok(class) = self.path.load(&inner.name)
                {
                    found.push(class);
                }
            }
        }
        found.sort_by(|a, b| a.name.cmp(&b.name));
        found
    }

    /// Completes the classes of all objects that inputs of some types can consist of.
    pub(super) fn complete_inputs(&mut self, types: Vec<Type>) -> Result<(), LinkError> {
        let mut seen: FxHashSet<Type> = FxHashSet::default();
        let mut waiting = types;
        while let Some(ty) = waiting.pop() {
            if !ty.is_reference() || !seen.insert(ty.clone()) {
                continue;
            }
            self.declare(&ty);
            if let Type::Array(element) = &ty {
                waiting.push((**element).clone());
            }
            for candidate in self.candidates(&ty).0 {
                let Ok(id) = self.complete(&candidate) else {
                    continue;
                };
                let fixed = self.field_rules(id, &candidate);
                let fields = self.program.definitions.class(id).fields.iter().zip(0..);
                for (field, position) in fields {
                    let is_fixed = fixed.iter().any(|rule| {
                        rule.field == position && matches!(rule.content, Content::Constant(_))
                    });
                    if let (Sort::Ref(class), false) = (field.sort, is_fixed) {
                        waiting.extend(self.types.get(&class).cloned());
                    }
                }
                waiting.push(candidate);
            }
        }
        Ok(())
    }

    /// Whether a class comes from the class path and not from the JDK.
    pub(crate) fn is_user_class(&self, name: &str) -> bool {
        !matches!(self.path.jdk().contains(name), Ok(true))
    }

    /// Whether a class is one whose objects inputs may have any form of.
    fn is_own_class(&self, name: &str) -> bool {
        (self.tested.members.iter()).any(|member| &**member == name) || self.is_user_class(name)
    }

    /// The types of objects behind a reference of a type, and whether these are all.
    pub(super) fn candidates(&self, ty: &Type) -> (Vec<Type>, bool) {
        let name = match ty {
            Type::Class(name) => name,
            Type::Array(element) => {
                let closed = match &**element {
                    Type::Primitive(_) => true,
                    element => self.candidates(element) == (vec![element.clone()], true),
                };
                return (vec![ty.clone()], closed);
            }
            Type::Primitive(_) => return (Vec::new(), true),
        };
        match self.is_own_class(name) {
            true => self.own_candidates(name),
            false => (self.usual_candidates(name), is_final_value(name)),
        }
    }

    /// A class of the user: itself and its subclasses.
    fn own_candidates(&self, name: &Name) -> (Vec<Type>, bool) {
        let mut names = vec![name.clone()];
        if self.is_user_class(name) {
            names.extend(self.path.package(package_of(name)).unwrap_or_default());
        }
        names.extend(self.tested.members.iter().cloned());
        names.extend(self.mentioned_classes().cloned());
        let (mut found, mut complete) = (Vec::new(), true);
        for candidate in names {
            let is_below = self.with_hierarchy(|h| h.is_subclass(&candidate, name));
            if !matches!(is_below, Ok(true)) {
                continue;
            }
            let Ok(class) = self.path.load(&candidate) else {
                continue;
            };
            if class.access.is_abstract() || class.access.is_interface() {
                continue;
            }
            match self.can_be_input(&class) {
                true if found.contains(&class.ty()) => {}
                true => found.push(class.ty()),
                false => complete = false,
            }
        }
        let is_enum = self
            .path
            .load(name)
            .is_ok_and(|class| class.access.is_enum());
        let complete = complete && !is_enum && !found.is_empty();
        (found, complete)
    }

    /// A class of the JDK: the usual ones, and what the code under test asks for.
    fn usual_candidates(&self, name: &Name) -> Vec<Type> {
        let row = USUAL.iter().find(|row| row.0 == &**name);
        let mut found: Vec<Type> = match row {
            Some((_, usual)) => usual.iter().map(|usual| Type::class(usual)).collect(),
            None if is_value(name) => vec![Type::Class(name.clone())],
            None => Vec::new(),
        };
        let ancestor = Type::Class(name.clone());
        for ty in &self.tested.mentioned {
            let fits = self.with_hierarchy(|hierarchy| hierarchy.is_subtype(ty, &ancestor));
            let fits = matches!(fits, Ok(true)) && !found.contains(ty);
            let possible = match ty {
                Type::Class(name) if self.is_own_class(name) => {
                    let class = self.path.load(name);
                    class.is_ok_and(|class| {
                        !class.access.is_abstract()
                            && !class.access.is_interface()
                            && self.can_be_input(&class)
                    })
                }
                Type::Class(name) => is_value(name),
                _ => true,
            };
            if fits && possible {
                found.push(ty.clone());
            }
        }
        found
    }

    fn mentioned_classes(&self) -> impl Iterator<Item = &Name> {
        self.tested.mentioned.iter().filter_map(|ty| match ty {
            Type::Class(name) => Some(name),
            _ => None,
        })
    }

    /// Whether objects of a class make sense with any fields, and tests can make them: no constants
    /// of enums, exceptions, lambda expressions, anonymous and local classes, and no subclasses of
    /// classes of the JDK that have fields.
    fn can_be_input(&self, class: &Arc<Class>) -> bool {
        let Ok(chain) = self.with_hierarchy(|hierarchy| hierarchy.superclasses(class)) else {
            return false;
        };
        let is_own = self.is_own_class(&class.name);
        let home = |above: &Class| self.is_own_class(&above.name);
        let is_tested = !self.is_user_class(&class.name);
        is_own
            && class.enclosing_method.is_none()
            && !class.access.is_synthetic()
            && chain.iter().all(|above| {
                let has_fields = above.fields.iter().any(|field| !field.access.is_static());
                let is_special = matches!(&*above.name, "java.lang.Enum" | "java.lang.Throwable");
                !is_special && (home(above) || is_tested || !has_fields)
            })
    }

    /// What holds of the fields of input objects of a class.
    fn field_rules(&self, id: ClassId, ty: &Type) -> Vec<FieldRule> {
        let Type::Class(name) = ty else {
            return Vec::new();
        };
        let fields = &self.program.definitions.class(id).fields;
        let fields = (0..).zip(fields.iter());
        if self.is_own_class(name) {
            return self
                .own_field_rules(name, fields.map(|(position, field)| (position, field.sort)));
        }
        let rule = |field: u32, name: &str, sort: Sort| {
            let content = match name {
                "value" => Content::Owned,
                _ => Content::Constant(default(sort)),
            };
            FieldRule { field, content }
        };
        match &**name {
            // One byte per character, and no hash code computed yet.
            STRING => (fields.map(|(at, field)| rule(at, &field.name, field.sort))).collect(),
            "java.util.HashSet" => fields
                .map(|(field, _)| FieldRule {
                    field,
                    content: Content::Present,
                })
                .collect(),
            name if EMPTY.contains(&name) => fields
                .map(|(at, field)| match &*field.name {
                    // What the constructor without parameters sets.
                    "loadFactor" => FieldRule {
                        field: at,
                        content: Content::Constant(Constant::Single(0.75_f32.to_bits())),
                    },
                    _ => FieldRule {
                        field: at,
                        content: Content::Constant(default(field.sort)),
                    },
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Inner classes have an object around them; what a tested class of the JDK inherits from
    /// others has its default value.
    fn own_field_rules(
        &self,
        name: &Name,
        sorts: impl Iterator<Item = (u32, Sort)>,
    ) -> Vec<FieldRule> {
        let declared = self.path.load(name).map_err(LinkError::from);
        let declared = declared
            .and_then(|class| self.with_hierarchy(|hierarchy| hierarchy.instance_fields(&class)));
        let mut rules = Vec::new();
        for ((position, sort), declared) in sorts.zip(declared.unwrap_or_default()) {
            let content = if declared.field.access.is_synthetic()
                && declared.field.name.starts_with("this$")
            {
                Content::Present
            } else if !self.is_own_class(&declared.class.name) {
                Content::Constant(default(sort))
            } else {
                continue;
            };
            rules.push(FieldRule {
                field: position,
                content,
            });
        }
        rules
    }
}

/// Whether a class of the JDK has objects that make sense with what the rules leave open.
fn is_value(name: &str) -> bool {
    name == STRING
        || name == OBJECT
        || VALUES.contains(&name)
        || EMPTY.contains(&name)
        || name == "java.util.HashSet"
}

/// Whether a class of the JDK has no subclasses, and its objects are all there.
fn is_final_value(name: &str) -> bool {
    VALUES.iter().take(9).any(|value| *value == name)
}

fn is_nested_in(name: &str, outermost: &str) -> bool {
    let rest = name.strip_prefix(outermost);
    rest.is_some_and(|rest| rest.starts_with('$'))
}

/// What the code of a class casts to, asks for with `instanceof`, or compares with in a pattern.
fn mentioned_types(class: &Class) -> Vec<Type> {
    use crate::classfile::Constant as Java;
    let written = (class.methods.iter()).filter(|method| !is_enum_method(class, method));
    let bodies = written.filter_map(|method| method.code.as_ref());
    let instructions = bodies.flat_map(|code| &code.instructions);
    let mut found = Vec::new();
    for (_, instruction) in instructions {
        match instruction {
            Instruction::CheckCast(ty) | Instruction::InstanceOf(ty) => found.push(ty.clone()),
            Instruction::InvokeDynamic(call) => {
                let arguments = call.bootstrap.arguments.iter();
                found.extend(arguments.filter_map(|argument| match argument {
                    Java::Class(ty) => Some(ty.clone()),
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    found.retain(Type::is_reference);
    found
}

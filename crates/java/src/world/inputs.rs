//! What inputs consist of: of which classes the objects behind a reference are, and what holds of
//! their fields.
//!
//! This module has the rules; `input_classes` and `input_fields` have what they say, and
//! `code_under_test` has what they depend on. The world of inputs is closed over the code under test: the subclasses of a class of the user
//! are those in its own package and in that of the method to be tested, and those that the code
//! under test casts to or asks for. Nothing else counts, in particular not what happens to be
//! loaded, so that the rules of a program do not change while it is explored. Where a method of the
//! JDK is tested, the classes nested in the same outermost class count as the user's.
//!
//! References to classes of the JDK are open: a few usual classes stand for all that fit, and
//! nothing is ever proved about them. Only such classes are taken whose objects make sense with
//! the fields that the rules leave: values, and empty collections. What no class stands for
//! (streams, threads) has no candidates, so such a reference is null. Exceptions are what a
//! constructor makes (see `exceptions`).
//!
//! A class of the user may extend one of the JDK: the fields of the latter are as its simplest
//! constructor leaves them (see `inherited`), and nothing is proved with such objects.
//!
//! Constants of enums are objects of the program, not of the input: see `enums`.

use heapwright_ir::{Candidates, Content, FieldRule, InputRules};
use heapwright_logic::Sort;
use rustc_hash::FxHashSet;

use super::World;
use super::input_fields::is_restricted;
use super::native_bodies::default;
use crate::descriptor::{Name, Type};

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
            if let Type::Class(name) = ty
                && let Some(Some(constants)) = self.enum_constants.get(name)
            {
                classes = constants.iter().map(|constant| constant.class).collect();
                complete = true;
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
            if is_value(ty) {
                rules.values.insert(id);
            }
            if self.is_extensible(ty) {
                rules.extensible.insert(id);
            }
            let is_inheriting = |name: &Name| {
                let class = self.path.load(name);
                class.is_ok_and(|class| self.inherited(&class).is_some())
            };
            let is_user = |name: &Name| self.is_user_class(name) && is_inheriting(name);
            if is_restricted(ty) || matches!(ty, Type::Class(name) if is_user(name)) {
                rules.restricted.insert(id);
            }
        }
        for known in &self.narrowed {
            let candidates = Candidates {
                classes: known.classes.clone(),
                complete: false,
            };
            rules.candidates.insert(known.id, candidates);
            rules.unchecked.insert(known.id);
        }
        rules.validators.extend(&self.validators);
        rules.shared = self.shared_state();
        for constant in self
            .enum_constants
            .values()
            .flatten()
            .flat_map(|all| all.iter())
        {
            let fields = self.program.definitions.class(constant.class).fields.iter();
            let empty = (0..).zip(fields).map(|(position, field)| FieldRule {
                field: position,
                content: Content::Constant(default(field.sort)),
            });
            rules.fields.insert(constant.class, empty.collect());
            rules.singletons.insert(constant.class, constant.global);
        }
        rules
    }

    /// Completes the classes of all objects that inputs of some types can consist of. The enums
    /// are given back whose constants can be among these objects.
    pub(super) fn complete_inputs(&mut self, types: Vec<Type>) -> Vec<Type> {
        let mut enums = Vec::new();
        let mut seen: FxHashSet<Type> = FxHashSet::default();
        let mut waiting = types;
        while let Some(ty) = waiting.pop() {
            if !ty.is_reference() || !seen.insert(ty.clone()) {
                continue;
            }
            self.declare(&ty);
            if self.constants_of(&ty).is_some() {
                enums.push(ty);
                continue;
            }
            if let Type::Array(element) = &ty {
                waiting.push((**element).clone());
            }
            for candidate in self.candidates(&ty).0 {
                let Ok(id) = self.complete(&candidate) else {
                    continue;
                };
                self.enter_validator(id, &candidate);
                let fixed = self.field_rules(id, &candidate);
                let fields = self.program.definitions.class(id).fields.iter().zip(0..);
                for (field, position) in fields {
                    let is_fixed = fixed.iter().any(|rule| {
                        rule.field == position
                            && matches!(rule.content, Content::Constant(_) | Content::Itself)
                    });
                    if let (Sort::Ref(class), false) = (field.sort, is_fixed) {
                        waiting.extend(self.types.get(&class).cloned());
                    }
                }
                waiting.push(candidate);
            }
        }
        enums
    }
}

/// Whether equal objects of a type are as good as the same.
fn is_value(ty: &Type) -> bool {
    const VALUES: [&str; 9] = [
        "java.lang.String",
        "java.lang.Boolean",
        "java.lang.Byte",
        "java.lang.Character",
        "java.lang.Short",
        "java.lang.Integer",
        "java.lang.Long",
        "java.lang.Float",
        "java.lang.Double",
    ];
    matches!(ty, Type::Class(name) if VALUES.contains(&&**name))
}

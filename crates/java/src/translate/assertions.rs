//! Assertions that do more than ask.
//!
//! Whether assertions are on nobody knows. Where the condition of an `assert` holds, nothing
//! depends on it as long as the condition only looks at things. One that writes (`assert (on =
//! true)`), or that can throw something else than an `AssertionError`, makes what comes behind it
//! depend on the environment.

use std::collections::BTreeSet;

use heapwright_ir::machine::environment::Environment;
use heapwright_ir::{Callee, Operation};

use super::emitter::Emitter;
use crate::classfile::{
    Binary, Code, Comparison, Condition, FieldReference, Instruction, Invocation, Kind, Local,
    MethodReference,
};
use crate::descriptor::Type;
use crate::world::World;

/// The field that compilers keep the answer in.
const DISABLED: &str = "$assertionsDisabled";

/// So many methods are looked at for one call.
const CALLEES: usize = 50;

impl Emitter<'_> {
    /// In front of an `assert` whose condition does more than ask, says that what follows depends on
    /// the environment.
    pub(super) fn begin_assertion(&mut self, field: &FieldReference) {
        let class = &self.declared.class.name;
        // Those of the JDK are off.
        if &*field.name != DISABLED || field.class != *class || !self.world.is_user_class(class) {
            return;
        }
        let (declared, pc) = (self.declared.clone(), self.pc);
        let code = declared.method.code.as_ref();
        let condition = code
            .zip(pc)
            .and_then(|(code, pc)| condition(code, code.index_of(pc)?));
        let is_harmless = condition.is_some_and(|condition| {
            let is_static = declared.method.access.is_static();
            is_harmless(self.world, &condition, is_static)
        });
        if !is_harmless {
            self.emit(Operation::Call {
                to: None,
                callee: Callee::Intrinsic(Environment::Assertions.decides()),
                args: Vec::new(),
            });
        }
    }
}

/// The instructions of the condition of an `assert` that begins with this one. `None` if it does
/// not look as compilers write it.
fn condition(code: &Code, begin: usize) -> Option<Vec<&Instruction>> {
    let (_, jump) = code.instructions.get(begin + 1)?;
    let &Instruction::If(Condition::Zero(Comparison::NotEqual), end) = jump else {
        return None;
    };
    let inside = code.instructions.get(begin + 2..code.index_of(end)?)?;
    let inside = inside.iter().map(|(_, instruction)| instruction);
    let fails = |instruction: &Instruction| matches!(instruction, Instruction::New(ty) if *ty == Type::class("java.lang.AssertionError"));
    let condition: Vec<&Instruction> = inside.take_while(|one| !fails(one)).collect();
    Some(condition)
}

/// Whether a condition writes nothing and throws nothing.
fn is_harmless(world: &World, condition: &[&Instruction], is_static: bool) -> bool {
    let this = Instruction::Load(Kind::Reference, Local(0));
    let before = std::iter::once(None).chain(condition.iter().copied().map(Some));
    condition.iter().zip(before).all(|(instruction, before)| {
        let is_of_this = !is_static && before == Some(&this);
        match instruction {
            Instruction::GetField(_) => is_of_this,
            Instruction::Invoke(invocation, method) => {
                let has_receiver = *invocation != Invocation::Static;
                let is_for_this = is_of_this && method.descriptor.parameters.is_empty();
                (is_for_this || !has_receiver)
                    && writes_nothing(world, *invocation, method, &mut BTreeSet::new())
            }
            Instruction::ArrayLoad(_)
            | Instruction::ArrayLength
            | Instruction::CheckCast(_)
            | Instruction::Binary(Binary::Divide | Binary::Remainder, Kind::Int | Kind::Long)
            | Instruction::NewArray(_)
            | Instruction::MultiNewArray(..)
            | Instruction::Throw
            | Instruction::Store(..)
            | Instruction::Increment(..) => false,
            other => is_local(other),
        }
    })
}

/// Whether an instruction leaves everything but the method's own frame as it is; calls apart.
fn is_local(instruction: &Instruction) -> bool {
    !matches!(
        instruction,
        Instruction::PutStatic(_)
            | Instruction::PutField(_)
            | Instruction::ArrayStore(_)
            | Instruction::Invoke(..)
            | Instruction::InvokeDynamic(_)
            | Instruction::MonitorEnter
            | Instruction::MonitorExit
            | Instruction::JumpSubroutine(_)
            | Instruction::ReturnFromSubroutine(_)
    )
}

/// Whether a call writes nothing that others can see, as far as the code that is called says so.
/// One that could be overridden may write anything. What it throws is not looked at: a predicate
/// that throws is a finding of its own.
fn writes_nothing(
    world: &World,
    invocation: Invocation,
    method: &MethodReference,
    seen: &mut BTreeSet<String>,
) -> bool {
    let called = world.with_hierarchy(|hierarchy| hierarchy.resolve_method(method));
    let Ok(called) = called else {
        return false;
    };
    let access = called.method.access;
    let is_fixed = access.is_final() || access.is_private() || called.class.access.is_final();
    if matches!(invocation, Invocation::Virtual | Invocation::Interface) && !is_fixed {
        return false;
    }
    // One that is being looked at, or has been.
    if !seen.insert(called.to_string()) {
        return true;
    }
    let Some(code) = called
        .method
        .code
        .as_ref()
        .filter(|_| seen.len() <= CALLEES)
    else {
        return false;
    };
    code.instructions
        .iter()
        .all(|(_, instruction)| match instruction {
            // Its object is a new one.
            Instruction::PutField(_) => called.method.is_constructor(),
            Instruction::Invoke(invocation, method) => {
                writes_nothing(world, *invocation, method, seen)
            }
            other => is_local(other),
        })
}

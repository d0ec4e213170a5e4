//! The branches that JaCoCo leaves out of its reports, because the compiler made them.
//!
//! | what | which branches |
//! | --- | --- |
//! | `assert` | the question whether assertions are on, where it is asked and where it is answered first |
//! | `switch` on a string | the switch over hash codes and the comparisons behind it; the switch over the cases stays |
//! | `try` with resources | the questions whether there is a resource to be closed |
//! | exhaustive `switch` | the default, if it only throws what says that a class has changed |
//!
//! The patterns are those of javac since Java 11; other compilers' string switches are not known.
//! Copies of a `finally` block, which count as one, are found in `finally.rs`.

use std::collections::BTreeSet;

use heapwright_ir::{BlockId, FunctionId};

use super::World;
use crate::classfile::{
    Class, Code, Comparison, Condition, Constant, Instruction, Invocation, Kind, Local,
    MethodReference, Pc, Switch,
};
use crate::descriptor::Type;

/// Branches of a function that do not count.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JacocoFiltered {
    /// The blocks whose branches do not count at all.
    pub jumps: BTreeSet<BlockId>,
    /// The blocks that end with a switch whose default does not count.
    pub defaults: BTreeSet<BlockId>,
}

impl World {
    /// The branches of a translated function that JaCoCo does not count.
    pub fn jacoco_filtered(&self, function: FunctionId) -> JacocoFiltered {
        let mut filtered = JacocoFiltered::default();
        let Some(declared) = self.methods.get(&function) else {
            return filtered;
        };
        let Some(code) = &declared.method.code else {
            return filtered;
        };
        let (jumps, defaults) = filtered_positions(&declared.class, code);
        let from = (function, BlockId(0));
        let until = (function, BlockId(u32::MAX));
        for (&(_, block), pc) in self.jumps.range(from..=until) {
            if jumps.contains(pc) {
                filtered.jumps.insert(block);
            } else if defaults.contains(pc) {
                filtered.defaults.insert(block);
            }
        }
        filtered
    }
}

/// The positions of jumps and of switches with a default that do not count.
fn filtered_positions(class: &Class, code: &Code) -> (BTreeSet<Pc>, BTreeSet<Pc>) {
    let (mut jumps, mut defaults) = (BTreeSet::new(), BTreeSet::new());
    for (index, (pc, instruction)) in code.instructions.iter().enumerate() {
        match instruction {
            Instruction::If(Condition::Zero(Comparison::NotEqual), _)
                if asks_for_assertions(class, code, index) =>
            {
                jumps.insert(*pc);
            }
            Instruction::Switch(switch) if is_string_switch(code, index, switch) => {
                let inside = code.instructions.iter().map(|(pc, _)| *pc);
                jumps.extend(inside.filter(|inside| inside >= pc && *inside < switch.default));
            }
            Instruction::Switch(switch) if is_exhaustive(code, *pc, switch) => {
                defaults.insert(*pc);
            }
            _ => {}
        }
    }
    for handler in &code.handlers {
        if handler.class.as_deref() == Some("java.lang.Throwable")
            && let Some(start) = code.index_of(handler.target)
        {
            jumps.extend(resource_questions(code, start));
        }
    }
    (jumps, defaults)
}

fn at(code: &Code, index: usize) -> Option<&Instruction> {
    code.instructions
        .get(index)
        .map(|(_, instruction)| instruction)
}

/// `$assertionsDisabled` before an `assert`, or what it is set from when the class is initialised.
fn asks_for_assertions(class: &Class, code: &Code, index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| at(code, before));
    match before {
        Some(Instruction::GetStatic(field)) => {
            field.class == class.name && &*field.name == "$assertionsDisabled"
        }
        Some(Instruction::Invoke(_, method)) if &*method.name == "desiredAssertionStatus" => {
            let set = at(code, index + 4);
            matches!(set, Some(Instruction::PutStatic(field))
                if field.class == class.name && &*field.name == "$assertionsDisabled")
        }
        _ => false,
    }
}

fn is_string_method(method: &MethodReference, name: &str) -> bool {
    method.class == Type::class(super::STRING) && &*method.name == name
}

/// The first of the two switches that javac makes of one on a string: it finds out the number of
/// the case, which the second one takes.
fn is_string_switch(code: &Code, index: usize, switch: &Switch) -> bool {
    let Some(start) = index.checked_sub(4) else {
        return false;
    };
    let before = (start..index).map(|index| at(code, index));
    let before: Vec<_> = before.flatten().collect();
    let [
        Instruction::Constant(Constant::Int(-1)),
        Instruction::Store(Kind::Int, case),
        Instruction::Load(Kind::Reference, text),
        Instruction::Invoke(Invocation::Virtual, hash),
    ] = before.as_slice()
    else {
        return false;
    };
    let Some(end) = code.index_of(switch.default) else {
        return false;
    };
    let second = (at(code, end), at(code, end + 1));
    is_string_method(hash, "hashCode")
        && index < end
        && matches!(second, (Some(Instruction::Load(Kind::Int, loaded)), Some(Instruction::Switch(_)))
            if loaded == case)
        && are_comparisons(code, index + 1, end, (*case, *text), switch.default)
}

/// Comparisons of a string with constants, one after the other, that set the number of the case.
fn are_comparisons(
    code: &Code,
    start: usize,
    end: usize,
    (case, text): (Local, Local),
    after: Pc,
) -> bool {
    let mut index = start;
    while index < end {
        let group: Vec<_> = (index..index + 6).filter_map(|at_| at(code, at_)).collect();
        let [
            Instruction::Load(Kind::Reference, loaded),
            Instruction::Constant(Constant::String(_)),
            Instruction::Invoke(Invocation::Virtual, equals),
            Instruction::If(Condition::Zero(Comparison::Equal), _),
            Instruction::Constant(Constant::Int(_)),
            Instruction::Store(Kind::Int, stored),
        ] = group.as_slice()
        else {
            return false;
        };
        if *loaded != text || *stored != case || !is_string_method(equals, "equals") {
            return false;
        }
        index += 6;
        if index < end {
            if at(code, index) != Some(&Instruction::Goto(after)) {
                return false;
            }
            index += 1;
        }
    }
    index == end
}

/// Whether the default of a switch only says that there was a case more when the program ran than
/// when it was compiled.
fn is_exhaustive(code: &Code, pc: Pc, switch: &Switch) -> bool {
    let mut lines = code.lines.iter();
    let own_line = lines.find(|(start, _)| *start == switch.default);
    if own_line.is_some_and(|&(_, line)| Some(line) != code.line(pc)) {
        return false;
    }
    let Some(start) = code.index_of(switch.default) else {
        return false;
    };
    let created = match at(code, start) {
        Some(Instruction::New(Type::Class(name))) => &**name,
        _ => return false,
    };
    let length = match created {
        "java.lang.MatchException" => 6,
        "java.lang.IncompatibleClassChangeError" => 4,
        _ => return false,
    };
    matches!(at(code, start + length - 1), Some(Instruction::Throw))
}

/// The end of a `try` with a resource, from the handler on: if the resource was there, it is closed,
/// and what goes wrong then is added to what went wrong before. The same question, whether there is
/// a resource, is asked at the regular end before the handler; where a `return` leaves the block
/// earlier, JaCoCo keeps it.
fn resource_questions(code: &Code, start: usize) -> Vec<Pc> {
    let Some(Instruction::Store(Kind::Reference, primary)) = at(code, start) else {
        return Vec::new();
    };
    let Some((resource, question, closed)) = closes(code, start + 1) else {
        return Vec::new();
    };
    let rest: Vec<_> = (closed..closed + 7)
        .filter_map(|index| at(code, index))
        .collect();
    let [
        Instruction::Goto(_),
        Instruction::Store(Kind::Reference, _),
        Instruction::Load(Kind::Reference, first),
        Instruction::Load(Kind::Reference, _),
        Instruction::Invoke(_, add),
        Instruction::Load(Kind::Reference, thrown),
        Instruction::Throw,
    ] = rest.as_slice()
    else {
        return Vec::new();
    };
    if first != primary || thrown != primary || &*add.name != "addSuppressed" {
        return Vec::new();
    }
    let mut found: Vec<Pc> = question.into_iter().collect();
    let before = (0..start).rev().find_map(|index| {
        let (other, question, _) = closes(code, index)?;
        (other == resource && question.is_some()).then_some(question)
    });
    if question.is_some() {
        found.extend(before.flatten());
    }
    found
}

/// `if (resource != null) resource.close()`, with or without the question: the variable, the
/// position of the question, and the index of what follows.
fn closes(code: &Code, start: usize) -> Option<(Local, Option<Pc>, usize)> {
    let Some(Instruction::Load(Kind::Reference, resource)) = at(code, start) else {
        return None;
    };
    let (question, close) = match code.instructions.get(start + 1) {
        Some((pc, Instruction::If(Condition::Null(true), _))) => {
            let again = Instruction::Load(Kind::Reference, *resource);
            if at(code, start + 2) != Some(&again) {
                return None;
            }
            (Some(*pc), start + 3)
        }
        _ => (None, start + 1),
    };
    match at(code, close) {
        Some(Instruction::Invoke(Invocation::Virtual | Invocation::Interface, method))
            if &*method.name == "close" && method.descriptor.parameters.is_empty() =>
        {
            Some((*resource, question, close + 1))
        }
        _ => None,
    }
}

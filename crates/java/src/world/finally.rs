//! Copies of `finally` blocks, which JaCoCo counts as one.
//!
//! The compiler writes a `finally` block once into a handler of all exceptions, which throws again at
//! its end, and once more at every way out of the `try`. JaCoCo takes each copy that has the same
//! instructions as the handler together with it: a branch is covered if it is in any of the copies.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::{BlockId, FunctionId};

use super::World;
use crate::classfile::{Code, Instruction, Kind, Pc};

impl World {
    /// The blocks of a translated function whose branches JaCoCo takes together with those of another
    /// block, which is the first of its copies.
    pub fn jacoco_merged(&self, function: FunctionId) -> BTreeMap<BlockId, BlockId> {
        let declared = self.method_of(function);
        let code = declared.and_then(|declared| declared.method.code.as_ref());
        let pairs = code.map(copies).unwrap_or_default();
        if pairs.is_empty() {
            return BTreeMap::new();
        }
        let (from, until) = ((function, BlockId(0)), (function, BlockId(u32::MAX)));
        let blocks: BTreeMap<Pc, BlockId> = (self.jumps().range(from..=until))
            .map(|(&(_, block), &pc)| (pc, block))
            .collect();
        let mut merged: BTreeMap<BlockId, BlockId> = BTreeMap::new();
        for (one, other) in pairs {
            if let (Some(&one), Some(&other)) = (blocks.get(&one), blocks.get(&other)) {
                let first = |block: BlockId| merged.get(&block).copied().unwrap_or(block);
                let (one, other) = (first(one), first(other));
                let (first, later) = (one.min(other), one.max(other));
                for representative in merged.values_mut().filter(|known| **known == later) {
                    *representative = first;
                }
                if first != later {
                    merged.insert(later, first);
                }
            }
        }
        merged
    }
}

/// Instructions of handlers with their copies.
fn copies(code: &Code) -> Vec<(Pc, Pc)> {
    let mut pairs = Vec::new();
    for handler in code
        .handlers
        .iter()
        .filter(|handler| handler.class.is_none())
    {
        let Some(start) = code.index_of(handler.target) else {
            continue;
        };
        let Some(size) = size(code, start) else {
            continue;
        };
        for copy in ways_out(code, handler.target, (handler.start, handler.end)) {
            let body = |start: usize| {
                let instructions = code.instructions.iter().skip(start);
                instructions.take(size)
            };
            let is_same = body(copy).count() == size
                && (body(start + 1).zip(body(copy))).all(|((_, one), (_, other))| same(one, other));
            if is_same {
                pairs.extend(
                    (body(start + 1).zip(body(copy))).map(|((one, _), (other, _))| (*one, *other)),
                );
            }
        }
    }
    pairs
}

/// How many instructions are between the first one of a handler, which keeps the exception, and the
/// end, where it is thrown again.
fn size(code: &Code, start: usize) -> Option<usize> {
    let at = |index: usize| {
        code.instructions
            .get(index)
            .map(|(_, instruction)| instruction)
    };
    let Some(Instruction::Store(Kind::Reference, kept)) = at(start) else {
        return None;
    };
    let again = Instruction::Load(Kind::Reference, *kept);
    let end = (start + 1..code.instructions.len()).find(|&index| at(index) == Some(&again))?;
    (at(end + 1) == Some(&Instruction::Throw)).then(|| end - start - 1)
}

/// The instructions at which control leaves what a handler guards: behind its regions, where jumps
/// lead, and in other handlers of the same region behind their first instruction.
fn ways_out(code: &Code, target: Pc, whole: (Pc, Pc)) -> BTreeSet<usize> {
    let regions = code
        .handlers
        .iter()
        .filter(|handler| handler.target == target);
    let regions: Vec<(usize, usize)> = regions
        .filter_map(|region| {
            let end = code.index_of(region.end).unwrap_or(code.instructions.len());
            Some((code.index_of(region.start)?, end))
        })
        .collect();
    let is_inside = |index: usize| {
        let mut regions = regions.iter();
        regions.any(|(start, end)| (*start..*end).contains(&index))
    };
    let mut found = BTreeSet::new();
    for &(start, end) in &regions {
        let inside = code.instructions.get(start..end).unwrap_or_default();
        for (_, instruction) in inside {
            if let Instruction::If(_, target) | Instruction::Goto(target) = instruction {
                found.extend(code.index_of(*target));
            }
        }
        if inside.last().is_some_and(|(_, last)| last.falls_through()) {
            found.insert(end);
        }
    }
    let others = code
        .handlers
        .iter()
        .filter(|other| other.target != target && (other.start, other.end) == whole);
    found.extend(others.filter_map(|other| Some(code.index_of(other.target)? + 1)));
    found.retain(|index| !is_inside(*index));
    found
}

/// Whether two instructions are the same but for variables and where they lead.
fn same(one: &Instruction, other: &Instruction) -> bool {
    match (one, other) {
        (Instruction::Load(one, _), Instruction::Load(other, _))
        | (Instruction::Store(one, _), Instruction::Store(other, _)) => one == other,
        (Instruction::Increment(_, one), Instruction::Increment(_, other)) => one == other,
        (Instruction::If(one, _), Instruction::If(other, _)) => one == other,
        (Instruction::Goto(_), Instruction::Goto(_)) => true,
        (Instruction::Switch(one), Instruction::Switch(other)) => {
            let keys = |switch: &crate::classfile::Switch| -> Vec<i32> {
                switch.cases.iter().map(|(key, _)| *key).collect()
            };
            keys(one) == keys(other)
        }
        (one, other) => one == other,
    }
}

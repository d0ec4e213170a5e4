//! Conditional jumps, switches and returns.

use heapwright_ir::{Comparison, Constant, Operand, Operation, Terminator};
use heapwright_logic::IntType;

use super::block_id;
use super::blocks::Blocks;
use super::emitter::Emitter;
use crate::classfile::{self, Condition, Kind, Pc, Switch, Unordered};
use crate::world::{Trouble, kind_sort};

impl Emitter<'_> {
    pub(super) fn goto(&mut self, target: Pc, blocks: &Blocks) -> Result<Terminator, Trouble> {
        let target = self.successor(target, blocks)?;
        self.flush()?;
        Ok(Terminator::Goto(block_id(target)))
    }

    pub(super) fn jump_if(
        &mut self,
        condition: Condition,
        target: Pc,
        blocks: &Blocks,
        index: usize,
    ) -> Result<Terminator, Trouble> {
        let then = self.successor(target, blocks)?;
        let otherwise = index + 1;
        self.successors.push(otherwise);
        let (condition, holds) = self.condition(condition)?;
        self.flush()?;
        let (then, otherwise) = match holds {
            true => (then, otherwise),
            false => (otherwise, then),
        };
        Ok(Terminator::Branch {
            condition,
            then: block_id(then),
            otherwise: block_id(otherwise),
        })
    }

    pub(super) fn switch(
        &mut self,
        switch: &Switch,
        blocks: &Blocks,
    ) -> Result<Terminator, Trouble> {
        let mut value = self.pop(Kind::Int)?.operand;
        // The registers of the stack are written before the switch reads its value.
        if !self.stack.is_empty() {
            let to = self.temporary(kind_sort(Kind::Int));
            self.emit(Operation::Move { to, from: value });
            value = Operand::Register(to);
        }
        let default = self.successor(switch.default, blocks)?;
        let mut cases = Vec::new();
        for &(key, target) in &switch.cases {
            // A table has entries for the gaps between its keys, which lead to the default; they
            // are no branches of their own.
            let target = self.successor(target, blocks)?;
            if target != default {
                cases.push((key.into(), block_id(target)));
            }
        }
        self.flush()?;
        Ok(Terminator::Switch {
            value,
            cases,
            default: block_id(default),
        })
    }

    pub(super) fn leave(&mut self, kind: Option<Kind>) -> Result<Terminator, Trouble> {
        let result = self.declared.method.descriptor.result.clone();
        let value = match (kind, result) {
            (None, None) => None,
            (Some(kind), Some(ty)) => {
                let entry = self.pop(kind)?;
                let sort = self.world.sort(&ty);
                Some(self.sorted(&entry, sort))
            }
            _ => return Err(Trouble::Malformed("the method returns something else")),
        };
        Ok(Terminator::Return(value))
    }

    /// Notes that control may go on at a position.
    fn successor(&mut self, pc: Pc, blocks: &Blocks) -> Result<usize, Trouble> {
        let block = blocks.at(pc);
        let block = block.ok_or(Trouble::Malformed("a jump into an instruction"))?;
        self.successors.push(block);
        Ok(block)
    }

    /// A truth value, and what it is when the jump is taken.
    fn condition(&mut self, condition: Condition) -> Result<(Operand, bool), Trouble> {
        let zero = Operand::Constant(Constant::Int(IntType::I32, 0));
        let null = Operand::Constant(Constant::Null);
        let (comparison, a, b) = match condition {
            Condition::Zero(comparison) => {
                if let Some(compared) = self.three_way.take() {
                    return Ok(self.decide_three_way(comparison, compared));
                }
                let entry = self.pop(Kind::Int)?;
                match (comparison, entry.truth) {
                    (classfile::Comparison::Equal, Some(truth)) => {
                        return Ok((Operand::Register(truth), false));
                    }
                    (classfile::Comparison::NotEqual, Some(truth)) => {
                        return Ok((Operand::Register(truth), true));
                    }
                    _ => (compare(comparison), entry.operand, zero),
                }
            }
            Condition::Ints(comparison) => {
                let b = self.pop(Kind::Int)?.operand;
                (compare(comparison), self.pop(Kind::Int)?.operand, b)
            }
            Condition::SameReference(same) => {
                let b = self.pop(Kind::Reference)?.operand;
                let a = self.pop(Kind::Reference)?.operand;
                (equality(same), a, b)
            }
            Condition::Null(is_null) => {
                (equality(is_null), self.pop(Kind::Reference)?.operand, null)
            }
        };
        Ok((Operand::Register(self.compare(comparison, a, b)), true))
    }

    /// A jump behind `lcmp`, `fcmpl` and their like, as one comparison. What has no order counts
    /// as less or greater; where that makes the jump taken, the opposite comparison decides.
    fn decide_three_way(
        &mut self,
        comparison: classfile::Comparison,
        compared: super::arithmetic::ThreeWay,
    ) -> (Operand, bool) {
        use classfile::Comparison as Java;
        let taken_unordered = match (comparison, compared.unordered) {
            (_, None) => false,
            (Java::Equal, _) => false,
            (Java::NotEqual, _) => true,
            (Java::Less | Java::LessOrEqual, Some(unordered)) => unordered == Unordered::Less,
            (Java::Greater | Java::GreaterOrEqual, Some(unordered)) => {
                unordered == Unordered::Greater
            }
        };
        // `Ne` is the one comparison that holds for what is no number.
        let by_opposite = taken_unordered && comparison != Java::NotEqual;
        let comparison = compare(comparison);
        let (comparison, holds) = match by_opposite {
            true => (opposite(comparison), false),
            false => (comparison, true),
        };
        let truth = self.compare(comparison, compared.a, compared.b);
        (Operand::Register(truth), holds)
    }
}

fn compare(comparison: classfile::Comparison) -> Comparison {
    match comparison {
        classfile::Comparison::Equal => Comparison::Eq,
        classfile::Comparison::NotEqual => Comparison::Ne,
        classfile::Comparison::Less => Comparison::Lt,
        classfile::Comparison::GreaterOrEqual => Comparison::Ge,
        classfile::Comparison::Greater => Comparison::Gt,
        classfile::Comparison::LessOrEqual => Comparison::Le,
    }
}

fn opposite(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Eq => Comparison::Ne,
        Comparison::Ne => Comparison::Eq,
        Comparison::Lt => Comparison::Ge,
        Comparison::Le => Comparison::Gt,
        Comparison::Gt => Comparison::Le,
        Comparison::Ge => Comparison::Lt,
    }
}

fn equality(equal: bool) -> Comparison {
    match equal {
        true => Comparison::Eq,
        false => Comparison::Ne,
    }
}

//! Blocks of a function under construction.
//!
//! Whoever translates statement by statement begins blocks that nothing leads to: behind a
//! `return`, or where two branches that never meet would have met.

use crate::{Block, BlockId, Instruction, Position, Terminator};

/// A block that may still lack its end.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BlockDraft {
    /// What is executed.
    pub instructions: Vec<Instruction>,
    /// How it ends, and where; nothing reaches the end of a block without one.
    pub end: Option<(Terminator, Position)>,
}

/// The blocks that can be reached from the first, in order, with their new numbers.
pub fn reachable_blocks(drafts: Vec<BlockDraft>) -> Vec<Block> {
    let mut reached = vec![false; drafts.len()];
    let mut pending = vec![BlockId(0)];
    while let Some(block) = pending.pop() {
        let (Some(reached), Some(draft)) =
            (reached.get_mut(block.index()), drafts.get(block.index()))
        else {
            continue;
        };
        if !std::mem::replace(reached, true)
            && let Some((terminator, _)) = &draft.end
        {
            pending.extend(terminator.successors());
        }
    }
    let mut number = 0;
    let mut numbers = Vec::new();
    for &reached in &reached {
        numbers.push(BlockId(number));
        number += u32::from(reached);
    }
    // A block that does not exist keeps its number, and the verifier finds it.
    let new = |block: BlockId| numbers.get(block.index()).copied().unwrap_or(block);
    (drafts.into_iter().zip(reached))
        .filter(|&(_, reached)| reached)
        .map(|(draft, _)| {
            let (terminator, position) =
                (draft.end).unwrap_or((Terminator::Unreachable, Position::default()));
            Block {
                instructions: draft.instructions,
                terminator: renumbered(terminator, new),
                position,
                handlers: Vec::new(),
            }
        })
        .collect()
}

fn renumbered(terminator: Terminator, new: impl Fn(BlockId) -> BlockId) -> Terminator {
    match terminator {
        Terminator::Goto(next) => Terminator::Goto(new(next)),
        Terminator::Branch {
            condition,
            then,
            otherwise,
        } => Terminator::Branch {
            condition,
            then: new(then),
            otherwise: new(otherwise),
        },
        Terminator::Switch {
            value,
            cases,
            default,
        } => Terminator::Switch {
            value,
            cases: (cases.into_iter())
                .map(|(case, block)| (case, new(block)))
                .collect(),
            default: new(default),
        },
        Terminator::Return(_)
        | Terminator::Throw(_)
        | Terminator::Unreachable
        | Terminator::Absent => terminator,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_leads_to_is_left_out() {
        let ending = |terminator| BlockDraft {
            end: Some((terminator, Position::default())),
            ..BlockDraft::default()
        };
        let blocks = reachable_blocks(vec![
            ending(Terminator::Goto(BlockId(2))),
            ending(Terminator::Goto(BlockId(0))),
            BlockDraft::default(),
        ]);
        let ends: Vec<_> = blocks.into_iter().map(|block| block.terminator).collect();
        assert_eq!(
            ends,
            [Terminator::Goto(BlockId(1)), Terminator::Unreachable]
        );
        assert!(reachable_blocks(Vec::new()).is_empty());
    }
}

//! Cuts code into blocks: straight lines that are entered at their beginning only, and whose
//! instructions have the same exception handlers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::classfile::{Code, Pc};
use crate::descriptor::Name;

/// The blocks of a method.
pub(super) struct Blocks {
    /// Instructions of the blocks, by index.
    ranges: Vec<Range<usize>>,
    /// The handlers of each block: what they catch, and the blocks that they are.
    handlers: Vec<Vec<(Option<Name>, usize)>>,
    /// The blocks by the position of their first instruction.
    starts: BTreeMap<Pc, usize>,
}

impl Blocks {
    pub(super) fn new(code: &Code) -> Self {
        let mut leaders = BTreeSet::from([0]);
        let end = code.instructions.len();
        let mut lead = |pc: Pc| {
            // The end of a range may be the end of the code.
            leaders.extend(code.index_of(pc));
        };
        for (_, instruction) in &code.instructions {
            instruction.targets().into_iter().for_each(&mut lead);
        }
        for handler in &code.handlers {
            for pc in [handler.start, handler.end, handler.target] {
                lead(pc);
            }
        }
        for (index, (_, instruction)) in code.instructions.iter().enumerate() {
            let ends = !instruction.falls_through() || !instruction.targets().is_empty();
            if ends && index + 1 < end {
                leaders.insert(index + 1);
            }
        }
        let begins: Vec<usize> = leaders.into_iter().collect();
        let ends = begins.iter().skip(1).copied().chain([end]);
        let ranges: Vec<_> = begins.iter().zip(ends).map(|(&a, b)| a..b).collect();
        let pc_of = |index: usize| code.instructions.get(index).map(|(pc, _)| *pc);
        let starts: BTreeMap<Pc, usize> = (ranges.iter().enumerate())
            .filter_map(|(block, range)| Some((pc_of(range.start)?, block)))
            .collect();
        let handlers = ranges.iter().map(|range| {
            let Some(pc) = pc_of(range.start) else {
                return Vec::new();
            };
            let covering = code.handlers.iter();
            let covering = covering.filter(|handler| handler.start <= pc && pc < handler.end);
            covering
                .filter_map(|handler| Some((handler.class.clone(), *starts.get(&handler.target)?)))
                .collect()
        });
        let handlers = handlers.collect();
        Blocks {
            ranges,
            handlers,
            starts,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ranges.len()
    }

    /// The instructions of a block.
    pub(super) fn range(&self, index: usize) -> Range<usize> {
        self.ranges.get(index).cloned().unwrap_or_default()
    }

    /// The handlers of a block, in order.
    pub(super) fn handlers(&self, index: usize) -> &[(Option<Name>, usize)] {
        self.handlers.get(index).map_or(&[], Vec::as_slice)
    }

    /// The block that begins at a position.
    pub(super) fn at(&self, pc: Pc) -> Option<usize> {
        self.starts.get(&pc).copied()
    }
}

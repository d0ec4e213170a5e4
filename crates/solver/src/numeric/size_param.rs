//! Parameters that count cells: the size of a tree, the length of a list.
//!
//! Where a question fixes such a number, only heaps of that size need to be looked at.

use heapwright_logic::PredId;

use crate::rules::{Grammar, Numbers, Rule, Sum};

/// How many cells an instance has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellCount {
    /// None, ever.
    None,
    /// As many as this scalar parameter says.
    Param(usize),
    /// Not told by any parameter.
    Untold,
}

/// For each predicate, what counts its cells.
pub fn cell_counts(grammar: &Grammar, numbers: &[Vec<Numbers>]) -> Vec<CellCount> {
    let mut counts = vec![CellCount::Untold; grammar.len()];
    for component in grammar.components() {
        let params = component
            .iter()
            .map(|&member| grammar.scalar_params(member).len());
        let params = params.min().unwrap_or(0);
        let candidates = std::iter::once(CellCount::None).chain((0..params).map(CellCount::Param));
        for candidate in candidates {
            // Assume it for the component, and see whether every rule preserves it.
            for &member in component {
                counts[member.index()] = candidate;
            }
            let holds = component.iter().all(|&member| {
                let systems = &numbers[member.index()];
                (grammar.rules(member).iter().zip(systems))
                    .all(|(rule, system)| preserves(&counts, candidate, rule, system))
            });
            if holds {
                break;
            }
            for &member in component {
                counts[member.index()] = CellCount::Untold;
            }
        }
    }
    counts
}

fn preserves(counts: &[CellCount], head: CellCount, rule: &Rule, system: &Numbers) -> bool {
    let Some(cells) = cells_of(counts, rule, system) else {
        return false;
    };
    let head = match head {
        CellCount::None => Sum::default(),
        CellCount::Param(param) => Sum::variable(param),
        CellCount::Untold => return false,
    };
    (cells.minus(&head))
        .and_then(|difference| difference.modulo(&system.zero))
        .is_some_and(|rest| rest == Sum::default())
}

/// The number of cells of a rule in terms of its variables.
pub fn cells_of(counts: &[CellCount], rule: &Rule, system: &Numbers) -> Option<Sum> {
    let mut cells = Sum {
        constant: rule.allocated.len() as i128,
        summands: Vec::new(),
    };
    for (child, args) in rule.children.iter().zip(&system.children) {
        match count_of(counts, child.predicate) {
            CellCount::None => {}
            CellCount::Param(param) => cells = cells.plus(args.get(param)?.as_ref()?, 1)?,
            CellCount::Untold => return None,
        }
    }
    Some(cells)
}

fn count_of(counts: &[CellCount], predicate: PredId) -> CellCount {
    counts[predicate.index()]
}

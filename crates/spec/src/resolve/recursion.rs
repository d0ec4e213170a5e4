//! A warning about recursion that makes no progress: a predicate that reaches itself without
//! describing any cell on the way.

use heapwright_logic::{Definitions, PredId};

use super::Resolver;
use crate::diagnostic::{Diagnostic, Span};

/// How far the search for a cycle has come with a predicate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

/// One predicate of every cycle without cells. Depth first, with an explicit stack: chains of
/// predicates may be long.
pub(crate) fn cycles_without_cells(definitions: &Definitions) -> Vec<PredId> {
    let successors: Vec<Vec<PredId>> = (definitions.predicates())
        .map(|(_, predicate)| {
            let without_cells =
                (predicate.disjuncts.iter()).filter(|heap| heap.points_to.is_empty());
            let called = without_cells.flat_map(|heap| &heap.instances);
            called.map(|instance| instance.predicate).collect()
        })
        .collect();
    let mut visits = vec![Visit::New; successors.len()];
    let mut found = Vec::new();
    for start in (0..successors.len()).map(|index| PredId(index as u32)) {
        if visits[start.index()] != Visit::New {
            continue;
        }
        visits[start.index()] = Visit::Open;
        let mut stack = vec![(start, 0)];
        while let Some((predicate, next)) = stack.last_mut() {
            let Some(&successor) = successors[predicate.index()].get(*next) else {
                visits[predicate.index()] = Visit::Done;
                stack.pop();
                continue;
            };
            *next += 1;
            match visits[successor.index()] {
                Visit::New => {
                    visits[successor.index()] = Visit::Open;
                    stack.push((successor, 0));
                }
                Visit::Open => found.push(successor),
                Visit::Done => {}
            }
        }
    }
    found
}

impl Resolver {
    /// Warns of recursion without cells.
    pub(super) fn warn_recursion(&mut self) {
        for predicate in cycles_without_cells(&self.definitions) {
            self.warn_about(predicate);
        }
    }

    fn warn_about(&mut self, predicate: PredId) {
        let name = &self.definitions.predicate(predicate).name;
        let span: Option<Span> = self.predicates.get(name).and_then(|signed| signed.span);
        let Some(span) = span else {
            return;
        };
        let message = format!("predicate `{name}` reaches itself without describing a cell");
        let help = "a derivation through this recursion describes nothing; is a `->` missing?";
        self.sink
            .push(Diagnostic::warning(span, message).with_help(help));
    }
}

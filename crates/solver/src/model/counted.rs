//! A derivation that uses the productions of a grammar a given number of times each.
//!
//! The counts balance (everything asked for is derived, and nothing else but the start) and are
//! connected, so there is such a derivation. It is found as an Euler tour is: a derivation is
//! grown from the start until nothing is asked for any more; what is left over balances by
//! itself, so whatever is grown from a symbol of it comes back to that symbol once, and can be
//! spliced in where the symbol occurs.

use crate::numeric::counting::{Counting, Symbol};

/// A node of the derivation: which production was used, or nothing where that is left open.
#[derive(Clone, Debug, Default)]
pub struct CountedNode {
    /// Index among the grammar's productions.
    pub production: Option<usize>,
    /// The nodes of the production's children in the same grammar.
    pub children: Vec<usize>,
}

/// The nodes of a derivation from `start`; the first one is its root.
pub fn derivation(counting: &Counting, start: Symbol, counts: &[u64]) -> Vec<CountedNode> {
    let mut grower = Grower {
        productions: (counting.productions())
            .map(|(head, _, _, recursive)| (counting.symbol(head), recursive))
            .collect(),
        left: counts.to_vec(),
        nodes: Vec::new(),
        symbols: Vec::new(),
    };
    let Some(root) = counting.symbol(start) else {
        return vec![CountedNode::default()];
    };
    grower.grow(root);
    // Splice in what is left over, as long as it is connected to what is there.
    let mut node = 0;
    while node < grower.nodes.len() {
        let symbol = grower.symbols[node];
        if grower.next_production(symbol).is_none() {
            node += 1;
            continue;
        }
        let first = grower.nodes.len();
        match grower.grow(symbol) {
            Some(open) => {
                // The new part takes the node's place, the old one continues where it ends.
                grower.nodes[open] = std::mem::take(&mut grower.nodes[node]);
                grower.nodes[node] = std::mem::take(&mut grower.nodes[first]);
            }
            // Unbalanced counts: nothing to be done with what is left.
            None => break,
        }
    }
    grower.nodes
}

struct Grower<'a> {
    /// Head and children of each production.
    productions: Vec<(Option<usize>, &'a [usize])>,
    left: Vec<u64>,
    nodes: Vec<CountedNode>,
    /// The symbol of each node.
    symbols: Vec<usize>,
}

impl Grower<'_> {
    fn next_production(&self, symbol: usize) -> Option<usize> {
        (0..self.productions.len())
            .find(|&index| self.productions[index].0 == Some(symbol) && self.left[index] > 0)
    }

    /// Grows a derivation from a new node; returns a node that was left open, if there is one.
    fn grow(&mut self, symbol: usize) -> Option<usize> {
        let root = self.add(symbol);
        let mut pending = vec![root];
        let mut open = None;
        while let Some(node) = pending.pop() {
            let Some(production) = self.next_production(self.symbols[node]) else {
                open = Some(node);
                continue;
            };
            self.left[production] -= 1;
            let children: Vec<usize> = (self.productions[production].1.iter())
                .map(|&child| self.add(child))
                .collect();
            pending.extend(&children);
            self.nodes[node] = CountedNode {
                production: Some(production),
                children,
            };
        }
        open
    }

    fn add(&mut self, symbol: usize) -> usize {
        self.nodes.push(CountedNode::default());
        self.symbols.push(symbol);
        self.nodes.len() - 1
    }
}

//! The reference arguments of an instance, and how sets of parameters map to sets of nodes.

use super::bits::Bits;
use super::constraints::{NIL, Node};

/// Reference parameters of a predicate, counted from 1.
pub type ParamSet = Bits<2>;

/// The nodes that stand for the reference parameters of an instance.
///
/// Neighbouring parameters often stand for neighbouring nodes; such runs are mapped at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arguments {
    nodes: Vec<Node>,
    runs: Vec<Run>,
}

/// Parameters from `param` on that stand for nodes from `node` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    param: usize,
    node: usize,
    length: usize,
}

impl FromIterator<Node> for Arguments {
    fn from_iter<I: IntoIterator<Item = Node>>(nodes: I) -> Self {
        let nodes: Vec<Node> = nodes.into_iter().collect();
        let mut runs: Vec<Run> = Vec::new();
        for (index, &node) in nodes.iter().enumerate() {
            let (param, node) = (index + 1, usize::from(node));
            match runs.last_mut() {
                Some(run) if node == run.node + run.length => run.length += 1,
                _ => runs.push(Run {
                    param,
                    node,
                    length: 1,
                }),
            }
        }
        Arguments { nodes, runs }
    }
}

impl Arguments {
    /// The nodes in order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node of a parameter; 0 is null.
    pub fn node(&self, param: Node) -> Node {
        match param {
            NIL => NIL,
            param => self.nodes[usize::from(param) - 1],
        }
    }

    /// The nodes of a set of parameters.
    pub fn nodes_of<const W: usize>(&self, params: &ParamSet) -> Bits<W> {
        let mut nodes = Bits::EMPTY;
        for run in &self.runs {
            nodes.insert_range(run.node, params.range(run.param, run.length), run.length);
        }
        nodes
    }

    /// The parameters whose nodes are in a set.
    pub fn params_in<const W: usize>(&self, nodes: &Bits<W>) -> ParamSet {
        let mut params = ParamSet::EMPTY;
        for run in &self.runs {
            params.insert_range(run.param, nodes.range(run.node, run.length), run.length);
        }
        params
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_map_forth_and_back() {
        let arguments: Arguments = [7, 8, 9, 3, 0, 70, 71, 7].into_iter().collect();
        let mut params = ParamSet::EMPTY;
        for param in [2, 4, 6] {
            params.insert(param);
        }
        let nodes: Bits<2> = arguments.nodes_of(&params);
        assert_eq!(nodes.iter().collect::<Vec<_>>(), [3, 8, 70]);
        assert_eq!(arguments.params_in(&nodes), params);
        let mut seven = Bits::<2>::EMPTY;
        seven.insert(7);
        let back = arguments.params_in(&seven);
        assert_eq!(back.iter().collect::<Vec<_>>(), [1, 8]);
    }
}

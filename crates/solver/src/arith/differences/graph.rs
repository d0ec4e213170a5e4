//! Conjunctions of difference constraints as a weighted graph.
//!
//! `x - y <= c` is an edge from `y` to `x` of weight `c`; the conjunction is satisfiable if and
//! only if there is no cycle of negative weight. A *potential* witnesses satisfiability: a
//! number per node such that every edge holds. Adding an edge repairs the potential by
//! Bellman-Ford steps from its head (Cotton and Maler, "Fast and flexible difference
//! constraint propagation for DPLL(T)", SAT 2006); removing edges never harms it, so
//! backtracking costs nothing.

/// A node of the graph: a variable, or the number zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Node(pub u32);

impl Node {
    /// The node that stands for the number zero.
    pub const ZERO: Node = Node(0);

    /// Position in the graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a constraint holds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Why {
    /// The range of a machine type.
    Range,
    /// The conjunct at this position of the question.
    Conjunct(u32),
    /// The case split of this number.
    Split(u32),
}

/// `head - tail <= weight`.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The node that is bounded.
    pub head: Node,
    /// The node that it is bounded by.
    pub tail: Node,
    /// The largest difference.
    pub weight: i128,
    /// Why it holds.
    pub why: Why,
}

/// Stands for no bound. Weights are limited so that no path reaches it.
const UNBOUNDED: i128 = i128::MAX / 2;

/// A satisfiable conjunction of difference constraints.
#[derive(Default)]
pub struct Graph {
    edges: Vec<Edge>,
    /// Edges by tail.
    leaving: Vec<Vec<u32>>,
    /// Edges by head.
    entering: Vec<Vec<u32>>,
    potential: Vec<i128>,
    /// The edge that lowered a node's potential during a repair.
    parent: Vec<u32>,
    queue: Vec<Node>,
    undo: Vec<(Node, i128)>,
}

impl Graph {
    /// Adds a node with no constraints but a range.
    pub fn add_node(&mut self, range: Option<(i128, i128)>) -> Node {
        let node = Node(self.leaving.len() as u32);
        self.leaving.push(Vec::new());
        self.entering.push(Vec::new());
        self.parent.push(u32::MAX);
        let zero = self.potential.first().copied().unwrap_or(0);
        let start = range.map_or(0, |(low, high)| 0i128.clamp(low, high));
        self.potential.push(zero + start);
        if let Some((low, high)) = range {
            for (head, tail, weight) in [(node, Node::ZERO, high), (Node::ZERO, node, -low)] {
                self.push(Edge {
                    head,
                    tail,
                    weight,
                    why: Why::Range,
                });
            }
        }
        node
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.leaving.len()
    }

    /// Number of edges, to come back to with [`Graph::truncate`].
    pub fn edges(&self) -> usize {
        self.edges.len()
    }

    /// Removes the edges added since.
    pub fn truncate(&mut self, edges: usize) {
        while self.edges.len() > edges {
            if let Some(edge) = self.edges.pop() {
                self.leaving[edge.tail.index()].pop();
                self.entering[edge.head.index()].pop();
            }
        }
    }

    fn push(&mut self, edge: Edge) {
        let index = self.edges.len() as u32;
        self.leaving[edge.tail.index()].push(index);
        self.entering[edge.head.index()].push(index);
        self.edges.push(edge);
    }

    /// Adds a constraint, or leaves the graph as it is and returns the constraints that
    /// contradict it (with itself).
    pub fn add(&mut self, edge: Edge) -> Result<(), Vec<Why>> {
        let bound = self.potential[edge.tail.index()] + edge.weight;
        if edge.head == edge.tail {
            return if edge.weight < 0 {
                Err(vec![edge.why])
            } else {
                Ok(())
            };
        }
        if self.potential[edge.head.index()] <= bound {
            self.push(edge);
            return Ok(());
        }
        let index = self.edges.len() as u32;
        self.push(edge);
        self.undo.clear();
        self.queue.clear();
        self.lower(edge.head, bound, index);
        let mut next = 0;
        while next < self.queue.len() {
            let node = self.queue[next];
            next += 1;
            for position in 0..self.leaving[node.index()].len() {
                let out = self.leaving[node.index()][position];
                let Edge { head, weight, .. } = self.edges[out as usize];
                let bound = self.potential[node.index()] + weight;
                if self.potential[head.index()] <= bound {
                    continue;
                }
                if head == edge.tail {
                    // The new edge supports itself: a cycle of negative weight.
                    let cycle = self.cycle(out, index);
                    for (node, potential) in self.undo.drain(..).rev() {
                        self.potential[node.index()] = potential;
                    }
                    self.truncate(index as usize);
                    return Err(cycle);
                }
                self.lower(head, bound, out);
            }
        }
        Ok(())
    }

    fn lower(&mut self, node: Node, potential: i128, by: u32) {
        self.undo.push((node, self.potential[node.index()]));
        self.potential[node.index()] = potential;
        self.parent[node.index()] = by;
        self.queue.push(node);
    }

    /// The reasons along the way back from `last` to the new edge.
    fn cycle(&self, last: u32, new: u32) -> Vec<Why> {
        let mut reasons = Vec::new();
        let mut edge = last;
        loop {
            reasons.push(self.edges[edge as usize].why);
            if edge == new {
                break;
            }
            edge = self.parent[self.edges[edge as usize].tail.index()];
        }
        reasons.retain(|why| *why != Why::Range);
        reasons.sort_unstable();
        reasons.dedup();
        reasons
    }

    /// A solution with values near zero, decided node by node: each takes the value nearest to
    /// zero that the earlier ones leave open and that `forbidden` does not exclude.
    pub fn small_solution(
        &self,
        buffers: &mut Buffers,
        forbidden: impl Fn(Node, i128, &[i128]) -> bool,
        tries: usize,
    ) {
        let Buffers {
            low,
            high,
            values,
            queue,
        } = buffers;
        low.clear();
        low.resize(self.nodes(), -UNBOUNDED);
        high.clear();
        high.resize(self.nodes(), UNBOUNDED);
        values.clear();
        for index in 0..self.nodes() {
            let node = Node(index as u32);
            let (least, most) = (low[index], high[index]);
            let nearest = if node == Node::ZERO {
                0
            } else {
                0i128.clamp(least, most)
            };
            let candidates = (0..2 * tries as i128 + 1).map(|step| {
                // 0, 1, -1, 2, -2, ... away from the nearest value.
                let distance = (step + 1) / 2;
                if step % 2 == 1 {
                    nearest + distance
                } else {
                    nearest - distance
                }
            });
            let value = candidates
                .filter(|value| (least..=most).contains(value))
                .find(|&value| !forbidden(node, value, values))
                .unwrap_or(nearest);
            values.push(value);
            (low[index], high[index]) = (value, value);
            self.propagate_high(node, high, queue);
            self.propagate_low(node, low, queue);
        }
    }

    fn propagate_high(&self, from: Node, high: &mut [i128], queue: &mut Vec<Node>) {
        queue.clear();
        queue.push(from);
        while let Some(node) = queue.pop() {
            for &edge in &self.leaving[node.index()] {
                let Edge { head, weight, .. } = self.edges[edge as usize];
                let bound = high[node.index()] + weight;
                if bound < high[head.index()] {
                    high[head.index()] = bound;
                    queue.push(head);
                }
            }
        }
    }

    fn propagate_low(&self, from: Node, low: &mut [i128], queue: &mut Vec<Node>) {
        queue.clear();
        queue.push(from);
        while let Some(node) = queue.pop() {
            for &edge in &self.entering[node.index()] {
                let Edge { tail, weight, .. } = self.edges[edge as usize];
                let bound = low[node.index()] - weight;
                if bound > low[tail.index()] {
                    low[tail.index()] = bound;
                    queue.push(tail);
                }
            }
        }
    }
}

/// Space for [`Graph::small_solution`], which leaves its result in `values`.
#[derive(Default)]
pub struct Buffers {
    low: Vec<i128>,
    high: Vec<i128>,
    queue: Vec<Node>,
    /// One value per node.
    pub values: Vec<i128>,
}

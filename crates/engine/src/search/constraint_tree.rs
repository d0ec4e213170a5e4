//! The constraint tree (CSF): what was decided on the paths explored so far, and which
//! alternatives are left.

use std::sync::Arc;

use crate::input::Input;
use crate::options::Extent;
use crate::path::decision::Decision;
use crate::path::questions::Price;
use crate::path::symbolic::Fork;
use crate::report::{Alternative, Alternatives, Fate, Limit};
use crate::search::strategy::{Candidate, NodeId};

/// So many alternatives of a tree are told at most.
const MOST_ALTERNATIVES: usize = 400;

/// All decisions known so far. The root stands for the empty path.
#[derive(Clone, Debug)]
pub struct ConstraintTree {
    nodes: Vec<Node>,
    /// The nodes that a bound keeps out, in the order in which they came.
    parked: Vec<NodeId>,
}

/// A decision after the decisions above it.
#[derive(Clone, Debug)]
struct Node {
    parent: Option<NodeId>,
    decision: Option<Decision>,
    depth: u32,
    /// Objects of the input that are materialised behind it; only known for alternatives.
    objects: u32,
    children: Vec<NodeId>,
    state: State,
    /// How much work the question about it may be.
    price: Price,
    /// An input of the path that left it: all decisions above are its own. Only kept for nodes
    /// on the frontier.
    neighbour: Option<Arc<Input>>,
}

/// What became of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// On the frontier.
    Open,
    /// Kept out by a bound that may grow.
    Parked(Limit),
    /// A path leads through it.
    Explored,
    /// No path leads through it.
    Ended(Fate),
}

impl Default for ConstraintTree {
    fn default() -> Self {
        ConstraintTree {
            nodes: vec![Node {
                parent: None,
                decision: None,
                depth: 0,
                objects: 0,
                children: Vec::new(),
                state: State::Open,
                price: Price::Low,
                neighbour: None,
            }],
            parked: Vec::new(),
        }
    }
}

impl ConstraintTree {
    /// The node of the empty path.
    pub const ROOT: NodeId = NodeId(0);

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether a node is still to be explored.
    pub fn is_open(&self, node: NodeId) -> bool {
        (self.nodes.get(node.0 as usize)).is_some_and(|node| node.state == State::Open)
    }

    /// The decision of a node; none for the root.
    pub fn decision(&self, node: NodeId) -> Option<&Decision> {
        self.nodes.get(node.0 as usize)?.decision.as_ref()
    }

    /// The decisions from the root to a node.
    pub fn prefix(&self, node: NodeId) -> Vec<Decision> {
        let mut decisions = Vec::new();
        let mut current = Some(node);
        while let Some(node) = current.and_then(|id| self.nodes.get(id.0 as usize)) {
            decisions.extend(node.decision);
            current = node.parent;
        }
        decisions.reverse();
        decisions
    }

    /// An input that takes all decisions from the root to a node but the last.
    pub fn neighbour(&self, node: NodeId) -> Option<Arc<Input>> {
        self.nodes.get(node.0 as usize)?.neighbour.clone()
    }

    /// How much work the question about a node may be.
    pub fn price(&self, node: NodeId) -> Price {
        let node = self.nodes.get(node.0 as usize);
        node.map_or(Price::Full, |node| node.price)
    }

    /// The question about a node may be as much work as any.
    pub fn pay_in_full(&mut self, node: NodeId) {
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            node.price = Price::Full;
        }
    }

    /// Nothing is left to be done below a node but what is known already.
    pub fn close(&mut self, node: NodeId) {
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            node.state = State::Explored;
            node.neighbour = None;
        }
    }

    /// No path was found through a node.
    pub fn end(&mut self, node: NodeId, fate: Fate) {
        self.close(node);
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            node.state = State::Ended(fate);
        }
    }

    /// The nodes that bounds keep out, each with the bound.
    pub fn parked(&self) -> impl Iterator<Item = (Candidate, Limit)> + '_ {
        self.parked.iter().filter_map(|&id| {
            let node = self.nodes.get(id.0 as usize)?;
            match node.state {
                State::Parked(limit) => Some((self.candidate(id), limit)),
                _ => None,
            }
        })
    }

    /// A bound that may grow keeps out what is below a node, where every input has at least this
    /// many objects.
    pub fn park(&mut self, id: NodeId, limit: Limit, objects: u32) {
        if let Some(node) = self.nodes.get_mut(id.0 as usize) {
            node.state = State::Parked(limit);
            node.objects = objects;
            self.parked.push(id);
        }
    }

    /// The same for what comes behind the decisions of a path that was added.
    pub fn park_end(&mut self, decisions: &[Decision], limit: Limit, objects: u32) {
        let mut end = Some(Self::ROOT);
        for decision in decisions {
            end = end.and_then(|id| self.child(id, decision));
        }
        if let Some(end) = end {
            self.park(end, limit, objects);
        }
    }

    /// Puts nodes back on the frontier that the bounds keep out no more. Arrays of all lengths that
    /// are allowed now come with the shortest one.
    pub fn readmit(&mut self, extent: Extent, raised: &[Limit]) -> Vec<Candidate> {
        let mut admitted = Vec::new();
        for id in std::mem::take(&mut self.parked) {
            let Some(node) = self.nodes.get_mut(id.0 as usize) else {
                continue;
            };
            let State::Parked(limit) = node.state else {
                continue;
            };
            if !raised.contains(&limit) || limit == Limit::Objects && node.objects > extent.objects
            {
                self.parked.push(id);
                continue;
            }
            node.state = State::Open;
            if limit == Limit::Solver {
                node.price = Price::Full;
            }
            let (parent, decision) = (node.parent, node.decision);
            let (objects, neighbour) = (node.objects, node.neighbour.clone());
            admitted.push(self.candidate(id));
            let (Limit::Elements, Some(parent), Some(decision)) = (limit, parent, decision) else {
                continue;
            };
            let Some(length) = decision.choice.length() else {
                continue;
            };
            for length in length + 1..=extent.elements.saturating_add(1) {
                let choice = decision.choice.with_length(length);
                let decision = Decision { choice, ..decision };
                if self.child(parent, &decision).is_some() {
                    continue;
                }
                let is_longer = length > extent.elements;
                let state = match is_longer {
                    true => State::Parked(Limit::Elements),
                    false => State::Open,
                };
                let longer = self.add(parent, decision, objects, state);
                if let Some(longer) = self.nodes.get_mut(longer.0 as usize) {
                    longer.neighbour.clone_from(&neighbour);
                }
                match is_longer {
                    true => self.parked.push(longer),
                    false => admitted.push(self.candidate(longer)),
                }
            }
        }
        admitted
    }

    /// What no path leads through; nodes on the frontier are open for the given reason. Of very
    /// many those that are nearest to the root are told, the others are counted.
    pub fn alternatives(&self, waiting: Limit) -> Alternatives {
        let mut found = Alternatives::default();
        let mut told: Vec<(u32, NodeId, Fate)> = Vec::new();
        for (id, node) in (0..).map(NodeId).zip(&self.nodes).skip(1) {
            let fate = match node.state {
                // What bounds keep out is told by the bound.
                State::Explored | State::Parked(_) => continue,
                State::Open => Fate::Open(waiting),
                State::Ended(fate) => fate,
            };
            match fate {
                Fate::Infeasible => found.infeasible += 1,
                Fate::Open(_) => found.open += 1,
            }
            told.push((node.depth, id, fate));
        }
        told.sort_unstable_by_key(|&(depth, id, _)| (depth, id));
        told.truncate(MOST_ALTERNATIVES);
        found.told = (told.into_iter())
            .map(|(_, id, fate)| Alternative {
                decisions: self.prefix(id),
                fate,
            })
            .collect();
        found
    }

    /// Adds a path with an input that takes it, if one is known, and the alternatives that it did
    /// not take, and returns those that are new.
    pub fn insert(
        &mut self,
        decisions: &[Decision],
        forks: &[Fork],
        input: Option<&Arc<Input>>,
    ) -> Vec<Candidate> {
        let mut added = Vec::new();
        let mut current = Self::ROOT;
        self.close(current);
        let mut forks = forks.iter().peekable();
        for depth in 0..=decisions.len() {
            while let Some(fork) = forks.next_if(|fork| fork.depth as usize == depth) {
                if self.child(current, &fork.decision).is_none() {
                    let state = fork.beyond.map_or(State::Open, State::Parked);
                    let node = self.add(current, fork.decision, fork.objects, state);
                    if let Some(added) = self.nodes.get_mut(node.0 as usize) {
                        added.neighbour = input.cloned();
                    }
                    match fork.beyond {
                        None => added.push(self.candidate(node)),
                        Some(_) => self.parked.push(node),
                    }
                }
            }
            if let Some(decision) = decisions.get(depth) {
                current = match self.child(current, decision) {
                    Some(node) => node,
                    None => self.add(current, *decision, 0, State::Explored),
                };
                self.close(current);
            }
        }
        added
    }

    /// The nodes on the frontier whose decisions are those of a path but for the last.
    pub fn beside(&self, decisions: &[Decision]) -> Vec<Candidate> {
        let mut open = Vec::new();
        let mut current = Some(Self::ROOT);
        let mut decisions = decisions.iter();
        while let Some(node) = current.and_then(|id| self.nodes.get(id.0 as usize)) {
            let children = node.children.iter().copied();
            open.extend(children.filter(|&child| self.is_open(child)));
            let next = decisions.next();
            current = current
                .zip(next)
                .and_then(|(id, decision)| self.child(id, decision));
        }
        open.into_iter().map(|node| self.candidate(node)).collect()
    }

    /// Another input that takes all decisions from the root to a node but the last.
    pub fn set_neighbour(&mut self, node: NodeId, input: &Arc<Input>) {
        if let Some(node) = self.nodes.get_mut(node.0 as usize) {
            node.neighbour = Some(Arc::clone(input));
        }
    }

    /// The node as strategies see it.
    pub fn candidate(&self, id: NodeId) -> Candidate {
        let node = &self.nodes[id.0 as usize];
        Candidate {
            node: id,
            depth: node.depth,
            objects: node.objects,
            edge: node.decision.and_then(|decision| decision.edge),
            block: node.decision.and_then(|decision| decision.block),
        }
    }

    fn child(&self, parent: NodeId, decision: &Decision) -> Option<NodeId> {
        let children = &self.nodes[parent.0 as usize].children;
        let same = |id: &&NodeId| {
            let known = self.nodes[id.0 as usize].decision;
            known.is_some_and(|known| known.choice == decision.choice)
        };
        children.iter().find(same).copied()
    }

    fn add(&mut self, parent: NodeId, decision: Decision, objects: u32, state: State) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let depth = self.nodes[parent.0 as usize].depth + 1;
        self.nodes.push(Node {
            parent: Some(parent),
            decision: Some(decision),
            depth,
            objects,
            children: Vec::new(),
            state,
            price: Price::Low,
            neighbour: None,
        });
        self.nodes[parent.0 as usize].children.push(id);
        id
    }
}

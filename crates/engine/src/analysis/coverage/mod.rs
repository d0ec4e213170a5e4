//! Branch coverage: which edges there are, which are taken, and how far it is to the others.
//!
//! Covered edges never become uncovered again, so whatever is computed from the coverage stays
//! valid until the next new edge; distances are computed when they are asked for.
//!
//! Functions that the front end made up have no branches as far as coverage is concerned. The
//! ways through them still lead somewhere, so their edges have distances.

mod goal;
mod graph;

use std::sync::OnceLock;

use heapwright_ir::machine::{Edge, ProgramPoint, Successor};
use heapwright_ir::{Block, BlockId, FunctionId, Position, Program, Terminator};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use crate::options::SourceLine;
use crate::subject::CodeUnderTest;
use graph::{Graph, UNREACHABLE};

pub use goal::NoCode;
pub use graph::RETURN_COST;

/// The branches of a function and of everything that it may call.
///
/// The order of the edges is that of the text, function by function: the function itself first,
/// the others in the order in which calls lead to them.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    entry: Option<FunctionId>,
    graph: Graph,
    branches: Edges,
    handlers: Edges,
    /// The edges of synthetic functions, and others that do not count.
    hidden: Edges,
    covered: usize,
    /// The nodes of the graph to reach; none if the uncovered edges are what is looked for.
    goal: Option<Vec<u32>>,
    distances: OnceLock<Vec<u32>>,
}

/// An edge with what is known about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeCoverage {
    /// The edge.
    pub edge: Edge,
    /// The place of the conditional jump or switch; for edges to handlers, that of the end of the
    /// block that they protect.
    pub position: Position,
    /// The block of the same function that the edge leads to.
    pub target: BlockId,
    /// The first test that took it.
    pub test: Option<usize>,
    /// Whether it is known that no test takes it.
    pub infeasible: bool,
}

/// Distances to some edges, from everywhere.
pub struct Distances<'c> {
    coverage: &'c Coverage,
    distances: Vec<u32>,
}

impl Distances<'_> {
    /// The distance of a block; none if no way leads from there to the edges.
    pub fn of_block(&self, function: FunctionId, block: BlockId) -> Option<u32> {
        let (first, _) = self.coverage.graph.block(function, block)?;
        let distance = self.distances.get(first as usize).copied();
        distance.filter(|&distance| distance != UNREACHABLE)
    }

    /// The distance of the block that an edge leads to.
    pub fn behind(&self, edge: Edge) -> Option<u32> {
        let known = self.coverage.get(edge);
        let known = known.or_else(|| self.coverage.hidden.get(&edge))?;
        self.of_block(edge.function, known.target)
    }
}

impl EdgeCoverage {
    /// Whether a test that takes it is still to be found.
    fn is_wanted(&self) -> bool {
        self.test.is_none() && !self.infeasible
    }
}

type Edges = IndexMap<Edge, EdgeCoverage, FxBuildHasher>;

impl Coverage {
    /// Nothing covered yet. Distances are those to uncovered edges.
    pub fn new(program: &Program, function: FunctionId) -> Coverage {
        Coverage::within(program, function, None)
    }

    /// The same for a part of the program: what else it calls has neither branches nor
    /// distances.
    pub fn within(
        program: &Program,
        function: FunctionId,
        scope: Option<&CodeUnderTest>,
    ) -> Coverage {
        let counts = |id: FunctionId| {
            let synthetic =
                || (program.functions.get(id.index())).is_some_and(|code| code.synthetic);
            id == function || scope.is_none_or(|scope| scope.functions.contains(&id) || synthetic())
        };
        let graph = Graph::new(program, function, counts);
        let mut coverage = Coverage {
            entry: Some(function),
            ..Coverage::default()
        };
        for &id in graph.functions() {
            let Some(function) = program.functions.get(id.index()) else {
                continue;
            };
            for (index, block) in function.blocks.iter().enumerate() {
                let block_id = BlockId(index as u32);
                let hidden = |edge: &Edge| {
                    function.synthetic || scope.is_some_and(|scope| scope.ignored.contains(edge))
                };
                coverage.add_edges(program, id, block_id, block, hidden);
            }
        }
        coverage.graph = graph;
        coverage
    }

    /// As [`Coverage::new`], but distances are those to the blocks with code on a line.
    pub fn towards(
        program: &Program,
        function: FunctionId,
        place: &SourceLine,
    ) -> Result<Coverage, NoCode> {
        let mut coverage = Coverage::new(program, function);
        coverage.aim(program, place)?;
        Ok(coverage)
    }

    /// From here on distances are those to the blocks with code on a line.
    pub fn aim(&mut self, program: &Program, place: &SourceLine) -> Result<(), NoCode> {
        self.goal = Some(goal::nodes(program, &self.graph, place)?);
        self.distances.take();
        Ok(())
    }

    /// Records that a test took an edge. Whether it is the first one to do so; edges that the
    /// function and its callees do not have are ignored.
    pub fn cover(&mut self, edge: Edge, test: usize) -> bool {
        let branch = matches!(edge.successor, Successor::Jump(_));
        let edges = match branch {
            true => &mut self.branches,
            false => &mut self.handlers,
        };
        let Some(known) = edges.get_mut(&edge).filter(|known| known.test.is_none()) else {
            return false;
        };
        known.test = Some(test);
        if branch {
            self.covered += 1;
            if self.goal.is_none() {
                self.distances.take();
            }
        }
        true
    }

    /// Records that nothing takes an edge: nobody needs to look for it. Whether it counts.
    pub fn rule_out(&mut self, edge: Edge) -> bool {
        let known = self.branches.get_mut(&edge);
        let counts = known.is_some();
        if let Some(known) = known {
            known.infeasible = true;
            self.distances.take();
        }
        counts
    }

    /// Whether nobody needs to take an edge, of a branch or to a handler: a test did, or it is
    /// none of those that count.
    pub fn is_covered(&self, edge: Edge) -> bool {
        self.get(edge).is_none_or(|known| known.test.is_some())
    }

    /// Whether every branch that can be taken is covered. Handlers do not count.
    pub fn all_covered(&self) -> bool {
        !self.branches.values().any(EdgeCoverage::is_wanted)
    }

    /// The number of branches that are covered.
    pub fn covered_count(&self) -> usize {
        self.covered
    }

    /// The number of branches that a test is still to be found for.
    pub fn wanted_count(&self) -> usize {
        let wanted = self.branches.values().filter(|known| known.is_wanted());
        wanted.count()
    }

    /// The number of branches.
    pub fn total(&self) -> usize {
        self.branches.len()
    }

    /// The branches, in order.
    pub fn branches(&self) -> impl Iterator<Item = &EdgeCoverage> {
        self.branches.values()
    }

    /// The edges to exception handlers, in order; they do not count as branches.
    pub fn handlers(&self) -> impl Iterator<Item = &EdgeCoverage> {
        self.handlers.values()
    }

    /// What is known about an edge, of a branch or to a handler.
    pub fn get(&self, edge: Edge) -> Option<&EdgeCoverage> {
        match edge.successor {
            Successor::Jump(_) => self.branches.get(&edge),
            Successor::Handler(_) => self.handlers.get(&edge),
        }
    }

    /// The function and all functions that it may call, itself first.
    pub fn functions(&self) -> &[FunctionId] {
        self.graph.functions()
    }

    /// How many blocks come before the nearest block with an uncovered branch (or with the code to
    /// be reached): 0 for such a block itself, none if none can be reached.
    ///
    /// A call leads into its callees as well as over them, both at the cost of one block. Only
    /// where this finds nothing the way leads back to the callers, at [`RETURN_COST`] for each
    /// function that is left.
    pub fn distance(&self, function: FunctionId, block: BlockId) -> Option<u32> {
        let (first, _) = self.graph.block(function, block)?;
        let distances = self.distances.get_or_init(|| self.compute_distances());
        let distance = distances.get(first as usize).copied();
        distance.filter(|&distance| distance != UNREACHABLE)
    }

    /// 0 for a branch that is uncovered (and looked for), otherwise one more than the distance of
    /// the block that the edge leads to.
    pub fn distance_of_edge(&self, edge: Edge) -> Option<u32> {
        let known = self.get(edge).or_else(|| self.hidden.get(&edge))?;
        let branch = matches!(edge.successor, Successor::Jump(_));
        let hidden = self.hidden.contains_key(&edge);
        if branch && !hidden && known.is_wanted() && self.goal.is_none() {
            return Some(0);
        }
        let distance = self.distance(edge.function, known.target)?;
        Some(distance.saturating_add(1))
    }

    /// How far it is from every block to the nearest one that ends with one of some edges.
    pub fn distances_to(&self, edges: impl Iterator<Item = Edge>) -> Distances<'_> {
        let ends = edges.filter_map(|edge| Some(self.graph.block(edge.function, edge.block)?.1));
        Distances {
            coverage: self,
            distances: self.graph.distances(ends),
        }
    }

    /// The distance of the first block of the function.
    pub fn distance_of_entry(&self) -> Option<u32> {
        self.distance(self.entry?, BlockId(0))
    }

    fn compute_distances(&self) -> Vec<u32> {
        match &self.goal {
            Some(nodes) => self.graph.distances(nodes.iter().copied()),
            None => {
                let uncovered = self.branches.values().filter(|known| known.is_wanted());
                // The end of a block is where its branch is taken.
                let ends = uncovered.filter_map(|known| {
                    let (_, last) = self.graph.block(known.edge.function, known.edge.block)?;
                    Some(last)
                });
                self.graph.distances(ends)
            }
        }
    }

    fn add_edges(
        &mut self,
        program: &Program,
        function: FunctionId,
        id: BlockId,
        block: &Block,
        hidden: impl Fn(&Edge) -> bool,
    ) {
        let position = ProgramPoint {
            function,
            block: id,
            instruction: block.instructions.len() as u32,
        }
        .position(program);
        let mut add = |successor, target| {
            let edge = Edge {
                function,
                block: id,
                successor,
            };
            let edges = match successor {
                _ if hidden(&edge) => &mut self.hidden,
                Successor::Jump(_) => &mut self.branches,
                Successor::Handler(_) => &mut self.handlers,
            };
            let known = EdgeCoverage {
                edge,
                position,
                target,
                test: None,
                infeasible: false,
            };
            edges.insert(edge, known);
        };
        match &block.terminator {
            Terminator::Branch {
                then, otherwise, ..
            } => {
                add(Successor::Jump(0), *then);
                add(Successor::Jump(1), *otherwise);
            }
            Terminator::Switch { cases, default, .. } => {
                let targets = cases.iter().map(|(_, target)| target).chain([default]);
                for (index, &target) in targets.enumerate() {
                    let index = index as u32;
                    // Cases with the same target are one branch.
                    if block.terminator.branch_of(index) == index {
                        add(Successor::Jump(index), target);
                    }
                }
            }
            Terminator::Goto(_)
            | Terminator::Return(_)
            | Terminator::Throw(_)
            | Terminator::Unreachable
            | Terminator::Absent => {}
        }
        for (index, handler) in block.handlers.iter().enumerate() {
            add(Successor::Handler(index as u32), handler.block);
        }
    }
}

//! What a user can choose about a search.

use std::time::Duration;

use heapwright_ir::machine::Budgets;
use heapwright_solver::arith::Layers;

use crate::report::Limit;
use crate::search::interrupt::Interrupt;
use crate::structures::NumberDomain;

/// How tests are made.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Options {
    /// The way. Default: concolic.
    pub mode: Mode,
    /// Which unexplored node of the tree comes next. Default: coverage-guided.
    pub strategy: StrategyKind,
    /// Which of the inputs of a path is taken. Default: the smallest heap.
    pub values: ValueChoice,
    /// How often the precondition is unfolded for tests straight from the specification; 0 for
    /// none. Default: 1 in concolic mode, as in the published experiments; 3 in `spec` mode.
    pub unfolding: Option<u32>,
    /// Whether the search ends when every branch is covered. Default: yes.
    pub stop_when_covered: bool,
    /// A place to reach: the search ends with the first test that does.
    pub reach: Option<SourceLine>,
    /// What bounds the search.
    pub bounds: Bounds,
    /// What bounds each run.
    pub budgets: Budgets,
    /// Decides what the random strategy does. Default: 0.
    pub seed: u64,
    /// Threads. The result does not depend on it. Default: 1.
    pub jobs: usize,
    /// Which structures are looked at where a predicate says which ones are valid.
    pub structures: StructureBounds,
    /// What decides the numbers of a path before the backend is asked. Default: all layers.
    #[serde(skip)]
    pub layers: Layers,
    /// Ends the search when it is set. Default: nobody sets it.
    #[serde(skip)]
    pub interrupt: Interrupt,
}

/// What bounds structures for which a predicate holds.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct StructureBounds {
    /// Objects of each class, but for values such as boxed numbers. Default: 4.
    pub scope: u32,
    /// Fields and parameters that are tried with all numbers of a domain. All other numbers are
    /// symbols.
    pub domains: Vec<NumberDomain>,
}

impl Default for StructureBounds {
    fn default() -> Self {
        StructureBounds {
            scope: 4,
            domains: Vec::new(),
        }
    }
}

/// The way to tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Mode {
    /// From the precondition alone, without looking at the code (CSF, Algorithm 1).
    Specification,
    /// Tests from the precondition first, then concrete runs whose path conditions are negated
    /// (CSF).
    Concolic,
    /// Symbolic execution with context-sensitive lazy initialisation (JSF).
    Symbolic,
    /// Generalised symbolic execution: references are initialised by type alone. The baseline.
    Lazy {
        /// Whether inputs that violate the precondition are dropped.
        filter: bool,
    },
    /// All structures for which a predicate of the program holds, without a look at the code.
    Blackbox,
    /// Symbolic execution with lazy initialisation, pruned by a predicate of the program.
    Whitebox,
    /// Sequences of calls, by [`sequences`](crate::sequences); a search for inputs is symbolic then.
    Sequences,
}

/// The order in which the constraint tree is explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum StrategyKind {
    /// Deepest first.
    DepthFirst,
    /// Shallowest first.
    BreadthFirst,
    /// Depth first with a bound on the depth that grows when nothing is left below it.
    IterativeDeepening,
    /// Depth first, nothing below this depth.
    DepthBounded(u32),
    /// Closest to an uncovered branch first, then the smallest heap.
    Coverage,
    /// Any.
    Random,
}

/// Which input of a path becomes its test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum ValueChoice {
    /// Whatever the solver answers.
    Any,
    /// One with as few objects as the path allows.
    SmallestHeap,
    /// Of those with the same shape as the smallest heap, one whose numbers are closest to zero
    /// in sum (branch and bound).
    SmallestValues,
    /// Up to this many that differ in shape.
    Shapes(u32),
}

/// A line of a source file.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct SourceLine {
    /// Index into the files of the program.
    pub file: u32,
    /// The line, from 1.
    pub line: u32,
}

/// What bounds a search. A bound on paths leaves what lies behind it unexplored, and says so;
/// a bound on the search ends it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Bounds {
    /// Decisions on a path that are taken back to explore their alternatives. Default: 400.
    pub depth: u32,
    /// How often a path may take one edge in one call. Default: from 100 to 400.
    pub loops: Bound,
    /// Objects of the input that a path may look at. Default: from 8 to 48.
    pub objects: Bound,
    /// Elements that an array of the input may have. Default: from 4 to 32.
    pub elements: Bound,
    /// Paths explored. Default: 20,000.
    pub paths: u64,
    /// Paths in a row that cover no new branch, where covering branches is the goal. Under the
    /// coverage-guided strategy then as many again with the smallest heaps first, to find out up
    /// to which size nothing takes the branches that are left. Default: 100.
    pub patience: u64,
    /// Where there is something to check after a call: inputs that are tried for that alone, small
    /// ones first, and alternatives that are explored when all branches are covered. Default: 100.
    pub checks: u64,
    /// Questions to the solver. Default: 100,000.
    pub solver_calls: u64,
    /// Wall-clock time; a search that it ended is not repeatable, and says so. Default: 60 s.
    pub time: Option<Duration>,
    /// Bytes that tree and tests may take, estimated. Default: 2 GiB.
    pub memory: u64,
}

/// A bound on paths that finds its own size: it begins small and grows while that is worth it, or
/// somebody has fixed it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Bound {
    /// What it is at first.
    pub first: u32,
    /// What it never exceeds.
    pub most: u32,
}

impl Bound {
    /// One that stays what it is.
    pub const fn fixed(number: u32) -> Bound {
        Bound::growing(number, number)
    }

    /// One that begins with a number and grows up to another.
    pub const fn growing(first: u32, most: u32) -> Bound {
        Bound { first, most }
    }
}

/// The bounds on paths as they are at some time of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Extent {
    /// Decisions on a path that are taken back to explore their alternatives.
    pub depth: u32,
    /// How often a path may take one edge in one call.
    pub loops: u32,
    /// Objects of the input that a path may look at.
    pub objects: u32,
    /// Elements that an array of the input may have.
    pub elements: u32,
}

impl Extent {
    /// How large a bound is, if it is one of these.
    pub fn of(&self, limit: Limit) -> Option<u32> {
        match limit {
            Limit::Depth => Some(self.depth),
            Limit::Loops => Some(self.loops),
            Limit::Objects => Some(self.objects),
            Limit::Elements => Some(self.elements),
            _ => None,
        }
    }
}

impl Bounds {
    /// The bounds on paths at the beginning.
    pub fn extent(&self) -> Extent {
        Extent {
            depth: self.depth,
            loops: self.loops.first,
            objects: self.objects.first,
            elements: self.elements.first,
        }
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds {
            depth: 400,
            loops: Bound::growing(100, 400),
            objects: Bound::growing(8, 48),
            elements: Bound::growing(4, 32),
            paths: 20_000,
            patience: 100,
            checks: 100,
            solver_calls: 100_000,
            time: Some(Duration::from_secs(60)),
            memory: 2 << 30,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            mode: Mode::Concolic,
            strategy: StrategyKind::Coverage,
            values: ValueChoice::SmallestHeap,
            unfolding: None,
            stop_when_covered: true,
            reach: None,
            bounds: Bounds::default(),
            budgets: Budgets {
                steps: 100_000,
                ..Budgets::default()
            },
            seed: 0,
            jobs: 1,
            structures: StructureBounds::default(),
            layers: Layers::default(),
            interrupt: Interrupt::default(),
        }
    }
}

//! The engine's count of branches beside JaCoCo's, method by method.

use std::collections::{BTreeMap, BTreeSet};

use heapwright_ir::machine::Edge;
use heapwright_ir::{BlockId, FunctionId};
use heapwright_java::hierarchy::DeclaredMethod;
use heapwright_java::verify::Verification;
use heapwright_java::world::World;

/// The branches of a method.
#[derive(Debug)]
pub struct MethodCoverage {
    /// The class, with its package.
    pub class: String,
    /// The method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The branches that the engine counts.
    pub edges: Vec<Edge>,
    /// Those of them that tests take.
    pub taken: Vec<Edge>,
    /// Those of them that JaCoCo may not see, since no test goes on for long behind them.
    pub unseen: usize,
    /// Covered branches and all of them, as JaCoCo counts; none if it does not know the method.
    pub measured: Option<(usize, usize)>,
}

impl MethodCoverage {
    /// Whether both have counted the same, as far as JaCoCo can.
    pub fn agrees(&self) -> bool {
        let taken = self.taken.len();
        self.measured.is_some_and(|(theirs, all)| {
            all == self.edges.len() && theirs <= taken && theirs + self.unseen >= taken
        })
    }
}

/// The classes of some branches.
pub fn classes_of(world: &World, edges: impl Iterator<Item = Edge>) -> BTreeSet<String> {
    let methods = edges.filter_map(|edge| world.method_of(edge.function));
    methods
        .map(|method| method.class.name.to_string())
        .collect()
}

/// Puts the branches of methods, and those of them that tests take, beside what was measured;
/// sorted by class and method. JaCoCo notices a branch at the next place where it counts, which a
/// run that an exception ends may not come to: such branches are given as `unseen`.
pub fn compare(
    world: &World,
    edges: &BTreeSet<Edge>,
    taken: &BTreeSet<Edge>,
    unseen: &BTreeSet<Edge>,
    verification: &Verification,
) -> Vec<MethodCoverage> {
    let mut copies = Copies::of(world);
    let edges = copies.merged(edges);
    let (taken, unseen) = (copies.merged(taken), copies.merged(unseen));
    let mut methods: BTreeMap<(String, String, String), MethodCoverage> = BTreeMap::new();
    for edge in edges {
        let Some(method) = world.method_of(edge.function) else {
            continue;
        };
        let key = key(method);
        let known = methods.entry(key.clone()).or_insert_with(|| {
            let (class, method, descriptor) = key;
            MethodCoverage {
                measured: measured(verification, &class, &method, &descriptor),
                class,
                method,
                descriptor,
                edges: Vec::new(),
                taken: Vec::new(),
                unseen: 0,
            }
        });
        known.edges.push(edge);
        if taken.contains(&edge) {
            known.taken.push(edge);
            known.unseen += usize::from(unseen.contains(&edge));
        }
    }
    methods.into_values().collect()
}

/// The blocks that JaCoCo takes together, as far as somebody asked.
struct Copies<'w> {
    world: &'w World,
    known: BTreeMap<FunctionId, BTreeMap<BlockId, BlockId>>,
}

impl<'w> Copies<'w> {
    fn of(world: &'w World) -> Copies<'w> {
        Copies {
            world,
            known: BTreeMap::new(),
        }
    }

    /// The branches as JaCoCo counts them: those of the copies of a `finally` block are one.
    fn merged(&mut self, edges: &BTreeSet<Edge>) -> BTreeSet<Edge> {
        let merged = edges.iter().map(|&edge| {
            let known = self.known.entry(edge.function);
            let blocks = known.or_insert_with(|| self.world.jacoco_merged(edge.function));
            let block = blocks.get(&edge.block).copied().unwrap_or(edge.block);
            Edge { block, ..edge }
        });
        merged.collect()
    }
}

fn key(method: &DeclaredMethod) -> (String, String, String) {
    (
        method.class.name.to_string(),
        method.method.name.to_string(),
        method.method.descriptor.descriptor(),
    )
}

fn measured(
    verification: &Verification,
    class: &str,
    method: &str,
    descriptor: &str,
) -> Option<(usize, usize)> {
    let known = verification.coverage.iter().find(|known| {
        known.class == class && known.method == method && known.descriptor == descriptor
    })?;
    let (covered, missed) = (known.branches.covered, known.branches.missed);
    Some((covered as usize, (covered + missed) as usize))
}

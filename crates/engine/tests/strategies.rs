//! Strategies: the order in which each of them hands out the nodes of a tree.

mod random;

use std::collections::{BTreeSet, HashMap};

use heapwright_engine::StrategyKind;
use heapwright_engine::coverage::Coverage;
use heapwright_engine::strategy::{Candidate, IterativeDeepening, NodeId, Strategy, strategy};
use heapwright_ir::machine::{Edge, Successor};
use heapwright_ir::{BlockId, FunctionId, Program, parse};
use random::Source;

const ALL: [StrategyKind; 6] = [
    StrategyKind::DepthFirst,
    StrategyKind::BreadthFirst,
    StrategyKind::IterativeDeepening,
    StrategyKind::DepthBounded(10),
    StrategyKind::Coverage,
    StrategyKind::Random,
];

const MAIN: FunctionId = FunctionId(0);

fn candidate(node: u32, depth: u32) -> Candidate {
    Candidate {
        node: NodeId(node),
        depth,
        objects: 0,
        edge: None,
        block: None,
    }
}

fn jump(block: u32, successor: u32) -> Edge {
    Edge {
        function: MAIN,
        block: BlockId(block),
        successor: Successor::Jump(successor),
    }
}

fn program(text: &str) -> Program {
    parse(text).unwrap_or_else(|error| panic!("{error}"))
}

/// Explores a binary tree of some depth. The children of node n are 2n and 2n + 1.
fn explore(mut strategy: Box<dyn Strategy + Send>, depth: u32) -> Vec<u32> {
    let coverage = Coverage::default();
    strategy.add(candidate(1, 0));
    let mut order = Vec::new();
    while let Some(next) = strategy.next(&coverage) {
        let node = next.node.0;
        order.push(node);
        if next.depth < depth {
            strategy.add(candidate(2 * node, next.depth + 1));
            strategy.add(candidate(2 * node + 1, next.depth + 1));
        }
    }
    order
}

#[test]
fn orders_on_a_binary_tree() {
    let check = |kind, expected: &[u32]| assert_eq!(explore(strategy(kind, 0), 3), expected);
    check(
        StrategyKind::DepthFirst,
        &[1, 2, 4, 8, 9, 5, 10, 11, 3, 6, 12, 13, 7, 14, 15],
    );
    check(StrategyKind::BreadthFirst, &Vec::from_iter(1..16));
    check(StrategyKind::DepthBounded(1), &[1, 2, 3]);
    check(
        StrategyKind::DepthBounded(3),
        &explore(strategy(StrategyKind::DepthFirst, 0), 3),
    );
    // The first bound is larger than the tree is deep.
    check(
        StrategyKind::IterativeDeepening,
        &explore(strategy(StrategyKind::DepthFirst, 0), 3),
    );
    let deepening = |step| explore(Box::new(IterativeDeepening::with_step(step)), 3);
    assert_eq!(
        deepening(2),
        [1, 2, 4, 5, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
    );
    assert_eq!(deepening(1), Vec::from_iter(1..16));
    assert_eq!(deepening(0), deepening(1));
}

#[test]
fn deepening_skips_bounds_that_admit_nothing() {
    let mut strategy = IterativeDeepening::with_step(2);
    for (node, depth) in [(1, 9), (2, 100), (3, 10), (4, 11), (5, 2)] {
        strategy.add(candidate(node, depth));
    }
    let coverage = Coverage::default();
    let order: Vec<u32> = std::iter::from_fn(|| strategy.next(&coverage))
        .map(|next| next.node.0)
        .collect();
    // Bounds 2, then 10, then 12, then 100.
    assert_eq!(order, [5, 3, 1, 4, 2]);
}

#[test]
fn what_is_too_deep_stays() {
    let mut strategy = strategy(StrategyKind::DepthBounded(4), 0);
    for (node, depth) in [(1, 5), (2, 4), (3, 6)] {
        strategy.add(candidate(node, depth));
    }
    let coverage = Coverage::default();
    assert_eq!(strategy.next(&coverage), Some(candidate(2, 4)));
    assert_eq!(strategy.next(&coverage), None);
    assert_eq!((strategy.len(), strategy.is_empty()), (2, false));
    let left: BTreeSet<_> = strategy.remaining().map(|left| left.node.0).collect();
    assert_eq!(left, BTreeSet::from([1, 3]));
}

#[test]
fn seeds_decide_what_is_random() {
    let order = |seed| explore(strategy(StrategyKind::Random, seed), 6);
    assert_eq!(order(1), order(1));
    assert_ne!(order(1), order(2));
    // Every node of ten has its chance of being the first.
    let first = |seed| {
        let mut strategy = strategy(StrategyKind::Random, seed);
        (0..10).for_each(|node| strategy.add(candidate(node, 0)));
        strategy.next(&Coverage::default()).unwrap().node.0
    };
    let mut counts = [0; 10];
    (0..1000).for_each(|seed| counts[first(seed) as usize] += 1);
    assert!(
        counts.iter().all(|count| (50..200).contains(count)),
        "{counts:?}"
    );
}

/// The branch of b3 is three blocks away from the beginning, that of b1 one.
const CHAIN: &str = "
function main(c: bool) {
b0:
  goto b1
b1:
  if c goto b2 else b4
b2:
  goto b3
b3:
  if c goto b4 else b4
b4:
  return
}";

/// Candidates at all places of the chain, of different sizes.
fn at_the_chain() -> Vec<Candidate> {
    let at = |node, objects, depth, edge, block: Option<u32>| Candidate {
        node: NodeId(node),
        depth,
        objects,
        edge,
        block: block.map(|block| (MAIN, BlockId(block))),
    };
    vec![
        at(0, 3, 1, None, Some(4)),
        at(1, 1, 9, None, Some(4)),
        at(2, 9, 9, Some(jump(3, 1)), Some(3)),
        at(3, 5, 1, None, Some(2)),
        at(4, 7, 1, Some(jump(1, 0)), Some(1)),
        at(5, 4, 5, None, None),
        at(6, 4, 2, None, None),
    ]
}

fn drain(strategy: &mut dyn Strategy, coverage: &Coverage) -> Vec<u32> {
    let next = std::iter::from_fn(|| strategy.next(coverage));
    next.map(|next| next.node.0).collect()
}

#[test]
fn closest_first_then_smallest() {
    let program = program(CHAIN);
    let mut coverage = Coverage::new(&program, MAIN);
    let order = |coverage: &Coverage| {
        let mut strategy = strategy(StrategyKind::Coverage, 0);
        at_the_chain()
            .into_iter()
            .for_each(|next| strategy.add(next));
        drain(&mut *strategy, coverage)
    };
    // Both edges are uncovered: distance 0, the smaller input first. Then b2 and the entry, both
    // at distance 2; the second one of the entry has become further away. Nothing is behind b4.
    assert_eq!(order(&coverage), [4, 2, 6, 3, 5, 1, 0]);
    // The edges of b1 are taken now, so b3 is what attracts.
    coverage.cover(jump(1, 0), 0);
    coverage.cover(jump(1, 1), 0);
    assert_eq!(order(&coverage), [2, 3, 4, 6, 5, 1, 0]);
    // Nothing is left to cover: smallest heap first, wherever it is.
    coverage.cover(jump(3, 0), 0);
    coverage.cover(jump(3, 1), 0);
    assert_eq!(order(&coverage), [1, 0, 6, 5, 3, 4, 2]);
}

#[test]
fn the_order_follows_the_coverage() {
    let program = program(CHAIN);
    let mut coverage = Coverage::new(&program, MAIN);
    let mut strategy = strategy(StrategyKind::Coverage, 0);
    at_the_chain()
        .into_iter()
        .for_each(|next| strategy.add(next));
    assert_eq!(strategy.next(&coverage).unwrap().node, NodeId(4));
    for edge in [jump(1, 0), jump(3, 1)] {
        coverage.cover(edge, 0);
    }
    // The edge that candidate 2 takes is covered and leads nowhere any more: it would have come
    // next, and now comes last.
    assert_eq!(drain(&mut *strategy, &coverage), [6, 3, 5, 1, 0, 2]);
}

/// The loop is always one block away from an edge that nothing takes.
#[test]
fn a_loop_does_not_starve_the_rest() {
    let program = program(
        "
function main(c: bool) {
b0:
  goto b1
b1:
  if c goto b0 else b0
b2:
  goto b3
b3:
  goto b4
b4:
  goto b0
}",
    );
    let mut coverage = Coverage::new(&program, MAIN);
    coverage.cover(jump(1, 0), 0);
    let mut strategy = strategy(StrategyKind::Coverage, 0);
    let far = Candidate {
        objects: 100,
        block: Some((MAIN, BlockId(2))),
        ..candidate(0, 50)
    };
    strategy.add(far);
    let unroll = |node, depth| Candidate {
        edge: Some(jump(1, 0)),
        block: Some((MAIN, BlockId(1))),
        ..candidate(node, depth)
    };
    strategy.add(unroll(1, 1));
    let mut unrolled = 0;
    while strategy.next(&coverage) != Some(far) {
        unrolled += 1;
        assert!(unrolled < 10, "starved");
        strategy.add(unroll(unrolled + 1, unrolled + 1));
    }
    // It is three blocks further away, and much larger, so the loop has its turn a few times.
    assert_eq!(unrolled, 4);
}

/// The edge that a candidate takes or, if it takes none, its block.
type Location = (Option<Edge>, Option<(FunctionId, BlockId)>);

/// The documented rule, computed anew for every candidate on every call.
#[derive(Default)]
struct Reference {
    candidates: Vec<Candidate>,
    handed_out: HashMap<Location, u32>,
}

impl Reference {
    fn next(&mut self, coverage: &Coverage) -> Option<Candidate> {
        let place = |next: &Candidate| match next.edge {
            Some(_) => (next.edge, None),
            None => (None, next.block),
        };
        let key = |next: &Candidate| {
            let distance = match place(next) {
                (Some(edge), _) => coverage.distance_of_edge(edge),
                (None, Some((function, block))) => {
                    coverage.distance(function, block).map(|known| known + 1)
                }
                (None, None) => coverage.distance_of_entry().map(|known| known + 1),
            };
            let count = self.handed_out.get(&place(next)).copied().unwrap_or(0);
            let closeness = distance.map_or((1, 0), |distance| (0, distance + count));
            (closeness, next.objects, next.depth, next.node)
        };
        let positions = 0..self.candidates.len();
        let best = positions.min_by_key(|&position| key(&self.candidates[position]))?;
        let best = self.candidates.remove(best);
        *self.handed_out.entry(place(&best)).or_default() += 1;
        Some(best)
    }
}

fn random_candidate(source: &mut Source, node: u32) -> Candidate {
    let block = source.below(6) as u32;
    let edge = jump(block, source.below(2) as u32);
    Candidate {
        node: NodeId(node),
        depth: source.below(20) as u32,
        objects: source.below(4) as u32,
        edge: source.chance(50).then_some(edge),
        block: source.chance(80).then_some((MAIN, BlockId(block))),
    }
}

#[test]
fn coverage_guided_follows_its_rule() {
    let program = program(CHAIN);
    for seed in 0..100 {
        let source = &mut Source::new(seed);
        let mut coverage = Coverage::new(&program, MAIN);
        let mut strategy = strategy(StrategyKind::Coverage, 0);
        let mut reference = Reference::default();
        for node in 0..150 {
            let candidate = random_candidate(source, node);
            strategy.add(candidate);
            reference.candidates.push(candidate);
            if source.chance(5) {
                coverage.cover(
                    jump(1 + 2 * source.below(2) as u32, source.below(2) as u32),
                    0,
                );
            }
            if source.chance(60) {
                assert_eq!(strategy.next(&coverage), reference.next(&coverage));
            }
        }
        while let Some(expected) = reference.next(&coverage) {
            assert_eq!(strategy.next(&coverage), Some(expected));
        }
        assert_eq!(strategy.next(&coverage), None);
    }
}

#[test]
fn every_node_comes_once_and_always_in_the_same_order() {
    let program = program(CHAIN);
    let coverage = Coverage::new(&program, MAIN);
    for kind in ALL {
        let run = || {
            let source = &mut Source::new(7);
            let mut strategy = strategy(kind, 3);
            let mut order = Vec::new();
            for node in 0..3000 {
                strategy.add(random_candidate(source, node));
                if source.chance(40) {
                    order.extend(strategy.next(&coverage));
                }
                assert_eq!(strategy.len() + order.len(), node as usize + 1);
            }
            order.extend(std::iter::from_fn(|| strategy.next(&coverage)));
            let left: Vec<Candidate> = strategy.remaining().copied().collect();
            assert_eq!(left.len(), strategy.len());
            (order, left)
        };
        let (order, left) = run();
        assert_eq!(run().0, order, "{kind:?}");
        let bounded = kind == StrategyKind::DepthBounded(10);
        assert_eq!(left.is_empty(), !bounded, "{kind:?}");
        assert!(left.iter().all(|next| next.depth > 10));
        let nodes: BTreeSet<NodeId> = order.iter().chain(&left).map(|next| next.node).collect();
        assert_eq!((nodes.len(), order.len() + left.len()), (3000, 3000));
    }
}

//! The references of a skeleton: which nodes are the same object, which are null.

use heapwright_logic::{Loc, Value};

use super::skeleton::Skeleton;
use crate::rules::{Grammar, Rule};
use crate::shape::{NIL, Node};

/// Reference values for every node of every step.
///
/// All nodes of all steps stand in one row; null is its first entry.
#[derive(Debug, Default)]
pub struct References {
    /// Where the nodes of each step begin in `nodes`.
    base: Vec<u32>,
    /// The entry of each node of each step.
    nodes: Vec<u32>,
    /// Union-find over entries.
    parent: Vec<u32>,
    /// The value of each representative.
    values: Vec<Option<Value>>,
    different: Vec<(u32, u32)>,
    objects: u32,
}

impl References {
    /// Solves the equalities and disequalities of a skeleton.
    pub fn solve(grammar: &Grammar, question: &Rule, skeleton: &Skeleton) -> References {
        let mut references = References::default();
        references.refill(grammar, question, skeleton);
        references
    }

    /// As [`References::solve`], using the memory of an earlier solution.
    ///
    /// Precondition: the skeleton was built from base pairs that agree, so there is a solution.
    /// References that nothing forces to be anything else are null; objects are numbered from 1
    /// in the order of the derivation, dangling references after them.
    pub fn refill(&mut self, grammar: &Grammar, question: &Rule, skeleton: &Skeleton) {
        self.base.clear();
        self.nodes.clear();
        self.parent.clear();
        self.different.clear();
        self.fresh(); // null
        self.enter(question);
        for step in 0..skeleton.steps.len() {
            let rule = skeleton.rule_of(step, grammar, question);
            let base = self.base[step] as usize;
            let first = skeleton.steps[step].first_child as usize;
            for (child, below) in rule.children.iter().zip(first..) {
                // Children stand next to each other and after all that came before.
                debug_assert_eq!(self.base.len(), below);
                let begin = self.nodes.len();
                self.enter(skeleton.rule_of(below, grammar, question));
                for (param, &arg) in child.references.nodes().iter().enumerate() {
                    self.nodes[begin + 1 + param] = self.nodes[base + usize::from(arg)];
                }
            }
            let entry = |node: Node| self.nodes[base + usize::from(node)];
            let differ = rule
                .disequalities
                .iter()
                .map(|&(a, b)| (entry(a), entry(b)));
            self.different.extend(differ);
            for &(a, b) in &rule.equalities {
                self.union(
                    self.nodes[base + usize::from(a)],
                    self.nodes[base + usize::from(b)],
                );
            }
        }
        self.assign(grammar, question, skeleton);
    }

    /// The value of a node in a step.
    pub fn value(&self, step: usize, node: Node) -> Value {
        let entry = self.nodes[self.base[step] as usize + usize::from(node)];
        self.values[self.find(entry) as usize].unwrap_or(Value::Null)
    }

    /// How many objects there are; they are numbered from 1.
    pub fn objects(&self) -> u32 {
        self.objects
    }

    /// Appends nodes for a step that follows `rule`.
    fn enter(&mut self, rule: &Rule) {
        self.base.push(self.nodes.len() as u32);
        self.nodes.push(u32::from(NIL));
        for _ in 1..rule.nodes() {
            let fresh = self.fresh();
            self.nodes.push(fresh);
        }
    }

    fn fresh(&mut self) -> u32 {
        self.parent.push(self.parent.len() as u32);
        self.parent.len() as u32 - 1
    }

    fn find(&self, mut entry: u32) -> u32 {
        while self.parent[entry as usize] != entry {
            entry = self.parent[entry as usize];
        }
        entry
    }

    fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        // The smaller one stays, so that null does.
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn assign(&mut self, grammar: &Grammar, question: &Rule, skeleton: &Skeleton) {
        self.values.clear();
        self.values.resize(self.parent.len(), None);
        self.values[0] = Some(Value::Null);
        self.objects = 0;
        for step in 0..skeleton.steps.len() {
            for &node in &skeleton.rule_of(step, grammar, question).allocated {
                let entry = self.nodes[self.base[step] as usize + usize::from(node)];
                let class = self.find(entry) as usize;
                self.objects += 1;
                self.values[class] = Some(Value::Ref(Loc(self.objects)));
            }
        }
        // What is left over is null unless a disequality forbids it, and dangles then. Where
        // two such references must differ, the earlier one is null.
        let mut different: Vec<(u32, u32)> = (self.different.iter())
            .flat_map(|&(a, b)| [(self.find(a), self.find(b)), (self.find(b), self.find(a))])
            .filter(|&(a, _)| self.values[a as usize].is_none())
            .collect();
        different.sort_unstable();
        let mut dangling = self.objects;
        for group in different.chunk_by(|a, b| a.0 == b.0) {
            let class = group[0].0 as usize;
            let is_null = |&(_, other): &(u32, u32)| {
                // Representatives are taken in ascending order; later ones may still avoid us.
                self.values[other as usize] == Some(Value::Null)
            };
            self.values[class] = Some(if group.iter().any(is_null) {
                dangling += 1;
                Value::Ref(Loc(dangling))
            } else {
                Value::Null
            });
        }
    }
}

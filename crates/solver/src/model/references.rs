//! The references of a skeleton: which nodes are the same object, which are null.

use heapwright_logic::{Loc, Value};

use super::skeleton::Skeleton;
use crate::rules::{Grammar, Rule};
use crate::shape::{NIL, Node};

/// Reference values for every node of every step.
#[derive(Debug)]
pub struct References {
    /// For each step the first of its own entries in `global`, and the entries.
    node_of: Vec<Vec<u32>>,
    values: Vec<Value>,
}

impl References {
    /// Solves the equalities and disequalities of a skeleton.
    ///
    /// Precondition: the skeleton was built from base pairs that agree, so there is a solution.
    /// References that nothing forces to be anything else are null; objects are numbered from 1
    /// in the order of the derivation, dangling references after them.
    pub fn solve(grammar: &Grammar, question: &Rule, skeleton: &Skeleton) -> References {
        let mut classes = Classes::default();
        classes.fresh(); // null
        let mut node_of: Vec<Vec<u32>> = vec![Vec::new(); skeleton.steps.len()];
        node_of[0] = (0..question.nodes() as u32).collect();
        for _ in 1..question.nodes() {
            classes.fresh();
        }
        for step in 0..skeleton.steps.len() {
            let rule = skeleton.rule_of(step, grammar, question);
            // Parents come first, so the parameters of this step are known; the rest is fresh.
            while node_of[step].len() < rule.nodes() {
                let fresh = classes.fresh();
                node_of[step].push(fresh);
            }
            for (child, &below) in rule.children.iter().zip(&skeleton.steps[step].children) {
                let args = child
                    .references
                    .iter()
                    .map(|&arg| node_of[step][usize::from(arg)]);
                node_of[below as usize] = std::iter::once(u32::from(NIL)).chain(args).collect();
            }
            for &(a, b) in &rule.equalities {
                classes.union(node_of[step][usize::from(a)], node_of[step][usize::from(b)]);
            }
        }
        let values = classes.assign(grammar, question, skeleton, &node_of);
        let node_of = (node_of.into_iter())
            .map(|nodes| nodes.into_iter().map(|node| classes.find(node)).collect())
            .collect();
        References { node_of, values }
    }

    /// The value of a node in a step.
    pub fn value(&self, step: usize, node: Node) -> Value {
        self.values[self.node_of[step][usize::from(node)] as usize]
    }
}

/// Union-find over all nodes; null is number 0 and stays a representative.
#[derive(Default)]
struct Classes {
    parent: Vec<u32>,
}

impl Classes {
    fn fresh(&mut self) -> u32 {
        self.parent.push(self.parent.len() as u32);
        self.parent.len() as u32 - 1
    }

    fn find(&mut self, mut node: u32) -> u32 {
        while self.parent[node as usize] != node {
            let grandparent = self.parent[self.parent[node as usize] as usize];
            self.parent[node as usize] = grandparent;
            node = grandparent;
        }
        node
    }

    fn union(&mut self, a: u32, b: u32) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn assign(
        &mut self,
        grammar: &Grammar,
        question: &Rule,
        skeleton: &Skeleton,
        node_of: &[Vec<u32>],
    ) -> Vec<Value> {
        let mut values: Vec<Option<Value>> = vec![None; self.parent.len()];
        values[0] = Some(Value::Null);
        let mut next = 1;
        for (step, nodes) in node_of.iter().enumerate() {
            for &node in &skeleton.rule_of(step, grammar, question).allocated {
                let class = self.find(nodes[usize::from(node)]);
                values[class as usize] = Some(Value::Ref(Loc(next)));
                next += 1;
            }
        }
        // What is left over becomes null unless a disequality forbids it, and dangles then.
        // A class that differs from another left-over class cannot be null along with it, so
        // these are taken one after the other.
        let mut different: rustc_hash::FxHashMap<u32, Vec<u32>> = Default::default();
        for (step, nodes) in node_of.iter().enumerate() {
            for &(a, b) in &skeleton.rule_of(step, grammar, question).disequalities {
                let a = self.find(nodes[usize::from(a)]);
                let b = self.find(nodes[usize::from(b)]);
                different.entry(a).or_default().push(b);
                different.entry(b).or_default().push(a);
            }
        }
        for class in 0..values.len() as u32 {
            if self.find(class) != class || values[class as usize].is_some() {
                continue;
            }
            let others = different.get(&class).map_or(&[][..], Vec::as_slice);
            let forbidden = |&other: &u32| values[other as usize] == Some(Value::Null);
            values[class as usize] = Some(if others.iter().any(forbidden) {
                next += 1;
                Value::Ref(Loc(next - 1))
            } else {
                Value::Null
            });
        }
        values
            .into_iter()
            .map(|value| value.unwrap_or(Value::Null))
            .collect()
    }
}

//! All rules of all predicates, and which predicates depend on each other.

use heapwright_logic::{Definitions, PredId, Terms, VarId};

use super::{Rule, split_params};

/// The definitions as a grammar: one list of rules per predicate.
#[derive(Debug, Default)]
pub struct Grammar {
    rules: Vec<Vec<Rule>>,
    reference_params: Vec<Vec<VarId>>,
    scalar_params: Vec<Vec<VarId>>,
    /// Strongly connected components, callees first.
    components: Vec<Vec<PredId>>,
    component_of: Vec<usize>,
    with_scalars: Vec<bool>,
}

impl Grammar {
    /// Compiles all definitions.
    pub fn new(terms: &mut Terms, definitions: &Definitions) -> Grammar {
        let mut grammar = Grammar::default();
        for (id, predicate) in definitions.predicates() {
            let (references, scalars) = split_params(terms, &predicate.params);
            let rules = (predicate.disjuncts.iter().enumerate())
                .flat_map(|(disjunct, heap)| {
                    Rule::compile(terms, definitions, disjunct, heap, &references)
                })
                .collect::<Vec<_>>();
            // An instance that follows from itself follows without that.
            let is_new = |rule: &Rule| !rule.is_identity(id, &scalars, terms);
            grammar
                .rules
                .push(rules.into_iter().filter(is_new).collect());
            grammar.reference_params.push(references);
            grammar.scalar_params.push(scalars);
        }
        grammar.find_components();
        grammar.find_scalars();
        grammar
    }

    /// The rules of a predicate.
    pub fn rules(&self, predicate: PredId) -> &[Rule] {
        &self.rules[predicate.index()]
    }

    /// The rules of a predicate, for dropping those that can never apply.
    pub fn rules_mut(&mut self, predicate: PredId) -> &mut Vec<Rule> {
        &mut self.rules[predicate.index()]
    }

    /// Parameters of reference sort, in order.
    pub fn reference_params(&self, predicate: PredId) -> &[VarId] {
        &self.reference_params[predicate.index()]
    }

    /// The other parameters, in order.
    pub fn scalar_params(&self, predicate: PredId) -> &[VarId] {
        &self.scalar_params[predicate.index()]
    }

    /// Number of predicates.
    pub fn len(&self) -> usize {
        self.rules.len()
    }

    /// Whether there is no predicate.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    /// Strongly connected components of the call graph, callees first.
    pub fn components(&self) -> &[Vec<PredId>] {
        &self.components
    }

    /// The component of a predicate.
    pub fn component_of(&self, predicate: PredId) -> usize {
        self.component_of[predicate.index()]
    }

    /// Whether a predicate, or one that it calls, says anything about numbers.
    pub fn has_scalars(&self, predicate: PredId) -> bool {
        self.with_scalars[predicate.index()]
    }

    /// The components that a predicate needs, its own last, callees first.
    pub fn reachable_components(&self, predicate: PredId) -> Vec<usize> {
        let last = self.component_of(predicate);
        // Callees come first in the list of components, so what is needed lies before.
        let mut needed = vec![false; last + 1];
        needed[last] = true;
        for component in (0..=last).rev() {
            if needed[component] {
                for &member in &self.components[component] {
                    for callee in self.callees(member) {
                        needed[self.component_of(callee)] = true;
                    }
                }
            }
        }
        (0..=last).filter(|&component| needed[component]).collect()
    }

    fn callees(&self, predicate: PredId) -> impl Iterator<Item = PredId> + '_ {
        let children = self.rules(predicate).iter().flat_map(|rule| &rule.children);
        children.map(|child| child.predicate)
    }

    fn find_scalars(&mut self) {
        self.with_scalars = vec![false; self.len()];
        for component in self.components.clone() {
            let found = component.iter().any(|&predicate| {
                !self.scalar_params(predicate).is_empty()
                    || self.rules(predicate).iter().any(Rule::has_scalars)
                    || self
                        .callees(predicate)
                        .any(|callee| self.has_scalars(callee))
            });
            for predicate in component {
                self.with_scalars[predicate.index()] = found;
            }
        }
    }

    /// Tarjan's algorithm with an explicit stack, since call chains may be long.
    fn find_components(&mut self) {
        const UNSEEN: usize = usize::MAX;
        let count = self.len();
        let callees: Vec<Vec<usize>> = (0..count)
            .map(|p| self.callees(PredId(p as u32)).map(PredId::index).collect())
            .collect();
        let (mut order, mut low) = (vec![UNSEEN; count], vec![0; count]);
        let (mut on_stack, mut stack, mut next) = (vec![false; count], Vec::new(), 0);
        self.component_of = vec![0; count];
        for root in 0..count {
            if order[root] != UNSEEN {
                continue;
            }
            let mut calls = vec![(root, 0)];
            while let Some(&mut (node, ref mut edge)) = calls.last_mut() {
                if *edge == 0 {
                    (order[node], low[node]) = (next, next);
                    next += 1;
                    stack.push(node);
                    on_stack[node] = true;
                }
                if let Some(&callee) = callees[node].get(*edge) {
                    *edge += 1;
                    if order[callee] == UNSEEN {
                        calls.push((callee, 0));
                    } else if on_stack[callee] {
                        low[node] = low[node].min(order[callee]);
                    }
                    continue;
                }
                calls.pop();
                if let Some(&(caller, _)) = calls.last() {
                    low[caller] = low[caller].min(low[node]);
                }
                if low[node] == order[node] {
                    let mut component = Vec::new();
                    while let Some(member) = stack.pop() {
                        on_stack[member] = false;
                        self.component_of[member] = self.components.len();
                        component.push(PredId(member as u32));
                        if member == node {
                            break;
                        }
                    }
                    component.sort_unstable();
                    self.components.push(component);
                }
            }
        }
    }
}

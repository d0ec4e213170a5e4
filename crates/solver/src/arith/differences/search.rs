//! Case splits over disjunctions and disequalities.
//!
//! Conjunctions of difference constraints are kept in a [`Graph`]. Everything else is a
//! *clause* that is looked at only if the small solution of the graph does not satisfy it
//! anyway; then its alternatives are tried in order. A conflict that does not depend on the
//! split is passed on at once (backjumping), so the reasons that come out at the top are a
//! core.

use heapwright_logic::{Sort, Term, TermId, Terms, Value, VarId};
use rustc_hash::FxHashMap;

use super::graph::{Buffers, Edge, Graph, Node, Why};
use super::literal::Difference;
use crate::arith::Assignment;

/// How a search ends without a solution.
pub enum Failure {
    /// The reasons contradict each other.
    Conflict(Vec<Why>),
    /// Too many splits.
    Limit,
}

/// A formula with a sign.
#[derive(Clone, Copy)]
struct Signed {
    formula: TermId,
    positive: bool,
}

impl Signed {
    fn new(formula: TermId, positive: bool) -> Signed {
        Signed { formula, positive }
    }
}

/// A constraint that the graph cannot hold.
#[derive(Clone, Copy)]
enum Clause {
    /// `left - right != difference`.
    Differs {
        left: Node,
        right: Node,
        difference: i128,
    },
    /// A formula with alternatives.
    Formula(Signed),
}

/// The state of a search.
pub struct Search<'a> {
    terms: &'a Terms,
    graph: Graph,
    nodes: FxHashMap<VarId, Node>,
    variables: Vec<VarId>,
    booleans: FxHashMap<VarId, (bool, Why)>,
    assigned: Vec<VarId>,
    clauses: Vec<(Clause, Why)>,
    /// Clauses of the form `Differs`, by the later of their nodes.
    differing: Vec<Vec<(Node, i128)>>,
    buffers: Buffers,
    splits: u32,
    limit: u32,
}

/// Where to come back to.
struct Mark {
    edges: usize,
    assigned: usize,
    clauses: usize,
}

impl<'a> Search<'a> {
    /// A search that allows `limit` splits.
    pub fn new(terms: &'a Terms, limit: u32) -> Self {
        let mut graph = Graph::default();
        graph.add_node(None);
        Search {
            terms,
            graph,
            nodes: FxHashMap::default(),
            variables: Vec::new(),
            booleans: FxHashMap::default(),
            assigned: Vec::new(),
            clauses: Vec::new(),
            differing: vec![Vec::new()],
            buffers: Buffers::default(),
            splits: 0,
            limit,
        }
    }

    /// Adds a conjunct of the question.
    ///
    /// Precondition: it belongs to the fragment.
    pub fn assume(&mut self, conjunct: TermId, position: u32) -> Result<(), Vec<Why>> {
        self.assert(Signed::new(conjunct, true), Why::Conjunct(position))
    }

    /// Looks for a solution of all that was assumed.
    pub fn solve(&mut self) -> Result<(), Failure> {
        self.solve_small();
        let Some((clause, why)) = self.falsified() else {
            return Ok(());
        };
        if self.splits >= self.limit {
            return Err(Failure::Limit);
        }
        self.splits += 1;
        let split = Why::Split(self.splits);
        let mut reasons = vec![why];
        for number in 0.. {
            let mark = self.mark();
            let Some(asserted) = self.assert_alternative(clause, number, split) else {
                break;
            };
            let result = match asserted {
                Ok(()) => self.solve(),
                Err(conflict) => Err(Failure::Conflict(conflict)),
            };
            let conflict = match result {
                Err(Failure::Conflict(conflict)) => conflict,
                other => return other,
            };
            self.back_to(&mark);
            if !conflict.contains(&split) {
                return Err(Failure::Conflict(conflict));
            }
            reasons.extend(conflict.into_iter().filter(|why| *why != split));
        }
        reasons.sort_unstable();
        reasons.dedup();
        Err(Failure::Conflict(reasons))
    }

    /// The solution found.
    pub fn assignment(&self) -> Assignment {
        let numbers = self.variables.iter().zip(&self.buffers.values[1..]);
        let mut assignment: Assignment = numbers
            .map(|(&variable, &value)| (variable, Value::Int(value)))
            .collect();
        let booleans =
            (self.booleans.iter()).map(|(&variable, &(value, _))| (variable, Value::Bool(value)));
        assignment.extend(booleans);
        assignment
    }

    fn mark(&self) -> Mark {
        Mark {
            edges: self.graph.edges(),
            assigned: self.assigned.len(),
            clauses: self.clauses.len(),
        }
    }

    fn back_to(&mut self, mark: &Mark) {
        self.graph.truncate(mark.edges);
        for variable in self.assigned.drain(mark.assigned..) {
            self.booleans.remove(&variable);
        }
        while self.clauses.len() > mark.clauses {
            if let Some((Clause::Differs { left, right, .. }, _)) = self.clauses.pop() {
                self.differing[left.max(right).index()].pop();
            }
        }
    }

    fn node(&mut self, variable: Option<VarId>) -> Node {
        let Some(variable) = variable else {
            return Node::ZERO;
        };
        if let Some(&node) = self.nodes.get(&variable) {
            return node;
        }
        let range = match self.terms.variable(variable).sort {
            Sort::Machine(ty) => Some((ty.min(), ty.max())),
            _ => None,
        };
        let node = self.graph.add_node(range);
        self.nodes.insert(variable, node);
        self.variables.push(variable);
        self.differing.push(Vec::new());
        node
    }

    fn assert(&mut self, signed: Signed, why: Why) -> Result<(), Vec<Why>> {
        let Signed { formula, positive } = signed;
        match self.terms.get(formula) {
            Term::Bool(value) if *value == positive => Ok(()),
            Term::Var(variable) => match self.booleans.get(variable) {
                Some((value, _)) if *value == positive => Ok(()),
                Some((_, other)) => Err(vec![*other, why]),
                None => {
                    self.booleans.insert(*variable, (positive, why));
                    self.assigned.push(*variable);
                    Ok(())
                }
            },
            Term::Not(inner) => self.assert(Signed::new(*inner, !positive), why),
            Term::AtMostZero(linear) => match Difference::of(self.terms, linear) {
                // left - right <= -constant, or left - right >= 1 - constant.
                Some(d) if positive => self.at_most(d.left, d.right, -d.constant, why),
                Some(d) => self.at_most(d.right, d.left, d.constant - 1, why),
                None => Ok(()),
            },
            Term::IsZero(linear) => {
                let Some(d) = Difference::of(self.terms, linear) else {
                    return Ok(());
                };
                if positive {
                    self.at_most(d.left, d.right, -d.constant, why)?;
                    self.at_most(d.right, d.left, d.constant, why)
                } else {
                    let (left, right) = (self.node(d.left), self.node(d.right));
                    self.add_differs(left, right, -d.constant, why);
                    Ok(())
                }
            }
            Term::And(list) if positive => self.assert_all(list, true, why),
            Term::Or(list) if !positive => self.assert_all(list, false, why),
            Term::And(_) | Term::Or(_) | Term::Eq(..) => {
                self.register(signed);
                self.clauses.push((Clause::Formula(signed), why));
                Ok(())
            }
            _ => Err(vec![why]),
        }
    }

    fn assert_all(&mut self, list: &[TermId], positive: bool, why: Why) -> Result<(), Vec<Why>> {
        for &formula in list {
            self.assert(Signed::new(formula, positive), why)?;
        }
        Ok(())
    }

    /// Variables inside alternatives get their nodes now, so that nodes are never removed.
    fn register(&mut self, signed: Signed) {
        let terms = self.terms;
        match terms.get(signed.formula) {
            Term::AtMostZero(linear) | Term::IsZero(linear) => {
                for &(term, _) in &linear.summands {
                    self.node(terms.as_var(term));
                }
            }
            Term::Var(_) | Term::Bool(_) => {}
            _ => {
                for child in terms.children(signed.formula) {
                    self.register(Signed::new(child, true));
                }
            }
        }
    }

    fn at_most(
        &mut self,
        left: Option<VarId>,
        right: Option<VarId>,
        weight: i128,
        why: Why,
    ) -> Result<(), Vec<Why>> {
        let (head, tail) = (self.node(left), self.node(right));
        self.graph.add(Edge {
            head,
            tail,
            weight,
            why,
        })
    }

    fn add_differs(&mut self, left: Node, right: Node, difference: i128, why: Why) {
        // left - right != d: the later node must avoid a value given by the earlier one.
        let (earlier, offset) = if left > right {
            (right, difference)
        } else {
            (left, -difference)
        };
        self.differing[left.max(right).index()].push((earlier, offset));
        let clause = Clause::Differs {
            left,
            right,
            difference,
        };
        self.clauses.push((clause, why));
    }

    fn solve_small(&mut self) {
        let differing = &self.differing;
        let forbidden = |node: Node, value: i128, earlier: &[i128]| {
            (differing[node.index()].iter()).any(|&(other, offset)| {
                earlier
                    .get(other.index())
                    .is_some_and(|&at| at + offset == value)
            })
        };
        let most = differing.iter().map(Vec::len).max().unwrap_or(0);
        self.graph
            .small_solution(&mut self.buffers, forbidden, most.min(64));
    }

    /// The first clause that the small solution does not satisfy.
    fn falsified(&self) -> Option<(Clause, Why)> {
        let satisfied = |clause: &Clause| match clause {
            Clause::Differs {
                left,
                right,
                difference,
            } => self.value(*left) - self.value(*right) != *difference,
            Clause::Formula(signed) => self.holds(signed.formula) == signed.positive,
        };
        (self.clauses.iter())
            .find(|(clause, _)| !satisfied(clause))
            .copied()
    }

    fn value(&self, node: Node) -> i128 {
        self.buffers.values[node.index()]
    }

    fn value_of(&self, variable: Option<VarId>) -> i128 {
        let node = variable.and_then(|variable| self.nodes.get(&variable));
        node.map_or(0, |&node| self.value(node))
    }

    /// Whether a formula of the fragment holds in the small solution.
    fn holds(&self, formula: TermId) -> bool {
        let sum = |linear| {
            Difference::of(self.terms, linear).map_or(0, |d| {
                self.value_of(d.left) - self.value_of(d.right) + d.constant
            })
        };
        match self.terms.get(formula) {
            Term::Bool(value) => *value,
            Term::Var(variable) => self.booleans.get(variable).is_some_and(|(value, _)| *value),
            Term::AtMostZero(linear) => sum(linear) <= 0,
            Term::IsZero(linear) => sum(linear) == 0,
            Term::Not(inner) => !self.holds(*inner),
            Term::And(list) => list.iter().all(|&inner| self.holds(inner)),
            Term::Or(list) => list.iter().any(|&inner| self.holds(inner)),
            Term::Eq(a, b) => self.holds(*a) == self.holds(*b),
            _ => false,
        }
    }

    /// Asserts one alternative of a clause; nothing if it has no more.
    fn assert_alternative(
        &mut self,
        clause: Clause,
        number: usize,
        why: Why,
    ) -> Option<Result<(), Vec<Why>>> {
        let terms = self.terms;
        match clause {
            Clause::Differs {
                left,
                right,
                difference,
            } => {
                let (head, tail, weight) = match number {
                    0 => (left, right, difference - 1),
                    1 => (right, left, -difference - 1),
                    _ => return None,
                };
                Some(self.graph.add(Edge {
                    head,
                    tail,
                    weight,
                    why,
                }))
            }
            Clause::Formula(Signed { formula, positive }) => match terms.get(formula) {
                Term::And(list) | Term::Or(list) => {
                    let &alternative = list.get(number)?;
                    Some(self.assert(Signed::new(alternative, positive), why))
                }
                Term::Eq(a, b) if number < 2 => {
                    let first = number == 0;
                    let asserted = self.assert(Signed::new(*a, first), why);
                    let second = Signed::new(*b, first == positive);
                    Some(asserted.and_then(|()| self.assert(second, why)))
                }
                _ => None,
            },
        }
    }
}

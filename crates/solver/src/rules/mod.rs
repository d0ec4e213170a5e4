//! Rules: the disjuncts of predicates (and of questions) as the solver works with them.
//!
//! A rule is one branch of the disjunctive normal form of one disjunct. Its references are
//! numbered nodes, its arithmetic a list of literals.

mod grammar;
pub mod normal_form;
mod numbers;

use heapwright_logic::{
    ClassId, Definitions, IntType, PredId, Sort, SymbolicHeap, Term, TermId, Terms, VarId,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::shape::{Arguments, NIL, Node};

pub use grammar::Grammar;
pub use numbers::{Alternative, Numbers, Sum};

/// Beyond this many branches per disjunct, inner disjunctions are left to the arithmetic.
const BRANCH_LIMIT: usize = 64;
/// Up to this many branches of a question are searched apart.
const FEW_BRANCHES: usize = 4;

/// A predicate instance inside a rule.
#[derive(Clone, Debug)]
pub struct Child {
    /// Which predicate.
    pub predicate: PredId,
    /// The nodes of its reference arguments, in order.
    pub references: Arguments,
    /// Its other arguments (integers, booleans, floats), in order.
    pub scalars: Vec<TermId>,
}

/// What a place of a disjunct holds: a reference or a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Contents<S> {
    /// The reference at a node.
    Reference(Node),
    /// A scalar term or variable.
    Scalar(S),
}

/// A cell of a disjunct.
#[derive(Clone, Debug)]
pub struct CellTemplate {
    /// Its class.
    pub class: ClassId,
    /// Its contents.
    pub fields: Vec<Contents<TermId>>,
    /// Which scalar fields the disjunct says more about than that they are there: their values
    /// make models different.
    pub mentioned: Vec<bool>,
    /// Which scalar fields the disjunct compares with other numbers by their order.
    pub ordered: Vec<bool>,
}

/// One way to derive an instance of a predicate, or to satisfy a question.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Index of the disjunct that the rule is a branch of.
    pub disjunct: usize,
    /// The variable of every node but null, parameters first.
    pub node_variables: Vec<VarId>,
    /// Equal nodes.
    pub equalities: Vec<(Node, Node)>,
    /// Different nodes.
    pub disequalities: Vec<(Node, Node)>,
    /// Nodes with a cell of their own, in the order of the disjunct.
    pub allocated: Vec<Node>,
    /// What these cells hold.
    pub cells: Vec<CellTemplate>,
    /// The quantified variables of the disjunct, in order.
    pub exists: Vec<Contents<VarId>>,
    /// Instances, in the order of the disjunct.
    pub children: Vec<Child>,
    /// The pure literals that speak of no reference.
    pub scalars: Vec<TermId>,
    /// Whether all of the pure part is captured by the fields above; otherwise the rule says
    /// less than its disjunct, and only models that were checked count.
    pub exact: bool,
}

impl Rule {
    /// Number of nodes, null included.
    pub fn nodes(&self) -> usize {
        self.node_variables.len() + 1
    }

    /// Whether the rule itself says anything about numbers.
    pub fn has_scalars(&self) -> bool {
        let mentioned = |cell: &CellTemplate| {
            (cell.fields.iter().zip(&cell.mentioned))
                .any(|(field, &mentioned)| mentioned && matches!(field, Contents::Scalar(_)))
        };
        !self.scalars.is_empty() || !self.exact || self.cells.iter().any(mentioned)
    }

    /// Whether the rule only derives an instance from itself.
    pub fn is_identity(&self, predicate: PredId, scalar_params: &[VarId], terms: &Terms) -> bool {
        let [child] = &self.children[..] else {
            return false;
        };
        child.predicate == predicate
            && self.allocated.is_empty()
            && (1..)
                .zip(child.references.nodes())
                .all(|(param, &node)| node == param)
            && (child.scalars.iter().zip(scalar_params))
                .all(|(&arg, &param)| terms.as_var(arg) == Some(param))
    }

    /// Compiles a symbolic heap; `params` are its parameters of reference sort.
    pub fn compile(
        terms: &mut Terms,
        definitions: &Definitions,
        disjunct: usize,
        heap: &SymbolicHeap,
        params: &[VarId],
    ) -> Vec<Rule> {
        (normal_form::without_reference_atoms(terms, heap).iter())
            .flat_map(|heap| {
                let branches = normal_form::branches(terms, &heap.pure, BRANCH_LIMIT, |_, _| true);
                Rule::compile_plain(terms, definitions, disjunct, heap, (params, branches))
            })
            .collect()
    }

    /// Compiles a symbolic heap that is asked about. Where its numbers alone have many cases,
    /// they stay together: most cases are impossible for the same few reasons.
    pub fn compile_question(
        terms: &mut Terms,
        definitions: &Definitions,
        disjunct: usize,
        heap: &SymbolicHeap,
    ) -> Vec<Rule> {
        (normal_form::without_reference_atoms(terms, heap).iter())
            .flat_map(|heap| {
                let pure = &heap.pure;
                let few = normal_form::few_branches(terms, pure, FEW_BRANCHES);
                let branches = few.unwrap_or_else(|| {
                    normal_form::branches(terms, pure, BRANCH_LIMIT, |terms, term| {
                        mentions_references(terms, term)
                    })
                });
                Rule::compile_plain(terms, definitions, disjunct, heap, (&[], branches))
            })
            .collect()
    }

    /// As [`Rule::compile`], for heaps whose scalars do not depend on references.
    fn compile_plain(
        terms: &mut Terms,
        definitions: &Definitions,
        disjunct: usize,
        heap: &SymbolicHeap,
        (params, branches): (&[VarId], Vec<normal_form::Branch>),
    ) -> Vec<Rule> {
        let mut nodes = Nodes::default();
        for &param in params {
            nodes.add(param);
        }
        // By the invariants of symbolic heaps, sources and reference arguments are variables
        // or null; a source that is null makes the rule contradictory, as it should.
        let mut exact = true;
        let mut node = |nodes: &mut Nodes, term| {
            nodes.of(terms, term).unwrap_or_else(|| {
                exact = false;
                NIL
            })
        };
        let allocated: Vec<_> = (heap.points_to.iter())
            .map(|cell| node(&mut nodes, cell.source))
            .collect();
        let children: Vec<_> = (heap.instances.iter())
            .map(|instance| {
                let (mut references, mut scalars) = (Vec::new(), Vec::new());
                let params = &definitions.predicate(instance.predicate).params;
                for (&param, &arg) in params.iter().zip(&instance.args) {
                    if terms.variable(param).sort.is_ref() {
                        references.push(node(&mut nodes, arg));
                    } else {
                        scalars.push(arg);
                    }
                }
                Child {
                    predicate: instance.predicate,
                    references: references.into_iter().collect(),
                    scalars,
                }
            })
            .collect();
        let occurrences = occurrences(terms, heap);
        let mentioned = |field: TermId| match terms.as_var(field) {
            Some(variable) => {
                !heap.exists.contains(&variable) || occurrences.get(&variable) != Some(&1)
            }
            None => true,
        };
        let compared = compared_by_order(terms, &heap.pure);
        let ordered = |field: TermId| {
            terms
                .as_var(field)
                .is_some_and(|variable| compared.contains(&variable))
        };
        let cells: Vec<_> = (heap.points_to.iter())
            .map(|cell| CellTemplate {
                class: cell.class,
                ordered: cell.fields.iter().map(|&field| ordered(field)).collect(),
                mentioned: cell.fields.iter().map(|&field| mentioned(field)).collect(),
                fields: (cell.fields.iter())
                    .map(|&field| match terms.sort(field) {
                        Sort::Ref(_) => Contents::Reference(node(&mut nodes, field)),
                        _ => Contents::Scalar(field),
                    })
                    .collect(),
            })
            .collect();
        let exists: Vec<_> = (heap.exists.iter())
            .map(|&variable| match terms.variable(variable).sort {
                Sort::Ref(_) => Contents::Reference(nodes.add(variable)),
                _ => Contents::Scalar(variable),
            })
            .collect();
        let ranges = field_ranges(terms, definitions, heap);
        let mut rules = Vec::new();
        for branch in branches {
            let mut nodes = nodes.clone();
            let mut rule = Rule {
                disjunct,
                node_variables: Vec::new(),
                equalities: Vec::new(),
                disequalities: Vec::new(),
                allocated: allocated.clone(),
                cells: cells.clone(),
                exists: exists.clone(),
                children: children.clone(),
                scalars: ranges.clone(),
                exact,
            };
            for literal in branch {
                rule.add_literal(terms, &mut nodes, literal);
            }
            rule.node_variables = nodes.variables;
            rules.push(rule);
        }
        rules
    }

    fn add_literal(&mut self, terms: &Terms, nodes: &mut Nodes, literal: TermId) {
        let (positive, atom) = match terms.get(literal) {
            Term::Not(inner) => (false, *inner),
            _ => (true, literal),
        };
        match *terms.get(atom) {
            Term::Eq(a, b) if terms.sort(a).is_ref() => {
                match (nodes.of(terms, a), nodes.of(terms, b)) {
                    (Some(a), Some(b)) if positive => self.equalities.push((a, b)),
                    (Some(a), Some(b)) => self.disequalities.push((a, b)),
                    _ => self.exact = false,
                }
            }
            _ if mentions_references(terms, atom) => self.exact = false,
            _ => self.scalars.push(literal),
        }
    }
}

/// How often each variable occurs in a symbolic heap.
fn occurrences(terms: &Terms, heap: &SymbolicHeap) -> FxHashMap<VarId, usize> {
    let fields = heap.points_to.iter().flat_map(|cell| &cell.fields);
    let args = heap.instances.iter().flat_map(|instance| &instance.args);
    let mut counts = FxHashMap::default();
    for &term in fields.chain(args).chain(&heap.pure) {
        let mut variables = indexmap::IndexSet::new();
        terms.collect_variables(term, &mut variables);
        for variable in variables {
            *counts.entry(variable).or_default() += 1;
        }
    }
    counts
}

/// The variables that inequalities relate to other variables.
fn compared_by_order(terms: &Terms, pure: &[TermId]) -> FxHashSet<VarId> {
    let mut compared = FxHashSet::default();
    for term in terms.subterms(pure.iter().copied()) {
        if let Term::AtMostZero(linear) = terms.get(term)
            && linear.summands.len() > 1
        {
            let summands = linear.summands.iter();
            compared.extend(summands.filter_map(|&(term, _)| terms.as_var(term)));
        }
    }
    compared
}

/// That the scalars in cells lie in the ranges of their fields, where that does not follow from
/// their sorts.
fn field_ranges(terms: &mut Terms, definitions: &Definitions, heap: &SymbolicHeap) -> Vec<TermId> {
    let mut ranges = Vec::new();
    for cell in &heap.points_to {
        for (&value, field) in cell
            .fields
            .iter()
            .zip(&definitions.class(cell.class).fields)
        {
            let Sort::Machine(ty) = field.sort else {
                continue;
            };
            let within = |own: IntType| ty.min() <= own.min() && own.max() <= ty.max();
            if matches!(terms.sort(value), Sort::Machine(own) if within(own)) {
                continue;
            }
            let (least, greatest) = (terms.int(ty.min()), terms.int(ty.max()));
            ranges.push(terms.le(least, value));
            ranges.push(terms.le(value, greatest));
        }
    }
    ranges.retain(|&range| range != Terms::TRUE);
    ranges
}

fn mentions_references(terms: &Terms, term: TermId) -> bool {
    terms.subterms([term]).any(|term| terms.sort(term).is_ref())
}

/// The parameters of a predicate that are references, and those that are not.
pub fn split_params(terms: &Terms, params: &[VarId]) -> (Vec<VarId>, Vec<VarId>) {
    let is_ref = |&&variable: &&VarId| matches!(terms.variable(variable).sort, Sort::Ref(_));
    (
        params.iter().filter(is_ref).copied().collect(),
        params.iter().filter(|v| !is_ref(v)).copied().collect(),
    )
}

/// Numbers the reference variables of a rule.
#[derive(Clone, Default)]
struct Nodes {
    by_variable: FxHashMap<VarId, Node>,
    variables: Vec<VarId>,
}

impl Nodes {
    fn add(&mut self, variable: VarId) -> Node {
        // Saturates: whoever works with more nodes than that has to refuse the rule anyway.
        let next = Node::try_from(self.variables.len() + 1).unwrap_or(Node::MAX);
        *self.by_variable.entry(variable).or_insert_with(|| {
            self.variables.push(variable);
            next
        })
    }

    /// The node of a variable or null; nothing for any other term.
    fn of(&mut self, terms: &Terms, term: TermId) -> Option<Node> {
        match *terms.get(term) {
            Term::Null => Some(NIL),
            Term::Var(variable) => Some(self.add(variable)),
            _ => None,
        }
    }
}

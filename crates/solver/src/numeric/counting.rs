//! Exact numeric summaries of counters: the Parikh image of a predicate's grammar.
//!
//! The derivations of a base pair form a context-free grammar, and the numbers of times that
//! its productions can be used together are given by a Presburger formula (Verma, Seidl and
//! Schwentick, "On the complexity of equational Horn clauses", 2005): what is derived balances
//! what is asked for, and everything used is connected to the start.
//!
//! If every production relates its head's parameters to its children's only by their
//! difference (`n = n1 + n2 + 1`, `d < d'`), then a parameter is the sum of these differences
//! over all productions used, and the values of a parameter are linear in the counts. Where
//! the differences are bounded by difference constraints, that is exact: a sum of `n` integer
//! points of such a polyhedron is any integer point of the `n`-fold polyhedron. Otherwise it
//! says too much, and can still refute.

use heapwright_logic::{PredId, Sort, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use super::differences::Differences;
use super::{Summaries, Summary, Zone};
use crate::rules::{Grammar, Numbers, Sum};
use crate::shape::BasePairs;

/// Grammars with more productions are not counted.
const PRODUCTION_LIMIT: usize = 400;

/// A symbol of the grammar: a predicate with a base pair.
pub type Symbol = (PredId, u32);

/// One production with the differences that it allows.
#[derive(Clone, Debug)]
struct Counted {
    head: usize,
    rule: u32,
    /// All children, as they stand in the production.
    pairs: Box<[u32]>,
    /// Children in the same component.
    recursive: Vec<usize>,
    cells: u32,
    /// Constraints over differences (numbers below the count of parameters) and locals.
    constraints: Vec<(Sum, bool)>,
    /// Constraints that hold once if the production is used at all, over inherited parameters.
    inherited: Vec<(Sum, bool)>,
    locals: usize,
}

/// The grammar of the base pairs that one base pair's derivations use.
#[derive(Clone, Debug)]
pub struct Counting {
    symbols: Vec<Symbol>,
    productions: Vec<Counted>,
    params: usize,
    /// Parameters handed down unchanged to every child.
    inherited: Vec<bool>,
    /// Whether the image is exact.
    pub exact: bool,
    /// Whether the image tells the number of cells; otherwise there may be more.
    pub tells_cells: bool,
}

/// The variables and constraints of one instance.
#[derive(Debug)]
pub struct Image {
    /// How often each production is used.
    pub counts: Vec<VarId>,
    /// What must hold.
    pub conjuncts: Vec<TermId>,
    /// The number of cells.
    pub cells: TermId,
}

impl Counting {
    /// The grammar of a base pair; nothing if it is too large.
    ///
    /// Precondition: the summaries of its predicate are computed.
    pub fn new(
        terms: &Terms,
        grammar: &Grammar,
        pairs: &BasePairs,
        numbers: &[Vec<Numbers>],
        summaries: &Summaries,
        start: Symbol,
    ) -> Option<Counting> {
        let component = grammar.component_of(start.0);
        let params = grammar.scalar_params(start.0).len();
        let mut counting = Counting {
            symbols: vec![start],
            productions: Vec::new(),
            params,
            inherited: Vec::new(),
            exact: true,
            tells_cells: true,
        };
        let members = &grammar.components()[component];
        if members
            .iter()
            .any(|&member| grammar.scalar_params(member).len() != params)
        {
            return None;
        }
        counting.inherited = inherited_params(grammar, numbers, component, params);
        let mut index: FxHashMap<Symbol, usize> = FxHashMap::default();
        index.insert(start, 0);
        let mut next = 0;
        while let Some(&(predicate, pair)) = counting.symbols.get(next) {
            for production in &pairs.of(predicate).productions[pair as usize] {
                if counting.productions.len() >= PRODUCTION_LIMIT {
                    return None;
                }
                let rule = &grammar.rules(predicate)[production.rule as usize];
                let system = &numbers[predicate.index()][production.rule as usize];
                let mut recursive = Vec::new();
                let mut positions = Vec::new();
                for (position, child) in rule.children.iter().enumerate() {
                    if grammar.component_of(child.predicate) == component {
                        let symbol = (child.predicate, production.children[position]);
                        let fresh = counting.symbols.len();
                        let known = *index.entry(symbol).or_insert(fresh);
                        if known == fresh {
                            counting.symbols.push(symbol);
                        }
                        recursive.push(known);
                        positions.push(position);
                    } else {
                        // Other predicates are taken at their smallest.
                        counting.tells_cells = false;
                        counting.exact &= !grammar.has_scalars(child.predicate);
                    }
                }
                let zones: Vec<&Zone> = (positions.iter())
                    .filter_map(|&position| {
                        let callee = rule.children[position].predicate;
                        match summaries.of(callee, production.children[position]) {
                            Summary::Within(zone) => Some(zone),
                            Summary::Empty => None,
                        }
                    })
                    .collect();
                if zones.len() < positions.len() {
                    // A child that has no numbers at all cannot be derived.
                    continue;
                }
                let differences = Differences::new(&counting.inherited, system, &positions, &zones);
                counting.exact &= differences.exact && !has_machine_ranges(terms, system);
                let below = (rule.children.iter().zip(&production.children))
                    .filter(|(child, _)| grammar.component_of(child.predicate) != component)
                    .map(|(child, &pair)| pairs.of(child.predicate).sizes[pair as usize]);
                let cells = below.fold(rule.allocated.len() as u32, u32::saturating_add);
                counting.productions.push(Counted {
                    head: next,
                    rule: production.rule,
                    pairs: production.children.clone(),
                    recursive,
                    cells,
                    constraints: differences.constraints,
                    inherited: differences.once,
                    locals: differences.locals,
                });
            }
            next += 1;
        }
        Some(counting)
    }

    /// The constraints on the scalar arguments `args` of an instance.
    pub fn image(&self, terms: &mut Terms, args: &[TermId]) -> Image {
        let mut image = Image {
            counts: Vec::new(),
            conjuncts: Vec::new(),
            cells: terms.int(0),
        };
        for _ in &self.productions {
            let count = fresh(terms, "count");
            image.counts.push(count);
            let count = terms.var(count);
            let zero = terms.int(0);
            image.conjuncts.push(terms.le(zero, count));
        }
        self.add_balance(terms, &mut image);
        self.add_connection(terms, &mut image);
        self.add_values(terms, args, &mut image);
        for (production, &count) in self.productions.iter().zip(&image.counts) {
            let count = terms.var(count);
            image.cells = terms.add_scaled(image.cells, count, i128::from(production.cells));
        }
        image
    }

    /// Every symbol is derived as often as it is asked for.
    fn add_balance(&self, terms: &mut Terms, image: &mut Image) {
        for symbol in 0..self.symbols.len() {
            let mut balance = terms.int(i128::from(symbol == 0));
            for (production, &count) in self.productions.iter().zip(&image.counts) {
                let asked = production
                    .recursive
                    .iter()
                    .filter(|&&child| child == symbol)
                    .count();
                let derived = usize::from(production.head == symbol);
                let count = terms.var(count);
                balance = terms.add_scaled(balance, count, asked as i128 - derived as i128);
            }
            let zero = terms.int(0);
            image.conjuncts.push(terms.eq(balance, zero));
        }
    }

    /// Every symbol that is used is reached from the start: it has a distance from it.
    fn add_connection(&self, terms: &mut Terms, image: &mut Image) {
        if self.symbols.len() <= 2 {
            // A second symbol can only be asked for by the start, or by itself alone, which
            // the balance permits only together with the former if it has no other use.
            if self.symbols.len() < 2 || self.second_symbol_is_grounded() {
                return;
            }
        }
        let distances: Vec<_> = (self.symbols.iter())
            .map(|_| {
                let distance = fresh(terms, "distance");
                terms.var(distance)
            })
            .collect();
        for symbol in 1..self.symbols.len() {
            let mut alternatives = Vec::new();
            let mut unused = Vec::new();
            for (production, &count) in self.productions.iter().zip(&image.counts) {
                let (count, zero, one) = (terms.var(count), terms.int(0), terms.int(1));
                if production.head == symbol {
                    unused.push(terms.eq(count, zero));
                } else if production.recursive.contains(&symbol) {
                    let used = terms.le(one, count);
                    let next = terms.add(distances[production.head], one);
                    let further = terms.eq(distances[symbol], next);
                    alternatives.push(terms.and([used, further]));
                }
            }
            alternatives.push(terms.and(unused));
            image.conjuncts.push(terms.or(alternatives));
        }
        let zero = terms.int(0);
        image.conjuncts.push(terms.eq(distances[0], zero));
    }

    fn second_symbol_is_grounded(&self) -> bool {
        // If no production of the second symbol asks for it, it cannot keep itself alive.
        (self.productions.iter()).all(|p| p.head != 1 || !p.recursive.contains(&1))
    }

    /// Parameters are the sums of the differences.
    fn add_values(&self, terms: &mut Terms, args: &[TermId], image: &mut Image) {
        let mut totals = vec![terms.int(0); self.params];
        for (production, &count) in self.productions.iter().zip(&image.counts) {
            let count = terms.var(count);
            let mut dimensions: Vec<Option<TermId>> = vec![None; self.params + production.locals];
            // A difference that is a constant needs no variable.
            for (sum, equation) in &production.constraints {
                if let (true, [(dimension, coefficient @ (1 | -1))]) = (equation, &sum.summands[..])
                    && let Some(value) = sum.constant.checked_mul(-coefficient)
                {
                    let zero = terms.int(0);
                    dimensions[*dimension] = Some(terms.add_scaled(zero, count, value));
                }
            }
            let (zero, one) = (terms.int(0), terms.int(1));
            let dimensions: Vec<_> = (dimensions.into_iter())
                .map(|known| {
                    known.unwrap_or_else(|| {
                        let total = fresh(terms, "total");
                        let total = terms.var(total);
                        // What is not used adds nothing, even where differences are unbounded.
                        let (used, nothing) = (terms.le(one, count), terms.eq(total, zero));
                        image.conjuncts.push(terms.or([used, nothing]));
                        total
                    })
                })
                .collect();
            for (sum, equation) in &production.constraints {
                let conjunct = scaled(terms, sum, *equation, count, &dimensions);
                image.conjuncts.push(conjunct);
            }
            for (sum, equation) in &production.inherited {
                // Conditions on parameters that are not integers are not captured.
                let mut params = sum.summands.iter().map(|&(param, _)| args[param]);
                if !params.all(|arg| terms.sort(arg).is_integer()) {
                    continue;
                }
                let used = terms.le(one, count);
                let holds = scaled(terms, sum, *equation, one, args);
                image.conjuncts.push(terms.implies(used, holds));
            }
            for (total, &dimension) in totals.iter_mut().zip(&dimensions) {
                *total = terms.add(*total, dimension);
            }
        }
        for (param, &total) in totals.iter().enumerate() {
            if !self.inherited[param] && terms.sort(args[param]).is_integer() {
                image.conjuncts.push(terms.eq(args[param], total));
            }
        }
    }

    /// The productions with the symbols that they derive and ask for.
    pub fn productions(&self) -> impl Iterator<Item = (Symbol, u32, &[u32], &[usize])> {
        self.productions.iter().map(|production| {
            let head = self.symbols[production.head];
            (
                head,
                production.rule,
                &production.pairs[..],
                &production.recursive[..],
            )
        })
    }

    /// Number of a symbol among those of [`Counting::productions`].
    pub fn symbol(&self, symbol: Symbol) -> Option<usize> {
        self.symbols.iter().position(|&known| known == symbol)
    }
}

fn fresh(terms: &mut Terms, name: &str) -> VarId {
    terms.declare(name, Sort::Int)
}

/// `sum = 0` or `sum <= 0` with the constant taken `count` times.
fn scaled(
    terms: &mut Terms,
    sum: &Sum,
    equation: bool,
    count: TermId,
    dimensions: &[TermId],
) -> TermId {
    let zero = terms.int(0);
    let mut total = terms.add_scaled(zero, count, sum.constant);
    for &(dimension, coefficient) in &sum.summands {
        total = terms.add_scaled(total, dimensions[dimension], coefficient);
    }
    if equation {
        terms.eq(total, zero)
    } else {
        terms.le(total, zero)
    }
}

/// Whether a constraint depends on a variable with a range: ranges are absolute, and not
/// captured by differences.
fn has_machine_ranges(terms: &Terms, system: &Numbers) -> bool {
    let mut variables = system.variables.iter();
    variables.any(|&variable| terms.variable(variable).sort != Sort::Int)
}

/// Parameters that every recursive call hands down unchanged, if some rule has several such
/// calls (with a single one, a difference of zero says the same).
fn inherited_params(
    grammar: &Grammar,
    numbers: &[Vec<Numbers>],
    component: usize,
    params: usize,
) -> Vec<bool> {
    let mut inherited = vec![true; params];
    let mut branching = false;
    for &predicate in &grammar.components()[component] {
        let systems = &numbers[predicate.index()];
        for (rule, system) in grammar.rules(predicate).iter().zip(systems) {
            let calls = rule.children.iter().zip(&system.children);
            let calls = calls.filter(|(c, _)| grammar.component_of(c.predicate) == component);
            let mut count = 0;
            for (_, args) in calls {
                count += 1;
                for (param, arg) in args.iter().enumerate() {
                    inherited[param] &= *arg == Some(Sum::variable(param));
                }
            }
            branching |= count > 1;
        }
    }
    inherited
        .iter()
        .map(|&unchanged| unchanged && branching)
        .collect()
}

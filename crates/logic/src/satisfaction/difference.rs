//! A small solver for the integers that a heap leaves open.
//!
//! Equations with a coefficient of ±1 are substituted away; bounds and differences
//! `x - y <= c` are decided by Bellman-Ford, which is exact over the integers. Everything else
//! is handled lazily: the solution of that core is tested against the other constraints, and a
//! violated one gives a case split (an alternative of a disjunction, the two sides of a
//! disequality, or for a general linear inequality: some summand must become smaller). Every
//! split only removes points that are no solutions, so `Unsat` is exact; where the budget of
//! cases runs out the answer is `Unknown`.

use super::constraint::{Constraint, Relation};
use super::intervals::propagate;
use super::linear::{Sum, Unknown};

/// What is to be solved: unknowns are numbered from zero.
pub(super) struct Problem {
    pub bounds: Vec<(Option<i128>, Option<i128>)>,
    pub constraints: Vec<Constraint>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Answer {
    Sat(Vec<i128>),
    Unsat,
    Unknown(&'static str),
}

type Atom = (Relation, Sum);

/// One branch of the case analysis: a conjunction.
#[derive(Clone, Default)]
struct Case {
    atoms: Vec<Atom>,
    alternatives: Vec<Vec<Constraint>>,
}

impl Case {
    fn add(&mut self, constraint: Constraint) {
        match constraint {
            Constraint::Compare(relation, sum) => self.atoms.push((relation, sum)),
            Constraint::All(list) => list.into_iter().for_each(|part| self.add(part)),
            Constraint::Any(list) => self.alternatives.push(list),
            // Closed terms are tested by the caller, on whole solutions.
            Constraint::Opaque { .. } | Constraint::Defines { .. } => {}
        }
    }
}

/// Solves the problem. `refute` looks at a solution of the linear part and may object with a
/// constraint that the solution violates and every acceptable one satisfies.
pub(super) fn solve(
    problem: &Problem,
    budget: &mut u64,
    mut refute: impl FnMut(&[i128]) -> Option<Constraint>,
) -> Answer {
    let mut first = Case::default();
    for (index, &(low, high)) in problem.bounds.iter().enumerate() {
        let unknown = Sum::unknown(Unknown(index as u32));
        let lower = low.and_then(|low| Sum::constant(low).add_scaled(&unknown, -1));
        let upper = high.and_then(|high| unknown.add_scaled(&Sum::constant(high), -1));
        for sum in [lower, upper].into_iter().flatten() {
            first.atoms.push((Relation::AtMostZero, sum));
        }
    }
    for constraint in &problem.constraints {
        first.add(constraint.clone());
    }
    let mut cases = vec![first];
    let mut overflowed = false;
    while let Some(case) = cases.pop() {
        // Cases are copied when they are split, so large ones cost more: the budget bounds the
        // memory too.
        let cost = 1 + (case.atoms.len() + case.alternatives.len()) as u64 / 8;
        if *budget < cost {
            *budget = 0;
            return Answer::Unknown("the budget of case splits is used up");
        }
        *budget -= cost;
        let Core { values, reduced } = match core_solution(&case.atoms, problem.bounds.len()) {
            Some(Ok(core)) => core,
            Some(Err(Inconsistent)) => continue,
            None => {
                overflowed = true;
                continue;
            }
        };
        let split = match violated(&case, &reduced, &values) {
            Some(Some(split)) => Some(split),
            Some(None) => {
                overflowed = true;
                continue;
            }
            None => refute(&values).map(Split::on),
        };
        let Some(split) = split else {
            return Answer::Sat(values);
        };
        // The first alternative is explored first.
        for alternative in split.alternatives.into_iter().rev() {
            let mut next = case.clone();
            if let Some(decided) = split.decided {
                next.alternatives.remove(decided);
            }
            next.add(alternative);
            cases.push(next);
        }
    }
    if overflowed {
        return Answer::Unknown("a number does not fit into 128 bits");
    }
    Answer::Unsat
}

/// A case split.
struct Split {
    alternatives: Vec<Constraint>,
    /// The disjunction of the case that the split decides. It is dropped from the new cases,
    /// which have one of its alternatives instead.
    decided: Option<usize>,
}

impl Split {
    fn on(constraint: Constraint) -> Split {
        let alternatives = match constraint {
            Constraint::Any(list) => list,
            other => vec![other],
        };
        Split {
            alternatives,
            decided: None,
        }
    }
}

/// A constraint of the case that the values violate, as a split into alternatives; `Some(None)`
/// if a number does not fit.
///
/// Inequalities are looked at after the equations were used up: a split on an unknown that was
/// substituted away would not move the solution of the core.
fn violated(case: &Case, reduced: &[Atom], values: &[i128]) -> Option<Option<Split>> {
    let disequalities = (case.atoms.iter()).filter(|atom| atom.0 == Relation::NotZero);
    for (relation, sum) in reduced.iter().chain(disequalities) {
        let total = sum.evaluate(|unknown| values[unknown.index()]);
        match total {
            Some(total) if relation.holds(total) => {}
            Some(total) => return Some(split(*relation, sum, total, values).map(Split::on)),
            None => return Some(None),
        }
    }
    let violated =
        (case.alternatives.iter()).position(|list| !list.iter().any(|part| holds(part, values)));
    violated.map(|decided| {
        Some(Split {
            alternatives: case.alternatives[decided].clone(),
            decided: Some(decided),
        })
    })
}

fn split(relation: Relation, sum: &Sum, total: i128, values: &[i128]) -> Option<Constraint> {
    Some(match relation {
        Relation::NotZero => {
            let below = sum.add_scaled(&Sum::constant(1), 1)?;
            let above = Sum::constant(1).add_scaled(sum, -1)?;
            let side = |sum| Constraint::compare(Relation::AtMostZero, sum);
            Constraint::Any(vec![side(below), side(above)])
        }
        Relation::AtMostZero | Relation::Zero => decrease(sum, values, total.signum())?,
    })
}

/// `sign * sum` has to become smaller, so one of its summands has to. The alternatives exclude
/// each other (this one becomes smaller, those before it do not), so that no point is visited
/// twice.
fn decrease(sum: &Sum, values: &[i128], sign: i128) -> Option<Constraint> {
    let mut alternatives = Vec::with_capacity(sum.summands.len());
    let mut stay = Vec::new();
    for &(unknown, coefficient) in &sum.summands {
        let direction = coefficient.signum() * sign;
        // change = direction * (unknown - now)
        let now = Sum::constant(values[unknown.index()]);
        let difference = Sum::unknown(unknown).add_scaled(&now, -1)?;
        let change = Sum::default().add_scaled(&difference, direction)?;
        let smaller = change.add_scaled(&Sum::constant(1), 1)?;
        let mut parts = stay.clone();
        parts.push(Constraint::compare(Relation::AtMostZero, smaller));
        alternatives.push(Constraint::All(parts));
        let not_smaller = Sum::default().add_scaled(&change, -1)?;
        stay.push(Constraint::compare(Relation::AtMostZero, not_smaller));
    }
    Some(Constraint::Any(alternatives))
}

/// Whether a constraint holds; closed terms are left to the caller and count as true.
fn holds(constraint: &Constraint, values: &[i128]) -> bool {
    match constraint {
        Constraint::Compare(relation, sum) => {
            let total = sum.evaluate(|unknown| values[unknown.index()]);
            total.is_some_and(|total| relation.holds(total))
        }
        Constraint::All(list) => list.iter().all(|part| holds(part, values)),
        Constraint::Any(list) => list.iter().any(|part| holds(part, values)),
        Constraint::Opaque { .. } | Constraint::Defines { .. } => true,
    }
}

struct Inconsistent;

/// A solution of the core, and all atoms after the equations were used up.
struct Core {
    values: Vec<i128>,
    reduced: Vec<Atom>,
}

/// A solution of those atoms that are equations with a unit coefficient, bounds or differences
/// once the equations are used up, together with all atoms in that form. Nothing if a number
/// does not fit.
fn core_solution(atoms: &[Atom], count: usize) -> Option<Result<Core, Inconsistent>> {
    let mut atoms: Vec<Atom> = (atoms.iter())
        .filter(|(relation, _)| *relation != Relation::NotZero)
        .cloned()
        .collect();
    let mut eliminated: Vec<(Unknown, Sum)> = Vec::new();
    while let Some((at, unknown, sign)) = unit_equation(&atoms) {
        let (_, equation) = atoms.swap_remove(at);
        // sign * unknown + rest = 0, so unknown = -sign * rest.
        let rest = equation.add_scaled(&Sum::unknown(unknown), -sign)?;
        let definition = Sum::default().add_scaled(&rest, -sign)?;
        for (_, sum) in &mut atoms {
            let coefficient = (sum.summands.iter()).find(|entry| entry.0 == unknown);
            if let Some(&(_, coefficient)) = coefficient {
                let without = sum.add_scaled(&Sum::unknown(unknown), coefficient.checked_neg()?)?;
                *sum = without.add_scaled(&definition, coefficient)?;
            }
        }
        eliminated.push((unknown, definition));
    }
    let Some(intervals) = propagate(&atoms, count) else {
        return Some(Err(Inconsistent));
    };
    for (index, (low, high)) in intervals.into_iter().enumerate() {
        let unknown = Sum::unknown(Unknown(index as u32));
        let lower = low.and_then(|low| Sum::constant(low).add_scaled(&unknown, -1));
        let upper = high.and_then(|high| unknown.add_scaled(&Sum::constant(high), -1));
        let bounds = [lower, upper].into_iter().flatten();
        atoms.extend(bounds.map(|sum| (Relation::AtMostZero, sum)));
    }
    let mut values = match bellman_ford(&atoms, count)? {
        Ok(values) => values,
        Err(Inconsistent) => return Some(Err(Inconsistent)),
    };
    for (unknown, definition) in eliminated.into_iter().rev() {
        values[unknown.index()] = definition.evaluate(|unknown| values[unknown.index()])?;
    }
    Some(Ok(Core {
        values,
        reduced: atoms,
    }))
}

fn unit_equation(atoms: &[Atom]) -> Option<(usize, Unknown, i128)> {
    (atoms.iter().enumerate()).find_map(|(at, (relation, sum))| {
        let unit = (sum.summands.iter()).find(|entry| matches!(entry.1, 1 | -1));
        match (relation, unit) {
            (Relation::Zero, Some(&(unknown, sign))) => Some((at, unknown, sign)),
            _ => None,
        }
    })
}

/// `to - from <= weight`; the node `count` stands for zero.
struct Edge {
    from: usize,
    to: usize,
    weight: i128,
}

fn bellman_ford(atoms: &[Atom], count: usize) -> Option<Result<Vec<i128>, Inconsistent>> {
    let mut edges = Vec::new();
    for (relation, sum) in atoms {
        if !add_edges(*relation, sum, count, &mut edges)? {
            return Some(Err(Inconsistent));
        }
    }
    // As if from a source with an edge of weight 0 to every node.
    let mut distance = vec![0i128; count + 1];
    for _ in 0..=count + 1 {
        let mut changed = false;
        for edge in &edges {
            let reached = distance[edge.from].checked_add(edge.weight)?;
            if reached < distance[edge.to] {
                distance[edge.to] = reached;
                changed = true;
            }
        }
        if !changed {
            let zero = distance[count];
            let values: Option<Vec<_>> = (distance[..count].iter())
                .map(|distance| distance.checked_sub(zero))
                .collect();
            return Some(Ok(values?));
        }
    }
    // Still changing after that many rounds: a negative cycle.
    Some(Err(Inconsistent))
}

/// Adds what the atom says in terms of bounds and differences; false if it cannot hold.
fn add_edges(relation: Relation, sum: &Sum, zero: usize, edges: &mut Vec<Edge>) -> Option<bool> {
    let target = sum.constant.checked_neg()?;
    match sum.summands[..] {
        [] => return Some(relation.holds(sum.constant)),
        [(unknown, factor)] => {
            if relation == Relation::Zero && target.checked_rem(factor)? != 0 {
                return Some(false);
            }
            let at = unknown.index();
            if factor > 0 || relation == Relation::Zero {
                let weight = match factor > 0 {
                    true => target.div_euclid(factor),
                    false => target / factor,
                };
                let (from, to) = (zero, at);
                edges.push(Edge { from, to, weight });
            }
            if factor < 0 || relation == Relation::Zero {
                // unknown >= target / factor, rounded up.
                let weight = target.div_euclid(factor).checked_neg()?;
                let (from, to) = (at, zero);
                edges.push(Edge { from, to, weight });
            }
        }
        [(a, factor), (b, other)] if Some(factor) == other.checked_neg() => {
            let (to, from) = if factor > 0 { (a, b) } else { (b, a) };
            let size = factor.checked_abs()?;
            // size * (to - from) <= target
            if relation == Relation::Zero && target % size != 0 {
                return Some(false);
            }
            edges.push(Edge {
                from: from.index(),
                to: to.index(),
                weight: target.div_euclid(size),
            });
            if relation == Relation::Zero {
                edges.push(Edge {
                    from: to.index(),
                    to: from.index(),
                    weight: (target / size).checked_neg()?,
                });
            }
        }
        // Not a difference: tested lazily.
        _ => {}
    }
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn atom() -> impl Strategy<Value = Constraint> {
        let relation = prop_oneof![
            4 => Just(Relation::AtMostZero),
            2 => Just(Relation::Zero),
            1 => Just(Relation::NotZero)
        ];
        (relation, -4i128..5, proptest::collection::vec(-2i128..3, 3)).prop_map(
            |(relation, constant, coefficients)| {
                let mut sum = Sum::constant(constant);
                for (index, coefficient) in coefficients.into_iter().enumerate() {
                    let unknown = Sum::unknown(Unknown(index as u32));
                    sum = sum.add_scaled(&unknown, coefficient).unwrap();
                }
                Constraint::compare(relation, sum)
            },
        )
    }

    fn constraint() -> impl Strategy<Value = Constraint> {
        prop_oneof![
            3 => atom(),
            1 => proptest::collection::vec(atom(), 1..3).prop_map(Constraint::any),
        ]
    }

    proptest! {
        #[test]
        fn agrees_with_enumeration(list in proptest::collection::vec(constraint(), 0..6)) {
            let domain = -3i128..4;
            let mut solvable = false;
            for x in domain.clone() {
                for y in domain.clone() {
                    for z in domain.clone() {
                        solvable |= list.iter().all(|part| holds(part, &[x, y, z]));
                    }
                }
            }
            let problem = Problem {
                bounds: vec![(Some(-3), Some(3)); 3],
                constraints: list.clone(),
            };
            match solve(&problem, &mut 20_000, |_| None) {
                Answer::Sat(values) => {
                    prop_assert!(values.iter().all(|value| (-3..4).contains(value)));
                    prop_assert!(list.iter().all(|part| holds(part, &values)));
                }
                Answer::Unsat => prop_assert!(!solvable),
                Answer::Unknown(reason) => prop_assert!(false, "{}", reason),
            }
        }
    }

    #[test]
    fn unbounded_general_constraints_are_not_called_unsolvable() {
        // 3x - 3y = 1 is refuted; 2x - 3y = 1 has solutions.
        let sum = |constant, a, b| {
            let x = Sum::default()
                .add_scaled(&Sum::unknown(Unknown(0)), a)
                .unwrap();
            let with_y = x.add_scaled(&Sum::unknown(Unknown(1)), b).unwrap();
            with_y.add_scaled(&Sum::constant(constant), 1).unwrap()
        };
        let problem = |sum| Problem {
            bounds: vec![(None, None); 2],
            constraints: vec![Constraint::compare(Relation::Zero, sum)],
        };
        let answer = solve(&problem(sum(-1, 3, -3)), &mut 1000, |_| None);
        assert_eq!(answer, Answer::Unsat);
        let answer = solve(&problem(sum(-1, 2, -3)), &mut 1000, |_| None);
        assert_ne!(answer, Answer::Unsat);
    }

    #[test]
    fn objections_of_the_caller_are_respected() {
        let problem = Problem {
            bounds: vec![(Some(0), Some(9))],
            constraints: Vec::new(),
        };
        // Only 7 is acceptable.
        let refute = |values: &[i128]| {
            let now = Sum::unknown(Unknown(0)).add_scaled(&Sum::constant(values[0]), -1);
            (values[0] != 7).then(|| Constraint::compare(Relation::NotZero, now.unwrap()))
        };
        assert_eq!(solve(&problem, &mut 1000, refute), Answer::Sat(vec![7]));
    }
}

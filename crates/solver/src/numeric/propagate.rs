//! Known values through the linear system of a rule.

use crate::rules::{Alternative, Numbers, Sum};

/// Fills in the values that follow from the known ones by solving equations with one unknown.
/// Returns false if the system contradicts them.
///
/// `equations` are added to those of the system. What stays unknown stays `None`, and
/// constraints on it are not checked.
pub fn propagate(
    numbers: &Numbers,
    equations: &[(&Sum, i128)],
    values: &mut [Option<i128>],
) -> bool {
    loop {
        let mut progress = false;
        let own = numbers.zero.iter().map(|sum| (sum, 0));
        for (sum, target) in own.chain(equations.iter().copied()) {
            match solve(sum, target, values) {
                Solved::Contradiction => return false,
                Solved::Progress => progress = true,
                Solved::Nothing => {}
            }
        }
        for clause in &numbers.clauses {
            let mut possible = (clause.iter()).filter(|alternative| may_hold(alternative, values));
            match (possible.next(), possible.next()) {
                (None, _) => return false,
                (Some(_), Some(_)) => {}
                (Some(only), None) => {
                    for sum in &only.zero {
                        match solve(sum, 0, values) {
                            Solved::Contradiction => return false,
                            Solved::Progress => progress = true,
                            Solved::Nothing => {}
                        }
                    }
                }
            }
        }
        if !progress {
            break;
        }
    }
    let holds = |sums: &[Sum], test: fn(i128) -> bool| {
        (sums.iter()).all(|sum| sum.evaluate(values).is_none_or(test))
    };
    holds(&numbers.at_most_zero, |value| value <= 0) && holds(&numbers.not_zero, |value| value != 0)
}

/// Whether the known values do not contradict an alternative.
fn may_hold(alternative: &Alternative, values: &[Option<i128>]) -> bool {
    let holds = |sums: &[Sum], test: fn(i128) -> bool| {
        (sums.iter()).all(|sum| sum.evaluate(values).is_none_or(test))
    };
    holds(&alternative.zero, |value| value == 0)
        && holds(&alternative.at_most_zero, |value| value <= 0)
        && holds(&alternative.not_zero, |value| value != 0)
}

enum Solved {
    Contradiction,
    Progress,
    Nothing,
}

/// Solves `sum = target` if it has at most one unknown.
fn solve(sum: &Sum, target: i128, values: &mut [Option<i128>]) -> Solved {
    let mut rest = match target.checked_sub(sum.constant) {
        Some(rest) => rest,
        None => return Solved::Nothing,
    };
    let mut unknown = None;
    for &(variable, coefficient) in &sum.summands {
        match values[variable] {
            Some(value) => {
                let Some(next) = (coefficient.checked_mul(value)).and_then(|p| rest.checked_sub(p))
                else {
                    return Solved::Nothing;
                };
                rest = next;
            }
            None if unknown.is_some() => return Solved::Nothing,
            None => unknown = Some((variable, coefficient)),
        }
    }
    match unknown {
        None if rest == 0 => Solved::Nothing,
        None => Solved::Contradiction,
        Some((variable, coefficient)) => match rest.checked_rem(coefficient) {
            Some(0) => {
                values[variable] = rest.checked_div(coefficient);
                Solved::Progress
            }
            Some(_) => Solved::Contradiction,
            None => Solved::Nothing,
        },
    }
}

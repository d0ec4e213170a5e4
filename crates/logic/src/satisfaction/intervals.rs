//! Interval propagation over linear atoms: cheap refutation before any case is split.

use super::constraint::Relation;
use super::linear::{Sum, Unknown};

/// Smallest and largest value, where there is one.
pub(super) type Interval = (Option<i128>, Option<i128>);

/// Rounds of propagation. Bounds may creep towards each other one by one, so an end is set.
const ROUNDS: usize = 8;

/// Intervals that contain every solution of the atoms; nothing if there is no solution.
///
/// A bound that would not fit into 128 bits is left out, which only makes intervals larger.
pub(super) fn propagate(atoms: &[(Relation, Sum)], count: usize) -> Option<Vec<Interval>> {
    let mut intervals: Vec<Interval> = vec![(None, None); count];
    for _ in 0..ROUNDS {
        let mut changed = false;
        for (relation, sum) in atoms {
            match relation {
                Relation::NotZero => {}
                Relation::AtMostZero => changed |= narrow(sum, 1, &mut intervals)?,
                Relation::Zero => {
                    changed |= narrow(sum, 1, &mut intervals)?;
                    changed |= narrow(sum, -1, &mut intervals)?;
                }
            }
        }
        if !changed {
            break;
        }
    }
    Some(intervals)
}

/// Uses `sign * sum <= 0`; nothing if it cannot hold.
fn narrow(sum: &Sum, sign: i128, intervals: &mut [Interval]) -> Option<bool> {
    let least = |(unknown, factor): (Unknown, i128), intervals: &[Interval]| {
        let factor = factor.checked_mul(sign)?;
        let (low, high) = intervals[unknown.index()];
        factor.checked_mul(if factor > 0 { low } else { high }?)
    };
    let Some(constant) = sum.constant.checked_mul(sign) else {
        return Some(false);
    };
    if sum.summands.is_empty() {
        return (constant <= 0).then_some(false);
    }
    let mut changed = false;
    for &(unknown, factor) in &sum.summands {
        // factor * unknown <= -(constant + what the others are at least)
        let others = (sum.summands.iter())
            .filter(|other| other.0 != unknown)
            .try_fold(constant, |sum, &other| {
                sum.checked_add(least(other, intervals)?)
            });
        let limit = others.and_then(i128::checked_neg);
        let (Some(limit), Some(factor)) = (limit, factor.checked_mul(sign)) else {
            continue;
        };
        let Some(bound) = limit.checked_div_euclid(factor) else {
            continue;
        };
        let (low, high) = &mut intervals[unknown.index()];
        if factor > 0 && high.is_none_or(|high| bound < high) {
            *high = Some(bound);
            changed = true;
        }
        // Euclidean division by a negative number rounds up.
        if factor < 0 && low.is_none_or(|low| bound > low) {
            *low = Some(bound);
            changed = true;
        }
        if let (Some(low), Some(high)) = (*low, *high)
            && low > high
        {
            return None;
        }
    }
    Some(changed)
}

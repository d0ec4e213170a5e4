//! Zones: conjunctions of difference bounds, the abstract domain of numeric summaries.
//!
//! A zone over variables 1..=n is a matrix of upper bounds on `x_i - x_j`, where `x_0` is
//! zero. See Miné, "A new numerical abstract domain based on difference-bound matrices" (2001).

use crate::rules::Sum;

/// A satisfiable zone. Bounds that would not fit into 128 bits are dropped, which is sound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    variables: usize,
    bounds: Vec<Option<i128>>,
}

impl Zone {
    /// No constraint on `variables` variables.
    pub fn top(variables: usize) -> Zone {
        let side = variables + 1;
        let mut zone = Zone {
            variables,
            bounds: vec![None; side * side],
        };
        for i in 0..side {
            zone.bounds[i * side + i] = Some(0);
        }
        zone
    }

    /// The upper bound on `x_i - x_j`.
    pub fn bound(&self, i: usize, j: usize) -> Option<i128> {
        self.bounds[i * (self.variables + 1) + j]
    }

    /// Number of variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Adds `x_i - x_j <= bound`. Returns whether that is new.
    pub fn add(&mut self, i: usize, j: usize, bound: i128) -> bool {
        let entry = &mut self.bounds[i * (self.variables + 1) + j];
        let tighter = entry.is_none_or(|old| bound < old);
        if tighter {
            *entry = Some(bound);
        }
        tighter
    }

    /// Derives all consequences. Returns false if the constraints contradict each other.
    #[must_use]
    pub fn close(&mut self) -> bool {
        let side = self.variables + 1;
        for k in 0..side {
            for i in 0..side {
                let Some(first) = self.bound(i, k) else {
                    continue;
                };
                for j in 0..side {
                    let second = self.bound(k, j);
                    if let Some(sum) = second.and_then(|second| first.checked_add(second)) {
                        self.add(i, j, sum);
                    }
                }
            }
        }
        (0..side).all(|i| self.bound(i, i).is_none_or(|bound| bound >= 0))
    }

    /// Adds `x_i - x_j <= bound` to a closed zone and closes it again. Returns false if that
    /// contradicts it.
    #[must_use]
    pub fn tighten(&mut self, i: usize, j: usize, bound: i128) -> bool {
        if let Some(back) = self.bound(j, i)
            && back.checked_add(bound).is_some_and(|cycle| cycle < 0)
        {
            return false;
        }
        if !self.add(i, j, bound) {
            return true;
        }
        let side = self.variables + 1;
        for from in 0..side {
            let Some(first) = self.bound(from, i).and_then(|b| b.checked_add(bound)) else {
                continue;
            };
            for to in 0..side {
                let second = self.bound(j, to);
                if let Some(sum) = second.and_then(|second| first.checked_add(second)) {
                    self.add(from, to, sum);
                }
            }
        }
        true
    }

    /// Adds what `sum <= 0` says about pairs of its variables, the others being bounded by what
    /// is known. Variable `v` of the sum is number `v + 1` here. Returns whether that is new.
    pub fn add_sum(&mut self, sum: &Sum) -> bool {
        let mut changed = false;
        for (position, &(first, a)) in sum.summands.iter().enumerate() {
            if a.abs() == 1 {
                // ±x_first <= -(constant + rest)
                if let Some(bound) = self.negated_minimum(sum, position, None) {
                    let (i, j) = if a > 0 {
                        (first + 1, 0)
                    } else {
                        (0, first + 1)
                    };
                    changed |= self.add(i, j, bound);
                }
            }
            for (other, &(second, b)) in sum.summands.iter().enumerate() {
                if a == 1
                    && b == -1
                    && let Some(bound) = self.negated_minimum(sum, position, Some(other))
                {
                    changed |= self.add(first + 1, second + 1, bound);
                }
            }
        }
        changed
    }

    /// `-(constant + smallest value of the other summands)`
    fn negated_minimum(&self, sum: &Sum, skip: usize, skip_too: Option<usize>) -> Option<i128> {
        let mut minimum = sum.constant;
        for (position, &(variable, coefficient)) in sum.summands.iter().enumerate() {
            if position == skip || Some(position) == skip_too {
                continue;
            }
            let extreme = if coefficient > 0 {
                self.bound(0, variable + 1)?.checked_neg()?
            } else {
                self.bound(variable + 1, 0)?
            };
            minimum = minimum.checked_add(coefficient.checked_mul(extreme)?)?;
        }
        minimum.checked_neg()
    }

    /// Forgets all variables but the first `keep`. The zone must be closed.
    pub fn project(&self, keep: usize) -> Zone {
        let mut projection = Zone::top(keep);
        for i in 0..=keep {
            for j in 0..=keep {
                projection.bounds[i * (keep + 1) + j] = self.bound(i, j);
            }
        }
        projection
    }

    /// The smallest zone that contains both; with `widen`, bounds that had to give way are
    /// dropped altogether. Returns whether `self` changed.
    pub fn join(&mut self, other: &Zone, widen: bool) -> bool {
        let mut changed = false;
        for (mine, &theirs) in self.bounds.iter_mut().zip(&other.bounds) {
            let Some(bound) = *mine else { continue };
            if theirs.is_none_or(|theirs| theirs > bound) {
                *mine = if widen { None } else { theirs };
                changed = true;
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_give_bounds_on_differences() {
        // n = a + b + 1 with a, b >= 0 gives n >= a + 1.
        let mut zone = Zone::top(3);
        zone.add(0, 2, 0);
        zone.add(0, 3, 0);
        let sum = Sum {
            constant: 1,
            summands: vec![(1, 1), (2, 1), (0, -1)],
        };
        assert!(zone.add_sum(&sum));
        assert!(zone.close());
        assert_eq!(zone.bound(2, 1), Some(-1));
        assert_eq!(zone.bound(0, 1), Some(-1));
    }

    #[test]
    fn contradictions_are_noticed() {
        let mut zone = Zone::top(2);
        zone.add(1, 2, -1);
        zone.add(2, 1, 0);
        assert!(!zone.close());
    }
}

//! Order types: the ways in which the integers of a structure can be ordered.
//!
//! Keys of a search tree can be any numbers, but what matters is how they compare. Two models
//! that differ only by an order-preserving change of such numbers count as one, and the
//! numbers shown are their ranks. Numbers that the formula confines to a few values (colours,
//! heights) are enumerated as they are.

use std::ops::ControlFlow;

use heapwright_logic::{Sort, Terms, VarId};

use crate::numeric::{Zone, propagate};
use crate::rules::{Numbers, Sum};

/// Numbers that are not compared by order and are confined to fewer values than this are
/// enumerated by value.
const FEW_VALUES: i128 = 1_000;

/// What is done with the values of an order type.
pub type Visit<'a> = dyn FnMut(&[(VarId, i128)]) -> ControlFlow<()> + 'a;

/// The integers of one derivation.
pub struct OrderTypes {
    variables: Vec<VarId>,
    zone: Zone,
    /// Positions in `variables` that the heap shows, to be enumerated.
    data: Vec<usize>,
    /// Which of them are compared with others by their order: only the order counts then.
    ordered: Vec<bool>,
    /// Pairs that must differ (0 is the constant zero, others are positions plus 1).
    different: Vec<(usize, usize, i128)>,
}

impl OrderTypes {
    /// The order types of `data` under a linear system; nothing if the system goes beyond
    /// differences. An unsatisfiable system has none: the inner option is empty.
    pub fn new(
        terms: &Terms,
        numbers: &Numbers,
        data: &[(VarId, bool)],
    ) -> Option<Option<OrderTypes>> {
        if !numbers.exact {
            return None;
        }
        let mut variables = numbers.variables.clone();
        // Numbers that nothing constrains are ordered too.
        let known = |variable: &VarId| numbers.variables.contains(variable);
        variables.extend(
            data.iter()
                .map(|&(variable, _)| variable)
                .filter(|v| !known(v)),
        );
        let mut values = vec![None; variables.len()];
        if !propagate(numbers, &[], &mut values) {
            return Some(None);
        }
        let mut zone = Zone::top(variables.len());
        let known = |sum: &Sum| fold_known(sum, &values);
        for (index, value) in values.iter().enumerate() {
            if let Some(value) = value {
                zone.add(index + 1, 0, *value);
                zone.add(0, index + 1, value.checked_neg()?);
            }
        }
        for (index, &variable) in variables.iter().enumerate() {
            if terms.variable(variable).sort == Sort::Bool {
                zone.add(index + 1, 0, 1);
                zone.add(0, index + 1, 0);
            }
        }
        for sum in &numbers.at_most_zero {
            let (i, j, bound) = difference(&known(sum)?)?;
            zone.add(i, j, bound);
        }
        for sum in &numbers.zero {
            let (i, j, bound) = difference(&known(sum)?)?;
            zone.add(i, j, bound);
            zone.add(j, i, bound.checked_neg()?);
        }
        let mut different = Vec::new();
        for sum in &numbers.not_zero {
            different.push(difference(&known(sum)?)?);
        }
        if !zone.close() {
            return Some(None);
        }
        let (mut positions, mut ordered) = (Vec::new(), Vec::new());
        for &(variable, by_order) in data {
            positions.extend(variables.iter().position(|&known| known == variable));
            ordered.push(by_order);
        }
        Some(Some(OrderTypes {
            variables,
            zone,
            data: positions,
            ordered,
            different,
        }))
    }

    /// Calls `visit` with the values of every order type.
    pub fn each(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.confined(&self.zone, 0, visit)
    }

    /// Fixes the numbers with few values one after the other.
    fn confined(&self, zone: &Zone, from: usize, visit: &mut Visit<'_>) -> ControlFlow<()> {
        for index in from..self.data.len() {
            let Some((least, greatest)) = self.few_values(zone, index) else {
                continue;
            };
            for value in least..=greatest {
                let mut fixed = zone.clone();
                let variable = self.data[index] + 1;
                if fixed.tighten(variable, 0, value) && fixed.tighten(0, variable, -value) {
                    self.confined(&fixed, index + 1, visit)?;
                }
            }
            return ControlFlow::Continue(());
        }
        self.ordered(zone, 0, 1, visit)
    }

    /// The range of a number that is confined to few values.
    fn few_values(&self, zone: &Zone, index: usize) -> Option<(i128, i128)> {
        let variable = self.data[index] + 1;
        let greatest = zone.bound(variable, 0)?;
        let least = zone.bound(0, variable)?.checked_neg()?;
        let range = greatest.checked_sub(least)?;
        let few = range == 0 || (!self.ordered[index] && range < FEW_VALUES);
        few.then_some((least, greatest))
    }

    /// Decides the order of every pair of the other numbers.
    fn ordered(
        &self,
        zone: &Zone,
        mut first: usize,
        mut second: usize,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        while first < self.data.len() {
            if second >= self.data.len() {
                (first, second) = (first + 1, first + 2);
                continue;
            }
            let free = self.few_values(zone, first).is_none();
            if free && self.few_values(zone, second).is_none() {
                let (i, j) = (self.data[first] + 1, self.data[second] + 1);
                let below = zone.bound(i, j).is_some_and(|bound| bound < 0);
                let above = zone.bound(j, i).is_some_and(|bound| bound < 0);
                let equal = zone.bound(i, j) == Some(0) && zone.bound(j, i) == Some(0);
                if !below && !above && !equal {
                    for (forward, backward) in
                        [(Some(-1), None), (Some(0), Some(0)), (None, Some(-1))]
                    {
                        let mut decided = zone.clone();
                        let holds = |bound: Option<i128>, i, j, zone: &mut Zone| {
                            bound.is_none_or(|bound| zone.tighten(i, j, bound))
                        };
                        if holds(forward, i, j, &mut decided) && holds(backward, j, i, &mut decided)
                        {
                            self.ordered(&decided, first, second + 1, visit)?;
                        }
                    }
                    return ControlFlow::Continue(());
                }
            }
            second += 1;
        }
        match self.values(zone) {
            Some(values) => visit(&values),
            None => ControlFlow::Continue(()),
        }
    }

    /// Values of a fully decided zone: ranks where they fit, otherwise a smallest solution.
    /// Nothing if numbers that must differ are equal.
    fn values(&self, zone: &Zone) -> Option<Vec<(VarId, i128)>> {
        for &(i, j, gap) in &self.different {
            let forced = zone.bound(i, j) == Some(gap) && zone.bound(j, i) == gap.checked_neg();
            if forced {
                return None;
            }
        }
        let free: Vec<usize> = (0..self.data.len())
            .filter(|&index| self.few_values(zone, index).is_none())
            .collect();
        let mut values = Vec::with_capacity(self.data.len());
        for index in 0..self.data.len() {
            let variable = self.data[index];
            let value = match self.few_values(zone, index) {
                Some((value, _)) => value,
                None => {
                    // The rank: how many different numbers are smaller.
                    let smaller = free.iter().filter(|&&other| {
                        let other = self.data[other] + 1;
                        let below = zone.bound(other, variable + 1).is_some_and(|b| b < 0);
                        let first_of_its_kind = free.iter().all(|&earlier| {
                            let earlier = self.data[earlier] + 1;
                            earlier >= other
                                || zone.bound(earlier, other) != Some(0)
                                || zone.bound(other, earlier) != Some(0)
                        });
                        below && first_of_its_kind
                    });
                    smaller.count() as i128 + 1
                }
            };
            values.push((self.variables[variable], value));
        }
        if self.fits(zone, &values) {
            return Some(values);
        }
        let mut solved = zone.clone();
        for (index, value) in values.iter_mut().enumerate() {
            let variable = self.data[index] + 1;
            let least = solved.bound(0, variable).and_then(i128::checked_neg);
            let greatest = solved.bound(variable, 0);
            let chosen = match (least, greatest) {
                (Some(least), _) if least > 0 => least,
                (_, Some(greatest)) if greatest < 0 => greatest,
                _ => 0,
            };
            if !(solved.tighten(variable, 0, chosen) && solved.tighten(0, variable, -chosen)) {
                return None;
            }
            value.1 = chosen;
        }
        Some(values)
    }

    fn fits(&self, zone: &Zone, values: &[(VarId, i128)]) -> bool {
        let value = |index: usize| values[index].1;
        (0..values.len()).all(|first| {
            let i = self.data[first] + 1;
            let in_range = zone.bound(i, 0).is_none_or(|bound| value(first) <= bound)
                && zone.bound(0, i).is_none_or(|bound| -value(first) <= bound);
            in_range
                && (0..values.len()).all(|second| {
                    let j = self.data[second] + 1;
                    let bound = zone.bound(i, j);
                    bound.is_none_or(|bound| value(first) - value(second) <= bound)
                })
        })
    }
}

/// A sum with the known values put in.
fn fold_known(sum: &Sum, values: &[Option<i128>]) -> Option<Sum> {
    let mut folded = Sum {
        constant: sum.constant,
        summands: Vec::new(),
    };
    for &(variable, coefficient) in &sum.summands {
        match values[variable] {
            Some(value) => {
                let product = coefficient.checked_mul(value)?;
                folded.constant = folded.constant.checked_add(product)?;
            }
            None => folded.summands.push((variable, coefficient)),
        }
    }
    Some(folded)
}

/// `x_i - x_j <= bound`, if `sum <= 0` has that form.
fn difference(sum: &Sum) -> Option<(usize, usize, i128)> {
    let bound = sum.constant.checked_neg()?;
    match sum.summands[..] {
        [] => Some((0, 0, bound)),
        [(i, 1)] => Some((i + 1, 0, bound)),
        [(i, -1)] => Some((0, i + 1, bound)),
        [(i, 1), (j, -1)] | [(j, -1), (i, 1)] => Some((i + 1, j + 1, bound)),
        _ => None,
    }
}

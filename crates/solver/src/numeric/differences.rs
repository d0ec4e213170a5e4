//! A rule's arithmetic as constraints on the differences between its head and its children.
//!
//! `n = n1 + n2 + 1` says that the difference between `n` and the sum of the children's sizes is
//! 1; `d < d1` in a list says that it is negative. Only what can be said so, without mentioning
//! the children's own values, can be summed up over a whole derivation.

use super::Zone;
use crate::rules::{Numbers, Sum};

/// The arithmetic of a production in terms of differences between head and children.
pub struct Differences {
    /// Constraints over differences (numbers below the count of parameters) and locals.
    pub constraints: Vec<(Sum, bool)>,
    /// Constraints over inherited parameters only.
    pub once: Vec<(Sum, bool)>,
    /// Number of locals.
    pub locals: usize,
    /// Whether nothing was lost.
    pub exact: bool,
}

impl Differences {
    /// Rewrites a linear system, whose recursive children stand at `positions`.
    ///
    /// Symbols are numbered: differences (or inherited parameters) first, then the locals of
    /// the system, then the children's parameters. Where these do not cancel out, the row must
    /// follow from what the children's `zones` say.
    pub fn new(
        inherited: &[bool],
        system: &Numbers,
        positions: &[usize],
        zones: &[&Zone],
    ) -> Differences {
        let params = system.params;
        let symbols = system.variables.len();
        let child = |call: usize, param: usize| symbols + call * params + param;
        let mut exact = system.exact && system.not_zero.is_empty();
        // head parameter = difference + sum of the children's parameters
        let head: Vec<Sum> = (0..params)
            .map(|param| {
                let mut sum = Sum::variable(param);
                if !inherited[param] {
                    sum.summands
                        .extend((0..positions.len()).map(|call| (child(call, param), 1)));
                }
                sum
            })
            .collect();
        let rewrite = |sum: &Sum| -> Option<Sum> {
            let start = Sum {
                constant: sum.constant,
                summands: Vec::new(),
            };
            (sum.summands.iter()).try_fold(start, |result, &(variable, coefficient)| {
                match head.get(variable) {
                    Some(expansion) => result.plus(expansion, coefficient),
                    None => result.plus(&Sum::variable(variable), coefficient),
                }
            })
        };
        let mut rows: Vec<(Sum, bool)> = Vec::new();
        let given = (system.zero.iter().map(|sum| (sum, true)))
            .chain(system.at_most_zero.iter().map(|sum| (sum, false)));
        for (sum, equation) in given {
            match rewrite(sum) {
                Some(row) => rows.push((row, equation)),
                None => exact = false,
            }
        }
        for (call, &position) in positions.iter().enumerate() {
            for (param, arg) in system.children[position].iter().enumerate() {
                if inherited[param] {
                    continue;
                }
                let row = (arg.as_ref().and_then(&rewrite))
                    .and_then(|arg| arg.minus(&Sum::variable(child(call, param))));
                match row {
                    Some(row) => rows.push((row, true)),
                    None => exact = false,
                }
            }
        }
        exact &= eliminate_locals(&mut rows, params, symbols);
        let mut result = Differences {
            constraints: Vec::new(),
            once: Vec::new(),
            locals: symbols - params,
            exact,
        };
        let fixed: Vec<(usize, i128)> = (rows.iter())
            .filter_map(|(row, equation)| match (equation, &row.summands[..]) {
                (true, [(symbol, sign @ (1 | -1))]) if *symbol < symbols => {
                    Some((*symbol, row.constant.checked_mul(-sign)?))
                }
                _ => None,
            })
            .collect();
        // The largest value that a symbol (or its negation) can have.
        let largest = |symbol: usize, coefficient: i128| -> Option<i128> {
            if let Some((_, value)) = fixed.iter().find(|(known, _)| *known == symbol) {
                return coefficient.checked_mul(*value);
            }
            let index = symbol.checked_sub(symbols)?;
            let (zone, param) = (zones[index / params], index % params + 1);
            if coefficient > 0 {
                coefficient.checked_mul(zone.bound(param, 0)?)
            } else {
                coefficient
                    .checked_neg()?
                    .checked_mul(zone.bound(0, param)?)
            }
        };
        let follows = |row: &Sum| {
            (row.summands.iter())
                .try_fold(row.constant, |sum, &(symbol, coefficient)| {
                    sum.checked_add(largest(symbol, coefficient)?)
                })
                .is_some_and(|greatest| greatest <= 0)
        };
        for (row, equation) in rows {
            let open = row.summands.iter().any(|&(symbol, _)| symbol >= symbols);
            if !(open && !equation && follows(&row)) {
                result.classify(row, equation, inherited, symbols);
            }
        }
        result
    }

    fn classify(&mut self, row: Sum, equation: bool, inherited: &[bool], symbols: usize) {
        let is_inherited = |variable: usize| inherited.get(variable) == Some(&true);
        if row.summands.is_empty() && row.constant == 0 {
            return;
        }
        if row
            .summands
            .iter()
            .any(|&(variable, _)| variable >= symbols)
        {
            self.exact = false;
        } else if row
            .summands
            .iter()
            .all(|&(variable, _)| is_inherited(variable))
        {
            self.once.push((row, equation));
        } else if row
            .summands
            .iter()
            .any(|&(variable, _)| is_inherited(variable))
        {
            self.exact = false;
        } else {
            // Network matrices are totally unimodular.
            self.exact &= matches!(
                row.summands[..],
                [(_, 1 | -1)] | [(_, 1), (_, -1)] | [(_, -1), (_, 1)]
            );
            self.constraints.push((row, equation));
        }
    }
}

/// Solves equations for locals with coefficient ±1 and puts the solutions in.
/// Returns false if a number did not fit and the rows say less than before.
fn eliminate_locals(rows: &mut Vec<(Sum, bool)>, params: usize, symbols: usize) -> bool {
    let mut exact = true;
    loop {
        let is_local = |variable: usize| (params..symbols).contains(&variable);
        let found = rows
            .iter()
            .enumerate()
            .find_map(|(index, (row, equation))| {
                let mut summands = row.summands.iter();
                let local = summands.find(|&&(v, c)| is_local(v) && c.abs() == 1)?;
                equation.then_some((index, *local))
            });
        let Some((index, (local, coefficient))) = found else {
            return exact;
        };
        let (pivot, _) = rows.swap_remove(index);
        for (row, _) in rows.iter_mut() {
            let reduced = (row.coefficient(local).checked_mul(-coefficient))
                .and_then(|factor| row.plus(&pivot, factor));
            match reduced {
                Some(reduced) => *row = reduced,
                None => exact = false,
            }
        }
    }
}

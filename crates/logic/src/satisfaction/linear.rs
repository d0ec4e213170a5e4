//! Linear sums over unknowns, with checked arithmetic.

/// Identifies an unknown of the parser: something the heap has not determined yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Unknown(pub u32);

impl Unknown {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// `constant + Σ coefficient * unknown`, sorted by unknown, no coefficient zero.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum {
    pub constant: i128,
    pub summands: Vec<(Unknown, i128)>,
}

impl Sum {
    pub fn constant(constant: i128) -> Sum {
        Sum {
            constant,
            summands: Vec::new(),
        }
    }

    pub fn unknown(unknown: Unknown) -> Sum {
        Sum {
            constant: 0,
            summands: vec![(unknown, 1)],
        }
    }

    /// `self + factor * other`, or nothing where a number would not fit.
    pub fn add_scaled(&self, other: &Sum, factor: i128) -> Option<Sum> {
        let constant = (self.constant).checked_add(other.constant.checked_mul(factor)?)?;
        let mut all = self.summands.clone();
        for &(unknown, coefficient) in &other.summands {
            let scaled = coefficient.checked_mul(factor)?;
            match all.binary_search_by_key(&unknown, |entry| entry.0) {
                Ok(at) => all[at].1 = all[at].1.checked_add(scaled)?,
                Err(at) => all.insert(at, (unknown, scaled)),
            }
        }
        all.retain(|entry| entry.1 != 0);
        Some(Sum {
            constant,
            summands: all,
        })
    }

    /// The sum with the unknowns that have a value put in.
    pub fn evaluate_known(&self, value: impl Fn(Unknown) -> Option<i128>) -> Option<Sum> {
        let mut rest = Sum::constant(self.constant);
        for &(unknown, coefficient) in &self.summands {
            match value(unknown) {
                None => rest.summands.push((unknown, coefficient)),
                Some(value) => {
                    let product = coefficient.checked_mul(value)?;
                    rest.constant = rest.constant.checked_add(product)?;
                }
            }
        }
        Some(rest)
    }

    /// The value under a total assignment, or nothing where a number would not fit.
    pub fn evaluate(&self, value: impl Fn(Unknown) -> i128) -> Option<i128> {
        (self.summands.iter()).try_fold(self.constant, |sum, &(unknown, coefficient)| {
            sum.checked_add(coefficient.checked_mul(value(unknown))?)
        })
    }
}

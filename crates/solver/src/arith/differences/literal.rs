//! The fragment: which formulas are made of difference constraints and boolean variables.

use heapwright_logic::{Linear, Sort, Term, TermId, Terms, VarId};

/// Larger constants leave the fragment, so that sums along paths cannot overflow.
const MAX_CONSTANT: i128 = 1 << 90;
/// Formulas nested deeper leave the fragment.
const MAX_DEPTH: u32 = 32;

/// `left - right + constant`, where either variable may be missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The variable with coefficient 1.
    pub left: Option<VarId>,
    /// The variable with coefficient -1.
    pub right: Option<VarId>,
    /// The constant.
    pub constant: i128,
}

impl Difference {
    /// A linear combination as a difference, if it is one.
    pub fn of(terms: &Terms, linear: &Linear) -> Option<Difference> {
        let mut difference = Difference {
            left: None,
            right: None,
            constant: linear.constant,
        };
        if linear.constant.unsigned_abs() > MAX_CONSTANT.unsigned_abs() || linear.summands.len() > 2
        {
            return None;
        }
        for &(term, coefficient) in &linear.summands {
            let variable = terms.as_var(term)?;
            let side = match coefficient {
                1 => &mut difference.left,
                -1 => &mut difference.right,
                _ => return None,
            };
            if side.replace(variable).is_some() {
                return None;
            }
        }
        Some(difference)
    }
}

/// Whether a formula belongs to the fragment.
pub fn in_fragment(terms: &Terms, formula: TermId) -> bool {
    within(terms, formula, 0)
}

fn within(terms: &Terms, formula: TermId, depth: u32) -> bool {
    if depth > MAX_DEPTH {
        return false;
    }
    match terms.get(formula) {
        Term::Bool(_) => true,
        Term::Var(_) => terms.sort(formula) == Sort::Bool,
        Term::AtMostZero(linear) | Term::IsZero(linear) => Difference::of(terms, linear).is_some(),
        Term::Not(inner) => within(terms, *inner, depth + 1),
        Term::Eq(a, b) => {
            terms.sort(*a) == Sort::Bool
                && within(terms, *a, depth + 1)
                && within(terms, *b, depth + 1)
        }
        Term::And(list) | Term::Or(list) => {
            list.iter().all(|&inner| within(terms, inner, depth + 1))
        }
        _ => false,
    }
}

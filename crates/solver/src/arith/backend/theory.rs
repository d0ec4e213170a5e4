//! Which theory a question is put to Z3 in.

use heapwright_logic::{FpOp, IntOp, Sort, Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

use crate::arith::interval::{Interval, interval_of};
use crate::arith::order::subterms_first;

/// The theories, from the fastest to the most expressive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theory {
    /// Integers with range constraints; wrapping by an exact quotient.
    Integers,
    /// Bit-vectors, each as wide as its exact value needs.
    BitVectors,
    /// Bit-vectors together with IEEE floats.
    Floats,
    /// The same, with products, quotients or roots of unknown floats.
    NonlinearFloats,
}

impl Theory {
    /// Whether there are floats.
    pub fn has_floats(self) -> bool {
        matches!(self, Theory::Floats | Theory::NonlinearFloats)
    }
}

/// How a question is encoded: two questions can share a session if their plans are equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The theory.
    pub theory: Theory,
    /// The ranges of mathematical integers, where the theory needs them bounded.
    pub ghosts: FxHashMap<VarId, Interval>,
}

impl Plan {
    /// A plan for a theory of bounded numbers.
    pub fn new(theory: Theory, ghosts: FxHashMap<VarId, Interval>) -> Self {
        Plan { theory, ghosts }
    }

    /// The plan for integers, where nothing has to be bounded.
    pub fn integers() -> Self {
        Plan::new(Theory::Integers, FxHashMap::default())
    }
}

/// The theory for a question, and its mathematical integer variables in order.
pub fn choose(
    terms: &Terms,
    conjuncts: &[TermId],
    max_terms: usize,
) -> Result<(Theory, Vec<VarId>), String> {
    let order = subterms_first(terms, conjuncts.iter().copied(), |_| false);
    if order.len() > max_terms {
        return Err(format!("more than {max_terms} terms in one question"));
    }
    let mut ranges: FxHashMap<TermId, Interval> = FxHashMap::default();
    let mut products: FxHashMap<TermId, bool> = FxHashMap::default();
    let mut theory = Theory::Integers;
    let mut ghosts = Vec::new();
    for &term in &order {
        let sort = terms.sort(term);
        if sort.is_ref() {
            return Err("references in an arithmetic question".to_owned());
        }
        if matches!(sort, Sort::Float(_)) || matches!(terms.get(term), Term::Fp(..)) {
            let unknown =
                |term: &TermId| !matches!(terms.get(*term), Term::Single(_) | Term::Double(_));
            let nonlinear = match terms.get(term) {
                Term::Fp(FpOp::Sqrt, ..) => true,
                Term::Fp(FpOp::Mul | FpOp::Div, _, args) => args.iter().all(unknown),
                _ => theory == Theory::NonlinearFloats,
            };
            theory = match nonlinear || theory == Theory::NonlinearFloats {
                true => Theory::NonlinearFloats,
                false => Theory::Floats,
            };
        }
        if let Term::Apply(function, _) = terms.get(term) {
            return Err(format!("no theory covers {}", function.name()));
        }
        if let Term::Fp(FpOp::Rem, _, _) = terms.get(term) {
            return Err("floating-point remainder of unknown operands".to_owned());
        }
        if let Term::Var(variable) = terms.get(term)
            && sort == Sort::Int
        {
            ghosts.push(*variable);
        }
        if !sort.is_integer() {
            continue;
        }
        let range = interval_of(terms, term, |child| ranges[&child]);
        ranges.insert(term, range);
        let product = has_product(terms, term, &ranges, &products);
        products.insert(term, product);
        let needs_bits = match terms.get(term) {
            Term::Int(op, a, b) => looks_at_bits(terms, *op, *a, *b, &ranges),
            // A product that wraps; one of unbounded numbers is better left to the integers.
            Term::Wrap(ty, a) => {
                products[a] && ranges[a].is_bounded() && !ranges[a].within(Interval::of_type(*ty))
            }
            _ => false,
        };
        if needs_bits && theory == Theory::Integers {
            theory = Theory::BitVectors;
        }
    }
    Ok((theory, ghosts))
}

/// Whether a product of two unknowns takes part in the value, not hidden behind a wrap.
fn has_product(
    terms: &Terms,
    term: TermId,
    ranges: &FxHashMap<TermId, Interval>,
    products: &FxHashMap<TermId, bool>,
) -> bool {
    match terms.get(term) {
        Term::Int(IntOp::Mul, a, b) => {
            ranges[a].singleton().is_none() && ranges[b].singleton().is_none()
        }
        Term::Wrap(..) => false,
        _ => (terms.children(term).iter()).any(|child| products.get(child) == Some(&true)),
    }
}

fn looks_at_bits(
    terms: &Terms,
    op: IntOp,
    a: TermId,
    b: TermId,
    ranges: &FxHashMap<TermId, Interval>,
) -> bool {
    match op {
        IntOp::Add | IntOp::Mul => false,
        // Integers do not divide by unknowns well; bit-vectors need bounds.
        IntOp::Div | IntOp::Rem => {
            terms.as_int(b).is_none() && ranges[&a].is_bounded() && ranges[&b].is_bounded()
        }
        IntOp::And => low_mask(terms, a, b).is_none(),
        IntOp::Or | IntOp::Xor => true,
        IntOp::Shl | IntOp::Shr => terms.as_int(b).is_none(),
    }
}

/// For `and` with a constant of the form `2^k - 1`: the other operand and `2^k`.
pub fn low_mask(terms: &Terms, a: TermId, b: TermId) -> Option<(TermId, i128)> {
    let modulus = |mask: i128| {
        let modulus = mask.checked_add(1)?;
        (mask > 0 && mask & modulus == 0).then_some(modulus)
    };
    match (terms.as_int(a), terms.as_int(b)) {
        (_, Some(mask)) => Some((a, modulus(mask)?)),
        (Some(mask), _) => Some((b, modulus(mask)?)),
        _ => None,
    }
}

//! Equations of floats that say what a variable is.
//!
//! Searching for the one number that makes an equation true is pointless where the equation
//! names it. Since `==` does not tell zeros apart and fails for NaN, putting the term in the
//! variable's place loses solutions, but gains none: the equation itself is kept.

use heapwright_logic::{FpOp, Substitution, Term, TermId, Terms, VarId};

use crate::arith::Assignment;
use crate::arith::evaluate::value;
use crate::arith::fold::fold;

/// How many variables are replaced.
const MAX_EQUATIONS: usize = 64;

/// A question in which some variables are replaced by what they are equal to.
pub struct Reduced {
    /// The conjuncts that are left.
    pub conjuncts: Vec<TermId>,
    /// The variables; later terms mention no earlier variable.
    solved: Vec<(VarId, TermId)>,
}

impl Reduced {
    /// Replaces variables as long as equations determine them.
    pub fn new(terms: &mut Terms, conjuncts: &[TermId]) -> Reduced {
        let mut reduced = Reduced {
            conjuncts: conjuncts.to_vec(),
            solved: Vec::new(),
        };
        while reduced.solved.len() < MAX_EQUATIONS {
            let equations = reduced.conjuncts.iter();
            let Some((variable, term)) = equations.copied().find_map(|c| definition(terms, c))
            else {
                break;
            };
            let substitution: Substitution = [(variable, term)].into_iter().collect();
            for conjunct in &mut reduced.conjuncts {
                let replaced = terms.substitute(*conjunct, &substitution);
                if replaced != *conjunct {
                    *conjunct = fold(terms, replaced);
                }
            }
            reduced.solved.push((variable, term));
        }
        reduced
            .conjuncts
            .retain(|&conjunct| conjunct != Terms::TRUE);
        reduced
    }

    /// Whether replacing has shown that only solutions that it loses are left, if any.
    pub fn is_contradictory(&self) -> bool {
        self.conjuncts.contains(&Terms::FALSE)
    }

    /// Adds the values of the replaced variables.
    pub fn complete(&self, terms: &Terms, mut assignment: Assignment) -> Option<Assignment> {
        for &(variable, term) in self.solved.iter().rev() {
            let value = value(terms, &assignment, term)?;
            assignment.insert(variable, value);
        }
        Some(assignment)
    }
}

/// The variable that a conjunct determines, and the term that it is equal to.
fn definition(terms: &Terms, conjunct: TermId) -> Option<(VarId, TermId)> {
    let Term::Fp(FpOp::Eq, _, args) = terms.get(conjunct) else {
        return None;
    };
    let [a, b] = args[..] else { return None };
    let define = |variable: TermId, term: TermId| {
        let variable_id = terms.as_var(variable)?;
        let independent = terms.subterms([term]).all(|part| part != variable);
        independent.then_some((variable_id, term))
    };
    define(a, b).or_else(|| define(b, a))
}

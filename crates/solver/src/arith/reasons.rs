//! Which of the original conjuncts a derived fact depends on.

use heapwright_logic::TermId;

/// A set of positions in a list of conjuncts.
///
/// Positions from 127 on share one bit: a fact that depends on one of them counts as
/// depending on all of them, which only makes unsatisfiable cores larger.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reasons(u128);

impl Reasons {
    /// Depends on nothing.
    pub const NONE: Reasons = Reasons(0);

    /// Depends on one conjunct.
    pub fn of(position: usize) -> Reasons {
        Reasons(1 << position.min(127))
    }

    /// Depends on what either depends on.
    #[must_use]
    pub fn and(self, other: Reasons) -> Reasons {
        Reasons(self.0 | other.0)
    }

    /// Whether a position belongs to the set.
    pub fn contains(self, position: usize) -> bool {
        self.0 >> position.min(127) & 1 == 1
    }

    /// The conjuncts of the set.
    pub fn select(self, conjuncts: &[TermId]) -> Vec<TermId> {
        let positions = (0..conjuncts.len()).filter(|&position| self.contains(position));
        positions.map(|position| conjuncts[position]).collect()
    }
}

/// A conjunct derived from original ones.
#[derive(Clone, Copy, Debug)]
pub struct Derived {
    /// The formula.
    pub formula: TermId,
    /// What it depends on.
    pub reasons: Reasons,
}

/// Maps a core of derived conjuncts back to the original ones.
pub fn original_core(derived: &[Derived], core: &[TermId], conjuncts: &[TermId]) -> Vec<TermId> {
    let used = derived.iter().filter(|item| core.contains(&item.formula));
    used.fold(Reasons::NONE, |all, item| all.and(item.reasons))
        .select(conjuncts)
}

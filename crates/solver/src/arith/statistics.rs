//! How many questions were asked, and which layer answered them.

/// Counters of all layers of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Questions put to the chain.
    pub questions: u64,
    /// Conjuncts of these questions: the work that they are, to be counted whatever the clock says.
    pub conjuncts: u64,
    /// Answered by a remembered satisfying assignment.
    pub reused_models: u64,
    /// Answered by a remembered unsatisfiable core.
    pub remembered_cores: u64,
    /// Answered by the decision procedure for differences.
    pub differences: u64,
    /// Found unsatisfiable or trivial while simplifying.
    pub simplified: u64,
    /// Found unsatisfiable by bound propagation.
    pub intervals: u64,
    /// Questions that were split into independent parts.
    pub split: u64,
    /// Questions (or independent parts) answered by a search by branch distance.
    pub searched: u64,
    /// Evaluations that such searches took.
    pub search_evaluations: u64,
    /// Questions (or independent parts) that reached the backend.
    pub backend_questions: u64,
    /// Calls of Z3, more than one per question where a width was guessed.
    pub backend_calls: u64,
    /// Assignments that failed validation: bugs.
    pub invalid_models: u64,
}

impl Statistics {
    /// Adds the counters of another layer.
    pub fn add(&mut self, other: &Statistics) {
        self.questions += other.questions;
        self.conjuncts += other.conjuncts;
        self.reused_models += other.reused_models;
        self.remembered_cores += other.remembered_cores;
        self.differences += other.differences;
        self.simplified += other.simplified;
        self.intervals += other.intervals;
        self.split += other.split;
        self.searched += other.searched;
        self.search_evaluations += other.search_evaluations;
        self.backend_questions += other.backend_questions;
        self.backend_calls += other.backend_calls;
        self.invalid_models += other.invalid_models;
    }
}

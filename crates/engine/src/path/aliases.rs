//! Which references of the input are known to be equal, different or null.
//!
//! Union-find over the reference symbols of one path. Only what was said outright is known here;
//! what predicates imply is the solver's business.

use heapwright_ir::machine::ObjectId;
use heapwright_logic::{Term, TermId, Terms, VarId};
use rustc_hash::FxHashMap;

/// What a reference symbol is known to be.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Known {
    /// Null.
    Null,
    /// The source of a materialised object.
    Object(ObjectId),
    /// Neither; the representative of the symbols equal to it.
    Open(VarId),
}

/// The facts of a path contradict each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction;

/// Equalities and disequalities of references.
#[derive(Clone, Debug, Default)]
pub struct Aliases {
    parent: FxHashMap<VarId, VarId>,
    /// What representatives are, if anything is known.
    value: FxHashMap<VarId, Known>,
    /// Pairs that are different; as they were said, to be read through representatives.
    different: Vec<(VarId, VarId)>,
    /// Symbols that are not null.
    not_null: Vec<VarId>,
}

impl Aliases {
    /// What a reference symbol is known to be.
    pub fn known(&self, variable: VarId) -> Known {
        let representative = self.find(variable);
        let value = self.value.get(&representative).copied();
        value.unwrap_or(Known::Open(representative))
    }

    /// Whether two symbols are known to be equal or different.
    pub fn compare(&self, a: VarId, b: VarId) -> Option<bool> {
        let (a, b) = (self.known(a), self.known(b));
        if a == b {
            return Some(true);
        }
        match (a, b) {
            (Known::Open(open), Known::Null) | (Known::Null, Known::Open(open)) => {
                self.is_not_null(open).then_some(false)
            }
            (Known::Open(_), _) | (_, Known::Open(_)) => {
                let same = |x: VarId, known: Known| self.known(x) == known;
                let told = (self.different.iter())
                    .any(|&(x, y)| (same(x, a) && same(y, b)) || (same(x, b) && same(y, a)));
                told.then_some(false)
            }
            _ => Some(false),
        }
    }

    /// The symbols that are known to be equal to one, itself first.
    pub fn equals(&self, variable: VarId) -> Vec<VarId> {
        let representative = self.find(variable);
        let children = self.parent.keys().copied();
        let mut others: Vec<VarId> = (children.chain([representative]))
            .filter(|&other| other != variable && self.find(other) == representative)
            .collect();
        others.sort_unstable();
        others.insert(0, variable);
        others
    }

    /// Whether a symbol is known to be null or not to be.
    pub fn is_null(&self, variable: VarId) -> Option<bool> {
        match self.known(variable) {
            Known::Null => Some(true),
            Known::Object(_) => Some(false),
            Known::Open(open) => self.is_not_null(open).then_some(false),
        }
    }

    /// Learns what a conjunct of a pure formula says about references; other conjuncts say
    /// nothing here.
    pub fn learn(&mut self, terms: &Terms, conjunct: TermId) -> Result<(), Contradiction> {
        match terms.get(conjunct) {
            Term::Bool(false) => Err(Contradiction),
            Term::And(parts) => {
                for &part in parts {
                    self.learn(terms, part)?;
                }
                Ok(())
            }
            Term::Eq(a, b) => match (reference(terms, *a), reference(terms, *b)) {
                (Some(Reference::Variable(a)), Some(Reference::Variable(b))) => self.equate(a, b),
                (Some(Reference::Variable(a)), Some(Reference::Null))
                | (Some(Reference::Null), Some(Reference::Variable(a))) => {
                    self.assign(a, Known::Null)
                }
                _ => Ok(()),
            },
            Term::Not(negated) => {
                let Term::Eq(a, b) = terms.get(*negated) else {
                    return Ok(());
                };
                match (reference(terms, *a), reference(terms, *b)) {
                    (Some(Reference::Variable(a)), Some(Reference::Variable(b))) => {
                        self.different.push((a, b));
                        match self.known(a) == self.known(b) {
                            true => Err(Contradiction),
                            false => Ok(()),
                        }
                    }
                    (Some(Reference::Variable(a)), Some(Reference::Null))
                    | (Some(Reference::Null), Some(Reference::Variable(a))) => {
                        self.not_null.push(a);
                        match self.known(a) {
                            Known::Null => Err(Contradiction),
                            _ => Ok(()),
                        }
                    }
                    _ => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Learns that an object lies at a symbol.
    pub fn allocate(&mut self, variable: VarId, object: ObjectId) -> Result<(), Contradiction> {
        match self.known(variable) {
            // Cells are separate, so a second one at the same place cannot be.
            Known::Null | Known::Object(_) => Err(Contradiction),
            Known::Open(_) => self.assign(variable, Known::Object(object)),
        }
    }

    fn is_not_null(&self, representative: VarId) -> bool {
        (self.not_null.iter()).any(|&variable| self.find(variable) == representative)
    }

    fn find(&self, variable: VarId) -> VarId {
        let mut current = variable;
        while let Some(&next) = self.parent.get(&current) {
            current = next;
        }
        current
    }

    fn assign(&mut self, variable: VarId, known: Known) -> Result<(), Contradiction> {
        let representative = self.find(variable);
        match self.value.get(&representative) {
            Some(value) if *value == known => return Ok(()),
            Some(_) => return Err(Contradiction),
            None => {}
        }
        if known == Known::Null && self.is_not_null(representative) {
            return Err(Contradiction);
        }
        self.value.insert(representative, known);
        self.consistent()
    }

    fn equate(&mut self, a: VarId, b: VarId) -> Result<(), Contradiction> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Ok(());
        }
        let value = match (self.value.get(&a).copied(), self.value.get(&b).copied()) {
            (Some(x), Some(y)) if x != y => return Err(Contradiction),
            (x, y) => x.or(y),
        };
        // The older symbol represents both, so that the order of equations does not matter.
        let (root, child) = (a.min(b), a.max(b));
        self.parent.insert(child, root);
        self.value.remove(&child);
        if let Some(value) = value {
            self.value.insert(root, value);
            if value == Known::Null && self.is_not_null(root) {
                return Err(Contradiction);
            }
        }
        self.consistent()
    }

    fn consistent(&self) -> Result<(), Contradiction> {
        let clash = (self.different.iter()).any(|&(a, b)| self.known(a) == self.known(b));
        match clash {
            true => Err(Contradiction),
            false => Ok(()),
        }
    }
}

enum Reference {
    Null,
    Variable(VarId),
}

fn reference(terms: &Terms, term: TermId) -> Option<Reference> {
    if term == Terms::NULL {
        return Some(Reference::Null);
    }
    let variable = terms.as_var(term)?;
    (terms.variable(variable).sort.is_ref()).then_some(Reference::Variable(variable))
}

//! What depends on the environment, and is no part of the input.
//!
//! An answer of the environment is a symbol of its own that no condition ever speaks of. What is
//! computed from it mentions the symbol, so a decision that depends on it is noticed: it is taken
//! as the usual answer wants it, as a concrete run would, and the other way stays open.

use std::collections::BTreeSet;

use heapwright_ir::machine::environment::{Asked, Environment};
use heapwright_ir::machine::{MachineError, concrete};
use heapwright_logic::{ClassId, IntType, Sort, Substitution, VarId};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::{PathStop, Symbolic};
use crate::path::symbolic_value::SymbolicValue;
use crate::report::Limit;

/// A value with the usual answers of the environment.
pub(super) struct Usual {
    pub(super) value: SymbolicValue,
    /// The parts of the environment that it depends on.
    pub(super) parts: BTreeSet<Environment>,
}

impl Symbolic<'_> {
    /// Answers a question about the environment.
    pub(super) fn environment(
        &mut self,
        asked: Asked,
        args: &[SymbolicValue],
    ) -> Result<SymbolicValue, PathStop> {
        match (asked, args) {
            (Asked::Decided(part), []) => {
                self.depend_on(part);
                Ok(SymbolicValue::Concrete(concrete::Value::Bool(false)))
            }
            // Concrete runs of what is found notice it.
            (Asked::Kept(_), [_]) => Ok(SymbolicValue::Concrete(concrete::Value::Bool(false))),
            (Asked::Value(part), []) => {
                let usual = SymbolicValue::Concrete(concrete::Value::Int(0));
                Ok(self.answered(part, Sort::Machine(IntType::I64), usual))
            }
            (Asked::Value(part), &[usual, _]) => {
                let sort = match usual {
                    SymbolicValue::Symbolic(term) => self.terms.sort(term),
                    SymbolicValue::Concrete(concrete::Value::Bool(_)) => Sort::Bool,
                    SymbolicValue::Concrete(
                        concrete::Value::Null | concrete::Value::Pointer(_),
                    ) => Sort::Ref(ClassId::ANY),
                    SymbolicValue::Concrete(_) => return Err(MachineError::IllSorted.into()),
                };
                Ok(self.answered(part, sort, usual))
            }
            _ => Err(MachineError::IllSorted.into()),
        }
    }

    /// The number that an object keeps: the same symbol whenever the same reference is asked for.
    pub(super) fn identity(&mut self, object: SymbolicValue, usual: i128) -> SymbolicValue {
        if let Some((_, known)) = self.identities.iter().find(|(known, _)| *known == object) {
            return *known;
        }
        let usual = SymbolicValue::Concrete(concrete::Value::Int(usual));
        let sort = Sort::Machine(IntType::I32);
        let answer = self.answered(Environment::Identity, sort, usual);
        self.identities.push((object, answer));
        answer
    }

    /// Where an object lies: the same symbol whenever the same object is asked for.
    pub(super) fn place(&mut self, object: SymbolicValue, usual: i128) -> SymbolicValue {
        if let Some((_, known)) = self.identities.iter().find(|(known, _)| *known == object) {
            return *known;
        }
        let usual = SymbolicValue::Concrete(concrete::Value::Int(usual));
        let sort = Sort::Machine(IntType::U64);
        let answer = self.answered(Environment::Addresses, sort, usual);
        self.identities.push((object, answer));
        answer
    }

    /// A new symbol for an answer.
    fn answered(&mut self, part: Environment, sort: Sort, usual: SymbolicValue) -> SymbolicValue {
        let symbol = self.terms.declare(part.name(), sort);
        self.answers.insert(symbol, (part, usual));
        SymbolicValue::Symbolic(self.terms.var(symbol))
    }

    /// A value that something is decided by, with the usual answers of the environment. If it
    /// depends on any, what another answer leads to is left open.
    pub(super) fn usual(&mut self, mut value: SymbolicValue) -> Usual {
        let mut parts = BTreeSet::new();
        while let SymbolicValue::Symbolic(term) = value {
            if self.answers.is_empty() {
                break;
            }
            let mut variables: IndexSet<VarId, FxBuildHasher> = IndexSet::default();
            self.terms.collect_variables(term, &mut variables);
            let asked = variables.iter().filter_map(|symbol| {
                let &(part, usual) = self.answers.get(symbol)?;
                Some((part, *symbol, usual))
            });
            let asked: Vec<(Environment, VarId, SymbolicValue)> = asked.collect();
            if asked.is_empty() {
                break;
            }
            parts.extend(asked.iter().map(|(part, ..)| *part));
            if let (Some(_), Some(&(_, _, usual))) = (self.terms.as_var(term), asked.first()) {
                value = usual;
                continue;
            }
            let mut substitution = Substitution::default();
            for (_, symbol, usual) in asked {
                if let Some(usual) = usual.term(&mut self.terms) {
                    substitution.insert(symbol, usual);
                }
            }
            let replaced = self.terms.substitute(term, &substitution);
            // References to objects are no terms, and there are no operations on them.
            if replaced == term {
                break;
            }
            value = SymbolicValue::of(&self.terms, replaced);
        }
        for &part in &parts {
            self.depend_on(part);
        }
        Usual { value, parts }
    }

    /// A branch is taken that other answers of these parts might not lead to. In the code under test
    /// a few other environments need not show it, so no run of this path is a test.
    pub(super) fn branch_by(&mut self, parts: &BTreeSet<Environment>) {
        let mut varying = parts.iter().filter(|part| !part.is_usual_in_tests());
        if self.subject.is_under_test(self.point.function) {
            self.decided_by = self.decided_by.or(varying.next().copied());
        }
    }

    pub(super) fn depend_on(&mut self, part: Environment) {
        self.cut(Limit::Environment(part), self.objects());
        // Whatever a generator has decided by shows in all that follows.
        if part == Environment::Randomness {
            self.decided_by = self.decided_by.or(Some(part));
        }
    }
}

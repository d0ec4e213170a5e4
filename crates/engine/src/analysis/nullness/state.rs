//! What is known about references at a point of a function.

use std::collections::BTreeMap;

use heapwright_ir::Reg;

/// What is known about a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fact {
    /// It is null.
    Null,
    /// It is not null.
    NotNull,
    /// It may be either.
    Any,
}

impl Fact {
    /// What is known if either may be the case.
    pub fn join(self, other: Fact) -> Fact {
        match self == other {
            true => self,
            false => Fact::Any,
        }
    }
}

/// A field of the object that a register refers to.
pub type RegisterField = (Reg, u32);

/// A truth value that says whether a register is null.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Test {
    /// The register.
    pub register: Reg,
    /// The truth value that means null.
    pub null_if: bool,
}

/// What is known at a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    facts: Vec<Fact>,
    /// The field that a register was read from, while both are unchanged. Few registers have one,
    /// and every assignment looks at all of them.
    origins: BTreeMap<Reg, RegisterField>,
    tests: BTreeMap<Reg, Test>,
    memory: BTreeMap<RegisterField, Fact>,
}

impl State {
    /// Nothing is known about `registers` registers.
    pub fn new(registers: usize) -> State {
        State {
            facts: vec![Fact::Any; registers],
            origins: BTreeMap::new(),
            tests: BTreeMap::new(),
            memory: BTreeMap::new(),
        }
    }

    /// What is known about a register.
    pub fn fact(&self, register: Reg) -> Fact {
        (self.facts.get(register.index()).copied()).unwrap_or(Fact::Any)
    }

    /// What a truth value says.
    pub fn test(&self, register: Reg) -> Option<Test> {
        self.tests.get(&register).copied()
    }

    /// What is known about a field.
    pub fn content(&self, place: RegisterField) -> Fact {
        self.memory.get(&place).copied().unwrap_or(Fact::Any)
    }

    /// What is known about the fields of an object that a register refers to.
    pub fn contents(&self, register: Reg) -> impl Iterator<Item = (u32, Fact)> + '_ {
        let places = self.memory.range((register, 0)..=(register, u32::MAX));
        places.map(|(&(_, field), &fact)| (field, fact))
    }

    /// Something is known about a field of the object that a register refers to.
    pub fn learn(&mut self, place: RegisterField, fact: Fact) {
        self.memory.insert(place, fact);
    }

    /// A register gets a new value.
    pub fn assign(&mut self, register: Reg, fact: Fact) {
        let is_other = |other: Reg| other != register;
        (self.origins).retain(|&to, (base, _)| is_other(to) && is_other(*base));
        (self.tests).retain(|&to, test| is_other(to) && is_other(test.register));
        if self.contents(register).next().is_some() {
            self.memory.retain(|(base, _), _| is_other(*base));
        }
        if let Some(known) = self.facts.get_mut(register.index()) {
            *known = fact;
        }
    }

    /// A register gets the value of another one.
    pub fn copy(&mut self, to: Reg, from: Reg) {
        if to == from {
            return;
        }
        let fact = self.fact(from);
        let origin = self.origins.get(&from).copied();
        let test = self.test(from);
        let contents: Vec<(u32, Fact)> = self.contents(from).collect();
        self.assign(to, fact);
        // Both are references to the same object.
        let contents = contents
            .into_iter()
            .map(|(field, fact)| ((to, field), fact));
        self.memory.extend(contents);
        let origin = origin.filter(|(base, _)| *base != to);
        self.origins.extend(origin.map(|origin| (to, origin)));
        let test = test.filter(|test| test.register != to);
        self.tests.extend(test.map(|test| (to, test)));
    }

    /// A register was read from a field.
    pub fn load(&mut self, to: Reg, place: RegisterField) {
        let fact = self.content(place);
        self.assign(to, fact);
        if place.0 != to {
            self.origins.insert(to, place);
        }
    }

    /// A field was written. Fields of the same number in other objects may be the same one.
    pub fn store(&mut self, place: RegisterField, fact: Fact) {
        self.forget(|field| field == place.1);
        self.memory.insert(place, fact);
    }

    /// Fields may have been written by somebody else.
    pub fn forget(&mut self, written: impl Fn(u32) -> bool) {
        self.memory.retain(|(_, field), _| !written(*field));
        self.origins.retain(|_, (_, field)| !written(*field));
    }

    /// A truth value says whether a register is null.
    pub fn set_test(&mut self, to: Reg, test: Option<Test>) {
        self.assign(to, Fact::Any);
        let test = test.filter(|test| test.register != to);
        self.tests.extend(test.map(|test| (to, test)));
    }

    /// A register turned out to be null, or not to be. False if that cannot be.
    #[must_use]
    pub fn refine(&mut self, register: Reg, fact: Fact) -> bool {
        let known = self.fact(register);
        if known != Fact::Any && fact != Fact::Any && known != fact {
            return false;
        }
        if fact == Fact::Any || register.index() >= self.facts.len() {
            return true;
        }
        self.facts[register.index()] = fact;
        if let Some(&place) = self.origins.get(&register) {
            self.memory.insert(place, fact);
            // Whatever else was read from there is the same.
            for (same, _) in self.origins.iter().filter(|(_, origin)| **origin == place) {
                if let Some(known) = self.facts.get_mut(same.index()) {
                    *known = fact;
                }
            }
        }
        true
    }

    /// What is known if either state may be the case. Whether this state has changed.
    pub fn join(&mut self, other: &State) -> bool {
        let before = self.clone();
        for (fact, theirs) in self.facts.iter_mut().zip(&other.facts) {
            *fact = fact.join(*theirs);
        }
        (self.origins).retain(|register, origin| other.origins.get(register) == Some(origin));
        (self.tests).retain(|register, test| other.tests.get(register) == Some(test));
        self.memory = (self.memory.iter())
            .filter_map(|(place, fact)| {
                let joined = fact.join(*other.memory.get(place)?);
                (joined != Fact::Any).then_some((*place, joined))
            })
            .collect();
        *self != before
    }
}

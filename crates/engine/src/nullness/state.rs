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
pub type Place = (Reg, u32);

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
    /// The field that a register was read from, while both are unchanged.
    origins: Vec<Option<Place>>,
    tests: Vec<Option<Test>>,
    memory: BTreeMap<Place, Fact>,
}

impl State {
    /// Nothing is known about `registers` registers.
    pub fn new(registers: usize) -> State {
        State {
            facts: vec![Fact::Any; registers],
            origins: vec![None; registers],
            tests: vec![None; registers],
            memory: BTreeMap::new(),
        }
    }

    /// What is known about a register.
    pub fn fact(&self, register: Reg) -> Fact {
        (self.facts.get(register.index()).copied()).unwrap_or(Fact::Any)
    }

    /// What a truth value says.
    pub fn test(&self, register: Reg) -> Option<Test> {
        self.tests.get(register.index()).copied().flatten()
    }

    /// What is known about a field.
    pub fn content(&self, place: Place) -> Fact {
        self.memory.get(&place).copied().unwrap_or(Fact::Any)
    }

    /// What is known about the fields of an object that a register refers to.
    pub fn contents(&self, register: Reg) -> impl Iterator<Item = (u32, Fact)> + '_ {
        let places = self.memory.range((register, 0)..=(register, u32::MAX));
        places.map(|(&(_, field), &fact)| (field, fact))
    }

    /// Something is known about a field of the object that a register refers to.
    pub fn learn(&mut self, place: Place, fact: Fact) {
        self.memory.insert(place, fact);
    }

    /// A register gets a new value.
    pub fn assign(&mut self, register: Reg, fact: Fact) {
        for origin in &mut self.origins {
            if origin.is_some_and(|(base, _)| base == register) {
                *origin = None;
            }
        }
        for test in &mut self.tests {
            if test.is_some_and(|test| test.register == register) {
                *test = None;
            }
        }
        self.memory.retain(|(base, _), _| *base != register);
        let index = register.index();
        if index < self.facts.len() {
            self.facts[index] = fact;
            self.origins[index] = None;
            self.tests[index] = None;
        }
    }

    /// A register gets the value of another one.
    pub fn copy(&mut self, to: Reg, from: Reg) {
        if to == from {
            return;
        }
        let fact = self.fact(from);
        let origin = self.origins.get(from.index()).copied().flatten();
        let test = self.test(from);
        let contents: Vec<(u32, Fact)> = self.contents(from).collect();
        self.assign(to, fact);
        // Both are references to the same object.
        let contents = contents
            .into_iter()
            .map(|(field, fact)| ((to, field), fact));
        self.memory.extend(contents);
        let index = to.index();
        if index < self.facts.len() {
            self.origins[index] = origin.filter(|(base, _)| *base != to);
            self.tests[index] = test.filter(|test| test.register != to);
        }
    }

    /// A register was read from a field.
    pub fn load(&mut self, to: Reg, place: Place) {
        let fact = self.content(place);
        self.assign(to, fact);
        if place.0 != to
            && let Some(origin) = self.origins.get_mut(to.index())
        {
            *origin = Some(place);
        }
    }

    /// A field was written. Fields of the same number in other objects may be the same one.
    pub fn store(&mut self, place: Place, fact: Fact) {
        self.forget(|field| field == place.1);
        self.memory.insert(place, fact);
    }

    /// Fields may have been written by somebody else.
    pub fn forget(&mut self, written: impl Fn(u32) -> bool) {
        self.memory.retain(|(_, field), _| !written(*field));
        for origin in &mut self.origins {
            if origin.is_some_and(|(_, field)| written(field)) {
                *origin = None;
            }
        }
    }

    /// A truth value says whether a register is null.
    pub fn set_test(&mut self, to: Reg, test: Option<Test>) {
        self.assign(to, Fact::Any);
        if let Some(slot) = self.tests.get_mut(to.index()) {
            *slot = test.filter(|test| test.register != to);
        }
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
        let origin = self.origins[register.index()];
        if let Some(place) = origin {
            self.memory.insert(place, fact);
            // Whatever else was read from there is the same.
            for index in 0..self.facts.len() {
                if self.origins[index] == origin {
                    self.facts[index] = fact;
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
        for (origin, theirs) in self.origins.iter_mut().zip(&other.origins) {
            if origin != theirs {
                *origin = None;
            }
        }
        for (test, theirs) in self.tests.iter_mut().zip(&other.tests) {
            if test != theirs {
                *test = None;
            }
        }
        self.memory = (self.memory.iter())
            .filter_map(|(place, fact)| {
                let joined = fact.join(*other.memory.get(place)?);
                (joined != Fact::Any).then_some((*place, joined))
            })
            .collect();
        *self != before
    }
}

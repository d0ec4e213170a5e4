//! Which ways the conditional jumps and switches of the measured classes went, test by test.
//!
//! Jumps are numbered through all measured classes; a method has a range of them, in the order of its
//! code. JaCoCo turns the conditions of some jumps around when it adds its probes, which is undone
//! here: what is said is about the jumps of the class file.

/// The conditional jumps and switches of a method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MethodJumps {
    /// The binary name of the class.
    pub class: String,
    /// The method.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    first: u32,
    kinds: Vec<Kind>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Jump,
    /// With its condition turned around.
    Inverted,
    Switch,
}

/// Where one jump or switch went in a test, by its number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    number: u32,
    went: Went,
}

/// Where a jump or switch went, one or several times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Went {
    /// A conditional jump.
    Jump {
        /// It was taken.
        taken: bool,
        /// It was not taken.
        fell_through: bool,
    },
    /// A switch met these values.
    Switch(Vec<i32>),
    /// A switch met more values than are kept.
    Many,
}

impl MethodJumps {
    pub(super) fn parse(
        [class, method, descriptor]: [&str; 3],
        first: &str,
        kinds: &str,
    ) -> Option<Self> {
        let kinds = kinds.chars().map(|kind| match kind {
            'j' => Some(Kind::Jump),
            'i' => Some(Kind::Inverted),
            's' => Some(Kind::Switch),
            _ => None,
        });
        Some(MethodJumps {
            class: class.to_owned(),
            method: method.to_owned(),
            descriptor: descriptor.to_owned(),
            first: first.parse().ok()?,
            kinds: kinds.collect::<Option<_>>()?,
        })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.kinds.len()
    }

    /// Where the jump of an index went in a test; nothing if the test did not come there.
    pub fn went(&self, ways: &[Way], index: usize) -> Option<Went> {
        let kind = *self.kinds.get(index)?;
        let number = self.first.checked_add(u32::try_from(index).ok()?)?;
        let found = ways.binary_search_by_key(&number, |way| way.number).ok()?;
        let went = ways.get(found)?.went.clone();
        Some(match (kind, went) {
            (
                Kind::Inverted,
                Went::Jump {
                    taken,
                    fell_through,
                },
            ) => Went::Jump {
                taken: fell_through,
                fell_through: taken,
            },
            (_, went) => went,
        })
    }
}

/// Reads `3+ 4- 5+- 6=1,7 7=*`: jumps that were taken, not taken, both; values of switches.
pub(super) fn ways(text: &str) -> Option<Vec<Way>> {
    let mut ways = Vec::new();
    for word in text.split_whitespace() {
        let end = word.find(|c: char| !c.is_ascii_digit())?;
        let (number, rest) = word.split_at_checked(end)?;
        let went = match rest {
            "+" | "-" | "+-" => Went::Jump {
                taken: rest.starts_with('+'),
                fell_through: rest.ends_with('-'),
            },
            "=*" => Went::Many,
            _ => {
                let values = rest.strip_prefix('=')?.split(',');
                let values: Option<Vec<i32>> = values.map(|value| value.parse().ok()).collect();
                Went::Switch(values?)
            }
        };
        let number = number.parse().ok()?;
        ways.push(Way { number, went });
    }
    ways.sort_by_key(|way| way.number);
    Some(ways)
}

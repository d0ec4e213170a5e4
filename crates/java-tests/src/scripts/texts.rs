//! Texts that lead further: those of scripts that were found, changed a little.
//!
//! Code that reads a text character by character has its branches behind texts that nobody can list
//! beforehand, and behind more characters than open values can have. What took a new branch is changed
//! and tried again, as fuzzers of input formats do: signs that the code mentions are put in, taken out
//! and exchanged, and texts are joined. Choices come from a generator with a fixed seed.

use std::collections::BTreeSet;

use heapwright_engine::scripts::{Found, Operand, Script, Scripts};
use heapwright_ir::FunctionId;
use heapwright_java::descriptor::Type;
use heapwright_java::emit::Given;
use heapwright_java::world::STRING;
use heapwright_testgen::Error;
use heapwright_testgen::domain::Item;

use super::catalogue::JavaCatalogue;
use crate::frontend::JavaTests;
use crate::sequences::Maker;

/// Scripts that are changed in one round, and changes of all of them.
const SCRIPTS: usize = 60;
const CHANGES: usize = 1_200;

/// A text has up to so many characters.
const LONGEST: usize = 40;

/// What is put in although the code does not mention it: signs, and texts of usual forms.
const USUAL: [&str; 14] = [
    "a",
    "1",
    " ",
    "0",
    "-",
    ".",
    "1.5",
    "1.2.3",
    "a,b",
    "k=v",
    "a b",
    "/a/b",
    "a@b.c",
    "2024-02-29",
];

/// Changed texts, one round after the other.
pub struct Texts {
    /// What texts are made of: signs and words that the code mentions.
    tokens: Vec<String>,
    /// Those that were tried.
    tried: BTreeSet<String>,
    state: u64,
}

impl Texts {
    /// Nothing is tried yet.
    pub fn of(catalogue: &JavaCatalogue) -> Texts {
        let mut tokens = catalogue.tokens.clone();
        for usual in USUAL {
            if tokens.iter().all(|token| token != usual) {
                tokens.push(usual.to_owned());
            }
        }
        Texts {
            tokens,
            tried: BTreeSet::new(),
            state: 17,
        }
    }

    /// A number below a bound: Steele, Lea, Flood: Fast splittable pseudorandom number generators,
    /// OOPSLA 2014.
    fn below(&mut self, bound: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % bound.max(1) as u64) as usize
    }

    fn token(&mut self) -> Vec<char> {
        let index = self.below(self.tokens.len());
        let token = self.tokens.get(index);
        token.map_or_else(Vec::new, |token| token.chars().collect())
    }

    /// A text with one to three changes; others are texts that it may be joined with.
    fn changed(&mut self, text: &str, others: &[String]) -> String {
        let mut signs: Vec<char> = text.chars().collect();
        for _ in 0..=self.below(3) {
            let at = self.below(signs.len() + 1);
            match self.below(8) {
                0 if at < signs.len() => {
                    signs.remove(at);
                }
                1 if at < signs.len() => {
                    let token = self.token();
                    signs.splice(at..=at, token);
                }
                2 if !signs.is_empty() => {
                    let from = self.below(signs.len());
                    let again: Vec<char> = signs.iter().skip(from).take(4).copied().collect();
                    signs.splice(at..at, again);
                }
                3 if !others.is_empty() => {
                    let index = self.below(others.len());
                    let other = others.get(index).map_or("", String::as_str);
                    signs.splice(at..at, other.chars());
                }
                // What is read from the left is continued at its end.
                4 | 5 => {
                    let token = self.token();
                    signs.extend(token);
                }
                _ => {
                    let token = self.token();
                    signs.splice(at..at, token);
                }
            }
        }
        signs.into_iter().take(LONGEST).collect()
    }
}

impl JavaTests {
    /// Scripts that were found, with other texts.
    pub(super) fn with_other_texts(
        &mut self,
        catalogue: &mut JavaCatalogue,
        scripts: &Scripts,
        texts: &mut Texts,
    ) -> Result<Vec<Script>, Error> {
        let open: BTreeSet<FunctionId> = scripts.open.iter().map(|edge| edge.function).collect();
        let comes_near = |found: &&&Found| {
            let mut functions = found.edges.iter().map(|edge| edge.function);
            open.contains(&found.function) || functions.any(|function| open.contains(&function))
        };
        let reading: Vec<&Found> = (scripts.found.iter())
            .filter(|found| !texts_of(catalogue, &found.script).is_empty())
            .collect();
        let mut bases: Vec<&Script> = (reading.iter().filter(comes_near))
            .map(|found| &found.script)
            .collect();
        if bases.is_empty() {
            bases = reading.iter().map(|found| &found.script).collect();
        }
        // The last ones were the hardest to find.
        bases.reverse();
        bases.truncate(SCRIPTS);
        let changes = CHANGES / bases.len().max(1);
        let others: BTreeSet<String> = (bases.iter())
            .flat_map(|script| texts_of(catalogue, script))
            .map(|(.., text)| text)
            .collect();
        let others: Vec<String> = others.into_iter().collect();
        texts.tried.extend(others.iter().cloned());
        let mut changed = Vec::new();
        for script in bases {
            for (statement, operand, text) in texts_of(catalogue, script) {
                for _ in 0..changes {
                    let text = texts.changed(&text, &others);
                    if !texts.tried.insert(text.clone()) {
                        continue;
                    }
                    let mut script = script.clone();
                    let place = script.statements.get_mut(statement);
                    let place = place.and_then(|statement| statement.operands.get_mut(operand));
                    let mut maker = Maker {
                        world: &mut self.program.world,
                        written: &mut catalogue.written,
                        ty: &Type::class(STRING),
                    };
                    if let (Some(place), Some(argument)) =
                        (place, maker.argument(&Item::Text(text))?)
                    {
                        *place = Operand::Literal(argument);
                        changed.push(script);
                    }
                }
            }
        }
        Ok(changed)
    }
}

/// The texts that a script gives to calls: by statement and operand.
fn texts_of(catalogue: &JavaCatalogue, script: &Script) -> Vec<(usize, usize, String)> {
    let statements = script.statements.iter().enumerate();
    let operands = statements.flat_map(|(index, statement)| {
        let operands = statement.operands.iter().enumerate();
        operands.map(move |(operand, given)| (index, operand, given))
    });
    let texts = operands.filter_map(|(index, operand, given)| {
        let Operand::Literal(argument) = given else {
            return None;
        };
        match catalogue.written.of(argument) {
            Given::Text(text) => Some((index, operand, text)),
            _ => None,
        }
    });
    texts.collect()
}

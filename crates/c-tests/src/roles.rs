//! What functions of a C file are to the structs that they work on, by their types and names.

use heapwright_c::CUnit;
use heapwright_c::ast::CType;
use heapwright_ir::FunctionId;

/// Words for functions that make storage valid.
const INITIALISERS: [&str; 6] = [
    "init",
    "initialize",
    "initialise",
    "setup",
    "construct",
    "ctor",
];

/// Words for functions that end the life of what they are given.
const DESTRUCTORS: [&str; 12] = [
    "free", "destroy", "delete", "dispose", "release", "deinit", "fini", "finalize", "finalise",
    "cleanup", "destruct", "dtor",
];

/// The words of a name: `queueIsValid` and `queue_is_valid` have the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Words(Vec<String>);

impl Words {
    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether these are the last ones.
    pub fn ends_with_words(&self, words: &[&str]) -> bool {
        let rest = self.0.len().checked_sub(words.len());
        rest.is_some_and(|rest| self.0[rest..].iter().eq(words))
    }

    /// Whether these are the first ones.
    pub fn starts_with_words(&self, words: &[&str]) -> bool {
        let first = self.0.get(..words.len());
        first.is_some_and(|first| first.iter().eq(words))
    }

    /// Whether one of these is among them.
    pub fn have_any(&self, words: &[&str]) -> bool {
        self.0.iter().any(|word| words.contains(&word.as_str()))
    }
}

/// The words of a name.
pub(crate) fn words(name: &str) -> Words {
    let mut words = vec![String::new()];
    let mut before = '_';
    for letter in name.chars() {
        let begins = letter.is_ascii_uppercase() && before.is_ascii_lowercase();
        if letter == '_' || begins {
            words.push(String::new());
        }
        if letter != '_'
            && let Some(last) = words.last_mut()
        {
            last.push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    words.retain(|word| !word.is_empty());
    Words(words)
}

/// Whether a function makes the storage that its first parameter leads to valid, so that nothing
/// need hold of that before.
pub(crate) fn is_initialiser(unit: &CUnit, function: FunctionId) -> bool {
    let Some(source) = unit.function(function) else {
        return false;
    };
    let is_struct = |ty: &CType| matches!(ty, CType::Record(_));
    let first = source.signature.params.first();
    let on_storage = matches!(first, Some(CType::Pointer(to)) if is_struct(to));
    on_storage && words(&source.name).have_any(&INITIALISERS)
}

/// Whether a function takes nothing but a struct whose life it ends, so that nothing is done with
/// that afterwards.
pub(crate) fn is_destructor(unit: &CUnit, function: FunctionId) -> bool {
    let Some(source) = unit.function(function) else {
        return false;
    };
    source.signature.params.len() == 1 && words(&source.name).have_any(&DESTRUCTORS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_words() {
        assert_eq!(words("queueIsValid"), words("queue_is_valid"));
        assert_eq!(words("repOK"), words("rep_ok"));
        assert!(words("__list_rep_ok").ends_with_words(&["rep", "ok"]));
        assert!(words("check_list").starts_with_words(&["check"]));
        assert!(!words("checkers").starts_with_words(&["check"]));
    }
}

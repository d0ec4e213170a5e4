//! Names for the variables of a test, other than those of the program under test.

use std::collections::{BTreeMap, BTreeSet};

use super::text::tokens;
use crate::check::built_in_type;
use crate::syntax::{Keyword, TokenKind};

/// Gives out names that are not taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
    /// The names that were given out.
    pub own: BTreeSet<String>,
    /// The number to go on with, by word.
    numbers: BTreeMap<String, u64>,
}

impl Names {
    /// Avoids every name that a program mentions, whatever it stands for there.
    pub fn avoiding(program: &str) -> Self {
        Names {
            taken: mentioned(program),
            ..Names::default()
        }
    }

    /// Avoids a name from now on.
    pub fn take(&mut self, name: &str) {
        self.taken.insert(name.to_owned());
    }

    /// The word itself, or with the first number behind it that is free.
    pub fn plain(&mut self, word: &str) -> String {
        if self.is_free(word) {
            return self.give(word.to_owned());
        }
        self.numbered(word, 2)
    }

    /// The word with the first number behind it that is free: `node1`, `node2`.
    pub fn next(&mut self, word: &str) -> String {
        self.numbered(word, 1)
    }

    fn numbered(&mut self, word: &str, from: u64) -> String {
        let mut number = self.numbers.get(word).copied().unwrap_or(from);
        let mut name = format!("{word}{number}");
        while !self.is_free(&name) {
            number += 1;
            name = format!("{word}{number}");
        }
        self.numbers.insert(word.to_owned(), number + 1);
        self.give(name)
    }

    fn is_free(&self, name: &str) -> bool {
        let reserved = Keyword::named(name).is_some() || built_in_type(name).is_some();
        !reserved && !self.taken.contains(name)
    }

    fn give(&mut self, name: String) -> String {
        self.taken.insert(name.clone());
        self.own.insert(name.clone());
        name
    }
}

/// All names in a text.
pub(super) fn mentioned(text: &str) -> BTreeSet<String> {
    let names = tokens(text).into_iter().filter_map(|token| {
        let TokenKind::Name(name) = token.kind else {
            return None;
        };
        Some(name)
    });
    names.collect()
}

/// What variables that refer to a struct are called: `node` for `TreeNode`.
pub(super) fn word_for(class: &str) -> String {
    let last_word = class.rfind(|letter: char| letter.is_uppercase() || letter == '_');
    let word = last_word.map_or(class, |start| &class[start..]);
    let word = word.trim_start_matches('_').to_lowercase();
    if word.starts_with(char::is_alphabetic) {
        word
    } else {
        "object".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_program_and_reserved_words_are_avoided() {
        let mut names = Names::avoiding("node1 := node2.node4; // node3\nresult := int(result2);");
        assert_eq!(names.next("node"), "node3");
        assert_eq!(names.next("node"), "node5");
        assert_eq!(names.plain("result"), "result3");
        assert_eq!(names.plain("new"), "new2");
        assert_eq!(names.plain("int"), "int2");
        assert_eq!(names.plain("found"), "found");
    }

    #[test]
    fn variables_are_named_after_the_last_word_of_the_struct() {
        assert_eq!(word_for("TreeNode"), "node");
        assert_eq!(word_for("cons"), "cons");
        assert_eq!(word_for("leaf_cell"), "cell");
        assert_eq!(word_for("T"), "t");
        assert_eq!(word_for("Größe"), "größe");
        assert_eq!(word_for("_"), "object");
        assert_eq!(word_for("cell_2"), "object");
    }
}

//! Names in tests: of variables, methods and classes.

use std::collections::BTreeSet;

/// Reserved words, literals, and what must not be obscured by a variable.
const RESERVED: &str = "abstract assert boolean break byte case catch char class const continue \
    default do double else enum extends final finally float for goto if implements import \
    instanceof int interface long native new package private protected public return short static \
    strictfp super switch synchronized this throw throws transient try void volatile while _ true \
    false null var yield java javax org sun";

/// Names of methods that a test method must not have.
const METHODS: &str = "clone equals finalize getClass hashCode notify notifyAll toString wait \
    saveStatics restoreStatics get set make call create type field distinct";

/// Whether a name means something else in every Java program.
pub(super) fn is_reserved(name: &str) -> bool {
    RESERVED.split_whitespace().any(|word| word == name)
}

/// Gives out names that are not taken.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    taken: BTreeSet<String>,
}

impl Names {
    /// Names of local variables in a class of a package.
    pub fn of_locals(package: &str) -> Self {
        let root = package.split('.').next().unwrap_or_default();
        let taken = [root, "i", "thrown"].map(ToOwned::to_owned);
        Names {
            taken: taken.into_iter().collect(),
        }
    }

    /// Names of test methods.
    pub fn of_methods() -> Self {
        Names {
            taken: METHODS.split_whitespace().map(ToOwned::to_owned).collect(),
        }
    }

    /// The word itself, or with the first number behind it that is free.
    pub fn plain(&mut self, word: &str) -> String {
        let mut name = word.to_owned();
        let mut number = 1;
        while is_reserved(&name) || self.taken.contains(&name) {
            number += 1;
            name = format!("{word}{number}");
        }
        self.taken.insert(name.clone());
        name
    }
}

/// An identifier of what characters there are; nothing else can leave it.
pub(super) fn identifier(text: &str) -> String {
    let mut name = String::new();
    for c in text.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => name.push(c),
            _ => name.push('_'),
        }
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) || name.is_empty() || is_reserved(&name) {
        name.insert(0, '_');
    }
    // A single underscore is a reserved word.
    if name == "_" {
        name.push('_');
    }
    name
}

/// What a variable is called that got its value from something with this name; nothing if the
/// name was made by a compiler.
pub(super) fn variable(name: &str) -> Option<String> {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !plain || !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let (first, rest) = name.split_at_checked(1)?;
    // Constants keep their letters, in lower case.
    Some(
        match rest.chars().any(|c| c.is_ascii_lowercase()) || rest.is_empty() {
            true => first.to_ascii_lowercase() + rest,
            false => name.to_ascii_lowercase(),
        },
    )
}

/// What variables of a class are called: `tree` for `BinarySearchTree`.
pub(super) fn word_for(simple_name: &str) -> String {
    let start = simple_name.rfind(|c: char| c.is_ascii_uppercase() || c == '_');
    let last = start.and_then(|start| simple_name.get(start..));
    let word = last.unwrap_or(simple_name).trim_start_matches('_');
    // `TreeMapX` or `URL` would leave a single letter.
    let word = if word.len() < 2 { simple_name } else { word };
    variable(word).unwrap_or_else(|| "object".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_free_and_no_reserved_words() {
        let mut names = Names::of_locals("trees.binary");
        assert_eq!(names.plain("node"), "node");
        assert_eq!(names.plain("node"), "node2");
        assert_eq!(names.plain("new"), "new2");
        assert_eq!(names.plain("trees"), "trees2");
    }

    #[test]
    fn identifiers_stay_inside() {
        assert_eq!(identifier("../etc/x"), "___etc_x");
        assert_eq!(identifier("7up"), "_7up");
        assert_eq!(identifier("class"), "_class");
        assert_eq!(identifier(""), "__");
    }

    #[test]
    fn variables_are_named_after_the_last_word() {
        assert_eq!(word_for("BinarySearchTree"), "tree");
        assert_eq!(word_for("Node"), "node");
        assert_eq!(word_for("URL"), "url");
        assert_eq!(word_for("T"), "t");
        assert_eq!(word_for(""), "object");
        assert_eq!(variable("this$0"), None);
        assert_eq!(variable("MAX"), Some("max".to_owned()));
    }
}

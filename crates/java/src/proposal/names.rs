//! Names in proposals: those of classes, fields and parameters, as far as they can be written.

use crate::classfile::Class;

/// How classes are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassNames {
    /// Without the package.
    Short,
    /// In full.
    Full,
}

impl ClassNames {
    /// The name of a class.
    pub fn of(self, class: &Class) -> String {
        let short = class.name.rsplit('.').next().unwrap_or(&class.name);
        match self {
            ClassNames::Short => short.to_owned(),
            ClassNames::Full => class.name.to_string(),
        }
    }
}

/// What names must not be: words of the notation.
const RESERVED: [&str; 9] = [
    "exists", "emp", "true", "false", "null", "nil", "old", "this", "result",
];

/// Whether a name can be written in a specification. Class files may hold names that no compiler
/// would write.
pub fn is_writable(name: &str) -> bool {
    let begins = |c: char| c.is_alphabetic() || c == '_' || c == '$';
    name != "_"
        && !RESERVED.contains(&name)
        && name.starts_with(begins)
        && name.chars().all(|c| begins(c) || c.is_numeric())
}

/// Whether the name of a class can be written, packages included.
pub fn is_writable_class(name: &str) -> bool {
    name.split('.').all(is_writable)
}

/// A name that may be shown in a comment.
pub fn shown(name: &str) -> String {
    name.escape_debug().to_string()
}

/// A variable named after a field, unless another variable has that name.
pub fn variable(field: &str, taken: &[&str]) -> String {
    let mut name = field.to_owned();
    while taken.contains(&name.as_str()) {
        name.push('_');
    }
    name
}

/// A parameter with the usual name, or with the other one where a field is called like it.
pub fn parameter(usual: &str, other: &str, fields: &[&str]) -> String {
    match fields.contains(&usual) {
        true => variable(other, fields),
        false => usual.to_owned(),
    }
}

/// Whether a name is one of some words, whatever its letters.
pub fn is_one_of(name: &str, words: &[&str]) -> bool {
    let name = name.trim_matches('_').to_lowercase();
    words.contains(&name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_notation_and_strange_names_are_not_written() {
        for name in ["next", "this$0", "größe", "_a"] {
            assert!(is_writable(name), "{name}");
        }
        for name in ["nil", "old", "_", "", "a b", "a-b", "1", "a\nb"] {
            assert!(!is_writable(name), "{name}");
        }
        assert!(is_writable_class("a.b.C$D"));
        assert!(!is_writable_class("a..C"));
        assert_eq!(shown("a\nb"), "a\\nb");
    }

    #[test]
    fn variables_do_not_meet() {
        assert_eq!(variable("x", &["x", "x_"]), "x__");
        assert_eq!(parameter("after", "to", &["next"]), "after");
        assert_eq!(parameter("after", "to", &["after", "before"]), "to");
        assert_eq!(parameter("after", "to", &["after", "to"]), "to_");
        assert!(is_one_of("_Next", &["next"]));
    }
}

//! Names in proposals: those of classes, fields and parameters, as far as they can be written.

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
    let mut name = last_part(field).to_owned();
    while taken.contains(&name.as_str()) || RESERVED.contains(&name.as_str()) {
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

/// The field itself, without what it is inside of.
pub fn last_part(field: &str) -> &str {
    field.rsplit('.').next().unwrap_or(field)
}

/// Whether the name of a link is one of some words, or ends in one as `le_next` and `rbe_left` do.
pub fn is_link(name: &str, words: &[&str]) -> bool {
    let name = last_part(name);
    let last = name.trim_matches('_').rsplit('_').next().unwrap_or(name);
    is_one_of(name, words) || is_one_of(last, words)
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

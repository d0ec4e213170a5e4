//! Pieces of sentences: lists, articles, capitals, lines.

/// `a`, `a and b`, `a, b and c`
pub fn conjunction(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The article of a name. A single letter is spoken as it is spelled.
pub fn article(name: &str) -> &'static str {
    let mut letters = name.chars().map(|letter| letter.to_ascii_lowercase());
    match (letters.next(), letters.next()) {
        (Some('a' | 'e' | 'f' | 'h' | 'i' | 'l' | 'm' | 'n' | 'o' | 'r' | 's' | 'x'), None) => "an",
        (first, _) => article_before(first),
    }
}

fn article_before(first: Option<char>) -> &'static str {
    match first {
        Some('a' | 'e' | 'i' | 'o') => "an",
        _ => "a",
    }
}

/// Whether `x is a NAME` reads well: not for plurals, nor for what looks like an adjective or a
/// verb.
pub fn is_noun(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let is_verb = ["is_", "has_"].iter().any(|verb| lower.starts_with(verb))
        || ["is", "has"].iter().any(|verb| {
            (name.strip_prefix(verb)).is_some_and(|rest| rest.starts_with(char::is_uppercase))
        });
    let is_other = ["s", "valid", "sorted", "ordered", "balanced", "ok", "empty"];
    !is_verb && !is_other.iter().any(|ending| lower.ends_with(ending))
}

/// The text with a capital. Sentences that begin with a name have none: names are case-sensitive.
pub fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// Text in lines of at most `width` columns, where words allow it. No line begins or ends with an
/// equals sign.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    const NO_BREAK: &str = "\u{a0}=\u{a0}";
    let mut lines = vec![String::new()];
    let text = text.replace(" = ", NO_BREAK);
    for word in text.split(' ').map(|word| word.replace(NO_BREAK, " = ")) {
        let line = lines.last().map_or(0, |line| line.chars().count());
        match lines.last_mut() {
            Some(last) if line == 0 => last.push_str(&word),
            Some(last) if line + 1 + word.chars().count() <= width => {
                last.push(' ');
                last.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_go_by_sound() {
        for (name, expected) in [
            ("N", "an"),
            ("U", "a"),
            ("Node", "a"),
            ("Entry", "an"),
            ("bst", "a"),
        ] {
            assert_eq!(article(name), expected, "{name}");
        }
    }

    #[test]
    fn only_nouns_in_the_singular_are_said_to_be_something() {
        for name in ["bst", "dll_segment", "list", "N"] {
            assert!(is_noun(name), "{name}");
        }
        for name in ["nodes", "valid", "is_list", "hasNext", "sorted", "tree_ok"] {
            assert!(!is_noun(name), "{name}");
        }
    }

    #[test]
    fn lines_are_broken_between_words_but_not_at_equals_signs() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("with a = b", 6), ["with", "a = b"]);
        assert_eq!(wrapped("incomprehensible", 4), ["incomprehensible"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}

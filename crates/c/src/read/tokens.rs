//! The words and signs of clang's text for a type.

/// Words that say nothing about the values of a type.
const QUALIFIERS: [&str; 12] = [
    "const",
    "volatile",
    "restrict",
    "__restrict",
    "_Nonnull",
    "_Nullable",
    "__unaligned",
    "_Null_unspecified",
    "__strong",
    "__weak",
    "static",
    "_Noreturn",
];

/// Whether a token is a word or a number.
pub(super) fn is_word(token: &str) -> bool {
    token.starts_with(is_word_char) || token.starts_with('@')
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Splits a type. A struct without a name is one word, `@` and its place. Attributes are left out;
/// `None` if one of them makes this a type of its own (a vector).
pub(super) fn tokens(text: &str) -> Option<Vec<String>> {
    let mut tokens: Vec<String> = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let after_tag = matches!(
            tokens.last().map(String::as_str),
            Some("struct" | "union" | "enum")
        );
        if first.is_whitespace() {
            rest = &rest[first.len_utf8()..];
        } else if after_tag && let Some((place, after)) = unnamed(rest) {
            tokens.push(format!("@{place}"));
            rest = after;
        } else if is_word_char(first) {
            let end = rest.find(|c: char| !is_word_char(c)).unwrap_or(rest.len());
            let word = &rest[..end];
            rest = &rest[end..];
            if word == "__attribute__" {
                let end = closing(rest)?;
                if rest[..end].contains("vector") || rest[..end].contains("mode") {
                    return None;
                }
                rest = &rest[end..];
            } else if !QUALIFIERS.contains(&word) {
                tokens.push(word.to_owned());
            }
        } else if first == '<' || first == '"' || first == '\'' {
            return None;
        } else {
            let length = ["...", "->", "::"]
                .iter()
                .find(|sign| rest.starts_with(**sign))
                .map_or(first.len_utf8(), |sign| sign.len());
            tokens.push(rest[..length].to_owned());
            rest = &rest[length..];
        }
    }
    Some(tokens)
}

/// The place of a struct without a name: `(unnamed struct at f.c:3:5)`, with or without the names of
/// what it is in, and what follows.
pub(super) fn unnamed(text: &str) -> Option<(&str, &str)> {
    let open = text.find('(')?;
    let before = &text[..open];
    if !before.is_empty() && !before.ends_with("::") {
        return None;
    }
    let inside = &text[open + 1..];
    if !inside.starts_with("unnamed") && !inside.starts_with("anonymous") {
        return None;
    }
    let start = inside.find(" at ")? + 4;
    // A name of a file may have parentheses in it; the line and the column come last.
    let mut from = start;
    loop {
        let close = from + inside[from..].find(')')?;
        let mut numbers = inside[start..close].rsplit(':').take(2);
        let is_number = |part: Option<&str>| part.is_some_and(|part| part.parse::<u32>().is_ok());
        if is_number(numbers.next()) && is_number(numbers.next()) {
            let after = &inside[close + 1..];
            // What is in something without a name has both places in its name; the last one counts.
            return match after.strip_prefix("::").and_then(unnamed) {
                Some(inner) => Some(inner),
                None => Some((&inside[start..close], after)),
            };
        }
        from = close + 1;
    }
}

/// How long the parentheses are that a text begins with.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (index, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structs_without_names_are_words() {
        let expected = ["struct", "@a b(1).c:3:1", "*"].map(str::to_owned).to_vec();
        for text in [
            "struct (unnamed struct at a b(1).c:3:1) *",
            "struct (unnamed at a b(1).c:3:1) *const",
            "struct T::(anonymous struct at a b(1).c:3:1) *",
            "const struct T::(anonymous at a.c:1:2)::(anonymous at a b(1).c:3:1) *",
        ] {
            assert_eq!(tokens(text), Some(expected.clone()), "{text}");
        }
    }

    #[test]
    fn attributes_and_qualifiers_are_left_out() {
        let expected = ["void", "(", "int", ")"].map(str::to_owned).to_vec();
        let text = "void (const int) __attribute__((noreturn))";
        assert_eq!(tokens(text), Some(expected));
        assert_eq!(
            tokens("__attribute__((__vector_size__(4 * sizeof(int)))) int"),
            None
        );
        assert_eq!(tokens("<builtin fn type>"), None);
    }
}

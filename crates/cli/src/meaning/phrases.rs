//! Pieces of sentences: lists, articles, capitals, lines.

/// `a`, `a and b`, `a, b and c`
pub fn conjunction(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// The article of a name.
pub fn article(name: &str) -> &'static str {
    let first = name.chars().next().map(|first| first.to_ascii_lowercase());
    match first {
        Some('a' | 'e' | 'i' | 'o') => "an",
        _ => "a",
    }
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
    fn lines_are_broken_between_words_but_not_at_equals_signs() {
        assert_eq!(wrapped("one two three", 8), ["one two", "three"]);
        assert_eq!(wrapped("with a = b", 6), ["with", "a = b"]);
        assert_eq!(wrapped("incomprehensible", 4), ["incomprehensible"]);
        assert_eq!(wrapped("", 4), [""]);
    }
}

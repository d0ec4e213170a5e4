//! The words of a command line, as a shell splits them.

/// Splits a command into words. Nothing is expanded.
pub(super) fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars().peekable();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('"'), '\\') if matches!(chars.peek(), Some('"' | '\\' | '$' | '`')) => {
                word.get_or_insert_default().extend(chars.next());
            }
            (Some(_), c) => word.get_or_insert_default().push(c),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(c);
            }
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn quotes_and_backslashes_join_words() {
        assert_eq!(split(r#"cc  -c "a b.c""#), ["cc", "-c", "a b.c"]);
        assert_eq!(
            split(r#"-DX='"s"' a\ b "q\"q" '' "\n""#),
            ["-DX=\"s\"", "a b", "q\"q", "", "\\n"]
        );
        assert_eq!(split(""), Vec::<String>::new());
    }
}

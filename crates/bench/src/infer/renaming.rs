//! A copy of sources in which classes, fields and methods have other names, and texts that are equal up
//! to names.

use std::collections::BTreeMap;

/// Gives every one of some names another one that tells nothing.
pub fn renamed(source: &str, names: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for token in tokens(source) {
        text.push_str(names.get(token).map_or(token, String::as_str));
    }
    text
}

/// The text without comments, with names numbered in the order in which they occur.
pub fn without_names(text: &str) -> Vec<String> {
    let mut numbers: BTreeMap<(String, bool), usize> = BTreeMap::new();
    let lines = text.lines().filter(|line| !line.starts_with("//"));
    let mut next = 0;
    let mut found = Vec::new();
    for line in lines {
        // Variables belong to one declaration.
        if line.starts_with("pre") {
            numbers.retain(|(_, is_applied), _| *is_applied);
        }
        let tokens = tokens(line);
        for (index, token) in tokens.iter().enumerate() {
            let is_name = token.starts_with(|letter: char| letter.is_alphabetic() || letter == '_');
            // A predicate and a variable may have the same name.
            let is_applied = tokens.get(index + 1) == Some(&"(");
            match is_name {
                true => {
                    next += 1;
                    let key = ((*token).to_owned(), is_applied);
                    let number = *numbers.entry(key).or_insert(next);
                    found.push(format!("#{number}"));
                }
                false if token.trim().is_empty() => {}
                false => found.push((*token).to_owned()),
            }
        }
    }
    found
}

/// Names, numbers, and everything between them.
fn tokens(text: &str) -> Vec<&str> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_part(first) {
            true => rest.find(|letter| !is_part(letter)),
            false => Some(first.len_utf8()),
        };
        let (token, behind) = rest.split_at(end.unwrap_or(rest.len()));
        tokens.push(token);
        rest = behind;
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_equal_up_to_names() {
        let one = without_names("// a\npred list(x) := emp & x = null;");
        let other = without_names("pred liste(y) := emp & y = nichts;");
        assert_eq!(one, other);
        assert_ne!(one, without_names("pred list(x) := emp & y = null;"));
        assert_eq!(without_names("list(list)"), without_names("list(x)"));
        let names = BTreeMap::from([("next".to_owned(), "n1".to_owned())]);
        assert_eq!(renamed("a.next = nextOne;", &names), "a.n1 = nextOne;");
    }
}

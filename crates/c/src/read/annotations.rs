//! Comments that are meant for this tool: `/*@ … */` and `//@ …`.

use crate::ast::Place;

/// Finds them in a source text, with what they say behind the `@`. Strings, characters and other
/// comments are passed over.
pub(super) fn find(source: &str) -> Vec<(Place, String)> {
    let mut found = Vec::new();
    let mut rest = source;
    let mut place = Place {
        file: 0,
        line: 1,
        column: 1,
    };
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' | '\'' => quoted(rest, first),
            '/' if rest.starts_with("/*") => rest[2..].find("*/").map_or(rest.len(), |end| end + 4),
            '/' if rest.starts_with("//") => line_comment(rest),
            c => c.len_utf8(),
        };
        let part = &rest[..length];
        if let Some(text) = part.strip_prefix("/*@") {
            found.push((place, text.strip_suffix("*/").unwrap_or(text).to_owned()));
        } else if let Some(text) = part.strip_prefix("//@") {
            found.push((place, text.trim_end().to_owned()));
        }
        for c in part.chars() {
            if c == '\n' {
                place.line += 1;
                place.column = 1;
            } else {
                place.column += c.len_utf8() as u32;
            }
        }
        rest = &rest[length..];
    }
    found
}

/// Bytes of a string or character; one that is not closed ends with its line.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (index, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return index,
            c if c == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

/// Bytes of a comment up to the end of its line; a backslash there continues it.
fn line_comment(text: &str) -> usize {
    let mut from = 0;
    loop {
        let Some(end) = text[from..].find('\n') else {
            return text.len();
        };
        let end = from + end;
        if !text[..end].trim_end_matches('\r').ends_with('\\') {
            return end;
        }
        from = end + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_are_found_with_their_places() {
        let source = "/* no */ /*@ one\n two */ int x; //@ three\nchar *s = \"/*@ no */\";\n\
            char c = '\"'; /*@ four */ // /*@ no */\n//@five";
        let found: Vec<_> = find(source)
            .into_iter()
            .map(|(place, text)| (place.line, place.column, text))
            .collect();
        let expected = [
            (1, 10, " one\n two "),
            (2, 16, " three"),
            (4, 15, " four "),
            (5, 1, "five"),
        ];
        let expected: Vec<_> = expected
            .map(|(line, column, text)| (line, column, text.to_owned()))
            .to_vec();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_is_not_closed_ends_the_text() {
        for source in ["/*@ a", "\"a", "'", "/", "\\", "\"\\", "//@\\\n b"] {
            find(source);
        }
        assert_eq!(find("//@a\\\nb\nc").len(), 1);
    }
}

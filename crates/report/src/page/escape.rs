//! Text from the program under test made fit for a page.

use std::fmt::Write;

/// Escapes for HTML text and for attribute values in either kind of quotes. Characters that are
/// not seen, or that turn the direction of writing, are replaced.
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + text.len() / 16);
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(character),
            other if is_disturbing(other) => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

/// The same, with what stands between backticks marked as code.
pub fn prose(text: &str) -> String {
    let pieces: Vec<&str> = text.split('`').collect();
    if pieces.len().is_multiple_of(2) {
        return escape(text);
    }
    let mut out = String::new();
    for (index, piece) in pieces.into_iter().enumerate() {
        match index % 2 {
            0 => out.push_str(&escape(piece)),
            _ => {
                let _ = write!(out, "<code>{}</code>", escape(piece));
            }
        }
    }
    out
}

/// Whether a character is not seen, forbidden in XML, or changes how others are seen.
pub(crate) fn is_disturbing(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_means_something_in_html_is_left() {
        assert_eq!(
            escape("<script>alert('1')</script>"),
            "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"
        );
        assert_eq!(
            escape("\"><img src=x onerror=alert(1)>"),
            "&quot;&gt;&lt;img src=x onerror=alert(1)&gt;"
        );
        assert_eq!(prose("`a<b` is true"), "<code>a&lt;b</code> is true");
        assert_eq!(prose("one ` only <"), "one ` only &lt;");
        assert_eq!(escape("a &amp; b"), "a &amp;amp; b");
        assert_eq!(escape("\u{202e}a\u{0}\tb\n"), "\u{fffd}a\u{fffd}\tb\n");
    }
}
